/* query.h - the read side: everything the commands and the dashboard ask.
 *
 * A query has its own read-only connection: it works beside a running crawl
 * (it sees the last checkpoint) and in any number of processes. Rows are
 * streamed through callbacks; their strings are lent for the call. A callback
 * that returns anything but ST_OK ends the stream with that status.
 *
 * While a crawl runs the indexes for readers are missing, and looking a URL or a
 * conversation up is a scan. Callers with many questions open a query with a view
 * (view.h), which answers the same ones. One thread per query.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "flow.h"
#include "parse/use.h"

#include <math.h>

struct query;
struct text_extent; /* text/appraisal.h */

/* ST_MISSING, ST_CORRUPT: not a crawl, with a sentence. */
enum status query_open(const char *dir, struct query **ret) MUST_USE;
void query_close(struct query *q);

/* One that is closed where its block ends: LOCAL_QUERY *q = NULL; */
#define LOCAL_QUERY __attribute__((cleanup(query_drop))) struct query
void query_drop(struct query **q);

/* ---- the crawl itself ---- */

/* Appends crawl(key). ST_MISSING where there is no such key. */
enum status query_key(struct query *q, const char *key, struct buf *ret) MUST_USE;
/* A number that the crawl counted (crawl/samples.c), by its key; false: it did not. */
bool query_total(struct query *q, const char *key, double *ret);
typedef enum status query_key_fn(void *ctx, struct str key, struct str value);
enum status query_keys(struct query *q, query_key_fn *fn, void *ctx) MUST_USE;

struct query_stats {
    uint64_t pages;    /* stored, hidden ones too */
    uint64_t relevant; /* at least crawl('relevant_threshold'), 0.5 without */
    double mean_relevance;
    double threshold;
    uint64_t hidden, duplicates;
    uint64_t alive, born, died; /* agents */
    uint64_t hosts, hosts_met;  /* that gave a page; that a link named */
    uint64_t urls, links, outcomes;
    uint64_t bytes, received; /* of pages, as sent; of everything */
    uint64_t failed;          /* visits that ended without a page */
    uint64_t untried;         /* URLs known, neither asked for nor dropped */
    double seconds;           /* that it ran; without pauses between two runs */
    uint64_t indexed;         /* pages in the full-text index */
};

enum status query_stats(struct query *q, struct query_stats *ret) MUST_USE;
/* Pages whose text is not in the full-text index yet: store_index(). */
enum status query_unindexed(struct query *q, uint64_t *ret) MUST_USE;
typedef enum status query_count_fn(void *ctx, struct str name, uint64_t n);
enum status query_drops(struct query *q, query_count_fn *fn, void *ctx) MUST_USE; /* most first */
/* Was the crawl brought to its end (its indexes are made)? Is there one of links by their
 * targets? */
enum status query_is_closed(struct query *q, bool *ret) MUST_USE;
enum status query_knows_targets(struct query *q, bool *ret) MUST_USE;
/* Figures over time, after number `after`. */
typedef enum status query_sample_fn(void *ctx, int64_t id, int64_t at, struct str metric,
                                    double value);
enum status query_samples(struct query *q, int64_t after, query_sample_fn *fn, void *ctx) MUST_USE;
/* How many hosts stood idle for --patience on average; NAN: nobody counted. Reads all samples. */
enum status query_idle(struct query *q, double *ret) MUST_USE;

/* ---- pages ---- */

struct query_page {
    uint32_t id, url_id;
    struct str url, host, mime, charset, lang, title;
    struct str declared; /* the language that it says it has; `lang` is what was found */
    int status;
    int64_t fetched_at, date; /* us since 1970; date 0: unknown */
    double latency_ms;
    uint64_t bytes;
    double relevance, similarity;
    double p; /* how probably it is of the topic, by the model; NAN: it does not judge */
    uint32_t depth, agent;
    double energy; /* NAN: none */
    uint64_t hash; /* of the decoded payload */
    uint32_t dup_of, version_of;
    bool exact_dup, hidden, truncated;
    struct str warc_file; /* empty: not archived */
    uint64_t warc_offset, warc_length;
    struct str digest; /* SHA-1 of the payload as sent, base32 */
    double score;      /* query_search(): bm25, larger is better */
};

typedef enum status query_page_fn(void *ctx, const struct query_page *page);

