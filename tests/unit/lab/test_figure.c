/* Figures: the numbers of their lines worked out by hand, XML that every reader takes.
 * SPDX-License-Identifier: MIT */
#include "made.h"

#include "lab/report/report_int.h"
#include "lab/report/svg.h"

#include <libxml/parser.h>
#include <math.h>

/* Model 0 has x (0 to 1) in every topic, model 1 topic / 4 throughout. */
static const char plan_text[] = "name: drawn\n"
                                "worlds: [one, two]\n"
                                "topics: labels\n"
                                "models: [breadth-first, best-first]\n"
                                "pages: 10%\n"
                                "repeats: 1\n"
                                "sample: 1%\n"
                                "metrics: [recall, age]\n"
                                "figures:\n"
                                "  - {id: first, says: \"A & B\", metric: recall, world: one}\n"
                                "  - {id: second, metric: recall, x: time, runs: 0, high: 2,\n"
                                "     models: [best-first]}\n";

static double value(const struct made_point *at)
{
    return at->metric == 1 ? NAN : at->model ? 0.25 * at->topic : at->x;
}

static struct results *drawn(size_t figure, struct buf *out)
{
    struct results *r = made_results(plan_text, 3, 3, value);

    if (report_figure(r, &r->plan->figures[figure], out) != ST_OK)
        fail_msg("%s", status_text());
    return r;
}

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

/* The box of the first panel: x from 64 to 440, y from 296 (0) up to 58 (1). */
static void lines_go_through_the_points_worked_out_by_hand(void **state)
{
    struct buf out = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);

    (void)state;
    made_free(drawn(0, &out));
    /* (0, 0), (5 %, .5), (10 %, 1): once thick, and a thin line for each of three topics. */
    assert_int_equal(times(&out, "d=\"M64 296L252 177L440 58\""), 4);
    /* Topics have 0, .25, .5: the mean is .25, its half width t(2) .25 / sqrt 3 = .6210. */
    assert_true(has(&out, "d=\"M64 236.5L252 236.5L440 236.5\""));
    assert_true(has(&out, "M64 88.7L252 88.7L440 88.7L440 384.3L252 384.3L64 384.3Z"));
    assert_true(has(&out, ">10</text>")); /* a tick in per cent */
    assert_true(has(&out, "% of the pages that can be reached"));
    made_free(drawn(0, &again));
    assert_true(str_eq(buf_str(&out), buf_str(&again)));
    buf_free(&out);
    buf_free(&again);
}

/* In `made` results a page takes a second: 100 pages are 100 s. Two worlds, two panels. */
static void a_figure_shows_what_its_plan_names(void **state)
{
    struct buf out = BUF_INIT(1 << 20);

    (void)state;
    made_free(drawn(1, &out));
    assert_true(has(&out, ">seconds</text>"));
    assert_true(has(&out, ">100</text>"));
    assert_int_equal(times(&out, "<clipPath"), 2);
    assert_false(has(&out, "breadth-first"));
    assert_false(has(&out, "Thin:"));
    /* `high: 2`: the mean of .25 lies an eighth up, at 296 - 238 / 8. */
    assert_true(has(&out, "d=\"M64 266.2L252 266.2L440 266.2\""));
    assert_true(has(&out, "d=\"M524 266.2L712 266.2L900 266.2\""));
    buf_free(&out);
}

static void a_crawl_that_died_has_a_cross_and_no_line_beyond(void **state)
{
    struct results *r = made_results(plan_text, 3, 3, value);
    struct buf out = BUF_INIT(1 << 20);

    (void)state;
    for (size_t i = 0; i < r->nruns; i++) {
        r->runs[i].pages = r->runs[i].topic == 0 && r->runs[i].model == 0 ? 50 : 100;
        r->runs[i].npoints = r->runs[i].pages == 50 ? 2 : 3;
    }
    assert_int_equal(report_figure(r, &r->plan->figures[0], &out), ST_OK);
    assert_int_equal(times(&out, "d=\"M249 174L255 180M249 180L255 174\""), 1);
    assert_int_equal(times(&out, "d=\"M64 296L252 177\""), 1);
    assert_int_equal(times(&out, "d=\"M64 296L252 177L440 58\""), 3);
    made_free(r);
    buf_free(&out);
}

