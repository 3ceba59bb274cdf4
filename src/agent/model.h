/* model.h - the contract of a crawler model: which link next?
 *
 * A model is a file or a folder in src/models/, one word in the list there, one page
 * in docs/models/, one golden test. It sees the web only through this header, so
 * it runs unchanged live, simulated and on several machines. URLs, pages and
 * agents are numbers (flow.h).
 *
 * Every model has the calls of model_ops. What only some models do is in the tables
 * model_late, model_walks, model_moves, model_talks, model_learns, model_returns, model_judges,
 * model_tells and model_parts: a model that does it points to such a table, the others have NULL there.
 */
#pragma once

#include "base/status.h"
#include "base/json.h"
#include "base/option.h"
#include "base/rng.h"
#include "flow.h"

struct df_table;
struct population;
struct topic;

struct model;

/* ---- what the engine gives ------------------------------------------------------- */

/* Calls for models that choose late (model_ops.late). */
struct late_calls {
    /* The number of a known URL's host, from 1; 0: the host is not kept, so the URL cannot be
     * visited. Once a URL has a host, it keeps it. */
    uint32_t (*host)(void *engine, uint32_t url);
    /* The best link that waits at a host now. */
    void (*wish)(void *engine, uint32_t host, const struct wish *w);
};

/* Calls for models that talk (model_ops.talks). */
struct talk_calls {
    /* One agent says something to another: kept (`message`), and given to the model
     * by `receive` before its next tick, in the order sent. */
    void (*send)(void *engine, const struct message *msg);
    /* A sentence for the log. */
    void (*say)(void *engine, const char *sentence);
};

/* Calls for models that tell of their agents (model_ops.tells). */
struct tell_calls {
    /* The word behind a term, for people, as the topic or a page spells it: known at once
     * where it stands on the page at hand. Empty: not known yet; it is looked for on the
     * pages that come. */
    struct str (*word)(void *engine, uint32_t term);
    /* An agent changed otherwise than by birth and visits: `tell` is to be called again. */
    void (*changed)(void *engine, uint32_t agent);
    /* Keeps a text under a name (crawl(key,value)), for those who look at the crawl later.
     * The last one counts. */
    void (*keep)(void *engine, const char *name, struct str value);
};

/* The model's whole world. */
struct model_ctx {
    const struct topic *topic;
    const struct df_table *table;  /* document frequencies of the moment; NULL: none yet */
    struct population *population; /* agent/population.h */
    struct rng rng;                /* the model's own stream */
    int64_t now;                   /* set by the engine before each call */
    int64_t wake;      /* set by the model: it wants to be asked at this time, even if no page has
                        * come; 0: no such time. A crawl does not end before it. Reset to 0
                        * when the time has come */
    uint32_t urls;     /* set by the engine before `load`: no saved URL has a larger number */
    uint32_t seeds;    /* of the whole crawl, where other machines begin with some of them: agents
                        * of the beginning are divided. 0: all begin here */
    unsigned parallel; /* visits that can be under way at once */
    uint64_t pages;    /* that the crawl may fetch (--pages); 0: no such limit */
    void *engine;      /* for the calls below */
    /* How near a part of the page's words is to the topic: by the topic's own
     * measure, or by the cosine of raw counts. In [0,1]. */
    float (*score)(void *engine, const struct percept *p, struct span words, bool raw);
    /* The text of a known URL, lent until the next call; empty: it is not known. */
    struct str (*href)(void *engine, uint32_t url);
    /* A URL that the model dropped from its own queue (DROP_MODEL). */
    void (*dropped)(void *engine, uint32_t url);
    const struct late_calls *late; /* NULL: there are no hosts */
    const struct talk_calls *talk; /* never NULL for a model that talks */
    const struct tell_calls *tell; /* NULL: it will not be read */
    /* A page that was visited, once more: body (without texts) and profile as they
     * were, marks as they are now, without scores; lent until the next call. choice,
     * depth and latency are those of the visit that brought it (its score is NAN,
     * its URL that of the page where a redirect led there), first is false, page is
     * 0 where it was adopted. False: it was not visited, or is not kept. May cost as
     * much as parsing a page. NULL unless the model walks (model_ops.walks). */
    bool (*look_up)(void *engine, uint32_t url, struct percept *ret);
    /* Is the page behind this URL of the topic, by its label? Only the lab knows:
     * NULL on the live web. Of a redirect, where it leads. */
    bool (*truth)(void *engine, uint32_t url);
};

