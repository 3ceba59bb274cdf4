/* domains.h - registrable domains, and what their pages made us keep.
 *
 * Every known URL was named by some document. Its memory is charged to the domain of
 * the page, sitemap, robots.txt or redirect that named it first, in URLs of an
 * ordinary length: a long one counts for several, a new host for DOMAIN_HOST_COST more.
 * So the budget of a domain bounds what it can make us keep, be it long paths,
 * names under a wildcard of the DNS or names that do not exist; and no domain can use up
 * the budget of another by linking to it.
 *
 * A domain is that of the public suffix list, private suffixes included: the blogs of
 * one service are many. Numbers from 1, one a domain. 12 bytes, and a slot in a map.
 */
#pragma once

#include "base/map.h"
#include "base/str.h"

#define DOMAIN_URL_BYTES 128u /* of a path: longer ones count for as many as they would hold */
#define DOMAIN_HOST_COST 4u   /* a host's record, its name, its queue */

struct domain {
    uint32_t kept; /* URLs of an ordinary length that its pages named first */
    float earned;  /* relevance of its pages */
    bool vouched;  /* a seed lies here: no budget */
};

struct domains {
    struct map by_name;
    struct domain *items;
    size_t count, cap;
};

void domains_init(struct domains *d);
void domains_free(struct domains *d);

/* The number of the domain of a host (without port), made where it is new. */
uint32_t domains_get(struct domains *d, struct str host);

static inline struct domain *domains_at(const struct domains *d, uint32_t id)
{
    return &d->items[id - 1];
}

/* What a URL costs whose path and query have so many bytes; 0: only its verdict is kept. */
static inline uint32_t domain_cost(size_t path, bool new_host)
{
    return 1 + (uint32_t)path / DOMAIN_URL_BYTES + (new_host ? DOMAIN_HOST_COST : 0);
}

size_t domains_bytes(const struct domains *d);
