/* outlook.h - how much of the topic is found, and how much more is out there?
 *
 * Nobody tells a crawl how many pages about its topic there are. But if its model judges pages
 * (model_judges), it can see that it finds fewer and fewer. Page k of n, with the probability p,
 * counts as a find of y = p^2; with y = p, many pages of a small p would outweigh the real
 * finds. Suppose that the finds fall off as exp(-l k / n). Then
 *
 *     SUM k y / (n SUM y) = 1/l - 1/(e^l - 1)      the mean place of a find, which gives l
 *     share = 1 - e^-l                             of the topic is found
 *     found = pages whose p is 1/2 or more
 *     more  = found (1 - share) / share
 *
 * No labels are needed, and none of the predicted worths of links, which promise several times
 * too much. docs/models/brood.md says how far off this is: the share is of what the model takes
 * for the topic, and it is rather too high. The interval comes from there: in four cases of five l
 * is off by a factor of 2 at most where the judgements are clear (SUM p (1 - p) is below SUM p^2),
 * else of 3.5.
 */
#pragma once

#include "agent/model.h"

#define OUTLOOK_PAGES 60 /* before, too little is known */

struct outlook {
    bool is_known;
    double found, share;
    double more, least, most; /* pages expected; the interval */
};

/* The outlook after so many pages. Costs a look at every page. It is not known where the model
 * does not judge, where it is too early, or where the finds do not become fewer yet. */
struct outlook outlook_of(const struct model *m, uint64_t pages);

/* A member "outlook" of an open JSON object; nothing where it is not known. */
void outlook_put(const struct outlook *o, struct json *j);

/* Is it worth showing? As long as finds come almost as fast as before, a few pages more or less
 * change the estimate by hundreds. */
#define OUTLOOK_FIRM 0.25 /* of the topic is found */
bool outlook_is_firm(const struct outlook *o);

/* "about 82 % of the topic is found (58 to 95 %)": a share, not a second number of pages beside
 * those that count as relevant. */
void outlook_say(const struct outlook *o, struct buf *out);
