/* import.c - `brood world import`: documents to the store.
 *
 * In: items of a source. Out: a crawl directory. A world is written the way a
 * crawl is: for each page an arrival is built as if it had come over the network
 * (request, header block, body), parsed by parse/, and posted to store/. So text
 * and links in the database are what the crawler itself would see.
 *
 * URLs get their numbers as they are met, pages in the order of the source.
 * Where a source tells no time, moments count up from a fixed day.
 *
 * Workload: 10^4 to 10^6 documents, one at a time, each once.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import_int.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "fetch/decode.h"
#include "fetch/head.h"
#include "parse/page.h"
#include "parse/url_norm.h"
#include "sim/import_tables.h"
#include "sim/make_site.h"
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECKPOINT_PAGES 4000
#define STEP             (10 * US_PER_MS)                 /* between two documents of the story */
#define STORY            (INT64_C(1767225600) * US_PER_S) /* begins 2026-01-01, as made worlds do */
#define URLS_MAX         MIB(1)                           /* scratch for the URLs of one document */

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
    struct buf text = BUF_INIT(LIMIT_URL + 4096);

    if (f->count++ >= IMPORT_NAMED)
        return;
    (void)buf_addf(&text, "%.*s: %s", STR_ARG(name), why);
    f->names[f->count - 1] = str_dup(buf_str(&text));
    buf_free(&text);
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
        {"repeated", r->repeated},
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

/* ---- arrivals ------------------------------------------------------------ */

static const char *reason(int status)
{
    return status < 300    ? "OK"
           : status == 410 ? "Gone"
           : status < 400  ? "Moved Permanently"
                           : "Not Found";
}

/* A header block for what came without one. */
static struct str make_head(struct importer *im, const struct import_item *item, int64_t at,
                            struct str location)
{
    struct buf *h = &im->head;

    buf_clear(h);
    (void)buf_addf(h, "HTTP/1.1 %d %s\r\nServer: brood-world\r\nDate: ", item->status,
                   reason(item->status));
    site_http_date(at, h);
    if (item->type.len)
        (void)buf_addf(h, "\r\nContent-Type: %.*s", STR_ARG(item->type));
    (void)buf_addf(h, "\r\nContent-Length: %zu", item->body.len);
    if (location.len)
        (void)buf_addf(h, "\r\nLocation: %.*s", STR_ARG(location));
    else if (item->status == 200)
        (void)buf_addf(h, "\r\nETag: \"%016llx\"", (unsigned long long)hash_str(item->body));
    if (item->modified > 0) {
        (void)buf_add_z(h, "\r\nLast-Modified: ");
        site_http_date(item->modified, h);
    }
    (void)buf_add_z(h, "\r\n\r\n");
    return buf_str(h);
}

/* Every host has an address of its own in 127.0.0.0/8. */
static struct address address_of(struct str host)
{
    uint64_t h = hash_str(host);

    return (struct address){
        .family = 4,
        .bytes = {127, (uint8_t)(h >> 8), (uint8_t)(h >> 16), (uint8_t)(1 + (h >> 24) % 254)}};
}

static struct arrival *arrive(struct importer *im, const struct import_item *item,
                              struct str location)
{
    struct import_item copy = *item;
    int64_t at = item->at ? item->at : im->now;
    struct str scheme, host, path, none = {"", 0}, head;
    char sent[LIMIT_URL + 512];
    struct head_facts facts;
    uint16_t port;

    copy.status = copy.status ? copy.status : 200;
    head = copy.head.len ? copy.head : make_head(im, &copy, at, location);
    url_split(item->url, &scheme, &host, &port, &path);
    struct arrival *a = arrival_new(request_new(REQUEST_PAGE, item->url, host, none, none));
    struct reply *r = &a->reply;
    int len = snprintf(sent, sizeof sent, "GET %.*s HTTP/1.1\r\nHost: %.*s\r\nAccept: */*\r\n\r\n",
                       STR_ARG(path), STR_ARG(host));

