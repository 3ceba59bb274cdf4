/* best_first.c - the link whose parent page is most similar to the topic comes next.
 *
 * In: a page and its links. Out: the best link that waits.
 *
 *     score(link) = (1 - context) * sim(topic, parent page)
 *                 +      context  * sim(topic, words around the link)
 *
 * A link found on several pages joins their scores (`parents`). n = 1: whenever
 * there is room, the best known link. n > 1 (best-N-first): rounds; the N best
 * are all fetched, and only then the next N are chosen, so that a round's
 * choices do not depend on the order in which its pages arrive.
 *
 * Source: naive best-first and BFSN of Pant, Srinivasan, Menczer.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"
#include "agent/link_rounds.h"
#include "agent/population.h"

struct best_first_options {
    int64_t n;
    double context;
    int similarity;
    int parents;
    int64_t buffer;
};

#define AT(field) .offset = offsetof(struct best_first_options, field)

static const struct option best_first_option_table[] = {
    ROUNDS_N(n, .source = "256 was the strongest fixed crawler of the group's studies",
             .unverified = true),
    {REAL_OPTION("context", context, "A", "0", 0, 1),
     .help = "weight of the words around the link, against those of the whole page",
     .source = "ours; Pant & Srinivasan 2006 mix both"},
    GREEDY_SIMILARITY(similarity),
    GREEDY_PARENTS(parents),
    ROUNDS_BUFFER(buffer,
                  .source = "MAX_BUFFER of the crawler comparisons; 256 in the earlier studies",
                  .unverified = true),
    {.name = NULL},
};

struct best_first {
    struct link_rounds links;
    uint32_t agent;
};

static struct best_first *best_first_of(struct model *m)
{
    const struct best_first_options *o = m->options;
    struct best_first *b = m->state;

    link_rounds_init(m, &b->links, o->n, o->buffer, o->parents);
    return b;
}

static void best_first_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct best_first *b = best_first_of(m);

    if (b->agent == 0)
        b->agent = agent_born(m->ctx->population, m->ctx->now, 0, "best-first", 0, 0);
    for (size_t i = 0; i < count; i++)
        link_rounds_add(m, &b->links, urls[i], 1.0);
}

static bool best_first_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct best_first *b = best_first_of(m);

    return link_rounds_next(&b->links, host, b->agent, ret);
}

static void best_first_wishes(struct model *m)
{
    link_rounds_wishes(&best_first_of(m)->links);
}

static float best_first_bound(const struct model *m, uint64_t left, double patience)
{
    return link_rounds_bound(&((const struct best_first *)m->state)->links, left, patience);
}

static double best_first_score(struct model *m, const struct percept *p, const struct link *l)
{
    const struct best_first_options *o = m->options;
    bool raw = o->similarity == SIMILARITY_RAW;
    double page = page_similarity(p, o->similarity);

    if (o->context <= 0)
        return page;
    return (1 - o->context) * page + o->context * m->ctx->score(m->ctx->engine, p, l->node, raw);
}

static void best_first_perceive(struct model *m, struct percept *p)
{
    struct best_first *b = best_first_of(m);

    link_queue_page(link_rounds_queue(&b->links));
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];

        if (!mark_is_open(mark))
            continue;
        mark->score = (float)best_first_score(m, p, &p->body->links[i]);
        link_rounds_add(m, &b->links, mark->url, mark->score);
    }
    if (p->choice.url) /* not a sitemap that robots.txt named */
        link_rounds_answered(&b->links);
    if (p->page)
        agent_visited(m->ctx->population, m->ctx->now, b->agent, p->page, p->first, 0);
}

static void best_first_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)c, (void)why;
    link_rounds_answered(&best_first_of(m)->links);
}

static void best_first_save(const struct model *m, struct buf *out)
{
    const struct best_first *b = m->state;

    buf_put_u32(out, b->agent);
    link_rounds_save(&b->links, out);
}

static enum status best_first_load(struct model *m, struct str state)
{
    struct best_first *b = best_first_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};

    b->agent = cursor_u32(&c);
    return link_rounds_load(&b->links, &c);
}

static void best_first_describe(const struct model *m, struct json *j)
{
    const struct best_first *b = m->state;

    json_put_int(j, "queue", (int64_t)(b->links.all.count + b->links.ready.count));
}

static void best_first_finish(struct model *m)
{
    struct best_first *b = m->state;

    link_rounds_clear(&b->links);
}

static const struct model_late best_first_late = {best_first_wishes, best_first_bound};

const struct model_ops model_best_first = {
    .name = "best-first",
    .summary = "the link whose parent page is nearest to the topic comes next",
    .advice = "For a topic, when you want a fast and simple crawl: add --set "
              "similarity=topic and --set parents=mean.",
    .common = "similarity parents n context",
    .source = "Pant, Srinivasan, Menczer: Crawling the Web (2004), naive best-first and BFSN",
    .options = best_first_option_table,
    .options_size = sizeof(struct best_first_options),
    .state_size = sizeof(struct best_first),
    .start = best_first_start,
    .late = &best_first_late,
    .next = best_first_next,
    .perceive = best_first_perceive,
    .failed = best_first_failed,
    .save = best_first_save,
    .load = best_first_load,
    .describe = best_first_describe,
    .finish = best_first_finish,
};
