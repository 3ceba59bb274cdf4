/* `world info`: a small world that moves, measured against figures made by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "sim/info.h"
#include "sim/scribe.h"
#include "sim/world.h"
#include "sim/world_digest.h"

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define HOUR  (INT64_C(3600) * US_PER_S)
#define BEGIN (1000 * 24 * HOUR)

/* Days after the beginning; times before it are negative. */
static int64_t day(double days)
{
    return BEGIN + (int64_t)(days * 24 * (double)HOUR);
}

static void page(struct scribe *s, const char *name, double days, uint32_t version_of,
                 const char *html)
{
    char url[100];

    (void)snprintf(url, sizeof url, "http://h.example/%s", name);
    assert_int_equal(scribe_page(s, &(struct scribe_answer){.url = str_of(url),
                                                            .type = STR("text/html"),
                                                            .at = day(days),
                                                            .version_of = version_of,
                                                            .body = str_of(html)}),
                     ST_OK);
}

static void label(struct scribe *s, const char *name, const char *text)
{
    char url[100];

    (void)snprintf(url, sizeof url, "http://h.example/%s", name);
    assert_int_equal(scribe_label(s, str_of(url), str_of(text)), ST_OK);
}

/* Ten days. a: there from the start, changes at 2 and at 8, its stamp alone at 4.
 * b: born at 5, never changes. c: there from the start, gone at 6. d: born at 1,
 * changes at 3, gone at 4, back unchanged at 9. */
static const char *moving(void)
{
    static char dir[128], window[64];
    struct scribe s;

    (void)snprintf(dir, sizeof dir, "%s/W", test_dir());
    (void)snprintf(window, sizeof window, "%lld %lld", (long long)day(0), (long long)day(10));
    assert_int_equal(scribe_open(&s, dir, "brood", day(0)), ST_OK);
    scribe_key(&s, "world_time", str_of(window));
    page(&s, "a", 0, 0, "$Id: 1 $ <a href=c>c</a> <a href=d>d</a> one");
    page(&s, "c", 0, 0, "c <a href=a>a</a>");
    page(&s, "d", 1, 0, "d");
    page(&s, "a", 2, 1, "$Id: 2 $ <a href=c>c</a> <a href=d>d</a> two");
    page(&s, "d", 3, 3, "d again");
    page(&s, "a", 4, 1, "$Id: 3 $ <a href=c>c</a> <a href=d>d</a> two");
    scribe_gone(&s, STR("http://h.example/d"), day(4));
    scribe_gone(&s, STR("http://h.example/c"), day(6));
    page(&s, "b", 5, 0, "b <a href=a>a</a> <a href=c>c</a> <a href=d>d</a> <a href=x>x</a>");
    page(&s, "a", 8, 1, "$Id: 3 $ <a href=c>c</a> <a href=d>d</a> three");
    page(&s, "d", 9, 3, "d again");
    label(&s, "a", "Science.Biology.Birds");
    label(&s, "a", "Geography.Europe");
    label(&s, "b", "Science.Biology.Birds");
    label(&s, "c", "Geography.Europe");
    label(&s, "nowhere", "Geography.Europe");
    assert_int_equal(scribe_close(&s, ST_OK), ST_OK);
    return dir;
}

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) < 1e-9))
        fail_msg("%.12g is not %.12g", found, wanted);
}

static void changes_births_and_ends_are_counted(void **state)
{
    struct world *w = NULL;
    struct world_info i;

    (void)state;
    assert_int_equal(world_open(moving(), &w), ST_OK);
    if (world_info(w, &i) != ST_OK)
        fail_msg("%s", status_text());
    assert_true(i.time.moves && i.time.begin == day(0) && i.time.end == day(10));
    assert_int_equal(i.pages, 4);
    assert_int_equal(i.time.versions, 9);
    assert_int_equal(i.time.modified, 5); /* a: 3, d: 2 */
    assert_int_equal(i.time.changes, 3);  /* a at 2 and 8, d at 3 */
    assert_int_equal(i.time.born, 2);     /* b, d */
    assert_int_equal(i.time.gone, 2);     /* c, d */
    /* a 10, b 5, c 6, d 3 and 1 */
    assert_near(i.time.page_days, 25);
    assert_near(i.time.changes_a_day, 3.0 / 25);
    assert_near(i.time.never_changing, 0.5);
    world_info_clear(&i);
    world_close(w);
}

static void a_page_counts_for_each_of_its_labels(void **state)
{
    struct world *w = NULL;
    struct world_info i;

    (void)state;
    assert_int_equal(world_open(moving(), &w), ST_OK);
    assert_int_equal(world_info(w, &i), ST_OK);
    assert_int_equal(i.ntopics, 2);
    for (uint32_t t = 0; t < 2; t++) {
        assert_int_equal(i.topics[t].pages, 2);
        assert_int_equal(i.topics[t].nseeds, 2);
        if (str_starts(i.topics[t].name, STR("Science")))
            assert_str(i.topics[t].words, "science biology birds");
    }
    /* Links of labelled pages: a: c, d; b: a, c, d; c: a. A label in common: a-c, b-a,
     * c-a; none: a-d, b-c, b-d. */
    assert_near(i.locality, 0.5);
    assert_int_equal(i.links, 7);
    world_info_clear(&i);
    world_close(w);
}

