/* url_set.h - a set of URL numbers: one bit each, growing as needed. */
#pragma once

#include "base/buf.h"

struct url_set {
    uint64_t *bits;
    size_t words; /* of 64 bits */
};

void url_set_clear(struct url_set *s); /* empties it and frees its memory */
static inline bool url_set_has(const struct url_set *s, uint32_t url)
{
    return url / 64 < s->words && (s->bits[url / 64] >> url % 64 & 1);
}

bool url_set_add(struct url_set *s, uint32_t url); /* returns false if it was in already */
void url_set_remove(struct url_set *s, uint32_t url);

/* Saves the gaps between numbers: one or two bytes for each number. */
void url_set_save(const struct url_set *s, struct buf *out);
enum status url_set_load(struct url_set *s, struct cursor *from) MUST_USE; /* into an empty set */
