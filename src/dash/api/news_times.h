/* news_times.h - when a watch announced what, kept between two requests.
 *
 * Whether an announcement is a later version stands with its page, and looking that up for
 * all of them takes a quarter of a second where there are 100,000. So each is read once, 16
 * bytes; what came since is added. Where some were forgotten, all are read anew.
 */
#pragma once

#include "store/read/query.h"

struct news_time {
    int64_t at;
    bool changed; /* a later version */
};

struct news_times {
    struct news_time *all; /* oldest first */
    size_t count, cap;
    uint32_t last; /* number of the last one read */
};

void news_times_clear(struct news_times *t);
/* Reads what came since. What was read before a failure stays. */
enum status news_times_refresh(struct news_times *t, struct query *q) MUST_USE;