/* How sure we are that a page is of the topic, in [0,1]; what lists are ordered by, and what
 * people are shown as 0 to 100. It is p, which the model or the end of the crawl gives a page
 * (docs/relevance.md). Until then it is made of relevance alone: QUERY_HALF is half sure. */
#define QUERY_HALF 0.05
static inline double page_rank(const struct query_page *p)
{
    return isnan(p->p) ? p->relevance / (p->relevance + QUERY_HALF) : p->p;
}

/* The same as people read it. */
static inline int page_sure(const struct query_page *p)
{
    return (int)(100 * page_rank(p) + 0.5);
}

/* The n best pages (page_rank), in their newest versions; hidden ones and duplicates are
 * left out. */
enum status query_top(struct query *q, uint32_t n, query_page_fn *fn, void *ctx) MUST_USE;
/* The places where it started, of the first thousands of pages; the newest first. */
enum status query_seeds(struct query *q, uint32_t n, query_page_fn *fn, void *ctx) MUST_USE;
/* Where the crawl has several topics: what each of them says of a page, by name. */
struct query_topic {
    struct str name;
    double relevance;
    double p; /* NAN: not judged yet */
};

typedef enum status query_topic_fn(void *ctx, const struct query_topic *t);
enum status query_topics(struct query *q, uint32_t page, query_topic_fn *fn, void *ctx) MUST_USE;

struct query_topic_total {
    struct str name;
    uint64_t pages, relevant; /* as in query_stats */
    double mean_relevance;
};

typedef enum status query_topic_total_fn(void *ctx, const struct query_topic_total *t);
enum status query_topic_totals(struct query *q, query_topic_total_fn *fn, void *ctx) MUST_USE;
/* Their names alone; none where the crawl has one topic. */
typedef enum status query_topic_name_fn(void *ctx, struct str name);
enum status query_topic_names(struct query *q, query_topic_name_fn *fn, void *ctx) MUST_USE;
/* ST_USAGE, with those that there are: the crawl has no such topic. */
enum status query_topic_check(struct query *q, struct str topic) MUST_USE;
/* The words that speak for the topic (text/topic.h: topic_words()), appended: what pages are there
 * for. Where there are several topics, of the one of this name, or of all (NULL). */
enum status query_topic_words(struct query *q, const char *name, struct buf *ret) MUST_USE;
/* query_top() by what one topic says, which is then the relevance and the p of a page
 * (query_topic_check()). */
enum status query_top_of(struct query *q, struct str topic, uint32_t n, query_page_fn *fn,
                         void *ctx) MUST_USE;
/* From now on query_pages() leaves out the pages whose owners reserved this use; how many it
 * left out, the last time. */
void query_for(struct query *q, enum use use);
uint64_t query_left_out(const struct query *q);
/* What was said of the use of a page, by itself and by the robots.txt of its host, appended:
 * a list (parse/use.h); nothing where nothing was said. */
