/* context.c - the newest pages of an agent with their heaviest terms.
 * SPDX-License-Identifier: MIT */
#include "models/crew/context.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/order.h"
#include "flow.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <assert.h>
#include <stdlib.h>

size_t top_terms(const struct profile *p, const struct df_table *df, size_t n, struct top_term *ret)
{
    size_t count = 0;

    for (uint32_t i = 0; i < p->nterms && n > 0; i++) {
        struct top_term t = {p->terms[i].id, 0};
        size_t at;

        t.weight = (float)(vec_tf(p->terms[i].count) * (double)df_idf(df, t.id));
        /* ids ascend, so a term of equal weight that comes later is placed after */
        if (count == n && !(t.weight > ret[n - 1].weight))
            continue;
        at = count < n ? count++ : n - 1;
        for (; at > 0 && ret[at - 1].weight < t.weight; at--)
            ret[at] = ret[at - 1];
        ret[at] = t;
    }
    return count;
}

struct context_page {
    uint32_t object;
    uint32_t count;                    /* of its terms */
    uint32_t terms[LIMIT_LATTICE_ROW]; /* the heaviest first */
};

struct context {
    struct context_page *pages; /* a ring */
    size_t window, per_page;
    size_t first, count; /* the oldest, and how many */
    struct map at;       /* hash of an object -> its place in the ring */
};

static size_t within(size_t value, size_t most)
{
    return value < 1 ? 1 : value < most ? value : most;
}

struct context *context_new(size_t window, size_t per_page)
{
    struct context *c = MEM_NEW(struct context);

    c->window = within(window, LIMIT_LATTICE_OBJECTS);
    c->per_page = within(per_page, LIMIT_LATTICE_ROW);
    c->pages = mem_zero(c->window, sizeof *c->pages);
    map_init(&c->at);
    return c;
}

void context_free(struct context *c)
{
    if (c == NULL)
        return;
    map_free(&c->at);
    free(c->pages);
    free(c);
}

static struct context_page *page_at(const struct context *c, size_t i)
{
    return &c->pages[(c->first + i) % c->window];
}

/* Returns the place of an object; a new object gets a new place. */
static struct context_page *place_of(struct context *c, uint32_t object)
{
    uint32_t known = map_get(&c->at, hash_u64(object));
    struct context_page *p;

    if (known != MAP_NONE)
        return &c->pages[known];
    if (c->count == c->window) {
        map_remove(&c->at, hash_u64(c->pages[c->first].object));
        c->first = (c->first + 1) % c->window;
        c->count--;
    }
    p = page_at(c, c->count++);
    p->object = object;
    map_set(&c->at, hash_u64(object), (uint32_t)(p - c->pages));
    return p;
}

void context_add(struct context *c, uint32_t object, const struct profile *p,
                 const struct df_table *df)
{
    struct top_term top[LIMIT_LATTICE_ROW];
    struct context_page *page = place_of(c, object);

    page->count = (uint32_t)top_terms(p, df, c->per_page, top);
    for (uint32_t i = 0; i < page->count; i++)
        page->terms[i] = top[i].id;
}

size_t context_pages(const struct context *c)
{
    return c->count;
}

/* ---- keywords ---- */

ORDER(commonest_first, struct term, DOWN(count) ?: UP(id))

size_t context_commonest(const struct context *c, size_t max, struct term *ret)
{
    LOCAL_HEAP struct term *terms = mem_alloc((c->count * c->per_page + 1) * sizeof *terms);
    struct map places;
    size_t n = 0;

    map_init(&places);
    for (size_t i = 0; i < c->count; i++) {
        const struct context_page *p = page_at(c, i);

        for (uint32_t k = 0; k < p->count; k++) {
            uint32_t *at = map_at(&places, hash_u64(p->terms[k]), (uint32_t)n, NULL);

            if (*at == n)
                terms[n++] = (struct term){p->terms[k], 0};
            terms[*at].count++;
        }
    }
    map_free(&places);
    if (n > 0)
        qsort(terms, n, sizeof *terms, commonest_first);
    if (max > LIMIT_LATTICE_ATTRIBUTES)
        max = LIMIT_LATTICE_ATTRIBUTES;
    if (n > max)
        n = max;
    if (n > 0)
        memcpy(ret, terms, n * sizeof *ret);
    return n;
}

size_t context_keywords(const struct context *c, size_t max, uint32_t *ret)
{
    struct term terms[LIMIT_LATTICE_ATTRIBUTES];
    size_t n = context_commonest(c, max, terms);

    for (size_t i = 0; i < n; i++)
        ret[i] = terms[i].id;
    return n;
}

struct lattice *context_lattice(const struct context *c, const uint32_t *terms, size_t n)
{
    struct lattice *l = lattice_new((unsigned)n);
    enum status st = ST_OK;
    struct map attribute;

    map_init(&attribute);
    for (size_t i = 0; i < n; i++)
        map_set(&attribute, hash_u64(terms[i]), (uint32_t)i);
    for (size_t i = 0; i < c->count && st == ST_OK; i++) {
        const struct context_page *p = page_at(c, i);
        uint64_t row = 0;

        for (uint32_t k = 0; k < p->count; k++) {
            uint32_t at = map_get(&attribute, hash_u64(p->terms[k]));

            if (at != MAP_NONE)
                row |= UINT64_C(1) << at;
        }
        st = lattice_put(l, p->object, row);
    }
    assert(st == ST_OK); /* a context has the ceilings of a lattice */
    map_free(&attribute);
    return l;
}

/* ---- checkpoint ---- */

void context_save(const struct context *c, struct buf *out)
{
    buf_put_u32(out, (uint32_t)c->count);
    for (size_t i = 0; i < c->count; i++) {
        const struct context_page *p = page_at(c, i);

        buf_put_u32(out, p->object);
        buf_put_u8(out, (uint8_t)p->count);
        for (uint32_t k = 0; k < p->count; k++)
            buf_put_u32(out, p->terms[k]);
    }
}

enum status context_restore(struct context *c, struct cursor *in)
{
    uint32_t pages = cursor_u32(in);

    c->first = c->count = 0;
    map_clear(&c->at);
    if (pages > LIMIT_LATTICE_OBJECTS)
        in->bad = true;
    for (uint32_t i = 0; i < pages && !in->bad; i++) {
        uint32_t object = cursor_u32(in), count = cursor_u8(in), kept = 0;
        struct context_page *p = place_of(c, object);

        for (uint32_t k = 0; k < count; k++) {
            uint32_t term = cursor_u32(in);

            if (kept < c->per_page)
                p->terms[kept++] = term;
        }
        p->count = kept;
        in->bad |= count > LIMIT_LATTICE_ROW;
    }
    return in->bad ? status_fail(ST_CORRUPT, "the keywords of an agent's pages are damaged")
                   : ST_OK;
}
