/* held.c - see held.h. SPDX-License-Identifier: MIT */
#include "cli/held.h"

#include "base/os/file.h"
#include "base/mem.h"
#include "crawl/options.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct option *op, const void *values)
{
    return *(char *const *)((const char *)values + op->offset);
}

/* The model's options may name a place too (wordnet=DIR). */
static void allow_settings(struct confine *c, const struct text_list *set)
{
    static const char *const variables[] = {"WNSEARCHDIR", "WNHOME"};

    for (size_t i = 0; i < set->count; i++) {
        const char *value = strchr(set->items[i], '=');

        if (value && strchr(value, '/'))
            confine_read(c, value + 1);
    }
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        confine_read(c, getenv(variables[i]));
}

/* 'NAME: @FILE' (crawl/start/credentials.h). */
static void allow_header(struct confine *c, const char *line)
{
    for (const char *at = line; (at = strchr(at, '@')) != NULL; at++) {
        const char *before = at;

        while (before > line && before[-1] == ' ')
            before--;
        if (before > line && before[-1] == ':')
            confine_read(c, at + 1);
    }
}

void held_crawl(struct crawl_options *o, const struct option *table, struct confine *ret)
{
    o->confine = NULL;
    if (o->no_confine)
        return;
    confine_init(ret, o->dashboard || o->listens ? CONFINE_LISTEN : CONFINE_CONNECT);
    for (const struct option *op = table; op->name; op++)
        if (op->type == OPTION_TEXT && op->metavar && strcmp(op->metavar, "FILE") == 0)
            confine_read(ret, text_of(op, o));
    for (size_t i = 0; i < o->topic.count; i++)
        confine_read(ret, o->topic.items[i]);
    for (size_t i = 0; i < o->header.count; i++)
        allow_header(ret, o->header.items[i]);
    allow_settings(ret, &o->set);
    o->confine = ret;
}

void held_beside(struct confine *c, const char *file)
{
    LOCAL_HEAP char *folder = file_folder(file);

    confine_write(c, folder);
}

void held_reader(const char *dir, const char *file)
{
    char *item = (char *)dir; /* only read */

    held_readers(&(struct text_list){.items = &item, .count = 1}, file, dir);
}

void held_readers(const struct text_list *dirs, const char *file, const char *scratch)
{
    struct confine c;

    confine_init(&c, CONFINE_NO_NET);
    for (size_t i = 0; i < dirs->count; i++)
        confine_write(&c, dirs->items[i]);
    if (file)
        held_beside(&c, file);
    confine_write(&c, scratch);
    store_scratch(scratch);
    confine_files(&c);
    confine_calls(&c);
    confine_clear(&c);
}
