/* tree.c - makes a crawl directory from the output of `brood export --as xml`. See tree.h.
 *
 * Workload: once, 10^3 to 10^6 rows in one transaction. SPDX-License-Identifier: MIT */
#include "store/write/tree.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/url.h"
#include "parse/url_norm.h"
#include "store/db.h"
#include "store/db_guard.h"
#include "store/store.h"
#include "store/tree_xml.h"
#include "store/write/tally.h"
#include "store/write/writer_int.h"

#include <math.h>
#include <stdio.h>

enum row {
    ROW_KEY,
    ROW_AGENT,
    ROW_URL,
    ROW_FATE,
    ROW_PAGE,
    ROW_BODY,
    ROW_SAID,
    ROW_P,
    ROW_TOPIC,
    ROW_VISIT
};

static const char *const statements[] = {
    [ROW_KEY] = "INSERT OR REPLACE INTO crawl(key, value) VALUES(?,?)",
    [ROW_AGENT] = "INSERT INTO agent(id, name, kind, parent_id, generation, born_at, born_page,"
                  " died_at, death, energy, pages) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
    [ROW_URL] = "INSERT INTO url_row(id, url, depth, from_page, reason) VALUES(?,?,?,0,0)",
    [ROW_FATE] = "INSERT OR REPLACE INTO fate(url, state, reason, page) VALUES(?,?,0,?)",
    [ROW_PAGE] = "INSERT INTO page_row(id, url, host, fetched_at, lang, title, relevance, depth,"
                 " agent, hidden) VALUES(?,?,?,?,?,?,?,?,?,?)",
    [ROW_BODY] = "INSERT INTO body(id, text) VALUES(?, '')",
    [ROW_SAID] = "INSERT INTO declared_row(page, lang) VALUES(?,?)",
    [ROW_P] = "INSERT INTO judged_row(page, p) VALUES(?,?)",
    [ROW_TOPIC] = "INSERT OR REPLACE INTO page_topic(page_id, topic, relevance, p)"
                  " VALUES(?,?,?,?)",
    [ROW_VISIT] = "INSERT INTO visit(agent_id, page_id, at, first, energy_before, delta,"
                  " energy_after) VALUES(?,?,?,?,?,?,?)",
};

struct planting {
    sqlite3 *db;
    sqlite3_stmt *st[ARRAY_LEN(statements)];
    struct map agents, pages; /* numbers that are taken */
    struct map urls;          /* url_key() -> number */
    struct map hosts;
    struct arena scratch;
    struct tree_counts counts;
};

static struct bind row_of(const struct planting *p, enum row row)
{
    return (struct bind){p->st[row], 1};
}

static enum status write_row(const struct planting *p, const struct bind *b)
{
    return db_run(p->db, b->st);
}

static enum status put_key(const struct planting *p, struct str key, struct str value)
{
    struct bind b = row_of(p, ROW_KEY);

    db_bind_str(b.st, b.at++, key);
    db_bind_str(b.st, b.at++, value);
    return write_row(p, &b);
}

/* ---- pages --------------------------------------------------------------- */

static enum status add_head(void *user, const struct tree_head *h)
{
    struct planting *p = user;

    TRY(put_key(p, STR("topic"), h->topic));
    TRY(put_key(p, STR("model"), h->model));
    TRY(put_key(p, STR("world"), STR("{\"kind\":\"imported\",\"from\":\"xml\"}")));
    return put_key(p, STR("end"), STR("it was imported from XML"));
}

/* The URL as a crawl keeps it, and its host. */
static enum status read_url(struct planting *p, struct str text, struct str *ret,
                            struct str *ret_host)
{
    struct str url = {NULL, 0}, scheme, path;
    struct url parsed;
    uint16_t port;

    arena_reset(&p->scratch);
    if (url_parse(text, NULL, &p->scratch, &parsed) == ST_OK)
        url = url_norm(&parsed, &p->scratch);
    if (url.ptr == NULL)
        return status_fail(ST_INVALID, "'%.*s' is no http or https URL",
                           STR_ARG(str_sub(text, 0, 200)));
    url_split(url, &scheme, ret_host, &port, &path);
    *ret = url;
    return ST_OK;
}

