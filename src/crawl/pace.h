/* pace.h - how long the pages that are left will take, and the pace that a crawl keeps.
 *
 * In its second half a crawl keeps the pace of its first half, as far as patience leaves it a
 * choice. It is never faster. Where it would be slower than three quarters of that pace, it takes
 * the best of the links that can be asked for, although better ones wait at other hosts. So one
 * can say when it will end. Nothing else that we tried can: under patience alone, the pace rises,
 * or falls to a third, within a minute, when the links of a promising page are used up, or when
 * all links that are left promise equally little. Neither the pace of the last pages nor a
 * simulation from the scores of all waiting links came within a quarter on half of the crawls.
 *
 * The estimate is made of two parts. One is the time until all visits that are still needed have
 * begun: the mean time of a visit, times the number of visits that a page takes, for each page
 * that is left. Visits of the first half have half the weight in that mean. The number of visits
 * is itself the mean of two: that of all pages so far, and that of the last sixteenth, because
 * missing pages come in rows. The other part is the time that the last answers take: when all
 * requests have been sent, the slow ones are still under way. Answers that take longer than nearly
 * all do not count, because other visits take their place (crawl.c). If a crawl need not keep a
 * pace, its first eighth does not count, because hosts have to be found then.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PACE_CLASSES 64 /* of answering times: each 1.4 times the one before */

struct pace {
    int64_t run_began;              /* or a pause has ended */
    uint64_t run_pages;             /* since then */
    int64_t began;                  /* as run_began, then when the start was over, then half-way */
    uint64_t visits;                /* that have ended since then, with a page or without */
    double before, time_before;     /* visits and time from before that count too */
    uint64_t run_visits;            /* since run_began */
    uint32_t tries;                 /* visits since the last page */
    double price;                   /* visits for each page, recently */
    bool started;                   /* an eighth of the pages is fetched */
    double kept;                    /* pages per us in the first half; 0: not over yet */
    bool keeps;                     /* pace_keep() has been called */
    int64_t seen_at;                /* when pace_keep() was last called */
    double least, most;             /* pages that should, and that may, be provided for by now */
    uint32_t answers[PACE_CLASSES]; /* number of answers by their time */
    uint64_t nanswers;              /* their sum */
};

void pace_begin(struct pace *p, int64_t now);

/* A page arrived after `latency`; `have` and `limit` are the pages of the crawl and their limit. */
void pace_page(struct pace *p, int64_t now, int64_t latency, uint64_t have, uint64_t limit);

/* A visit ended without a page. */
void pace_miss(struct pace *p);

/* Returns how long `left` more pages will take if `flying` visits are under way; -1 if that is
 * unknown. */
int64_t pace_left(const struct pace *p, int64_t now, uint64_t left, uint64_t flying);

/* Returns the time within which nearly all answers came, at least two seconds; INT64_MAX if too few
 * have come. */
int64_t pace_answer(const struct pace *p);

/* Gets how many visits must, and how many may, be chosen now to keep the pace; `provided` pages
 * have arrived or are under way. The caller sets *ret_most to the number of visits that it wants;
 * this may lower it. */
void pace_keep(struct pace *p, int64_t now, uint64_t provided, uint32_t *ret_least,
               uint32_t *ret_most);
