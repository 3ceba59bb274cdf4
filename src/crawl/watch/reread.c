/* reread.c - reads pages of a crawl's directory again, as they were on arrival.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/reread.h"

#include "base/mem.h"
#include "crawl/digest.h"
#include "parse/http/head.h"
#include "parse/page/page.h"
#include "store/archive.h"
#include "text/vocab.h"

#include <stdlib.h>

struct reread {
    const char *dir;
    struct query *query;
    struct digest *digest;
    bool judge_anew;
};

enum status reread_open(const char *dir, const struct topic *topic, struct reread **ret)
{
    struct query *query;
    struct reread *r;

    TRY(query_open(dir, &query));
    r = MEM_NEW(struct reread);
    r->dir = dir;
    r->query = query;
    r->digest = digest_new(topic, NULL, 1); /* of any language: the crawl has already checked it */
    *ret = r;
    return ST_OK;
}

void reread_close(struct reread *r)
{
    if (r == NULL)
        return;
    query_close(r->query);
    digest_free(r->digest);
    free(r);
}

void reread_judge_anew(struct reread *r)
{
    r->judge_anew = true;
}

struct query *reread_query(struct reread *r)
{
    return r->query;
}

/* What the database knows of a page. */
struct facts {
    struct arrival *arrival;
    float relevance, similarity;
    char *file; /* of the archive; NULL: none */
    uint64_t offset;
};

static enum status facts_read(void *ctx, const struct query_page *page)
{
    struct str nothing = {"", 0};
    struct facts *facts = ctx;
    struct request *request = request_new(REQUEST_PAGE, page->url, page->host, nothing, nothing);

    request->choice = (struct choice){.url = page->url_id, .agent = page->agent};
    request->depth = (uint16_t)page->depth;
    facts->arrival = arrival_new(request);
    facts->arrival->reply.started_at = page->fetched_at;
    facts->arrival->reply.done_at = page->fetched_at + (int64_t)(page->latency_ms * 1000 + 0.5);
    facts->arrival->reply.truncated = page->truncated;
    facts->relevance = (float)page->relevance;
    facts->similarity = (float)page->similarity;
    facts->offset = page->warc_offset;
    facts->file = page->warc_file.len ? str_dup(page->warc_file) : NULL;
    return ST_OK;
}

/* Reads the header block, which is the page's own even if the payload is that of another page. */
static enum status read_head(struct reread *r, const struct facts *facts)
{
    struct reply *reply = &facts->arrival->reply;
    struct warc_record record;
    struct head_facts head;
    struct str text, payload;
    enum status st = archive_read(r->dir, str_of(facts->file), facts->offset, &record);

    if (st != ST_OK)
        return st;
    if (warc_http(&record, &reply->status, &text, &payload)) {
        reply->head = arena_str(&facts->arrival->memory, text);
        head_read(reply, &facts->arrival->memory, &head);
    } else {
        st = status_fail(ST_CORRUPT, "a record of the archive has no HTTP header");
    }
    warc_record_free(&record);
    return st;
}

static enum status read_body(struct reread *r, uint32_t page, struct arrival *a)
{
    struct str head, payload = {"", 0};
    struct warc_record record;
    enum status st = query_payload(r->query, page, &record);
    int status;

    if (st != ST_OK)
        return st;
    if (warc_http(&record, &status, &head, &payload)) {
        buf_add_str(&a->reply.body, payload);
        st = buf_check(&a->reply.body);
    }
    warc_record_free(&record);
    return st;
}

/* What a document that is no HTML was read as. */
static void read_html(struct reread *r, const struct facts *facts)
{
    struct arrival *a = facts->arrival;
    struct warc_record record;

    if (page_is_read_as_is(a->reply.content_type) ||
        archive_conversion(r->dir, str_of(facts->file), facts->offset, &record) != ST_OK)
        return;
    buf_add_str(&a->html, buf_str(&record.block));
    warc_record_free(&record);
}

static enum status read_again(struct reread *r, uint32_t page, struct df_table *table,
                              const struct facts *facts)
{
    struct arrival *a = facts->arrival;

    if (facts->file == NULL)
        return status_fail(ST_MISSING, "page %u is not in the archive", page);
    TRY(read_head(r, facts));
    TRY(read_body(r, page, a));
    read_html(r, facts);
    digest_publish(r->digest, table ? df_hold(table) : NULL);
    digest_reply(r->digest, 0, a);
    if (a->page == NULL)
        return status_fail(ST_MISSING, "page %u: %s", page, drop_sentence(a->why));
    if (!r->judge_anew) {
        a->profile.relevance = facts->relevance;
        a->profile.similarity = facts->similarity;
    }
    return ST_OK;
}

enum status reread_page(struct reread *r, uint32_t page, struct df_table *table,
                        struct arrival **ret)
{
    struct facts facts = {0};
    enum status st = query_page(r->query, page, facts_read, &facts);

    if (st == ST_OK)
        st = read_again(r, page, table, &facts);
    if (st == ST_OK)
        *ret = facts.arrival;
    else
        arrival_release(facts.arrival);
    free(facts.file);
    return st;
}
