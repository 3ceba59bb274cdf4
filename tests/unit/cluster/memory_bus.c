/* memory_bus.c - see memory_bus.h. SPDX-License-Identifier: MIT */
#include "memory_bus.h"

struct bus bus = {.lock = PTHREAD_MUTEX_INITIALIZER};

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
    bool is_next, is_lost = false;

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
            is_lost = bus.is_mute;
            bus.is_mute = false;
        }
        buf_free(&k->value);
        k->value = BUF_INIT(KIB(64));
        buf_add_str(&k->value, value);
        k->revision = *ret_revision = ++bus.revisions;
    }
    (void)pthread_mutex_unlock(&bus.lock);
    if (is_lost)
        return status_fail(ST_NET, "no answer");
    return is_next ? ST_OK : status_fail(ST_BUSY, "another was first");
}

/* The other node's write comes through: it knew nothing of ours. */
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

uint64_t bus_add(uint32_t part, struct str bytes)
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
    *ret_number = bus_add(part, bytes);
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

/* ---- keys that are lost ---- */

static void keys_set(struct key *to, const struct key *from)
{
    for (size_t i = 0; i < KEYS; i++) {
        buf_free(&to[i].value);
        to[i] = from[i];
        to[i].value = BUF_INIT(MIB(1));
        buf_add_str(&to[i].value, buf_str(&from[i].value));
    }
}

void bus_copy(void)
{
    (void)pthread_mutex_lock(&bus.lock);
    keys_set(bus.old, bus.keys);
    bus.old_revisions = bus.revisions;
    (void)pthread_mutex_unlock(&bus.lock);
}

void bus_lose_keys(const struct book *instead)
{
    struct key *k;

    (void)pthread_mutex_lock(&bus.lock);
    keys_set(bus.keys, bus.old);
    bus.revisions = bus.old_revisions;
    if (instead) {
        k = key_of(CLUSTER_BOOK);
        buf_clear(&k->value);
        book_save(instead, &k->value);
        k->revision = ++bus.revisions;
    }
    (void)pthread_mutex_unlock(&bus.lock);
}

/* ---- nodes ---- */

int bus_clear(void **state UNUSED)
{
    for (size_t i = 0; i < KEYS; i++) {
        buf_free(&bus.keys[i].value);
        bus.keys[i] = (struct key){0};
        buf_free(&bus.old[i].value);
        bus.old[i] = (struct key){0};
    }
    for (size_t i = 0; i < MESSAGES; i++) {
        buf_free(&bus.bytes[i]);
        bus.bytes[i] = (struct buf){0};
    }
    bus.end = bus.revisions = 0;
    bus.is_held = bus.races = bus.is_mute = false;
    buf_free(&bus.before);
    bus.before = (struct buf){0};
    return 0;
}

void found(void)
{
    struct buf bytes = BUF_INIT(KIB(64));
    uint64_t revision;
    struct book book;

    book_init(&book);
    book_save(&book, &bytes);
    assert_int_equal(line_set(NULL, CLUSTER_BOOK, buf_str(&bytes), 0, &revision), ST_OK);
    buf_free(&bytes);
}

struct cluster *start_with(struct cluster_config config)
{
    struct cluster *c = NULL;

    assert_int_equal(cluster_start(calloc(1, sizeof(struct line)), &config, &c), ST_OK);
    return c;
}

struct cluster *start(void)
{
    return start_with((struct cluster_config){.id = 7, .lease = 60 * US_PER_S});
}

struct cluster *start_open(struct cluster_config config)
{
    struct cluster *c;

    found();
    c = start_with(config);
    await(came(c, INCOMING_OPEN, 1));
    return c;
}

void make_will(struct cluster *c, uint64_t number, uint64_t sender, uint64_t batch)
{
    struct cluster_will *w = MEM_NEW(struct cluster_will);

    w->number = number;
    w->chunks[w->count++].items = BUF_INIT(LIMIT_WILL);
    receipts_open(&w->taken, 1, 1);
    receipts_add(&w->taken, &(struct receipt){1, 1, sender, batch, batch});
    cluster_will(c, w);
    await(view_of(c).will == number);
}

struct cluster_view view_of(struct cluster *c)
{
    struct cluster_report report = {0};
    struct cluster_view view;

    cluster_exchange(c, &report, &view);
    return view;
}

bool came(struct cluster *c, enum incoming_kind kind, uint32_t part)
{
    bool is_it = false;

    for (struct incoming *in; !is_it && (in = cluster_take(c)) != NULL; free(in))
        is_it = in->kind == kind && in->part == part;
    return is_it;
}

void join_as(uint64_t id)
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

uint64_t messages_of(uint32_t part)
{
    uint64_t n = 0;

    (void)pthread_mutex_lock(&bus.lock);
    for (uint64_t i = 1; i <= bus.end; i++)
        n += bus.parts[i] == part;
    (void)pthread_mutex_unlock(&bus.lock);
    return n;
}

struct incoming *next_of(struct cluster *c, uint32_t part)
{
    struct incoming *in = NULL;

    do {
        free(in);
        await((in = cluster_take(c)) != NULL);
    } while (in->part != part);
    return in;
}
