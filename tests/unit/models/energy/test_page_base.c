/* Visited pages as places. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/energy/page_base.h"
#include "base/mem.h"

#include <math.h>

static void add(struct page_base *b, uint32_t url, uint32_t nlinks)
{
    struct base_link links[16];

    assert_true(nlinks <= 16);
    for (uint32_t i = 0; i < nlinks; i++)
        links[i] = (struct base_link){.url = 100 * url + i, .score = (float)i / 8};
    page_base_add(b, 1000 + url, url, (float)url / 16, links, nlinks);
}

static bool has_links(struct page_base *b, uint32_t url)
{
    struct base_page p;

    assert_true(page_base_get(b, url, &p));
    return p.links != NULL;
}

static void a_page_is_found_by_its_url_with_all_it_came_with(void **state)
{
    struct page_base *b = page_base_new(0);
    struct base_page p;

    (void)state;
    add(b, 3, 2);
    add(b, 7, 0);
    assert_int_equal(page_base_count(b), 2);
    assert_true(page_base_has(b, 7) && !page_base_has(b, 4));
    assert_false(page_base_get(b, 4, &p));
    assert_true(page_base_get(b, 3, &p));
    assert_true(p.page == 1003 && p.url == 3 && p.relevance == 3.f / 16 && p.energy == 0);
    assert_int_equal(p.nlinks, 2);
    assert_true(p.links[1].url == 301 && p.links[1].score == .125f);
    assert_true(page_base_get(b, 7, &p));
    assert_int_equal(p.nlinks, 0);
    assert_non_null(p.links); /* it has none: they are not forgotten */
    page_base_free(b);
}

static void a_later_page_of_a_url_replaces_it_and_keeps_its_energy(void **state)
{
    struct base_link link = {.url = 9, .score = 1};
    struct page_base *b = page_base_new(0);
    struct base_page p;

    (void)state;
    add(b, 3, 2);
    assert_true(page_base_set_energy(b, 3, 2.5) == 2.5);
    page_base_add(b, 77, 3, .5f, &link, 1);
    assert_int_equal(page_base_count(b), 1);
    assert_true(page_base_get(b, 3, &p));
    assert_true(p.page == 77 && p.relevance == .5f && p.energy == 2.5);
    assert_true(p.nlinks == 1 && p.links[0].url == 9);
    page_base_free(b);
}

/* A ceiling of 5 links: pages of 2, 2 and 1 fit. The next of 2 takes the place of
 * the one that was not used for longest. */
static void links_not_used_for_longest_are_forgotten(void **state)
{
    struct page_base *b = page_base_new(5);
    struct base_link link = {.url = 9, .score = 1};
    struct base_page p;

    (void)state;
    add(b, 1, 2);
    add(b, 2, 2);
    add(b, 3, 1);
    (void)page_base_set_energy(b, 2, 1);
    assert_true(has_links(b, 1)); /* and used: page 2 is the oldest now */
    add(b, 4, 2);
    assert_true(page_base_get(b, 2, &p));
    assert_null(p.links);
    assert_int_equal(p.nlinks, 0);
    assert_true(p.energy == 1 && p.relevance == 2.f / 16); /* never forgotten */
    assert_true(has_links(b, 3) && has_links(b, 1) && has_links(b, 4));
    page_base_relink(b, 2, &link, 1); /* 2 + 1 + 2 + 1: page 3 goes, then all fit */
    assert_true(page_base_get(b, 2, &p));
    assert_true(p.nlinks == 1 && p.links[0].url == 9);
    assert_false(has_links(b, 3));
    assert_true(has_links(b, 1) && has_links(b, 4));
    add(b, 5, 9); /* more than the ceiling: alone */
    assert_true(has_links(b, 5));
    assert_false(has_links(b, 1) || has_links(b, 2) || has_links(b, 4));
    page_base_free(b);
}

