/* judged.h - the model's probability that a page is on the topic (model.h: judge), kept for the
 * list of best pages.
 *
 * With every checkpoint, and at the end of a simulated crawl, the pages whose probability has
 * changed are posted as one EVENT_JUDGED. A resumed crawl posts all of them again. If the model
 * does not judge, nothing happens (but see crawl/judge/appraise.h). The model's probability is
 * multiplied by how much of a document the page is (appraisal_document()). Memory: 8 bytes a page.
 * Thread: the mind.
 */
#pragma once

#include "flow.h"

struct crawl;
struct judged;

/* Notes a page that is stored under this number. */
void judged_page(struct crawl *c, uint32_t id, const struct arrival *a);
/* After a resume: notes the pages that are stored already. */
void judged_recall(struct crawl *c);

void judged_post(struct crawl *c);
/* At the end of a crawl, after its last checkpoint: lets the model judge once more, with all effort
 * (model.h: conclude), and posts what has changed. */
void judged_conclude(struct crawl *c);
void judged_free(struct judged *j); /* NULL is fine */
