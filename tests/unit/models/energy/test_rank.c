/* The history of relevances and its quantiles. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/energy/rank.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#define BIN (1 / 65536.0)

struct sum {
    double up_to, weight;
};

static void add_bin(void *ctx, double value, double bin_weight)
{
    struct sum *s = ctx;

    s->weight += value <= s->up_to ? bin_weight : 0;
}

/* The weight of what is <= value, and of all. */
static double below(const struct rank *r, double value)
{
    struct sum s = {.up_to = value};

    rank_each(r, add_bin, &s);
    return s.weight;
}

static double weight(const struct rank *r)
{
    return below(r, 1);
}

static struct rank *rank_of(const double *values, size_t count)
{
    struct rank *r = rank_new(RANK_ALL, 0);

    for (size_t i = 0; i < count; i++)
        rank_add(r, values[i]);
    return r;
}

static void an_empty_history_has_no_quantile(void **state)
{
    struct rank *r = rank_new(RANK_ALL, 0);

    (void)state;
    assert_true(isnan(rank_quantile(r, .5)));
    assert_true(isnan(rank_least(r)));
    assert_true(isnan(rank_greatest(r)));
    assert_true(weight(r) == 0);
    assert_true(below(r, 1) == 0);
    rank_free(r);
}

/* Bin 0 is 0 alone; 2^-17 lies in the first bin, whose upper end is 2^-16; .5 is
 * an upper end itself; the last bin reaches to 1 and stands for it. */
static void a_value_is_kept_as_the_upper_end_of_its_bin(void **state)
{
    (void)state;
    assert_true(rank_value(0) == 0);
    assert_true(rank_value(-1) == 0);
    assert_true(rank_value(NAN) == 0);
    assert_true(rank_value(BIN / 2) == BIN);
    assert_true(rank_value(.5) == .5);
    assert_true(rank_value(.5 + BIN / 4) == .5 + BIN);
    assert_true(rank_value(1 - BIN / 2) == 1);
    assert_true(rank_value(1) == 1);
    assert_true(rank_value(7) == 1);
}

/* C = .5, G = 10: n* = 21 * 10 / 10.5 = 20 pages have r <= R, one is rewarded,
 * though 10/10.5 is no number of a computer. With n = 2100: 2000 and 100. */
static void one_page_in_21_is_rewarded_in_the_papers_example(void **state)
{
    static const uint32_t sizes[] = {21, 2100, 21000};

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        uint32_t n = sizes[k], rewarded = 0;
        struct rank *r = rank_new(RANK_ALL, 0);
        double limit;

        for (uint32_t i = 0; i < n; i++)
            rank_add(r, i * BIN);
        limit = rank_quantile(r, 10 / 10.5);
        for (uint32_t i = 0; i < n; i++)
            rewarded += i * BIN > limit;
        assert_int_equal(rewarded, n / 21);
        assert_true(limit == (n - n / 21 - 1) * BIN);
        assert_true(below(r, limit) == n - n / 21);
        rank_free(r);
    }
}

/* 0 0 0 0 .25 .25 .5 1: the 4th smallest is 0, the 5th and 6th .25, the 7th .5. */
static void ties_and_a_mass_at_zero_count_as_many_times_as_they_came(void **state)
{
    static const double values[] = {.25, 0, 1, 0, .5, 0, .25, 0};
    struct rank *r = rank_of(values, 8);

    (void)state;
    assert_true(rank_quantile(r, 0) == 0);
    assert_true(rank_quantile(r, 4 / 8.) == 0);
    assert_true(rank_quantile(r, 4.01 / 8) == .25);
    assert_true(rank_quantile(r, 6 / 8.) == .25);
    assert_true(rank_quantile(r, 7 / 8.) == .5);
    assert_true(rank_quantile(r, 1) == 1);
    assert_true(rank_quantile(r, 2) == 1);
    assert_true(below(r, 0) == 4);
    assert_true(below(r, .25 - BIN) == 4);
    assert_true(below(r, .25) == 6);
    assert_true(below(r, .999999) == 7);
    assert_true(below(r, -1) == 0);
    assert_true(rank_least(r) == 0 && rank_greatest(r) == 1);
    assert_true(weight(r) == 8);
    rank_free(r);
}

/* All alike: least, greatest and every quantile are the same number, to the bit. */
static void a_point_mass_is_its_own_quantile(void **state)
{
    struct rank *r = rank_new(RANK_ALL, 0);

    (void)state;
    for (int i = 0; i < 100; i++)
        rank_add(r, (double)0.3f);
    assert_true(rank_quantile(r, .01) == rank_least(r));
    assert_true(rank_quantile(r, .99) == rank_greatest(r));
    assert_true(rank_least(r) == rank_greatest(r));
    assert_true(rank_least(r) >= (double)0.3f);
    rank_free(r);
}

