/* metric.c - the table of metrics. SPDX-License-Identifier: MIT */
#include "lab/run/metric.h"

const struct metric metric_table[] = {
    /* name, unit, help */
    [METRIC_RECALL] = {"recall", "", "targets found : targets that can be reached",
                       .is_share = true},
    [METRIC_PRECISION] = {"precision", "", "targets found : pages; seeds and examples do not count",
                          .is_share = true},
    [METRIC_RELEVANCE] = {"relevance", "", "mean tf-idf cosine of the pages with the topic's words",
                          .is_share = true},
    [METRIC_HARVEST] = {"harvest", "", "pages that reach the plan's 'relevant' : pages",
                        .is_share = true},
    [METRIC_D_RECALL] = {"d-recall", "", "sum of the pages' likeness to the targets' own texts",
                         .needs_labels = true},
    [METRIC_D_PRECISION] = {"d-precision", "",
                            "mean likeness of the pages to the targets' own texts",
                            .is_share = true, .needs_labels = true},
    [METRIC_PAGES] = {"pages", "pages", "pages fetched"},
    [METRIC_SECONDS] = {"seconds", "s", "simulated time so far", .less_is_better = true},
    [METRIC_POPULATION] = {"population", "agents", "agents alive", .of_agents = true},
    [METRIC_ENERGY] = {"energy", "", "energy of the living, all together", .of_agents = true},
    [METRIC_INSIDE] = {"inside", "",
                       "pages during which the population was inside its bounds : pages, "
                       "since it first got there",
                       .is_share = true, .of_agents = true},
    [METRIC_AT_UPPER] =
        {"at-upper", "",
         "pages at which nine tenths of the upper bound were alive, or more : pages",
         .is_share = true, .of_agents = true},
    [METRIC_SWING] = {"swing", "agents", "most agents alive so far - least", .less_is_better = true,
                      .of_agents = true},
    [METRIC_REWARDED] = {"rewarded", "", "new pages worth more than 0 energy : new pages",
                         .is_share = true, .of_agents = true},
    [METRIC_FRESHNESS] = {"freshness", "",
                          "stored pages that are what the web has now : stored pages",
                          .is_share = true, .needs_change = true},
    [METRIC_AGE] = {"age", "s",
                    "time since the first change after the last look, mean over the "
                    "stored pages",
                    .needs_change = true, .less_is_better = true},
    [METRIC_LAST_AGE] = {"last-age", "s",
                         "time since the last change, of pages that changed since the "
                         "last look, mean over the stored pages",
                         .needs_change = true, .less_is_better = true},
    [METRIC_RECENCY] = {"recency", "",
                        "mean of 1 / (1 + days from the last look to the last change)",
                        .is_share = true, .needs_change = true},
    [METRIC_EFFICIENCY] = {"efficiency", "targets/min", "targets found a simulated minute"},
    [METRIC_OVERLAP] = {"overlap", "", "fetches of pages that were fetched before : fetches",
                        .is_share = true, .less_is_better = true, .of_agents = true},
    [METRIC_MESSAGES] = {"messages", "", "messages between agents", .less_is_better = true,
                         .of_agents = true},
    [METRIC_CONTRACTS] = {"contracts", "", "contracts awarded to a bidder", .of_agents = true},
    [METRIC_LINKS_TRANSFERRED] = {"links-transferred", "links", "links taken over by contractors",
                                  .of_agents = true},
    [METRIC_DOWNLOADS] = {"downloads", "", "answers of the web, also those that brought nothing"},
    [METRIC_FOUND_URLS] = {"found-urls", "", "distinct pages : downloads", .is_share = true},
    [METRIC_SENT] = {"sent", "documents", "sent to who judges them", .of_agents = true},
    [METRIC_NEWS] = {"news", "documents", "sent, new and of the topic", .of_agents = true},
    [METRIC_DOWNLOAD_EFFICIENCY] = {"download-efficiency", "", "news : downloads", .is_share = true,
                                    .of_agents = true},
    [METRIC_SENT_EFFICIENCY] = {"sent-efficiency", "", "news : documents sent", .is_share = true,
                                .of_agents = true},
    [METRIC_WINDOW_EFFICIENCY] = {"window-efficiency", "",
                                  "news : downloads, since the point before", .is_share = true,
                                  .of_agents = true},
    [METRIC_WINDOW_SENT] = {"window-sent", "", "news : documents sent, since the point before",
                            .is_share = true, .of_agents = true},
    [METRIC_ROUGHNESS] = {"roughness", "",
                          "mean difference between the efficiencies of neighbouring "
                          "windows : their mean",
                          .of_agents = true},
    [METRIC_NEWS_FRESHNESS] = {"news-freshness", "",
                               "pages that brought news and are what the web has now : "
                               "pages that brought news",
                               .is_share = true, .needs_change = true, .of_agents = true},
    [METRIC_NEWS_AGE] = {"news-age", "s",
                         "time since the last change, of pages that changed since the "
                         "last look, mean over the pages that brought news",
                         .needs_change = true, .less_is_better = true, .of_agents = true},
    [METRIC_CHANGES_SEEN] = {"changes-seen", "",
                             "real changes whose page was looked at within a day : real "
                             "changes of pages that can be reached",
                             .is_share = true, .needs_change = true},
    [METRIC_CHANGES_TOLD] = {"changes-told", "",
                             "real changes of which a version was stored within a day : "
                             "real changes of pages that can be reached",
                             .is_share = true, .needs_change = true},
    [METRIC_FALSE_ALARMS] = {"false-alarms", "versions",
                             "versions stored of pages that had not really changed",
                             .needs_change = true, .less_is_better = true},
    [METRIC_DIVERGED] = {"diverged", "agents", "whose learning diverged", .less_is_better = true,
                         .of_agents = true},
    [METRIC_P_20] = {"p@20", "", "targets among the 20 pages that are ranked first : 20",
                     .is_share = true, .needs_labels = true},
    [METRIC_P_50] = {"p@50", "", "targets among the 50 pages that are ranked first : 50",
                     .is_share = true, .needs_labels = true},
    [METRIC_WORDS_20] = {"words@20", "",
                         "targets among the 20 pages of the highest relevance when they came : 20",
                         .is_share = true, .needs_labels = true},
    [METRIC_WORDS_50] = {"words@50", "",
                         "targets among the 50 pages of the highest relevance when they came : 50",
                         .is_share = true, .needs_labels = true},
    [METRIC_NDCG_50] = {"ndcg@50", "",
                        "discounted gain of the 50 pages that are ranked first : that of the "
                        "best order of the same pages",
                        .is_share = true, .needs_labels = true},
    [METRIC_ESTIMATE] = {"estimate", "", "the share of the topic that the model thinks is found",
                         .is_share = true, .needs_labels = true},
    [METRIC_ESTIMATE_ERROR] = {"estimate-error", "", "how far the estimate is from recall",
                               .is_share = true, .needs_labels = true, .less_is_better = true},
    [METRIC_PROMISE] = {"promise", "",
                        "1 where recall was between .80 and .97 when the estimate first was .90",
                        .is_share = true, .needs_labels = true},
    [METRIC_RELEVANT_HOSTS] = {"relevant-hosts", "",
                               "hosts of targets found : hosts of targets that can be reached",
                               .is_share = true, .needs_labels = true},
    [METRIC_COUNT] = {.name = NULL},
};

int metric_find(struct str name)
{
    for (int i = 0; metric_table[i].name; i++)
        if (str_eq(name, str_of(metric_table[i].name)))
            return i;
    return -1;
}

bool metric_is_of_ranks(struct str name)
{
    int i = metric_find(name);

    return i >= METRIC_P_20 && i <= METRIC_PROMISE;
}
