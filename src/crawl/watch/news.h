/* news.h - which of the stored pages are news.
 *
 * In: the bus (EVENT_PAGE, EVENT_LINKS). Out: EVENT_NEWS for every page that is announced,
 * which the store commits together with the page itself; and the announcements, one
 * after the other, once they are committed (news_take()). So an announcement is not repeated after
 * a kill, and no page is announced that a kill could lose.
 *
 * A page is news where all of this is true:
 *   document  it is not a feed, not a list (most of its words are links), and not noindex
 *   relevant  relevance >= rules.relevant
 *   recent    its date is not older than rules.max_age and not before rules.since.
 *             A date counts where the document has it of itself (meta element, JSON-LD,
 *             URL, feed). A day without a time lasts until its end. The age of a document
 *             is measured by its own server's clock (Date)
 *   appeared  a document without such a date must have appeared: a page that we had seen
 *             before without it now names it, because what a first visit finds may be of any
 *             age. If it has a Last-Modified, that must be recent
 *   first     neither this text at this URL nor a near duplicate of it was announced.
 *             A later version of a document is news ("changed") as rules.changes says
 *
 * Thread: the mind's. Limits: what was announced costs some 30 bytes in memory.
 */
#pragma once

#include "base/status.h"
#include "flow.h"
#include "store/read/query.h"

enum news_changes {
    NEWS_NONE,  /* later versions are never announced */
    NEWS_DATED, /* those of documents that have a date of their own */
    NEWS_ALL,   /* every page whose text changed */
};

struct news_rules {
    int64_t max_age; /* us; 0: any */
    int64_t since;   /* us since 1970; 0: any */
    double relevant;
    enum news_changes changes;
};

#define NEWS_URN     46  /* bytes of an id, its NUL included */
#define NEWS_SUMMARY 300 /* bytes of text */

/* One announcement. Strings are lent. */
struct news_item {
    uint32_t id, page, version_of, agent;
    int64_t at;   /* when it was announced */
    int64_t date; /* of the document */
    double relevance;
    uint64_t hash; /* of the payload */
    struct str url, title, summary;
};

/* Writes an id that depends only on the text and the URL, not on the machine. */
void news_urn(const struct news_item *item, char ret[NEWS_URN]);
/* The announcement as one JSON object, without a line's end. */
void news_json(const struct news_item *item, struct buf *out);
/* Returns the announcement of a row of the database. The summary is made in `text`. */
struct news_item news_of_row(struct query *q, const struct query_news *row, struct buf *text);

struct news;
struct bus;

/* Joins the bus (after the store). Reads from `dir` what was announced before. */
enum status news_open(const struct news_rules *rules, struct bus *bus, const char *dir,
                      struct news **ret) MUST_USE;
void news_close(struct news *n);

/* Gets the next announcement whose page is among the first `committed`. The strings are valid until
 * the next call. */
bool news_take(struct news *n, uint64_t committed, struct news_item *ret);

uint32_t news_last(const struct news *n); /* number of the last announcement taken */

/* Returns when the server answered, by its own clock; by ours if it does not say. */
int64_t news_clock(const struct reply *reply);
