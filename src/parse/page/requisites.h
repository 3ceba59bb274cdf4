/* requisites.h - the files that a page needs to be shown as it looked: style sheets, images, fonts.
 *
 * In: the bytes of an HTML document or of a style sheet, and its URL. Out: absolute, normalised
 * URLs (http and https), each once, in document order. Scripts are not among them: brood runs
 * none, and in an archive they would request files that were never archived.
 */
#pragma once

#include "base/arena.h"
#include "base/limits.h"

struct requisites {
    struct str urls[LIMIT_REQUISITES_PAGE]; /* in the arena */
    uint32_t count;
};

/* An empty list, or NULL if the arena is full. */
struct requisites *requisites_new(struct arena *arena);

/* Adds the URLs of a document: link rel=stylesheet and icon, img, picture, poster, background, and
 * those in its style elements and attributes. */
void requisites_of_html(struct str html, struct str url, struct arena *arena,
                        struct requisites *io);

/* Adds the URLs of a style sheet: @import and url(). */
void requisites_of_css(struct str css, struct str url, struct arena *arena, struct requisites *io);

/* Does this Content-Type belong to a requisite? */
bool requisites_has_type(struct str content_type);
