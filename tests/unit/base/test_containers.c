/* map, keys, heap, ring, arena, buf and queue. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/keys.h"
#include "base/map.h"
#include "base/poison.h"
#include "base/os/queue.h"
#include "base/ring.h"
#include "base/rng.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void map_finds_what_was_set_and_nothing_else(void **state)
{
    struct map m;

    (void)state;
    map_init(&m);
    for (uint32_t i = 0; i < 10000; i++)
        map_set(&m, hash_u64(i), i);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(map_get(&m, hash_u64(i)), i);
    assert_int_equal(map_get(&m, hash_u64(10001)), MAP_NONE);
    map_free(&m);
}

static void sum_entry(void *ctx, uint64_t key, uint32_t value)
{
    uint64_t *sum = ctx;

    assert_int_equal(key, hash_u64(value));
    *sum += value;
}

static void a_large_map_is_split_and_stays_the_same(void **state)
{
    const uint32_t n = 150000;
    uint64_t sum = 0;
    struct map m;

    (void)state;
    map_init(&m);
    for (uint32_t i = 0; i < n; i++)
        map_set(&m, hash_u64(i), i);
    assert_non_null(m.parts);
    assert_int_equal(m.count, n);
    assert_true(map_bytes(&m) >= n * (sizeof *m.keys + sizeof *m.values));
    for (uint32_t i = 0; i < n; i += 2)
        assert_true(map_remove(&m, hash_u64(i)));
    assert_false(map_remove(&m, hash_u64(0)));
    assert_int_equal(m.count, n / 2);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(map_get(&m, hash_u64(i)), i % 2 ? i : MAP_NONE);
    map_each(&m, sum_entry, &sum);
    assert_int_equal(sum, (uint64_t)n * n / 4);
    map_clear(&m);
    assert_int_equal(m.count, 0);
    assert_int_equal(map_get(&m, hash_u64(1)), MAP_NONE);
    map_free(&m);
}

/* Keys get numbers in any order; tables grow many times. */
static void keys_have_their_numbers(void **state)
{
    const uint32_t n = 300000;
    struct keys k = {0};

    (void)state;
    assert_int_equal(keys_find(&k, 7), 0);
    for (uint32_t i = 1; i <= n; i++)
        keys_add(&k, hash_u64(i), i * 7 % (n + 1));
    for (uint32_t i = 1; i <= n; i++)
        assert_int_equal(keys_find(&k, hash_u64(i)), i * 7 % (n + 1));
    for (uint32_t i = 1; i <= n; i++)
        assert_int_equal(keys_find(&k, hash_u64(n + i)), 0);
    assert_true(keys_bytes(&k) >= n * 10 && keys_bytes(&k) <= n * 12);
    keys_free(&k);
    assert_int_equal(keys_find(&k, hash_u64(1)), 0);
}

/* Keys that differ in the upper bits alone share a tag, and those of one part share their place. */
static void keys_that_collide_are_told_apart(void **state)
{
    struct keys k = {0};

    (void)state;
    keys_add(&k, 0, 1);
    for (uint32_t i = 1; i < 3000; i++)
        keys_add(&k, (uint64_t)i << 32 | i, i + 1);
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(keys_find(&k, (uint64_t)i << 32 | i), i + 1);
    assert_int_equal(keys_find(&k, (uint64_t)3000 << 32 | 3000), 0);
    keys_free(&k);
}

static void map_survives_removals_among_colliding_keys(void **state)
{
    struct map m;

    (void)state;
    map_init(&m);
    for (uint32_t i = 0; i < 11; i++) /* all in one run of slots */
        map_set(&m, (uint64_t)i << 40, i);
    for (uint32_t i = 0; i < 11; i += 2)
        assert_true(map_remove(&m, (uint64_t)i << 40));
    assert_false(map_remove(&m, 0));
    for (uint32_t i = 0; i < 11; i++)
        assert_int_equal(map_get(&m, (uint64_t)i << 40), i % 2 ? i : MAP_NONE);
    map_free(&m);
}

static void heap_gives_smallest_first_and_ties_in_order_of_insertion(void **state)
{
    static const double keys[] = {3, 1, 2, 1, 3, 1};
    static const uint32_t order[] = {1, 3, 5, 2, 0, 4};
    struct heap_item item;
    struct heap h = {0};

    (void)state;
    for (uint32_t i = 0; i < 6; i++)
        heap_push(&h, keys[i], i);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(heap_pop(&h, &item));
        assert_int_equal(item.id, order[i]);
    }
    assert_false(heap_pop(&h, &item));
    heap_free(&h);
}