/* ---- against an oracle ---- */

struct walk {
    double last, weight;
    uint32_t bins;
};

static void walk_bin(void *ctx, double value, double weight)
{
    struct walk *w = ctx;

    assert_true(w->bins == 0 || value > w->last);
    assert_true(weight > 0);
    w->last = value;
    w->weight += weight;
    w->bins++;
}

/* Two heaps split at rank k: the k smallest, the greatest of them on top, and the
 * rest. Values are skewed, with many zeros, as relevances are. */
static void quantiles_are_those_of_two_heaps(void **state)
{
    struct rank *r = rank_new(RANK_ALL, 0);
    struct heap low = {0}, high = {0}; /* low: keys negated */
    struct heap_item item;
    struct walk walk = {0};
    struct rng rng;

    (void)state;
    rng_init(&rng, 5);
    for (uint32_t n = 1; n <= 20000; n++) {
        double u = rng_unit(&rng), v = u < .4 ? 0 : pow(rng_unit(&rng), 3);
        size_t k = ((size_t)n * 20 + 20) / 21; /* ceil(n * 10 / 10.5) */

        rank_add(r, v);
        v = rank_value(v);
        if (low.count > 0 && v < -heap_peek(&low)->key)
            heap_push(&low, -v, n);
        else
            heap_push(&high, v, n);
        while (low.count < k && heap_pop(&high, &item))
            heap_push(&low, -item.key, item.id);
        while (low.count > k && heap_pop(&low, &item))
            heap_push(&high, -item.key, item.id);
        if (!(rank_quantile(r, 10 / 10.5) == -heap_peek(&low)->key))
            fail_msg("after %u values", n);
    }
    rank_each(r, walk_bin, &walk);
    assert_true(walk.weight == 20000);
    assert_true(walk.last == rank_greatest(r));
    heap_free(&low);
    heap_free(&high);
    rank_free(r);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void a_window_has_the_quantiles_of_its_sorted_values(void **state)
{
    enum { N = 37 };
    struct rank *r = rank_new(RANK_LAST, N);
    double all[1000], sorted[N];
    struct rng rng;

    (void)state;
    rng_init(&rng, 6);
    for (size_t i = 0; i < 1000; i++) {
        size_t n = i < N ? i + 1 : N;

        all[i] = rank_value(rng_unit(&rng) < .3 ? 0 : rng_unit(&rng));
        rank_add(r, all[i]);
        memcpy(sorted, &all[i + 1 - n], n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_value);
        assert_true(weight(r) == (double)n);
        assert_true(rank_least(r) == sorted[0]);
        assert_true(rank_greatest(r) == sorted[n - 1]);
        for (size_t k = 1; k <= n; k++)
            assert_true(rank_quantile(r, (double)k / (double)n) == sorted[k - 1]);
    }
    rank_free(r);
}

/* ---- windows and decay by hand ---- */

/* last:3 of .75 .25 .5 0: first .25 .5 .75, then 0 .25 .5. */
static void a_window_forgets_the_oldest(void **state)
{
    struct rank *r = rank_new(RANK_LAST, 3);

    (void)state;
    rank_add(r, .75);
    rank_add(r, .25);
    rank_add(r, .5);
    assert_true(rank_greatest(r) == .75);
    rank_add(r, 0);
    assert_true(weight(r) == 3);
    assert_true(rank_greatest(r) == .5);
    assert_true(rank_least(r) == 0);
    assert_true(rank_quantile(r, .5) == .25);
    rank_free(r);
}

/* decay:1 of .25 .5 .75: weights 1/4, 1/2, 1, in all 7/4. .25 makes 1/7 of it,
 * .25 and .5 make 3/7. */
static void weights_halve_every_h_pages(void **state)
{
    struct rank *r = rank_new(RANK_DECAY, 1);

    (void)state;
    rank_add(r, .25);
    rank_add(r, .5);
    rank_add(r, .75);
    assert_true(weight(r) == 1.75);
    assert_true(rank_quantile(r, .14) == .25);
    assert_true(rank_quantile(r, .15) == .5);
    assert_true(rank_quantile(r, .42) == .5);
    assert_true(rank_quantile(r, .43) == .75);
    assert_true(below(r, .5) == .75);
    rank_free(r);
}

/* In the long run the weights sum to 1 / (1 - 2^(-1/H)); of 100 that is 144.77.
 * What came 3200 pages ago weighs 2^-32 and is gone. */
static void decay_forgets_in_the_end(void **state)
{
    struct rank *r = rank_new(RANK_DECAY, 100);

    (void)state;
    rank_add(r, 1);
    for (int i = 0; i < 3200; i++)
        rank_add(r, .25);
    assert_true(rank_greatest(r) == .25);
    assert_true(fabs(weight(r) - 1 / (1 - exp2(-.01))) < 1e-3);
    assert_true(rank_quantile(r, 1) == .25);
    rank_free(r);
}

/* ---- merging, options, checkpoints ---- */

static void histories_are_read_from_text(void **state)
{
    static const char *const bad[] = {"",          "last",     "last:",    "last:0",
                                      "last:2.5",  "decay:-1", "decay:x",  "everything",
                                      "last:1e12", "decay:0",  "decay:nan"};
    enum rank_history history;
    double n;

    (void)state;
    assert_int_equal(rank_parse(STR("all"), &history, &n), ST_OK);
    assert_int_equal(history, RANK_ALL);
    assert_int_equal(rank_parse(STR("last:5000"), &history, &n), ST_OK);
    assert_true(history == RANK_LAST && n == 5000);
    assert_int_equal(rank_parse(STR("decay:2.5"), &history, &n), ST_OK);
    assert_true(history == RANK_DECAY && n == 2.5);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_equal(rank_parse(str_of(bad[i]), &history, &n), ST_USAGE);
}

static const struct {
    enum rank_history history;
    double n;
} kinds[] = {{RANK_ALL, 0}, {RANK_LAST, 50}, {RANK_DECAY, 7}};

/* Saved in the middle of a run, the rest of it gives the same state to the byte. */
static void a_loaded_history_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        struct rank *r = rank_new(kinds[k].history, kinds[k].n);
        struct rank *again = rank_new(kinds[k].history, kinds[k].n);
        struct buf first = BUF_INIT(1 << 20), a = BUF_INIT(1 << 20), b = BUF_INIT(1 << 20);
        struct cursor from;
        struct rng rng;

        rng_init(&rng, 8);
        for (int i = 0; i < 333; i++)
            rank_add(r, rng_unit(&rng));
        rank_save(r, &first);
        rank_add(again, .9); /* is gone after loading */
        from = (struct cursor){.rest = buf_str(&first)};
        assert_int_equal(rank_load(again, &from), ST_OK);
        assert_int_equal(from.rest.len, 0);
        for (int i = 0; i < 333; i++) {
            double v = rng_unit(&rng);

            rank_add(r, v);
            rank_add(again, v);
            assert_true(rank_quantile(r, .9) == rank_quantile(again, .9));
            assert_true(weight(r) == weight(again));
            assert_true(rank_least(r) == rank_least(again));
        }
        rank_save(r, &a);
        rank_save(again, &b);
        assert_true(str_eq(buf_str(&a), buf_str(&b)));
        buf_free(&first);
        buf_free(&a);
        buf_free(&b);
        rank_free(r);
        rank_free(again);
    }
}

