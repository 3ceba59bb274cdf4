/* warc_int.h - what warc.c and warc_time.c share.
 *
 * warc.c reads records and finds out what each answer is. Without versions it takes them in the
 * order of the files; with versions warc_time.c first lists all captures, and then passes them on
 * in order of time, so that a page may change, disappear and come back.
 */
#pragma once

#include "sim/import/import_int.h"
#include "store/read/warc_read.h"

/* Where a payload lies, for records that repeat it. */
struct payload_place {
    uint32_t file; /* index into files */
    uint64_t offset;
};

#define GONE 0u /* in captures.stands: there was a page, and it disappeared */

struct captures {
    struct importer *im;
    bool versions;
    char **files;
    size_t nfiles, files_cap;
    uint32_t file; /* the one being read */
    struct payload_place *places;
    size_t nplaces, places_cap;
    struct map digests; /* hash of a payload digest -> place */
    struct map said;    /* no versions: URL and payload of a page, together */
    struct map stands;  /* versions: url_key() -> half a hash of its last payload, or GONE */
    struct map ever;    /* versions: url_key() of what is answered with 200 at some time */
    struct recording *recording; /* versions: the list being made */
    struct buf body, name;
};

typedef enum status record_fn(struct captures *c, const struct warc_record *rec);

/* Calls fn for every record of every file; damage is noted. */
enum status captures_read(struct captures *c, record_fn *fn) MUST_USE;
/* Is the record the answer of a URL? If so, *ret_url is the normalised URL, valid until the next
 * record. */
bool captures_wants(struct captures *c, const struct warc_record *rec, struct str *ret_url);
/* Remembers the record, so that a revisit of the same payload finds it. */
void captures_remember(struct captures *c, const struct warc_record *rec);
/* Adds the record's answer to the world, at that time. */
enum status captures_add(struct captures *c, const struct warc_record *rec, int64_t at) MUST_USE;

/* warc_time.c: adds all captures in order of time, and sets the world's window. */
enum status captures_in_time(struct captures *c) MUST_USE;
