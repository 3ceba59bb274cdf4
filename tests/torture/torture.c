/* torture.c - one call of a small crawl fails, each in turn, as curl's and SQLite's
 * own tests do it.
 *
 *     torture [sample]                every nth site, one way to fail: for every ./test
 *     torture sites|stacks [FROM-TO]  every site, every way to fail; or those of a range
 *     torture kills                   every site of a crawl where it is killed, no other failures
 *     torture one SCENE:KEY:NTH:E     one failure again, as a report names it
 *
 * First each scene runs without a failure and shows its sites: the places, told
 * apart by their stacks, where it allocates, calls the system or steps through a
 * statement. Then every trial lets one of them fail and judges what is left
 * (scene.c).
 *
 * All but `stacks` tell sites apart by our own frames alone: how a library comes to
 * its allocations is its own matter, what we make of its refusal is ours.
 * Threads make the order of calls differ from run to run, so a trial whose call was
 * not reached this time counts as passed, and is counted. SPDX-License-Identifier: MIT */
#include "inject.h"
#include "scene.h"

#include "base/hash.h"
#include "base/mem.h"

#include <errno.h>
#include <sanitizer/common_interface_defs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MOST 16
#define REPORT       8192

/* Of the sample, for each scene. */
static const size_t quota[KINDS] = {[KIND_MEMORY] = 10, [KIND_STEP] = 7, [KIND_CALL] = 10};
static const char *const kind_name[KINDS] = {
    [KIND_MEMORY] = "allocation", [KIND_STEP] = "SQLite step", [KIND_CALL] = "system call"};

struct trial {
    struct fault fault;
    const struct site *site;
};

enum depth { DEPTH_SAMPLE, DEPTH_KILLS, DEPTH_SITES, DEPTH_STACKS };

static struct site *all; /* as the census found them */
static size_t nsites;
static struct trial *trials;
static size_t ntrials, trials_cap;

/* What came of them. */
struct count {
    size_t sites, trials, failed, missed;
};
static struct count counts[16][KINDS];

static struct worker {
    pid_t pid; /* 0: free */
    const struct trial *trial;
    struct report {
        bool good, fired;
        char text[REPORT];
    } * report; /* shared */
} workers[WORKERS_MOST];
static size_t nworkers;

static char root[] = "/tmp/brood-torture-XXXXXX";

/* ---- trials -------------------------------------------------------------- */

static void add_trial(const struct site *s, uint64_t key, unsigned nth, int error)
{
    MEM_GROW(trials, ntrials, &trials_cap);
    trials[ntrials++] = (struct trial){{s->scene, key, nth, error}, s};
    counts[s->scene][s->kind].trials++;
}

static size_t errors_of(const struct site *s)
{
    size_t n = 0;

    while (s->errors[n])
        n++;
    return n;
}

/* One way to fail, another for each site. */
static int some_error(const struct site *s, unsigned turn)
{
    return s->errors[(s->own / 7 + turn) % errors_of(s)];
}

static int by_own(const void *a, const void *b)
{
    const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;

    return x->own != y->own ? (x->own > y->own) - (x->own < y->own)
                            : (x->key > y->key) - (x->key < y->key);
}

/* The sites of one kind in one scene. */
static size_t sites_of(uint32_t scene, enum kind kind, struct site ***ret)
{
    static struct site *found[SITES_MOST];
    size_t count = 0;

    for (size_t i = 0; i < nsites; i++)
        if (all[i].scene == scene && all[i].kind == kind)
            found[count++] = &all[i];
    qsort(found, count, sizeof *found, by_own);
    *ret = found;
    return count;
}

/* Keeps one of those that our own frames do not tell apart, with the calls of all. */
static size_t merge(struct site **sites, size_t n)
{
    static unsigned calls[SITES_MOST];
    size_t distinct = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || sites[i]->own != sites[i - 1]->own) {
            calls[distinct] = 0;
            sites[distinct++] = sites[i];
        }
        calls[distinct - 1] += sites[i]->calls;
    }
    for (size_t i = 0; i < distinct; i++)
        sites[i]->calls = calls[i];
    return distinct;
}

/* Before a system call: whatever came before it has been done. */
static bool may_be_killed(const struct site *s)
{
    return s->kind == KIND_CALL && scene_crawls(s->scene);
}

