/* The report: words, tables, and HTML that no name can break.
 * SPDX-License-Identifier: MIT */
#include "made.h"

#include "lab/report/report_int.h"
#include "lab/report/table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has(const struct buf *b, const char *what)
{
    return str_find(buf_str(b), str_of(what), 0) != SIZE_MAX;
}

static size_t times(const struct buf *b, const char *what)
{
    size_t n = 0;

    for (size_t at = 0; (at = str_find(buf_str(b), str_of(what), at)) != SIZE_MAX; at++)
        n++;
    return n;
}

/* Every check is on a text, so it is made anew: cmocka's own would not be freed. */
static void say(char *ret, size_t size, void (*how)(struct buf *, double), double v)
{
    struct buf text = BUF_INIT(64);

    how(&text, v);
    (void)snprintf(ret, size, "%s", text.data);
    buf_free(&text);
}

static void numbers_have_the_digits_that_matter(void **state)
{
    static const struct {
        void (*how)(struct buf *, double);
        double v;
        const char *text;
    } table[] = {
        {say_number, 0.12345, "0.123"},
        {say_number, 12.345, "12.3"},
        {say_number, 1234.5678, "1235"},
        {say_number, -0.5,
         "\xe2\x88\x92"
         "0.500"},
        {say_number, NAN, "\xe2\x80\x93"},
        {say_signed, 0.25, "+0.250"},
        {say_signed, 0.0012, "+0.0012"},
        {say_p, 0.0004, "< 0.001"},
        {say_p, 0.0123, "0.012"},
        {say_number, 9.9996, "10.0"},
        {say_number, 999.96, "1000"},
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        say(text, sizeof text, table[i].how, table[i].v);
        assert_string_equal(text, table[i].text);
    }
}

static void a_table_is_aligned_and_safe(void **state)
{
    struct buf out = BUF_INIT(1000);
    struct text_table t;

    (void)state;
    table_init(&t, 2);
    table_cell(&t, "%s", "model");
    table_cell(&t, "%s", "at 5 %");
    table_cell(&t, "%s", "a\x1b[31mb");
    table_cell(&t, "%s", "\xc2\xb1 1");
    table_print(&t, 1, &out);
    assert_string_equal(out.data, " model    at 5 %\n"
                                  " a?[31mb     \xc2\xb1 1\n");
    table_free(&t);
    buf_clear(&out);
    table_paragraph(STR("one two three"), 2, 10, &out);
    assert_string_equal(out.data, "  one two\n  three\n");
    buf_free(&out);
}

/* Two models, three topics, x from 0 to 0.1 in two steps; model 0 has x, model 1 has
 * topic + x; repeats lie 1 below and above. */
static const char small_plan[] = "name: small\n"
                                 "worlds: [w]\n"
                                 "topics: labels\n"
                                 "models: [breadth-first, best-first]\n"
                                 "pages: 10%\n"
                                 "repeats: 2\n"
                                 "sample: 1%\n"
                                 "at: [5%, 10%]\n"
                                 "metrics: [recall, age]\n";

static double small_value(const struct made_point *at)
{
    double v = at->x + (at->model ? at->topic : 0) + (at->repeat ? 1 : -1);

    return at->metric == 1 ? NAN : v;
}

static void curves_are_means_over_topics(void **state)
{
    struct results *r = made_results(small_plan, 3, 3, small_value);
    struct curves c;

    (void)state;
    curves_make(r, 0, 0, QUANTITY_NONE, &c);
    assert_int_equal(c.npoints, 3);
    assert_true(fabs(c.x[1] - 0.05) < 1e-12);
    assert_true(fabs(c.mean[1] - 0.5) < 1e-12);          /* model 0 half way */
    assert_true(fabs(c.half[1]) < 1e-12);                /* all topics alike */
    assert_true(fabs(c.mean[3 + 2] - 2) < 1e-12);        /* model 1 at the end: (1+2+3)/3 */
    assert_true(fabs(c.half[3 + 2] - 2.48414) < 0.0001); /* t(2) = 4.30265, x 1 / sqrt 3 */
    curves_free(&c);
    made_free(r);
}

/* The run of topic 0 ends half way: model 1 has 2 and 3 then, and with topic 1 gone too 3 is
 * less than half of the topics. */
static void the_curve_of_a_run_that_ended_stops(void **state)
{
    struct results *r = made_results(small_plan, 3, 3, small_value);
    struct curves c;

    (void)state;
    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].topic == 0 && r->runs[i].model == 1)
            r->runs[i].npoints = 2;
    curves_make(r, 0, 0, QUANTITY_NONE, &c);
    assert_true(fabs(c.mean[3 + 1] - 1.5) < 1e-12);
    assert_true(fabs(c.mean[3 + 2] - 2.5) < 1e-12);
    curves_free(&c);
    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].topic == 1 && r->runs[i].model == 1)
            r->runs[i].npoints = 2;
    curves_make(r, 0, 0, QUANTITY_NONE, &c);
    assert_true(isnan(c.mean[3 + 2]));
    assert_true(fabs(c.mean[2] - 1) < 1e-12);
    curves_free(&c);
    made_free(r);
}

