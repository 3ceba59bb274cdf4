/* link_context.c - how near the words around each link of a page are to the topic.
 *
 * Workload: once a page, 10 to 1000 links. Neighbours often have the same element
 * around them: its words are looked at once. SPDX-License-Identifier: MIT */
#include "agent/link_context.h"

static bool span_holds(struct span s, struct span inner)
{
    return s.from <= inner.from && inner.to <= s.to;
}

/* Links stand in document order: those of an element are neighbours. */
static bool has_many_links(const struct page *page, uint32_t i, struct span node)
{
    uint32_t count = 1;

    for (uint32_t j = i; j > 0 && count <= CONTEXT_LINKS; j--, count++)
        if (!span_holds(node, page->links[j - 1].anchor))
            break;
    for (uint32_t j = i + 1; j < page->nlinks && count <= CONTEXT_LINKS; j++, count++)
        if (!span_holds(node, page->links[j].anchor))
            break;
    return count > CONTEXT_LINKS;
}

struct span link_context(const struct page *page, uint32_t i)
{
    const struct link *l = &page->links[i];
    struct span node = l->node;

    if (node.to <= node.from || node.to - node.from > CONTEXT_WORDS ||
        has_many_links(page, i, node))
        return l->window;
    return node;
}

void link_contexts(const struct model_ctx *ctx, const struct percept *p, bool raw, float *ret)
{
    struct span last = {0};
    float score = 0;

    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct span words;

        ret[i] = 0;
        if (p->marks[i].drop != DROP_NONE)
            continue;
        words = link_context(p->body, i);
        if (words.to > words.from && (words.from != last.from || words.to != last.to)) {
            score = ctx->score(ctx->engine, p, words, raw);
            last = words;
        }
        ret[i] = words.to > words.from ? score : 0;
    }
}
