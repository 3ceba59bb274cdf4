/* models.h - every model there is; model.c lists them. */
#ifndef AGENT_MODELS_MODELS_H
#define AGENT_MODELS_MODELS_H

#include "agent/model.h"

extern const struct model_ops model_breadth_first;
extern const struct model_ops model_best_first;

#endif
