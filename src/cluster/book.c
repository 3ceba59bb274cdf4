/* book.c - the book of a crawl on several machines: its changes, its bytes.
 * SPDX-License-Identifier: MIT */
#include "cluster/book.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION   7   /* 5 knew no receipts, and 6 did not count changes */
#define LOT_PARTS 2   /* a node gets this part of its equal share of the pages left … */
#define LOT_MOST  200 /* … and no more pages at once */

void book_init(struct book *b)
{
    *b = (struct book){0};
}

void book_clear(struct book *b)
{
    free(b->nodes);
    book_init(b);
}

void book_copy(struct book *b, const struct book *of)
{
    book_clear(b);
    *b = *of;
    b->cap = of->count;
    b->nodes = mem_alloc((of->count + 1) * sizeof *b->nodes);
    if (of->count)
        memcpy(b->nodes, of->nodes, of->count * sizeof *b->nodes);
}

/* ---- questions ---- */

struct book_node *book_find(const struct book *b, uint64_t id)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->nodes[i].id == id)
            return &b->nodes[i];
    return NULL;
}

size_t book_place(const struct book *b, const char *hex)
{
    char id[20];

    for (size_t i = 0; i < b->count && hex; i++) {
        (void)snprintf(id, sizeof id, "%016" PRIx64, b->nodes[i].id);
        if (strcmp(id, hex) == 0)
            return i;
    }
    return SIZE_MAX;
}

size_t book_alive(const struct book *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->count; i++)
        n += b->nodes[i].alive;
    return n;
}

size_t book_owned(const struct book *b, uint64_t id)
{
    size_t n = 0;

    for (uint32_t p = 0; p < PARTITIONS; p++)
        n += b->parts[p].owner == id;
    return n;
}

size_t book_free_parts(const struct book *b)
{
    return book_owned(b, 0);
}

uint64_t book_print(const struct book *b, uint64_t id)
{
    uint64_t print = 1;

    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (b->parts[p].owner == id)
            print = hash_u64(print + b->parts[p].token * PARTITIONS + p);
    return print;
}

size_t book_share(const struct book *b, size_t nodes)
{
    size_t alive = book_alive(b);

    nodes = nodes > alive ? nodes : alive;
    return nodes ? (PARTITIONS + nodes - 1) / nodes : PARTITIONS;
}

uint64_t book_left(const struct book *b)
{
    uint64_t left = b->limit;

    if (b->limit == 0)
        return UINT64_MAX;
    for (size_t i = 0; i < b->count; i++)
        left -= b->nodes[i].granted < left ? b->nodes[i].granted : left;
    return left;
}

/* ---- changes ---- */

enum status book_join(struct book *b, uint64_t id, uint64_t stored)
{
    struct book_node *n = book_find(b, id);

    if (n == NULL && b->count >= LIMIT_NODES)
        return status_fail(ST_LIMIT, "%d nodes have taken part in this crawl: no more can join",
                           LIMIT_NODES);
    if (n == NULL) {
        MEM_GROW(b->nodes, b->count, &b->cap);
        n = &b->nodes[b->count++];
        *n = (struct book_node){.id = id};
    }
    if (n->granted < stored) /* it had stored more than others knew when it was lost */
        n->granted = stored;
    n->alive = true;
    return ST_OK;
}

static void set_owner(struct book *b, uint32_t part, uint64_t id)
{
    b->parts[part].owner = id;
    b->parts[part].token++;
}

size_t book_take(struct book *b, uint64_t id, size_t nodes)
{
    size_t have = book_owned(b, id), most = book_share(b, nodes), taken = 0;

    for (uint32_t p = 0; p < PARTITIONS && have + taken < most; p++)
        if (b->parts[p].owner == 0) {
            set_owner(b, p, id);
            taken++;
        }
    return taken;
}

