/* web_map_state.c - a map of the web to a checkpoint and back.
 *
 *     figures   how many pages and edges there are
 *     links     parts of PARTS_FINE known URLs: where they stand, and what their words say
 *     edges     parts of PARTS_ROWS: their URLs; those of a page follow those of the page before
 *     pages     parts of PARTS_FINE
 *
 * States that were saved before have PARTS_ROWS of each kind in a part, and pages first. They are
 * saved as a whole next time.
 *
 * SPDX-License-Identifier: MIT */
#include "base/fields.h"
#include "base/limits.h"
#include "base/mem.h"
#include "models/brood/web_map.h"

#include <math.h>
#include <stdlib.h>

#define PAGES_MOST   ((UINT32_C(1) << 28) - 1)

/* Where the parts of each kind begin. */
#define OLD_PAGES_AT 0
#define LINKS_AT     (UINT32_C(1) << 20)
#define EDGES_AT     (UINT32_C(1) << 24)
#define PAGES_AT     (UINT32_C(1) << 25)

_Static_assert(LIMIT_URLS / PARTS_FINE < EDGES_AT - LINKS_AT && LIMIT_URLS <= PAGES_MOST &&
                   PAGES_MOST / PARTS_FINE < MAP_PARTS_MOST - PAGES_AT,
               "parts do not overlap");

static enum status bad_map(void)
{
    return status_fail(ST_CORRUPT, "the saved map of the web is cut or broken");
}

static const struct field page_fields[] = {
    FIELD(URL, struct map_page, url),
    FIELD(U32, struct map_page, nedges),
    FIELD(FINE, struct map_page, p),
    FIELD(FINE, struct map_page, words),
    FIELD(FINE, struct map_page, links.sum),
    FIELD(FINE, struct map_page, links.count),
    FIELD(FINE, struct map_page, used),
    FIELD(U32, struct map_page, number),
    FIELD(FINE, struct map_page, energy),
    FIELD(U8, struct map_page, examples),
    FIELD_END,
};

/* ---- saving ---- */

void web_map_save(const struct web_map *m, struct buf *out)
{
    buf_put_u32(out, (uint32_t)m->npages);
    buf_put_u32(out, (uint32_t)m->nedges);
}

static void put_page(const void *map, size_t page, struct buf *out)
{
    const struct web_map *m = map;

    if (page < m->npages)
        fields_save(page_fields, &m->pages[page], out);
}

static void put_link(const void *map, size_t url, struct buf *out)
{
    const struct web_map *m = map;
    const struct map_link *l = url < m->nlinks ? &m->links[url] : NULL;
    uint64_t where, what;
    char row[16];

    if (l == NULL || !(l->edge || l->is_visited))
        return;
    where = url % PARTS_FINE | (uint64_t)l->directory << 8 | (uint64_t)l->place << 32 |
            (uint64_t)l->is_waiting << 48 | (uint64_t)l->is_visited << 49;
    what = (uint16_t)l->name | (uint64_t)(uint16_t)l->section << 16 | (uint64_t)l->page << 32;
    for (unsigned i = 0; i < 8; i++) { /* little-endian, and added at once: there are millions */
        row[i] = (char)(where >> 8 * i);
        row[8 + i] = (char)(what >> 8 * i);
    }
    buf_add(out, row, sizeof row);
}

static void put_edge(const void *map, size_t edge, struct buf *out)
{
    const struct web_map *m = map;

    if (edge < m->nedges)
        buf_put_u32(out, m->edges.urls[edge]);
}

void web_map_save_all(const struct web_map *m, uint32_t first, struct buf *out)
{
    parts_put_fine(NULL, m, m->nlinks, put_link, first + LINKS_AT, out);
    parts_put_rows(NULL, m, m->nedges, put_edge, first + EDGES_AT, out);
    parts_put_fine(NULL, m, m->npages, put_page, first + PAGES_AT, out);
}

