/* write_page.c - pages, outcomes and resources: rows, and records of the archive.
 *
 * The mind assigns all numbers, so nothing has to be looked up: a page is one row, its text
 * another, and its links and new URLs are appended. The records are written first, because the row
 * says where they are.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/os/clock.h"
#include "store/links.h"
#include "store/passages.h"
#include "store/write/writer_int.h"

/* ---- the archive --------------------------------------------------------- */

static enum status first_record(struct writer *w, const struct archive_job *job)
{
    if (w->seed == 0) {
        w->seed = hash_u64((uint64_t)job->at) ^ hash_str(job->arrival->request->href);
        w->seed += w->seed == 0;
        archive_seed(w->archive, w->seed);
        return row_key_u64(w, STR("archive_id"), w->seed);
    }
    return ST_OK;
}

static enum status put_records(struct writer *w, const struct archive_job *job,
                               struct warc_place *ret, char digest[SHA1_TEXT])
{
    const char *name;
    uint64_t length;
    uint32_t before = warc_file(archive_writer(w->archive), &name, &length);

    TRY(first_record(w, job));
    /* The length of a file that this record ends must not be lost. */
    if (length >= w->options.size)
        TRY(row_warc(w));
    TRY(archive_add(w->archive, job, ret, digest));
    if (ret->file != before)
        TRY(row_warc(w));
    return ST_OK;
}

/* The page an arrival repeats, where that one is archived. The strings live
 * until the statement is reset. */
static bool find_original(struct writer *w, uint32_t page, struct archive_original *ret,
                          uint64_t *ret_hash, enum status *status)
{
    sqlite3_stmt *st = w->stmt[STMT_ORIGINAL];

    (void)sqlite3_bind_int64(st, 1, page);
    if (page == 0 || !db_row(w->db, st, status))
        return false;
    *ret = (struct archive_original){.url = db_str(st, 0),
                                     .at = sqlite3_column_int64(st, 1),
                                     .page = (uint32_t)sqlite3_column_int64(st, 2),
                                     .digest = db_str(st, 3)};
    *ret_hash = (uint64_t)sqlite3_column_int64(st, 4);
    return true;
}

static enum status put_metadata(struct writer *w, const struct arrival *a)
{
    const struct request *r = a->request;
    sqlite3_stmt *via = w->stmt[STMT_VIA];
    struct buf *m = &w->metadata;
    enum status st;

    buf_clear(m);
    buf_addf(m, "relevance: %.6g\r\nsimilarity: %.6g\r\nhopsFromSeed: %u\r\n",
             (double)a->profile.relevance, (double)a->profile.similarity, r->depth);
    (void)sqlite3_bind_int64(via, 1, r->choice.url);
    if (db_row(w->db, via, &st))
        buf_addf(m, "via: %.*s\r\n", STR_ARG(db_str(via, 0)));
    (void)sqlite3_reset(via);
    buf_addf(m, "fetchTimeMs: %lld\r\n",
             (long long)((a->reply.done_at - a->reply.started_at) / US_PER_MS));
    if (r->choice.agent) {
        const struct agent_figures *agent = row_agent(w, r->choice.agent);

        buf_addf(m, "agent: %u\r\ngeneration: %u\r\nenergy: %.6g\r\n", r->choice.agent,
                 agent->generation, agent->energy);
    }
    return st;
}

static int64_t fetched_at(const struct arrival *a, const struct event *e)
{
    return a->reply.started_at ? a->reply.started_at : e->at;
}

static struct str mime_of(struct str content_type)
{
    return str_trim(str_sub(content_type, 0, str_find_char(content_type, ';', 0)));
}

/* A PDF may be sent with any type. */
static struct str type_of(const struct arrival *a)
{
    if (a->html.len && str_starts(buf_str(&a->reply.body), STR("%PDF-")))
        return STR("application/pdf");
    return mime_of(a->reply.content_type);
}

static struct str host_of(struct str href)
{
    size_t from = str_find(href, STR("://"), 0), to;

    from = from == SIZE_MAX ? 0 : from + 3;
    for (to = from; to < href.len && !strchr("/?#", href.ptr[to]); to++)
        ;
    return str_sub(href, from, to);
}

