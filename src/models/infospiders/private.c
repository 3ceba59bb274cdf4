/* private.c - the links that agents keep for themselves.
 *
 *     sigma(l) = alpha * net(l) + (1 - alpha) * sim(agent's keywords, page that has it)
 *
 * Scores are those of the moment when the link was found. Together the agents keep at
 * most max_buffer links: when there are more, the lowest of all agents are dropped
 * until a sixteenth of the room is free, so that this search is rare. Of links with the
 * same score every agent loses its share.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

#include "models/infospiders/keywords.h"
#include "base/mem.h"

#define TRIM_SHARE 16

static void hold(struct spiders *st, uint32_t url)
{
    url_index_set(&st->held, url, url_index_get(&st->held, url) + 1);
    st->kept++;
}

/* A link has left one bag. Returns true if no other bag has it. */
static bool unhold(struct spiders *st, uint32_t url)
{
    uint32_t left = url_index_get(&st->held, url) - 1;

    url_index_set(&st->held, url, left);
    st->kept--;
    return left == 0;
}

/* A link is lost, unless another agent has it or its page was visited. */
static void lose(struct model *m, uint32_t url)
{
    struct spiders *st = spiders_of(m);

    if (unhold(st, url) && place_is_free(url_index_get(&st->places, url)))
        m->ctx->dropped(m->ctx->engine, url);
}

void spider_keep_links(struct model *m, struct spider *s, const struct percept *p)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_of(m);
    const struct survey *v = &st->survey;
    double parent = keyword_similarity(p->profile, s->words, s->net.inputs);

    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];
        uint32_t at;

        if (mark->url == 0 || mark->drop != DROP_NONE)
            continue;
        at = url_index_get(&v->targets, mark->url) - 1;
        mark->score = (float)(o->alpha * v->estimates[at] + (1 - o->alpha) * parent);
        if (!mark->taken && place_is_free(url_index_get(&st->places, mark->url)) &&
            link_bag_add(&s->bag, mark->url, mark->score, survey_inputs(v, at)))
            hold(st, mark->url);
    }
}

bool spider_draw_kept(struct model *m, struct spider *s)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_of(m);
    size_t i;

    if (s->bag.count == 0)
        return false;
    if (s->bag.count * 2 > st->room_cap) {
        st->room_cap = s->bag.count * 3;
        st->room = mem_resize(st->room, st->room_cap, sizeof *st->room);
    }
    i = link_bag_draw(&s->bag, (enum lottery)o->select, s->beta, st->room, &m->ctx->rng);
    s->to = s->bag.urls[i];
    s->estimate = s->bag.scores[i];
    s->by_link = true;
    memcpy(s->in, s->bag.in + i * s->bag.keywords, s->bag.keywords * sizeof *s->in);
    (void)unhold(st, s->to);
    link_bag_remove(&s->bag, i);
    return true;
}

void spider_let_go(struct model *m, struct spider *s)
{
    for (size_t i = 0; i < s->bag.count; i++)
        lose(m, s->bag.urls[i]);
    link_bag_clear(&s->bag);
}

/* ---- the ceiling --------------------------------------------------------------- */

static struct spider *nth(const struct model *m, uint32_t i)
{
    return population_nth(m->ctx->population, i)->traits;
}

static void swap(float *a, float *b)
{
    float old = *a;

    *a = *b;
    *b = old;
}

/* Moves the score that would be at `k` in sorted order there, with no greater ones before it and no
 * lesser ones after it (Hoare's selection). */
static void select_kth(float *x, size_t n, size_t k)
{
    long low = 0, high = (long)n - 1;

    while (low < high) {
        float pivot = x[low + (high - low) / 2];
        long i = low, j = high;

        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j)
                swap(&x[i++], &x[j--]);
        }
        if ((long)k <= j)
            high = j;
        else if ((long)k >= i)
            low = i;
        else
            return;
    }
}

/* What must go: links below `score`, and `ties` of the `tied` links that have it. */
struct trim {
    float score;
    size_t ties, tied;
    size_t due; /* ties * links seen, modulo `tied`: so that every bag loses its share */
};

static bool is_tie(float a, float b)
{
    return !(a < b) && !(a > b);
}

/* Finds the n lowest links of all, n >= 1. */
static struct trim trim_of(const struct model *m, size_t n)
{
    const struct spiders *st = spiders_of(m);
    LOCAL_HEAP float *all = mem_alloc(st->kept * sizeof *all);
    uint32_t alive = population_counts(m->ctx->population).alive;
    struct trim t = {.ties = n};
    size_t count = 0;

    for (uint32_t i = 0; i < alive; i++) {
        const struct link_bag *b = &nth(m, i)->bag;

        if (b->count)
            memcpy(all + count, b->scores, b->count * sizeof *all);
        count += b->count;
    }
    select_kth(all, count, n - 1);
    t.score = all[n - 1];
    for (size_t i = 0; i < count; i++) {
        t.ties -= all[i] < t.score;
        t.tied += is_tie(all[i], t.score);
    }
    return t;
}

static void bag_trim(struct model *m, struct link_bag *b, struct trim *t)
{
    for (size_t i = b->count; i-- > 0;) {
        bool tie = is_tie(b->scores[i], t->score);

        if (b->scores[i] > t->score)
            continue;
        t->due += tie ? t->ties : 0;
        if (tie && t->due < t->tied)
            continue;
        t->due -= tie ? t->tied : 0;
        lose(m, b->urls[i]);
        link_bag_remove(b, i);
    }
}

void spiders_trim(struct model *m)
{
    size_t most = (size_t)options_of(m)->max_buffer;
    uint32_t alive = population_counts(m->ctx->population).alive;
    struct spiders *st = spiders_of(m);
    struct trim t;

    if (most == 0 || st->kept <= most)
        return;
    t = trim_of(m, st->kept - (most - most / TRIM_SHARE));
    for (uint32_t i = 0; i < alive; i++)
        bag_trim(m, &nth(m, i)->bag, &t);
}

void spiders_recount(struct model *m)
{
    uint32_t alive = population_counts(m->ctx->population).alive;
    struct spiders *st = spiders_of(m);

    for (uint32_t i = 0; i < alive; i++)
        for (size_t k = 0; k < nth(m, i)->bag.count; k++)
            hold(st, nth(m, i)->bag.urls[k]);
}
