/* example.h - a text as an example of a topic, read as start/topic.c reads one: the terms
 * of its profile. SPDX-License-Identifier: MIT */
#pragma once

#include "base/limits.h"
#include "text/profile.h"
#include "text/words/token.h"

/* A page of this text alone. Its words live in the arena. */
static inline struct page page_of_text(struct str text, struct arena *arena)
{
    struct page page = {.text = text};
    size_t at = 0, off, len;

    page.words = arena_array(arena, text.len + 1, sizeof *page.words);
    while (token_next(text, &at, &off, &len))
        page.words[page.nwords++] = (struct word){.off = (uint32_t)off, .len = (uint16_t)len};
    return page;
}

static inline enum status example_add(struct topic *t, struct str text, bool positive)
{
    struct profiler *p = profiler_new(t);
    struct profile profile;
    struct arena arena;
    struct page page;
    enum status st;

    arena_init(&arena, MIB(64));
    page = page_of_text(text, &arena);
    (void)profile_page(p, &page, STR("http://localhost/"), NULL, &arena, &profile);
    st = topic_add_sample(t, profile.terms, profile.nterms, positive);
    arena_free(&arena);
    profiler_free(p);
    return st;
}
