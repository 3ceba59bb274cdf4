/* results_agree.c - checks that the results of a directory belong to this plan and to these worlds.
 *
 * Settings that determine the outcome of a run without being part of its name are kept in the table
 * `meta` and compared when the directory is opened again. SPDX-License-Identifier: MIT */
#include "lab/run/results_db_int.h"

#include "base/mem.h"
#include "lab/run/metric.h"

#include <stdio.h>

#define FORMAT   "1" /* of the tables; another one is not read */

/* 2: recall of topics given as words; what does not exist yet cannot be reached; freshness to the
 * end of the time */
#define MEASURES "2"

enum status results_named(const struct results_db *d, enum status st)
{
    struct str text = str_of(status_text());
    LOCAL_BUF rest = BUF_INIT(2000);

    if (st == ST_OK || !str_starts(text, STR("crawl.db: ")))
        return st;
    buf_add_str(&rest, str_sub(text, 10, text.len));
    (void)status_fail(st, "%s/results.db: %s", d->dir, rest.data);
    return st;
}

/* ---- what a plan fixes --------------------------------------------------- */

struct trait {
    const char *name;
    char value[400];
};

#define TRAITS 14

static void trait_quantity(struct trait *t, const char *name, struct quantity q)
{
    LOCAL_BUF b = BUF_INIT(100);

    t->name = name;
    quantity_show(q, &b);
    (void)snprintf(t->value, sizeof t->value, "%.*s", STR_ARG(buf_str(&b)));
}

/* Writes the settings that determine a run without being part of its name. */
static size_t traits_of(const struct plan *p, struct trait ret[TRAITS])
{
    size_t n = 0;
    struct trait *t;

#define SAY(title, ...) \
    (t = &ret[n++], t->name = (title), (void)snprintf(t->value, sizeof t->value, __VA_ARGS__))
    SAY("rng", "%llu", (unsigned long long)p->rng);
    if (p->label_topics)
        SAY("topics", "{labels: {min: %u, max: %.12g %%, most: %u}}", p->label_min,
            p->label_max * 100, p->label_most);
    else
        SAY("topics", "a list of words");
    if (p->seed_rule == SEEDS_DISTANCE)
        SAY("seeds", "{distance: %u, count: %u}", p->seed_distance, p->seed_count);
    else if (p->seeds_off)
        SAY("seeds", "{on-topic: %u, off-topic: %u}", p->seed_count, p->seeds_off);
    else
        SAY("seeds", "{%s: %u}", p->seed_rule == SEEDS_APART ? "apart" : "on-topic", p->seed_count);
    SAY("examples", "{positive: %u, negative: %u}", p->positive, p->negative);
    SAY("relevant", "%.12g", p->relevant);
    SAY("idf", "%s", p->idf == IDF_LEARNED ? "learned" : "world");
    SAY("network", "{connections: %u, per-host: %u, delay: %lldus, robots: %s, host-budget: %u}",
        p->connections, p->per_host, (long long)p->delay, p->robots ? "yes" : "no", p->host_budget);
    SAY("network.patience", "%.12g", p->patience);
    if (p->latency)
        SAY("network.latency", "%lldus", (long long)p->latency);
    if (p->measured)
        SAY("network.measured", "yes");
    if (p->slow > 0)
        SAY("network.slow", "%.12g, %lldus", p->slow, (long long)p->slow_latency);
#undef SAY
    trait_quantity(&ret[n++], "pages", p->pages);
    trait_quantity(&ret[n++], "time", p->time);
    trait_quantity(&ret[n++], "sample", p->sample);
    return n;
}

/* ---- meta ---------------------------------------------------------------- */

enum status results_meta_set(struct results_db *d, const char *key, struct str value)
{
    LOCAL_STMT *st = NULL;

    TRY(db_prepare(d->db, "INSERT OR REPLACE INTO meta VALUES(?,?)", &st));
    db_bind_str(st, 1, str_of(key));
    db_bind_str(st, 2, value);
    return db_run(d->db, st);
}

