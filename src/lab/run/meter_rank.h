/* meter_rank.h - the part of a meter that is about the ranked list: what a user who asks for
 * the best pages (`brood top`) would be shown at this moment.
 *
 * Listed are the newest versions of all pages so far, without hidden pages, duplicates, seeds
 * and examples; by how probably the model says that they are of the topic, where it judges
 * pages (model_judges), else by an appraisal of all pages so far (text/appraisal.h), as at the
 * end of a crawl. Pages that are equal in this are ordered by relevance, then by number. A row
 * costs a look at every page, and a training.
 *
 *     p@k      targets among the first k : k
 *     ndcg@k   SUM 1 / log2(1 + place) over the targets among the first k : the same, if all
 *              targets that were fetched came first
 *
 * And of the estimate: of a model that judges pages, how much of the topic it thinks is found
 * (agent/outlook.h), and how far off that is.
 */
#pragma once

#include "lab/run/metric.h"

struct model;
struct rank_meter;

/* `t` is lent for its life. */
struct rank_meter *ranks_new(const struct truth *t);
void ranks_free(struct rank_meter *r); /* NULL is fine */

/* The model that runs, lent until it is NULL: what it said last still counts then. */
void ranks_ask(struct rank_meter *r, const struct model *m);
void ranks_page(struct rank_meter *r, const struct event *e);   /* EVENT_PAGE of a URL of the web */
void ranks_judged(struct rank_meter *r, const struct event *e); /* EVENT_JUDGED */
/* The row has its recall already. */
void ranks_row(struct rank_meter *r, double *row);
