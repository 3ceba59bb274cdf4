/* test_clusters.c - clusters of pages: how they are made, what they say of a page, and
 * how they are kept.
 *
 * Four pages: two with the words 1 1 1 2 (a) and two with 2 3 3 3 (b). PDDP cuts along
 * (1 0 -1)/sqrt 2, word 1 being met first: a goes to cluster 1, b stays in cluster 0.
 *
 *     Pr(C|w)            word 1   word 2   word 3
 *     cluster 0 (b)      0        1/2      1
 *     cluster 1 (a)      1        1/2      0
 *
 * Without background pages all of it is multiplied by k/(k+1) = 2/3, and the background
 * has 1/3. Page a: p = 2/3 (1/8, 7/8) = (.083333, .583333); b the other way round. Over
 * the four pages both have the mean .333333 and the deviation .25.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "models/foragers/foragers.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_near(double got, double want, double within)
{
    assert_float_equal((float)got, (float)want, (float)within);
}

static const struct term a[] = {{1, 3}, {2, 1}}, b[] = {{2, 1}, {3, 3}};
static const struct vec pages[] = {{a, 2}, {a, 2}, {b, 2}, {b, 2}};

static struct clusters *made_with(const struct clusters_config *config)
{
    struct clusters *c = NULL;

    assert_int_equal(clusters_make(pages, 4, config, NULL, &c), ST_OK);
    return c;
}

static struct clusters *made(void)
{
    return made_with(&(struct clusters_config){.k = 2});
}

static void assert_state(const struct clusters *c, const struct term *terms, size_t n,
                         enum clusters_mapping mapping, double s0, double s1)
{
    float s[2];

    clusters_state(c, terms, n, mapping, s);
    assert_near(s[0], s0, 1e-5);
    assert_near(s[1], s1, 1e-5);
}

/* ---- making ---- */

static void pages_of_one_kind_come_together(void **state UNUSED)
{
    struct clusters *c = NULL;
    uint32_t cluster[4];

    assert_int_equal(clusters_make(pages, 4, &(struct clusters_config){.k = 2}, cluster, &c),
                     ST_OK);
    assert_int_equal(c->k, 2);
    assert_int_equal(c->documents, 4);
    assert_int_equal(c->background, 0);
    assert_int_equal(c->sizes[0], 2);
    assert_int_equal(c->sizes[1], 2);
    assert_true(cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 0 && cluster[3] == 0);
    for (int i = 0; i < 2; i++) {
        assert_near(c->mean[i], 1 / 3., 1e-6);
        assert_near(c->std[i], .25, 1e-6);
    }
    assert_null(c->stems);
    clusters_free(c);
}

/* df is 2, 4, 2 of 4 pages: worth 2 ln 2, 4 ln 1 = 0, 2 ln 2. */
static void the_vocabulary_keeps_words_of_many_pages_but_not_of_all(void **state UNUSED)
{
    struct clusters *c = made_with(&(struct clusters_config){.k = 2, .words = 2});

    assert_int_equal(c->judge->words, 2);
    assert_int_equal(c->judge->ids[0], 1);
    assert_int_equal(c->judge->ids[1], 3);
    clusters_free(c);
    c = made_with(&(struct clusters_config){.k = 2, .words = 1}); /* equals by id */
    assert_int_equal(c->judge->ids[0], 1);
    clusters_free(c);
}

static void pages_too_alike_make_fewer_clusters(void **state UNUSED)
{
    struct clusters *c = made_with(&(struct clusters_config){.k = 4});

    assert_int_equal(c->k, 2);
    clusters_free(c);
}

