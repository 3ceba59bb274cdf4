/* world.c - brood world info and brood world serve: measure a world, and serve it.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "sim/serve/faults.h"
#include "sim/info.h"
#include "sim/serve/serve.h"
#include "sim/world_digest.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- info ---------------------------------------------------------------- */

struct info_options {
    bool json;
};

static const struct option info_option_table[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "as JSON",
     .offset = offsetof(struct info_options, json)},
    {.name = NULL},
};

static void time_text(const struct info_time *t, struct buf *out)
{
    char begin[CLOCK_TEXT], end[CLOCK_TEXT];

    if (!t->moves)
        return;
    clock_format(t->begin, 0, begin);
    clock_format(t->end, 0, end);
    buf_addf(out,
             "it moves, from %s to %s: %u versions, %u modifications, %u of them real "
             "changes; %u pages appear, %u disappear\n"
             "a page changes %.3g times a day; %.1f %% never do\n",
             begin, end, t->versions, t->modified, t->changes, t->born, t->gone, t->changes_a_day,
             100 * t->never_changing);
}

/* A figure that cannot be computed is left out; in JSON it is null. */
static void add_figure(struct buf *out, const char *name, int decimals, double value, uint32_t from)
{
    if (isnan(value))
        return;
    buf_addf(out, "%s%s %.*f", out->len ? "; " : "", name, decimals, value);
    if (from)
        buf_addf(out, " (from %u link%s on)", from, from == 1 ? "" : "s");
}

static void measures_text(const struct world_info *i, struct buf *out)
{
    LOCAL_BUF line = BUF_INIT(1000);

    add_figure(&line, "degree exponent out", 2, i->out_exponent, i->out_cutoff);
    add_figure(&line, "in", 2, i->in_exponent, i->in_cutoff);
    add_figure(&line, "clustering", 4, i->clustering, 0);
    add_figure(&line, "mean distance", 2, i->mean_distance, 0);
    add_figure(&line, "locality", 3, i->locality, 0);
    if (line.len)
        buf_addf(out, "%s\n", line.data);
}

static void info_text(const struct world_info *i, struct buf *out)
{
    report_count(out, i->pages, "page");
    buf_add_z(out, " on ");
    report_count(out, i->hosts, "host");
    buf_add_z(out, ", ");
    report_count(out, i->links, "link");
    buf_add_z(out, i->time.moves ? ", each page as it was last\n" : "\n");
    measures_text(i, out);
    time_text(&i->time, out);
    buf_addf(out, "digest: %.*s\n", STR_ARG(i->digest));
    for (uint32_t t = 0; t < i->ntopics; t++) {
        const struct info_topic *topic = &i->topics[t];

        buf_addf(out, "\n%-20.*s ", STR_ARG(topic->name));
        report_count(out, topic->pages, "page");
        buf_addf(out, "; words: %.*s\n", STR_ARG(topic->words));
        for (uint32_t s = 0; s < topic->nseeds; s++)
            buf_addf(out, "    seed %.*s\n", STR_ARG(topic->seeds[s]));
    }
}

static int info_command(struct invocation *in)
{
    const struct info_options *o = in->options;
    struct buf out = BUF_INIT(64 << 20);
    struct world_digest digest;
    struct world_info info;
    struct world *w;
    struct json j;
    enum status st = world_open(in->args.items[0], &w);

    if (st != ST_OK)
        return report_failure(st);
    st = world_digest_take(in->args.items[0], &digest);
    if (st == ST_OK)
        st = world_info(w, &info);
    if (st == ST_OK) {
        info.digest = buf_str(&digest.text);
        if (o->json) {
            json_init(&j, &out);
            world_info_json(&info, &j);
            buf_add_char(&out, '\n');
        } else {
            info_text(&info, &out);
        }
        world_info_clear(&info);
    }
    buf_free(&digest.text);
    world_close(w);
    return st == ST_OK ? report_out(&out) : report_failure(st);
}

const struct command command_world_info = {
    .name = "world info",
    TAKES("DIR", 1, 1),
    .summary =
        "what a world is like: topics, seeds, degrees, clustering, distance, locality, changes",
    OPTIONS(info_option_table, struct info_options),
    .run = info_command,
};

/* ---- serve --------------------------------------------------------------- */

struct world_serve_options {
    int64_t port, tls_port;
    char *ca_file, *access_log, *faults;
    int64_t latency, host_latency;
    uint64_t rate;
    double speed;
    bool gzip, quiet;
};

#define AT(field) .offset = offsetof(struct world_serve_options, field)

static const struct option serve_option_table[] = {
    {INT_OPTION("port", port, "P", "0", 0, 65535),
     .help = "HTTP port (0: a free one is chosen and printed)"},
    {INT_OPTION("tls-port", tls_port, "P", "-1", -1, 65535),
     .help = "HTTPS port (0: a free one; -1: no HTTPS)"},
    {TEXT_OPTION("ca-file", ca_file, "FILE"),
     .help = "where to write the test authority's certificate, for clients' --ca-file"},
    {TEXT_OPTION("access-log", access_log, "FILE"),
     .help = "requests as JSON lines (- for standard output)"},
    {DURATION_OPTION("latency", latency, "TIME", NULL, 0, 0), .help = "wait before every answer"},
    {DURATION_OPTION("host-latency", host_latency, "TIME", NULL, 0, 0),
     .help = "wait up to this much more, fixed for each host"},
    {SIZE_OPTION("rate", rate, "SIZE", NULL, 0, 0), .help = "bytes a second of one connection"},
    {REAL_OPTION("speed", speed, "N", "0", 0, 1e9),
     .help = "a world that moves: its time runs, N times as fast as ours (0: its last state)"},
    {FLAG_OPTION("gzip", gzip), .help = "compress text for clients that take it"},
    {TEXT_OPTION("faults", faults, "LIST"),
     .help = "hosts that misbehave, NAME.faults.example: names, or 'all'; 'list' shows them"},
    {FLAG_OPTION("quiet", quiet), .help = "no figures at the end"},
    {.name = NULL},
};