/* The value, heap; NULL where there is none. */
char *results_meta_get(struct results_db *d, const char *key)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(d->db, "SELECT value FROM meta WHERE key = ?", &st);
    char *value = NULL;

    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(key));
        if (db_row(d->db, st, &status))
            value = str_dup(db_str(st, 0));
    }
    return value;
}

static void metric_names(struct buf *out)
{
    for (const struct metric *m = metric_table; m->name; m++)
        buf_addf(out, "%s%s", out->len ? " " : "", m->name);
}

static enum status differs(const struct results_db *d, const char *what, const char *there,
                           const char *here)
{
    return status_fail(ST_USAGE,
                       "%s holds the results of another %s (there: %s, here: %s): give another "
                       "directory with --out, or remove it",
                       d->dir, what, *there ? there : "none", *here ? here : "none");
}

/* Stores the value if there is none; else fails if it differs. */
static enum status meta_agree(struct results_db *d, const char *key, const char *value,
                              const char *what)
{
    LOCAL_HEAP char *old = results_meta_get(d, key);
    enum status st = ST_OK;

    if (old == NULL)
        st = results_meta_set(d, key, str_of(value));
    else if (strcmp(old, value) != 0)
        st = differs(d, what, old, value);
    return st;
}

/* ---- earlier versions ---------------------------------------------------- */

static enum status refuse_older(const struct results_db *d, const char *what)
{
    return status_fail(ST_USAGE,
                       "%s was begun by an older brood, which measured %s otherwise: give another "
                       "directory with --out ('brood lab report' still reads it)",
                       d->dir, what);
}

/* Runs of earlier versions can be used, except where the measures have changed: topics given as
 * words, and worlds that move. */
static enum status check_measures(struct results_db *d, const struct plan *p)
{
    LOCAL_HEAP char *there = results_meta_get(d, "measures");
    int64_t runs = 0;
    enum status st = db_int(d->db, "SELECT count(*) FROM runs", &runs);

    d->older = runs > 0 && there == NULL;
    if (st == ST_OK && there && strcmp(there, MEASURES) != 0)
        st = differs(d, "version of brood", there, MEASURES);
    else if (st == ST_OK && d->older && !p->label_topics)
        st = refuse_older(d, "topics given as words");
    else if (st == ST_OK && !d->older)
        st = results_meta_set(d, "measures", STR(MEASURES));
    return st;
}

/* Where it is or how it is made, and what of it is left out. */
void results_spec(const struct plan_world *w, struct buf *out)
{
    if (w->dir)
        buf_addf(out, "dir %s", w->dir);
    for (const struct option *o = make_option_table; w->make && o->name; o++) {
        buf_addf(out, "%s%s=", o == make_option_table ? "make " : " ", o->name);
        option_show(o, w->make, out);
    }
    for (size_t i = 0; i < w->exclude.count; i++)
        buf_addf(out, " exclude %s", w->exclude.items[i]);
    for (size_t i = 0; i < w->main.count; i++)
        buf_addf(out, " main %s", w->main.items[i]);
}

/* Appends the options that only one of two ways to make a world has, because 32 options are too
 * many to compare by eye. */
static void only_in(struct str one, struct str other, struct buf *out)
{
    bool made = str_starts(one, STR("make ")) && str_starts(other, STR("make "));
    struct str word, same;

    while (str_cut(&one, ' ', &word)) {
        bool both = false;

        for (struct str rest = other; made && !both && str_cut(&rest, ' ', &same);)
            both = str_eq(word, same);
        if (!both)
            buf_addf(out, "%s%.*s", out->len ? " " : "", STR_ARG(word));
    }
}

/* A world of the same name must be the same. */
static enum status check_spec(struct results_db *d, const struct plan_world *w)
{
    LOCAL_STMT *st = NULL;
    LOCAL_BUF spec = BUF_INIT(10000), what = BUF_INIT(300);
    enum status status = db_prepare(d->db, "SELECT spec FROM worlds WHERE name = ?", &st);

