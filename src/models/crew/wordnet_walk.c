/* wordnet_walk.c - a breadth-first walk over synsets.
 * SPDX-License-Identifier: MIT */
#include "models/crew/wordnet_walk.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

struct walk {
    struct map seen; /* hash of offset -> 1 */
    uint32_t *queue; /* offsets, in the order they were reached */
    size_t count, cap;
};

/* True: it is new. */
static bool reach(struct walk *k, uint32_t offset)
{
    bool is_new;

    if (k->count >= LIMIT_WORDNET_NEAR)
        return false;
    map_at(&k->seen, hash_u64(offset), 1, &is_new);
    if (!is_new)
        return false;
    MEM_GROW(k->queue, k->count, &k->cap);
    k->queue[k->count++] = offset;
    return true;
}

void wordnet_walk(const struct wordnet *w, const uint32_t *from, size_t nfrom,
                  enum wordnet_relation relation, unsigned depth,
                  void (*visit)(void *ctx, uint32_t offset, unsigned steps), void *ctx)
{
    struct walk k = {0};
    size_t at = 0;

    map_init(&k.seen);
    for (size_t i = 0; i < nfrom; i++)
        reach(&k, from[i]);
    for (unsigned steps = 1; steps <= depth && at < k.count; steps++) {
        for (size_t level = k.count; at < level; at++) {
            enum wordnet_relation r;
            struct synset s, there;
            uint32_t to;

            if (!wordnet_synset(w, k.queue[at], &s))
                continue;
            while (synset_pointer(&s, &r, &to)) {
                if (r == relation && wordnet_synset(w, to, &there) && reach(&k, to))
                    visit(ctx, to, steps);
            }
        }
    }
    map_free(&k.seen);
    free(k.queue);
}
