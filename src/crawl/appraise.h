/* appraise.h - at the end of a crawl all pages are judged once more (text/appraisal.h).
 *
 * Where the model judges pages itself (agent/model.h: model_judges), nothing happens: its
 * verdicts are posted as it goes (crawl/judged.h). Otherwise the stored pages are read twice:
 * first the start pages and at most APPRAISAL_DRAW others, to learn from them, then all pages, to
 * judge them. If there are several topics, each of them judges all pages, whatever the model does,
 * and the best of these verdicts is that of the page as a whole. The verdicts are posted as
 * EVENT_JUDGED, and the store keeps them as column `p`.
 * Duplicates, hidden pages and older versions, which no list shows, are left out.
 *
 * Nothing depends on it: a crawl that is cut off here keeps what it had, and its lists are
 * ordered by relevance. It takes about as long as cutting all texts into words. Thread: the mind.
 */
#pragma once

#include "crawl/crawl.h"

/* `progress` may be NULL. */
void appraise_pages(struct crawl *c, crawl_index_fn *progress, void *ctx);
