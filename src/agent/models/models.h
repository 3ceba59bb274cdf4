/* models.h - every model there is; model.c lists them. */
#ifndef AGENT_MODELS_MODELS_H
#define AGENT_MODELS_MODELS_H

#include "agent/model.h"

extern const struct model_ops model_breadth_first;
extern const struct model_ops model_best_first;
extern const struct model_ops model_fish;
extern const struct model_ops model_shark;
extern const struct model_ops model_pagerank;
extern const struct model_ops model_classifier;
extern const struct model_ops model_endogenous;
extern const struct model_ops model_balanced;
extern const struct model_ops model_infospiders;
extern const struct model_ops model_crew;
extern const struct model_ops model_foragers;
extern const struct model_ops model_revisit;
extern const struct model_ops model_oracle;
extern const struct model_ops model_link_oracle;

#endif
