/* seed.h - a place to start, as people write it. */
#pragma once

#include "base/option.h"

/* Adds its URL. A missing scheme means http. What looks like a scheme that we do not fetch
 * by is refused, with a guess at what was meant. */
enum status seed_read(struct str text, struct text_list *ret) MUST_USE;

/* Those of --seed and of the file of --seeds (may be NULL). */
enum status seeds_given(const struct text_list *seed, const char *file,
                        struct text_list *ret) MUST_USE;

/* Is it a host's name alone, without scheme and path? Then its sitemap and its feeds are looked
 * for where they usually are: adds their addresses, given the URL that seed_read() made of it. */
bool seed_is_host(struct str text);
void seed_guesses(struct str url, struct text_list *ret);

#define SEEDS_NONE                                                                               \
    "no place to start: give --seed URL, --seeds FILE, --seeds-from DIR|FILE, --seeds-from-cdx " \
    "URL|FILE or --search URL"
