/* crew_deal.c - contracts: what the rules of agent/contract.h make people do.
 *
 * A deal is one conversation with the states of all its parties; each is changed only by
 * what its own party hears, decides or waits for in vain. The links on offer lie aside
 * from the call on. Whoever takes them takes all, once: the contractor when the request
 * reaches it, or the manager when it has waited long enough. Whoever comes second finds
 * nothing there: so no loss, delay or doubling of a message can lose or double a link.
 * Limit: "aside" is memory that all parties of a group share; groups may be on several
 * machines, a group may not. SPDX-License-Identifier: MIT */
#include "agent/models/crew_int.h"

#include "base/limits.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* How long a party waits in a state: so many deadlines, and the time of work. */
static const struct {
    uint8_t deadlines;
    bool work; /* and T */
} patience[ROLE_COUNT][CONTRACT_FINAL] = {
    [ROLE_MANAGER] =
        {
            [CONTRACT_CFP_SENT] = {5, false},
            [CONTRACT_TRANSFER] = {1, false},
            [CONTRACT_RUNNING] = {3, true},
        },
    [ROLE_FACILITATOR] =
        {
            [CONTRACT_NONE] = {1, false},
            [CONTRACT_CALLED] = {2, false},
            [CONTRACT_COLLECT] = {1, false},
            [CONTRACT_RELAY] = {1, false},
            [CONTRACT_RUNNING] = {2, true},
        },
    [ROLE_CONTRACTOR] =
        {
            [CONTRACT_NONE] = {1, false},
            [CONTRACT_CFP_RECEIVED] = {1, false},
            [CONTRACT_BID] = {2, false},
            [CONTRACT_AWARDED] = {2, false},
            [CONTRACT_RUNNING] = {0, true},
        },
};

/* Who does it, where, and what for. */
struct scene {
    struct model *m;
    struct deal *deal;
    struct bidder *bidder;     /* the contractor's side; NULL: another one's */
    const struct message *msg; /* NULL: not a message */
};

static struct crew *crew_at(const struct scene *s)
{
    return crew_of(s->m);
}

static struct desk *manager_of(const struct scene *s)
{
    return &crew_at(s)->desks[s->deal->manager];
}

static struct desk *desk_of(const struct scene *s, const struct bidder *b)
{
    return &crew_at(s)->desks[b->desk];
}

static uint32_t facilitator_of(const struct scene *s)
{
    return crew_at(s)->groups[s->deal->group].facilitator;
}

static int64_t soon(const struct scene *s)
{
    return s->m->ctx->now + crew_options_of(s->m)->deadline;
}

static void say(const struct scene *s, uint32_t from, uint32_t to, const char *performative,
                int64_t reply_by, const char *text)
{
    crew_say(s->m, from, to, s->deal->conversation, performative, reply_by, "%s", text);
}

static void to_manager(const struct scene *s, const char *performative, const char *text)
{
    say(s, facilitator_of(s), manager_of(s)->assistant, performative, 0, text);
}

static void to_bidder(const struct scene *s, const struct bidder *b, const char *performative,
                      int64_t reply_by, const char *text)
{
    say(s, facilitator_of(s), desk_of(s, b)->assistant, performative, reply_by, text);
}

static void from_bidder(const struct scene *s, const char *performative, const char *text)
{
    say(s, desk_of(s, s->bidder)->assistant, facilitator_of(s), performative, 0, text);
}

static struct bidder *contractor_of(const struct deal *d)
{
    for (size_t i = 0; i < d->nbidders; i++)
        if (d->contractor == d->bidders[i].desk + 1)
            return &d->bidders[i];
    return NULL;
}

static double least_score(const struct link_list *l)
{
    double least = INFINITY;

    for (size_t i = 0; i < l->count; i++)
        least = l->items[i].score < least ? l->items[i].score : least;
    return least;
}

/* ---- what a manager does --------------------------------------------------------- */

/* "supply-links 2 min 0.25: 12=0.5 15=0.25" */
static void write_offer(const struct deal *d, const char *what, struct buf *out)
{
    (void)buf_addf(out, "%s %zu min %.7g: ", what, d->links.count, least_score(&d->links));
    link_list_write(&d->links, SIZE_MAX, out);
}

