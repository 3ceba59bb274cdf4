/* graph_circles.c - groups of pages that link to each other, which make triangles.
 *
 * In: pages with the links they shall have and get. Out: targets for a share of
 * a page's links, chosen so that neighbours are neighbours of each other.
 *
 * Every page is in two circles: one for its local links (pages of its topic,
 * nearest first: of the same host; without a topic, pages of its host) and one
 * for its other links (any pages). A circle has members, who link to each other,
 * and favourites, well-known pages outside that its members link to. Without
 * favourites clustering and a long tail of in-degrees exclude each other: a page
 * with a thousand links to it cannot have them from a circle of thirty.
 *
 * A member gets its due from its circle in proportion to its fame, but no more
 * than nearly everybody's link; what is due beyond that it gets as a favourite of
 * so many circles. So in-degrees keep their law whatever the share of links kept
 * in circles is, and that share sets the clustering (graph.c finds it by trying).
 *
 * Workload: two draws from some 40 candidates a page, a microsecond each.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/graph_int.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define SPAN     1.5 /* members: so many times the links that a page has of the kind */
#define FULL     0.9 /* of a circle's members link to a member at most */
#define FAVOURED 0.8 /* of them link to a favourite */
#define TRIES    12  /* draws before a favourite is given up */

/* All circles of one kind of links. */
struct circle_kind {
    uint32_t *order;  /* pages, circle by circle */
    uint32_t *circle; /* page -> its circle */
    uint32_t *at;     /* circle -> first place in order; count + 1 entries */
    uint32_t count;
    double *due;      /* page -> links its circle shall give it */
    double *rest;     /* rising sums in by_topic order of what is due beyond that */
    double *by_page;  /* the same in page order */
    uint32_t *fav_at; /* circle -> its first favourite; count + 1 */
    uint32_t *favs;
    size_t favs_cap;
};

struct circle_candidate {
    double key;
    uint32_t page;
};

struct circles {
    struct circle_source from;
    struct rng root;
    double share;
    struct circle_kind kinds[2]; /* 0: links that leave, 1: local ones */
    struct circle_candidate *best;
    size_t best_cap;
};

/* ---- who is in which ------------------------------------------------------ */

/* Cuts order[from .. to) into circles of about `size`, equal ones. */
static void cut(struct circle_kind *k, uint32_t from, uint32_t to, double size)
{
    uint32_t parts = (uint32_t)fmax(1, round((to - from) / size));

    for (uint32_t p = 0; p < parts && to > from; p++)
        k->at[k->count++] = from + (uint32_t)((uint64_t)(to - from) * p / parts);
}

static double size_of(const struct graph_config *c, double share)
{
    return 2 + SPAN * share * c->out_mean;
}

/* Local circles: inside a topic; those without one, inside a host. */
static void cut_local(const struct circle_source *f, struct circle_kind *k)
{
    const struct graph *g = f->g;
    uint32_t end = g->pages;

    for (uint32_t i = 0; i < end; i++)
        k->order[i] = f->by_topic[i];
    for (uint32_t t = 0; t < g->topics; t++)
        cut(k, f->topic_at[t], f->topic_at[t + 1], size_of(f->c, f->c->locality));
    for (uint32_t i = f->topic_at[g->topics], j; i < end; i = j) {
        for (j = i; j < end && g->host[k->order[j]] == g->host[k->order[i]];)
            j++;
        cut(k, i, j, size_of(f->c, f->c->host_locality));
    }
}

static void cut_mixed(const struct circle_source *f, struct circle_kind *k, struct rng *r)
{
    for (uint32_t i = 0; i < f->g->pages; i++) {
        uint32_t j = (uint32_t)rng_below(r, i + 1);

        k->order[i] = k->order[j];
        k->order[j] = i;
    }
    cut(k, 0, f->g->pages, size_of(f->c, 1 - f->c->locality));
}

static void kind_init(struct circle_kind *k, const struct circle_source *f, struct rng r,
                      bool local)
{
    size_t n = f->g->pages;

    *k = (struct circle_kind){
        .order = mem_zero(n + 1, sizeof *k->order),
        .circle = mem_zero(n + 1, sizeof *k->circle),
        .at = mem_zero(n + 1, sizeof *k->at),
        .due = mem_zero(n + 1, sizeof *k->due),
        .rest = mem_zero(n + 1, sizeof *k->rest),
        .by_page = mem_zero(n + 1, sizeof *k->by_page),
        .fav_at = mem_zero(n + 1, sizeof *k->fav_at),
    };
    if (local)
        cut_local(f, k);
    else
        cut_mixed(f, k, &r);
    k->at[k->count] = (uint32_t)n;
    for (uint32_t c = 0; c < k->count; c++)
        for (uint32_t p = k->at[c]; p < k->at[c + 1]; p++)
            k->circle[k->order[p]] = c;
}

static void kind_clear(struct circle_kind *k)
{
    free(k->order);
    free(k->circle);
    free(k->at);
    free(k->due);
    free(k->rest);
    free(k->by_page);
    free(k->fav_at);
    free(k->favs);
}

struct circles *circles_new(const struct circle_source *from, struct rng r)
{
    struct circles *s = MEM_NEW(struct circles);

    s->from = *from;
    s->root = r;
    for (int local = 0; local < 2; local++)
        kind_init(&s->kinds[local], from, rng_fork(&r, UINT64_MAX - (unsigned)local), local);
    return s;
}

void circles_free(struct circles *s)
{
    kind_clear(&s->kinds[0]);
    kind_clear(&s->kinds[1]);
    free(s->best);
    free(s);
}

/* ---- what is due to whom -------------------------------------------------- */

