/* link_words.c - the words in and around the links that were named last.
 * SPDX-License-Identifier: MIT */
#include "models/brood/link_words.h"

#include "base/fields.h"
#include "base/mem.h"

#include <stdlib.h>

struct words_of_link {
    float anchor, context;             /* what its link was given */
    uint8_t n, anchor_from, anchor_to; /* of the words */
    uint32_t words[LINK_WORDS_EACH];   /* terms */
};

void link_words_clear(struct link_words *w)
{
    free(w->items);
    *w = (struct link_words){0};
}

static struct words_of_link *words_of(const struct link_words *w, size_t edge)
{
    return &w->items[edge % LINK_WORDS];
}

/* The first edge whose words are still there. */
static size_t first_of(const struct link_words *w, size_t edges)
{
    return edges > w->first + LINK_WORDS ? edges - LINK_WORDS : w->first;
}

/* Stop words weigh nothing and are left out. */
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

static void weigh(const struct words_of_link *w, const struct guide *g, float *ret_anchor,
                  float *ret_context)
{
    *ret_anchor =
        (float)guide_terms(g, w->words + w->anchor_from, (size_t)(w->anchor_to - w->anchor_from));
    *ret_context = (float)guide_terms(g, w->words, w->n);
}

void link_words_add(struct link_words *w, struct web_map *m, struct guide *g,
                    const struct profile *p, struct span anchor, struct span around)
{
    size_t edge = m->nedges - 1;
    struct map_link *l = &m->links[m->edges[edge].url];
    struct words_of_link *to;

    if (w->items == NULL) {
        w->items = mem_zero(LINK_WORDS, sizeof *w->items);
        w->first = edge;
    }
    to = words_of(w, edge);
    *to = (struct words_of_link){.anchor = (float)guide_span(g, anchor),
                                 .context = (float)guide_span(g, around)};
    take_words(to, g, p, anchor, around);
    l->anchor += to->anchor;
    l->context += to->context;
}

void link_words_weigh(struct link_words *w, struct web_map *m, struct guide *g)
{
    for (size_t edge = first_of(w, m->nedges); w->items && edge < m->nedges; edge++) {
        struct words_of_link *words = words_of(w, edge);
        struct map_link *l = &m->links[m->edges[edge].url];
        float anchor, context;

        if (!l->is_waiting)
            continue;
        weigh(words, g, &anchor, &context);
        l->anchor += anchor - words->anchor;
        l->context += context - words->context;
        words->anchor = anchor;
        words->context = context;
    }
}

/* ---- checkpoint ---- */

static const struct field words_fields[] = {
    FIELD(FINE, struct words_of_link, anchor),  FIELD(FINE, struct words_of_link, context),
    FIELD(U8, struct words_of_link, n),         FIELD(U8, struct words_of_link, anchor_from),
    FIELD(U8, struct words_of_link, anchor_to), FIELD_END,
};

void link_words_save(const struct link_words *w, const struct web_map *m, struct buf *out)
{
    size_t first = w->items ? first_of(w, m->nedges) : m->nedges;

    buf_put_u32(out, (uint32_t)(m->nedges - first));
    for (size_t edge = first; edge < m->nedges; edge++) {
        const struct words_of_link *words = words_of(w, edge);

        fields_save(words_fields, words, out);
        for (size_t i = 0; i < words->n; i++)
            buf_put_u32(out, words->words[i]);
    }
}

enum status link_words_load(struct link_words *w, const struct web_map *m, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    from->bad |= count > LINK_WORDS || count > m->nedges;
    if (!from->bad && count > 0) {
        w->items = mem_zero(LINK_WORDS, sizeof *w->items);
        w->first = m->nedges - count;
    }
    for (size_t edge = w->first; edge < m->nedges && count > 0 && !from->bad; edge++) {
        struct words_of_link *words = words_of(w, edge);

        fields_load(words_fields, words, from);
        from->bad |= words->n > LINK_WORDS_EACH || words->anchor_from > words->anchor_to ||
                     words->anchor_to > words->n;
        for (size_t i = 0; i < words->n && !from->bad; i++)
            words->words[i] = cursor_u32(from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved words of links are cut or broken")
                     : ST_OK;
}
