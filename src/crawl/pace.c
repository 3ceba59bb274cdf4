/* pace.c - how long the pages that are left will take, and the pace that a crawl keeps.
 * SPDX-License-Identifier: MIT */
#include "crawl/pace.h"

#include "base/os/clock.h"

#include <math.h>

#define SLOWEST   0.75            /* of the pace of the first half: no slower */
#define USUAL     0.88            /* between that and the pace itself: used for the estimate */
#define BURST     (2 * US_PER_S)  /* pages that were missed for longer are forgotten */
#define LEFT_PART 32              /* this part of the pages left may come at once */
#define START     8               /* this part of the limit is the start, which says little */
#define LATELY    16              /* this part of it, the last pages, shows visits a page */
#define SHORTEST  (1 * US_PER_MS) /* all answers faster than this are one class */
#define RARE      20              /* nearly all answers: all but one of so many */
#define SOON      (2 * US_PER_S)  /* an answer that takes less than this is never late */
#define LAST      0.7             /* when fewer answers are expected, the last one has come */

void pace_begin(struct pace *p, int64_t now)
{
    *p = (struct pace){.began = now,
                       .run_began = now,
                       .before = p->before,
                       .time_before = p->time_before,
                       .started = p->started,
                       .kept = p->kept,
                       .keeps = p->keeps};
}

/* Starts a new count. The old one still counts, with the weight of `before` visits. */
static void turn(struct pace *p, int64_t now, double before)
{
    p->time_before = before * (double)(now - p->began) / (double)p->visits;
    p->before = before;
    p->visits = 0;
    p->began = now;
}

static unsigned class_of(int64_t latency)
{
    double c = latency > SHORTEST ? 2 * log2((double)latency / SHORTEST) : 0;

    return c < PACE_CLASSES - 1 ? (unsigned)c : PACE_CLASSES - 1;
}

static double class_time(unsigned c)
{
    return (double)SHORTEST * exp2((c + 0.5) / 2);
}

void pace_miss(struct pace *p)
{
    p->visits++;
    p->run_visits++;
    p->tries++;
}

void pace_page(struct pace *p, int64_t now, int64_t latency, uint64_t have, uint64_t limit)
{
    double window = fmax((double)limit / LATELY, 1);

    p->visits++;
    p->run_visits++;
    p->run_pages++;
    p->answers[class_of(latency)]++;
    p->nanswers++;
    p->price += (p->tries + 1 - p->price) / fmin((double)p->nanswers, window);
    p->tries = 0;
    if (have < limit / 2)
        p->kept = 0; /* perhaps the limit was raised */
    if (!p->started && have >= limit / START) {
        p->started = true;
        turn(p, now, 1);
    } else if (!(p->kept > 0) && have >= limit / 2 && p->visits >= limit / START &&
               now > p->began) {
        p->kept = (double)p->run_pages / (double)(now - p->run_began);
        p->seen_at = now;
        turn(p, now, (double)p->visits / 2);
    }
}

/* If `pace` requests start in each microsecond and then none: returns after how long only n of them
 * are under way. Most requests under way at any time are slow ones. */
static double flight_time(const struct pace *p, double pace, double n)
{
    double count = 0, sum = 0, answers = (double)p->nanswers;

    for (unsigned i = PACE_CLASSES; i > 0; i--) {
        double next = i > 1 ? class_time(i - 2) : 0;

        count += p->answers[i - 1];
        sum += p->answers[i - 1] * class_time(i - 1);
        if (count > 0 && pace * (sum - count * next) >= n * answers)
            return (sum - n * answers / pace) / count;
    }
    return 0;
}

int64_t pace_answer(const struct pace *p)
{
    uint64_t longer = 0;
    unsigned c = PACE_CLASSES;

    if (p->nanswers < RARE)
        return INT64_MAX;
    while (longer + p->answers[c - 1] <= p->nanswers / RARE)
        longer += p->answers[--c];
    return (int64_t)fmax(SHORTEST * exp2(c / 2.0), SOON);
}

int64_t pace_left(const struct pace *p, int64_t now, uint64_t left, uint64_t flying)
{
    double time = (double)(now - p->began), visits = (double)p->visits + p->before;
    uint64_t coming = flying < left ? flying : left;
    double price, pace, last;

    if (p->nanswers == 0)
        return -1;
    price = (p->price + (double)p->run_visits / (double)p->run_pages) / 2;
    time += p->keeps && p->kept > 0 ? p->before / price / p->kept / USUAL : p->time_before;
    if (!(time > 0))
        return 0;
    pace = visits / time;
    last = fmin(flight_time(p, pace, LAST), (double)pace_answer(p)); /* later ones are replaced */
    if (coming == left)
        last -= flight_time(p, pace, (double)left);
    return (int64_t)fmax((double)(left - coming) * price / pace + last, 0);
}

void pace_keep(struct pace *p, int64_t now, uint64_t provided, uint32_t *ret_least,
               uint32_t *ret_most)
{
    double due = (double)(now - p->seen_at) * p->kept, have = (double)provided, most;
    double burst = 1 + BURST * p->kept;

    *ret_least = 0;
    p->keeps = true;
    if (!(p->kept > 0))
        return;
    p->seen_at = now;
    p->least = fmax(have, fmin(p->least + SLOWEST * due, have + burst));
    p->most = fmax(have, fmin(p->most + due, have + burst + *ret_most / LEFT_PART));
    *ret_least = (uint32_t)(p->least - have);
    most = floor(p->most - have);
    if (most < (double)*ret_most)
        *ret_most = (uint32_t)most;
}
