/* Any bytes as an office document: what it becomes stays below its ceiling. The first byte
 * says how: as a zip archive, or, behind a header that we write, as the markup of one.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/document/document.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

static const char *const names[] = {"word/document.xml", "content.xml", "META-INF/container.xml",
                                    "docProps/core.xml", "word/_rels/document.xml.rels"};

static void add(struct archive *a, const char *name, const uint8_t *data, size_t size)
{
    struct archive_entry *e = archive_entry_new();

    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_size(e, (la_int64_t)size);
    if (archive_write_header(a, e) != ARCHIVE_OK ||
        archive_write_data(a, data, size) != (la_ssize_t)size)
        abort();
    archive_entry_free(e);
}

/* An archive with these bytes as each of its parts, from that name on. */
static struct str pack(unsigned first, const uint8_t *data, size_t size, struct buf *out)
{
    size_t room = 5 * size + KIB(16), used = 0;
    struct archive *a = archive_write_new();

    (void)archive_write_set_format_zip(a);
    (void)archive_write_set_options(a, "zip:compression=store");
    if (archive_write_open_memory(a, buf_room(out, room), room, &used) != ARCHIVE_OK)
        abort();
    for (unsigned i = first; i < sizeof names / sizeof *names; i++)
        add(a, names[i], data, size);
    (void)archive_write_close(a);
    (void)archive_write_free(a);
    out->len = used;
    return buf_str(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf html = BUF_INIT(MIB(1)), zip = BUF_INIT(MIB(64));
    struct str bytes = {(const char *)data, size};
    enum status st;

    if (size && data[0] < 3)
        bytes = pack(data[0], data + 1, size - 1, &zip);
    st = office_html(bytes, &html);
    if (st == ST_OK && (html.full || html.len == 0))
        abort();
    buf_free(&html);
    buf_free(&zip);
    return 0;
}
