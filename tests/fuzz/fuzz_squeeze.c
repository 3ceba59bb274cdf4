/* fuzz_squeeze.c - any texts, squeezed. SPDX-License-Identifier: MIT
 *
 * The input is a list of lines: a table is learned from every second one, and all of them have to
 * come back as they were. */
#include "base/mem.h"
#include "frontier/squeeze.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void round_trip(const struct squeeze *s, struct str text)
{
    char *small = mem_alloc(squeeze_most(text.len) + 1);
    char *back = mem_alloc(text.len + SQUEEZE_LONG);
    size_t n = squeeze_put(s, text, small);

    check(n <= squeeze_most(text.len));
    check(squeeze_get(s, (struct str){small, n}, back, text.len) == text.len);
    check(text.len == 0 || memcmp(back, text.ptr, text.len) == 0);
    (void)squeeze_get(s, text, back, text.len); /* of what was never written */
    free(small);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line, *sample = NULL;
    size_t count = 0, cap = 0;
    struct squeeze s;

    for (size_t n = 0; str_cut(&rest, '\n', &line); n++) {
        if (n % 2 == 0) {
            MEM_GROW(sample, count, &cap);
            sample[count++] = line;
        }
    }
    squeeze_learn(&s, sample, count);
    rest = (struct str){(const char *)data, size};
    while (str_cut(&rest, '\n', &line))
        round_trip(&s, line);
    free(sample);
    return 0;
}
