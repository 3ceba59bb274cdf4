/* world.c - a crawl directory opened as a web of its own.
 *
 * In: crawl.db and its archive (store/). Out: entries by URL, labels, links,
 * payloads. Entries stand in an array, pages first; a map leads from url_key()
 * to the place, two arrays from the database's numbers of pages and URLs.
 * Versions stand in an array of their own, in the order of the database.
 *
 * Workload: opened once, then read at random; 10^4 to 10^6 entries.
 * SPDX-License-Identifier: MIT
 */
#include "sim/world.h"

#include "base/arena.h"
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/db_guard.h"
#include "store/read/query.h"

#include <jansson.h>
#include <stdlib.h>

#define STRINGS_MAX  ((size_t)64 << 30)                 /* a disk's worth of URLs, not an attack */
#define LAST_MOMENT  (INT64_C(253500000000) * US_PER_S) /* shortly after the year 9999 */
#define LATENCY_MOST ((int64_t)86400 * US_PER_S)

/* Entries or versions by a number of the database. */
struct by_number {
    uint32_t *at; /* WORLD_NONE: none */
    size_t count;
};

struct world {
    char *dir;
    struct query *query;
    sqlite3 *db;
    struct arena strings;
    struct world_entry *entries;
    size_t count, cap;
    uint32_t pages, hosts;
    struct world_version *versions;
    size_t nversions, versions_cap;
    struct str *files; /* names, as versions number them */
    size_t nfiles, files_cap;
    struct map index;         /* url_key() -> entry */
    struct map topic_index;   /* hash of a label -> topic */
    struct map file_index;    /* hash of a file's name -> its number */
    struct by_number of_page; /* page -> version */
    struct by_number of_url;  /* URL -> entry */
    struct world_topic *topics;
    size_t ntopics, topics_cap;
    struct world_label *labels;
    size_t nlabels, labels_cap;
    struct world_end *ends;
    size_t nends, ends_cap;
    int64_t begin, end; /* us; equal: it stands still */
    bool drops_dead_links;
    struct world_reader *reader; /* of world_read() */
};

static enum status number_set(struct world *w, struct by_number *n, int64_t number, uint32_t entry)
{
    TRY(db_guard_id(w->db, number));
    if ((size_t)number >= n->count) {
        size_t count = (size_t)number * 2 + 64;

        n->at = mem_resize(n->at, count, sizeof *n->at);
        for (size_t i = n->count; i < count; i++)
            n->at[i] = WORLD_NONE;
        n->count = count;
    }
    n->at[number] = entry;
    return ST_OK;
}

static uint32_t number_get(const struct by_number *n, int64_t number)
{
    return number >= 0 && (size_t)number < n->count ? n->at[number] : WORLD_NONE;
}

/* ---- loading ------------------------------------------------------------- */

/* Limits a time, because times and latencies of any database are added later without overflow. */
static int64_t moment_of(int64_t us)
{
    return us < 0 ? 0 : us > LAST_MOMENT ? LAST_MOMENT : us;
}

static int64_t latency_of(double ms)
{
    double us = ms * 1000 + 0.5;

    return us < 1 ? 0 : us > (double)LATENCY_MOST ? LATENCY_MOST : (int64_t)us;
}

/* The entry of a URL, made where there is none; *ret_new says which. */
static uint32_t entry_at(struct world *w, struct str url, bool *ret_new)
{
    uint32_t *at = map_at(&w->index, url_key(url), (uint32_t)w->count, ret_new);
    struct str scheme, path;
    struct world_entry *e;
    uint16_t port;

    if (!*ret_new)
        return *at;
    MEM_GROW(w->entries, w->count, &w->cap);
    e = &w->entries[w->count++];
    *e = (struct world_entry){
        .url = arena_str(&w->strings, url), .topic = WORLD_NONE, .redirect_to = WORLD_NONE};
    url_split(e->url, &scheme, &e->host, &port, &path);
    return *at;
}

typedef enum status row_fn(struct world *w, sqlite3_stmt *row);

