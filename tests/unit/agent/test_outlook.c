/* test_outlook.c - how much of the topic is found, from judgements that are known.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/outlook.h"
#include "base/mem.h"

#include <math.h>

/* Page k of `pages` is of the topic where a draw says so: with the probability e^(-fall k/pages);
 * such pages have the p `yes`, others `no`. */
struct run {
    double fall;
    float yes, no;
    uint32_t pages;
};

static void judge(const struct model *m, judge_fn *fn, void *ctx)
{
    const struct run *r = m->state;
    struct rng rng;

    rng_init(&rng, 1);
    for (uint32_t page = 1; page <= r->pages; page++) {
        double chance = exp(-r->fall * page / r->pages);

        fn(ctx, page, rng_unit(&rng) < chance ? r->yes : r->no);
    }
}

static const struct model_judges judges = {.judge = judge};
static const struct model_ops ops = {.name = "judge", .judges = &judges};

static struct outlook look(double fall, float yes, float no, uint32_t pages)
{
    struct run r = {fall, yes, no, pages};
    struct model m = {.ops = &ops, .state = &r};

    return outlook_of(&m, pages);
}

static void the_share_follows_how_finds_thin_out(void **state)
{
    static const double shares[] = {0.3, 0.6, 0.9, 0.99};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
        double fall = -log(1 - shares[i]);
        struct outlook o = look(fall, 0.95f, 0.02f, 20000);

        assert_true(o.is_known);
        assert_true(fabs(o.share - shares[i]) < 0.05);
        assert_true(fabs(o.more - o.found * (1 - o.share) / o.share) < 1e-6 * (1 + o.more));
        assert_true(o.least < o.more && o.more < o.most);
    }
}

static void judgements_that_are_not_clear_give_a_wider_interval(void **state)
{
    struct outlook clear = look(2, 0.95f, 0.02f, 5000), unclear = look(2, 0.5f, 0.02f, 5000);

    (void)state;
    assert_true(fabs(clear.share - unclear.share) < 0.02);
    assert_true(unclear.most > clear.most && unclear.least < clear.least);
}

static void nothing_is_known_too_early_or_while_finds_do_not_thin_out(void **state)
{
    struct model_ops silent = {.name = "silent"};
    struct model m = {.ops = &silent};

    (void)state;
    assert_false(look(2, 0.95f, 0.02f, OUTLOOK_PAGES - 1).is_known);
    assert_true(look(2, 0.95f, 0.02f, OUTLOOK_PAGES).is_known);
    assert_false(look(0, 0.95f, 0.02f, 1000).is_known);
    assert_false(look(2, 0.4f, 0.02f, 1000).is_known);
    assert_false(outlook_of(&m, 1000).is_known);
}

static void it_is_said_in_a_sentence_and_as_json(void **state)
{
    struct outlook o = {
        .is_known = true, .found = 412, .more = 90.4, .least = 20, .most = 300, .share = 0.82001};
    struct buf text = BUF_INIT(1000);
    struct json j;

    (void)state;
    outlook_say(&o, &text);
    assert_string_equal(text.data, "about 82 % of the topic is found (58 to 95 %)");
    assert_true(outlook_is_firm(&o));
    o.share = 0.2; /* too early to be said */
    assert_false(outlook_is_firm(&o));
    o.share = 0.82001;
    buf_clear(&text);
    json_init(&j, &text);
    json_open_object(&j, NULL);
    outlook_put(&o, &j);
    o.is_known = false;
    outlook_put(&o, &j);
    json_close(&j);
    assert_string_equal(text.data,
                        "{\"outlook\":{\"found\":412,\"more\":90.4,\"least\":20,\"most\":300,"
                        "\"share\":0.82}}");
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_follows_how_finds_thin_out),
        cmocka_unit_test(judgements_that_are_not_clear_give_a_wider_interval),
        cmocka_unit_test(nothing_is_known_too_early_or_while_finds_do_not_thin_out),
        cmocka_unit_test(it_is_said_in_a_sentence_and_as_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
