/* appraise.h - at the end of a crawl all pages are judged once more (text/appraisal.h).
 *
 * Where the model judges pages itself (agent/model.h: model_judges), nothing happens: its
 * verdicts are posted as it goes (crawl/judged.h). Otherwise the stored pages are read, at most
 * APPRAISAL_DRAW of them and the start pages to learn from, then all of them; what comes out is
 * posted as EVENT_JUDGED, so that the store has it as column `p`. Duplicates, hidden pages and
 * older versions, which no list shows, are left out.
 *
 * Nothing depends on it: a crawl that is cut off here, or whose user is in a hurry, keeps
 * what it had, and its lists are by relevance. It takes about as long as cutting all texts into
 * words. Thread: the mind.
 */
#pragma once

#include "crawl/crawl.h"

/* `progress` may be NULL. */
void appraise_pages(struct crawl *c, crawl_index_fn *progress, void *ctx);
