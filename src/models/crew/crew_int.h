/* crew_int.h - the internals of the crew, shared by its files.
 *
 *     crew.c           the model: whose turn it is, what a page brought, time
 *     link.c      where links are, and that none is lost or doubled
 *     desk.c      an assistant's day: first URLs, the check, work, stop
 *     deal.c      contracts: steps by the rules of models/crew/contract.h, and time
 *     act.c       what the rules make people do
 *     judge.c     ability: S, M, the lattices
 *     options.c, save.c, tell.c
 *
 * A group is a facilitator and its desks. A desk is a crawler and its assistant (the
 * crawler alone under organisation=xiangdan and wyy), with one queue of links.
 */
#pragma once

#include "models/crew/contract.h"
#include "models/crew/link_list.h"
#include "agent/link_queue.h"
#include "agent/model.h"
#include "agent/population.h"
#include "agent/url_index.h"
#include "agent/url_set.h"
#include "models/crew/context.h"

struct kin_memory;
struct lexicon;
struct relate;
struct wordnet;

/* In the order of their options' choices. */
enum crew_organisation { CREW_CREW, CREW_XIANGDAN, CREW_WYY };
enum crew_managers { MANAGERS_ONE, MANAGERS_ALL };
enum crew_bid { BID_BELOW, BID_AT_MOST };
enum crew_award { AWARD_BIDDING, AWARD_MIN_ABILITY };
enum crew_offer { OFFER_BEST, OFFER_ALTERNATE };
enum crew_floor { FLOOR_REPAIRED, FLOOR_PRINTED };

struct crew_options {
    int organisation;
    int64_t groups, crawlers, visits;
    int64_t interval;
    double threshold;
    int64_t relent;
    int managers, bid, award, offer;
    int64_t candidates, links;
    double share;
    double alpha, tau, on_topic;
    double isa, part;
    int64_t depth, terms;
    int floor;
    char *wordnet;
    int64_t keywords, per_page, window;
    bool check, deal;
    int64_t deadline, think, survival;
    int parents;
    int64_t buffer;
};

#define CREW_GROUPS   100
#define CREW_CRAWLERS 1000 /* of one group; and of all */
#define CREW_LISTED   50   /* links that a message names */
#define CREW_CONTENT  KIB(16)
#define CREW_KEPT     500 /* pages of a lattice that are kept for readers */

struct desk {
    uint32_t group;     /* place of its group */
    uint32_t crawler;   /* agents */
    uint32_t assistant; /* the crawler itself if there is no assistant */
    bool registered;
    bool fed; /* has got a first URL */
    bool stopped;
    bool gone;     /* dead, or no longer needed */
    uint32_t open; /* visits under way */

    /* places of links */
    struct link_queue queue;
    struct link_list inbox; /* links that the facilitator has for it */
    struct link_list asked; /* links that it has asked the facilitator about */
    struct link_list ready; /* not crawled by any agent, so they are visited next */
    struct url_set own;     /* check=no: the URLs that it has met */
    struct url_set again;   /* check=no: URLs that another desk was already visiting */

    int64_t register_by;   /* asks again at this time; 0: has not asked */
    int64_t announced_by;  /* the facilitator repeats the announcement then; 0: it was not made */
    int64_t asked_by;      /* asks again at this time */
    uint32_t conversation; /* of the question */

    /* ability */
    struct context *read; /* the pages that it has read */
    uint32_t fresh;       /* pages since the last time it was judged */
    int64_t judge_at;     /* 0: not in this round any more */
    int64_t busy_until;   /* xiangdan, wyy: no visits before this time */
    double s, m, ability; /* as last judged */

    /* as the facilitator knows it */
    double told;         /* ability */
    uint32_t told_round; /* 0: never told */

    uint64_t pages, denied, overlap, given, taken;
};

struct crew_group {
    uint32_t facilitator;
    struct context *read;  /* pages on topic of all its crawlers */
    uint32_t served_round; /* the last round with a contract */
    int64_t stop_by;       /* STOP is repeated at this time; 0: it was not sent */
};

/* A party's place in a contract. */
struct party {
    enum contract_state state;
    int64_t deadline;
};

struct bidder {
    uint32_t desk;
    struct party party;
    bool answered, bids; /* as known to the facilitator */
    double ability;      /* as stated in its bid */
    double least;        /* the lowest score among the offered links, as it was told */
};

enum held { HELD_ASIDE, HELD_TAKEN, HELD_RETURNED };

/* One conversation, with all its parties. */
struct deal {
    uint32_t conversation, round;
    uint32_t group, manager; /* places */
    int64_t called_at;
    enum held held;
    struct link_list links; /* put aside: no other agent has them */
    struct link_list left;  /* taken and not yet crawled: they are in the contractor's queue */
    uint32_t offered, passed;
    double ability; /* the manager's */
    struct party at_manager, at_facilitator;
    struct bidder *bidders;
    size_t nbidders, bidders_cap;
    uint32_t contractor; /* place of the desk, from 1; 0: none yet */
};

struct crew {
    bool ready;
    struct crew_group *groups;
    uint32_t ngroups;
    struct desk *desks;
    uint32_t ndesks;
    struct url_index of_agent; /* agent -> place of its desk, from 1 */
    struct url_index granted;  /* URL -> place of the desk that may crawl it, from 1. A URL
                                  is looked after by the facilitator of group url % groups */
    struct url_set visited;    /* URLs given out for visits */
    struct deal **deals;
    size_t ndeals, deals_cap;
    uint32_t conversation; /* number of the last conversation */
    uint32_t round;        /* of judging; 0: before the first */
    int64_t round_at;      /* the next one */
    int64_t began_at;
    uint32_t turn; /* place of the desk asked last */
    uint32_t live; /* desks that were not gone when next() was called */
    uint32_t dealt;
    uint64_t questions, offered, transferred;
    uint64_t ended[CONTRACT_STATES]; /* contracts, by the manager's last state */

