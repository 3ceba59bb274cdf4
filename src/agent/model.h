/* model.h - the contract of a crawler model: which link next?
 *
 * A model is a file or a folder in src/models/, a word in the list there, a page in docs/models/,
 * and a golden test. It sees the web only through this header, so it runs unchanged live, simulated
 * and on several machines. URLs, pages and agents are numbers (flow.h).
 *
 * Every model has the calls of model_ops. Calls that only some models need are in the tables
 * model_late, model_walks, model_moves, model_talks, model_learns, model_returns,
 * model_judges, model_tells and model_parts: a model that needs them points to such a table,
 * the others have NULL there.
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
    /* Returns the number of a known URL's host, from 1; 0 if the host is not kept, so that the URL
     * cannot be visited. Once a URL has a host, it keeps it. */
    uint32_t (*host)(void *engine, uint32_t url);
    /* Tells the engine the best link that waits at a host now. */
    void (*wish)(void *engine, uint32_t host, const struct wish *w);
};

/* Calls for models that talk (model_ops.talks). */
struct talk_calls {
    /* Sends a message from one agent to another: it is recorded, and given to the
     * model by `receive` before its next tick, in the order sent. */
    void (*send)(void *engine, const struct message *msg);
    /* Writes a sentence to the log. */
    void (*say)(void *engine, const char *sentence);
};

/* Calls for models that describe their agents (model_ops.tells). */
struct tell_calls {
    /* Returns the word of a term, for people, as the topic or a page spells it. It is
     * known at once if it is on the current page. Empty if it is not known yet; then it
     * is looked for on later pages. */
    struct str (*word)(void *engine, uint32_t term);
    /* An agent changed in another way than by birth or visits, so `tell` is to be called again. */
    void (*changed)(void *engine, uint32_t agent);
    /* Keeps a text under a name (crawl(key,value)) for readers of the crawl. The last
     * one counts. */
    void (*keep)(void *engine, const char *name, struct str value);
};

/* Everything that the model knows of the world. */
struct model_ctx {
    const struct topic *topic;
    const struct df_table *table;  /* current document frequencies; NULL: none yet */
    struct population *population; /* agent/population.h */
    struct rng rng;                /* the model's own stream */
    int64_t now;                   /* set by the engine before each call */
    int64_t wake;      /* set by the model: it wants to be called at this time, even if no
                        * page has come; 0: no such time. A crawl does not end before it.
                        * Reset to 0 when the time has come */
    uint32_t urls;     /* set by the engine before `load`: no saved URL has a larger number */
    uint32_t seeds;    /* of the whole crawl, if other machines begin with some of them: then the
                        * first agents are divided. 0: all begin here */
    uint32_t machines; /* kept up to date by the engine: how many share the crawl. 0: it runs
                        * on one alone */
    unsigned parallel; /* visits that can be under way at the same time */
    uint64_t pages;    /* that the crawl may fetch (--pages); 0: no such limit */
    void *engine;      /* for the calls below */
    /* How close a part of the page's words is to the topic: by the topic's own measure, or by the
     * cosine of raw counts. In [0,1]. */
    float (*score)(void *engine, const struct percept *p, struct span words, bool raw);
    /* The text of a known URL, lent until the next call; empty: it is not known. */
    struct str (*href)(void *engine, uint32_t url);
    /* Reports a URL that the model dropped from its own queue (DROP_MODEL). */
    void (*dropped)(void *engine, uint32_t url);
    const struct late_calls *late; /* NULL: there are no hosts */
    const struct talk_calls *talk; /* never NULL for a model that talks */
    const struct tell_calls *tell; /* NULL: descriptions will not be read */
    /* Gives a visited page once more: body (without texts) and profile as they were,
     * marks as they are now, without scores; lent until the next call. choice, depth
     * and latency are those of the visit that brought it (its score is NAN, its URL
     * that of the page where a redirect led there), first is false, page is 0 if it
     * was adopted. Returns false if it was not visited, or is not kept. May cost as
     * much as parsing a page. NULL unless the model walks (model_ops.walks). */
    bool (*look_up)(void *engine, uint32_t url, struct percept *ret);
    /* Is the page behind this URL about the topic, by its label? Only the lab knows: NULL on the
     * live web. For a redirect, its target counts. */
    bool (*truth)(void *engine, uint32_t url);
};

/* ---- what some models do --------------------------------------------------------- */

/* A model that chooses late keeps its links by host, and tells the engine the best link of
 * each host. When the host may be asked (its delay is over, robots.txt is read, a connection
 * is free), the engine calls `next` for it; among several such hosts the one with the best
 * link goes first. So the choice uses the newest knowledge, and delays never force a model
 * to choose ahead. Models that walk (an agent has one visit at a time) choose when there is
 * room, and may choose again when the visit can be sent (model_ops.again). */
