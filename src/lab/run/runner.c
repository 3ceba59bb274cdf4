/* runner.c - `brood lab run`: carries out the worlds one after another, and writes the results.
 * SPDX-License-Identifier: MIT */
#include "lab/run/runner_int.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/mem.h"
#include "lab/run/seeds.h"
#include "sim/info.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOW_EVERY (200 * US_PER_MS)
#define ANY_SIZE   (SIZE_MAX / 2) /* of what a plan, which is bounded, says */

bool lab_goes_on(struct lab *l)
{
    const struct runner_config *c = l->config;
    int64_t now = clock_now();

    if (c->progress && now >= l->show_at) {
        l->show_at = now + SHOW_EVERY;
        l->progress.seconds = (double)(now - l->began) / 1e6;
        c->progress(c->progress_ctx, &l->progress);
    }
    return c->stop == NULL || !__atomic_load_n(c->stop, __ATOMIC_RELAXED);
}

static bool on_progress(void *ctx, uint32_t done, uint32_t total)
{
    (void)done;
    (void)total;
    return lab_goes_on(ctx);
}

/* ---- worlds that the plan makes ------------------------------------------ */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

static void show_made(const struct make_config *c, struct buf *out)
{
    for (const struct option *o = make_option_table; o->name; o++) {
        buf_addf(out, "%s=", o->name);
        option_show(o, c, out);
        buf_add_char(out, '\n');
    }
}

/* world_make() makes NAME.part and renames it when it is complete. The remains of a killed process
 * are removed: this directory is locked, so no other process uses them. */
static enum status make_again(struct lab *l, const struct plan_world *w, const char *dir,
                              const char *note, struct str made_of)
{
    LOCAL_BUF part = BUF_INIT(8192);

    buf_addf(&part, "%s.part", dir);
    (void)nftw(part.data, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    l->progress.doing = "making";
    TRY(world_make(dir, w->make, on_progress, l));
    return file_write(note, made_of);
}

/* Makes OUT/worlds/NAME, and beside it NAME.made with its options. */
static enum status make_world(struct lab *l, const struct plan_world *w, struct buf *dir)
{
    LOCAL_BUF note = BUF_INIT(8192), old = BUF_INIT(100000), made_of = BUF_INIT(100000);
    enum status st = ST_OK;

    buf_addf(dir, "%s/worlds", l->config->dir);
    if (mkdir(dir->data, 0700) != 0 && errno != EEXIST)
        st = status_fail(ST_IO, "%s cannot be made: %s", dir->data, strerror(errno));
    buf_addf(dir, "/%s", w->name);
    buf_addf(&note, "%s.made", dir->data);
    show_made(w->make, &made_of);
    if (st == ST_OK && access(dir->data, F_OK) != 0)
        st = make_again(l, w, dir->data, note.data, buf_str(&made_of));
    else if (st == ST_OK && access(note.data, F_OK) != 0)
        st = file_write(note.data, buf_str(&made_of)); /* killed between the two */
    else if (st == ST_OK) {
        st = file_read(note.data, &old);
        if (st == ST_OK && !str_eq(buf_str(&old), buf_str(&made_of)))
            st = status_fail(ST_USAGE,
                             "%s was made with other parameters: remove it, or give another "
                             "directory with --out",
                             dir->data);
    }
    return st;
}

/* ---- one world ----------------------------------------------------------- */

/* Measures the figures of `world info`; those that cannot be computed are unknown. */
static void measure(const char *dir, struct result_world *ret)
{
    struct world_info info;
    struct world *world;

    ret->out_exponent = ret->in_exponent = ret->clustering = ret->mean_distance = ret->locality =
        NAN;
    if (world_open(dir, &world) != ST_OK)
        return;
    if (world_info(world, &info) == ST_OK) {
        ret->hosts = info.hosts; /* of pages; the web counts those of dead links too */
        ret->out_exponent = info.out_exponent;
        ret->in_exponent = info.in_exponent;
        ret->clustering = info.clustering;
        ret->mean_distance = info.mean_distance;
        ret->locality = info.locality;
        world_info_clear(&info);
    }
    world_close(world);
}

/* Reuses the figures of an earlier session, because measuring takes long. */
static void figures_of(const struct result_world *before, const char *dir, struct result_world *ret)
{
    if (before->pages == 0) {
        measure(dir, ret);
        return;
    }
    ret->hosts = before->hosts;
    ret->out_exponent = before->out_exponent;
    ret->in_exponent = before->in_exponent;
    ret->clustering = before->clustering;
    ret->mean_distance = before->mean_distance;
    ret->locality = before->locality;
}

/* Topics for which some repeat has no seeds or examples are left out. */
static size_t drop_barren(const struct lab *l, const struct plan_world *spec,
                          const struct ground *g, struct subject *s, size_t count)
{
    const struct plan *p = l->plan;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        bool good = true;

        for (uint32_t r = 0; good && r < p->repeats; r++) {
            struct draw d;

            good = draw_make(g, &s[i], p, draw_rng(p, spec->name, s[i].name, r), &d);
            if (good)
                draw_clear(&d);
        }
        if (good) {
            struct subject swap = s[kept];

            s[kept++] = s[i];
            s[i] = swap; /* freed with the others */
        }
    }
    return kept;
}

