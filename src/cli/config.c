/* config.c - options from a YAML file: a mapping of option names to values;
 * a list for an option that may be repeated. Settings of hosts are mappings in a mapping:
 *
 *     hosts:
 *       docs.example.org: {delay: 5s, pages: 200}
 *       example.net:
 *         connections: 2
 *         headers: ["Accept-Language: de"]
 *
 * which is the same as --hosts 'docs.example.org delay=5s pages=200', --hosts 'example.net
 * connections=2' and --header 'example.net Accept-Language: de'. SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/yaml_each.h"

#include <stdlib.h>

struct config_reader {
    const char *path;
    const struct option *table;
    void *into;
    const struct option *current; /* the key just read; NULL: a key is next */
    bool in_list, in_mapping;
    char *key; /* in a mapping: the key whose value is next; owned */
    int depth; /* 0 outside, 1 in the mapping */
    /* The settings of `key`, a host. */
    struct buf settings; /* "NAME=VALUE ..." */
    char *setting;       /* the one whose value is next; owned */
    bool in_settings, in_headers;
};

static enum status wrong(const struct config_reader *r, const yaml_event_t *e, const char *what)
{
    return status_fail(ST_USAGE, "%s:%u: %s", r->path, yaml_line(e), what);
}

static const char *nth_option(const void *ctx, size_t i)
{
    return ((const struct option *)ctx)[i].name;
}

static enum status unknown_option(const struct config_reader *r, const yaml_event_t *e,
                                  struct str name)
{
    const char *near = str_nearest(name, nth_option, r->table);

