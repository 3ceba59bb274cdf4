/* requisites.h - what a page needs to look as it did: style sheets, images, fonts.
 *
 * In: the bytes of an HTML document or of a style sheet, and its URL. Out: absolute, normalised
 * URLs (http and https), each once, in document order. Scripts are not among them: brood runs
 * none, and an archive with them would fetch what was never archived.
 */
#pragma once

#include "base/arena.h"
#include "base/limits.h"

struct requisites {
    struct str urls[LIMIT_REQUISITES_PAGE]; /* in the arena */
    uint32_t count;
};

/* None so far; NULL where the arena is full. */
struct requisites *requisites_new(struct arena *arena);

/* Adds those of a document: link rel=stylesheet and icon, img, picture, poster, background, and
 * what its style elements and attributes name. */
void requisites_of_html(struct str html, struct str url, struct arena *arena,
                        struct requisites *io);

/* Adds those of a style sheet: @import and url(). */
void requisites_of_css(struct str css, struct str url, struct arena *arena, struct requisites *io);

/* Is a document of this Content-Type one? */
bool requisites_has_type(struct str content_type);
