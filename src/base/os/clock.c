/* clock.c - the only place that asks the operating system for the time.
 * Civil dates by the era method (400-year cycles). SPDX-License-Identifier: MIT */
#include "base/os/clock.h"

#include <pthread.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * US_PER_S + t.tv_nsec / 1000;
}

static int64_t wall_offset; /* wall clock minus monotonic clock, fixed once */
static pthread_once_t wall_once = PTHREAD_ONCE_INIT;

static void wall_start(void)
{
    wall_offset = read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
}

int64_t clock_now(void)
{
    pthread_once(&wall_once, wall_start);
    return wall_offset + read_clock(CLOCK_MONOTONIC);
}

int64_t clock_boot(void)
{
    return read_clock(CLOCK_BOOTTIME);
}

int64_t clock_cpu_thread(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_days(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t in_era = y - era * 400;
    int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

void clock_civil(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;

    *ret_day = (int)(doy - (153 * mp + 2) / 5 + 1);
    *ret_month = (int)(mp < 10 ? mp + 3 : mp - 9);
    *ret_year = yoe + era * 400 + (*ret_month <= 2);
}

/* Writes a number with so many digits, and the character after it. */
static char *put_digits(char *at, int64_t number, int digits, char end)
{
    for (int i = digits; i-- > 0; number /= 10)
        at[i] = (char)('0' + number % 10);
    at[digits] = end;
    return at + digits + 1;
}

/* Written by hand, because printf takes a microsecond, and a page has six times in its records. */
void clock_format(int64_t moment, int digits, char *ret)
{
    int64_t seconds = moment / US_PER_S, us = moment % US_PER_S, days, year;
    int month, day, in_day;

    if (us < 0) {
        us += US_PER_S;
        seconds--;
    }
    days = seconds / 86400;
    in_day = (int)(seconds % 86400);
    if (in_day < 0) {
        in_day += 86400;
        days--;
    }
    clock_civil(days, &year, &month, &day);
    year = year < 0 ? 0 : year > 9999 ? 9999 : year;
    ret = put_digits(ret, year, 4, '-');
    ret = put_digits(ret, month, 2, '-');
    ret = put_digits(ret, day, 2, 'T');
    ret = put_digits(ret, in_day / 3600, 2, ':');
    ret = put_digits(ret, in_day / 60 % 60, 2, ':');
    ret = put_digits(ret, in_day % 60, 2, digits ? '.' : 'Z');
    if (digits)
        ret = put_digits(ret, digits == 3 ? us / 1000 : us, digits, 'Z');
    *ret = '\0';
}

void clock_sleep(int64_t us)
{
    struct timespec t = {us / US_PER_S, us % US_PER_S * 1000};

    if (us > 0)
        (void)nanosleep(&t, NULL);
}
