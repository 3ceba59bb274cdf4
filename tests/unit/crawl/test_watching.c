/* What a watch is made of: quiet hours, passes, the feed, the signature of a webhook.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "crawl/watch/digest.h"
#include "crawl/watch/atom.h"
#include "crawl/watch/pass.h"
#include "crawl/watch/webhook.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <time.h>

#define HOUR (3600 * US_PER_S)
#define DAY  (24 * HOUR)

/* ---- quiet hours ----------------------------------------------------------- */

static struct quiet hours(const char *text)
{
    struct quiet q;

    if (quiet_parse(str_of(text), &q) != ST_OK)
        fail_msg("%s", status_text());
    return q;
}

/* 2026-11-15 is 1794700800 s = 20772 days of 86400 s. */
#define NOON15 (INT64_C(20772) * DAY + 12 * HOUR)

static void a_digest_is_due_once_a_day(void **state)
{
    int half_past_seven = 0;

    (void)state;
    (void)setenv("TZ", "UTC", 1);
    tzset();
    assert_int_equal(digest_parse(STR("7:30"), &half_past_seven), ST_OK);
    assert_int_not_equal(digest_parse(STR("25:00"), &half_past_seven), ST_OK);
    assert_int_not_equal(digest_parse(STR("noon"), &half_past_seven), ST_OK);
    assert_true(digest_is_due(half_past_seven, NOON15 - 6 * HOUR, NOON15)); /* 06:00 */
    assert_false(digest_is_due(half_past_seven, NOON15 - 4 * HOUR, NOON15));
    assert_false(digest_is_due(half_past_seven, NOON15, NOON15 + 19 * HOUR));
    assert_true(digest_is_due(half_past_seven, NOON15, NOON15 + 20 * HOUR));
    assert_true(digest_is_due(half_past_seven, NOON15 - 72 * HOUR, NOON15 - 6 * HOUR));
}

static void quiet_hours_go_over_midnight(void **state)
{
    struct quiet night = hours("22:00-06:00"), day = hours("09:30-17:00");

    (void)state;
    (void)setenv("TZ", "UTC0", 1);
    tzset();
    assert_int_equal(quiet_until(&night, NOON15), 0);
    assert_int_equal(quiet_until(&night, NOON15 + 10 * HOUR), NOON15 + 18 * HOUR); /* 22:00 */
    assert_int_equal(quiet_until(&night, NOON15 + 17 * HOUR), NOON15 + 18 * HOUR); /* 05:00 */
    assert_int_equal(quiet_until(&night, NOON15 + 18 * HOUR), 0);                  /* 06:00 */
    assert_int_equal(quiet_until(&day, NOON15), NOON15 + 5 * HOUR);
    assert_int_equal(quiet_until(&day, NOON15 - 3 * HOUR), 0); /* 09:00 */
}

/* 2026-10-25: at 03:00 summer time the clocks of Berlin go back to 02:00. 20:00 UTC of
 * the day before is 22:00 there; 06:00 the next morning is 05:00 UTC, nine hours later. */
static void quiet_hours_are_local_also_when_the_clocks_change(void **state)
{
    struct quiet night = hours("22:00-06:00");
    int64_t evening = INT64_C(20750) * DAY + 20 * HOUR; /* 2026-10-24 */

    (void)state;
    (void)setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    assert_int_equal(quiet_until(&night, evening), evening + 9 * HOUR);
    (void)setenv("TZ", "UTC0", 1);
    tzset();
}

static void what_are_no_quiet_hours_is_refused(void **state)
{
    static const char *const wrong[] = {"",         "22:00",       "22:00-",  "25:00-06:00",
                                        "22-06",    "22:60-06:00", "6:0-7:0", "08:00-08:00",
                                        "a:00-b:00"};
    struct quiet q;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_int_equal(quiet_parse(str_of(wrong[i]), &q), ST_USAGE);
    q = hours("22:00-24:00");
    assert_int_equal(q.from, 1320);
    assert_int_equal(q.to, 0);
}