void web_map_save_parts(struct web_map *m, uint32_t first, struct buf *out)
{
    if (!m->in_parts)
        web_map_save_all(m, first, out);
    for (uint32_t i = 0; i < m->old_pages; i++)
        parts_put(out, first + OLD_PAGES_AT + i, STR(""));
    m->old_pages = 0;
    m->in_parts = true;
    parts_put_fine(&m->changed_links, m, 0, put_link, first + LINKS_AT, out);
    parts_put_rows(&m->changed_edges, m, 0, put_edge, first + EDGES_AT, out);
    parts_put_fine(&m->changed_pages, m, 0, put_page, first + PAGES_AT, out);
}

/* ---- loading ---- */

enum status web_map_load(struct web_map *m, struct cursor *from)
{
    m->awaited_pages = cursor_u32(from);
    m->awaited_edges = cursor_u32(from);
    from->bad |= m->awaited_pages > PAGES_MOST;
    return from->bad ? bad_map() : ST_OK;
}

static void load_page(struct web_map *m, struct cursor *from)
{
    struct map_page p = {0};

    fields_load(page_fields, &p, from);
    from->bad |= p.links.count < 0 || p.links.sum < 0 || p.p < 0 || p.p > 1;
    if (from->bad)
        return;
    MEM_GROW(m->pages, m->npages, &m->pages_cap);
    m->pages[m->npages++] = p;
    (void)web_map_link(m, p.url);
}

static void load_link(struct web_map *m, uint32_t part, struct cursor *from)
{
    uint64_t where = cursor_u64(from), what = cursor_u64(from);
    uint32_t rows = m->coarse ? PARTS_ROWS : PARTS_FINE, row = where & 0xff;
    uint32_t url = part * rows + row;
    struct map_link *l;

    from->bad |= row >= rows || (from->most && url > from->most) || url > LIMIT_URLS;
    if (from->bad)
        return;
    l = web_map_link(m, url);
    l->directory = where >> 8 & 0xffffff;
    l->place = (uint16_t)(where >> 32);
    l->is_waiting = where >> 48 & 1;
    l->is_visited = where >> 49 & 1;
    l->name = (int16_t)what;
    l->section = (int16_t)(what >> 16);
    l->page = (uint32_t)(what >> 32);
    from->bad |= l->is_visited && (l->page > PAGES_MOST || l->is_waiting);
}

static void load_edge(struct web_map *m, struct cursor *from)
{
    uint32_t url = cursor_number(from);

    from->bad |= m->nedges == MAP_EDGES - 1;
    if (from->bad)
        return;
    web_map_put_edge(m, url & PAGES_MOST);
}

/* Parts of a kind come in order, and each but the last of them is full. */
enum status web_map_load_part(struct web_map *m, uint32_t number, struct cursor *from)
{
    bool is_edge = number >= EDGES_AT && number < PAGES_AT;
    bool is_link = number >= LINKS_AT && number < EDGES_AT;
    uint32_t pages_at = m->coarse ? OLD_PAGES_AT : PAGES_AT;
    uint32_t part = number - (is_edge ? EDGES_AT : is_link ? LINKS_AT : pages_at);
    uint32_t rows = is_edge || m->coarse ? PARTS_ROWS : PARTS_FINE;

    if (!is_link)
        from->bad |= (uint64_t)part * rows != (is_edge ? m->nedges : m->npages);
    m->old_pages += m->coarse && !is_edge && !is_link;
    while (!from->bad && from->rest.len > 0)
        if (is_edge)
            load_edge(m, from);
        else if (is_link)
            load_link(m, part, from);
        else
            load_page(m, from);
    return from->bad ? bad_map() : ST_OK;
}

/* Assigns the edges of a page, which follow those of the page before. */
static bool join_edges(struct web_map *m, uint32_t page, size_t *at)
{
    struct map_page *p = &m->pages[page];

    p->edge = (uint32_t)*at;
    if (p->nedges > m->nedges - *at)
        return false;
    for (uint32_t i = 0; i < p->nedges; i++, ++*at) {
        if (web_map_link(m, m->edges.urls[*at])->parents >= MAP_PARENTS)
            return false;
        web_map_join_edge(m, (uint32_t)*at, page);
    }
    return true;
}

enum status web_map_loaded(struct web_map *m)
{
    size_t at = 0;

