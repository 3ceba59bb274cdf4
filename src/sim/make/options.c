/* options.c - the table of the options of a generated world.
 *
 * In: nothing. Out: options, defaults, checks.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/make_int.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "sim/make/news.h"
#include "sim/make/words.h"

#define AT(member) .offset = offsetof(struct make_config, member)

/* In- and out-exponents of the Web after Broder et al. 2000 (2.1 and 2.7);
 * clustering of site graphs lies near 0.1 (Adamic 1999). Twenty topics of some
 * 3.5 % each, and a locality at which following relevant pages pays clearly
 * without making it trivial: in a tenth of the world best-first finds some 2.5
 * times the pages of a topic that breadth-first does (test_graph.c). */
const struct option make_option_table[] = {
    {CHOICE_OPTION("kind", kind, "topical|news", "topical"),
     .help = "what sort of web: one that stands still, or one whose pages appear, change and age"},
    {U32_OPTION("pages", graph.pages, "N", "2000", 1, 1e8), .help = "topical: how many pages"},
    {U32_OPTION("hosts", graph.hosts, "N", "40", 1, 1e6),
     .help = "how many hosts, of very different sizes"},
    {U32_OPTION("topics", graph.topics, "N", "20", 1, WORDS_MAX_TOPICS),
     .help = "how many topics; the first 24 are real subjects"},
    {INT_OPTION("rng", graph.rng, "N", "1", 0, 9007199254740992.0),
     .help = "the seed: same numbers, same world"},
    {REAL_OPTION("topic-share", graph.topic_share, "X", "0.7", 0.01, 1),
     .help = "share of pages that have a topic, all topics together"},
    {REAL_OPTION("host-exponent", graph.host_exponent, "X", "0", 0, 3),
     .help = "topical: a few giants and many small hosts, the n-th with pages as n^-X (0: hosts of "
             "nearer sizes)"},
    {REAL_OPTION("host-lean", graph.host_lean, "X", "0.5", 0, 1),
     .help = "share of a topic's pages that lie on hosts devoted to it"},
    {REAL_OPTION("out-mean", graph.out_mean, "X", "15", 1, 200),
     .help = "mean number of links of a page"},
    {REAL_OPTION("out-exponent", graph.out_exponent, "X", "2.7", 1.05, 5),
     .help = "exponent of the out-degrees"},
    {REAL_OPTION("in-exponent", graph.in_exponent, "X", "2.1", 1.05, 5),
     .help = "exponent of the in-degrees"},
    {REAL_OPTION("clustering", graph.clustering, "X", "-1", -1, 1),
     .help = "mean local clustering coefficient (-1: 0.1 of a topical world; of news as it comes, "
             "some 0.4)"},
    {REAL_OPTION("locality", graph.locality, "X", "0.5", 0, 1),
     .help = "share of links that stay in their page's topic"},
    {REAL_OPTION("host-locality", graph.host_locality, "X", "0.3", 0, 0.9),
     .help = "share of links looked for on the page's own host first"},
    {REAL_OPTION("duplicates", graph.duplicates, "X", "0.02", 0, 0.5),
     .help = "topical: share of pages that repeat another, half of them exactly"},
    {REAL_OPTION("words", words, "X", "250", 20, 5000), .help = "mean number of words of a page"},
    {REAL_OPTION("purity", purity, "X", "0.65", 0, 1),
     .help = "mean share of a page's sentences that are on its topic"},
    {REAL_OPTION("dead", dead, "X", "0.03", 0, 0.5), .help = "share of links that lead to nothing"},
    {REAL_OPTION("redirects", redirects, "X", "0.02", 0, 0.5),
     .help = "topical: share of links that lead through a redirect"},
    {REAL_OPTION("hints", hints, "X", "0.75", 0, 1),
     .help = "share of anchors that say where they lead"},
    {REAL_OPTION("titled-urls", titled_urls, "X", "1", 0, 1),
     .help = "topical: share of pages whose URLs have words of their titles and topics"},
    {REAL_OPTION("menus", menus, "X", "1", 0, 1),
     .help = "share of hosts with menus, notices and footers around their pages, as real sites "
             "have them"},
    {REAL_OPTION("sitemaps", sitemaps, "X", "0.2", 0, 1),
     .help = "topical: share of hosts with a sitemap"},
    {REAL_OPTION("feeds", feeds, "X", "0.4", 0, 1), .help = "topical: share of hosts with a feed"},
    {REAL_OPTION("robots", robots, "X", "0.3", 0, 1),
     .help = "share of hosts whose robots.txt forbids a folder"},
    {REAL_OPTION("crawl-delay", crawl_delay, "X", "0", 0, 3600),
     .help = "seconds that every robots.txt asks for; 0: nothing is asked"},
    {REAL_OPTION("days", news.days, "X", "18", 0.01, 3650), .group = "news",
     .help = "length of the story (days, articles and hosts make the size of a world)"},
    {REAL_OPTION("articles", news.articles, "X", "2", 0.01, 1000),
     .help = "articles a day and host, on average; hosts differ as sizes of sites do"},
    {REAL_OPTION("backlog", news.backlog, "X", "10", 0, 3650),
     .help = "days of articles that are there when the story begins"},
    {U32_OPTION("sections", news.sections, "N", "4", 1, NEWS_SECTIONS),
     .help = "sections of a host, a topic each"},
    {U32_OPTION("front", news.front, "N", "20", 1, 1000),
     .help = "newest articles that front and section pages list"},
    {REAL_OPTION("changes", news.changes, "X", "0.8", 0, 100),
     .help = "changes of an article in its life, on average"},
    {REAL_OPTION("half-life", news.half_life, "X", "0.5", 0.001, 3650),
     .help = "days in which the rate of an article's changes falls by half"},
    {REAL_OPTION("vanish", news.vanish, "X", "0.05", 0, 1),
     .help = "share of articles that disappear, two weeks old on average"},
    {REAL_OPTION("weblogs", news.weblogs, "X", "0.3", 0, 1),
     .help = "share of hosts that are weblogs: their articles link to other hosts"},
    {.name = NULL},
};

bool make_uses(int kind, const struct option *o)
{
    static const char *const topical[] = {"pages",       "host-exponent", "duplicates", "redirects",
                                          "titled-urls", "sitemaps",      "feeds"};
    size_t news = offsetof(struct make_config, news);

    if (kind != MAKE_NEWS)
        return o->offset < news || o->offset >= news + sizeof(struct news_config);
    for (size_t i = 0; i < ARRAY_LEN(topical); i++)
        if (strcmp(o->name, topical[i]) == 0)
            return false;
    return true;
}

void make_config_init(struct make_config *c)
{
    *c = (struct make_config){
        .date = INT64_C(1767225600) * US_PER_S, /* 2026-01-01 */
        .software = "brood",
    };
    options_init(make_option_table, c);
}

/* Checks every value, because callers may have filled the struct by hand. */
enum status make_check(const struct make_config *c)
{
    struct make_config copy = *c;
    enum status st = ST_OK;

    for (const struct option *o = make_option_table; st == ST_OK && o->name; o++) {
        struct buf text = BUF_INIT(100);

        option_show(o, c, &text);
        st = option_set(o, &copy, buf_str(&text));
        buf_free(&text);
    }
    return st;
}
