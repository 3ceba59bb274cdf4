/* crew_save.c - the whole crew with its contracts, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/limits.h"

#include <math.h>

#define STATE_MARK 0x43524501u

/* ---- writing --------------------------------------------------------------------- */

static void save_time(struct buf *out, int64_t t)
{
    buf_put_u64(out, (uint64_t)t);
}

static void save_desk(const struct desk *d, struct buf *out)
{
    buf_put_u32(out, d->crawler);
    buf_put_u32(out, d->assistant);
    buf_put_u8(out, (uint8_t)(d->registered | d->fed << 1 | d->stopped << 2 | d->gone << 3));
    buf_put_u32(out, d->open);
    link_queue_save(&d->queue, out);
    link_list_save(&d->inbox, out);
    link_list_save(&d->asked, out);
    link_list_save(&d->ready, out);
    url_set_save(&d->own, out);
    url_set_save(&d->again, out);
    save_time(out, d->register_by);
    save_time(out, d->announced_by);
    save_time(out, d->asked_by);
    buf_put_u32(out, d->conversation);
    context_save(d->read, out);
    buf_put_u32(out, d->fresh);
    save_time(out, d->judge_at);
    save_time(out, d->busy_until);
    buf_put_f64(out, d->s);
    buf_put_f64(out, d->m);
    buf_put_f64(out, d->ability);
    buf_put_f64(out, d->told);
    buf_put_u32(out, d->told_round);
    buf_put_u64(out, d->pages);
    buf_put_u64(out, d->denied);
    buf_put_u64(out, d->overlap);
    buf_put_u64(out, d->given);
    buf_put_u64(out, d->taken);
}

static void save_party(struct party p, struct buf *out)
{
    buf_put_u8(out, (uint8_t)p.state);
    save_time(out, p.deadline);
}

static void save_deal(const struct deal *d, struct buf *out)
{
    buf_put_u32(out, d->conversation);
    buf_put_u32(out, d->round);
    buf_put_u32(out, d->group);
    buf_put_u32(out, d->manager);
    save_time(out, d->called_at);
    buf_put_u8(out, (uint8_t)d->held);
    link_list_save(&d->links, out);
    link_list_save(&d->left, out);
    buf_put_u32(out, d->offered);
    buf_put_u32(out, d->passed);
    buf_put_f64(out, d->ability);
    save_party(d->at_manager, out);
    save_party(d->at_facilitator, out);
    buf_put_u32(out, d->contractor);
    buf_put_u32(out, (uint32_t)d->nbidders);
    for (size_t i = 0; i < d->nbidders; i++) {
        const struct bidder *b = &d->bidders[i];

        buf_put_u32(out, b->desk);
        save_party(b->party, out);
        buf_put_u8(out, (uint8_t)(b->answered | b->bids << 1));
        buf_put_f64(out, b->ability);
        buf_put_f64(out, b->least);
    }
}

/* Who may crawl what: runs would be shorter, but this is small beside the queues. */
static void save_granted(const struct crew *st, struct buf *out)
{
    uint32_t count = 0;

    for (uint32_t url = 0; url < st->granted.cap; url++)
        count += st->granted.value[url] != 0;
    buf_put_u32(out, count);
    for (uint32_t url = 0; url < st->granted.cap; url++)
        if (st->granted.value[url]) {
            buf_put_u32(out, url);
            buf_put_u32(out, st->granted.value[url]);
        }
}

void crew_save(const struct model *m, struct buf *out)
{
    const struct crew *st = crew_of(m);

    buf_put_u32(out, STATE_MARK);
    buf_put_u32(out, st->ngroups);
    buf_put_u32(out, st->ndesks);
    for (uint32_t i = 0; i < st->ngroups; i++) {
        buf_put_u32(out, st->groups[i].facilitator);
        context_save(st->groups[i].read, out);
        buf_put_u32(out, st->groups[i].served_round);
        save_time(out, st->groups[i].stop_by);
    }
    for (uint32_t i = 0; i < st->ndesks; i++)
        save_desk(&st->desks[i], out);
    save_granted(st, out);
    url_set_save(&st->visited, out);
    buf_put_u32(out, (uint32_t)st->ndeals);
    for (size_t i = 0; i < st->ndeals; i++)
        save_deal(st->deals[i], out);
    buf_put_u32(out, st->conversation);
    buf_put_u32(out, st->round);
    save_time(out, st->round_at);
    save_time(out, st->began_at);
    buf_put_u32(out, st->turn);
    buf_put_u32(out, st->dealt);
    buf_put_u64(out, st->questions);
    buf_put_u64(out, st->offered);
    buf_put_u64(out, st->transferred);
    for (int i = 0; i < CONTRACT_STATES; i++)
        buf_put_u64(out, st->ended[i]);
}

