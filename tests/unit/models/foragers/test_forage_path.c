/* A forager's path and what is known of pages. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/foragers/forage_path.h"

static struct forage_pages pages;

static void page(uint32_t url, float a, float b)
{
    forage_state_set(&pages, forage_pages_at(&pages, url), (const float[]){a, b}, 2);
}

static struct forage_path start(uint32_t url)
{
    struct forage_path p;

    forage_pages_init(&pages, 2, 100);
    page(1, 1, 0);
    page(2, 0.5f, 0);
    page(3, 0, 1);
    page(4, 0.5f, 0);
    forage_path_init(&p);
    forage_path_begin(&p, &pages);
    forage_path_visit(&p, &pages, url);
    return p;
}

static void end(struct forage_path *p)
{
    forage_path_clear(p, &pages);
    for (uint32_t i = 1; i < pages.count; i++)
        assert_int_equal(pages.pages[i].url ? pages.pages[i].refs : 0, 0);
    forage_pages_clear(&pages);
}

/* w = (1, 0): 2 and 4 are worth .5, 3 nothing; 2 was met before 4. Then w = (-1, 2):
 * 3 is worth 2, 4 is worth -.5. */
static void weights_that_learn_see_the_frontier_anew(void **state)
{
    struct forage_path p = start(1);
    struct td td;

    (void)state;
    td_init(&td, 2);
    td.quick[0] = 1;
    assert_int_equal(forage_path_best(&p, &pages, &td), 0);
    assert_true(forage_path_meet(&p, &pages, 3, 10));
    assert_true(forage_path_meet(&p, &pages, 2, 10));
    assert_true(forage_path_meet(&p, &pages, 4, 10));
    assert_false(forage_path_meet(&p, &pages, 1, 10)); /* visited on this path */
    assert_false(forage_path_meet(&p, &pages, 2, 10));
    assert_int_equal(forage_path_best(&p, &pages, &td), 2);
    forage_path_visit(&p, &pages, 2);
    assert_int_equal(p.open, 2);
    td.quick[0] = -1;
    td.quick[1] = 2;
    assert_int_equal(forage_path_best(&p, &pages, &td), 3);
    assert_int_equal(p.nsteps, 2);
    assert_float_equal(forage_path_state(&p, &pages, 1)[0], 0.5, 1e-4);
    td_clear(&td);
    end(&p);
}

static void fixed_values_come_in_their_order_ties_as_they_were_met(void **state)
{
    struct forage_path p = start(1);

    (void)state;
    for (uint32_t url = 2; url <= 4; url++)
        (void)forage_path_meet(&p, &pages, url, 10);
    forage_path_value(&p, 4, 1);
    forage_path_value(&p, 3, 1);
    forage_path_value(&p, 2, -1);
    assert_int_equal(forage_path_best_fixed(&p), 3); /* met before 4 */
    forage_path_close(&p, 3);
    assert_int_equal(forage_path_best_fixed(&p), 4);
    forage_path_value(&p, 2, 5); /* its page has changed */
    assert_int_equal(forage_path_best_fixed(&p), 2);
    forage_path_value(&p, 2, -3);
    assert_int_equal(forage_path_best_fixed(&p), 4);
    forage_path_visit(&p, &pages, 4);
    forage_path_visit(&p, &pages, 2);
    assert_int_equal(forage_path_best_fixed(&p), 0);
    for (int i = 0; i < 1000; i++) /* of a closed place nothing is kept */
        forage_path_value(&p, 2, (float)i);
    assert_int_equal(p.best.count, 0);
    end(&p);
}

static void a_place_valued_again_and_again_takes_no_more_room(void **state)
{
    struct forage_path p = start(1);

    (void)state;
    (void)forage_path_meet(&p, &pages, 2, 10);
    for (int i = 0; i < 10000; i++)
        forage_path_value(&p, 2, (float)i);
    assert_true(p.best.count <= 66);
    assert_int_equal(forage_path_best_fixed(&p), 2);
    end(&p);
}

