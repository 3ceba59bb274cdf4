/* progress.c - shows the progress of a running crawl. SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "bus/bus.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLAIN_EVERY    (10 * US_PER_S)
#define TERMINAL_EVERY (200 * US_PER_MS)

/* ---- what happens, a sentence at a time ----------------------------------
 *
 * Births, deaths and finds, as the bus tells them (the mind's thread). The newest sentence of each
 * kind is kept for the progress line, which shows the kinds in turn: there are many more finds than
 * births. */

#define SENTENCE_MAX   400
#define TITLE_MAX      60   /* columns */
#define NARRATE_NAMES  4096 /* agents whose names are remembered; a newer one takes the place */
#define NARRATE_NAME   24   /* bytes of a name */

enum narrate_kind { NARRATE_BIRTH, NARRATE_DEATH, NARRATE_FIND, NARRATE_KINDS };

struct narrator {
    double relevant;                /* from this relevance on a page is a find */
    struct buf said[NARRATE_KINDS]; /* the newest sentence */
    bool fresh[NARRATE_KINDS];      /* it was not shown yet */
    enum narrate_kind last;         /* shown */
    struct {
        uint32_t id;
        char name[NARRATE_NAME];
    } names[NARRATE_NAMES];
};

static const char *name_of(const struct narrator *n, uint32_t agent)
{
    size_t at = agent % NARRATE_NAMES;

    return agent && n->names[at].id == agent ? n->names[at].name : NULL;
}

static void remember(struct narrator *n, uint32_t agent, struct str name)
{
    size_t at = agent % NARRATE_NAMES;

    n->names[at].id = agent;
    (void)snprintf(n->names[at].name, NARRATE_NAME, "%.*s", STR_ARG(name));
}

static struct buf *begin(struct narrator *n, enum narrate_kind kind)
{
    n->fresh[kind] = true;
    buf_clear(&n->said[kind]);
    return &n->said[kind];
}

static void tell_birth(struct narrator *n, const struct event *e)
{
    const char *parent = name_of(n, e->born.parent);
    struct buf *out;

    remember(n, e->born.id, e->born.name);
    if (e->born.parent == 0) /* the first ones were there */
        return;
    out = begin(n, NARRATE_BIRTH);
    buf_addf(out, "%.*s is born", STR_ARG(e->born.name));
    if (parent)
        buf_addf(out, ", child of %s", parent);
}

static void tell_death(struct narrator *n, const struct event *e)
{
    const char *name = name_of(n, e->died.id);

    if (name)
        buf_addf(begin(n, NARRATE_DEATH), "%s dies: %.*s", name, STR_ARG(e->died.cause));
}

static void tell_find(struct narrator *n, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    const char *who = name_of(n, a->request->choice.agent);
    struct str title = a->page->title.len ? a->page->title : a->request->href;
    struct buf *out;

    if (e->page.hidden || e->page.dup_of || (double)a->profile.relevance < n->relevant)
        return;
    out = begin(n, NARRATE_FIND);
    if (who)
        buf_addf(out, "%s finds ", who);
    else
        buf_add_z(out, "found: ");
    (void)utf8_add_safe(out, title, TITLE_MAX);
}

static void narrator_hear(void *narrator, const struct event *e)
{
    if (e->kind == EVENT_BORN)
        tell_birth(narrator, e);
    else if (e->kind == EVENT_DIED)
        tell_death(narrator, e);
    else if (e->kind == EVENT_PAGE)
        tell_find(narrator, e);
}

/* Returns the next sentence, without a full stop; empty if there is none yet. */
static struct str narrator_say(struct narrator *n)
{
    for (size_t i = 1; i <= NARRATE_KINDS; i++) {
        enum narrate_kind kind = (enum narrate_kind)((n->last + i) % NARRATE_KINDS);

        if (n->fresh[kind]) {
            n->fresh[kind] = false;
            n->last = kind;
            break;
        }
    }
    return buf_str(&n->said[n->last]);
}

void progress_narrate(struct progress *p, struct bus *bus, double relevant)
{
    p->narrator = MEM_NEW(struct narrator);
    p->narrator->relevant = relevant;
    for (size_t i = 0; i < NARRATE_KINDS; i++)
        p->narrator->said[i] = BUF_INIT(SENTENCE_MAX);
    bus_join(bus, narrator_hear, p->narrator);
}

void progress_free(struct progress *p)
{
    for (size_t i = 0; p->narrator && i < NARRATE_KINDS; i++)
        buf_free(&p->narrator->said[i]);
    free(p->narrator);
}

/* ---- the line ------------------------------------------------------------ */

