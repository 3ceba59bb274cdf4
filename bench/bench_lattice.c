/* bench_lattice.c - the cost of concept lattices and related words.
 *
 *     bench_lattice [URLS [KEYWORDS [PER_URL [ROUNDS]]]]     default 1000 50 8 7
 *
 * Two contexts of that many URLs with so many distinct keywords each, drawn by Zipf's law.
 * Prints milliseconds (CPU time, the least and the median of the rounds) of: building the
 * complete lattice and one with at least 1 % of the URLs; the floor, which is writing down
 * and hashing as many concepts and edges without looking for them, and the ratio to it;
 * the likeness M of two lattices, also with related keywords.
 * Where WordNet is installed: the neighbourhoods of three queries, a look-up, the lexicon,
 * and the nearness of all pairs of so many keywords.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "models/crew/formica.h"
#include "models/crew/lexicon.h"
#include "models/crew/relate.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS_MAX 101

static const struct cs_rules rules = {.isa = .5, .part = 1.0 / 3, .depth = 3};

struct bench {
    unsigned urls, keywords, per_url, rounds;
    int64_t times[ROUNDS_MAX]; /* us */
};

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Prints the rounds' times; returns the median in ms. */
static double say(struct bench *b, const char *what, double per)
{
    double least, median;

    qsort(b->times, b->rounds, sizeof *b->times, by_time);
    least = (double)b->times[0] / 1e3 / per;
    median = (double)b->times[b->rounds / 2] / 1e3 / per;
    printf("%-34s %9.4f ms least, %9.4f median\n", what, least, median);
    return median;
}

/* Keyword k with a probability in proportion to 1/(k+1). */
static uint64_t draw_row(const struct bench *b, struct rng *r)
{
    double sum = 0;
    uint64_t row = 0;

    for (unsigned k = 0; k < b->keywords; k++)
        sum += 1.0 / (k + 1);
    while ((unsigned)__builtin_popcountll(row) < b->per_url) {
        double u = rng_unit(r) * sum;
        unsigned k = 0;

        while (k + 1 < b->keywords && (u -= 1.0 / (k + 1)) > 0)
            k++;
        row |= UINT64_C(1) << k;
    }
    return row;
}

static struct lattice *context(const struct bench *b, uint64_t seed)
{
    struct lattice *l = lattice_new(b->keywords);
    struct rng r;

    rng_init(&r, seed);
    for (uint32_t i = 0; i < b->urls; i++) {
        if (lattice_put(l, i, draw_row(b, &r)) != ST_OK)
            exit(1);
    }
    return l;
}

static uint32_t count_edges(const struct lattice *l)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < lattice_count(l); c++)
        for (uint32_t e = lattice_up(l, c); e != LATTICE_NONE; e = lattice_up_next(l, e))
            n++;
    return n;
}

static double bench_build(struct bench *b, struct lattice *l, uint32_t min, const char *what)
{
    double median;

    for (unsigned i = 0; i < b->rounds; i++) {
        int64_t at = clock_cpu_thread();

        lattice_build(l, min);
        b->times[i] = clock_cpu_thread() - at;
    }
    median = say(b, what, 1);
    printf("%-34s %u concepts, %u edges, least extent %u%s\n", "", lattice_count(l), count_edges(l),
           lattice_min_extent(l), lattice_is_complete(l) ? ", complete" : "");
    return median;
}

/* The least cost of a lattice of this size for any algorithm: each concept is hashed and stored,
 * each edge looked up and stored. */
static double bench_floor(struct bench *b, const struct lattice *l)
{
    for (unsigned i = 0; i < b->rounds; i++) {
        int64_t at = clock_cpu_thread();
        uint32_t *edges = NULL;
        size_t n = 0, cap = 0;
        struct map map;

        map_init(&map);
        for (uint32_t c = 0; c < lattice_count(l); c++)
            map_set(&map, hash_u64(lattice_concept(l, c).intent), c);
        for (uint32_t c = 0; c < lattice_count(l); c++) {
            for (uint32_t e = lattice_up(l, c); e != LATTICE_NONE; e = lattice_up_next(l, e)) {
                MEM_GROW(edges, n, &cap);
                edges[n++] =
                    map_get(&map, hash_u64(lattice_concept(l, lattice_up_to(l, e)).intent));
            }
        }
        map_free(&map);
        free(edges);
        b->times[i] = clock_cpu_thread() - at;
    }
    return say(b, "floor: the same, written down", 1);
}

