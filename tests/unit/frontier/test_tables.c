/* The tables behind the frontier: URLs, duplicates; and traps.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/hash.h"
#include "base/rng.h"
#include "frontier/dups.h"
#include "frontier/traps.h"
#include "frontier/urls.h"

#include <stdio.h>
#include <stdlib.h>

static void urls_keep_paths_of_every_length(void **state)
{
    static char path[8193];
    struct urls u;

    (void)state;
    memset(path, 'x', sizeof path);
    urls_init(&u);
    for (uint32_t len = 0; len <= 8192; len++)
        assert_int_equal(urls_add(&u, hash_u64(len), len, (struct str){path, len}), len + 1);
    for (uint32_t len = 0; len <= 8192; len++) {
        uint32_t id = urls_find(&u, hash_u64(len));

        assert_int_equal(id, len + 1);
        assert_int_equal(urls_path(&u, id).len, len);
        assert_int_equal(urls_at(&u, id)->host, len);
    }
    assert_int_equal(urls_find(&u, hash_u64(9000)), 0);
    urls_free(&u);
}

static void path_make(uint32_t i, char ret[64])
{
    (void)snprintf(ret, 64, "/%s/%u/the-%x.html", i % 3 ? "articles" : "forum", i / 100,
                   i * 2654435u);
}

/* As they are in the first megabyte, and squeezed by several tables in the next ones. */
static void urls_give_back_the_paths_they_were_given(void **state)
{
    const uint32_t count = 300000;
    struct urls u;
    size_t given = 0;
    char path[64];

    (void)state;
    urls_init(&u);
    for (uint32_t i = 1; i <= count; i++) {
        path_make(i, path);
        given += strlen(path);
        assert_int_equal(urls_add(&u, hash_u64(i), 1, str_of(path)), i);
    }
    for (uint32_t i = 1; i <= count; i += 7) {
        path_make(i, path);
        assert_true(str_eq(urls_path(&u, i), str_of(path)));
    }
    assert_true(u.nchunks > 3 && u.nchunks * URLS_CHUNK < given / 4 * 3);
    urls_free(&u);
}

/* Includes paths that came later than those beside them, and pages with numbers of any size. */
static void urls_give_back_what_is_too_far_away_for_a_record(void **state)
{
    static const uint32_t pages[] = {0, 1, 40000, 70000, 1000000, 40001, UINT32_MAX - 5};
    const uint32_t count = 9000;
    struct urls u;
    char path[64];

    (void)state;
    urls_init(&u);
    for (uint32_t i = 1; i <= count; i++) {
        path_make(i, path);
        if (i % 3 == 0)
            assert_int_equal(urls_add_bare(&u, hash_u64(i)), i);
        else
            assert_int_equal(urls_add(&u, hash_u64(i), 1, str_of(path)), i);
        urls_set_from_page(&u, i, pages[i % 7]);
    }
    for (uint32_t i = 3; i <= count; i += 6) {
        path_make(i, path);
        assert_true(urls_dress(&u, i, 2, str_of(path)));
    }
    for (uint32_t i = 1; i <= count; i++)
        urls_set_page(&u, 1 + i * 7 % count, pages[i % 7]);
    for (uint32_t i = 1; i <= count; i++) {
        path_make(i, path);
        assert_true(str_eq(urls_path(&u, i), i % 6 == 0 ? STR("") : str_of(path)));
        assert_int_equal(urls_from_page(&u, i), pages[i % 7]);
        assert_int_equal(urls_page(&u, 1 + i * 7 % count), pages[i % 7]);
        assert_int_equal(urls_at(&u, 1 + i * 7 % count)->has_page, pages[i % 7] != 0);
    }
    urls_set_page(&u, 8, 0);
    assert_int_equal(urls_page(&u, 8), 0);
    urls_free(&u);
}

static void the_same_payload_is_an_exact_duplicate_of_the_first(void **state)
{
    struct dups d;
    bool exact;

    (void)state;
    dups_init(&d);
    assert_int_equal(dups_add(&d, 1, 100, 0, 5, &exact), 0);
    assert_int_equal(dups_add(&d, 2, 100, 0, 5, &exact), 1);
    assert_true(exact);
    assert_int_equal(dups_add(&d, 3, 100, 77, 500, &exact), 1);
    assert_true(exact);
    dups_free(&d);
}

