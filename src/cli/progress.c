/* progress.c - how a crawl is shown while it runs. SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/os/clock.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/narrate.h"

#include <stdio.h>
#include <unistd.h>

#define PLAIN_EVERY    (10 * US_PER_S)
#define TERMINAL_EVERY (200 * US_PER_MS)

void progress_init(struct progress *p, bool quiet)
{
    *p = (struct progress){.off = quiet, .terminal = isatty(STDERR_FILENO) == 1};
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

/* On a terminal the line is written over: it must not wrap. */
static void put_line(struct progress *p, struct str line)
{
    struct buf text = BUF_INIT(4096);

    report_text(&text, line, p->terminal ? report_width(STDERR_FILENO) - 1 : 4000);
    if (p->terminal)
        (void)fputs("\r\033[K", stderr);
    report_say(p->terminal ? "%s" : "%s\n", text.data);
    (void)fflush(stderr);
    buf_free(&text);
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

/* A population: short figures, and what just happened. */
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
    struct buf line = BUF_INIT(1000);

    measure_rate(p, s);
    if (!due(p, s->now))
        return;
    if (*s->trouble)
        buf_addf(&line, "paused, %s: ", s->trouble);
    if (s->pages_limit)
        buf_addf(&line, "%llu/%llu pages", (unsigned long long)s->pages,
                 (unsigned long long)s->pages_limit);
    else
        buf_addf(&line, "%llu pages", (unsigned long long)s->pages);
    (s->born > 1 && p->narrator ? add_life : add_figures)(p, s, &line);
    put_line(p, buf_str(&line));
    buf_free(&line);
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
    if (!p->off && p->terminal && p->next_at != 0) /* else the line is somebody else's */
        fprintf(stderr, "\r\033[K");
    p->next_at = 0;
}
