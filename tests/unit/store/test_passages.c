/* test_passages.c - main texts as places in texts, and snippets from them.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "store/passages.h"
#include "store/read/snippet.h"

#define TEXT "Menu News\nVines grow on slopes\nAll vines\nImprint"

static struct passage made[] = {{10, 20, PASSAGE_HEADING}, {31, 9, PASSAGE_LIST}};

static void pack(struct buf *out)
{
    struct page page = {.text = STR(TEXT), .main = made, .nmain = 2};

    passages_write(&page, out);
}

static void passages_come_back_as_they_were(void **state)
{
    struct buf packed = BUF_INIT(1000), text = BUF_INIT(1000);
    struct passages p;
    struct passage m;

    (void)state;
    pack(&packed);
    p = passages_of(buf_str(&packed), strlen(TEXT));
    for (int i = 0; i < 2; i++) {
        assert_true(passages_next(&p, &m));
        assert_int_equal(m.off, made[i].off);
        assert_int_equal(m.len, made[i].len);
        assert_int_equal(m.kind, made[i].kind);
    }
    assert_false(passages_next(&p, &m));
    passages_add(buf_str(&packed), STR(TEXT), &text);
    assert_string_equal(text.data, "Vines grow on slopes\nAll vines");
    buf_free(&packed);
    buf_free(&text);
}

static void passages_outside_the_text_are_not_read(void **state)
{
    struct buf packed = BUF_INIT(1000), text = BUF_INIT(1000);

    (void)state;
    pack(&packed);
    passages_add(buf_str(&packed), STR("Menu News\nVines grow on slopes"), &text);
    assert_string_equal(text.data, "Vines grow on slopes");
    buf_free(&packed);
    buf_free(&text);
}

static void check_snippet(const char *marked, const char *wanted)
{
    struct buf packed = BUF_INIT(1000), out = BUF_INIT(1000);

    pack(&packed);
    snippet_add(str_of(marked), buf_str(&packed), &out);
    assert_string_equal(out.data, wanted);
    buf_free(&packed);
    buf_free(&out);
}

static void a_snippet_is_taken_from_the_main_text(void **state)
{
    (void)state;
    check_snippet("Menu \1News\2\n\1Vines\2 grow on slopes\nAll vines\nImprint",
                  "[Vines] grow on slopes");
    check_snippet("Menu News\nVines grow on slopes\nAll \1vines\2\nImprint", "All [vines]");
    check_snippet("Menu \1News\2\nVines grow on slopes\nAll vines\nImprint",
                  "Menu [News]\nVines grow on slopes\nAll vines\nImprint");
}

static void a_long_snippet_begins_before_its_hit(void **state)
{
    struct buf marked = BUF_INIT(10000), out = BUF_INIT(10000);

    (void)state;
    for (int i = 0; i < 50; i++)
        buf_addf(&marked, i == 30 ? "\1w%d\2 " : "w%d ", i);
    snippet_add(buf_str(&marked), STR(""), &out);
    assert_true(str_starts(buf_str(&out), STR("…w24 w25")));
    assert_true(str_find(buf_str(&out), STR(" [w30] "), 0) != SIZE_MAX);
    assert_true(str_ends(buf_str(&out), STR("w47…")));
    buf_free(&marked);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passages_come_back_as_they_were),
        cmocka_unit_test(passages_outside_the_text_are_not_read),
        cmocka_unit_test(a_snippet_is_taken_from_the_main_text),
        cmocka_unit_test(a_long_snippet_begins_before_its_hit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
