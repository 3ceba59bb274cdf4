/* lab.c - brood lab run, list and report: carry out plans and show their results.
 * SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "lab/report/report.h"
#include "lab/run/runner.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- report -------------------------------------------------------------- */

struct lab_report_options {
    char *html;
    bool json;
};

static const struct option lab_report_option_table[] = {
    {.name = "html",
     .type = OPTION_TEXT,
     .metavar = "FILE",
     .help = "write the report with its curves to this file too",
     .offset = offsetof(struct lab_report_options, html)},
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "as JSON",
     .offset = offsetof(struct lab_report_options, json)},
    {.name = NULL},
};

static enum status write_html(const struct results *r, const char *path)
{
    LOCAL_BUF command = BUF_INIT(LIMIT_CONFIG_FILE);

    report_command(r, &command);
    return report_html(r, command.data, path);
}

static int lab_report_command(struct invocation *in)
{
    const struct lab_report_options *o = in->options;
    struct buf out = BUF_INIT(LIMIT_REPORT);
    struct results *r;
    enum status st = results_load(in->args.items[0], &r);

    if (st != ST_OK)
        return report_failure(st);
    if (o->html)
        st = write_html(r, o->html);
    if (st == ST_OK && o->json)
        report_json(r, &out);
    else if (st == ST_OK)
        report_terminal(r, &out);
    results_free(r);
    return report_end(st, &out);
}

const struct command command_lab_report = {
    .name = "lab report",
    TAKES("DIR", 1, 1),
    .summary = "show what an experiment found: tables, paired tests, claims",
    .details = "DIR is what 'brood lab run' made. Models are compared topic by topic: means with "
               "their 95 % intervals, paired t tests and Wilcoxon's signed ranks (corrected after "
               "Holm), and the plan's claims: reproduced, not reproduced, mixed (it holds in one "
               "world and fails in another) or undecided, each by its own interval, not corrected "
               "for the number of claims. A plan that was "
               "stopped is reported as far as it got.",
    .example = "brood lab report results/baselines --html baselines.html",
    OPTIONS(lab_report_option_table, struct lab_report_options),
    .run = lab_report_command,
};

/* ---- run ----------------------------------------------------------------- */

struct run_options {
    char *out;
    uint32_t jobs;
    bool quiet, json;
};

#define AT(field) .offset = offsetof(struct run_options, field)

static const struct option run_option_table[] = {
    {TEXT_OPTION("out", out, "DIR"), .letter = 'o',
     .help = "where results go; results/NAME by default, with the plan's name"},
    {U32_OPTION("jobs", jobs, "N", "0", 0, 1024), .letter = 'j',
     .help = "runs at once; 0: one a core. The results are the same"},
    {FLAG_OPTION("quiet", quiet), .letter = 'q', .help = "no progress, no tables"},
    {FLAG_OPTION("json", json), .help = "the tables as JSON"},
    {.name = NULL},
};

static void on_progress(void *ctx, const struct lab_progress *p)
{
    LOCAL_BUF line = BUF_INIT(400);
    char text[UNITS_TEXT];

    buf_addf(&line, "%s", p->world);
    if (p->worlds > 1)
        buf_addf(&line, " (world %zu of %zu)", p->number, p->worlds);
    buf_addf(&line, ", %s", p->doing);
    if (p->total)
        buf_addf(&line, ": %zu of %zu runs (%.0f %%)", p->done, p->total,
                 100.0 * (double)p->done / (double)p->total);
    if (p->visits && p->seconds > 0)
        buf_addf(&line, "  %.0f visits/s", (double)p->visits / p->seconds);
    if (p->ran && p->done < p->total)
        buf_addf(
            &line, "  %s left",
            units_show_duration(
                (int64_t)(p->seconds * 1e6 * (double)(p->total - p->done) / (double)p->ran), text));
    progress_line(ctx, buf_str(&line));
}

static void on_note(void *ctx, const char *sentence)
{
    struct progress *p = ctx;

    if (p->off)
        return;
    progress_clear(p);
    report_say("brood: %s\n", sentence);
}

static enum status report_run(const struct run_options *o, const char *dir)
{
    LOCAL_BUF out = BUF_INIT(64 << 20), path = BUF_INIT(8192), command = BUF_INIT(8192);
    struct results *r = NULL;
    enum status st = results_load(dir, &r);

