/* contract.h - the contract net as three tables: states, events, and what to do.
 *
 * A conversation hands links from one agent to another, by way of a facilitator:
 *
 *     manager             facilitator            candidates
 *        |------- cfp -------->|                      |
 *        |                     |-------- cfp -------->|      to m of them
 *        |                     |<-- propose, refuse --|      until the deadline
 *        |                     |--- accept-proposal ->|      to the best bidder
 *        |                     |--- reject-proposal ->|      to the others
 *        |<- inform contractor-|                      |
 *        |------ request ----->|------ request ------>|      the links
 *        |<------ agree -------|<------ agree --------|      they are the contractor's
 *        |                     |                      |      … it works …
 *        |<--- inform-done ----|<---- inform-done ----|      or failure
 *        |<---- inform end ----|----- inform end ---->|
 *
 * Each party has a state; a rule says what an event does in a state. Events are
 * messages and what a party notices itself: its timer, a decision. An event without a
 * rule changes nothing (duplicates, answers that come too late). Every state that is
 * not final has a rule for EVENT TIMEOUT, so that each party reaches a final state
 * even if messages are lost, delayed or doubled, or agents die.
 *
 * Pure data: no clock, no memory, no messages. deal.c performs the actions.
 *
 * Source: FIPA Contract Net (SC00029H), with the facilitator as broker as in Du, Xu,
 * Wang 2016. Ours: reject-proposal, inform-done, failure, cancel, all timers.
 */
#pragma once

#include "base/str.h"

enum contract_role { ROLE_MANAGER, ROLE_FACILITATOR, ROLE_CONTRACTOR, ROLE_COUNT };

/* States of all roles. Those from CONTRACT_FINAL on are final. */
enum contract_state {
    CONTRACT_NONE, /* has not heard of the call */
    /* manager */
    CONTRACT_CFP_SENT,
    CONTRACT_TRANSFER, /* has a contractor, and has sent the links */
    /* facilitator */
    CONTRACT_CALLED,  /* has a call, and has not decided whether to serve it */
    CONTRACT_COLLECT, /* waits for bids */
    CONTRACT_RELAY,   /* has awarded the contract, and waits for the links */
    /* contractor */
    CONTRACT_CFP_RECEIVED, /* considers whether to bid */
    CONTRACT_BID,
    CONTRACT_AWARDED,
    /* all three */
    CONTRACT_RUNNING, /* the contractor has the links and works */
    CONTRACT_FINAL,
    CONTRACT_DONE = CONTRACT_FINAL,
    CONTRACT_FAILED,
    CONTRACT_NO_BID,    /* manager: there was no bid, or another call was served */
    CONTRACT_TIMED_OUT, /* manager: no answer */
    CONTRACT_CLOSED,    /* facilitator */
    CONTRACT_REFUSED,   /* contractor: did not bid */
    CONTRACT_REJECTED,  /* contractor: another was better */
    CONTRACT_EXPIRED,   /* contractor: no answer to its bid */
    CONTRACT_LOST,      /* the party died */
    CONTRACT_STATES
};

static inline bool contract_is_final(enum contract_state s)
{
    return s >= CONTRACT_FINAL;
}

enum contract_event {
    /* messages */
    HEAR_CFP,
    HEAR_PROPOSE,
    HEAR_REFUSE,
    HEAR_NOT_UNDERSTOOD,
    HEAR_ACCEPT,
    HEAR_REJECT,
    HEAR_CONTRACTOR, /* inform contractor … */
    HEAR_END,        /* inform end */
    HEAR_REQUEST,    /* the links */
    HEAR_AGREE,
    HEAR_DONE,
    HEAR_FAILURE,
    HEAR_CANCEL,
    /* what a party notices or decides */
    SELF_CALL,      /* manager: wants to give links away */
    SELF_SERVE,     /* facilitator: this call is served */
    SELF_DECLINE,   /* facilitator: another one was */
    SELF_COLLECTED, /* facilitator: all candidates have answered */
    SELF_BID,       /* contractor: wants the links */
    SELF_PASS,      /* contractor: does not want the links */
    SELF_FINISHED,  /* contractor: has crawled all links */
    SELF_TIMEOUT,
    SELF_DIED,
    CONTRACT_EVENTS
};

#define CONTRACT_HEARD (HEAR_CANCEL + 1) /* how many events are messages */

enum contract_action {
    DO_NOTHING,
    /* manager */
    DO_CALL,       /* put links aside, send the cfp */
    DO_SEND_LINKS, /* to the facilitator */
    DO_TAKE_BACK,  /* what was put aside returns to the queue, if no other agent has it */
    DO_CANCEL,     /* the same, and tell the facilitator */
    /* facilitator */
    DO_ASK,         /* send the cfp to m candidates; fails if there are none */
    DO_DECLINE,     /* refuse to the manager */
    DO_NOTE_BID,    /* remember the bid */
    DO_NOTE_NO,     /* note that this candidate does not bid */
    DO_AWARD,       /* accept-proposal, reject-proposal, inform contractor; fails without a bid */
    DO_PASS_LINKS,  /* links that were not crawled meanwhile, to the contractor */
    DO_PASS_AGREE,  /* to the manager */
    DO_END,         /* inform-done to the manager, inform end to both */
    DO_TELL_FAILED, /* failure to the manager, inform end to the contractor */
    DO_CALL_OFF,    /* cancel to all candidates, failure to the manager */
    DO_REJECT_LATE, /* reject-proposal to a bid that comes too late */
    DO_FAIL_LATE,   /* failure to a manager whose links come too late */
    /* contractor */
    DO_CONSIDER, /* begin to consider a cfp */
    DO_PROPOSE,
    DO_REFUSE,
    DO_AWAIT,      /* wait for the links */
    DO_TAKE_LINKS, /* into the queue, agree; if they are not available any more: failure */
    DO_CONFIRM,    /* agree again */
    DO_REPORT,     /* inform-done, with the number of crawled links */
    DO_FAIL,       /* failure */
    CONTRACT_ACTIONS
};

struct contract_rule {
    enum contract_role role;
    enum contract_state state;
    enum contract_event event;
    enum contract_action action;
    enum contract_state next;
    enum contract_state otherwise; /* if the action fails; 0: it cannot fail */
};

extern const struct contract_rule contract_rules[];
extern const size_t contract_rules_count;

/* Returns the rule for an event in a state; NULL if the event changes nothing. */
const struct contract_rule *contract_find(enum contract_role role, enum contract_state state,
                                          enum contract_event event);

/* For people and for messages. */
extern const char *const contract_state_names[CONTRACT_STATES]; /* "cfp-sent" */
extern const char
    *const contract_event_names[CONTRACT_EVENTS]; /* the performative, if it is a message */

/* Returns the event that a message stands for, or CONTRACT_EVENTS if it is not part
 * of the protocol. */
enum contract_event contract_event_of(struct str performative, struct str content);
