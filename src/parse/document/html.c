/* html.c - the HTML that documents become. SPDX-License-Identifier: MIT */
#include "parse/document/document_int.h"

void doc_text(struct buf *out, struct str text)
{
    size_t from = 0;

    if (text.len == 0) /* then text.ptr may be NULL */
        return;
    for (size_t i = 0; i < text.len; i++) {
        const char *escape = text.ptr[i] == '<'   ? "&lt;"
                             : text.ptr[i] == '&' ? "&amp;"
                             : text.ptr[i] == '"' ? "&quot;"
                                                  : NULL;

        if (escape == NULL)
            continue;
        buf_add(out, text.ptr + from, i - from);
        buf_add_z(out, escape);
        from = i + 1;
    }
    buf_add(out, text.ptr + from, text.len - from);
}

static void add_meta(struct buf *out, const char *name, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(out, "<meta property=\"%s\" content=\"", name);
    doc_text(out, value);
    buf_add_z(out, "\">\n");
}

void doc_begin(struct buf *out, const struct doc_facts *facts)
{
    buf_add_z(out, "<!DOCTYPE html>\n<html lang=\"");
    doc_text(out, facts->lang);
    buf_add_z(out, "\"><head><meta charset=\"utf-8\"><title>");
    doc_text(out, facts->title);
    buf_add_z(out, "</title>\n");
    add_meta(out, "article:published_time", facts->created);
    add_meta(out, "article:modified_time", facts->changed);
    buf_add_z(out, "</head><body>\n");
}

void doc_end(struct buf *out)
{
    buf_add_z(out, "</body></html>\n");
}

bool doc_link(struct buf *out, struct str href)
{
    href = str_trim(href);
    if (href.len > LIMIT_URL ||
        (!str_starts_i(href, STR("http://")) && !str_starts_i(href, STR("https://"))))
        return false;
    buf_add_z(out, "<a href=\"");
    doc_text(out, href);
    buf_add_z(out, "\">");
    return true;
}
