/* repeats.c - takes passages that many pages of a host share out of their main text.
 *
 * A sketch is a table of sets of WAYS places; a passage belongs to the set of its hash. A new
 * passage replaces the one seen on the fewest pages, and reduces its count by one each time it
 * fails to: passages that repeat stay, and those that occur once disappear.
 *
 * Workload: 30 passages a page. SPDX-License-Identifier: MIT
 */
#include "crawl/repeats.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

#define WAYS  8
#define SHARE 10 /* of the host's pages: one in so many */
#define SHORT 40 /* bytes; shorter ones ("Description", "New in version 3.7") may well repeat */

struct passage_place {
    uint32_t hash;
    uint16_t pages; /* that had it; 0: free */
    uint16_t last;  /* the number of the newest of them, its low bits */
};

struct sketch {
    uint32_t host;
    uint32_t pages;
    struct passage_place places[LIMIT_REPEATS];
};

struct repeats {
    struct map hosts; /* number of a host -> its sketch */
    struct sketch **sketches;
    size_t count, cap;
};

struct repeats *repeats_new(void)
{
    struct repeats *r = MEM_NEW(struct repeats);

    map_init(&r->hosts);
    return r;
}

void repeats_free(struct repeats *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->count; i++)
        free(r->sketches[i]);
    free(r->sketches);
    map_free(&r->hosts);
    free(r);
}

static struct sketch *sketch_of(struct repeats *r, uint32_t host)
{
    bool is_new;
    uint32_t *at;

    if (r->count == LIMIT_REPEAT_HOSTS) {
        uint32_t known = map_get(&r->hosts, hash_u64(host));

        return known == MAP_NONE ? NULL : r->sketches[known];
    }
    at = map_at(&r->hosts, hash_u64(host), (uint32_t)r->count, &is_new);
    if (is_new) {
        if (r->count == r->cap)
            MEM_GROW(r->sketches, r->count, &r->cap);
        r->sketches[r->count] = MEM_NEW(struct sketch);
        r->sketches[r->count++]->host = host;
    }
    return r->sketches[*at];
}

/* Returns how many pages had the passage, this one included; 0 if it found no place. */
static unsigned learn(struct sketch *s, uint32_t hash)
{
    struct passage_place *set = &s->places[hash % (LIMIT_REPEATS / WAYS) * WAYS], *least = set;

    for (struct passage_place *p = set; p < set + WAYS; p++) {
        if (p->pages && p->hash == hash) {
            if (p->last != (uint16_t)s->pages && p->pages < UINT16_MAX)
                p->pages++;
            p->last = (uint16_t)s->pages;
            return p->pages;
        }
        if (p->pages < least->pages)
            least = p;
    }
    if (least->pages > 1) {
        least->pages--;
        return 0;
    }
    *least = (struct passage_place){hash, 1, (uint16_t)s->pages};
    return 1;
}

void repeats_take_out(struct repeats *r, uint32_t host, const struct page *page)
{
    struct sketch *s = sketch_of(r, host);

    if (s == NULL || page->kind != PAGE_HTML)
        return;
    s->pages++;
    for (uint32_t i = 0; i < page->nmain; i++) {
        struct passage *m = &page->main[i];
        unsigned pages;

        if (m->len < SHORT || m->kind == PASSAGE_HEADING || m->kind == PASSAGE_CODE)
            continue;
        pages = learn(s, (uint32_t)hash_str(str_sub(page->text, m->off, m->off + m->len)));
        if (pages >= REPEATS_PAGES && pages * SHARE >= s->pages)
            m->len = 0;
    }
}

/* ---- checkpoint ---- */

static uint32_t repeated(const struct sketch *s)
{
    uint32_t n = 0;

    for (size_t i = 0; i < LIMIT_REPEATS; i++)
        n += s->places[i].pages > 1;
    return n;
}

void repeats_save(const struct repeats *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->count);
    for (size_t i = 0; i < r->count; i++) {
        const struct sketch *s = r->sketches[i];

        buf_put_u32(out, s->host);
        buf_put_u32(out, s->pages);
        buf_put_u32(out, repeated(s));
        for (size_t k = 0; k < LIMIT_REPEATS; k++)
            if (s->places[k].pages > 1) {
                buf_put_u32(out, s->places[k].hash);
                buf_put_u32(out, s->places[k].pages);
            }
    }
}

/* Puts it in a free place of its set; if there is none it is left out. */
static void put_back(struct sketch *s, uint32_t hash, uint32_t pages)
{
    struct passage_place *set = &s->places[hash % (LIMIT_REPEATS / WAYS) * WAYS];

    for (struct passage_place *p = set; p < set + WAYS; p++)
        if (p->pages == 0) {
            *p = (struct passage_place){hash, (uint16_t)pages, (uint16_t)s->pages};
            return;
        }
}

enum status repeats_load(struct repeats *r, struct cursor *from)
{
    uint32_t hosts = cursor_u32(from);

    for (uint32_t i = 0; i < hosts && !from->bad; i++) {
        struct sketch *s = sketch_of(r, cursor_u32(from));
        uint32_t pages = cursor_u32(from), n = cursor_u32(from);

        if (s == NULL || n > LIMIT_REPEATS)
            from->bad = true;
        else
            s->pages = pages;
        for (uint32_t k = 0; k < n && !from->bad; k++) {
            uint32_t hash = cursor_u32(from);

            put_back(s, hash, cursor_u32(from));
        }
    }
    return from->bad ? status_fail(ST_CORRUPT, "the checkpoint is cut in its repeated passages")
                     : ST_OK;
}