static enum status archive_page(struct writer *w, const struct event *e, struct warc_place *ret,
                                char digest[SHA1_TEXT])
{
    const struct arrival *a = e->page.arrival;
    struct archive_original original;
    uint64_t hash;
    struct archive_job job = {
        .kind = ARCHIVE_PAGE, .number = e->page.id, .at = fetched_at(a, e), .arrival = a};
    enum status st;

    if (w->archive == NULL || e->page.hidden || a->robots & (ROBOTS_NOARCHIVE | ROBOTS_NOINDEX))
        return ST_OK;
    st = put_metadata(w, a);
    job.metadata = buf_str(&w->metadata);
    if (st == ST_OK && e->page.exact_dup && find_original(w, e->page.dup_of, &original, &hash, &st))
        job.original = &original;
    if (st == ST_OK)
        st = put_records(w, &job, ret, digest);
    (void)sqlite3_reset(w->stmt[STMT_ORIGINAL]);
    return st;
}

static enum status put_page(struct writer *w, const struct event *e, const struct warc_place *place,
                            const char *digest)
{
    const struct arrival *a = e->page.arrival;
    const struct reply *reply = &a->reply;
    const struct page *page = a->page;
    struct bind b = bind_to(w, STMT_PAGE);

    put_int(&b, e->page.id);
    put_int(&b, a->request->choice.url);
    put_text(&b, host_of(a->request->href));
    put_int(&b, reply->status);
    put_int(&b, fetched_at(a, e));
    put_int(&b, reply->done_at - reply->started_at);
    put_int(&b, (int64_t)reply->body.len);
    put_text(&b, type_of(a));
    put_text(&b, page->charset);
    put_text(&b, page->lang);
    put_text(&b, e->page.hidden ? STR("") : page->title);
    put_ref(&b, e->page.date ? e->page.date : page->date);
    put_num(&b, (double)a->profile.relevance);
    put_num(&b, (double)a->profile.similarity);
    put_int(&b, a->request->depth);
    put_ref(&b, a->request->choice.agent);
    put_int(&b, (int64_t)a->payload_hash);
    put_int(&b, (int64_t)a->profile.simhash);
    put_int(&b, page->nwords);
    put_ref(&b, e->page.dup_of);
    put_int(&b, e->page.exact_dup);
    put_ref(&b, e->page.version_of);
    put_int(&b, e->page.hidden);
    put_int(&b, reply->truncated || a->cut || page->cut);
    put_text(&b, reply->etag);
    put_text(&b, reply->last_modified);
    put_place(&b, place, digest);
    return run(w, &b);
}

static enum status put_body(struct writer *w, uint32_t page, struct str text)
{
    struct bind b = bind_to(w, STMT_BODY);

    put_int(&b, page);
    db_bind_str(b.st, b.at++, text);
    return run(w, &b);
}

static enum status put_main(struct writer *w, uint32_t id, const struct page *page)
{
    struct bind b = bind_to(w, STMT_MAIN);

    buf_clear(&w->places);
    passages_write(page, &w->places);
    put_int(&b, id);
    (void)sqlite3_bind_blob64(b.st, b.at++, w->places.len ? w->places.data : "", w->places.len,
                              SQLITE_STATIC);
    return run(w, &b);
}

/* Writes the rules for the use of a page (STMT_USE), or its declared language (STMT_DECLARED). */
static enum status put_said(struct writer *w, enum stmt statement, uint32_t page, struct str said)
{
    struct bind b = bind_to(w, statement);

    put_int(&b, page);
    put_text(&b, said);
    return run(w, &b);
}

static enum status put_topics(struct writer *w, uint32_t page, const struct profile *p)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < p->ntopics && st == ST_OK; i++) {
        struct bind b = bind_to(w, STMT_TOPIC);

        put_int(&b, page);
        put_text(&b, p->topics[i].topic);
        put_num(&b, (double)p->topics[i].relevance);
        st = run(w, &b);
    }
    return st;
}

/* Writes the rules of a robots.txt for the use of its host's pages; they may have been removed.
 * Limit: after a redirect to another host, the rules count for the host that has the file. */
static enum status put_host_use(struct writer *w, const struct arrival *a)
{
    struct bind b = bind_to(w, STMT_HOST_USE);

    put_text(&b, host_of(a->request->href));
    put_text(&b, a->use);
    return run(w, &b);
}

