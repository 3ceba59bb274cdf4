/* metric.c - the table of metrics. SPDX-License-Identifier: MIT */
#include "lab/metric.h"

const struct metric metric_table[] = {
    [METRIC_RECALL] = {.name = "recall",
                       .is_share = true,
                       .unit = "",
                       .help = "targets found : targets that can be reached"},
    [METRIC_PRECISION] = {.name = "precision",
                          .is_share = true,
                          .unit = "",
                          .help = "targets found : pages; seeds and examples do not count"},
    [METRIC_RELEVANCE] = {.name = "relevance",
                          .is_share = true,
                          .unit = "",
                          .help = "mean tf-idf cosine of the pages with the topic's words"},
    [METRIC_HARVEST] = {.name = "harvest",
                        .is_share = true,
                        .unit = "",
                        .help = "pages that reach the plan's 'relevant' : pages"},
    [METRIC_D_RECALL] = {.name = "d-recall",
                         .unit = "",
                         .help = "sum of the pages' likeness to the targets' own texts",
                         .needs_labels = true},
    [METRIC_D_PRECISION] = {.name = "d-precision",
                            .is_share = true,
                            .unit = "",
                            .help = "mean likeness of the pages to the targets' own texts",
                            .needs_labels = true},
    [METRIC_PAGES] = {.name = "pages", .unit = "pages", .help = "pages fetched"},
    [METRIC_SECONDS] = {.name = "seconds",
                        .unit = "s",
                        .help = "simulated time so far",
                        .less_is_better = true},
    [METRIC_POPULATION] = {.name = "population",
                           .unit = "agents",
                           .help = "agents alive",
                           .of_agents = true},
    [METRIC_ENERGY] = {.name = "energy",
                       .unit = "",
                       .help = "energy of the living, all together",
                       .of_agents = true},
    [METRIC_FRESHNESS] = {.name = "freshness",
                          .is_share = true,
                          .unit = "",
                          .help = "stored pages that are what the web has now : stored pages",
                          .needs_change = true},
    [METRIC_AGE] = {.name = "age",
                    .unit = "s",
                    .help = "time since the first change after the last look, mean over the "
                            "stored pages",
                    .needs_change = true,
                    .less_is_better = true},
    [METRIC_OVERLAP] = {.name = "overlap",
                        .is_share = true,
                        .unit = "",
                        .help = "fetches of pages that were fetched before : fetches",
                        .less_is_better = true,
                        .of_agents = true},
    [METRIC_MESSAGES] = {.name = "messages",
                         .unit = "",
                         .help = "messages between agents",
                         .less_is_better = true,
                         .of_agents = true},
    [METRIC_COUNT] = {.name = NULL},
};

int metric_find(struct str name)
{
    for (int i = 0; metric_table[i].name; i++)
        if (str_eq(name, str_of(metric_table[i].name)))
            return i;
    return -1;
}