void book_give(struct book *b, uint64_t id, uint32_t part, uint64_t taken)
{
    if (part >= PARTITIONS || b->parts[part].owner != id)
        return;
    set_owner(b, part, 0);
    if (b->parts[part].taken < taken)
        b->parts[part].taken = taken;
}

void book_keep(struct book *b, uint32_t part)
{
    b->parts[part].kept = b->parts[part].token;
}

uint32_t book_number(struct book *b)
{
    if (b->numbers > LIMIT_AGENTS - BOOK_LOT)
        return 0;
    b->numbers += BOOK_LOT;
    return b->numbers - BOOK_LOT + 1;
}

void book_stamp(struct book *b, uint64_t change)
{
    memmove(b->changes + 1, b->changes, sizeof b->changes - sizeof *b->changes);
    b->changes[0] = change;
    b->version++;
}

bool book_follows(const struct book *b, uint64_t change)
{
    for (size_t i = 0; i < BOOK_CHANGES; i++)
        if (b->changes[i] == change)
            return true;
    return false;
}

void book_roll_back(struct book *b, uint64_t end)
{
    b->rollbacks++;
    b->rolled_to = end;
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (b->parts[p].taken > end)
            b->parts[p].taken = end;
    for (size_t i = 0; i < b->count; i++) /* what an heir sent may be lost: send it again */
        if (b->nodes[i].estate == ESTATE_SETTLED && b->nodes[i].settled > end)
            b->nodes[i].estate = ESTATE_OPEN;
}

void book_leave(struct book *b, uint64_t id, uint64_t stored, const uint64_t *taken)
{
    struct book_node *n = book_find(b, id);

    for (uint32_t p = 0; p < PARTITIONS; p++)
        book_give(b, id, p, taken[p]);
    if (n == NULL)
        return;
    n->alive = false;
    (void)book_return(b, id, stored);
}

void book_bequeath(struct book *b, uint64_t id, struct will_name will, uint64_t heir)
{
    struct book_node *n = book_find(b, id);

    if (n == NULL || n->alive || will.chunks == 0)
        return;
    n->estate = ESTATE_OPEN;
    n->will = will;
    n->heir = heir;
}

/* If the node is back, its own process has done this (life.c). */
static bool is_open(const struct book_node *n)
{
    return n->estate == ESTATE_OPEN && !n->alive;
}

const struct book_node *book_inherit(struct book *b, uint64_t id)
{
    for (size_t i = 0; i < b->count; i++) {
        struct book_node *n = &b->nodes[i];
        const struct book_node *heir = book_find(b, n->heir);

        if (is_open(n) && (heir == NULL || !heir->alive)) {
            n->heir = id;
            return n;
        }
    }
    return NULL;
}

void book_settle(struct book *b, uint64_t id, struct will_name will, uint64_t end)
{
    struct book_node *n = book_find(b, id);

    if (n == NULL || n->estate != ESTATE_OPEN || n->will.run != will.run ||
        n->will.number != will.number)
        return;
    n->estate = ESTATE_SETTLED;
    n->settled = end;
}

uint64_t book_settled(const struct book *b)
{
    uint64_t end = 0;

    for (size_t i = 0; i < b->count; i++)
        if (b->nodes[i].estate == ESTATE_SETTLED && b->nodes[i].settled > end)
            end = b->nodes[i].settled;
    return end;
}

bool book_has_estates(const struct book *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (is_open(&b->nodes[i]))
            return true;
    return false;
}

uint64_t book_grant(struct book *b, uint64_t id)
{
    struct book_node *n = book_find(b, id);
    uint64_t left = book_left(b), alive = book_alive(b), lot;

    if (n == NULL || left == 0 || b->limit == 0)
        return 0;
    lot = left / (LOT_PARTS * (alive ? alive : 1));
    lot = lot == 0 ? 1 : lot > LOT_MOST ? LOT_MOST : lot;
    n->granted += lot;
    return lot;
}