static bool do_call(struct scene *s)
{
    struct buf text = BUF_INIT(MIB(1));

    write_offer(s->deal, "supply-links", &text);
    say(s, manager_of(s)->assistant, facilitator_of(s), "cfp", soon(s), text.data);
    buf_free(&text);
    return true;
}

static bool do_send_links(struct scene *s)
{
    struct buf text = BUF_INIT(MIB(1));

    if (s->deal->held == HELD_ASIDE) {
        write_offer(s->deal, "take-links", &text);
        say(s, manager_of(s)->assistant, facilitator_of(s), "request", soon(s), text.data);
    }
    buf_free(&text);
    return true;
}

static bool do_take_back(struct scene *s)
{
    struct link_list back = s->deal->links;

    if (s->deal->held != HELD_ASIDE)
        return true;
    s->deal->held = HELD_RETURNED;
    s->deal->links = (struct link_list){0};
    for (size_t i = 0; i < back.count; i++)
        link_enter(s->m, manager_of(s), back.items[i].url, back.items[i].score);
    link_list_clear(&back);
    return true;
}

static bool do_cancel(struct scene *s)
{
    say(s, manager_of(s)->assistant, facilitator_of(s), "cancel", 0, "no answer came");
    return do_take_back(s);
}

/* ---- what a facilitator does ----------------------------------------------------- */

static bool is_busy(const struct model *m, uint32_t desk);

/* The place of the desk of lowest ability that can be asked and is above the last one in
 * the order of (ability, place); UINT32_MAX: none. */
static uint32_t next_able(const struct scene *s, uint32_t last)
{
    const struct crew *st = crew_at(s);
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        if (i == s->deal->manager || d->group != s->deal->group || d->gone || d->stopped ||
            !d->registered || is_busy(s->m, i))
            continue;
        if (last != UINT32_MAX &&
            (d->told < st->desks[last].told || (d->told <= st->desks[last].told && i <= last)))
            continue;
        if (best == UINT32_MAX || d->told < st->desks[best].told)
            best = i;
    }
    return best;
}

/* m, unless told otherwise: ceil((A - 1) / 2). */
static uint32_t candidates(const struct scene *s)
{
    const struct crew_options *o = crew_options_of(s->m);
    const struct crew *st = crew_at(s);
    uint32_t others = 0;

    for (uint32_t i = 0; i < st->ndesks; i++)
        others +=
            i != s->deal->manager && st->desks[i].group == s->deal->group && !st->desks[i].gone;
    if (o->award == AWARD_MIN_ABILITY)
        return 1;
    if (o->candidates > 0)
        return (uint32_t)o->candidates;
    return has_assistants(s->m) ? (others + 1) / 2 : others;
}

static void add_bidder(struct scene *s, uint32_t desk, bool unasked)
{
    struct deal *d = s->deal;

    MEM_GROW(d->bidders, d->nbidders, &d->bidders_cap);
    d->bidders[d->nbidders++] = (struct bidder){
        .desk = desk,
        .party = {.deadline = s->m->ctx->now + 2 * crew_options_of(s->m)->deadline},
        .answered = unasked,
        .bids = unasked,
        .ability = crew_at(s)->desks[desk].told,
    };
}

static bool do_ask(struct scene *s)
{
    bool unasked = crew_options_of(s->m)->award == AWARD_MIN_ABILITY;
    struct buf text = BUF_INIT(MIB(1));
    uint32_t most = candidates(s), desk = UINT32_MAX;

    if (s->deal->held == HELD_ASIDE)
        write_offer(s->deal, "supply-links", &text);
    while (text.len > 0 && s->deal->nbidders < most && (desk = next_able(s, desk)) != UINT32_MAX) {
        add_bidder(s, desk, unasked);
        if (!unasked)
            to_bidder(s, &s->deal->bidders[s->deal->nbidders - 1], "cfp", soon(s), text.data);
    }
    buf_free(&text);
    if (s->deal->nbidders == 0)
        to_manager(s, "refuse", "there is nobody to ask");
    else
        crew_at(s)->groups[s->deal->group].served_round = crew_at(s)->round;
    return s->deal->nbidders > 0;
}

static bool do_decline(struct scene *s)
{
    to_manager(s, "refuse", "another call is served");
    return true;
}

