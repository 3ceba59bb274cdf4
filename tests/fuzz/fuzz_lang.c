/* fuzz_lang.c - the language of any bytes. SPDX-License-Identifier: MIT
 *
 * The first bytes cut the rest into passages. Checks: the same text has the same language,
 * and a page with any passages has one. */
#include "base/limits.h"
#include "text/words/lang.h"

#include <stdlib.h>

#define LONGEST \
    KIB(64) /* a crawl reads a few hundred bytes of a page: longer ones only take time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct passage main[4] = {{0}};
    struct page page = {.main = main, .nmain = 4, .lang = STR("en")};
    struct lang_found a, b;
    uint32_t at = 0;

    if (size < 4)
        return 0;
    if (size > LONGEST)
        size = LONGEST;
    page.text = (struct str){(const char *)data + 4, size - 4};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t left = (uint32_t)page.text.len - at, len = data[i] * 8u;

        main[i] = (struct passage){at, len < left ? len : left, (uint8_t)(data[i] % PASSAGE_KINDS)};
        at += main[i].len;
    }
    a = lang_found_in(&page);
    b = lang_found_in(&page);
    if (!str_eq(a.code, b.code) || a.sure != b.sure || lang_of_page(&page).len == 0)
        abort();
    return 0;
}