static void energy_below_epsilon_is_none(void **state)
{
    struct page_base *b = page_base_new(0);
    struct rng rng;
    uint32_t url;

    (void)state;
    rng_init(&rng, 1);
    add(b, 1, 0);
    assert_true(page_base_set_energy(b, 1, BASE_EPSILON / 2) == 0);
    assert_false(page_base_draw(b, &rng, &url));
    assert_true(page_base_set_energy(b, 1, -3) == 0);
    assert_true(page_base_energy(b) == 0);
    assert_true(page_base_set_energy(b, 1, 2 * BASE_EPSILON) == 2 * BASE_EPSILON);
    assert_true(page_base_draw(b, &rng, &url) && url == 1);
    page_base_free(b);
}

/* 1000 pages get, lose and get again energies like .1, whose sums are not exact.
 * The sum is that of the pages to rounding, and 0 when all are empty. */
static void the_sum_does_not_drift(void **state)
{
    struct page_base *b = page_base_new(0);
    struct base_page p;
    struct rng rng;
    double sum = 0;

    (void)state;
    rng_init(&rng, 2);
    for (uint32_t url = 1; url <= 1000; url++)
        add(b, url, 0);
    for (int i = 0; i < 200000; i++)
        (void)page_base_set_energy(b, 1 + (uint32_t)rng_below(&rng, 1000), rng_unit(&rng) * 10.1);
    for (uint32_t url = 1; url <= 1000; url++)
        if (page_base_get(b, url, &p))
            sum += p.energy;
    assert_true(fabs(page_base_energy(b) / sum - 1) < 1e-14);
    for (uint32_t url = 1; url <= 1000; url++)
        (void)page_base_set_energy(b, url, 0);
    assert_true(page_base_energy(b) == 0);
    page_base_free(b);
}

/* Energies 0 1 2 3 4 of pages 1 to 5, twenty thousand draws: n_i has the mean
 * 2000 i and a standard deviation below 70; four of them are allowed. */
static void pages_are_drawn_as_often_as_they_have_energy(void **state)
{
    struct page_base *b = page_base_new(0);
    uint32_t drawn[6] = {0}, any[6] = {0}, url;
    struct rng rng;

    (void)state;
    rng_init(&rng, 3);
    assert_false(page_base_any(b, &rng, &url));
    assert_false(page_base_draw(b, &rng, &url));
    for (url = 1; url <= 5; url++)
        add(b, url, 1);
    assert_false(page_base_draw(b, &rng, &url));
    for (url = 1; url <= 5; url++)
        (void)page_base_set_energy(b, url, url - 1);
    for (int i = 0; i < 20000; i++) {
        assert_true(page_base_draw(b, &rng, &url));
        drawn[url]++;
        assert_true(page_base_any(b, &rng, &url));
        any[url]++;
    }
    assert_int_equal(drawn[1], 0);
    for (url = 1; url <= 5; url++) {
        assert_true(fabs(drawn[url] - 2000. * (url - 1)) < 280);
        assert_true(fabs(any[url] - 4000.) < 280);
    }
    page_base_free(b);
}

/* Many pages, few with energy, most of them tiny beside one: no empty one comes. */
static void an_empty_page_is_never_drawn(void **state)
{
    struct page_base *b = page_base_new(0);
    struct base_page p;
    struct rng rng;
    uint32_t url;

    (void)state;
    rng_init(&rng, 4);
    for (url = 1; url <= 3000; url++) {
        add(b, url, 0);
        if (url % 7 == 0)
            (void)page_base_set_energy(b, url, url == 700 ? 1e9 : .1);
    }
    for (int i = 0; i < 100000; i++) {
        assert_true(page_base_draw(b, &rng, &url));
        assert_true(page_base_get(b, url, &p) && p.energy > 0);
        if (i % 300 == 0)
            (void)page_base_set_energy(b, url, 0);
    }
    page_base_free(b);
}

/* ---- checkpoints ---- */

static struct page_base *base_made(size_t max_links)
{
    struct page_base *b = page_base_new(max_links);
    struct base_page p;

    for (uint32_t url = 200; url > 0; url--) {
        add(b, url, url % 5);
        (void)page_base_set_energy(b, url, url % 3 * .1);
    }
    for (uint32_t url = 1; url < 200; url += 17)
        (void)page_base_get(b, url, &p);
    return b;
}