static struct bidder *bidder_of(const struct scene *s, uint32_t agent)
{
    for (size_t i = 0; i < s->deal->nbidders; i++)
        if (desk_of(s, &s->deal->bidders[i])->assistant == agent)
            return &s->deal->bidders[i];
    return NULL;
}

/* "receive-links ability 0.12" */
static bool do_note_bid(struct scene *s)
{
    struct bidder *b = bidder_of(s, s->msg->sender);
    struct str rest = s->msg->content, word;
    double ability;

    if (b == NULL || b->answered)
        return true;
    b->answered = true;
    while (str_cut(&rest, ' ', &word))
        if (str_to_double(word, &ability)) {
            b->bids = true;
            b->ability = ability;
        }
    return true;
}

static bool do_note_no(struct scene *s)
{
    struct bidder *b = bidder_of(s, s->msg->sender);

    if (b) {
        b->answered = true;
        b->bids = false;
    }
    return true;
}

static struct bidder *least_able(const struct deal *d)
{
    struct bidder *best = NULL;

    for (size_t i = 0; i < d->nbidders; i++)
        if (d->bidders[i].bids && (best == NULL || d->bidders[i].ability < best->ability))
            best = &d->bidders[i];
    return best;
}

static bool do_award(struct scene *s)
{
    struct bidder *best = least_able(s->deal);
    char name[AGENT_NAME], text[64];

    if (best == NULL) {
        to_manager(s, "refuse", "nobody bids");
        return false;
    }
    s->deal->contractor = best->desk + 1;
    to_bidder(s, best, "accept-proposal", soon(s), "receive-links");
    for (size_t i = 0; i < s->deal->nbidders; i++)
        if (s->deal->bidders[i].bids && &s->deal->bidders[i] != best)
            to_bidder(s, &s->deal->bidders[i], "reject-proposal", 0, "another is less able");
    (void)snprintf(text, sizeof text, "contractor %s",
                   agent_name(desk_of(s, best)->assistant, name));
    to_manager(s, "inform", text);
    return true;
}

/* Strikes out what others have crawled since it was offered. */
static void strike_crawled(struct scene *s)
{
    struct link_list *l = &s->deal->links;

    if (!crew_options_of(s->m)->check)
        return;
    for (size_t i = l->count; i-- > 0;) {
        if (url_index_get(&crew_at(s)->granted, l->items[i].url) == 0)
            continue;
        link_ended(s->m, l->items[i].url);
        link_list_remove(l, i);
    }
}

static bool do_pass_links(struct scene *s)
{
    struct buf text = BUF_INIT(MIB(1));
    struct bidder *b = contractor_of(s->deal);

    if (s->deal->held == HELD_ASIDE)
        strike_crawled(s);
    write_offer(s->deal, "take-links", &text);
    if (b)
        to_bidder(s, b, "request", soon(s), text.data);
    buf_free(&text);
    return true;
}

static bool do_pass_agree(struct scene *s)
{
    to_manager(s, "agree", "receive-links");
    return true;
}

static bool do_end(struct scene *s)
{
    struct bidder *b = contractor_of(s->deal);
    char *text = str_dup(s->msg->content);

    to_manager(s, "inform-done", text);
    to_manager(s, "inform", "end");
    if (b)
        to_bidder(s, b, "inform", 0, "end");
    free(text);
    return true;
}

static bool do_tell_failed(struct scene *s)
{
    struct bidder *b = contractor_of(s->deal);

    if (b && desk_of(s, b)->assistant != s->msg->sender)
        to_bidder(s, b, "inform", 0, "end");
    to_manager(s, "failure", "the contractor has failed");
    return true;
}

static bool do_call_off(struct scene *s)
{
    for (size_t i = 0; i < s->deal->nbidders; i++)
        to_bidder(s, &s->deal->bidders[i], "cancel", 0, "called off");
    to_manager(s, "failure", "called off");
    return true;
}

static bool do_reject_late(struct scene *s)
{
    say(s, facilitator_of(s), s->msg->sender, "reject-proposal", 0, "too late");
    return true;
}

static bool do_fail_late(struct scene *s)
{
    say(s, facilitator_of(s), s->msg->sender, "failure", 0, "too late");
    return true;
}

/* ---- what a contractor does ------------------------------------------------------ */

