/* import.c - `brood world import`: passes documents to the scribe.
 *
 * In: items of a source. Out: a crawl directory, through scribe.c. Here it is
 * decided what an item is: a page, a later version of one, a resource, another
 * answer, or a fault. Pages come in the order of the source; if it has no times, times count up
 * from a fixed day.
 *
 * Workload: 10^4 to 10^6 documents, one at a time, each once.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/import_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/dir.h"
#include "base/os/file.h"
#include "parse/http/decode.h"
#include "parse/url_norm.h"
#include "sim/import/tables.h"
#include "store/write/tree.h"

#include <stdlib.h>

/* ---- labels -------------------------------------------------------------- */

/* "FILE:12: name", for faults. */
static void note_line(struct importer *im, enum import_fault fault, uint32_t line, struct str name,
                      const char *why)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL + 4096);

    buf_addf(&text, "%s:%u: %.*s", im->config->labels, line, STR_ARG(name));
    import_note(im, fault, buf_str(&text), why);
}

static void add_line(struct importer *im, const struct label_row *row, uint32_t number)
{
    struct label_set *l = &im->labels;
    bool by_url =
             str_starts_i(row->name, STR("http://")) || str_starts_i(row->name, STR("https://")),
         fresh = false;
    uint64_t key = hash_str(row->name);
    struct str url;

    arena_reset(&im->urls);
    if (by_url) {
        if (!import_any_url(im, row->name, row->name, &url))
            return;
        key = url_key(url);
    }
    (void)map_at(by_url ? &l->by_url : &l->by_path, key, (uint32_t)l->count, &fresh);
    if (!fresh) {
        note_line(im, IMPORT_DUPLICATE, number, row->name, "an earlier line has labels for it");
        return;
    }
    MEM_GROW(l->lines, l->count, &l->cap);
    l->lines[l->count++] =
        (struct label_line){.name = row->name, .labels = row->labels, .line = number};
}

static enum status labels_load(struct importer *im, const char *path)
{
    struct label_set *l = &im->labels;
    struct tsv table;
    struct label_row row;
    struct str line;

    TRY(file_read(path, &l->text));
    table = table_of(buf_str(&l->text));
    while (table_next(&table, &line)) {
        const char *why = label_row(line, &row);

        if (why)
            note_line(im, IMPORT_LINE, table.line, str_sub(line, 0, 100), why);
        else
            add_line(im, &row, table.line);
    }
    return ST_OK;
}

/* The labels of a document by its path or URL; empty: none. */
static struct str labels_find(struct label_set *l, struct str path, struct str url)
{
    uint32_t i = path.len ? map_get(&l->by_path, hash_str(path)) : MAP_NONE;

    if (i == MAP_NONE)
        i = map_get(&l->by_url, url_key(url));
    if (i == MAP_NONE)
        return (struct str){"", 0};
    l->lines[i].used = true;
    return l->lines[i].labels;
}

/* Notes the labels that belong to no page. */
static void labels_check(struct importer *im)
{
    for (size_t i = 0; i < im->labels.count; i++) {
        const struct label_line *line = &im->labels.lines[i];

        if (!line->used)
            note_line(im, IMPORT_MISSING, line->line, line->name,
                      "no page has this path or URL (paths begin below --root)");
    }
}

static void labels_clear(struct label_set *l)
{
    buf_free(&l->text);
    map_free(&l->by_path);
    map_free(&l->by_url);
    free(l->lines);
}

#define STORY    (INT64_C(1767225600) * US_PER_S) /* begins 2026-01-01, as made worlds do */
#define URLS_MAX MIB(1)                           /* scratch for the URLs of one document */

/* ---- faults -------------------------------------------------------------- */

const char *import_fault_name(enum import_fault f)
{
    static const char *const names[] = {"missing", "duplicate", "broken", "cut",
                                        "line",    "url",       "large"};
    return names[f];
}

void import_note(struct importer *im, enum import_fault fault, struct str name, const char *why)
{
    struct import_faults *f = &im->report->faults[fault];
    LOCAL_BUF text = BUF_INIT(LIMIT_URL + 4096);

    if (f->count++ >= IMPORT_NAMED)
        return;
    buf_addf(&text, "%.*s: %s", STR_ARG(name), why);
    f->names[f->count - 1] = str_dup(buf_str(&text));
}

uint64_t import_fault_count(const struct import_report *r)
{
    uint64_t n = 0;

    for (int f = 0; f < IMPORT_FAULTS; f++)
        n += r->faults[f].count;
    return n;
}

