/* link_context.h - how near the words around each link of a page are to the topic.
 *
 * The context of a link is its aggregation node: the smallest element around it of
 * LINK_NODE_MIN words or more. Where the page is flat (tables, lines that end in
 * <br>) that element holds half of the page; so of more than CONTEXT_WORDS words or
 * CONTEXT_LINKS links, or where there is none, the LINK_WINDOW words around the
 * anchor are taken instead.
 *
 * Source: Pant & Srinivasan: Link contexts in classifier-guided topical crawlers
 * (2006), which Mouton & Marteau follow; the two ceilings are ours.
 */
#ifndef AGENT_LINK_CONTEXT_H
#define AGENT_LINK_CONTEXT_H

#include "agent/model.h"

#define CONTEXT_WORDS 200
#define CONTEXT_LINKS 10

/* The words that speak for the i-th link. */
struct span link_context(const struct page *page, uint32_t i);

/* ret[i] for every link of the page that may be followed, in [0,1]; 0 for others.
 * `raw`: by the cosine of raw counts instead of the topic's own measure. */
void link_contexts(const struct model_ctx *ctx, const struct percept *p, bool raw, float *ret);

#endif
