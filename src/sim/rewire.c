/* rewire.c - `brood world rewire`: the same world with its links exchanged.
 *
 * In: a world. Out: another. Three passes: read every document and note which
 * page links to which; exchange; read every document again, put the new targets
 * into its hrefs, and write it (scribe.h). A link is named by page and target: a
 * map leads from there to its place in the rows.
 *
 * A target is exchanged on a page only if each link to it is an ordinary one and is found in the
 * bytes as often as parse/ found it.
 *
 * Workload: 10^5 pages in half a minute; 40 bytes a link.
 * SPDX-License-Identifier: MIT
 */
#include "sim/rewire.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "sim/archived.h"
#include "sim/exchange.h"
#include "sim/graph_measure.h"
#include "sim/href.h"
#include "sim/scribe.h"
#include "store/read/query.h"

#include <stdlib.h>

#define TICK 100 /* documents between two calls of progress */

/* A link between two pages, in the order they are found. */
struct edge {
    uint32_t from, to;
    int64_t since; /* the first version that has it */
    bool fixed;
};

/* Links of one document to one page. */
struct link_hit {
    uint32_t to;
    uint32_t parsed, found; /* by parse/; in the bytes */
    bool fixed;
};

struct rewirer {
    struct world *world;
    struct archived answer; /* the current one */
    struct page_parser *parser;
    struct arena memory; /* of one document */
    struct buf text;     /* the new one */
    struct edge *edges;
    size_t nedges, edges_cap;
    struct map places; /* page and target -> edge; later -> place in the rows */
    struct link_hit *hits;
    size_t nhits, hits_cap;
    struct map hit_of;        /* target -> hit */
    uint32_t page;            /* the page whose links are being read */
    int64_t *birth;           /* page -> its first version */
    struct link_exchange net; /* the rows */
    bool *fixed;
    int64_t *since;
    const struct rewire_config *config;
    struct rewire_report *report;
    rewire_progress_fn *progress;
    void *ctx;
};

static uint64_t edge_key(uint32_t from, uint32_t to)
{
    return hash_u64((uint64_t)from << 32 | to);
}

static enum status tick(struct rewirer *r, const char *what, uint64_t done, uint64_t total)
{
    if (r->progress == NULL || done % TICK != 0 || r->progress(r->ctx, what, done, total))
        return ST_OK;
    return status_fail(ST_STOPPED, "stopped: nothing was made");
}

/* The page of the world that a URL leads to, or WORLD_NONE. */
static uint32_t page_of(const struct world *w, uint64_t key)
{
    uint32_t i = world_find(w, key);

    for (int hop = 0; i != WORLD_NONE && hop < LIMIT_REDIRECTS && !world_entry(w, i)->page; hop++)
        i = world_entry(w, i)->redirect_to;
    return i != WORLD_NONE && world_entry(w, i)->page ? i : WORLD_NONE;
}

/* ---- one document --------------------------------------------------------- */

struct rewired {
    const struct world_entry *entry;
    struct str payload; /* decoded */
    const struct page *page;
};

/* Reads a document; returns false if it was not archived, or if parse/ cannot read it. */
static bool read_document(struct rewirer *r, uint32_t version, struct rewired *d)
{
    struct page_input in;

    arena_reset(&r->memory);
    *d = (struct rewired){.entry = world_entry(r->world, world_version(r->world, version)->entry)};
    if (archived_read(&r->answer, version, &r->memory) != ST_OK ||
        !archived_decode(&r->answer, &d->payload))
        return false;
    in = archived_input(&r->answer, d->payload);
    return page_parse(r->parser, &in, &r->memory, &d->page) == DROP_NONE;
}

/* ---- reading --------------------------------------------------------------- */

static struct link_hit *hit_at(struct rewirer *r, uint32_t to)
{
    bool fresh = false;
    uint32_t *at = map_at(&r->hit_of, hash_u64(to), (uint32_t)r->nhits, &fresh), n = *at;

