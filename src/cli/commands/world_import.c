/* world_import.c - brood world import: real pages as a world.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "crawl/identity.h"
#include "parse/date.h"
#include "sim/import/import.h"

struct import_options {
    int from;
    char *url_prefix, *labels, *root, *index, *blobs, *since, *until;
    bool versions, keep_going, drop_dead_links, json, quiet;
};

#define AT(field) .offset = offsetof(struct import_options, field)

static const struct option option_table[] = {
    {CHOICE_OPTION("from", from, "dir|tsv|warc|history|crawl|xml", "dir"),
     .help =
         "what SOURCE is: a folder of files or a tar archive of one, a manifest, WARC files, "
         "events and their blobs, crawl directories with all versions of their pages, or a family "
         "tree that 'brood export --as xml' wrote"},
    {TEXT_OPTION("url-prefix", url_prefix, "URL"),
     .help = "dir, history: what comes before a file's path (http://NAME.example/, NAME after "
             "SOURCE)"},
    {TEXT_OPTION("labels", labels, "FILE"),
     .help = "lines of: path or URL, tab, labels separated by commas"},
    {TEXT_OPTION("root", root, "DIR"),
     .help = "dir: the folder inside SOURCE where paths begin; tsv: where the files are (beside "
             "the manifest)"},
    {TEXT_OPTION("index", index, "NAME"),
     .help = "dir, tsv, history: the address of a folder leads to the file of this name in it"},
    {TEXT_OPTION("blobs", blobs, "PATH"),
     .help = "history: folder or tar archive of the contents (beside events.tsv)"},
    {TEXT_OPTION("since", since, "DATE"),
     .help =
         "sources with versions: begin with the pages as they were then (history: the first event; "
         "warc, crawl: when some page is asked for the second time)"},
    {TEXT_OPTION("until", until, "DATE"),
     .help = "sources with versions: leave out what came then or later (the last event)"},
    {FLAG_OPTION("versions", versions),
     .help = "warc: every capture of a page counts, so that the world moves as the site did"},
    {FLAG_OPTION("drop-dead-links", drop_dead_links),
     .help = "links that leave the set are passed over (without it they lead to 404)"},
    {FLAG_OPTION("keep-going", keep_going), .help = "make a world of what has no fault"},
    {FLAG_OPTION("json", json), .help = "the summary as JSON"},
    {FLAG_OPTION("quiet", quiet), .help = "no progress, no summary"},
    {.name = NULL},
};

static bool on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    progress_count(ctx, what, done, total);
    return !interrupted();
}

static enum status read_date(const char *name, const char *text, int64_t *ret)
{
    *ret = IMPORT_NO_TIME;
    if (text == NULL || date_iso(str_of(text), ret))
        return ST_OK;
    return status_fail(ST_USAGE,
                       "--%s %s: wanted is a date such as 2005-01-01 or "
                       "2005-01-01T12:00:00Z",
                       name, text);
}

#define MOVING    (1u << IMPORT_HISTORY | 1u << IMPORT_WARC | 1u << IMPORT_CRAWL)
#define DOCUMENTS (MOVING | 1u << IMPORT_DIR | 1u << IMPORT_TSV)

/* Options that mean nothing to a source are a mistake. */
static enum status check_options(const struct import_options *o)
{
    const struct {
        const char *name;
        bool given;
        unsigned sources; /* bit of enum import_from */
    } uses[] = {
        {"versions", o->versions, 1u << IMPORT_WARC},
        {"url-prefix", o->url_prefix, 1u << IMPORT_DIR | 1u << IMPORT_HISTORY},
        {"root", o->root, 1u << IMPORT_DIR | 1u << IMPORT_TSV},
        {"index", o->index, 1u << IMPORT_DIR | 1u << IMPORT_TSV | 1u << IMPORT_HISTORY},
        {"blobs", o->blobs, 1u << IMPORT_HISTORY},
        {"since", o->since, MOVING},
        {"until", o->until, MOVING},
        {"labels", o->labels, DOCUMENTS},
        {"drop-dead-links", o->drop_dead_links, DOCUMENTS},
        {"keep-going", o->keep_going, DOCUMENTS},
    };
    static const char *const names[] = {"dir", "tsv", "warc", "history", "crawl", "xml"};

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].given && !(uses[i].sources & 1u << o->from))
            return status_fail(ST_USAGE, "--%s has no meaning for --from %s", uses[i].name,
                               names[o->from]);
    if (o->from == IMPORT_WARC && !o->versions && (o->since || o->until))
        return status_fail(ST_USAGE, "--since and --until need --versions with WARC files");
    return ST_OK;
}

static enum status fill_config(const struct import_options *o, struct import_config *ret)
{
    enum status st = check_options(o);

    *ret = (struct import_config){.from = o->from,
                                  .url_prefix = o->url_prefix,
                                  .labels = o->labels,
                                  .root = o->root,
                                  .index = o->index,
                                  .blobs = o->blobs,
                                  .versions = o->versions,
                                  .keep_going = o->keep_going,
                                  .drop_dead_links = o->drop_dead_links,
                                  .software = BROOD_SOFTWARE};
    if (st == ST_OK)
        st = read_date("since", o->since, &ret->since);
    return st == ST_OK ? read_date("until", o->until, &ret->until) : st;
}

