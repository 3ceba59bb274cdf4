/* judged.h - how probably pages are of the topic, as the model sees it (model.h: judge), kept
 * for the list of best pages.
 *
 * With every checkpoint, and at the end of a simulated crawl, the pages of which the model says
 * something else than before are posted as one EVENT_JUDGED. A resumed crawl posts all of them
 * once more. Where the model does not judge, nothing happens (but see crawl/judge/appraise.h). What
 * the model says is multiplied by how much of a document the page is (appraisal_document()).
 * 8 bytes a page. Thread: the mind.
 */
#pragma once

#include "flow.h"

struct crawl;
struct judged;

/* A page is stored under this number. */
void judged_page(struct crawl *c, uint32_t id, const struct arrival *a);
/* After a resume: the pages that are stored already. */
void judged_recall(struct crawl *c);

void judged_post(struct crawl *c);
void judged_free(struct judged *j); /* NULL is fine */
