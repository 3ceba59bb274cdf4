/* gaps.c - batches that are missing between others of their sender, until they arrive.
 *
 * In: the numbers of batches as they come. Out: whether a batch is new; what this node asks for
 * (its lease says it, and senders send it again). Batches that no sender has any more stay missing,
 * and are counted. SPDX-License-Identifier: MIT */
#include "crawl/node/node_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <string.h>

#define GAP_WAIT (20 * US_PER_S) /* the crawl does not end within this time after one was found */

void gaps_add(struct crawl *c, const struct last_batch *of, uint64_t from, uint64_t to)
{
    struct node *n = c->node;

    if (n->ngaps >= LIMIT_GAPS) {
        n->lost += to - from + 1;
        return;
    }
    MEM_GROW(n->gaps, n->ngaps, &n->gaps_cap);
    n->gaps[n->ngaps++] =
        (struct gap){.sender = of->sender, .part = of->part, .from = from, .to = to, .at = c->now};
}

static void gap_remove(struct node *n, size_t i)
{
    n->gaps[i] = n->gaps[--n->ngaps];
}

/* Was the batch missing? If so, takes it off the list. */
static bool gap_fill(struct node *n, const struct last_batch *last, uint64_t number)
{
    for (size_t i = 0; i < n->ngaps; i++) {
        struct gap *g = &n->gaps[i], rest;

        if (g->sender != last->sender || g->part != last->part || number < g->from ||
            number > g->to)
            continue;
        rest = *g;
        rest.from = number + 1;
        g->to = number - 1;
        if (g->from > g->to)
            gap_remove(n, i);
        if (rest.from <= rest.to) {
            MEM_GROW(n->gaps, n->ngaps, &n->gaps_cap);
            n->gaps[n->ngaps++] = rest;
        }
        return true;
    }
    return false;
}

bool gaps_pass(struct crawl *c, struct last_batch *last, uint64_t number)
{
    if (number <= last->number)
        return gap_fill(c->node, last, number);
    if (number > last->number + 1)
        gaps_add(c, last, last->number + 1, number - 1);
    last->number = number;
    return true;
}

void gaps_forget(struct node *n, uint32_t part)
{
    for (size_t i = n->ngaps; i-- > 0;)
        if (n->gaps[i].part == part)
            gap_remove(n, i);
}

uint64_t gaps_missing(const struct node *n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n->ngaps; i++)
        sum += n->gaps[i].to - n->gaps[i].from + 1;
    return sum;
}

bool gaps_are_awaited(const struct crawl *c)
{
    for (size_t i = 0; i < c->node->ngaps; i++)
        if (c->now < c->node->gaps[i].at + GAP_WAIT)
            return true;
    return false;
}

/* Asks for the newest ones, because no node may have the older ones any more. */
void gaps_ask(const struct node *n, struct cluster_report *say)
{
    memset(say->asks, 0, sizeof say->asks);
    for (size_t i = n->ngaps, at = 0; i-- > 0 && at < LEASE_ASKS; at++) {
        const struct gap *g = &n->gaps[i];

        say->asks[at] = (struct lease_ask){g->sender, g->part, g->from, g->to};
    }
}

static const struct field gap_fields[] = {
    FIELD(U64, struct gap, sender),
    FIELD(U32, struct gap, part),
    FIELD(U64, struct gap, from),
    FIELD(U64, struct gap, to),
    FIELD_END,
};

void gaps_save(const struct node *n, struct buf *out)
{
    fields_save_all(gap_fields, n->gaps, n->ngaps, sizeof *n->gaps, out);
}

bool gaps_load(struct crawl *c, struct cursor *from)
{
    struct node *n = c->node;
    uint32_t count = cursor_u32(from);

    if (count > LIMIT_GAPS)
        return false;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct gap g = {.at = c->now};

        fields_load(gap_fields, &g, from);
        if (g.part >= PARTITIONS || g.from > g.to)
            return false;
        MEM_GROW(n->gaps, n->ngaps, &n->gaps_cap);
        n->gaps[n->ngaps++] = g;
    }
    return !from->bad;
}
