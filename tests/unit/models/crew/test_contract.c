/* test_contract.c - the tables of the contract net, by themselves.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/crew/contract.h"

static void every_rule_is_there_once(void **state)
{
    const struct contract_rule *r = contract_rules;

    (void)state;
    for (size_t i = 0; i < contract_rules_count; i++)
        assert_ptr_equal(contract_find(r[i].role, r[i].state, r[i].event), &r[i]);
    assert_null(contract_find(ROLE_MANAGER, CONTRACT_DONE, HEAR_CFP));
}

/* Which states a role can come to. */
static void reach(enum contract_role role, bool ret[CONTRACT_STATES])
{
    const struct contract_rule *r = contract_rules;
    bool more = true;

    ret[CONTRACT_NONE] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < contract_rules_count; i++) {
            if (r[i].role != role || !ret[r[i].state])
                continue;
            more |= !ret[r[i].next] || !ret[r[i].otherwise];
            ret[r[i].next] = ret[r[i].otherwise] = true;
        }
    }
}

static void every_rule_can_be_reached(void **state)
{
    const struct contract_rule *r = contract_rules;

    (void)state;
    for (enum contract_role role = 0; role < ROLE_COUNT; role++) {
        bool reached[CONTRACT_STATES] = {false};

        reach(role, reached);
        for (size_t i = 0; i < contract_rules_count; i++)
            if (r[i].role == role && !reached[r[i].state])
                fail_msg("role %d: nothing leads to %s", role, contract_state_names[r[i].state]);
    }
}

/* Whatever is lost: who waits, waits until a time; who dies, is dead. (A manager without
 * a call waits for nothing.) */
static void nobody_waits_for_ever(void **state)
{
    (void)state;
    for (enum contract_role role = 0; role < ROLE_COUNT; role++) {
        bool reached[CONTRACT_STATES] = {false};

        reach(role, reached);
        for (enum contract_state s = 0; s < CONTRACT_FINAL; s++) {
            const struct contract_rule *r = contract_find(role, s, SELF_TIMEOUT);

            if (!reached[s] || (role == ROLE_MANAGER && s == CONTRACT_NONE))
                continue;
            if (r == NULL)
                fail_msg("role %d waits for ever in %s", role, contract_state_names[s]);
            /* a facilitator that has waited long enough for bids goes on with those it has */
            assert_true(contract_is_final(r->next) || s == CONTRACT_COLLECT);
            if (role != ROLE_FACILITATOR)
                assert_int_equal(contract_find(role, s, SELF_DIED)->next, CONTRACT_LOST);
        }
    }
}

static void what_is_over_stays_over(void **state)
{
    const struct contract_rule *r = contract_rules;

    (void)state;
    for (size_t i = 0; i < contract_rules_count; i++)
        if (contract_is_final(r[i].state)) {
            assert_int_equal(r[i].next, r[i].state);
            assert_true(r[i].event < CONTRACT_HEARD); /* only answers are left */
        }
}

/* Answers to those who come too late are not answered in their turn. */
static void the_late_do_not_quarrel(void **state)
{
    (void)state;
    for (enum contract_state s = CONTRACT_FINAL; s < CONTRACT_STATES; s++) {
        assert_null(contract_find(ROLE_FACILITATOR, s, HEAR_FAILURE));
        assert_null(contract_find(ROLE_FACILITATOR, s, HEAR_REFUSE));
        assert_null(contract_find(ROLE_CONTRACTOR, s, HEAR_REJECT));
        for (enum contract_event e = 0; e < CONTRACT_HEARD; e++)
            assert_null(contract_find(ROLE_MANAGER, s, e));
    }
}

static void messages_are_known_by_their_performatives(void **state)
{
    (void)state;
    for (enum contract_event e = 0; e < CONTRACT_HEARD; e++) {
        struct str content = e == HEAR_CONTRACTOR ? STR("contractor Bolimi")
                             : e == HEAR_END      ? STR("end")
                                                  : STR("");

        assert_int_equal(contract_event_of(str_of(contract_event_names[e]), content), e);
    }
    assert_int_equal(contract_event_of(STR("inform"), STR("ability .3")), CONTRACT_EVENTS);
    assert_int_equal(contract_event_of(STR("shout"), STR("end")), CONTRACT_EVENTS);
    assert_string_equal(contract_state_names[CONTRACT_CFP_SENT], "cfp-sent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_there_once),
        cmocka_unit_test(every_rule_can_be_reached),
        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(what_is_over_stays_over),
        cmocka_unit_test(the_late_do_not_quarrel),
        cmocka_unit_test(messages_are_known_by_their_performatives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
