/* fuzz_requisites.c - any bytes as a document and as a style sheet. SPDX-License-Identifier: MIT */
#include "parse/page/requisites.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct arena arena;
    struct requisites *r;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    r = requisites_new(&arena);
    assert(r != NULL);
    requisites_of_html(input, STR("http://a.test/d/p"), &arena, r);
    requisites_of_css(input, STR("http://a.test/d/p"), &arena, r);
    assert(r->count <= LIMIT_REQUISITES_PAGE);
    for (uint32_t i = 0; i < r->count; i++)
        assert(str_starts(r->urls[i], STR("http")));
    (void)requisites_has_type(input);
    arena_free(&arena);
    return 0;
}