struct model_late {
    /* Calls ctx->late->wish for every host whose best link has changed. */
    void (*wishes)(struct model *m);
    /* The score below which a link is not worth one of the `left` pages that are still wanted,
     * depending on `patience` (link_queue.h). -INFINITY: all links are worth it. */
    float (*bound)(const struct model *m, uint64_t left, double patience);
};

/* Agents that walk on pages visited before: those pages are kept for the model, and
 * it may call ctx->look_up. */
struct model_walks {
    /* --base-from: called for each page of an earlier crawl, after the first start
     * and before the first next. As for perceive, but there was no visit: choice has
     * only its URL, page is 0, first is false. Before the first of these pages, the
     * URLs of all of them count as visited, and no others do. After the last page it
     * is called once more with NULL. Other models get such pages by perceive, as
     * pages that they did not ask for. */
    void (*adopt)(struct model *m, struct percept *p);
    /* Returns the energy that the model keeps on pages, for the books (ledger.h). May be NULL. */
    double (*on_pages)(const struct model *m);
};

/* Agents that move to another machine, if a crawl has several (crawl/node/). There are two ways:
 *
 * Agents that walk go where their links lead. To the model, links whose hosts belong to another
 * machine look like any other links. When an agent has chosen such a link, its choice is not
 * answered: the agent is recorded, leaves the population (agent_leave), and comes alive on the
 * other machine.
 *
 * Agents that share one queue have no place, and links to other machines are sent without them
 * (marks have DROP_FOREIGN). Such a model has `settles`, which says who leaves. */
struct model_moves {
    /* Writes everything about an agent except its record in the population, and gives
     * the URL where it is or goes (0: nowhere yet). The agent does not change. Returns
     * false if `out` is too small. */
    bool (*record)(const struct model *m, uint32_t agent, struct buf *out, uint32_t *ret_url);
    /* An agent is about to leave: no other agent here should go to the link that it has
     * chosen. It still has its traits. */
    void (*let_go)(struct model *m, uint32_t agent);
    /* The agent has come, is alive but at no place yet, and is on its way to a URL (0: to one
     * that cannot be visited). `state` comes from another machine and is not trusted: after
     * ST_INVALID the agent has no traits. */
    enum status (*unpack)(struct model *m, uint32_t agent, uint32_t url, struct str state);
    /* No agent lives here, but links may wait; is_here() says which of them belong
     * to this machine. Returns true if an agent was born for one of them. NULL: a
     * population may die out. */
    bool (*revive)(struct model *m, bool (*is_here)(void *ctx, uint32_t url), void *ctx);
    /* `say` writes what models on the other machines should know, about once a second, in at
     * most 1 KB; `hear` reads what they wrote last, each as a cursor_str(). Both are NULL if
     * there is nothing to share. */
    void (*say)(const struct model *m, struct buf *out);
    void (*hear)(struct model *m, struct cursor *said);
    /* Called at every checkpoint: does an agent leave for another machine? Returns the agent; 0:
     * none leaves. It goes to the owner of the host of *ret_url, a link that was met with
     * DROP_FOREIGN (lent until the next call), at this depth. If that host is ours by now, it
     * stays. */
    uint32_t (*settles)(struct model *m, struct str *ret_url, uint16_t *ret_depth);
};

/* Agents that send each other messages (ctx->talk) and have deadlines. */
struct model_talks {
    void (*receive)(struct model *m, const struct message *msg); /* for its receiver */
    void (*tick)(struct model *m);                               /* time passes */
};

/* It learns from pages that the user marks; in the lab its topic gets example pages. */
struct model_learns {
    /* The user marks a visited page as relevant (1) or not (0), or removes the mark (-1,
     * without terms). After a resume all marks that are still valid are passed again, so they
     * are not part of the state. */
    void (*taught)(struct model *m, uint32_t url, const struct term *terms, size_t nterms,
                   int relevant);
};

/* It asks for refreshes of visited pages. */
struct model_returns {
    bool watches; /* with any options: suitable for `brood watch` */
    /* If not `watches`: does it ask for refreshes with these options? */
    bool (*repeats)(const void *options);
};

typedef void judge_fn(void *ctx, uint32_t page, float p);

/* It can say how likely a page that it was given is to be about the topic, as judged now, so
 * that early and late pages can be compared. The user's list of pages is in this order. Pages
 * of other models are judged at the end of the crawl (crawl/judge/appraise.h). */
