/* hosts.h - the hosts: what is known of them, and what they need next.
 *
 * A host is a name, with the port if one is written: "example.org",
 * "example.org:8080". http and https of one name are one host with two doors,
 * because politeness and budgets concern the machine and not the scheme. Numbers
 * count from 1; records are never moved.
 *
 *     NEW --choice--> RESOLVING --address--> ROBOTS --robots.txt--> OPEN
 *                        |  ^                  |  ^                  |
 *                        |  +--- back-off -----+--+---- 24 h --------+
 *                        +----------------> DEAD <-------------------+
 *
 * The state is not stored but follows from what is known, so it cannot be wrong:
 * dead; own_group 0: NEW; no door with a group: RESOLVING; robots_until in the
 * past: ROBOTS; else OPEN. host_need() in release.c turns it into the next step.
 */
#pragma once

#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "flow.h"
#include "frontier/host_settings.h"

struct robots;

/* Registrable domains, and how much memory their pages have cost us.
 *
 * Every known URL was named by some document. Its memory is charged to the domain of the
 * page, sitemap, robots.txt or redirect that named it first, in URLs of an ordinary
 * length: a long one counts for several, a new host for DOMAIN_HOST_COST more. So the
 * budget of a domain bounds the memory that it can cost, by long paths, names under a
 * DNS wildcard or names that do not exist; and no domain can use up the budget of
 * another by linking to it.
 *
 * Domains follow the public suffix list, with private suffixes: each blog of a
 * service is a domain of its own. Numbers count from 1. A domain takes 12
 * bytes, and a slot in a map. */
#define DOMAIN_URL_BYTES 128u /* of a path; a longer one counts several times */
#define DOMAIN_HOST_COST 4u   /* a host's record, its name, its queue */

struct domain {
    uint32_t kept; /* URLs of an ordinary length that its pages named first */
    float earned;  /* relevance of its pages */
    bool vouched;  /* it has a seed: no budget */
};

struct domains {
    struct map by_name;
    struct domain *items;
    size_t count, cap;
};

static inline struct domain *domains_at(const struct domains *d, uint32_t id)
{
    return &d->items[id - 1];
}

/* What a URL with a path and query of so many bytes costs; 0: only its verdict is kept. */
static inline uint32_t domain_cost(size_t path, bool new_host)
{
    return 1 + (uint32_t)path / DOMAIN_URL_BYTES + (new_host ? DOMAIN_HOST_COST : 0);
}

/* How a host is reached by one scheme. */
struct door {
    uint32_t group;        /* of its address on the workbench; 0: unknown */
    uint16_t connect_port; /* differs from the URL's under --resolve */
};

/* robots.txt is elsewhere, and its redirects are being followed. */
struct errand {
    char *href;       /* the URL to ask now */
    struct str name;  /* its host, with the port if one is written; part of href */
    uint32_t host;    /* the number of that host, whose delays are kept */
    struct door door; /* of that host, if it is another one */
    uint16_t port;
    uint8_t hops;
    bool tls;
};

struct host {
    struct str name; /* with the port if one is written; ends in NUL */
    uint32_t id;
    uint32_t domain;                    /* its number */
    const struct host_setting *setting; /* the user's settings for it; NULL: none */
    uint16_t host_len;                  /* bytes of name without the port */
    uint16_t port;                      /* written in the name; 0: the scheme's default */
    struct heap queue;                  /* numbers of waiting visits by -score */
    struct wish wish;                   /* the best link that could be chosen here */
    uint32_t judged;                    /* a wish that rules judged before they left memory */
    uint8_t judged_said;                /* enum said */
    struct door door[2];                /* http, https */
    uint32_t own_group;                 /* its own group until it has an address */
    struct robots *robots;              /* NULL: nothing forbidden, or not in memory (rules.c) */
    uint32_t rules_before, rules_after; /* its neighbours in a list of rules; 0: none */
    int64_t robots_until;               /* robots.txt counts as read until then; 0: it does not */
    struct errand *errand;              /* or NULL */
    struct door *asked;                 /* the door whose address is being looked up; NULL: none */
    int64_t next_at;                    /* no request starts before this time */
    int64_t last_start;                 /* of its last request */
    int64_t crawl_delay;                /* us, from robots.txt */
    int64_t latency;                    /* us, of its last answer */
    uint32_t in_flight;                 /* requests under way, robots.txt included */
    uint32_t flying;                    /* pages under way that count for its budget */
    uint32_t pages;                     /* stored */
    double earned;                      /* sum of their relevance */
    uint8_t failures;                   /* consecutive failures */
    uint8_t lost;                       /* consecutive failed attempts to resolve */
    uint8_t dead;                       /* enum drop: why nothing more is requested; 0: alive */
    bool vouched;                       /* it has a seed: no budget but pages_per_host */
    bool robots_asked;                  /* robots.txt is under way */
    bool lent;                          /* its last request was for another's robots.txt */
    bool robots_gone;                   /* its rules were read, and have left memory */
    bool robots_known;                  /* it was read once: its sitemaps are taken */
    bool doomed;                        /* in the frontier's list of hosts to empty */
    bool changed;                       /* in the frontier's list of hosts to save */
};

struct hosts {
    struct map by_name;
    struct domains domains;
    const struct host_settings *settings; /* lent; may be NULL */
    struct host **blocks;                 /* of HOSTS_BLOCK records */
    size_t nblocks, blocks_cap;
    uint32_t count;
    char **names; /* chunks of names */
    size_t nnames, names_cap;
    size_t fill; /* bytes used in the last chunk */
};

#define HOSTS_BLOCK 256u

void hosts_init(struct hosts *h);
void hosts_free(struct hosts *h);

/* Returns the host of a name of at most LIMIT_URL bytes; a new one is made if needed. */
struct host *hosts_get(struct hosts *h, struct str name);

/* The same, but returns NULL if the host is not known. */
struct host *hosts_find(const struct hosts *h, struct str name);

static inline struct host *hosts_at(const struct hosts *h, uint32_t id)
{
    return &h->blocks[(id - 1) / HOSTS_BLOCK][(id - 1) % HOSTS_BLOCK];
}

static inline struct domain *host_domain(const struct hosts *all, const struct host *h)
{
    return domains_at(&all->domains, h->domain);
}

/* The host's name without the port. */
static inline struct str host_only(const struct host *h)
{
    return (struct str){h->name.ptr, h->host_len};
}

/* "host:8080" -> length of "host", and the port or 0. */
size_t host_name_split(struct str name, uint16_t *ret_port);

static inline uint16_t host_port(const struct host *h, bool tls)
{
    return h->port ? h->port : tls ? 443 : 80;
}

void host_errand_free(struct host *h);

size_t hosts_bytes(const struct hosts *h);
