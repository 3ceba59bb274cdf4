/* zip.c - the markup in a zip archive, by libarchive, within ceilings.
 *
 * A decompression bomb unpacks to much more than its size, by deflate or by entries that
 * share their bytes. So the sum over all entries is bounded, absolutely and by the size of
 * the archive. Entries that are not markup (pictures, fonts) are skipped.
 * SPDX-License-Identifier: MIT */
#include "parse/document/document_int.h"

#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

#define PIECE KIB(16) /* read at once */

static bool is_wanted(struct str name)
{
    static const struct str ends[] = {STR(".xml"),   STR(".rels"), STR(".opf"),
                                      STR(".xhtml"), STR(".html"), STR(".htm")};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends_i(name, ends[i]))
            return true;
    return str_eq(name, STR("mimetype"));
}

/* How many bytes an archive of this size may unpack to. */
static size_t allowance(size_t packed)
{
    size_t most = packed < LIMIT_DOCUMENT / LIMIT_DECODED_RATIO ? packed * LIMIT_DECODED_RATIO
                                                                : LIMIT_DOCUMENT;

    return most < MIB(1) ? MIB(1) : most;
}

static enum status too_much(void)
{
    return status_fail(ST_LIMIT, "the document unpacks to too much");
}

static enum status read_part(struct archive *a, struct zip *z, const char *name, size_t *room)
{
    struct zip_part *part;
    la_ssize_t n = 1;

    MEM_GROW(z->parts, z->count, &z->cap);
    part = &z->parts[z->count++];
    *part = (struct zip_part){str_dup(str_of(name)), BUF_INIT(LIMIT_DOCUMENT + PIECE)};
    while (n > 0) {
        n = archive_read_data(a, buf_room(&part->bytes, PIECE), PIECE);
        if (n <= 0)
            break;
        if ((size_t)n > *room)
            return too_much();
        *room -= (size_t)n;
        part->bytes.len += (size_t)n;
    }
    return n < 0 ? status_fail(ST_INVALID, "a part of the document is broken") : ST_OK;
}

static enum status read_parts(struct archive *a, size_t packed, struct zip *ret)
{
    size_t room = allowance(packed), entries = 0;
    struct archive_entry *e = NULL;
    enum status st = ST_OK;

    while (st == ST_OK && archive_read_next_header(a, &e) >= ARCHIVE_WARN && e != NULL) {
        const char *name = archive_entry_pathname_utf8(e);

        if (++entries > LIMIT_DOCUMENT_PARTS)
            return status_fail(ST_LIMIT, "the document has too many parts");
        if (name == NULL)
            name = archive_entry_pathname(e);
        if (name != NULL && is_wanted(str_of(name)))
            st = read_part(a, ret, name, &room);
        e = NULL;
    }
    return st;
}

enum status zip_read(struct str bytes, struct zip *ret)
{
    struct archive *a = archive_read_new();
    enum status st = ST_INVALID;

    *ret = (struct zip){0};
    if (a != NULL && archive_read_support_format_zip(a) == ARCHIVE_OK &&
        archive_read_open_memory(a, bytes.ptr, bytes.len) == ARCHIVE_OK)
        st = read_parts(a, bytes.len, ret);
    (void)archive_read_free(a);
    return st;
}

void zip_clear(struct zip *z)
{
    for (size_t i = 0; i < z->count; i++) {
        free(z->parts[i].name);
        buf_free(&z->parts[i].bytes);
    }
    free(z->parts);
    *z = (struct zip){0};
}

struct str zip_part(const struct zip *z, struct str name)
{
    for (size_t i = 0; i < z->count; i++)
        if (str_eq(str_of(z->parts[i].name), name))
            return buf_str(&z->parts[i].bytes);
    return (struct str){NULL, 0};
}
