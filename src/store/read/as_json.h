/* as_json.h - rows of the read side as JSON: a page, an agent, a visit.
 *
 * The command line, the exports and the dashboard's API choose which members they give and in which
 * order; the name and the form of each member are defined once, here. A value that does not exist
 * (a page, an agent, a text, a time) is null.
 */
#pragma once

#include "base/json.h"
#include "store/read/query.h"

enum page_member {
    PAGE_END, /* of a list */
    PAGE_ID,
    PAGE_NUMBER, /* the same, as "page": in rows of something else */
    PAGE_URL,
    PAGE_HOST,
    PAGE_TITLE,
    PAGE_RELEVANCE,
    PAGE_P, /* null: the model does not judge */
    PAGE_SIMILARITY,
    PAGE_STATUS,
    PAGE_MIME,
    PAGE_CHARSET,
    PAGE_LANG,
    PAGE_DECLARED, /* "lang_declared": what the page says */
    PAGE_FETCHED_AT,
    PAGE_DATE,
    PAGE_LATENCY,
    PAGE_BYTES,
    PAGE_DEPTH,
    PAGE_AGENT,
    PAGE_ENERGY,
    PAGE_DUP_OF,
    PAGE_VERSION_OF,
    PAGE_HIDDEN,
    PAGE_TRUNCATED,
    PAGE_DIGEST,
    PAGE_WARC_FILE,
    PAGE_WARC_OFFSET,
    PAGE_SCORE,
};

enum agent_member {
    AGENT_END,
    AGENT_ID,
    AGENT_CALLED, /* its name */
    AGENT_KIND,
    AGENT_PARENT,
    AGENT_GENERATION,
    AGENT_ENERGY,
    AGENT_PAGES,
    AGENT_BORN_AT,
    AGENT_BORN_PAGE,
    AGENT_DIED_AT,
    AGENT_DEATH,
};

enum visit_member {
    VISIT_END,
    VISIT_AGENT,
    VISIT_PAGE,
    VISIT_URL,
    VISIT_TITLE,
    VISIT_RELEVANCE,
    VISIT_AT,
    VISIT_FIRST,
    VISIT_BEFORE,
    VISIT_DELTA,
    VISIT_AFTER,
};

/* Writes members of an object that is open; the list `which` ends with the enum's first name. */
void page_put(struct json *j, const struct query_page *p, const enum page_member *which);
/* Writes "topics", the verdict of each topic on the page, if the crawl has several topics. */
enum status page_topics_put(struct json *j, struct query *q, uint32_t page) MUST_USE;
void agent_put(struct json *j, const struct query_agent *a, const enum agent_member *which);
void visit_put(struct json *j, const struct query_visit *v, const enum visit_member *which);

/* Writes the sums over all visits of an agent: visits, found, gained, paid. */
void life_put(struct json *j, const struct query_life *l);

/* The members of a page that is only mentioned: number ("page", or "id" if it is a node of a
 * graph), URL, title, relevance. */
extern const enum page_member page_named[], page_node[];
/* The first members of an agent in both trees, on its card and in `brood show`. */
extern const enum agent_member agent_row[];
