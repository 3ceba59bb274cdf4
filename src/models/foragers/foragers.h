/* foragers.h - the public part of the foragers: clusters of pages, by which the content of a
 * page becomes a vector of k numbers in (-1, 1).
 *
 *     pages --- pddp ---> k clusters --- prtfidf ---> Pr(C|w), k + 1 classes
 *     a page's words ---> p_1 … p_k, p_background ---> s_1 … s_k
 *
 * The background class takes words that occur on any page; its output is dropped. It is trained
 * on pages of another kind, if they are given. Otherwise it is made of the same pages, pooled,
 * with the weight of a cluster of average size: then it takes 1/(k+1) of every word, so that it
 * changes only the scale of p, and does not change `standard` states.
 *
 * Two mappings:
 *     standard   s_c = tanh((p_c - mean_c) / std_c), mean and deviation over the pages
 *                the clusters were made of; 0 where the deviation is 0
 *     raw        s_c = tanh(p_c), never negative
 * A page without any known word has a state of 0 in both.
 *
 * The vocabulary is the `words` terms with the largest df ln(n/df), df counted in the clustered
 * pages: those that are on many pages, but not on all (equal ones by id). Clusters and classes
 * are made from these words alone.
 *
 * Source: Palotai, Farkas, Lorincz; they do not say how [0,1] became [-1,1]: `standard` is
 * ours. It is immutable, so threads may share it. It takes k * words floats of memory.
 */
#pragma once

#include "models/foragers/pddp.h"
#include "models/foragers/prtfidf.h"

struct vocab;

/* In the order of the option's choices. */
enum clusters_mapping { CLUSTERS_STANDARD, CLUSTERS_RAW };
#define CLUSTERS_MAPPINGS "standard|raw"

#define CLUSTERS_K        50    /* as in the paper */
#define CLUSTERS_WORDS    20000 /* of a file; about 4 MB with 50 clusters */

struct clusters {
    uint32_t k;            /* clusters; the background is class k */
    struct prtfidf *judge; /* of k + 1 classes */
    float *mean, *std;     /* of p_c over the clustered pages */
    uint32_t *sizes;       /* pages of each cluster */
    uint32_t documents;    /* pages clustered: the sum of sizes */
    uint32_t background;   /* pages of the background; 0: pooled */
    char **stems;          /* of the judge's rows; each, or the array, may be NULL */
};

struct clusters_config {
    uint32_t k;               /* clusters wanted; 0: CLUSTERS_K */
    uint32_t words;           /* vocabulary at most; 0: CLUSTERS_WORDS */
    enum vec_scaling scaling; /* of the vectors that are clustered */
    const struct vec *background;
    size_t nbackground;        /* 0: pooled */
    const struct vocab *stems; /* where the texts of terms are; NULL: texts are not kept */
    /* Called before every cut. If it returns false, the result is ST_STOPPED. May be NULL. */
    bool (*go_on)(void *ctx, uint32_t clusters, uint32_t wanted);
    void *ctx;
};

/* Makes clusters of n pages, each given by the terms of its profile. Returns ST_INVALID
 * if there are fewer pages with a word than clusters. Makes fewer than k clusters if
 * pages are too similar to be separated: see c->k. ret_cluster (may be NULL, room for n)
 * gets the cluster of each page. */
enum status clusters_make(const struct vec *docs, size_t n, const struct clusters_config *config,
                          uint32_t *ret_cluster, struct clusters **ret) MUST_USE;
void clusters_free(struct clusters *c);

/* Writes the state of a page, c->k numbers, to ret. */
void clusters_state(const struct clusters *c, const struct term *terms, size_t nterms,
                    enum clusters_mapping mapping, float *ret);

/* Gives up to n rows of c->judge that are most typical of a cluster, best first: largest Pr(w)
 * Pr(C|w) ln(Pr(C|w) / Pr(C)). Returns how many. */
size_t clusters_telling(const struct clusters *c, uint32_t cluster, uint32_t *ret_rows, size_t n);

/* Checkpoint: everything but the stems. Returns ST_CORRUPT if the bytes are not valid. */
void clusters_put(const struct clusters *c, struct buf *out);
enum status clusters_get(struct cursor *from, struct clusters **ret) MUST_USE;

/* A file has "brood clusters 1\n", the same bytes and the stems, and a hash of everything. Errors
 * name the file. clusters_parse() reads the same from bytes. */
enum status clusters_write(const struct clusters *c, const char *path) MUST_USE;
enum status clusters_read(const char *path, struct clusters **ret) MUST_USE;
enum status clusters_parse(struct str bytes, const char *name, struct clusters **ret) MUST_USE;
