/* A log in short says what the log said; what is not whole is not looked at.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "cluster/fold.h"
#include "parse/url_norm.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A      "http://a.example/"
#define B      "http://b.example/"
#define NOW    INT64_C(1700000000000000)
#define BEHIND 2000 /* the number of a message that follows on all of which snapshots speak */

static struct batch_item link_to(const char *url, float relevance, const char *words)
{
    return (struct batch_item){.kind = BATCH_LINK,
                               .url = str_of(url),
                               .link = LINK_A,
                               .depth = 2,
                               .relevance = relevance,
                               .words = str_of(words)};
}

static struct batch_item outcome_of(const char *url, enum drop why)
{
    return (struct batch_item){.kind = BATCH_OUTCOME, .key = url_key(str_of(url)), .why = why};
}

/* A batch of one item. */
static void tell(struct fold *f, uint64_t sender, uint64_t number, struct batch_item item)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch b;

    batch_init(&b);
    batch_add(&b, &item);
    batch_take(&b, sender, number, &bytes);
    fold_take(f, buf_str(&bytes));
    batch_clear(&b);
    buf_free(&bytes);
}

/* ---- messages as they are written ---- */

static struct buf messages[16];
static size_t count;

static void keep(void *ctx, struct str message)
{
    (void)ctx;
    assert_true(count < ARRAY_LEN(messages));
    assert_true(message.len <= LIMIT_BATCH);
    messages[count] = BUF_INIT(LIMIT_BATCH);
    buf_add_str(&messages[count++], message);
}

static int forget(void **state UNUSED)
{
    while (count > 0)
        buf_free(&messages[--count]);
    return 0;
}

static void write_all(struct fold *f, uint64_t id, uint64_t upto)
{
    struct snapshot_head head = {.id = id, .upto = upto};

    assert_int_equal(fold_write(f, &head, NOW, keep, NULL), ST_OK);
    fold_free(f);
}

/* The first item that speaks of this URL. */
static bool find(const char *url, struct batch_item *ret)
{
    for (size_t i = 0; i + 1 < count; i++) {
        struct cursor from = {.rest = buf_str(&messages[i])};
        struct snapshot_head head;

        assert_int_equal(snapshot_check(from.rest, &head), ST_OK);
        snapshot_open(&from);
        for (uint32_t k = 0; k < head.count; k++) {
            batch_next(&from, ret);
            if (str_eq(ret->url, str_of(url)) ||
                (ret->kind == BATCH_DONE && ret->key == url_key(str_of(url))))
                return true;
        }
    }
    return false;
}

/* What is on the bus now, as a new owner reads it. */
static struct fold *read_back(void)
{
    struct fold *f = fold_new();
    struct snapshot_shelf shelf = {0};
    const struct snapshot *s;

    for (size_t i = 0; i < count; i++)
        snapshot_shelf_take(&shelf, BEHIND + i, buf_str(&messages[i]));
    s = snapshot_shelf_best(&shelf);
    assert_non_null(s);
    for (size_t i = 0; i < s->count; i++)
        fold_take(f, s->chunks[i]);
    snapshot_shelf_clear(&shelf);
    return f;
}

static void a_url_has_its_best_link_or_what_became_of_it(void **state UNUSED)
{
    struct fold *f = fold_new();
    struct batch_item item;

    tell(f, 7, 1, link_to(A, .2F, "some words"));
    tell(f, 8, 1, link_to(A, .6F, "better words"));
    tell(f, 8, 2, link_to(A, .4F, "other words"));
    tell(f, 7, 2, link_to(B, .9F, "words of b"));
    tell(f, 7, 3, outcome_of(B, DROP_NONE));
    tell(f, 9, 1, outcome_of("http://seed.example/", DROP_ROBOTS)); /* which no link has named */
    write_all(f, 5, 100);
    assert_true(find(A, &item));
    assert_int_equal(item.kind, BATCH_LINK);
    assert_true(str_eq(item.words, STR("better words")));
    assert_true(find(B, &item));
    assert_int_equal(item.kind, BATCH_SETTLED);
    assert_int_equal(item.why, DROP_NONE);
    assert_int_equal(item.node, 7); /* if its disk is lost, this page is */
    assert_true(find("http://seed.example/", &item));
    assert_int_equal(item.kind, BATCH_DONE);
    assert_int_equal(item.why, DROP_ROBOTS);
}

