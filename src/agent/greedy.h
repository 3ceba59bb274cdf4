/* greedy.h - the common part of models that always want the best link they know.
 *
 * One queue of links by host, and one agent. The model gives scores; everything else is
 * here: seeds, the ceiling, reports to the engine of links that leave the queue, and
 * the common part of the state.
 *
 *     next      greedy_take()
 *     perceive  greedy_add() for every link, then greedy_visited()
 *     late      &greedy_late, where the model's state begins with a struct greedy
 */
#pragma once

#include "agent/link_queue.h"
#include "agent/model.h"

struct greedy {
    struct link_queue queue;
    uint32_t agent; /* 0: not born yet */
    bool ready;     /* the queue has its ceiling and its rule */
};

/* Rows of an option table that mean the same in every such model (AT(): base/option.h). */
#define GREEDY_PARENTS(field)                                                                \
    {                                                                                        \
        CHOICE_OPTION("parents", field, PARENTS_CHOICES, "max"),                             \
            .help = "how the scores of several parents of one link are joined",              \
            .source = "max in the literature, from memory; mean is ours", .unverified = true \
    }
#define GREEDY_BUFFER(field)                                                               \
    {                                                                                      \
        INT_OPTION("buffer", field, "N", "0", 0, 1e9),                                     \
            .help = "links that may wait; the lowest leave (0: no ceiling)",               \
            .source = "MAX_BUFFER of the crawler comparisons; 256 in the earlier studies", \
            .unverified = true                                                             \
    }
#define GREEDY_SIMILARITY(field)                                                                  \
    {                                                                                             \
        CHOICE_OPTION("similarity", field, "raw|topic", "raw"),                                   \
            .help =                                                                               \
                "raw: cosine of word counts, as in the papers; topic: the topic's own relevance", \
            .source = "Pant & Menczer: cosine of raw term counts"                                 \
    }

enum similarity { SIMILARITY_RAW, SIMILARITY_TOPIC }; /* the order of that row */

static inline double page_similarity(const struct percept *p, int similarity)
{
    return (double)(similarity == SIMILARITY_RAW ? p->profile->similarity : p->profile->relevance);
}

/* May a link be offered at all? */
static inline bool mark_is_open(const struct link_mark *mark)
{
    return mark->drop == DROP_NONE && !mark->taken;
}

/* Returns the score of a link that had the score `old` from parents - 1 pages and
 * gets `score` from one more. */
double parents_join(enum parents rule, double old, double score, uint32_t parents);

/* Call it any number of times; only the first call has an effect. */
void greedy_init(struct model *m, struct greedy *g, int64_t buffer, int parents);
void greedy_clear(struct greedy *g);

/* The agent is born with the first seeds. `kind` is a string literal. */
void greedy_begin(struct model *m, struct greedy *g, const char *kind);

/* Adds a link that was found; its score is joined with those it has. Returns the URL that left the
 * queue for it, or 0; the engine was told of it. */
uint32_t greedy_add(struct model *m, struct greedy *g, uint32_t url, double score);

/* The same, but with link_queue_set(). */
uint32_t greedy_set(struct model *m, struct greedy *g, uint32_t url, double score, bool as_new);

/* Reports a link that will not be followed, unless it is waiting already. */
void greedy_refuse(struct model *m, const struct greedy *g, const struct link_mark *mark);

/* Takes the best link of a host as a choice. *ret_score, which may be NULL, is its score in the
 * queue. Returns false if the host has no link. */
bool greedy_take(struct greedy *g, uint32_t host, struct choice *ret, double *ret_score);

/* Records the visit of a page. */
void greedy_visited(struct model *m, const struct greedy *g, const struct percept *p);

/* The late choices of a model whose state begins with a struct greedy;
 * greedy_wishes() is one of these calls. */
extern const struct model_late greedy_late;
void greedy_wishes(struct model *m);

/* Saves and loads the queue of such a model in parts. */
extern const struct model_parts greedy_parts;

void greedy_save(const struct greedy *g, struct buf *out);
enum status greedy_load(struct greedy *g, struct cursor *from) MUST_USE;
void greedy_describe(const struct greedy *g, struct json *j);
void greedy_describe_model(const struct model *m, struct json *j); /* of such a model */
