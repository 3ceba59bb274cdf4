/* archived.h - reads the archived answers of a world one by one: header fields and decoded payload.
 *
 *     archived_init(&a, world);
 *     if (archived_read(&a, version, &memory) == ST_OK && archived_decode(&a, &payload))
 *         in = archived_input(&a, payload);     … page_parse()
 *     archived_clear(&a);
 *
 * Belongs to one thread: it touches nothing but the archive's files.
 */
#pragma once

#include "base/arena.h"
#include "parse/page/page.h"
#include "sim/world.h"

struct archived {
    const struct world *world;
    struct world_reader *reader;
    struct buf head, body, decoded; /* of the answer read last */
    struct reply reply;             /* fields of its header block */
    uint32_t version;
};

void archived_init(struct archived *a, const struct world *w);
void archived_clear(struct archived *a);

/* Reads a version's answer; its fields lie in `memory`. Fails as world_reader_read(). */
enum status archived_read(struct archived *a, uint32_t version, struct arena *memory) MUST_USE;

/* Undoes the content coding of the answer read last. Returns false if the coding is broken, or if
 * the payload is larger than a page may be. The payload is valid until the next answer is read. */
bool archived_decode(struct archived *a, struct str *ret_payload);

/* Returns what parse/ needs to know of the answer. */
struct page_input archived_input(const struct archived *a, struct str payload);

/* Returns the hash of a text in which only the names of stamps such as "$Id: x,v 1.2 2005/01/02 $"
 * count; `scratch` is emptied first. */
uint64_t archived_bare_hash(struct str text, struct buf *scratch);
