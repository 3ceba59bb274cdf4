/* merge_samples.c - the curves of all directories as one.
 *
 * Nodes measure at different moments. For each second the last value of every node is used: most
 * figures add up, some are means. A node that has ended keeps its last value, except of figures
 * that only apply while it runs. SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "store/write/merge_int.h"

#include <stdlib.h>

#define METRICS_MOST 1000 /* a model may have many */
#define STALE        (5 * US_PER_S)

enum how { HOW_SUM, HOW_SUM_NOW, HOW_MEAN, HOW_MOST };

static const struct {
    const char *metric; /* "x." means all that begin with it */
    enum how how;
} rules[] = {
    {"mean_relevance", HOW_MEAN}, {"left", HOW_MOST},       {"wait.cpu", HOW_MEAN},
    {"wait.store", HOW_MEAN},     {"wait.", HOW_SUM_NOW},   {"in_flight", HOW_SUM_NOW},
    {"memory", HOW_SUM_NOW},      {"copies.age", HOW_MEAN}, {"copies.freshness", HOW_MEAN},
    {"model.", HOW_MEAN},
};

struct merged_metric {
    char *name;
    enum how how;
    double *values; /* one for each source */
    int64_t *at;    /* 0: none yet */
    bool changed;
};

struct merged_curves {
    struct map by_name;
    struct merged_metric *metrics;
    size_t count, cap;
    size_t pages; /* place of the metric "pages", by which means are weighed; SIZE_MAX: none */
    int64_t second;
    sqlite3_stmt *to;
};

static enum how how_of(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct str rule = str_of(rules[i].metric);

        if (str_eq(name, rule) || (str_ends(rule, STR(".")) && str_starts(name, rule)))
            return rules[i].how;
    }
    return HOW_SUM;
}

static struct merged_metric *metric_of(struct merged_curves *c, struct str name, size_t sources)
{
    bool is_new;
    uint32_t at = *map_at(&c->by_name, hash_str(name), (uint32_t)c->count, &is_new);

    if (!is_new)
        return &c->metrics[at];
    MEM_GROW(c->metrics, c->count, &c->cap);
    c->metrics[c->count] = (struct merged_metric){.name = str_dup(name),
                                                  .how = how_of(name),
                                                  .values = mem_zero(sources, sizeof(double)),
                                                  .at = mem_zero(sources, sizeof(int64_t))};
    if (str_eq(name, STR("pages")))
        c->pages = c->count;
    return &c->metrics[c->count++];
}

static double value_of(const struct merged_curves *c, const struct merged_metric *x, size_t sources,
                       int64_t now)
{
    double sum = 0, weights = 0, most = 0;

    for (size_t i = 0; i < sources; i++) {
        double weight = 1;

        if (x->at[i] == 0 || (x->how != HOW_SUM && x->how != HOW_MEAN && now - x->at[i] > STALE))
            continue;
        if (x->how == HOW_MEAN && c->pages != SIZE_MAX)
            weight = c->metrics[c->pages].values[i];
        sum += weight * x->values[i];
        weights += weight;
        most = x->values[i] > most ? x->values[i] : most;
    }
    if (x->how == HOW_MEAN)
        return weights > 0 ? sum / weights : 0;
    return x->how == HOW_MOST ? most : sum;
}

static enum status put_second(struct merge *m, struct merged_curves *c)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < c->count && st == ST_OK; i++) {
        struct merged_metric *x = &c->metrics[i];

        if (!x->changed)
            continue;
        x->changed = false;
        (void)sqlite3_bind_int64(c->to, 1, (c->second + 1) * US_PER_S);
        db_bind_str(c->to, 2, str_of(x->name));
        (void)sqlite3_bind_double(c->to, 3,
                                  value_of(c, x, m->nsources, (c->second + 1) * US_PER_S));
        st = db_run(m->db, c->to);
    }
    return st;
}

static enum status take_sample(struct merge *m, struct merge_source *s, void *ctx)
{
    struct merged_curves *c = ctx;
    struct merged_metric *x;
    size_t source = (size_t)(s - m->sources);
    enum status st = ST_OK;

    if (s->order <= 0 || s->order > INT64_MAX / 2 || c->count >= METRICS_MOST)
        return ST_OK;
    if (s->order / US_PER_S > c->second) {
        st = put_second(m, c);
        c->second = s->order / US_PER_S;
    }
    x = metric_of(c, db_str(s->st, 1), m->nsources);
    x->values[source] = sqlite3_column_double(s->st, 2);
    x->at[source] = s->order;
    x->changed = true;
    return st;
}

enum status merge_samples(struct merge *m)
{
    struct merged_curves c = {.pages = SIZE_MAX};
    enum status st =
        db_prepare(m->db, "INSERT INTO sample(at, metric, value) VALUES(?,?,?)", &c.to);

    map_init(&c.by_name);
    merge_begin(m, "merging the curves", 0);
    if (st == ST_OK)
        st = merge_rows(m, "sample", "SELECT at, metric, value FROM sample ORDER BY id", false,
                        take_sample, &c);
    if (st == ST_OK)
        st = put_second(m, &c);
    for (size_t i = 0; i < c.count; i++) {
        free(c.metrics[i].name);
        free(c.metrics[i].values);
        free(c.metrics[i].at);
    }
    free(c.metrics);
    map_free(&c.by_name);
    (void)sqlite3_finalize(c.to);
    return st;
}