/* The name of the function that an address is in, as a number. */
static uint64_t name_at(void *address)
{
    static struct {
        void *address;
        uint64_t name;
    } known[1 << 16];
    size_t at = (uintptr_t)address % ARRAY_LEN(known);
    char name[256];

    if (known[at].address != address) {
        __sanitizer_symbolize_pc(address, "%f", name, sizeof name);
        known[at].address = address;
        known[at].name = hash_str(str_of(name));
    }
    return known[at].name;
}

/* What a site is in every build, whose addresses differ: the sample is the same while our functions
 * on its stack are. */
static uint64_t name_of(const struct site *s)
{
    uint64_t name = hash_str(str_of(s->name));

    for (int i = 0, own = 0; i < s->nframes && own < OWN; i++)
        if (inject_is_ours(s->frames[i])) {
            name = hash_u64(name ^ name_at(s->frames[i]));
            own++;
        }
    return name;
}

static int by_name(const void *a, const void *b)
{
    uint64_t x = name_of(*(const struct site *const *)a),
             y = name_of(*(const struct site *const *)b);

    return (x > y) - (x < y);
}

static void choose_some(struct site **sites, size_t n, size_t most)
{
    size_t stride = n / most + 1;

    qsort(sites, n, sizeof *sites, by_name);
    for (size_t i = 0; i < n; i += stride) {
        int error = sites[i]->errors[name_of(sites[i]) / 7 % errors_of(sites[i])];

        add_trial(sites[i], sites[i]->own, 1, error);
        if (may_be_killed(sites[i]))
            add_trial(sites[i], sites[i]->own, 1, KILLED);
    }
}

/* At the first calls, at one in the middle, at the last. */
static void choose_kills(struct site **sites, size_t n)
{
    for (size_t i = 0; i < n && may_be_killed(sites[i]); i++) {
        unsigned calls = sites[i]->calls;

        for (unsigned nth = 1; nth <= calls && nth <= 3; nth++)
            add_trial(sites[i], sites[i]->own, nth, KILLED);
        if (calls > 6)
            add_trial(sites[i], sites[i]->own, calls / 2 + 1, KILLED);
        if (calls > 3)
            add_trial(sites[i], sites[i]->own, calls, KILLED);
    }
}

/* Every way to fail at the first call, one at a call in the middle, one at the last. */
static void choose_all(struct site **sites, size_t n, bool deep)
{
    for (size_t i = 0; i < n; i++) {
        const struct site *s = sites[i];
        uint64_t key = deep ? s->key : s->own;

        for (size_t e = 0; s->errors[e]; e++)
            add_trial(s, key, 1, s->errors[e]);
        if (s->calls > 2)
            add_trial(s, key, s->calls / 2 + 1, some_error(s, 1));
        if (s->calls > 1)
            add_trial(s, key, s->calls, some_error(s, 2));
    }
}

static void choose(enum depth depth)
{
    for (uint32_t scene = 0; scene < scene_count(); scene++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            struct site **sites;
            size_t n = sites_of(scene, kind, &sites);

            if (depth != DEPTH_STACKS)
                n = merge(sites, n);
            counts[scene][kind].sites = n;
            if (depth == DEPTH_SAMPLE)
                choose_some(sites, n, quota[kind]);
            if (depth > DEPTH_KILLS)
                choose_all(sites, n, depth == DEPTH_STACKS);
            if (depth == DEPTH_KILLS || depth == DEPTH_SITES)
                choose_kills(sites, n);
        }
}

/* ---- running them -------------------------------------------------------- */

static void show(const struct trial *t, const char *text)
{
    const struct site *s = t->site;

    printf("# %s: %s fails with %d at its call %u: torture one %u:%llx:%u:%d\n",
           scene_name(t->fault.scene), s ? s->name : "nothing", t->fault.error, t->fault.nth,
           t->fault.scene, (unsigned long long)t->fault.key, t->fault.nth, t->fault.error);
    for (int i = 0; s && i < s->nframes; i++) {
        char line[512];

        __sanitizer_symbolize_pc(s->frames[i], "%f %s:%l", line, sizeof line);
        printf("#     %s\n", line);
    }
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, '\n');
        printf("#   | %.*s\n", (int)(end - text), text);
    }
    (void)fflush(stdout);
}

static void finish(struct worker *w)
{
    const struct trial *t = w->trial;
    struct count *c = &counts[t->fault.scene][t->site ? t->site->kind : 0];

    c->missed += !w->report->fired;
    c->failed += !w->report->good;
    if (!w->report->good)
        show(t, w->report->text);
    w->pid = 0;
}

