/* The keeper of a node's place, with a bus in memory: a real one does not lose its messages, or
 * hold them back, when a test wants it. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "cluster/batch.h"
#include "cluster/cluster.h"
#include "cluster/snapshot.h"
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS     200
#define KEY      64 /* bytes of a name */
#define MESSAGES 32
#define PATIENCE 60000 /* steps of 10 ms */

struct key {
    char name[KEY];
    struct buf value;
    uint64_t revision;
};

static struct bus {
    pthread_mutex_t lock;
    struct key keys[KEYS];
    uint64_t revisions;
    uint32_t parts[MESSAGES];   /* of each message … */
    struct buf bytes[MESSAGES]; /* … and what it says */
    uint64_t end;
    bool is_held; /* nothing can be read from the logs */
    bool races;   /* another node writes the book when we do, and is told that it was first, too */
    struct buf before; /* the book before our last change of it */
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
        if (strcmp(key, CLUSTER_BOOK) == 0) {
            buf_free(&bus.before);
            bus.before = k->value;
            k->value = BUF_INIT(0);
        }
        buf_free(&k->value);
        k->value = BUF_INIT(KIB(64));
        buf_add_str(&k->value, value);
        k->revision = *ret_revision = ++bus.revisions;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return is_next ? ST_OK : status_fail(ST_BUSY, "another was first");
}

/* The other's write comes through: it knew nothing of ours. */
enum status line_settle(struct line *l)
{
    struct key *k;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    k = key_of(CLUSTER_BOOK);
    if (bus.races) {
        buf_clear(&k->value);
        buf_add_str(&k->value, buf_str(&bus.before));
        k->revision = ++bus.revisions;
        bus.races = false;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

enum status line_put(struct line *l, const char *key, struct str value)
{
    struct key *k;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    k = key_of(key);
    (void)snprintf(k->name, sizeof k->name, "%s", key);
    buf_free(&k->value);
    k->value = BUF_INIT(MIB(1));
    buf_add_str(&k->value, value);
    k->revision = ++bus.revisions;
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

static uint64_t message_add(uint32_t part, struct str bytes)
{
    struct buf *b;

    assert_true(bus.end + 1 < MESSAGES);
    bus.parts[++bus.end] = part;
    b = &bus.bytes[bus.end];
    buf_free(b);
    *b = BUF_INIT(LIMIT_BATCH);
    buf_add_str(b, bytes);
    return bus.end;
}

enum status line_send(struct line *l, uint32_t part, struct str bytes, uint64_t *ret_number)
{
    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    *ret_number = message_add(part, bytes);
    (void)pthread_mutex_unlock(&bus.lock);
    return ST_OK;
}

void line_send_all(struct line *l, struct line_letter *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t last;

        letters[i].number = letters[i].id = 0;
        if (letters[i].behind == LINE_ANYWHERE ||
            (line_last(l, letters[i].part, &last) == ST_OK && last == letters[i].behind))
            (void)!line_send(l, letters[i].part, letters[i].bytes, &letters[i].number);
    }
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
        buf_add_str(ret, buf_str(&bus.bytes[from]));
        *ret_number = from;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return st == ST_OK ? ST_OK : status_fail(st, "no message");
}

void line_next_all(struct line *l, struct line_want *wants, size_t count, line_found_fn *fn,
                   void *ctx)
{
    for (size_t i = 0; i < count; i++) {
        struct buf bytes = BUF_INIT(LIMIT_BATCH);
        uint64_t number;

        wants[i].st = line_next(l, wants[i].part, wants[i].from, &bytes, &number);
        if (wants[i].st == ST_OK)
            fn(ctx, i, number, buf_str(&bytes));
        buf_free(&bytes);
    }
}

enum status line_walk(struct line *l, uint32_t part, uint64_t from, size_t most, line_walk_fn *fn,
                      void *ctx)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    enum status st = ST_OK;
    bool more = true;

    for (size_t n = 0; n < most && more && st == ST_OK; n++) {
        buf_clear(&bytes);
        st = line_next(l, part, from, &bytes, &from);
        if (st == ST_OK)
            more = fn(ctx, from++, buf_str(&bytes));
    }
    buf_free(&bytes);
    return st;
}

enum status line_peek(struct line *l, uint64_t number, struct buf *ret, uint32_t *ret_part)
{
    bool there;

