/* fuzz_shared.c - the options, topic and seeds of a crawl, as they lie on the bus for nodes that
 * join. Without consent they lower no guard; and a new limit changes nothing else.
 * SPDX-License-Identifier: MIT */
#include "crawl/node/node.h"
#include "crawl/options.h"

#include "base/limits.h"

#include <stdlib.h>

static bool loads(struct str bytes, bool trust, struct crawl_options *ret)
{
    crawl_options_init_empty(ret);
    return shared_load(bytes, trust, ret) == ST_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct buf out = BUF_INIT(2 * LIMIT_SHARED);
    struct crawl_options careful, trusting, after;
    bool is_good = loads(bytes, true, &trusting);

    if (loads(bytes, false, &careful) && (!is_good || careful.allow_private || careful.no_robots))
        abort();
    if (is_good && shared_set(bytes, STR("pages"), STR("7"), &out) == ST_OK) {
        if (!loads(buf_str(&out), true, &after) || after.pages != 7 ||
            after.seed.count != trusting.seed.count)
            abort();
        crawl_options_free(&after);
    }
    crawl_options_free(&careful);
    crawl_options_free(&trusting);
    buf_free(&out);
    return 0;
}
