/* fuzz_tdmrep.c - any bytes as a tdmrep.json, and as the rules that are kept of one.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/tdmrep.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct buf rules = BUF_INIT(MIB(64)), said = BUF_INIT(KIB(64));

    tdmrep_read(input, &rules);
    tdmrep_say(buf_str(&rules), STR("/news/a?b"), &said);
    tdmrep_say(input, STR("/news/a?b"), &said);
    assert(said.len <= LIMIT_USE);
    buf_free(&rules);
    buf_free(&said);
    return 0;
}