    if (fresh) {
        MEM_GROW(r->hits, r->nhits, &r->hits_cap);
        r->hits[r->nhits++] = (struct link_hit){.to = to};
    }
    return &r->hits[n];
}

static struct str count_found(void *ctx, struct str url)
{
    struct rewirer *r = ctx;
    uint32_t to = page_of(r->world, url_key(url));
    uint32_t n = to == WORLD_NONE ? MAP_NONE : map_get(&r->hit_of, hash_u64(to));

    if (n != MAP_NONE)
        r->hits[n].found++;
    return (struct str){"", 0};
}

static void note_edge(struct rewirer *r, const struct link_hit *h, int64_t at)
{
    bool fresh = false;
    uint32_t *place = map_at(&r->places, edge_key(r->page, h->to), (uint32_t)r->nedges, &fresh);
    struct edge *e;

    if (fresh) {
        MEM_GROW(r->edges, r->nedges, &r->edges_cap);
        r->edges[r->nedges++] = (struct edge){.from = r->page, .to = h->to, .since = at};
        e = &r->edges[r->nedges - 1];
    } else {
        e = &r->edges[*place];
    }
    e->fixed = e->fixed || h->fixed || h->found < h->parsed;
}

static enum status read_links(struct rewirer *r, const struct rewired *d, int64_t at)
{
    enum status st;

    r->nhits = 0;
    map_clear(&r->hit_of);
    for (uint32_t l = 0; l < d->page->nlinks; l++) {
        const struct link *link = &d->page->links[l];
        uint32_t to = page_of(r->world, link->key);

        if (to == WORLD_NONE || to == r->page)
            continue;
        struct link_hit *h = hit_at(r, to);
        h->parsed++;
        h->fixed = h->fixed || link->kind != LINK_A || link->rel & REL_NOFOLLOW ||
                   d->page->robots & ROBOTS_NOFOLLOW;
    }
    st = d->page->kind == PAGE_HTML ? href_each(d->payload, d->page->base, count_found, r, NULL)
                                    : ST_OK;
    for (size_t i = 0; i < r->nhits; i++)
        note_edge(r, &r->hits[i], at);
    return st;
}

/* Versions of pages come first, in the order of their numbers. */
static uint32_t page_versions(const struct world *w)
{
    uint32_t n = 0, all = world_versions(w);

    while (n < all && world_version(w, n)->page)
        n++;
    return n;
}

static enum status read_all(struct rewirer *r)
{
    int64_t begin, end;
    bool moves = world_moves(r->world, &begin, &end);
    uint32_t n = page_versions(r->world);
    struct rewired d;

    for (uint32_t v = n; v > 0; v--) /* backwards: the first version stays */
        r->birth[world_version(r->world, v - 1)->entry] =
            moves ? world_version(r->world, v - 1)->at : 0;
    for (uint32_t v = 0; v < n; v++) {
        const struct world_version *version = world_version(r->world, v);

        r->page = version->entry;
        if (read_document(r, v, &d))
            TRY(read_links(r, &d, moves ? version->at : 0));
        TRY(tick(r, "reading pages", v, n));
    }
    return ST_OK;
}

/* ---- exchanging ------------------------------------------------------------ */

/* Edges to rows; the map leads to places in the rows from now on. */
static void make_rows(struct rewirer *r)
{
    struct link_exchange *x = &r->net;
    uint64_t *next;

    x->pages = world_pages(r->world);
    x->off = mem_zero((size_t)x->pages + 2, sizeof *x->off);
    x->to = mem_zero(r->nedges + 1, sizeof *x->to);
    x->fixed = r->fixed = mem_zero(r->nedges + 1, sizeof *r->fixed);
    x->since = r->since = mem_zero(r->nedges + 1, sizeof *r->since);
    x->birth = r->birth;
    for (size_t e = 0; e < r->nedges; e++)
        x->off[r->edges[e].from + 1]++;
    for (uint32_t i = 0; i < x->pages; i++)
        x->off[i + 1] += x->off[i];
    next = mem_alloc(((size_t)x->pages + 1) * sizeof *next);
    memcpy(next, x->off, ((size_t)x->pages + 1) * sizeof *next);
    for (size_t e = 0; e < r->nedges; e++) {
        const struct edge *edge = &r->edges[e];
        uint64_t at = next[edge->from]++;

        x->to[at] = edge->to;
        r->fixed[at] = edge->fixed;
        r->since[at] = edge->since;
        map_set(&r->places, edge_key(edge->from, edge->to), (uint32_t)at);
    }
    free(next);
}