    for (uint32_t i = 0; i < m->npages; i++)
        if (!join_edges(m, i, &at))
            return bad_map();
    if (at != m->nedges || m->npages != m->awaited_pages || m->nedges != m->awaited_edges)
        return bad_map();
    for (uint32_t url = 0; url < m->nlinks; url++) {
        uint32_t page = link_page(&m->links[url]);

        if (page > m->npages)
            return bad_map();
        if (page && m->pages[page - 1].url != url)
            m->pages[page - 1].alias = url;
    }
    web_map_count(m);
    m->in_parts &= !m->coarse;
    m->coarse = false;
    return ST_OK;
}

/* ---- version 0.2 ---- */

struct old_link {
    uint32_t page, host, directory, place;
    float anchor, context;
    bool is_waiting;
};

static const struct field old_link_fields[] = {
    FIELD(U32, struct old_link, page),       FIELD(U32, struct old_link, host),
    FIELD(U32, struct old_link, directory),  FIELD(U32, struct old_link, place),
    FIELD(FINE, struct old_link, anchor),    FIELD(FINE, struct old_link, context),
    FIELD(BIT, struct old_link, is_waiting), FIELD_END,
};

static const struct field old_page_fields[] = {
    FIELD(URL, struct map_page, url),
    FIELD(U32, struct map_page, nedges),
    FIELD(FINE, struct map_page, p),
    FIELD(FINE, struct map_page, words),
    FIELD(FINE, struct map_page, links.sum),
    FIELD(FINE, struct map_page, links.count),
    FIELD(FINE, struct map_page, used),
    FIELD(U32, struct map_page, number),
    FIELD_END,
};

/* Reads sums, which are computed again, then groups, whose keys are needed. */
static uint64_t *load_old_groups(struct cursor *from, uint32_t *ret_count)
{
    uint64_t *keys = NULL;
    size_t n = 0, cap = 0;

    for (int i = 0; i < 2 * 4 + 5 * 8; i++)
        (void)cursor_u8(from);
    *ret_count = cursor_u32(from);
    while (n < *ret_count && !from->bad) {
        MEM_GROW(keys, n, &cap);
        keys[n++] = cursor_u64(from);
        (void)cursor_u64(from); /* its yield */
    }
    return keys;
}

static void load_old_links(struct web_map *m, struct cursor *from, const uint64_t *keys,
                           uint32_t nkeys)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        struct map_link *l = web_map_link(m, from->bad ? 0 : url);
        struct old_link old = {0};

        fields_load(old_link_fields, &old, from);
        from->bad |=
            old.page > m->npages || old.host > nkeys || old.directory > nkeys || old.place > nkeys;
        if (from->bad)
            return;
        l->directory = old.directory ? keys[old.directory - 1] & 0xffffff : 0;
        l->place = old.place ? (uint16_t)keys[old.place - 1] : 0;
        l->is_waiting = old.is_waiting && !old.page;
        fine_add(&l->anchor, fine_of((double)old.anchor));
        fine_add(&l->context, fine_of((double)old.context));
        l->is_visited = old.page > 0;
        if (old.page)
            l->page = old.page - 1;
    }
}

enum status web_map_load_old(struct web_map *m, struct cursor *from)
{
    uint32_t nkeys, pages;
    uint64_t *keys = load_old_groups(from, &nkeys);

    pages = cursor_u32(from);
    for (uint32_t i = 0; i < pages && !from->bad; i++) {
        struct map_page p = {0};

        fields_load(old_page_fields, &p, from);
        p.energy = p.p = fminf(fmaxf(p.p, 0), 1); /* a start page could have a higher one */
        m->awaited_edges += p.nedges;
        MEM_GROW(m->pages, m->npages, &m->pages_cap);
        m->pages[m->npages++] = p;
    }
    while (m->nedges < m->awaited_edges && !from->bad)
        load_edge(m, from);
    m->awaited_pages = m->npages;
    if (!from->bad)
        load_old_links(m, from, keys, nkeys);
    free(keys);
    for (size_t i = 0; i < m->npages && !from->bad; i++)
        (void)web_map_link(m, m->pages[i].url);
    return from->bad ? bad_map() : web_map_loaded(m);
}
