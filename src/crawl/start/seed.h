/* seed.h - a place to start, as people write it. */
#pragma once

#include "base/option.h"

/* Adds its URL. A missing scheme means http. An unknown scheme is refused, with a guess at what was
 * meant. */
enum status seed_read(struct str text, struct text_list *ret) MUST_USE;

/* Adds the seeds of --seed and of the file of --seeds (may be NULL). */
enum status seeds_given(const struct text_list *seed, const char *file,
                        struct text_list *ret) MUST_USE;

/* Is it only a host's name, without scheme and path? Then the other function adds the usual
 * addresses of its sitemap and feeds, given the URL that seed_read() made of it. */
bool seed_is_host(struct str text);
void seed_guesses(struct str url, struct text_list *ret);

#define SEEDS_NONE                                                                               \
    "no place to start: give --seed URL, --seeds FILE, --seeds-from DIR|FILE, --seeds-from-cdx " \
    "URL|FILE or --search URL"
