/* page_base.h - visited pages as places: energy left on them, and where they lead.
 *
 * The DB of Mouton & Marteau and the shared cache of MySpiders: an agent that
 * walks onto a visited page is served from here, without a fetch. A page has its
 * relevance, the energy left on it, and its links as numbers of URLs with the
 * scores the model gave them; texts are not kept (model_ctx.look_up has those).
 *
 * Pages with energy left can be drawn with a probability proportional to it, in
 * O(log n): a binary tree of sums, computed again from its leaves upwards, so that no
 * rounding piles up, and where all pages are empty the sum is 0. Memory is bounded:
 * with a ceiling the links of pages that were not used for longest are forgotten
 * (and looked up again by the model); relevance and energy of a page never are:
 * about 60 bytes each.
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
    uint32_t page; /* number of the page; 0: of an earlier crawl */
    uint32_t url;
    float relevance;
    double energy;                 /* left on it, >= 0 */
    const struct base_link *links; /* lent until the next change; NULL: forgotten */
    uint32_t nlinks;
};

/* Links kept over all pages; 0: all. The page that came last keeps its own. */
struct page_base *page_base_new(size_t max_links);
void page_base_free(struct page_base *b);

/* A page came. Its links are copied. A URL has one page: a later one replaces it
 * and keeps its energy. */
void page_base_add(struct page_base *b, uint32_t page, uint32_t url, float relevance,
                   const struct base_link *links, uint32_t nlinks);
/* Its links again, after they were forgotten or when there are other scores. */
void page_base_relink(struct page_base *b, uint32_t url, const struct base_link *links,
                      uint32_t nlinks);

uint32_t page_base_count(const struct page_base *b);
uint32_t page_base_nth(const struct page_base *b, uint32_t i); /* its URL, by arrival; i < count */
bool page_base_has(const struct page_base *b, uint32_t url);
/* Its links count as used. False: not visited. */
bool page_base_get(struct page_base *b, uint32_t url, struct base_page *ret);

/* Sets the energy left on a visited page and returns what it has now: below
 * BASE_EPSILON 0. */
#define BASE_EPSILON 1e-9
double page_base_set_energy(struct page_base *b, uint32_t url, double energy);
double page_base_energy(const struct page_base *b); /* sum, exact to rounding */

/* A page drawn with probability energy / sum; false where no energy is left. */
bool page_base_draw(struct page_base *b, struct rng *r, uint32_t *ret_url);
/* Any page, all alike; false where there is none. */
bool page_base_any(struct page_base *b, struct rng *r, uint32_t *ret_url);

/* The whole of it, the order in which links are forgotten included: 28 bytes a
 * page, 8 a link. ST_CORRUPT leaves it empty. */
void page_base_save(const struct page_base *b, struct buf *out);
enum status page_base_load(struct page_base *b, struct cursor *from) MUST_USE;
