/* json.c - writing JSON, streamed into a struct buf. SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/os/clock.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void json_init(struct json *j, struct buf *out)
{
    *j = (struct json){.out = out};
    j->first[0] = true;
}

static void quote_char(struct buf *out, struct str value, size_t *at)
{
    size_t from = *at;
    uint32_t cp = utf8_next(value, at);

    if (cp == '"' || cp == '\\') {
        buf_add_char(out, '\\');
        buf_add_char(out, (char)cp);
    } else if (cp == '\n') {
        buf_add_z(out, "\\n");
    } else if (cp == '\t') {
        buf_add_z(out, "\\t");
    } else if (utf8_is_control(cp)) {
        buf_addf(out, "\\u%04x", cp);
    } else if (cp == UTF8_BAD) {
        buf_add_z(out, "\xef\xbf\xbd");
    } else {
        buf_add(out, value.ptr + from, *at - from);
    }
}

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/* Most of a text needs no escape, so it is added in runs. */
static void json_quote(struct buf *out, struct str value)
{
    buf_add_char(out, '"');
    for (size_t at = 0; at < value.len;) {
        size_t from = at;

        while (at < value.len && is_plain(value.ptr[at]))
            at++;
        if (at > from)
            buf_add(out, value.ptr + from, at - from);
        else
            quote_char(out, value, &at);
    }
    buf_add_char(out, '"');
}

static void json_name(struct json *j, const char *name)
{
    if (!j->first[j->depth])
        buf_add_char(j->out, ',');
    j->first[j->depth] = false;
    if (name) {
        json_quote(j->out, str_of(name));
        buf_add_char(j->out, ':');
    }
}

static void open_level(struct json *j, const char *name, char open, char close)
{
    assert(j->depth < JSON_DEPTH);
    json_name(j, name);
    buf_add_char(j->out, open);
    j->close[j->depth++] = close;
    j->first[j->depth] = true;
}

void json_open_object(struct json *j, const char *name)
{
    open_level(j, name, '{', '}');
}

void json_open_array(struct json *j, const char *name)
{
    open_level(j, name, '[', ']');
}

void json_close(struct json *j)
{
    assert(j->depth > 0);
    buf_add_char(j->out, j->close[--j->depth]);
}

void json_begin(struct json *j, struct buf *out)
{
    json_init(j, out);
    json_open_object(j, NULL);
}

void json_end(struct json *j)
{
    while (j->depth > 0)
        json_close(j);
    buf_add_char(j->out, '\n');
}

void json_put_str(struct json *j, const char *name, struct str value)
{
    json_name(j, name);
    json_quote(j->out, value);
}

void json_put_z(struct json *j, const char *name, const char *value)
{
    if (value)
        json_put_str(j, name, str_of(value));
    else
        json_put_null(j, name);
}

void json_put_int(struct json *j, const char *name, int64_t value)
{
    json_name(j, name);
    buf_addf(j->out, "%lld", (long long)value);
}

void json_put_num(struct json *j, const char *name, double value)
{
    char text[40];

    json_name(j, name);
    if (!isfinite(value)) {
        buf_add_z(j->out, "null");
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    buf_add_z(j->out, text);
}

void json_put_bool(struct json *j, const char *name, bool value)
{
    json_name(j, name);
    buf_add_z(j->out, value ? "true" : "false");
}

void json_put_null(struct json *j, const char *name)
{
    json_name(j, name);
    buf_add_z(j->out, "null");
}

void json_put_raw(struct json *j, const char *name, struct str value)
{
    json_name(j, name);
    buf_add_str(j->out, value);
}

void json_put_text(struct json *j, const char *name, struct str value)
{
    if (value.len)
        json_put_str(j, name, value);
    else
        json_put_null(j, name);
}

void json_put_ref(struct json *j, const char *name, uint64_t number)
{
    if (number)
        json_put_int(j, name, (int64_t)number);
    else
        json_put_null(j, name);
}

void json_put_time(struct json *j, const char *name, int64_t at)
{
    char text[CLOCK_TEXT];

    clock_format(at, 3, text);
    json_put_z(j, name, at ? text : NULL);
}
