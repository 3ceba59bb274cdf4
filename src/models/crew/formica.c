/* formica.c - similarity of concepts and lattices.
 * SPDX-License-Identifier: MIT
 *
 * Most attributes are related to themselves only. A pair of attributes that have no other
 * partner in the two intents is matched at once; the rest, rarely more than three or
 * four, are matched by the Hungarian method.
 *
 * M looks for the best partner of each concept on both sides at the same time: a pair is
 * computed only where its bound exceeds what one of the two has found. The bound: at most
 * `same` pairs can weigh 1 and the rest at most `other`, where the numbers of pairs are
 * those that the two intents can reach of each other. Partners of equal size come first,
 * for they have the highest bounds. */
#include "models/crew/formica.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

/* ---- the best matching: the Hungarian method by shortest augmenting paths --------
 *
 * Rows are matched one after another. Potentials u (rows) and v (columns) keep every
 * reduced cost -w[i][k] - u[i] - v[k] at 0 or above, and at 0 on matched pairs; a new
 * row finds the cheapest path of such edges to a free column (Dijkstra on a dense
 * table) and the pairs along it change partners. Weights are never negative, so that a
 * matching of all rows is as good as the best one. Column m stands for "before the
 * first": the row being placed. */

struct state {
    double u[MATCHING_MAX + 1], v[MATCHING_MAX + 1]; /* potentials */
    size_t row[MATCHING_MAX + 1];                    /* matched with a column; n: none */
    size_t n, m;
    bool turned; /* the table is transposed: n <= m */
};

static double cost(float weight[][MATCHING_MAX], const struct state *s, size_t i, size_t k)
{
    return -(double)(s->turned ? weight[k][i] : weight[i][k]);
}

static void place(float weight[][MATCHING_MAX], struct state *s, size_t row)
{
    double slack[MATCHING_MAX + 1]; /* least reduced cost of a path to a column */
    size_t way[MATCHING_MAX + 1];   /* the column before it */
    bool done[MATCHING_MAX + 1] = {false};
    size_t at = s->m;

    for (size_t k = 0; k <= s->m; k++)
        slack[k] = INFINITY;
    s->row[at] = row;
    do {
        size_t next = s->m;
        double least = INFINITY;

        done[at] = true;
        for (size_t k = 0; k < s->m; k++) {
            double c;

            if (done[k])
                continue;
            c = cost(weight, s, s->row[at], k) - s->u[s->row[at]] - s->v[k];
            if (c < slack[k]) {
                slack[k] = c;
                way[k] = at;
            }
            if (slack[k] < least) {
                least = slack[k];
                next = k;
            }
        }
        for (size_t k = 0; k <= s->m; k++) {
            if (done[k]) {
                s->u[s->row[k]] += least;
                s->v[k] -= least;
            } else {
                slack[k] -= least;
            }
        }
        at = next;
    } while (s->row[at] != s->n);
    for (; at != s->m; at = way[at])
        s->row[at] = s->row[way[at]];
}

double matching_weight(float weight[][MATCHING_MAX], size_t n, size_t m)
{
    struct state s = {.turned = n > m};
    double sum = 0;

    s.n = s.turned ? m : n;
    s.m = s.turned ? n : m;
    for (size_t k = 0; k <= s.m; k++)
        s.row[k] = s.n;
    for (size_t i = 0; i < s.n; i++)
        place(weight, &s, i);
    for (size_t k = 0; k < s.m; k++) {
        if (s.row[k] != s.n)
            sum -= cost(weight, &s, s.row[k], k);
    }
    return sum;
}

/* ---- concepts -------------------------------------------------------------------- */