void import_report_clear(struct import_report *r)
{
    for (int f = 0; f < IMPORT_FAULTS; f++)
        for (int i = 0; i < IMPORT_NAMED; i++)
            free(r->faults[f].names[i]);
    *r = (struct import_report){.pages = 0};
}

void import_report_json(const struct import_report *r, struct json *j)
{
    const struct {
        const char *name;
        uint64_t n;
    } figures[] = {
        {"pages", r->pages},         {"versions", r->versions},   {"changes", r->changes},
        {"deleted", r->deleted},     {"redirects", r->redirects}, {"failures", r->failures},
        {"resources", r->resources}, {"links", r->links},         {"hosts", r->hosts},
        {"labelled", r->labelled},   {"labels", r->labels},       {"left_out", r->left_out},
        {"repeated", r->repeated},   {"agents", r->agents},       {"visits", r->visits},
    };

    json_put_bool(j, "made", r->made);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        json_put_int(j, figures[i].name, (int64_t)figures[i].n);
    json_open_object(j, "faults");
    for (int f = 0; f < IMPORT_FAULTS; f++) {
        json_open_object(j, import_fault_name((enum import_fault)f));
        json_put_int(j, "count", (int64_t)r->faults[f].count);
        json_open_array(j, "names");
        for (int i = 0; i < IMPORT_NAMED && r->faults[f].names[i]; i++)
            json_put_z(j, NULL, r->faults[f].names[i]);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

enum status import_tick(struct importer *im, const char *what, uint64_t done, uint64_t total)
{
    if (im->progress == NULL || im->progress(im->ctx, what, done, total))
        return ST_OK;
    return status_fail(ST_STOPPED, "stopped: nothing was made");
}

/* ---- pages --------------------------------------------------------------- */

static enum status add_labels(struct importer *im, struct str url, struct str list)
{
    struct str label;

    for (int n = 0; n < LIMIT_IMPORT_LABELS && label_next(&list, &label); n++) {
        map_set(&im->label_names, hash_str(label), 1);
        TRY(scribe_label(&im->scribe, url, label));
    }
    return ST_OK;
}

static enum status label_page(struct importer *im, const struct import_item *item)
{
    struct str found = labels_find(&im->labels, item->path, item->url), rest = item->labels, any;

    if (found.len == 0 && !label_next(&rest, &any))
        return ST_OK;
    im->report->labelled++;
    TRY(add_labels(im, item->url, item->labels));
    return add_labels(im, item->url, found);
}

static struct scribe_answer answer_of(const struct import_item *item)
{
    return (struct scribe_answer){.url = item->url,
                                  .status = item->status,
                                  .head = item->head,
                                  .type = item->type,
                                  .modified = item->modified,
                                  .body = item->body,
                                  .at = item->at};
}

/* URLs that are named before the first page are where a crawl of the world may begin. */
static void name_url(struct importer *im, struct str url)
{
    (void)scribe_url(&im->scribe, url, im->scribe.pages == 0);
}

/* Decodes and parses; NULL, or what is wrong with it. */
static const char *digest(struct importer *im, struct arrival *a, enum import_fault *ret_fault)
{
    struct str payload;
    enum drop why;

    *ret_fault = IMPORT_LARGE;
    if (a->reply.truncated)
        return "it is larger than a page may be";
    buf_clear(&im->decoded);
    why = decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &im->decoded, &payload,
                      &a->cut);
    *ret_fault = why == DROP_SIZE ? IMPORT_LARGE : IMPORT_BROKEN;
    if (why != DROP_NONE)
        return why == DROP_SIZE ? "it is larger than a page may be, unpacked"
                                : "its content coding is broken or unknown";
    if (str_trim(payload).len == 0)
        return "it is empty";
    if (scribe_parse(&im->scribe, a, payload) != ST_OK)
        return "it is no document: binary, or of a type that is not read";
    *ret_fault = IMPORT_CUT;
    return a->cut ? "its content coding ends early" : NULL;
}

static enum status put_page(struct importer *im, const struct import_item *item, struct arrival *a,
                            struct scribe_answer *answer)
{
    bool fresh = false;
    uint32_t number = im->scribe.pages + 1;
    uint32_t *first = map_at(&im->pages, url_key(item->url), number, &fresh);

    answer->version_of = fresh ? 0 : *first;
    im->report->links += a->page->nlinks;
    im->report->pages += fresh;
    im->report->versions++;
    im->report->changes += !fresh;
    map_set(&im->hosts, hash_str(a->request->host), 1);
    name_url(im, item->url);
    scribe_put_page(&im->scribe, a, answer);
    if (fresh)
        TRY(label_page(im, item));
    if (number % SCRIBE_PAGES == 0)
        TRY(scribe_checkpoint(&im->scribe));
    return ST_OK;
}

enum status import_page(struct importer *im, const struct import_item *item, uint32_t *ret_page)
{
    struct scribe_answer answer = answer_of(item);
    enum import_fault fault = IMPORT_BROKEN;
    enum status st = ST_OK;
    struct arrival *a;
    const char *why;

    if (ret_page)
        *ret_page = 0;
    if (!item->version && map_get(&im->pages, url_key(item->url)) != MAP_NONE) {
        import_note(im, IMPORT_DUPLICATE, item->name, "another page has its URL");
        return ST_OK;
    }
    a = scribe_arrive(&im->scribe, &answer);
    why = digest(im, a, &fault);
    if (why && item->maybe && fault == IMPORT_BROKEN) {
        im->report->left_out++;
    } else if (why) {
        import_note(im, fault, item->name, why);
    } else if (a->page->kind == PAGE_SITEMAP) {
        scribe_put_resource(&im->scribe, a);
        im->report->resources++;
    } else {
        st = put_page(im, item, a, &answer);
        if (ret_page)
            *ret_page = im->scribe.pages;
    }
    arrival_release(a);
    return st;
}

/* ---- other answers ------------------------------------------------------- */

/* The first one of a URL counts. */
static bool is_first_answer(struct importer *im, struct str url)
{
    bool fresh = false;

    (void)map_at(&im->answered, url_key(url), 1, &fresh);
    im->report->repeated += !fresh;
    return fresh;
}

enum status import_resource(struct importer *im, const struct import_item *item)
{
    struct scribe_answer answer = answer_of(item);

    if (!is_first_answer(im, item->url))
        return ST_OK;
    scribe_resource(&im->scribe, &answer);
    im->report->resources++;
    return ST_OK;
}

static void put_outcome(struct importer *im, const struct import_item *item, struct str target)
{
    struct scribe_answer answer = answer_of(item);

    answer.location = target;
    name_url(im, item->url);
    if (target.len)
        name_url(im, target);
    scribe_outcome(&im->scribe, &answer, target);
}

enum status import_outcome(struct importer *im, const struct import_item *item, struct str target)
{
    /* A redirect from http to https of the same address: the two are one page here. */
    if (target.len && url_key(target) == url_key(item->url))
        return ST_OK;
    if (map_get(&im->pages, url_key(item->url)) != MAP_NONE || !is_first_answer(im, item->url))
        return ST_OK;
    put_outcome(im, item, target);
    im->report->redirects += target.len > 0;
    im->report->failures += target.len == 0;
    return ST_OK;
}

enum status import_gone(struct importer *im, const struct import_item *item)
{
    struct import_item gone = *item;

    gone.status = 410;
    gone.type = STR("text/html");
    gone.body = STR("<!DOCTYPE html>\n<title>Gone</title>\n<p>This page is no more.</p>\n");
    put_outcome(im, &gone, (struct str){"", 0});
    im->report->deleted++;
    return ST_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static const struct {
    const char *name;
    enum status (*run)(struct importer *im);
} sources[] = {
    [IMPORT_DIR] = {"dir", import_dir},       [IMPORT_TSV] = {"tsv", import_tsv},
    [IMPORT_WARC] = {"warc", import_warc},    [IMPORT_HISTORY] = {"history", import_history},
    [IMPORT_CRAWL] = {"crawl", import_crawl},
};

/* crawl('world'): what the world is; no path of a machine goes in. */
static void put_keys(struct importer *im)
{
    LOCAL_BUF text = BUF_INIT(KIB(64));
    struct json j;

    json_begin(&j, &text);
    json_put_z(&j, "kind", "imported");
    json_put_z(&j, "from", sources[im->config->from].name);
    if (im->prefix.len)
        json_put_str(&j, "url_prefix", buf_str(&im->prefix));
    if (im->config->index)
        json_put_z(&j, "index", im->config->index);
    json_put_bool(&j, "drop_dead_links", im->config->drop_dead_links);
    json_close(&j);
    scribe_key(&im->scribe, "world", buf_str(&text));
    if (im->config->drop_dead_links)
        scribe_key(&im->scribe, "drop_dead_links", STR("yes"));
}

static enum status verdict(struct importer *im)
{
    uint64_t faults = import_fault_count(im->report);

    if (im->report->pages == 0)
        return status_fail(ST_INVALID, "there is no page in it: nothing was made");
    if (faults && !im->config->keep_going)
        return status_fail(ST_INVALID,
                           "%llu fault%s in what was to be imported: nothing was made; "
                           "--keep-going makes a world of the rest",
                           (unsigned long long)faults, faults == 1 ? "" : "s");
    return ST_OK;
}

static enum status import_all(struct importer *im)
{
    enum status st = ST_OK;

    if (im->config->labels)
        st = labels_load(im, im->config->labels);
    if (st == ST_OK)
        st = sources[im->config->from].run(im);
    if (st == ST_OK)
        labels_check(im);
    if (st == ST_OK)
        st = verdict(im);
    if (st == ST_OK)
        put_keys(im);
    im->report->hosts = im->hosts.count;
    im->report->labels = im->label_names.count;
    return st;
}

enum status import_window(const struct import_config *c, const char *what, int64_t first,
                          int64_t last, int64_t *begin, int64_t *ret_end)
{
    char a[CLOCK_TEXT], b[CLOCK_TEXT];

    if (c->since != IMPORT_NO_TIME)
        *begin = c->since;
    *ret_end = c->until == IMPORT_NO_TIME ? last + US_PER_S : c->until;
    if (*begin<*ret_end && * begin <= last && * ret_end> first)
        return ST_OK;
    clock_format(first, 0, a);
    clock_format(last, 0, b);
    return status_fail(ST_USAGE,
                       "--since must lie before --until, and the window must meet the %s, which go "
                       "from %s to %s",
                       what, a, b);
}

static void importer_init(struct importer *im)
{
    arena_init(&im->urls, URLS_MAX);
    map_init(&im->pages);
    map_init(&im->answered);
    map_init(&im->hosts);
    map_init(&im->label_names);
    map_init(&im->labels.by_path);
    map_init(&im->labels.by_url);
    buf_init(&im->labels.text, LIMIT_IMPORT_TABLE);
    buf_init(&im->prefix, LIMIT_URL);
    buf_init(&im->decoded, LIMIT_DECODED);
}

static void importer_clear(struct importer *im)
{
    arena_free(&im->urls);
    map_free(&im->pages);
    map_free(&im->answered);
    map_free(&im->hosts);
    map_free(&im->label_names);
    labels_clear(&im->labels);
    buf_free(&im->prefix);
    buf_free(&im->decoded);
}

/* The family tree that `brood export --as xml` wrote. Unlike the other sources it has no documents:
 * the result is a crawl directory whose tree, list and paths can be shown and exported again, but
 * which cannot be crawled. */
static enum status import_xml(const char *source, const char *dir, const char *software,
                              struct import_report *ret)
{
    struct buf xml = BUF_INIT(LIMIT_IMPORT_XML);
    struct tree_counts counts = {0};
    char *part = NULL;
    enum status st = file_read(source, &xml);

    if (st == ST_OK)
        st = part_begin(dir, &part);
    if (st == ST_OK) {
        st = tree_write(buf_str(&xml), part, software, &counts);
        if (st == ST_INVALID)
            st = status_prefix(st, "%s", source);
        st = part_end(part, dir, st);
    }
    buf_free(&xml);
    ret->pages = ret->versions = counts.pages;
    ret->left_out = counts.hidden;
    ret->hosts = counts.hosts;
    ret->agents = counts.agents;
    ret->visits = counts.visits;
    ret->made = st == ST_OK;
    return st;
}

enum status world_import(const char *const *source_list, size_t nsources, const char *dir,
                         const struct import_config *config, import_progress_fn *progress,
                         void *ctx, struct import_report *ret)
{
    struct importer im = {.config = config,
                          .sources = source_list,
                          .nsources = nsources,
                          .progress = progress,
                          .ctx = ctx,
                          .report = ret};
    const char *software = config->software ? config->software : "brood";
    enum status st;

    *ret = (struct import_report){.pages = 0};
    if (config->from == IMPORT_XML)
        return import_xml(source_list[0], dir, software, ret);
    importer_init(&im);
    st = scribe_open(&im.scribe, dir, software, STORY);
    if (st == ST_OK)
        st = scribe_close(&im.scribe, import_all(&im));
    ret->made = st == ST_OK;
    importer_clear(&im);
    return st;
}
