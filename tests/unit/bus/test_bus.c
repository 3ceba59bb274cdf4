/* test_post.c - messages are delivered once, in order, and survive a checkpoint.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

struct heard {
    struct post *post; /* where the answer goes; NULL: nobody answers */
    struct buf text;
};

static void hear(void *ctx, const struct message *msg)
{
    struct heard *h = ctx;

    buf_addf(&h->text, "%u>%u #%u %.*s(%.*s)@%lld;", msg->sender, msg->receiver, msg->conversation,
             STR_ARG(msg->performative), STR_ARG(msg->content), (long long)msg->reply_by);
    if (h->post)
        (void)post_send(h->post, &(struct message){.sender = msg->receiver,
                                                   .receiver = msg->sender,
                                                   .performative = STR("refuse")});
}

static struct message call_for(uint32_t receiver)
{
    return (struct message){.sender = 1,
                            .receiver = receiver,
                            .conversation = 7,
                            .performative = STR("cfp"),
                            .content = STR("3 links"),
                            .reply_by = 99};
}

static void messages_come_in_the_order_sent(void **state)
{
    struct post *p = post_new();
    struct heard h = {.text = BUF_INIT(1000)};
    struct message a = call_for(2), b = call_for(3);

    (void)state;
    assert_true(post_send(p, &a));
    assert_true(post_send(p, &b));
    assert_int_equal(post_waiting(p), 2);
    assert_int_equal(post_deliver(p, hear, &h), 2);
    assert_string_equal(h.text.data, "1>2 #7 cfp(3 links)@99;1>3 #7 cfp(3 links)@99;");
    assert_int_equal(post_deliver(p, hear, &h), 0);
    buf_free(&h.text);
    post_free(p);
}

static void an_answer_waits_for_the_next_round(void **state)
{
    struct post *p = post_new();
    struct heard h = {.post = p, .text = BUF_INIT(1000)};
    struct message a = call_for(2);

    (void)state;
    assert_true(post_send(p, &a));
    assert_int_equal(post_deliver(p, hear, &h), 1);
    assert_int_equal(post_waiting(p), 1);
    buf_clear(&h.text);
    h.post = NULL;
    assert_int_equal(post_deliver(p, hear, &h), 1);
    assert_string_equal(h.text.data, "2>1 #0 refuse()@0;");
    buf_free(&h.text);
    post_free(p);
}

static void a_checkpoint_keeps_what_waits(void **state)
{
    struct post *p = post_new(), *q = post_new();
    struct buf saved = BUF_INIT(1000);
    struct heard h = {.text = BUF_INIT(1000)};
    struct message a = call_for(2);
    struct cursor c;

    (void)state;
    assert_true(post_send(p, &a));
    post_save(p, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(post_load(q, &c), ST_OK);
    assert_int_equal(c.rest.len, 0);
    assert_int_equal(post_deliver(q, hear, &h), 1);
    assert_string_equal(h.text.data, "1>2 #7 cfp(3 links)@99;");
    for (size_t cut = 0; cut < saved.len; cut++) { /* every beginning of it is refused */
        c = (struct cursor){.rest = {saved.data, cut}};
        assert_int_equal(post_load(q, &c), ST_CORRUPT);
    }
    buf_free(&saved);
    buf_free(&h.text);
    post_free(p);
    post_free(q);
}

static void too_much_is_not_sent(void **state)
{
    struct post *p = post_new();
    size_t len = LIMIT_POST / 2;
    char *big = mem_alloc(len);
    struct message a = {.sender = 1, .receiver = 2, .content = {big, len}}, b = call_for(2);

    (void)state;
    memset(big, 'x', len);
    assert_true(post_send(p, &a));
    assert_false(post_send(p, &a));
    assert_true(post_send(p, &b)); /* a small one still fits */
    assert_int_equal(post_waiting(p), 2);
    free(big);
    post_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_in_the_order_sent),
        cmocka_unit_test(an_answer_waits_for_the_next_round),
        cmocka_unit_test(a_checkpoint_keeps_what_waits),
        cmocka_unit_test(too_much_is_not_sent),
    };

    return cmocka_run_group_tests_name("post", tests, NULL, NULL);
}
