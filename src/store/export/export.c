/* export.c - a crawl in formats that other programs read: the table, and the code that writers
 * share.
 * SPDX-License-Identifier: MIT */
#include "store/export/export.h"

#include "base/utf8.h"
#include "store/export/export_int.h"

#include <errno.h>

#define ROW(name, write, kind, help) {#name, kind, write},
const struct export_format export_formats[] = {EXPORT_FORMATS(ROW)};
#undef ROW

enum status export_put(FILE *out, struct str s)
{
    if (s.len && fwrite(s.ptr, 1, s.len, out) != s.len)
        return status_fail(ST_IO, "the output cannot be written: %s", strerror(errno));
    return ST_OK;
}

void export_step(struct export_lines *l)
{
    int64_t total = 0;

    if (l->to->progress == NULL)
        return;
    if (l->done == 0 && db_int(l->q->db, "SELECT count(*) FROM page_row", &total) == ST_OK)
        l->total = (uint64_t)total;
    l->to->progress(l->to->ctx, l->done++, l->total);
}

enum status export_line(struct export_lines *l)
{
    buf_add_char(&l->line, '\n');
    if (l->line.full)
        return status_fail(ST_LIMIT, "a line is longer than %zu bytes", l->line.max);
    export_step(l);
    return export_put(l->out, buf_str(&l->line));
}

enum status export_end(struct export_lines *l, enum status st)
{
    buf_free(&l->line);
    buf_free(&l->text);
    return st;
}

void export_xml_str(struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.len;) {
        char bytes[4];
        uint32_t c = utf8_next(s, &at);

        if (c == '<')
            buf_add_z(out, "&lt;");
        else if (c == '&')
            buf_add_z(out, "&amp;");
        else if (c == '>')
            buf_add_z(out, "&gt;");
        else if (c == '"')
            buf_add_z(out, "&quot;");
        else if ((c >= ' ' && c != 0xfffe && c != 0xffff) || c == '\t' || c == '\n')
            buf_add(out, bytes, utf8_put(c, bytes));
    }
}
