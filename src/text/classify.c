/* classify.c - a linear classifier of documents, trained on examples.
 *
 * In: examples as term arrays. Out: struct classifier, used once for each page.
 * Workload: training once a crawl, or once a doubling of its pages, on 2 to some
 * thousand examples of 400 terms: milliseconds to a second, k + 1 solutions. Asking:
 * a search a term in an open-addressing table of 12-byte slots, at most half full.
 * Ids are hashes that a hostile example can choose, so slots are picked as in
 * vocab.c, by the table's own address; sums run in the document's order.
 *
 * liblinear: Fan, Chang, Hsieh, Wang, Lin 2008. Solvers 0 (L2R_LR) and 2
 * (L2R_L2LOSS_SVC) only: the dual ones call rand().
 * SPDX-License-Identifier: MIT */
#include "text/classify.h"

#include "base/fields.h"
#include "base/hash.h"
#include "base/mem.h"
#include "text/lens.h"
#include "text/estimate.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <assert.h>
#include <linear.h>
#include <math.h>
#include <stdlib.h>

#define EPSILON       1e-5 /* of liblinear: relative size of the last gradient */
#define STATE_VERSION 1

struct classify_slot {
    uint32_t id; /* 0: free */
    float idf, weight;
};

struct classifier {
    enum learner learner;
    struct classify_slot *slots; /* 1 << bits of them */
    uint64_t salt;               /* odd */
    int bits;
    uint32_t count; /* terms with a weight */
    float rare;     /* idf of a term that no example has; used without a table */
    double bias;
    struct platt platt;
    struct df_table *df; /* held; NULL: idf of the examples */
    struct estimate estimate;
};

static void be_quiet(const char *text UNUSED)
{
}

/* Printing is liblinear's only global setting, so it is set before there are threads. */
__attribute__((constructor)) static void silence(void)
{
    set_print_string_function(be_quiet);
}

/* ---- the examples in liblinear's form ------------------------------------ */

/* Terms of all examples are features 1 .. nfeatures in ascending order of ids;
 * one more feature that is always 1 gives the bias. */
struct training {
    const struct classify_example *examples;
    size_t n;
    const struct classify_config *config;
    uint32_t *ids; /* of the features */
    float *idf;
    size_t nfeatures;
    struct feature_node *nodes; /* memory of all rows */
    struct feature_node **rows; /* one for each document */
    int *fold;                  /* held out in this one; -1: never */
    bool *tested;               /* it has a fold */
    unsigned folds;
};

static int id_cmp(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Lists the features with their idf: that of the table, or ln(1 + n / df) over the examples. */
static void collect_features(struct training *t, size_t all, const struct df_table *df)
{
    size_t at = 0;

    t->ids = mem_alloc((all + 1) * sizeof *t->ids);
    t->idf = mem_alloc((all + 1) * sizeof *t->idf);
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->examples[i].nterms; k++)
            t->ids[at++] = t->examples[i].terms[k].id;
    qsort(t->ids, all, sizeof *t->ids, id_cmp);
    for (size_t i = 0, end; i < all; i = end) {
        uint32_t id = t->ids[i];

        for (end = i; end < all && t->ids[end] == id; end++)
            ;
        t->ids[t->nfeatures] = id;
        t->idf[t->nfeatures++] =
            df ? df_idf(df, id) : (float)log(1 + (double)t->n / (double)(end - i));
    }
}

/* Fills the row of one document, scaled to length 1, with its bias and end mark.
 * Returns the place after it. */
static struct feature_node *fill_row(const struct training *t, const struct classify_example *e,
                                     struct feature_node *row)
{
    struct feature_node *at = row;
    double square = 0, length;

    for (size_t k = 0; k < e->nterms; k++, at++) {
        const uint32_t *id = bsearch(&e->terms[k].id, t->ids, t->nfeatures, sizeof *t->ids, id_cmp);
        size_t feature = (size_t)(id - t->ids);

        at->index = (int)feature + 1;
        at->value = vec_tf(e->terms[k].count) * (double)t->idf[feature];
        square += at->value * at->value;
    }
    length = square > 0 ? sqrt(square) : 1;
    for (struct feature_node *n = row; n < at; n++)
        n->value /= length;
    *at++ = (struct feature_node){(int)t->nfeatures + 1, 1};
    *at++ = (struct feature_node){-1, 0};
    return at;
}

