/* fuzz_token.c - words and stems of any bytes. SPDX-License-Identifier: MIT
 *
 * The first byte picks the language. Checks: words move forward, lie in the
 * text, are short, and hold whole characters. */
#include "base/mem.h"
#include "base/utf8.h"
#include "text/words/stem.h"
#include "text/words/token.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data + 1, size ? size - 1 : 0};
    size_t n = 0, at = 0, end = 0, off, len;
    struct stemmer *s;
    struct word *words;
    uint32_t *ids;
    char lower[2 * TOKEN_MAX];

    if (size == 0)
        return 0;
    s = stemmer_new(16);
    words = mem_alloc((text.len + 1) * sizeof *words);
    ids = mem_alloc(2 * (text.len + 1) * sizeof *ids);
    while (token_next(text, &at, &off, &len)) {
        check(off >= end && len > 0 && len <= TOKEN_MAX && off + len <= at && at <= text.len);
        check(utf8_is_valid((struct str){text.ptr + off, len}));
        check(token_lower(text.ptr + off, len, lower) <= sizeof lower);
        words[n++] = (struct word){.off = (uint32_t)off, .len = (uint16_t)len};
        end = at;
    }
    check(at == text.len);
    check(stem_words(s, data[0] % STEM_LANGS, text, words, n, ids, ids + text.len + 1, NULL, 0) <=
          n);
    free(ids);
    free(words);
    stemmer_free(s);
    return 0;
}