static enum status each_row(struct world *w, const char *sql, row_fn *fn)
{
    LOCAL_STMT *rows = NULL;
    enum status st = db_prepare(w->db, sql, &rows);

    while (st == ST_OK && db_row(w->db, rows, &st))
        st = fn(w, rows);
    return st;
}

/* The number of a file of the archive; a name that leads out of it is none. */
static uint32_t file_number(struct world *w, struct str name)
{
    bool fresh = false;
    uint32_t *at;

    if (name.len == 0 || str_find_char(name, '/', 0) != SIZE_MAX)
        return WORLD_NONE;
    at = map_at(&w->file_index, hash_str(name), (uint32_t)w->nfiles, &fresh);
    if (fresh) {
        MEM_GROW(w->files, w->nfiles, &w->files_cap);
        w->files[w->nfiles++] = arena_str(&w->strings, name);
    }
    return *at;
}

/* One more version of an entry, which counts from now on; its file and offset
 * are in `column` and the next one. */
static struct world_version *version_add(struct world *w, uint32_t entry, sqlite3_stmt *row,
                                         int column)
{
    struct world_version *v;

    MEM_GROW(w->versions, w->nversions, &w->versions_cap);
    w->entries[entry].version = (uint32_t)w->nversions;
    v = &w->versions[w->nversions++];
    *v = (struct world_version){.entry = entry,
                                .file = file_number(w, db_str(row, column)),
                                .offset = (uint64_t)sqlite3_column_int64(row, column + 1)};
    return v;
}

static enum status on_page(struct world *w, sqlite3_stmt *row)
{
    struct str url = db_str(row, 1);
    struct world_version *v;
    bool fresh = false;
    uint32_t i;

    if (url.len == 0)
        return ST_OK;
    i = entry_at(w, url, &fresh);
    w->entries[i].kind = WORLD_PAGE;
    w->entries[i].page = (uint32_t)sqlite3_column_int64(row, 0);
    w->entries[i].status = sqlite3_column_int(row, 2);
    v = version_add(w, i, row, 4);
    v->page = w->entries[i].page;
    v->original = (uint32_t)sqlite3_column_int64(row, 6);
    v->at = moment_of(sqlite3_column_int64(row, 7));
    v->latency = latency_of(sqlite3_column_double(row, 8));
    v->bytes = (uint32_t)sqlite3_column_int64(row, 9);
    if (number_set(w, &w->of_page, sqlite3_column_int64(row, 0), w->entries[i].version) != ST_OK)
        return ST_CORRUPT;
    return number_set(w, &w->of_url, sqlite3_column_int64(row, 3), i);
}

/* A URL that has a page keeps it; of other answers the last one counts. */
static uint32_t other_entry(struct world *w, sqlite3_stmt *row, enum world_kind kind)
{
    struct str url = db_str(row, 0);
    bool fresh = false;
    uint32_t i = url.len ? entry_at(w, url, &fresh) : WORLD_NONE;

    if (i == WORLD_NONE || w->entries[i].page)
        return WORLD_NONE;
    w->entries[i].kind = kind;
    w->entries[i].status = sqlite3_column_int(row, 1);
    version_add(w, i, row, 2)->at = moment_of(sqlite3_column_int64(row, 4));
    return i;
}

static enum status on_resource(struct world *w, sqlite3_stmt *row)
{
    (void)other_entry(w, row, WORLD_RESOURCE);
    return ST_OK;
}

static enum status on_outcome(struct world *w, sqlite3_stmt *row)
{
    bool leads = sqlite3_column_type(row, 6) != SQLITE_NULL;
    uint32_t i = other_entry(w, row, leads ? WORLD_REDIRECT : WORLD_FAILURE);

    return i == WORLD_NONE ? ST_OK : number_set(w, &w->of_url, sqlite3_column_int64(row, 5), i);
}

/* Where redirects lead, once all that they can lead to is known. */
static enum status on_redirect(struct world *w, sqlite3_stmt *row)
{
    uint32_t i = map_get(&w->index, url_key(db_str(row, 0)));

