/* fuzz_topic.c - a topic file, and a page measured by it.
 * SPDX-License-Identifier: MIT
 *
 * The text before the first NUL is the topic, the rest a page. */
#include "../support/example.h"

#include "text/vocab.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void measure(struct topic *t, struct str text)
{
    struct profiler *p = profiler_new(t);
    struct profile profile;
    struct arena arena;
    struct page page;

    arena_init(&arena, MIB(64));
    page = page_of_text(text, &arena);
    page.title = text;
    profile_page(p, &page, text, NULL, &arena, &profile);
    if (!(profile.relevance >= 0 && profile.relevance <= 1 && profile.similarity >= 0 &&
          profile.similarity <= 1))
        abort();
    arena_free(&arena);
    profiler_free(p);
}

/* Placed in a folder, a topic has the same lines; in a second one nothing moves. */
static void place(struct str text, size_t examples)
{
    struct buf once = BUF_INIT(MIB(16)), twice = BUF_INIT(MIB(16));
    struct topic *t = NULL;

    if (topic_place(text, STR("/a"), &once) != ST_OK ||
        topic_place(buf_str(&once), STR("/b"), &twice) != ST_OK ||
        !str_eq(buf_str(&once), buf_str(&twice)))
        abort();
    if (topic_from_text(buf_str(&once), "fuzz", STR("en"), &t) == ST_OK &&
        topic_examples(t) != examples)
        abort();
    topic_free(t);
    buf_free(&once);
    buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {(const char *)data, size};
    size_t cut = str_find_char(all, '\0', 0);
    struct buf out = BUF_INIT(MIB(1));
    struct topic *t;

    if (cut == SIZE_MAX)
        cut = size;
    if (topic_from_text(str_sub(all, 0, cut), "fuzz", STR("en"), &t) != ST_OK)
        return 0;
    place(str_sub(all, 0, cut), topic_examples(t));
    topic_describe(t, &out);
    measure(t, str_sub(all, cut + 1, size));
    if (example_add(t, str_sub(all, cut + 1, size), size % 2) == ST_OK)
        measure(t, str_sub(all, 0, cut));
    buf_free(&out);
    topic_free(t);
    return 0;
}
