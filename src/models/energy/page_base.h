/* page_base.h - visited pages as places, with the energy left on them and their links.
 *
 * The DB of Mouton & Marteau and the shared cache of MySpiders: an agent that walks
 * onto a visited page is served from here, without a fetch. A page has its relevance,
 * the energy left on it, and its links as numbers of URLs with the model's scores;
 * texts are not kept (model_ctx.look_up has those).
 *
 * Pages with energy left can be drawn with a probability proportional to it, in O(log
 * n): a binary tree of sums, computed again from its leaves upwards, so that rounding
 * errors do not accumulate, and the sum is 0 if all pages are empty. Memory is
 * bounded: with a ceiling, the links of the pages that were not used for the longest
 * time are forgotten (the model looks them up again). Relevance and energy of a page
 * are never forgotten: about 60 bytes for each page.
 */
#pragma once

#include "base/buf.h"
#include "base/rng.h"
#include "flow.h"

struct page_base;

struct base_link {
    uint32_t url;
    float score;
};

struct base_page {
    uint32_t page; /* number of the page; 0: it is of an earlier crawl */
    uint32_t url;
    float relevance;
    double energy;                 /* left on it, >= 0 */
    const struct base_link *links; /* lent until the next change; NULL: forgotten */
    uint32_t nlinks;
};

/* Links kept for all pages together; 0: all. The page that came last always keeps its links. */
struct page_base *page_base_new(size_t max_links);
void page_base_free(struct page_base *b);

/* Adds a page. Its links are copied. A URL has one page: a later one replaces it and
 * keeps its energy. */
void page_base_add(struct page_base *b, uint32_t page, uint32_t url, float relevance,
                   const struct base_link *links, uint32_t nlinks);
/* Sets its links again, after they were forgotten or when their scores change. */
void page_base_relink(struct page_base *b, uint32_t url, const struct base_link *links,
                      uint32_t nlinks);

uint32_t page_base_count(const struct page_base *b);
uint32_t page_base_nth(const struct page_base *b, uint32_t i); /* its URL, by arrival; i < count */
bool page_base_has(const struct page_base *b, uint32_t url);
/* Gives a page, and counts its links as used. Returns false if the URL was not visited. */
bool page_base_get(struct page_base *b, uint32_t url, struct base_page *ret);

/* Sets the energy left on a visited page and returns the new value; a value below
 * BASE_EPSILON becomes 0. */
#define BASE_EPSILON 1e-9
double page_base_set_energy(struct page_base *b, uint32_t url, double energy);
double page_base_energy(const struct page_base *b); /* the sum over all pages, exact to rounding */

/* Draws a page with probability energy / sum. Returns false if no energy is left. */
bool page_base_draw(struct page_base *b, struct rng *r, uint32_t *ret_url);
/* Draws any page, all equally likely. Returns false if there is none. */
bool page_base_any(struct page_base *b, struct rng *r, uint32_t *ret_url);

/* Saves everything, including the order in which links are forgotten: 28 bytes for a page, 8 for a
 * link. After ST_CORRUPT it is empty. */
void page_base_save(const struct page_base *b, struct buf *out);
enum status page_base_load(struct page_base *b, struct cursor *from) MUST_USE;
