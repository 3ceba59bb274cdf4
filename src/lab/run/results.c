/* results.c - DIR/results.db in memory: what the plan asks for, in the plan's order.
 * SPDX-License-Identifier: MIT */
#include "lab/run/results.h"

#include "base/mem.h"
#include "base/search.h"
#include "lab/run/metric.h"
#include "store/db.h"

#include <math.h>
#include <stdlib.h>

#define STORED_MOST (METRIC_COUNT * 2) /* metrics of a run, those of other versions included */

/* What is being read, and the stored columns of each metric. */
struct results_loader {
    sqlite3 *db;
    const char *dir;
    struct results *r;
    int column[METRIC_COUNT]; /* of a stored row, by metric of results; -1: not stored */
    int pages, seconds;       /* columns of these */
    size_t stored;            /* columns of a stored row */
    size_t cap;               /* of runs */
};

static enum status open_file(struct results_loader *l)
{
    enum status st = db_open_file(l->dir, "results.db", SQLITE_OPEN_READONLY, &l->db);

    if (st == ST_MISSING)
        st = status_fail(ST_MISSING,
                         "%s holds no results: give the directory that 'brood lab run' wrote "
                         "(results/NAME where no --out was given)",
                         l->dir);
    return st;
}

/* NULL where there is none. */
static enum status find_meta(struct results_loader *l, const char *key, char **ret)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(l->db, "SELECT value FROM meta WHERE key = ?", &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(key));
        if (db_row(l->db, st, &status))
            *ret = str_dup(db_str(st, 0));
    }
    return status;
}

static enum status read_meta(struct results_loader *l, const char *key, char **ret)
{
    TRY(find_meta(l, key, ret));
    if (*ret == NULL)
        return status_fail(ST_CORRUPT, "%s/results.db has no '%s'", l->dir, key);
    return ST_OK;
}

static enum status read_plan(struct results_loader *l)
{
    LOCAL_HEAP char *text = NULL, *file = NULL;

    TRY(read_meta(l, "plan", &text));
    TRY(read_meta(l, "file", &file));
    if (plan_parse(str_of(text), file, &l->r->plan) != ST_OK)
        return status_prefix(ST_CORRUPT, "%s/results.db: its plan cannot be read", l->dir);
    return ST_OK;
}

/* ---- metrics ------------------------------------------------------------- */

static int stored_column(struct str names, const char *metric, size_t *ret_count)
{
    struct str rest = names, one;
    int found = -1;

    *ret_count = 0;
    for (int i = 0; str_cut(&rest, ' ', &one); i++, ++*ret_count)
        if (str_eq(one, str_of(metric)))
            found = i;
    return found;
}

static bool is_wanted(const struct results *r, const struct metric *m)
{
    const struct text_list *l = &r->plan->metrics;
    bool changes = false;

    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->items[i], m->name) == 0)
            return true;
    for (size_t w = 0; w < r->plan->nworlds; w++)
        changes |= r->worlds[w].versions > r->worlds[w].pages;
    return l->count == 0 && (r->plan->label_topics || !m->needs_labels) &&
           (changes || !m->needs_change);
}

static void add_metric(struct results_loader *l, const struct metric *m, struct str names)
{
    l->column[l->r->nmetrics] = stored_column(names, m->name, &l->stored);
    l->r->metrics[l->r->nmetrics++] = m->name;
}

/* In the plan's order, or in the table's. */
static enum status choose_metrics(struct results_loader *l)
{
    const struct text_list *given = &l->r->plan->metrics;
    char *names = NULL;

    TRY(read_meta(l, "metrics", &names));
    l->r->metrics = mem_zero(METRIC_COUNT, sizeof *l->r->metrics);
    for (size_t i = 0; i < given->count; i++)
        add_metric(l, &metric_table[metric_find(str_of(given->items[i]))], str_of(names));
    for (const struct metric *m = metric_table; given->count == 0 && m->name; m++)
        if (is_wanted(l->r, m))
            add_metric(l, m, str_of(names));
    l->pages = stored_column(str_of(names), metric_table[METRIC_PAGES].name, &l->stored);
    l->seconds = stored_column(str_of(names), metric_table[METRIC_SECONDS].name, &l->stored);
    free(names);
    if (l->pages < 0 || l->seconds < 0)
        return status_fail(ST_CORRUPT, "%s/results.db: pages or seconds are missing", l->dir);
    return ST_OK;
}

