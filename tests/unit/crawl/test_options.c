/* A crawl's options survive the database: what `resume` reads is what `crawl`
 * ran with. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "crawl/options.h"

/* Values that rounding would change. */
static const struct {
    const char *name, *value;
} odd[] = {
    {"pages", "123456789"},          {"for", "1234567ms"},
    {"bytes", "123456789"},          {"rate", "1234567"},
    {"memory", "9876543211"},        {"max-depth", "-1"},
    {"delay", "1234567us"},          {"timeout", "1.000001s"},
    {"relevant", "0.1234567890123"}, {"quiet", "yes"},
    {"allow-private", "true"},       {"contact", "a b <c@example.org>"},
    {"rng", "999999999999"},         {"lang", "en,de"},
    {"model", "breadth-first"},      {"seed", "http://a.example/?x=1,2"},
    {"seed", "http://b.example/ c"}, {"header", "X-A: 1, 2"},
    {"header", "X-B: \"q\""},        {"scope", "*.example/*"},
};

static void fill(struct crawl_options *o)
{
    crawl_options_init(o);
    for (size_t i = 0; i < ARRAY_LEN(odd); i++)
        assert_int_equal(option_set(option_find(crawl_option_table, str_of(odd[i].name)), o,
                                    str_of(odd[i].value)),
                         ST_OK);
}

static void every_option_reads_back_as_it_was(void **state)
{
    struct crawl_options o, again;

    (void)state;
    fill(&o);
    crawl_options_init_empty(&again);
    for (const struct option *op = crawl_option_table; op->name; op++) {
        struct buf was = BUF_INIT(1 << 16), is = BUF_INIT(1 << 16);

        crawl_option_text(op, &o, &was);
        assert_int_equal(crawl_option_restore(op, &again, buf_str(&was)), ST_OK);
        crawl_option_text(op, &again, &is);
        assert_true(str_eq(buf_str(&was), buf_str(&is)));
        buf_free(&was);
        buf_free(&is);
    }
    assert_int_equal(again.pages, 123456789);
    assert_int_equal(again.duration, 1234567000);
    assert_int_equal(again.bytes, 123456789);
    assert_int_equal(again.rate, 1234567);
    assert_int_equal(again.memory, 9876543211);
    assert_int_equal(again.max_depth, -1);
    assert_int_equal(again.delay, 1234567);
    assert_int_equal(again.timeout, 1000001);
    assert_true(again.relevant == o.relevant);
    assert_int_equal(again.seed.count, 2);
    assert_string_equal(again.seed.items[1], "http://b.example/ c");
    assert_string_equal(again.header.items[1], "X-B: \"q\"");
    assert_true(again.quiet && again.allow_private && !again.no_robots);
    crawl_options_free(&o);
    crawl_options_free(&again);
}

static void the_defaults_are_within_their_limits(void **state)
{
    (void)state;
    for (const struct option *op = crawl_option_table; op->name; op++) {
        struct crawl_options o;

        crawl_options_init_empty(&o);
        if (op->fallback)
            assert_int_equal(option_set(op, &o, str_of(op->fallback)), ST_OK);
        crawl_options_free(&o);
        assert_non_null(op->help);
        assert_true(op->type == OPTION_FLAG || op->metavar != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_reads_back_as_it_was),
        cmocka_unit_test(the_defaults_are_within_their_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