    if (st == ST_OK) {
        buf_addf(&path, "%s/report.html", dir);
        report_command(r, &command);
        st = report_html(r, command.data, path.data);
    }
    if (st == ST_OK && o->json)
        report_json(r, &out);
    else if (st == ST_OK && !o->quiet)
        report_terminal(r, &out);
    if (st == ST_OK && !o->json && !o->quiet)
        buf_addf(&out, "\n%s: report.html, results.json, results.csv, results.db, timing.json\n",
                 dir);
    if (st == ST_OK && report_out(&out) != EXIT_DONE)
        st = status_fail(ST_IO, "the tables cannot be written");
    results_free(r);
    return st;
}

static int run_plan(const struct run_options *o, struct plan *p)
{
    LOCAL_BUF dir = BUF_INIT(4096);
    struct progress progress;
    struct runner_config config = {.jobs = o->jobs,
                                   .stop = interrupt_flag(),
                                   .progress = on_progress,
                                   .note = on_note,
                                   .progress_ctx = &progress};
    enum status st;
    int code = EXIT_DONE;

    if (o->out)
        buf_add_z(&dir, o->out);
    else
        buf_addf(&dir, "results/%s", p->name);
    config.dir = dir.data;
    progress_init(&progress, o->quiet);
    st = lab_run(p, &config);
    progress_clear(&progress);
    if (st == ST_STOPPED) {
        report_say("brood: stopped; what is finished is kept in %s, and the same command goes "
                   "on from there\n",
                   dir.data);
        code = EXIT_INTERRUPTED;
    } else {
        if (st == ST_OK)
            st = report_run(o, dir.data);
        code = st == ST_OK ? EXIT_DONE : report_failure(st);
    }
    return code;
}

/* All plans are read before the first one is begun. */
static int run_command(struct invocation *in)
{
    const struct run_options *o = in->options;
    size_t n = in->args.count;
    struct plan **plans = mem_zero(n, sizeof(struct plan *));
    enum status st = ST_OK;
    int code = EXIT_DONE;

    if (o->out && n > 1)
        st = status_fail(ST_USAGE, "--out is for one plan; there are %zu", n);
    for (size_t i = 0; st == ST_OK && i < n; i++)
        st = plan_read(in->args.items[i], &plans[i]);
    if (st != ST_OK)
        code = report_failure(st);
    interrupt_catch();
    for (size_t i = 0; code == EXIT_DONE && i < n; i++)
        code = run_plan(o, plans[i]);
    for (size_t i = 0; i < n; i++)
        plan_free(plans[i]);
    free(plans);
    return code;
}

const struct command command_lab_run = {
    .name = "lab run",
    TAKES("PLAN...", 1, SIZE_MAX),
    .summary = "carry out an experiment: compare models on worlds",
    .details =
        "A plan is a YAML file (docs/lab.md): worlds, topics, seeds, models with sweeps, budgets, "
        "repeats, metrics, claims. Everything runs in simulated time on all cores; the same plan "
        "gives the same results.json, byte for byte. Stopped with Ctrl-C, the same command goes on "
        "where it was; a plan that gained models, repeats or worlds runs only what is new.",
    .example = "brood lab run experiments/baselines.plan\n"
               "  brood lab run my.plan --out results/mine --jobs 2",
    OPTIONS(run_option_table, struct run_options),
    .run = run_command,
};

/* ---- list ---------------------------------------------------------------- */

struct list_options {
    bool json;
};

static const struct option list_option_table[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "as JSON",
     .offset = offsetof(struct list_options, json)},
    {.name = NULL},
};

struct lab_listing {
    struct buf *out;
    struct json *json; /* NULL: as text */
    size_t found;
};

static bool is_there(const char *dir, const char *file)
{
    LOCAL_BUF path = BUF_INIT(8192);

    buf_addf(&path, "%s/%s", dir, file);
    return access(path.data, F_OK) == 0;
}

/* `r`: of results; NULL: a plan. */
static void list_row(struct lab_listing *l, const char *path, const char *name, const char *state,
                     struct str about, const struct results *r)
{
    l->found++;
    if (l->json == NULL) {
        buf_addf(l->out, "%-36s %-28s ", path, state);
        report_text(l->out, about, 80);
        buf_add_char(l->out, '\n');
        return;
    }
    json_open_object(l->json, NULL);
    json_put_z(l->json, "path", path);
    json_put_z(l->json, "name", name);
    json_put_z(l->json, "state", state);
    if (r) {
        json_put_bool(l->json, "complete", results_complete(r));
        json_put_int(l->json, "done", (int64_t)r->nruns);
        json_put_int(l->json, "wanted", (int64_t)results_wanted(r));
        json_put_bool(l->json, "all_worlds_looked_at", results_looked_at(r));
    }
    json_put_str(l->json, "about", about);
    json_close(l->json);
}