/* Deals the examples into folds, each class separately. */
static void deal_folds(struct training *t)
{
    size_t vouched[2] = {0}, all[2] = {0}, dealt[2] = {0}, least;
    unsigned most = t->config->folds ? t->config->folds : CLASSIFY_FOLDS;
    bool guesses_too;

    for (size_t i = 0; i < t->n; i++) {
        all[t->examples[i].is_positive]++;
        vouched[t->examples[i].is_positive] += !t->examples[i].is_guess;
    }
    guesses_too = vouched[0] == 0 || vouched[1] == 0;
    if (guesses_too)
        memcpy(vouched, all, sizeof vouched);
    least = vouched[0] < vouched[1] ? vouched[0] : vouched[1];
    t->folds = least < 2 ? 0 : least < most ? (unsigned)least : most;
    for (size_t i = 0; i < t->n; i++) {
        t->tested[i] = guesses_too || !t->examples[i].is_guess;
        t->fold[i] = -1;
        if (t->folds > 0 && t->tested[i])
            t->fold[i] = (int)(dealt[t->examples[i].is_positive]++ % t->folds);
    }
}

static void training_init(struct training *t, const struct df_table *df)
{
    struct feature_node *at;
    size_t all = 0;

    for (size_t i = 0; i < t->n; i++)
        all += t->examples[i].nterms;
    collect_features(t, all, df);
    t->rows = mem_alloc((t->n + 1) * sizeof *t->rows);
    at = t->nodes = mem_alloc((all + 2 * t->n + 1) * sizeof *t->nodes);
    for (size_t i = 0; i < t->n; i++) {
        t->rows[i] = at;
        at = fill_row(t, &t->examples[i], at);
    }
    t->fold = mem_alloc((t->n + 1) * sizeof *t->fold);
    t->tested = mem_zero(t->n + 1, sizeof *t->tested);
    deal_folds(t);
}

static void training_clear(struct training *t)
{
    free(t->ids);
    free(t->idf);
    free(t->rows);
    free(t->nodes);
    free(t->fold);
    free(t->tested);
}

/* ---- solving ------------------------------------------------------------- */

/* Returns weights trained on all examples but those of a fold (-2: on all); nfeatures + 1 of them,
 * to be freed. `start` is where the search begins; NULL: at 0. */
static double *solve(const struct training *t, int without, double *start)
{
    static const int solvers[] = {[LEARNER_LOGISTIC] = L2R_LR, [LEARNER_SVM] = L2R_L2LOSS_SVC};
    struct problem p = {.n = (int)t->nfeatures + 1, .bias = 1};
    struct feature_node **rows = mem_alloc((t->n + 1) * sizeof *rows);
    double *truth = mem_alloc((t->n + 1) * sizeof *truth);
    double *weights = mem_alloc((t->nfeatures + 1) * sizeof *weights);
    double plus = 0, share[2];
    int labels[2] = {1, -1};
    struct parameter how = {.solver_type = solvers[t->config->learner],
                            .eps = EPSILON,
                            .C = t->config->c,
                            .nr_weight = 2,
                            .weight_label = labels,
                            .weight = share,
                            .init_sol = start};
    struct model *m;

    for (size_t i = 0; i < t->n; i++) {
        if (t->fold[i] == without)
            continue;
        rows[p.l] = t->rows[i];
        truth[p.l++] = t->examples[i].is_positive ? 1 : -1;
        plus += t->examples[i].is_positive;
    }
    p.x = rows;
    p.y = truth;
    share[0] = p.l / (2 * plus); /* both classes have the same total weight */
    share[1] = p.l / (2 * (p.l - plus));
    m = train(&p, &how);
    assert(m->label[0] == 1); /* the weights are those of class 1, whichever class comes first */
    memcpy(weights, m->w, (t->nfeatures + 1) * sizeof *weights);
    free_and_destroy_model(&m);
    free(rows);
    free(truth);
    return weights;
}

static double row_margin(const struct feature_node *row, const double *weights)
{
    double sum = 0;

    for (; row->index > 0; row++)
        sum += row->value * weights[row->index - 1];
    return sum;
}

/* ---- calibration and estimate -------------------------------------------- */

/* The tested examples: their margins, truth and folds, side by side. */
struct held_out {
    double *margins, *probabilities;
    bool *positive;
    int *fold;
    size_t n;
    double *other_margins; /* of all other folds */
    bool *other_positive;
};

static void held_out_init(struct held_out *h, const struct training *t)
{
    h->margins = mem_alloc((t->n + 1) * sizeof *h->margins);
    h->probabilities = mem_alloc((t->n + 1) * sizeof *h->probabilities);
    h->other_margins = mem_alloc((t->n + 1) * sizeof *h->other_margins);
    h->positive = mem_zero(t->n + 1, sizeof *h->positive);
    h->other_positive = mem_zero(t->n + 1, sizeof *h->other_positive);
    h->fold = mem_alloc((t->n + 1) * sizeof *h->fold);
}

