/* Any snippet: the text is short, folded and stays inside its room.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/plain.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size}, out;
    struct arena arena;

    arena_init(&arena, MIB(16));
    for (int markup = 0; markup < 2; markup++) {
        out = plain_text(in, markup, LIMIT_TITLE, &arena);
        if (out.ptr == NULL)
            continue;
        if (out.len > LIMIT_TITLE || str_find(out, STR("  "), 0) != SIZE_MAX ||
            (out.len && (out.ptr[0] == ' ' || out.ptr[out.len - 1] == ' ')))
            abort();
    }
    arena_free(&arena);
    return 0;
}
