/* roam.h - agents that walk from page to page.
 *
 * What `endogenous` and `balanced` share: the state of every URL, which agents are on the way
 * where, whose turn it is, and which link of a page an agent takes.
 *
 * A URL is open (known, not visited), taken (an agent is on the way), visited,
 * or gone (the visit came to nothing). Links to visited pages are followed too: the
 * agent walks there without a fetch, served from the page base. A redirect's source
 * stands for the page that it led to.
 *
 *     next      roam_next(): agents take turns in order of birth. The one whose turn
 *               it is says where it wants to go (rules->aim). To a visited page it
 *               walks at once (rules->visit); an open one becomes the choice
 *     perceive  roam_arrived(), then the same visit()
 *     failed    roam_failed(): the agent stays where it was
 *
 * An agent has at most one visit under way. All links of its page taken by others: it
 * waits. No link left at all: the model decides. Seeds come first: each is the choice
 * of the agent whose turn it is, and whoever was put on it waits for it.
 *
 * When no URL is open, roam_next() says so and no agent walks any more. When
 * ROAM_WALKS steps in one call led to none, it gives up until something arrives; with
 * nothing under way the agent whose turn it is goes to any open URL (ROAM_STRAYED).
 */
#pragma once

#include "models/energy/link_context.h"
#include "agent/model.h"
#include "models/energy/page_base.h"
#include "models/energy/url_pool.h"

#define ROAM_WALKS 4096

/* Why an agent goes where it goes. */
enum roam_why {
    ROAM_LINK,    /* it followed a link */
    ROAM_PLACED,  /* it begins there: a seed */
    ROAM_DRAWN,   /* drawn to energy left on a page */
    ROAM_FORCED,  /* it had no energy left, and may live on */
    ROAM_BACK,    /* a dead end: the way back, or anywhere */
    ROAM_STRAYED, /* no agent found an open URL for long */
};

struct roam_visit {
    uint32_t agent;
    uint32_t url;    /* where it goes */
    uint8_t why;     /* enum roam_why */
    float relevance; /* ROAM_LINK: of the page that had the link … */
    float context;   /* … and of the words around it */
};

/* How a link is chosen among those of a page. The order of the option. */
enum roam_pick { PICK_LINEAR, PICK_SOFTMAX, PICK_BEST };
#define PICK_CHOICES "linear|softmax|best"

struct roam_rules {
    double page;    /* a: score = a * page + (1 - a) * context */
    int pick;       /* enum roam_pick */
    double beta;    /* of softmax */
    int links;      /* 0: all links; 1: open ones first, others where there are none */
    int similarity; /* enum similarity (greedy.h) */
    int64_t kept;   /* links in memory */
    struct context_rules context;
    /* Where does this agent want to go? True: `ret` has url, why and what it takes to
     * learn. False: it waits. It may have died instead. */
    bool (*aim)(struct model *m, uint32_t agent, struct roam_visit *ret);
    /* It is on a page that was visited before; p->url is where it is now. */
    void (*visit)(struct model *m, const struct roam_visit *v, const struct base_page *p);
};

struct roam {
    struct roam_rules rules;
    struct page_base *base; /* NULL: not ready */
    struct url_index where; /* by URL; roam.c */
    struct url_pool open;   /* URLs */
    float *promise;         /* by URL: the best score of a link to it */
    size_t promise_cap;
    uint32_t *seeds; /* all that were given */
    size_t nseeds, seeds_cap;
    size_t placed;             /* of them, in order: visits were asked for */
    struct roam_visit *visits; /* under way */
    size_t nvisits, visits_cap;
    struct url_index away;     /* agent -> place in visits, counted from 1 */
    uint32_t turn;             /* the agent that acted last */
    struct roam_visit *guests; /* agents that came from another machine, and where they go */
    size_t nguests, guests_cap;
    struct url_index slot;   /* by URL, zero between calls: links of one page */
    struct base_link *links; /* room for them */
    float *contexts;
    size_t links_cap;
};

struct roam_options {
    double page, beta;
    int pick, links, similarity;
    int64_t kept;
    struct context_rules context;
};

/* Rows of an option table that mean the same in every such model; `field` is a struct
 * roam_options. */