struct model_judges {
    /* Calls `fn` for each page (percept.page) that it was given, with a probability in [0,1]. If
     * `fn` is called twice for a page, the last call counts. Changes nothing. */
    void (*judge)(const struct model *m, judge_fn *fn, void *ctx);
    /* The crawl is over and its state is saved: the model learns for the last time, as thoroughly
     * as it can, before `judge` is called once more. Only what `judge` then says is kept. May be
     * NULL. */
    void (*conclude)(struct model *m);
};

/* It can describe its agents. */
struct model_tells {
    /* Writes a description of a living agent, as members of an open JSON object (tell.h). Called
     * when the agent dies, from time to time, and on request. */
    void (*tell)(const struct model *m, uint32_t agent, struct json *j);
};

/* A state that grows with the web: its large tables are saved in parts (base/parts.h); a
 * checkpoint has only the parts that changed. */
struct model_parts {
    /* Called before `save`: calls parts_put() for every part that changed since the last call, and
     * at the first call for all parts. From then on `save` leaves out what is in parts. */
    void (*save)(struct model *m, struct buf *out);
    /* Called after `load` for each saved part, by ascending numbers; then `loaded` is called. */
    enum status (*load)(struct model *m, uint32_t number, struct str bytes);
    enum status (*loaded)(struct model *m);
};

/* ---- a model --------------------------------------------------------------------- */

struct model_ops {
    const char *name;             /* must be first; the value of --model */
    const char *summary;          /* one line */
    const char *advice;           /* a sentence: when to use it */
    const char *source;           /* the paper */
    const struct option *options; /* NULL-named entry at the end; may be NULL */
    const char *common;           /* the few of them that people change: "n parents" */
    size_t options_size;          /* of the struct the options fill */
    size_t state_size;            /* of the model's own struct; zeroed before start */
    bool lab_only;                /* never offered to a live crawl */
    /* Are the options valid together? Returns ST_USAGE, with a sentence, if not. May be NULL. */
    enum status (*check)(const void *options);
    /* Gives the places to begin with; may be called again later with more of them. */
    void (*start)(struct model *m, const uint32_t *urls, size_t count);
    /* Chooses a visit. If `host` is not 0, that host may be asked now, and one of its links is
     * wanted (struct model_late); with 0 there is room for any link. Returns false if there is
     * none. Every choice given out is answered exactly once, by perceive or by failed. */
    bool (*next)(struct model *m, uint32_t host, struct choice *ret);
    /* A choice that waited for its host can be sent now. Returns false if it is kept.
     * Returns true if its agent has chosen again: *ret is the new choice (url 0:
     * none), and the old one will not be answered. NULL: choices are always kept. Not
     * called if nothing had to wait. */
    bool (*again)(struct model *m, const struct choice *c, struct choice *ret);
    /* The page of a visit has come; p->marks[i] belongs to p->body->links[i]. Marks
     * with drop != DROP_NONE are not to be followed. The model writes its score of a
     * link into the mark (it is stored in the database). A mark's URL may have been
     * visited before. A percept whose choice has no URL answers no choice: the engine
     * fetched the page on its own (a sitemap, a retry). */
    void (*perceive)(struct model *m, struct percept *p);
    /* The visit failed. */
    void (*failed)(struct model *m, const struct choice *c, enum drop why);
    /* Save and load the whole state, for checkpoints. */
    void (*save)(const struct model *m, struct buf *out);
    enum status (*load)(struct model *m, struct str state);
    /* Writes figures for the dashboard, as members of an open JSON object. */
    void (*describe)(const struct model *m, struct json *j);
    /* Frees the state. */
    void (*finish)(struct model *m);
    const struct model_late *late; /* each is NULL if the model does not do it */
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

/* Would model_new() accept these settings? A mistake is named "set.KEY", or "set" if the
 * options are not valid together. `others`: options of every crawl, one of which may
 * be meant. */
void model_check(const struct model_ops *ops, const struct text_list *settings,
                 const struct option *others, struct mistakes *ret);

/* Makes a model with the given options ("key=value" texts) in place of its defaults. */
enum status model_new(const struct model_ops *ops, const struct text_list *settings,
                      struct model_ctx *ctx, struct model **ret) MUST_USE;
void model_free(struct model *m);

/* An agent takes over a term of the current page: people may later ask for its word. */
static inline void model_takes_word(const struct model *m, uint32_t term)
{
    if (m->ctx->tell)
        (void)m->ctx->tell->word(m->ctx->engine, term);
}

/* Does it ask for refreshes with its options? Is it suitable for `brood watch`? */
bool model_refreshes(const struct model *m);
bool model_watches(const struct model_ops *ops);

/* Do its agents go where their links lead, to other machines too? */
static inline bool model_roams(const struct model_ops *ops)
{
    return ops->moves && ops->moves->settles == NULL;
}

/* Returns the energy that it keeps on pages; 0 if it keeps none. */
double model_on_pages(const struct model *m);