static void await_one(void)
{
    pid_t pid = waitpid(-1, NULL, 0);

    for (size_t i = 0; i < nworkers; i++)
        if (workers[i].pid == pid)
            finish(&workers[i]);
}

static struct worker *free_worker(void)
{
    for (;;) {
        for (size_t i = 0; i < nworkers; i++)
            if (workers[i].pid == 0)
                return &workers[i];
        await_one();
    }
}

static void start(const struct trial *t)
{
    struct worker *w = free_worker();

    *w->report =
        (struct report){.good = false, .text = "the process that judges the trial crashed"};
    w->trial = t;
    (void)fflush(stdout);
    w->pid = fork();
    if (w->pid == 0) {
        char dir[64];

        inject_slot((size_t)(w - workers));
        (void)snprintf(dir, sizeof dir, "%s/%zu", root, (size_t)(w - workers));
        w->report->good = scene_run(&t->fault, dir, w->report->text, REPORT);
        w->report->fired = inject_fired();
        _exit(0);
    }
}

static bool any_busy(void)
{
    for (size_t i = 0; i < nworkers; i++)
        if (workers[i].pid)
            return true;
    return false;
}

static void run_trials(size_t from, size_t to)
{
    for (size_t i = from; i < to && i < ntrials; i++) {
        if (i % 1000 == 999)
            fprintf(stderr, "%zu of %zu\n", i + 1, ntrials);
        start(&trials[i]);
    }
    while (any_busy())
        await_one();
}

/* ---- the program --------------------------------------------------------- */

static void begin(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    inject_init();
    if (mkdtemp(root) == NULL)
        abort();
    nworkers = cores < 1 ? 1 : cores > WORKERS_MOST ? WORKERS_MOST : (size_t)cores;
    for (size_t i = 0; i < nworkers; i++)
        workers[i].report = mmap(NULL, sizeof *workers[i].report, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    scenes_begin(root);
}

/* Every scene once, to see what it is made of. */
static void take_census(void)
{
    static struct trial none[16];

    for (uint32_t i = 0; i < scene_count(); i++) {
        none[i].fault.scene = i;
        start(&none[i]);
    }
    while (any_busy())
        await_one();
    nsites = inject_sites(&all);
}

static int conclude(void)
{
    size_t failed = 0, number = 0;

    for (uint32_t i = 0; i < scene_count(); i++)
        for (enum kind k = 0; k < KINDS; k++) {
            const struct count *c = &counts[i][k];

            failed += c->failed;
            printf("%sok %zu - %s survives every %s that fails\n", c->failed ? "not " : "",
                   ++number, scene_name(i), kind_name[k]);
            printf("# %zu sites, %zu trials, %zu not reached, %zu failed\n", c->sites, c->trials,
                   c->missed, c->failed);
        }
    printf("1..%zu\n", number);
    return failed != 0;
}

static void one_again(const char *what)
{
    static struct trial t;
    unsigned long long key = 0;

    if (sscanf(what, "%u:%llx:%u:%d", &t.fault.scene, &key, &t.fault.nth, &t.fault.error) != 4 ||
        t.fault.scene >= scene_count())
        abort();
    t.fault.key = key;
    start(&t);
    while (any_busy())
        await_one();
}

/* With addresses drawn anew each time, a site could not be named. */
const char *__asan_default_options(void);

/* Findings of all sanitizers end a process so; scene.c knows the figure. */
const char *__asan_default_options(void)
{
    return "detect_leaks=1:exitcode=99:allocator_may_return_null=1";
}

static void stand_still(char **argv)
{
    if (getenv("BROOD_TORTURE") == NULL && personality(ADDR_NO_RANDOMIZE) != -1) {
        (void)setenv("BROOD_TORTURE", "1", 1);
        (void)execv("/proc/self/exe", argv);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "sample";
    size_t from = 1, to = SIZE_MAX;

    stand_still(argv);
    if (argc > 2 && strcmp(what, "one") != 0 && sscanf(argv[2], "%zu-%zu", &from, &to) != 2)
        return 2;
    begin();
    if (argc > 2 && strcmp(what, "one") == 0) {
        one_again(argv[2]);
    } else {
        take_census();
        choose(strcmp(what, "stacks") == 0  ? DEPTH_STACKS
               : strcmp(what, "sites") == 0 ? DEPTH_SITES
               : strcmp(what, "kills") == 0 ? DEPTH_KILLS
                                            : DEPTH_SAMPLE);
        printf("# %zu trials\n", ntrials);
        run_trials(from - 1, to);
    }
    scenes_end();
    return conclude();
}
