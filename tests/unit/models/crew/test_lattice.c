/* test_lattice.c - concepts against a textbook and against a naive closure; bounds; output.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "models/crew/lattice.h"

#include <stdlib.h>

/* ---- a textbook context: Ganter & Wille, living beings and water ---- */

static struct str attributes[] = {
    {"needs water", 11},     {"lives in water", 14}, {"lives on land", 13}, {"chlorophyll", 11},
    {"two seed leaves", 15}, {"one seed leaf", 13},  {"moves", 5},          {"limbs", 5},
    {"suckles", 7},
};

/* leech abg, bream abgh, frog abcgh, dog acghi, spike-weed abdf, reed abcdf, bean acde,
 * maize acdf */
static const char *const beings[] = {"abg",  "abgh",  "abcgh", "acghi",
                                     "abdf", "abcdf", "acde",  "acdf"};

static uint64_t set(const char *letters)
{
    uint64_t bits = 0;

    for (; *letters; letters++)
        bits |= UINT64_C(1) << (*letters - 'a');
    return bits;
}

static struct lattice *water(void)
{
    struct lattice *l = lattice_new(9);

    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(lattice_put(l, i + 1, set(beings[i])), ST_OK);
    return l;
}

/* The nineteen concepts, by hand: closures of all intersections of rows. */
static const struct {
    const char *intent;
    uint32_t extent;
} water_concepts[] = {
    {"a", 8},     {"ab", 5},    {"ac", 5},    {"ad", 4},        {"ag", 4},
    {"abg", 3},   {"acd", 3},   {"adf", 3},   {"agh", 3},       {"abc", 2},
    {"abdf", 2},  {"abgh", 2},  {"acdf", 2},  {"acgh", 2},      {"acde", 1},
    {"abcdf", 1}, {"abcgh", 1}, {"acghi", 1}, {"abcdefghi", 0},
};

static void living_beings_and_water_have_nineteen_concepts(void **state UNUSED)
{
    struct lattice *l = water();

    lattice_build(l, 0);
    assert_true(lattice_is_complete(l));
    assert_int_equal(lattice_count(l), 19);
    for (size_t i = 0; i < 19; i++) {
        uint32_t at = lattice_find(l, set(water_concepts[i].intent));

        assert_int_not_equal(at, LATTICE_NONE);
        assert_int_equal(lattice_concept(l, at).extent, water_concepts[i].extent);
    }
    assert_int_equal(lattice_concept(l, 0).intent, set("a")); /* the top comes first */
    assert_int_equal(lattice_find(l, set("c")), LATTICE_NONE);
    lattice_free(l);
}

static uint32_t edge_to(const struct lattice *l, const char *from, const char *to)
{
    uint32_t a = lattice_find(l, set(from)), b = lattice_find(l, set(to)), n = 0;

    for (uint32_t e = lattice_up(l, a); e != LATTICE_NONE; e = lattice_up_next(l, e))
        n += lattice_up_to(l, e) == b;
    return n;
}

static void edges_lead_to_what_is_next_above(void **state UNUSED)
{
    struct lattice *l = water();
    uint32_t edges = 0;

    lattice_build(l, 0);
    assert_int_equal(lattice_up(l, 0), LATTICE_NONE);
    assert_int_equal(edge_to(l, "abg", "ab"), 1);
    assert_int_equal(edge_to(l, "abg", "ag"), 1);
    assert_int_equal(edge_to(l, "abg", "a"), 0); /* ab is in between */
    assert_int_equal(edge_to(l, "abcgh", "abc"), 1);
    assert_int_equal(edge_to(l, "abcgh", "abgh"), 1);
    assert_int_equal(edge_to(l, "abcgh", "acgh"), 1);
    assert_int_equal(edge_to(l, "abcdefghi", "acde"), 1);
    assert_int_equal(edge_to(l, "abcdefghi", "abdf"), 0);
    /* 32: a has 4 below, ab 3, ac 3, ad 2, ag 2, abg 1, acd 2,
     * adf 2, agh 2, abc 2, abdf 1, abgh 1, acdf 1, acgh 2, and 4 lead to the bottom */
    for (uint32_t i = 0; i < lattice_count(l); i++)
        for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
            edges++;
    assert_int_equal(edges, 32);
    lattice_free(l);
}

/* ---- the naive way ---- */

