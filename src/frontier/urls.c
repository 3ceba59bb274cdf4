/* urls.c - the table of known URLs.
 *
 * A path is stored behind its length: one byte below 128, else two (low seven
 * bits with the top bit set, then the rest). No path crosses a chunk.
 * SPDX-License-Identifier: MIT */
#include "frontier/urls.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

#define MAX_CHUNKS 4096u /* 32 bits of place / URLS_CHUNK */

_Static_assert(sizeof(struct known) == 20, "a record is 20 bytes");
_Static_assert(LIMIT_URL < 1 << 15, "a length fits in two bytes");

void urls_init(struct urls *u)
{
    memset(u, 0, sizeof *u);
    map_init(&u->by_key);
}

void urls_free(struct urls *u)
{
    for (size_t i = 0; i < u->nblocks; i++)
        free(u->blocks[i]);
    for (size_t i = 0; i < u->nchunks; i++)
        free(u->chunks[i]);
    free(u->blocks);
    free(u->chunks);
    free(u->by_source);
    free(u->source_of);
    map_free(&u->by_key);
    urls_init(u);
}

uint32_t urls_find(const struct urls *u, uint64_t key)
{
    uint32_t id = map_get(&u->by_key, key);

    return id == MAP_NONE ? 0 : id;
}

/* Makes an array of numbers longer than `at`; what is new is 0. */
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

    if (id == 0) { /* met before by its key alone: a seed, a redirect */
        id = urls_find(u, key);
        if (id != 0)
            urls_set_source(u, source, id);
    }
    return id;
}

/* Room for `need` bytes in one chunk; NULL where the storage is full. */
static char *chunk_room(struct urls *u, uint32_t need, uint32_t *ret_place)
{
    if (u->nchunks == 0 || URLS_CHUNK - u->fill < need) {
        if (u->nchunks == MAX_CHUNKS)
            return NULL;
        MEM_GROW(u->chunks, u->nchunks, &u->chunks_cap);
        u->chunks[u->nchunks++] = mem_alloc(URLS_CHUNK);
        u->fill = 0;
    }
    *ret_place = (uint32_t)(u->nchunks - 1) * URLS_CHUNK + u->fill;
    u->fill += need;
    return u->chunks[u->nchunks - 1] + u->fill - need;
}

static bool path_put(struct urls *u, struct str path, uint32_t *ret_place)
{
    uint32_t head = path.len < 128 ? 1 : 2;
    char *to = chunk_room(u, head + (uint32_t)path.len, ret_place);

    if (to == NULL)
        return false;
    to[0] = (char)(head == 1 ? path.len : (path.len & 127) | 128);
    if (head == 2)
        to[1] = (char)(path.len >> 7);
    if (path.len)
        memcpy(to + head, path.ptr, path.len);
    return true;
}

struct str urls_path(const struct urls *u, const struct known *k)
{
    const char *at;
    size_t len;

    if (url_is_bare(k))
        return STR("");
    at = u->chunks[k->path / URLS_CHUNK] + k->path % URLS_CHUNK;
    len = (unsigned char)at[0];
    if (len < 128)
        return (struct str){at + 1, len};
    return (struct str){at + 2, (len & 127) | (size_t)(unsigned char)at[1] << 7};
}

static struct known *record_new(struct urls *u)
{
    if (u->count == u->nblocks * URLS_BLOCK) {
        MEM_GROW(u->blocks, u->nblocks, &u->blocks_cap);
        u->blocks[u->nblocks++] = mem_zero(URLS_BLOCK, sizeof(struct known));
    }
    return urls_at(u, ++u->count);
}

uint32_t urls_add_bare(struct urls *u, uint64_t key)
{
    if (u->count >= MAP_NONE - 1)
        return 0;
    record_new(u)->path = URLS_NO_PATH;
    map_set(&u->by_key, key, u->count);
    return u->count;
}

bool urls_dress(struct urls *u, struct known *k, uint32_t host, struct str path)
{
    uint32_t place;

    if (!path_put(u, path, &place))
        return false;
    k->host = host;
    k->path = place;
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
        urls_at(u, id)->path = place;
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
    return map_bytes(&u->by_key) + u->nblocks * URLS_BLOCK * sizeof(struct known) +
           u->nchunks * URLS_CHUNK + u->blocks_cap * sizeof *u->blocks +
           u->chunks_cap * sizeof *u->chunks +
           (u->sources + u->source_of_cap) * sizeof *u->by_source;
}
