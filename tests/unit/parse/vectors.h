/* vectors.h - reading the vectors of others. SPDX-License-Identifier: MIT */
#pragma once

#include "support/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* jansson refuses escapes of unpaired surrogates, which the vectors have: such
 * text becomes U+FFFD, as a browser's USVString does. */
static void vectors_pair_surrogates(char *s)
{
    unsigned a, b;

    for (char *p = s; (p = strstr(p, "\\u")) != NULL; p += 2) {
        if ((p > s && p[-1] == '\\') || sscanf(p + 2, "%4x", &a) != 1 || a < 0xd800 || a > 0xdfff)
            continue;
        if (a < 0xdc00 && p[6] == '\\' && p[7] == 'u' && sscanf(p + 8, "%4x", &b) == 1 &&
            b >= 0xdc00 && b <= 0xdfff)
            p += 6;
        else
            memcpy(p + 2, "fffd", 4);
    }
}

/* A JSON file, or one line of a JSON-lines file. */
static inline json_t *vectors_parse(char *text)
{
    json_error_t error;
    json_t *j;

    vectors_pair_surrogates(text);
    j = json_loads(text, JSON_ALLOW_NUL, &error);
    if (j == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    return j;
}

static inline json_t *vectors_load(const char *path)
{
    struct buf b = BUF_INIT((size_t)64 << 20);
    json_t *j;

    test_read(path, &b);
    j = vectors_parse(b.data);
    buf_free(&b);
    return j;
}

/* A string member; {NULL, 0} where it is absent or null. */
static inline struct str vectors_str(json_t *object, const char *name)
{
    json_t *v = json_object_get(object, name);

    return json_is_string(v) ? (struct str){json_string_value(v), json_string_length(v)}
                             : (struct str){NULL, 0};
}

/* The next field of a line of CSV with optional double quotes. */
static inline struct str vectors_field(struct str *line)
{
    char quote = '"';
    struct str field;
    size_t end;

    *line = str_trim(*line);
    if (line->len == 0 || line->ptr[0] != quote) {
        end = str_find_char(*line, ',', 0);
        field = str_trim(str_sub(*line, 0, end));
    } else {
        for (end = 1; end < line->len; end++) {
            if (line->ptr[end] != quote)
                continue;
            if (end + 1 < line->len && line->ptr[end + 1] == quote)
                end++;
            else
                break;
        }
        field = str_sub(*line, 1, end);
        end = str_find_char(*line, ',', end);
    }
    *line = end >= line->len ? STR("") : str_sub(*line, end + 1, line->len);
    return field;
}