/* Writes what a link needs besides its row: a new URL, or the reason why it got no number. */
static enum status put_target(struct writer *w, const struct arrival *a, uint32_t i, uint32_t page,
                              int64_t at)
{
    const struct link *link = &a->page->links[i];
    const struct link_mark *mark = &a->marks[i];
    uint16_t depth = (uint16_t)(a->request->depth + (a->request->depth < UINT16_MAX));

    if (mark->url != 0 && !mark->is_new)
        return ST_OK;
    if (mark->drop != DROP_NONE)
        row_count_drop(w, mark->drop);
    if (mark->url != 0)
        return row_url(w, mark->url, link->url, page, depth, mark->drop);
    return mark->drop == DROP_NONE ? ST_OK : row_drop(w, link->url, 0, mark->drop, at);
}

static enum status put_targets(struct writer *w, const struct arrival *a, uint32_t page, int64_t at)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < a->page->nlinks && st == ST_OK; i++)
        st = put_target(w, a, i, page, at);
    return st;
}

/* Places of anchors are in the text: without it there are none. */
static enum status put_links(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    struct bind b = bind_to(w, STMT_LINKS);
    enum status st;

    if (a->marks == NULL)
        return ST_OK;
    st = put_targets(w, a, e->page.id, e->at);
    buf_clear(&w->links);
    links_write(a->page, a->marks, !e->page.hidden, &w->links);
    if (st == ST_OK)
        st = buf_check(&w->links);
    if (st != ST_OK)
        return st;
    put_int(&b, e->page.id);
    db_bind_str(b.st, b.at++, buf_str(&w->links));
    return run(w, &b);
}

enum status on_page(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    struct warc_place place = {0};
    char digest[SHA1_TEXT] = "";
    enum status st = archive_page(w, e, &place, digest);

    if (st == ST_OK)
        st = put_page(w, e, &place, digest);
    if (st == ST_OK && !e->page.hidden)
        st = put_body(w, e->page.id, a->page->text);
    if (st == ST_OK && !e->page.hidden)
        st = put_main(w, e->page.id, a->page);
    if (st == ST_OK && a->use.len > 0)
        st = put_said(w, STMT_USE, e->page.id, a->use);
    if (st == ST_OK && a->page->declared.len)
        st = put_said(w, STMT_DECLARED, e->page.id, a->page->declared);
    if (st == ST_OK)
        st = put_topics(w, e->page.id, &a->profile);
    if (st == ST_OK)
        st = put_links(w, e);
    if (st == ST_OK && a->request->choice.url)
        st = row_fate(w, a->request->choice.url, URL_VISITED, DROP_NONE, e->page.id);
    if (a->request->choice.agent)
        row_agent_change(w, a->request->choice.agent)->pages++;
    tally_page(w, e, host_of(a->request->href), fetched_at(a, e));
    return st;
}

enum status on_links(struct writer *w, const struct event *e)
{
    return put_targets(w, e->links.arrival, e->links.page, e->at);
}

/* The newest page stored for the URL of an outcome. */
static bool find_latest(struct writer *w, const struct event *e, struct archive_original *ret,
                        uint64_t *ret_hash, enum status *status)
{
    sqlite3_stmt *latest = w->stmt[STMT_LATEST];
    bool found;

    (void)sqlite3_bind_int64(latest, 1, e->outcome.url);
    found = db_row(w->db, latest, status) &&
            find_original(w, (uint32_t)sqlite3_column_int64(latest, 0), ret, ret_hash, status);
    (void)sqlite3_reset(latest);
    return found;
}

/* Archives errors, redirects and 304s, and as a revisit a refresh with exactly the same bytes;
 * documents that were fetched but not wanted (because of their type, their language, or a new stamp
 * in an old text) are not archived. */
