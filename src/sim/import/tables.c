/* tables.c - the tables that an import reads: labels, manifests, events.
 *
 * In: text. Out: rows that borrow from it. Workload: 10^5 lines, once.
 * SPDX-License-Identifier: MIT */
#include "sim/import/tables.h"

#include "base/os/clock.h"

#define LAST_SECOND UINT64_C(253402300799) /* of the year 9999 */
#define BLOB_NAME   128                    /* bytes: room for SHA-512 in hex */

struct tsv table_of(struct str text)
{
    bool marked = str_starts(text, STR("\xef\xbb\xbf"));

    return (struct tsv){.rest = str_sub(text, marked ? 3 : 0, text.len)};
}

bool table_next(struct tsv *t, struct str *ret_line)
{
    struct str line;

    while (str_cut(&t->rest, '\n', &line)) {
        t->line++;
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        if (line.len == 0 || (t->line == 1 && line.ptr[0] == '#'))
            continue;
        *ret_line = line;
        return true;
    }
    return false;
}

/* Splits a line at its tabs; how many fields there are, of which `max` are kept. */
static size_t split(struct str line, struct str *ret, size_t max)
{
    size_t n = 0, from = 0, tab;

    do {
        tab = str_find_char(line, '\t', from);
        if (n < max)
            ret[n] = str_sub(line, from, tab);
        n++;
        from = tab + 1;
    } while (tab != SIZE_MAX);
    return n;
}

static bool has_nul(struct str line)
{
    return str_find_char(line, '\0', 0) != SIZE_MAX;
}

bool label_next(struct str *list, struct str *ret)
{
    struct str part;

    while (str_cut(list, ',', &part)) {
        *ret = str_trim(part);
        if (ret->len)
            return true;
    }
    return false;
}

const char *label_row(struct str line, struct label_row *ret)
{
    struct str field[2], rest, label;

    if (split(line, field, 2) != 2 || field[0].len == 0 || has_nul(line))
        return "wanted: path or URL, tab, labels separated by commas";
    rest = field[1];
    if (!label_next(&rest, &label))
        return "it has no label";
    *ret = (struct label_row){field[0], field[1]};
    return NULL;
}

const char *manifest_row(struct str line, struct manifest_row *ret)
{
    struct str field[3] = {{"", 0}, {"", 0}, {"", 0}};
    size_t n = split(line, field, 3);

    if (n < 2 || n > 3 || field[0].len == 0 || field[1].len == 0 || has_nul(line))
        return "wanted: file, tab, URL, and perhaps tab, labels separated by commas";
    *ret = (struct manifest_row){field[0], field[1], field[2]};
    return NULL;
}

/* Part of a file name: nothing that could lead elsewhere. */
static bool is_blob(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alpha(s.ptr[i]) && !ascii_is_digit(s.ptr[i]))
            return false;
    return s.len >= 3 && s.len <= BLOB_NAME;
}

const char *event_row(struct str line, struct event_row *ret)
{
    struct str field[4];
    uint64_t seconds;

    if (split(line, field, 4) != 4 || has_nul(line))
        return "wanted: seconds since 1970, tab, A, M or D, tab, blob, tab, path";
    if (!str_to_u64(field[0], &seconds) || seconds > LAST_SECOND)
        return "the time is no number of seconds since 1970";
    if (field[1].len != 1 || !strchr("AMD", field[1].ptr[0]))
        return "the kind of event is not A, M or D";
    if (!is_blob(field[2]))
        return "the blob's name is not made of 3 to 128 letters and digits";
    if (field[3].len == 0)
        return "the path is empty";
    *ret = (struct event_row){(int64_t)seconds * US_PER_S, field[1].ptr[0], field[2], field[3]};
    return NULL;
}
