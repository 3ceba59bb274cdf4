/* link_queue.c - URLs that wait for a visit, best score first.
 * SPDX-License-Identifier: MIT */
#include "agent/link_queue.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

struct link_slot {
    double score; /* joined */
    double sum;   /* of all parents' scores */
    uint64_t seq; /* arrival: the tie-breaker */
    uint32_t url;
    uint32_t parents; /* how many gave a score */
    uint32_t at[2];   /* position in q->best and q->worst */
};

enum side { BEST, WORST };

static uint32_t *heap_of(struct link_queue *q, enum side side)
{
    return side == BEST ? q->best : q->worst;
}

/* Does slot a stand above slot b in that heap? Exact opposites, so that the
 * worst is always the last that would be taken. */
static bool above(const struct link_queue *q, enum side side, uint32_t a, uint32_t b)
{
    const struct link_slot *x = &q->slots[a], *y = &q->slots[b];
    bool better = x->score > y->score || (!(y->score > x->score) && x->seq < y->seq);

    return side == BEST ? better : !better && a != b;
}

static void place(struct link_queue *q, enum side side, size_t i, uint32_t slot)
{
    heap_of(q, side)[i] = slot;
    q->slots[slot].at[side] = (uint32_t)i;
}

static void sift_up(struct link_queue *q, enum side side, size_t i)
{
    uint32_t *heap = heap_of(q, side), slot = heap[i];

    while (i > 0 && above(q, side, slot, heap[(i - 1) / 2])) {
        place(q, side, i, heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    place(q, side, i, slot);
}

static void sift_down(struct link_queue *q, enum side side, size_t i, size_t count)
{
    uint32_t *heap = heap_of(q, side), slot = heap[i];
    size_t child;

    while ((child = 2 * i + 1) < count) {
        if (child + 1 < count && above(q, side, heap[child + 1], heap[child]))
            child++;
        if (!above(q, side, heap[child], slot))
            break;
        place(q, side, i, heap[child]);
        i = child;
    }
    place(q, side, i, slot);
}

static int sides(const struct link_queue *q)
{
    return q->max ? 2 : 1;
}

static void settle(struct link_queue *q, uint32_t slot)
{
    for (int side = 0; side < sides(q); side++) {
        sift_up(q, side, q->slots[slot].at[side]);
        sift_down(q, side, q->slots[slot].at[side], q->count);
    }
}

void link_queue_init(struct link_queue *q, size_t max, enum parents parents)
{
    *q = (struct link_queue){.max = max, .parents = parents};
    map_init(&q->where);
}

void link_queue_clear(struct link_queue *q)
{
    free(q->slots);
    free(q->best);
    free(q->worst);
    map_free(&q->where);
    link_queue_init(q, q->max, q->parents);
}

static void grow(struct link_queue *q)
{
    if (q->count < q->cap)
        return;
    q->cap = q->cap ? q->cap + q->cap / 2 : 64;
    q->slots = mem_resize(q->slots, q->cap, sizeof *q->slots);
    q->best = mem_resize(q->best, q->cap, sizeof *q->best);
    if (q->max)
        q->worst = mem_resize(q->worst, q->cap, sizeof *q->worst);
}

static void insert(struct link_queue *q, struct link_slot item)
{
    uint32_t slot;

    grow(q);
    slot = (uint32_t)q->count++;
    q->slots[slot] = item;
    map_set(&q->where, hash_u64(item.url), slot);
    for (int side = 0; side < sides(q); side++) {
        place(q, side, slot, slot);
        sift_up(q, side, slot);
    }
}

/* Takes a slot's item out of both heaps, and moves the last slot into the free
 * one. */
static struct link_slot extract(struct link_queue *q, uint32_t slot)
{
    struct link_slot item = q->slots[slot];
    size_t last = q->count - 1;

    for (int side = 0; side < sides(q); side++) {
        size_t i = item.at[side];
        uint32_t moved = heap_of(q, side)[last];

        if (i != last) {
            place(q, side, i, moved);
            sift_down(q, side, i, last);
            sift_up(q, side, q->slots[moved].at[side]);
        }
    }
    q->count--;
    map_remove(&q->where, hash_u64(item.url));
    if (slot != last) {
        q->slots[slot] = q->slots[last];
        for (int side = 0; side < sides(q); side++)
            heap_of(q, side)[q->slots[slot].at[side]] = slot;
        map_set(&q->where, hash_u64(q->slots[slot].url), slot);
    }
    return item;
}

static void join(struct link_queue *q, uint32_t slot, double score)
{
    struct link_slot *s = &q->slots[slot];

    s->sum += score;
    s->parents++;
    if (q->parents == PARENTS_MAX && score > s->score)
        s->score = score;
    else if (q->parents == PARENTS_MEAN)
        s->score = s->sum / s->parents;
    settle(q, slot);
}

uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score)
{
    uint32_t slot = map_get(&q->where, hash_u64(url));

    if (slot != MAP_NONE) {
        join(q, slot, score);
        return 0;
    }
    insert(q, (struct link_slot){
                  .score = score, .sum = score, .seq = q->seq++, .url = url, .parents = 1});
    if (q->max && q->count > q->max)
        return extract(q, q->worst[0]).url;
    return 0;
}

bool link_queue_take(struct link_queue *q, uint32_t *ret_url, double *ret_score)
{
    struct link_slot item;

    if (q->count == 0)
        return false;
    item = extract(q, q->best[0]);
    *ret_url = item.url;
    *ret_score = item.score;
    return true;
}

void link_queue_save(const struct link_queue *q, struct buf *out)
{
    buf_put_u64(out, q->seq);
    buf_put_u32(out, (uint32_t)q->count);
    for (size_t i = 0; i < q->count; i++) {
        const struct link_slot *s = &q->slots[i];

        buf_put_u32(out, s->url);
        buf_put_f64(out, s->score);
        buf_put_f64(out, s->sum);
        buf_put_u32(out, s->parents);
        buf_put_u64(out, s->seq);
    }
}

enum status link_queue_load(struct link_queue *q, struct cursor *from)
{
    uint64_t seq = cursor_u64(from);
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct link_slot s = {0};

        s.url = cursor_u32(from);
        s.score = cursor_f64(from);
        s.sum = cursor_f64(from);
        s.parents = cursor_u32(from);
        s.seq = cursor_u64(from);
        if (!from->bad && map_get(&q->where, hash_u64(s.url)) == MAP_NONE)
            insert(q, s);
    }
    q->seq = seq;
    return from->bad ? status_fail(ST_CORRUPT, "the saved link queue is cut") : ST_OK;
}
