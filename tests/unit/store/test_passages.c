/* test_passages.c - main texts as places in texts.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "store/passages.h"

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
    buf_clear(&text);
    passages_add_rest(buf_str(&packed), STR(TEXT), &text);
    assert_string_equal(text.data, "Menu News\n\n\n\n\nImprint");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passages_come_back_as_they_were),
        cmocka_unit_test(passages_outside_the_text_are_not_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
