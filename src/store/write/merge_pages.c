/* merge_pages.c - the pages of all directories by time, each content of a URL once.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "frontier/dups.h"
#include "store/links.h"
#include "store/write/merge_int.h"

#include <stdlib.h>

/* ---- which are kept --------------------------------------------------------- */

static bool is_same(const struct merge_url *u, uint64_t hash, uint64_t simhash, uint32_t words)
{
    return u->hash == hash || (u->words > 0 && u->words == words && u->simhash == simhash);
}

/* Versions of a URL in one directory stay versions, because its crawl compared them. */
static enum status know_page(struct merge *m, struct merge_source *s, void *ctx UNUSED)
{
    int64_t id = sqlite3_column_int64(s->st, 1);
    uint32_t url = merge_number(&s->urls, sqlite3_column_int64(s->st, 2));
    uint64_t hash = (uint64_t)sqlite3_column_int64(s->st, 3);
    uint64_t simhash = (uint64_t)sqlite3_column_int64(s->st, 4);
    uint32_t words = (uint32_t)sqlite3_column_int64(s->st, 5);
    uint16_t source = (uint16_t)(s - m->sources);
    struct merge_url *u = &m->urls[url];

    if (url == 0 || id <= 0 || (uint64_t)id >= s->pages.count)
        return ST_OK;
    if (u->last && u->page_source != source) {
        if (is_same(u, hash, simhash, words)) {
            s->pages.to[id] = u->last | MERGE_TWICE;
            m->result.twice++;
            return ST_OK;
        }
        m->result.versions++;
    }
    s->pages.to[id] = ++m->npages;
    u->page_source = source;
    u->last = m->npages;
    u->first = u->first ? u->first : m->npages;
    u->hash = hash;
    u->simhash = simhash;
    u->words = words;
    return ST_OK;
}

enum status merge_know_pages(struct merge *m)
{
    enum status st = ST_OK;
    uint64_t total = 0;

    for (size_t i = 0; i < m->nsources && st == ST_OK; i++) {
        struct merge_source *s = &m->sources[i];

        st = merge_numbers_init(s, &s->pages, "SELECT max(id) FROM page_row");
        total += s->pages.count;
    }
    merge_begin(m, "reading the pages", total);
    if (st == ST_OK)
        st =
            merge_rows(m, "page_row",
                       "SELECT fetched_at, id, url, hash, simhash, words FROM page_row ORDER BY id",
                       false, know_page, NULL);
    m->result.pages = m->npages;
    return st;
}

/* ---- their rows -------------------------------------------------------------- */

#define PAGE_COLUMNS                                                                       \
    "id, url, host, status, fetched_at, latency, bytes, mime, charset, lang, title, date," \
    " relevance, similarity, depth, agent, energy, hash, simhash, words, dup_of, exact,"   \
    " version_of, hidden, truncated, etag, last_modified, warc, warc_offset, warc_length, digest"

enum page_column {
    PAGE_ID,
    PAGE_URL,
    PAGE_AGENT = 15,
    PAGE_HASH = 17,
    PAGE_SIMHASH,
    PAGE_WORDS,
    PAGE_DUP,
    PAGE_EXACT,
    PAGE_VERSION,
    PAGE_FILE = 27,
    PAGE_LAST = 30
};

struct putting {
    sqlite3_stmt *to;
    struct dups dups;
    uint32_t *url_of; /* by new number of a page */
};

static void bind_ref(sqlite3_stmt *to, int column, uint32_t number)
{
    (void)(number ? sqlite3_bind_int64(to, column + 1, number) : sqlite3_bind_null(to, column + 1));
}

static int64_t column_of(const struct merge_source *s, enum page_column c)
{
    return sqlite3_column_int64(s->st, (int)c);
}

/* Takes the duplicate that a crawl on one machine would have found, or else the one that its node
 * found. A page never repeats a later one, nor another version of its URL. */
static void bind_duplicate(struct putting *p, const struct merge_source *s, uint32_t page)
{
    bool exact = false;
    uint32_t dup =
        dups_add(&p->dups, page, (uint64_t)column_of(s, PAGE_HASH),
                 (uint64_t)column_of(s, PAGE_SIMHASH), (uint32_t)column_of(s, PAGE_WORDS), &exact);

    if (dup == 0) {
        dup = merge_number(&s->pages, column_of(s, PAGE_DUP));
        exact = column_of(s, PAGE_EXACT) != 0;
    }
    if (dup >= page || p->url_of[dup] == p->url_of[page])
        dup = 0;
    bind_ref(p->to, PAGE_DUP, dup);
    (void)sqlite3_bind_int64(p->to, PAGE_EXACT + 1, dup != 0 && exact);
}

static enum status put_page(struct merge *m, struct merge_source *s, void *ctx)
{
    struct putting *p = ctx;
    uint32_t page = (uint32_t)s->order, url = merge_number(&s->urls, column_of(s, PAGE_URL));
    uint32_t first = m->urls[url].first;

