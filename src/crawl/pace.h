/* pace.h - how long the pages that are left will take, and the pace that a crawl keeps.
 *
 * From half-way on a crawl keeps the pace of its first half, where patience leaves it the
 * choice: while it is slower than three quarters of that, the best of the links that can be
 * asked for are taken although better ones wait at other hosts, and it is not faster. So the
 * end comes at the pace of the rest, and it can be told when it comes. Nothing else foretells
 * it: the pace that patience alone leads to rises and falls to a third within a minute, when
 * the links of a page that promised much are used up, or when all that is left promises
 * equally little. Neither the pace of the last pages nor a simulation of what is left, from
 * the scores of all links that wait, came within a quarter on half of the crawls.
 *
 * What is told is the mean of the pages so far, those before half-way at half of their weight,
 * and the time that the last answers take: when all requests have been sent, the slow ones are
 * still under way. Of a crawl that need not keep a pace, the first eighth does not count: hosts
 * have to be found.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PACE_CLASSES 64 /* of answering times: each 1.4 times the one before */

struct pace {
    int64_t run_began;              /* or a pause has ended */
    uint64_t run_pages;             /* since then */
    int64_t began;                  /* as run_began, then when the start was over, then half-way */
    uint64_t pages;                 /* since then */
    double before, time_before;     /* pages and time from before that count too */
    bool started;                   /* an eighth of the pages has come */
    double kept;                    /* pages a us of the first half; 0: it is not over */
    bool keeps;                     /* pace_keep() is called */
    int64_t seen_at;                /* by it at last */
    double least, most;             /* pages that should, and may have been provided for by then */
    uint32_t answers[PACE_CLASSES]; /* how many took how long */
    uint64_t nanswers;              /* their sum */
};

void pace_begin(struct pace *p, int64_t now);

/* A page came after `latency`; `have` and `limit` are those of the crawl. */
void pace_page(struct pace *p, int64_t now, int64_t latency, uint64_t have, uint64_t limit);

/* How long `left` more pages will take; -1: nothing is known yet. */
int64_t pace_left(const struct pace *p, int64_t now, uint64_t left);

/* How many visits must be chosen now, and how many may be, so that the pace is kept: `provided`
 * pages have come or are under way. *ret_most is the number that are wanted at all, and is
 * lowered. */
void pace_keep(struct pace *p, int64_t now, uint64_t provided, uint32_t *ret_least,
               uint32_t *ret_most);