static bool on_exchange(void *ctx, uint64_t done, uint64_t total)
{
    struct rewirer *r = ctx;

    return r->progress == NULL || r->progress(r->ctx, "exchanging links", done, total);
}

/* Clustering of the links that info.c measures: those of each page as it was last,
 * by the rows of the database; what is not among the rows here was not touched. */
static enum status measure(struct rewirer *r)
{
    LOCAL_HEAP uint64_t *off = NULL;
    uint64_t all;
    LOCAL_HEAP uint32_t *to = NULL;

    TRY(world_links(r->world, &off, &to, &all));
    struct graph_rows rows = {r->net.pages, off, to};
    r->report->before = graph_clustering(&rows);
    for (uint32_t page = 0; page < r->net.pages; page++)
        for (uint64_t l = off[page]; l < off[page + 1]; l++) {
            uint32_t at = map_get(&r->places, edge_key(page, to[l]));

            to[l] = at == MAP_NONE ? to[l] : r->net.to[at];
        }
    r->report->after = graph_clustering(&rows);
    return ST_OK;
}

static enum status exchange(struct rewirer *r)
{
    enum status st = exchange_links(&r->net, r->config->rng, on_exchange, r);

    if (st == ST_OK)
        st = measure(r);
    r->report->links = r->nedges;
    for (size_t e = 0; e < r->nedges; e++) {
        uint32_t at = map_get(&r->places, edge_key(r->edges[e].from, r->edges[e].to));

        r->report->kept += r->edges[e].fixed;
        r->report->moved += r->net.to[at] != r->edges[e].to;
    }
    return st;
}

/* ---- writing --------------------------------------------------------------- */

static struct str new_target(void *ctx, struct str url)
{
    const struct rewirer *r = ctx;
    uint32_t to = page_of(r->world, url_key(url)), at;

    if (to == WORLD_NONE || to == r->page)
        return (struct str){"", 0};
    at = map_get(&r->places, edge_key(r->page, to));
    if (at == MAP_NONE || r->net.to[at] == to)
        return (struct str){"", 0};
    return world_entry(r->world, r->net.to[at])->url;
}

/* The header block for a payload that is no longer encoded, of this length. */
static void plain_head(struct str head, size_t len, struct buf *out)
{
    static const struct str gone[] = {
        {"content-encoding:", 17}, {"content-length:", 15}, {"transfer-encoding:", 18}};
    struct str line;

    while (str_cut(&head, '\n', &line)) {
        bool keep = true;

        for (size_t i = 0; i < ARRAY_LEN(gone); i++)
            keep = keep && !str_starts_i(line, gone[i]);
        if (str_trim(line).len == 0)
            break;
        if (keep)
            buf_addf(out, "%.*s\n", STR_ARG(line));
    }
    buf_addf(out, "Content-Length: %zu\r\n\r\n", len);
}

/* The numbers pages get in the new world, by those of the old one. */
struct new_numbers {
    struct map new_of;  /* hash of the old number -> the new one */
    uint32_t *first_of; /* entry -> number of its first version */
};

