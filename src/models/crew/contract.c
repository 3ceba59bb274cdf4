/* contract.c - the contract net as three tables. SPDX-License-Identifier: MIT */
#include "models/crew/contract.h"

#include "base/mem.h"

/* Short names, for the tables only. */
#define M(state, event, action, next)                                                 \
    {                                                                                 \
        ROLE_MANAGER, CONTRACT_##state, event, action, CONTRACT_##next, CONTRACT_NONE \
    }
#define F(state, event, action, next)                                                     \
    {                                                                                     \
        ROLE_FACILITATOR, CONTRACT_##state, event, action, CONTRACT_##next, CONTRACT_NONE \
    }
#define C(state, event, action, next)                                                    \
    {                                                                                    \
        ROLE_CONTRACTOR, CONTRACT_##state, event, action, CONTRACT_##next, CONTRACT_NONE \
    }
#define F_OR(state, event, action, next, no)                                              \
    {                                                                                     \
        ROLE_FACILITATOR, CONTRACT_##state, event, action, CONTRACT_##next, CONTRACT_##no \
    }
#define C_OR(state, event, action, next, no)                                             \
    {                                                                                    \
        ROLE_CONTRACTOR, CONTRACT_##state, event, action, CONTRACT_##next, CONTRACT_##no \
    }

