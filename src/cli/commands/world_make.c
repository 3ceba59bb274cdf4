/* world_make.c - brood world make: a generated web; brood world rewire: the same world, its
 * links exchanged.
 * SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "crawl/identity.h"
#include "sim/make/make.h"
#include "sim/rewire.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- rewire -------------------------------------------------------------- */

struct rewire_options {
    int64_t rng;
    bool json, quiet;
};

#define AT(field) .offset = offsetof(struct rewire_options, field)

static const struct option rewire_option_table[] = {
    {INT_OPTION("rng", rng, "N", "1", 0, 9007199254740992.0),
     .help = "the seed: same world, same number, same result"},
    {FLAG_OPTION("json", json), .help = "the figures as JSON"},
    {FLAG_OPTION("quiet", quiet), .help = "no progress"},
    {.name = NULL},
};

static bool on_step(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    progress_count(ctx, what, done, total);
    return !interrupted();
}

static void report_json(const struct rewire_report *r, struct buf *out)
{
    struct json j;

    json_begin(&j, out);
    json_put_int(&j, "pages", r->pages);
    json_put_int(&j, "versions", r->versions);
    json_put_int(&j, "links", (int64_t)r->links);
    json_put_int(&j, "kept", (int64_t)r->kept);
    json_put_int(&j, "moved", (int64_t)r->moved);
    json_put_int(&j, "left_out", r->left_out);
    json_put_num(&j, "clustering_before", r->before);
    json_put_num(&j, "clustering_after", r->after);
    json_end(&j);
}

static void report_plain(const struct rewire_report *r, const char *dir, struct buf *out)
{
    report_count(out, r->pages, "page");
    buf_addf(out, " in %s; of ", dir);
    report_count(out, r->links, "link");
    buf_addf(out, " between them%s %llu lead elsewhere now\n",
             r->moves ? ", those of all versions," : "", (unsigned long long)r->moved);
    if (r->kept)
        buf_addf(out,
                 "left alone: %llu (nofollow, no <a>, or not found in the bytes as they "
                 "were parsed)\n",
                 (unsigned long long)r->kept);
    if (r->left_out) {
        buf_add_z(out, "left out: ");
        report_count(out, r->left_out, "page");
        buf_add_z(out, " without a document in the archive\n");
    }
    buf_addf(out, "clustering %.4f, before %.4f; every page keeps its degrees%s\n", r->after,
             r->before, r->moves ? ", counted over all versions together" : "");
}

static int rewire_command(struct invocation *in)
{
    const struct rewire_options *o = in->options;
    struct rewire_config config = {.rng = (uint64_t)o->rng, .software = BROOD_SOFTWARE};
    struct buf out = BUF_INIT(64 << 10);
    struct rewire_report report;
    struct progress progress;
    enum status st;

    progress_init(&progress, o->quiet || !isatty(STDERR_FILENO));
    interrupt_catch();
    st = world_rewire(in->args.items[0], in->args.items[1], &config, on_step, &progress, &report);
    progress_clear(&progress);
    if (st != ST_OK)
        return report_failure(st);
    if (o->json)
        report_json(&report, &out);
    else
        report_plain(&report, in->args.items[1], &out);
    return report_out(&out);
}

const struct command command_world_rewire = {
    .name = "world rewire",
    TAKES("IN OUT", 2, 2),
    .summary = "exchange the links of a world at random: degrees stay, clusters go",
    .details = "Pairs of links exchange their targets until nothing is left of who linked to whom; "
               "every page keeps the number of its links and of those that lead to it (in a world "
               "that moves: counted over all versions together). Words, labels and everything else "
               "stay. Links that lead to no page of the world, that ask not to be followed, or "
               "that are no <a> stay as they are; links through a redirect lead to their new "
               "target at once.",
    .example = "brood world rewire W R --rng 1",
    OPTIONS(rewire_option_table, struct rewire_options),
    .run = rewire_command,
};

