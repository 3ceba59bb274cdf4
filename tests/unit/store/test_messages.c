/* What agents said: messages in, conversations and what became of contracts out.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "store/read/view.h"

#include <stdlib.h>

static const char *dir;

/* M manages, F facilitates, A and B are candidates. */
static const struct said {
    const char *conversation, *performative, *sender, *receiver, *content;
    int64_t reply_by;
} all_said[] = {
    {"1", "request", "M", "F", "register K", 5},
    {"1", "agree", "F", "M", "register", 0},
    {"0", "inform", "M", "F", "of no conversation", 0},
    /* 2 comes to its end */
    {"2", "cfp", "M", "F", "supply-links 5 min 0.25: 1=1", 9},
    {"2", "cfp", "F", "A", "supply-links 5 min 0.25: 1=1", 9},
    {"2", "cfp", "F", "B", "supply-links 5 min 0.25: 1=1", 9},
    {"2", "refuse", "A", "F", "receive-links", 0},
    {"2", "propose", "B", "F", "receive-links ability 0.1", 0},
    {"2", "accept-proposal", "F", "B", "receive-links", 9},
    {"2", "inform", "F", "M", "contractor B", 0},
    {"2", "request", "M", "F", "take-links 5 min 0.25: 1=1", 9},
    {"2", "request", "F", "B", "take-links 4 min 0.25: 1=1", 9},
    {"2", "agree", "B", "F", "receive-links", 0},
    {"2", "agree", "F", "M", "receive-links", 0},
    {"10", "cfp", "M", "F", "supply-links 3 min 0: 1=0", 9}, /* between the others */
    {"2", "inform-done", "B", "F", "crawled 4 of 4", 0},
    {"2", "inform-done", "F", "M", "crawled 4 of 4", 0},
    {"2", "inform", "F", "M", "end", 0},
    {"2", "failure", "F", "M", "too late to matter", 0},
    /* 3: nobody wants; the refusal of a candidate is not the end */
    {"3", "cfp", "M", "F", "supply-links 2 min 0: 1=0", 9},
    {"3", "cfp", "F", "A", "supply-links 2 min 0: 1=0", 9},
    {"3", "refuse", "A", "F", "receive-links", 0},
    {"3", "refuse", "F", "M", "nobody bids", 0},
    /* 4: fails after the award */
    {"4", "cfp", "M", "F", "supply-links 1 min 0: 1=0", 9},
    {"4", "accept-proposal", "F", "A", "receive-links", 9},
    {"4", "failure", "A", "F", "too late", 0},
    {"4", "failure", "F", "M", "the contractor has failed", 0},
    /* 5: its manager gives up */
    {"5", "cfp", "M", "F", "supply-links 1 min 0: 1=0", 9},
    {"5", "cancel", "M", "F", "no answer came", 0},
    /* 6, 7: under way */
    {"6", "cfp", "M", "F", "supply-links 7 min 0: 1=0", 9},
    {"6", "accept-proposal", "F", "A", "receive-links", 9},
    {"6", "agree", "A", "F", "receive-links", 0},
    {"6", "agree", "F", "M", "receive-links", 0},
    {"7", "cfp", "M", "F", "supply-links 7 min 0: 1=0", 9},
    {"7", "accept-proposal", "F", "A", "receive-links", 9},
    {"8", "cfp", "M", "F", "something else", 9},
};

static int set_up(void **state)
{
    struct store *s;

    (void)state;
    dir = test_dir();
    s = made_store(dir);
    for (size_t i = 0; i < sizeof all_said / sizeof *all_said; i++) {
        const struct said *m = &all_said[i];

        store_post(s, &(struct event){.kind = EVENT_MESSAGE,
                                      .at = MADE_AT + (int64_t)i,
                                      .message = {.conversation = str_of(m->conversation),
                                                  .performative = str_of(m->performative),
                                                  .sender = str_of(m->sender),
                                                  .receiver = str_of(m->receiver),
                                                  .content = str_of(m->content),
                                                  .reply_by = m->reply_by}});
    }
    made_checkpoint(s, 0);
    made_close(s);
    return 0;
}

static struct buf told;

static enum status tell_message(void *ctx, const struct query_message *m)
{
    (void)ctx;
    buf_addf(&told, "%.*s>%.*s %.*s %.*s %lld;", STR_ARG(m->sender), STR_ARG(m->receiver),
             STR_ARG(m->performative), STR_ARG(m->content), (long long)m->reply_by);
    return ST_OK;
}

static enum status tell_conversation(void *ctx, const struct query_conversation *c)
{
    (void)ctx;
    buf_addf(&told, "%u %s%.*s>%.*s>%.*s %llu/%llu n=%llu %.*s: %.*s;", c->id,
             c->contract ? "" : "(no) ", STR_ARG(c->sender), STR_ARG(c->receiver),
             STR_ARG(c->contractor), (unsigned long long)c->passed, (unsigned long long)c->offered,
             (unsigned long long)c->messages, STR_ARG(c->outcome), STR_ARG(c->detail));
    return ST_OK;
}

