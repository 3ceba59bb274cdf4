/* date.c - dates as servers, feeds, pages and URLs write them.
 *
 * In: a text that should be a date. Out: microseconds since 1970 UTC.
 *
 * Three readers fill one struct date_parts, and parts_compose() alone decides whether
 * such a moment exists:
 *   iso_read     digits at fixed places (ISO 8601, RFC 3339, W3CDTF)
 *   words_read   words and numbers in nearly any order: a month's name says which
 *                number is which. HTTP (three forms), RFC 822 and 5322, English
 *   date_in_url  a year, a month and a day between separators
 *
 * Workload: a few calls a page, texts of 10 to 40 bytes; no allocation.
 *
 * Sources: RFC 9110 5.6.7, RFC 5322 3.3 and 4.3, RFC 3339, ISO 8601. Where we
 * differ: the weekday is not checked against the date (senders get it wrong, and
 * the rest right); dates before 1970 are none; "GMT-0400" is an offset; a two-digit
 * year below 70 is of this century.
 * SPDX-License-Identifier: MIT
 */
#include "parse/date.h"

#include "base/os/clock.h"
#include "base/mem.h"

#define YEAR_FIRST      1970
#define YEAR_LAST       2199
#define YEAR_NEVER      9999 /* in header fields */
#define MINUTES_PER_DAY 1440

struct date_parts {
    int year, month, day; /* -1: not seen */
    int hour, minute, second;
    int64_t fraction; /* us */
    int offset;       /* minutes east of UTC */
    bool has_time, has_zone;
    int year_last; /* the last year that is accepted */
};

static const struct date_parts parts_none = {
    .year = -1, .month = -1, .day = -1, .year_last = YEAR_LAST};

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

static bool parts_compose(const struct date_parts *p, int64_t *ret_us)
{
    int64_t seconds;

    if (p->year < YEAR_FIRST || p->year > p->year_last || p->month < 1 || p->month > 12 ||
        p->day < 1 || p->day > month_days(p->year, p->month))
        return false;
    if (p->hour > 23 || p->minute > 59 || p->second > 60 || p->offset <= -MINUTES_PER_DAY ||
        p->offset >= MINUTES_PER_DAY)
        return false;
    seconds = clock_days(p->year, p->month, p->day) * 86400 + p->hour * 3600 + p->minute * 60 +
              p->second - p->offset * 60;
    if (seconds < 0)
        return false;
    *ret_us = seconds * US_PER_S + p->fraction;
    return true;
}

/* ---- reading ------------------------------------------------------------------ */

/* A text and a place in it. */
struct date_reader {
    struct str s;
    size_t at;
};

static char peek(const struct date_reader *r)
{
    return r->at < r->s.len ? r->s.ptr[r->at] : '\0';
}

static bool skip_char(struct date_reader *r, char c)
{
    if (r->at >= r->s.len || r->s.ptr[r->at] != c)
        return false;
    r->at++;
    return true;
}

static size_t digits_ahead(const struct date_reader *r)
{
    size_t n = 0;

    while (r->at + n < r->s.len && ascii_is_digit(r->s.ptr[r->at + n]))
        n++;
    return n;
}

/* Reads exactly n digits. */
static bool read_digits(struct date_reader *r, size_t n, int *ret)
{
    int v = 0;

    if (digits_ahead(r) < n)
        return false;
    for (size_t i = 0; i < n; i++)
        v = v * 10 + (r->s.ptr[r->at++] - '0');
    *ret = v;
    return true;
}

/* Reads one or two digits. */
static bool read_short(struct date_reader *r, int *ret)
{
    size_t n = digits_ahead(r);

    return (n == 1 || n == 2) && read_digits(r, n, ret);
}