static enum status write_document(struct rewirer *r, struct scribe *s, struct new_numbers *n,
                                  uint32_t version)
{
    const struct world_version *v = world_version(r->world, version);
    LOCAL_BUF head = BUF_INIT(LIMIT_HEADER_BYTES * 2);
    struct rewired d;
    uint32_t original;
    enum status st;

    if (!read_document(r, version, &d)) {
        r->report->left_out++;
        return ST_OK;
    }
    r->page = v->entry;
    buf_clear(&r->text);
    st = d.page->kind == PAGE_HTML ? href_each(d.payload, d.page->base, new_target, r, &r->text)
                                   : ST_OK;
    bool changed = st == ST_OK && r->text.len && !str_eq(buf_str(&r->text), d.payload);
    if (changed)
        plain_head(buf_str(&r->answer.head), r->text.len, &head);
    original = v->original ? map_get(&n->new_of, hash_u64(v->original)) : MAP_NONE;
    if (st == ST_OK)
        st = scribe_page(s, &(struct scribe_answer){
                                .url = d.entry->url,
                                .status = d.entry->status,
                                .head = changed ? buf_str(&head) : buf_str(&r->answer.head),
                                .body = changed ? buf_str(&r->text) : buf_str(&r->answer.body),
                                .decoded = changed ? buf_str(&r->text) : d.payload,
                                .at = v->at,
                                .latency = v->latency,
                                .dup_of = original == MAP_NONE ? 0 : original,
                                .version_of = n->first_of[v->entry]});
    if (st == ST_OK) {
        map_set(&n->new_of, hash_u64(v->page), s->pages);
        if (n->first_of[v->entry] == 0)
            n->first_of[v->entry] = s->pages;
    }
    return st;
}

static enum status write_pages(struct rewirer *r, struct scribe *s)
{
    uint32_t n = page_versions(r->world);
    struct new_numbers numbers = {
        .first_of = mem_zero((size_t)world_count(r->world) + 1, sizeof *numbers.first_of)};
    enum status st = ST_OK;

    map_init(&numbers.new_of);
    for (uint32_t i = 0; i < world_pages(r->world); i++)
        (void)scribe_url(s, world_entry(r->world, i)->url, i == 0);
    for (uint32_t v = 0; v < n && st == ST_OK; v++) {
        st = write_document(r, s, &numbers, v);
        if (st == ST_OK && v % SCRIBE_PAGES == SCRIBE_PAGES - 1)
            st = scribe_checkpoint(s);
        if (st == ST_OK)
            st = tick(r, "writing pages", v, n);
    }
    r->report->versions = s->pages;
    map_free(&numbers.new_of);
    free(numbers.first_of);
    return st;
}

/* Redirects, failures, robots.txt and the like: as they are. */
static enum status write_others(struct rewirer *r, struct scribe *s)
{
    enum status st = ST_OK;

    for (uint32_t v = page_versions(r->world); v < world_versions(r->world); v++) {
        const struct world_version *version = world_version(r->world, v);
        const struct world_entry *e = world_entry(r->world, version->entry);

        arena_reset(&r->memory);
        if (archived_read(&r->answer, v, &r->memory) != ST_OK)
            continue;
        struct scribe_answer a = {.url = e->url,
                                  .status = e->status,
                                  .head = buf_str(&r->answer.head),
                                  .body = buf_str(&r->answer.body),
                                  .at = version->at,
                                  .latency = version->latency};
        if (e->kind == WORLD_RESOURCE)
            scribe_resource(s, &a);
        else
            scribe_outcome(s, &a,
                           e->redirect_to == WORLD_NONE
                               ? STR("")
                               : world_entry(r->world, e->redirect_to)->url);
        if (v % SCRIBE_PAGES == 0 && st == ST_OK)
            st = scribe_checkpoint(s);
    }
    return st;
}

static void write_ends(struct rewirer *r, struct scribe *s)
{
    uint32_t n = 0;
    const struct world_end *ends = world_ends(r->world, &n);

    for (uint32_t i = 0; i < n; i++)
        scribe_gone(s, world_entry(r->world, ends[i].entry)->url, ends[i].at);
}