static void a_snapshot_of_a_snapshot_says_the_same(void **state UNUSED)
{
    struct fold *f = fold_new();
    size_t before;

    tell(f, 7, 1, link_to(A, .2F, "some words"));
    tell(f, 7, 4, outcome_of(B, DROP_NONE)); /* 2 and 3 are missing */
    tell(f, 7, 5, (struct batch_item){.kind = BATCH_PAUSE, .url = STR(A), .until = NOW + 1});
    tell(f, 7, 6, (struct batch_item){.kind = BATCH_PAUSE, .url = STR(B), .until = 1});
    write_all(f, 5, 100);
    before = count;
    write_all(read_back(), 5, 100);
    assert_int_equal(count, 2 * before);
    for (size_t i = 0; i < before; i++)
        assert_true(str_eq(buf_str(&messages[i]), buf_str(&messages[before + i])));
}

static void a_batch_that_comes_again_changes_nothing_and_a_missing_one_does(void **state UNUSED)
{
    struct fold *f = fold_new();
    struct batch_item item;

    tell(f, 7, 1, link_to(A, .2F, "some words"));
    tell(f, 7, 2, outcome_of(A, DROP_NONE));
    tell(f, 9, 1, (struct batch_item){.kind = BATCH_LOST, .url = STR(A)});
    tell(f, 7, 5, link_to(B, .2F, "words of b"));
    write_all(f, 5, 100);
    f = read_back();
    (void)forget(NULL);
    tell(f, 7, 2, outcome_of(A, DROP_NONE)); /* of the time before it was lost */
    tell(f, 7, 4, outcome_of(B, DROP_NONE));
    write_all(f, 6, 200);
    assert_true(find(A, &item));
    assert_int_equal(item.kind, BATCH_LINK);
    assert_true(find(B, &item));
    assert_int_equal(item.kind, BATCH_SETTLED);
}

/* ---- on the bus ---- */

/* A log of many URLs: its snapshot has several chunks. */
static struct fold *large(void)
{
    struct fold *f = fold_new();

    for (uint64_t i = 0; i < 5000; i++) {
        char url[64];

        (void)snprintf(url, sizeof url, "http://a.example/%u", (unsigned)i);
        tell(f, 7, i + 1, link_to(url, .5F, "words that stand around a link of a page"));
    }
    return f;
}

static bool is_whole(const size_t *order, size_t n)
{
    struct snapshot_shelf shelf = {0};
    bool found;

    for (size_t i = 0; i < n; i++)
        snapshot_shelf_take(&shelf, BEHIND + i, buf_str(&messages[order[i]]));
    found = snapshot_shelf_best(&shelf) != NULL;
    snapshot_shelf_clear(&shelf);
    return found;
}

static void a_snapshot_counts_when_all_of_it_is_there(void **state UNUSED)
{
    write_all(large(), 5, 100);
    assert_int_equal(count, 5); /* four chunks and a mark */
    assert_true(is_whole((size_t[]){0, 1, 2, 3, 4}, 5));
    assert_true(is_whole((size_t[]){0, 2, 1, 1, 3, 4}, 6)); /* one was sent again */
    assert_false(is_whole((size_t[]){0, 1, 2, 3}, 4));      /* its writer died */
    assert_false(is_whole((size_t[]){0, 1, 3, 4}, 4));      /* the bus lost one */
    assert_false(is_whole((size_t[]){0, 1, 2, 4}, 4));
    messages[1].data[1000] ^= 1; /* in the words of a link */
    assert_false(is_whole((size_t[]){0, 1, 2, 3, 4}, 5));
}