    a->request->port = a->request->connect_port = port;
    a->request->tls = str_eq(scheme, STR("https"));
    a->request->address = address_of(host);
    r->sent = arena_str(&a->memory, (struct str){sent, (size_t)len});
    r->head = arena_str(&a->memory, head);
    r->truncated = item->body.len > LIMIT_BODY;
    (void)buf_add_str(&r->body, str_sub(item->body, 0, LIMIT_BODY));
    r->peer = a->request->address;
    r->connect_port = port;
    r->started_at = r->first_byte_at = r->done_at = at; /* no latency was recorded */
    head_read(r, &a->memory, &facts);
    r->status = copy.status;
    im->now += STEP;
    return a;
}

static void post(struct importer *im, struct event *e)
{
    e->at = e->at ? e->at : im->now;
    store_post(im->store, e);
}

/* The number of a URL, told to the store where it is a new one. */
static uint32_t number_of(struct importer *im, struct str url)
{
    bool fresh = false;
    uint32_t *number = map_at(&im->numbers, url_key(url), im->next_url, &fresh), n = *number;

    if (fresh) {
        im->next_url++;
        post(im, &(struct event){.kind = EVENT_URL,
                                 .url = {.id = n, .url = url, .seed = im->next_page == 1}});
    }
    return n;
}

static enum status checkpoint(struct importer *im)
{
    struct event e = {.kind = EVENT_CHECKPOINT, .checkpoint = {.pages = im->next_page - 1}};
    char text[512];

    post(im, &e);
    enum status st = store_health(im->store, text, sizeof text);
    return st == ST_OK ? ST_OK : status_fail(st, "%s", text);
}

/* ---- pages --------------------------------------------------------------- */

static enum status add_labels(struct importer *im, struct str url, struct str list)
{
    enum status st = ST_OK;
    struct str label;

    for (int n = 0; st == ST_OK && n < LIMIT_IMPORT_LABELS && label_next(&list, &label); n++) {
        map_set(&im->label_names, hash_str(label), 1);
        st = store_label(im->store, url, label);
    }
    return st;
}

static enum status label_page(struct importer *im, const struct import_item *item)
{
    struct str found = labels_find(&im->labels, item->path, item->url), rest = item->labels, any;
    enum status st;

    if (found.len == 0 && !label_next(&rest, &any))
        return ST_OK;
    im->report->labelled++;
    st = add_labels(im, item->url, item->labels);
    return st == ST_OK ? add_labels(im, item->url, found) : st;
}

static void mark_links(struct importer *im, struct arrival *a)
{
    a->marks = arena_array(&a->memory, a->page->nlinks + 1, sizeof *a->marks);
    for (uint32_t i = 0; a->marks && i < a->page->nlinks; i++) {
        bool fresh = false;
        uint32_t *number = map_at(&im->numbers, a->page->links[i].key, im->next_url, &fresh);

        im->next_url += fresh;
        a->marks[i] = (struct link_mark){.url = *number, .score = NAN, .is_new = fresh};
    }
    im->report->links += a->marks ? a->page->nlinks : 0;
}

/* Decodes and parses; NULL, or what is wrong with it. */
static const char *digest(struct importer *im, struct arrival *a, enum import_fault *ret_fault)
{
    const struct reply *r = &a->reply;
    struct page_input in = {.url = a->request->href,
                            .content_type = r->content_type,
                            .content_language = r->content_language,
                            .last_modified = r->last_modified,
                            .link_header = r->link,
                            .now = r->done_at};
    enum drop why;

    *ret_fault = IMPORT_LARGE;
    if (r->truncated)
        return "it is larger than a page may be";
    buf_clear(&im->decoded);
    im->decoded.full = false;
    why = decode_body(buf_str(&r->body), r->content_encoding, &im->decoded, &in.payload, &a->cut);
    *ret_fault = why == DROP_SIZE ? IMPORT_LARGE : IMPORT_BROKEN;
    if (why != DROP_NONE)
        return why == DROP_SIZE ? "it is larger than a page may be, unpacked"
                                : "its content coding is broken or unknown";
    if (str_trim(in.payload).len == 0)
        return "it is empty";
    a->payload_hash = hash_str(in.payload);
    if (page_parse(im->parser, &in, &a->memory, &a->page) != DROP_NONE)
        return "it is no document: binary, or of a type that is not read";
    *ret_fault = IMPORT_CUT;
    return a->cut ? "its content coding ends early" : NULL;
}

