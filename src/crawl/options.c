/* options.c - the table of a crawl's options. SPDX-License-Identifier: MIT */
#include "crawl/options.h"

#include "base/limits.h"
#include "base/os/file.h"

#include <stdlib.h>
#include <string.h>

#define AT(field) .offset = offsetof(struct crawl_options, field)
#define ANY       1e15

const struct option crawl_option_table[] = {
#include "crawl/option_rows.inc"
    {.name = "nats",
     .type = OPTION_TEXT,
     .metavar = "URL[,URL...]",
     .group = "several machines",
     .help = "NATS servers over which other nodes can join this crawl (docs/cluster.md)",
     .secret = SECRET_URL,
     AT(nats)},
    {.name = "creds",
     .type = OPTION_TEXT,
     .metavar = "FILE",
     .help = "a file of credentials for them, as made by NATS's own tools",
     AT(creds)},
    {.name = "name",
     .type = OPTION_TEXT,
     .metavar = "NAME",
     .help = "the name of the crawl on these servers",
     AT(name)},
    {.name = "nodes",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "1",
     .min = 1,
     .max = 64,
     .help = "nodes that will take part: the first ones leave the others their share of the hosts",
     AT(nodes)},
    {.name = "copies",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "1",
     .min = 1,
     .max = 5,
     .help = "how many servers keep a copy of what nodes send each other: 3 if there are three",
     AT(copies)},
    {.name = "lease",
     .type = OPTION_DURATION,
     .metavar = "TIME",
     .fallback = "10s",
     .min = 1,
     .max = 3600,
     .help = "a node that is silent for this long loses its hosts to the others",
     AT(lease)},
    {.name = "snapshot",
     .type = OPTION_SIZE,
     .metavar = "SIZE",
     .fallback = "1M",
     .min = 0,
     .max = 1e10,
     .help = "when a partition's log on the servers has grown by this much, its owner writes a "
             "snapshot, so that another node can take it over faster; 0: never",
     AT(snapshot)},
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
        struct buf value = BUF_INIT(SIZE_MAX / 2);

        option_show(op, from, &value);
        secret_hide(op->secret, buf_str(&value), out);
        buf_free(&value);
        return;
    }
    list = (const void *)((const char *)from + op->offset);
    for (size_t i = 0; i < list->count; i++) {
        buf_add_z(out, i ? "\n" : "");
        secret_hide(op->secret, str_of(list->items[i]), out);
    }
}

/* Secrets are hidden in what is read back, too: a directory that another user made
 * cannot name a file to send, and one of an older version may hold a password. */
static enum status restore_value(const struct option *op, struct crawl_options *into,
                                 struct str value)
{
    LOCAL_BUF hidden = BUF_INIT(SIZE_MAX / 2);

    secret_hide(op->secret, value, &hidden);
    return option_set(op, into, buf_str(&hidden));
}

enum status crawl_option_restore(const struct option *op, struct crawl_options *into,
                                 struct str text)
{
    struct str line;

    if (text.len == 0 || strcmp(op->name, "no-confine") == 0)
        return ST_OK; /* the maker of the directory must not choose it */
    if (op->type != OPTION_LIST)
        return restore_value(op, into, text);
    while (str_cut(&text, '\n', &line))
        TRY(restore_value(op, into, line));
    return ST_OK;
}

enum status option_file_read(const char *option, const char *path, struct buf *into)
{
    enum status st = file_read(path, into);

    return st == ST_OK ? ST_OK : status_fail(ST_USAGE, "--%s %s", option, status_text());
}