    if (i != MAP_NONE && w->entries[i].kind == WORLD_REDIRECT)
        w->entries[i].redirect_to = map_get(&w->index, url_key(db_str(row, 1)));
    return ST_OK; /* MAP_NONE is WORLD_NONE */
}

/* ---- time ---------------------------------------------------------------- */

static enum status on_end(struct world *w, sqlite3_stmt *row)
{
    uint32_t i = map_get(&w->index, url_key(db_str(row, 0)));

    if (i == MAP_NONE || w->entries[i].page == 0)
        return ST_OK;
    MEM_GROW(w->ends, w->nends, &w->ends_cap);
    w->ends[w->nends++] = (struct world_end){.entry = i,
                                             .status = sqlite3_column_int(row, 1),
                                             .at = moment_of(sqlite3_column_int64(row, 2))};
    return ST_OK;
}

/* crawl('world_time'): "BEGIN END". */
static enum status load_time(struct world *w)
{
    struct buf text = BUF_INIT(KIB(1));
    enum status st = query_key(w->query, "world_time", &text);
    struct str rest = buf_str(&text), part;
    uint64_t begin = 0, end = 0;
    bool good = str_cut(&rest, ' ', &part) && str_to_u64(part, &begin) && str_to_u64(rest, &end) &&
                begin < end && end <= (uint64_t)LAST_MOMENT;

    buf_free(&text);
    if (st != ST_OK)
        return st == ST_MISSING ? ST_OK : st;
    if (!good)
        return status_fail(ST_INVALID, "crawl('world_time') is not two moments \"BEGIN END\"");
    w->begin = (int64_t)begin;
    w->end = (int64_t)end;
    return each_row(w,
                    "SELECT url, status, at FROM outcome WHERE status IN (404, 410) AND url IS NOT"
                    " NULL ORDER BY at, id",
                    on_end);
}

/* ---- dead links ---------------------------------------------------------- */

/* crawl('drop_dead_links') is "yes": they are no part of the world. */
static enum status load_dead_links(struct world *w)
{
    LOCAL_BUF text = BUF_INIT(KIB(1));
    enum status st = query_key(w->query, "drop_dead_links", &text);

    w->drops_dead_links = st == ST_OK && str_eq(buf_str(&text), STR("yes"));
    return st == ST_MISSING ? ST_OK : st;
}

/* ---- topics -------------------------------------------------------------- */

static uint32_t topic_at(struct world *w, struct str name, struct str words)
{
    bool fresh = false;
    uint32_t *at = map_at(&w->topic_index, hash_str(name), (uint32_t)w->ntopics, &fresh);
    struct world_topic *t;

    if (!fresh)
        return *at;
    MEM_GROW(w->topics, w->ntopics, &w->topics_cap);
    t = &w->topics[w->ntopics++];
    *t = (struct world_topic){.name = arena_str(&w->strings, name)};
    t->words = arena_str(&w->strings, words.len ? words : name);
    for (char *c = (char *)(uintptr_t)t->words.ptr; words.len == 0 && *c; c++)
        *c = strchr("._-/,", *c) ? ' ' : ascii_lower(*c); /* Science.Birds: science birds */
    return *at;
}

/* crawl('topics'), where the world was generated: names and their words. */
static enum status load_topics(struct world *w)
{
    LOCAL_BUF text = BUF_INIT(MIB(16));
    enum status st = query_key(w->query, "topics", &text);
    json_auto_t *topics = st == ST_OK ? json_loadb(text.data, text.len, 0, NULL) : NULL;
    json_t *words;
    const char *name;

    json_object_foreach(topics, name, words) if (json_is_string(words))(void)
        topic_at(w, str_of(name), str_of(json_string_value(words)));
    return st == ST_MISSING ? ST_OK : st;
}

static enum status on_label(struct world *w, sqlite3_stmt *row)
{
    uint32_t i = map_get(&w->index, url_key(db_str(row, 0))), topic;
    struct str label = db_str(row, 1);

