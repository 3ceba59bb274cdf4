/* test_repeats.c - passages that a host's pages repeat. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "crawl/repeats.h"

#include <stdio.h>

#define NOTE "This page is licensed under a licence that every page names.\n"

/* The length of the note on the page that comes now, below a passage of its own. */
static uint32_t note_after(struct repeats *r, uint32_t host, unsigned number)
{
    char text[200];
    struct passage main[2];
    struct page page = {.kind = PAGE_HTML, .main = main, .nmain = 2};
    int own =
        snprintf(text, sizeof text, "The passage with the number %u is on one page only.", number);

    memcpy(text + own, "\n" NOTE, sizeof NOTE + 1);
    page.text = (struct str){text, (size_t)own + sizeof NOTE};
    main[0] = (struct passage){0, (uint32_t)own, PASSAGE_TEXT};
    main[1] = (struct passage){(uint32_t)own + 1, sizeof NOTE - 1, PASSAGE_TEXT};
    repeats_take_out(r, host, &page);
    assert_int_equal(main[0].len, own);
    return main[1].len;
}

static void a_passage_of_many_pages_is_taken_out(void **state)
{
    struct repeats *r = repeats_new();

    (void)state;
    for (unsigned i = 1; i < REPEATS_PAGES; i++)
        assert_int_equal(note_after(r, 1, i), sizeof NOTE - 1);
    assert_int_equal(note_after(r, 1, REPEATS_PAGES), 0);
    assert_int_equal(note_after(r, 2, 1), sizeof NOTE - 1); /* another host */
    repeats_free(r);
}

static void passages_that_come_once_do_not_push_it_out(void **state)
{
    struct repeats *r = repeats_new();

    (void)state;
    for (unsigned i = 0; i < 10 * LIMIT_REPEATS; i++)
        (void)note_after(r, 1, i);
    assert_int_equal(note_after(r, 1, UINT32_MAX), 0);
    repeats_free(r);
}

static void hosts_beyond_the_limit_are_left_alone(void **state)
{
    struct repeats *r = repeats_new();

    (void)state;
    for (uint32_t host = 1; host <= LIMIT_REPEAT_HOSTS + 10; host++)
        (void)note_after(r, host, host);
    for (unsigned i = 0; i < 2 * REPEATS_PAGES; i++)
        assert_int_equal(note_after(r, LIMIT_REPEAT_HOSTS + 5, i), sizeof NOTE - 1);
    repeats_free(r);
}

static void a_sketch_survives_a_resume(void **state)
{
    struct repeats *r = repeats_new(), *again = repeats_new(), *broken = repeats_new();
    struct buf saved = BUF_INIT(KIB(64));
    struct cursor from, cut;

    (void)state;
    for (unsigned i = 1; i < REPEATS_PAGES; i++)
        (void)note_after(r, 7, i);
    repeats_save(r, &saved);
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(repeats_load(again, &from), ST_OK);
    assert_int_equal(from.rest.len, 0);
    assert_int_equal(note_after(again, 7, REPEATS_PAGES), 0);
    assert_int_equal(note_after(again, 8, 1), sizeof NOTE - 1);
    cut = (struct cursor){.rest = str_sub(buf_str(&saved), 0, saved.len - 1)};
    assert_int_equal(repeats_load(broken, &cut), ST_CORRUPT);
    buf_free(&saved);
    repeats_free(r);
    repeats_free(again);
    repeats_free(broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_passage_of_many_pages_is_taken_out),
        cmocka_unit_test(passages_that_come_once_do_not_push_it_out),
        cmocka_unit_test(hosts_beyond_the_limit_are_left_alone),
        cmocka_unit_test(a_sketch_survives_a_resume),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