static bool do_consider(struct scene *s)
{
    const struct crew_options *o = crew_options_of(s->m);
    struct desk *d = desk_of(s, s->bidder);
    size_t at = str_find(s->msg->content, STR(" min "), 0);
    struct str rest = str_sub(s->msg->content, at == SIZE_MAX ? 0 : at + 5, s->msg->content.len);
    struct str word;

    s->bidder->least = 0;
    if (str_cut(&rest, ':', &word))
        (void)str_to_double(word, &s->bidder->least);
    if (!has_assistants(s->m) && d->busy_until < s->m->ctx->now + o->think)
        d->busy_until = s->m->ctx->now + o->think;
    return true;
}

static bool do_propose(struct scene *s)
{
    char text[64];

    (void)snprintf(text, sizeof text, "receive-links ability %.6f", desk_of(s, s->bidder)->ability);
    from_bidder(s, "propose", text);
    return true;
}

static bool do_refuse(struct scene *s)
{
    from_bidder(s, "refuse", "receive-links");
    return true;
}

static bool do_take_links(struct scene *s)
{
    struct desk *d = desk_of(s, s->bidder);
    struct deal *deal = s->deal;
    struct link_list got = deal->links;

    if (deal->held != HELD_ASIDE || deal->contractor != s->bidder->desk + 1) {
        from_bidder(s, "failure", "the links are not there any more");
        return false;
    }
    deal->held = HELD_TAKEN;
    deal->links = (struct link_list){0};
    deal->passed = (uint32_t)got.count;
    for (size_t i = 0; i < got.count; i++)
        link_list_add(&deal->left, got.items[i].url, got.items[i].score);
    crew_at(s)->transferred += deal->passed;
    d->taken += deal->passed;
    manager_of(s)->given += deal->passed;
    for (size_t i = 0; i < got.count; i++) /* a full queue may send some away */
        link_enter(s->m, d, got.items[i].url, got.items[i].score);
    link_list_clear(&got);
    from_bidder(s, "agree", "receive-links");
    return true;
}

static bool do_confirm(struct scene *s)
{
    from_bidder(s, "agree", "receive-links");
    return true;
}

static bool do_report(struct scene *s)
{
    char text[64];

    (void)snprintf(text, sizeof text, "crawled %zu of %u", s->deal->passed - s->deal->left.count,
                   s->deal->passed);
    from_bidder(s, "inform-done", text);
    return true;
}

static bool do_fail(struct scene *s)
{
    from_bidder(s, "failure", "too late");
    return true;
}

static bool do_nothing(struct scene *s)
{
    (void)s;
    return true;
}

typedef bool action_fn(struct scene *s);

static action_fn *const actions[CONTRACT_ACTIONS] = {
    [DO_NOTHING] = do_nothing,
    [DO_CALL] = do_call,
    [DO_SEND_LINKS] = do_send_links,
    [DO_TAKE_BACK] = do_take_back,
    [DO_CANCEL] = do_cancel,
    [DO_ASK] = do_ask,
    [DO_DECLINE] = do_decline,
    [DO_NOTE_BID] = do_note_bid,
    [DO_NOTE_NO] = do_note_no,
    [DO_AWARD] = do_award,
    [DO_PASS_LINKS] = do_pass_links,
    [DO_PASS_AGREE] = do_pass_agree,
    [DO_END] = do_end,
    [DO_TELL_FAILED] = do_tell_failed,
    [DO_CALL_OFF] = do_call_off,
    [DO_REJECT_LATE] = do_reject_late,
    [DO_FAIL_LATE] = do_fail_late,
    [DO_CONSIDER] = do_consider,
    [DO_PROPOSE] = do_propose,
    [DO_REFUSE] = do_refuse,
    [DO_AWAIT] = do_nothing,
    [DO_TAKE_LINKS] = do_take_links,
    [DO_CONFIRM] = do_confirm,
    [DO_REPORT] = do_report,
    [DO_FAIL] = do_fail,
};

/* ---- a step ---------------------------------------------------------------------- */

static struct party *party_of(const struct scene *s, enum contract_role role)
{
    return role == ROLE_MANAGER       ? &s->deal->at_manager
           : role == ROLE_FACILITATOR ? &s->deal->at_facilitator
                                      : &s->bidder->party;
}

