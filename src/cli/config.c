/* config.c - options from a YAML file: a mapping of option names to values;
 * a list for an option that may be repeated. SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/file.h"
#include "base/limits.h"

#include <yaml.h>

struct reader {
    const char *path;
    const struct option *table;
    void *into;
    const struct option *current; /* the key just read; NULL: a key is next */
    bool in_list;
    int depth; /* 0 outside, 1 in the mapping */
};

static enum status wrong(const struct reader *r, const yaml_event_t *e, const char *what)
{
    return status_fail(ST_USAGE, "%s:%zu: %s", r->path, e->start_mark.line + 1, what);
}

static enum status on_scalar(struct reader *r, const yaml_event_t *e)
{
    struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};
    enum status st;

    if (r->depth == 0)
        return wrong(r, e, "write 'option: value' lines");
    if (r->current == NULL) {
        r->current = option_find(r->table, text);
        if (r->current == NULL)
            return status_fail(ST_USAGE, "%s:%zu: unknown option '%.*s'", r->path,
                               e->start_mark.line + 1, STR_ARG(text));
        return ST_OK;
    }
    st = option_set(r->current, r->into, text);
    if (!r->in_list)
        r->current = NULL;
    return st == ST_OK ? ST_OK : status_prefix(st, "%s:%zu", r->path, e->start_mark.line + 1);
}

static enum status on_event(struct reader *r, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(r, e);
    case YAML_MAPPING_START_EVENT:
        return r->depth++ == 0 ? ST_OK
                               : wrong(r, e, "an option has a value or a list, not a mapping");
    case YAML_MAPPING_END_EVENT:
        r->depth--;
        return ST_OK;
    case YAML_SEQUENCE_START_EVENT:
        if (r->current == NULL)
            return wrong(r, e, "write 'option: value' lines");
        if (r->current->type != OPTION_LIST || r->in_list)
            return wrong(r, e, "this option takes one value, not a list");
        r->in_list = true;
        return ST_OK;
    case YAML_SEQUENCE_END_EVENT:
        r->in_list = false;
        r->current = NULL;
        return ST_OK;
    case YAML_ALIAS_EVENT:
        return wrong(r, e, "aliases are not supported");
    default:
        return ST_OK;
    }
}

static enum status read_events(struct reader *r, yaml_parser_t *parser)
{
    enum status st = ST_OK;
    bool end = false;

    while (st == ST_OK && !end) {
        yaml_event_t e;

        if (!yaml_parser_parse(parser, &e))
            return status_fail(ST_USAGE, "%s:%zu: %s", r->path, parser->problem_mark.line + 1,
                               parser->problem ? parser->problem : "not YAML");
        st = on_event(r, &e);
        end = e.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    return st;
}

enum status config_apply(const char *path, const struct option *table, void *into)
{
    struct reader r = {.path = path, .table = table, .into = into};
    struct buf text = BUF_INIT(LIMIT_CONFIG_FILE);
    yaml_parser_t parser;
    enum status st = file_read(path, &text);

    if (st == ST_OK && yaml_parser_initialize(&parser)) {
        yaml_parser_set_input_string(&parser, (const unsigned char *)(text.data ? text.data : ""),
                                     text.len);
        st = read_events(&r, &parser);
        yaml_parser_delete(&parser);
    }
    buf_free(&text);
    return st == ST_OK ? ST_OK : status_fail(ST_USAGE, "%s", status_text());
}