/* clang-format off */
const struct contract_rule contract_rules[] = {
    /* ---- manager: links are put aside from the call until another agent has them ---- */
    M(NONE,      SELF_CALL,       DO_CALL,       CFP_SENT),
    M(CFP_SENT,  HEAR_CONTRACTOR, DO_SEND_LINKS, TRANSFER),
    M(CFP_SENT,  HEAR_REFUSE,     DO_TAKE_BACK,  NO_BID),
    M(CFP_SENT,  HEAR_FAILURE,    DO_TAKE_BACK,  FAILED),
    M(CFP_SENT,  HEAR_END,        DO_TAKE_BACK,  FAILED),
    M(CFP_SENT,  SELF_TIMEOUT,    DO_CANCEL,     TIMED_OUT),
    M(CFP_SENT,  SELF_DIED,       DO_TAKE_BACK,  LOST),
    M(TRANSFER,  HEAR_CONTRACTOR, DO_SEND_LINKS, TRANSFER), /* said twice: so are the links */
    M(TRANSFER,  HEAR_AGREE,      DO_NOTHING,    RUNNING),
    M(TRANSFER,  HEAR_DONE,       DO_TAKE_BACK,  DONE),     /* the agreement was lost */
    M(TRANSFER,  HEAR_END,        DO_TAKE_BACK,  DONE),     /* and the report, too */
    M(TRANSFER,  HEAR_REFUSE,     DO_TAKE_BACK,  FAILED),
    M(TRANSFER,  HEAR_FAILURE,    DO_TAKE_BACK,  FAILED),
    M(TRANSFER,  SELF_TIMEOUT,    DO_CANCEL,     TIMED_OUT),
    M(TRANSFER,  SELF_DIED,       DO_TAKE_BACK,  LOST),
    M(RUNNING,   HEAR_DONE,       DO_TAKE_BACK,  DONE),     /* nothing is left to take, */
    M(RUNNING,   HEAR_END,        DO_TAKE_BACK,  DONE),     /* unless the agreement was false */
    M(RUNNING,   HEAR_FAILURE,    DO_TAKE_BACK,  FAILED),
    M(RUNNING,   SELF_TIMEOUT,    DO_TAKE_BACK,  FAILED),
    M(RUNNING,   SELF_DIED,       DO_TAKE_BACK,  LOST),

    /* ---- facilitator ---- */
    F(NONE,         HEAR_CFP,            DO_NOTHING,     CALLED),
    F(NONE,         HEAR_CANCEL,         DO_NOTHING,     CLOSED), /* overtook its call */
    F(NONE,         SELF_TIMEOUT,        DO_NOTHING,     CLOSED), /* the call was lost */
    F_OR(CALLED,    SELF_SERVE,          DO_ASK,         COLLECT, CLOSED),
    F(CALLED,       SELF_DECLINE,        DO_DECLINE,     CLOSED),
    F(CALLED,       SELF_TIMEOUT,        DO_DECLINE,     CLOSED),
    F(CALLED,       HEAR_CANCEL,         DO_NOTHING,     CLOSED),
    F(COLLECT,      HEAR_PROPOSE,        DO_NOTE_BID,    COLLECT),
    F(COLLECT,      HEAR_REFUSE,         DO_NOTE_NO,     COLLECT),
    F(COLLECT,      HEAR_NOT_UNDERSTOOD, DO_NOTE_NO,     COLLECT),
    F(COLLECT,      HEAR_FAILURE,        DO_NOTE_NO,     COLLECT),
    F_OR(COLLECT,   SELF_COLLECTED,      DO_AWARD,       RELAY, CLOSED),
    F_OR(COLLECT,   SELF_TIMEOUT,        DO_AWARD,       RELAY, CLOSED),
    F(COLLECT,      HEAR_CANCEL,         DO_CALL_OFF,    CLOSED),
    F(RELAY,        HEAR_REQUEST,        DO_PASS_LINKS,  RUNNING),
    F(RELAY,        HEAR_FAILURE,        DO_TELL_FAILED, CLOSED),
    F(RELAY,        HEAR_CANCEL,         DO_CALL_OFF,    CLOSED),
    F(RELAY,        HEAR_PROPOSE,        DO_REJECT_LATE, RELAY),
    F(RELAY,        SELF_TIMEOUT,        DO_CALL_OFF,    CLOSED),
    F(RUNNING,      HEAR_AGREE,          DO_PASS_AGREE,  RUNNING),
    F(RUNNING,      HEAR_REQUEST,        DO_PASS_LINKS,  RUNNING), /* sent again */
    F(RUNNING,      HEAR_DONE,           DO_END,         CLOSED),
    F(RUNNING,      HEAR_FAILURE,        DO_TELL_FAILED, CLOSED),
    F(RUNNING,      HEAR_CANCEL,         DO_CALL_OFF,    CLOSED),
    F(RUNNING,      HEAR_PROPOSE,        DO_REJECT_LATE, RUNNING),
    F(RUNNING,      SELF_TIMEOUT,        DO_CALL_OFF,    CLOSED),
    F(CLOSED,       HEAR_PROPOSE,        DO_REJECT_LATE, CLOSED),
    F(CLOSED,       HEAR_CFP,            DO_DECLINE,     CLOSED),
    F(CLOSED,       HEAR_REQUEST,        DO_FAIL_LATE,   CLOSED),

    /* ---- contractor ---- */
    C(NONE,            HEAR_CFP,      DO_CONSIDER,   CFP_RECEIVED),
    C(NONE,            HEAR_ACCEPT,   DO_AWAIT,      AWARDED), /* award=min_ability: unasked */
    C(NONE,            HEAR_CANCEL,   DO_NOTHING,    EXPIRED), /* overtook the cfp */
    C(NONE,            HEAR_REJECT,   DO_NOTHING,    EXPIRED),
    C(NONE,            SELF_TIMEOUT,  DO_NOTHING,    EXPIRED), /* the cfp was lost */
    C(NONE,            SELF_DIED,     DO_NOTHING,    LOST),
    C_OR(NONE,         HEAR_REQUEST,  DO_TAKE_LINKS, RUNNING, FAILED),
    C(CFP_RECEIVED,    SELF_BID,      DO_PROPOSE,    BID),
    C(CFP_RECEIVED,    SELF_PASS,     DO_REFUSE,     REFUSED),
    C(CFP_RECEIVED,    HEAR_CANCEL,   DO_NOTHING,    EXPIRED),
    C(CFP_RECEIVED,    HEAR_REJECT,   DO_NOTHING,    REJECTED),
    C(CFP_RECEIVED,    SELF_TIMEOUT,  DO_NOTHING,    EXPIRED),
    C(CFP_RECEIVED,    SELF_DIED,     DO_NOTHING,    LOST),
    C(BID,             HEAR_ACCEPT,   DO_AWAIT,      AWARDED),
    C(BID,             HEAR_REJECT,   DO_NOTHING,    REJECTED),
    C(BID,             HEAR_CANCEL,   DO_NOTHING,    EXPIRED),
    C(BID,             HEAR_END,      DO_NOTHING,    EXPIRED),
    C_OR(BID,          HEAR_REQUEST,  DO_TAKE_LINKS, RUNNING, FAILED), /* overtook the award */
    C(BID,             SELF_TIMEOUT,  DO_NOTHING,    EXPIRED),
    C(BID,             SELF_DIED,     DO_NOTHING,    LOST),
    C_OR(AWARDED,      HEAR_REQUEST,  DO_TAKE_LINKS, RUNNING, FAILED),
    C(AWARDED,         HEAR_CANCEL,   DO_NOTHING,    FAILED),
    C(AWARDED,         HEAR_END,      DO_NOTHING,    FAILED),
    C(AWARDED,         SELF_TIMEOUT,  DO_FAIL,       FAILED),
    C(AWARDED,         SELF_DIED,     DO_NOTHING,    LOST),
    C(RUNNING,         HEAR_REQUEST,  DO_CONFIRM,    RUNNING), /* the agreement was lost */
    C(RUNNING,         HEAR_CANCEL,   DO_REPORT,     DONE),
    C(RUNNING,         HEAR_END,      DO_NOTHING,    DONE),
    C(RUNNING,         SELF_FINISHED, DO_REPORT,     DONE),
    C(RUNNING,         SELF_TIMEOUT,  DO_REPORT,     DONE), /* what is crawled so far */
    C(RUNNING,         SELF_DIED,     DO_NOTHING,    LOST),
    C(DONE,            HEAR_REQUEST,  DO_REPORT,     DONE),
    C(REFUSED,         HEAR_ACCEPT,   DO_FAIL,       REFUSED),
    C(REFUSED,         HEAR_REQUEST,  DO_FAIL,       REFUSED),
    C(REJECTED,        HEAR_ACCEPT,   DO_FAIL,       REJECTED),
    C(REJECTED,        HEAR_REQUEST,  DO_FAIL,       REJECTED),
    C(EXPIRED,         HEAR_ACCEPT,   DO_FAIL,       EXPIRED), /* too late */
    C(EXPIRED,         HEAR_REQUEST,  DO_FAIL,       EXPIRED),
    C(EXPIRED,         HEAR_CFP,      DO_REFUSE,     EXPIRED),
    C(FAILED,          HEAR_ACCEPT,   DO_FAIL,       FAILED),
    C(FAILED,          HEAR_REQUEST,  DO_FAIL,       FAILED),
};
/* clang-format on */

