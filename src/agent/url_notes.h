/* url_notes.h - what a model remembers of a URL, from the page that named it
 * until the answer to its visit.
 *
 * A note is a struct of the model's own, zeroed when it is made. After a
 * redirect, a visit ends at another URL than requested; then the answer is
 * recognised by the score of the choice, which comes back unchanged (if several
 * visits have that score, one of them is taken, always the same one).
 */
#pragma once

#include "agent/url_index.h"
#include "base/fields.h"
#include "flow.h"

struct note_head;
struct note_visit;

struct url_notes {
    struct url_index where; /* URL -> place in slots, counted from 1 */
    unsigned char *slots;   /* a head and a note each */
    size_t size, stride;    /* bytes of a note; of a slot */
    const struct field *fields;
    size_t count, cap;
    struct note_visit *visits; /* visits under way */
    size_t nvisits, visits_cap;
};

/* Makes a set of notes of `size` bytes; `fields` are the members that a checkpoint keeps. */
void url_notes_init(struct url_notes *n, size_t size, const struct field *fields);
void url_notes_clear(struct url_notes *n);

/* Returns the note of a URL, or NULL if there is none; url_notes_at() makes a new one. Lent until
 * the next note is made or removed. */
void *url_notes_find(const struct url_notes *n, uint32_t url);
void *url_notes_at(struct url_notes *n, uint32_t url, bool *ret_new);
void url_notes_remove(struct url_notes *n, uint32_t url); /* does nothing if there is none */

/* A visit of a URL that has a note begins. When it is answered, url_notes_close() copies its note
 * to *ret, removes it and returns true. */
void url_notes_open(struct url_notes *n, const struct choice *c);
bool url_notes_close(struct url_notes *n, const struct choice *c, void *ret);

void url_notes_save(const struct url_notes *n, struct buf *out);
enum status url_notes_load(struct url_notes *n, struct cursor *from) MUST_USE;