static void an_indexed_heap_agrees_with_a_plain_search(void **state)
{
    enum { N = 200 };
    struct heap_index x = {0};
    struct heap h = {0};
    double keys[N];
    bool in[N] = {false};
    struct rng rng;

    (void)state;
    rng_init(&rng, 7);
    for (int turn = 0; turn < 20000; turn++) {
        uint32_t id = (uint32_t)rng_below(&rng, N);

        if (rng_below(&rng, 3) == 0) {
            assert_int_equal(heap_remove(&h, &x, id), in[id]);
            in[id] = false;
        } else {
            keys[id] = (double)rng_below(&rng, 50);
            heap_set(&h, &x, id, keys[id]);
            in[id] = true;
        }
        double least = 1e9;
        uint32_t low = 0;
        for (int i = 0; i < N; i++) {
            least = in[i] && keys[i] < least ? keys[i] : least;
            low += in[i] && keys[i] <= 20;
        }
        const struct heap_item *first = heap_peek(&h);
        assert_int_equal(first != NULL, least < 1e9);
        if (first)
            assert_true(in[first->id] && first->key <= least && keys[first->id] <= least);
        assert_int_equal(heap_until(&h, 20, 30), low < 30 ? low : 30);
    }
    heap_free(&h);
    heap_index_free(&x);
}

static void equal_keys_come_in_the_order_they_were_set(void **state)
{
    struct heap_index x = {0};
    struct heap h = {0};

    (void)state;
    for (uint32_t id = 1; id <= 20; id++)
        heap_set(&h, &x, id, 5);
    heap_set(&h, &x, 1, 6);
    heap_set(&h, &x, 1, 5); /* moved: behind the others now */
    for (uint32_t i = 2; i <= 21; i++) {
        uint32_t want = i == 21 ? 1 : i;

        assert_int_equal(heap_peek(&h)->id, want);
        heap_remove(&h, &x, want);
    }
    heap_free(&h);
    heap_index_free(&x);
}

static void a_ring_gives_items_in_the_order_they_came_while_it_grows(void **state)
{
    struct ring r = {0};
    uint64_t in = 0, out = 0;

    (void)state;
    for (int turn = 0; turn < 100; turn++) {
        for (int i = 0; i < 7; i++)
            *RING_ADD(&r, uint64_t) = in++;
        for (int i = 0; i < 5; i++)
            assert_int_equal(*RING_TAKE(&r, uint64_t), out++);
        assert_int_equal(r.count, in - out);
        assert_int_equal(*RING_AT(&r, r.count - 1, uint64_t), in - 1);
    }
    ring_free(&r);
    assert_int_equal(r.count, 0);
}

static void arena_refuses_what_passes_its_ceiling(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1000);
    assert_non_null(arena_alloc(&a, 900));
    assert_null(arena_alloc(&a, 200));
    assert_true(a.full);
    arena_reset(&a);
    assert_non_null(arena_alloc(&a, 200));
    assert_null(arena_array(&a, SIZE_MAX / 2, 4));
    arena_free(&a);
}

static void arena_grows_the_last_allocation_in_place(void **state)
{
    struct arena a;
    char *p, *q;

    (void)state;
    arena_init(&a, 1 << 20);
    p = arena_alloc(&a, 16);
    memcpy(p, "0123456789abcde", 16);
    assert_ptr_equal(arena_grow(&a, p, 16, 64), p);
    (void)arena_alloc(&a, 1);
    q = arena_grow(&a, p, 64, 128);
    assert_ptr_not_equal(q, p);
    assert_memory_equal(q, "0123456789abcde", 16);
    arena_free(&a);
}

#if POISON_WORKS
#define IS_POISONED(p) __asan_address_is_poisoned(p)
#else
#define IS_POISONED(p) ((void)(p), 0)
#endif

static void arena_memory_that_is_nobodys_is_poisoned(void **state)
{
    struct arena a;
    char *p, *q, *far;

    (void)state;
    if (!POISON_WORKS)
        skip();
    arena_init(&a, 1 << 20);
    p = arena_alloc(&a, 32);
    q = arena_alloc(&a, 32);
    assert_false(IS_POISONED(p) || IS_POISONED(p + 31) || IS_POISONED(q));
    assert_true(IS_POISONED(p + 32) && IS_POISONED(q + 32)); /* between two, behind the last */
    assert_ptr_equal(arena_grow(&a, q, 32, 100), q);
    assert_true(!IS_POISONED(q + 99) && IS_POISONED(q + 100));
    arena_trim(&a, q, 100, 10);
    assert_true(!IS_POISONED(q + 9) && IS_POISONED(q + 10));
    far = arena_grow(&a, p, 32, 64);
    assert_true(IS_POISONED(p) && !IS_POISONED(far + 63)); /* moved */
    arena_reset(&a);
    assert_true(IS_POISONED(p) && IS_POISONED(q) && IS_POISONED(far));
    assert_ptr_equal(arena_alloc(&a, 5), p);
    assert_true(!IS_POISONED(p + 4) && IS_POISONED(p + 5));
    arena_free(&a);
}