const size_t contract_rules_count = ARRAY_LEN(contract_rules);

const struct contract_rule *contract_find(enum contract_role role, enum contract_state state,
                                          enum contract_event event)
{
    for (const struct contract_rule *r = contract_rules; r < contract_rules + contract_rules_count;
         r++)
        if (r->role == role && r->state == state && r->event == event)
            return r;
    return NULL;
}

/* ---- names ---- */

const char *const contract_state_names[CONTRACT_STATES] = {
    [CONTRACT_NONE] = "none",
    [CONTRACT_CFP_SENT] = "cfp-sent",
    [CONTRACT_TRANSFER] = "transfer",
    [CONTRACT_CALLED] = "called",
    [CONTRACT_COLLECT] = "collect",
    [CONTRACT_RELAY] = "relay",
    [CONTRACT_CFP_RECEIVED] = "cfp-received",
    [CONTRACT_BID] = "bid",
    [CONTRACT_AWARDED] = "awarded",
    [CONTRACT_RUNNING] = "running",
    [CONTRACT_DONE] = "done",
    [CONTRACT_FAILED] = "failed",
    [CONTRACT_NO_BID] = "no-bid",
    [CONTRACT_TIMED_OUT] = "timed-out",
    [CONTRACT_CLOSED] = "closed",
    [CONTRACT_REFUSED] = "refused",
    [CONTRACT_REJECTED] = "rejected",
    [CONTRACT_EXPIRED] = "expired",
    [CONTRACT_LOST] = "lost",
};

const char *const contract_event_names[CONTRACT_EVENTS] = {
    [HEAR_CFP] = "cfp",
    [HEAR_PROPOSE] = "propose",
    [HEAR_REFUSE] = "refuse",
    [HEAR_NOT_UNDERSTOOD] = "not-understood",
    [HEAR_ACCEPT] = "accept-proposal",
    [HEAR_REJECT] = "reject-proposal",
    [HEAR_CONTRACTOR] = "inform",
    [HEAR_END] = "inform",
    [HEAR_REQUEST] = "request",
    [HEAR_AGREE] = "agree",
    [HEAR_DONE] = "inform-done",
    [HEAR_FAILURE] = "failure",
    [HEAR_CANCEL] = "cancel",
    [SELF_CALL] = "(calls)",
    [SELF_SERVE] = "(serves)",
    [SELF_DECLINE] = "(declines)",
    [SELF_COLLECTED] = "(all answered)",
    [SELF_BID] = "(bids)",
    [SELF_PASS] = "(passes)",
    [SELF_FINISHED] = "(finished)",
    [SELF_TIMEOUT] = "(timeout)",
    [SELF_DIED] = "(died)",
};

enum contract_event contract_event_of(struct str performative, struct str content)
{
    if (str_eq(performative, STR("inform"))) {
        if (str_starts(content, STR("contractor ")))
            return HEAR_CONTRACTOR;
        return str_starts(content, STR("end")) ? HEAR_END : CONTRACT_EVENTS;
    }
    for (int e = 0; e < CONTRACT_HEARD; e++)
        if (str_eq(performative, str_of(contract_event_names[e])))
            return (enum contract_event)e;
    return CONTRACT_EVENTS;
}
