/* bench_clusters.c - do clusters of a labelled world's pages agree with its labels?
 *
 *     bench_clusters WORLD [BACKGROUND]
 *
 * The truth about a page is the first part of its first label ("Science" of
 * "Science.Biology"); pages without one are left out. Purity: the share of pages whose
 * label is the commonest of their cluster; beside it that of random groups of the same
 * sizes. Nearest: the share of pages whose nearest other page, by their states, has the
 * same label (every fifth page is asked). SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "sim/web/web.h"
#include "models/foragers/foragers.h"

#include <stdio.h>
#include <stdlib.h>

#define K     50
#define EVERY 5 /* page whose nearest page is looked up */

struct sample {
    struct web *web;
    struct vec *docs;
    uint32_t *truth;
    size_t n;
    uint32_t labels; /* distinct ones */
};

static struct str first_part(struct str label)
{
    size_t dot = str_find_char(label, '.', 0);

    return str_sub(label, 0, dot);
}

/* Pages with a label, or all of them. */
static bool sample_load(const char *dir, bool all, struct sample *s)
{
    struct web_counts counts;
    struct map names;

    if (web_load(dir, &(struct web_config){0}, &s->web) != ST_OK) {
        fprintf(stderr, "%s\n", status_text());
        return false;
    }
    counts = web_counts(s->web);
    s->docs = mem_zero(counts.pages + 1, sizeof *s->docs);
    s->truth = mem_zero(counts.pages + 1, sizeof *s->truth);
    map_init(&names);
    for (uint32_t url = 1; url <= counts.pages; url++) {
        uint32_t first, n;
        const uint32_t *labels = web_labels_of(s->web, url, &n);
        struct profile p;

        if (web_history(s->web, url, &first) == 0 || (n == 0 && !all))
            continue;
        if (n > 0)
            s->truth[s->n] = *map_at(&names, hash_str(first_part(web_label(s->web, labels[0]))),
                                     (uint32_t)names.count, NULL);
        p = web_profile(s->web, first);
        s->docs[s->n++] = (struct vec){p.terms, p.nterms};
    }
    s->labels = (uint32_t)names.count;
    map_free(&names);
    return true;
}

static void sample_free(struct sample *s)
{
    free(s->docs);
    free(s->truth);
    web_free(s->web);
}

static double purity(const struct sample *s, const uint32_t *cluster, uint32_t k)
{
    uint32_t *table = mem_zero((size_t)k * s->labels, sizeof *table);
    size_t right = 0;

    for (size_t i = 0; i < s->n; i++)
        table[(size_t)cluster[i] * s->labels + s->truth[i]]++;
    for (uint32_t c = 0; c < k; c++) {
        uint32_t most = 0;

        for (uint32_t l = 0; l < s->labels; l++)
            if (table[(size_t)c * s->labels + l] > most)
                most = table[(size_t)c * s->labels + l];
        right += most;
    }
    free(table);
    return (double)right / (double)s->n;
}

static void shuffle(uint32_t *a, size_t n)
{
    struct rng rng;

    rng_init(&rng, 1);
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(&rng, i);
        uint32_t t = a[i - 1];

        a[i - 1] = a[j];
        a[j] = t;
    }
}

static double nearest(const struct sample *s, const struct clusters *c, enum clusters_mapping how)
{
    float *states = mem_zero(s->n * c->k, sizeof *states);
    size_t right = 0, asked = 0;

    for (size_t i = 0; i < s->n; i++)
        clusters_state(c, s->docs[i].terms, s->docs[i].n, how, states + i * c->k);
    for (size_t i = 0; i < s->n; i += EVERY, asked++) {
        double best = 1e9;
        size_t at = 0;

        for (size_t j = 0; j < s->n; j++) {
            float d = 0;

            for (uint32_t x = 0; x < c->k && i != j; x++) {
                float y = states[i * c->k + x] - states[j * c->k + x];

                d += y * y;
            }
            if (i != j && d < (float)best) {
                best = d;
                at = j;
            }
        }
        right += s->truth[at] == s->truth[i];
    }
    free(states);
    return (double)right / (double)asked;
}

static void measure(const struct sample *s, const struct sample *general, uint32_t words,
                    enum vec_scaling scaling)
{
    struct clusters_config config = {.k = K,
                                     .words = words,
                                     .scaling = scaling,
                                     .background = general->docs,
                                     .nbackground = general->n};
    uint32_t *cluster = mem_zero(s->n, sizeof *cluster);
    int64_t start = clock_cpu_thread();
    struct clusters *c;
    double pure;

    if (clusters_make(s->docs, s->n, &config, cluster, &c) != ST_OK) {
        fprintf(stderr, "%s\n", status_text());
        exit(1);
    }
    printf("%-6s %6u words: %.2f s,", scaling == VEC_NORM ? "norm" : "tfidf", words,
           (double)(clock_cpu_thread() - start) / 1e6);
    pure = purity(s, cluster, c->k);
    shuffle(cluster, s->n);
    printf(" purity %.3f (random %.3f), nearest %.3f standard, %.3f raw\n", pure,
           purity(s, cluster, c->k), nearest(s, c, CLUSTERS_STANDARD), nearest(s, c, CLUSTERS_RAW));
    clusters_free(c);
    free(cluster);
}

int main(int argc, char **argv)
{
    struct sample s = {0}, general = {0};

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: bench_clusters WORLD [BACKGROUND]\n");
        return 2;
    }
    if (!sample_load(argv[1], false, &s) || (argc == 3 && !sample_load(argv[2], true, &general)))
        return 1;
    printf("%zu pages with a label, %u labels; %zu pages of background; %d clusters\n", s.n,
           s.labels, general.n, K);
    for (int scaling = VEC_TFIDF; scaling <= VEC_NORM; scaling++) {
        measure(&s, &general, 2000, (enum vec_scaling)scaling);
        measure(&s, &general, CLUSTERS_WORDS, (enum vec_scaling)scaling);
    }
    sample_free(&s);
    sample_free(&general);
    return 0;
}
