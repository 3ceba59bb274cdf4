/* meter_events.h - events of a made-up crawl for a meter, and what is true of its web.
 * For the tests of metrics. */
#pragma once

#include "lab/run/metric.h"

#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-12)

/* Ten URLs. Targets 1 to 5, of which 1 is a seed and 2 an example: 3 are to be found. */
static const bool is_target[11] = {[1] = true, [2] = true, [3] = true, [4] = true, [5] = true};
static const bool is_given[11] = {[1] = true, [2] = true};
static const float description[11] = {0, 1, 1, 0.5f, 0.5f, 0.25f, 0.25f, 0, 0, 0, 0.125f};

static inline struct truth truth_of(void)
{
    return (struct truth){.urls = 10,
                          .is_target = is_target,
                          .is_given = is_given,
                          .targets = 3,
                          .reachable = 8,
                          .description = description,
                          .relevant = 0.3};
}

static inline void post(struct meter *m, int64_t at, struct event e)
{
    e.at = at;
    meter_listen(m, &e);
}

static inline void page(struct meter *m, int64_t at, uint32_t url, float relevance)
{
    struct arrival a = {.source = url, .profile = {.relevance = relevance}};

    post(m, at, (struct event){.kind = EVENT_PAGE, .page = {.arrival = &a}});
}
