/* query.h - the read side: all queries of the commands and the dashboard.
 *
 * A query has its own read-only connection: it works beside a running crawl
 * (it sees the last checkpoint) and in any number of processes. Rows are
 * passed to callbacks; their strings are lent for the call. A callback that returns anything but
 * ST_OK ends the stream with that status.
 *
 * While a crawl runs, the indexes for readers are missing, and looking up a URL or a conversation
 * is a scan. Callers that ask often open a query with a view (view.h), which has the same
 * functions. A query is used by one thread.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "flow.h"
#include "parse/use.h"

#include <math.h>

struct query;
struct text_extent; /* text/appraisal.h */

/* Opens a crawl for reading. Fails with ST_MISSING or ST_CORRUPT, and a sentence, if it is not a
 * crawl. */
enum status query_open(const char *dir, struct query **ret) MUST_USE;
void query_close(struct query *q);

/* A query that is closed at the end of its block: LOCAL_QUERY *q = NULL; */
#define LOCAL_QUERY __attribute__((cleanup(query_drop))) struct query
void query_drop(struct query **q);

/* ---- the crawl itself ---- */

/* Appends the value of a key of table `crawl`. ST_MISSING if there is no such key. */
enum status query_key(struct query *q, const char *key, struct buf *ret) MUST_USE;
/* Gets a number that the crawl counted (crawl/samples.c), by its key. Returns false if there is
 * none. */
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
/* Counts the pages whose text is not in the full-text index yet; store_index() indexes them. */
enum status query_unindexed(struct query *q, uint64_t *ret) MUST_USE;
typedef enum status query_count_fn(void *ctx, struct str name, uint64_t n);
enum status query_drops(struct query *q, query_count_fn *fn, void *ctx) MUST_USE; /* most first */
/* Has the crawl ended, so that its indexes exist? Is there an index of links by their targets? */
enum status query_is_closed(struct query *q, bool *ret) MUST_USE;
enum status query_knows_targets(struct query *q, bool *ret) MUST_USE;
/* The figures over time, from the sample after number `after` on. */
typedef enum status query_sample_fn(void *ctx, int64_t id, int64_t at, struct str metric,
                                    double value);
enum status query_samples(struct query *q, int64_t after, query_sample_fn *fn, void *ctx) MUST_USE;
/* Gets how many hosts were idle on average because of --patience; NAN if that was not counted.
 * Reads all samples. */
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
    double p; /* its probability to be on the topic, by the model; NAN: the model does not judge */
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

/* Returns how sure we are that a page is on the topic, in [0,1]. Lists are ordered by it, and
 * people see it as 0 to 100. It is p, which a page gets from the model or at the end of the crawl
 * (docs/relevance.md). Until then it is computed from the relevance alone: a relevance of
 * QUERY_HALF gives 0.5. */
#define QUERY_HALF 0.05
static inline double page_rank(const struct query_page *p)
{
    return isnan(p->p) ? p->relevance / (p->relevance + QUERY_HALF) : p->p;
}

/* The same as people see it, 0 to 100. */
static inline int page_sure(const struct query_page *p)
{
    return (int)(100 * page_rank(p) + 0.5);
}

/* Lists the n best pages (page_rank) in their newest versions, without hidden pages and
 * duplicates. */
enum status query_top(struct query *q, uint32_t n, query_page_fn *fn, void *ctx) MUST_USE;
/* Lists the pages at which the crawl started, among its first thousands of pages; the newest
 * first. */
enum status query_seeds(struct query *q, uint32_t n, query_page_fn *fn, void *ctx) MUST_USE;
/* If the crawl has several topics: the verdict of each topic on a page, by the name of the
 * topic. */
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
/* Lists the names of the topics only; none if the crawl has one topic. */
typedef enum status query_topic_name_fn(void *ctx, struct str name);
enum status query_topic_names(struct query *q, query_topic_name_fn *fn, void *ctx) MUST_USE;
/* ST_USAGE if the crawl has no such topic; the sentence names the topics that exist. */
enum status query_topic_check(struct query *q, struct str topic) MUST_USE;
/* Appends the words that speak for the topic (text/topic.h: topic_words()). If the crawl has
 * several topics, these are the words of the topic with this name, or of all topics (NULL). */