/* Two models have bands (paths that are closed), six have none. */
static void the_bands_of_many_models_are_left_out(void **state)
{
    static const char many[] = "name: many\nworlds: [one]\ntopics: labels\nmodels:\n"
                               "  - breadth-first\n"
                               "  - {name: best-first, set: {n: [1, 2, 4, 8, 16]}}\n"
                               "pages: 10%\nrepeats: 1\nsample: 1%\nmetrics: [recall, age]\n"
                               "figures:\n  - {id: all, metric: recall}\n";
    struct buf two = BUF_INIT(1 << 20), six = BUF_INIT(1 << 20);
    struct results *r = made_results(many, 3, 3, value);

    (void)state;
    made_free(drawn(0, &two));
    assert_int_equal(times(&two, "Z\""), 2);
    assert_true(has(&two, "mean and 95 % interval"));
    assert_int_equal(report_figure(r, &r->plan->figures[0], &six), ST_OK);
    assert_int_equal(times(&six, "Z\""), 0);
    assert_false(has(&six, "95 % interval"));
    made_free(r);
    buf_free(&two);
    buf_free(&six);
}

/* A row has (560 - 100) / 6.9 = 66 letters; the label has 90. */
static void a_long_label_goes_on_in_the_next_row(void **state)
{
    static const char plan[] =
        "name: long\nworlds: [one]\ntopics: labels\nmodels:\n"
        "  - {name: infospiders, set: {variant: frontier, max_population: 10, max_pages: 2500,"
        " cost: constant, learn: none}}\n"
        "pages: 10%\nrepeats: 1\nsample: 1%\nmetrics: [recall, age]\n"
        "figures:\n  - {id: all, metric: recall}\n";
    struct results *r = made_results(plan, 3, 3, value);
    struct buf out = BUF_INIT(1 << 20);

    (void)state;
    assert_int_equal(report_figure(r, &r->plan->figures[0], &out), ST_OK);
    assert_true(has(&out, ">infospiders variant=frontier max_population=10 max_pages=2500</text>"));
    assert_true(has(&out, ">cost=constant learn=none</text>"));
    made_free(r);
    buf_free(&out);
}

static void every_figure_is_xml_whatever_names_are(void **state)
{
    struct results *r = made_showcase();
    struct buf out = BUF_INIT(1 << 22);
    struct plan_figure f;
    xmlDoc *doc;

    (void)state;
    plan_figure_init(&f);
    f.metric = (char *)"recall";
    f.says = (char *)"</title><script>\x01\xff";
    assert_int_equal(report_figure(r, &f, &out), ST_OK);
    doc = xmlReadMemory(out.data, (int)out.len, "figure.svg", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    assert_string_equal((const char *)xmlDocGetRootElement(doc)->name, "svg");
    assert_false(has(&out, "<script"));
    assert_false(has(&out, "<b>"));
    xmlFreeDoc(doc);
    xmlCleanupParser();
    made_free(r);
    buf_free(&out);
}

static void what_was_not_measured_cannot_be_drawn(void **state)
{
    struct results *r = made_results(plan_text, 3, 3, value);
    struct buf out = BUF_INIT(1 << 20);
    struct plan_figure f;

    (void)state;
    plan_figure_init(&f);
    f.metric = (char *)"swing";
    assert_int_equal(report_figure(r, &f, &out), ST_USAGE);
    assert_string_equal(status_text(), "'swing' was not measured; there are: recall, age");
    f.metric = (char *)"age";
    assert_int_equal(report_figure(r, &f, &out), ST_USAGE);
    assert_string_equal(status_text(), "no run has a value of 'age'");
    f.metric = (char *)"recall";
    f.world = (char *)"three";
    assert_int_equal(report_figure(r, &f, &out), ST_USAGE);
    assert_string_equal(status_text(), "the results have no world 'three'");
    made_free(r);
    buf_free(&out);
}

static void ticks_are_round_numbers(void **state)
{
    static const struct {
        double to, step, above;
    } table[] = {{1, 0.2, 1}, {0.93, 0.2, 1}, {1401, 200, 1600}, {18, 5, 20}, {0, 1, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(fabs(svg_step(0, table[i].to) - table[i].step) < 1e-12);
        assert_true(fabs(svg_above(0, table[i].to) - table[i].above) < 1e-9);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_through_the_points_worked_out_by_hand),
        cmocka_unit_test(a_figure_shows_what_its_plan_names),
        cmocka_unit_test(a_crawl_that_died_has_a_cross_and_no_line_beyond),
        cmocka_unit_test(the_bands_of_many_models_are_left_out),
        cmocka_unit_test(a_long_label_goes_on_in_the_next_row),
        cmocka_unit_test(every_figure_is_xml_whatever_names_are),
        cmocka_unit_test(what_was_not_measured_cannot_be_drawn),
        cmocka_unit_test(ticks_are_round_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
