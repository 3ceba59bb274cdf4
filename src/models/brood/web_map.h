/* web_map.h - what the crawl has seen of the web: pages, links, and what they brought.
 *
 * Every visited page has a label: how probable it is that the page is about the topic
 * (text/guide.h). Every page that links to it is credited with that label: the *yield* of a page
 * is what its links have brought so far. The same is counted for groups of URLs: those of a host,
 * those of a directory, and those that stand in one place (a tag path) on the pages of a host.
 *
 *     yield of a page = (sum + 3 u) / (count + 3)      u = c0 + c1 p: what is usual for a page
 *                                                      with the label p, by least squares
 *     base            = (2 + labels of all pages) / (10 + pages)
 *
 * A page that links to start pages is probably a list of pages about the topic, so an example
 * counts as four labels in the yields of pages. A page that n pages link to counts as
 * 2 / (2 + ln(1 + n)) labels: what everybody links to says little about one of them.
 *
 * Pages are numbered from 0 in the order of their visits. The map holds at most one link from a
 * page to a URL, and for each URL it remembers the first MAP_PARENTS pages that link to it. When
 * the yield of a parent changes, its links are collected, because their scores have to be computed
 * again.
 *
 * Pages, links and edges are large, so they are saved in parts (base/parts.h). The rest is counted
 * again when they are loaded, and is the same as before, bit for bit: the labels that are added up
 * are in steps of 1/4096, so that no sum depends on the order.
 *
 * Memory: 18 bytes for each URL, 6 for each remembered link and 4 more if an older one leads to the
 * same URL, 48 for each page, about 40 for each group with a visited page. Thread: the mind only.
 */
#pragma once

#include "base/bits.h"
#include "base/parts.h"
#include "base/buf.h"
#include "base/keys.h"
#include "base/status.h"

#include <stdbool.h>

#define MAP_PARENTS 48

/* The sum and the number of labels. */
struct yield {
    float sum, count;
};

struct map_page {
    uint32_t url, alias;   /* alias: a URL that redirected to it; 0: none */
    uint32_t number;       /* of the page in the crawl; 0: none */
    uint32_t edge, nedges; /* its links */
    float p;               /* its label */
    float words;           /* cosine with the topic's words */
    struct yield links;    /* labels of the pages behind its links */
    float used;            /* the yield with which its links were scored */
    float energy;          /* its label, plus what visits through its links left on it */
    uint8_t examples;      /* start pages behind its links that are examples of the topic, or 255 */
    bool is_example;       /* it is such a start page itself */
};

/* Links between pages, in the order in which they were named. There are more of them than of
 * anything else, so what can be found by counting is not kept: of 64 edges, a bit says which are
 * the first of their page, and a bit which of them have an older edge to the same URL. Only these
 * have an entry in `older`. */
struct map_edges {
    uint32_t *urls;  /* where they lead */
    uint8_t *labels; /* of the page to which it leads, for its neighbours: 0 if there is none,
                        otherwise 1 + 254 p. There are EDGE_SPARE bytes before the first edge and
                        behind the last, so that the labels of all neighbours can be read at once */
    uint32_t *older; /* the edge before it to the same URL, plus 1 */
    struct edge_block {
        uint64_t begins, has_older; /* a bit an edge */
        uint32_t page, older;       /* of the first of them; where their entries in `older` begin */
    } * blocks;
    size_t urls_cap, labels_cap, older_cap, blocks_cap, nolder;
};

#define EDGE_SPARE 4
#define EDGE_BLOCK 64

/* A URL that some page named. The weights of its words are numbers in steps of 1/MAP_FINE, since
 * there are millions of URLs. */
struct map_link {
    uint32_t edge : 31; /* 1 + the last edge to it */
    bool is_visited : 1;
    uint32_t directory : 24, parents : 6; /* a hash; pages that link to it */
    bool is_waiting : 1, is_dirty : 1;
    uint16_t place;        /* a hash of the tag path where it was found */
    int16_t name, section; /* how much the words of the URL, and of the text around it (summed
                              over its parents) speak for the topic */
    union {
        struct {
            int16_t anchor, context; /* the same for the anchors and the words around them */
        };
        uint32_t page; /* if is_visited: its page */
    } __attribute__((packed, aligned(2)));
} __attribute__((packed, aligned(2)));

