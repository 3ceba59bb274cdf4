/* act.c - the actions of a contract's rules: moving links, and sending messages.
 *
 * From the call on, the offered links are put aside. They are taken once, all together:
 * by the contractor when the request reaches it, or by the manager when it has waited
 * long enough. A second party finds nothing there. So no loss, delay or doubling of a
 * message can lose or double a link. Limit: "aside" is memory that all parties of a
 * group share; groups may be on several machines, a group may not.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/limits.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>

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
    say(s, scene_facilitator(s), scene_manager(s)->assistant, performative, 0, text);
}

static void to_bidder(const struct scene *s, const struct bidder *b, const char *performative,
                      int64_t reply_by, const char *text)
{
    say(s, scene_facilitator(s), scene_desk(s, b)->assistant, performative, reply_by, text);
}

static void from_bidder(const struct scene *s, const char *performative, const char *text)
{
    say(s, scene_desk(s, s->bidder)->assistant, scene_facilitator(s), performative, 0, text);
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

/* Writes an offer such as "supply-links 2 min 0.25: 12=0.5 15=0.25". */
static void write_offer(const struct deal *d, const char *what, struct buf *out)
{
    buf_addf(out, "%s %zu min %.7g: ", what, d->links.count, least_score(&d->links));
    link_list_write(&d->links, SIZE_MAX, out);
}

static bool do_call(struct scene *s)
{
    LOCAL_BUF text = BUF_INIT(MIB(1));

    write_offer(s->deal, "supply-links", &text);
    say(s, scene_manager(s)->assistant, scene_facilitator(s), "cfp", soon(s), text.data);
    return true;
}

static bool do_send_links(struct scene *s)
{
    LOCAL_BUF text = BUF_INIT(MIB(1));

    if (s->deal->held == HELD_ASIDE) {
        write_offer(s->deal, "take-links", &text);
        say(s, scene_manager(s)->assistant, scene_facilitator(s), "request", soon(s), text.data);
    }
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
        link_enter(s->m, scene_manager(s), back.items[i].url, back.items[i].score);
    link_list_clear(&back);
    return true;
}

static bool do_cancel(struct scene *s)
{
    say(s, scene_manager(s)->assistant, scene_facilitator(s), "cancel", 0, "no answer came");
    return do_take_back(s);
}

/* ---- what a facilitator does ----------------------------------------------------- */

/* Is the desk busy, as far as its facilitator knows? */
static bool is_kept(const struct crew *st, uint32_t desk)
{
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

/* Returns the next desk that can be asked, in the order of (ability, place) after `last`;
 * UINT32_MAX if there is none. */
static uint32_t next_able(const struct scene *s, uint32_t last)
{
    const struct crew *st = scene_crew(s);
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        if (i == s->deal->manager || d->group != s->deal->group || d->gone || d->stopped ||
            !d->registered || is_kept(st, i))
            continue;
        if (last != UINT32_MAX &&
            (d->told < st->desks[last].told || (d->told <= st->desks[last].told && i <= last)))
            continue;
        if (best == UINT32_MAX || d->told < st->desks[best].told)
            best = i;
    }
    return best;
}

/* m; if the option is not set, ceil((A - 1) / 2). */
static uint32_t candidates(const struct scene *s)
{
    const struct crew_options *o = crew_options_of(s->m);
    const struct crew *st = scene_crew(s);
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
        .ability = scene_crew(s)->desks[desk].told,
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
        scene_crew(s)->groups[s->deal->group].served_round = scene_crew(s)->round;
    return s->deal->nbidders > 0;
}

static bool do_decline(struct scene *s)
{
    to_manager(s, "refuse", "another call is served");
    return true;
}

struct bidder *scene_bidder(const struct scene *s, uint32_t agent)
{
    for (size_t i = 0; i < s->deal->nbidders; i++)
        if (scene_desk(s, &s->deal->bidders[i])->assistant == agent)
            return &s->deal->bidders[i];
    return NULL;
}

/* Reads a bid such as "receive-links ability 0.12". */
static bool do_note_bid(struct scene *s)
{
    struct bidder *b = scene_bidder(s, s->msg->sender);
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
    struct bidder *b = scene_bidder(s, s->msg->sender);

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
                   agent_name(scene_desk(s, best)->assistant, name));
    to_manager(s, "inform", text);
    return true;
}

/* Removes links that others have crawled since the offer. */
static void strike_crawled(struct scene *s)
{
    struct link_list *l = &s->deal->links;

    if (!crew_options_of(s->m)->check)
        return;
    for (size_t i = l->count; i-- > 0;) {
        if (url_index_get(&scene_crew(s)->granted, l->items[i].url) == 0)
            continue;
        link_ended(s->m, l->items[i].url);
        link_list_remove(l, i);
    }
}

static bool do_pass_links(struct scene *s)
{
    LOCAL_BUF text = BUF_INIT(MIB(1));
    struct bidder *b = contractor_of(s->deal);

    if (s->deal->held == HELD_ASIDE)
        strike_crawled(s);
    write_offer(s->deal, "take-links", &text);
    if (b)
        to_bidder(s, b, "request", soon(s), text.data);
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
    LOCAL_HEAP char *text = str_dup(s->msg->content);

    to_manager(s, "inform-done", text);
    to_manager(s, "inform", "end");
    if (b)
        to_bidder(s, b, "inform", 0, "end");
    return true;
}

static bool do_tell_failed(struct scene *s)
{
    struct bidder *b = contractor_of(s->deal);

    if (b && scene_desk(s, b)->assistant != s->msg->sender)
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
    say(s, scene_facilitator(s), s->msg->sender, "reject-proposal", 0, "too late");
    return true;
}

static bool do_fail_late(struct scene *s)
{
    say(s, scene_facilitator(s), s->msg->sender, "failure", 0, "too late");
    return true;
}

/* ---- what a contractor does ------------------------------------------------------ */

static bool do_consider(struct scene *s)
{
    const struct crew_options *o = crew_options_of(s->m);
    struct desk *d = scene_desk(s, s->bidder);
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

    (void)snprintf(text, sizeof text, "receive-links ability %.6f",
                   scene_desk(s, s->bidder)->ability);
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
    struct desk *d = scene_desk(s, s->bidder);
    struct deal *deal = s->deal;
    struct link_list got = deal->links;
    char text[64];

    if (deal->held != HELD_ASIDE || deal->contractor != s->bidder->desk + 1) {
        from_bidder(s, "failure", "the links are not there any more");
        return false;
    }
    deal->held = HELD_TAKEN;
    deal->links = (struct link_list){0};
    deal->passed = (uint32_t)got.count;
    for (size_t i = 0; i < got.count; i++)
        link_list_add(&deal->left, got.items[i].url, got.items[i].score);
    scene_crew(s)->transferred += deal->passed;
    d->taken += deal->passed;
    scene_manager(s)->given += deal->passed;
    for (size_t i = 0; i < got.count; i++) /* a full queue may drop some */
        link_enter(s->m, d, got.items[i].url, got.items[i].score);
    link_list_clear(&got);
    (void)snprintf(text, sizeof text, "receive-links %u", deal->passed);
    from_bidder(s, "agree", text);
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

bool scene_act(struct scene *s, enum contract_action action)
{
    return actions[action](s);
}