static enum status archive_outcome(struct writer *w, const struct event *e, struct warc_place *ret,
                                   char digest[SHA1_TEXT])
{
    const struct arrival *a = e->outcome.arrival;
    struct archive_original original;
    struct archive_job job = {.kind = ARCHIVE_OUTCOME, .number = w->outcomes, .arrival = a};
    bool document, wanted = true;
    enum status st = ST_OK;
    uint64_t hash;

    if (w->archive == NULL || a == NULL || a->reply.status == 0 ||
        a->robots & (ROBOTS_NOARCHIVE | ROBOTS_NOINDEX))
        return ST_OK;
    document = a->reply.status >= 200 && a->reply.status < 300;
    job.at = fetched_at(a, e);
    if ((a->reply.status == 304 || document) && find_latest(w, e, &original, &hash, &st))
        job.original = &original;
    if (document)
        wanted = job.original && a->page && hash == a->payload_hash;
    if (st == ST_OK && wanted)
        st = put_records(w, &job, ret, digest);
    (void)sqlite3_reset(w->stmt[STMT_ORIGINAL]);
    return st;
}

static struct str error_of(const struct arrival *a)
{
    if (a == NULL || a->reply.error == FETCH_OK)
        return (struct str){"", 0};
    return a->reply.error_text.len ? a->reply.error_text : str_of(fetch_error_name(a->reply.error));
}

static bool is_refresh(const struct arrival *a)
{
    return a && a->request && a->request->choice.refresh;
}

static enum status end_visit(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->outcome.arrival;
    enum status st = ST_OK;

    if (e->outcome.why != DROP_NONE) {
        row_count_drop(w, e->outcome.why);
        st = row_drop(w, STR(""), e->outcome.url, e->outcome.why, e->at);
        if (st == ST_OK && a && a->request && choice_is_requisite(&a->request->choice))
            st = row_requisite(w, e->outcome.url);
        if (st == ST_OK)
            st = is_refresh(a) ? row_fate_later(w, e->outcome.url, e->outcome.why)
                               : row_fate(w, e->outcome.url, URL_GONE, e->outcome.why, 0);
    } else if (e->outcome.redirect_to) {
        st = is_refresh(a) ? row_fate_later(w, e->outcome.url, DROP_NONE)
                           : row_fate(w, e->outcome.url, URL_GONE, DROP_NONE, 0);
    } else if (a && a->page && a->page->kind == PAGE_SITEMAP) {
        st = row_fate(w, e->outcome.url, URL_VISITED, DROP_NONE, 0);
    }
    return st;
}

enum status on_outcome(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->outcome.arrival;
    int64_t at = a ? fetched_at(a, e) : e->at;
    struct warc_place place = {0};
    char digest[SHA1_TEXT] = "";
    struct bind b;
    enum status st;

    w->outcomes++;
    st = archive_outcome(w, e, &place, digest);
    if (st != ST_OK)
        return st;
    b = bind_to(w, STMT_OUTCOME);
    put_int(&b, w->outcomes);
    put_int(&b, e->outcome.url);
    put_int(&b, at);
    put_ref(&b, a ? a->reply.status : 0);
    put_text(&b, error_of(a));
    put_int(&b, e->outcome.why);
    put_int(&b, e->outcome.is_final);
    put_ref(&b, e->outcome.redirect_to);
    put_int(&b, a && a->request ? a->request->attempt : 0);
    put_text(&b, a ? mime_of(a->reply.content_type) : STR(""));
    put_place(&b, &place, digest);
    st = run(w, &b);
    tally_outcome(w, at);
    return st == ST_OK && e->outcome.is_final ? end_visit(w, e) : st;
}

enum status on_resource(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->resource.arrival;
    struct warc_place place = {0};
    char digest[SHA1_TEXT] = "";
    struct bind b;
    enum status st = ST_OK;

    w->resources++;
    if (w->archive && a->reply.status)
        st = put_records(w,
                         &(struct archive_job){.kind = ARCHIVE_RESOURCE,
                                               .number = w->resources,
                                               .at = fetched_at(a, e),
                                               .arrival = a},
                         &place, digest);
    if (st != ST_OK)
        return st;
    b = bind_to(w, STMT_RESOURCE);
    put_int(&b, w->resources);
    put_text(&b, a->request->href);
    put_int(&b, fetched_at(a, e));
    put_ref(&b, a->reply.status);
    put_text(&b, mime_of(a->reply.content_type));
    put_place(&b, &place, digest);
    st = run(w, &b);
    if (st == ST_OK && a->request->kind == REQUEST_PAGE) /* --requisites */
        return row_fate(w, a->request->choice.url, URL_VISITED, DROP_NONE, 0);
    return st == ST_OK && a->reply.status == 200 ? put_host_use(w, a) : st;
}