static double part(const struct circles *s, uint32_t page, bool local)
{
    double share = graph_local_share(s->from.g, s->from.c, page);

    return s->share * (local ? share : 1 - share);
}

static uint32_t members(const struct circle_kind *k, uint32_t circle)
{
    return k->at[circle + 1] - k->at[circle];
}

static void settle_dues(struct circles *s, bool local)
{
    const struct circle_source *f = &s->from;
    struct circle_kind *k = &s->kinds[local];
    uint32_t n = f->g->pages;
    LOCAL_HEAP double *beyond = mem_zero(n + 1, sizeof *beyond);

    for (uint32_t i = 0; i < n; i++) {
        double all = part(s, i, local) * f->fame[i];

        k->due[i] = fmin(all, FULL * (members(k, k->circle[i]) - 1));
        beyond[i] = all - k->due[i];
    }
    for (uint32_t p = 0; p < n; p++) {
        k->rest[p + 1] = k->rest[p] + beyond[f->by_topic[p]];
        k->by_page[p + 1] = k->by_page[p] + beyond[p];
    }
}

/* A well-known page for the circle of `page`, by what is due to it. */
static uint32_t draw_favourite(const struct circles *s, uint32_t page, bool local, struct rng *r)
{
    const struct circle_kind *k = &s->kinds[local];
    const struct graph *g = s->from.g;
    uint32_t t = g->topic[page], from = 0, to = g->pages;

    if (local && t != GRAPH_NONE) {
        from = s->from.topic_at[t];
        to = s->from.topic_at[t + 1];
        return k->rest[to] > k->rest[from] ? s->from.by_topic[graph_draw(k->rest, from, to, r)]
                                           : GRAPH_NONE;
    }
    if (local) {
        from = g->host_first[g->host[page]];
        to = g->host_first[g->host[page] + 1];
    }
    return k->by_page[to] > k->by_page[from] ? graph_draw(k->by_page, from, to, r) : GRAPH_NONE;
}

static bool is_favourite(const struct circle_kind *k, uint32_t circle, uint32_t end, uint32_t page)
{
    for (uint32_t p = k->fav_at[circle]; p < end; p++)
        if (k->favs[p] == page)
            return true;
    return k->circle[page] == circle;
}

/* Chooses enough favourites to take the links that members cannot. */
static uint32_t choose_favourites(struct circles *s, uint32_t circle, bool local, uint32_t end)
{
    struct circle_kind *k = &s->kinds[local];
    struct rng r = rng_fork(&s->root, (uint64_t)circle * 2 + local);
    double links = 0, size = members(k, circle);

    for (uint32_t p = k->at[circle]; p < k->at[circle + 1]; p++) {
        uint32_t i = k->order[p];

        links += part(s, i, local) * s->from.degree[i] - k->due[i];
    }
    if (links <= 0)
        return end;
    uint32_t n = (uint32_t)(links / (FAVOURED * size) + rng_unit(&r));
    for (uint32_t t = 0; t < n * TRIES && end - k->fav_at[circle] < n; t++) {
        uint32_t page = draw_favourite(s, k->order[k->at[circle]], local, &r);

        if (page == GRAPH_NONE)
            break;
        if (is_favourite(k, circle, end, page))
            continue;
        MEM_GROW(k->favs, end, &k->favs_cap);
        k->favs[end++] = page;
    }
    return end;
}

void circles_share(struct circles *s, double share)
{
    s->share = share;
    for (int local = 0; local < 2; local++) {
        struct circle_kind *k = &s->kinds[local];
        uint32_t end = 0;

        settle_dues(s, local);
        for (uint32_t c = 0; c < k->count; c++) {
            k->fav_at[c] = end;
            end = choose_favourites(s, c, local, end);
        }
        k->fav_at[k->count] = end;
    }
}

/* ---- picking -------------------------------------------------------------- */

/* Weighted sampling without replacement (Efraimidis and Spirakis 2006): those
 * with the smallest exponential draws over their weights. `best` is kept sorted. */
static uint32_t offer(struct circle_candidate *best, uint32_t count, uint32_t want, double weight,
                      uint32_t page, struct rng *r)
{
    double key = weight > 0 ? rng_exponential(r) / weight : INFINITY;
    uint32_t at = count;

    if (count == want && key >= best[count - 1].key)
        return count;
    at -= count == want;
    for (; at > 0 && best[at - 1].key > key; at--)
        best[at] = best[at - 1];
    best[at] = (struct circle_candidate){key, page};
    return count < want ? count + 1 : count;
}

uint32_t circles_pick(struct circles *s, uint32_t i, bool local, uint32_t want, uint32_t but,
                      struct rng *r, uint32_t *ret)
{
    const struct circle_kind *k = &s->kinds[local];
    const struct graph *g = s->from.g;
    uint32_t c = k->circle[i], count = 0;

    if (want == 0)
        return 0;
    while (s->best_cap <= want)
        MEM_GROW(s->best, s->best_cap, &s->best_cap);
    for (uint32_t p = k->at[c]; p < k->at[c + 1]; p++) {
        uint32_t m = k->order[p];

        if (m != i && m != but && g->copy_of[m] != i && graph_is_local(g, i, m) == local)
            count = offer(s->best, count, want, k->due[m], m, r);
    }
    for (uint32_t p = k->fav_at[c]; p < k->fav_at[c + 1]; p++) {
        uint32_t m = k->favs[p];

        if (m != i && m != but && g->copy_of[m] != i && graph_is_local(g, i, m) == local)
            count = offer(s->best, count, want, FAVOURED * members(k, c), m, r);
    }
    for (uint32_t p = 0; p < count; p++)
        ret[p] = s->best[p].page;
    return count;
}
