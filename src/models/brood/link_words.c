/* link_words.c - the words in and around the links that were named last.
 * SPDX-License-Identifier: MIT */
#include "models/brood/link_words.h"

#include "base/mem.h"

#include <stdlib.h>

struct words_of_link {
    int16_t anchor, context;           /* what its link was credited with (web_map.h, MAP_FINE) */
    uint8_t n, anchor_from, anchor_to; /* of the words */
    uint32_t words[LINK_WORDS_EACH];   /* terms */
};

void link_words_clear(struct link_words *w)
{
    free(w->items);
    parts_clear(&w->changed);
    *w = (struct link_words){0};
}

static struct words_of_link *words_of(const struct link_words *w, size_t edge)
{
    return &w->items[edge % LINK_WORDS];
}

/* Returns the first edge whose words are still kept. */
static size_t first_of(const struct link_words *w, size_t edges)
{
    return edges > w->first + LINK_WORDS ? edges - LINK_WORDS : w->first;
}

/* Stores the words; stop words have no weight and are left out. */
static void take_words(struct words_of_link *to, const struct guide *g, const struct profile *p,
                       struct span anchor, struct span around)
{
    for (uint32_t i = around.from; i < around.to && to->n < LINK_WORDS_EACH; i++) {
        uint32_t word = guide_word(g, p, i);

        if (i == anchor.from)
            to->anchor_from = to->n;
        if (word)
            to->words[to->n++] = word;
        if (i < anchor.to)
            to->anchor_to = to->n;
    }
}

/* Replaces what the link got for its anchor and its context from `w` by new values. */
static void give(struct words_of_link *w, struct map_link *l, double anchor, double context)
{
    int16_t had_anchor = w->anchor, had_context = w->context;

    w->anchor = w->context = 0;
    fine_add(&w->anchor, fine_of(anchor));
    fine_add(&w->context, fine_of(context));
    fine_add(&l->anchor, w->anchor - had_anchor);
    fine_add(&l->context, w->context - had_context);
}

void link_words_add(struct link_words *w, struct web_map *m, struct guide *g,
                    const struct profile *p, struct span anchor, struct span around)
{
    size_t edge = m->nedges - 1;
    struct words_of_link *to;

    if (w->items == NULL) {
        w->items = mem_zero(LINK_WORDS, sizeof *w->items);
        w->first = edge;
    }
    to = words_of(w, edge);
    *to = (struct words_of_link){0};
    take_words(to, g, p, anchor, around);
    parts_touch(&w->changed, (uint32_t)(edge % LINK_WORDS));
    give(to, &m->links[m->edges.urls[edge]], guide_span(g, anchor), guide_span(g, around));
}

void link_words_weigh(struct link_words *w, struct web_map *m, struct guide *g)
{
    for (size_t edge = first_of(w, m->nedges); w->items && edge < m->nedges; edge++) {
        struct words_of_link *words = words_of(w, edge);
        struct map_link *l = &m->links[m->edges.urls[edge]];

        if (!l->is_waiting)
            continue;
        give(words, l,
             guide_terms(g, words->words + words->anchor_from,
                         (size_t)(words->anchor_to - words->anchor_from)),
             guide_terms(g, words->words, words->n));
        web_map_link_changed(m, m->edges.urls[edge]);
        parts_touch(&w->changed, (uint32_t)(edge % LINK_WORDS));
    }
}

/* ---- checkpoint ---- */

void link_words_save(const struct link_words *w, struct buf *out)
{
    buf_put_u8(out, w->items != NULL);
    buf_put_u32(out, (uint32_t)w->first);
}

enum status link_words_load(struct link_words *w, struct cursor *from)
{
    if (cursor_u8(from))
        w->items = mem_zero(LINK_WORDS, sizeof *w->items);
    w->first = cursor_u32(from);
    return from->bad ? status_fail(ST_CORRUPT, "the saved words of links are cut") : ST_OK;
}

static void put_words(const void *words, size_t row, struct buf *out)
{
    const struct words_of_link *w = &((const struct link_words *)words)->items[row];

    buf_put_u32(out, (uint32_t)(uint16_t)w->anchor << 16 | (uint16_t)w->context);
    buf_put_u8(out, w->n);
    buf_put_u8(out, w->anchor_from);
    buf_put_u8(out, w->anchor_to);
    for (size_t i = 0; i < w->n; i++)
        buf_put_u32(out, w->words[i]);
}

void link_words_save_all(const struct link_words *w, uint32_t first, struct buf *out)
{
    if (w->items)
        parts_put_rows(NULL, w, LINK_WORDS, put_words, first, out);
}

void link_words_save_parts(struct link_words *w, uint32_t first, struct buf *out)
{
    parts_put_rows(&w->changed, w, 0, put_words, first, out);
}

enum status link_words_load_part(struct link_words *w, uint32_t part, struct cursor *from)
{
    from->bad |= w->items == NULL || part >= LINK_WORDS / PARTS_ROWS;
    for (size_t i = 0; i < PARTS_ROWS && !from->bad; i++) {
        struct words_of_link *to = &w->items[(size_t)part * PARTS_ROWS + i];
        uint32_t given = cursor_u32(from);

        to->anchor = (int16_t)(given >> 16);
        to->context = (int16_t)given;
        to->n = cursor_u8(from);
        to->anchor_from = cursor_u8(from);
        to->anchor_to = cursor_u8(from);
        from->bad |=
            to->n > LINK_WORDS_EACH || to->anchor_from > to->anchor_to || to->anchor_to > to->n;
        for (size_t k = 0; k < to->n && !from->bad; k++)
            to->words[k] = cursor_u32(from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved words of links are cut or broken")
                     : ST_OK;
}
