/* fuzz_token.c - words and stems of any bytes. SPDX-License-Identifier: MIT
 *
 * The first byte picks the language. Checks: words move forward, lie in the
 * text, are short, hold whole characters, and are the same when several are asked
 * for together. */
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

static void check_together(struct str text, const struct word *words, size_t n)
{
    struct word some[7];
    size_t at = 0, done = 0, got;

    do {
        got = token_words(text, &at, some, ARRAY_LEN(some));
        check(done + got <= n);
        for (size_t i = 0; i < got; i++, done++)
            check(some[i].off == words[done].off && some[i].len == words[done].len);
    } while (got == ARRAY_LEN(some));
    check(done == n && at == text.len);
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
    check_together(text, words, n);
    check(stem_words(s, data[0] % STEM_LANGS, text, words, n, ids, ids + text.len + 1, NULL, 0) <=
          n);
    free(ids);
    free(words);
    stemmer_free(s);
    return 0;
}