static void texts_up_to_three_bits_apart_are_near_duplicates(void **state)
{
    struct dups d;
    struct rng rng;
    bool exact;

    (void)state;
    dups_init(&d);
    rng_init(&rng, 3);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t hash = rng_u64(&rng), other = hash;
        uint32_t page = 2 * i + 1, bits = (uint32_t)rng_below(&rng, 6);

        assert_int_equal(dups_add(&d, page, hash_u64(page), hash, 100, &exact), 0);
        while ((uint32_t)__builtin_popcountll(hash ^ other) < bits)
            other ^= UINT64_C(1) << rng_below(&rng, 64);
        assert_int_equal(dups_add(&d, page + 1, hash_u64(page + 1), other, 100, &exact),
                         bits <= 3 ? page : 0);
        assert_false(exact);
    }
    dups_free(&d);
}

static void short_texts_are_never_near_duplicates(void **state)
{
    struct dups d;
    bool exact;

    (void)state;
    dups_init(&d);
    assert_int_equal(dups_add(&d, 1, 1, 42, 29, &exact), 0);
    assert_int_equal(dups_add(&d, 2, 2, 42, 29, &exact), 0);
    assert_int_equal(dups_add(&d, 3, 3, 42, 30, &exact), 0);
    assert_int_equal(dups_add(&d, 4, 4, 42, 30, &exact), 3);
    dups_free(&d);
}

static void a_duplicate_points_at_the_original_and_never_at_a_duplicate(void **state)
{
    struct dups d;
    bool exact;

    (void)state;
    dups_init(&d);
    dups_add(&d, 1, 1, 0, 100, &exact);
    assert_int_equal(dups_add(&d, 2, 2, 7, 100, &exact), 1);
    /* Three bits from page 2, but four from page 1: an original of its own. */
    assert_int_equal(dups_add(&d, 3, 3, 0xf, 100, &exact), 0);
    /* Two bits from 3, two from 1: equally near, so the older. */
    assert_int_equal(dups_add(&d, 4, 4, 3, 100, &exact), 1);
    dups_free(&d);
}

static void traps_are_seen_and_honest_paths_are_not(void **state)
{
    static const struct {
        const char *path;
        bool endless;
    } cases[] = {
        {"/", false},
        {"", false},
        {"/a/a/a", false},
        {"/a/a/a/a", true},
        {"/x/a/a/a/a/y", true},
        {"/a/b/a/b/a/b/", false},
        {"/a/b/a/b/a/b/a/b/", true},
        {"/a/b/c/a/b/c/a/b/c/a/b/c", true},
        {"/2026/11/11/11/index.html", false},
        {"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25", false},
        {"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26", true},
        {"/?a=1&b=2&c=3", false},
        {"/?f=1&f=2&f=3&f=4&f=5&f=6&f=7&f=8", false},
        {"/?f=1&f=2&f=3&f=4&f=5&f=6&f=7&f=8&f=9", true},
        {"/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t", false},
        {"/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u", true},
        {"/doc//usr/share//doc", false},
    };
    char longest[2100];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (trap_looks_endless(str_of(cases[i].path), 2026) != cases[i].endless)
            fail_msg("%s", cases[i].path);
    memset(longest, 'a', sizeof longest);
    longest[0] = '/';
    assert_false(trap_looks_endless((struct str){longest, 2000}, 2026));
    assert_true(trap_looks_endless((struct str){longest, 2001}, 2026));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_keep_paths_of_every_length),
        cmocka_unit_test(urls_give_back_the_paths_they_were_given),
        cmocka_unit_test(urls_give_back_what_is_too_far_away_for_a_record),
        cmocka_unit_test(the_same_payload_is_an_exact_duplicate_of_the_first),
        cmocka_unit_test(texts_up_to_three_bits_apart_are_near_duplicates),
        cmocka_unit_test(short_texts_are_never_near_duplicates),
        cmocka_unit_test(a_duplicate_points_at_the_original_and_never_at_a_duplicate),
        cmocka_unit_test(traps_are_seen_and_honest_paths_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
