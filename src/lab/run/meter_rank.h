/* meter_rank.h - the part of a meter that measures the ranked list: the pages that a user who asks
 * for the best ones (`brood top`) would be shown at this moment.
 *
 * The list has the newest versions of all pages so far, without hidden pages, duplicates, seeds and
 * examples. It is ordered by the model's probability that a page is on the topic, if the model
 * judges pages (model_judges), else by an appraisal of all pages so far (text/appraisal.h), as at
 * the end of a crawl. Pages that are equal in this are ordered by relevance, then by number. A row
 * costs a pass over all pages, and a training.
 *
 *     p@k      targets among the first k : k
 *     ndcg@k   SUM 1 / log2(1 + place) over the targets among the first k : the same, if all
 *              targets that were fetched came first
 *
 * For a model that judges pages it also measures the estimate of how much of the topic is found
 * (agent/outlook.h), and its error.
 */
#pragma once

#include "lab/run/metric.h"

struct model;
struct rank_meter;

/* `t` is lent for its life. */
struct rank_meter *ranks_new(const struct truth *t);
void ranks_free(struct rank_meter *r); /* NULL is fine */

/* Sets the model that runs, lent until this is called with NULL; its last judgements still count
 * then. */
void ranks_ask(struct rank_meter *r, const struct model *m);
void ranks_page(struct rank_meter *r, const struct event *e);   /* EVENT_PAGE of a URL of the web */
void ranks_judged(struct rank_meter *r, const struct event *e); /* EVENT_JUDGED */
/* Writes its metrics into a row that already has the recall. */
void ranks_row(struct rank_meter *r, double *row);