/* ---- what some models do --------------------------------------------------------- */

/* A model that chooses late keeps its links by host and says of each host which is the best
 * there. When the host may be asked (its delay is over, robots.txt is read, a connection is
 * free), the engine calls `next` for it; among several such hosts that of the best link goes
 * first. So what came a moment ago still counts, and no delay makes a model choose ahead.
 * Models that walk (an agent has one visit at a time) choose when there is room, and may
 * choose again when the visit can be sent (model_ops.again). */
struct model_late {
    /* Calls ctx->late->wish for every host whose best link is another than before. */
    void (*wishes)(struct model *m);
    /* The score below which a link is not worth one of the `left` pages that are still
     * wanted; by `patience` (link_queue.h). -INFINITY: all are. */
    float (*bound)(const struct model *m, uint64_t left, double patience);
};

/* Agents that walk on pages which were visited before: those pages are kept for the
 * model, and it may call ctx->look_up. */
struct model_walks {
    /* --base-from: a page of an earlier crawl, after the first start and before the first
     * next; as for perceive, but no visit brought it: choice has its URL alone, page is
     * 0, first is false. All URLs of such pages count as visited before the first comes:
     * nothing else is taken. After the last page once more with NULL. Other models get
     * such pages by perceive, as pages that they did not ask for. */
    void (*adopt)(struct model *m, struct percept *p);
    /* Energy that the model keeps on pages, for the books (ledger.h). May be NULL. */
    double (*on_pages)(const struct model *m);
};

/* Agents that move to another machine, where a crawl has several (crawl/node/). Links whose hosts
 * belong to another one look like others to the model. When an agent has chosen such a link, its
 * choice is not answered: the agent is recorded, leaves the population (agent_leave), and comes
 * alive on the other machine. Models whose agents are tied to a queue that they share have no
 * such table: their links are sent, and their agents stay. */
struct model_moves {
    /* Writes everything about an agent except its record in the population, and says where it is
     * or goes (0: nowhere yet). The agent does not change. False: `out` is too small for it. */
    bool (*record)(const struct model *m, uint32_t agent, struct buf *out, uint32_t *ret_url);
    /* An agent is about to leave: no other agent here should go to the link that it had chosen. It
     * still has its traits. */
    void (*let_go)(struct model *m, uint32_t agent);
    /* The agent has come, is alive at no place, and is on its way to a URL (0: which nobody can
     * visit). `state` is a stranger's: ST_INVALID, and the agent has no traits. */
    enum status (*unpack)(struct model *m, uint32_t agent, uint32_t url, struct str state);
    /* Nobody lives here, and links may wait, of which is_here() tells those of this machine: true
     * where somebody was born for one of them. NULL: a population may die out. */
    bool (*revive)(struct model *m, bool (*is_here)(void *ctx, uint32_t url), void *ctx);
    /* What models on the other machines should know, about once a second, in at most 1 KB; and
     * what they said last, each a cursor_str(). Both NULL: nothing. */
    void (*say)(const struct model *m, struct buf *out);
    void (*hear)(struct model *m, struct cursor *said);
};

/* Agents that send each other messages (ctx->talk) and have deadlines. */
struct model_talks {
    void (*receive)(struct model *m, const struct message *msg); /* for its receiver */
    void (*tick)(struct model *m);                               /* time passes */
};

/* It learns from pages that the user marks; the lab gives it a topic with example pages. */
struct model_learns {
    /* The user says that a visited page is relevant (1), is not (0), or takes that back
     * (-1, without terms). After a resume all marks that hold come again, so they are
     * no part of the state. */
    void (*taught)(struct model *m, uint32_t url, const struct term *terms, size_t nterms,
                   int relevant);
};

/* It asks for refreshes of visited pages. */
struct model_returns {
    bool watches; /* whatever its options are: fit for `brood watch` */
    /* Otherwise: does it ask for some with these options? */
    bool (*repeats)(const void *options);
};

typedef void judge_fn(void *ctx, uint32_t page, float p);

/* It can say how probably a page that it was given is of the topic, as it sees that now: pages
 * found early and late compare. The user's list of pages is ordered by it. Pages of
 * other models are judged at the end of the crawl (crawl/judge/appraise.h). */
struct model_judges {
    /* Calls `fn` for each page (percept.page) that it was given, in [0,1]. Where it was given
     * a page twice, the last call counts. Changes nothing. */
    void (*judge)(const struct model *m, judge_fn *fn, void *ctx);
};