    /* words; they are made again after a load */
    bool words;
    struct wordnet *wordnet;
    bool overlap; /* keywords are as near as their pages (overlap.h): WordNet does not know */
    struct kin_memory *kin; /* NULL until it is needed */
    struct lexicon *lexicon;
    struct relate *relate;
    char trouble[400]; /* why WordNet is not available */

    struct url_index copies; /* in checked builds: by URL, how many links there should be */
    uint64_t ncopies;        /* their sum */
    uint64_t checks;
};

static inline struct crew *crew_of(const struct model *m)
{
    return m->state;
}

static inline const struct crew_options *crew_options_of(const struct model *m)
{
    return m->options;
}

/* Do crawlers have assistants? */
static inline bool has_assistants(const struct model *m)
{
    return crew_options_of(m)->organisation == CREW_CREW;
}

/* crew.c */
struct crew *crew_begin(struct model *m); /* only the first call has an effect */
/* The agents of a desk die, and so do their contracts; the links go to other desks. */
void crew_lose(struct model *m, uint32_t desk, const char *cause);
struct desk *crew_desk_of(const struct model *m, uint32_t agent); /* NULL: it has none */

/* link.c */
/* Reports a link that this desk does not have, or a better score for one that it has. */
void link_found(struct model *m, struct desk *d, uint32_t url, double score);
/* Enters a link into the queue; it is merged with one that is there. */
void link_enter(struct model *m, struct desk *d, uint32_t url, double score);
void link_ended(struct model *m, uint32_t url); /* visited, refused, dropped, merged */
/* Puts a link into the inbox of a desk, from outside (`fresh`) or from another place. */
void link_assign(struct model *m, struct desk *d, uint32_t url, double score, bool fresh);
/* In how many places is the link? */
uint32_t crew_places(const struct model *m, uint32_t url);
uint64_t crew_links(const struct model *m); /* links in all places */
/* In checked builds, asserts that no link was lost or doubled; if there are many,
 * only from time to time. */
void crew_verify(struct model *m);
void crew_copies_recount(struct crew *st); /* after a load */

/* desk.c */
void desk_begin(struct model *m, struct desk *d); /* registers */
void desk_ask(struct model *m, struct desk *d, size_t links);
uint32_t desk_room(const struct model *m, const struct desk *d);
bool desk_is_free(const struct model *m, const struct desk *d); /* may visit now */
void desk_tick(struct model *m, struct desk *d);
void group_tick(struct model *m, struct crew_group *g); /* what its facilitator does */
/* They handle messages that do not belong to a contract. They return false if it is
 * not such a message. */
bool desk_hears(struct model *m, struct desk *d, const struct message *msg);
bool group_hears(struct model *m, struct crew_group *g, const struct message *msg);
void crew_say(struct model *m, uint32_t from, uint32_t to, uint32_t conversation,
              const char *performative, int64_t reply_by, const char *fmt, ...) PRINTF_LIKE(7, 8);

/* The parties and the message of one step of a contract. */
struct scene {
    struct model *m;
    struct deal *deal;
    struct bidder *bidder;     /* the contractor's side; NULL: not that side */
    const struct message *msg; /* NULL: the event is not a message */
};

static inline struct crew *scene_crew(const struct scene *s)
{
    return crew_of(s->m);
}

static inline struct desk *scene_manager(const struct scene *s)
{
    return &scene_crew(s)->desks[s->deal->manager];
}

static inline struct desk *scene_desk(const struct scene *s, const struct bidder *b)
{
    return &scene_crew(s)->desks[b->desk];
}

static inline uint32_t scene_facilitator(const struct scene *s)
{
    return scene_crew(s)->groups[s->deal->group].facilitator;
}

/* act.c */
bool scene_act(struct scene *s, enum contract_action action);       /* false: it fails */
struct bidder *scene_bidder(const struct scene *s, uint32_t agent); /* NULL: not a bidder */

/* deal.c */
void deal_call(struct model *m, struct desk *d);                       /* gives links away */
bool deal_engages(const struct model *m, uint32_t desk, bool talking); /* talking: not at work */
void deal_hears(struct model *m, const struct message *msg);
void deal_crawled(struct model *m, const struct desk *d, uint32_t url);
void deal_died(struct model *m, uint32_t desk);
void deals_tick(struct model *m);
int64_t deals_wake(const struct model *m, int64_t first);
void deal_free(struct deal *d);

/* judge.c */
void crew_words(struct model *m); /* only the first call has an effect */
/* P_u of a link of the page is the weight of its anchor times this. */
double crew_sim(struct model *m, const struct percept *p);
double crew_anchor(struct model *m, const struct percept *p, const struct link *l);
void crew_judge(struct model *m, struct desk *d); /* sets s, m, ability */
void crew_words_free(struct crew *st);

/* options.c, save.c */
extern const struct option crew_option_table[];
enum status crew_check(const void *options) MUST_USE;
void crew_save(const struct model *m, struct buf *out);
enum status crew_load(struct model *m, struct str state) MUST_USE;
void crew_describe(const struct model *m, struct json *j);
void crew_tell(const struct model *m, uint32_t agent, struct json *j);
/* Reports that a desk's pages or ability changed, which concern its assistant and
 * facilitator, too. */
void crew_changed(const struct model *m, const struct desk *d);
/* People will read the main words of this page, so they are spelled while it is available. */
void crew_takes_words(const struct model *m, const struct percept *p);
/* Writes the word of a term: as pages write it, or as WordNet does, or "#" and its number. */
void crew_spell(const struct model *m, uint32_t term, struct buf *out);