static enum status post_page(struct importer *im, const struct import_item *item, struct arrival *a)
{
    bool fresh = false;
    uint64_t key = url_key(item->url);
    uint32_t *first = map_at(&im->pages, key, im->next_page, &fresh), version_of = *first;
    struct event e = {
        .kind = EVENT_PAGE,
        .at = a->reply.started_at,
        .page = {.arrival = a, .id = im->next_page, .version_of = fresh ? 0 : version_of}};
    enum status st = ST_OK;

    a->request->choice.url = number_of(im, item->url);
    mark_links(im, a);
    im->next_page++;
    im->report->pages += fresh;
    im->report->versions++;
    im->report->changes += !fresh;
    map_set(&im->hosts, hash_str(a->request->host), 1);
    post(im, &e);
    if (fresh)
        st = label_page(im, item);
    if (st == ST_OK && im->next_page % CHECKPOINT_PAGES == 0)
        st = checkpoint(im);
    return st;
}

static enum status post_resource(struct importer *im, struct arrival *a)
{
    a->request->kind = REQUEST_ROBOTS;
    post(im, &(struct event){
                 .kind = EVENT_RESOURCE, .at = a->reply.started_at, .resource = {.arrival = a}});
    im->report->resources++;
    return ST_OK;
}

enum status import_page(struct importer *im, const struct import_item *item, uint32_t *ret_page)
{
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
    a = arrive(im, item, (struct str){"", 0});
    why = digest(im, a, &fault);
    if (why && item->maybe && fault == IMPORT_BROKEN) {
        im->report->left_out++;
    } else if (why) {
        import_note(im, fault, item->name, why);
    } else if (a->page->kind == PAGE_SITEMAP) {
        st = post_resource(im, a);
    } else {
        if (ret_page)
            *ret_page = im->next_page;
        st = post_page(im, item, a);
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
    struct arrival *a;

    if (!is_first_answer(im, item->url))
        return ST_OK;
    a = arrive(im, item, (struct str){"", 0});
    (void)post_resource(im, a);
    arrival_release(a);
    return ST_OK;
}

static void post_outcome(struct importer *im, const struct import_item *item, struct str target)
{
    struct arrival *a = arrive(im, item, target);
    uint32_t url = number_of(im, item->url), to = target.len ? number_of(im, target) : 0;

    a->request->choice.url = url;
    post(im, &(struct event){.kind = EVENT_OUTCOME,
                             .at = a->reply.started_at,
                             .outcome = {.arrival = a,
                                         .url = url,
                                         .why = to ? DROP_NONE : DROP_STATUS,
                                         .redirect_to = to,
                                         .is_final = true}});
    arrival_release(a);
}

enum status import_outcome(struct importer *im, const struct import_item *item, struct str target)
{
    /* From http to https of the same address: one page to us. */
    if (target.len && url_key(target) == url_key(item->url))
        return ST_OK;
    if (map_get(&im->pages, url_key(item->url)) != MAP_NONE || !is_first_answer(im, item->url))
        return ST_OK;
    post_outcome(im, item, target);
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
    post_outcome(im, &gone, (struct str){"", 0});
    im->report->deleted++;
    return ST_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static const struct {
    const char *name;
    enum status (*run)(struct importer *im);
} sources[] = {
    [IMPORT_DIR] = {"dir", import_dir},
    [IMPORT_TSV] = {"tsv", import_tsv},
    [IMPORT_WARC] = {"warc", import_warc},
    [IMPORT_HISTORY] = {"history", import_history},
};

static void post_key(struct importer *im, struct str name, struct str value)
{
    post(im, &(struct event){.kind = EVENT_KEY, .key = {name, value}});
}

/* crawl('world'): what the world is; no path of a machine goes in. */
static void post_keys(struct importer *im)
{
    struct buf text = BUF_INIT(KIB(64));
    struct json j;

    json_init(&j, &text);
    json_open_object(&j, NULL);
    json_put_z(&j, "kind", "imported");
    json_put_z(&j, "from", sources[im->config->from].name);
    if (im->prefix.len)
        json_put_str(&j, "url_prefix", buf_str(&im->prefix));
    if (im->config->index)
        json_put_z(&j, "index", im->config->index);
    json_put_bool(&j, "drop_dead_links", im->config->drop_dead_links);
    json_close(&j);
    post_key(im, STR("world"), buf_str(&text));
    if (im->config->drop_dead_links)
        post_key(im, STR("drop_dead_links"), STR("yes"));
    buf_free(&text);
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
    if (st == ST_OK) {
        post_keys(im);
        st = checkpoint(im);
    }
    im->report->hosts = im->hosts.count;
    im->report->labels = im->label_names.count;
    return st;
}

static void importer_init(struct importer *im)
{
    arena_init(&im->urls, URLS_MAX);
    map_init(&im->numbers);
    map_init(&im->pages);
    map_init(&im->answered);
    map_init(&im->hosts);
    map_init(&im->label_names);
    map_init(&im->labels.by_path);
    map_init(&im->labels.by_url);
    buf_init(&im->labels.text, LIMIT_IMPORT_TABLE);
    buf_init(&im->prefix, LIMIT_URL);
    buf_init(&im->head, LIMIT_HEADER_BYTES);
    buf_init(&im->decoded, LIMIT_DECODED);
    im->next_url = im->next_page = 1;
    im->now = STORY;
    im->parser = page_parser_new();
}

static void importer_clear(struct importer *im)
{
    arena_free(&im->urls);
    map_free(&im->numbers);
    map_free(&im->pages);
    map_free(&im->answered);
    map_free(&im->hosts);
    map_free(&im->label_names);
    labels_clear(&im->labels);
    buf_free(&im->prefix);
    buf_free(&im->head);
    buf_free(&im->decoded);
    page_parser_free(im->parser);
    free(im->dir);
}

/* The first fault is the one to tell. */
static enum status close_store(struct importer *im, enum status st)
{
    char *why;

