/* forage_pages.c - what foragers know of a page. SPDX-License-Identifier: MIT */
#include "models/foragers/forage_pages.h"

#include "models/foragers/td.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define STATE_SCALE 32767.0f

void forage_pages_init(struct forage_pages *p, uint32_t k, size_t max)
{
    *p = (struct forage_pages){.k = k, .max = max, .count = 1, .hand = 1};
    map_init(&p->where);
}

void forage_pages_clear(struct forage_pages *p)
{
    map_free(&p->where);
    free(p->pages);
    free(p->states);
    *p = (struct forage_pages){0};
}

uint32_t forage_pages_find(const struct forage_pages *p, uint32_t url)
{
    uint32_t record = map_get(&p->where, hash_u64(url));

    return record == MAP_NONE ? 0 : record;
}

float *forage_state(const struct forage_pages *p, uint32_t record)
{
    return p->states + (size_t)record * td_stride(p->k);
}

static void forget(struct forage_pages *p, uint32_t record)
{
    struct forage_page *page = &p->pages[record];

    (void)map_remove(&p->where, hash_u64(page->url));
    *page = (struct forage_page){.refs = p->free};
    p->free = record;
    p->used--;
}

/* Goes round at most once; if all records are held, they grow beyond `max`. */
static void make_room(struct forage_pages *p)
{
    for (size_t i = 1; i < p->count; i++) {
        uint32_t record = p->hand;

        p->hand = record + 1 < p->count ? record + 1 : 1;
        if (p->pages[record].url && p->pages[record].refs == 0) {
            forget(p, record);
            return;
        }
    }
}

static uint32_t record_new(struct forage_pages *p)
{
    size_t stride = td_stride(p->k);
    uint32_t record = p->free;

    if (record) {
        p->free = p->pages[record].refs;
        return record;
    }
    MEM_GROW(p->pages, p->count, &p->cap);
    if (p->states_cap < p->cap) {
        p->states_cap = p->cap;
        p->states = mem_resize(p->states, p->cap * stride, sizeof *p->states);
    }
    return (uint32_t)p->count++;
}

uint32_t forage_pages_at(struct forage_pages *p, uint32_t url)
{
    uint32_t record = forage_pages_find(p, url);

    if (record)
        return record;
    if (p->used >= p->max)
        make_room(p);
    record = record_new(p);
    p->used++;
    p->pages[record] = (struct forage_page){.url = url};
    memset(forage_state(p, record), 0, td_stride(p->k) * sizeof(float));
    map_set(&p->where, hash_u64(url), record);
    return record;
}

void forage_state_set(struct forage_pages *p, uint32_t record, const float *state, uint32_t k)
{
    float *to = forage_state(p, record);

    memset(to, 0, td_stride(p->k) * sizeof *to);
    for (uint32_t i = 0; i < k && i < p->k; i++)
        to[i] = roundf(state[i] * STATE_SCALE) / STATE_SCALE;
}

void forage_page_hold(struct forage_pages *p, uint32_t record)
{
    p->pages[record].refs++;
}

void forage_page_release(struct forage_pages *p, uint32_t record)
{
    p->pages[record].refs--;
}

void forage_state_save(const float *state, uint32_t k, struct buf *out)
{
    for (uint32_t i = 0; i < k; i++) {
        uint16_t q = (uint16_t)(int16_t)lroundf(state[i] * STATE_SCALE);

        buf_put_u8(out, (uint8_t)q);
        buf_put_u8(out, (uint8_t)(q >> 8));
    }
}

void forage_state_load(float *state, uint32_t k, struct cursor *from)
{
    for (uint32_t i = 0; i < k; i++) {
        uint16_t low = cursor_u8(from), high = cursor_u8(from);

        state[i] = (float)(int16_t)(uint16_t)(low | high << 8) / STATE_SCALE;
    }
}

static bool is_kept(const struct forage_page *page, int64_t since)
{
    return page->url && (page->refs > 0 || page->looked_at > since);
}

void forage_pages_save(const struct forage_pages *p, int64_t since, struct buf *out)
{
    uint32_t count = 0;

    for (size_t i = 1; i < p->count; i++)
        count += is_kept(&p->pages[i], since);
    buf_put_u32(out, count);
    for (uint32_t i = 1; i < p->count; i++) {
        const struct forage_page *page = &p->pages[i];

        if (!is_kept(page, since))
            continue;
        buf_put_u32(out, page->url);
        buf_put_u64(out, (uint64_t)page->looked_at);
        buf_put_u8(out, page->gone);
        buf_put_u32(out, page->document.id);
        buf_put_u64(out, (uint64_t)page->document.date);
        buf_put_f32(out, (float)page->document.relevance);
        forage_state_save(forage_state(p, i), p->k, out);
    }
}

enum status forage_pages_load(struct forage_pages *p, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        struct forage_page *page;
        uint32_t record;

        from->bad |= url == 0 || url > LIMIT_URLS || forage_pages_find(p, url);
        if (from->bad)
            break;
        record = forage_pages_at(p, url);
        page = &p->pages[record];
        page->refs = 1; /* until all are loaded: no room is made here */
        page->looked_at = (int64_t)cursor_u64(from);
        page->gone = cursor_u8(from);
        page->document.id = cursor_u32(from);
        page->document.date = (int64_t)cursor_u64(from);
        page->document.relevance = (double)cursor_f32(from);
        from->bad |= page->document.id > LIMIT_URLS;
        forage_state_load(forage_state(p, record), p->k, from);
    }
    for (size_t i = 1; i < p->count; i++)
        p->pages[i].refs = 0;
    return from->bad ? status_fail(ST_CORRUPT, "the saved pages of foragers are damaged") : ST_OK;
}