static void held_out_clear(struct held_out *h)
{
    free(h->margins);
    free(h->probabilities);
    free(h->other_margins);
    free(h->positive);
    free(h->other_positive);
    free(h->fold);
}

/* Computes margins of the examples of one fold; -1: of all that are tested. */
static void measure(struct held_out *h, const struct training *t, int fold, const double *weights)
{
    for (size_t i = 0; i < t->n; i++) {
        if (!t->tested[i] || (fold >= 0 && t->fold[i] != fold))
            continue;
        h->margins[h->n] = row_margin(t->rows[i], weights);
        h->positive[h->n] = t->examples[i].is_positive;
        h->fold[h->n++] = fold;
    }
}

/* Computes the probabilities of one fold by a curve that was fitted to the others. */
static void judge_fold(struct held_out *h, int fold, struct platt fallback)
{
    struct platt curve = fallback;
    size_t others = 0;

    for (size_t i = 0; i < h->n; i++) {
        h->other_margins[others] = h->margins[i];
        h->other_positive[others] = h->positive[i];
        others += h->fold[i] != fold;
    }
    (void)platt_fit(h->other_margins, h->other_positive, others, &curve);
    for (size_t i = 0; i < h->n; i++)
        if (h->fold[i] == fold)
            h->probabilities[i] = platt_probability(&curve, h->margins[i]);
}

/* Sets the curve and the estimate. If there are no held-out margins, or they point the wrong way,
 * the curve is fitted to the training margins. */
static void calibrate(struct classifier *c, const struct training *t, double *weights)
{
    struct held_out h = {0};

    held_out_init(&h, t);
    c->platt = (struct platt){1, 0};
    measure(&h, t, -1, weights);
    (void)platt_fit(h.margins, h.positive, h.n, &c->platt);
    if (t->folds > 0) {
        h.n = 0;
        for (unsigned k = 0; k < t->folds; k++) {
            double *others = solve(t, (int)k, weights);

            measure(&h, t, (int)k, others);
            free(others);
        }
        (void)platt_fit(h.margins, h.positive, h.n, &c->platt);
    }
    for (unsigned k = 0; k < t->folds; k++)
        judge_fold(&h, (int)k, c->platt);
    for (size_t i = 0; t->folds == 0 && i < h.n; i++)
        h.probabilities[i] = platt_probability(&c->platt, h.margins[i]);
    estimate_fill(&c->estimate, h.margins, h.probabilities, h.positive, h.n);
    c->estimate.folds = t->folds;
    held_out_clear(&h);
}

/* ---- the table of weights ------------------------------------------------ */

/* The slot of `id`, or the free one where it belongs. */
static inline const struct classify_slot *slot_of(const struct classifier *c, uint32_t id)
{
    size_t mask = ((size_t)1 << c->bits) - 1, i = (size_t)(id * c->salt >> (64 - c->bits));

    while (c->slots[i].id != 0 && c->slots[i].id != id)
        i = (i + 1) & mask;
    return &c->slots[i];
}

static struct classifier *classifier_new(size_t terms, const struct df_table *df)
{
    struct classifier *c = MEM_NEW(struct classifier);

    c->df = df ? df_hold((struct df_table *)df) : NULL;
    c->salt = hash_u64((uintptr_t)c) | 1;
    c->count = (uint32_t)terms;
    for (c->bits = 1; (size_t)1 << c->bits < 2 * terms + 2; c->bits++)
        ;
    c->slots = mem_zero((size_t)1 << c->bits, sizeof *c->slots);
    return c;
}

static void put_slot(struct classifier *c, struct classify_slot s)
{
    *(struct classify_slot *)slot_of(c, s.id) = s;
}

void classify_free(struct classifier *c)
{
    if (c == NULL)
        return;
    df_release(c->df);
    free(c->slots);
    free(c);
}

enum status classify_train(const struct classify_example *examples, size_t n,
                           const struct df_table *df, const struct classify_config *config,
                           struct classifier **ret)
{
    struct training t = {.examples = examples, .n = n, .config = config};
    struct classifier *c;
    size_t plus = 0;
    double *weights;

    for (size_t i = 0; i < n; i++)
        plus += examples[i].is_positive;
    if (plus == 0 || plus == n)
        return status_fail(ST_INVALID, "a classifier needs positive and negative examples");
    training_init(&t, df);
    weights = solve(&t, -2, NULL);
    c = classifier_new(t.nfeatures, df);
    c->learner = config->learner;
    c->rare = (float)log(1 + (double)n);
    for (size_t i = 0; i < t.nfeatures; i++)
        put_slot(c, (struct classify_slot){t.ids[i], t.idf[i], (float)weights[i]});
    c->bias = weights[t.nfeatures];
    calibrate(c, &t, weights);
    free(weights);
    training_clear(&t);
    *ret = c;
    return ST_OK;
}

