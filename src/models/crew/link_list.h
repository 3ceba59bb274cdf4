/* link_list.h - a few links with their scores, in order; and as text in a message.
 *
 * As text: "12=0.5 15=0.25": number of the URL, score. Scores are whole numbers of
 * 1 / LINK_STEPS, so that the text has their exact values.
 */
#pragma once

#include "base/buf.h"

struct listed_link {
    uint32_t url;
    double score;
};

struct link_list {
    struct listed_link *items;
    size_t count, cap;
};

#define LINK_STEPS 1e7

/* The nearest score that can be written as text; in [0,1]. */
double link_rounded(double score);

void link_list_clear(struct link_list *l); /* frees everything; zeroed is empty */
void link_list_add(struct link_list *l, uint32_t url, double score);
void link_list_remove(struct link_list *l, size_t i);           /* the order stays */
size_t link_list_find(const struct link_list *l, uint32_t url); /* SIZE_MAX: not there */

/* Writes at most `max` of them, and how many more there are: "12=0.5 15=0.25 and 3 more". */
void link_list_write(const struct link_list *l, size_t max, struct buf *out);

/* The numbers of a text like "12=0.5 15" one by one, up to the first word that is not one:
 *     while (link_text_next(&rest, &url, &score)) ... */
bool link_text_next(struct str *rest, uint32_t *ret_url, double *ret_score);

void link_list_save(const struct link_list *l, struct buf *out);
enum status link_list_load(struct link_list *l, struct cursor *from) MUST_USE; /* of an empty one */
