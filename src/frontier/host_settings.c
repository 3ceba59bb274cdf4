/* host_settings.c - what the user sets for single hosts. SPDX-License-Identifier: MIT */
#include "frontier/host_settings.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/option.h"
#include "frontier/hosts.h"

#include <stdlib.h>

#define AT(field) .offset = offsetof(struct host_setting, field)

static const struct option table[] = {
    {.name = "delay",
     .type = OPTION_DURATION,
     .min = 0,
     .max = 86400,
     AT(delay),
     .help = "least time between two requests"},
    {.name = "connections",
     .type = OPTION_INT,
     .min = 1,
     .max = 64,
     AT(connections),
     .help = "most requests at once"},
    {.name = "depth",
     .type = OPTION_INT,
     .min = 0,
     .max = 65000,
     AT(depth),
     .help = "most links in a row from a start page"},
    {.name = "pages", .type = OPTION_INT, .min = 0, .max = 4e9, AT(pages), .help = "most pages"},
    {.name = NULL},
};

static const char *nth_setting(const void *ctx, size_t i)
{
    return ((const struct option *)ctx)[i].name;
}

static enum status unknown(struct str name)
{
    const char *near = str_nearest(name, nth_setting, table);
    struct buf all;
    enum status st;

    if (near)
        return status_fail(ST_USAGE, "'%.*s' is no setting of a host; did you mean '%s'?",
                           STR_ARG(name), near);
    buf_init(&all, 512);
    for (const struct option *op = table; op->name; op++)
        buf_addf(&all, "%s%s (%s)", op == table ? "" : ", ", op->name, op->help);
    st = status_fail(ST_USAGE, "'%.*s' is no setting of a host. There are: %.*s", STR_ARG(name),
                     STR_ARG(buf_str(&all)));
    buf_free(&all);
    return st;
}

static enum status set_one(struct host_setting *s, struct str word)
{
    size_t at = str_find_char(word, '=', 0);
    const struct option *op;

    if (at == SIZE_MAX)
        return status_fail(ST_USAGE, "'%.*s' is no setting: write NAME=VALUE", STR_ARG(word));
    op = option_find(table, str_sub(word, 0, at));
    return op ? option_set(op, s, str_sub(word, at + 1, word.len)) : unknown(str_sub(word, 0, at));
}

/* Returns the next word of a line, or an empty text. */
static struct str next_word(struct str *line)
{
    struct str word;
    size_t end = 0;

    *line = str_trim(*line);
    while (end < line->len && !ascii_is_space(line->ptr[end]))
        end++;
    word = str_sub(*line, 0, end);
    *line = str_sub(*line, end, line->len);
    return word;
}

static char *lower_copy(struct str s)
{
    char *copy = str_dup(s);

    for (char *c = copy; *c; c++)
        *c = ascii_lower(*c);
    return copy;
}

enum status host_settings_add(struct host_settings *s, struct str line)
{
    struct host_setting one = {.delay = -1, .connections = -1, .depth = -1, .pages = -1};
    struct str pattern = next_word(&line), word;
    enum status st = ST_OK;

    if (pattern.len == 0 || pattern.len > LIMIT_HOST || str_find_char(pattern, '/', 0) != SIZE_MAX)
        return status_fail(ST_USAGE, "'%.*s' is no host: write HOST NAME=VALUE …",
                           STR_ARG(pattern));
    word = next_word(&line);
    if (word.len == 0)
        return status_fail(ST_USAGE, "nothing is set for %.*s: write HOST NAME=VALUE …",
                           STR_ARG(pattern));
    for (; st == ST_OK && word.len > 0; word = next_word(&line))
        st = set_one(&one, word);
    if (st == ST_OK && s->count >= LIMIT_HOST_SETTINGS)
        st = status_fail(ST_USAGE, "more than %d hosts have settings", LIMIT_HOST_SETTINGS);
    if (st != ST_OK)
        return status_prefix(st, "%.*s", STR_ARG(pattern));
    one.pattern = lower_copy(pattern);
    MEM_GROW(s->items, s->count, &s->cap);
    s->items[s->count++] = one;
    return ST_OK;
}

void host_settings_free(struct host_settings *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i].pattern);
    free(s->items);
    *s = (struct host_settings){0};
}

const struct host_setting *host_settings_find(const struct host_settings *s, struct str name)
{
    uint16_t port;
    struct str bare = str_sub(name, 0, host_name_split(name, &port));

    for (size_t i = 0; s && i < s->count; i++) {
        struct str pattern = str_of(s->items[i].pattern);

        if (str_match(pattern, name) || str_match(pattern, bare))
            return &s->items[i];
    }
    return NULL;
}

bool host_settings_delay(const struct host_settings *s)
{
    for (size_t i = 0; s && i < s->count; i++)
        if (s->items[i].delay > 0)
            return true;
    return false;
}
