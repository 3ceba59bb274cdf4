/* web_pack.h - documents into a web: numbers, rows, blocks.
 *
 *     web_pack_init()   entries of the world become URLs 1 ..
 *     web_pack_add()    one answer after another, in the order of the world
 *     web_pack_end()    numbers settled, versions sorted, idf, labels, hosts
 *
 * One thread: the caller's. While packing, the URL of entry i is i + 1; the end
 * moves those that turned out to be no pages behind the others.
 */
#pragma once

#include "sim/web/web_int.h"
#include "sim/web/read.h"

struct vocab;

/* A robots.txt that was met. */
struct web_rules {
    uint32_t url;
    uint32_t bytes;
    uint64_t at; /* in the strings */
};

struct web_pack {
    struct web *web;
    const struct world *world;
    bool moves;
    struct vocab *vocab;
    uint64_t *bare; /* a version's hash without stamps */
    size_t bare_cap;
    struct web_other *others; /* by entry */
    bool *has_document;       /* by entry */
    struct web_rules *rules;
    size_t nrules, rules_cap;
    uint32_t broken;  /* answers that cannot be read */
    uint32_t damaged; /* of these, such as have a place in the archive */
};

void web_pack_init(struct web_pack *p, struct web *w, const struct world *world);
void web_pack_clear(struct web_pack *p);
void web_pack_add(struct web_pack *p, struct web_document *d);
/* ST_INVALID: not one page. */
enum status web_pack_end(struct web_pack *p) MUST_USE;