/* Reads ".123456" or ",5" after the seconds; digits beyond microseconds are dropped. */
static void read_fraction(struct date_reader *r, struct date_parts *p)
{
    int64_t unit = US_PER_S / 10;
    size_t start = r->at;

    if (!skip_char(r, '.') && !skip_char(r, ','))
        return;
    if (digits_ahead(r) == 0) {
        r->at = start;
        return;
    }
    for (size_t n = digits_ahead(r); n > 0; n--, unit /= 10)
        p->fraction += (r->s.ptr[r->at++] - '0') * unit;
}

/* Reads Z, +hh, +hhmm or +hh:mm. */
static bool read_offset(struct date_reader *r, struct date_parts *p)
{
    int sign = peek(r) == '-' ? -1 : 1, hours, minutes = 0;

    if (skip_char(r, 'Z') || skip_char(r, 'z')) {
        p->has_zone = true;
        return true;
    }
    if (!skip_char(r, '+') && !skip_char(r, '-'))
        return false;
    if (!read_digits(r, 2, &hours))
        return false;
    if (skip_char(r, ':') || digits_ahead(r) >= 2)
        if (!read_digits(r, 2, &minutes))
            return false;
    if (hours > 15 || minutes > 59)
        return false;
    p->offset = sign * (hours * 60 + minutes);
    p->has_zone = true;
    return true;
}

/* ---- ISO 8601 ------------------------------------------------------------------- */

/* The n-th day of a year, from 1. */
static bool day_of_year(struct date_parts *p, int n)
{
    if (p->year < YEAR_FIRST || n < 1)
        return false;
    for (p->month = 1; p->month <= 12; p->month++) {
        int days = month_days(p->year, p->month);
        if (n <= days) {
            p->day = n;
            return true;
        }
        n -= days;
    }
    return false;
}

/* Week 1 has the year's first Thursday; weeks begin on Monday. */
static bool day_of_week(struct date_parts *p, int week, int day)
{
    int64_t fourth = clock_days(p->year, 1, 4), year;
    int64_t monday = fourth - (fourth + 3) % 7; /* 1970-01-01 was a Thursday */

    if (week < 1 || week > 53 || day < 1 || day > 7 || p->year < YEAR_FIRST)
        return false;
    clock_civil(monday + (week - 1) * 7 + day - 1, &year, &p->month, &p->day);
    p->year = (int)year;
    return true;
}

static bool iso_week(struct date_reader *r, struct date_parts *p)
{
    int week, day = 1;

    if (!read_digits(r, 2, &week))
        return false;
    if ((skip_char(r, '-') || digits_ahead(r) == 1) && !read_digits(r, 1, &day))
        return false;
    return day_of_week(p, week, day);
}

/* Reads what follows the year: nothing, a month, month and day, day of the year, or week. */
static bool iso_day(struct date_reader *r, struct date_parts *p)
{
    bool dash = skip_char(r, '-');
    size_t n = digits_ahead(r);
    int day;

    p->month = p->day = 1;
    if (skip_char(r, 'W'))
        return iso_week(r, p);
    if (n == 3)
        return read_digits(r, 3, &day) && day_of_year(p, day);
    if (n == 0)
        return !dash;
    if (!dash)
        return n == 4 && read_digits(r, 2, &p->month) && read_digits(r, 2, &p->day);
    if (n != 2 || !read_digits(r, 2, &p->month))
        return false;
    return !skip_char(r, '-') || (digits_ahead(r) == 2 && read_digits(r, 2, &p->day));
}

static bool iso_time(struct date_reader *r, struct date_parts *p)
{
    bool colon;

    if (!read_digits(r, 2, &p->hour))
        return false;
    p->has_time = true;
    colon = skip_char(r, ':');
    if (!colon && digits_ahead(r) == 0)
        return true;
    if (!read_digits(r, 2, &p->minute))
        return false;
    if (colon ? skip_char(r, ':') : digits_ahead(r) >= 2) {
        if (!read_digits(r, 2, &p->second))
            return false;
        read_fraction(r, p);
    }
    return true;
}