static enum status keep_world(struct lab *l, const struct plan_world *spec, const char *dir,
                              const struct result_world *before, const struct ground *g,
                              const struct subject *s, size_t kept, size_t count)
{
    struct result_world w = {
        .name = spec->name,
        .pages = g->counts.pages,
        .hosts = g->counts.hosts,
        .versions = g->counts.versions,
        .links = g->counts.links,
        .topics = mem_zero(kept + 1, sizeof *w.topics),
        .words = mem_zero(kept + 1, sizeof *w.words),
        .ntopics = kept,
        .skipped = (uint32_t)(count - kept),
    };
    enum status st;

    for (size_t i = 0; i < kept; i++) {
        w.topics[i] = s[i].name;
        w.words[i] = s[i].words;
    }
    figures_of(before, dir, &w);
    st = results_db_world(l->db, spec, &w);
    free(w.topics);
    free(w.words);
    return st;
}

static void note_left_out(const struct lab *l, const char *world, const struct left_out *left,
                          size_t barren)
{
    const struct plan *p = l->plan;
    LOCAL_BUF text = BUF_INIT(1000);

    buf_addf(&text, "world '%s': topics left out:", world);
    if (left->small)
        buf_addf(&text, " %zu with fewer than %u pages,", left->small, p->label_min);
    if (left->large)
        buf_addf(&text, " %zu with more than %g %% of the pages,", left->large, p->label_max * 100);
    if (left->spread)
        buf_addf(&text, " %zu by 'most: %u',", left->spread, p->label_most);
    if (barren)
        buf_addf(&text, " %zu for which no seeds or examples can be drawn,", barren);
    if (l->config->note && text.data[text.len - 1] == ',') {
        text.data[text.len - 1] = '\0';
        l->config->note(l->config->progress_ctx, text.data);
    }
}

static enum status work_on(struct lab *l, const struct plan_world *spec, const char *dir,
                           const struct result_world *before, const struct ground *g)
{
    struct subject *s = NULL;
    size_t count = 0, kept = 0;
    struct left_out left = {0};
    enum status st = l->plan->label_topics
                         ? subjects_of_labels(g, l->plan, spec->name, &s, &count, &left)
                         : subjects_of_words(g, l->plan, &s, &count);

    if (st == ST_OK) {
        kept = drop_barren(l, spec, g, s, count);
        if (kept == 0)
            st = status_fail(ST_USAGE,
                             "%s:%u: world '%s': for none of its %zu topics could seeds and "
                             "examples be drawn: ask for fewer, for another distance%s",
                             l->plan->file, l->plan->topics_line, spec->name, count,
                             l->plan->label_topics ? "" : ", or for a smaller 'relevant'");
    }
    if (st == ST_OK)
        note_left_out(l, spec->name, &left, count - kept);
    if (st == ST_OK)
        st = keep_world(l, spec, dir, before, g, s, kept, count);
    if (st == ST_OK) {
        l->progress.doing = "running";
        st = lab_work(l, spec, g, s, kept);
    }
    subjects_free(s, count);
    return st;
}

/* Checks that all pages can be read: others could never be found. */
static enum status check_whole(const struct web *web, const char *name, const char *dir)
{
    uint32_t damaged = web_counts(web).damaged;

    if (damaged == 0)
        return ST_OK;
    return status_fail(
        ST_CORRUPT,
        "world '%s': %u of its answers cannot be read from its archive: 'brood check "
        "%s' names them; make or import it again",
        name, damaged, dir);
}

static enum status load_and_work(struct lab *l, const struct plan_world *spec, const char *dir,
                                 const struct result_world *before)
{
    struct web_config config = {.threads = l->config->jobs,
                                .main = spec->main_parts,
                                .progress = on_progress,
                                .progress_ctx = l};
    struct ground_config rules = {
        .exclude = &spec->exclude,
        .robots = l->plan->robots,
        .reversed = l->plan->seed_rule == SEEDS_DISTANCE,
        .time = l->plan->time.kind == QUANTITY_TIME ? (int64_t)l->plan->time.value : 0};
    struct ground g;
    struct web *web;
    enum status st;

    l->progress.doing = "loading";
    (void)lab_goes_on(l);
    st = web_load(dir, &config, &web);
    if (st != ST_OK)
        return st == ST_STOPPED ? st : status_prefix(st, "world '%s'", spec->name);
    st = check_whole(web, spec->name, dir);
    if (st == ST_OK)
        st = ground_init(&g, web, &rules);
    if (st == ST_OK) {
        st = work_on(l, spec, dir, before, &g);
        ground_clear(&g);
    }
    web_free(web);
    return st;
}