static void a_path_has_a_ceiling_and_a_new_one_begins_with_nothing(void **state)
{
    struct forage_path p = start(1);

    (void)state;
    assert_true(forage_path_meet(&p, &pages, 2, 3));
    assert_true(forage_path_meet(&p, &pages, 3, 3));
    assert_false(forage_path_meet(&p, &pages, 4, 3));
    assert_int_equal(p.id, 1);
    forage_path_begin(&p, &pages);
    assert_int_equal(p.id, 2);
    assert_int_equal(p.open + p.nsteps + p.count, 0);
    assert_true(forage_path_meet(&p, &pages, 1, 3)); /* visited on the path before */
    end(&p);
}

/* Ten records, two of them held: the ninth and later ones take the place of the others,
 * in turn. */
static void pages_that_nobody_holds_make_room(void **state)
{
    (void)state;
    forage_pages_init(&pages, 50, 10);
    for (uint32_t url = 1; url <= 10; url++)
        (void)forage_pages_at(&pages, url);
    forage_page_hold(&pages, forage_pages_find(&pages, 1));
    forage_page_hold(&pages, forage_pages_find(&pages, 3));
    for (uint32_t url = 11; url <= 13; url++)
        (void)forage_pages_at(&pages, url);
    assert_int_equal(pages.used, 10);
    assert_int_not_equal(forage_pages_find(&pages, 1), 0);
    assert_int_equal(forage_pages_find(&pages, 2), 0);
    assert_int_not_equal(forage_pages_find(&pages, 3), 0);
    assert_int_equal(forage_pages_find(&pages, 4), 0);
    assert_int_equal(forage_pages_find(&pages, 5), 0);
    assert_int_not_equal(forage_pages_find(&pages, 6), 0);
    assert_int_not_equal(forage_pages_find(&pages, 13), 0);
    for (uint32_t url = 1; url <= 13; url++)
        if (forage_pages_find(&pages, url))
            forage_page_hold(&pages, forage_pages_find(&pages, url));
    (void)forage_pages_at(&pages, 20); /* all are held: one more than asked for */
    assert_int_equal(pages.used, 11);
    forage_pages_clear(&pages);
}

static void paths_and_pages_are_saved_to_the_last_bit(void **state)
{
    struct buf saved = BUF_INIT(1 << 16), again = BUF_INIT(1 << 16);
    struct forage_path p = start(1), loaded;
    struct forage_pages copy;
    struct cursor c;

    (void)state;
    (void)forage_path_meet(&p, &pages, 2, 10);
    (void)forage_path_meet(&p, &pages, 3, 10);
    forage_path_value(&p, 2, 0.3f);
    p.steps[0] = (struct forage_step){.url = 1, .profit = 99, .rewards = 100, .revisited = true};
    pages.pages[forage_pages_find(&pages, 2)].document =
        (struct document){.id = 77, .date = 5, .relevance = 0.25};
    forage_pages_save(&pages, 0, &saved); /* 4 was never looked at, and nobody holds it */
    forage_path_save(&p, &pages, &saved);
    for (size_t len = 0; len <= saved.len; len++) {
        bool whole = len == saved.len;
        enum status st;

        forage_pages_init(&copy, 2, 100);
        forage_path_init(&loaded);
        c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, len)};
        st = forage_pages_load(&copy, &c);
        if (st == ST_OK)
            st = forage_path_load(&loaded, &copy, 10, 10, true, &c);
        assert_int_equal(st, whole ? ST_OK : ST_CORRUPT);
        if (whole) {
            assert_int_equal(copy.used, 3);
            assert_int_equal(forage_path_best_fixed(&loaded), 2);
            forage_pages_save(&copy, 0, &again);
            forage_path_save(&loaded, &copy, &again);
        }
        forage_path_clear(&loaded, &copy);
        forage_pages_clear(&copy);
    }
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    end(&p);
    buf_free(&saved);
    buf_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_learn_see_the_frontier_anew),
        cmocka_unit_test(fixed_values_come_in_their_order_ties_as_they_were_met),
        cmocka_unit_test(a_place_valued_again_and_again_takes_no_more_room),
        cmocka_unit_test(a_path_has_a_ceiling_and_a_new_one_begins_with_nothing),
        cmocka_unit_test(pages_that_nobody_holds_make_room),
        cmocka_unit_test(paths_and_pages_are_saved_to_the_last_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
