/* travel.c - agents on their way between nodes. SPDX-License-Identifier: MIT */
#include "crawl/node/travel.h"

#include "agent/population.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/log.h"
#include "crawl/node/node_int.h"
#include "frontier/frontier.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define EXCHANGE US_PER_S       /* from one exchange of sums to the next */
#define REVIVE   (2 * US_PER_S) /* from one birth for links without agents to the next */

static struct travel *travel_of(const struct crawl *c)
{
    return &c->node->travel;
}

void travel_drop_guests(struct travel *t)
{
    for (size_t i = 0; i < t->nguests; i++)
        free((char *)t->guests[i].bytes.ptr);
    t->nguests = 0;
}

void travel_clear(struct travel *t)
{
    travel_drop_guests(t);
    free(t->guests);
    for (size_t i = 0; i < t->naway; i++)
        free((char *)t->away[i].bytes.ptr);
    free(t->away);
    cluster_will_free(t->will);
    *t = (struct travel){0};
}

/* ---- away ---- */

static bool agent_pack(struct crawl *c, uint32_t agent, struct buf *out)
{
    struct buf mind = BUF_INIT(LIMIT_TRAVEL - KIB(1));
    uint32_t url;
    bool fits = c->model->ops->moves->record(c->model, agent, &mind, &url);

    if (fits) {
        c->model->ops->moves->let_go(c->model, agent);
        agent_leave(c->population, c->now, agent, out);
        buf_put_str(out, buf_str(&mind));
    }
    buf_free(&mind);
    return fits;
}

/* Returns the state of an agent that left or came, as text for its event. */
static struct str moving_bytes(struct str url, uint32_t depth, struct str agent)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct str ret;

    buf_put_str(&bytes, url);
    buf_put_u32(&bytes, depth);
    buf_put_str(&bytes, agent);
    ret.ptr = buf_take(&bytes, &ret.len);
    return ret;
}

/* An agent sets out for a URL. Returns false if it stays: the URL is ours. */
static bool set_out(struct crawl *c, uint32_t agent, struct str url, uint32_t depth)
{
    LOCAL_BUF packed = BUF_INIT(LIMIT_TRAVEL), to = BUF_INIT(LIMIT_URL);
    struct traveller a = {.agent = agent, .part = node_part_of_url(c->node, url)};
    struct travel *t = travel_of(c);

    buf_add_str(&to, url); /* copied: it is lent until a listener asks for a URL */
    if (c->node->parts[a.part].ours || !agent_pack(c, agent, &packed))
        return false;
    a.bytes = moving_bytes(buf_str(&to), depth, buf_str(&packed));
    MEM_GROW(t->away, t->naway, &t->away_cap);
    t->away[t->naway++] = a;
    return true;
}

bool node_travels(struct crawl *c, const struct choice *choice)
{
    struct url_view view;

    if (c->node == NULL || !model_roams(c->model->ops) ||
        !agent_is_alive(c->population, choice->agent) ||
        !frontier_url(c->frontier, choice->url, &view) || view.href.len == 0)
        return false; /* also where the text of the URL was not kept */
    return set_out(c, choice->agent, view.href, view.depth);
}

void travel_settle(struct crawl *c)
{
    const struct model_moves *moves = c->model->ops->moves;
    struct str url;
    uint16_t depth;
    uint32_t agent;

    if (moves == NULL || moves->settles == NULL || c->end != CRAWL_RUNNING)
        return; /* at its end, a node leaves its agents by will */
    agent = moves->settles(c->model, &url, &depth);
    if (agent)
        (void)set_out(c, agent, url, depth);
}

void travel_send(struct crawl *c)
{
    struct travel *t = travel_of(c);

    for (size_t i = 0; i < t->naway; i++) {
        struct traveller *a = &t->away[i];
        struct cursor from = {.rest = a->bytes};
        struct batch_item item = {.kind = BATCH_AGENT, .url = cursor_str(&from)};

        if (a->number)
            continue;
        item.depth = (uint16_t)cursor_u32(&from);
        item.agent = cursor_str(&from);
        a->number = outbox_add(c, a->part, &item);
        free((char *)a->bytes.ptr);
        a->bytes = (struct str){0};
        t->owed = true;
    }
}