    results_spec(w, &spec);
    buf_addf(&what, "world '%s'", w->name);
    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(w->name));
        if (db_row(d->db, st, &status) && !str_eq(db_str(st, 0), buf_str(&spec))) {
            struct buf there = BUF_INIT(10000), here = BUF_INIT(10000);

            only_in(db_str(st, 0), buf_str(&spec), &there);
            only_in(buf_str(&spec), db_str(st, 0), &here);
            status = differs(d, what.data, buf_str(&there).ptr, buf_str(&here).ptr);
            buf_free(&there);
            buf_free(&here);
        }
    }
    return status;
}

enum status results_agree(struct results_db *d, const struct plan *p)
{
    LOCAL_BUF names = BUF_INIT(1000);
    struct trait traits[TRAITS];
    size_t n = traits_of(p, traits);

    metric_names(&names);
    TRY(meta_agree(d, "format", FORMAT, "version of brood"));
    TRY(meta_agree(d, "metrics", names.data, "version of brood"));
    TRY(check_measures(d, p));
    TRY(meta_agree(d, "name", p->name, "plan"));
    for (size_t i = 0; i < n; i++) {
        char key[100], what[100];

        (void)snprintf(key, sizeof key, "trait %s", traits[i].name);
        (void)snprintf(what, sizeof what, "plan: its '%s' differs", traits[i].name);
        TRY(meta_agree(d, key, traits[i].value, what));
    }
    for (size_t i = 0; i < p->nworlds; i++)
        TRY(check_spec(d, &p->worlds[i]));
    TRY(results_meta_set(d, "plan", buf_str(&p->text)));
    return results_meta_set(d, "file", str_of(p->file));
}

/* ---- worlds -------------------------------------------------------------- */

static char *world_key(const char *what, const char *world)
{
    struct buf key = BUF_INIT(1000);

    buf_addf(&key, "%s of %s", what, world);
    return buf_take(&key, NULL);
}

/* "pages and labels": which parts of two digests differ. */
static void digest_differences(struct str one, struct str two, struct buf *out)
{
    struct str a, b;
    size_t shown = 0, differ = 0;

    for (struct str x = one, y = two; str_cut(&x, ',', &a) && str_cut(&y, ',', &b);)
        differ += !str_eq(a, b);
    for (struct str x = one, y = two; str_cut(&x, ',', &a) && str_cut(&y, ',', &b);) {
        struct str name = str_trim(b);

        if (str_eq(a, b))
            continue;
        buf_add_z(out, shown == 0 ? "" : shown + 1 == differ ? " and " : ", ");
        buf_add_str(out, str_sub(name, 0, str_find_char(name, ' ', 0)));
        shown++;
    }
}

static enum status other_world(const struct results_db *d, const char *world, const char *there,
                               struct str now)
{
    LOCAL_BUF parts = BUF_INIT(200);

    digest_differences(str_of(there), now, &parts);
    return status_fail(
        ST_USAGE,
        "the world '%s' is not what it was when %s was begun (other %s): give another "
        "directory with --out, or remove it",
        world, d->dir, parts.data);
}

enum status results_db_digest(struct results_db *d, const char *world,
                              const struct world_digest *now)
{
    LOCAL_HEAP char *key = world_key("digest", world), *there = results_meta_get(d, key);
    struct str text = buf_str(&now->text);
    enum status st = ST_OK;

    if (d->older && now->moves)
        st = refuse_older(d, "worlds that move");
    else if (there == NULL)
        st = results_meta_set(d, key, text);
    else if (!str_eq(str_of(there), text))
        st = other_world(d, world, there, text);
    return results_named(d, st);
}

bool results_db_is_asked(struct results_db *d, const char *world, struct str asked)
{
    LOCAL_HEAP char *key = world_key("topics", world), *there = results_meta_get(d, key);
    bool same = there && str_eq(str_of(there), asked);

    return same;
}

enum status results_db_ask(struct results_db *d, const char *world, struct str asked)
{
    LOCAL_HEAP char *key = world_key("topics", world);
    enum status st = results_meta_set(d, key, asked);

    return results_named(d, st);
}