/* ---- worlds -------------------------------------------------------------- */

static double column_real(sqlite3_stmt *st, int at)
{
    return sqlite3_column_type(st, at) == SQLITE_NULL ? NAN : sqlite3_column_double(st, at);
}

static enum status read_figures(struct results_loader *l, struct result_world *w)
{
    LOCAL_STMT *st = NULL;
    enum status status =
        db_prepare(l->db,
                   "SELECT pages, hosts, versions, links, out_exponent, in_exponent, clustering,"
                   " mean_distance, locality, skipped FROM worlds WHERE name = ?",
                   &st);

    w->out_exponent = w->in_exponent = w->clustering = w->mean_distance = w->locality = NAN;
    if (status != ST_OK)
        return status;
    db_bind_str(st, 1, str_of(w->name));
    if (db_row(l->db, st, &status)) {
        w->pages = (uint32_t)sqlite3_column_int64(st, 0);
        w->hosts = (uint32_t)sqlite3_column_int64(st, 1);
        w->versions = (uint32_t)sqlite3_column_int64(st, 2);
        w->links = (uint64_t)sqlite3_column_int64(st, 3);
        w->out_exponent = column_real(st, 4);
        w->in_exponent = column_real(st, 5);
        w->clustering = column_real(st, 6);
        w->mean_distance = column_real(st, 7);
        w->locality = column_real(st, 8);
        w->skipped = (uint32_t)sqlite3_column_int64(st, 9);
    }
    return status;
}

static enum status read_topics(struct results_loader *l, struct result_world *w)
{
    LOCAL_STMT *st = NULL;
    size_t cap = 0, words_cap = 0, n = 0;
    enum status status =
        db_prepare(l->db, "SELECT name, words FROM topics WHERE world = ? ORDER BY number", &st);

    if (status != ST_OK)
        return status;
    db_bind_str(st, 1, str_of(w->name));
    while (db_row(l->db, st, &status)) {
        MEM_GROW(w->topics, n, &cap);
        MEM_GROW(w->words, n, &words_cap);
        w->topics[n] = str_dup(db_str(st, 0));
        w->words[n] = str_dup(db_str(st, 1));
        w->ntopics = ++n;
    }
    return status;
}

static enum status read_digest(struct results_loader *l, struct result_world *w)
{
    LOCAL_BUF key = BUF_INIT(4096);

    buf_addf(&key, "digest of %s", w->name);
    return find_meta(l, key.data, &w->digest);
}

static enum status read_worlds(struct results_loader *l)
{
    struct results *r = l->r;

    r->worlds = mem_zero(r->plan->nworlds, sizeof *r->worlds);
    for (size_t i = 0; i < r->plan->nworlds; i++) {
        r->worlds[i].name = r->plan->worlds[i].name;
        TRY(read_figures(l, &r->worlds[i]));
        TRY(read_topics(l, &r->worlds[i]));
        TRY(read_digest(l, &r->worlds[i]));
    }
    return find_meta(l, "commits", &r->commits);
}

/* ---- runs ---------------------------------------------------------------- */

static enum status unpack_run(struct results_loader *l, sqlite3_stmt *st, struct result_run *run)
{
    struct results *r = l->r;
    struct cursor x = {.rest = db_str(st, 7)}, values = {.rest = db_str(st, 8)};
    size_t n = x.rest.len / 8;

    if (l->stored > STORED_MOST || values.rest.len != n * 8 * l->stored)
        return status_fail(ST_CORRUPT, "%s/results.db: a run is damaged", l->dir);
    run->npoints = n;
    run->x = mem_zero(n + 1, sizeof *run->x);
    run->pages_at = mem_zero(n + 1, sizeof *run->x);
    run->seconds_at = mem_zero(n + 1, sizeof *run->x);
    run->values = mem_zero(n * r->nmetrics + 1, sizeof *run->values);
    for (size_t i = 0; i < n; i++) {
        double row[STORED_MOST];

        run->x[i] = cursor_f64(&x);
        for (size_t k = 0; k < l->stored; k++)
            row[k] = cursor_f64(&values);
        run->pages_at[i] = row[l->pages];
        run->seconds_at[i] = row[l->seconds];
        for (size_t k = 0; k < r->nmetrics; k++)
            run->values[i * r->nmetrics + k] = l->column[k] < 0 ? NAN : row[l->column[k]];
    }
    return ST_OK;
}

