/* yaml_each.c - the events of a YAML text, one call each. SPDX-License-Identifier: MIT */
#include "base/yaml_each.h"

static enum status each_event(yaml_parser_t *parser, const char *name, yaml_each_fn *fn, void *ctx)
{
    enum status st = ST_OK;
    bool end = false;

    while (st == ST_OK && !end) {
        yaml_event_t e;

        if (!yaml_parser_parse(parser, &e))
            return status_fail(ST_USAGE, "%s:%zu: %s", name, parser->problem_mark.line + 1,
                               parser->problem ? parser->problem : "not YAML");
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
    st = each_event(&parser, name, fn, ctx);
    yaml_parser_delete(&parser);
    return st;
}