static bool iso_read(struct date_reader *r, struct date_parts *p)
{
    if (!read_digits(r, 4, &p->year) || !iso_day(r, p))
        return false;
    if (r->at == r->s.len)
        return true;
    if (!skip_char(r, 'T') && !skip_char(r, 't') && !skip_char(r, ' '))
        return false;
    if (!iso_time(r, p))
        return false;
    if (r->at < r->s.len) {
        (void)skip_char(r, ' ');
        if (str_eq_i(str_sub(r->s, r->at, r->s.len), STR("UTC")))
            return true;
        if (!read_offset(r, p))
            return false;
    }
    return r->at == r->s.len;
}

bool date_iso(struct str s, int64_t *ret_us)
{
    struct date_reader r = {str_trim(s), 0};
    struct date_parts p = parts_none;

    return iso_read(&r, &p) && parts_compose(&p, ret_us);
}

/* ---- words and numbers ------------------------------------------------------------ */

/* Months and weekdays: the first three letters, or the whole name. */
static const struct str months[] = {
    STR("january"),   STR("february"), STR("march"),    STR("april"),
    STR("may"),       STR("june"),     STR("july"),     STR("august"),
    STR("september"), STR("october"),  STR("november"), STR("december"),
};
static const struct str weekdays[] = {
    STR("monday"), STR("tuesday"),  STR("wednesday"), STR("thursday"),
    STR("friday"), STR("saturday"), STR("sunday"),
};

/* RFC 822's zones and others that occur in feeds; minutes east of UTC. */
static const struct {
    struct str name;
    int offset;
} zones[] = {
    {STR("gmt"), 0},    {STR("utc"), 0},    {STR("ut"), 0},      {STR("z"), 0},
    {STR("wet"), 0},    {STR("bst"), 60},   {STR("west"), 60},   {STR("cet"), 60},
    {STR("met"), 60},   {STR("cest"), 120}, {STR("mest"), 120},  {STR("eet"), 120},
    {STR("eest"), 180}, {STR("msk"), 180},  {STR("est"), -300},  {STR("edt"), -240},
    {STR("et"), -300},  {STR("cst"), -360}, {STR("cdt"), -300},  {STR("ct"), -360},
    {STR("mst"), -420}, {STR("mdt"), -360}, {STR("mt"), -420},   {STR("pst"), -480},
    {STR("pdt"), -420}, {STR("pt"), -480},  {STR("akst"), -540}, {STR("akdt"), -480},
    {STR("hst"), -600}, {STR("jst"), 540},  {STR("kst"), 540},   {STR("aest"), 600},
    {STR("aedt"), 660}, {STR("nzst"), 720}, {STR("nzdt"), 780},
};

/* Words that are skipped: "on 15 November 2026 at 10:00". */
static const struct str fillers[] = {STR("at"), STR("on"), STR("of"), STR("the")};

/* Which of the alternatives are allowed. */
enum manner {
    BY_MACHINE, /* header fields and feeds */
    BY_PEOPLE,  /* ordinals, am and pm, fillers */
};

static int name_index(const struct str *names, size_t n, struct str word)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq_i(word, names[i]) || str_eq_i(word, str_sub(names[i], 0, 3)))
            return (int)i;
    return -1;
}

static bool read_zone(struct date_reader *r, struct date_parts *p, struct str word)
{
    for (size_t i = 0; i < ARRAY_LEN(zones); i++) {
        if (!str_eq_i(word, zones[i].name))
            continue;
        if (p->has_zone)
            return false;
        p->offset = zones[i].offset;
        p->has_zone = true;
        if (zones[i].offset == 0 && (peek(r) == '+' || peek(r) == '-'))
            (void)read_offset(r, p); /* "GMT-0400" */
        return true;
    }
    return false;
}

/* Applies am or pm to the 12-hour clock time before it. */
static bool read_half(struct date_parts *p, struct str word)
{
    bool pm = str_eq_i(word, STR("pm"));

    if (!pm && !str_eq_i(word, STR("am")))
        return false;
    if (!p->has_time || p->hour < 1 || p->hour > 12)
        return false;
    p->hour = p->hour % 12 + (pm ? 12 : 0);
    return true;
}