/* ---- make ---------------------------------------------------------------- */

static bool on_progress(void *ctx, uint32_t done, uint32_t total)
{
    progress_count(ctx, "making pages", done, total);
    return !interrupted();
}

/* Reports the clustering that was reached, because the other parameters limit it. */
static void say_clustering(const struct make_config *c, double found)
{
    double wanted = c->graph.clustering;

    if (wanted < 0)
        return;
    if (c->kind == MAKE_NEWS && fabs(found - wanted) > 0.1 * wanted) {
        report_say("brood: the clustering is %.3f: %s\n", found,
                   found > wanted
                       ? "less needs more hosts, or a smaller --locality"
                       : "more is not possible: every page has the menu of its host already");
        return;
    }
    if (fabs(found - wanted) > 0.1 * wanted)
        report_say("brood: the clustering is %.3f: %s %g needs %s\n", found,
                   found > wanted ? "as little as" : "as much as", wanted,
                   found > wanted ? "more hosts or a smaller --host-locality"
                                  : "a larger --in-exponent or more links a page");
}

/* Options that mean nothing to a kind are a mistake. */
static enum status check_given(const struct text_list *given, int kind)
{
    for (size_t i = 0; i < given->count; i++) {
        const struct option *o = option_find(make_option_table, str_of(given->items[i]));

        if (o && !make_uses(kind, o))
            return status_fail(ST_USAGE, "--%s has no meaning for --kind %s%s", o->name,
                               kind == MAKE_NEWS ? "news" : "topical",
                               strcmp(o->name, "pages") == 0
                                   ? ": --hosts, --days, --backlog and --articles make its size"
                                   : "");
    }
    return ST_OK;
}

static int say_made(const struct make_config *c, const struct make_result *r, const char *dir)
{
    struct buf out = BUF_INIT(16 << 10);

    report_count(&out, c->kind == MAKE_NEWS ? r->articles : c->graph.pages,
                 c->kind == MAKE_NEWS ? "article" : "page");
    buf_add_z(&out, " on ");
    report_count(&out, c->graph.hosts, "host");
    if (c->kind == MAKE_NEWS) {
        buf_addf(&out, " in %g days, ", c->news.days);
        report_count(&out, r->versions, "version");
        buf_addf(&out, " of all pages, in %s ('brood world info %s' measures it)\n", dir, dir);
    } else {
        buf_add_z(&out, ", ");
        report_count(&out, c->graph.topics, "topic");
        buf_addf(&out, ", in %s ('brood world info %s' lists topics and seeds)\n", dir, dir);
    }
    return report_out(&out);
}

static int make_command(struct invocation *in)
{
    struct make_config *c = in->options, defaults;
    const char *dir = in->args.items[0];
    struct progress progress;
    struct make_result result = {.clustering = 0};
    enum status st = check_given(&in->given, c->kind);

    if (st != ST_OK)
        return report_failure(st);
    make_config_init(&defaults);
    c->date = defaults.date;
    c->software = BROOD_SOFTWARE;
    c->result = &result;
    progress_init(&progress, !isatty(STDERR_FILENO));
    interrupt_catch();
    st = world_make(dir, c, on_progress, &progress);
    progress_clear(&progress);
    if (st != ST_OK)
        return report_failure(st);
    say_clustering(c, result.clustering);
    return say_made(c, &result, dir);
}

const struct command command_world_make = {
    .name = "world make",
    TAKES("DIR", 1, 1),
    .summary = "make a web with topics, hosts, readable pages, and links as on the real one",
    .details = "The same numbers make the same world, byte for byte. A world is a directory in the "
               "crawl format: it can be served, crawled, searched and exported.",
    .example = "brood world make W --pages 20000 --hosts 200 --rng 1\n"
               "  brood world make N --kind news --hosts 200 --days 18",
    OPTIONS(make_option_table, struct make_config),
    .run = make_command,
};