static struct lattice *random_context(struct rng *r, unsigned nattributes, unsigned nrows,
                                      unsigned row)
{
    struct lattice *l = lattice_new(nattributes);

    for (unsigned i = 0; i < nrows; i++) {
        uint64_t bits = 0;

        for (uint64_t n = rng_below(r, row + 1); n > 0; n--)
            bits |= UINT64_C(1) << rng_below(r, nattributes);
        assert_int_equal(lattice_put(l, i, bits), ST_OK);
    }
    return l;
}

/* What all objects that have `set` have in common. */
static uint64_t closure(const struct lattice *l, uint64_t bits, uint32_t *ret_extent)
{
    uint64_t common = (UINT64_C(1) << lattice_attributes(l)) - 1, row;

    *ret_extent = 0;
    for (uint32_t i = 0; i < lattice_objects(l); i++) {
        lattice_object(l, i, &row);
        if (bits & ~row)
            continue;
        common &= row;
        ++*ret_extent;
    }
    return common;
}

/* Edges by definition: below, with nothing in between. */
static uint32_t naive_up(const struct lattice *l, uint32_t i)
{
    uint64_t own = lattice_concept(l, i).intent;
    uint32_t n = 0;

    for (uint32_t k = 0; k < lattice_count(l); k++) {
        uint64_t above = lattice_concept(l, k).intent;
        bool is_next = above != own && (above & ~own) == 0;

        for (uint32_t m = 0; is_next && m < lattice_count(l); m++) {
            uint64_t mid = lattice_concept(l, m).intent;

            is_next = mid == own || mid == above || (mid & ~own) != 0 || (above & ~mid) != 0;
        }
        n += is_next;
    }
    return n;
}

static void assert_edges(const struct lattice *l)
{
    for (uint32_t i = 0; i < lattice_count(l); i++) {
        uint32_t n = 0;

        for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e)) {
            struct concept c = lattice_concept(l, i)
            , d = lattice_concept(l, lattice_up_to(l, e));

            assert_true(c.intent != d.intent && (d.intent & ~c.intent) == 0);
            assert_true(d.extent > c.extent);
            n++;
        }
        assert_int_equal(n, naive_up(l, i));
    }
}

/* All subsets of the attributes are closed; what comes out are the concepts. */
static void assert_concepts(const struct lattice *l, uint32_t min_extent)
{
    uint32_t count = 0, extent;

    for (uint64_t bits = 0; bits < UINT64_C(1) << lattice_attributes(l); bits++) {
        uint64_t intent = closure(l, bits, &extent);
        uint32_t at;

        if (intent != bits || extent < min_extent)
            continue;
        count++;
        at = lattice_find(l, intent);
        assert_int_not_equal(at, LATTICE_NONE);
        assert_int_equal(lattice_concept(l, at).extent, extent);
    }
    assert_int_equal(lattice_count(l), count);
}

static void random_contexts_have_the_concepts_of_all_closures(void **state UNUSED)
{
    struct rng r;

    rng_init(&r, 7);
    for (int round = 0; round < 150; round++) {
        struct lattice *l =
            random_context(&r, 1 + (unsigned)rng_below(&r, 10), (unsigned)rng_below(&r, 30),
                           1 + (unsigned)rng_below(&r, 8));
        uint32_t min = (uint32_t)rng_below(&r, 5);

        lattice_build(l, min);
        assert_concepts(l, min);
        assert_edges(l);
        lattice_free(l);
    }
}

static void extents_never_grow_with_the_number(void **state UNUSED)
{
    struct lattice *l;
    struct rng r;

    rng_init(&r, 3);
    l = random_context(&r, 40, 300, 8);
    lattice_build(l, 2);
    for (uint32_t i = 1; i < lattice_count(l); i++)
        assert_true(lattice_concept(l, i).extent <= lattice_concept(l, i - 1).extent);
    assert_true(lattice_concept(l, lattice_count(l) - 1).extent >= 2);
    lattice_free(l);
}

