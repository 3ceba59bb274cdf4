/* link_context.h - how relevant the words around each link of a page are to the topic.
 *
 * The context of a link is its aggregation node: the smallest element around it of 20
 * words or more. If the page is flat (tables, lines that end in <br>), that element
 * holds half of the page. So if it has more than 200 words or 10 links, or if there is
 * none, the 40 words around the anchor are taken instead. All sizes are options.
 *
 * Source: Pant & Srinivasan: Link contexts in classifier-guided topical crawlers (2006),
 * which Mouton & Marteau follow; the sizes are from memory, the two ceilings are ours.
 * The parser ignores larger elements, so they cannot be used here either.
 */
#pragma once

#include "agent/model.h"

/* Which words are taken, in the order of the option. */
enum context_kind { CONTEXT_NODE, CONTEXT_WINDOW, CONTEXT_ANCHOR };

struct context_rules {
    int kind;       /* enum context_kind */
    int node;       /* enum link_node: the least number of words of an element */
    int64_t window; /* words, half of them on each side of the anchor; 0: only the anchor */
    int64_t words;  /* an element with more words … */
    int64_t links;  /* … or more links is replaced by the window */
};

/* Rows of an option table; `field` is a struct context_rules. */
#define CONTEXT_OPTIONS(field)                                                                 \
    {CHOICE_OPTION("context", field.kind, "node|window|anchor", "node"),                       \
     .help = "words that speak for a link: the smallest element around it with words enough, " \
             "so many words around it, or its own alone",                                      \
     .source = "Pant & Srinivasan 2006, from memory", .unverified = true},                     \
        {CHOICE_OPTION("node", field.node, "10|20|40", "20"),                                  \
         .help = "words that an element around a link must have",                              \
         .source = "Pant & Srinivasan 2006, from memory", .unverified = true},                 \
        {INT_OPTION("window", field.window, "N", "40", 0, LINK_WINDOW),                        \
         .help = "words around a link, half of them on each side (0: its own alone); also "    \
                 "where an element is too large",                                              \
         .source = "Pant & Srinivasan 2006, from memory", .unverified = true},                 \
        {INT_OPTION("node-words", field.words, "N", "200", 1, LINK_NODE_WORDS),                \
         .help = "an element of more words is too large", .source = "ours"},                   \
    {                                                                                          \
        INT_OPTION("node-links", field.links, "N", "10", 1, LINK_NODE_LINKS),                  \
            .help = "an element with more links is too large", .source = "ours"                \
    }

/* Returns the words that count for the i-th link. */
struct span link_context(const struct context_rules *rules, const struct page *page, uint32_t i);

/* Sets ret[i] for every link of the page that may be followed, in [0,1]; 0 for others. With `raw`,
 * by the cosine of raw counts instead of the topic's own measure. */
void link_contexts(const struct context_rules *rules, const struct model_ctx *ctx,
                   const struct percept *p, bool raw, float *ret);