    return status_fail(ST_USAGE, "%s:%u: unknown option '%.*s'%s%s%s", r->path, yaml_line(e),
                       STR_ARG(name), near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

/* A repeatable option may be a mapping: set: {n: 256} is set: ["n=256"]. */
static enum status on_pair(struct config_reader *r, const yaml_event_t *e, struct str text)
{
    struct buf pair = BUF_INIT(LIMIT_CONFIG_FILE);
    enum status st;

    if (r->key == NULL) {
        r->key = str_dup(text);
        return ST_OK;
    }
    buf_addf(&pair, "%s=%.*s", r->key, STR_ARG(text));
    st = option_set(r->current, r->into, buf_str(&pair));
    buf_free(&pair);
    free(r->key);
    r->key = NULL;
    return st == ST_OK ? ST_OK : status_prefix(st, "%s:%u", r->path, yaml_line(e));
}

/* ---- settings of a host ---- */

static bool are_headers(const struct config_reader *r)
{
    return strcmp(r->setting, "headers") == 0 || strcmp(r->setting, "header") == 0;
}

static enum status add_line(struct config_reader *r, const yaml_event_t *e,
                            const struct option *option, struct str text)
{
    LOCAL_BUF line = BUF_INIT(LIMIT_CONFIG_FILE);
    enum status st;

    if (option == NULL)
        return wrong(r, e, "this command sends no headers");
    buf_addf(&line, "%s %.*s", r->key, STR_ARG(text));
    st = option_set(option, r->into, buf_str(&line));
    return st == ST_OK ? ST_OK : status_prefix(st, "%s:%u", r->path, yaml_line(e));
}

static enum status on_setting(struct config_reader *r, const yaml_event_t *e, struct str text)
{
    enum status st = ST_OK;

    if (r->setting == NULL) {
        r->setting = str_dup(text);
        return ST_OK;
    }
    if (are_headers(r))
        st = add_line(r, e, option_find(r->table, STR("header")), text);
    else
        buf_addf(&r->settings, " %s=%.*s", r->setting, STR_ARG(text));
    if (!r->in_headers) {
        free(r->setting);
        r->setting = NULL;
    }
    return st == ST_OK ? buf_check(&r->settings) : st;
}

/* A host that only has headers needs no more. */
static enum status on_settings_end(struct config_reader *r, const yaml_event_t *e)
{
    enum status st = ST_OK;

    if (r->settings.len > 0)
        st = add_line(r, e, r->current, str_trim(buf_str(&r->settings)));
    buf_clear(&r->settings);
    r->in_settings = false;
    free(r->key);
    r->key = NULL;
    return st;
}

/* ---- mappings and lists ---- */

static enum status on_mapping(struct config_reader *r, const yaml_event_t *e)
{
    if (r->depth == 0) {
        r->depth = 1;
        return ST_OK;
    }
    if (r->in_mapping && r->key && !r->in_settings && strcmp(r->current->name, "hosts") == 0) {
        r->in_settings = true;
        return ST_OK;
    }
    if (r->current == NULL || r->current->type != OPTION_LIST || r->in_list || r->in_mapping)
        return wrong(r, e, "an option has a value or a list, not a mapping");
    r->in_mapping = true;
    return ST_OK;
}

static enum status on_mapping_end(struct config_reader *r, const yaml_event_t *e)
{
    if (r->in_settings)
        return on_settings_end(r, e);
    if (r->in_mapping)
        r->current = NULL;
    else
        r->depth = 0;
    r->in_mapping = false;
    return ST_OK;
}

static enum status on_list(struct config_reader *r, const yaml_event_t *e)
{
    if (r->current == NULL)
        return wrong(r, e, "write 'option: value' lines");
    if (r->in_settings && r->setting && !r->in_headers && are_headers(r)) {
        r->in_headers = true;
        return ST_OK;
    }
    if (r->current->type != OPTION_LIST || r->in_list || r->in_mapping)
        return wrong(r, e, "this option takes one value, not a list");
    r->in_list = true;
    return ST_OK;
}

static void on_list_end(struct config_reader *r)
{
    if (r->in_headers) {
        r->in_headers = false;
        free(r->setting);
        r->setting = NULL;
        return;
    }
    r->in_list = false;
    r->current = NULL;
}

static enum status on_scalar(struct config_reader *r, const yaml_event_t *e)
{
    struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};
    enum status st;

    if (r->depth == 0)
        return wrong(r, e, "write 'option: value' lines");
    if (r->current == NULL) {
        r->current = option_find(r->table, text);
        return r->current ? ST_OK : unknown_option(r, e, text);
    }
    if (r->in_settings)
        return on_setting(r, e, text);
    if (r->in_mapping)
        return on_pair(r, e, text);
    st = option_set(r->current, r->into, text);
    if (!r->in_list)
        r->current = NULL;
    return st == ST_OK ? ST_OK : status_prefix(st, "%s:%u", r->path, yaml_line(e));
}

static enum status on_event(void *ctx, const yaml_event_t *e)
{
    struct config_reader *r = ctx;

    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(r, e);
    case YAML_MAPPING_START_EVENT:
        return on_mapping(r, e);
    case YAML_MAPPING_END_EVENT:
        return on_mapping_end(r, e);
    case YAML_SEQUENCE_START_EVENT:
        return on_list(r, e);
    case YAML_SEQUENCE_END_EVENT:
        on_list_end(r);
        return ST_OK;
    case YAML_ALIAS_EVENT:
        return wrong(r, e, "aliases are not supported");
    default:
        return ST_OK;
    }
}

enum status config_read(struct str text, const char *name, const struct option *table, void *into)
{
    struct config_reader r = {
        .path = name, .table = table, .into = into, .settings = BUF_INIT(LIMIT_CONFIG_FILE)};
    enum status st = yaml_each(text, name, on_event, &r);

    free(r.key);
    free(r.setting);
    buf_free(&r.settings);
    return st == ST_OK ? ST_OK : status_fail(ST_USAGE, "%s", status_text());
}

enum status config_apply(const char *path, const struct option *table, void *into)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_CONFIG_FILE);
    enum status st = file_read(path, &text);

    if (st == ST_OK)
        st = config_read(buf_str(&text), path, table, into);
    else
        st = status_fail(ST_USAGE, "%s", status_text());
    return st;
}