/* Drops the agents that are in the will of another node. */
static void forget_arrived(struct crawl *c)
{
    struct travel *t = travel_of(c);
    size_t left = 0;

    for (size_t i = 0; i < t->naway; i++) {
        const struct traveller *a = &t->away[i];

        if (a->number == 0 || !cluster_has_arrived(c->node->cluster, a->part, a->number))
            t->away[left++] = *a;
    }
    t->naway = left;
}

bool travel_needs_batch(const struct crawl *c, uint32_t part, uint64_t number)
{
    const struct travel *t = travel_of(c);

    for (size_t i = 0; i < t->naway; i++)
        if (t->away[i].part == part && t->away[i].number == number)
            return true;
    return false;
}

/* ---- guests ---- */

static void guest_add(struct travel *t, const struct guest *g, struct str bytes)
{
    struct guest *to;

    MEM_GROW(t->guests, t->nguests, &t->guests_cap);
    to = &t->guests[t->nguests++];
    *to = *g;
    to->bytes = (struct str){mem_alloc(bytes.len), bytes.len};
    memcpy((char *)to->bytes.ptr, bytes.ptr, bytes.len);
}

void travel_take(struct crawl *c, const struct guest *in, const struct batch_item *item)
{
    struct str bytes;

    if (c->model->ops->moves == NULL || travel_of(c)->nguests >= LIMIT_GUESTS) {
        c->node->lost++;
        return;
    }
    bytes = moving_bytes(item->url, item->depth, item->agent);
    guest_add(travel_of(c), in, bytes);
    free((char *)bytes.ptr);
}

static enum status guest_enter(struct crawl *c, const struct guest *g)
{
    struct cursor from = {.rest = g->bytes}, record;
    struct str url = cursor_str(&from), mind;
    uint32_t depth = cursor_u32(&from), agent, number;
    enum status st;
    enum drop why;

    record = (struct cursor){.rest = cursor_str(&from)};
    st = agent_come(c->population, c->now, &record, &agent);
    if (st != ST_OK)
        return st;
    number = crawl_meet(c, url, LINK_A, 0, (uint16_t)depth, &why);
    mind = cursor_str(&record);
    st = record.bad ? status_fail(ST_INVALID, "an agent came from another node without its state")
                    : c->model->ops->moves->unpack(c->model, agent, number, mind);
    if (st != ST_OK)
        agent_died(c->population, c->now, agent, "damaged on its way");
    c->model_idle = false;
    return st;
}

/* Will all nodes find it with us, whatever happens? */
static bool guest_may_live(const struct crawl *c, const struct guest *g)
{
    const struct node_part *p = &c->node->parts[g->part];

    return g->ours || ((p->ours || p->closing) && g->will && g->will <= c->node->view.will);
}

static void enter_all(struct crawl *c)
{
    struct travel *t = travel_of(c);
    size_t left = 0;

    c->node->taking = true;
    for (size_t i = 0; i < t->nguests; i++) {
        struct guest g = t->guests[i];

        if (!guest_may_live(c, &g)) {
            t->guests[left++] = g;
            continue;
        }
        if (guest_enter(c, &g) != ST_OK) {
            c->node->lost++;
            log_line(c->log, LOG_WARN, c->now, "partition %u, message %llu: %s", g.part,
                     (unsigned long long)g.position, status_text());
        }
        free((char *)g.bytes.ptr);
    }
    t->nguests = left;
    c->node->taking = false;
}

bool travel_has_guests(const struct crawl *c, uint32_t part)
{
    const struct travel *t = travel_of(c);

    for (size_t i = 0; i < t->nguests; i++)
        if (t->guests[i].part == part)
            return true;
    return false;
}

void travel_join(struct crawl *c)
{
    struct travel *t = travel_of(c);
    size_t left = 0;

    for (size_t i = 0; i < t->nguests; i++) {
        struct guest *g = &t->guests[i];

        g->ours = cluster_covers(c->node->cluster, g->part, g->sender, g->number, g->position);
        if (g->ours || c->node->parts[g->part].ours)
            t->guests[left++] = *g;
        else
            free((char *)g->bytes.ptr);
    }
    t->nguests = left;
}