#define ROAM_OPTIONS(field)                                                                       \
    {REAL_OPTION("page", field.page, "A", "0.25", 0, 1),                                          \
     .help = "weight of the page in a link's score, against the words around the link",           \
     .source = "Pant & Srinivasan 2006, from memory", .unverified = true},                        \
        CONTEXT_OPTIONS(field.context),                                                           \
        {CHOICE_OPTION("pick", field.pick, PICK_CHOICES, "best"),                                 \
         .help = "a link is drawn in proportion to its score, or to exp(beta * score), or the "   \
                 "best is taken",                                                                 \
         .source = "ours, measured"},                                                             \
        {REAL_OPTION("beta", field.beta, "X", "10", 0, 1e6),                                      \
         .help = "how sharply softmax prefers good links", .source = "ours"},                     \
        {CHOICE_OPTION("links", field.links, "all|new", "new"),                                   \
         .help = "new: links to visited pages are followed only where a page has no others",      \
         .source = "ours, measured; the paper does not say"},                                     \
        {CHOICE_OPTION("similarity", field.similarity, "raw|topic", "topic"),                     \
         .help = "raw: cosine of word counts; topic: the topic's own relevance, tf-idf",          \
         .source = "Mouton & Marteau: tf*idf"},                                                   \
    {                                                                                             \
        INT_OPTION("links-kept", field.kept, "N", "8000000", 0, 1e9),                             \
            .help = "links of visited pages in memory, 8 bytes each; the rest is read again (0: " \
                    "all)",                                                                       \
            .source = "ours"                                                                      \
    }

/* Once; later calls do nothing. */
void roam_init(struct roam *r, const struct roam_options *o);
void roam_clear(struct roam *r);

/* More seeds. Before that: how many of `all` agents begin at them. All do, at the first ones; on
 * several machines as many as these seeds are of all. */
int64_t roam_founders(const struct model *m, const struct roam *r, int64_t all, size_t count);
void roam_start(struct roam *r, const uint32_t *urls, size_t count);

bool roam_next(struct model *m, struct roam *r, struct choice *ret);

/* A page came: it joins the base, its links get their scores, the agent is on it.
 * True: *ret is its visit, *ret_page the page (url 0: it was a sitemap, which is no
 * place to be). False: no agent asked for it; where it joined the base all the same,
 * *ret_page has its url. */
bool roam_arrived(struct model *m, struct roam *r, struct percept *p, struct roam_visit *ret,
                  struct base_page *ret_page);
/* A page of an earlier crawl joins the base, without a number: a place like others. */
void roam_adopt(struct model *m, struct roam *r, struct percept *p);
/* The visit came to nothing. False: it was none of ours. */
bool roam_failed(struct roam *r, const struct choice *c, struct roam_visit *ret);

/* Two ways to aim: a link of the page it is on, judged with the weight `page` (a);
 * or, where that has none, the way back or else any page. */
enum roam_found { ROAM_FOUND, ROAM_WAIT, ROAM_NONE };
enum roam_found roam_pick(struct model *m, struct roam *r, uint32_t agent, double page,
                          struct roam_visit *ret);
bool roam_back(struct model *m, struct roam *r, uint32_t agent, struct roam_visit *ret);
/* The most promising of `tries` open URLs drawn at random; false: there is none. */
bool roam_anywhere(struct model *m, struct roam *r, int64_t tries, struct roam_visit *ret);
/* The most promising of the open URLs of which this is true; 0: there is none. */
uint32_t roam_best(const struct roam *r, bool (*is_it)(void *ctx, uint32_t url), void *ctx);

/* Agents that move between machines (model_moves): what is written of one, and back. The last two
 * are for those who are still on their way, after roam_save(). */
uint32_t roam_record(const struct model *m, const struct roam *r, uint32_t agent, struct buf *out);
void roam_let_go(struct roam *r, uint32_t agent);
enum status roam_unpack(struct model *m, struct roam *r, uint32_t agent, uint32_t url,
                        struct str state) MUST_USE;
void roam_guests_save(const struct roam *r, struct buf *out);
enum status roam_guests_load(struct roam *r, struct cursor *from) MUST_USE;

void roam_save(const struct roam *r, struct buf *out);
enum status roam_load(struct roam *r, struct cursor *from) MUST_USE;
void roam_describe(const struct roam *r, struct json *j);