/* The number of a URL; a new one gets its row. */
static enum status know_url(struct planting *p, struct str url, uint32_t depth, uint32_t *ret,
                            bool *ret_fresh)
{
    uint32_t *known = map_at(&p->urls, url_key(url), (uint32_t)p->urls.count + 1, ret_fresh);
    struct bind b = row_of(p, ROW_URL);

    *ret = *known;
    if (!*ret_fresh)
        return ST_OK;
    put_int(&b, *ret);
    put_text(&b, url);
    put_int(&b, depth);
    return write_row(p, &b);
}

static enum status put_fate(const struct planting *p, uint32_t url, uint32_t page)
{
    struct bind b = row_of(p, ROW_FATE);

    put_int(&b, url);
    put_int(&b, URL_VISITED);
    put_int(&b, page);
    return write_row(p, &b);
}

static enum status take_number(struct map *taken, const char *what, uint32_t id)
{
    bool fresh = false;

    (void)map_at(taken, hash_u64(id), 1, &fresh);
    return fresh ? ST_OK : status_fail(ST_INVALID, "%s %u is there twice", what, id);
}

static enum status put_page(struct planting *p, const struct tree_page *page, bool hidden)
{
    struct str text = {"", 0}, host = {"", 0};
    struct bind b = row_of(p, ROW_PAGE);
    uint32_t url = 0;
    bool fresh = false;
    enum status st = take_number(&p->pages, "page", page->id);

    if (st == ST_OK)
        st = read_url(p, page->url, &text, &host);
    if (st == ST_OK)
        st = know_url(p, text, page->depth, &url, &fresh);
    if (st == ST_OK && (fresh || !hidden)) /* an older version does not count */
        st = put_fate(p, url, page->id);
    if (st != ST_OK)
        return st;
    map_set(&p->hosts, hash_str(host), 1);
    put_int(&b, page->id);
    put_int(&b, url);
    put_text(&b, host);
    put_int(&b, page->fetched_at);
    put_text(&b, page->lang);
    put_text(&b, page->title);
    put_num(&b, page->relevance);
    put_int(&b, page->depth);
    put_ref(&b, page->agent);
    put_int(&b, hidden);
    p->counts.pages += !hidden;
    p->counts.hidden += hidden;
    return write_row(p, &b);
}

static enum status add_page(void *user, const struct tree_page *page)
{
    struct planting *p = user;
    struct bind body = row_of(p, ROW_BODY), said = row_of(p, ROW_SAID), judged = row_of(p, ROW_P);
    enum status st = put_page(p, page, false);

    if (st == ST_OK) { /* readers of a page look for its text */
        put_int(&body, page->id);
        st = write_row(p, &body);
    }
    if (st == ST_OK && page->declared.len) {
        put_int(&said, page->id);
        put_text(&said, page->declared);
        st = write_row(p, &said);
    }
    if (st == ST_OK && !isnan(page->p)) {
        put_int(&judged, page->id);
        put_num(&judged, page->p);
        st = write_row(p, &judged);
    }
    return st;
}

static enum status add_topic(void *user, const struct tree_topic *t)
{
    struct planting *p = user;
    struct bind b = row_of(p, ROW_TOPIC);

    put_int(&b, t->page);
    db_bind_str(b.st, b.at++, t->name);
    put_num(&b, t->relevance);
    put_num(&b, t->p);
    return write_row(p, &b);
}

/* ---- agents, who name pages ---------------------------------------------- */

/* Adds a page that is in no list, because it was hidden or a duplicate. A forgotten page has no
 * URL. */
static enum status know_page(struct planting *p, uint32_t id, struct str url, int64_t at)
{
    struct tree_page page = {
        .id = id, .depth = 1, .relevance = NAN, .p = NAN, .fetched_at = at, .url = url};

    if (id == 0 || url.len == 0 || map_get(&p->pages, hash_u64(id)) != MAP_NONE)
        return ST_OK;
    return put_page(p, &page, true);
}

static enum status add_agent(void *user, const struct tree_agent *a)
{
    struct planting *p = user;
    struct bind b = row_of(p, ROW_AGENT);
    enum status st = take_number(&p->agents, "agent", a->id);

