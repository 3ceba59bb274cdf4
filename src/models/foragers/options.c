/* options.c - what can be set, and where the values come from.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/str.h"
#include "models/foragers/foragers.h"

#define AT(field) .offset = offsetof(struct foragers_options, field)
#define PAPER     "Palotai, Farkas, Lorincz 2005"

const struct option foragers_option_table[] = {
    {TEXT_OPTION("kind", kind, "wl|rl|wlrl|K:N,K:N"), .fallback = "wlrl",
     .help = "learn where to start (wl: weblog), what to follow (rl: reinforcement), or both; "
             "wlrl:8,wl:8: a mixed fleet, with at most so many of each",
     .source = PAPER "; both: their later work; mixed is ours"},
    {INT_OPTION("steps", steps, "N", "100", 1, STEPS_MAX),
     .help = "choices after the start of a path: it has one page more", .source = "MAX_STEP"},
    {INT_OPTION("weblog", weblog, "N", "100", 1, WEBLOG_MAX),
     .help = "URLs a forager remembers as places to start", .source = "WEBLOG_SIZE"},
    {INT_OPTION("start_size", start_size, "N", "10", 1, WEBLOG_MAX),
     .help = "the first so many of them are where paths begin", .source = "START_SIZE"},
    {CHOICE_OPTION("starts", starts, "random|rate", "random"),
     .help = "any of these, or the likelier the more often its page seems to change",
     .source = "random: the paper, which names the other; its form is ours"},
    {REAL_OPTION("beta", beta, "X", "0.3", 0, 1),
     .help = "by how much a URL of the weblog moves towards what its last path brought",
     .source = PAPER},
    {CHOICE_OPTION("gain", gain, "net|rewards", "net"),
     .help = "what the weblog adds up: rewards and penalties, or rewards alone",
     .source = "rewards: the paper; net is ours"},
    {REAL_OPTION("alpha", alpha, "X", "0.1", 0, 1), .help = "rate of learning", .source = PAPER},
    {REAL_OPTION("gamma", gamma, "X", "0.9", 0, 1), .help = "what the next page's value counts for",
     .source = PAPER},
    {CHOICE_OPTION("td", td, TD_RULES, "stable"),
     .help = "the step of learning: alpha by the squared length of the state, or alpha (as "
             "printed: diverges with standard states)",
     .source = "plain: the paper; stable is ours"},
    {CHOICE_OPTION("last", last, "bootstrap|reward", "bootstrap"),
     .help = "the last step of a path is learned like any other, or from its reward alone",
     .source = "bootstrap: the paper; reward is ours"},
    {CHOICE_OPTION("weights", weights, TD_WEIGHTS, "uniform"),
     .help = "of a new forager: from [-1,1), or normal with variance 1 : k",
     .source = "\"random\" in the paper; ours"},
    {TEXT_OPTION("clusters", clusters, "FILE"), .fallback = "self",
     .help = "a file made by 'brood topic clusters'; self: made of the first pages of the crawl",
     .source = "the paper's were made of pages of another site; self is ours"},
    {INT_OPTION("k", k, "N", "50", 1, TD_K_MAX),
     .help = "clusters=self: how many, and so how long a page's state is", .source = PAPER},
    {INT_OPTION("learn", learn, "N", "500", 0, LEARN_MAX),
     .help = "clusters=self: made when so many documents were seen; until then links are taken "
             "in the order they were met (0: always)",
     .source = "ours"},
    {CHOICE_OPTION("mapping", mapping, CLUSTERS_MAPPINGS, "standard"),
     .help = "of the classifier's outputs to a state: tanh of the standardised ones, or of the "
             "outputs as they are",
     .source = "raw: the paper; standard is ours"},
    {DURATION_OPTION("max_age", max_age, "T", "0", 0, 86400.0 * 36500),
     .help = "an older document is no news (0: with --pages no document is too old, otherwise 24 "
             "hours)",
     .source = PAPER ": 24 hours"},
    {REAL_OPTION("relevant", relevant, "R", "0.05", 0, 1),
     .help = "from this relevance on a document is of the topic (0: every document is)",
     .source = "the paper has no topic: 0; ours: as --relevant of a crawl"},
    {CHOICE_OPTION("send", send, "recent|relevant", "recent"),
     .help = "a forager sends all that may be news, and pays for what is not of the topic; or "
             "looks at the topic first",
     .source = "recent: the paper; relevant is ours"},
    {CHOICE_OPTION("identity", identity, "content|url", "content"),
     .help = "a page that changed is another document, or a URL is one for ever",
     .source = "content: the paper's page index"},
    {REAL_OPTION("reward", reward, "X", "100", 0, 1e6),
     .help = "for the first to send a relevant document", .source = "REWARD"},
    {REAL_OPTION("penalty", penalty, "X", "-1", -1e6, 0), .help = "for any other document",
     .source = "PENALTY"},
    {REAL_OPTION("scale", scale, "X", "0", 0, 1),
     .help = "what init_score, max_score and min_score are multiplied by (0: N / 30000 in a crawl "
             "with --pages N, where no score falls below min_score; 1 in all others)",
     .source = "ours: the paper's scores are for 540,000 downloads and more"},
    {REAL_OPTION("init_score", init_score, "X", "100", 0.05, 1e6),
     .help = "score at birth, and of a parent afterwards; in steps of 0.05, as all scores",
     .source = "INIT_SCORE"},
    {REAL_OPTION("max_score", max_score, "X", "200", 0.1, 1e6),
     .help = "at this score a forager multiplies", .source = "MAX_SCORE"},
    {REAL_OPTION("min_score", min_score, "X", "0", -1e6, 1e6),
     .help = "at this score it is deleted", .source = "MIN_SCORE"},
    {REAL_OPTION("score_plus", score_plus, "X", "1", 0, 1e4),
     .help = "score for a relevant document", .source = "SCORE+"},
    {REAL_OPTION("score_minus", score_minus, "X", "0.05", 0, 1e4),
     .help = "score that every document sent costs", .source = "SCORE-"},
    {CHOICE_OPTION("death", death, "at|below", "at"), .help = "deleted at min_score, or below it",
     .source = "at: algorithm 8; below: the text"},
    {FLAG_OPTION("cap", cap), .help = "a score never passes max_score", .source = "ours"},
    {FLAG_OPTION("clamp", clamp), .help = "a score never falls below min_score", .source = "ours"},
    {INT_OPTION("min_foragers", min_foragers, "N", "2", 1, FORAGERS_MAX),
     .help = "at the beginning, and never fewer", .source = "MIN_FORAGER"},
    {INT_OPTION("max_foragers", max_foragers, "N", "16", 1, FORAGERS_MAX), .help = "never more",
     .source = "MAX_FORAGER"},
    {DURATION_OPTION("slice", slice, "T", "0", 0, 86400),
     .help = "foragers work one after another, each so long (0: all at once)",
     .source = "3 min in the paper, on one computer"},
    {DURATION_OPTION("lag", lag, "T", "0", 0, 86400),
     .help = "the reinforcing agent's answers take so long",
     .source = "the paper allows for late ones; ours"},
    {INT_OPTION("links", links, "N", "100", 0, LINKS_MAX),
     .help = "linked pages looked at in a step, the first of the page (0: all)",
     .source = "all in the paper; the ceiling is ours"},
    {INT_OPTION("frontier", frontier, "N", "10000", 1, FRONTIER_MAX),
     .help = "URLs met on a path at most", .source = "ours"},
    {DURATION_OPTION("recheck", recheck, "T", "10m", 0, 86400 * 365),
     .help = "a linked page that anybody looked at less long ago is not asked for again (0: "
             "always asked for)",
     .source = "0 in the paper; ours"},
    {INT_OPTION("pages", pages, "N", "50000", 100, 1e7),
     .help = "pages remembered for that, about 300 bytes each", .source = "ours"},
    {FLAG_OPTION("feeds", feeds), .fallback = "yes",
     .help = "feeds found, and sitemaps that robots.txt names, are places to start, as seeds are",
     .source = "ours; the paper has neither"},
    {FLAG_OPTION("talk", talk), .help = "a forager that was rewarded tells the others where",
     .source = "the authors' later work has communication; its form here is ours"},
    {INT_OPTION("patience", patience, "N", "1000000", 0, 1e15),
     .help = "looks in a row without a new document, then all foragers stop (0: they never do)",
     .source = "ours: a web that stands still has an end"},
    {.name = NULL},
};

/* ---- the fleet ----------------------------------------------------------- */

