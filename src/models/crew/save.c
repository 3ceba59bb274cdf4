/* save.c - the whole crew with its contracts, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/fields.h"
#include "base/limits.h"

#define STATE_MARK 0x43524501u

static const struct field desk_first[] = {
    FIELD(U32, struct desk, crawler),    FIELD(U32, struct desk, assistant),
    FIELD(BIT, struct desk, registered), FIELD(BIT, struct desk, fed),
    FIELD(BIT, struct desk, stopped),    FIELD(BIT, struct desk, gone),
    FIELD(U32, struct desk, open),       FIELD_END,
};

static const struct field desk_times[] = {
    FIELD(U64, struct desk, register_by),
    FIELD(U64, struct desk, announced_by),
    FIELD(U64, struct desk, asked_by),
    FIELD(U32, struct desk, conversation),
    FIELD_END,
};

static const struct field desk_judged[] = {
    FIELD(U32, struct desk, fresh),      FIELD(U64, struct desk, judge_at),
    FIELD(U64, struct desk, busy_until), FIELD(REAL, struct desk, s),
    FIELD(REAL, struct desk, m),         FIELD(REAL, struct desk, ability),
    FIELD(REAL, struct desk, told),      FIELD(U32, struct desk, told_round),
    FIELD(U64, struct desk, pages),      FIELD(U64, struct desk, denied),
    FIELD(U64, struct desk, overlap),    FIELD(U64, struct desk, given),
    FIELD(U64, struct desk, taken),      FIELD_END,
};

static const struct field group_fields[] = {
    FIELD(U32, struct crew_group, served_round),
    FIELD(U64, struct crew_group, stop_by),
    FIELD_END,
};

static const struct field party_fields[] = {
    FIELD_OF_ENUM(struct party, state, CONTRACT_STATES - 1),
    FIELD(U64, struct party, deadline),
    FIELD_END,
};

static const struct field bidder_fields[] = {
    FIELD(U32, struct bidder, desk),
    FIELD_OF_PART(struct bidder, party, party_fields),
    FIELD(BIT, struct bidder, answered),
    FIELD(BIT, struct bidder, bids),
    FIELD(REAL, struct bidder, ability),
    FIELD(REAL, struct bidder, least),
    FIELD_END,
};

static const struct field deal_first[] = {
    FIELD(U32, struct deal, conversation),
    FIELD(U32, struct deal, round),
    FIELD(U32, struct deal, group),
    FIELD(U32, struct deal, manager),
    FIELD(U64, struct deal, called_at),
    FIELD_OF_ENUM(struct deal, held, HELD_RETURNED),
    FIELD_END,
};

static const struct field deal_parties[] = {
    FIELD(U32, struct deal, offered),
    FIELD(U32, struct deal, passed),
    FIELD(REAL, struct deal, ability),
    FIELD_OF_PART(struct deal, at_manager, party_fields),
    FIELD_OF_PART(struct deal, at_facilitator, party_fields),
    FIELD(U32, struct deal, contractor),
    FIELD_END,
};

static const struct field crew_fields[] = {
    FIELD(U32, struct crew, conversation),
    FIELD(U32, struct crew, round),
    FIELD(U64, struct crew, round_at),
    FIELD(U64, struct crew, began_at),
    FIELD(U32, struct crew, turn),
    FIELD(U32, struct crew, dealt),
    FIELD(U64, struct crew, questions),
    FIELD(U64, struct crew, offered),
    FIELD(U64, struct crew, transferred),
    FIELD(U64, struct crew, ended),
    FIELD_END,
};

/* ---- writing --------------------------------------------------------------------- */

static void save_desk(const struct desk *d, struct buf *out)
{
    fields_save(desk_first, d, out);
    link_queue_save(&d->queue, out);
    link_list_save(&d->inbox, out);
    link_list_save(&d->asked, out);
    link_list_save(&d->ready, out);
    url_set_save(&d->own, out);
    url_set_save(&d->again, out);
    fields_save(desk_times, d, out);
    context_save(d->read, out);
    fields_save(desk_judged, d, out);
}

static void save_deal(const struct deal *d, struct buf *out)
{
    fields_save(deal_first, d, out);
    link_list_save(&d->links, out);
    link_list_save(&d->left, out);
    fields_save(deal_parties, d, out);
    fields_save_all(bidder_fields, d->bidders, d->nbidders, sizeof *d->bidders, out);
}

/* Saves which desk may crawl which URL: runs would be shorter, but this is small
 * beside the queues. */
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
        fields_save(group_fields, &st->groups[i], out);
    }
    for (uint32_t i = 0; i < st->ndesks; i++)
        save_desk(&st->desks[i], out);
    save_granted(st, out);
    url_set_save(&st->visited, out);
    buf_put_u32(out, (uint32_t)st->ndeals);
    for (size_t i = 0; i < st->ndeals; i++)
        save_deal(st->deals[i], out);
    fields_save(crew_fields, st, out);
}

/* ---- reading --------------------------------------------------------------------- */

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

    fields_load(desk_first, d, c);
    s = load_links(d, c);
    if (s != ST_OK)
        return s;
    fields_load(desk_times, d, c);
    s = context_restore(d->read, c);
    if (s != ST_OK)
        return s;
    fields_load(desk_judged, d, c);
    return c->bad ? status_fail(ST_CORRUPT, "a saved desk of the crew is cut") : ST_OK;
}

static void load_bidders(const struct crew *st, struct deal *d, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    c->bad |= count > st->ndesks || d->contractor > st->ndesks;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        struct bidder b = {0};

        fields_load(bidder_fields, &b, c);
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
    fields_load(deal_first, d, c);
    s = link_list_load(&d->links, c);
    if (s == ST_OK)
        s = link_list_load(&d->left, c);
    if (s != ST_OK)
        return s;
    fields_load(deal_parties, d, c);
    load_bidders(st, d, c);
    c->bad |= d->group >= st->ngroups || d->manager >= st->ndesks ||
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
        fields_load(group_fields, &st->groups[i], c);
    }
    return ST_OK;
}

/* Desks whose agents are not in the population are not valid. */
static void load_agents(struct model *m, struct crew *st, struct cursor *c)
{
    uint32_t last = population_last(m->ctx->population);

    for (uint32_t i = 0; i < st->ndesks && !c->bad; i++) {
        const struct desk *d = &st->desks[i];

        c->bad |= d->crawler > last || d->assistant > last ||
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
    fields_load(crew_fields, st, c);
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