static void buf_memory_that_was_cleared_is_poisoned(void **state)
{
    struct buf b = BUF_INIT(1000);

    (void)state;
    if (!POISON_WORKS)
        skip();
    buf_add_z(&b, "some text that somebody else still looks at");
    assert_int_equal(buf_check(&b), ST_OK);
    buf_clear(&b);
    assert_true(!IS_POISONED(b.data) && IS_POISONED(b.data + 1) && IS_POISONED(b.data + 30));
    buf_add_z(&b, "other text");
    assert_int_equal(buf_check(&b), ST_OK);
    assert_true(!IS_POISONED(b.data + 10) && IS_POISONED(b.data + 30));
    buf_free(&b);
}

static void buf_adds_nothing_beyond_its_ceiling_and_says_so(void **state)
{
    struct buf b = BUF_INIT(10);

    (void)state;
    buf_add_z(&b, "12345");
    assert_int_equal(buf_check(&b), ST_OK);
    buf_add_z(&b, "678901");
    assert_int_equal(buf_check(&b), ST_LIMIT);
    buf_add_z(&b, "6");
    assert_int_equal(buf_check(&b), ST_LIMIT); /* full stays full */
    assert_str(buf_str(&b), "12345");
    buf_clear(&b);
    buf_add_z(&b, "1234567890");
    assert_int_equal(buf_check(&b), ST_OK);
    buf_free(&b);
}

static void cursor_reads_back_what_was_put_and_never_passes_the_end(void **state)
{
    struct buf b = BUF_INIT(1000);
    struct cursor c;

    (void)state;
    buf_put_u8(&b, 7);
    buf_put_u32(&b, 123456789);
    buf_put_u64(&b, UINT64_MAX - 1);
    buf_put_f64(&b, -0.1);
    buf_put_f32(&b, 0.3f);
    buf_put_str(&b, STR("words"));
    c = (struct cursor){.rest = buf_str(&b)};
    assert_int_equal(cursor_u8(&c), 7);
    assert_int_equal(cursor_u32(&c), 123456789);
    assert_true(cursor_u64(&c) == UINT64_MAX - 1);
    assert_true(cursor_f64(&c) == -0.1);
    assert_true(cursor_f32(&c) == 0.3f);
    assert_str(cursor_str(&c), "words");
    assert_false(c.bad);
    assert_int_equal(cursor_u32(&c), 0);
    assert_true(c.bad);
    buf_free(&b);
}

static void *add_thousand(void *q)
{
    for (uintptr_t i = 1; i <= 1000; i++)
        assert_true(queue_add(q, (void *)i));
    return NULL;
}

static void queue_hands_every_item_over_once_through_a_small_ring(void **state)
{
    struct queue *q = queue_new(8);
    pthread_t threads[3];
    uintptr_t sum = 0;
    size_t got = 0;

    (void)state;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add_thousand, q);
    while (got < 3000) {
        void *items[5];
        size_t n;

        assert_true(queue_count(q) <= 8);
        n = queue_take(q, items, 5, 1000000);
        assert_true(n > 0);
        for (size_t i = 0; i < n; i++)
            sum += (uintptr_t)items[i];
        got += n;
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(sum, 3 * 500500);
    queue_close(q);
    assert_false(queue_add(q, q));
    queue_free(q);
}

static void queue_take_waits_no_longer_than_asked(void **state)
{
    struct queue *q = queue_new(2);
    void *item;

    (void)state;
    assert_int_equal(queue_take(q, &item, 1, 0), 0);
    assert_int_equal(queue_take(q, &item, 1, 2000), 0);
    queue_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_finds_what_was_set_and_nothing_else),
        cmocka_unit_test(a_large_map_is_split_and_stays_the_same),
        cmocka_unit_test(keys_have_their_numbers),
        cmocka_unit_test(keys_that_collide_are_told_apart),
        cmocka_unit_test(map_survives_removals_among_colliding_keys),
        cmocka_unit_test(heap_gives_smallest_first_and_ties_in_order_of_insertion),
        cmocka_unit_test(an_indexed_heap_agrees_with_a_plain_search),
        cmocka_unit_test(equal_keys_come_in_the_order_they_were_set),
        cmocka_unit_test(a_ring_gives_items_in_the_order_they_came_while_it_grows),
        cmocka_unit_test(arena_refuses_what_passes_its_ceiling),
        cmocka_unit_test(arena_grows_the_last_allocation_in_place),
        cmocka_unit_test(arena_memory_that_is_nobodys_is_poisoned),
        cmocka_unit_test(buf_memory_that_was_cleared_is_poisoned),
        cmocka_unit_test(buf_adds_nothing_beyond_its_ceiling_and_says_so),
        cmocka_unit_test(cursor_reads_back_what_was_put_and_never_passes_the_end),
        cmocka_unit_test(queue_hands_every_item_over_once_through_a_small_ring),
        cmocka_unit_test(queue_take_waits_no_longer_than_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
