/* nothing.c - a search that found nothing. SPDX-License-Identifier: MIT */
#include "cli/show/nothing.h"

#include "cli/command.h"
#include "store/read/query.h"

#define WORDS_MOST 8    /* that are looked at */
#define PAGES_MOST 1000 /* that are counted */

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

static enum status count_page(void *ctx, const struct query_page *page)
{
    (void)page;
    ++*(uint64_t *)ctx;
    return ST_OK;
}

/* Pages that have it in a menu or a footer. */
static enum status look_elsewhere(struct query *q, struct str words, struct buf *out, bool *ret)
{
    uint64_t pages = 0;
    enum status st = query_search(q, words, true, PAGES_MOST, count_page, &pages);

    *ret = pages > 0;
    if (pages == 0)
        return st;
    report_count(out, pages, "page");
    buf_addf(out, "%s %s it in menus, notices or footers: add --all-text\n",
             pages == PAGES_MOST ? " or more" : "", pages == 1 ? "has" : "have");
    return st;
}

enum status nothing_found(struct query *q, struct str words, bool all_text, struct buf *out)
{
    struct query_stats s;
    size_t absent = 0, seen = 0;
    bool elsewhere = false;
    struct str word;
    enum status st = query_stats(q, &s);

    if (st != ST_OK)
        return st;
    buf_addf(out, "nothing found in title and %stext of ", all_text ? "" : "main ");
    report_count(out, s.indexed, "page");
    buf_add_char(out, '\n');
    if (!all_text)
        st = look_elsewhere(q, words, out, &elsewhere);
    if (st != ST_OK || elsewhere)
        return st;
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