static void assert_same(const struct lattice *a, const struct lattice *b)
{
    assert_int_equal(lattice_count(a), lattice_count(b));
    for (uint32_t i = 0; i < lattice_count(a); i++) {
        uint32_t k = lattice_find(b, lattice_concept(a, i).intent), up = 0;

        assert_int_not_equal(k, LATTICE_NONE);
        assert_int_equal(lattice_concept(a, i).extent, lattice_concept(b, k).extent);
        for (uint32_t e = lattice_up(a, i); e != LATTICE_NONE; e = lattice_up_next(a, e)) {
            uint32_t to = lattice_find(b, lattice_concept(a, lattice_up_to(a, e)).intent);
            bool found = false;

            for (uint32_t g = lattice_up(b, k); g != LATTICE_NONE; g = lattice_up_next(b, g))
                found |= lattice_up_to(b, g) == to;
            assert_true(found);
            up++;
        }
        for (uint32_t g = lattice_up(b, k); g != LATTICE_NONE; g = lattice_up_next(b, g))
            up--;
        assert_int_equal(up, 0);
    }
}

/* ---- bounds ---- */

static void ceilings_are_kept(void **state UNUSED)
{
    struct lattice *l = lattice_new(64);

    assert_int_equal(lattice_put(l, 1, 0x1ff), ST_LIMIT); /* nine attributes */
    for (uint32_t i = 0; i < LIMIT_LATTICE_OBJECTS; i++)
        assert_int_equal(lattice_put(l, i, UINT64_C(0xff) << i % 57), ST_OK);
    assert_int_equal(lattice_put(l, 1, 1), ST_LIMIT);
    lattice_free(l);
    l = lattice_new(5);
    assert_int_equal(lattice_put(l, 1, 1 << 5), ST_INVALID);
    lattice_free(l);
}

static uint64_t random_row(struct rng *r)
{
    uint64_t row = 0;

    while (__builtin_popcountll(row) < 8)
        row |= UINT64_C(1) << rng_below(r, 32);
    return row;
}

/* 2,000 rows of 8 out of 32 attributes: about 60,000 concepts, more than fit. */
static void too_many_concepts_leave_an_iceberg(void **state UNUSED)
{
    struct lattice *l = lattice_new(32), *same;
    uint32_t min;
    uint64_t row;
    struct rng r;

    rng_init(&r, 5);
    for (uint32_t i = 0; i < LIMIT_LATTICE_OBJECTS; i++)
        assert_int_equal(lattice_put(l, i, random_row(&r)), ST_OK);
    lattice_build(l, 0);
    min = lattice_min_extent(l);
    assert_false(lattice_is_complete(l));
    assert_true(min >= 2);
    assert_in_range(lattice_count(l), 1000, LIMIT_LATTICE_CONCEPTS);
    same = lattice_new(32); /* the same as asked for directly, and all of them frequent */
    for (uint32_t i = 0; i < LIMIT_LATTICE_OBJECTS; i++) {
        lattice_object(l, i, &row);
        assert_int_equal(lattice_put(same, i, row), ST_OK);
    }
    lattice_build(same, min);
    assert_same(l, same);
    for (uint32_t i = 0; i < lattice_count(l); i += 97) {
        uint32_t extent;

        (void)closure(l, lattice_concept(l, i).intent, &extent);
        assert_int_equal(extent, lattice_concept(l, i).extent);
    }
    lattice_free(l);
    lattice_free(same);
}

static void a_share_is_rounded_up(void **state UNUSED)
{
    struct lattice *l = lattice_new(1);

    assert_int_equal(lattice_share(l, .01), 1);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(lattice_put(l, i, 0), ST_OK);
    assert_int_equal(lattice_share(l, .01), 3);
    assert_int_equal(lattice_share(l, .011), 4);
    assert_int_equal(lattice_share(l, 0), 1);
    lattice_free(l);
}

static void the_largest_come_first_and_hold_what_is_above_them(void **state UNUSED)
{
    struct lattice *l = water();
    uint32_t largest[19];

    lattice_build(l, 0);
    assert_int_equal(lattice_largest(l, 19, false, largest), 18); /* without the bottom */
    assert_int_equal(lattice_largest(l, 3, false, largest), 3);
    assert_int_equal(lattice_concept(l, largest[0]).intent, set("a"));
    assert_int_equal(lattice_concept(l, largest[1]).intent, set("ab")); /* 5, as ac: lower first */
    assert_int_equal(lattice_concept(l, largest[2]).intent, set("ac"));
    assert_int_equal(lattice_largest(l, 100, true, largest), 19);
    assert_int_equal(lattice_concept(l, largest[18]).extent, 0);
    assert_int_equal(lattice_largest(l, 0, true, largest), 0);
    lattice_free(l);
}

