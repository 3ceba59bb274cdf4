/* test_context.c - the keywords of the newest pages, as rows of a lattice.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "models/crew/context.h"
#include "models/crew/overlap.h"

#include <stdlib.h>

/* A page with the terms 1 .. n given by their counts: no count, no term. Without
 * document frequencies the order of weights is that of the counts. */
static void add(struct context *c, uint32_t object, const uint32_t *counts, uint32_t n)
{
    struct term terms[32];
    uint32_t nterms = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (counts[i])
            terms[nterms++] = (struct term){i + 1, counts[i]};
    }
    context_add(c, object, &(struct profile){.terms = terms, .nterms = nterms}, NULL);
}

static uint64_t row_of(const struct lattice *l, uint32_t i)
{
    uint64_t row;

    lattice_object(l, i, &row);
    return row;
}

/* Two heaviest terms a page:  10: 2 3 (counts 1 5 4),  11: 3 1 (2 0 9),  12: 3 2 (0 1 1 goes
 * by id: 2 3). Pages of term 3: 3, of 2: 2, of 1: 1. */
static struct context *three_pages(void)
{
    struct context *c = context_new(3, 2);

    add(c, 10, (uint32_t[]){1, 5, 4}, 3);
    add(c, 11, (uint32_t[]){2, 0, 9}, 3);
    add(c, 12, (uint32_t[]){0, 1, 1}, 3);
    return c;
}

static void keywords_are_what_most_pages_have(void **state UNUSED)
{
    struct context *c = three_pages();
    uint32_t words[8];

    assert_int_equal(context_pages(c), 3);
    assert_int_equal(context_keywords(c, 8, words), 3);
    assert_int_equal(words[0], 3);
    assert_int_equal(words[1], 2);
    assert_int_equal(words[2], 1);
    assert_int_equal(context_keywords(c, 1, words), 1);
    context_free(c);
}

/* Pages 10 and 12 have 2 and 3, page 11 has 1 and 3. */
static void keywords_are_as_near_as_the_pages_that_have_them(void **state UNUSED)
{
    struct context *c = three_pages(), *none = context_new(3, 2);
    float cs[6];

    overlap_terms(c, none, (uint32_t[]){3, 2}, 2, (uint32_t[]){2, 1, 77}, 3, cs);
    assert_float_equal(cs[0], 2. / 3, 1e-6); /* 3 and 2: two of three pages */
    assert_float_equal(cs[1], 1. / 3, 1e-6); /* 3 and 1 */
    assert_float_equal(cs[2], 0, 0);         /* a term that nobody has */
    assert_float_equal(cs[3], 1, 0);         /* the same */
    assert_float_equal(cs[4], 0, 0);         /* 2 and 1 */
    add(none, 20, (uint32_t[]){1, 1}, 2);    /* 1 and 2 on one page, of somebody else */
    overlap_terms(c, none, (uint32_t[]){2}, 1, (uint32_t[]){1}, 1, cs);
    assert_float_equal(cs[0], 1. / 4, 1e-6); /* 10, 12 and 20 have 2; 11 and 20 have 1 */
    context_free(c);
    context_free(none);
}

static void rows_are_the_keywords_of_pages(void **state UNUSED)
{
    struct context *c = three_pages();
    struct lattice *l = context_lattice(c, (uint32_t[]){3, 1, 77}, 3);

    assert_int_equal(lattice_objects(l), 3);
    assert_int_equal(row_of(l, 0), 1);     /* page 10: 3 */
    assert_int_equal(row_of(l, 1), 1 | 2); /* page 11: 3 and 1 */
    assert_int_equal(row_of(l, 2), 1);
    lattice_build(l, 0); /* 3 (all), 3 1 (page 11), all three attributes (nobody) */
    assert_int_equal(lattice_count(l), 3);
    lattice_free(l);
    context_free(c);
}

static void the_oldest_page_leaves_a_full_window(void **state UNUSED)
{
    struct context *c = three_pages();
    struct lattice *l;
    uint64_t row;

    add(c, 11, (uint32_t[]){0, 0, 0, 7}, 4); /* known: new terms, same age */
    add(c, 13, (uint32_t[]){0, 0, 0, 1}, 4);
    l = context_lattice(c, (uint32_t[]){4}, 1);
    assert_int_equal(lattice_objects(l), 3);
    assert_int_equal(lattice_object(l, 0, &row), 11);
    assert_int_equal(row, 1);
    assert_int_equal(lattice_object(l, 1, &row), 12);
    assert_int_equal(row, 0);
    assert_int_equal(lattice_object(l, 2, &row), 13);
    lattice_free(l);
    add(c, 10, (uint32_t[]){1}, 1); /* gone, so it is new: 11 leaves */
    l = context_lattice(c, (uint32_t[]){4}, 1);
    assert_int_equal(lattice_object(l, 0, &row), 12);
    assert_int_equal(lattice_object(l, 2, &row), 10);
    lattice_free(l);
    context_free(c);
}

static void ceilings_are_those_of_a_lattice(void **state UNUSED)
{
    struct context *c = context_new(1000000, 1000);
    uint32_t counts[32], words[LIMIT_LATTICE_ATTRIBUTES];
    struct lattice *l;

    for (uint32_t i = 0; i < 32; i++)
        counts[i] = 100 - i;
    for (uint32_t i = 0; i < LIMIT_LATTICE_OBJECTS + 5; i++)
        add(c, i, counts, 32);
    assert_int_equal(context_pages(c), LIMIT_LATTICE_OBJECTS);
    assert_int_equal(context_keywords(c, 1000, words), LIMIT_LATTICE_ROW);
    l = context_lattice(c, words, LIMIT_LATTICE_ROW);
    assert_int_equal(row_of(l, 0), 0xff);
    lattice_free(l);
    context_free(c);
}

static void a_checkpoint_brings_the_pages_back(void **state UNUSED)
{
    struct context *c = three_pages(), *d = context_new(3, 2), *less = context_new(2, 1);
    struct buf state_bytes = BUF_INIT(10000), again = BUF_INIT(10000);
    struct cursor in;
    uint32_t words[8];

    add(c, 13, (uint32_t[]){9}, 1); /* so that the ring has turned */
    context_save(c, &state_bytes);
    in = (struct cursor){.rest = buf_str(&state_bytes)};
    assert_int_equal(context_restore(d, &in), ST_OK);
    assert_int_equal(in.rest.len, 0);
    context_save(d, &again);
    assert_true(str_eq(buf_str(&again), buf_str(&state_bytes)));
    in = (struct cursor){.rest = buf_str(&state_bytes)};
    assert_int_equal(context_restore(less, &in), ST_OK); /* 12: 2, 13: 1 */
    assert_int_equal(context_pages(less), 2);
    assert_int_equal(context_keywords(less, 8, words), 2);
    for (size_t cut = 0; cut < state_bytes.len; cut++) {
        in = (struct cursor){.rest = str_sub(buf_str(&state_bytes), 0, cut)};
        assert_int_equal(context_restore(d, &in), ST_CORRUPT);
    }
    buf_free(&state_bytes);
    buf_free(&again);
    context_free(c);
    context_free(d);
    context_free(less);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keywords_are_what_most_pages_have),
        cmocka_unit_test(keywords_are_as_near_as_the_pages_that_have_them),
        cmocka_unit_test(rows_are_the_keywords_of_pages),
        cmocka_unit_test(the_oldest_page_leaves_a_full_window),
        cmocka_unit_test(ceilings_are_those_of_a_lattice),
        cmocka_unit_test(a_checkpoint_brings_the_pages_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