    if (i == MAP_NONE || label.len == 0)
        return ST_OK;
    topic = topic_at(w, label, (struct str){"", 0});
    MEM_GROW(w->labels, w->nlabels, &w->labels_cap);
    w->labels[w->nlabels++] = (struct world_label){i, topic};
    if (w->entries[i].topic == WORLD_NONE) {
        w->entries[i].topic = topic;
        w->topics[topic].pages += w->entries[i].page != 0;
    }
    return ST_OK;
}

/* By entry; those of one entry were read in the order of their names, and stay so:
 * an index of topics would not do. */
static void sort_labels(struct world *w)
{
    struct world_label *all = mem_zero(w->nlabels + 1, sizeof *all);
    size_t *first = mem_zero(w->count + 2, sizeof *first);

    for (size_t i = 0; i < w->nlabels; i++)
        first[w->labels[i].entry + 1]++;
    for (size_t i = 0; i < w->count; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < w->nlabels; i++)
        all[first[w->labels[i].entry]++] = w->labels[i];
    free(first);
    free(w->labels);
    w->labels = all;
}

static void count_hosts(struct world *w)
{
    struct map seen;

    map_init(&seen);
    for (uint32_t i = 0; i < w->pages; i++)
        map_set(&seen, hash_str(w->entries[i].host), i);
    w->hosts = (uint32_t)seen.count;
    map_free(&seen);
}

static enum status load_answers(struct world *w)
{
    enum status st = each_row(w,
                              "SELECT id, url, status, url_id, warc_file, warc_offset, dup_of,"
                              " fetched_at, latency_ms, bytes FROM page ORDER BY id",
                              on_page);

    w->pages = (uint32_t)w->count;
    count_hosts(w);
    if (st == ST_OK)
        st = each_row(w,
                      "SELECT url, status, warc_file, warc_offset, at FROM resource"
                      " WHERE warc_file IS NOT NULL ORDER BY id",
                      on_resource);
    if (st == ST_OK)
        st = each_row(w,
                      "SELECT url, status, warc_file, warc_offset, at, url_id, redirect_to"
                      " FROM outcome WHERE warc_file IS NOT NULL AND status BETWEEN 200 AND 599"
                      " AND status <> 304 ORDER BY id",
                      on_outcome);
    if (st == ST_OK)
        st = each_row(w,
                      "SELECT url, redirect_to FROM outcome WHERE warc_file IS NOT NULL"
                      " AND redirect_to IS NOT NULL ORDER BY id",
                      on_redirect);
    return st;
}

static enum status load(struct world *w)
{
    TRY(load_answers(w));
    TRY(load_time(w));
    TRY(load_dead_links(w));
    TRY(load_topics(w));
    TRY(each_row(w, "SELECT url, label FROM label ORDER BY url, label", on_label));
    sort_labels(w);
    return ST_OK;
}

enum status world_open(const char *dir, struct world **ret)
{
    struct world *w = MEM_NEW(struct world);
    enum status st;

    w->dir = str_dup(str_of(dir));
    arena_init(&w->strings, STRINGS_MAX);
    map_init(&w->index);
    map_init(&w->topic_index);
    map_init(&w->file_index);
    w->reader = world_reader_new(w);
    st = query_open(dir, &w->query);
    if (st == ST_OK)
        st = db_open_reader(dir, &w->db);
    if (st == ST_OK)
        st = load(w);
    if (st == ST_OK)
        *ret = w;
    else
        world_close(w);
    return st;
}

void world_close(struct world *w)
{
    if (w == NULL)
        return;
    query_close(w->query);
    world_reader_free(w->reader);
    (void)sqlite3_close(w->db);
    arena_free(&w->strings);
    map_free(&w->index);
    map_free(&w->topic_index);
    map_free(&w->file_index);
    free(w->entries);
    free(w->versions);
    free(w->files);
    free(w->labels);
    free(w->ends);
    free(w->of_page.at);
    free(w->of_url.at);
    free(w->topics);
    free(w->dir);
    free(w);
}

/* ---- asking -------------------------------------------------------------- */

uint32_t world_count(const struct world *w)
{
    return (uint32_t)w->count;
}

uint32_t world_pages(const struct world *w)
{
    return w->pages;
}

uint32_t world_hosts(const struct world *w)
{
    return w->hosts;
}