static bool read_word(struct date_reader *r, struct date_parts *p, enum manner manner)
{
    size_t from = r->at;
    struct str word;
    int month;

    while (r->at < r->s.len && ascii_is_alpha(r->s.ptr[r->at]))
        r->at++;
    word = str_sub(r->s, from, r->at);
    month = str_eq_i(word, STR("sept")) ? 8 : name_index(months, ARRAY_LEN(months), word);
    if (month >= 0 && p->month < 0) {
        p->month = month + 1;
        return true;
    }
    if (name_index(weekdays, ARRAY_LEN(weekdays), word) >= 0 || str_eq_i(word, STR("tues")) ||
        str_eq_i(word, STR("thurs")))
        return true;
    if (read_zone(r, p, word))
        return true;
    if (manner == BY_MACHINE)
        return str_eq_i(word, STR("T")) && p->day > 0 && !p->has_time;
    for (size_t i = 0; i < ARRAY_LEN(fillers); i++)
        if (str_eq_i(word, fillers[i]))
            return true;
    return read_half(p, word);
}

/* Reads "8:49", "08:49:37" or "08:49:37.5". */
static bool read_clock(struct date_reader *r, struct date_parts *p)
{
    if (p->has_time || !read_short(r, &p->hour) || !skip_char(r, ':') || !read_short(r, &p->minute))
        return false;
    if (skip_char(r, ':')) {
        if (!read_short(r, &p->second))
            return false;
        read_fraction(r, p);
    }
    p->has_time = true;
    return true;
}

/* Skips st, nd, rd or th after a day. */
static void skip_ordinal(struct date_reader *r)
{
    static const struct str endings[] = {STR("st"), STR("nd"), STR("rd"), STR("th")};
    struct str next = str_sub(r->s, r->at, r->at + 2);

    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (str_eq_i(next, endings[i])) {
            r->at += 2;
            return;
        }
}

/* Reads YYYYMMDD, if no part of a day has been read. */
static bool read_compact(struct date_reader *r, struct date_parts *p)
{
    return p->year < 0 && p->month < 0 && p->day < 0 && read_digits(r, 4, &p->year) &&
           read_digits(r, 2, &p->month) && read_digits(r, 2, &p->day);
}

/* Reads a number without a colon: a day, a year, or YYYYMMDD. */
static bool read_number(struct date_reader *r, struct date_parts *p, enum manner manner)
{
    size_t n = digits_ahead(r);
    int v;

    if (n == 8)
        return read_compact(r, p);
    if (n > 4 || !read_digits(r, n, &v))
        return false;
    if (p->day < 0 && n < 4 && v >= 1 && v <= 31) {
        p->day = v;
        if (manner == BY_PEOPLE)
            skip_ordinal(r);
        return true;
    }
    if (p->year >= 0 || (n != 2 && n != 4))
        return false;
    p->year = n == 4 ? v : v + (v < 70 ? 2000 : 1900);
    return true;
}

/* Skips a comment of RFC 822, which may be nested. */
static bool skip_comment(struct date_reader *r)
{
    int depth = 0;

    for (; r->at < r->s.len; r->at++) {
        depth += r->s.ptr[r->at] == '(';
        depth -= r->s.ptr[r->at] == ')';
        if (depth == 0) {
            r->at++;
            return true;
        }
    }
    return false;
}

static bool read_token(struct date_reader *r, struct date_parts *p, enum manner manner)
{
    char c = peek(r);
    size_t n = digits_ahead(r);

    if (n > 0 && r->at + n < r->s.len && r->s.ptr[r->at + n] == ':')
        return read_clock(r, p);
    if (n > 0)
        return read_number(r, p, manner);
    if (ascii_is_alpha(c))
        return read_word(r, p, manner);
    if ((c == '+' || c == '-') && p->has_time && !p->has_zone && r->at + 1 < r->s.len &&
        ascii_is_digit(r->s.ptr[r->at + 1]))
        return read_offset(r, p);
    if (c == '(')
        return skip_comment(r);
    r->at++;
    return ascii_is_space(c) || c == ',' || c == '-' || c == '/' || c == '.';
}