/* It can say what its agents are made of. */
struct model_tells {
    /* What a living agent is made of, members of an open JSON object (tell.h); called
     * when the agent dies, now and then, and on request. */
    void (*tell)(const struct model *m, uint32_t agent, struct json *j);
};

/* A state that grows with the web: its large tables are saved in parts (base/parts.h), of which a
 * checkpoint has those that changed. */
struct model_parts {
    /* Called before `save`: parts_put() for every part that changed since the last call; at the
     * first call for all. From then on `save` leaves out what is in parts. */
    void (*save)(struct model *m, struct buf *out);
    /* After `load`: a part that was saved, by ascending numbers; then `loaded`. */
    enum status (*load)(struct model *m, uint32_t number, struct str bytes);
    enum status (*loaded)(struct model *m);
};

/* ---- a model --------------------------------------------------------------------- */

struct model_ops {
    const char *name;             /* first: what --model takes */
    const char *summary;          /* one line */
    const char *advice;           /* when to use it: a sentence */
    const char *source;           /* the paper */
    const struct option *options; /* NULL-named entry at the end; may be NULL */
    const char *common;           /* the few of them that people change: "n parents" */
    size_t options_size;          /* of the struct the options fill */
    size_t state_size;            /* of the model's own struct; zeroed before start */
    bool lab_only;                /* never offered to a live crawl */
    /* Do the options make sense together? ST_USAGE with a sentence. May be NULL. */
    enum status (*check)(const void *options);
    /* Places to begin; may be called again later with more of them. */
    void (*start)(struct model *m, const uint32_t *urls, size_t count);
    /* Which visit? `host` may be asked now: one of its links (struct model_late); 0: there
     * is room, any link. Every choice given out is answered exactly once, by perceive or
     * by failed. */
    bool (*next)(struct model *m, uint32_t host, struct choice *ret);
    /* A choice that waited for its host can be sent now. False: it stands. True: its agent has
     * chosen again, *ret (url 0: nothing now), and the old choice will not be answered. NULL:
     * choices stand. Not called where nothing had to wait. */
    bool (*again)(struct model *m, const struct choice *c, struct choice *ret);
    /* The page came; p->marks[i] belongs to p->body->links[i]. Marks with drop !=
     * DROP_NONE are not to be followed. The model writes the score it gives a link into
     * its mark (it is kept in the database). A mark's URL may have been visited before.
     * A percept whose choice has no URL answers none: the engine came to the page by
     * itself (a sitemap, a retry). */
    void (*perceive)(struct model *m, struct percept *p);
    /* The visit came to nothing. */
    void (*failed)(struct model *m, const struct choice *c, enum drop why);
    /* The whole state, for checkpoints. */
    void (*save)(const struct model *m, struct buf *out);
    enum status (*load)(struct model *m, struct str state);
    /* Figures for the dashboard, members of an open JSON object. */
    void (*describe)(const struct model *m, struct json *j);
    /* Frees the state. */
    void (*finish)(struct model *m);
    const struct model_late *late; /* each NULL where the model does not do it */
    const struct model_walks *walks;
    const struct model_moves *moves;
    const struct model_talks *talks;
    const struct model_learns *learns;
    const struct model_returns *returns;
    const struct model_judges *judges;
    const struct model_tells *tells;
    const struct model_parts *parts;
};

/* A running model. */
struct model {
    const struct model_ops *ops;
    struct model_ctx *ctx; /* lent by the engine */
    void *options;         /* ops->options_size bytes, filled from the table */
    void *state;           /* ops->state_size bytes */
};

/* Would model_new() take these settings? Faults are "set.KEY", or "set" where the options
 * do not go together. */
void model_check(const struct model_ops *ops, const struct text_list *settings,
                 struct mistakes *ret);

/* A model with the given options ("key=value" texts) over its defaults. */
enum status model_new(const struct model_ops *ops, const struct text_list *settings,
                      struct model_ctx *ctx, struct model **ret) MUST_USE;
void model_free(struct model *m);

/* An agent takes a term of the page at hand for itself: people may ask for its word. */
static inline void model_takes_word(const struct model *m, uint32_t term)
{
    if (m->ctx->tell)
        (void)m->ctx->tell->word(m->ctx->engine, term);
}

/* May it ask for refreshes? Is it fit for `brood watch`? */
bool model_refreshes(const struct model *m);
bool model_watches(const struct model_ops *ops);

/* The energy that it keeps on pages; 0 where it keeps none. */
double model_on_pages(const struct model *m);
