/* link_turns.c - in which turn each waiting link came. See link_turns.h.
 * SPDX-License-Identifier: MIT */
#include "agent/link_turns.h"

#include "base/bits.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

#define ODD_MOST   256 /* in a chunk; then an array takes as little room */
#define BLOCK_BITS ((1u << TURNS_BLOCK) - 1)

/* A URL of the block has the turn first + n if n others of the block with a bit in `counted` are
 * before it, unless its bit in `odd` is set: then its turn is in the chunk's list. */
struct turns_block {
    uint64_t first : 36, counted : TURNS_BLOCK, odd : TURNS_BLOCK;
};

struct odd_turn {
    uint64_t turn : 48, at : 16; /* place in the chunk */
};

struct turns_chunk {
    uint64_t *plain; /* by place in the chunk, in place of all below; NULL: none */
    struct odd_turn *odd;
    size_t nodd, odd_cap; /* ascending by place */
    struct turns_block blocks[TURNS_BLOCKS];
};

_Static_assert(sizeof(struct turns_block) == 8, "a block is 8 bytes");
_Static_assert(HEAP_SEQS == (UINT64_C(1) << 36) - 1, "a turn fits in a block");

void link_turns_clear(struct link_turns *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->chunks[i] == NULL)
            continue;
        free(t->chunks[i]->plain);
        free(t->chunks[i]->odd);
        free(t->chunks[i]);
    }
    free(t->chunks);
    *t = (struct link_turns){0};
}

static struct turns_chunk *chunk_reach(struct link_turns *t, uint32_t url)
{
    size_t at = url / TURNS_CHUNK, count = at + at / 8 + 8;

    if (at >= t->count) {
        t->chunks = mem_resize(t->chunks, count, sizeof *t->chunks);
        memset(t->chunks + t->count, 0, (count - t->count) * sizeof *t->chunks);
        t->count = count;
    }
    if (t->chunks[at] == NULL)
        t->chunks[at] = MEM_NEW(struct turns_chunk);
    return t->chunks[at];
}

/* The place in the list of the first turn from a place in the chunk on. */
static size_t odd_from(const struct turns_chunk *c, uint32_t at)
{
    size_t i;

    FIND_FIRST(i, 0, c->nodd, c->odd[i].at >= at);
    return i;
}

/* The turn that is counted; the URL has a bit. */
static uint64_t counted(const struct turns_block *b, unsigned bit)
{
    return b->first + bits_count(b->counted & (bit - 1u));
}

static uint64_t turn_at(const struct turns_chunk *c, uint32_t at)
{
    const struct turns_block *b = &c->blocks[at / TURNS_BLOCK];
    unsigned bit = 1u << at % TURNS_BLOCK;

    if (c->plain)
        return c->plain[at];
    return b->odd & bit ? c->odd[odd_from(c, at)].turn : counted(b, bit);
}

uint64_t link_turns_get(const struct link_turns *t, uint32_t url)
{
    return turn_at(t->chunks[url / TURNS_CHUNK], url % TURNS_CHUNK);
}

/* Gives a URL that has a turn in the list a place in no list. */
static void odd_remove(struct turns_chunk *c, uint32_t at)
{
    struct turns_block *b = &c->blocks[at / TURNS_BLOCK];
    unsigned bit = 1u << at % TURNS_BLOCK;
    size_t i;

    if (!(b->odd & bit))
        return;
    i = odd_from(c, at);
    memmove(&c->odd[i], &c->odd[i + 1], (--c->nodd - i) * sizeof *c->odd);
    b->odd = b->odd & ~bit & BLOCK_BITS;
}

static void make_plain(struct turns_chunk *c)
{
    uint64_t *plain = mem_zero(TURNS_CHUNK, sizeof *plain);

    for (uint32_t at = 0; at < TURNS_CHUNK; at++)
        plain[at] = turn_at(c, at);
    free(c->odd);
    c->odd = NULL;
    c->nodd = c->odd_cap = 0;
    c->plain = plain;
}

static void odd_add(struct turns_chunk *c, uint32_t at, uint64_t turn)
{
    struct turns_block *b = &c->blocks[at / TURNS_BLOCK];
    unsigned bit = 1u << at % TURNS_BLOCK;
    size_t i = odd_from(c, at);

    if (!(b->odd & bit)) {
        MEM_GROW(c->odd, c->nodd, &c->odd_cap);
        memmove(&c->odd[i + 1], &c->odd[i], (c->nodd++ - i) * sizeof *c->odd);
        b->odd = (b->odd | bit) & BLOCK_BITS;
    }
    c->odd[i] = (struct odd_turn){turn & HEAP_SEQS, (uint16_t)at};
    if (c->nodd >= ODD_MOST)
        make_plain(c);
}

/* Can the turn be counted? It can if it is the one after that of the last URL with a bit. */
static bool is_next(const struct turns_block *b, unsigned bit, uint64_t turn)
{
    if (b->counted & bit)
        return counted(b, bit) == turn;
    return b->counted < bit && (b->counted == 0 || b->first + bits_count(b->counted) == turn);
}

void link_turns_set(struct link_turns *t, uint32_t url, uint64_t turn)
{
    struct turns_chunk *c = chunk_reach(t, url);
    uint32_t at = url % TURNS_CHUNK;
    struct turns_block *b = &c->blocks[at / TURNS_BLOCK];
    unsigned bit = 1u << at % TURNS_BLOCK;

    if (c->plain) {
        c->plain[at] = turn;
    } else if (!is_next(b, bit, turn)) {
        odd_add(c, at, turn);
    } else {
        odd_remove(c, at);
        b->first = b->counted ? b->first : turn & HEAP_SEQS;
        b->counted = (b->counted | bit) & BLOCK_BITS;
    }
}

void link_turns_drop(struct link_turns *t, uint32_t url)
{
    struct turns_chunk *c = t->chunks[url / TURNS_CHUNK];

    if (c->plain == NULL)
        odd_remove(c, url % TURNS_CHUNK);
}