    if (st == ST_OK)
        return store_close(im->store, NULL, NULL);
    why = str_dup(str_of(status_text()));
    (void)!store_close(im->store, NULL, NULL);
    (void)status_fail(st, "%s", why);
    free(why);
    return st;
}

/* ---- the directory ------------------------------------------------------- */

static bool is_empty(const char *dir)
{
    DIR *list = opendir(dir);
    struct dirent *e;
    bool empty = list != NULL;

    while (list && (e = readdir(list)) != NULL)
        empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
    if (list)
        (void)closedir(list);
    return empty;
}

static enum status check_target(const char *dir, const char *part)
{
    if (access(dir, F_OK) == 0 && !is_empty(dir))
        return status_fail(ST_EXISTS, "%s is there already: give another name", dir);
    if (access(part, F_OK) == 0)
        return status_fail(ST_EXISTS,
                           "%s is there: another import is under way, or one was killed; then "
                           "remove it",
                           part);
    return ST_OK;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

/* Moves what was made to its place, or removes what was half made. */
static enum status settle(const char *part, const char *dir, enum status st)
{
    if (st == ST_OK && rename(part, dir) != 0)
        st = status_fail(ST_IO, "%s cannot be moved to %s: %s", part, dir, strerror(errno));
    if (st != ST_OK)
        (void)nftw(part, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return st;
}

enum status world_import(const char *const *source_list, size_t nsources, const char *dir,
                         const struct import_config *config, import_progress_fn *progress,
                         void *ctx, struct import_report *ret)
{
    struct store_config sc = {.warc = true,
                              .warc_level = 1,
                              .warc_size = UINT64_C(1000000000),
                              .software = config->software ? config->software : "brood",
                              .robots = "obey",
                              .full_text = false};
    struct importer im = {.config = config,
                          .sources = source_list,
                          .nsources = nsources,
                          .progress = progress,
                          .ctx = ctx,
                          .report = ret};
    struct buf part = BUF_INIT(4096);
    struct str name = str_of(dir);
    enum status st;

    *ret = (struct import_report){.pages = 0};
    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    (void)buf_addf(&part, "%.*s.part", STR_ARG(name));
    if (part.full || name.len == 0)
        return status_fail(ST_USAGE, "'%s' is not the name of a directory", dir);
    importer_init(&im);
    im.dir = buf_take(&part, NULL);
    st = check_target(dir, im.dir);
    if (st == ST_OK)
        st = store_create(im.dir, &sc, &im.store);
    if (st == ST_OK)
        st = settle(im.dir, dir, close_store(&im, import_all(&im)));
    ret->made = st == ST_OK;
    importer_clear(&im);
    return st;
}
