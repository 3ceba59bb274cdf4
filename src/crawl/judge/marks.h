/* marks.h - pages that a user called relevant or not, as examples.
 *
 *     label, title, text of the database -> terms -> the model, or a topic
 *
 * The model of a running crawl learns of a mark at once (model_learns.taught), and after
 * a resume of all that are kept. The topic's own measure stays as it is, so that pages of
 * one crawl are comparable. A later crawl takes them as examples of its topic by a line
 * `marks DIR` in the topic file.
 *
 * Terms are those of the stored title and text, so nothing is asked for and no archive
 * is needed. Costs one stemming of the page. Thread: the mind.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct crawl;
struct topic;

/* 1 relevant, 0 not, -1 neither any more. False: the model does not learn from marks, or
 * the page was not visited, or is not committed yet, or has no text. */
bool marks_teach(struct crawl *c, struct str url, int relevant);
/* Gives the model all marks that are kept. */
void marks_recall(struct crawl *c);

/* All marked pages of a crawl's directory become examples; those without text are passed
 * over. ST_MISSING, ST_CORRUPT: no crawl; ST_USAGE: nothing in it is marked. */
enum status marks_examples(const char *dir, struct topic *t) MUST_USE;