void progress_init(struct progress *p, bool quiet)
{
    *p = (struct progress){.off = quiet, .terminal = report_is_rewritable(STDERR_FILENO)};
}

static bool due(struct progress *p, int64_t now)
{
    if (p->off || now < p->next_at)
        return false;
    if (p->next_at == 0 && !p->terminal) {
        p->next_at = now + PLAIN_EVERY; /* the first plain line after ten seconds */
        return false;
    }
    p->next_at = now + (p->terminal ? TERMINAL_EVERY : PLAIN_EVERY);
    return true;
}

static void measure_rate(struct progress *p, const struct crawl_status *s)
{
    int64_t since = s->now - p->last_at;
    double now;

    if (p->last_at == 0) {
        p->last_at = s->started_at;
        p->last_pages = s->pages; /* not 0 where the crawl was resumed */
        since = s->now - p->last_at;
    }
    if (since < US_PER_S / 2)
        return;
    now = (double)(s->pages - p->last_pages) * 1e6 / (double)since;
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * now : now;
    p->last_pages = s->pages;
    p->last_at = s->now;
}

/* Writes the line, which is overwritten on a terminal and must not wrap. */
static void put_line(struct progress *p, struct str line)
{
    LOCAL_BUF text = BUF_INIT(4096);

    report_text(&text, line, p->terminal ? report_width(STDERR_FILENO) - 1 : 4000);
    if (p->terminal)
        (void)fputs("\r\033[K", stderr);
    report_say(p->terminal ? "%s" : "%s\n", text.data);
    (void)fflush(stderr);
}

static void add_figures(struct progress *p, const struct crawl_status *s, struct buf *line)
{
    char text[UNITS_TEXT];

    buf_addf(line, "  %.1f/s  %.0f %% relevant", p->rate,
             s->pages ? 100.0 * (double)s->relevant / (double)s->pages : 0.0);
    if (s->born > 1)
        buf_addf(line, "  %u agents", s->alive);
    buf_addf(line, "  %u waiting  ", s->waiting);
    report_count(line, s->hosts, "host");
    buf_addf(line, "  %s", units_show_duration(s->elapsed, text));
    if (s->held)
        buf_addf(line, "  %u idle by --patience", s->held);
    if (outlook_is_firm(&s->outlook))
        buf_addf(line, "  about %.0f %% of the topic", 100 * s->outlook.share);
    if (s->left > 0)
        buf_addf(line, "  about %s left", units_show_duration(s->left, text));
}

/* Appends short figures of a population, and recent events. */
static void add_life(struct progress *p, const struct crawl_status *s, struct buf *line)
{
    struct str said = narrator_say(p->narrator);
    char text[UNITS_TEXT];

    buf_addf(line, ", %llu relevant, %u agents (%u born, %u died), %s",
             (unsigned long long)s->relevant, s->alive, s->born, s->born - s->alive,
             units_show_duration(s->elapsed, text));
    if (outlook_is_firm(&s->outlook))
        buf_addf(line, ", about %.0f %% of the topic", 100 * s->outlook.share);
    if (said.len > 0)
        buf_addf(line, ": %.*s", STR_ARG(said));
}

void progress_show(struct progress *p, const struct crawl_status *s)
{
    LOCAL_BUF line = BUF_INIT(1000);

    measure_rate(p, s);
    if (!due(p, s->now))
        return;
    if (*s->trouble)
        buf_addf(&line, "paused, %s: ", s->trouble);
    if (s->pages_limit)
        buf_addf(&line, "%llu/%llu pages", (unsigned long long)s->pages,
                 (unsigned long long)s->pages_limit);
    else
        report_count(&line, s->pages, "page");
    (s->born > 1 && p->narrator ? add_life : add_figures)(p, s, &line);
    put_line(p, buf_str(&line));
}

void progress_count(struct progress *p, const char *what, uint64_t done, uint64_t total)
{
    char line[200];
    int64_t now = clock_now();

    if (!due(p, now) || total == 0)
        return;
    (void)snprintf(line, sizeof line, "%s: %llu of %llu (%.0f %%)", what, (unsigned long long)done,
                   (unsigned long long)total, 100.0 * (double)done / (double)total);
    put_line(p, str_of(line));
}

void progress_line(struct progress *p, struct str line)
{
    if (due(p, clock_now()))
        put_line(p, line);
}

void progress_clear(struct progress *p)
{
    if (!p->off && p->terminal && p->next_at != 0) /* otherwise the line is not ours */
        fprintf(stderr, "\r\033[K");
    p->next_at = 0;
}
