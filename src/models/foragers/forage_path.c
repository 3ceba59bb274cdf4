/* forage_path.c - a forager's way from a starting URL. SPDX-License-Identifier: MIT */
#include "models/foragers/forage_path.h"

#include "base/hash.h"
#include "base/fields.h"
#include "base/limits.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void forage_path_init(struct forage_path *p)
{
    *p = (struct forage_path){0};
    map_init(&p->where);
}

void forage_path_end(struct forage_path *p, struct forage_pages *pages)
{
    for (size_t i = 0; i < p->count; i++)
        forage_page_release(pages, p->places[i].record);
    p->count = p->open = 0;
    p->best.count = 0;
    map_clear(&p->where);
}

void forage_path_clear(struct forage_path *p, struct forage_pages *pages)
{
    if (pages)
        forage_path_end(p, pages);
    map_free(&p->where);
    heap_free(&p->best);
    free(p->places);
    free(p->steps);
    free(p->states);
    *p = (struct forage_path){0};
}

void forage_path_begin(struct forage_path *p, struct forage_pages *pages)
{
    forage_path_end(p, pages);
    p->nsteps = 0;
    p->id++;
}

static struct forage_place *find(const struct forage_path *p, uint32_t url)
{
    uint32_t at = map_get(&p->where, hash_u64(url));

    return at == MAP_NONE ? NULL : &p->places[at];
}

static void place_add(struct forage_path *p, struct forage_pages *pages, uint32_t url, bool open)
{
    uint32_t record = forage_pages_at(pages, url);

    forage_page_hold(pages, record);
    MEM_GROW(p->places, p->count, &p->cap);
    map_set(&p->where, hash_u64(url), (uint32_t)p->count);
    p->places[p->count++] = (struct forage_place){.url = url, .record = record, .open = open};
    p->open += open;
}

static float *state_at(const struct forage_path *p, const struct forage_pages *pages, size_t step)
{
    return p->states + step * td_stride(pages->k);
}

static float *step_add(struct forage_path *p, const struct forage_pages *pages,
                       struct forage_step step)
{
    MEM_GROW(p->steps, p->nsteps, &p->steps_cap);
    if (p->states_cap < p->steps_cap) {
        p->states_cap = p->steps_cap;
        p->states = mem_resize(p->states, p->steps_cap * td_stride(pages->k), sizeof *p->states);
    }
    p->steps[p->nsteps] = step;
    return state_at(p, pages, p->nsteps++);
}

void forage_path_visit(struct forage_path *p, struct forage_pages *pages, uint32_t url)
{
    float *state;

    if (find(p, url) == NULL)
        place_add(p, pages, url, false);
    forage_path_close(p, url);
    state = step_add(p, pages, (struct forage_step){.url = url});
    memcpy(state, forage_state(pages, find(p, url)->record), td_stride(pages->k) * sizeof *state);
}

const float *forage_path_state(const struct forage_path *p, const struct forage_pages *pages,
                               size_t step)
{
    return state_at(p, pages, step);
}

bool forage_path_meet(struct forage_path *p, struct forage_pages *pages, uint32_t url, size_t max)
{
    if (find(p, url) || p->count >= max)
        return false;
    place_add(p, pages, url, true);
    return true;
}

void forage_path_close(struct forage_path *p, uint32_t url)
{
    struct forage_place *place = find(p, url);

    if (place == NULL || !place->open)
        return;
    place->open = false;
    p->open--;
}

static void put_on_heap(struct forage_path *p, uint32_t at)
{
    heap_restore(&p->best, heap_item(-(double)p->places[at].value, at, at));
}

/* Outdated items are dropped when they outnumber the others. */
static void heap_tidy(struct forage_path *p)
{
    if (p->best.count <= 2 * p->open + 64)
        return;
    p->best.count = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->places[i].open)
            put_on_heap(p, i);
}

void forage_path_value(struct forage_path *p, uint32_t url, float value)
{
    struct forage_place *place = find(p, url);

    if (place == NULL || !place->open)
        return;
    place->value = value;
    put_on_heap(p, (uint32_t)(place - p->places));
    heap_tidy(p);
}

uint32_t forage_path_best_fixed(struct forage_path *p)
{
    const struct heap_item *top;

    while ((top = heap_peek(&p->best))) {
        const struct forage_place *place = &p->places[top->id];
        struct heap_item item;

        if (place->open && -(double)place->value == top->key)
            return place->url;
        (void)heap_pop(&p->best, &item);
    }
    return 0;
}

uint32_t forage_path_best(const struct forage_path *p, const struct forage_pages *pages,
                          const struct td *td)
{
    float most = -INFINITY;
    uint32_t best = 0;

    for (size_t i = 0; i < p->count; i++) {
        float value;

        if (!p->places[i].open)
            continue;
        value = td_value(td, forage_state(pages, p->places[i].record));
        if (best == 0 || value > most) {
            most = value;
            best = p->places[i].url;
        }
    }
    return best;
}

static const struct field place_fields[] = {
    FIELD(URL, struct forage_place, url),
    FIELD(FLAG, struct forage_place, open),
    FIELD(F32, struct forage_place, value),
    FIELD_END,
};

static const struct field step_fields[] = {
    FIELD(URL, struct forage_step, url),       FIELD(REAL, struct forage_step, profit),
    FIELD(REAL, struct forage_step, rewards),  FIELD(BIT, struct forage_step, learned),
    FIELD(BIT, struct forage_step, revisited), FIELD_END,
};

void forage_path_save(const struct forage_path *p, const struct forage_pages *pages,
                      struct buf *out)
{
    buf_put_u32(out, p->id);
    fields_save_all(place_fields, p->places, p->count, sizeof *p->places, out);
    buf_put_u32(out, (uint32_t)p->nsteps);
    for (size_t i = 0; i < p->nsteps; i++) {
        fields_save(step_fields, &p->steps[i], out);
        forage_state_save(state_at(p, pages, i), pages->k, out);
    }
}

static void places_load(struct forage_path *p, struct forage_pages *pages, size_t max, bool fixed,
                        struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    from->bad |= count > max;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct forage_place place;

        fields_load(place_fields, &place, from);
        from->bad |= place.url == 0 || place.url > LIMIT_URLS || find(p, place.url) ||
                     !isfinite(place.value);
        if (from->bad)
            return;
        place_add(p, pages, place.url, place.open);
        p->places[i].value = place.value;
        if (fixed && place.open)
            put_on_heap(p, i);
    }
}

enum status forage_path_load(struct forage_path *p, struct forage_pages *pages, size_t max_steps,
                             size_t max_places, bool fixed, struct cursor *from)
{
    uint32_t steps;

    p->id = cursor_u32(from);
    places_load(p, pages, max_places, fixed, from);
    steps = cursor_u32(from);
    from->bad |= steps > max_steps;
    for (uint32_t i = 0; i < steps && !from->bad; i++) {
        struct forage_step step;
        float *state;

        fields_load(step_fields, &step, from);
        state = step_add(p, pages, step);
        memset(state, 0, td_stride(pages->k) * sizeof *state);
        forage_state_load(state, pages->k, from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "a saved path is damaged") : ST_OK;
}