/* ---- output ---- */

static void a_diagram_names_each_attribute_once(void **state UNUSED)
{
    struct str names[] = {{"say \"a\"", 7}, {"b", 1}};
    struct lattice *l = lattice_new(2);
    struct lattice_view v = {.lattice = l, .names = names};
    struct buf out = BUF_INIT(10000), tiny = BUF_INIT(20);

    assert_int_equal(lattice_put(l, 1, 1), ST_OK);
    assert_int_equal(lattice_put(l, 2, 3), ST_OK);
    lattice_build(l, 0);
    assert_int_equal(lattice_view_dot(&v, 0, &out), ST_OK);
    assert_str(buf_str(&out), "digraph lattice {\n  rankdir=BT;\n  node [shape=box];\n"
                              "  edge [arrowhead=none];\n"
                              "  c0 [label=\"say \\\"a\\\"\\n(2)\"];\n"
                              "  c1 [label=\"b\\n(1)\"];\n"
                              "  c1 -> c0;\n}\n");
    assert_int_equal(lattice_view_dot(&v, 1, &tiny), ST_LIMIT);
    buf_free(&out);
    buf_free(&tiny);
    lattice_free(l);
}

static void json_has_intents_extents_and_edges(void **state UNUSED)
{
    struct lattice *l = water();
    struct lattice_view v = {.lattice = l, .names = attributes};
    struct buf out = BUF_INIT(10000);
    struct json j;

    lattice_build(l, 0);
    json_init(&j, &out);
    lattice_view_json(&v, 2, &j, NULL);
    assert_str(buf_str(&out),
               "{\"objects\":8,\"attributes\":[\"needs water\",\"lives in water\",\"lives on "
               "land\",\"chlorophyll\",\"two seed leaves\",\"one seed leaf\",\"moves\",\"limbs\","
               "\"suckles\"],\"min_extent\":0,\"complete\":true,\"total\":19,\"concepts\":["
               "{\"intent\":[\"needs water\"],\"extent\":8,\"up\":[]},"
               "{\"intent\":[\"needs water\",\"lives in water\"],\"extent\":5,\"up\":[0]}]}");
    buf_free(&out);
    lattice_free(l);
}

/* ---- kept ---- */

static void what_was_kept_is_read_again(void **state UNUSED)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{\"pages\":[],\"rows\":[]}",
        "{\"keywords\":[1],\"pages\":[],\"rows\":[]}",
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[]}",
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[1]}",
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[\"\"]}",
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[\"x\"]}",
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[\"2\"]}", /* a keyword that is not there */
        "{\"keywords\":[\"a\"],\"pages\":[7],\"rows\":[\"00000000000000001\"]}",
    };
    struct lattice_view r;
    uint64_t row;

    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_equal(lattice_view_read(str_of(bad[i]), &r), ST_CORRUPT);
    assert_int_equal(lattice_view_read(STR("{\"at\":12,\"keywords\":[\"bee\",\"hive\"],"
                                           "\"pages\":[7,9],\"rows\":[\"1\",\"3\"]}"),
                                       &r),
                     ST_OK);
    assert_int_equal(r.at, 12);
    assert_str(r.names[1], "hive");
    assert_int_equal(lattice_objects(r.lattice), 2);
    assert_int_equal(lattice_object(r.lattice, 1, &row), 9);
    assert_int_equal(row, 3);
    assert_int_equal(lattice_count(r.lattice), 2); /* {7,9} bee; {9} bee, hive */
    lattice_view_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(living_beings_and_water_have_nineteen_concepts),
        cmocka_unit_test(edges_lead_to_what_is_next_above),
        cmocka_unit_test(random_contexts_have_the_concepts_of_all_closures),
        cmocka_unit_test(extents_never_grow_with_the_number),
        cmocka_unit_test(ceilings_are_kept),
        cmocka_unit_test(too_many_concepts_leave_an_iceberg),
        cmocka_unit_test(a_share_is_rounded_up),
        cmocka_unit_test(the_largest_come_first_and_hold_what_is_above_them),
        cmocka_unit_test(a_diagram_names_each_attribute_once),
        cmocka_unit_test(json_has_intents_extents_and_edges),
        cmocka_unit_test(what_was_kept_is_read_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
