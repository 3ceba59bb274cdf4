/* foragers_int.h - the internals of the foragers, shared by their files.
 *
 *     foragers.c          whose turn it is, and what came of a visit
 *     step.c     a forager's way: where next, what it sees, what it learns
 *     life.c     documents sent and answered; multiplication and deletion
 *     state.c    what a page is about, as a vector
 *     options.c, save.c, tell.c
 */
#pragma once

#include "models/foragers/forage_path.h"
#include "agent/model.h"
#include "agent/page_memory.h"
#include "agent/population.h"
#include "models/foragers/reinforcer.h"
#include "models/foragers/td.h"
#include "models/foragers/weblog.h"

struct clusters;

/* In the order of their options' choices. */
enum forager_gain { GAIN_NET, GAIN_REWARDS };
enum forager_last { LAST_BOOTSTRAP, LAST_REWARD };
enum forager_send { SEND_RECENT, SEND_RELEVANT };
enum forager_identity { IDENTITY_CONTENT, IDENTITY_URL };
enum forager_starts { STARTS_RANDOM, STARTS_RATE };
enum forager_death { DEATH_AT, DEATH_BELOW };

/* Which kinds of foragers a fleet has, and how many of each.
 *
 *     wl              all of one kind, from min_foragers to max_foragers
 *     wlrl:8,wl:8     two fleets with one reinforcing agent: at most so many of each kind,
 *                     and never fewer than their share of min_foragers, at least one
 *
 * Kinds of a mixed fleet multiply and are deleted by their own numbers, so that none can
 * take the other's places; they compete for news. */
enum forager_kind { KIND_WL, KIND_RL, KIND_WLRL, KINDS };

struct fleet {
    uint32_t least[KINDS], most[KINDS]; /* both 0: none of this kind */
    uint32_t all_least, all_most;
};

struct foragers_options {
    char *kind;
    int64_t steps, weblog, start_size;
    int starts;
    double beta;
    int gain;
    double alpha, gamma;
    int td, last, weights;
    char *clusters;
    int64_t k, learn;
    int mapping;
    int64_t max_age;
    double relevant;
    int send, identity;
    double reward, penalty;
    double scale, init_score, max_score, min_score, score_plus, score_minus;
    int death;
    bool cap, clamp;
    int64_t min_foragers, max_foragers;
    int64_t slice, lag;
    int64_t links, frontier, recheck, pages;
    bool feeds, talk;
    int64_t patience;
};

#define STEPS_MAX    10000 /* of a path */
#define FORAGERS_MAX 1000
#define LINKS_MAX    10000   /* looked at on one page */
#define FRONTIER_MAX 1000000 /* places of a path */
#define LEARN_MAX    20000   /* pages that clusters are made from */
#define LATE_MAX     65536   /* answers under way; beyond that the oldest is given at once */
#define TRIES        3       /* of a starting URL that is not available */
#define NAMES        3       /* words shown for a cluster */

/* What an agent has besides its place (population.h). */
struct forager {
    uint32_t id;
    enum forager_kind kind; /* as the population has it */
    struct rng rng;
    int64_t score; /* in units of SCORE_UNIT; energy is the same number in units of 1 */
    struct weblog weblog;
    struct td td;
    struct url_set marked; /* documents it sent */
    struct forage_path path;
    struct forage_path past;        /* lag: the path before; only its steps */
    bool looking;                   /* at linked pages of the last step; else it goes to a step */
    bool at_start;                  /* it goes to a starting URL */
    uint32_t *looks;                /* linked pages of the last step … */
    size_t nlooks, looks_cap, look; /* … and how many of them were looked at */
    uint32_t to;                    /* the URL to visit or look at; 0: not chosen yet */
    bool under_way;                 /* its visit is not answered yet */
    int64_t waits;           /* since when another forager's visit to `to` is awaited; 0: none */
    int64_t rests;           /* until when it rests, having nowhere to start; 0: it does not */
    uint64_t sent, relevant; /* its documents so far */
};

/* An answer of the reinforcing agent that is on its way. */
struct late_answer {
    int64_t due;
    uint32_t agent, path, step; /* step counted from 1 */
    double profit, reward;
};

