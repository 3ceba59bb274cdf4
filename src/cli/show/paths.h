/* paths.h - the search path tree of a crawl: every page under the page that first named it,
 * with the agent that fetched it.
 *
 *     sure  agent       page
 *       84  Qihire 9    http://a.example/
 *       97  Cadupu 30   +- http://a.example/reefs
 *
 * After Du, Xu and Wang 2016, figure 14. As JSON it is a flat list: each page names the one above
 * it, so that no reader meets a depth it cannot bear.
 */
#pragma once

#include "base/buf.h"
#include "store/read/query.h"

struct paths_wish {
    uint32_t depth; /* levels; 0: all */
    bool json;
    bool boxes; /* the terminal can show them */
};

enum status paths_show(struct query *q, const struct paths_wish *wish, struct buf *out) MUST_USE;