/* ---- reading --------------------------------------------------------------------- */

static int64_t load_time(struct cursor *c)
{
    return (int64_t)cursor_u64(c);
}

static double load_number(struct cursor *c)
{
    double d = cursor_f64(c);

    c->bad |= !isfinite(d);
    return d;
}

static enum status load_links(struct desk *d, struct cursor *c)
{
    enum status s = link_queue_load(&d->queue, c);

    if (s == ST_OK)
        s = link_list_load(&d->inbox, c);
    if (s == ST_OK)
        s = link_list_load(&d->asked, c);
    if (s == ST_OK)
        s = link_list_load(&d->ready, c);
    if (s == ST_OK)
        s = url_set_load(&d->own, c);
    if (s == ST_OK)
        s = url_set_load(&d->again, c);
    return s;
}

static enum status load_desk(struct desk *d, struct cursor *c)
{
    enum status s;
    uint8_t flags;

    d->crawler = cursor_u32(c);
    d->assistant = cursor_u32(c);
    flags = cursor_u8(c);
    d->registered = flags & 1;
    d->fed = flags >> 1 & 1;
    d->stopped = flags >> 2 & 1;
    d->gone = flags >> 3 & 1;
    d->open = cursor_u32(c);
    s = load_links(d, c);
    if (s != ST_OK)
        return s;
    d->register_by = load_time(c);
    d->announced_by = load_time(c);
    d->asked_by = load_time(c);
    d->conversation = cursor_u32(c);
    s = context_restore(d->read, c);
    if (s != ST_OK)
        return s;
    d->fresh = cursor_u32(c);
    d->judge_at = load_time(c);
    d->busy_until = load_time(c);
    d->s = load_number(c);
    d->m = load_number(c);
    d->ability = load_number(c);
    d->told = load_number(c);
    d->told_round = cursor_u32(c);
    d->pages = cursor_u64(c);
    d->denied = cursor_u64(c);
    d->overlap = cursor_u64(c);
    d->given = cursor_u64(c);
    d->taken = cursor_u64(c);
    return c->bad ? status_fail(ST_CORRUPT, "a saved desk of the crew is cut") : ST_OK;
}

static struct party load_party(struct cursor *c)
{
    struct party p = {.state = (enum contract_state)cursor_u8(c)};

    c->bad |= p.state >= CONTRACT_STATES;
    p.deadline = load_time(c);
    return p;
}

static void load_bidders(const struct crew *st, struct deal *d, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    c->bad |= count > st->ndesks || d->contractor > st->ndesks;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        struct bidder b = {.desk = cursor_u32(c)};
        uint8_t flags;

        b.party = load_party(c);
        flags = cursor_u8(c);
        b.answered = flags & 1;
        b.bids = flags >> 1 & 1;
        b.ability = load_number(c);
        b.least = load_number(c);
        c->bad |= b.desk >= st->ndesks;
        MEM_GROW(d->bidders, d->nbidders, &d->bidders_cap);
        d->bidders[d->nbidders++] = b;
    }
}

static enum status load_deal(struct crew *st, struct cursor *c)
{
    struct deal *d = MEM_NEW(struct deal);
    enum status s;