static enum status copy_key(void *ctx, struct str key, struct str value)
{
    static const char *const own[] = {"schema", "indexed", "pages", "archive_id", "rewired"};
    LOCAL_HEAP char *name = str_dup(key);
    bool is_own = false;

    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        is_own = is_own || strcmp(name, own[i]) == 0;
    if (!is_own)
        scribe_key(ctx, name, value);
    return ST_OK;
}

static enum status write_keys(struct rewirer *r, struct scribe *s, const char *from)
{
    LOCAL_BUF text = BUF_INIT(KIB(4));
    struct query *q = NULL;
    enum status st = query_open(from, &q);
    struct json j;

    if (st != ST_OK)
        return st;
    st = query_keys(q, copy_key, s);
    query_close(q);
    json_begin(&j, &text);
    json_put_num(&j, "rng", (double)r->config->rng);
    json_put_int(&j, "links", (int64_t)r->report->links);
    json_put_int(&j, "moved", (int64_t)r->report->moved);
    json_put_num(&j, "clustering_before", r->report->before);
    json_put_num(&j, "clustering_after", r->report->after);
    json_close(&j);
    scribe_key(s, "rewired", buf_str(&text));
    return st;
}

static enum status write_labels(struct rewirer *r, struct scribe *s)
{
    uint32_t n = 0;
    const struct world_label *labels = world_labels(r->world, &n);

    for (uint32_t i = 0; i < n; i++)
        TRY(scribe_label(s, world_entry(r->world, labels[i].entry)->url,
                         world_topic(r->world, labels[i].topic)->name));
    return ST_OK;
}

static enum status write_world(struct rewirer *r, const char *from, const char *to)
{
    struct scribe s;
    enum status st = scribe_open(&s, to, r->config->software ? r->config->software : "brood",
                                 page_versions(r->world) ? world_version(r->world, 0)->at : 1);

    if (st != ST_OK)
        return st;
    st = write_keys(r, &s, from);
    if (st == ST_OK)
        st = write_pages(r, &s);
    if (st == ST_OK)
        st = write_others(r, &s);
    if (st == ST_OK)
        write_ends(r, &s);
    if (st == ST_OK)
        st = write_labels(r, &s);
    return scribe_close(&s, st);
}

/* ---- the whole ------------------------------------------------------------- */

static void rewirer_init(struct rewirer *r)
{
    int64_t begin, end;

    archived_init(&r->answer, r->world);
    r->parser = page_parser_new();
    r->text = BUF_INIT(LIMIT_BODY);
    arena_init(&r->memory, LIMIT_PAGE_ARENA);
    map_init(&r->places);
    map_init(&r->hit_of);
    r->birth = mem_zero((size_t)world_count(r->world) + 1, sizeof *r->birth);
    r->report->pages = world_pages(r->world);
    r->report->moves = world_moves(r->world, &begin, &end);
}

static void rewirer_clear(struct rewirer *r)
{
    archived_clear(&r->answer);
    page_parser_free(r->parser);
    buf_free(&r->text);
    arena_free(&r->memory);
    map_free(&r->places);
    map_free(&r->hit_of);
    free(r->edges);
    free(r->hits);
    free(r->birth);
    free(r->net.off);
    free(r->net.to);
    free(r->fixed);
    free(r->since);
    world_close(r->world);
}

enum status world_rewire(const char *from, const char *to, const struct rewire_config *config,
                         rewire_progress_fn *progress, void *ctx, struct rewire_report *ret)
{
    struct rewirer r = {.config = config, .report = ret, .progress = progress, .ctx = ctx};
    enum status st = world_open(from, &r.world);

    *ret = (struct rewire_report){.pages = 0};
    if (st != ST_OK)
        return st;
    rewirer_init(&r);
    st = read_all(&r);
    if (st == ST_OK) {
        make_rows(&r);
        st = exchange(&r);
    }
    if (st == ST_OK)
        st = write_world(&r, from, to);
    rewirer_clear(&r);
    return st;
}