bool book_return(struct book *b, uint64_t id, uint64_t stored)
{
    struct book_node *n = book_find(b, id);

    if (n == NULL || n->granted <= stored)
        return false;
    n->granted = stored;
    return true;
}

/* ---- bytes ---- */

void book_save(const struct book *b, struct buf *out)
{
    buf_put_u8(out, VERSION);
    buf_put_u8(out, (uint8_t)b->end);
    buf_put_u64(out, b->crawl);
    buf_put_u64(out, b->version);
    buf_put_u64(out, b->limit);
    buf_put_u32(out, b->numbers);
    for (size_t i = 0; i < BOOK_CHANGES; i++)
        buf_put_u64(out, b->changes[i]);
    buf_put_u64(out, b->rollbacks);
    buf_put_u64(out, b->rolled_to);
    buf_put_u32(out, (uint32_t)b->count);
    for (size_t i = 0; i < b->count; i++) {
        buf_put_u64(out, b->nodes[i].id);
        buf_put_u64(out, b->nodes[i].granted);
        buf_put_u8(out, b->nodes[i].alive);
        buf_put_u8(out, (uint8_t)b->nodes[i].estate);
        fields_save(will_name_fields, &b->nodes[i].will, out);
        buf_put_u64(out, b->nodes[i].heir);
        buf_put_u64(out, b->nodes[i].settled);
    }
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        buf_put_u64(out, b->parts[p].owner);
        buf_put_u64(out, b->parts[p].token);
        buf_put_u64(out, b->parts[p].taken);
        buf_put_u64(out, b->parts[p].kept);
    }
}

static bool load_nodes(struct book *b, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    if (count > LIMIT_NODES)
        return false;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct book_node n = {.id = cursor_u64(from)};
        uint8_t estate;

        n.granted = cursor_u64(from);
        n.alive = cursor_u8(from) == 1;
        estate = cursor_u8(from);
        fields_load(will_name_fields, &n.will, from);
        n.heir = cursor_u64(from);
        n.settled = cursor_u64(from);
        if (n.id == 0 || book_find(b, n.id) || estate >= ESTATES ||
            n.will.chunks > LIMIT_WILL_CHUNKS)
            return false;
        n.estate = (enum book_estate)estate;
        MEM_GROW(b->nodes, b->count, &b->cap);
        b->nodes[b->count++] = n;
    }
    return !from->bad;
}

static bool load_parts(struct book *b, struct cursor *from, bool has_kept)
{
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        const struct book_node *n;

        b->parts[p].owner = cursor_u64(from);
        b->parts[p].token = cursor_u64(from);
        b->parts[p].taken = cursor_u64(from);
        b->parts[p].kept = has_kept ? cursor_u64(from) : 0;
        n = book_find(b, b->parts[p].owner);
        if (b->parts[p].owner && (n == NULL || !n->alive))
            return false; /* else no node could ever take it */
    }
    return !from->bad && from->rest.len == 0;
}

enum status book_load(struct book *b, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    uint8_t version = cursor_u8(&from), end = cursor_u8(&from);
    bool known = version <= VERSION && version >= VERSION - 2;

    book_clear(b);
    b->crawl = version >= 7 ? cursor_u64(&from) : 0;
    b->version = version >= 7 ? cursor_u64(&from) : 0;
    b->limit = cursor_u64(&from);
    b->numbers = cursor_u32(&from);
    for (size_t i = 0; i < BOOK_CHANGES; i++)
        b->changes[i] = cursor_u64(&from);
    b->rollbacks = cursor_u64(&from);
    b->rolled_to = cursor_u64(&from);
    if (known && b->numbers <= LIMIT_AGENTS && end < BOOK_ENDS && load_nodes(b, &from) &&
        load_parts(b, &from, version >= 6)) {
        b->end = (enum book_end)end;
        return ST_OK;
    }
    book_clear(b);
    return status_fail(
        ST_INVALID, "the record of the crawl's nodes is damaged, or from another version of brood");
}
