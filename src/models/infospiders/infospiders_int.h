/* infospiders_int.h - the internals of InfoSpiders, shared by its files.
 *
 *     infospiders.c  whose turn it is, what came of a visit; the checkpoint
 *     walk.c         where next: a link, the way back, a visited page
 *     life.c         what a visit is worth; learning, birth and death
 *     options.c
 *     private.c      variant=frontier: the links that agents keep
 */
#pragma once

#include "models/infospiders/link_bag.h"
#include "agent/model.h"
#include "models/infospiders/net.h"
#include "agent/population.h"
#include "models/infospiders/survey.h"
#include "agent/url_index.h"

/* In the order of their options' choices. */
enum spiders_variant { VARIANT_MYSPIDERS, VARIANT_FRONTIER };
enum spiders_bounds { BOUNDS_REACHED, BOUNDS_PASSED };
enum spiders_cost { COST_CONSTANT, COST_LATENCY, COST_SIMULATED, COST_CROWDED };
enum spiders_vector { VECTOR_QUERY, VECTOR_AGENT, VECTOR_TOPIC };
enum spiders_learn { LEARN_AUTO, LEARN_Q, LEARN_SUPERVISED, LEARN_NONE };
enum spiders_expand { EXPAND_COMMONEST, EXPAND_WEAKEST, EXPAND_NONE };

struct spiders_options {
    int variant;
    int64_t population, max_population, max_pages, timeout;
    double theta, cache_cost;
    int thresholds, cost, reward_vector;
    int learn;
    double eta, mu;
    int64_t rho, hidden;
    int weights;
    int select;
    double beta, beta_noise, beta_max;
    double mutation, noise;
    int expand;
    int64_t max_keywords;
    double alpha;
    int64_t max_buffer;
};

/* What an agent has beside its energy and its path (population.h). Fixed for life but
 * the net: keywords and beta. */
struct spider {
    uint32_t id;
    uint32_t to;      /* the URL to visit, or on the way to; 0: not chosen */
    uint32_t avoid;   /* the dead end it turned back from */
    uint32_t blocked; /* `answers` when all its ways were taken; 0: they were not */
    bool under_way;   /* its visit is not answered yet */
    bool by_link;     /* `in` belongs to the link that leads to `to` */
    float estimate;   /* the estimate of that link */
    double beta;      /* sharpness of its choices */
    uint32_t *words;  /* keywords: net.inputs of them */
    float *in;        /* as many */
    struct net net;
    struct link_bag bag; /* variant=frontier */
};

/* What is known of a URL: nothing, one of these, or the URL where its page is (the same, or
 * the target of a redirect). */
#define PLACE_NEW     0u
#define PLACE_OFFERED (UINT32_MAX - 2) /* a page has a link to it, or it is a seed */
#define PLACE_OPEN    (UINT32_MAX - 1) /* an agent is on the way to it */
#define PLACE_GONE    UINT32_MAX       /* not available */

static inline bool place_is_free(uint32_t place)
{
    return place == PLACE_NEW || place == PLACE_OFFERED;
}

struct spiders {
    bool ready;
    uint32_t founders; /* first agents: INIT_URLS of c_t */
    uint32_t turn;     /* the agent that was asked last */
    uint32_t open;     /* visits under way */
    uint32_t offered;  /* URLs that are PLACE_OFFERED */
    uint32_t answers;  /* visits answered, + 1 */
    uint64_t walks;    /* steps onto visited pages */
    struct url_index places;
    struct survey survey; /* of the current page */
    /* variant=frontier */
    size_t kept;           /* links in all bags */
    struct url_index held; /* URL -> bags that have it */
    double *room;          /* room for drawing from a bag */
    size_t room_cap;
};

static inline struct spiders *spiders_of(const struct model *m)
{
    return m->state;
}

static inline const struct spiders_options *options_of(const struct model *m)
{
    return m->options;
}

/* life.c */
struct spider *spider_new(struct model *m, uint32_t agent);
void spider_free(void *spider);
double spiders_c_t(const struct model *m); /* the cost of a page whose download times out */
/* The agent is on a page: handles energy, learning, children or death, and where it goes next. */
void spider_arrive(struct model *m, struct spider *s, struct percept *p);
/* Charges it for a visit that failed. Returns false if it died. */
bool spider_charge(struct model *m, struct spider *s, double cost);
double spiders_cost_of_failure(struct model *m, enum drop why);
void spider_die(struct model *m, struct spider *s, const char *cause);

/* walk.c */
enum step {
    STEP_CHOSEN,  /* the choice is made: to be fetched */
    STEP_WALKED,  /* onto a visited page */
    STEP_BLOCKED, /* it waits for another agent's visit, or for its own */
    STEP_DIED,
};
enum step spider_step(struct model *m, struct spider *s);
/* Draws a link of the survey's page; without one, `to` becomes 0. */
void spider_choose(struct model *m, struct spider *s);
void spiders_set_place(struct spiders *st, uint32_t url, uint32_t place);

/* private.c */
void spider_keep_links(struct model *m, struct spider *s, const struct percept *p);
bool spider_draw_kept(struct model *m, struct spider *s); /* false: it has none */
void spider_let_go(struct model *m, struct spider *s);    /* it dies: drops all its links */
void spiders_trim(struct model *m);                       /* to max_buffer */
void spiders_recount(struct model *m);                    /* after a load */

/* options.c */
extern const struct option spiders_option_table[];
