/* What a page is worth where several machines share one threshold. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/energy/worth.h"

#include <math.h>
#include <string.h>

static void open_worth(struct worth *w)
{
    struct worth_config config = {.cost = 1, .gain = 3, .history = RANK_ALL}; /* R: 3/4 quantile */

    worth_init(w, &config);
}

static void say(const struct worth *w, struct buf *out)
{
    struct buf one = BUF_INIT(1024);

    worth_say(w, &one);
    assert_false(one.full);
    buf_put_str(out, buf_str(&one));
    buf_free(&one);
}

/* One machine has the pages from 0 to .5, the other those from .5 to 1, twice as many: the 3/4
 * quantile of all is that below which 5/8 of the upper ones lie, .5 + .5 * 5/8. */
static void the_threshold_is_that_of_all_machines(void **state)
{
    struct buf said = BUF_INIT(4096);
    struct worth low, high;

    (void)state;
    open_worth(&low);
    open_worth(&high);
    for (int i = 0; i <= 1000; i++)
        (void)worth_page(&low, 0.0005 * i);
    for (int i = 0; i <= 2000; i++)
        (void)worth_page(&high, 0.5 + 0.00025 * i);
    assert_true(fabs(low.energy.R - 0.375) < 0.001);
    say(&high, &said);
    worth_hear(&low, &(struct cursor){.rest = buf_str(&said)});
    assert_int_equal(low.all.pages, 3002);
    assert_true(fabs(low.all.R - 0.8125) < 0.005);
    assert_true(low.all.greatest == 1);
    (void)worth_page(&low, 0.1);
    assert_true(low.energy.R == low.all.R);
    assert_true(worth_now(&low, 0.7) < 0); /* it was worth 3 while it was alone */
    worth_hear(&low, &(struct cursor){.rest = STR("")});
    (void)worth_page(&low, 0.1);
    assert_true(low.energy.R < 0.5); /* alone again */
    worth_clear(&low);
    worth_clear(&high);
    buf_free(&said);
}

static void what_no_machine_would_say_is_not_heard(void **state)
{
    struct buf said = BUF_INIT(4096), bad = BUF_INIT(4096);
    double wrong = 2;
    struct worth w;

    (void)state;
    open_worth(&w);
    for (int i = 0; i <= 100; i++)
        (void)worth_page(&w, 0.01 * i);
    say(&w, &said);
    for (size_t cut = 5; cut < said.len; cut++) {
        buf_clear(&bad);
        buf_put_str(&bad, str_sub(buf_str(&said), 4, cut));
        worth_hear(&w, &(struct cursor){.rest = buf_str(&bad)});
        assert_int_equal(w.all.pages, 0);
    }
    memcpy(said.data + 4 + 8 + 16, &wrong, sizeof wrong);
    worth_hear(&w, &(struct cursor){.rest = buf_str(&said)});
    assert_int_equal(w.all.pages, 0);
    worth_clear(&w);
    buf_free(&said);
    buf_free(&bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_threshold_is_that_of_all_machines),
        cmocka_unit_test(what_no_machine_would_say_is_not_heard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
