/* fuzz_shingle.c - shingles of any bytes. SPDX-License-Identifier: MIT
 *
 * The input is two texts, parted by its first zero. Checks: sets ascend, a text is no
 * change of itself, nor with a stamp, and differences are those of the sets' sizes. */
#include "base/buf.h"
#include "text/shingle.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static struct shingles *read_text(struct str text)
{
    struct shingles *s = shingles_of(text), *again = shingles_of(text);

    for (uint32_t i = 1; i < s->count; i++)
        check(s->items[i - 1] < s->items[i]);
    check(!shingles_changed(s, again));
    free(again);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    size_t half = str_find_char(text, '\0', 0);
    struct buf stamped = BUF_INIT(size + 100);
    struct shingles *a, *b, *c;
    struct shingle_difference d;

    half = half == SIZE_MAX ? size : half;
    a = read_text(str_sub(text, 0, half));
    b = read_text(str_sub(text, half, size));
    d = shingles_compare(a, b);
    if (a->below == UINT32_MAX && b->below == UINT32_MAX)
        check(a->count + d.fresh + d.fresh_weak == b->count + d.gone + d.gone_weak);
    buf_add_z(&stamped, "$Id: a,v 1.2 2005/01/02 me $\n");
    buf_add_str(&stamped, str_sub(text, 0, half));
    c = shingles_of(buf_str(&stamped));
    check(!shingles_changed(a, c));
    free(a);
    free(b);
    free(c);
    buf_free(&stamped);
    return 0;
}
