/* clock.h - the only place that asks the operating system for the time.
 *
 * A moment is an int64_t of microseconds since 1970-01-01 UTC; a duration has
 * the same unit. Modules never read a clock: `now` arrives as an argument, so
 * that the simulator can run them in virtual time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define US_PER_MS INT64_C(1000)
#define US_PER_S  INT64_C(1000000)

/* Wall-clock time that never goes back while the process lives: the wall clock
 * at the first call, advanced by the monotonic clock. */
int64_t clock_now(void);

/* Time since the machine started, time asleep included: for leases, which also expire while this
 * machine sleeps. */
int64_t clock_boot(void);

/* CPU time of this thread. */
int64_t clock_cpu_thread(void);

/* "2026-11-15T10:00:00.123456Z" (digits: 0, 3 or 6 decimals). `ret` needs
 * CLOCK_TEXT bytes. Years outside 0..9999 are clamped. */
#define CLOCK_TEXT 32
void clock_format(int64_t moment, int digits, char *ret);

/* Days since 1970-01-01 of a civil date (proleptic Gregorian), and back. */
int64_t clock_days(int64_t year, int month, int day);
void clock_civil(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day);

/* Sleeps. Only for programs themselves (progress, tests), never for a module. */
void clock_sleep(int64_t us);
