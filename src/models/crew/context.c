/* context.c - the newest pages of an agent with their heaviest terms.
 * SPDX-License-Identifier: MIT */
#include "models/crew/context.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
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
    uint32_t terms[LIMIT_LATTICE_ROW]; /* their places, the heaviest first */
};

/* Terms have numbered places: they are looked up once, when a page comes, and not at each count. */
struct context {
    struct context_page *pages; /* a ring */
    size_t window, per_page;
    size_t first, count; /* the oldest, and how many */
    struct map at;       /* hash of an object -> its place in the ring */
    struct map places;   /* hash of a term -> its place in `terms` */
    uint32_t *terms;     /* by place; some of them no page has any more */
    size_t nterms, terms_cap;
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
    map_init(&c->places);
    return c;
}

void context_free(struct context *c)
{
    if (c == NULL)
        return;
    map_free(&c->at);
    map_free(&c->places);
    free(c->terms);
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

static uint32_t place_of_term(struct context *c, uint32_t term)
{
    bool is_new;
    uint32_t at = *map_at(&c->places, hash_u64(term), (uint32_t)c->nterms, &is_new);

    if (is_new) {
        MEM_GROW(c->terms, c->nterms, &c->terms_cap);
        c->terms[c->nterms++] = term;
    }
    return at;
}

/* Gives new places to the terms that pages have, and forgets the others. */
static void renumber(struct context *c)
{
    LOCAL_HEAP uint32_t *old = c->terms;

    c->terms = NULL;
    c->nterms = c->terms_cap = 0;
    map_clear(&c->places);
    for (size_t i = 0; i < c->count; i++) {
        struct context_page *p = page_at(c, i);

        for (uint32_t k = 0; k < p->count; k++)
            p->terms[k] = place_of_term(c, old[p->terms[k]]);
    }
}

void context_add(struct context *c, uint32_t object, const struct profile *p,
                 const struct df_table *df)
{
    struct top_term top[LIMIT_LATTICE_ROW];
    struct context_page *page;

    if (c->nterms >= 2 * c->window * c->per_page)
        renumber(c);
    page = place_of(c, object);
    page->count = (uint32_t)top_terms(p, df, c->per_page, top);
    for (uint32_t i = 0; i < page->count; i++)
        page->terms[i] = place_of_term(c, top[i].id);
}

size_t context_pages(const struct context *c)
{
    return c->count;
}

/* ---- keywords ---- */

static bool is_commoner(struct term a, struct term b)
{
    return a.count > b.count || (a.count == b.count && a.id < b.id);
}

/* Inserts a term into a list of the `max` commonest, which has `count`. Returns the new count. */
static size_t keep_common(struct term *ret, size_t count, size_t max, struct term t)
{
    size_t at = count;

    if (count == max && (max == 0 || !is_commoner(t, ret[--at])))
        return count;
    for (; at > 0 && is_commoner(t, ret[at - 1]); at--)
        ret[at] = ret[at - 1];
    ret[at] = t;
    return count < max ? count + 1 : max;
}

size_t context_commonest(const struct context *c, size_t max, struct term *ret)
{
    LOCAL_HEAP uint32_t *count = mem_zero(c->nterms + 1, sizeof *count);
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct context_page *p = page_at(c, i);

        for (uint32_t k = 0; k < p->count; k++)
            count[p->terms[k]]++;
    }
    if (max > LIMIT_LATTICE_ATTRIBUTES)
        max = LIMIT_LATTICE_ATTRIBUTES;
    for (size_t at = 0; at < c->nterms; at++)
        if (count[at] > 0)
            kept = keep_common(ret, kept, max, (struct term){c->terms[at], count[at]});
    return kept;
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
    LOCAL_HEAP uint64_t *bit = mem_zero(c->nterms + 1, sizeof *bit); /* by place */
    struct lattice *l = lattice_new((unsigned)n);
    enum status st = ST_OK;

    for (size_t i = 0; i < n; i++) {
        uint32_t at = map_get(&c->places, hash_u64(terms[i]));

        if (at != MAP_NONE)
            bit[at] = UINT64_C(1) << i;
    }
    for (size_t i = 0; i < c->count && st == ST_OK; i++) {
        const struct context_page *p = page_at(c, i);
        uint64_t row = 0;

        for (uint32_t k = 0; k < p->count; k++)
            row |= bit[p->terms[k]];
        st = lattice_put(l, p->object, row);
    }
    assert(st == ST_OK); /* a context has the ceilings of a lattice */
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
            buf_put_u32(out, c->terms[p->terms[k]]);
    }
}

enum status context_restore(struct context *c, struct cursor *in)
{
    uint32_t pages = cursor_u32(in);

    c->first = c->count = c->nterms = 0;
    map_clear(&c->at);
    map_clear(&c->places);
    if (pages > LIMIT_LATTICE_OBJECTS)
        in->bad = true;
    for (uint32_t i = 0; i < pages && !in->bad; i++) {
        uint32_t object = cursor_u32(in), count = cursor_u8(in), kept = 0;
        struct context_page *p = place_of(c, object);

        for (uint32_t k = 0; k < count; k++) {
            uint32_t term = cursor_u32(in);

            if (kept < c->per_page)
                p->terms[kept++] = place_of_term(c, term);
        }
        p->count = kept;
        in->bad |= count > LIMIT_LATTICE_ROW;
    }
    return in->bad ? status_fail(ST_CORRUPT, "the keywords of an agent's pages are damaged")
                   : ST_OK;
}
