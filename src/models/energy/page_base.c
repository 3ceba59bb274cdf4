/* page_base.c - visited pages as places: slots in order of arrival, a tree of sums
 * over them, and a ring of those whose links are kept, the last used one first.
 *
 *   tree[1]                 all energy
 *   tree[i]                 tree[2i] + tree[2i + 1]
 *   tree[leaves + slot]     energy of a page
 * SPDX-License-Identifier: MIT */
#include "models/energy/page_base.h"

#include "agent/url_index.h"
#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>

#define NO_SLOT UINT32_MAX
#define LEAVES  64 /* at first */

struct base_slot {
    uint32_t page, url;
    float relevance;
    uint32_t nlinks;
    struct base_link *links; /* owned; NULL: forgotten, or there are none */
    bool forgotten;          /* it had links */
    uint32_t newer, older;   /* slots in the ring of those that have links */
};

struct page_base {
    size_t max_links;       /* 0: any */
    size_t nlinks;          /* kept */
    struct url_index where; /* URL -> slot, counted from 1 */
    struct base_slot *slots;
    size_t count, cap;
    double *tree;
    size_t leaves;           /* a power of two */
    uint32_t newest, oldest; /* of the ring; NO_SLOT: it is empty */
};

static const struct base_link no_links;

struct page_base *page_base_new(size_t max_links)
{
    struct page_base *b = MEM_NEW(struct page_base);

    b->max_links = max_links;
    b->newest = b->oldest = NO_SLOT;
    b->leaves = LEAVES;
    b->tree = mem_zero(2 * b->leaves, sizeof *b->tree);
    return b;
}

static void clear(struct page_base *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->slots[i].links);
    url_index_clear(&b->where);
    memset(b->tree, 0, 2 * b->leaves * sizeof *b->tree);
    b->count = b->nlinks = 0;
    b->newest = b->oldest = NO_SLOT;
}

void page_base_free(struct page_base *b)
{
    if (b == NULL)
        return;
    clear(b);
    free(b->slots);
    free(b->tree);
    free(b);
}

static struct base_slot *slot_of(const struct page_base *b, uint32_t url)
{
    uint32_t at = url_index_get(&b->where, url);

    return at ? &b->slots[at - 1] : NULL;
}

/* ---- the ring of pages whose links are kept ---- */

static void ring_leave(struct page_base *b, const struct base_slot *s)
{
    if (s->newer == NO_SLOT)
        b->newest = s->older;
    else
        b->slots[s->newer].older = s->older;
    if (s->older == NO_SLOT)
        b->oldest = s->newer;
    else
        b->slots[s->older].newer = s->newer;
}

static void ring_join(struct page_base *b, struct base_slot *s)
{
    uint32_t at = (uint32_t)(s - b->slots);

    s->newer = NO_SLOT;
    s->older = b->newest;
    if (b->newest == NO_SLOT)
        b->oldest = at;
    else
        b->slots[b->newest].newer = at;
    b->newest = at;
}

static void links_forget(struct page_base *b, struct base_slot *s)
{
    if (s->links == NULL)
        return;
    ring_leave(b, s);
    b->nlinks -= s->nlinks;
    free(s->links);
    s->links = NULL;
    s->forgotten = true;
}

/* Makes room for the links of a page: `s` gets some, as the newest. */
static struct base_link *links_take(struct page_base *b, struct base_slot *s, uint32_t nlinks)
{
    links_forget(b, s);
    s->nlinks = nlinks;
    s->forgotten = false;
    if (nlinks == 0)
        return NULL;
    s->links = mem_alloc(nlinks * sizeof *s->links);
    b->nlinks += nlinks;
    ring_join(b, s);
    while (b->max_links && b->nlinks > b->max_links && b->oldest != b->newest)
        links_forget(b, &b->slots[b->oldest]);
    return s->links;
}

static void links_keep(struct page_base *b, struct base_slot *s, const struct base_link *links,
                       uint32_t nlinks)
{
    struct base_link *into = links_take(b, s, nlinks);

    if (into)
        memcpy(into, links, nlinks * sizeof *links);
}

/* ---- energy ---- */

static void tree_grow(struct page_base *b)
{
    size_t leaves = 2 * b->leaves;
    double *tree = mem_zero(2 * leaves, sizeof *tree);

    memcpy(tree + leaves, b->tree + b->leaves, b->leaves * sizeof *tree);
    for (size_t i = leaves - 1; i > 0; i--)
        tree[i] = tree[2 * i] + tree[2 * i + 1];
    free(b->tree);
    b->tree = tree;
    b->leaves = leaves;
}

static void tree_set(struct page_base *b, size_t slot, double energy)
{
    size_t i = b->leaves + slot;

    b->tree[i] = energy;
    while (i /= 2)
        b->tree[i] = b->tree[2 * i] + b->tree[2 * i + 1];
}

double page_base_set_energy(struct page_base *b, uint32_t url, double energy)
{
    const struct base_slot *s = slot_of(b, url);

    assert(s && isfinite(energy));
    if (!(energy >= BASE_EPSILON))
        energy = 0;
    tree_set(b, (size_t)(s - b->slots), energy);
    return energy;
}

double page_base_energy(const struct page_base *b)
{
    return b->tree[1];
}

