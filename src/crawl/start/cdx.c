/* cdx.c - see cdx.h. SPDX-License-Identifier: MIT */
#include "crawl/start/cdx.h"

#include "base/limits.h"

#include <jansson.h>

#define FIELDS    16 /* of a row that are looked at */
#define NO_COLUMN FIELDS
#define LINE_MAX  (2 * LIMIT_URL + KIB(4)) /* longer lines are no rows: key, URL and the rest */

/* The column in which each part of a row stands. */
struct cdx_columns {
    size_t url, mime, status;
};

struct cdx_reader {
    cdx_fn *fn;
    void *ctx;
    struct cdx_columns columns;
    size_t rows;
};

/* The Wayback Machine's order, unless a first line says otherwise. */
static const struct cdx_columns usual = {2, 3, 4};

static bool is_stamp(struct str s)
{
    bool digits = s.len >= 4 && s.len <= 17;

    for (size_t i = 0; i < s.len; i++)
        digits = digits && ascii_is_digit(s.ptr[i]);
    return digits;
}

static size_t split(struct str line, struct str fields[FIELDS])
{
    size_t n = 0;
    struct str field;

    while (n < FIELDS && str_cut(&line, ' ', &field))
        if (field.len > 0)
            fields[n++] = field;
    return n;
}

static void row(struct cdx_reader *r, struct str url, struct str mime, struct str status)
{
    struct cdx_row found = {.url = url, .mime = mime};
    uint64_t number;

    if (url.len == 0 || url.len > LIMIT_URL)
        return;
    if (str_to_u64(status, &number) && number < 1000)
        found.status = (int)number;
    if (str_eq(mime, STR("-")) || str_eq(mime, STR("unk")))
        found.mime = STR("");
    r->rows++;
    r->fn(r->ctx, &found);
}

/* ---- lines --------------------------------------------------------------- */

static struct str member(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return (struct str){json_string_value(value), json_string_length(value)};
}

static void read_object(struct cdx_reader *r, struct str text)
{
    json_auto_t *object = json_loadb(text.ptr, text.len, 0, NULL);
    struct str mime = member(object, "mime-detected");

    row(r, member(object, "url"), mime.len ? mime : member(object, "mime"),
        member(object, "status"));
}

/* " CDX N b a m s k r M S V g": one letter names each column. */
static void read_legend(struct cdx_reader *r, struct str line)
{
    struct str fields[FIELDS];
    size_t n = split(line, fields);

    r->columns = (struct cdx_columns){NO_COLUMN, NO_COLUMN, NO_COLUMN};
    for (size_t i = 1; i < n; i++) {
        char letter = fields[i].len == 1 ? fields[i].ptr[0] : 0;

        if (letter == 'a')
            r->columns.url = i - 1;
        else if (letter == 'm')
            r->columns.mime = i - 1;
        else if (letter == 's')
            r->columns.status = i - 1;
    }
}

static struct str nth(const struct str *fields, size_t n, size_t i)
{
    return i < n ? fields[i] : STR("");
}

static void read_line(struct cdx_reader *r, struct str line)
{
    struct str fields[FIELDS];
    size_t n, brace;

    if (line.len == 0 || line.len > LINE_MAX)
        return;
    if (str_starts(line, STR(" CDX "))) {
        read_legend(r, line);
        return;
    }
    brace = str_find_char(line, '{', 0);
    n = split(line, fields);
    if (brace == 0 || (n > 2 && is_stamp(fields[1]) && fields[2].ptr[0] == '{'))
        read_object(r, str_sub(line, brace, line.len));
    else if (n > 2)
        row(r, nth(fields, n, r->columns.url), nth(fields, n, r->columns.mime),
            nth(fields, n, r->columns.status));
}

/* ---- an array of arrays -------------------------------------------------- */

static struct str item(const json_t *array, size_t i)
{
    const json_t *value = json_array_get(array, i);

    return (struct str){json_string_value(value), json_string_length(value)};
}

static void read_names(struct cdx_reader *r, const json_t *names)
{
    r->columns = (struct cdx_columns){NO_COLUMN, NO_COLUMN, NO_COLUMN};
    for (size_t i = 0; i < json_array_size(names) && i < FIELDS; i++) {
        struct str name = item(names, i);

        if (str_eq(name, STR("original")))
            r->columns.url = i;
        else if (str_eq(name, STR("mimetype")))
            r->columns.mime = i;
        else if (str_eq(name, STR("statuscode")))
            r->columns.status = i;
    }
}

static void read_arrays(struct cdx_reader *r, struct str text)
{
    json_auto_t *rows = json_loadb(text.ptr, text.len, 0, NULL);
    const json_t *one;
    size_t i;

    read_names(r, json_array_get(rows, 0));
    json_array_foreach(rows, i, one)
    {
        if (i > 0)
            row(r, item(one, r->columns.url), item(one, r->columns.mime),
                item(one, r->columns.status));
    }
}

/* ---- all ----------------------------------------------------------------- */

static bool is_arrays(struct str text)
{
    text = str_trim(str_sub(text, 0, 64));
    return text.len > 1 && text.ptr[0] == '[' &&
           str_starts(str_trim(str_sub(text, 1, text.len)), STR("["));
}

bool cdx_is(struct str text)
{
    struct str rest = text, line = STR(""), fields[FIELDS];
    size_t n;

    if (is_arrays(text) || str_starts(text, STR(" CDX ")))
        return true;
    (void)str_cut(&rest, '\n', &line);
    if (line.len > LINE_MAX)
        return false;
    if (str_starts(line, STR("{")) && str_find(line, STR("\"urlkey\""), 0) != SIZE_MAX)
        return true;
    n = split(line, fields);
    return n > 2 && is_stamp(fields[1]);
}

enum status cdx_read(struct str text, cdx_fn *fn, void *ctx)
{
    struct cdx_reader r = {.fn = fn, .ctx = ctx, .columns = usual};
    struct str line;

    if (is_arrays(text))
        read_arrays(&r, text);
    else
        while (str_cut(&text, '\n', &line))
            read_line(&r, str_ends(line, STR("\r")) ? str_sub(line, 0, line.len - 1) : line);
    return r.rows > 0 ? ST_OK : status_fail(ST_INVALID, "this is no index of a web archive (CDX)");
}
