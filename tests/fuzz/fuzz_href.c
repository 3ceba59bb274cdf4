/* fuzz_href.c - hrefs that are replaced are found again, as many, in the same bytes.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "sim/href.h"

#include <assert.h>

struct count {
    unsigned all, ours;
};

#define OURS STR("http://new.example/a?b=1&c='2'")

static struct str swap(void *ctx, struct str url)
{
    struct count *c = ctx;

    c->all++;
    c->ours += str_eq(url, STR("http://new.example/a?b=1&c=%272%27"));
    return OURS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str document = {(const char *)data, size}, base = STR("http://old.example/d/e");
    struct buf once = BUF_INIT(MIB(64));
    struct count first = {0, 0}, second = {0, 0};

    assert(href_each(document, base, swap, &first, NULL) == ST_OK);
    assert(href_each(document, base, swap, &first, &once) == ST_OK);
    assert(href_each(buf_str(&once), base, swap, &second, NULL) == ST_OK);
    assert(second.all * 2 == first.all && second.ours == second.all);
    buf_free(&once);
    return 0;
}