/* The same draws, and the same links forgotten, as if nothing had been. */
static void a_loaded_base_goes_on_as_the_saved_one(void **state)
{
    struct page_base *a = base_made(150), *b = page_base_new(150);
    struct buf first = BUF_INIT(1 << 20), last[2] = {BUF_INIT(1 << 20), BUF_INIT(1 << 20)};
    struct rng rng[2];
    struct cursor from;

    (void)state;
    add(b, 5, 3); /* is gone after loading */
    page_base_save(a, &first);
    from = (struct cursor){.rest = buf_str(&first)};
    assert_int_equal(page_base_load(b, &from), ST_OK);
    assert_int_equal(from.rest.len, 0);
    assert_int_equal(page_base_count(b), 200);
    for (uint32_t k = 0; k < 2; k++) {
        struct page_base *one = k ? b : a;
        struct base_page p;

        rng_init(&rng[k], 9);
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t url;

            assert_true(page_base_draw(one, &rng[k], &url));
            assert_true(page_base_get(one, url, &p));
            (void)page_base_set_energy(one, url, p.energy * .7);
            assert_true(page_base_any(one, &rng[k], &url));
            (void)page_base_get(one, url, &p);
            if (i % 3 == 0)
                add(one, 200 + i, i % 7);
        }
        page_base_save(one, &last[k]);
    }
    assert_true(page_base_energy(a) == page_base_energy(b));
    assert_true(str_eq(buf_str(&last[0]), buf_str(&last[1])));
    for (uint32_t k = 0; k < 2; k++)
        buf_free(&last[k]);
    buf_free(&first);
    page_base_free(a);
    page_base_free(b);
}

static void a_cut_state_is_corrupt_and_leaves_nothing(void **state)
{
    struct page_base *b = base_made(40);
    struct buf saved = BUF_INIT(1 << 20);

    (void)state;
    page_base_save(b, &saved);
    for (size_t len = 0; len < saved.len; len++) {
        struct cursor from = {.rest = {saved.data, len}};

        assert_int_equal(page_base_load(b, &from), ST_CORRUPT);
        assert_int_equal(page_base_count(b), 0);
        assert_true(page_base_energy(b) == 0);
    }
    buf_free(&saved);
    page_base_free(b);
}

/* Two pages of one URL, a page that is not there: no state of ours. */
static void a_state_that_contradicts_itself_is_corrupt(void **state)
{
    struct page_base *b = page_base_new(0);
    struct buf saved = BUF_INIT(1000);
    struct cursor from;

    (void)state;
    add(b, 1, 1);
    add(b, 2, 1);
    page_base_save(b, &saved);
    memcpy(saved.data + 4 + 24 + 4, saved.data + 4 + 4, 4); /* the second one's URL */
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(page_base_load(b, &from), ST_CORRUPT);
    saved.data[4 + 24 + 4] = 2;
    saved.data[4 + 2 * 24] = 9; /* links of the tenth page */
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(page_base_load(b, &from), ST_CORRUPT);
    saved.data[4 + 2 * 24] = 0;
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(page_base_load(b, &from), ST_OK);
    buf_free(&saved);
    page_base_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_found_by_its_url_with_all_it_came_with),
        cmocka_unit_test(a_later_page_of_a_url_replaces_it_and_keeps_its_energy),
        cmocka_unit_test(links_not_used_for_longest_are_forgotten),
        cmocka_unit_test(energy_below_epsilon_is_none),
        cmocka_unit_test(the_sum_does_not_drift),
        cmocka_unit_test(pages_are_drawn_as_often_as_they_have_energy),
        cmocka_unit_test(an_empty_page_is_never_drawn),
        cmocka_unit_test(a_loaded_base_goes_on_as_the_saved_one),
        cmocka_unit_test(a_cut_state_is_corrupt_and_leaves_nothing),
        cmocka_unit_test(a_state_that_contradicts_itself_is_corrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
