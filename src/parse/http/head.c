/* head.c - the header block of a reply, read in one pass.
 *
 * In: the block as libcurl hands it over, line by line glued together. Out:
 * struct reply's header fields. libcurl has refused NUL bytes and what is not
 * HTTP; everything else is taken as it comes.
 *
 * Source: RFC 9110 section 5, RFC 9112 section 5.
 * SPDX-License-Identifier: MIT */
#include "parse/http/head.h"

#include "base/limits.h"
#include "base/mem.h"

struct head_field {
    struct str name;
    size_t offset; /* of its struct str in struct reply */
    char join;     /* repeated lines are joined with this between them; 0: the last counts */
};

#define LIST(name, member, join)                                       \
    {                                                                  \
        {name, sizeof(name) - 1}, offsetof(struct reply, member), join \
    }
#define FIELD(name, member) LIST(name, member, 0)

static const struct head_field fields[] = {
    FIELD("content-type", content_type),
    LIST("content-encoding", content_encoding, ','),
    FIELD("location", location),
    FIELD("etag", etag),
    FIELD("last-modified", last_modified),
    FIELD("retry-after", retry_after),
    LIST("x-robots-tag", robots_tag, '\n'),
    LIST("link", link, ','),
    FIELD("content-language", content_language),
    FIELD("date", date),
    FIELD("age", age),
    FIELD("content-signal", content_signal),
    FIELD("tdm-reservation", tdm_reservation),
    FIELD("tdm-policy", tdm_policy),
};

int head_status(struct str line)
{
    size_t at = str_find_char(line, ' ', 0);
    int status = 0;

    if (!str_starts(line, STR("HTTP/")) || at == SIZE_MAX || line.len < at + 4)
        return 0;
    for (size_t i = at + 1; i < at + 4; i++) {
        if (!ascii_is_digit(line.ptr[i]))
            return 0;
        status = status * 10 + (line.ptr[i] - '0');
    }
    return status;
}

/* Adds a value to a list field. The list is copied for each line;
 * that is bounded by LIMIT_HEADER_LINES times HEAD_JOINED, and
 * usually there is only one line. */
static void list_add(struct arena *arena, struct str *list, bool is_first, char join,
                     struct str value)
{
    size_t len = list->len + 2 + value.len;
    char *joined;

    if (is_first) {
        *list = value;
        return;
    }
    if (len > HEAD_JOINED)
        return;
    joined = arena_alloc(arena, len);
    if (joined == NULL)
        return;
    if (list->len)
        memcpy(joined, list->ptr, list->len);
    joined[list->len] = join;
    joined[list->len + 1] = ' ';
    if (value.len)
        memcpy(joined + list->len + 2, value.ptr, value.len);
    *list = (struct str){joined, len};
}

static void line_read(struct reply *reply, struct arena *arena, struct str line, unsigned *seen,
                      struct head_facts *facts)
{
    size_t colon = str_find_char(line, ':', 0);
    struct str name, value;
    uint64_t n;

    if (colon == SIZE_MAX || colon == 0 || ascii_is_space(line.ptr[0]))
        return;
    name = str_sub(line, 0, colon);
    value = str_trim(str_sub(line, colon + 1, line.len));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct head_field *f = &fields[i];
        struct str *to = (struct str *)(void *)((char *)reply + f->offset);

        if (!str_eq_i(name, f->name))
            continue;
        if (f->join)
            list_add(arena, to, !(*seen & 1u << i), f->join, value);
        else
            *to = value;
        *seen |= 1u << i;
        return;
    }
    if (str_eq_i(name, STR("set-cookie")))
        facts->cookies++;
    else if (str_eq_i(name, STR("content-length")) && str_to_u64(value, &n) && n <= INT64_MAX)
        facts->length = (int64_t)n;
}

void head_read(struct reply *reply, struct arena *arena, struct head_facts *ret)
{
    struct str rest = reply->head, line;
    unsigned seen = 0;

    *ret = (struct head_facts){.length = -1};
    if (!str_cut(&rest, '\n', &line))
        return;
    reply->status = head_status(line);
    while (str_cut(&rest, '\n', &line))
        line_read(reply, arena, line, &seen, ret);
}
