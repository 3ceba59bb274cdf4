/* made.h - results made by hand: a plan as text, and a function for every value. */
#pragma once

#include "support/support.h"

#include "lab/run/results.h"

struct made_point {
    uint32_t world, topic, model, repeat;
    int metric; /* of the plan's metrics */
    double x;   /* 0 … 1: how far the run is */
};

typedef double made_value_fn(const struct made_point *at);

/* Every world has `ntopics` topics, every run `npoints` points, the last at the plan's
 * budget of pages (1000 of them can be reached). The test fails where the plan does. */
struct results *made_results(const char *plan, size_t ntopics, size_t npoints,
                             made_value_fn *value);
void made_free(struct results *r);

/* Replaces a text of the plan or of a world. */
void made_rename(char **text, const char *by);

/* What the browser looks at: two worlds, ten models, 24 topics, names that would
 * break a careless page, claims of every verdict. */
struct results *made_showcase(void);
