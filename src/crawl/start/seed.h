/* seed.h - a place to start, as people write it. */
#pragma once

#include "base/option.h"

/* Adds its URL. A missing scheme means http; what was meant for a scheme and is none of
 * ours is refused, with what may have been meant. */
enum status seed_read(struct str text, struct text_list *ret) MUST_USE;