static enum status add_run(struct results_loader *l, sqlite3_stmt *st, struct result_run name)
{
    struct results *r = l->r;
    struct result_run *run;

    MEM_GROW(r->runs, r->nruns, &l->cap);
    run = &r->runs[r->nruns++];
    *run = name;
    run->targets = (uint32_t)sqlite3_column_int64(st, 2);
    run->reachable = (uint32_t)sqlite3_column_int64(st, 3);
    run->pages = (uint64_t)sqlite3_column_int64(st, 4);
    run->seconds = sqlite3_column_double(st, 5);
    run->end = str_dup(db_str(st, 6));
    run->cpu =
        sqlite3_column_type(st, 9) == SQLITE_NULL ? NAN : (double)sqlite3_column_int64(st, 9) / 1e6;
    return unpack_run(l, st, run);
}

/* The number of a topic in its world's list. */
static uint32_t topic_number(const struct result_world *w, struct str name)
{
    for (size_t i = 0; i < w->ntopics; i++)
        if (str_eq(name, str_of(w->topics[i])))
            return (uint32_t)i;
    return UINT32_MAX;
}

static enum status read_model_runs(struct results_loader *l, sqlite3_stmt *st, uint32_t world,
                                   uint32_t model)
{
    const struct plan *p = l->r->plan;
    enum status status;

    db_bind_str(st, 1, str_of(p->worlds[world].name));
    db_bind_str(st, 2, str_of(p->models[model].label));
    while (db_row(l->db, st, &status)) {
        struct result_run name = {
            .world = world,
            .model = model,
            .topic = topic_number(&l->r->worlds[world], db_str(st, 0)),
            .repeat = (uint32_t)sqlite3_column_int64(st, 1),
        };

        if (name.topic == UINT32_MAX || name.repeat >= p->repeats)
            continue;
        status = add_run(l, st, name);
        if (status != ST_OK)
            break;
    }
    (void)sqlite3_reset(st);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const struct result_run *x = a, *y = b;
    const uint32_t kx[] = {x->world, x->topic, x->model, x->repeat};
    const uint32_t ky[] = {y->world, y->topic, y->model, y->repeat};

    for (size_t i = 0; i < ARRAY_LEN(kx); i++)
        if (kx[i] != ky[i])
            return kx[i] < ky[i] ? -1 : 1;
    return 0;
}

static enum status read_runs(struct results_loader *l)
{
    const struct plan *p = l->r->plan;
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(l->db,
                   "SELECT topic, repeat, targets, reachable, pages, seconds, end, x, \"values\","
                   " cpu FROM runs LEFT JOIN timing USING(world, topic, model, repeat)"
                   " WHERE world = ? AND model = ?",
                   &st);

    if (status == ST_OK && l->stored > METRIC_COUNT * 2)
        status = status_fail(ST_CORRUPT, "%s/results.db is of another version", l->dir);
    for (uint32_t w = 0; status == ST_OK && w < p->nworlds; w++)
        for (uint32_t m = 0; status == ST_OK && m < p->nmodels; m++)
            status = read_model_runs(l, st, w, m);
    (void)sqlite3_finalize(st);
    if (l->r->nruns)
        qsort(l->r->runs, l->r->nruns, sizeof *l->r->runs, by_number);
    return status;
}

/* ---- what nothing can be learnt from -------------------------------------- */

static bool never_changes(const struct results *r, size_t metric)
{
    double first = NAN;

    for (size_t i = 0; i < r->nruns; i++)
        for (size_t k = 0; k < r->runs[i].npoints; k++) {
            double v = r->runs[i].values[k * r->nmetrics + metric];

            if (!isnan(first) && v != first)
                return false;
            first = v;
        }
    return r->nruns > 0;
}

