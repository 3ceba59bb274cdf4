/* test_crew_rules.c - every transition of the contract net, walked by a crew.
 *
 * For each rule of models/crew/contract.h a crew of four is brought into its state, the event is
 * made to happen (a message, or what makes a party decide), and the next state and what
 * is said are compared with the rule. Then every message that no rule wants.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"

#include "base/mem.h"

#include <stdio.h>

#define FAR  (INT64_C(1) << 50)
#define MINE 20 /* links of the manager, 2 of them on offer */

/* What an action says; and where it cannot be done. */
static const struct {
    const char *said, *otherwise;
} says[CONTRACT_ACTIONS] = {
    [DO_NOTHING] = {"", NULL},
    [DO_CALL] = {"cfp ", NULL},
    [DO_SEND_LINKS] = {"request ", NULL},
    [DO_TAKE_BACK] = {"", NULL},
    [DO_CANCEL] = {"cancel ", NULL},
    [DO_ASK] = {"cfp cfp ", "refuse "},
    [DO_DECLINE] = {"refuse ", NULL},
    [DO_NOTE_BID] = {"", NULL},
    [DO_NOTE_NO] = {"", NULL},
    [DO_AWARD] = {"accept-proposal inform ", "refuse "},
    [DO_PASS_LINKS] = {"request ", NULL},
    [DO_PASS_AGREE] = {"agree ", NULL},
    [DO_END] = {"inform-done inform inform ", NULL},
    [DO_TELL_FAILED] = {"failure ", NULL},
    [DO_CALL_OFF] = {"cancel cancel failure ", NULL},
    [DO_REJECT_LATE] = {"reject-proposal ", NULL},
    [DO_FAIL_LATE] = {"failure ", NULL},
    [DO_CONSIDER] = {"", NULL},
    [DO_PROPOSE] = {"propose ", NULL},
    [DO_REFUSE] = {"refuse ", NULL},
    [DO_AWAIT] = {"", NULL},
    [DO_TAKE_LINKS] = {"agree ", "failure "},
    [DO_CONFIRM] = {"agree ", NULL},
    [DO_REPORT] = {"inform-done ", NULL},
    [DO_FAIL] = {"failure ", NULL},
};

struct stage {
    struct ship ship;
    struct deal *deal;
};

static void forget_letters(struct ship *s)
{
    while (s->nposted > 0)
        ship_lose(s, 0);
}

static void add_bidder(struct stage *t, uint32_t desk)
{
    struct deal *d = t->deal;

    MEM_GROW(d->bidders, d->nbidders, &d->bidders_cap);
    d->bidders[d->nbidders++] = (struct bidder){.desk = desk, .party = {.deadline = FAR}};
}

/* A manager (the first of four) that has called; its candidates, second and third, of whom
 * the second is the contractor. Nobody waits for anything. */
static void stage_open(struct stage *t, const struct contract_rule *r)
{
    ship_open(&t->ship, "crawlers=4 think=0s interval=1000000s candidates=2", 0);
    ship_settle(&t->ship);
    for (uint32_t i = 0; i < MINE; i++)
        ship_give(&t->ship, 0, 101 + i, .5);
    ship_crew(&t->ship)->round = 1;
    for (uint32_t i = 0; i < 4; i++)
        ship_desk(&t->ship, i)->told_round = 1;
    if (r->event == SELF_CALL)
        return;
    deal_call(t->ship.model, ship_desk(&t->ship, 0));
    forget_letters(&t->ship);
    t->deal = ship_crew(&t->ship)->deals[0];
    t->deal->at_manager.deadline = t->deal->at_facilitator.deadline = FAR;
    if (r->event != SELF_SERVE) {
        add_bidder(t, 1);
        add_bidder(t, 2);
        t->deal->contractor = 2;
    }
}

static struct party *party(const struct stage *t, enum contract_role role)
{
    return role == ROLE_MANAGER       ? &t->deal->at_manager
           : role == ROLE_FACILITATOR ? &t->deal->at_facilitator
                                      : &t->deal->bidders[0].party;
}