/* ---- using it ------------------------------------------------------------ */

double classify_margin(const struct classifier *c, const struct term *terms, size_t nterms,
                       double square)
{
    double dot = 0, sum = 0;

    if (square < 0 && c->df)
        square = lens_square(terms, nterms, c->df);
    for (size_t i = 0; i < nterms; i++) {
        const struct classify_slot *s = slot_of(c, terms[i].id);
        double w = lens_tf(terms[i].count) * (double)(s->id ? s->idf : c->rare);

        dot += w * (double)s->weight;
        sum += w * w;
    }
    if (!c->df)
        square = sum;
    return c->bias + (square > 0 ? dot / sqrt(square) : 0);
}

float classify_probability(const struct classifier *c, const struct term *terms, size_t nterms,
                           double square)
{
    return (float)platt_probability(&c->platt, classify_margin(c, terms, nterms, square));
}

double classify_weight(const struct classifier *c, uint32_t term)
{
    const struct classify_slot *s = slot_of(c, term);

    return s->id ? (double)s->idf * (double)s->weight : 0;
}

const struct df_table *classify_table(const struct classifier *c)
{
    return c->df;
}

const struct estimate *classify_estimate(const struct classifier *c)
{
    return &c->estimate;
}

enum learner classify_learner(const struct classifier *c)
{
    return c->learner;
}

const char *learner_name(enum learner learner)
{
    return learner == LEARNER_SVM ? "SVM" : "logistic";
}

/* ---- checkpoint ---------------------------------------------------------- */

static int slot_cmp(const void *a, const void *b)
{
    return id_cmp(&((const struct classify_slot *)a)->id, &((const struct classify_slot *)b)->id);
}

static const struct field classifier_fields[] = {
    FIELD(WIDE, struct classifier, rare),
    FIELD(F64, struct classifier, bias),
    FIELD(F64, struct classifier, platt.slope),
    FIELD(F64, struct classifier, platt.shift),
    FIELD(U32, struct classifier, estimate.folds),
    FIELD(U64, struct classifier, estimate.positive),
    FIELD(U64, struct classifier, estimate.negative),
    FIELD(F64, struct classifier, estimate.accuracy),
    FIELD(F64, struct classifier, estimate.precision),
    FIELD(F64, struct classifier, estimate.recall),
    FIELD(F64, struct classifier, estimate.auc),
    FIELD(F64, struct classifier, estimate.log_loss),
    FIELD_END,
};

static const struct field slot_fields[] = {
    FIELD(U32, struct classify_slot, id),
    FIELD(F32, struct classify_slot, idf),
    FIELD(F32, struct classify_slot, weight),
    FIELD_END,
};

void classify_save(const struct classifier *c, struct buf *out)
{
    struct classify_slot *sorted = mem_alloc((c->count + 1) * sizeof *sorted);
    size_t n = 0;

    for (size_t i = 0; i < (size_t)1 << c->bits; i++)
        if (c->slots[i].id != 0)
            sorted[n++] = c->slots[i];
    qsort(sorted, n, sizeof *sorted, slot_cmp); /* their order in the table depends on an address */
    buf_put_u8(out, STATE_VERSION);
    buf_put_u8(out, (uint8_t)c->learner);
    buf_put_u8(out, c->df != NULL);
    fields_save(classifier_fields, c, out);
    fields_save_all(slot_fields, sorted, n, sizeof *sorted, out);
    free(sorted);
}

#define SLOT_BYTES 12 /* as saved */

enum status classify_load(struct cursor *from, const struct df_table *df, struct classifier **ret)
{
    struct classifier head = {.bits = 0}, *c;
    uint8_t version = cursor_u8(from), learner = cursor_u8(from);
    bool has_table = cursor_u8(from) != 0;
    uint32_t count;

    fields_load(classifier_fields, &head, from);
    count = cursor_u32(from);
    if (from->bad || version != STATE_VERSION || learner > LEARNER_SVM ||
        has_table != (df != NULL) || count > from->rest.len / SLOT_BYTES)
        return status_fail(ST_CORRUPT, "the saved classifier is damaged");
    c = classifier_new(count, df);
    c->learner = learner;
    c->rare = head.rare;
    c->bias = head.bias;
    c->platt = head.platt;
    c->estimate = head.estimate;
    for (uint32_t i = 0; i < count; i++) {
        struct classify_slot s;

        fields_load(slot_fields, &s, from);
        if (s.id != 0)
            put_slot(c, s);
    }
    *ret = c;
    return ST_OK;
}
