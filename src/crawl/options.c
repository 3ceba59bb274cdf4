/* options.c - the table of a crawl's options. SPDX-License-Identifier: MIT */
#include "crawl/options.h"

#include <stdlib.h>

#define AT(field) .offset = offsetof(struct crawl_options, field)
#define ANY       1e15

const struct option crawl_option_table[] = {
#include "crawl/option_rows.inc"
    {.name = NULL},
};

void crawl_options_init(struct crawl_options *o)
{
    *o = (struct crawl_options){0};
    options_init(crawl_option_table, o);
}

void crawl_options_init_empty(struct crawl_options *o)
{
    *o = (struct crawl_options){0};
}

void crawl_options_free(struct crawl_options *o)
{
    options_free(crawl_option_table, o);
    free(o->topic_text);
    o->topic_text = NULL;
}

void crawl_option_text(const struct option *op, const struct crawl_options *from, struct buf *out)
{
    const struct text_list *list;

    if (op->type != OPTION_LIST) {
        option_show(op, from, out);
        return;
    }
    list = (const void *)((const char *)from + op->offset);
    for (size_t i = 0; i < list->count; i++)
        (void)buf_addf(out, "%s%s", i ? "\n" : "", list->items[i]);
}

enum status crawl_option_restore(const struct option *op, struct crawl_options *into,
                                 struct str text)
{
    enum status st = ST_OK;
    struct str line;

    if (text.len == 0)
        return ST_OK;
    if (op->type != OPTION_LIST)
        return option_set(op, into, text);
    while (st == ST_OK && str_cut(&text, '\n', &line))
        st = option_set(op, into, line);
    return st;
}