static const char *const names[KINDS] = {[KIND_WL] = "wl", [KIND_RL] = "rl", [KIND_WLRL] = "wlrl"};

const char *fleet_kind(enum forager_kind kind)
{
    return names[kind];
}

enum forager_kind fleet_find(struct str name)
{
    int kind = 0;

    while (kind < KINDS && !str_eq(name, str_of(names[kind])))
        kind++;
    return (enum forager_kind)kind;
}

static enum status refuse(const char *text)
{
    return status_fail(ST_USAGE,
                       "kind=%s: wanted is wl, rl or wlrl; or a mixed fleet such as wlrl:8,wl:8, "
                       "each kind once, with 1 to %d foragers",
                       text, FORAGERS_MAX);
}

/* Reads "wlrl:8". Returns false if it is not valid, or the kind occurs twice. */
static bool read_part(struct str part, struct fleet *ret)
{
    size_t colon = str_find_char(part, ':', 0);
    enum forager_kind kind = fleet_find(str_sub(part, 0, colon));
    uint64_t most = 0;

    if (colon == SIZE_MAX || kind == KINDS || ret->most[kind] ||
        !str_to_u64(str_sub(part, colon + 1, part.len), &most) || most == 0 || most > FORAGERS_MAX)
        return false;
    ret->most[kind] = (uint32_t)most;
    ret->all_most += (uint32_t)most;
    return true;
}

