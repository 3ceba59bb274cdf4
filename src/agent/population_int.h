/* population_int.h - the population from inside, for its checkpoints. */
#pragma once

#include "agent/population.h"

struct kind {
    char *name;
    struct population_counts counts;
};

struct population {
    uint32_t *ids;         /* of the living, ascending */
    struct agent **agents; /* the same ones */
    size_t alive, cap;
    size_t agents_cap;
    uint32_t born;
    struct kind *kinds; /* in order of first birth */
    size_t nkinds, kinds_cap;
    struct population_bounds bounds;
    struct account dead, cut, given, earned, burnt;
    double worth; /* earned, and not yet told with a visit; NAN: nothing */
    population_free_fn *free_traits;
    population_sink_fn *sink;
    void *sink_ctx;
};

/* The number of a kind, new or known. */
uint32_t population_kind_of(struct population *p, struct str name);
/* An empty record at the end of the living. */
struct agent *population_append(struct population *p, uint32_t id);
