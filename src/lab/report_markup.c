/* report_markup.c - HTML, safely. SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "base/utf8.h"

#include <math.h>

static const char *entity_of(uint32_t cp)
{
    switch (cp) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Characters that turn the reading direction would let a name rewrite its row. */
static bool is_unsafe(uint32_t cp)
{
    return (cp < 0x20 && cp != '\n' && cp != '\t') || (cp >= 0x7f && cp < 0xa0) ||
           (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069) || cp == UTF8_BAD;
}

void markup_text(struct buf *out, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        uint32_t cp = utf8_next(text, &at);
        const char *entity = entity_of(cp);

        if (entity)
            (void)buf_add_z(out, entity);
        else if (is_unsafe(cp))
            (void)buf_add_z(out, "\xef\xbf\xbd");
        else
            (void)buf_add(out, text.ptr + from, at - from);
    }
}

void markup_wrap(struct buf *out, const char *before, struct str text, const char *after)
{
    (void)buf_add_z(out, before);
    markup_text(out, text);
    (void)buf_add_z(out, after);
}

/* '<' stands in JSON only inside strings, where it can be written so. */
void markup_json(struct buf *out, struct str json)
{
    for (size_t i = 0; i < json.len; i++) {
        if (json.ptr[i] == '<')
            (void)buf_add_z(out, "\\u003c");
        else
            (void)buf_add_char(out, json.ptr[i]);
    }
}

void markup_style(struct buf *out, uint32_t model)
{
    (void)buf_addf(out, "class=\"s%u d%u\"", model % MARKUP_COLOURS,
                   model / MARKUP_COLOURS % MARKUP_DASHES);
}

void markup_model(struct buf *out, const struct results *r, uint32_t model)
{
    (void)buf_addf(out, "<span class=\"no\">%u</span> ", model + 1);
    markup_text(out, str_of(r->plan->models[model].label));
    if (report_is_lab_only(r, model))
        (void)buf_add_z(out, " <span class=\"note\">lab only</span>");
}

void markup_number(struct buf *out, double v)
{
    (void)buf_add_z(out, "<td class=\"num\"");
    if (isfinite(v))
        (void)buf_addf(out, " data-v=\"%.9g\"", v);
    (void)buf_add_char(out, '>');
    say_number(out, v);
    (void)buf_add_z(out, "</td>");
}