/* ---- what is committed ---- */

bool travel_mark(struct crawl *c)
{
    struct travel *t = travel_of(c);

    if (t->saved_in && c->end == CRAWL_RUNNING)
        return false; /* the previous one is not committed yet; the next checkpoint will do */
    for (uint32_t p = 0; p < PARTITIONS; p++)
        t->saved[p] = c->node->parts[p].position;
    t->saved_in = c->checkpoints + 1;
    return true;
}

void travel_commit(struct crawl *c)
{
    struct travel *t = travel_of(c);

    if (t->saved_in == 0 || store_commits(c->store) < t->saved_in)
        return;
    memcpy(t->safe, t->saved, sizeof t->safe);
    t->saved_in = 0;
    will_commit(c);
}

/* The numbers now belong to other messages. */
void travel_rollback(struct crawl *c, uint64_t end)
{
    struct travel *t = travel_of(c);

    for (uint32_t p = 0; p < PARTITIONS; p++) {
        if (c->node->parts[p].position > end)
            c->node->parts[p].position = end;
        if (t->safe[p] > end)
            t->safe[p] = end;
        if (t->saved[p] > end)
            t->saved[p] = end;
        if (t->will && t->will->safe[p] > end)
            t->will->safe[p] = end;
    }
    for (size_t i = 0; i < t->nguests; i++)
        if (t->guests[i].position > end)
            t->guests[i].position = end;
}

/* Agents that share one queue need not hurry while there is work: others choose meanwhile. */
static bool is_hurried(const struct crawl *c)
{
    return model_roams(c->model->ops) || c->model_idle;
}

bool travel_waits(const struct crawl *c)
{
    const struct travel *t = travel_of(c);

    if (!is_hurried(c))
        return false;
    for (size_t i = 0; i < t->nguests && t->saved_in == 0; i++)
        if (t->guests[i].will == 0)
            return true;
    for (size_t i = 0; i < t->naway; i++)
        if (t->away[i].number == 0)
            return true;
    return t->owed && t->saved_in == 0;
}

bool travel_is_over(const struct crawl *c)
{
    const struct travel *t = travel_of(c);

    return t->naway == 0 && t->nguests == 0 && !t->links_wait;
}

/* ---- with the others ---- */

void travel_numbers(struct crawl *c)
{
    const struct cluster_view *v = &c->node->view;
    struct travel *t = travel_of(c);

    if (v->lots == t->lots)
        return;
    t->lots = v->lots;
    population_add_lot(c->population, v->lot, BOOK_LOT);
}

static void hear_others(struct crawl *c)
{
    const struct model_moves *moves = c->model->ops->moves;
    struct buf said = BUF_INIT(LIMIT_NODES * (LEASE_SUMS + 4));
    struct travel *t = travel_of(c);

    if (moves == NULL || moves->hear == NULL || c->now < t->exchanged_at + EXCHANGE)
        return;
    t->exchanged_at = c->now;
    cluster_sums(c->node->cluster, &said);
    moves->hear(c->model, &(struct cursor){.rest = buf_str(&said)});
    buf_free(&said);
}

/* Is it a host of ours? Links to hosts of other nodes are left to them. */
static bool is_here(void *ctx, uint32_t url)
{
    struct crawl *c = ctx;
    struct url_view view;

    return frontier_url(c->frontier, url, &view) && view.href.len > 0 &&
           c->node->parts[node_part_of_url(c->node, view.href)].ours;
}

/* Links that have lost their agents get a new one, but not many in a short time: then they wait for
 * it, and the crawl with them. If the last one found no page, the next need not wait: each agent
 * uses up a link, and links to missing pages would hold up the crawl for seconds each. */
