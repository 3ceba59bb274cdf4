/* The keeper of a node's place, with a bus in memory: a real one does not lose its messages, or
 * hold them back, when a test wants it. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "cluster/cluster.h"
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS     8
#define MESSAGES 32
#define PATIENCE 6000 /* steps of 10 ms */

struct key {
    char name[CLUSTER_LEASE];
    struct buf value;
    uint64_t revision;
};

static struct bus {
    pthread_mutex_t lock;
    struct key keys[KEYS];
    uint64_t revisions;
    uint32_t parts[MESSAGES]; /* of each message; they are all alike */
    uint64_t end;
    bool is_held; /* nothing can be read from the logs */
} bus = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct line {
    int unused;
};

/* ---- the line ---- */

void line_close(struct line *l)
{
    free(l);
}

static struct key *key_of(const char *name)
{
    size_t i = 0;

    while (bus.keys[i].revision && strcmp(bus.keys[i].name, name) != 0)
        assert_true(++i < KEYS);
    return &bus.keys[i];
}

enum status line_get(struct line *l, const char *key, struct buf *ret, uint64_t *ret_revision)
{
    struct key *k;
    bool there;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    k = key_of(key);
    there = k->revision > 0;
    if (there) {
        buf_add_str(ret, buf_str(&k->value));
        *ret_revision = k->revision;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return there ? ST_OK : status_fail(ST_MISSING, "no such key");
}

enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision)
{
    struct key *k;
    bool is_next;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    k = key_of(key);
    is_next = k->revision == last;
    if (is_next) {
        (void)snprintf(k->name, sizeof k->name, "%s", key);
        buf_free(&k->value);
        k->value = BUF_INIT(KIB(64));
        buf_add_str(&k->value, value);
        k->revision = *ret_revision = ++bus.revisions;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return is_next ? ST_OK : status_fail(ST_BUSY, "another was first");
}

static uint64_t message_add(uint32_t part)
{
    assert_true(bus.end + 1 < MESSAGES);
    bus.parts[++bus.end] = part;
    return bus.end;
}

enum status line_send(struct line *l, uint32_t part, struct str bytes, uint64_t *ret_number)
{
    (void)l, (void)bytes;
    (void)pthread_mutex_lock(&bus.lock);
    *ret_number = message_add(part);
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

enum status line_next(struct line *l, uint32_t part, uint64_t from, struct buf *ret,
                      uint64_t *ret_number)
{
    enum status st = ST_NET;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    while (from <= bus.end && bus.parts[from] != part)
        from++;
    if (!bus.is_held)
        st = from <= bus.end ? ST_OK : ST_MISSING;
    if (st == ST_OK) {
        buf_add_z(ret, "a batch");
        *ret_number = from;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return st == ST_OK ? ST_OK : status_fail(st, "no message");
}

enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number)
{
    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    *ret_number = bus.end;
    while (*ret_number > 0 && bus.parts[*ret_number] != part)
        --*ret_number;
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

enum status line_end(struct line *l, uint64_t *ret_number)
{
    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    *ret_number = bus.end;
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

void line_listen(struct line *l, uint32_t part, bool on)
{
    (void)l, (void)part, (void)on;
}

bool line_hint(struct line *l, uint32_t part)
{
    (void)l, (void)part;
    return true;
}

/* ---- nodes ---- */

static int clear_bus(void **state UNUSED)
{
    for (size_t i = 0; i < KEYS; i++) {
        buf_free(&bus.keys[i].value);
        bus.keys[i] = (struct key){0};
    }
    bus.end = bus.revisions = 0;
    bus.is_held = false;
    return 0;
}

static void found(void)
{
    struct buf bytes = BUF_INIT(KIB(64));
    uint64_t revision;
    struct book book;

    book_init(&book);
    book_save(&book, &bytes);
    assert_int_equal(line_set(NULL, CLUSTER_BOOK, buf_str(&bytes), 0, &revision), ST_OK);
    buf_free(&bytes);
}

static struct cluster *start(void)
{
    struct cluster_config config = {.id = 7, .lease = 60 * US_PER_S};
    struct cluster *c = NULL;

    assert_int_equal(cluster_start(calloc(1, sizeof(struct line)), &config, &c), ST_OK);
    return c;
}

static struct cluster_view view_of(struct cluster *c)
{
    struct cluster_report report = {0};
    struct cluster_view view;

    cluster_exchange(c, &report, &view);
    return view;
}

#define await(what)                           \
    do {                                      \
        int steps = 0;                        \
        while (!(what) && ++steps < PATIENCE) \
            clock_sleep(10 * US_PER_MS);      \
        assert_true(steps < PATIENCE);        \
    } while (0)

/* Did this come for the partition? All that came before it is taken, too. */
static bool came(struct cluster *c, enum incoming_kind kind, uint32_t part)
{
    bool is_it = false;

    for (struct incoming *in; !is_it && (in = cluster_take(c)) != NULL; free(in))
        is_it = in->kind == kind && in->part == part;
    return is_it;
}

/* As a process with the same number does when it joins. */
static void join_as(uint64_t id)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    struct lease lease;
    uint64_t revision;

    cluster_lease_key(id, key);
    do {
        assert_int_equal(cluster_lease(NULL, id, &lease, &revision), ST_OK);
        lease.run++;
        lease.turn++;
        buf_clear(&bytes);
        lease_save(&lease, &bytes);
    } while (line_set(NULL, key, buf_str(&bytes), revision, &revision) != ST_OK);
    buf_free(&bytes);
}

/* Else both would ask the same hosts, each of them with a delay of its own. */
static void a_node_stops_when_a_copy_of_its_directory_has_joined(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start();
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void a_partition_opens_although_the_end_of_its_log_was_lost(void **state UNUSED)
{
    static const uint32_t parts[] = {0, 0, 1, 1, 0};
    struct cluster *c;

    found();
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        (void)message_add(parts[i]);
    bus.is_held = true;
    c = start();
    await(came(c, INCOMING_BEGIN, 0));
    cluster_send(c, 1, 1, STR("a batch"));
    await(view_of(c).sent[1] == 1);
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 3;
    (void)pthread_mutex_unlock(&bus.lock);
    await(view_of(c).rollbacks == 1);
    (void)pthread_mutex_lock(&bus.lock);
    bus.is_held = false;
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_OPEN, 0));
    cluster_stop(c, BOOK_RUNNING, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_node_stops_when_a_copy_of_its_directory_has_joined, clear_bus),
        cmocka_unit_test_teardown(a_partition_opens_although_the_end_of_its_log_was_lost,
                                  clear_bus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
