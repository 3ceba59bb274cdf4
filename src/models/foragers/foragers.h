/* foragers.h - what others may see of the foragers: clusters of pages, which say what a page is
 * about as a vector of k numbers in (-1, 1).
 *
 *     pages --- pddp ---> k clusters --- prtfidf ---> Pr(C|w), k + 1 classes
 *     a page's words ---> p_1 … p_k, p_background ---> s_1 … s_k
 *
 * The background class takes what is said on any page; its output is dropped. It is
 * trained on pages of another kind where they are given. Without them it is the
 * pages themselves, pooled, with the weight of a cluster of average size: it then
 * takes 1/(k+1) of every word, so that it changes no more than the scale of p, and
 * `standard` states not at all.
 *
 * Two mappings:
 *     standard   s_c = tanh((p_c - mean_c) / std_c), mean and deviation over the pages
 *                the clusters were made of; 0 where the deviation is 0
 *     raw        s_c = tanh(p_c), never negative
 * A page with no known word says nothing: its state is 0 in both.
 *
 * The vocabulary is the `words` terms with the largest df ln(n/df), df counted in
 * the clustered pages: those that stand on many pages, but not on all (equals by id).
 * Clusters and classes are made from these words alone.
 *
 * Source: Palotai, Farkas, Lorincz; they do not say how [0,1] became [-1,1]: `standard`
 * is ours. Immutable once made: any thread may ask. k * words floats of memory.
 */
#pragma once

#include "models/foragers/pddp.h"
#include "models/foragers/prtfidf.h"

struct vocab;

/* Same order as the choices. */
enum clusters_mapping { CLUSTERS_STANDARD, CLUSTERS_RAW };
#define CLUSTERS_MAPPINGS "standard|raw"

#define CLUSTERS_K        50    /* the paper's */
#define CLUSTERS_WORDS    20000 /* of a file; about 4 MB with 50 clusters */

struct clusters {
    uint32_t k;            /* clusters; the background is class k */
    struct prtfidf *judge; /* of k + 1 classes */
    float *mean, *std;     /* of p_c over the clustered pages */
    uint32_t *sizes;       /* pages of each cluster */
    uint32_t documents;    /* pages clustered: the sum of sizes */
    uint32_t background;   /* pages of the background; 0: pooled */
    char **stems;          /* of the judge's rows, each may be NULL; NULL: not known */
};

struct clusters_config {
    uint32_t k;               /* clusters wanted; 0: CLUSTERS_K */
    uint32_t words;           /* vocabulary at most; 0: CLUSTERS_WORDS */
    enum vec_scaling scaling; /* of the vectors that are clustered */
    const struct vec *background;
    size_t nbackground;        /* 0: pooled */
    const struct vocab *stems; /* where the texts of terms are; NULL: not kept */
    /* Called before every cut; false: ST_STOPPED. May be NULL. */
    bool (*go_on)(void *ctx, uint32_t clusters, uint32_t wanted);
    void *ctx;
};

/* From n pages, each the terms of its profile. ST_INVALID where there are fewer pages
 * with a word than clusters. Gives fewer than k clusters where pages are too much alike
 * to be told apart: ask c->k. ret_cluster (may be NULL, room for n): where each went. */
enum status clusters_make(const struct vec *docs, size_t n, const struct clusters_config *config,
                          uint32_t *ret_cluster, struct clusters **ret) MUST_USE;
void clusters_free(struct clusters *c);

/* The state of a page: c->k numbers to ret. */
void clusters_state(const struct clusters *c, const struct term *terms, size_t nterms,
                    enum clusters_mapping mapping, float *ret);

/* Up to n rows of c->judge that tell most of a cluster, best first: largest
 * Pr(w) Pr(C|w) ln(Pr(C|w) / Pr(C)). Returns how many. */
size_t clusters_telling(const struct clusters *c, uint32_t cluster, uint32_t *ret_rows, size_t n);

/* Checkpoint: everything but the stems. ST_CORRUPT where it is none of ours. */
void clusters_put(const struct clusters *c, struct buf *out);
enum status clusters_get(struct cursor *from, struct clusters **ret) MUST_USE;

/* A file: "brood clusters 1\n", the same bytes and the stems, and a hash of it all.
 * Errors name the file. clusters_parse() is clusters_read() of bytes. */
enum status clusters_write(const struct clusters *c, const char *path) MUST_USE;
enum status clusters_read(const char *path, struct clusters **ret) MUST_USE;
enum status clusters_parse(struct str bytes, const char *name, struct clusters **ret) MUST_USE;
