/* date: what servers, feeds, people and URLs write. SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "base/os/clock.h"
#include "parse/date.h"

typedef bool reader_fn(struct str s, int64_t *ret_us);

struct sample {
    const char *text;
    const char *moment; /* NULL: no date */
};

static void check(reader_fn *read, const struct sample *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t us = -7;
        bool is_date = read(str_of(samples[i].text), &us);
        char shown[CLOCK_TEXT] = "no date";

        if (is_date)
            clock_format(us, us % US_PER_S ? 3 : 0, shown);
        else
            assert_int_equal(us, -7); /* untouched */
        if (strcmp(shown, samples[i].moment ? samples[i].moment : "no date") != 0)
            fail_msg("'%s' gave %s", samples[i].text, shown);
    }
}

#define CHECK(read, ...)                                        \
    do {                                                        \
        static const struct sample samples[] = {__VA_ARGS__};   \
        check(read, samples, sizeof samples / sizeof *samples); \
    } while (0)

static void iso_dates_are_read(void **state)
{
    (void)state;
    CHECK(date_iso, {"2026-11-15T10:00:00Z", "2026-11-15T10:00:00Z"},
          {"2026-11-15T10:00:00.5+01:00", "2026-11-15T09:00:00.500Z"},
          {"2026-11-15T10:00:00-0530", "2026-11-15T15:30:00Z"},
          {"2026-11-15 10:00", "2026-11-15T10:00:00Z"},
          {"2026-11-15 10:00:00 +0200", "2026-11-15T08:00:00Z"},
          {"20261115T100000Z", "2026-11-15T10:00:00Z"}, {"20261115", "2026-11-15T00:00:00Z"},
          {"2026-11-15", "2026-11-15T00:00:00Z"}, {"2026-11", "2026-11-01T00:00:00Z"},
          {"2026", "2026-01-01T00:00:00Z"}, {"2026-319", "2026-11-15T00:00:00Z"},
          {"2026-W46-7", "2026-11-15T00:00:00Z"}, {"2009-W01-1", "2008-12-29T00:00:00Z"},
          {"2024-02-29", "2024-02-29T00:00:00Z"}, {"2024-366", "2024-12-31T00:00:00Z"},
          {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
          {" 2026-11-15 ", "2026-11-15T00:00:00Z"}, {"2026-11-15T10Z", "2026-11-15T10:00:00Z"});
}

static void impossible_iso_dates_are_none(void **state)
{
    (void)state;
    CHECK(date_iso, {"2023-02-29", NULL}, {"2026-13-01", NULL}, {"2026-00-10", NULL},
          {"2026-11-31", NULL}, {"2026-11-15T24:30:00Z", NULL}, {"2026-11-15T10:60:00Z", NULL},
          {"1969-12-31", NULL}, {"9999-01-01", NULL}, {"2023-366", NULL}, {"2026-W54-1", NULL},
          {"2026-11-15x", NULL}, {"2026-11-15T", NULL}, {"2026-1-5", NULL}, {"", NULL},
          {"2026-11-15T10:00:00+25:00", NULL}, {"-2026-11-15", NULL}, {"202611151", NULL});
}

static void mail_dates_have_zones_and_short_years(void **state)
{
    (void)state;
    CHECK(date_any, {"Sun, 15 Nov 2026 10:00:00 GMT", "2026-11-15T10:00:00Z"},
          {"Sun, 15 Nov 26 10:00 EST", "2026-11-15T15:00:00Z"},
          {"15 Nov 2026 10:00:00 +0100", "2026-11-15T09:00:00Z"},
          {"Sun, 15 Nov 2026 10:00:00 -0800 (PST)", "2026-11-15T18:00:00Z"},
          {"Thu, 1 Jan 04 19:48:21 PDT", "2004-01-02T02:48:21Z"},
          {"Sun Nov 15 10:00:00 2026", "2026-11-15T10:00:00Z"},
          {"Sunday, 15-Nov-26 10:00:00 GMT", "2026-11-15T10:00:00Z"},
          {"Sun, 15 Nov 2026", "2026-11-15T00:00:00Z"},
          {"Sat, 15-Apr-17 21:01:22 GMT-0400 (EDT)", "2017-04-16T01:01:22Z"},
          {"Sun, 31 Nov 2026 10:00:00 GMT", NULL}, {"Sun, 15 Foo 2026 10:00:00 GMT", NULL},
          {"15 Nov 10:00:00", NULL}, {"Nov 2026", NULL}, {"hello", NULL}, {"", NULL});
}

static void written_dates_are_read(void **state)
{
    (void)state;
    CHECK(date_any, {"15 November 2026", "2026-11-15T00:00:00Z"},
          {"Nov 15, 2026", "2026-11-15T00:00:00Z"}, {"November 15th, 2026", "2026-11-15T00:00:00Z"},
          {"Sunday 15 Nov. 2026", "2026-11-15T00:00:00Z"},
          {"November 15th, 2026 at 3:04 pm", "2026-11-15T15:04:00Z"},
          {"Sept 1, 2026 12:30 AM", "2026-09-01T00:30:00Z"},
          {"1st of May 2026", "2026-05-01T00:00:00Z"}, {"2026/11/15", "2026-11-15T00:00:00Z"},
          {"15.11.2026", "2026-11-15T00:00:00Z"}, {"15.11.2026, 10:30", "2026-11-15T10:30:00Z"},
          {"2026-11-15T10:00:00Z", "2026-11-15T10:00:00Z"},
          {"Sun, 15 Nov 2026 10:00:00 GMT", "2026-11-15T10:00:00Z"}, {"3/4/2026", NULL},
          {"November", NULL}, {"15 November", NULL}, {"31 June 2026", NULL},
          {"15 November 2026 and more", NULL}, {"13:00 pm 1 May 2026", NULL}, {"12", NULL},
          {"1234567890123", NULL});
}

static void dates_in_urls_are_whole_days(void **state)
{
    (void)state;
    CHECK(date_in_url, {"/2026/11/15/title", "2026-11-15T00:00:00Z"},
          {"/news/2026-11-15-title.html", "2026-11-15T00:00:00Z"},
          {"/a/20261115/b", "2026-11-15T00:00:00Z"},
          {"/world/2026/nov/15/x", "2026-11-15T00:00:00Z"}, {"/x_2026_1_5", "2026-01-05T00:00:00Z"},
          {"/2026/1/5", "2026-01-05T00:00:00Z"}, {"/post-20261115.html", "2026-11-15T00:00:00Z"},
          {"/2026/11/", NULL}, {"/2026", NULL}, {"/2026/13/15/", NULL}, {"/1234/11/15/", NULL},
          {"/120261115/", NULL}, {"/20261399/", NULL}, {"/2026/11/155/", NULL}, {"/", NULL},
          {"", NULL}, {"/2026/11-15/", NULL}, {"/item/99991231", NULL});
}

/* ---- the dates of curl's tests ---------------------------------------------------- */

/* Where we differ from curl, on purpose. */
static const struct {
    const char *text; /* of the date, or a part of it */
    const char *why;
} differs[] = {
    {"April", "a month's whole name is fine"},
    {"GMT-", "an offset behind GMT counts"},
    {"BLAH", "unknown words are never skipped"},
    {"hello there", "a comment is no part of the date"},
    {"1969", "before 1970"},
    {"1968", "before 1970"},
    {"1900", "before 1970"},
    {"1800", "before 1970"},
    {"1583", "before 1970"},
    {"3144", "too far ahead"},
    {"2044", "a 64-bit time can hold it"},
    {"20040911 +0200", "an offset without a time"},
    {"\\", "no separator of ours"},
    {"\"", "no separator of ours"},
    {", 1-Jan", "a lonely comma"},
};

static const char *explain(struct str text)
{
    for (size_t i = 0; i < sizeof differs / sizeof *differs; i++)
        if (str_find(text, str_of(differs[i].text), 0) != SIZE_MAX)
            return differs[i].why;
    return NULL;
}

static void dates_of_curl_hold_or_are_explained(void **state)
{
    NEED_DATA(path, "http/dates.tsv");
    struct buf b = BUF_INIT(1 << 20);
    struct str rest, line, text;
    unsigned n = 0, same = 0;

    (void)state;
    test_read(path, &b);
    rest = buf_str(&b);
    while (str_cut(&rest, '\n', &line)) {
        long long want;
        int64_t us = 0;
        bool is_date;

        if (line.ptr[0] == '#' || !str_cut(&line, '\t', &text))
            continue;
        want = strtoll(line.ptr, NULL, 10);
        is_date = date_http(text, &us);
        n++;
        if (is_date ? us == want * US_PER_S : want == -1) {
            same++;
            continue;
        }
        if (explain(text) == NULL)
            fail_msg("%.*s: want %lld, got %lld", STR_ARG(text), want,
                     is_date ? (long long)(us / US_PER_S) : -1);
        print_message("# differs: %.*s: %s\n", STR_ARG(text), explain(text));
    }
    print_message("# %u of %u as curl reads them\n", same, n);
    assert_true(n > 90);
    assert_true(same * 100 > n * 75);
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iso_dates_are_read),
        cmocka_unit_test(impossible_iso_dates_are_none),
        cmocka_unit_test(mail_dates_have_zones_and_short_years),
        cmocka_unit_test(written_dates_are_read),
        cmocka_unit_test(dates_in_urls_are_whole_days),
        cmocka_unit_test(dates_of_curl_hold_or_are_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
