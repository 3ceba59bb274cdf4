/* judged.h - how probably pages are of the topic, as the model sees it (model.h: judge), kept
 * for the list of best pages.
 *
 * With every checkpoint, and at the end of a simulated crawl, the pages of which the model says
 * something else than before are posted as one EVENT_JUDGED. A resumed crawl posts all of them
 * once more. Where the model does not judge, nothing happens. 4 bytes a page. Thread: the mind.
 */
#pragma once

struct crawl;
struct judged;

void judged_post(struct crawl *c);
void judged_free(struct judged *j); /* NULL is fine */