static void a_half_written_one_does_not_hide_the_one_before(void **state UNUSED)
{
    struct snapshot_shelf shelf = {0};

    write_all(large(), 5, 100);
    write_all(large(), 6, 200);
    for (size_t i = 0; i + 1 < count; i++)
        snapshot_shelf_take(&shelf, BEHIND + i, buf_str(&messages[i]));
    assert_int_equal(snapshot_shelf_best(&shelf)->upto, 100);
    snapshot_shelf_take(&shelf, BEHIND + count, buf_str(&messages[count - 1]));
    assert_int_equal(snapshot_shelf_best(&shelf)->upto, 200);
    snapshot_shelf_clear(&shelf);
}

static void many_half_written_ones_do_not_hide_the_one_before(void **state UNUSED)
{
    struct snapshot_head head = {0};
    struct snapshot_shelf shelf = {0};
    struct buf chunk = BUF_INIT(LIMIT_BATCH);

    write_all(large(), 5, 100);
    for (size_t i = 0; i < count; i++)
        snapshot_shelf_take(&shelf, BEHIND + i, buf_str(&messages[i]));
    for (head.id = 6; head.id < 6 + 2 * SHELF_MOST; head.id++) {
        head.upto = 100 * head.id;
        buf_clear(&chunk);
        snapshot_begin(&chunk, &head);
        snapshot_shelf_take(&shelf, BEHIND + 100 + head.id, buf_str(&chunk));
    }
    assert_non_null(snapshot_shelf_best(&shelf));
    assert_int_equal(snapshot_shelf_best(&shelf)->upto, 100);
    snapshot_shelf_clear(&shelf);
    buf_free(&chunk);
}

static void one_that_speaks_of_messages_behind_it_is_not_believed(void **state UNUSED)
{
    struct snapshot_shelf shelf = {0};

    write_all(large(), 5, 100);
    for (size_t i = 0; i < count; i++)
        snapshot_shelf_take(&shelf, 101 - count + i,
                            buf_str(&messages[i])); /* its mark is message 100 */
    assert_null(snapshot_shelf_best(&shelf));
    for (size_t i = 0; i < count; i++)
        snapshot_shelf_take(&shelf, 101 + i, buf_str(&messages[i]));
    assert_int_equal(snapshot_shelf_best(&shelf)->upto, 100);
    snapshot_shelf_clear(&shelf);
}

static void a_chunk_that_is_cut_anywhere_is_refused(void **state UNUSED)
{
    struct fold *f = fold_new();
    struct snapshot_head head;
    struct batch_head batch;

    tell(f, 7, 1, link_to(A, .2F, "some words"));
    tell(f, 7, 2, outcome_of(B, DROP_NONE));
    write_all(f, 5, 100);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch_check(buf_str(&messages[i]), &batch), ST_INVALID);
        for (size_t n = 0; n < messages[i].len; n++)
            assert_int_equal(snapshot_check(str_sub(buf_str(&messages[i]), 0, n), &head),
                             ST_INVALID);
        buf_add_char(&messages[i], 'x');
        assert_int_equal(snapshot_check(buf_str(&messages[i]), &head), ST_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_url_has_its_best_link_or_what_became_of_it, forget),
        cmocka_unit_test_teardown(a_snapshot_of_a_snapshot_says_the_same, forget),
        cmocka_unit_test_teardown(a_batch_that_comes_again_changes_nothing_and_a_missing_one_does,
                                  forget),
        cmocka_unit_test_teardown(a_snapshot_counts_when_all_of_it_is_there, forget),
        cmocka_unit_test_teardown(a_half_written_one_does_not_hide_the_one_before, forget),
        cmocka_unit_test_teardown(many_half_written_ones_do_not_hide_the_one_before, forget),
        cmocka_unit_test_teardown(one_that_speaks_of_messages_behind_it_is_not_believed, forget),
        cmocka_unit_test_teardown(a_chunk_that_is_cut_anywhere_is_refused, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