static bool words_read(struct str s, enum manner manner, int year_last, int64_t *ret_us)
{
    struct date_reader r = {str_trim(s), 0};
    struct date_parts p = parts_none;

    p.year_last = year_last;
    while (r.at < r.s.len)
        if (!read_token(&r, &p, manner))
            return false;
    return parts_compose(&p, ret_us);
}

bool date_http(struct str s, int64_t *ret_us)
{
    return words_read(s, BY_MACHINE, YEAR_NEVER, ret_us);
}

/* Reads 2026/11/15 or 2026.11.15. */
static bool year_first(struct date_reader *r, struct date_parts *p)
{
    char sep;

    if (!read_digits(r, 4, &p->year))
        return false;
    sep = peek(r);
    return (sep == '/' || sep == '.') && skip_char(r, sep) && read_short(r, &p->month) &&
           skip_char(r, sep) && read_short(r, &p->day);
}

/* Reads 15.11.2026: with dots, the day always comes first. */
static bool day_first(struct date_reader *r, struct date_parts *p)
{
    return read_short(r, &p->day) && skip_char(r, '.') && read_short(r, &p->month) &&
           skip_char(r, '.') && digits_ahead(r) == 4 && read_digits(r, 4, &p->year);
}

static bool numbers_read(struct str s, int64_t *ret_us)
{
    struct date_reader r = {str_trim(s), 0};
    struct date_parts p = parts_none;

    if (digits_ahead(&r) == 4 ? !year_first(&r, &p) : !day_first(&r, &p))
        return false;
    (void)skip_char(&r, ',');
    if (skip_char(&r, ' ') && !read_clock(&r, &p))
        return false;
    return r.at == r.s.len && parts_compose(&p, ret_us);
}

bool date_any(struct str s, int64_t *ret_us)
{
    s = str_trim(s);
    if (s.len < 4 || s.len > 80)
        return false;
    return date_iso(s, ret_us) || numbers_read(s, ret_us) ||
           words_read(s, BY_PEOPLE, YEAR_LAST, ret_us);
}

/* ---- dates in URLs ------------------------------------------------------------------ */

static bool is_url_separator(char c)
{
    return c == '/' || c == '-' || c == '_' || c == '.';
}

/* Reads a month of one or two digits, or of three letters. */
static bool url_month(struct date_reader *r, struct date_parts *p)
{
    if (digits_ahead(r) > 0)
        return read_short(r, &p->month);
    if (r->at + 3 > r->s.len)
        return false;
    p->month = name_index(months, ARRAY_LEN(months), str_sub(r->s, r->at, r->at + 3)) + 1;
    r->at += 3;
    return p->month > 0;
}

/* Reads the date at r->at: YYYY/MM/DD with the same separator twice, or YYYYMMDD. */
static bool url_day(struct date_reader *r, struct date_parts *p)
{
    size_t n = digits_ahead(r);
    char sep;

    if (n == 8)
        return read_compact(r, p);
    if (n != 4 || !read_digits(r, 4, &p->year))
        return false;
    sep = peek(r);
    if (!is_url_separator(sep) || !skip_char(r, sep) || !url_month(r, p) || !skip_char(r, sep))
        return false;
    return read_short(r, &p->day);
}

bool date_in_url(struct str path, int64_t *ret_us)
{
    for (size_t i = 1; i < path.len; i++) {
        struct date_reader r = {path, i};
        struct date_parts p = parts_none;

        if (!ascii_is_digit(path.ptr[i]) || !is_url_separator(path.ptr[i - 1]))
            continue;
        if (url_day(&r, &p) && p.year >= 1990 && p.year <= 2099 && parts_compose(&p, ret_us))
            return true;
    }
    return false;
}