void formica_init(struct formica *f, const float *cs, unsigned na, unsigned nb)
{
    assert(na <= LIMIT_LATTICE_ATTRIBUTES && nb <= LIMIT_LATTICE_ATTRIBUTES);
    *f = (struct formica){.na = na, .nb = nb};
    for (unsigned i = 0; i < na; i++) {
        for (unsigned k = 0; k < nb; k++) {
            float w = cs ? cs[i * nb + k] : (float)(i == k);

            if (!((double)w >= FORMICA_LEAST))
                continue;
            f->weight[i][k] = w = fminf(w, 1);
            f->near_a[i] |= UINT64_C(1) << k;
            f->near_b[k] |= UINT64_C(1) << i;
            if (w >= 1) {
                f->same_a[i] |= UINT64_C(1) << k;
                f->same_b[k] |= UINT64_C(1) << i;
            } else {
                f->other = fmax(f->other, (double)w);
            }
        }
    }
}

/* ---- two intents ---- */

/* Matches the attributes of a and b that have several possible partners. */
static double match_rest(const struct formica *f, uint64_t a, uint64_t b)
{
    float weight[MATCHING_MAX][MATCHING_MAX];
    size_t n = 0, m = 0;

    for (uint64_t i = a; i; i &= i - 1, n++) {
        m = 0;
        for (uint64_t k = b; k; k &= k - 1)
            weight[n][m++] = f->weight[bits_first(i)][bits_first(k)];
    }
    return matching_weight(weight, n, m);
}

static double best_matching(const struct formica *f, uint64_t a, uint64_t b)
{
    uint64_t rest_a = 0, rest_b = 0;
    double sum = 0;

    for (uint64_t i = a; i; i &= i - 1) {
        unsigned at = bits_first(i);
        uint64_t partners = f->near_a[at] & b;

        if (partners == 0)
            continue;
        if ((partners & (partners - 1)) == 0 &&
            (f->near_b[bits_first(partners)] & a) == UINT64_C(1) << at) {
            sum += (double)f->weight[at][bits_first(partners)];
            continue;
        }
        rest_a |= UINT64_C(1) << at;
        rest_b |= partners;
    }
    return rest_a ? sum + match_rest(f, rest_a, rest_b) : sum;
}

double formica_intents(const struct formica *f, uint64_t a, uint64_t b)
{
    unsigned na = bits_count(a), nb = bits_count(b);

    if (na == 0 || nb == 0)
        return na == nb;
    return best_matching(f, a, b) / (na > nb ? na : nb);
}

/* ---- lattices ---- */

/* A concept of one side of a comparison. */
struct formica_part {
    uint64_t intent;
    uint64_t near, same; /* attributes of the other side with any weight, and with weight 1 */
    uint32_t extent;
    unsigned size; /* of the intent */
    double best;   /* similarity to the most similar concept of the other side */
};

struct side {
    struct formica_part parts[LIMIT_LATTICE_COMPARED]; /* the smallest intents first */
    uint32_t count;
    /* The parts that have attribute k are with[start[k]] to with[start[k + 1] - 1]. */
    uint32_t start[LIMIT_LATTICE_ATTRIBUTES + 2];
    uint16_t with[LIMIT_LATTICE_COMPARED * LIMIT_LATTICE_ROW];
};

static uint64_t reach(const uint64_t *table, uint64_t intent)
{
    uint64_t all = 0;

    for (; intent; intent &= intent - 1)
        all |= table[bits_first(intent)];
    return all;
}

/* Objects have at most LIMIT_LATTICE_ROW attributes, and so has a concept with an object. */
static void list_by_attribute(struct side *s)
{
    uint32_t *end = s->start + 1; /* how far the list of each attribute is filled */

    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t rest = s->parts[i].intent; rest; rest &= rest - 1)
            s->start[bits_first(rest) + 2]++;
    for (unsigned k = 2; k < LIMIT_LATTICE_ATTRIBUTES + 2; k++)
        s->start[k] += s->start[k - 1];
    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t rest = s->parts[i].intent; rest; rest &= rest - 1)
            s->with[end[bits_first(rest)]++] = (uint16_t)i;
}