const struct world_entry *world_entry(const struct world *w, uint32_t i)
{
    return &w->entries[i];
}

uint32_t world_topics(const struct world *w)
{
    return (uint32_t)w->ntopics;
}

const struct world_topic *world_topic(const struct world *w, uint32_t t)
{
    return &w->topics[t];
}

uint32_t world_find(const struct world *w, uint64_t key)
{
    return map_get(&w->index, key); /* MAP_NONE is WORLD_NONE */
}

uint32_t world_versions(const struct world *w)
{
    return (uint32_t)w->nversions;
}

const struct world_version *world_version(const struct world *w, uint32_t v)
{
    return &w->versions[v];
}

bool world_moves(const struct world *w, int64_t *ret_begin, int64_t *ret_end)
{
    *ret_begin = w->begin;
    *ret_end = w->end;
    return w->begin < w->end;
}

const struct world_end *world_ends(const struct world *w, uint32_t *ret_count)
{
    *ret_count = (uint32_t)w->nends;
    return w->ends;
}

bool world_drops_dead_links(const struct world *w)
{
    return w->drops_dead_links;
}

const struct world_label *world_labels(const struct world *w, uint32_t *ret_count)
{
    *ret_count = (uint32_t)w->nlabels;
    return w->labels;
}

/* ---- payloads ------------------------------------------------------------ */

struct world_reader {
    const struct world *world;
    struct warc_reader *warc; /* of the file read last: most worlds have one */
    uint32_t file;            /* its number */
};

struct world_reader *world_reader_new(const struct world *w)
{
    struct world_reader *r = MEM_NEW(struct world_reader);

    r->world = w;
    r->file = WORLD_NONE;
    return r;
}

void world_reader_free(struct world_reader *r)
{
    if (r)
        warc_close(r->warc);
    free(r);
}

/* The archived record of a version, from the file that is open already where it
 * is the right one. */
static enum status read_record(struct world_reader *r, const struct world_version *v,
                               struct warc_record *ret)
{
    enum status st = ST_OK;

    if (v->file == WORLD_NONE)
        return status_fail(ST_MISSING, "%.*s is not in the archive",
                           STR_ARG(r->world->entries[v->entry].url));
    if (r->warc == NULL || r->file != v->file) {
        warc_close(r->warc);
        r->warc = NULL;
        st = archive_open(r->world->dir, r->world->files[v->file], &r->warc);
        r->file = v->file;
    }
    return st == ST_OK ? warc_at(r->warc, v->offset, ret) : st;
}

/* One record: its head where `head` is not NULL, its payload unless it repeats an
 * older version's, which *ret_original then is (else WORLD_NONE). */
static enum status read_answer(struct world_reader *r, uint32_t version, struct buf *head,
                               struct buf *body, uint32_t *ret_original)
{
    const struct world_version *v = &r->world->versions[version];
    struct warc_record record = {.offset = 0};
    uint32_t original = number_get(&r->world->of_page, v->original);
    struct str http, payload;
    int status;
    enum status st = read_record(r, v, &record);

    if (st != ST_OK)
        return st;
    bool repeats =
        str_eq(record.type, STR("revisit")) && original != WORLD_NONE && original < version;
    *ret_original = repeats ? original : WORLD_NONE;
    if (!warc_http(&record, &status, &http, &payload))
        st = status_fail(ST_CORRUPT, "the record of %.*s holds no HTTP answer",
                         STR_ARG(r->world->entries[v->entry].url));
    if (st == ST_OK && head) {
        buf_add_str(head, http);
        st = buf_check(head);
    }
    if (st == ST_OK && !repeats) {
        buf_add_str(body, payload);
        st = buf_check(body);
    }
    warc_record_free(&record);
    return st;
}

enum status world_reader_read(struct world_reader *r, uint32_t version, struct buf *head,
                              struct buf *body)
{
    uint32_t original;
    enum status st = read_answer(r, version, head, body, &original);

