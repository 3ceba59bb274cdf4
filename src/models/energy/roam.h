/* roam.h - agents that walk from page to page.
 *
 * The common part of `endogenous` and `balanced`: the state of every URL, where agents are
 * going, whose turn it is, and which link of a page an agent takes.
 *
 * A URL is open (known, not visited), taken (an agent is on the way), visited, or gone (the
 * visit failed). Links to visited pages are followed too: the agent walks there without a
 * fetch, served from the page base. A redirect's source stands for the page that it led to.
 *
 *     next      roam_next(): agents take turns in order of birth. The one whose turn
 *               it is says where it wants to go (rules->aim). To a visited page it
 *               walks at once (rules->visit); an open one becomes the choice
 *     perceive  roam_arrived(), then the same visit()
 *     failed    roam_failed(): the agent stays where it was
 *
 * An agent has at most one visit under way. If all links of its page are taken by others, it
 * waits. If no link is left, the model decides. Seeds come first: each is the choice of the
 * agent whose turn it is, and agents placed on that seed wait for it.
 *
 * If no URL is open, roam_next() returns false and agents stop walking. If ROAM_WALKS steps
 * in one call reach no open URL, it gives up until a page arrives; if no visit is under way,
 * the agent whose turn it is goes to any open URL (ROAM_STRAYED).
 */
#pragma once

#include "models/energy/link_context.h"
#include "agent/model.h"
#include "models/energy/page_base.h"
#include "models/energy/url_pool.h"

#define ROAM_WALKS 4096

/* Why an agent goes somewhere. */
enum roam_why {
    ROAM_LINK,    /* it followed a link */
    ROAM_PLACED,  /* it begins there: a seed */
    ROAM_DRAWN,   /* drawn to energy left on a page */
    ROAM_FORCED,  /* it had no energy left, and may live on */
    ROAM_BACK,    /* a dead end: it goes back, or anywhere */
    ROAM_STRAYED, /* no agent found an open URL for a long time */
};

struct roam_visit {
    uint32_t agent;
    uint32_t url;    /* where it goes */
    uint8_t why;     /* enum roam_why */
    float relevance; /* ROAM_LINK: the relevance of the page with the link … */
    float context;   /* … and of the words around the link */
};

/* How one of a page's links is chosen, in the order of the option. */
enum roam_pick { PICK_LINEAR, PICK_SOFTMAX, PICK_BEST };
#define PICK_CHOICES "linear|softmax|best"

struct roam_rules {
    double page;    /* a: score = a * page + (1 - a) * context */
    int pick;       /* enum roam_pick */
    double beta;    /* of softmax */
    int links;      /* 0: all links; 1: open ones first, others if there are none */
    int similarity; /* enum similarity (greedy.h) */
    int64_t kept;   /* links in memory */
    struct context_rules context;
    /* Where does this agent want to go? Returns true if `ret` has the URL, why, and what is needed
     * for learning. Returns false if it waits, or if it has died. */
    bool (*aim)(struct model *m, uint32_t agent, struct roam_visit *ret);
    /* The agent is on a page that was visited before; p->url is where it is now. */
    void (*visit)(struct model *m, const struct roam_visit *v, const struct base_page *p);
};

struct roam {
    struct roam_rules rules;
    struct page_base *base; /* NULL: not ready */
    struct url_index where; /* by URL; roam.c */
    struct url_pool open;   /* open URLs */
    float *promise;         /* by URL: the best score of its links */
    size_t promise_cap;
    uint32_t *seeds; /* all that were given */
    size_t nseeds, seeds_cap;
    size_t placed;             /* how many of them, in order, have been asked for */
    struct roam_visit *visits; /* visits under way */
    size_t nvisits, visits_cap;
    struct url_index away;     /* agent -> place in visits, counted from 1 */
    uint32_t turn;             /* the agent that acted last */
    struct roam_visit *guests; /* agents from another machine, and where they are going */
    size_t nguests, guests_cap;
    struct url_index slot;   /* by URL, zero between calls: number of the link on the page */
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

/* Rows of an option table that mean the same in both models; `field` is
 * a struct roam_options. */
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

/* only the first call has an effect */
void roam_init(struct roam *r, const struct roam_options *o);
void roam_clear(struct roam *r);

/* More seeds. Before that: how many of `all` agents begin at them. All do, at the first ones; on
 * several machines as many as these seeds are of all. */
int64_t roam_founders(const struct model *m, const struct roam *r, int64_t all, size_t count);
void roam_start(struct roam *r, const uint32_t *urls, size_t count);

bool roam_next(struct model *m, struct roam *r, struct choice *ret);

/* A page has come: it joins the base, its links get their scores, and the agent is on it.
 * Returns true if *ret is its visit and *ret_page the page (url 0: it was a sitemap, which
 * is not a place). Returns false if no agent asked for it; if it joined the base
 * nevertheless, *ret_page has its URL. */
bool roam_arrived(struct model *m, struct roam *r, struct percept *p, struct roam_visit *ret,
                  struct base_page *ret_page);
/* A page of an earlier crawl joins the base, without a number; otherwise it is a
 * place like others. */
void roam_adopt(struct model *m, struct roam *r, struct percept *p);
/* A visit has failed. Returns false if it is not a visit of an agent. */
bool roam_failed(struct roam *r, const struct choice *c, struct roam_visit *ret);

/* Two ways to aim: at a link of the page where the agent is, judged with the weight `page` (a); or,
 * if that has none, back to where it came from, or to any page. */
enum roam_found { ROAM_FOUND, ROAM_WAIT, ROAM_NONE };
enum roam_found roam_pick(struct model *m, struct roam *r, uint32_t agent, double page,
                          struct roam_visit *ret);
bool roam_back(struct model *m, struct roam *r, uint32_t agent, struct roam_visit *ret);
/* Aims at the most promising of `tries` open URLs drawn at random. Returns false if
 * there is none. */
bool roam_anywhere(struct model *m, struct roam *r, int64_t tries, struct roam_visit *ret);
/* Returns the most promising open URL for which is_it() is true; 0 if there is none. */
uint32_t roam_best(const struct roam *r, bool (*is_it)(void *ctx, uint32_t url), void *ctx);

/* Agents that move between machines (model_moves): an agent's record, and an agent
 * made from one. The last two functions are for agents that are still on their way;
 * call them after roam_save(). */
uint32_t roam_record(const struct model *m, const struct roam *r, uint32_t agent, struct buf *out);
void roam_let_go(struct roam *r, uint32_t agent);
enum status roam_unpack(struct model *m, struct roam *r, uint32_t agent, uint32_t url,
                        struct str state) MUST_USE;
void roam_guests_save(const struct roam *r, struct buf *out);
enum status roam_guests_load(struct roam *r, struct cursor *from) MUST_USE;

void roam_save(const struct roam *r, struct buf *out);
enum status roam_load(struct roam *r, struct cursor *from) MUST_USE;
void roam_describe(const struct roam *r, struct json *j);
