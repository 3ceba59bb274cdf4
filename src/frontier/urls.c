/* urls.c - the table of known URLs.
 *
 * A path is stored behind its length: one byte below 128, else two (low seven
 * bits with the top bit set, then the rest). No path crosses a chunk.
 *
 * The paths of the first chunk are stored as they are. When chunk 1, 2, 4, 8 … begins, a table is
 * learned from the paths of the one before (frontier/squeeze.h), and those of the chunks up to the next
 * table are squeezed by it.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "frontier/urls.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/search.h"

#include <stdlib.h>

#define MAX_CHUNKS 4096u /* 32 bits of place / URLS_CHUNK */

_Static_assert(sizeof(struct known) == 12, "a record is 12 bytes");
_Static_assert(sizeof(struct url_page) == 6, "a page is 6 bytes");
_Static_assert(DROP_COUNT <= UINT8_MAX && URL_HOLE < 8, "verdict and state fit in a record");
_Static_assert(LIMIT_URLS < KEYS_MOST, "every URL has a number");
_Static_assert(2 * LIMIT_URL < 1 << 15, "a length fits in two bytes");

#define SAMPLE_EVERY 13 /* a table is learned from one of so many paths of a chunk: 80 KB */

void urls_init(struct urls *u)
{
    memset(u, 0, sizeof *u);
    map_init(&u->far);
}

void urls_free(struct urls *u)
{
    for (size_t i = 0; i < u->nblocks; i++) {
        free(u->blocks[i]->pages);
        free(u->blocks[i]);
    }
    map_free(&u->far);
    for (size_t i = 0; i < u->nchunks; i++)
        free(u->chunks[i]);
    for (size_t i = 0; i < ARRAY_LEN(u->tables); i++)
        free(u->tables[i]);
    free(u->text);
    free(u->blocks);
    free(u->chunks);
    free(u->by_source);
    free(u->source_of);
    keys_free(&u->by_key);
    urls_init(u);
}

uint32_t urls_find(const struct urls *u, uint64_t key)
{
    return keys_find(&u->by_key, key);
}

/* Makes an array of numbers longer than `at`; new ones are 0. */
static void numbers_reach(uint32_t **numbers, size_t *count, uint32_t at)
{
    size_t more = (size_t)at + at / 2 + 1024;

    if (at < *count)
        return;
    *numbers = mem_resize(*numbers, more, sizeof **numbers);
    memset(*numbers + *count, 0, (more - *count) * sizeof **numbers);
    *count = more;
}

void urls_set_source(struct urls *u, uint32_t source, uint32_t id)
{
    if (source == 0)
        return;
    numbers_reach(&u->by_source, &u->sources, source);
    numbers_reach(&u->source_of, &u->source_of_cap, id);
    u->by_source[source] = id;
    u->source_of[id] = source;
}

uint32_t urls_source(const struct urls *u, uint32_t id)
{
    return id < u->source_of_cap ? u->source_of[id] : 0;
}

uint32_t urls_find_source(struct urls *u, uint32_t source, uint64_t key)
{
    uint32_t id = source < u->sources ? u->by_source[source] : 0;

    if (id == 0) { /* met before, but only by its key: a seed, a redirect */
        id = urls_find(u, key);
        if (id != 0)
            urls_set_source(u, source, id);
    }
    return id;
}

/* ---- paths ---- */

/* Returns the table of a chunk; NULL: its paths are stored as they are. */
static struct squeeze *table_of(const struct urls *u, size_t chunk)
{
    return chunk == 0 ? NULL : u->tables[63 - __builtin_clzll(chunk)];
}

/* Returns what is stored at a place. */
static struct str stored_at(const struct urls *u, size_t place)
{
    const char *at = u->chunks[place / URLS_CHUNK] + place % URLS_CHUNK;
    size_t len = (unsigned char)at[0];

    if (len < 128)
        return (struct str){at + 1, len};
    return (struct str){at + 2, (len & 127) | (size_t)(unsigned char)at[1] << 7};
}

static struct str path_at(const struct urls *u, size_t place)
{
    const struct squeeze *table = table_of(u, place / URLS_CHUNK);
    struct str stored = stored_at(u, place);

    return table ? (struct str){u->text, squeeze_get(table, stored, u->text, LIMIT_URL)} : stored;
}

