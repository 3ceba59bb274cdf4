/* seed.h - a place to start, as people write it. */
#pragma once

#include "base/option.h"

/* Adds its URL. A missing scheme means http. What looks like a scheme that we do not fetch
 * by is refused, with a guess at what was meant. */
enum status seed_read(struct str text, struct text_list *ret) MUST_USE;

/* Those of --seed and of the file of --seeds (may be NULL). */
enum status seeds_given(const struct text_list *seed, const char *file,
                        struct text_list *ret) MUST_USE;
