/* page_memory.c - the last pages a model visited.
 * SPDX-License-Identifier: MIT */
#include "agent/page_memory.h"

#include "base/mem.h"

#include <stdlib.h>

void page_memory_init(struct page_memory *m, size_t max)
{
    *m = (struct page_memory){.max = max};
}

static void forget(struct remembered_page *p)
{
    free(p->terms);
    free(p->links);
}

void page_memory_clear(struct page_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        forget(&m->pages[(m->first + i) % m->max]);
    free(m->pages);
    page_memory_init(m, m->max);
}

/* Returns a place for one more page; if there is none, that of the oldest. */
static struct remembered_page *place(struct page_memory *m)
{
    if (m->pages == NULL)
        m->pages = mem_zero(m->max, sizeof *m->pages);
    if (m->count == m->max) {
        forget(&m->pages[m->first]);
        m->first = (m->first + 1) % m->max;
        m->count--;
    }
    return &m->pages[(m->first + m->count++) % m->max];
}

void page_memory_add(struct page_memory *m, const struct percept *p)
{
    const struct profile *profile = p->profile;
    struct remembered_page *page;

    if (m->max == 0 || profile->nterms == 0 || profile->nterms > PAGE_MEMORY_TERMS)
        return;
    page = place(m);
    *page = (struct remembered_page){.nterms = profile->nterms, .relevance = profile->relevance};
    page->terms = mem_alloc(profile->nterms * sizeof *page->terms);
    memcpy(page->terms, profile->terms, profile->nterms * sizeof *page->terms);
    page->links = mem_alloc((p->body->nlinks + (size_t)1) * sizeof *page->links);
    for (uint32_t i = 0; i < p->body->nlinks; i++)
        if (p->marks[i].drop == DROP_NONE && !p->marks[i].taken)
            page->links[page->nlinks++] = p->marks[i].url;
    page->links = mem_resize(page->links, page->nlinks + (size_t)1, sizeof *page->links);
}

/* ---- checkpoint ---- */

void page_memory_save(const struct page_memory *m, struct buf *out)
{
    buf_put_u32(out, (uint32_t)m->count);
    for (size_t i = 0; i < m->count; i++) {
        const struct remembered_page *p = page_memory_at(m, i);

        buf_put_f64(out, (double)p->relevance);
        buf_put_u32(out, p->nterms);
        for (uint32_t k = 0; k < p->nterms; k++) {
            buf_put_u32(out, p->terms[k].id);
            buf_put_u32(out, p->terms[k].count);
        }
        buf_put_u32(out, p->nlinks);
        for (uint32_t k = 0; k < p->nlinks; k++)
            buf_put_u32(out, p->links[k]);
    }
}

static bool load_page(struct remembered_page *p, struct cursor *from)
{
    p->relevance = (float)cursor_f64(from);
    p->nterms = cursor_u32(from);
    if (p->nterms > from->rest.len / 8)
        return false;
    p->terms = mem_alloc((p->nterms + (size_t)1) * sizeof *p->terms);
    for (uint32_t k = 0; k < p->nterms; k++) {
        p->terms[k].id = cursor_u32(from);
        p->terms[k].count = cursor_u32(from);
    }
    p->nlinks = cursor_u32(from);
    if (p->nlinks > from->rest.len / 4)
        return false;
    p->links = mem_alloc((p->nlinks + (size_t)1) * sizeof *p->links);
    for (uint32_t k = 0; k < p->nlinks; k++)
        p->links[k] = cursor_number(from);
    return !from->bad;
}

enum status page_memory_load(struct page_memory *m, struct cursor *from)
{
    uint32_t count = cursor_u32(from);
    bool good = !from->bad && count <= m->max;

    page_memory_clear(m);
    for (uint32_t i = 0; good && i < count; i++) {
        struct remembered_page *p = place(m);

        *p = (struct remembered_page){0};
        good = load_page(p, from);
    }
    return good ? ST_OK : status_fail(ST_CORRUPT, "the saved pages of the model are damaged");
}
