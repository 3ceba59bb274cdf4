/* missing.c - directories in which nothing is left.
 * SPDX-License-Identifier: MIT */
#include "frontier/missing.h"

#include "base/hash.h"
#include "base/limits.h"

#define HAS_PAGES (MAP_NONE - 1)

void missing_init(struct missing *m)
{
    map_init(&m->counts);
}

void missing_free(struct missing *m)
{
    map_free(&m->counts);
}

/* The directories of a path, from the top: "/a/" and "/a/b/" of "/a/b/c?d". */
struct levels {
    struct str path;
    uint32_t host;
    size_t end; /* of the current one */
    int left;
};

static struct levels levels_of(uint32_t host, struct str path)
{
    return (struct levels){.path = str_sub(path, 0, str_find_char(path, '?', 0)),
                           .host = host,
                           .end = 1,
                           .left = LIMIT_MISSING_LEVELS};
}

static bool levels_next(struct levels *l, uint64_t *ret_key)
{
    size_t slash = str_find_char(l->path, '/', l->end);

    if (slash == SIZE_MAX || l->left-- == 0)
        return false;
    l->end = slash + 1;
    *ret_key = hash_u64(hash_str(str_sub(l->path, 0, l->end)) ^ hash_u64(l->host));
    return true;
}

void missing_note(struct missing *m, uint32_t host, struct str path, bool came)
{
    struct levels l = levels_of(host, path);
    uint64_t key;

    while (levels_next(&l, &key)) {
        uint32_t *count;

        if (m->counts.count >= LIMIT_MISSING_DIRS && map_get(&m->counts, key) == MAP_NONE)
            continue;
        count = map_at(&m->counts, key, 0, NULL);
        if (came)
            *count = HAS_PAGES;
        else if (*count < LIMIT_MISSING)
            ++*count;
    }
}

bool missing_all(const struct missing *m, uint32_t host, struct str path)
{
    struct levels l = levels_of(host, path);
    uint64_t key;

    while (levels_next(&l, &key))
        if (map_get(&m->counts, key) == LIMIT_MISSING)
            return true;
    return false;
}

size_t missing_bytes(const struct missing *m)
{
    return map_bytes(&m->counts);
}
