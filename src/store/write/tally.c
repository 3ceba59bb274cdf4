/* tally.c - how many rows there are, counted as they are written. See tally.h.
 * SPDX-License-Identifier: MIT */
#include "store/write/tally.h"

#include "frontier/frontier.h"
#include "store/write/writer_int.h"

#include <inttypes.h>
#include <stdio.h>

static const char form[] =
    "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64;

bool tally_read(const char *text, struct tally *ret)
{
    struct tally t = {.is_known = true};

    if (sscanf(text, form, &t.pages, &t.hidden, &t.duplicates, &t.bytes, &t.links, &t.urls,
               &t.untried) != 7 ||
        (t.pages | t.hidden | t.duplicates | t.bytes | t.links | t.urls | t.untried) > INT64_MAX ||
        t.hidden > t.pages || t.untried > t.urls)
        return false;
    *ret = t;
    return true;
}

enum status tally_load(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    int64_t urls = 0;
    enum status status = db_int(w->db, "SELECT max(id) FROM url_row", &urls);

    if (status == ST_OK)
        status = db_prepare(w->db, "SELECT value FROM crawl WHERE key = '" TALLY_KEY "'", &st);
    if (status == ST_OK && db_row(w->db, st, &status)) {
        char text[200] = "";

        (void)snprintf(text, sizeof text, "%.*s", STR_ARG(db_str(st, 0)));
        (void)tally_read(text, &w->tally);
    } else {
        w->tally.is_known = urls == 0; /* otherwise an earlier version began to write */
    }
    (void)sqlite3_finalize(st);
    return status;
}

void tally_page(struct writer *w, const struct event *e)
{
    const struct arrival *a = e->page.arrival;

    w->tally.pages++;
    w->tally.hidden += e->page.hidden;
    w->tally.duplicates += e->page.dup_of != 0;
    w->tally.bytes += a->reply.body.len;
    for (uint32_t i = 0; a->marks && i < a->page->nlinks; i++)
        w->tally.links += a->marks[i].url != 0;
}

/* What just came was no row before. */
void tally_url(struct writer *w, enum drop why)
{
    if (sqlite3_changes(w->db) == 0)
        return;
    w->tally.urls++;
    w->tally.untried += why == DROP_NONE;
}

enum status tally_fate(struct writer *w, uint32_t url)
{
    sqlite3_stmt *st = w->stmt[STMT_UNTRIED];
    enum status status = ST_OK;

    (void)sqlite3_bind_int64(st, 1, url);
    if (w->tally.is_known && db_row(w->db, st, &status))
        w->tally.untried -= w->tally.untried > 0;
    (void)sqlite3_reset(st);
    return status;
}

enum status tally_put(struct writer *w)
{
    const struct tally *t = &w->tally;
    char text[200];

    if (!t->is_known)
        return ST_OK;
    (void)snprintf(text, sizeof text,
                   "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                   " %" PRIu64,
                   t->pages, t->hidden, t->duplicates, t->bytes, t->links, t->urls, t->untried);
    return row_key(w, STR(TALLY_KEY), str_of(text));
}
