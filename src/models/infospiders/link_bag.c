/* link_bag.c - the links one agent keeps for itself. SPDX-License-Identifier: MIT */
#include "models/infospiders/link_bag.h"

#include "models/infospiders/keywords.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void link_bag_clear(struct link_bag *b)
{
    free(b->urls);
    free(b->scores);
    free(b->in);
    *b = (struct link_bag){.keywords = b->keywords};
}

static long link_bag_find(const struct link_bag *b, uint32_t url)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->urls[i] == url)
            return (long)i;
    return -1;
}

static void room_for_one(struct link_bag *b)
{
    if (b->count < b->cap)
        return;
    b->cap = b->cap ? b->cap * 2 : 16;
    b->urls = mem_resize(b->urls, b->cap, sizeof *b->urls);
    b->scores = mem_resize(b->scores, b->cap, sizeof *b->scores);
    b->in = mem_resize(b->in, b->cap * b->keywords, sizeof *b->in);
}

static float *inputs_of(const struct link_bag *b, size_t i)
{
    return b->in + i * b->keywords;
}

static void put(struct link_bag *b, size_t at, uint32_t url, float score, const float *in)
{
    b->urls[at] = url;
    b->scores[at] = score;
    memcpy(inputs_of(b, at), in, b->keywords * sizeof *in);
}

static void append(struct link_bag *b, uint32_t url, float score, const float *in)
{
    room_for_one(b);
    put(b, b->count++, url, score, in);
}

bool link_bag_add(struct link_bag *b, uint32_t url, float score, const float *in)
{
    long known = link_bag_find(b, url);

    if (known < 0)
        append(b, url, score, in);
    else if (score > b->scores[known])
        put(b, (size_t)known, url, score, in);
    return known < 0;
}

void link_bag_remove(struct link_bag *b, size_t i)
{
    size_t last = --b->count;

    b->urls[i] = b->urls[last];
    b->scores[i] = b->scores[last];
    memmove(inputs_of(b, i), inputs_of(b, last), b->keywords * sizeof *b->in);
}

size_t link_bag_draw(const struct link_bag *b, enum lottery rule, double beta, double *room,
                     struct rng *r)
{
    for (size_t i = 0; i < b->count; i++)
        room[i] = (double)b->scores[i];
    return lottery_draw(rule, beta, room, b->count, room + b->count, r);
}

void link_bag_halve(struct link_bag *b, struct link_bag *to, struct rng *r)
{
    LOCAL_HEAP float *in = mem_zero(to->keywords, sizeof *in);

    assert(to->keywords >= b->keywords);
    for (size_t n = b->count / 2; n > 0; n--) {
        size_t i = rng_below(r, b->count);

        memcpy(in, inputs_of(b, i), b->keywords * sizeof *in);
        append(to, b->urls[i], b->scores[i], in);
        link_bag_remove(b, i);
    }
}

void link_bag_forget_input(struct link_bag *b, uint32_t input)
{
    for (size_t i = 0; i < b->count; i++)
        inputs_of(b, i)[input] = 0;
}

void link_bag_save(const struct link_bag *b, struct buf *out)
{
    buf_put_u32(out, b->keywords);
    buf_put_u32(out, (uint32_t)b->count);
    for (size_t i = 0; i < b->count; i++) {
        buf_put_u32(out, b->urls[i]);
        buf_put_f64(out, (double)b->scores[i]);
        for (uint32_t k = 0; k < b->keywords; k++)
            buf_put_f64(out, (double)inputs_of(b, i)[k]);
    }
}

enum status link_bag_load(struct link_bag *b, struct cursor *from)
{
    uint32_t count;

    b->keywords = cursor_u32(from);
    count = cursor_u32(from);
    from->bad |= b->keywords > KEYWORDS_MAX;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        room_for_one(b);
        b->urls[b->count] = cursor_u32(from);
        b->scores[b->count] = (float)cursor_f64(from);
        for (uint32_t k = 0; k < b->keywords && !from->bad; k++)
            inputs_of(b, b->count)[k] = (float)cursor_f64(from);
        b->count++;
    }
    return from->bad ? status_fail(ST_CORRUPT, "a saved frontier is cut") : ST_OK;
}