/* Learns a table from the last chunk, for the new one and those after it. */
static void table_learn(struct urls *u)
{
    struct squeeze *table = MEM_NEW(struct squeeze);
    size_t chunk = u->nchunks - 1, count = 0, cap = 0, n = 0;
    struct arena kept;
    struct str *sample = NULL;

    arena_init(&kept, URLS_CHUNK);
    for (size_t at = 0; at < u->fill; n++) {
        size_t place = chunk * URLS_CHUNK + at;
        struct str stored = stored_at(u, place);

        if (n % SAMPLE_EVERY == 0) {
            MEM_GROW(sample, count, &cap);
            sample[count++] = arena_str(&kept, path_at(u, place));
        }
        at = (size_t)(stored.ptr + stored.len - u->chunks[chunk]);
    }
    squeeze_learn(table, sample, count);
    free(sample);
    arena_free(&kept);
    u->tables[63 - __builtin_clzll(u->nchunks)] = table;
    if (u->text == NULL)
        u->text = mem_alloc(LIMIT_URL + SQUEEZE_LONG);
}

/* Makes room for `need` bytes in the last chunk. Returns false if the storage is full. */
static bool chunk_reach(struct urls *u, size_t need)
{
    if (u->nchunks > 0 && URLS_CHUNK - u->fill >= need)
        return true;
    if (u->nchunks == MAX_CHUNKS)
        return false;
    if (u->nchunks > 0 && (u->nchunks & (u->nchunks - 1)) == 0)
        table_learn(u);
    MEM_GROW(u->chunks, u->nchunks, &u->chunks_cap);
    u->chunks[u->nchunks++] = mem_alloc(URLS_CHUNK);
    u->fill = 0;
    return true;
}

static bool path_put(struct urls *u, struct str path, uint32_t *ret_place)
{
    char squeezed[2 * LIMIT_URL];
    const struct squeeze *table;
    uint32_t head;
    char *to;

    if (path.len > LIMIT_URL || !chunk_reach(u, 2 + squeeze_most(path.len)))
        return false;
    table = table_of(u, u->nchunks - 1);
    if (table)
        path = (struct str){squeezed, squeeze_put(table, path, squeezed)};
    head = path.len < 128 ? 1 : 2;
    to = u->chunks[u->nchunks - 1] + u->fill;
    to[0] = (char)(head == 1 ? path.len : (path.len & 127) | 128);
    if (head == 2)
        to[1] = (char)(path.len >> 7);
    if (path.len)
        memcpy(to + head, path.ptr, path.len);
    *ret_place = (uint32_t)(u->nchunks - 1) * URLS_CHUNK + u->fill;
    u->fill += head + (uint32_t)path.len;
    return true;
}

/* ---- records ---- */

/* A number that is too far away for a record. */
#define FAR (URLS_NO_PATH - 1)

enum far_kind { FAR_PATH, FAR_FROM };

static uint64_t far_key(uint32_t id, enum far_kind kind)
{
    return hash_u64((uint64_t)id << 1 | kind);
}

static struct urls_block *block_of(const struct urls *u, uint32_t id)
{
    return u->blocks[(id - 1) / URLS_BLOCK];
}

static uint32_t *group_of(const struct urls *u, uint32_t id)
{
    return &block_of(u, id)->paths[(id - 1) % URLS_BLOCK / PATHS_GROUP];
}

struct str urls_path(const struct urls *u, uint32_t id)
{
    const struct known *k = urls_at(u, id);

    if (url_is_bare(k))
        return STR("");
    return path_at(u, k->path == FAR ? map_get(&u->far, far_key(id, FAR_PATH))
                                     : *group_of(u, id) - 1 + k->path);
}

static void set_path(struct urls *u, uint32_t id, uint32_t place)
{
    uint32_t *group = group_of(u, id);
    bool is_far;

    if (*group == 0)
        *group = place + 1;
    is_far = place < *group - 1 || place - (*group - 1) >= FAR;
    urls_at(u, id)->path = is_far ? FAR : (uint16_t)(place - (*group - 1));
    if (is_far)
        map_set(&u->far, far_key(id, FAR_PATH), place);
}

uint32_t urls_from_page(const struct urls *u, uint32_t id)
{
    uint32_t from = urls_at(u, id)->from;

    if (from == FAR)
        return map_get(&u->far, far_key(id, FAR_FROM));
    return from == 0 ? 0 : block_of(u, id)->from - 1 + from;
}

