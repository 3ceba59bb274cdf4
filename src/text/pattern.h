/* pattern.h - `match` and `reject` lines of a topic, in bounded time.
 *
 * A pattern is a glob (str_match()) that ignores case. "*word*" is a search for
 * the word; a pattern without * and ? means the same. Any other pattern must
 * cover a whole URL (with or without its scheme), a whole title, or a whole
 * line of the text (a block of the page).
 *
 * Searches see the first LIMIT_PATTERN_TEXT bytes of the text, other
 * patterns the first LIMIT_PATTERN_GLOB, so that a pattern costs at most
 * LIMIT_PATTERN times as many steps.
 */
#pragma once

#include "base/arena.h"
#include "base/status.h"

struct pattern {
    struct str glob;  /* lower case */
    struct str plain; /* what to search for, if is_plain */
    bool is_plain;
};

/* Copies to the arena. Returns ST_USAGE for an empty or too long text. */
enum status pattern_parse(struct str text, struct arena *arena, struct pattern *ret) MUST_USE;

/* Each of them matches a text that is in lower case. */
bool pattern_in_url(const struct pattern *p, struct str url);
bool pattern_in_line(const struct pattern *p, struct str line);
bool pattern_in_text(const struct pattern *p, struct str text);
