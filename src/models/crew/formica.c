/* formica.c - similarity of concepts and lattices.
 * SPDX-License-Identifier: MIT
 *
 * Most attributes are related to themselves only. A pair of attributes that have nobody
 * else in the two intents is matched at once; what remains, rarely more than three or
 * four, goes to the Hungarian method.
 *
 * M looks for the best partner of each concept on both sides at the same time: a pair is
 * computed only where its bound exceeds what one of the two has found. The bound: at most
 * `same` pairs can weigh 1 and the rest at most `other`, where the numbers of pairs are
 * those that the two intents can reach of each other. Partners of equal size come first,
 * for they have the highest bounds. */
#include "models/crew/formica.h"

#include "base/hash.h"
#include "base/mem.h"
#include "models/crew/lattice_int.h"
#include "models/crew/matching.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void formica_init(struct formica *f, const float *cs, unsigned na, unsigned nb, double extents)
{
    assert(na <= LIMIT_LATTICE_ATTRIBUTES && nb <= LIMIT_LATTICE_ATTRIBUTES);
    *f = (struct formica){.na = na, .nb = nb, .extents = extents};
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

/* The attributes of a and b between which there is a choice. */
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

/* ---- extents ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static size_t count_common(uint32_t *a, size_t na, uint32_t *b, size_t nb)
{
    size_t i = 0, k = 0, n = 0;

    if (na == 0 || nb == 0)
        return 0;
    qsort(a, na, sizeof *a, by_number);
    qsort(b, nb, sizeof *b, by_number);
    while (i < na && k < nb) {
        if (a[i] < b[k]) {
            i++;
        } else if (a[i] > b[k]) {
            k++;
        } else {
            n++;
            i++;
            k++;
        }
    }
    return n;
}

double formica_concepts(const struct formica *f, const struct lattice *a, uint32_t i,
                        const struct lattice *b, uint32_t k)
{
    struct concept c = lattice_concept(a, i)
    , d = lattice_concept(b, k);
    uint32_t most = c.extent > d.extent ? c.extent : d.extent;
    double intents = formica_intents(f, c.intent, d.intent), shared = 0;
    uint32_t *ea, *eb;

    if (f->extents <= 0)
        return intents;
    ea = mem_alloc((lattice_objects(a) + 1) * sizeof *ea);
    eb = mem_alloc((lattice_objects(b) + 1) * sizeof *eb);
    if (most > 0)
        shared = (double)count_common(ea, lattice_extent(a, c.intent, ea), eb,
                                      lattice_extent(b, d.intent, eb)) /
                 most;
    free(ea);
    free(eb);
    return f->extents * shared + (1 - f->extents) * intents;
}

/* ---- lattices ---- */

/* A concept of one side of a comparison. */
struct part {
    uint64_t intent;
    uint64_t near, same; /* attributes of the other side that it reaches */
    uint32_t extent;
    unsigned size;    /* of the intent */
    uint64_t *common; /* a bit for each object of both lattices; NULL where w = 0 */
    double best;      /* the likest of the other side */
};

struct side {
    struct part parts[LIMIT_LATTICE_COMPARED]; /* the smallest intents first */
    uint32_t count;
    uint32_t start[LIMIT_LATTICE_ATTRIBUTES + 2]; /* the first part with at least so many */
    uint64_t *common;                             /* memory of the parts' sets */
};

/* The objects that both lattices have: their rows, in pairs. */
struct shared_rows {
    uint64_t *a, *b;
    size_t count, words;
};

static void find_shared(const struct lattice *a, const struct lattice *b, struct shared_rows *ret)
{
    struct map at;

    map_init(&at);
    *ret = (struct shared_rows){mem_alloc((a->nrows + 1) * sizeof *ret->a),
                                mem_alloc((a->nrows + 1) * sizeof *ret->b), 0, 0};
    for (size_t k = 0; k < b->nrows; k++)
        map_set(&at, hash_u64(b->objects[k]), (uint32_t)k);
    for (size_t i = 0; i < a->nrows; i++) {
        uint32_t k = map_get(&at, hash_u64(a->objects[i]));

        if (k == MAP_NONE)
            continue;
        ret->a[ret->count] = a->rows[i];
        ret->b[ret->count++] = b->rows[k];
    }
    ret->words = ret->count / 64 + 1;
    map_free(&at);
}

static void note_common(struct side *s, const uint64_t *rows, const struct shared_rows *sh)
{
    s->common = mem_zero((s->count + 1) * sh->words, sizeof *s->common);
    for (uint32_t i = 0; i < s->count; i++) {
        struct part *p = &s->parts[i];

        p->common = s->common + i * sh->words;
        for (size_t r = 0; r < sh->count; r++) {
            if ((p->intent & ~rows[r]) == 0)
                p->common[r / 64] |= UINT64_C(1) << r % 64;
        }
    }
}

static uint64_t reach(const uint64_t *table, uint64_t intent)
{
    uint64_t all = 0;

    for (; intent; intent &= intent - 1)
        all |= table[bits_first(intent)];
    return all;
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
        s->start[bits_count(lattice_concept(l, largest[i]).intent) + 1]++;
    for (unsigned k = 1; k < LIMIT_LATTICE_ATTRIBUTES + 2; k++)
        s->start[k] += s->start[k - 1];
    memcpy(at, s->start, sizeof at);
    for (uint32_t i = 0; i < n; i++) {
        struct concept c = lattice_concept(l, largest[i]);
        unsigned size = bits_count(c.intent);

        s->parts[at[size]++] = (struct part){.intent = c.intent,
                                             .near = reach(near, c.intent),
                                             .same = reach(same, c.intent),
                                             .extent = c.extent,
                                             .size = size};
    }
}

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static double extents_alike(const struct part *c, const struct part *d, size_t words)
{
    uint32_t most = c->extent > d->extent ? c->extent : d->extent;
    unsigned n = 0;

    for (size_t i = 0; i < words; i++)
        n += bits_count(c->common[i] & d->common[i]);
    return (double)n / most;
}

static void compare(const struct formica *f, struct part *c, struct part *d, size_t words)
{
    unsigned pairs = lesser(bits_count(c->near & d->intent), bits_count(d->near & c->intent));
    unsigned same = lesser(bits_count(c->same & d->intent), bits_count(d->same & c->intent));
    unsigned size = c->size > d->size ? c->size : d->size;
    double shared = words ? f->extents * extents_alike(c, d, words) : 0;
    double most = (same + f->other * (pairs - same)) / size, sim;

    most = shared + (1 - f->extents) * most;
    if (!(most > c->best) && !(most > d->best))
        return;
    sim = shared + (1 - f->extents) * best_matching(f, c->intent, d->intent) / size;
    c->best = fmax(c->best, sim);
    d->best = fmax(d->best, sim);
}

/* All pairs, those of intents of like size first. */
static void compare_sides(const struct formica *f, struct side *a, struct side *b, size_t words)
{
    for (unsigned apart = 0; apart < LIMIT_LATTICE_ATTRIBUTES; apart++) {
        for (uint32_t i = 0; i < a->count; i++) {
            unsigned size = a->parts[i].size;

            for (int sign = apart ? -1 : 1; sign <= 1; sign += 2) {
                long other = (long)size + sign * (long)apart;

                if (other < 1 || other > LIMIT_LATTICE_ATTRIBUTES)
                    continue;
                for (uint32_t k = b->start[other]; k < b->start[other + 1]; k++)
                    compare(f, &a->parts[i], &b->parts[k], words);
            }
        }
    }
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
    struct side *sides = mem_alloc(2 * sizeof *sides);
    struct shared_rows sh = {0};
    double m;

    side_init(&sides[0], a, f->near_a, f->same_a);
    side_init(&sides[1], b, f->near_b, f->same_b);
    if (f->extents > 0) {
        find_shared(a, b, &sh);
        note_common(&sides[0], sh.a, &sh);
        note_common(&sides[1], sh.b, &sh);
    }
    compare_sides(f, &sides[0], &sides[1], sh.words);
    m = (weighed_best(&sides[0]) + weighed_best(&sides[1])) / 2;
    free(sides[0].common);
    free(sides[1].common);
    free(sides);
    free(sh.a);
    free(sh.b);
    return m;
}

double formica_within(const struct formica *f, const struct lattice *a, uint32_t i,
                      const struct lattice *b)
{
    uint32_t largest[LIMIT_LATTICE_COMPARED];
    uint32_t n = lattice_largest(b, LIMIT_LATTICE_COMPARED, false, largest);
    double best = 0;

    for (uint32_t k = 0; k < n && best < 1; k++)
        best = fmax(best, formica_concepts(f, a, i, b, largest[k]));
    return best;
}