/* The links are where they are in such a state. */
static void place_links(struct stage *t, enum held held)
{
    struct ship *s = &t->ship;
    struct link_list l = t->deal->links;
    uint32_t to = held == HELD_TAKEN ? 1 : 0;

    if (held == HELD_ASIDE)
        return;
    t->deal->held = held;
    t->deal->links = (struct link_list){0};
    for (size_t i = 0; i < l.count; i++) {
        link_enter(s->model, ship_desk(s, to), l.items[i].url, l.items[i].score);
        if (held == HELD_TAKEN)
            link_list_add(&t->deal->left, l.items[i].url, l.items[i].score);
    }
    t->deal->passed = (uint32_t)t->deal->left.count;
    link_list_clear(&l);
}

static enum held held_in(const struct contract_rule *r)
{
    if (r->state == CONTRACT_RUNNING || (r->state == CONTRACT_DONE && r->role != ROLE_MANAGER))
        return HELD_TAKEN;
    return contract_is_final(r->state) ? HELD_RETURNED : HELD_ASIDE;
}

/* ---- events ---------------------------------------------------------------------- */

static void hear(struct stage *t, enum contract_role role, enum contract_event event)
{
    struct ship *s = &t->ship;
    bool from_manager = event == HEAR_CFP || event == HEAR_REQUEST || event == HEAR_CANCEL;
    uint32_t boss = ship_crew(s)->groups[0].facilitator;
    struct message msg = {
        .sender = role != ROLE_FACILITATOR ? boss
                  : from_manager           ? ship_desk(s, 0)->assistant
                                           : ship_desk(s, 1)->assistant,
        .receiver = role == ROLE_FACILITATOR ? boss
                    : role == ROLE_MANAGER   ? ship_desk(s, 0)->assistant
                                             : ship_desk(s, 1)->assistant,
        .conversation = t->deal->conversation,
        .performative = str_of(contract_event_names[event]),
        .content = event == HEAR_CONTRACTOR ? STR("contractor Bolimi")
                   : event == HEAR_END      ? STR("end")
                   : event == HEAR_PROPOSE  ? STR("receive-links ability 0.1")
                                            : STR("supply-links 2 min 0.5: 101=0.5 102=0.5"),
    };

    s->model->ops->talks->receive(s->model, &msg);
}

/* Makes the party notice or decide. `no`: so that the action cannot be done. */
static void happen(struct stage *t, const struct contract_rule *r, bool no)
{
    struct ship *s = &t->ship;

    switch (r->event) {
    case SELF_CALL:
        deal_call(s->model, ship_desk(s, 0));
        t->deal = ship_crew(s)->deals[0];
        return;
    case SELF_SERVE:
        for (uint32_t i = 1; i < 4; i++)
            ship_desk(s, i)->stopped = no;
        break;
    case SELF_DECLINE:
        ship_crew(s)->groups[0].served_round = 1;
        break;
    case SELF_COLLECTED:
        t->deal->bidders[0].answered = t->deal->bidders[1].answered = true;
        t->deal->bidders[0].bids = !no;
        break;
    case SELF_PASS:
        ship_give(s, 1, 999, .6);
        break;
    case SELF_FINISHED:
        link_list_clear(&t->deal->left);
        break;
    case SELF_TIMEOUT:
        t->deal->bidders[0].bids = !no;
        ship_desk(s, 1)->busy_until = FAR; /* else it would decide */
        party(t, r->role)->deadline = s->ctx.now;
        break;
    case SELF_DIED:
        crew_lose(s->model, r->role == ROLE_MANAGER ? 0 : 1, "lost");
        return;
    default:
        break;
    }
    deals_tick(s->model);
}

/* ---- the walk -------------------------------------------------------------------- */

static void assert_walked(struct stage *t, const struct contract_rule *r, bool no)
{
    const char *want = no ? says[r->action].otherwise : says[r->action].said;
    enum contract_state next = no ? r->otherwise : r->next, got = party(t, r->role)->state;
    char said[200] = "";

    for (size_t i = 0; i < t->ship.nposted; i++) {
        (void)strncat(said, t->ship.post[i].performative, sizeof said - strlen(said) - 1);
        (void)strncat(said, " ", sizeof said - strlen(said) - 1);
    }
    if (got != next || strcmp(said, want) != 0)
        fail_msg("role %d in %s, %s: came to %s, not %s; said '%s', not '%s'", r->role,
                 contract_state_names[r->state], contract_event_names[r->event],
                 contract_state_names[got], contract_state_names[next], said, want);
    for (uint32_t i = 0; i < MINE; i++)
        assert_int_equal(crew_places(t->ship.model, 101 + i), 1);
}

