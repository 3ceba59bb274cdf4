/* A node of a crawl on several machines: what it takes from the bus, and what it shares.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "crawl/node/node_int.h"
#include "support/support.h"
#include "text/topic.h"

#include <stdlib.h>
#include <string.h>

static void node_of(struct node *ret)
{
    *ret = (struct node){.id = 1};
    map_init(&ret->hosts);
    map_init(&ret->told);
    map_init(&ret->last_at);
}

static void node_clear(struct node *n)
{
    free(n->last);
    map_free(&n->hosts);
    map_free(&n->told);
    map_free(&n->last_at);
}

/* A batch without items arrives. */
static void send(struct crawl *c, uint64_t sender, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;
    struct incoming *in;

    batch_init(&batch);
    batch_take(&batch, sender, number, &bytes);
    in = calloc(1, sizeof *in + bytes.len);
    assert_non_null(in);
    in->kind = INCOMING_BATCH;
    in->position = sender;
    in->len = bytes.len;
    memcpy(in->bytes, bytes.data, bytes.len);
    inbox_take(c, in);
    batch_clear(&batch);
    buf_free(&bytes);
}

static void senders_that_nobody_knows_do_not_fill_the_memory(void **state UNUSED)
{
    struct node n;
    struct crawl c = {.node = &n};

    node_of(&n);
    for (uint64_t sender = 2; sender < LIMIT_SENDERS + 12; sender++)
        send(&c, sender, 1);
    assert_int_equal(n.nlast, LIMIT_SENDERS);
    assert_int_equal(n.lost, 10);
    send(&c, 2, 3); /* those that are known go on: one batch of it is missing */
    assert_int_equal(n.lost, 11);
    assert_int_equal(inbox_last(&n, 2, 0)->number, 3);
    node_clear(&n);
}

static void
other_nodes_get_the_places_to_start_and_not_the_lists_they_came_from(void **state UNUSED)
{
    struct crawl_options mine, theirs;
    struct text_list seeds = {0};
    struct crawl c = {.options = &mine};
    struct buf shared = BUF_INIT(LIMIT_SHARED);

    crawl_options_init(&mine);
    crawl_options_init_empty(&theirs);
    mine.seeds_from_cdx = str_dup(STR("list.cdx"));
    text_list_add(&mine.seeds_only, STR("*.example.org"));
    text_list_add(&seeds, STR("http://a.example.org/"));
    assert_int_equal(topic_from_words(STR("reefs"), STR("en"), &c.topic), ST_OK);
    shared_save(&c, &seeds, &shared);
    assert_int_equal(shared_load(buf_str(&shared), true, &theirs), ST_OK);
    assert_null(theirs.seeds_from_cdx);
    assert_int_equal(theirs.seeds_only.count, 0);
    assert_int_equal(theirs.seed.count, 1);
    assert_string_equal(theirs.seed.items[0], "http://a.example.org/");
    topic_free(c.topic);
    text_list_free(&seeds);
    crawl_options_free(&mine);
    crawl_options_free(&theirs);
    buf_free(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senders_that_nobody_knows_do_not_fill_the_memory),
        cmocka_unit_test(other_nodes_get_the_places_to_start_and_not_the_lists_they_came_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
