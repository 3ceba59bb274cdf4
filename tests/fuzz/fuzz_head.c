/* The header block of a reply. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/http/head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reply reply = {.head = {(const char *)data, size}};
    struct head_facts facts;
    struct arena arena;

    arena_init(&arena, MIB(16));
    head_read(&reply, &arena, &facts);
    arena_free(&arena);
    return 0;
}