static void the_best_is_marked_and_what_does_not_apply_left_out(void **state)
{
    struct results *r = made_results(small_plan, 3, 3, small_value);
    struct buf out = BUF_INIT(1 << 20);
    struct summary s;

    (void)state;
    summary_make(r, 0, 0, r->plan->at[1], &s);
    assert_true(s.mean[0] == 1 && s.mean[1] == 2);
    assert_false(s.best[0]);
    assert_true(s.best[1]);
    summary_free(&s);
    assert_true(report_applies(r, 0, 0));
    assert_false(report_applies(r, 0, 1)); /* age: NAN everywhere */
    report_terminal(r, &out);
    assert_true(has(&out, "best-first has the highest mean, 2.000"));
    assert_true(has(&out, "2.000 \xc2\xb1 2.484 *"));
    assert_false(has(&out, "age:"));
    buf_free(&out);
    made_free(r);
}

static void a_stopped_plan_is_said_to_be_so(void **state)
{
    struct results *r = made_results(small_plan, 3, 3, small_value);
    struct buf out = BUF_INIT(1 << 20);
    size_t all = r->nruns;

    (void)state;
    r->nruns = 7;
    report_terminal(r, &out);
    assert_true(has(&out, "7 of 12 runs are there"));
    r->nruns = 0; /* nothing at all */
    report_terminal(r, &out);
    r->nruns = all;
    buf_free(&out);
    made_free(r);
}

static void lines_fit_a_hundred_columns(void **state)
{
    struct results *r = made_showcase();
    struct buf out = BUF_INIT(1 << 22);
    struct str rest, line;

    (void)state;
    report_terminal(r, &out);
    assert_false(has(&out, "\x1b"));
    rest = buf_str(&out);
    while (str_cut(&rest, '\n', &line)) {
        size_t columns = 0;

        for (size_t i = 0; i < line.len; i++)
            columns += ((unsigned char)line.ptr[i] & 0xc0) != 0x80;
        if (columns > 100)
            fail_msg("%zu columns: %.*s", columns, STR_ARG(line));
    }
    buf_free(&out);
    made_free(r);
}

static void json_is_json(void **state)
{
    struct results *r = made_showcase();
    struct buf out = BUF_INIT(1 << 24);
    json_t *all, *cost;

    (void)state;
    for (size_t i = 0; i < r->nruns; i++) { /* 200 pages in 1 ms, or nobody knows */
        r->runs[i].pages = 200;
        r->runs[i].cpu = r->runs[i].model == 0 ? 0.001 : NAN;
    }
    report_json(r, &out);
    all = json_loadb(out.data, out.len, 0, NULL);
    assert_non_null(all);
    assert_int_equal(json_array_size(json_object_get(all, "worlds")), 2);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(all, "claims"), 0), "verdict")),
                        "reproduced");
    cost = json_object_get(json_array_get(json_object_get(all, "worlds"), 0), "cost");
    assert_int_equal(json_array_size(cost), r->plan->nmodels);
    assert_true(
        fabs(json_number_value(json_object_get(json_array_get(cost, 0), "cpu_us_per_page")) - 5) <
        1e-9);
    assert_true(json_is_null(json_object_get(json_array_get(cost, 1), "cpu_us_per_page")));
    json_decref(all);
    buf_free(&out);
    made_free(r);
}

/* The JSON inside the page, as a browser would find it. */
static json_t *data_of(const struct buf *html)
{
    struct str open = STR("<script type=\"application/json\" id=\"data\">");
    size_t from = str_find(buf_str(html), open, 0) + open.len;
    size_t to = str_find(buf_str(html), STR("</script>"), from);

    return json_loadb(html->data + from, to - from, 0, NULL);
}

static void html_holds_no_markup_from_outside(void **state)
{
    struct results *r = made_showcase();
    struct buf html = BUF_INIT(1 << 26), path = BUF_INIT(4096);
    json_t *data;

    (void)state;
    buf_addf(&path, "%s/r.html", test_dir());
    assert_int_equal(report_html(r, "brood lab run 'a<b>.plan'", path.data), ST_OK);
    test_read(path.data, &html);
    assert_int_equal(times(&html, "<script"), 2); /* the data and ours */
    assert_int_equal(times(&html, "</script"), 2);
    assert_false(has(&html, "<img"));
    assert_false(has(&html, "<b>"));
    assert_true(has(&html, "\\u003cscript>alert(1)"));
    assert_false(has(&html, "<link"));
    assert_false(has(&html, "@import"));
    assert_false(has(&html, "url("));
    data = data_of(&html);
    assert_non_null(data);
    assert_int_equal(json_array_size(json_object_get(data, "models")), 10);
    assert_string_equal(json_string_value(json_object_get(data, "command")),
                        "brood lab run 'a<b>.plan'");
    assert_false(has(&html, "{{"));
    json_decref(data);
    buf_free(&html);
    buf_free(&path);
    made_free(r);
}

