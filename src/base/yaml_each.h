/* yaml_each.h - the events of a YAML text, one call each; libyaml does the reading. */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <yaml.h>

/* A failure ends the reading and is returned. */
typedef enum status yaml_each_fn(void *ctx, const yaml_event_t *e);

/* ST_USAGE, with `name` and the line, where it is no YAML. */
enum status yaml_each(struct str text, const char *name, yaml_each_fn *fn, void *ctx) MUST_USE;

static inline unsigned yaml_line(const yaml_event_t *e)
{
    return (unsigned)e->start_mark.line + 1;
}