/* Pages in order of their first versions: a, c, d, b; their last ones have the numbers
 * 8, 2, 9, 7. */
static void links_are_those_of_the_last_versions_each_with_its_page(void **state)
{
    const uint64_t want_off[] = {0, 2, 3, 3, 6};
    const uint32_t want_to[] = {1, 2, 0, 0, 1, 2};
    struct world *w = NULL;
    uint64_t *off, links;
    uint32_t *to;

    (void)state;
    assert_int_equal(world_open(moving(), &w), ST_OK);
    assert_int_equal(world_links(w, &off, &to, &links), ST_OK);
    assert_memory_equal(off, want_off, sizeof want_off);
    assert_memory_equal(to, want_to, sizeof want_to);
    free(off);
    free(to);
    world_close(w);
}

/* As they were last: a links to c and d, b to a, c and d, c to a, d to nobody. So degrees out are
 * 2, 3, 1, 0 and in 2 (a), 0 (b), 2 (c), 2 (d). */
static void pages_are_counted_by_degree(void **state)
{
    static const uint32_t out[INFO_DEGREES] = {1, 1, 2}, in[INFO_DEGREES] = {1, 0, 3};
    struct world_info i;
    struct world *w = NULL;

    (void)state;
    assert_int_equal(world_open(moving(), &w), ST_OK);
    assert_int_equal(world_info(w, &i), ST_OK);
    assert_memory_equal(i.out_degrees, out, sizeof out);
    assert_memory_equal(i.in_degrees, in, sizeof in);
    world_info_clear(&i);
    world_close(w);
}

static void json_has_the_figures_of_time(void **state)
{
    struct buf out = BUF_INIT(1 << 20);
    struct world *w = NULL;
    struct world_info i;
    struct json j;

    (void)state;
    assert_int_equal(world_open(moving(), &w), ST_OK);
    assert_int_equal(world_info(w, &i), ST_OK);
    json_init(&j, &out);
    world_info_json(&i, &j);
    json_t *root = json_loads(out.data, 0, NULL), *time = json_object_get(root, "time");
    assert_true(json_is_integer(json_object_get(root, "out_cutoff")));
    assert_true(json_is_integer(json_object_get(root, "in_cutoff")));
    assert_int_equal(json_integer_value(json_object_get(time, "versions")), 9);
    assert_int_equal(json_integer_value(json_object_get(time, "changes")), 3);
    assert_string_equal(json_string_value(json_object_get(time, "begin")), "1972-09-27T00:00:00Z");
    json_decref(root);
    buf_free(&out);
    world_info_clear(&i);
    world_close(w);
}

static void change(const char *dir, const char *sql)
{
    char path[256];
    sqlite3 *db = NULL;

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A row of text for each of: pages, answers, labels, times. */
static void digest_parts(const char *dir, char parts[4][40])
{
    struct world_digest d;
    struct str rest, part;
    int n = 0;

    assert_int_equal(world_digest_take(dir, &d), ST_OK);
    assert_true(d.moves);
    rest = buf_str(&d.text);
    while (n < 4 && str_cut(&rest, ',', &part))
        (void)snprintf(parts[n++], 40, "%.*s", STR_ARG(part));
    assert_int_equal(n, 4);
    buf_free(&d.text);
}

static void the_digest_says_what_of_a_world_differs(void **state)
{
    static const struct {
        const char *sql;
        int part;
    } changes[] = {{"UPDATE page_row SET status = 404 WHERE id = 2", 0},
                   {"UPDATE label SET label = 'Geography.Asia' WHERE label = 'Geography.Europe'"
                    " AND url LIKE '%/c'",
                    2},
                   {"UPDATE page_row SET fetched_at = fetched_at + 1 WHERE id = 2", 3}};
    char before[4][40], now[4][40];
    const char *dir = moving();

    (void)state;
    digest_parts(dir, before);
    for (size_t i = 0; i < 3; i++) {
        change(dir, changes[i].sql);
        digest_parts(dir, now);
        for (int part = 0; part < 4; part++)
            assert_true((strcmp(before[part], now[part]) == 0) == (part != changes[i].part));
        memcpy(before, now, sizeof before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_births_and_ends_are_counted),
        cmocka_unit_test(a_page_counts_for_each_of_its_labels),
        cmocka_unit_test(links_are_those_of_the_last_versions_each_with_its_page),
        cmocka_unit_test(pages_are_counted_by_degree),
        cmocka_unit_test(json_has_the_figures_of_time),
        cmocka_unit_test(the_digest_says_what_of_a_world_differs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