    MEM_GROW(st->deals, st->ndeals, &st->deals_cap);
    st->deals[st->ndeals++] = d;
    d->conversation = cursor_u32(c);
    d->round = cursor_u32(c);
    d->group = cursor_u32(c);
    d->manager = cursor_u32(c);
    d->called_at = load_time(c);
    d->held = (enum held)cursor_u8(c);
    s = link_list_load(&d->links, c);
    if (s == ST_OK)
        s = link_list_load(&d->left, c);
    if (s != ST_OK)
        return s;
    d->offered = cursor_u32(c);
    d->passed = cursor_u32(c);
    d->ability = load_number(c);
    d->at_manager = load_party(c);
    d->at_facilitator = load_party(c);
    d->contractor = cursor_u32(c);
    load_bidders(st, d, c);
    c->bad |= d->group >= st->ngroups || d->manager >= st->ndesks || d->held > HELD_RETURNED ||
              (d->held != HELD_ASIDE && d->links.count > 0);
    return c->bad ? status_fail(ST_CORRUPT, "a saved contract is damaged") : ST_OK;
}

static void load_granted(struct crew *st, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    for (uint32_t i = 0; i < count && !c->bad; i++) {
        uint32_t url = cursor_number(c), desk = cursor_u32(c);

        c->bad |= url == 0 || url > LIMIT_URLS || desk == 0 || desk > st->ndesks;
        if (!c->bad)
            url_index_set(&st->granted, url, desk);
    }
}

static enum status load_groups(struct crew *st, struct cursor *c)
{
    for (uint32_t i = 0; i < st->ngroups; i++) {
        enum status s;

        st->groups[i].facilitator = cursor_u32(c);
        s = context_restore(st->groups[i].read, c);
        if (s != ST_OK)
            return s;
        st->groups[i].served_round = cursor_u32(c);
        st->groups[i].stop_by = load_time(c);
    }
    return ST_OK;
}

/* Desks whose agents are not those of the population cannot be. */
static void load_agents(struct model *m, struct crew *st, struct cursor *c)
{
    struct population_counts n = population_counts(m->ctx->population);

    for (uint32_t i = 0; i < st->ndesks && !c->bad; i++) {
        const struct desk *d = &st->desks[i];

        c->bad |= d->crawler > n.born || d->assistant > n.born ||
                  (d->crawler && !d->gone && !agent_is_alive(m->ctx->population, d->crawler));
        if (c->bad || d->crawler == 0)
            continue;
        url_index_set(&st->of_agent, d->assistant, i + 1);
        url_index_set(&st->of_agent, d->crawler, i + 1);
    }
}

static enum status load_rest(struct crew *st, struct cursor *c)
{
    enum status s;
    uint32_t deals;

    load_granted(st, c);
    s = url_set_load(&st->visited, c);
    deals = cursor_u32(c);
    for (uint32_t i = 0; i < deals && s == ST_OK && !c->bad; i++)
        s = load_deal(st, c);
    if (s != ST_OK)
        return s;
    st->conversation = cursor_u32(c);
    st->round = cursor_u32(c);
    st->round_at = load_time(c);
    st->began_at = load_time(c);
    st->turn = cursor_u32(c);
    st->dealt = cursor_u32(c);
    st->questions = cursor_u64(c);
    st->offered = cursor_u64(c);
    st->transferred = cursor_u64(c);
    for (int i = 0; i < CONTRACT_STATES; i++)
        st->ended[i] = cursor_u64(c);
    return ST_OK;
}

enum status crew_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    struct crew *st = crew_begin(m);
    bool fits;
    enum status s;

    fits = cursor_u32(&c) == STATE_MARK;
    fits &= cursor_u32(&c) == st->ngroups;
    fits &= cursor_u32(&c) == st->ndesks;
    if (!fits)
        return status_fail(ST_CORRUPT, "the saved crew is another one");
    s = load_groups(st, &c);
    for (uint32_t i = 0; i < st->ndesks && s == ST_OK; i++)
        s = load_desk(&st->desks[i], &c);
    if (s == ST_OK)
        s = load_rest(st, &c);
    if (s != ST_OK)
        return s;
    load_agents(m, st, &c);
    if (c.bad || st->turn >= st->ndesks)
        return status_fail(ST_CORRUPT, "the saved crew is cut or damaged");
    crew_copies_recount(st);
    return ST_OK;
}