    (void)l;
    (void)pthread_mutex_lock(&bus.lock);
    there = number <= bus.end;
    if (there) {
        buf_add_str(ret, buf_str(&bus.bytes[number]));
        *ret_part = bus.parts[number];
    }
    (void)pthread_mutex_unlock(&bus.lock);
    return there ? ST_OK : status_fail(ST_MISSING, "no such message");
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

enum status line_last_all(struct line *l, const uint32_t *parts, size_t count, uint64_t *ret)
{
    for (size_t i = 0; i < count; i++)
        (void)!line_last(l, parts[i], &ret[i]);
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

enum status line_answer(struct line *l, line_answer_fn *fn, void *ctx)
{
    (void)l, (void)fn, (void)ctx;
    return ST_OK;
}

void line_listen(struct line *l, uint32_t part, bool on)
{
    (void)l, (void)part, (void)on;
}

uint32_t line_hint(struct line *l, uint32_t part)
{
    (void)l, (void)part;
    return 1;
}

/* ---- nodes ---- */

static int clear_bus(void **state UNUSED)
{
    for (size_t i = 0; i < KEYS; i++) {
        buf_free(&bus.keys[i].value);
        bus.keys[i] = (struct key){0};
    }
    for (size_t i = 0; i < MESSAGES; i++) {
        buf_free(&bus.bytes[i]);
        bus.bytes[i] = (struct buf){0};
    }
    bus.end = bus.revisions = 0;
    bus.is_held = bus.races = false;
    buf_free(&bus.before);
    bus.before = (struct buf){0};
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

static struct cluster *start_with(struct cluster_config config)
{
    struct cluster *c = NULL;

    assert_int_equal(cluster_start(calloc(1, sizeof(struct line)), &config, &c), ST_OK);
    return c;
}

static struct cluster *start(void)
{
    return start_with((struct cluster_config){.id = 7, .lease = 60 * US_PER_S});
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

/* A batch without items, as this node sends it. */
static void send_batch(struct cluster *c, uint32_t part, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;

    batch_init(&batch);
    batch_take(&batch, 7, number, &bytes);
    cluster_send(c, part, number, 0, buf_str(&bytes));
    batch_clear(&batch);
    buf_free(&bytes);
}

static void a_partition_opens_although_the_end_of_its_log_was_lost(void **state UNUSED)
{
    static const uint32_t parts[] = {0, 0, 1, 1, 0};
    struct cluster *c;

    found();
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        (void)message_add(parts[i], STR("a batch"));
    bus.is_held = true;
    c = start();
    await(came(c, INCOMING_BEGIN, 0));
    send_batch(c, 1, 1);
    await(view_of(c).sent[1] == 1);
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 3;
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_ROLLED, 0));
    (void)pthread_mutex_lock(&bus.lock);
    bus.is_held = false;
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_OPEN, 0));
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* The length of the stream says nothing then: others were quicker to write than we to look. */
static void
messages_that_were_lost_are_missed_although_others_are_in_their_place(void **state UNUSED)
{
    struct incoming *in;
    struct cluster *c;

    found();
    c = start();
    for (uint64_t n = 1; n <= 3; n++)
        send_batch(c, 1, n);
    await(view_of(c).sent[1] == 3);
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 1;
    for (int i = 0; i < 5; i++)
        (void)message_add(2, STR("a batch of another node"));
    (void)pthread_mutex_unlock(&bus.lock);
    do {
        await((in = cluster_take(c)) != NULL);
        if (in->kind == INCOMING_ROLLED)
            break;
        free(in);
    } while (true);
    assert_int_equal(in->position, 1); /* the first of them is still there */
    assert_int_equal(in->token, 1);
    free(in);
    await(came(c, INCOMING_BATCH, 2)); /* its own log is read on from there */
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void a_node_hears_what_others_miss_of_it(void **state UNUSED)
{
    struct cluster_report report = {.asks = {{.sender = 7, .part = 5, .from = 2, .to = 4},
                                             {.sender = 8, .part = 6, .from = 1, .to = 1}}};
    struct cluster_view view = {0};
    struct cluster *c;

    found();
    c = start();
    await((cluster_exchange(c, &report, &view), view.nasked) == 1);
    assert_int_equal(view.asked[0].part, 5);
    assert_int_equal(view.asked[0].to, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* nats-server compares before it replicates: see line_set(). */
static void what_another_node_has_overwritten_unseen_did_not_happen(void **state UNUSED)
{
    struct cluster *c;
    struct book book;
    uint64_t revision;

    found();
    book_init(&book);
    bus.races = true; /* when it joins */
    c = start();
    assert_false(bus.races);
    (void)pthread_mutex_lock(&bus.lock);
    bus.races = true; /* when it takes partitions */
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_OPEN, 0));
    assert_int_equal(cluster_book(NULL, &book, &revision), ST_OK);
    assert_int_equal(book.parts[0].owner, 7);
    assert_false(view_of(c).fenced);
    book_clear(&book);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static uint64_t messages_of(uint32_t part)
{
    uint64_t n = 0;

    (void)pthread_mutex_lock(&bus.lock);
    for (uint64_t i = 1; i <= bus.end; i++)
        n += bus.parts[i] == part;
    (void)pthread_mutex_unlock(&bus.lock);
    return n;
}

/* The next message for the partition, of whatever kind. */
static struct incoming *next_of(struct cluster *c, uint32_t part)
{
    struct incoming *in = NULL;

    do {
        free(in);
        await((in = cluster_take(c)) != NULL);
    } while (in->part != part);
    return in;
}

/* Whoever comes next reads the newest snapshot and what was written since. */
static void a_log_that_has_grown_is_taken_over_from_a_snapshot(void **state UNUSED)
{
    static const enum incoming_kind kinds[] = {INCOMING_BEGIN, INCOMING_SNAPSHOT, INCOMING_LOG,
                                               INCOMING_OPEN};
    struct cluster_config config = {.id = 7, .lease = 60 * US_PER_S, .snapshot = 40};
    struct cluster_report report = {0};
    struct cluster_view view;
    struct cluster *c;

    found();
    c = start_with(config);
    for (uint64_t n = 1; n <= 8; n++) {
        send_batch(c, 1, n);
        await(view_of(c).sent[1] == n);
        report.safe[1] = view_of(c).sent_at[1];
        if (n % 4 == 0) /* a chunk and a mark for every four batches */
            await((cluster_exchange(c, &report, &view), messages_of(LINE_SHELF(1))) == n / 2);
    }
    send_batch(c, 1, 9);
    await(view_of(c).sent[1] == 9);
    cluster_stop(c, BOOK_RUNNING, 0);
    config.id = 8;
    c = start_with(config);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct incoming *in = next_of(c, 1);

        assert_int_equal(in->kind, kinds[i]);
        free(in);
    }
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* A writer that died leaves chunks without a mark. */
static void what_is_not_whole_is_not_handed_over(void **state UNUSED)
{
    struct incoming *in;
    struct cluster *c;
    struct buf chunk = BUF_INIT(LIMIT_BATCH);

    found();
    snapshot_begin(&chunk, &(struct snapshot_head){.id = 5, .upto = 1});
    (void)message_add(1, STR("a batch"));
    (void)message_add(LINE_SHELF(1), buf_str(&chunk));
    c = start();
    in = next_of(c, 1);
    assert_int_equal(in->kind, INCOMING_BEGIN);
    free(in);
    in = next_of(c, 1);
    assert_int_equal(in->kind, INCOMING_LOG);
    assert_int_equal(in->position, 1);
    free(in);
    cluster_stop(c, BOOK_RUNNING, 0);
    buf_free(&chunk);
}

/* ---- receipts ---- */

/* A will without agents, and with a receipt for a batch of this sender for partition 1. */
static void make_will(struct cluster *c, uint64_t number, uint64_t sender, uint64_t batch)
{
    struct cluster_will *w = MEM_NEW(struct cluster_will);

    w->number = number;
    w->chunks[w->count++].items = BUF_INIT(LIMIT_WILL);
    receipts_open(&w->taken, 1, 1);
    receipts_add(&w->taken, &(struct receipt){1, 1, sender, batch, batch});
    cluster_will(c, w);
    await(view_of(c).will == number);
}

static void the_next_one_finds_a_receipt(struct cluster *c, uint64_t batch)
{
    struct incoming *in = next_of(c, 1);
    struct receipts taken = {0};
    struct receipts_name name;

    assert_int_equal(in->kind, INCOMING_BEGIN);
    assert_int_equal(receipts_load(&taken, (struct str){in->bytes, in->len}, &name), ST_OK);
    assert_true(receipts_have(&taken, 1, 9, batch));
    assert_false(receipts_have(&taken, 1, 9, batch + 1));
    receipts_clear(&taken);
    free(in);
}

static void the_next_owner_reads_the_receipts_of_a_node_that_left(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start();
    await(came(c, INCOMING_OPEN, 1));
    make_will(c, 1, 9, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = 60 * US_PER_S});
    the_next_one_finds_a_receipt(c, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Those of its last will count, and not those of another process of it. */
static void the_next_owner_reads_the_receipts_of_a_node_that_was_killed(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start();
    await(came(c, INCOMING_OPEN, 1));
    make_will(c, 1, 9, 4);
    make_will(c, 2, 9, 5);
    join_as(7); /* it ends without leaving, and this one never renews its lease */
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = US_PER_S / 2});
    the_next_one_finds_a_receipt(c, 5);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void
the_next_owner_reads_the_receipts_for_a_partition_that_was_given_away(void **state UNUSED)
{
    struct receipts taken = {0};
    struct cluster *c, *other;

    found();
    c = start_with((struct cluster_config){.id = 7, .lease = US_PER_S / 10});
    await(came(c, INCOMING_OPEN, 1));
    other = start_with((struct cluster_config){.id = 8, .lease = 60 * US_PER_S});
    await((view_of(other), came(c, INCOMING_CLOSE, 33)));
    receipts_open(&taken, 33, 1);
    receipts_add(&taken, &(struct receipt){33, 1, 9, 1, 4});
    cluster_give(c, 33, 0, &taken);
    await(came(other, INCOMING_BEGIN, 33));
    cluster_stop(other, BOOK_RUNNING, 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Else it would take the agents again that it had taken before. */
static void
a_node_that_is_back_reads_its_own_receipts_for_what_is_still_its_own(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start();
    await(came(c, INCOMING_OPEN, 1));
    make_will(c, 1, 9, 4);
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start(); /* its directory no longer has the partition */
    the_next_one_finds_a_receipt(c, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Who shuts it out meanwhile finds them there. */
static void a_will_has_the_receipts_of_a_partition_until_the_book_gives_it_away(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts taken = {0};
    struct receipts_name name;
    struct cluster *c, *other;
    uint64_t revision;

    found();
    c = start_with((struct cluster_config){.id = 7, .lease = US_PER_S / 10});
    await(came(c, INCOMING_OPEN, 1));
    other = start_with((struct cluster_config){.id = 8, .lease = 60 * US_PER_S});
    await((view_of(other), came(c, INCOMING_CLOSE, 33)));
    cluster_send(c, 33, 1, 99, STR("a batch that waits for a will")); /* so this one waits, too */
    receipts_open(&taken, 33, 1);
    receipts_add(&taken, &(struct receipt){33, 1, 9, 1, 4});
    cluster_give(c, 33, 0, &taken);
    make_will(c, 1, 9, 4); /* without the partition */
    assert_int_equal(line_get(NULL, "will.0000000000000007.1.taken", &bytes, &revision), ST_OK);
    assert_int_equal(receipts_load(&taken, buf_str(&bytes), &name), ST_OK);
    assert_true(receipts_have(&taken, 33, 9, 4));
    receipts_clear(&taken);
    buf_free(&bytes);
    cluster_stop(other, BOOK_RUNNING, 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static uint64_t turn_of(uint64_t id)
{
    struct lease lease;
    uint64_t revision;

    assert_int_equal(cluster_lease(NULL, id, &lease, &revision), ST_OK);
    return lease.turn;
}

static bool has_arrived(struct cluster *c, uint64_t number)
{
    struct cluster_report report = {.awaits = true};
    struct cluster_view view;

    cluster_exchange(c, &report, &view);
    return cluster_has_arrived(c, 1, number);
}

/* As the process of a node does that is not run here. */
static void lease_as(uint64_t id, uint64_t turn, struct will_name will)
{
    struct lease lease = {.run = 3, .turn = turn, .will = will};
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];

    cluster_lease_key(id, key);
    lease_save(&lease, &bytes);
    assert_int_equal(line_put(NULL, key, buf_str(&bytes)), ST_OK);
    buf_free(&bytes);
}

static void join_book(struct book *b, void *ctx)
{
    (void)ctx;
    assert_int_equal(book_join(b, 7, 0), ST_OK);
}

/* The first lease that names a will may be overwritten by one who shuts that node out. */
static void
an_agent_has_arrived_when_a_second_lease_names_a_will_with_its_receipt(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts taken = {0};
    struct cluster *c;
    uint64_t revision, turn;

    found();
    receipts_add(&taken, &(struct receipt){1, 1, 8, 4, 4});
    receipts_save(&taken, (struct receipts_name){3, 6}, &bytes);
    assert_int_equal(line_put(NULL, "will.0000000000000007.0.taken", buf_str(&bytes)), ST_OK);
    lease_as(7, 1, (struct will_name){3, 6, 1});
    assert_int_equal(cluster_change(NULL, join_book, NULL, &revision), ST_OK);
    c = start_with((struct cluster_config){.id = 8, .lease = 600 * US_PER_S});
    assert_false(has_arrived(c, 4));
    turn = turn_of(8);
    await((has_arrived(c, 4), turn_of(8) > turn + 2)); /* it looked meanwhile */
    assert_false(has_arrived(c, 4));
    lease_as(7, 2, (struct will_name){3, 6, 1});
    await(has_arrived(c, 4));
    assert_false(has_arrived(c, 3));
    cluster_stop(c, BOOK_RUNNING, 0);
    receipts_clear(&taken);
    buf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_node_stops_when_a_copy_of_its_directory_has_joined, clear_bus),
        cmocka_unit_test_teardown(a_partition_opens_although_the_end_of_its_log_was_lost,
                                  clear_bus),
        cmocka_unit_test_teardown(
            messages_that_were_lost_are_missed_although_others_are_in_their_place, clear_bus),
        cmocka_unit_test_teardown(what_another_node_has_overwritten_unseen_did_not_happen,
                                  clear_bus),
        cmocka_unit_test_teardown(a_node_hears_what_others_miss_of_it, clear_bus),
        cmocka_unit_test_teardown(a_log_that_has_grown_is_taken_over_from_a_snapshot, clear_bus),
        cmocka_unit_test_teardown(what_is_not_whole_is_not_handed_over, clear_bus),
        cmocka_unit_test_teardown(the_next_owner_reads_the_receipts_of_a_node_that_left, clear_bus),
        cmocka_unit_test_teardown(the_next_owner_reads_the_receipts_of_a_node_that_was_killed,
                                  clear_bus),
        cmocka_unit_test_teardown(
            the_next_owner_reads_the_receipts_for_a_partition_that_was_given_away, clear_bus),
        cmocka_unit_test_teardown(
            a_node_that_is_back_reads_its_own_receipts_for_what_is_still_its_own, clear_bus),
        cmocka_unit_test_teardown(
            a_will_has_the_receipts_of_a_partition_until_the_book_gives_it_away, clear_bus),
        cmocka_unit_test_teardown(
            an_agent_has_arrived_when_a_second_lease_names_a_will_with_its_receipt, clear_bus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