static void revive(struct crawl *c)
{
    const struct model_moves *moves = c->model->ops->moves;
    struct travel *t = travel_of(c);
    int64_t wait = c->pages > t->revived_pages ? REVIVE : 0;

    t->links_wait = false;
    if (moves == NULL || moves->revive == NULL || t->nguests > 0 ||
        population_counts(c->population).alive > 0)
        return;
    t->links_wait = c->now < t->revived_at + wait;
    if (!t->links_wait && moves->revive(c->model, is_here, c)) {
        t->revived_at = c->now;
        t->revived_pages = c->pages;
        c->model_idle = false;
    }
}

void travel_turn(struct crawl *c, bool idle)
{
    const struct cluster_view *v = &c->node->view;
    struct travel *t = travel_of(c);

    travel_numbers(c);
    travel_commit(c);
    forget_arrived(c);
    enter_all(c);
    population_set_elsewhere(c->population, (uint32_t)(v->agents + t->naway));
    c->model_ctx.machines = v->nodes;
    hear_others(c);
    if (idle)
        revive(c);
}

void travel_report(const struct crawl *c, struct cluster_report *say)
{
    const struct model_moves *moves = c->model->ops->moves;
    struct population_counts n = population_counts(c->population);
    const struct travel *t = travel_of(c);
    struct buf sums = BUF_INIT(LEASE_SUMS);

    say->agents = n.alive + t->naway;
    say->born = n.born;
    say->died = n.died;
    say->left = n.left;
    say->came = n.came;
    say->ledger = population_ledger(c->population);
    say->on_pages = model_on_pages(c->model);
    say->lots = t->lots;
    say->numbers = population_numbers(c->population) < BOOK_LOT / 2;
    memcpy(say->safe, t->safe, sizeof say->safe);
    for (size_t i = 0; i < t->nguests; i++)
        say->waits |= t->guests[i].will > 0;
    say->awaits = t->naway > 0;
    say->wills = moves != NULL;
    say->waits &= is_hurried(c);
    if (moves && moves->say)
        moves->say(c->model, &sums);
    if (!sums.full && sums.len) {
        memcpy(say->sums, sums.data, sums.len);
        say->nsums = (uint32_t)sums.len;
    }
    buf_free(&sums);
}

/* ---- checkpoint ---- */

static const struct field away_fields[] = {
    FIELD(U32, struct traveller, agent),
    FIELD(U32, struct traveller, part),
    FIELD(U64, struct traveller, number),
    FIELD_END,
};

static const struct field guest_fields[] = {
    FIELD(U32, struct guest, part),
    FIELD(U64, struct guest, position),
    FIELD(FLAG, struct guest, ours),
    FIELD_END,
};

static const struct field guest_batch_fields[] = {
    FIELD(U64, struct guest, sender),
    FIELD(U64, struct guest, number),
    FIELD_END,
};

void travel_save(const struct crawl *c, struct buf *out)
{
    const struct travel *t = travel_of(c);

    fields_save_all(away_fields, t->away, t->naway, sizeof *t->away, out);
    buf_put_u32(out, (uint32_t)t->nguests);
    for (size_t i = 0; i < t->nguests; i++) {
        fields_save(guest_fields, &t->guests[i], out);
        fields_save(guest_batch_fields, &t->guests[i], out);
        buf_put_str(out, t->guests[i].bytes);
    }
    fields_save(will_name_fields, &t->settled, out);
}

bool travel_load(struct crawl *c, struct cursor *from, uint8_t version)
{
    struct travel *t = travel_of(c);
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct traveller a = {0};

        fields_load(away_fields, &a, from);
        if (a.part >= PARTITIONS)
            return false;
        MEM_GROW(t->away, t->naway, &t->away_cap);
        t->away[t->naway++] = a;
    }
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct guest g = {0};
        struct str bytes;

        fields_load(guest_fields, &g, from);
        if (version >= 5)
            fields_load(guest_batch_fields, &g, from);
        bytes = cursor_str(from);
        if (from->bad || g.part >= PARTITIONS)
            return false;
        guest_add(t, &g, bytes);
    }
    if (version >= 4)
        fields_load(will_name_fields, &t->settled, from);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        t->safe[p] = c->node->parts[p].position; /* it was committed before this process began */
    return !from->bad;
}
