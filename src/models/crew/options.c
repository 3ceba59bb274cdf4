/* options.c - what can be set, and where the values come from.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/limits.h"
#include "models/crew/relate.h"

#define AT(field) .offset = offsetof(struct crew_options, field)
#define PAPER     "Du, Xu, Wang 2016"
#define OURS      "ours; the paper does not say"

const struct option crew_option_table[] = {
    {CHOICE_OPTION("organisation", organisation, "crew|xiangdan|wyy", "crew"),
     .help = "crawlers with assistants; or crawlers that judge and negotiate themselves, and "
             "stop fetching meanwhile (xiangdan: by keywords; wyy: with lattices)",
     .source = PAPER "; the other two are emulated from its account of them"},
    {INT_OPTION("groups", groups, "N", "1", 1, CREW_GROUPS),
     .help = "groups, each with a facilitator",
     .source = PAPER ": any number; its experiments have one"},
    {INT_OPTION("crawlers", crawlers, "N", "5", 1, CREW_CRAWLERS), .help = "crawlers of a group",
     .source = PAPER ": 5 and 10"},
    {INT_OPTION("visits", visits, "N", "0", 0, 100000),
     .help = "visits a crawler may have under way (0: its share of the connections, but no more "
             "than 2)",
     .source = "ours; 1 in the paper"},
    {DURATION_OPTION("interval", interval, "TIME", "3s", 0.001, 1e7),
     .help = "T: abilities are judged so often", .source = "ours, measured; " PAPER ": 120"},
    {REAL_OPTION("threshold", threshold, "W", "0.25", 0, 1),
     .help = "W: an agent of at least this ability gives links away", .source = PAPER ", table 1"},
    {INT_OPTION("relent", relent, "N", "3", 0, 1e9),
     .help = "without WordNet, or with --pages: after N rounds without a contract the most able "
             "agent gives links away even if nobody reached the threshold (0: never)",
     .source = "ours; the paper's threshold is for abilities with WordNet, in an hour"},
    {CHOICE_OPTION("managers", managers, "one|all", "one"),
     .help = "who may call in a round: the most able, or all above the threshold in turn",
     .source = PAPER ": one"},
    {INT_OPTION("candidates", candidates, "M", "0", 0, CREW_CRAWLERS),
     .help = "m: agents of lowest ability that are asked for bids (0: half of the others)",
     .source = "ours; 1: " PAPER},
    {INT_OPTION("links", links, "N", "50", 1, 500), .help = "n: links offered at most",
     .source = OURS},
    {REAL_OPTION("share", share, "X", "0.1", 0, 1), .help = "and at most this share of the queue",
     .source = OURS},
    {CHOICE_OPTION("offer", offer, "best|alternate", "best"),
     .help = "which links are offered: the best, or every other of twice as many", .source = OURS},
    {CHOICE_OPTION("bid", bid, "below|at-most", "below"),
     .help = "an agent bids where its best link is below, or not above, all that are offered",
     .source = PAPER},
    {CHOICE_OPTION("award", award, "bidding|min_ability", "bidding"),
     .help = "the bidder of lowest ability gets the links, or the least able without any bids",
     .source = PAPER ": section 4, or section 5"},
    {REAL_OPTION("alpha", alpha, "X", "0.5", 0, 1),
     .help = "weight of S, the links, in the ability; 1 - alpha is that of M, the lattices",
     .source = OURS},
    {REAL_OPTION("tau", tau, "X", "0.1", 0, 1),
     .help = "a link of at least this score is on topic, and counts in S", .source = OURS},
    {REAL_OPTION("on_topic", on_topic, "X", "0.1", 0, 1),
     .help = "a page of at least this Sim belongs into the facilitator's lattice", .source = OURS},
    {REAL_OPTION("delta1", isa, "X", "0.5", 1e-6, 0.999999),
     .help = "cs of a word and its kind, to the power of the levels between them", .source = PAPER},
    {REAL_OPTION("delta2", part, "X", "0.3333333333", 1e-6, 0.999999),
     .help = "cs of a whole and its part", .source = PAPER},
    {INT_OPTION("depth", depth, "N", "3", 1, CS_DEPTH_MAX),
     .help = "levels that the relation of kinds spans; 1: the direct one", .source = OURS},
    {INT_OPTION("terms", terms, "N", "0", 0, RELATE_TERMS_MAX),
     .help = "terms of a page that Sim looks at: the heaviest (0: 20, and without WordNet 256)",
     .source = OURS},
    {CHOICE_OPTION("floor", floor, "repaired|printed", "repaired"),
     .help = "cs of unrelated words in Sim: 0, or 0.001, which makes unrelated pages look near",
     .source = PAPER ": 0.001"},
    {TEXT_OPTION("wordnet", wordnet, "DIR"),
     .help = "where WordNet's files are; empty: where packages put them; pages: without WordNet,"
             " keywords are as near as the pages that have them; none: equal words only",
     .source = PAPER},
    {INT_OPTION("keywords", keywords, "N", "50", 1, LIMIT_LATTICE_ATTRIBUTES),
     .help = "keywords of a lattice", .source = OURS},
    {INT_OPTION("per_page", per_page, "N", "8", 1, LIMIT_LATTICE_ROW),
     .help = "keywords a page can have", .source = OURS},
    {INT_OPTION("window", window, "N", "1000", 1, LIMIT_LATTICE_OBJECTS),
     .help = "newest pages that a lattice is made of", .source = OURS},
    {FLAG_OPTION("check", check), .fallback = "yes",
     .help = "assistants ask the facilitator whether a URL was crawled; no: pages are fetched "
             "again by every agent that finds them",
     .source = PAPER ": yes; without it in table 2"},
    {FLAG_OPTION("deal", deal), .fallback = "yes",
     .help = "where there are fewer seeds than crawlers, those without get links of the first "
             "pages",
     .source = "ours; the paper has a seed for each"},
    {DURATION_OPTION("deadline", deadline, "TIME", "10s", 0.001, 1e6),
     .help = "an answer that is not there by then will not come", .source = OURS},
    {DURATION_OPTION("think", think, "TIME", "50ms", 0, 3600),
     .help = "time that judging takes, for each page read since the last time; without "
             "assistants the crawler fetches nothing meanwhile",
     .source = OURS},
    {DURATION_OPTION("survival", survival, "TIME", "0s", 0, 1e9),
     .help = "the facilitators stop everybody after this time (0: never)", .source = PAPER},
    {CHOICE_OPTION("parents", parents, PARENTS_CHOICES, "max"),
     .help = "how the scores of several parents of one link are joined", .source = OURS},
    {INT_OPTION("buffer", buffer, "N", "0", 0, 1e9),
     .help = "links that may wait in one agent's queue; the lowest leave (0: no ceiling)",
     .source = OURS},
    {.name = NULL},
};

enum status crew_check(const void *options)
{
    const struct crew_options *o = options;

    if (o->groups * o->crawlers > CREW_CRAWLERS)
        return status_fail(ST_USAGE, "crew: %lld groups of %lld are more than %d crawlers",
                           (long long)o->groups, (long long)o->crawlers, CREW_CRAWLERS);
    return ST_OK;
}