static enum status tell_count(void *ctx, struct str name, uint64_t n)
{
    (void)ctx;
    buf_addf(&told, "%.*s %llu;", STR_ARG(name), (unsigned long long)n);
    return ST_OK;
}

#define assert_told(st, expected)             \
    do {                                      \
        buf_init(&told, 100000);              \
        assert_int_equal((st), ST_OK);        \
        assert_str(buf_str(&told), expected); \
        buf_free(&told);                      \
    } while (0)

/* A query with a view has tables of its own, and gives the same answers. */
static void with_and_without_view(void (*check)(struct query *q))
{
    struct query *q, *view;

    assert_int_equal(query_open(dir, &q), ST_OK);
    check(q);
    assert_int_equal(view_open(dir, &view), ST_OK);
    assert_int_equal(view_refresh(view, true, NULL), ST_OK);
    check(view);
}

static void assert_a_conversation_is_told_in_order(struct query *q)
{
    assert_told(query_messages(q, STR("3"), 0, 100, tell_message, NULL),
                "M>F cfp supply-links 2 min 0: 1=0 9;F>A cfp supply-links 2 min 0: 1=0 9;"
                "A>F refuse receive-links 0;F>M refuse nobody bids 0;");
    assert_told(query_messages(q, STR("99"), 0, 100, tell_message, NULL), "");
    query_close(q);
}

static void a_conversation_is_told_in_order(void **state)
{
    (void)state;
    with_and_without_view(assert_a_conversation_is_told_in_order);
}

static void assert_what_became_of_contracts_is_known(struct query *q)
{
    assert_told(query_conversations(q, true, 100, tell_conversation, NULL),
                "2 M>F>B 4/5 n=15 done: crawled 4 of 4;10 M>F> 0/3 n=1 called: ;"
                "3 M>F> 0/2 n=4 no-bid: nobody bids;"
                "4 M>F>A 0/1 n=4 failed: the contractor has failed;"
                "5 M>F> 0/1 n=2 timed-out: no answer came;6 M>F>A 0/7 n=4 running: ;"
                "7 M>F>A 0/7 n=2 awarded: ;8 M>F> 0/0 n=1 called: ;");
    assert_told(query_conversations(q, true, 2, tell_conversation, NULL),
                "7 M>F>A 0/7 n=2 awarded: ;8 M>F> 0/0 n=1 called: ;");
    assert_told(query_conversations(q, false, 9, tell_conversation, NULL),
                "1 (no) M>F> 0/0 n=2 agree: register;2 M>F>B 4/5 n=15 done: crawled 4 of 4;"
                "10 M>F> 0/3 n=1 called: ;3 M>F> 0/2 n=4 no-bid: nobody bids;"
                "4 M>F>A 0/1 n=4 failed: the contractor has failed;"
                "5 M>F> 0/1 n=2 timed-out: no answer came;6 M>F>A 0/7 n=4 running: ;"
                "7 M>F>A 0/7 n=2 awarded: ;8 M>F> 0/0 n=1 called: ;");
    query_close(q);
}

static void what_became_of_contracts_is_known(void **state)
{
    (void)state;
    with_and_without_view(assert_what_became_of_contracts_is_known);
}

static void all_of_them_are_counted(void **state)
{
    struct query_talks t;
    struct query *q;

    (void)state;
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(query_talks(q, &t), ST_OK);
    assert_int_equal(t.messages, sizeof all_said / sizeof *all_said);
    assert_int_equal(t.conversations, 9);
    assert_int_equal(t.contracts, 8);
    assert_int_equal(t.first, 1);
    assert_int_equal(t.last, 10); /* by number, not by letters */
    assert_int_equal(t.last_at, MADE_AT + (int64_t)(sizeof all_said / sizeof *all_said) - 1);
    /* 8 that begin contracts, and 3 handed on; agree: 1 + 2 + 2 */
    assert_told(query_performatives(q, tell_count, NULL),
                "cfp 11;agree 5;accept-proposal 4;failure 3;inform 3;refuse 3;request 3;"
                "inform-done 2;cancel 1;propose 1;");
    query_close(q);
}

static void a_crawl_without_words_has_none(void **state)
{
    const char *quiet = test_dir();
    struct store *s = made_store(quiet);
    struct query_talks t;
    struct query *q;

    (void)state;
    made_checkpoint(s, 0);
    made_close(s);
    assert_int_equal(query_open(quiet, &q), ST_OK);
    assert_int_equal(query_talks(q, &t), ST_OK);
    assert_int_equal(t.messages + t.conversations + t.contracts + t.first + t.last, 0);
    assert_told(query_conversations(q, false, 9, tell_conversation, NULL), "");
    query_close(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conversation_is_told_in_order),
        cmocka_unit_test(what_became_of_contracts_is_known),
        cmocka_unit_test(all_of_them_are_counted),
        cmocka_unit_test(a_crawl_without_words_has_none),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