enum status query_use(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* All in order of number, hidden ones left out. */
enum status query_pages(struct query *q, query_page_fn *fn, void *ctx) MUST_USE;
/* Every page (its first version) with the page that first named it, in order of number. */
struct query_path {
    uint32_t page, from_page; /* 0: a seed */
    uint32_t agent;           /* that fetched it; 0: none */
    double sure;              /* page_rank() */
    struct str url, agent_name;
};

typedef enum status query_path_fn(void *ctx, const struct query_path *path);
enum status query_paths(struct query *q, query_path_fn *fn, void *ctx) MUST_USE;
/* The URL of every stored page (of each version), and its relevance. */
typedef enum status query_found_fn(void *ctx, struct str url, double relevance);
enum status query_found(struct query *q, query_found_fn *fn, void *ctx) MUST_USE;
/* AND, OR, NOT: words of a search that are none. */
bool query_is_operator(struct str word);
/* The n best matches among newest versions, in FTS5's syntax; other text is taken as plain
 * words. `all_text`: menus and footers too, not only titles and main texts. ST_USAGE: it has
 * operators, and is no expression. */
enum status query_search(struct query *q, struct str words, bool all_text, uint32_t n,
                         query_page_fn *fn, void *ctx) MUST_USE;
/* Pages whose title or text (menus and footers too) has a word; up to three words of the index that are written much
 * like one, those on most pages first. */
enum status query_pages_with(struct query *q, struct str word, uint64_t *ret) MUST_USE;
enum status query_near(struct query *q, struct str word, query_count_fn *fn, void *ctx) MUST_USE;
/* One page by number: ST_MISSING where there is none. */
enum status query_page(struct query *q, uint32_t id, query_page_fn *fn, void *ctx) MUST_USE;
/* Every version of a URL, oldest first. */
enum status query_versions(struct query *q, uint32_t url, query_page_fn *fn, void *ctx) MUST_USE;
/* The stored text of a page, appended; ST_MISSING for hidden ones. */
enum status query_text(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* The main text of a page, a passage a line, appended. Of a crawl by an earlier version, which
 * did not tell it from the rest, the whole text. */
enum status query_main(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* How much text it has (text/appraisal.h), and where in it the main text begins (may be NULL). */
enum status query_extent(struct query *q, uint32_t page, struct text_extent *ret,
                         size_t *ret_begins) MUST_USE;
/* Why is it in a list? Some words of its main text (of the whole text where that has none of
 * `words`; snippet.h), and which of the words it has. Nothing for a page without a text. */
enum status query_snippet(struct query *q, const struct query_page *page, struct str words,
                          struct buf *ret, struct buf *ret_why) MUST_USE;
/* The archived reply of a page: the record of the response itself, also where
 * the page's own record is a revisit of another one (warc_record_free() it).
 * ST_MISSING where it was not archived. */
struct warc_record;
enum status query_payload(struct query *q, uint32_t page, struct warc_record *ret) MUST_USE;
/* The HTML that an archived page was read as, where it is a PDF or the like; ST_MISSING
 * where it is none. */
enum status query_conversion(struct query *q, uint32_t page, struct warc_record *ret) MUST_USE;

/* ---- marks: what the user called relevant or not ---- */

/* By URL, each with the newest page that is stored for it. */
typedef enum status query_marked_fn(void *ctx, struct str url, bool relevant, uint32_t page);
enum status query_marked(struct query *q, query_marked_fn *fn, void *ctx) MUST_USE;
/* The mark of a URL, appended: "relevant", "irrelevant" or nothing. */
enum status query_label(struct query *q, struct str url, struct buf *ret) MUST_USE;
/* Marks a URL of a crawl that does not run: 1 relevant, 0 irrelevant, -1 neither. ST_BUSY:
 * it runs, and must be asked to do so itself. */
enum status query_mark(const char *dir, struct str url, int relevant) MUST_USE;

/* ---- news: pages that a watch announced ---- */

struct query_news {
    uint32_t id; /* counted from 1 */
    int64_t at;  /* when it was announced */
    const struct query_page *page;
};

typedef enum status query_news_fn(void *ctx, const struct query_news *news);
/* At most `max` of those behind number `after`, oldest first. */
enum status query_news(struct query *q, uint32_t after, uint32_t max, query_news_fn *fn,
                       void *ctx) MUST_USE;
/* The number of the last one; 0: none. */
enum status query_news_last(struct query *q, uint32_t *ret) MUST_USE;
/* When those behind number `after` were announced, oldest first; `changed`: a later version. */
typedef enum status query_news_time_fn(void *ctx, uint32_t id, int64_t at, bool changed);
enum status query_news_times(struct query *q, uint32_t after, query_news_time_fn *fn,
                             void *ctx) MUST_USE;
enum status query_news_count(struct query *q, uint64_t *ret) MUST_USE;
/* URLs not visited yet that a page named which had been stored before without naming them. */
typedef void query_number_fn(void *ctx, uint32_t url);
enum status query_appeared(struct query *q, query_number_fn *fn, void *ctx) MUST_USE;

/* Every answered visit of a page, by time (crawl/watch/copies.h). */
enum look_kind {
    LOOK_NEW,     /* a page, compared with nothing */
    LOOK_CHANGED, /* a later version */
    LOOK_SAME,
    LOOK_GONE, /* 404, 410, a redirect, noindex */
};

struct query_look {
    int64_t at;
    uint32_t url;
    enum look_kind kind;
    struct str host; /* of pages; else empty */
};

typedef enum status query_look_fn(void *ctx, const struct query_look *look);
enum status query_looks(struct query *q, query_look_fn *fn, void *ctx) MUST_USE;

/* ---- URLs ---- */

/* What is known of a URL. */
struct query_url {
    uint32_t id;
    struct str url;
    uint16_t depth;
    uint32_t from_page; /* the first page that named it; 0: a seed */
    uint8_t state;      /* enum url_state (frontier/frontier.h) */
    enum drop drop;     /* why it is gone or was never offered */
    uint32_t page;      /* its newest page, or 0 */
    int64_t dropped_at; /* 0: unknown */
};

typedef enum status query_url_fn(void *ctx, const struct query_url *url);

/* A URL as a person gives it: exactly, then in its normal form, then with the
 * other scheme. ST_MISSING: never met (it may still be in `dropped`). */
enum status query_find(struct query *q, struct str text, uint32_t *ret_url) MUST_USE;
enum status query_url(struct query *q, uint32_t id, query_url_fn *fn, void *ctx) MUST_USE;
/* Why a URL that got no number was dropped: DROP_NONE where that is not known. */
enum status query_dropped(struct query *q, struct str text, enum drop *ret,
                          int64_t *ret_at) MUST_USE;

struct query_link {
    uint32_t from_page;
    struct str from_url; /* query_links_to() */
    uint32_t to;         /* number of the target */
    struct str to_url, anchor;
    double score; /* NAN: the model gave none */
    uint32_t pos; /* in the page */
};

typedef enum status query_link_fn(void *ctx, const struct query_link *link);
enum status query_links_from(struct query *q, uint32_t page, uint32_t max, query_link_fn *fn,
                             void *ctx) MUST_USE;
/* A page once, whatever it has of versions and links, with the best of its links. */
enum status query_links_to(struct query *q, uint32_t url, uint32_t max, query_link_fn *fn,
                           void *ctx) MUST_USE;

/* A link of a page, and what became of its target. */
struct query_target {
    uint32_t url;
    struct str href, anchor;
    double score;   /* NAN: the model gave none */
    uint32_t page;  /* its newest page; 0: none */
    enum drop drop; /* why it was not taken */
    bool open;      /* it may still be */
};

typedef enum status query_target_fn(void *ctx, const struct query_target *t);
enum status query_targets(struct query *q, uint32_t page, uint32_t max, query_target_fn *fn,
                          void *ctx) MUST_USE;

/* Visits of a URL that did not end with a page. */
struct query_outcome {
    int64_t at;
    int status;       /* 0: no answer */
    struct str error; /* where there was none */
    enum drop why;
    bool is_final;
    struct str redirect_to; /* empty: none */
    uint32_t attempt;
    struct str warc_file;
    uint64_t warc_offset;
};

typedef enum status query_outcome_fn(void *ctx, const struct query_outcome *outcome);
enum status query_outcomes(struct query *q, uint32_t url, query_outcome_fn *fn, void *ctx) MUST_USE;

/* URLs whose visits failed, in order of number; without requisites, which are no pages. */
struct query_failed {
    uint32_t url;
    struct str href;
    enum drop why;
    int status;       /* of the last answer; 0: none */
    struct str error; /* of the last attempt; empty: none was made, or it was answered */
    int64_t at;       /* of the last attempt; 0: none */
};

typedef enum status query_failed_fn(void *ctx, const struct query_failed *failed);
enum status query_failed(struct query *q, query_failed_fn *fn, void *ctx) MUST_USE;

/* ---- agents ---- */

/* Do they live on energy? Models without it store none. */
bool query_has_energy(struct query *q);

struct query_agent {
    uint32_t id, parent, generation;
    struct str name, kind, death;
    int64_t born_at, died_at; /* died_at 0: alive */
    uint32_t born_page;
    double energy;  /* now, or when it died */
    uint64_t pages; /* fetched for it */
};

typedef enum status query_agent_fn(void *ctx, const struct query_agent *agent);
enum status query_agents(struct query *q, query_agent_fn *fn, void *ctx) MUST_USE;

/* Those that left for another node of the crawl, and did not come back. */
typedef void query_away_fn(void *ctx, uint32_t agent);
enum status query_away(struct query *q, query_away_fn *fn, void *ctx) MUST_USE;
/* One by number; by name, or by number written in digits. ST_MISSING: none. */
enum status query_agent(struct query *q, uint32_t id, query_agent_fn *fn, void *ctx) MUST_USE;
enum status query_agent_named(struct query *q, struct str name, query_agent_fn *fn,
                              void *ctx) MUST_USE;
/* The first n children of an agent (0: those without a parent), oldest first; counts all. */
enum status query_children(struct query *q, uint32_t parent, uint32_t n, query_agent_fn *fn,
                           void *ctx, uint64_t *ret_all) MUST_USE;

struct query_visit {
    uint32_t agent, page;
    int64_t at;
    bool first;
    double before, delta, after;
    struct str url, title; /* empty: the page was forgotten */
    double relevance;
};

typedef enum status query_visit_fn(void *ctx, const struct query_visit *visit);
/* The newest `max` visits of an agent, oldest first. */
enum status query_visits(struct query *q, uint32_t agent, uint32_t max, query_visit_fn *fn,
                         void *ctx) MUST_USE;
/* Every visit, agent by agent. */
enum status query_histories(struct query *q, query_visit_fn *fn, void *ctx) MUST_USE;

/* The model's last description of an agent (agent/tell.h), JSON, appended, and when; nothing
 * where nothing was kept. */
enum status query_told(struct query *q, uint32_t agent, int64_t *ret_at, struct buf *ret) MUST_USE;

/* All visits of an agent together. */
struct query_life {
    uint64_t visits, found; /* found: it was the first there */
    double gained, paid;    /* sums of the deltas above and below 0; paid >= 0 */
};

enum status query_life(struct query *q, uint32_t agent, struct query_life *ret) MUST_USE;

/* The n best pages fetched for an agent, without hidden ones and duplicates. */
enum status query_finds(struct query *q, uint32_t agent, uint32_t n, query_page_fn *fn,
                        void *ctx) MUST_USE;
/* The same pages of all agents, numbers only, the best (page_rank) first. */
typedef enum status query_find_fn(void *ctx, uint32_t agent, uint32_t page, double rank);
enum status query_all_finds(struct query *q, query_find_fn *fn, void *ctx) MUST_USE;

/* ---- what happened last ---- */

struct query_activity {
    int64_t at;
    const char *kind; /* "born", "died", "found" */
    uint32_t agent, parent;
    struct str name, parent_name;
    uint32_t page;    /* found, or where it was born; 0: none */
    struct str title; /* of what was found, or its URL */
    double relevance;
    double p;         /* of what was found; NAN: not judged yet */
    struct str cause; /* of death */
};

typedef enum status query_activity_fn(void *ctx, const struct query_activity *a);
/* The newest n, newest first. Those who were there at the beginning are not told of; a page is
 * found from crawl('relevant_threshold') on. */
enum status query_activity(struct query *q, uint32_t n, query_activity_fn *fn, void *ctx) MUST_USE;

/* ---- what agents said to each other ----
 *
 * A conversation is all messages with the same number. One that begins with "cfp" is a
 * contract: a manager offers links, a contractor gets them (docs/models/crew.md). What
 * became of it is read from what was said, so it is what its manager knows. */

struct query_message {
    int64_t id, at;
    int64_t reply_by; /* 0: no answer is awaited */
    struct str conversation, performative, sender, receiver, content;
};

typedef enum status query_message_fn(void *ctx, const struct query_message *m);
/* The oldest n after number `after`, of one conversation (empty: of all). */
enum status query_messages(struct query *q, struct str conversation, int64_t after, uint32_t n,
                           query_message_fn *fn, void *ctx) MUST_USE;

struct query_conversation {
    uint32_t id;
    int64_t at, last_at; /* of its first and its last message */
    uint64_t messages;
    struct str performative;     /* of the first one */
    struct str sender, receiver; /* of the first one: a contract's manager and facilitator */
    bool contract;
    struct str contractor;    /* empty: none so far */
    uint64_t offered, passed; /* links; passed: as the contractor got them */
    /* Of a contract: "called", "awarded", "running", "done", "no-bid", "failed", "timed-out".
     * Else the performative of the last message. */
    struct str outcome;
    struct str detail; /* what was said with it: "crawled 4 of 5" */
};

typedef enum status query_conversation_fn(void *ctx, const struct query_conversation *c);
/* The newest n, oldest of them first; contracts alone, or all. */
enum status query_conversations(struct query *q, bool contracts, uint32_t n,
                                query_conversation_fn *fn, void *ctx) MUST_USE;

struct query_talks {
    uint64_t messages;
    uint64_t conversations, contracts;
    uint32_t first, last; /* numbers of conversations */
    int64_t last_at;      /* when something was said last */
};

enum status query_talks(struct query *q, struct query_talks *ret) MUST_USE;
/* When something was said last, alone; 0: never. */
enum status query_last_said(struct query *q, int64_t *ret) MUST_USE;
/* Messages a performative, most first. */
enum status query_performatives(struct query *q, query_count_fn *fn, void *ctx) MUST_USE;