enum status query_topic_words(struct query *q, const char *name, struct buf *ret) MUST_USE;
/* query_top() by the verdict of one topic (query_topic_check()), which is then the relevance and
 * the p of a page. */
enum status query_top_of(struct query *q, struct str topic, uint32_t n, query_page_fn *fn,
                         void *ctx) MUST_USE;
/* From now on query_pages() leaves out the pages whose owners reserved this use. query_left_out()
 * returns how many pages its last call left out. */
void query_for(struct query *q, enum use use);
uint64_t query_left_out(const struct query *q);
/* Appends the rules for the use of a page, from the page itself and from the robots.txt of its
 * host, as a list (parse/use.h). Appends nothing if there are none. */
enum status query_use(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* Lists all pages in order of number, without hidden ones. */
enum status query_pages(struct query *q, query_page_fn *fn, void *ctx) MUST_USE;
/* Each page (its first version) with the page that first named it, in order of number. */
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
/* Is this word of a search an operator: AND, OR or NOT? */
bool query_is_operator(struct str word);
/* Lists the n best matches among newest versions. `words` is an expression of FTS5; other text is
 * taken as plain words. `all_text`: searches menus and footers too, not only titles and main texts.
 * ST_USAGE if it has operators but is not a valid expression. */
enum status query_search(struct query *q, struct str words, bool all_text, uint32_t n,
                         query_page_fn *fn, void *ctx) MUST_USE;
/* query_pages_with() counts the pages whose title or text (menus and footers too) has a word.
 * query_near() lists up to three words of the index that are spelled similarly, those on most pages
 * first. */
enum status query_pages_with(struct query *q, struct str word, uint64_t *ret) MUST_USE;
enum status query_near(struct query *q, struct str word, query_count_fn *fn, void *ctx) MUST_USE;
/* Gets one page by number. ST_MISSING if there is none. */
enum status query_page(struct query *q, uint32_t id, query_page_fn *fn, void *ctx) MUST_USE;
/* Lists all versions of a URL, oldest first. */
enum status query_versions(struct query *q, uint32_t url, query_page_fn *fn, void *ctx) MUST_USE;
/* Appends the stored text of a page. ST_MISSING for a hidden page. */
enum status query_text(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* Appends the main text of a page, one passage a line. In a crawl by an earlier version, which did
 * not tell main text from the rest, it is the whole text. */
enum status query_main(struct query *q, uint32_t page, struct buf *ret) MUST_USE;
/* How much text it has (text/appraisal.h), and where in it the main text begins (may be NULL). */
enum status query_extent(struct query *q, uint32_t page, struct text_extent *ret,
                         size_t *ret_begins) MUST_USE;
/* Shows why a page is in a list: appends an extract of its main text (of the whole text if the main
 * text has none of `words`; snippet.h), and which of the words it has. Appends nothing for a page
 * without a text. */
enum status query_snippet(struct query *q, const struct query_page *page, struct str words,
                          struct buf *ret, struct buf *ret_why) MUST_USE;
/* Reads the archived reply of a page: the record of the response itself, even if the page's own
 * record is a revisit of another one. Free it with warc_record_free(). ST_MISSING if it was not
 * archived. */
struct warc_record;
enum status query_payload(struct query *q, uint32_t page, struct warc_record *ret) MUST_USE;
/* Reads the HTML that an archived page was read as, if it is a PDF or the like; else ST_MISSING. */
enum status query_conversion(struct query *q, uint32_t page, struct warc_record *ret) MUST_USE;

/* ---- marks: what the user called relevant or not ---- */

/* The marks by URL, each with the newest page that is stored for it. */
typedef enum status query_marked_fn(void *ctx, struct str url, bool relevant, uint32_t page);
enum status query_marked(struct query *q, query_marked_fn *fn, void *ctx) MUST_USE;
/* Appends the mark of a URL: "relevant", "irrelevant" or nothing. */
enum status query_label(struct query *q, struct str url, struct buf *ret) MUST_USE;
/* Marks a URL of a crawl that does not run: 1 relevant, 0 irrelevant, -1 neither. ST_BUSY if it
 * runs: then the running crawl must be asked to set the mark. */
enum status query_mark(const char *dir, struct str url, int relevant) MUST_USE;

/* ---- news: pages that a watch announced ---- */

struct query_news {
    uint32_t id; /* counted from 1 */
    int64_t at;  /* when it was announced */
    const struct query_page *page;
};

typedef enum status query_news_fn(void *ctx, const struct query_news *news);
/* Lists at most `max` news after number `after`, oldest first. */
enum status query_news(struct query *q, uint32_t after, uint32_t max, query_news_fn *fn,
                       void *ctx) MUST_USE;
/* Gets the number of the last one; 0 if there is none. */
enum status query_news_last(struct query *q, uint32_t *ret) MUST_USE;
/* When the news after number `after` were announced, oldest first. `changed`: it was a later
 * version of a known page. */
typedef enum status query_news_time_fn(void *ctx, uint32_t id, int64_t at, bool changed);
enum status query_news_times(struct query *q, uint32_t after, query_news_time_fn *fn,
                             void *ctx) MUST_USE;
enum status query_news_count(struct query *q, uint64_t *ret) MUST_USE;
/* URLs that are not visited yet and that were added to a page since its first visit. */
typedef void query_number_fn(void *ctx, uint32_t url);
enum status query_appeared(struct query *q, query_number_fn *fn, void *ctx) MUST_USE;

/* All answered visits of pages, by time (crawl/watch/copies.h). */
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
};

typedef enum status query_url_fn(void *ctx, const struct query_url *url);

/* Finds a URL as a person wrote it: exactly, then in its normal form, then with the other scheme.
 * ST_MISSING if the crawl has not met it (it may still be in `dropped`). */
enum status query_find(struct query *q, struct str text, uint32_t *ret_url) MUST_USE;
enum status query_url(struct query *q, uint32_t id, query_url_fn *fn, void *ctx) MUST_USE;
/* Gets why a URL without a number was dropped; DROP_NONE if that is not known. */
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
/* Lists the pages that link to a URL. Each is listed once, with the best of its links, however many
 * versions and links it has. */
enum status query_links_to(struct query *q, uint32_t url, uint32_t max, query_link_fn *fn,
                           void *ctx) MUST_USE;

/* A link of a page, and what became of its target. */
struct query_target {
    uint32_t url;
    struct str href, anchor;
    double score;   /* NAN: the model gave none */
    uint32_t page;  /* its newest page; 0: none */
    enum drop drop; /* why it was not taken */
    bool open;      /* it may still be fetched */
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

/* URLs whose visits failed, in order of number; requisites are left out, because they are not
 * pages. */
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

/* Do the agents have energy? Models without energy store none. */
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

/* Agents that left for another node of the crawl and did not come back. */
typedef void query_away_fn(void *ctx, uint32_t agent);
enum status query_away(struct query *q, query_away_fn *fn, void *ctx) MUST_USE;
/* Gets one agent by number, or by name or a number written in digits. ST_MISSING if there is
 * none. */
enum status query_agent(struct query *q, uint32_t id, query_agent_fn *fn, void *ctx) MUST_USE;
enum status query_agent_named(struct query *q, struct str name, query_agent_fn *fn,
                              void *ctx) MUST_USE;
/* Lists the first n children of an agent (0: the agents without a parent), oldest first, and counts
 * all of them. */
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
/* Lists the newest `max` visits of an agent, the oldest of them first. */
enum status query_visits(struct query *q, uint32_t agent, uint32_t max, query_visit_fn *fn,
                         void *ctx) MUST_USE;
/* Lists every visit, agent by agent. */
enum status query_histories(struct query *q, query_visit_fn *fn, void *ctx) MUST_USE;

/* Appends the model's last description of an agent as JSON (agent/tell.h), and gets its time.
 * Appends nothing if none was kept. */
enum status query_told(struct query *q, uint32_t agent, int64_t *ret_at, struct buf *ret) MUST_USE;

/* All visits of an agent together. */
struct query_life {
    uint64_t visits, found; /* found: visits of pages that it was the first to reach */
    double gained, paid;    /* sums of the deltas above and below 0; paid >= 0 */
};

enum status query_life(struct query *q, uint32_t agent, struct query_life *ret) MUST_USE;

/* Lists the n best pages fetched for an agent, without hidden ones and duplicates. */
enum status query_finds(struct query *q, uint32_t agent, uint32_t n, query_page_fn *fn,
                        void *ctx) MUST_USE;
/* The same pages for all agents, by number only, the best (page_rank) first. */
typedef enum status query_find_fn(void *ctx, uint32_t agent, uint32_t page, double rank);
enum status query_all_finds(struct query *q, query_find_fn *fn, void *ctx) MUST_USE;

/* ---- recent events ---- */

struct query_activity {
    int64_t at;
    const char *kind; /* "born", "died", "found" */
    uint32_t agent, parent;
    struct str name, parent_name;
    uint32_t page;    /* found, or where it was born; 0: none */
    struct str title; /* of the page found, or its URL */
    double relevance;
    double p;         /* of the page found; NAN: not judged yet */
    struct str cause; /* of death */
};

typedef enum status query_activity_fn(void *ctx, const struct query_activity *a);
/* Lists the newest n events, newest first. Agents that existed at the beginning are not listed as
 * born; a page is listed as found if its relevance is at least crawl('relevant_threshold'). */
enum status query_activity(struct query *q, uint32_t n, query_activity_fn *fn, void *ctx) MUST_USE;

/* ---- what agents said to each other ----
 *
 * A conversation is all messages with the same number. One that begins with "cfp" is a
 * contract: a manager offers links, a contractor gets them (docs/models/crew.md). Its outcome is
 * derived from its messages, so it is the outcome that its manager knows. */

struct query_message {
    int64_t id, at;
    int64_t reply_by; /* 0: no answer is awaited */
    struct str conversation, performative, sender, receiver, content;
};

typedef enum status query_message_fn(void *ctx, const struct query_message *m);
/* Lists the oldest n messages after number `after` of one conversation (empty: of all). */
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
    uint64_t offered, passed; /* links; passed: those that the contractor received */
    /* Of a contract: "called", "awarded", "running", "done", "no-bid", "failed", "timed-out".
     * Else the performative of the last message. */
    struct str outcome;
    struct str detail; /* the words that came with it: "crawled 4 of 5" */
};

typedef enum status query_conversation_fn(void *ctx, const struct query_conversation *c);
/* Lists the newest n conversations, the oldest of them first: only contracts, or all. */
enum status query_conversations(struct query *q, bool contracts, uint32_t n,
                                query_conversation_fn *fn, void *ctx) MUST_USE;

struct query_talks {
    uint64_t messages;
    uint64_t conversations, contracts;
    uint32_t first, last; /* numbers of conversations */
    int64_t last_at;      /* time of the last message */
};

enum status query_talks(struct query *q, struct query_talks *ret) MUST_USE;
/* Gets only the time of the last message; 0 if there is none. */
enum status query_last_said(struct query *q, int64_t *ret) MUST_USE;
/* Counts the messages of each performative, most frequent first. */
enum status query_performatives(struct query *q, query_count_fn *fn, void *ctx) MUST_USE;
