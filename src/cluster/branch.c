/* branch.c - two books of one crawl. SPDX-License-Identifier: MIT */
#include "cluster/branch.h"

#include "base/limits.h"
#include "base/mem.h"

/* A change is known as long as it is among the last BOOK_CHANGES. */
enum branch_age branch_compare(const struct book *is, const struct book *seen)
{
    if (is->crawl != seen->crawl)
        return BRANCH_NEWER;
    if (is->version == seen->version && is->changes[0] == seen->changes[0])
        return BRANCH_SAME;
    if (is->version >= seen->version + BOOK_CHANGES || book_follows(is, seen->changes[0]))
        return BRANCH_NEWER;
    if (seen->version >= is->version + BOOK_CHANGES || book_follows(seen, is->changes[0]))
        return BRANCH_OLDER;
    return BRANCH_OTHER;
}

static void join_node(struct book *b, const struct book_node *other)
{
    struct book_node *n = book_find(b, other->id);

    if (n == NULL && b->count < LIMIT_NODES) {
        MEM_GROW(b->nodes, b->count, &b->cap);
        b->nodes[b->count++] = *other;
    } else if (n && n->alive && !other->alive) {
        *n = *other;
    }
}

/* A node that wrote the other branch notices that at once, and does not use what it was granted. */
static void join_grants(struct book *b, const struct book *seen)
{
    for (size_t i = 0; i < seen->count; i++) {
        struct book_node *n = book_find(b, seen->nodes[i].id);

        if (n && n->alive && seen->nodes[i].alive)
            n->granted = seen->nodes[i].granted;
    }
}

static void join_part(struct book *b, uint32_t part, const struct book_part *other)
{
    struct book_part *p = &b->parts[part];
    const struct book_node *owner;

    if (other->token > p->token)
        *p = *other;
    owner = book_find(b, p->owner);
    if (p->owner && (owner == NULL || !owner->alive)) {
        p->owner = 0;
        p->token++;
    }
}

/* `other` is the branch with fewer changes. */
static void join_all(struct book *b, const struct book *other)
{
    if (b->end == BOOK_RUNNING)
        b->end = other->end;
    if (b->numbers < other->numbers)
        b->numbers = other->numbers;
    if (b->rollbacks < other->rollbacks) {
        b->rollbacks = other->rollbacks;
        b->rolled_to = other->rolled_to;
    }
    for (size_t i = 0; i < other->count; i++)
        join_node(b, &other->nodes[i]);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        join_part(b, p, &other->parts[p]);
}

void branch_join(struct book *b, const struct book *seen)
{
    enum branch_age age = branch_compare(b, seen);
    struct book other;

    if (age == BRANCH_SAME || age == BRANCH_NEWER)
        return;
    book_init(&other);
    book_copy(&other, seen);
    if (age == BRANCH_OLDER || seen->version > b->version) {
        struct book was = *b;

        *b = other;
        other = was;
    }
    if (age == BRANCH_OTHER) {
        join_all(b, &other);
        join_grants(b, seen);
    }
    book_clear(&other);
}