_Static_assert(sizeof(struct map_link) == 18, "a link is 18 bytes");
_Static_assert(MAP_PARENTS < 64, "parents are six bits");

#define MAP_FOUND 1024 /* groups that were looked up last */

#define MAP_EDGES ((UINT32_C(1) << 31) - 1)

#define MAP_FINE  128

/* Turns a number into such steps; adds steps to a sum, which is limited to its range. */
static inline int fine_of(double x)
{
    return (int)(x * MAP_FINE + (x < 0 ? -0.5 : 0.5));
}

static inline void fine_add(int16_t *sum, int more)
{
    int to = *sum + more;

    *sum = (int16_t)(to > INT16_MAX ? INT16_MAX : to < -INT16_MAX ? -INT16_MAX : to);
}

enum map_kind { MAP_HOST, MAP_DIRECTORY, MAP_PLACE, MAP_KINDS };

/* URLs of a host, of one of its directories, or in one place on its pages, one of
 * which was visited. */
struct map_group {
    double sum; /* of labels */
    uint32_t count;
    uint32_t at; /* map.solved at the time when `worth` was computed */
    float worth; /* half the logit of its yield, with two usual pages */
};

struct web_map {
    /* Returns the host of a URL. NULL: there is only one host. */
    uint32_t (*host)(void *ctx, uint32_t url);
    void *host_ctx;
    struct map_page *pages;
    struct map_edges edges;
    struct map_link *links;   /* by URL */
    struct map_group *groups; /* the first one has no pages: it stands for all missing groups */
    uint32_t *dirty;          /* URLs whose score must be computed again */
    size_t npages, nedges, nlinks, ngroups, ndirty;
    size_t pages_cap, groups_cap, dirty_cap;
    struct keys group_of; /* key -> group */
    struct found_group {
        uint64_t key; /* plus 1; 0: empty */
        uint32_t group;
    } found[MAP_FOUND]; /* by a hash of the key: links of a page often share groups */
    struct {
        double sum, count;
    } all;                  /* labels of pages */
    double n, x, y, xx, xy; /* sums of the least squares: a link's label against its page's */
    double c0, c1, base;
    uint32_t solved;           /* how often these were computed */
    float ln[MAP_PARENTS + 1]; /* ln(1 + n) */
    bool coarse;        /* what is loaded has parts of PARTS_ROWS, as version 0.2.0 saved it */
    uint32_t old_pages; /* such parts of pages, which are to be removed */
    bool in_parts;      /* it is saved in parts; those that changed since the last save: */
    struct parts changed_pages, changed_links, changed_edges;
    size_t awaited_pages, awaited_edges; /* while parts are loaded */
};

void web_map_init(struct web_map *m);
void web_map_clear(struct web_map *m);

/* Returns the link to a URL; makes one if there is none. Lent until the next one is made. */
struct map_link *web_map_link(struct web_map *m, uint32_t url);
/* The same, but returns NULL or an empty link if no page named the URL. */
struct map_link *web_map_find(const struct web_map *m, uint32_t url);
/* The page of an edge. */
static inline uint32_t web_map_edge_page(const struct web_map *m, size_t edge)
{
    const struct edge_block *b = &m->edges.blocks[edge / EDGE_BLOCK];
    uint64_t until = (UINT64_C(2) << edge % EDGE_BLOCK) - 2; /* the first begins with the block */
    uint32_t page = b->page + bits_count(b->begins & until);

    while (edge >= (size_t)m->pages[page].edge + m->pages[page].nedges)
        page++; /* those without edges */
    return page;
}

/* The edge before this one to the same URL; 0: there is none. Both are numbers plus 1, as
 * map_link.edge is. */
