/* run_crawl.c - what `crawl`, `resume` and `watch` have in common.
 *
 * Ctrl-C or SIGTERM once: stop cleanly and keep everything. Twice: at once;
 * what was committed stays. With --json a page is printed when it is committed,
 * not before: what was reported survives kill -9.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/run_crawl.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/status.h"
#include "base/str.h"
#include "base/units.h"
#include "bus/bus.h"
#include "cli/command.h"
#include "cli/notify.h"
#include "cli/progress.h"
#include "dash/dash.h"
#include "models/models.h"
#include "store/read/query.h"
#include "text/topic.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the dashboard inside a crawling process: --dashboard[=PORT] --------- */

struct dash;

/* For the signal handler: which signal stopped the crawl. */
static volatile sig_atomic_t signalled;

#ifdef BROOD_DASH
/* Returns the port; -1 for any free one, -2 if the text is not a port. */
static int port_of(const char *text)
{
    uint64_t number;

    if (strcmp(text, "auto") == 0)
        return -1;
    return str_to_u64(str_of(text), &number) && number <= 65535 ? (int)number : -2;
}

/* Checks that this build has a dashboard, and that this is a port; called before anything is made. */
static enum status dashboard_check(const char *port)
{
    if (port && port_of(port) == -2)
        return status_fail(ST_USAGE, "--dashboard=%s: this is no port", port);
    return ST_OK;
}

/* Serves the crawl in `dir` and says where, on standard error. `port`: "auto" or a number that
 * passed the check; NULL: nothing is done. */
static enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    struct dash_config config = {0};
    enum status st;

    *ret = NULL;
    if (port == NULL)
        return ST_OK;
    config.port = port_of(port);
    text_list_add(&config.dirs, str_of(dir));
    st = dash_new(&config, ret);
    text_list_free(&config.dirs);
    if (st != ST_OK)
        return status_prefix(st, "--dashboard");
    report_say("dashboard: %s\n", dash_url(*ret));
    return ST_OK;
}

/* Keeps the dashboard running after the crawl, until Ctrl-C, unless the user pressed that
 * before. */
static void dashboard_linger(const struct dash *d)
{
    if (signalled)
        return;
    report_say("the dashboard stays at %s until Ctrl-C\n", dash_url(d));
    while (!signalled)
        clock_sleep(100 * US_PER_MS);
}

static void dashboard_stop(struct dash *d)
{
    dash_free(d);
}
#else
static enum status dashboard_check(const char *port)
{
    return port ? status_fail(ST_USAGE, "this brood was built without its dashboard: "
                                        "libmicrohttpd was missing")
                : ST_OK;
}

static enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    (void)dir;
    (void)port;
    *ret = NULL;
    return ST_OK;
}

static void dashboard_linger(const struct dash *d)
{
    (void)d;
}

static void dashboard_stop(struct dash *d)
{
    (void)d;
}
#endif

