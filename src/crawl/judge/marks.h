/* marks.h - pages that a user called relevant or not, as examples.
 *
 *     label, title, text of the database -> terms -> the model, or a topic
 *
 * The model of a running crawl is given a mark at once (model_learns.taught), and all stored marks
 * after a resume. The topic's own relevance does not change, so that the pages of one crawl remain
 * comparable. A later crawl uses the marks as examples of its topic if its topic file has a line
 * `marks DIR`.
 *
 * Terms are those of the stored title and text, so neither a request nor an archive is needed.
 * Costs one stemming of the page. Thread: the mind.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct crawl;
struct topic;

/* Gives the model a mark: 1 relevant, 0 not relevant, -1 no longer marked. Returns false if the
 * model does not learn from marks, or if the page was not visited, is not committed yet, or has no
 * text. */
bool marks_teach(struct crawl *c, struct str url, int relevant);
/* Gives the model all stored marks. */
void marks_recall(struct crawl *c);

/* Makes all marked pages of a crawl's directory examples of the topic, except those without text.
 * ST_MISSING or ST_CORRUPT if it is not a crawl; ST_USAGE if it has no marks. */
enum status marks_examples(const char *dir, struct topic *t) MUST_USE;
