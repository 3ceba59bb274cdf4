/* metrics.c - /metrics, in Prometheus's text format. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "dash/dash_int.h"

#include <math.h>

/* A figure of each crawl, read from totals (by offset), from samples, or from the state. */
static const struct crawl_figure {
    const char *name, *type, *help;
    const char *sample;
    size_t total; /* offset in struct view_totals */
    bool is_total;
} metrics[] = {
#define TOTAL(field) .is_total = true, .total = offsetof(struct view_totals, field)
    {"brood_pages_total", "counter", "Pages stored", TOTAL(pages)},
    {"brood_relevant_pages_total", "counter", "Pages at or above the threshold", TOTAL(relevant)},
    {"brood_received_bytes_total", "counter", "Bytes of pages as sent", TOTAL(bytes)},
    {"brood_hosts", "gauge", "Hosts with pages", TOTAL(hosts)},
    {"brood_agents", "gauge", "Agents alive", TOTAL(alive)},
    {"brood_agents_born_total", "counter", "Agents born", TOTAL(born)},
    {"brood_agents_died_total", "counter", "Agents died", TOTAL(died)},
    {"brood_waiting", "gauge", "Choices in host queues", .sample = "waiting"},
    {"brood_in_flight", "gauge", "Requests under way", .sample = "in_flight"},
    {"brood_memory_bytes", "gauge", "Memory of the process, in bytes", .sample = "memory"},
    {"brood_known_urls", "gauge", "URLs known", .sample = "urls"},
    {"brood_mean_relevance", "gauge", "Mean relevance of all pages", .sample = "mean_relevance"},
    {"brood_mind_busy_ratio", "gauge", "Share of time the mind was busy", .sample = "wait.cpu"},
    {"brood_held", "gauge", "Hosts left idle because their links promise too little",
     .sample = "wait.patience"},
    {"brood_delayed", "gauge", "Choices waiting for a host's delay", .sample = "wait.politeness"},
    {"brood_copies", "gauge", "Copies that a watch keeps", .sample = "copies"},
    {"brood_copies_age_seconds", "gauge", "Mean time since copies were looked at",
     .sample = "copies.age"},
    {"brood_copies_fresh_ratio", "gauge", "Expected share of copies as the web has them",
     .sample = "copies.freshness"},
    {"brood_looks_total", "counter", "Looks at copies", .sample = "copies.looks"},
    {"brood_changes_total", "counter", "Looks that brought another text",
     .sample = "copies.changes"},
    {"brood_up", "gauge", "1: the crawl runs, 0: it does not", .sample = NULL},
#undef TOTAL
};

/* Backslash, quote and newline are what the format escapes; a value is UTF-8, the name of a
 * directory need not be. */
static void add_label(struct buf *out, const char *name, struct str value)
{
    char bytes[4];

    buf_addf(out, "%s=\"", name);
    for (size_t at = 0; at < value.len;) {
        uint32_t cp = utf8_next(value, &at);

        if (cp == '"' || cp == '\\' || cp == '\n')
            buf_add_char(out, '\\');
        buf_add(out, bytes, utf8_put(cp == '\n' ? 'n' : cp, bytes));
    }
    buf_add_char(out, '"');
}

static double value_of(const struct crawl_figure *m, struct dash_crawl *c, enum crawl_state state)
{
    if (m->is_total)
        return (double)*(const uint64_t *)((const char *)view_totals(c->view) + m->total);
    if (m->sample)
        return series_last(&c->series, m->sample);
    return state == STATE_RUNNING || state == STATE_PAUSED;
}

/* One pass over the crawls: a part of the text for each figure. */
static enum status api_metrics(struct call *r)
{
    struct buf parts[ARRAY_LEN(metrics)];
    struct dash_crawl *c;

    for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
        parts[i] = BUF_INIT(MIB(4));
        buf_addf(&parts[i], "# HELP %s %s\n# TYPE %s %s\n", metrics[i].name, metrics[i].help,
                 metrics[i].name, metrics[i].type);
    }
    crawls_scan(&r->dash->crawls, false);
    for (size_t k = 0; (c = crawls_at(&r->dash->crawls, k)) != NULL; k++) {
        enum crawl_state state;

        crawl_ask(c);
        if (crawl_enter(c, false) != ST_OK)
            continue;
        state = crawl_state(c);
        for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
            double value = value_of(&metrics[i], c, state);

            if (isnan(value))
                continue;
            buf_addf(&parts[i], "%s{", metrics[i].name);
            add_label(&parts[i], "id", str_of(c->id));
            buf_add_char(&parts[i], ',');
            add_label(&parts[i], "crawl", str_of(c->name));
            buf_addf(&parts[i], "} %.17g\n", value);
        }
        crawl_leave(c);
    }
    for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
        buf_add_str(&r->out, buf_str(&parts[i]));
        buf_free(&parts[i]);
    }
    return ST_OK;
}

const struct route metrics_routes[] = {
    {ROUTE_GET("/metrics", "figures of all crawls for Prometheus", api_metrics),
     .type = "text/plain; version=0.0.4; charset=utf-8", .answer = "its text format"},
    {.path = NULL},
};