static void too_few_pages_are_refused(void **state UNUSED)
{
    static const struct vec some[] = {{a, 2}, {NULL, 0}, {b, 2}};
    struct clusters *c = NULL;

    assert_int_equal(clusters_make(pages, 4, &(struct clusters_config){.k = 5}, NULL, &c),
                     ST_INVALID);
    assert_string_equal(status_text(), "4 pages with words are not enough for 5 clusters");
    assert_int_equal(clusters_make(some, 3, &(struct clusters_config){.k = 3}, NULL, &c),
                     ST_INVALID);
    assert_string_equal(status_text(), "2 pages with words are not enough for 3 clusters");
    assert_int_equal(clusters_make(NULL, 0, &(struct clusters_config){.k = 1}, NULL, &c),
                     ST_INVALID);
    assert_int_equal(
        clusters_make(pages, 4, &(struct clusters_config){.k = LIMIT_CLUSTERS + 1}, NULL, &c),
        ST_LIMIT);
    assert_null(c);
}

static bool never(void *ctx UNUSED, uint32_t clusters UNUSED, uint32_t wanted UNUSED)
{
    return false;
}

static void making_can_be_stopped(void **state UNUSED)
{
    struct clusters_config config = {.k = 2, .go_on = never};
    struct clusters *c = NULL;

    assert_int_equal(clusters_make(pages, 4, &config, NULL, &c), ST_STOPPED);
    assert_null(c);
}

/* ---- states ---- */

/* (.583333 - .333333) / .25 = 1 and tanh 1 = .761594; tanh .083333 = .083141 and
 * tanh .583333 = .525084. */
static void a_state_is_standard_or_raw(void **state UNUSED)
{
    struct clusters *c = made();

    assert_state(c, a, 2, CLUSTERS_STANDARD, -.761594, .761594);
    assert_state(c, b, 2, CLUSTERS_STANDARD, .761594, -.761594);
    assert_state(c, a, 2, CLUSTERS_RAW, .083141, .525084);
    clusters_free(c);
}

/* Word 1 alone is known: p = (0, 2/3); (0 - 1/3)/.25 = -1.333333, tanh .870062. */
static void unknown_words_are_left_out_of_a_state(void **state UNUSED)
{
    static const struct term half[] = {{1, 1}, {77, 5}}, stranger[] = {{77, 5}};
    struct clusters *c = made();

    assert_state(c, half, 2, CLUSTERS_STANDARD, -.870062, .870062);
    assert_state(c, stranger, 1, CLUSTERS_STANDARD, 0, 0);
    assert_state(c, stranger, 1, CLUSTERS_RAW, 0, 0);
    assert_state(c, NULL, 0, CLUSTERS_STANDARD, 0, 0);
    clusters_free(c);
}

/* One page of word 2 alone: sums of Pr(w|d) of word 2 are 1/2, 1/2 and 1 for the
 * background, so Pr(C|2) = 1/4, 1/4, 1/2. Page a: p_0 = 1/4 * 1/4 = .0625, p_1 = 3/4 +
 * 1/16 = .8125; tanh .670967. The pages' means are .4375, the deviation .375, so the
 * standard state is tanh 1 again. */
static void background_pages_take_what_is_said_everywhere(void **state UNUSED)
{
    static const struct term general[] = {{2, 9}, {88, 1}};
    struct vec background = {general, 2};
    struct clusters_config config = {.k = 2, .background = &background, .nbackground = 1};
    struct clusters *c = made_with(&config);

    assert_int_equal(c->background, 1);
    assert_near(prtfidf_row(c->judge, 2)[2], .5, 1e-6);
    assert_null(prtfidf_row(c->judge, 88)); /* words are those of the pages */
    assert_near(c->mean[0], .4375, 1e-6);
    assert_near(c->std[1], .375, 1e-6);
    assert_state(c, a, 2, CLUSTERS_RAW, tanh(.0625), .670967);
    assert_state(c, a, 2, CLUSTERS_STANDARD, -.761594, .761594);
    clusters_free(c);
}

/* One cluster: p is 1/2 on every page. */
static void a_deviation_of_0_gives_0(void **state UNUSED)
{
    struct clusters *c = made_with(&(struct clusters_config){.k = 1});
    float s[1];

    assert_near(c->std[0], 0, 0);
    clusters_state(c, a, 2, CLUSTERS_STANDARD, s);
    assert_near(s[0], 0, 0);
    clusters_state(c, a, 2, CLUSTERS_RAW, s);
    assert_near(s[0], tanh(.5), 1e-6);
    clusters_free(c);
}