static void walk(const struct contract_rule *r, bool no)
{
    struct stage t = {0};

    stage_open(&t, r);
    if (t.deal) {
        party(&t, r->role)->state = r->state;
        place_links(&t, no && r->action == DO_TAKE_LINKS ? HELD_RETURNED : held_in(r));
    }
    if (r->event < CONTRACT_HEARD)
        hear(&t, r->role, r->event);
    else
        happen(&t, r, no);
    assert_walked(&t, r, no);
    if (r->action == DO_TAKE_BACK && r->next != CONTRACT_LOST && held_in(r) == HELD_ASIDE)
        assert_int_equal(ship_desk(&t.ship, 0)->queue.count, MINE);
    ship_close(&t.ship);
}

static void every_transition_is_walked(void **state)
{
    size_t walked = 0, otherwise = 0;
    const struct contract_rule *r = contract_rules;

    (void)state;
    for (size_t i = 0; i < contract_rules_count; i++) {
        walk(&r[i], false);
        walked++;
        if (r[i].otherwise == CONTRACT_NONE)
            continue;
        walk(&r[i], true);
        otherwise++;
    }
    print_message("# %zu rules walked, %zu of them both ways\n", walked, otherwise);
    assert_int_equal(walked, contract_rules_count);
}

/* A message without a rule, in whatever state: nothing happens, and nothing is said. */
static void other_messages_change_nothing(void **state)
{
    (void)state;
    for (enum contract_role role = 0; role < ROLE_COUNT; role++)
        for (enum contract_state s = 0; s < CONTRACT_STATES; s++)
            for (enum contract_event e = 0; e < CONTRACT_HEARD; e++) {
                struct contract_rule r = {.role = role, .state = s, .event = e};
                struct stage t = {0};

                if (contract_find(role, s, e))
                    continue;
                stage_open(&t, &r);
                party(&t, role)->state = s;
                hear(&t, role, e);
                assert_int_equal(party(&t, role)->state, s);
                assert_int_equal(t.ship.nposted, 0);
                ship_close(&t.ship);
            }
}

/* Conversations that are over are not there any more: everybody answers all the same. */
static void those_who_come_after_the_end_are_answered(void **state)
{
    static const struct {
        enum contract_role role;
        enum contract_event event;
        const char *answer;
    } late[] = {
        {ROLE_FACILITATOR, HEAR_PROPOSE, "reject-proposal"},
        {ROLE_FACILITATOR, HEAR_CFP, "refuse"},
        {ROLE_FACILITATOR, HEAR_REQUEST, "failure"},
        {ROLE_FACILITATOR, HEAR_AGREE, NULL},
        {ROLE_CONTRACTOR, HEAR_CFP, "refuse"},
        {ROLE_CONTRACTOR, HEAR_ACCEPT, "failure"},
        {ROLE_CONTRACTOR, HEAR_REQUEST, "failure"},
        {ROLE_CONTRACTOR, HEAR_CANCEL, NULL},
        {ROLE_MANAGER, HEAR_DONE, NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(late); i++) {
        struct contract_rule r = {.role = late[i].role, .event = late[i].event};
        struct deal over, *was;
        struct stage t = {0};

        stage_open(&t, &r);
        over = *t.deal;
        over.conversation += 1000; /* nobody remembers that one */
        was = t.deal;
        t.deal = &over;
        hear(&t, late[i].role, late[i].event);
        t.deal = was;
        assert_int_equal(t.ship.nposted, late[i].answer ? 1 : 0);
        if (late[i].answer)
            assert_string_equal(t.ship.post[0].performative, late[i].answer);
        ship_close(&t.ship);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_transition_is_walked),
        cmocka_unit_test(other_messages_change_nothing),
        cmocka_unit_test(those_who_come_after_the_end_are_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