static void the_same_results_give_the_same_page(void **state)
{
    struct results *r = made_showcase();
    struct buf one = BUF_INIT(1 << 26), two = BUF_INIT(1 << 26), path = BUF_INIT(4096);

    (void)state;
    buf_addf(&path, "%s/r.html", test_dir());
    assert_int_equal(report_html(r, "c", path.data), ST_OK);
    test_read(path.data, &one);
    assert_int_equal(report_html(r, "c", path.data), ST_OK);
    test_read(path.data, &two);
    assert_true(str_eq(buf_str(&one), buf_str(&two)));
    buf_free(&one);
    buf_free(&two);
    buf_free(&path);
    made_free(r);
}

static void a_page_that_cannot_be_written_is_an_error(void **state)
{
    struct results *r = made_results(small_plan, 3, 3, small_value);

    (void)state;
    assert_int_equal(report_html(r, "c", "/nowhere/at/all.html"), ST_IO);
    made_free(r);
}

static void the_command_can_be_pasted_into_a_shell(void **state)
{
    struct results *r = made_results(small_plan, 1, 1, small_value);
    struct buf out = BUF_INIT(1000);

    (void)state;
    report_command(r, &out);
    assert_string_equal(out.data, "brood lab run made.plan");
    made_rename(&r->plan->file, "it's $(mine).plan");
    buf_clear(&out);
    report_command(r, &out);
    assert_string_equal(out.data, "brood lab run 'it'\\''s $(mine).plan'");
    buf_free(&out);
    made_free(r);
}

/* Model 1 is far above on three topics; freshness is the same for all. */
static double alike_value(const struct made_point *at)
{
    return at->metric == 1 ? 0.75 : at->x * (0.3 + 0.5 * at->model + 0.01 * at->topic);
}

#define FEW                                                                         \
    "name: few\nworlds: [w]\ntopics: labels\nmodels: [breadth-first, best-first]\n" \
    "pages: 10%\nsample: 1%\nat: [10%]\nmetrics: [recall, freshness]\nclaims:\n"    \
    "  - {id: A, metric: recall, source: me, better: best-first, than: breadth-first}\n"

/* One pair: Wilcoxon's p is 2^(1-n), below 0.05 from 6 topics on. */
static void too_few_topics_are_said_and_nothing_is_found_in_what_is_alike(void **state)
{
    struct results *r = made_results(FEW, 3, 11, alike_value);
    struct buf out = BUF_INIT(1 << 20);

    (void)state;
    report_terminal(r, &out);
    assert_true(has(&out, "On w 3 topics are too few for any verdict: Wilcoxon over 1 pair needs "
                          "at"));
    assert_false(has(&out, "cannot be told"));
    assert_true(has(&out, "A untested (too few topics: 6 are needed)"));
    assert_true(has(&out, "(t)"));
    assert_false(has(&out, "On w, freshness"));
    assert_true(has(&out, "the same for every model"));
    made_free(r);
    buf_clear(&out);
    r = made_results(FEW, 6, 11, alike_value);
    report_terminal(r, &out);
    assert_false(has(&out, "too few"));
    assert_true(has(&out, "It beats breadth-first"));
    assert_true(has(&out, "A reproduced"));
    buf_clear(&out);
    report_page_json(r, "c", &out); /* bands of shares end at 0 and 1 */
    assert_int_equal(times(&out, "\"share\":true"), 2);
    made_free(r);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_digits_that_matter),
        cmocka_unit_test(a_table_is_aligned_and_safe),
        cmocka_unit_test(curves_are_means_over_topics),
        cmocka_unit_test(the_curve_of_a_run_that_ended_stops),
        cmocka_unit_test(the_best_is_marked_and_what_does_not_apply_left_out),
        cmocka_unit_test(a_stopped_plan_is_said_to_be_so),
        cmocka_unit_test(lines_fit_a_hundred_columns),
        cmocka_unit_test(json_is_json),
        cmocka_unit_test(html_holds_no_markup_from_outside),
        cmocka_unit_test(the_same_results_give_the_same_page),
        cmocka_unit_test(a_page_that_cannot_be_written_is_an_error),
        cmocka_unit_test(the_command_can_be_pasted_into_a_shell),
        cmocka_unit_test(too_few_topics_are_said_and_nothing_is_found_in_what_is_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
