/* nothing.c - a search that found nothing. SPDX-License-Identifier: MIT */
#include "cli/show/nothing.h"

#include "cli/command.h"
#include "store/read/query.h"

#define WORDS_MOST 8 /* that are looked at */

struct near_list {
    struct buf *out;
    bool any;
};

static enum status add_near(void *ctx, struct str word, uint64_t pages)
{
    struct near_list *l = ctx;

    buf_add_z(l->out, l->any ? ", " : "; near it: ");
    report_text(l->out, word, 60);
    buf_add_z(l->out, " (");
    report_count(l->out, pages, "page");
    buf_add_char(l->out, ')');
    l->any = true;
    return ST_OK;
}

/* Without the signs of an expression. */
static struct str bare(struct str word)
{
    while (word.len > 0 && strchr("\"(*^:", word.ptr[0]))
        word = str_sub(word, 1, word.len);
    while (word.len > 0 && strchr("\")*:", word.ptr[word.len - 1]))
        word.len--;
    return word;
}

static bool is_operator(struct str word)
{
    return str_eq(word, STR("AND")) || str_eq(word, STR("OR")) || str_eq(word, STR("NOT"));
}

/* A word that no page has is told, with what is near it. */
static enum status look_at(struct query *q, struct str word, struct buf *out, size_t *absent)
{
    struct near_list near = {.out = out};
    uint64_t pages = 0;
    enum status st = query_pages_with(q, word, &pages);

    if (st != ST_OK || pages > 0)
        return st;
    ++*absent;
    buf_add_z(out, "no page has '");
    report_text(out, word, 60);
    buf_add_char(out, '\'');
    st = query_near(q, word, add_near, &near);
    buf_add_char(out, '\n');
    return st;
}

enum status nothing_found(struct query *q, struct str words, struct buf *out)
{
    struct query_stats s;
    size_t absent = 0, seen = 0;
    struct str word;
    enum status st = query_stats(q, &s);

    if (st != ST_OK)
        return st;
    buf_add_z(out, "nothing found in title and text of ");
    report_count(out, s.indexed, "page");
    buf_add_char(out, '\n');
    for (struct str rest = words; st == ST_OK && s.indexed && str_cut(&rest, ' ', &word);) {
        word = bare(str_trim(word));
        if (word.len > 0 && !is_operator(word) && ++seen <= WORDS_MOST)
            st = look_at(q, word, out, &absent);
    }
    if (st == ST_OK && absent == 0 && seen > 1 && s.indexed)
        buf_add_z(out,
                  "every word is on some page, but no page has them all: try OR between them\n");
    return st;
}