static inline uint32_t web_map_older(const struct web_map *m, uint32_t edge)
{
    const struct edge_block *b = &m->edges.blocks[(edge - 1) / EDGE_BLOCK];
    uint64_t bit = UINT64_C(1) << (edge - 1) % EDGE_BLOCK;

    if (!(b->has_older & bit))
        return 0;
    return m->edges.older[b->older + bits_count(b->has_older & (bit - 1))];
}

/* Puts an edge behind all others; enters the next one into its page and the list of its URL, whose
 * link is there. */
void web_map_put_edge(struct web_map *m, uint32_t url);
void web_map_join_edge(struct web_map *m, uint32_t edge, uint32_t page);
/* 1 + the page of the URL; 0 if it was not visited. */
static inline uint32_t link_page(const struct map_link *l)
{
    return l->is_visited ? l->page + 1 : 0;
}

/* The caller must report changes of a link or a page. */
static inline void web_map_link_changed(struct web_map *m, uint32_t url)
{
    if (m->in_parts)
        parts_touch_fine(&m->changed_links, url);
}

static inline void web_map_page_changed(struct web_map *m, uint32_t page)
{
    if (m->in_parts)
        parts_touch_fine(&m->changed_pages, page);
}

/* Adds a visited page and credits all links to it. Returns its number. */
uint32_t web_map_visit(struct web_map *m, uint32_t url, double p, double words);
/* Marks a page as an example of the topic. The mark is not part of the state. */
void web_map_is_example(struct web_map *m, uint32_t page);
/* The last page names a URL. Returns NULL if it did so already, or if enough others do. */
struct map_link *web_map_names(struct web_map *m, uint32_t url);
/* The last page has no more links. */
void web_map_close(struct web_map *m);

/* A chosen page has come and brought `gain` more than usual: a tenth of that is left on
 * every page that links to it. */
void web_map_leave(struct web_map *m, uint32_t url, double gain);

/* A URL that has no page of its own redirected to this page: pages that name the URL
 * now know what is behind it. */
void web_map_leads_to(struct web_map *m, uint32_t url, uint32_t page);

/* Gives a page another label. Groups, least squares and the links beside it use it at once; yields
 * of pages only after web_map_solve() and web_map_recount(). */
void web_map_relabel(struct web_map *m, uint32_t page, double p);
void web_map_solve(struct web_map *m);
/* Computes everything that depends on labels again, except the yields of pages. */
void web_map_count(struct web_map *m);
/* Computes the yield of a page again, from what is now known behind its links. */
void web_map_recount(struct web_map *m, uint32_t page);

double page_yield(const struct web_map *m, const struct map_page *p);
/* Half the logit of the yield of a group, with two usual pages. `of` is
 * map_link.directory or .place. */
float group_worth(struct web_map *m, enum map_kind kind, uint32_t host, uint32_t of);
/* The numbers of a page's links will be asked for. */
void web_map_expect(const struct web_map *m, const struct map_page *page);
/* L(p) / 2. */
float half_logit(double p);
double yield_within(double p); /* limits a value to the range of yields */

/* The mean label of the visited pages that a page is linked with, and of two usual ones. */
double web_map_near(const struct web_map *m, uint32_t page);

/* ---- checkpoint (web_map_state.c) ---- */

/* The largest number of parts, all kinds together. */
#define MAP_PARTS_MOST (UINT32_C(1) << 26)

/* Save and load the figures. */
void web_map_save(const struct web_map *m, struct buf *out);
enum status web_map_load(struct web_map *m, struct cursor *from) MUST_USE;
/* Save the parts that changed since the last call, or all, with numbers from `first` on. */
void web_map_save_parts(struct web_map *m, uint32_t first, struct buf *out);
void web_map_save_all(const struct web_map *m, uint32_t first, struct buf *out);
/* Load each part after the figures, then call web_map_loaded(). */
enum status web_map_load_part(struct web_map *m, uint32_t number, struct cursor *from) MUST_USE;
enum status web_map_loaded(struct web_map *m) MUST_USE;
/* Loads the state as version 0.2 saved it, as a whole. */
enum status web_map_load_old(struct web_map *m, struct cursor *from) MUST_USE;