static void step(struct scene *s, enum contract_role role, enum contract_event event)
{
    const struct crew_options *o = crew_options_of(s->m);
    struct party *p = party_of(s, role);
    const struct contract_rule *r = contract_find(role, p->state, event);
    enum contract_state next;
    bool was_final;

    if (r == NULL)
        return;
    was_final = contract_is_final(p->state);
    next = actions[r->action](s) ? r->next : r->otherwise;
    p = party_of(s, role); /* bidders may have moved */
    if (!contract_is_final(next) && next != p->state)
        p->deadline = s->m->ctx->now + patience[role][next].deadlines * o->deadline +
                      (patience[role][next].work ? o->interval : 0);
    p->state = next;
    if (role == ROLE_MANAGER && contract_is_final(next) && !was_final)
        crew_of(s->m)->ended[next]++;
}

static struct deal *deal_find(const struct model *m, uint32_t conversation)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++)
        if (st->deals[i]->conversation == conversation)
            return st->deals[i];
    return NULL;
}

static const struct group *group_led_by(const struct crew *st, uint32_t agent)
{
    for (uint32_t i = 0; i < st->ngroups; i++)
        if (st->groups[i].facilitator == agent)
            return &st->groups[i];
    return NULL;
}

/* A conversation that is over: everybody answers as if they remembered that. */
static void hears_late(struct model *m, const struct message *msg, enum contract_event event)
{
    struct crew *st = crew_of(m);
    const struct group *g = group_led_by(st, msg->receiver);
    struct desk *d = crew_desk_of(m, g ? msg->sender : msg->receiver);
    struct deal over = {.conversation = msg->conversation};
    struct scene s = {.m = m, .deal = &over, .msg = msg};
    struct bidder bidder = {.party = {.state = CONTRACT_EXPIRED}};

    if (d == NULL)
        return;
    over.group = d->group;
    over.held = HELD_RETURNED;
    over.manager = bidder.desk = (uint32_t)(d - st->desks);
    over.at_manager.state = CONTRACT_TIMED_OUT;
    over.at_facilitator.state = CONTRACT_CLOSED;
    s.bidder = g ? NULL : &bidder;
    step(&s, g ? ROLE_FACILITATOR : ROLE_CONTRACTOR, event);
}

void deal_hears(struct model *m, const struct message *msg)
{
    enum contract_event event = contract_event_of(msg->performative, msg->content);
    struct scene s = {.m = m, .deal = deal_find(m, msg->conversation), .msg = msg};
    struct crew *st = crew_of(m);

    if (event == CONTRACT_EVENTS)
        return;
    if (s.deal == NULL) {
        hears_late(m, msg, event);
        return;
    }
    if (msg->receiver == facilitator_of(&s)) {
        step(&s, ROLE_FACILITATOR, event);
    } else if (msg->receiver == st->desks[s.deal->manager].assistant) {
        step(&s, ROLE_MANAGER, event);
    } else {
        s.bidder = bidder_of(&s, msg->receiver);
        if (s.bidder)
            step(&s, ROLE_CONTRACTOR, event);
    }
}

/* ---- who is in a contract -------------------------------------------------------- */

/* Its own state in a deal; CONTRACT_NONE: it is in none, or has not heard of it. */
static enum contract_state state_in(const struct deal *d, uint32_t desk)
{
    if (d->manager == desk)
        return d->at_manager.state;
    for (size_t j = 0; j < d->nbidders; j++)
        if (d->bidders[j].desk == desk)
            return d->bidders[j].party.state;
    return CONTRACT_NONE;
}

static bool engages(const struct deal *d, uint32_t desk, bool talking)
{
    enum contract_state s = state_in(d, desk);

    return s != CONTRACT_NONE && !contract_is_final(s) && !(talking && s == CONTRACT_RUNNING);
}

bool deal_engages(const struct model *m, uint32_t desk, bool talking)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++)
        if (engages(st->deals[i], desk, talking))
            return true;
    return false;
}

static bool is_engaged_elsewhere(const struct scene *s)
{
    const struct crew *st = crew_at(s);

    for (size_t i = 0; i < st->ndeals; i++)
        if (st->deals[i] != s->deal && engages(st->deals[i], s->bidder->desk, false))
            return true;
    return false;
}