struct foragers {
    bool ready;
    struct fleet fleet;
    struct reinforcer_config rules;
    struct td_config td;
    struct reinforcer agent; /* the reinforcing one */
    struct forage_pages pages;
    struct clusters *clusters; /* NULL: not yet */
    struct page_memory lesson; /* pages that clusters will be made from */
    uint64_t lesson_at;        /* make them at this number of pages */
    uint64_t seen;             /* new documents so far */
    uint64_t states;           /* computed so far … */
    double squares;            /* … and the sum of their squared lengths */
    uint32_t k;
    struct weblog seeds; /* kind=rl: where all start; otherwise where new ones started */
    uint32_t turn;       /* the forager asked last; with slices, the one that works */
    int64_t slice_ends;  /* 0: its slice has not begun */
    uint32_t open;       /* visits under way */
    uint64_t looks;      /* pages looked at, fetched or not */
    uint64_t fetched;    /* how many of these by a visit */
    uint64_t in_vain;    /* looks since the last new document */
    uint64_t paths, told;
    uint64_t lost;            /* answers that came too late for their path */
    uint32_t diverged;        /* how many foragers diverged */
    uint64_t diverged_after;  /* after how many steps the first one did */
    struct late_answer *late; /* in order of time */
    size_t nlate, late_cap;
    /* for people (tell.c); not part of the state */
    uint32_t *names;                 /* words of the clusters */
    const struct clusters *names_of; /* the clusters of `names`; NULL: no names yet */
};

static inline struct foragers *foragers_of(const struct model *m)
{
    return m->state;
}

static inline const struct foragers_options *options_of(const struct model *m)
{
    return m->options;
}

static inline bool has_weblog(const struct forager *f)
{
    return f->kind != KIND_RL;
}

static inline bool has_learning(const struct forager *f)
{
    return f->kind != KIND_WL;
}

/* foragers.c */
struct foragers *foragers_begin(struct model *m); /* only the first call has an effect */
struct forager *forager_find(const struct model *m, uint32_t agent);
struct forager *forager_nth(const struct model *m, uint32_t i);

/* step.c */
/* Chooses f->to if it is not set. Returns false if the forager has nothing to do now. */
bool forager_choose(struct model *m, struct forager *f);
/* Returns the most promising place of its path, or 0. */
uint32_t forager_best_place(struct model *m, struct forager *f);
/* Is a look at f->to unnecessary? If so, it is treated as done. */
bool forager_looks_back(struct model *m, struct forager *f);
void forager_arrive(struct model *m, struct forager *f, struct percept *p);
void forager_miss(struct model *m, struct forager *f, enum drop why);
/* Call it when all linked pages were looked at. */
void forager_learn(struct model *m, struct forager *f);
/* Tells it of a page that others found valuable. */
void forager_hear(struct model *m, struct forager *f, uint32_t url, double profit);

/* life.c */
struct forager *forager_new(struct model *m, uint32_t agent);
void forager_free(void *forager);
void foragers_found(struct model *m); /* makes the first ones */
/* Sends a document that it looked at, if it may be new. Returns the change of its score in units,
 * to be booked by forager_book(). */
int64_t forager_send(struct model *m, struct forager *f, const struct document *d);
void forager_book(struct model *m, struct forager *f, int64_t units, uint32_t page, bool first);
/* Call it after a step or a slice. Returns false if the forager was deleted. */
bool forager_manage(struct model *m, struct forager *f);
void foragers_answer_late(struct model *m); /* those that are due */
void forager_says_diverged(struct model *m, struct forager *f);

/* state.c */
enum status foragers_check_clusters(const struct foragers_options *o) MUST_USE;
void foragers_open_clusters(struct model *m);
/* Takes a new document. The first ones are used to make clusters. */
void foragers_study(struct model *m, const struct percept *p);
/* Stores the state of a page in its record. */
void foragers_set_state(struct model *m, uint32_t record, const struct profile *profile);

/* options.c */
const char *fleet_kind(enum forager_kind kind); /* "wl" */
/* Reads a fleet of `least` to `most` foragers. Returns ST_USAGE, with a sentence, if
 * the text is not valid. */
enum status fleet_read(const char *text, uint32_t least, uint32_t most, struct fleet *ret) MUST_USE;
/* Returns the kind of that name, or KINDS. */
enum forager_kind fleet_find(struct str name);
extern const struct option foragers_option_table[];
enum status foragers_check(const void *options) MUST_USE;

/* save.c, tell.c */
void foragers_save(const struct model *m, struct buf *out);
enum status foragers_load(struct model *m, struct str state) MUST_USE;
void foragers_tell(const struct model *m, uint32_t agent, struct json *j);
