/* variants.c - how many query strings of one path have been met.
 * SPDX-License-Identifier: MIT */
#include "frontier/variants.h"

#include "base/hash.h"
#include "base/limits.h"

static const uint32_t ceilings[] = {LIMIT_VARIANTS_1, LIMIT_VARIANTS_2, LIMIT_VARIANTS_3};

void variants_init(struct variants *v)
{
    map_init(&v->counts);
}

void variants_free(struct variants *v)
{
    map_free(&v->counts);
}

/* 0, 1, 2: one, two, more parameters. */
static unsigned query_kind(struct str query)
{
    unsigned kind = 0;

    for (size_t i = 0; i < query.len && kind < 2; i++)
        kind += query.ptr[i] == '&';
    return kind;
}

bool variants_add(struct variants *v, uint32_t host, struct str path)
{
    size_t at = str_find_char(path, '?', 0);
    uint64_t key;
    uint32_t *count;
    unsigned kind;

    if (at == SIZE_MAX)
        return true;
    kind = query_kind(str_sub(path, at + 1, path.len));
    key = hash_u64(hash_str(str_sub(path, 0, at)) ^ hash_u64(((uint64_t)host << 2) | kind));
    if (v->counts.count >= LIMIT_VARIANT_PATHS && map_get(&v->counts, key) == MAP_NONE)
        return true;
    count = map_at(&v->counts, key, 0, NULL);
    if (*count >= ceilings[kind])
        return false;
    ++*count;
    return true;
}

size_t variants_bytes(const struct variants *v)
{
    return map_bytes(&v->counts);
}