/* As far as its facilitator knows. */
static bool is_busy(const struct model *m, uint32_t desk)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++) {
        const struct deal *d = st->deals[i];

        if (d->at_facilitator.state == CONTRACT_CLOSED)
            continue;
        if (d->manager == desk && d->at_facilitator.state != CONTRACT_NONE)
            return true;
        for (size_t j = 0; j < d->nbidders; j++) {
            const struct bidder *b = &d->bidders[j];
            bool out = b->answered && !b->bids;

            if (b->desk == desk && !out && (d->contractor == 0 || d->contractor == desk + 1))
                return true;
        }
    }
    return false;
}

/* ---- calls ----------------------------------------------------------------------- */

/* Puts n links aside, of 2 n every other one. */
static void put_aside(struct model *m, struct desk *d, struct deal *deal, size_t n)
{
    bool alternate = crew_options_of(m)->offer == OFFER_ALTERNATE;
    struct link_list back = {0};
    uint32_t url;
    double score;

    while (deal->links.count < n && link_queue_take(&d->queue, &url, &score)) {
        if (alternate && back.count <= deal->links.count && d->queue.count > 0)
            link_list_add(&back, url, score);
        else
            link_list_add(&deal->links, url, link_rounded(score));
    }
    for (size_t i = 0; i < back.count; i++)
        link_enter(m, d, back.items[i].url, back.items[i].score);
    link_list_clear(&back);
}

void deal_call(struct model *m, struct desk *d)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);
    size_t n = (size_t)ceil(o->share * (double)d->queue.count);
    struct deal *deal;
    struct scene s;

    if (n > (size_t)o->links)
        n = (size_t)o->links;
    if (n == 0 || d->queue.count < 2)
        return;
    deal = MEM_NEW(struct deal);
    deal->conversation = ++st->conversation;
    deal->round = st->round;
    deal->group = d->group;
    deal->manager = (uint32_t)(d - st->desks);
    deal->called_at = m->ctx->now;
    deal->ability = d->ability;
    put_aside(m, d, deal, n);
    deal->offered = (uint32_t)deal->links.count;
    deal->at_facilitator.deadline = m->ctx->now + o->deadline;
    st->offered += deal->offered;
    MEM_GROW(st->deals, st->ndeals, &st->deals_cap);
    st->deals[st->ndeals++] = deal;
    s = (struct scene){.m = m, .deal = deal};
    step(&s, ROLE_MANAGER, SELF_CALL);
}

/* All of the group have said in this round what they are able to. */
static bool all_have_told(const struct crew *st, uint32_t group)
{
    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        if (d->group == group && !d->gone && !d->stopped && d->registered &&
            d->told_round != st->round)
            return false;
    }
    return true;
}

/* The call of the most able that waits in this group. */
static struct deal *best_call(const struct crew *st, uint32_t group)
{
    struct deal *best = NULL;

    for (size_t i = 0; i < st->ndeals; i++) {
        struct deal *d = st->deals[i];

        if (d->group == group && d->at_facilitator.state == CONTRACT_CALLED &&
            (best == NULL || d->ability > best->ability))
            best = d;
    }
    return best;
}

/* A manager's links may have come to another one meanwhile: then it is served no more. */
static void serve(struct model *m, uint32_t group)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);
    struct deal *d = best_call(st, group);
    struct scene s = {.m = m, .deal = d};

    if (d == NULL || (!all_have_told(st, group) && m->ctx->now - d->called_at < o->deadline))
        return;
    if (o->managers == MANAGERS_ONE && st->groups[group].served_round == st->round)
        step(&s, ROLE_FACILITATOR, SELF_DECLINE);
    else
        step(&s, ROLE_FACILITATOR, SELF_SERVE);
    serve(m, group);
}

/* ---- time ------------------------------------------------------------------------ */

static bool wants(const struct scene *s)
{
    const struct desk *d = desk_of(s, s->bidder);
    double least = s->bidder->least;

    if (is_engaged_elsewhere(s) || d->stopped)
        return false;
    if (d->queue.count == 0)
        return true;
    return crew_options_of(s->m)->bid == BID_AT_MOST ? d->queue.best.nodes[0].key <= least
                                                     : d->queue.best.nodes[0].key < least;
}