static void share_least(struct fleet *f, uint32_t least)
{
    uint32_t kinds = 0;

    for (int k = 0; k < KINDS; k++)
        kinds += f->most[k] > 0;
    for (int k = 0; k < KINDS; k++) {
        uint32_t share = least / kinds > 1 ? least / kinds : 1;

        f->least[k] = share < f->most[k] ? share : f->most[k];
        f->all_least += f->least[k];
    }
}

enum status fleet_read(const char *text, uint32_t least, uint32_t most, struct fleet *ret)
{
    struct str rest = str_of(text);
    enum forager_kind only = fleet_find(rest);

    *ret = (struct fleet){.all_least = least, .all_most = most};
    if (only != KINDS) {
        ret->least[only] = least;
        ret->most[only] = most;
        return ST_OK;
    }
    ret->all_least = ret->all_most = 0;
    for (;;) {
        size_t comma = str_find_char(rest, ',', 0);

        if (!read_part(str_trim(str_sub(rest, 0, comma)), ret) || ret->all_most > FORAGERS_MAX)
            return refuse(text);
        if (comma == SIZE_MAX)
            break;
        rest = str_sub(rest, comma + 1, rest.len);
    }
    share_least(ret, least);
    return ST_OK;
}

enum status foragers_check(const void *options)
{
    const struct foragers_options *o = options;
    struct fleet fleet;

    if (o->min_foragers > o->max_foragers)
        return status_fail(ST_USAGE, "min_foragers is more than max_foragers");
    if (o->min_score >= o->init_score || o->init_score >= o->max_score)
        return status_fail(ST_USAGE, "init_score must lie between min_score and max_score");
    TRY(fleet_read(o->kind, (uint32_t)o->min_foragers, (uint32_t)o->max_foragers, &fleet));
    return foragers_check_clusters(o);
}