bool page_base_draw(struct page_base *b, struct rng *r, uint32_t *ret_url)
{
    size_t i = 1;
    double at;

    if (!(b->tree[1] > 0))
        return false;
    at = rng_unit(r) * b->tree[1];
    while (i < b->leaves) {
        i *= 2;
        if (at < b->tree[i] || !(b->tree[i + 1] > 0))
            continue;
        at -= b->tree[i++];
    }
    *ret_url = b->slots[i - b->leaves].url;
    return true;
}

bool page_base_any(struct page_base *b, struct rng *r, uint32_t *ret_url)
{
    if (b->count == 0)
        return false;
    *ret_url = b->slots[rng_below(r, b->count)].url;
    return true;
}

/* ---- pages ---- */

static struct base_slot *slot_add(struct page_base *b, uint32_t url)
{
    struct base_slot *s;

    if (b->count == b->leaves)
        tree_grow(b);
    MEM_GROW(b->slots, b->count, &b->cap);
    s = &b->slots[b->count++];
    *s = (struct base_slot){.url = url};
    url_index_set(&b->where, url, (uint32_t)b->count);
    return s;
}

void page_base_add(struct page_base *b, uint32_t page, uint32_t url, float relevance,
                   const struct base_link *links, uint32_t nlinks)
{
    struct base_slot *s = slot_of(b, url);

    if (s == NULL)
        s = slot_add(b, url);
    s->page = page;
    s->relevance = relevance;
    links_keep(b, s, links, nlinks);
}

void page_base_relink(struct page_base *b, uint32_t url, const struct base_link *links,
                      uint32_t nlinks)
{
    struct base_slot *s = slot_of(b, url);

    assert(s);
    links_keep(b, s, links, nlinks);
}

uint32_t page_base_count(const struct page_base *b)
{
    return (uint32_t)b->count;
}

uint32_t page_base_nth(const struct page_base *b, uint32_t i)
{
    assert(i < b->count);
    return b->slots[i].url;
}

bool page_base_has(const struct page_base *b, uint32_t url)
{
    return url_index_get(&b->where, url) != 0;
}

bool page_base_get(struct page_base *b, uint32_t url, struct base_page *ret)
{
    struct base_slot *s = slot_of(b, url);

    if (s == NULL)
        return false;
    if (s->links && s != &b->slots[b->newest]) {
        ring_leave(b, s);
        ring_join(b, s);
    }
    *ret = (struct base_page){
        .page = s->page,
        .url = url,
        .relevance = s->relevance,
        .energy = b->tree[b->leaves + (size_t)(s - b->slots)],
        .links = s->links || s->forgotten ? s->links : &no_links,
        .nlinks = s->forgotten ? 0 : s->nlinks,
    };
    return true;
}

/* ---- checkpoint ---- */

static void put_float(struct buf *out, float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    buf_put_u32(out, bits);
}

static float get_float(struct cursor *from)
{
    uint32_t bits = cursor_u32(from);
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Saves pages in order of arrival; then the kept links, the least recently used first. */
void page_base_save(const struct page_base *b, struct buf *out)
{
    buf_put_u32(out, (uint32_t)b->count);
    for (size_t i = 0; i < b->count; i++) {
        const struct base_slot *s = &b->slots[i];

        buf_put_u32(out, s->page);
        buf_put_u32(out, s->url);
        put_float(out, s->relevance);
        buf_put_f64(out, b->tree[b->leaves + i]);
        buf_put_u32(out, s->nlinks);
    }
    for (uint32_t i = b->oldest; i != NO_SLOT; i = b->slots[i].newer) {
        const struct base_slot *s = &b->slots[i];

        buf_put_u32(out, i);
        for (uint32_t k = 0; k < s->nlinks; k++) {
            buf_put_u32(out, s->links[k].url);
            put_float(out, s->links[k].score);
        }
    }
    buf_put_u32(out, NO_SLOT);
}

static void load_page(struct page_base *b, struct cursor *from)
{
    uint32_t page = cursor_u32(from), url = cursor_number(from);
    float relevance = get_float(from);
    double energy = cursor_f64(from);
    uint32_t nlinks = cursor_u32(from);
    struct base_slot *s;

    from->bad |= url > LIMIT_URLS || page_base_has(b, url) || !(energy >= 0) || isinf(energy);
    if (from->bad)
        return;
    s = slot_add(b, url);
    s->page = page;
    s->relevance = relevance;
    s->nlinks = nlinks;
    s->forgotten = nlinks > 0;
    b->tree[b->leaves + b->count - 1] = energy;
}

static bool load_links(struct page_base *b, struct cursor *from)
{
    uint32_t at = cursor_u32(from), nlinks;
    struct base_link *links;

    if (at == NO_SLOT || from->bad)
        return false;
    from->bad |=
        at >= b->count || b->slots[at].links != NULL || b->slots[at].nlinks > from->rest.len / 8;
    if (from->bad)
        return false;
    nlinks = b->slots[at].nlinks;
    links = links_take(b, &b->slots[at], nlinks);
    for (uint32_t k = 0; links && k < nlinks; k++) {
        links[k].url = cursor_number(from);
        links[k].score = get_float(from);
    }
    return true;
}

enum status page_base_load(struct page_base *b, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    clear(b);
    while (count-- > 0 && !from->bad)
        load_page(b, from);
    for (size_t i = b->leaves - 1; i > 0; i--)
        b->tree[i] = b->tree[2 * i] + b->tree[2 * i + 1];
    while (load_links(b, from))
        ;
    if (!from->bad)
        return ST_OK;
    clear(b);
    return status_fail(ST_CORRUPT, "the saved base of pages is cut or broken");
}