static void drop_metric(struct results *r, size_t metric)
{
    for (size_t i = 0; i < r->nruns; i++) {
        double *to = r->runs[i].values;

        for (size_t k = 0; k < r->runs[i].npoints * r->nmetrics; k++)
            if (k % r->nmetrics != metric)
                *to++ = r->runs[i].values[k];
    }
    r->nmetrics--;
    memmove(&r->metrics[metric], &r->metrics[metric + 1],
            (r->nmetrics - metric) * sizeof *r->metrics);
}

static void drop_idle(struct results *r)
{
    for (size_t m = r->nmetrics; r->plan->metrics.count == 0 && m-- > 0;)
        if (metric_table[metric_find(str_of(r->metrics[m]))].of_agents && never_changes(r, m))
            drop_metric(r, m);
}

enum status results_load(const char *dir, struct results **ret)
{
    struct results_loader l = {.dir = dir, .r = MEM_NEW(struct results)};
    enum status st = open_file(&l);

    if (st == ST_OK)
        st = read_plan(&l);
    if (st == ST_OK)
        st = read_worlds(&l);
    if (st == ST_OK)
        st = choose_metrics(&l);
    if (st == ST_OK)
        st = read_runs(&l);
    (void)sqlite3_close(l.db);
    if (st == ST_OK)
        drop_idle(l.r);
    if (st == ST_OK)
        *ret = l.r;
    else
        results_free(l.r);
    return st;
}

void results_free(struct results *r)
{
    if (r == NULL)
        return;
    for (size_t w = 0; r->worlds && w < r->plan->nworlds; w++) {
        for (size_t i = 0; i < r->worlds[w].ntopics; i++) {
            free(r->worlds[w].topics[i]);
            free(r->worlds[w].words[i]);
        }
        free(r->worlds[w].topics);
        free(r->worlds[w].words);
        free(r->worlds[w].digest);
    }
    for (size_t i = 0; i < r->nruns; i++) {
        free((char *)r->runs[i].end);
        free(r->runs[i].x);
        free(r->runs[i].values);
        free(r->runs[i].pages_at);
        free(r->runs[i].seconds_at);
    }
    free(r->worlds);
    free(r->runs);
    free(r->metrics);
    free(r->commits);
    plan_free(r->plan);
    free(r);
}

/* ---- looking things up --------------------------------------------------- */

double result_at(const struct results *r, const struct result_run *run, int metric,
                 struct quantity at)
{
    bool time = at.kind == QUANTITY_TIME;
    const double *where = time ? run->seconds_at : run->pages_at;
    double limit = time ? at.value / 1e6 : (double)quantity_pages(at, 1, run->reachable);
    size_t i;

    FIND_FIRST(i, 0, run->npoints, where[i] > limit);
    return i == 0 ? NAN : run->values[(i - 1) * r->nmetrics + (size_t)metric];
}

static size_t first_run(const struct results *r, const struct result_run *key)
{
    size_t i;

    FIND_FIRST(i, 0, r->nruns, by_number(&r->runs[i], key) >= 0);
    return i;
}

double result_topic_mean(const struct results *r, uint32_t world, uint32_t topic, uint32_t model,
                         int metric, struct quantity at)
{
    struct result_run key = {.world = world, .topic = topic, .model = model};
    double sum = 0;
    size_t n = 0;

    for (size_t i = first_run(r, &key); i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];
        double v;

        if (run->world != world || run->topic != topic || run->model != model)
            break;
        v = result_at(r, run, metric, at);
        if (!isnan(v)) {
            sum += v;
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

size_t results_wanted(const struct results *r)
{
    size_t n = 0;

    for (size_t w = 0; w < r->plan->nworlds; w++)
        n += r->worlds[w].ntopics * r->plan->nmodels * r->plan->repeats;
    return n;
}

bool results_looked_at(const struct results *r)
{
    for (size_t w = 0; w < r->plan->nworlds; w++)
        if (r->worlds[w].ntopics == 0)
            return false;
    return true;
}

bool results_complete(const struct results *r)
{
    return results_looked_at(r) && r->nruns == results_wanted(r);
}