/* Records count from half of their range below the first page that is entered, since a later page
 * may have a lower number: pages do not come in order where links were known before. */
void urls_set_from_page(struct urls *u, uint32_t id, uint32_t page)
{
    struct urls_block *b = block_of(u, id);
    uint32_t first;

    if (page != 0 && b->from == 0)
        b->from = page > FAR / 2 ? page - FAR / 2 : 1;
    first = b->from - 1;
    urls_at(u, id)->from = page == 0                            ? 0
                           : page > first && page - first < FAR ? (uint16_t)(page - first)
                                                                : FAR;
    if (urls_at(u, id)->from == FAR)
        map_set(&u->far, far_key(id, FAR_FROM), page);
}

/* The place in a block's list of the first page from a record on. */
static size_t page_from(const struct urls_block *b, uint32_t at)
{
    size_t i;

    FIND_FIRST(i, 0, b->npages, b->pages[i].at >= at);
    return i;
}

uint32_t urls_page(const struct urls *u, uint32_t id)
{
    const struct urls_block *b = block_of(u, id);
    const struct url_page *p;

    if (!urls_at(u, id)->has_page)
        return 0;
    p = &b->pages[page_from(b, (id - 1) % URLS_BLOCK)];
    return p->page[0] | (uint32_t)p->page[1] << 16;
}

/* A page stays in the list when its URL has none any more: it will get another one. */
void urls_set_page(struct urls *u, uint32_t id, uint32_t page)
{
    struct urls_block *b = block_of(u, id);
    uint32_t at = (id - 1) % URLS_BLOCK;
    size_t i = page_from(b, at), cap = b->pages_cap;

    urls_at(u, id)->has_page = page != 0;
    if (page == 0)
        return;
    if (i == b->npages || b->pages[i].at != at) {
        if (b->npages == cap) {
            b->pages_cap = cap + cap / 4 + 16;
            b->pages = mem_resize(b->pages, b->pages_cap, sizeof *b->pages);
            u->pages += b->pages_cap - cap;
        }
        memmove(&b->pages[i + 1], &b->pages[i], (b->npages++ - i) * sizeof *b->pages);
    }
    b->pages[i] = (struct url_page){(uint16_t)at, {(uint16_t)page, (uint16_t)(page >> 16)}};
}

static struct known *record_new(struct urls *u)
{
    struct known *k;

    if (u->count == u->nblocks * URLS_BLOCK) {
        MEM_GROW(u->blocks, u->nblocks, &u->blocks_cap);
        u->blocks[u->nblocks++] = MEM_NEW(struct urls_block);
    }
    k = urls_at(u, ++u->count);
    k->path = URLS_NO_PATH;
    return k;
}

uint32_t urls_add_bare(struct urls *u, uint64_t key)
{
    if (u->count >= KEYS_MOST)
        return 0;
    (void)record_new(u);
    keys_add(&u->by_key, key, u->count);
    return u->count;
}

bool urls_dress(struct urls *u, uint32_t id, uint32_t host, struct str path)
{
    uint32_t place;

    if (!path_put(u, path, &place))
        return false;
    urls_at(u, id)->host = host;
    set_path(u, id, place);
    return true;
}

uint32_t urls_add(struct urls *u, uint64_t key, uint32_t host, struct str path)
{
    uint32_t place, id;

    if (!path_put(u, path, &place))
        return 0;
    id = urls_add_bare(u, key);
    if (id != 0) {
        urls_at(u, id)->host = host;
        set_path(u, id, place);
    }
    return id;
}

void urls_skip(struct urls *u, uint32_t next)
{
    while (u->count + 1 < next)
        record_new(u)->state = URL_HOLE;
}

size_t urls_bytes(const struct urls *u)
{
    size_t tables = u->nchunks > 1 ? (size_t)(64 - __builtin_clzll(u->nchunks - 1)) : 0;

    return keys_bytes(&u->by_key) + tables * sizeof **u->tables +
           u->nblocks * sizeof(struct urls_block) + u->pages * sizeof(struct url_page) +
           map_bytes(&u->far) + u->nchunks * URLS_CHUNK + u->blocks_cap * sizeof *u->blocks +
           u->chunks_cap * sizeof *u->chunks +
           (u->sources + u->source_of_cap) * sizeof *u->by_source;
}