static void bidder_tick(struct scene *s)
{
    struct party *p = &s->bidder->party;
    const struct desk *d = desk_of(s, s->bidder);
    bool late = s->m->ctx->now >= p->deadline;

    if (contract_is_final(p->state))
        return;
    if (p->state == CONTRACT_CFP_RECEIVED && s->m->ctx->now >= d->busy_until)
        step(s, ROLE_CONTRACTOR, wants(s) ? SELF_BID : SELF_PASS);
    else if (p->state == CONTRACT_RUNNING && s->deal->left.count == 0)
        step(s, ROLE_CONTRACTOR, SELF_FINISHED);
    else if (late)
        step(s, ROLE_CONTRACTOR, SELF_TIMEOUT);
}

static bool all_answered(const struct deal *d)
{
    for (size_t i = 0; i < d->nbidders; i++)
        if (!d->bidders[i].answered)
            return false;
    return true;
}

static void deal_tick(struct scene *s)
{
    int64_t now = s->m->ctx->now;
    struct deal *d = s->deal;

    for (size_t i = 0; i < d->nbidders; i++) {
        s->bidder = &d->bidders[i];
        bidder_tick(s);
    }
    s->bidder = NULL;
    if (d->at_facilitator.state == CONTRACT_COLLECT && all_answered(d))
        step(s, ROLE_FACILITATOR, SELF_COLLECTED);
    if (!contract_is_final(d->at_facilitator.state) && now >= d->at_facilitator.deadline)
        step(s, ROLE_FACILITATOR, SELF_TIMEOUT);
    if (!contract_is_final(d->at_manager.state) && now >= d->at_manager.deadline)
        step(s, ROLE_MANAGER, SELF_TIMEOUT);
}

static bool is_over(const struct deal *d)
{
    for (size_t i = 0; i < d->nbidders; i++)
        if (!contract_is_final(d->bidders[i].party.state))
            return false;
    return contract_is_final(d->at_manager.state) && contract_is_final(d->at_facilitator.state);
}

void deal_free(struct deal *d)
{
    link_list_clear(&d->links);
    link_list_clear(&d->left);
    free(d->bidders);
    free(d);
}

void deals_tick(struct model *m)
{
    struct crew *st = crew_of(m);
    size_t kept = 0;

    for (size_t i = 0; i < st->ndeals; i++) {
        struct scene s = {.m = m, .deal = st->deals[i]};

        deal_tick(&s);
    }
    for (uint32_t g = 0; g < st->ngroups; g++)
        serve(m, g);
    for (size_t i = 0; i < st->ndeals; i++) {
        if (!is_over(st->deals[i])) {
            st->deals[kept++] = st->deals[i];
            continue;
        }
        assert(st->deals[i]->links.count == 0);
        deal_free(st->deals[i]);
    }
    st->ndeals = kept;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a == 0 || b < a ? b : a;
}

int64_t deals_wake(const struct model *m, int64_t first)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++) {
        const struct deal *d = st->deals[i];

        if (!contract_is_final(d->at_manager.state))
            first = earlier(first, d->at_manager.deadline);
        if (!contract_is_final(d->at_facilitator.state))
            first = earlier(first, d->at_facilitator.deadline);
        for (size_t j = 0; j < d->nbidders; j++)
            if (!contract_is_final(d->bidders[j].party.state))
                first = earlier(first, d->bidders[j].party.deadline);
    }
    return first;
}

/* ---- what happens elsewhere ------------------------------------------------------ */

/* A link has left this desk: one less of its contract. */
void deal_crawled(struct model *m, const struct desk *d, uint32_t url)
{
    const struct crew *st = crew_of(m);
    uint32_t desk = (uint32_t)(d - st->desks);

    for (size_t i = 0; i < st->ndeals; i++) {
        struct deal *deal = st->deals[i];
        size_t at;

        if (deal->contractor != desk + 1 || deal->held != HELD_TAKEN)
            continue;
        at = link_list_find(&deal->left, url);
        if (at != SIZE_MAX)
            link_list_remove(&deal->left, at);
    }
}

void deal_died(struct model *m, uint32_t desk)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++) {
        struct scene s = {.m = m, .deal = st->deals[i]};

        if (s.deal->manager == desk)
            step(&s, ROLE_MANAGER, SELF_DIED);
        for (size_t j = 0; j < s.deal->nbidders; j++) {
            s.bidder = &s.deal->bidders[j];
            if (s.bidder->desk == desk)
                step(&s, ROLE_CONTRACTOR, SELF_DIED);
        }
    }
}