/* Appends the criteria for a world's topics, as far as a plan may change them. */
static void show_asked(const struct plan *p, struct buf *out)
{
    buf_addf(out, "%u repeats", p->repeats); /* topics without seeds in one are left out */
    for (size_t i = 0; i < p->topics.count; i++)
        buf_addf(out, "\n%s", p->topics.items[i]);
}

/* Is the world unchanged? A world that the plan makes may be removed when all runs are done. */
static enum status check_digest(struct lab *l, const struct plan_world *spec, const char *dir)
{
    struct world_digest digest;
    enum status st = world_digest_take(dir, &digest);

    if (st == ST_OK)
        st = results_db_digest(l->db, spec->name, &digest);
    else
        st = status_prefix(st, "world '%s'", spec->name);
    buf_free(&digest.text);
    return st;
}

static enum status find_finished(struct lab *l, const struct plan_world *spec)
{
    LOCAL_BUF dir = BUF_INIT(8192);

    if (spec->make)
        buf_addf(&dir, "%s/worlds/%s", l->config->dir, spec->name);
    else
        TRY(plan_world_dir(l->plan, spec, &dir));
    if (access(dir.data, F_OK) == 0)
        TRY(check_digest(l, spec, dir.data));
    return ST_OK;
}

static enum status run_world(struct lab *l, const struct plan_world *spec,
                             const struct result_world *before)
{
    LOCAL_BUF dir = BUF_INIT(8192), asked = BUF_INIT(ANY_SIZE);

    l->progress.world = spec->name;
    show_asked(l->plan, &asked);
    TRY(spec->make ? make_world(l, spec, &dir) : plan_world_dir(l->plan, spec, &dir));
    TRY(check_digest(l, spec, dir.data));
    TRY(load_and_work(l, spec, dir.data, before));
    return results_db_ask(l->db, spec->name, buf_str(&asked));
}

/* ---- all ----------------------------------------------------------------- */

static size_t runs_of(const struct results *r, uint32_t world)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nruns; i++)
        n += r->runs[i].world == world;
    return n;
}

/* Has an earlier session done all that the plan asks for? */
static bool is_finished(struct lab *l, const struct results *before, uint32_t world)
{
    const struct plan *p = l->plan;
    size_t want = before->worlds[world].ntopics * p->nmodels * p->repeats;
    LOCAL_BUF asked = BUF_INIT(ANY_SIZE);
    bool same;

    show_asked(p, &asked);
    same = results_db_is_asked(l->db, p->worlds[world].name, buf_str(&asked));
    return same && want > 0 && runs_of(before, world) == want;
}

/* Finished worlds are not loaded, only checked. */
static enum status run_worlds(struct lab *l, const struct results *before)
{
    const struct plan *p = l->plan;

    for (uint32_t w = 0; w < p->nworlds; w++) {
        const struct result_world *b = &before->worlds[w];
        size_t want = b->ntopics * p->nmodels * p->repeats;

        l->progress.number = w + 1;
        if (is_finished(l, before, w)) {
            l->progress.total += want;
            l->progress.done += want;
            TRY(find_finished(l, &p->worlds[w]));
        } else {
            TRY(run_world(l, &p->worlds[w], b));
        }
    }
    return ST_OK;
}

static enum status write_files(struct lab *l)
{
    struct results *r = NULL;
    LOCAL_BUF path = BUF_INIT(8192);
    enum status st = results_load(l->config->dir, &r);

    buf_addf(&path, "%s/results.json", l->config->dir);
    if (st == ST_OK)
        st = results_write_json(r, path.data);
    buf_clear(&path);
    buf_addf(&path, "%s/results.csv", l->config->dir);
    if (st == ST_OK)
        st = results_write_csv(r, path.data);
    buf_clear(&path);
    buf_addf(&path, "%s/timing.json", l->config->dir);
    if (st == ST_OK)
        st = results_db_timing(l->db, path.data);
    results_free(r);
    return st;
}

enum status lab_run(struct plan *p, const struct runner_config *c)
{
    struct lab l = {
        .plan = p, .config = c, .began = clock_now(), .progress = {.worlds = p->nworlds}};
    struct results *before = NULL;
    enum status st = results_db_open(c->dir, p, &l.db);

    l.progress.world = "";
    l.progress.doing = "beginning";
    if (st == ST_OK)
        st = results_load(c->dir, &before);
    if (st == ST_OK)
        st = run_worlds(&l, before);
    results_free(before);
    if (st == ST_OK)
        st = write_files(&l);
    results_db_close(l.db);
    return st;
}