    for (int i = 0; i <= PAGE_LAST; i++)
        (void)sqlite3_bind_value(p->to, i + 1, sqlite3_column_value(s->st, i));
    p->url_of[page] = url;
    (void)sqlite3_bind_int64(p->to, PAGE_ID + 1, page);
    (void)sqlite3_bind_int64(p->to, PAGE_URL + 1, url);
    bind_ref(p->to, PAGE_AGENT, merge_number(&s->agents, column_of(s, PAGE_AGENT)));
    bind_ref(p->to, PAGE_FILE, merge_number(&s->files, column_of(s, PAGE_FILE)));
    bind_ref(p->to, PAGE_VERSION, first == page ? 0 : first);
    bind_duplicate(p, s, page);
    return db_run(m->db, p->to);
}

/* A page that was left out becomes a visit that found the page unchanged. Its record stays in the
 * archive. */
static enum status put_twice(struct merge *m, struct merge_source *s, void *ctx)
{
    int64_t id = sqlite3_column_int64(s->st, 1);
    sqlite3_stmt *to = ctx;

    if (id <= 0 || (uint64_t)id >= s->pages.count || !(s->pages.to[id] & MERGE_TWICE))
        return ST_OK;
    (void)sqlite3_bind_int64(to, 1, merge_number(&s->urls, sqlite3_column_int64(s->st, 2)));
    for (int i = 0; i < 3; i++) /* time, status, type */
        (void)sqlite3_bind_value(to, 2 + i, sqlite3_column_value(s->st, 3 + i));
    bind_ref(to, 4, merge_number(&s->files, sqlite3_column_int64(s->st, 6)));
    for (int i = 0; i < 3; i++) /* place, length, digest */
        (void)sqlite3_bind_value(to, 6 + i, sqlite3_column_value(s->st, 7 + i));
    return db_run(m->db, to);
}

static enum status put_all_twice(struct merge *m)
{
    LOCAL_STMT *to = NULL;

    if (m->result.twice == 0)
        return ST_OK;
    TRY(db_prepare(m->db,
                   "INSERT INTO outcome_row(url, at, status, mime, warc, warc_offset,"
                   " warc_length, digest, reason, is_final, attempt)"
                   " VALUES(?,?,?,?,?,?,?,?,0,1,1)",
                   &to));
    return merge_rows(m, "page_row",
                      "SELECT fetched_at, id, url, fetched_at, status, mime, warc, warc_offset,"
                      " warc_length, digest FROM page_row ORDER BY id",
                      false, put_twice, to);
}

/* ---- their links -------------------------------------------------------------- */

/* A link to a URL that is not there is left out. */
static enum status put_links(struct merge *m, struct merge_source *s, void *ctx)
{
    sqlite3_stmt *to = ctx;
    struct str links = db_str(s->st, 1);
    struct buf out = BUF_INIT(1 << 30);
    struct links_item item;
    size_t at = 0;
    bool bad = false;
    enum status st;

    buf_add_char(&out, '[');
    while (links_next(links, &at, &item, &bad)) {
        item.url = merge_number(&s->urls, item.url);
        if (item.url)
            links_put(&item, &out);
    }
    buf_add_char(&out, ']');
    (void)sqlite3_bind_int64(to, 1, s->order);
    db_bind_str(to, 2, buf_str(&out));
    st = bad ? status_fail(ST_CORRUPT,
                           "the links of a page in %s cannot be read ('brood check %s "
                           "--mend')",
                           s->dir, s->dir)
             : buf_check(&out);
    if (st == ST_OK)
        st = db_run(m->db, to);
    buf_free(&out);
    return st;
}

static enum status put_all_links(struct merge *m)
{
    sqlite3_stmt *to = NULL;
    enum status st = db_prepare(m->db, "INSERT INTO links_row VALUES(?,?)", &to);

    merge_begin(m, "merging the links", m->npages);
    if (st == ST_OK)
        st = merge_rows(m, "links_row", "SELECT page, links FROM links_row ORDER BY page", true,
                        put_links, to);
    (void)sqlite3_finalize(to);
    return st;
}

enum status merge_put_pages(struct merge *m)
{
    struct putting p = {.url_of = mem_zero((size_t)m->npages + 1, sizeof *p.url_of)};
    enum status st = db_prepare(m->db,
                                "INSERT INTO page_row(" PAGE_COLUMNS
                                ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
                                "?,?,?)",
                                &p.to);

    dups_init(&p.dups);
    merge_begin(m, "merging the pages", m->npages);
    if (st == ST_OK)
        st = merge_rows(m, "page_row", "SELECT " PAGE_COLUMNS " FROM page_row ORDER BY id", true,
                        put_page, &p);
    (void)sqlite3_finalize(p.to);
    dups_free(&p.dups);
    free(p.url_of);
    if (st == ST_OK)
        st = put_all_twice(m);
    return st == ST_OK ? put_all_links(m) : st;
}