static void cut_states_and_those_of_another_history_are_corrupt(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        struct rank *r = rank_new(kinds[k].history, kinds[k].n);
        struct buf saved = BUF_INIT(1 << 20);

        for (int i = 0; i < 20; i++)
            rank_add(r, i / 20.);
        rank_save(r, &saved);
        for (size_t len = 0; len < saved.len; len++) {
            struct cursor from = {.rest = {saved.data, len}};

            assert_int_equal(rank_load(r, &from), ST_CORRUPT);
            assert_true(weight(r) == 0);
        }
        for (size_t other = 0; other < ARRAY_LEN(kinds); other++) {
            struct rank *o = rank_new(kinds[other].history, kinds[other].n);
            struct cursor from = {.rest = buf_str(&saved)};

            assert_int_equal(rank_load(o, &from), other == k ? ST_OK : ST_CORRUPT);
            rank_free(o);
        }
        buf_free(&saved);
        rank_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_history_has_no_quantile),
        cmocka_unit_test(a_value_is_kept_as_the_upper_end_of_its_bin),
        cmocka_unit_test(one_page_in_21_is_rewarded_in_the_papers_example),
        cmocka_unit_test(ties_and_a_mass_at_zero_count_as_many_times_as_they_came),
        cmocka_unit_test(a_point_mass_is_its_own_quantile),
        cmocka_unit_test(quantiles_are_those_of_two_heaps),
        cmocka_unit_test(a_window_has_the_quantiles_of_its_sorted_values),
        cmocka_unit_test(a_window_forgets_the_oldest),
        cmocka_unit_test(weights_halve_every_h_pages),
        cmocka_unit_test(decay_forgets_in_the_end),
        cmocka_unit_test(histories_are_read_from_text),
        cmocka_unit_test(a_loaded_history_goes_on_as_the_saved_one),
        cmocka_unit_test(cut_states_and_those_of_another_history_are_corrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
