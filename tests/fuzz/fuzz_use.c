/* fuzz_use.c - wishes for the use of pages, from any bytes. SPDX-License-Identifier: MIT
 *
 * The bytes are a robots.txt, and each of its lines a value of each kind. Checks: the list is
 * short and can be shown, each piece stands in it once, and joining it again changes nothing. */
#include "parse/use.h"

#include "base/limits.h"
#include "flow.h"
#include "parse/robots/robots.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct buf *said)
{
    struct buf again = BUF_INIT(KIB(4));
    struct str list = buf_str(said);

    if (list.len > LIMIT_USE)
        abort();
    for (size_t i = 0; i < list.len; i++)
        if (list.ptr[i] < ' ' || list.ptr[i] > '~')
            abort();
    use_join(&again, list);
    use_join(&again, list);
    if (!str_eq(buf_str(&again), list))
        abort();
    for (enum use use = USE_SEARCH; use < USES; use++)
        (void)use_reserves(list, use);
    buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, line;
    struct buf said = BUF_INIT(KIB(4));

    robots_wishes(text, STR("brood"), &said);
    check(&said);
    buf_clear(&said);
    while (str_cut(&text, '\n', &line)) {
        use_add_signals(&said, line);
        use_add_tags(&said, robots_tag(line, STR("brood")));
        use_add_tdm(&said, STR("tdm-reservation"), line);
        use_add_tdm(&said, STR("tdm-policy"), line);
        use_add_license(&said, line);
    }
    check(&said);
    buf_free(&said);
    return 0;
}
