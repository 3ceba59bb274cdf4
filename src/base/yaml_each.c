/* yaml_each.c - the events of a YAML text, one call each. SPDX-License-Identifier: MIT */
#include "base/yaml_each.h"

#include <string.h>

/* libyaml's message is correct, but of little help to the author of the text. */
static enum status not_yaml(const yaml_parser_t *p, struct str text, const char *name)
{
    size_t line = p->problem_mark.line + 1, at = p->problem_mark.index;
    char c = at < text.len ? text.ptr[at] : ' ';

    if (p->error == YAML_READER_ERROR)
        return status_fail(ST_USAGE, "%s: this is no YAML file: it is no text (%s)", name,
                           p->problem);
    if (p->error == YAML_SCANNER_ERROR && c == '\t')
        return status_fail(ST_USAGE, "%s:%zu: a tab: YAML is indented by spaces", name, line);
    if (p->error == YAML_SCANNER_ERROR && c == '%')
        return status_fail(ST_USAGE,
                           "%s:%zu: nothing begins with %%: write it behind the number, "
                           "20%%",
                           name, line);
    if (p->error == YAML_PARSER_ERROR && p->context && strstr(p->context, "flow"))
        return status_fail(ST_USAGE,
                           "%s:%zu: a ',' is missing, or the '%c' of line %zu is not "
                           "closed",
                           name, line, strstr(p->context, "sequence") ? '[' : '{',
                           p->context_mark.line + 1);
    return status_fail(ST_USAGE, "%s:%zu: %s", name, line, p->problem ? p->problem : "not YAML");
}

static enum status each_event(yaml_parser_t *parser, struct str text, const char *name,
                              yaml_each_fn *fn, void *ctx)
{
    enum status st = ST_OK;
    bool end = false;

    while (st == ST_OK && !end) {
        yaml_event_t e;

        if (!yaml_parser_parse(parser, &e))
            return not_yaml(parser, text, name);
        st = fn(ctx, &e);
        end = e.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    return st;
}

enum status yaml_each(struct str text, const char *name, yaml_each_fn *fn, void *ctx)
{
    yaml_parser_t parser;
    enum status st;

    if (!yaml_parser_initialize(&parser))
        return status_fail(ST_INTERNAL, "the YAML reader cannot start");
    yaml_parser_set_input_string(&parser, (const unsigned char *)(text.len ? text.ptr : ""),
                                 text.len);
    st = each_event(&parser, text, name, fn, ctx);
    yaml_parser_delete(&parser);
    return st;
}