static struct serve *serving; /* for the signal handler only */

static void on_signal(int number)
{
    (void)number;
    if (serving)
        serve_stop(serving);
}

/* Returns a page to start at, of the first topic if the world has topics. */
static const struct world_entry *place_to_start(const struct world *w)
{
    for (uint32_t i = 0; i < world_pages(w); i++)
        if (world_topics(w) == 0 || world_entry(w, i)->topic == 0)
            return world_entry(w, i);
    return NULL;
}

/* A command that can be pasted into another terminal. */
static void suggest(const struct serve *s, const struct world *w, const char *ca_file)
{
    const struct world_entry *start = place_to_start(w);

    if (start == NULL)
        return;
    report_say("to crawl it: brood crawl \"%.*s\" --seed '%.*s' --allow-private",
               STR_ARG(world_topics(w) ? world_topic(w, 0)->words : STR("WORDS")),
               STR_ARG(start->url));
    if (serve_port(s))
        report_say(" --resolve '*:80:127.0.0.0/8:%u'", serve_port(s));
    if (serve_tls_port(s))
        report_say(" --resolve '*:443:127.0.0.0/8:%u'", serve_tls_port(s));
    if (serve_tls_port(s) && ca_file)
        report_say(" --ca-file %s", ca_file);
    report_say("\n");
}

static void announce(const struct serve *s, const struct world *w)
{
    printf("serving %u page%s of %u host%s", world_pages(w), world_pages(w) == 1 ? "" : "s",
           world_hosts(w), world_hosts(w) == 1 ? "" : "s");
    if (serve_port(s))
        printf(" on http port %u", serve_port(s));
    if (serve_tls_port(s))
        printf("%s https port %u", serve_port(s) ? " and" : " on", serve_tls_port(s));
    puts(" of 127.0.0.0/8");
    (void)fflush(stdout);
}

static enum status serve_world(struct world *w, const struct serve_config *config, bool quiet)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct serve_counts counts;
    enum status st = serve_new(w, config, &serving);

    if (st != ST_OK)
        return st;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    announce(serving, w);
    if (!quiet)
        suggest(serving, w, config->ca_file);
    st = serve_run(serving);
    counts = serve_counts(serving);
    if (st == ST_OK && !quiet)
        report_say("%llu requests answered, %llu bytes, %llu connections\n",
                   (unsigned long long)counts.requests, (unsigned long long)counts.bytes,
                   (unsigned long long)counts.connections);
    serve_free(serving);
    serving = NULL;
    return st;
}

static int list_faults(void)
{
    struct buf out = BUF_INIT(64 << 10);
    const struct fault *f;

    for (size_t i = 0; (f = fault_at(i)) != NULL; i++)
        buf_addf(&out, "%-18s %s\n", f->name, f->help);
    return report_out(&out);
}

static int serve_command(struct invocation *in)
{
    const struct world_serve_options *o = in->options;
    struct serve_config config = serve_defaults;
    struct world *w;
    int64_t begin, end;
    enum status st;

    if (o->faults && strcmp(o->faults, "list") == 0)
        return list_faults();
    if (in->args.count == 0)
        return report_failure(status_fail(ST_USAGE, "DIR is missing: brood world serve DIR"));
    st = world_open(in->args.items[0], &w);
    if (st != ST_OK)
        return report_failure(st);
    if (o->speed > 0 && !world_moves(w, &begin, &end)) {
        world_close(w);
        return report_failure(status_fail(ST_USAGE,
                                          "--speed: %s does not move ('brood world make "
                                          "--kind news' makes a world that does)",
                                          in->args.items[0]));
    }
    config.faults = o->faults;
    config.port = (int)o->port;
    config.tls_port = o->tls_port < 0 ? SERVE_NO_PORT : (int)o->tls_port;
    config.ca_file = o->ca_file;
    config.access_log = o->access_log;
    config.latency = o->latency;
    config.host_latency = o->host_latency;
    config.speed = o->rate;
    config.time = o->speed;
    config.gzip = o->gzip;
    st = serve_world(w, &config, o->quiet);
    world_close(w);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_world_serve = {
    .name = "world serve",
    TAKES("DIR", 0, 1),
    .summary = "serve a world over real HTTP and HTTPS, on loopback only",
    .details =
        "Every host of the world answers on every address of 127.0.0.0/8, by its Host header. "
        "The first line printed names the ports. With --faults there are hosts beside those of the "
        "world, each with one fault: the front page of NAME.faults.example links to what is faulty "
        "and then to a good page. With --speed a world that moves begins at its beginning when the "
        "server starts: pages appear, change and disappear as they did, and the Date header is the "
        "world's time; when its window is over it stands still.",
    .example = "brood world serve W --port 8080\n"
               "  brood crawl \"coral reefs\" --seed http://… --allow-private --resolve "
               "'*:80:127.0.0.0/8:8080'",
    OPTIONS(serve_option_table, struct world_serve_options),
    .run = serve_command,
};