/* Cluster 1: word 1 has Pr(C|w)/Pr(C) = (2/3)/(1/3), word 2 has 1 and says nothing, word 3
 * speaks against it. */
static void telling_words_are_those_of_the_cluster(void **state UNUSED)
{
    struct clusters *c = made();
    uint32_t rows[3];

    assert_int_equal(clusters_telling(c, 1, rows, 3), 1);
    assert_int_equal(c->judge->ids[rows[0]], 1);
    assert_int_equal(clusters_telling(c, 0, rows, 3), 1);
    assert_int_equal(c->judge->ids[rows[0]], 3);
    assert_int_equal(clusters_telling(c, 0, rows, 0), 0);
    clusters_free(c);
}

/* ---- keeping ---- */

static void assert_same(const struct clusters *x, const struct clusters *y)
{
    struct buf p = BUF_INIT(KIB(64)), q = BUF_INIT(KIB(64));

    clusters_put(x, &p);
    clusters_put(y, &q);
    assert_int_equal(p.len, q.len);
    assert_memory_equal(p.data, q.data, p.len);
    buf_free(&p);
    buf_free(&q);
    assert_state(y, a, 2, CLUSTERS_STANDARD, -.761594, .761594);
}

static void a_checkpoint_reads_back(void **state UNUSED)
{
    struct clusters *c = made(), *d = NULL;
    struct buf out = BUF_INIT(KIB(64));
    struct cursor from;

    clusters_put(c, &out);
    buf_put_u32(&out, 12345); /* others follow */
    from = (struct cursor){.rest = buf_str(&out)};
    assert_int_equal(clusters_get(&from, &d), ST_OK);
    assert_int_equal(cursor_u32(&from), 12345);
    assert_same(c, d);
    buf_free(&out);
    clusters_free(c);
    clusters_free(d);
}

/* Numbers that cannot be: more words than bytes, p above 1, ids that do not ascend. */
static void a_checkpoint_is_not_believed(void **state UNUSED)
{
    /* after u8: k, words, documents, background; 2 * 12 bytes; 3 ids; 3 shares; table */
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{0, 0x02},                   /* version */
                 {1, 0},                      /* k */
                 {1, 1001},                   /* k beyond the ceiling */
                 {5, 0},                      /* words */
                 {5, 199999},                 /* more words than bytes */
                 {5, 0xffffffff},             /* words beyond the ceiling */
                 {9, 5},                      /* documents: not the sum of the sizes */
                 {17 + 4, 0x7fc00000},        /* mean: NAN */
                 {17 + 8, 0xbf800000},        /* deviation: -1 */
                 {17 + 24 + 4, 1},            /* ids 1 1 3 */
                 {17 + 24 + 12, 0x7f800000},  /* share: infinite */
                 {17 + 24 + 24, 0x3f800000},  /* a row whose sum is 2 */
                 {17 + 24 + 24, 0xff800000}}; /* and one that is no number */
    struct clusters *c = made(), *d = NULL;
    struct buf out = BUF_INIT(KIB(64));

    clusters_put(c, &out);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *copy = str_dup(buf_str(&out));
        struct cursor from = {.rest = {copy, out.len}};

        memcpy(copy + wrong[i].at, &wrong[i].value, wrong[i].at == 0 ? 1 : 4);
        assert_int_equal(clusters_get(&from, &d), ST_CORRUPT);
        free(copy);
    }
    for (size_t len = 0; len < out.len; len++) {
        struct cursor from = {.rest = str_sub(buf_str(&out), 0, len)};

        assert_int_equal(clusters_get(&from, &d), ST_CORRUPT);
    }
    assert_null(d);
    buf_free(&out);
    clusters_free(c);
}

