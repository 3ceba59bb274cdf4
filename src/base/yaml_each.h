/* yaml_each.h - reads a YAML text with libyaml and calls a function for each of its events. */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <yaml.h>

/* Called for each event. A failure ends the reading and is returned. */
typedef enum status yaml_each_fn(void *ctx, const yaml_event_t *e);

/* Returns ST_USAGE, with `name` and the line, if the text is not YAML. */
enum status yaml_each(struct str text, const char *name, yaml_each_fn *fn, void *ctx) MUST_USE;

static inline unsigned yaml_line(const yaml_event_t *e)
{
    return (unsigned)e->start_mark.line + 1;
}
