/* models.h - all models. The list is in meson.build. */
#pragma once

#include "agent/model.h"

/* All models, in the order of `brood models`; NULL at the end. */
const struct model_ops *const *model_registry(void);
const struct model_ops *model_find(struct str name); /* NULL: none */
/* The same; if there is none, returns ST_USAGE with a sentence that names the nearest. */
enum status model_need(struct str name, const struct model_ops **ret) MUST_USE;
/* Writes a model with its options as one JSON object: for `brood models --json` and for forms. */
void model_put(struct json *j, const struct model_ops *m);
/* Is it one of the few that people change (model_ops.common)? */
bool model_option_is_common(const struct model_ops *m, const struct option *o);