static void bench_like(struct bench *b, const struct lattice *l, const char *what, double related)
{
    struct lattice *other = context(b, 2);
    struct formica *f = mem_alloc(sizeof *f);
    float *cs = mem_zero((size_t)b->keywords * b->keywords, sizeof *cs);
    struct rng r;
    double m = 0;

    rng_init(&r, 9);
    for (unsigned i = 0; i < b->keywords; i++) {
        for (unsigned k = 0; k < b->keywords; k++)
            cs[i * b->keywords + k] = i == k ? 1 : rng_unit(&r) < related ? .5f : 0;
    }
    formica_init(f, cs, b->keywords, b->keywords);
    lattice_build(other, lattice_min_extent(l));
    for (unsigned i = 0; i < b->rounds; i++) {
        int64_t at = clock_cpu_thread();

        m = formica_lattices(f, l, other);
        b->times[i] = clock_cpu_thread() - at;
    }
    say(b, what, 1);
    printf("%-34s M = %.3f\n", "", m);
    lattice_free(other);
    free(cs);
    free(f);
}

/* All nouns of the dictionary by term, and the matrix of 50 of them. */
static void bench_lexicon(struct bench *b, const struct wordnet *w)
{
    struct lexicon *x = NULL;
    uint32_t terms[LIMIT_LATTICE_ATTRIBUTES];
    float cs[LIMIT_LATTICE_ATTRIBUTES * LIMIT_LATTICE_ATTRIBUTES];
    size_t lemmas = 0;
    char what[64];

    for (unsigned i = 0; i < b->rounds; i++) {
        int64_t at = clock_cpu_thread();

        lexicon_free(x);
        x = lexicon_new(w, stem_lang(STR("en")));
        b->times[i] = clock_cpu_thread() - at;
    }
    while (lexicon_lemma(x, lemmas).len > 0)
        lemmas++;
    (void)snprintf(what, sizeof what, "lexicon of %zu lemmas", lemmas);
    say(b, what, 1);
    for (unsigned i = 0; i < b->keywords; i++)
        terms[i] = term_id(lexicon_lemma(x, i * (lemmas / b->keywords)));
    for (unsigned i = 0; i < b->rounds; i++) {
        int64_t at = clock_cpu_thread();

        cs_terms(x, &rules, terms, b->keywords, terms, b->keywords, cs);
        b->times[i] = clock_cpu_thread() - at;
    }
    say(b, "cs of all pairs of keywords", 1);
    lexicon_free(x);
}

static void bench_words(struct bench *b)
{
    static const char *const queries[] = {"sport", "animal", "object"};
    struct wordnet *w = NULL;
    struct relate *r = NULL;
    uint32_t calls = 10000000;
    float sum = 0;
    int64_t at;

    if (wordnet_open(NULL, &w) != ST_OK) {
        printf("%s\n", status_text());
        return;
    }
    for (size_t q = 0; q < ARRAY_LEN(queries); q++) {
        struct topic *topic;
        char what[64];

        if (topic_from_words(str_of(queries[q]), STR("en"), &topic) != ST_OK)
            exit(1);
        for (unsigned i = 0; i < b->rounds; i++) {
            at = clock_cpu_thread();
            relate_free(r);
            r = relate_new(w, &rules, topic);
            b->times[i] = clock_cpu_thread() - at;
        }
        topic_free(topic);
        (void)snprintf(what, sizeof what, "near \"%s\"", queries[q]);
        say(b, what, 1);
    }
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < calls; i++)
        sum += relate_term(r, i * 2654435761u);
    printf("%-34s %9.1f ns (%g)\n", "cs of a term and the query",
           1e3 * (double)(clock_cpu_thread() - at) / calls, (double)sum);
    relate_free(r);
    bench_lexicon(b, w);
    wordnet_free(w);
}

static unsigned argument(int argc, char **argv, int i, unsigned otherwise, unsigned max)
{
    uint64_t value;

    if (i >= argc || !str_to_u64(str_of(argv[i]), &value) || value < 1)
        return otherwise;
    return value < max ? (unsigned)value : max;
}

int main(int argc, char **argv)
{
    struct bench b = {.urls = argument(argc, argv, 1, 1000, LIMIT_LATTICE_OBJECTS),
                      .keywords = argument(argc, argv, 2, 50, LIMIT_LATTICE_ATTRIBUTES),
                      .per_url = argument(argc, argv, 3, 8, LIMIT_LATTICE_ROW),
                      .rounds = argument(argc, argv, 4, 7, ROUNDS_MAX)};
    struct lattice *l;
    double whole, floor;

    if (b.per_url > b.keywords)
        b.per_url = b.keywords;
    l = context(&b, 1);
    printf("%u URLs, %u keywords, %u a URL\n", b.urls, b.keywords, b.per_url);
    whole = bench_build(&b, l, 0, "all concepts");
    floor = bench_floor(&b, l);
    printf("%-34s %9.2f\n", "all concepts : floor", whole / floor);
    bench_like(&b, l, "M of two complete lattices", 0);
    bench_like(&b, l, "M, 5 % of pairs related", .05);
    bench_build(&b, l, lattice_share(l, .01), "at least 1 % of the URLs");
    bench_like(&b, l, "M of two such", 0);
    bench_words(&b);
    lattice_free(l);
    return 0;
}
