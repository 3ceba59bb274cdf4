/* info.h - `brood world info`: what a world is like, measured.
 *
 * Degrees, clustering, distance and locality are measured on the links between
 * the pages of the world (graph_measure.h says how); `links` counts all links,
 * dead ones too. Figures that cannot be had are NAN (JSON: null).
 */
#ifndef SIM_INFO_H
#define SIM_INFO_H

#include "sim/world.h"

#define INFO_SEEDS 3 /* seeds named for each topic */

struct json;

struct info_topic {
    struct str name, words; /* of the world */
    uint32_t pages;
    struct str seeds[INFO_SEEDS]; /* URLs on the topic, on different hosts, with
                                     links of their own into the topic */
    uint32_t nseeds;
};

struct world_info {
    uint32_t pages, hosts;
    uint64_t links;
    double out_exponent, in_exponent, clustering, mean_distance, locality;
    struct info_topic *topics; /* in the world's order */
    uint32_t ntopics;
};

/* Strings are lent by the world. Free with world_info_clear(). */
enum status world_info(struct world *w, struct world_info *ret) MUST_USE;
void world_info_clear(struct world_info *i);

/* The object of design.md section 4, as one JSON value. */
void world_info_json(const struct world_info *i, struct json *j);

#endif
