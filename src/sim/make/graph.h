/* graph.h - the link structure of a generated web.
 *
 * Pages belong to hosts (skewed sizes) and to topics or to none; hosts lean to
 * a topic. Out-degrees follow a power law with a mean, in-degrees another; the
 * web is clustered, and a share of the links of a page with a topic stays
 * inside it. `world info` measures every parameter again (graph_measure.h). The parameter for
 * clustering is the coefficient itself, which is approached by trial.
 *
 * Pages are numbered from 0, host by host; a host's first page is its front
 * page. Every page has at least one link to it. The same configuration gives the same graph.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define GRAPH_NONE UINT32_MAX /* no topic; no original */

struct graph_config {
    uint32_t pages, hosts, topics;
    uint64_t rng;
    double topic_share;   /* share of the pages with a topic, (0,1]; topics differ in size */
    double host_exponent; /* host number n has pages as n^-host_exponent; 0: as (n + H/20)^-0.8 */
    double host_lean;     /* share of a topic's pages that are on hosts that lean to it */
    double out_mean;      /* mean number of links of a page */
    double out_exponent;  /* P(k) ~ k^-out_exponent, > 1 */
    double in_exponent;   /* P(k) ~ k^-in_exponent, > 1 */
    double clustering;    /* mean local coefficient, links taken as undirected; -1: 0.1 */
    double locality;      /* share of links that stay in the page's topic */
    double host_locality; /* share of links that stay on the host where possible */
    double duplicates;    /* share of pages that repeat another of their host */
};

struct graph {
    uint32_t pages, hosts, topics;
    uint32_t *topic;      /* page -> topic or GRAPH_NONE */
    uint32_t *host;       /* page -> host */
    uint32_t *copy_of;    /* page -> the page it repeats, or GRAPH_NONE */
    uint32_t *host_first; /* host -> its front page; hosts + 1 entries */
    uint32_t *host_topic; /* host -> the topic it leans to, or GRAPH_NONE */
    uint64_t *off;        /* page -> first link; pages + 1 entries */
    uint32_t *to;         /* targets, distinct within a page, never itself */
    double clustering;    /* as measured: near the one asked for, if that can be reached */
};

/* ST_USAGE, with a sentence, if a parameter is out of range. */
enum status graph_make(const struct graph_config *config, struct graph **ret) MUST_USE;
void graph_free(struct graph *g);