    if (st == ST_OK)
        st = know_page(p, a->born_page, a->born_url, a->born_at);
    if (st != ST_OK)
        return st;
    put_int(&b, a->id);
    put_text(&b, a->name);
    put_text(&b, a->kind);
    put_ref(&b, a->parent);
    put_int(&b, a->generation);
    put_int(&b, a->born_at);
    put_ref(&b, a->born_page);
    put_ref(&b, a->died_at);
    put_text(&b, a->death);
    put_num(&b, a->energy);
    put_int(&b, (int64_t)a->pages);
    p->counts.agents++;
    return write_row(p, &b);
}

static enum status add_visit(void *user, const struct tree_visit *v)
{
    struct planting *p = user;
    struct bind b = row_of(p, ROW_VISIT);
    enum status st = ST_OK;

    if (map_get(&p->agents, hash_u64(v->agent)) == MAP_NONE)
        st = status_fail(ST_INVALID, "agent %u has a path and is not there", v->agent);
    if (st == ST_OK)
        st = know_page(p, v->page, v->url, v->at);
    if (st != ST_OK)
        return st;
    put_int(&b, v->agent);
    put_int(&b, v->page);
    put_int(&b, v->at);
    put_int(&b, v->first);
    put_num(&b, v->before);
    put_num(&b, v->delta);
    put_num(&b, v->after);
    p->counts.visits++;
    return write_row(p, &b);
}

/* ---- the whole ----------------------------------------------------------- */

/* Reads the document twice, because agents come first and name pages, and only the end of the
 * document says which of these were found. */
static enum status plant(struct planting *p, struct str xml)
{
    static const struct tree_handler found = {.head = add_head,
                                              .page = add_page,
                                              .topic = add_topic},
                                     named = {.agent = add_agent, .visit = add_visit};
    /* the figures of the empty crawl are no longer valid: rows will be counted */
    enum status st = db_exec(p->db, "BEGIN; DELETE FROM crawl WHERE key = '" TALLY_KEY "'");
    char pages[24];

    for (size_t i = 0; i < ARRAY_LEN(statements) && st == ST_OK; i++)
        st = db_prepare(p->db, statements[i], &p->st[i]);
    if (st == ST_OK)
        st = tree_xml_read(xml, &found, p);
    if (st == ST_OK)
        st = tree_xml_read(xml, &named, p);
    (void)snprintf(pages, sizeof pages, "%llu",
                   (unsigned long long)(p->counts.pages + p->counts.hidden));
    if (st == ST_OK)
        st = put_key(p, STR("pages"), str_of(pages));
    for (size_t i = 0; i < ARRAY_LEN(statements); i++)
        (void)sqlite3_finalize(p->st[i]);
    return st == ST_OK ? db_exec(p->db, "COMMIT") : st;
}

/* The directory of a crawl that has no page yet. */
static enum status make_empty(const char *dir, const char *software)
{
    struct store *s = NULL;
    struct store_config config = {.software = software, .robots = "obey"};
    struct event e = {.kind = EVENT_CHECKPOINT};
    enum status st = store_create(dir, &config, &s);

    if (st != ST_OK)
        return st;
    store_post(s, &e);
    return store_close(s, NULL, NULL);
}

enum status tree_write(struct str xml, const char *dir, const char *software,
                       struct tree_counts *ret)
{
    struct planting p = {.db = NULL};
    enum status st = make_empty(dir, software);

    if (st == ST_OK)
        st = db_open_writer(dir, &p.db);
    if (st != ST_OK)
        return st;
    db_guard_widen(p.db);
    arena_init(&p.scratch, MIB(1));
    map_init(&p.agents);
    map_init(&p.pages);
    map_init(&p.urls);
    map_init(&p.hosts);
    st = plant(&p, xml);
    p.counts.hosts = p.hosts.count;
    if (st == ST_OK)
        *ret = p.counts;
    (void)sqlite3_close(p.db);
    map_free(&p.hosts);
    map_free(&p.urls);
    map_free(&p.pages);
    map_free(&p.agents);
    arena_free(&p.scratch);
    return st;
}
