/* Conversations as diagrams: columns, arrows, deadlines, narrow terminals.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "cli/command.h"
#include "cli/show/sequence.h"

#include <stdlib.h>

const struct command *const command_table[] = {NULL};

#define S 1000000
#define S_(z)              \
    {                      \
        (z), sizeof(z) - 1 \
    }

static const struct sequence_party pair[] = {
    {S_("Ann"), S_("manager")},
    {S_("Bob"), S_("helper")},
};

static const struct sequence_party four[] = {
    {S_("Ann"), S_("assistant")},
    {S_("Fay"), S_("facilitator")},
    {S_("Bob"), S_("assistant")},
    {S_("Cid"), S_("assistant")},
};

#define SAID(when, by, from, to, act, words)                                    \
    {                                                                           \
        .at = (when), .reply_by = (by), .sender = S_(from), .receiver = S_(to), \
        .performative = S_(act), .content = S_(words)                           \
    }

static void drawn(const struct sequence *s, size_t width, const char *wanted)
{
    struct buf out = BUF_INIT(100000);
    struct str rest, line;

    sequence_draw(s, width, &out);
    assert_str(buf_str(&out), wanted);
    rest = buf_str(&out);
    while (str_cut(&rest, '\n', &line))
        assert_true(line.len <= width + 2); /* an ellipsis is three bytes */
    buf_free(&out);
}

/* The gap is the longest performative and 6: 13, so twelve columns between the lifelines.
 * The arrow's head takes one; cfp (3) is in the middle of the other 11: four before it, of
 * which the last is a blank; propose (7) has two before it. */
static void arrows_go_both_ways(void **state)
{
    static const struct sequence_message m[] = {
        SAID(5 * S, 6 * S, "Ann", "Bob", "cfp", "take 2"),
        SAID(5 * S + S / 2, 0, "Bob", "Ann", "propose", "ok"),
        SAID(7 * S, 0, "Bob", "Ann", "propose", ""),
    };
    struct sequence s = {
        .parties = pair, .nparties = 2, .messages = m, .nmessages = 3, .now = 10 * S};

    (void)state;
    drawn(&s, 100,
          "          Ann          Bob\n"
          "          manager      helper\n"
          "    0.000 |--- cfp --->|       take 2\n"
          "    0.500 |<- propose -|       ok\n"
          "    2.000 |<- propose -|\n");
}

/* Ann's question to Fay is answered, because Fay's cfp to Bob is the question handed on
 * and her inform comes in time. Bob answers a second late, Cid never; a deadline after now
 * is not missed yet, and an inform awaits nothing. At 110 columns: 10 for the time, three
 * gaps of 15 + 6, nine of the last party and two blanks leave 26 for what was said. */
static const struct sequence_message called[] = {
    SAID(0, 9 * S, "Ann", "Fay", "cfp", "supply-links 2 min 0.5: 1=0.5 2=0.75"),
    SAID(1 * S, 3 * S, "Fay", "Bob", "cfp", "supply-links 2"),
    SAID(1 * S, 3 * S, "Fay", "Cid", "cfp", ""),
    SAID(4 * S, 0, "Bob", "Fay", "propose", "receive-links"),
    SAID(5 * S, 20 * S, "Fay", "Bob", "accept-proposal", ""),
    SAID(5 * S, 6 * S, "Fay", "Ann", "inform", "contractor Bob"),
};

static const struct sequence call = {
    .parties = four, .nparties = 4, .messages = called, .nmessages = 6, .now = 8 * S};

static void missed_deadlines_are_marked(void **state)
{
    static const bool wanted[] = {false, true, true, false, false, false};
    bool missed[6];

    (void)state;
    sequence_missed(&call, missed);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(missed[i], wanted[i]);
    drawn(&call, 110,
          "          Ann                  Fay                  Bob                  Cid\n"
          "          assistant            facilitator          assistant            assistant\n"
          "    0.000 |------- cfp ------->|                    |                    |          "
          "supply-links 2 min 0.5: 1\xe2\x80\xa6\n"
          "    1.000 |                    |------- cfp ------->|                    |          "
          "supply-links 2\n"
          "    1.000 |                    |----------------- cfp ------------------>|\n"
          "    3.000 | ! Bob has not answered cfp\n"
          "    3.000 | ! Cid has not answered cfp\n"
          "    4.000 |                    |<----- propose -----|                    |          "
          "receive-links\n"
          "    5.000 |                    |- accept-proposal ->|                    |\n"
          "    5.000 |<----- inform ------|                    |                    |          "
          "contractor Bob\n");
}

/* 10 for the time, three gaps of 15 + 3, nine of the last party: 73. */
static void narrow_terminals_have_the_words_below(void **state)
{
    (void)state;
    drawn(&call, 80,
          "          Ann               Fay               Bob               Cid\n"
          "          assistant         facilitator       assistant         assistant\n"
          "    0.000 |----- cfp ------>|                 |                 |\n"
          "          | supply-links 2 min 0.5: 1=0.5 2=0.75\n"
          "    1.000 |                 |----- cfp ------>|                 |\n"
          "          |                 | supply-links 2\n"
          "    1.000 |                 |-------------- cfp --------------->|\n"
          "    3.000 | ! Bob has not answered cfp\n"
          "    3.000 | ! Cid has not answered cfp\n"
          "    4.000 |                 |<--- propose ----|                 |\n"
          "          |                 | receive-links\n"
          "    5.000 |                 |accept-proposal->|                 |\n"
          "    5.000 |<---- inform ----|                 |                 |\n"
          "          | contractor Bob\n");
}

static void too_many_parties_are_a_list(void **state)
{
    (void)state;
    drawn(&call, 60,
          "Ann assistant, Fay facilitator, Bob assistant, Cid assistant\n"
          "    0.000 Ann -> Fay: cfp supply-links 2 min 0.5: 1=0.5\xe2\x80\xa6\n"
          "    1.000 Fay -> Bob: cfp supply-links 2\n"
          "    1.000 Fay -> Cid: cfp\n"
          "    3.000 ! Bob has not answered cfp\n"
          "    3.000 ! Cid has not answered cfp\n"
          "    4.000 Bob -> Fay: propose receive-links\n"
          "    5.000 Fay -> Bob: accept-proposal\n"
          "    5.000 Fay -> Ann: inform contractor Bob\n");
}

/* Whatever a database says: nothing of it commands the terminal, and somebody who
 * talks to himself or is not among the parties is told as in a list. */
static void strange_messages_are_drawn(void **state)
{
    static const struct sequence_message m[] = {
        SAID(0, 0, "Ann", "Bob", "a\033b", "x\007y"),
        SAID(0, 0, "Ann", "Ann", "inform", "me"),
        SAID(0, 0, "Ann", "Zoe", "", ""),
    };
    struct sequence s = {.parties = pair, .nparties = 2, .messages = m, .nmessages = 3};

    (void)state;
    drawn(&s, 100,
          "          Ann         Bob\n"
          "          manager     helper\n"
          "    0.000 |-- a?b --->|       x?y\n"
          "    0.000 Ann -> Ann: inform me\n"
          "    0.000 Ann -> Zoe: \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_go_both_ways),
        cmocka_unit_test(missed_deadlines_are_marked),
        cmocka_unit_test(narrow_terminals_have_the_words_below),
        cmocka_unit_test(too_many_parties_are_a_list),
        cmocka_unit_test(strange_messages_are_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