static void state_of(const struct results *r, char *ret, size_t size)
{
    if (results_complete(r))
        (void)snprintf(ret, size, "complete, %zu runs", r->nruns);
    else if (results_wanted(r) > 0)
        (void)snprintf(ret, size, "%zu of %zu runs%s", r->nruns, results_wanted(r),
                       results_looked_at(r) ? "" : " or more");
    else
        (void)snprintf(ret, size, "begun");
}

static void list_results(struct lab_listing *l, const char *dir)
{
    struct results *r = NULL;
    char state[100];

    if (results_load(dir, &r) != ST_OK) {
        list_row(l, dir, NULL, "cannot be read", str_of(status_text()), NULL);
        return;
    }
    state_of(r, state, sizeof state);
    list_row(l, dir, r->plan->name, state, str_of(r->plan->about), r);
    results_free(r);
}

/* Returns a message "FILE:LINE: …" without its place, which the row shows already. */
static struct str without_place(const char *text, const char *file)
{
    struct str s = str_of(text);
    size_t end = str_starts(s, str_of(file)) ? str_find(s, STR(": "), strlen(file)) : SIZE_MAX;

    return end == SIZE_MAX ? s : str_sub(s, end + 2, s.len);
}

static void list_plan(struct lab_listing *l, const char *file)
{
    struct plan *p = NULL;
    LOCAL_BUF text = BUF_INIT(100);

    if (plan_load(file, &p) != ST_OK) {
        list_row(l, file, NULL, "plan with a mistake", str_of(status_text()), NULL);
        return;
    }
    buf_addf(&text, "plan: %zu model%s, %zu world%s", p->nmodels, p->nmodels == 1 ? "" : "s",
             p->nworlds, p->nworlds == 1 ? "" : "s");
    if (plan_find_worlds(p) != ST_OK)
        list_row(l, file, p->name, "plan, needs a world", without_place(status_text(), file), NULL);
    else
        list_row(l, file, p->name, text.data, str_of(p->about), NULL);
    plan_free(p);
}

static void list_one(struct lab_listing *l, const char *path)
{
    if (is_there(path, "results.db"))
        list_results(l, path);
    else if (str_ends(str_of(path), STR(".plan")))
        list_plan(l, path);
}

/* A directory of results, a plan, or a folder of such. */
static enum status list_path(struct lab_listing *l, const char *path)
{
    struct dirent **names = NULL;
    size_t before = l->found;
    int n;

    list_one(l, path);
    if (l->found > before)
        return ST_OK;
    n = scandir(path, &names, NULL, alphasort);
    if (n < 0)
        return status_fail(ST_USAGE, "%s is neither a directory nor a plan", path);
    for (int i = 0; i < n; i++) {
        struct buf one = BUF_INIT(8192);

        buf_addf(&one, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            list_one(l, one.data);
        buf_free(&one);
        free(names[i]);
    }
    free(names);
    return ST_OK;
}

static enum status list_all(struct lab_listing *l, const struct text_list *paths)
{
    static const char *const usual[] = {"experiments", "results"};

    for (size_t i = 0; paths->count == 0 && i < ARRAY_LEN(usual); i++)
        if (access(usual[i], F_OK) == 0)
            TRY(list_path(l, usual[i]));
    for (size_t i = 0; i < paths->count; i++)
        TRY(list_path(l, paths->items[i]));
    return ST_OK;
}

static int list_command(struct invocation *in)
{
    const struct list_options *o = in->options;
    struct buf out = BUF_INIT(64 << 20);
    struct json j;
    struct lab_listing l = {.out = &out, .json = o->json ? &j : NULL};
    enum status st;

    json_init(&j, &out);
    if (o->json)
        json_open_array(&j, NULL);
    st = list_all(&l, &in->args);
    if (o->json)
        json_close(&j);
    if (o->json)
        buf_add_char(&out, '\n');
    else if (l.found == 0)
        buf_add_z(&out, "no plans and no results here\n");
    return report_end(st, &out);
}

const struct command command_lab_list = {
    .name = "lab list",
    TAKES("[DIR|PLAN]...", 0, SIZE_MAX),
    .summary = "list plans and results, and how far they are",
    .details = "Without an argument it looks into experiments/ and results/.",
    .example = "brood lab list results",
    OPTIONS(list_option_table, struct list_options),
    .run = list_command,
};