/* ---- the summary --------------------------------------------------------- */

static void add_faults(const struct import_report *r, struct buf *out)
{
    for (int f = 0; f < IMPORT_FAULTS; f++) {
        const struct import_faults *faults = &r->faults[f];

        if (faults->count == 0)
            continue;
        buf_addf(out, "%llu %s:\n", (unsigned long long)faults->count,
                 import_fault_name((enum import_fault)f));
        for (int i = 0; i < IMPORT_NAMED && faults->names[i]; i++) {
            buf_add_z(out, "    ");
            report_text(out, str_of(faults->names[i]), 400);
            buf_add_char(out, '\n');
        }
        if (faults->count > IMPORT_NAMED)
            buf_addf(out, "    and %llu more\n",
                     (unsigned long long)(faults->count - IMPORT_NAMED));
    }
}

static void add_figures(const struct import_report *r, const char *dir, struct buf *out)
{
    const struct {
        const char *what;
        uint64_t n;
    } more[] = {
        {"later version", r->changes}, {"deletion", r->deleted},   {"redirect", r->redirects},
        {"failure", r->failures},      {"resource", r->resources}, {"repeated answer", r->repeated},
    };

    report_count(out, r->pages, "page");
    buf_add_z(out, " on ");
    report_count(out, r->hosts, "host");
    buf_add_z(out, ", ");
    if (r->agents) {
        report_count(out, r->agents, "agent");
        buf_add_z(out, ", ");
        report_count(out, r->visits, "visit");
        buf_addf(out, "; in %s\n", dir);
        return;
    }
    report_count(out, r->links, "link");
    buf_add_z(out, r->changes ? " in all versions" : "");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i].n) {
            buf_add_z(out, ", ");
            report_count(out, more[i].n, more[i].what);
        }
    if (r->left_out)
        buf_addf(out, ", %llu left out (pictures, styles and the like)",
                 (unsigned long long)r->left_out);
    if (r->labelled) {
        buf_add_z(out, "; ");
        report_count(out, r->labels, "label");
        buf_add_z(out, " on ");
        report_count(out, r->labelled, "page");
    }
    buf_addf(out, "; in %s\n", dir);
}

static int show(const struct import_options *o, const struct import_report *r, const char *dir)
{
    struct buf out = BUF_INIT(4 << 20), faults = BUF_INIT(4 << 20);
    struct json j;

    if (o->json) {
        json_init(&j, &out);
        json_open_object(&j, NULL);
        import_report_json(r, &j);
        json_close(&j);
        buf_add_char(&out, '\n');
        return report_out(&out);
    }
    add_faults(r, &faults);
    if (faults.len && (!o->quiet || !r->made))
        report_say("%.*s", STR_ARG(buf_str(&faults)));
    buf_free(&faults);
    if (r->made && !o->quiet)
        add_figures(r, dir, &out);
    return report_out(&out);
}

static int import_command(struct invocation *in)
{
    const struct import_options *o = in->options;
    size_t nsources = in->args.count - 1;
    const char *dir = in->args.items[nsources];
    struct import_config config;
    struct import_report report;
    struct progress progress;
    enum status st = fill_config(o, &config);
    int code;

    if (st == ST_OK && o->from == IMPORT_XML && nsources != 1)
        st = status_fail(ST_USAGE, "--from xml takes one file");
    if (st != ST_OK)
        return report_failure(st);
    progress_init(&progress, o->quiet);
    interrupt_catch();
    st = world_import((const char *const *)in->args.items, nsources, dir, &config, on_progress,
                      &progress, &report);
    progress_clear(&progress);
    code = st == ST_OK || st == ST_INVALID ? show(o, &report, dir) : EXIT_DONE;
    if (st != ST_OK)
        code = report_failure(st);
    import_report_clear(&report);
    return code;
}

const struct command command_world_import = {
    .name = "world import",
    TAKES("SOURCE... DIR", 2, SIZE_MAX),
    .summary =
        "make a world of real pages: a folder, a manifest, WARC files, crawls or a site's history",
    .details =
        "A world is a directory in the crawl format. The same input makes the same world. Missing "
        "files, two pages for one URL, files that are no documents and archives that end early are "
        "counted and named, and then nothing is made, unless --keep-going says that a world of the "
        "rest is wanted. A folder may also be a .tar, .tar.gz or .tar.zst archive, which is read "
        "as it is.",
    .example = "brood world import site/ --url-prefix http://www.example.org/ W\n"
               "  brood world import --from warc crawls/ W\n"
               "  brood world import --from crawl news-watch/ W\n"
               "  brood world import --from xml bees.xml family\n"
               "  brood world import --from history openbsd-www/ --since 2005-01-01 --until "
               "2006-01-01 W",
    OPTIONS(option_table, struct import_options),
    .run = import_command,
};
