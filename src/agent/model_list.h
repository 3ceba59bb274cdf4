/* model_list.h - a model with its options as JSON: for `brood models --json` and for forms. */
#ifndef AGENT_MODEL_LIST_H
#define AGENT_MODEL_LIST_H

#include "agent/model.h"

/* One object. */
void model_list_put(struct json *j, const struct model_ops *m);

#endif