/* ---- passes ------------------------------------------------------------------ */

static void visit(struct pass *p, uint32_t url)
{
    struct event e = {.kind = EVENT_OUTCOME, .outcome = {.url = url, .is_final = true}};

    pass_event(p, &e);
}

/* 40 pages: 20 repeats and a twentieth of 40 are 22; the 23rd in a row ends the pass. */
static void a_pass_is_over_when_only_repeats_come(void **state)
{
    struct pass p;

    (void)state;
    pass_init(&p);
    for (uint32_t url = 1; url <= 40; url++)
        visit(&p, url);
    for (uint32_t i = 0; i < 22; i++)
        visit(&p, 1 + i % 2);
    assert_false(pass_is_over(&p, true, 1));
    visit(&p, 3);
    assert_true(pass_is_over(&p, true, 1));
    visit(&p, 41); /* something new: it goes on */
    assert_false(pass_is_over(&p, true, 1));
    pass_clear(&p);
}

static void a_pass_is_over_when_nothing_is_due(void **state)
{
    struct pass p;

    (void)state;
    pass_init(&p);
    assert_false(pass_is_over(&p, false, US_PER_S));
    assert_false(pass_is_over(&p, false, US_PER_S + PASS_IDLE - 1));
    assert_false(pass_is_over(&p, true, US_PER_S + PASS_IDLE)); /* something came up */
    assert_false(pass_is_over(&p, false, 2 * US_PER_S + PASS_IDLE));
    assert_true(pass_is_over(&p, false, 2 * US_PER_S + 2 * PASS_IDLE));
    pass_clear(&p);
}

/* ---- the feed ------------------------------------------------------------------ */

static void hostile_titles_stay_inside_their_element(void **state)
{
    struct atom *a = atom_new(NULL, STR("new on <coral> & co"), STR("brood"), 7, 2);
    struct news_item item = {.url = STR("http://a.test/?x=1&y=\"2\""),
                             .title = STR("</title><script>\x01]]>&lt;\xff\xfe \xef\xbf\xbf"),
                             .summary = STR("a < b"),
                             .at = NOON15,
                             .hash = 5};
    struct buf out = BUF_INIT(1 << 20);
    xmlDocPtr doc;

    (void)state;
    for (int i = 0; i < 3; i++) { /* the oldest of three makes room */
        item.hash++;
        atom_add(a, &item);
    }
    atom_show(a, NOON15, &out);
    doc = xmlReadMemory(out.data, (int)out.len, "feed", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    xmlFreeDoc(doc);
    assert_null(strstr(out.data, "<script>"));
    assert_null(strchr(out.data, '\x01'));
    assert_non_null(strstr(out.data, "<title>new on &lt;coral&gt; &amp; co</title>"));
    assert_non_null(strstr(out.data, "href=\"http://a.test/?x=1&amp;y=&quot;2&quot;\""));
    assert_non_null(strstr(out.data, "<updated>2026-11-15T12:00:00Z</updated>"));
    assert_ptr_equal(strstr(strstr(strstr(out.data, "<entry>") + 1, "<entry>") + 1, "<entry>"),
                     NULL);
    buf_free(&out);
    atom_free(a);
}

/* RFC 4231, test case 2. */
static void the_signature_is_hmac_sha_256(void **state)
{
    char text[WEBHOOK_SIGNATURE];

    (void)state;
    webhook_sign(STR("Jefe"), STR("what do ya want for nothing?"), text);
    assert_string_equal(text,
                        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_due_once_a_day),
        cmocka_unit_test(quiet_hours_go_over_midnight),
        cmocka_unit_test(quiet_hours_are_local_also_when_the_clocks_change),
        cmocka_unit_test(what_are_no_quiet_hours_is_refused),
        cmocka_unit_test(a_pass_is_over_when_only_repeats_come),
        cmocka_unit_test(a_pass_is_over_when_nothing_is_due),
        cmocka_unit_test(hostile_titles_stay_inside_their_element),
        cmocka_unit_test(the_signature_is_hmac_sha_256),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
