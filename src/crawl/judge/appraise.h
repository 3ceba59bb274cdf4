/* appraise.h - judges all pages again at the end of a crawl (text/appraisal.h).
 *
 * If the model judges pages itself (agent/model.h: model_judges), nothing happens: its verdicts are
 * posted during the crawl, and a last time at its end (crawl/judge/judged.h). Otherwise the stored
 * pages are read twice: first the start pages and at most APPRAISAL_DRAW others, to learn from
 * them, then all pages, to judge them. If there are several topics, each of them judges all pages,
 * whatever the model does, and the best of these verdicts is that of the page as a whole. The
 * verdicts are posted as EVENT_JUDGED, and the store keeps them as column `p`. Duplicates, hidden
 * pages and older versions, which no list shows, are left out.
 *
 * Nothing depends on it: a crawl that is killed here loses nothing, and its lists are ordered by
 * relevance. The words of pages of this run are kept in the spool (spool.h); for pages of earlier
 * runs all texts must be split into words again. Thread: the mind.
 */
#pragma once

#include "crawl/crawl.h"

struct spool;
struct topic;

/* Gets all verdicts of a topic (its name; empty: the crawl's only one, or all together). */
typedef enum status appraise_fn(void *ctx, struct str topic, const struct page_verdict *rows,
                                size_t count);

struct appraise_config {
    const char *dir;
    const struct topic *topic;
    bool seeds_teach;    /* start pages are examples */
    struct spool *spool; /* pages whose texts need not be read; may be NULL */
    appraise_fn *sink;
    void *sink_ctx;
};

/* Judges the pages of any directory; `progress` may be NULL. ST_STOPPED. */
enum status appraise_directory(const struct appraise_config *config, crawl_index_fn *progress,
                               void *ctx) MUST_USE;

/* Notes the current state of a page that is stored under this number. */
void appraise_page(struct crawl *c, uint32_t id, const struct arrival *a);
/* Judges the pages at the end of a crawl; `progress` may be NULL. */
void appraise_pages(struct crawl *c, crawl_index_fn *progress, void *ctx);
