/* test_connections.c - slow clients have to go. SPDX-License-Identifier: MIT */
#include "dash/connections.h"
#include "base/os/clock.h"
#include "base/limits.h"
#include "support/support.h"

#include <sys/socket.h>
#include <unistd.h>

#define SECOND US_PER_S
#define MANY   LIMIT_DASH_CONNECTIONS

static struct connections all;
static struct connection *one[MANY];
static int ours[MANY], theirs[MANY];

/* n of them, all since moment 0. */
static void open_all(size_t n)
{
    connections_init(&all, LIMIT_DASH_CONNECTIONS);
    for (size_t i = 0; i < n; i++) {
        int pair[2];

        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
        ours[i] = pair[0];
        theirs[i] = pair[1];
        one[i] = connections_add(&all, ours[i], 0);
    }
}

static void close_all(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        connections_remove(&all, one[i]);
        (void)close(ours[i]);
        (void)close(theirs[i]);
    }
    connections_clear(&all);
}

static bool is_ended(size_t i)
{
    char byte;

    return recv(theirs[i], &byte, 1, 0) == 0;
}

static size_t count_ended(size_t from, size_t to)
{
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        n += is_ended(i);
    return n;
}

static void a_request_has_to_come_in_time(void **state)
{
    (void)state;
    open_all(4);
    connections_busy(&all, one[1], false, SECOND);
    connections_busy(&all, one[2], true, SECOND);
    connections_busy(&all, one[3], false, SECOND);
    connections_idle(&all, one[3], 9 * SECOND); /* its answer is done: the next request's time */
    connections_sweep(&all, LIMIT_DASH_HEAD_SECONDS * SECOND);
    assert_int_equal(count_ended(0, 4), 0);
    connections_sweep(&all, (LIMIT_DASH_HEAD_SECONDS + 1) * SECOND);
    assert_true(is_ended(0));
    assert_int_equal(count_ended(1, 4), 0);
    connections_sweep(&all, (LIMIT_DASH_HEAD_SECONDS + 10) * SECOND);
    assert_true(is_ended(3));
    assert_int_equal(count_ended(1, 3), 0);
    close_all(4);
}

static void an_answer_has_to_be_read_in_time(void **state)
{
    (void)state;
    open_all(2);
    connections_busy(&all, one[0], false, 0);
    connections_busy(&all, one[1], true, 0); /* a stream stays */
    connections_sweep(&all, LIMIT_DASH_READ_SECONDS * SECOND);
    assert_int_equal(count_ended(0, 2), 0);
    connections_sweep(&all, LIMIT_DASH_READ_SECONDS * SECOND + 1);
    assert_true(is_ended(0));
    assert_false(is_ended(1));
    close_all(2);
}

/* Room for a quarter is kept: those who ask nothing go first, then those who do not read. */
static void where_room_is_scarce_the_slowest_go(void **state)
{
    size_t half = MANY / 2, quarter = MANY / 4;

    (void)state;
    open_all(MANY);
    for (size_t i = 0; i < half; i++)
        connections_busy(&all, one[i], i < 10, 0);
    connections_sweep(&all, SECOND / 10);
    assert_int_equal(count_ended(0, MANY), 0); /* nobody is slow yet */
    connections_sweep(&all, SECOND);
    assert_int_equal(count_ended(0, half), 0);
    assert_int_equal(count_ended(half, MANY), quarter);
    for (size_t i = half; i < MANY; i++) /* all that are left ask, and do not read */
        connections_busy(&all, one[i], false, SECOND);
    for (size_t i = half; i < half + quarter; i++) {
        connections_remove(&all, one[i]);
        one[i] = connections_add(&all, ours[i], SECOND);
        connections_busy(&all, one[i], false, SECOND);
    }
    connections_sweep(&all, 30 * SECOND);
    assert_int_equal(count_ended(0, 10), 0); /* streams */
    assert_int_equal(count_ended(10, half), quarter);
    close_all(MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_has_to_come_in_time),
        cmocka_unit_test(an_answer_has_to_be_read_in_time),
        cmocka_unit_test(where_room_is_scarce_the_slowest_go),
    };

    return cmocka_run_group_tests_name("dash connections", tests, NULL, NULL);
}
