/* rewire.h - `brood world rewire`: the same world with its links exchanged.
 *
 * The random rewiring of Palotai et al.: every page keeps the number of its links
 * and of the links to it (exchange.h), and clustering is destroyed. The result is a world: the same
 * pages with the same words, except that the hrefs lead to other pages; anchor texts stay, and so
 * still describe the old targets.
 *
 * These links stay as they are: links that lead to no page of the world, links of a page to itself,
 * links with rel=nofollow or on pages that ask for it, links that are not <a> or <area> (frames,
 * canonical addresses, feeds), and links of documents whose bytes cannot be matched with what
 * parse/ reads (encodings such as UTF-16). A link that led through a redirect leads directly to its
 * new target.
 *
 * A world that moves is rewired once for its whole window: a page's link has the same new target in
 * each of the page's versions, and only a target that existed by then. Degrees are then kept over
 * all versions together: how many pages a page ever linked to, and how many ever linked to it. At
 * any one moment out-degrees are kept but in-degrees are not, because a target may replace one that
 * was linked to for longer.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct rewire_config {
    uint64_t rng;
    const char *software; /* for the archive's warcinfo: "brood/0.1.0" */
};

struct rewire_report {
    uint32_t pages, versions;
    bool moves;           /* degrees are kept over all versions together */
    uint64_t links;       /* distinct ones between pages, of all versions */
    uint64_t kept;        /* links that were not to be exchanged */
    uint64_t moved;       /* links that lead elsewhere now */
    uint32_t left_out;    /* versions without an archived document */
    double before, after; /* clustering as info.h measures it: of last versions */
};

/* Called now and then with the name of the step. Returns false to stop: the caller gets
 * ST_STOPPED. */
typedef bool rewire_progress_fn(void *ctx, const char *what, uint64_t done, uint64_t total);

/* Makes `to`, which must not exist or be empty, from the world `from`. */
enum status world_rewire(const char *from, const char *to, const struct rewire_config *config,
                         rewire_progress_fn *progress, void *ctx,
                         struct rewire_report *ret) MUST_USE;
