/* outlook.h - how much of the topic is found, and how much more is out there?
 *
 * A crawl cannot know how many pages about its topic there are. But if its model judges pages
 * (model_judges), it can see that it finds fewer and fewer. Page k of n, with the probability p,
 * counts as a find of y = p^2; with y = p, many pages of a small p would outweigh the real finds.
 * Suppose that the finds fall off as exp(-l k / n). Then
 *
 *     SUM k y / (n SUM y) = 1/l - 1/(e^l - 1)      the mean place of a find, which gives l
 *     share = 1 - e^-l                             of the topic is found
 *     found = pages whose p is 1/2 or more
 *     more  = found (1 - share) / share
 *
 * It needs neither labels nor predicted values of links, which are several times too high.
 * docs/models/brood.md says how accurate this is: the share refers to the topic as the
 * model judges it, and tends to be too high. The interval comes from there: in four cases
 * of five l is off by a factor of at most 2 if the judgements are clear (SUM p (1 - p) is
 * below SUM p^2), otherwise of 3.5.
 */
#pragma once

#include "agent/model.h"

#define OUTLOOK_PAGES 60 /* with fewer, too little is known */

struct outlook {
    bool is_known;
    double found, share;
    double more, least, most; /* pages expected; the interval */
};

/* Estimates the outlook after so many pages, by reading the judgement of every page. It is unknown
 * if the model does not judge, if it is too early, or if the finds are not becoming fewer yet. */
struct outlook outlook_of(const struct model *m, uint64_t pages);

/* Adds a member "outlook" to an open JSON object, or nothing if it is not known. */
void outlook_put(const struct outlook *o, struct json *j);

/* Is it worth showing? While finds come almost as fast as before, a few pages more or less change
 * the estimate by hundreds. */
#define OUTLOOK_FIRM 0.25 /* of the topic is found */
bool outlook_is_firm(const struct outlook *o);

/* Writes "about 82 % of the topic is found (58 to 95 %)". It gives a share, because a second number
 * of pages could be confused with the number of relevant pages. */
void outlook_say(const struct outlook *o, struct buf *out);