/* Pages whose words have texts: "sun" and "moon". */
static struct clusters *named(void)
{
    struct vocab *v = vocab_new();
    uint32_t sun = term_id(STR("sun")), moon = term_id(STR("moon"));
    struct term one[] = {{sun, 1}}, two[] = {{moon, 1}};
    struct vec docs[] = {{one, 1}, {two, 1}};
    struct clusters *c = NULL;

    vocab_keep_text(v);
    vocab_name(v, sun, STR("sun"));
    assert_int_equal(
        clusters_make(docs, 2, &(struct clusters_config){.k = 2, .stems = v}, NULL, &c), ST_OK);
    vocab_free(v);
    return c;
}

static void a_file_reads_back_with_its_words(void **state UNUSED)
{
    struct clusters *c = named(), *d = NULL;
    char path[512];
    uint32_t row = c->judge->ids[0] == term_id(STR("sun")) ? 0 : 1;

    (void)snprintf(path, sizeof path, "%s/c", test_dir());
    assert_int_equal(clusters_write(c, path), ST_OK);
    assert_int_equal(clusters_read(path, &d), ST_OK);
    assert_string_equal(d->stems[row], "sun");
    assert_null(d->stems[1 - row]); /* nobody named the moon */
    clusters_free(c);
    clusters_free(d);

    c = made(); /* without texts */
    assert_int_equal(clusters_write(c, path), ST_OK);
    assert_int_equal(clusters_read(path, &d), ST_OK);
    assert_same(c, d);
    clusters_free(c);
    clusters_free(d);
}

static void assert_refused(struct str bytes, enum status st, const char *text)
{
    struct clusters *c = NULL;

    assert_int_equal(clusters_parse(bytes, "f", &c), st);
    assert_null(c);
    if (text)
        assert_string_equal(status_text(), text);
}

static void damaged_files_are_refused(void **state UNUSED)
{
    struct clusters *c = named();
    struct buf bytes = BUF_INIT(KIB(64));
    char path[512];

    (void)snprintf(path, sizeof path, "%s/c", test_dir());
    assert_int_equal(clusters_write(c, path), ST_OK);
    test_read(path, &bytes);
    for (size_t i = 0; i < bytes.len; i++) {
        assert_refused(str_sub(buf_str(&bytes), 0, i), i < 17 ? ST_INVALID : ST_CORRUPT, NULL);
        bytes.data[i] ^= 1;
        assert_refused(buf_str(&bytes), i < 17 ? ST_INVALID : ST_CORRUPT, NULL);
        bytes.data[i] ^= 1;
    }
    assert_refused(STR("<html>"), ST_INVALID,
                   "f: no file of clusters; 'brood topic clusters' makes one");
    assert_refused(STR("brood clusters 2\n"), ST_INVALID, "f: made by another version of brood");
    assert_refused(STR("brood clusters 1\n1234567"), ST_CORRUPT, "f: cut short");
    assert_refused(STR("brood clusters 1\n12345678"), ST_CORRUPT, "f: damaged or cut short");
    buf_free(&bytes);
    assert_int_equal(clusters_read("/nowhere/c", &(struct clusters *){NULL}), ST_MISSING);
    clusters_free(c);
    clusters_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_one_kind_come_together),
        cmocka_unit_test(the_vocabulary_keeps_words_of_many_pages_but_not_of_all),
        cmocka_unit_test(pages_too_alike_make_fewer_clusters),
        cmocka_unit_test(too_few_pages_are_refused),
        cmocka_unit_test(making_can_be_stopped),
        cmocka_unit_test(a_state_is_standard_or_raw),
        cmocka_unit_test(unknown_words_are_left_out_of_a_state),
        cmocka_unit_test(background_pages_take_what_is_said_everywhere),
        cmocka_unit_test(a_deviation_of_0_gives_0),
        cmocka_unit_test(telling_words_are_those_of_the_cluster),
        cmocka_unit_test(a_checkpoint_reads_back),
        cmocka_unit_test(a_checkpoint_is_not_believed),
        cmocka_unit_test(a_file_reads_back_with_its_words),
        cmocka_unit_test(damaged_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