/* Does the dashboard stay? Without a terminal it could not be ended. */
static bool dashboard_stays(const struct crawl_options *o)
{
    return !o->no_wait && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* ---- signals ------------------------------------------------------------- */

#define SAME_PRESS (300 * US_PER_MS)

/* For the signal handler. */
static struct crawl *stoppable;       /* while the crawl runs */
static volatile sig_atomic_t hurried; /* asked while the full text is indexed */

static void on_signal(int number)
{
    static const char again[] = "\nbrood: stopping at once\n";
    static int64_t asked; /* when */
    int64_t now = clock_now();

    signalled = number;
    if (asked && now - asked < SAME_PRESS)
        return; /* a shell and a parent may pass one Ctrl-C on twice */
    if (asked) {
        (void)!write(STDERR_FILENO, again, sizeof again - 1);
        _exit(EXIT_INTERRUPTED);
    }
    asked = now;
    if (stoppable)
        crawl_stop(stoppable);
    else
        hurried = 1;
}

static void catch_signals(struct crawl *c)
{
    struct sigaction action = {.sa_handler = on_signal};

    stoppable = c;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* ---- JSON lines ---------------------------------------------------------- */

struct page_line {
    uint32_t page;
    char *text;
};

struct runner {
    const struct crawl_options *options;
    const struct run_hooks *hooks; /* NULL: none */
    struct progress progress;
    struct page_line *lines; /* pages posted and not yet committed, oldest first */
    size_t first, count, cap;
    int unwritten; /* errno of the output; 0: all was written, or its reader left */
    bool paused;   /* the pause was reported */
};

static void on_event(void *ctx, const struct event *e)
{
    struct runner *r = ctx;
    struct buf text = BUF_INIT(1 << 20);
    const struct arrival *a = e->page.arrival;
    struct json j;

    if (e->kind != EVENT_PAGE || e->page.hidden)
        return;
    json_begin(&j, &text);
    json_put_int(&j, "page", e->page.id);
    json_put_str(&j, "url", a->request->href);
    json_put_int(&j, "status", a->reply.status);
    json_put_str(&j, "title", a->page->title);
    json_put_num(&j, "relevance", round((double)a->profile.relevance * 1e6) / 1e6);
    report_topics_json(&j, &a->profile);
    json_put_int(&j, "depth", a->request->depth);
    json_put_int(&j, "agent", a->request->choice.agent);
    json_put_int(&j, "links", a->page->nlinks);
    if (e->page.dup_of)
        json_put_int(&j, "dup_of", e->page.dup_of);
    json_close(&j);
    MEM_GROW(r->lines, r->count, &r->cap);
    r->lines[r->count++] = (struct page_line){e->page.id, buf_take(&text, NULL)};
}

static void print_committed(struct runner *r, uint64_t committed)
{
    while (r->first < r->count && r->lines[r->first].page <= committed) {
        puts(r->lines[r->first].text);
        free(r->lines[r->first++].text);
    }
    if (r->first > r->count / 2) { /* seldom all are committed: the rest moves up */
        r->count -= r->first;
        memmove(r->lines, r->lines + r->first, r->count * sizeof *r->lines);
        r->first = 0;
    }
    if (fflush(stdout) == 0)
        return;
    if (errno != EPIPE)
        r->unwritten = errno;
    else if (stoppable) /* the reader has gone: stop as after Ctrl-C */
        crawl_stop(stoppable);
}

static void lines_free(struct runner *r)
{
    while (r->first < r->count)
        free(r->lines[r->first++].text);
    free(r->lines);
}

/* A pause is reported at once, and also with --quiet: the user has to do something. */
static void say_pause(struct runner *r, const char *trouble)
{
    bool paused = *trouble != '\0';

    if (paused == r->paused)
        return;
    r->paused = paused;
    progress_clear(&r->progress);
    if (paused)
        report_say("brood: paused: %s. It goes on by itself when there is room\n", trouble);
    else
        report_say("brood: there is room again, going on\n");
}

static void on_watch(void *ctx, const struct crawl_status *s)
{
    struct runner *r = ctx;

    if (r->options->json)
        print_committed(r, s->committed);
    if (r->hooks)
        r->hooks->tick(r->hooks->ctx, s);
    notify_alive(clock_now(), s->pages);
    say_pause(r, s->trouble);
    progress_show(&r->progress, s);
}

static bool on_index(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    notify_alive(clock_now(), 0); /* a large crawl is indexed for minutes */
    progress_count(&((struct runner *)ctx)->progress, what, done, total);
    return !hurried;
}

/* ---- the end ------------------------------------------------------------- */

static void summary_json(const struct crawl_status *s, const char *dir)
{
    struct buf out = BUF_INIT(4096);
    struct json j;

    json_begin(&j, &out);
    json_open_object(&j, "summary");
    json_put_z(&j, "dir", dir);
    json_put_z(&j, "end", crawl_end_sentence(s->end));
    json_put_int(&j, "pages", (int64_t)s->pages);
    json_put_int(&j, "relevant", (int64_t)s->relevant);
    json_put_num(&j, "mean_relevance", s->pages ? s->relevance_sum / (double)s->pages : 0);
    json_put_int(&j, "duplicates", (int64_t)s->duplicates);
    json_put_int(&j, "failed", (int64_t)s->failed);
    json_put_int(&j, "hosts", s->hosts);
    json_put_int(&j, "hosts_met", s->hosts_met);
    json_put_int(&j, "received", (int64_t)s->received);
    json_put_num(&j, "seconds", (double)s->elapsed / 1e6);
    outlook_put(&s->outlook, &j);
    json_end(&j);
    (void)report_out(&out);
}

#define BARRED_HOSTS 5 /* named */

/* Visits that ended at a shell of JavaScript, or at a bot wall. */
struct barred {
    enum drop why;
    uint64_t count;
    struct buf hosts; /* the first of them, each once, with a comma and a space behind */
    unsigned nhosts;
};

static enum status count_barred(void *ctx, const struct query_failed *f)
{
    struct barred *b = ctx;
    size_t at = str_find(f->href, STR("://"), 0), end;
    LOCAL_BUF host = BUF_INIT(LIMIT_URL);

    if (f->why != b->why || at == SIZE_MAX)
        return ST_OK;
    b->count++;
    end = str_find_char(f->href, '/', at + 3);
    buf_add_str(&host, str_sub(f->href, at + 3, end == SIZE_MAX ? f->href.len : end));
    buf_add_z(&host, ", ");
    if (b->nhosts < BARRED_HOSTS && str_find(buf_str(&b->hosts), buf_str(&host), 0) == SIZE_MAX) {
        report_text(&b->hosts, buf_str(&host), LIMIT_URL);
        b->nhosts++;
    }
    return ST_OK;
}

static void say_barred(const char *dir, enum drop why, const char *what)
{
    struct barred b = {.why = why, .hosts = BUF_INIT(KIB(64))};
    LOCAL_QUERY *q = NULL;

    if (query_open(dir, &q) != ST_OK)
        return;
    if (query_failed(q, count_barred, &b) == ST_OK && b.count > 0 && b.hosts.len > 2)
        report_say("%s: %llu, at %.*s%s (docs/javascript.md)\n", what, (unsigned long long)b.count,
                   (int)b.hosts.len - 2, b.hosts.data,
                   b.nhosts == BARRED_HOSTS ? " and perhaps others" : "");
    buf_free(&b.hosts);
}

static void say_outlook(const struct outlook *o)
{
    LOCAL_BUF text = BUF_INIT(200);

    outlook_say(o, &text);
    report_say("%s\n", text.data);
}

static void summary_text(const struct crawl_status *s, const char *dir)
{
    struct buf text = BUF_INIT(4096);
    char time[UNITS_TEXT], size[UNITS_TEXT];

    report_count(&text, s->pages, "page");
    buf_addf(&text, " in %s (%.1f a second), %llu relevant (mean relevance %.3f), ",
             units_show_duration(s->elapsed, time),
             s->elapsed > 0 ? (double)s->pages * 1e6 / (double)s->elapsed : 0.0,
             (unsigned long long)s->relevant, s->pages ? s->relevance_sum / (double)s->pages : 0.0);
    report_count(&text, s->hosts, "host");
    buf_addf(&text, " (%u met), %s received, %llu failed, ", s->hosts_met,
             units_show_size(s->received, size), (unsigned long long)s->failed);
    report_count(&text, s->duplicates, "duplicate");
    if (s->requisites > 0) {
        buf_add_z(&text, ", ");
        report_count(&text, s->requisites, "requisite");
        buf_addf(&text, " (%s)", units_show_size(s->requisite_bytes, size));
    }
    report_say("%s: %s\n", text.data, crawl_end_sentence(s->end));
    buf_free(&text);
    if (outlook_is_firm(&s->outlook))
        say_outlook(&s->outlook);
    if (s->failed > 0) {
        say_barred(dir, DROP_SCRIPT, "pages made by JavaScript");
        say_barred(dir, DROP_WALL, "bot walls");
    }
    if (s->pages > 0)
        report_say("results in %s: brood top %s\n", dir, dir);
    if (s->end == CRAWL_FENCED)
        report_say("this node was silent for longer than its lease, or a copy of its directory "
                   "joined; start it again with its directory, and it joins again\n");
    if (s->is_node)
        return; /* the advice below is for a crawl without other nodes */
    if (s->end == CRAWL_PAGES)
        report_say("to go on: brood resume %s --pages %llu\n", dir,
                   (unsigned long long)s->pages * 2);
    else if (s->end == CRAWL_MEMORY)
        report_say("everything is kept; to go on with more memory: brood resume %s --memory SIZE\n",
                   dir);
    else if (s->end == CRAWL_ENOUGH)
        report_say("to go on: brood resume %s --until 99%%\n", dir);
    else if (s->end == CRAWL_STOPPED || s->end == CRAWL_TIME || s->end == CRAWL_BYTES)
        report_say("to go on: brood resume %s\n", dir);
}

/* Did it end, at a limit or at its end, without a page? Not after a stop by the user; and a watch
 * may wait for hours. */
static bool is_barren(const struct crawl_status *s, bool is_watch)
{
    return s->pages == 0 && !is_watch && !s->is_node && s->end != CRAWL_STOPPED &&
           s->end != CRAWL_FAILED;
}

/* The complaint may quote what a server said. */
static void say_starved(const struct crawl_status *s, const char *complaint)
{
    LOCAL_BUF text = BUF_INIT(4096);

    if (*complaint == '\0')
        complaint = s->end == CRAWL_STARVED || s->end == CRAWL_COMPLETE
                        ? "Nothing is left that may be tried again"
                        : "No answer had come when it ended";
    report_text(&text, str_of(complaint), 1000);
    report_say("brood: starved: nothing could be fetched%s%s. %s\n",
               s->end == CRAWL_STARVED ? "" : ", and ",
               s->end == CRAWL_STARVED ? "" : crawl_end_sentence(s->end), text.data);
}

/* Prints what the model lacked. The sentence may quote a path. */
static void say_note(const char *sentence)
{
    LOCAL_BUF text = BUF_INIT(4096);

    if (*sentence == '\0')
        return;
    report_text(&text, str_of(sentence), 1000);
    report_say("note: %s\n", text.data);
}

static int exit_of(const struct crawl_status *s, bool is_watch)
{
    if (is_barren(s, is_watch))
        return EXIT_STARVED;
    switch (s->end) {
    case CRAWL_STOPPED:
        return EXIT_INTERRUPTED;
    case CRAWL_STARVED:
        return EXIT_STARVED;
    case CRAWL_FENCED:
    case CRAWL_FAILED:
        return EXIT_FAILED;
    default:
        return EXIT_DONE;
    }
}

static void introduce(const struct crawl *c, const struct crawl_options *o)
{
    const struct model_ops *model = model_find(str_of(o->model));
    LOCAL_BUF about = BUF_INIT(8192);

    if (o->quiet)
        return;
    topic_describe(crawl_topic(c), &about);
    report_say("%s%.*s\nmodel %s: %s\nresults in %s\n",
               topic_parts(crawl_topic(c)) > 0 ? "" : "topic ", STR_ARG(buf_str(&about)), o->model,
               model ? model->summary : "", crawl_dir(c));
}

void run_crawl_check(struct invocation *in, struct crawl_options *o, struct mistakes *ret)
{
    if (in->args.count > 0) {
        free(o->words);
        o->words = str_dup(str_of(in->args.items[0]));
    }
    if (o->topic.count == 0 && o->words && access(o->words, R_OK) == 0 && strchr(o->words, '.'))
        mistakes_note(ret, "words",
                      status_fail(ST_USAGE, "'%s' is a file: say --topic %s", o->words, o->words));
    if (o->contact && !strchr(o->contact, '@') && !strstr(o->contact, "://"))
        mistakes_note(ret, "contact",
                      status_fail(ST_USAGE,
                                  "--contact '%s' is neither a mail address nor a URL: site owners "
                                  "must be able to reach you",
                                  o->contact));
    mistakes_note(ret, "dashboard", dashboard_check(o->dashboard));
}

void run_crawl_forget(struct crawl_options *o)
{
    const struct model_ops *ops = model_find(str_of(o->model));
    struct text_list stored = o->set;

    o->set = (struct text_list){0};
    for (size_t i = 0; i < stored.count; i++) {
        struct str rest = str_of(stored.items[i]), name;

        if (ops == NULL || !str_cut(&rest, '=', &name) || option_find(ops->options, name))
            text_list_add(&o->set, str_of(stored.items[i]));
        else
            report_say(
                "warning: the model %s has no option '%.*s' any more; --set %s is left out\n",
                ops->name, STR_ARG(name), stored.items[i]);
    }
    text_list_free(&stored);
}

int run_crawl(struct crawl *c, const struct crawl_options *o)
{
    int number;

    return run_crawl_with(c, o, NULL, &number);
}

/* Prints, with --json, the lines that waited for the last commit, and the summary. */
static enum status print_rest(struct runner *r, const struct crawl_status *s, const char *dir)
{
    print_committed(r, UINT64_MAX);
    if (r->unwritten)
        return status_fail(ST_IO, "standard output: %s (the pages are in %s)",
                           strerror(r->unwritten), dir);
    summary_json(s, dir);
    return ST_OK;
}

static void say_end(const struct runner *r, enum status st, const struct crawl_status *s,
                    const char *complaint, const char *dir)
{
    if (st != ST_OK)
        (void)report_failure(st);
    else if (s->end == CRAWL_STARVED || is_barren(s, r->hooks != NULL))
        say_starved(s, complaint);
    if (st != ST_OK && access(dir, F_OK) == 0)
        report_say("%llu page%s stored in %s; to go on: brood %s %s\n",
                   (unsigned long long)s->committed, s->committed == 1 ? " is" : "s are", dir,
                   r->hooks ? "watch --out" : "resume", dir);
    if (st != ST_OK || r->options->quiet)
        return;
    if (r->hooks)
        r->hooks->summary(r->hooks->ctx, s, dir);
    else
        summary_text(s, dir);
}

/* Joins all listeners of a running crawl to the bus. */
static void listen_in(struct runner *r, struct crawl *c)
{
    const struct crawl_options *o = r->options;

    progress_init(&r->progress, o->quiet);
    if (!o->quiet)
        progress_narrate(&r->progress, crawl_bus(c), o->relevant);
    catch_signals(c);
    if (o->json)
        bus_join(crawl_bus(c), on_event, r);
}

/* Runs the crawl and closes it. */
static enum status run_to_end(struct runner *r, struct crawl *c, struct crawl_status *ret,
                              char **ret_complaint)
{
    enum status st = crawl_run(c, on_watch, r);

    notify_stopping();
    crawl_status(c, ret);
    *ret_complaint = str_dup(str_of(crawl_complaint(c)));
    progress_clear(&r->progress);
    if (!r->options->quiet)
        say_note(crawl_said(c));
    if (st == ST_OK && r->hooks)
        st = r->hooks->ended(r->hooks->ctx);
    stoppable = NULL;
    if (crawl_close(c, on_index, r) != ST_OK && st == ST_OK)
        st = ST_IO;
    progress_clear(&r->progress);
    return st;
}

int run_crawl_with(struct crawl *c, const struct crawl_options *o, const struct run_hooks *hooks,
                   int *ret_signal)
{
    struct runner r = {.options = o, .hooks = hooks};
    char *dir = str_dup(str_of(crawl_dir(c)));
    char *complaint;
    struct crawl_status s;
    struct dash *dash = NULL;
    enum status st;

    listen_in(&r, c);
    if (dashboard_start(dir, o->dashboard, &dash) != ST_OK)
        (void)report_failure(ST_USAGE); /* the crawl goes on without its dashboard */
    introduce(c, o);
    st = run_to_end(&r, c, &s, &complaint);
    if (st == ST_OK && o->json)
        st = print_rest(&r, &s, dir);
    say_end(&r, st, &s, complaint, dir);
    if (dash && st == ST_OK && dashboard_stays(o))
        dashboard_linger(dash);
    dashboard_stop(dash);
    progress_free(&r.progress);
    lines_free(&r);
    free(complaint);
    free(dir);
    *ret_signal = signalled;
    return st == ST_OK || s.end == CRAWL_STOPPED ? exit_of(&s, hooks != NULL) : EXIT_FAILED;
}
