/* info.h - `brood world info`: measures the properties of a world.
 *
 * Degrees, clustering, distance and locality are measured on the links between
 * the last versions of the world's pages (graph_measure.h says how); `links` counts all links, dead
 * ones too. A page counts for each of its labels. Figures that cannot be computed are NAN (JSON:
 * null).
 */
#pragma once

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

/* How a world changes over time; all 0 if it does not. */
struct info_time {
    bool moves;
    int64_t begin, end;    /* the window, us since 1970 */
    uint32_t versions;     /* of all pages */
    uint32_t modified;     /* versions that are not the first of their page */
    uint32_t changes;      /* of these, other than the one before, version-control
                              stamps ("$Id: … $") aside */
    uint32_t born, gone;   /* pages that appear and disappear inside the window */
    double page_days;      /* days for which pages existed, summed over all pages */
    double changes_a_day;  /* of a page: changes / page_days */
    double never_changing; /* share of pages without a change */
};

#define INFO_DEGREES 33 /* 0, 1, 2 to 3, 4 to 7 … */

struct world_info {
    uint32_t pages, hosts;
    uint64_t links;
    double out_exponent, in_exponent, clustering, mean_distance, locality;
    uint32_t out_cutoff, in_cutoff; /* the smallest degrees for which the exponents hold */
    uint32_t out_degrees[INFO_DEGREES], in_degrees[INFO_DEGREES]; /* pages by degree */
    struct info_topic *topics;                                    /* in the world's order */
    uint32_t ntopics;
    struct info_time time;
    struct str digest; /* world_digest.h; set, and lent, by a caller that wants it printed */
};

/* Strings are lent by the world. Free with world_info_clear(). */
enum status world_info(struct world *w, struct world_info *ret) MUST_USE;
void world_info_clear(struct world_info *i);

/* What `brood world info --json` prints, as one JSON value. */
void world_info_json(const struct world_info *i, struct json *j);