static void side_init(struct side *s, const struct lattice *l, const uint64_t *near,
                      const uint64_t *same)
{
    uint32_t largest[LIMIT_LATTICE_COMPARED], n;
    uint32_t at[LIMIT_LATTICE_ATTRIBUTES + 2] = {0};

    *s = (struct side){.count = 0};
    n = lattice_largest(l, LIMIT_LATTICE_COMPARED, false, largest);
    s->count = n;
    for (uint32_t i = 0; i < n; i++)
        at[bits_count(lattice_concept(l, largest[i]).intent) + 1]++;
    for (unsigned k = 1; k < LIMIT_LATTICE_ATTRIBUTES + 2; k++)
        at[k] += at[k - 1];
    for (uint32_t i = 0; i < n; i++) {
        struct concept c = lattice_concept(l, largest[i]);
        unsigned size = bits_count(c.intent);

        s->parts[at[size]++] = (struct formica_part){.intent = c.intent,
                                                     .near = reach(near, c.intent),
                                                     .same = reach(same, c.intent),
                                                     .extent = c.extent,
                                                     .size = size};
    }
    list_by_attribute(s);
}

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void compare(const struct formica *f, struct formica_part *c, struct formica_part *d)
{
    unsigned pairs = lesser(bits_count(c->near & d->intent), bits_count(d->near & c->intent));
    unsigned same = lesser(bits_count(c->same & d->intent), bits_count(d->same & c->intent));
    unsigned size = c->size > d->size ? c->size : d->size;
    double most = (same + f->other * (pairs - same)) / size, sim;

    if (!(most > c->best) && !(most > d->best))
        return;
    sim = formica_intents(f, c->intent, d->intent);
    c->best = fmax(c->best, sim);
    d->best = fmax(d->best, sim);
}

/* Compares a concept with those of the other side that have an attribute near one of its own. They
 * are found through their attributes, because most have only one or two. The one that can be the
 * most similar comes first, so that fewer of the others can still be better. */
static void compare_part(const struct formica *f, struct formica_part *c, struct side *b)
{
    uint8_t shared[LIMIT_LATTICE_COMPARED] = {0}; /* attributes near those of c */
    uint16_t met[LIMIT_LATTICE_COMPARED + 1];     /* the last place takes one that is met again */
    double likely[LIMIT_LATTICE_COMPARED];        /* upper bounds of their similarity */
    uint16_t first = 0;
    size_t n = 0;

    for (uint64_t rest = c->near; rest; rest &= rest - 1)
        for (uint32_t i = b->start[bits_first(rest)]; i < b->start[bits_first(rest) + 1]; i++) {
            met[n] = b->with[i];
            n += shared[b->with[i]]++ == 0;
        }
    for (size_t i = 0; i < n; i++) {
        unsigned other = b->parts[met[i]].size;

        likely[i] = (double)lesser(shared[met[i]], c->size) / (c->size > other ? c->size : other);
        first = likely[i] > likely[first] ? (uint16_t)i : first;
    }
    if (n > 0)
        compare(f, c, &b->parts[met[first]]);
    for (size_t i = 0; i < n; i++)
        if (likely[i] > c->best || likely[i] > b->parts[met[i]].best)
            compare(f, c, &b->parts[met[i]]);
}

static double weighed_best(const struct side *s)
{
    double sum = 0, extents = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        sum += s->parts[i].extent * s->parts[i].best;
        extents += s->parts[i].extent;
    }
    return extents > 0 ? sum / extents : 0;
}

double formica_lattices(const struct formica *f, const struct lattice *a, const struct lattice *b)
{
    LOCAL_HEAP struct side *sides = mem_alloc(2 * sizeof *sides);

    side_init(&sides[0], a, f->near_a, f->same_a);
    side_init(&sides[1], b, f->near_b, f->same_b);
    for (uint32_t i = 0; i < sides[0].count; i++)
        compare_part(f, &sides[0].parts[i], &sides[1]);
    return (weighed_best(&sides[0]) + weighed_best(&sides[1])) / 2;
}
