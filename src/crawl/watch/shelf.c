/* shelf.c - visited pages kept in memory: blocks in a ring, the last used one first.
 *
 *   struct shelf_block | links | tag paths | stops | terms | sequence | shingles | strings
 *
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/shelf.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "text/shingle.h"

#include <stdlib.h>

struct shelf_block {
    struct shelf_page page;
    size_t bytes; /* of the whole block */
    uint32_t newer, older;
};

struct shelf {
    size_t max, bytes;
    struct map where;           /* hash of a page's number -> slot */
    struct shelf_block **slots; /* NULL: free */
    size_t nslots, cap;
    uint32_t *free; /* slots */
    size_t nfree, free_cap;
    uint32_t newest, oldest; /* MAP_NONE: it is empty */
};

struct shelf *shelf_new(size_t max_bytes)
{
    struct shelf *s = MEM_NEW(struct shelf);

    s->max = max_bytes;
    s->newest = s->oldest = MAP_NONE;
    map_init(&s->where);
    return s;
}

void shelf_free(struct shelf *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->nslots; i++)
        free(s->slots[i]);
    map_free(&s->where);
    free(s->slots);
    free(s->free);
    free(s);
}

/* ---- the ring ---- */

static void ring_leave(struct shelf *s, const struct shelf_block *b)
{
    if (b->newer == MAP_NONE)
        s->newest = b->older;
    else
        s->slots[b->newer]->older = b->older;
    if (b->older == MAP_NONE)
        s->oldest = b->newer;
    else
        s->slots[b->older]->newer = b->newer;
}

static void ring_join(struct shelf *s, uint32_t slot)
{
    struct shelf_block *b = s->slots[slot];

    b->newer = MAP_NONE;
    b->older = s->newest;
    if (s->newest == MAP_NONE)
        s->oldest = slot;
    else
        s->slots[s->newest]->newer = slot;
    s->newest = slot;
}

static void remove_slot(struct shelf *s, uint32_t slot)
{
    struct shelf_block *b = s->slots[slot];

    ring_leave(s, b);
    (void)map_remove(&s->where, hash_u64(b->page.page));
    s->bytes -= b->bytes;
    free(b);
    s->slots[slot] = NULL;
    MEM_GROW(s->free, s->nfree, &s->free_cap);
    s->free[s->nfree++] = slot;
}

static uint32_t free_slot(struct shelf *s)
{
    if (s->nfree)
        return s->free[--s->nfree];
    MEM_GROW(s->slots, s->nslots, &s->cap);
    return (uint32_t)s->nslots++;
}

/* ---- blocks ---- */

static size_t stops_size(const struct profile *f)
{
    return f->stops ? (f->nsequence / 64 + (size_t)1) * sizeof *f->stops : 0;
}

static size_t sequence_size(const struct profile *f)
{
    return f->sequence ? f->nsequence * sizeof *f->sequence : 0;
}

static size_t main_size(const struct shelf_page *s)
{
    return s->main ? shingles_bytes(s->main) : 0;
}

static size_t strings_size(const struct shelf_page *s)
{
    const struct page *p = &s->body;
    size_t size = p->lang.len + p->charset.len + p->canonical.len + p->base.len + 4;

    size += s->etag.len + s->last_modified.len + 2;

    for (uint32_t i = 0; i < p->nlinks; i++)
        size += p->links[i].url.len + 1;
    for (uint32_t i = 0; i < p->ntag_paths; i++)
        size += p->tag_paths[i].len + 1;
    return size;
}

static size_t block_size(const struct shelf_page *from)
{
    const struct page *p = &from->body;
    const struct profile *f = &from->profile;

    return sizeof(struct shelf_block) + p->nlinks * sizeof *p->links +
           p->ntag_paths * sizeof *p->tag_paths + stops_size(f) + f->nterms * sizeof *f->terms +
           sequence_size(f) + main_size(from) + strings_size(from);
}

/* Where the next part of a block goes. */
static void *place(char **at, const void *from, size_t size)
{
    void *to = *at;

    if (size)
        memcpy(to, from, size);
    *at += size;
    return to;
}

static struct str place_str(char **at, struct str s)
{
    struct str to = {*at, s.len};

    (void)place(at, s.ptr, s.len);
    *(*at)++ = '\0';
    return to;
}

static struct shelf_block *block_make(const struct shelf_page *from)
{
    size_t bytes = block_size(from);
    struct shelf_block *b = mem_alloc(bytes);
    struct page *p = &b->page.body;
    struct profile *f = &b->page.profile;
    char *at = (char *)(b + 1);

    *b = (struct shelf_block){.page = *from, .bytes = bytes};
    p->links = place(&at, p->links, p->nlinks * sizeof *p->links);
    p->tag_paths = place(&at, p->tag_paths, p->ntag_paths * sizeof *p->tag_paths);
    f->stops = f->stops ? place(&at, f->stops, stops_size(f)) : NULL;
    f->terms = place(&at, f->terms, f->nterms * sizeof *f->terms);
    f->sequence = f->sequence ? place(&at, f->sequence, sequence_size(f)) : NULL;
    b->page.main = from->main ? place(&at, from->main, main_size(from)) : NULL;
    for (uint32_t i = 0; i < p->nlinks; i++)
        p->links[i].url = place_str(&at, p->links[i].url);
    for (uint32_t i = 0; i < p->ntag_paths; i++)
        p->tag_paths[i] = place_str(&at, p->tag_paths[i]);
    p->lang = place_str(&at, p->lang);
    p->charset = place_str(&at, p->charset);
    p->canonical = place_str(&at, p->canonical);
    p->base = place_str(&at, p->base);
    b->page.etag = place_str(&at, from->etag);
    b->page.last_modified = place_str(&at, from->last_modified);
    p->title = p->text = p->declared = (struct str){"", 0};
    p->link_dates = p->link_changes = NULL;
    p->hub = NULL;
    p->words = NULL;
    return b;
}

/* ---- the shelf ---- */

void shelf_put(struct shelf *s, const struct shelf_page *page)
{
    uint32_t slot = map_get(&s->where, hash_u64(page->page));
    struct shelf_block *b = block_make(page); /* first: it may be a copy of one that goes */

    if (slot != MAP_NONE)
        remove_slot(s, slot);
    slot = free_slot(s);
    s->slots[slot] = b;
    s->bytes += b->bytes;
    map_set(&s->where, hash_u64(page->page), slot);
    ring_join(s, slot);
    while (s->bytes > s->max && s->oldest != s->newest)
        remove_slot(s, s->oldest);
}

const struct shelf_page *shelf_get(struct shelf *s, uint32_t page)
{
    uint32_t slot = map_get(&s->where, hash_u64(page));

    if (slot == MAP_NONE)
        return NULL;
    if (slot != s->newest) {
        ring_leave(s, s->slots[slot]);
        ring_join(s, slot);
    }
    return &s->slots[slot]->page;
}

void shelf_spare(struct shelf *s)
{
    while (s->oldest != s->newest)
        remove_slot(s, s->oldest);
}

size_t shelf_bytes(const struct shelf *s)
{
    return s->bytes;
}