    /* Takes its own head and the payload of the other, which must not be a revisit itself. */
    if (st == ST_OK && original != WORLD_NONE)
        st = read_answer(r, original, NULL, body, &original);
    if (st == ST_OK && original != WORLD_NONE)
        st = status_fail(ST_CORRUPT, "%.*s repeats a page that repeats another one",
                         STR_ARG(r->world->entries[r->world->versions[version].entry].url));
    return st;
}

enum status world_read(struct world *w, uint32_t i, struct buf *head, struct buf *body)
{
    return world_reader_read(w->reader, w->entries[i].version, head, body);
}

/* ---- links --------------------------------------------------------------- */

static uint32_t follow(const struct world *w, uint32_t i)
{
    for (int hop = 0; i != WORLD_NONE && !w->entries[i].page && hop < LIMIT_REDIRECTS; hop++)
        i = w->entries[i].redirect_to;
    return i != WORLD_NONE && w->entries[i].page ? i : WORLD_NONE;
}

/* Links as they come from the database: page by page, in the order of the numbers of
 * the versions that count, which in a world that moves is not that of the entries. */
struct gather {
    uint64_t *off;  /* later: entry -> its first link */
    uint32_t *seen; /* target -> the last page that named it, plus 1 */
    struct gathered {
        uint32_t from, to;
    } * links;
    size_t count, cap;
    uint64_t all;
};

static void gather_link(struct gather *g, uint32_t from, uint32_t to)
{
    if (to == WORLD_NONE || to == from || g->seen[to] == from + 1)
        return;
    g->seen[to] = from + 1;
    MEM_GROW(g->links, g->count, &g->cap);
    g->links[g->count++] = (struct gathered){from, to};
    g->off[from + 1]++;
}

/* Puts the links into the rows of their entries. */
static uint32_t *sort_links(struct gather *g, uint32_t pages)
{
    uint32_t *to = mem_zero(g->count + 1, sizeof *to);
    LOCAL_HEAP uint64_t *next = mem_zero((size_t)pages + 1, sizeof *next);

    for (uint32_t i = 0; i < pages; i++) {
        g->off[i + 1] += g->off[i];
        next[i] = g->off[i];
    }
    for (size_t l = 0; l < g->count; l++)
        to[next[g->links[l].from]++] = g->links[l].to;
    return to;
}

/* Is the row a link of this world? Resources have no URL number. */
static bool counts(const struct world *w, sqlite3_stmt *row, uint32_t to)
{
    return !w->drops_dead_links || to != WORLD_NONE ||
           world_find(w, url_key(db_str(row, 2))) != WORLD_NONE;
}

enum status world_links(struct world *w, uint64_t **ret_off, uint32_t **ret_to, uint64_t *ret_links)
{
    struct gather g = {.off = mem_zero(w->pages + 2, sizeof *g.off),
                       .seen = mem_zero(w->pages + 1, sizeof *g.seen)};
    sqlite3_stmt *rows = NULL;
    /* Older versions of a page are passed over. Addresses are looked up only where they are
     * needed: of a large world each is far from the one before. */
    enum status st = db_prepare(w->db,
                                w->drops_dead_links
                                    ? "SELECT l.page, l.url, u.url FROM link_row l JOIN url_row u"
                                      " ON u.id = l.url ORDER BY l.page, l.pos"
                                    : "SELECT page, url FROM link_row ORDER BY page, pos",
                                &rows);

    while (st == ST_OK && db_row(w->db, rows, &st)) {
        int64_t page = sqlite3_column_int64(rows, 0);
        uint32_t version = number_get(&w->of_page, page);
        uint32_t from = version == WORLD_NONE ? WORLD_NONE : w->versions[version].entry;
        uint32_t to = number_get(&w->of_url, sqlite3_column_int64(rows, 1));

        if (from == WORLD_NONE || w->entries[from].page != page)
            continue;
        g.all += counts(w, rows, to);
        gather_link(&g, from, follow(w, to));
    }
    (void)sqlite3_finalize(rows);
    free(g.seen);
    if (st == ST_OK) {
        *ret_to = sort_links(&g, w->pages);
        *ret_off = g.off;
        *ret_links = g.all;
    } else {
        free(g.off);
    }
    free(g.links);
    return st;
}
