/* disk_state.c - what a power cut leaves: the list of changes is gone through
 * once, leaving out what was not synced. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "disk_int.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define BLOCK 4096

struct content {
    size_t synced;    /* changes before this one are durable */
    size_t names;     /* of a directory: so many after it are there as well */
    char *bytes;      /* of a file */
    size_t len, room; /* its length; bytes allocated */
};

struct entry {
    uint32_t dir, node;
    char name[DISK_NAME]; /* empty: removed */
};

struct state {
    enum disk_way way;
    struct rng rng;
    struct content *contents; /* by node */
    struct entry *entries;
    size_t count, cap;
    uint64_t hash;
};

static bool is_of_names(const struct change *c)
{
    return c->kind == MADE || c->kind == RENAMED || c->kind == REMOVED;
}

static void find_synced(struct state *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (disk.changes[i].kind == SYNCED)
            s->contents[disk.changes[i].node].synced = i;
    for (size_t i = 0; i < n; i++)
        if (is_of_names(&disk.changes[i]) && i > s->contents[disk.changes[i].node].synced)
            s->contents[disk.changes[i].node].names++;
    for (size_t i = 0; i < disk.nnodes; i++) {
        struct content *c = &s->contents[i];

        if (s->way == DISK_NONE)
            c->names = 0;
        else if (s->way >= DISK_HALF)
            c->names = rng_below(&s->rng, (uint32_t)c->names + 1);
    }
}

static void resize(struct content *c, size_t len)
{
    if (len > c->room) {
        c->room = 2 * len;
        c->bytes = mem_resize(c->bytes, c->room, 1);
    }
    if (len > c->len)
        memset(c->bytes + c->len, 0, len - c->len);
    c->len = len;
}

static void put_bytes(struct content *c, uint64_t at, const char *bytes, size_t len)
{
    if (at + len > c->len)
        resize(c, at + len);
    if (len)
        memcpy(c->bytes + at, bytes, len);
}

/* The blocks of a write that reached the disk before it stopped. */
static void put_half(struct state *s, struct content *c, const struct change *w)
{
    for (size_t done = 0; done < w->len;) {
        size_t end = BLOCK - (w->at + done) % BLOCK + done;

        end = end < w->len ? end : w->len;
        if (rng_below(&s->rng, 2))
            put_bytes(c, w->at + done, w->bytes + done, end - done);
        done = end;
    }
}

static struct entry *find_entry(struct state *s, uint32_t dir, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->entries[i].dir == dir && strcmp(s->entries[i].name, name) == 0)
            return &s->entries[i];
    return NULL;
}

static void put_name(struct state *s, const struct change *c)
{
    struct entry *e = find_entry(s, c->node, c->name), *old;

    if (c->kind == MADE) {
        MEM_GROW(s->entries, s->count, &s->cap);
        e = &s->entries[s->count++];
        *e = (struct entry){.dir = c->node, .node = c->child};
        memcpy(e->name, c->name, DISK_NAME);
        return;
    }
    assert_non_null(e);
    if (c->kind == REMOVED) {
        e->name[0] = '\0';
        return;
    }
    old = find_entry(s, c->node, c->to);
    if (old)
        old->name[0] = '\0';
    memcpy(e->name, c->to, DISK_NAME);
}

static void put_change(struct state *s, size_t i)
{
    const struct change *c = &disk.changes[i];
    struct content *to = &s->contents[c->node];
    bool durable = i < to->synced;

    if (is_of_names(c)) {
        if (durable || to->names > 0)
            put_name(s, c);
        to->names -= !durable && to->names > 0;
        return;
    }
    if (c->kind != WRITTEN && c->kind != CUT)
        return;
    if (durable || s->way == DISK_ALL)
        c->kind == CUT ? resize(to, c->at) : put_bytes(to, c->at, c->bytes, c->len);
    else if (s->way >= DISK_HALF && c->kind == WRITTEN)
        put_half(s, to, c);
    else if (s->way >= DISK_HALF && rng_below(&s->rng, 2))
        resize(to, c->at);
}

static void write_out(struct state *s, uint32_t dir, const char *path)
{
    char below[4096];

    for (size_t i = 0; i < s->count; i++) {
        const struct entry *e = &s->entries[i];
        const struct content *c = &s->contents[e->node];
        FILE *f;

        if (e->dir != dir || e->name[0] == '\0')
            continue;
        (void)snprintf(below, sizeof below, "%s/%s", path, e->name);
        s->hash = hash_u64(s->hash ^ hash_str(str_of(e->name)));
        if (disk.nodes[e->node].is_dir) {
            assert_int_equal(mkdir(below, 0700), 0);
            write_out(s, e->node, below);
            continue;
        }
        s->hash = hash_u64(s->hash ^ hash_str((struct str){c->len ? c->bytes : "", c->len}));
        f = fopen(below, "wbe");
        assert_non_null(f);
        assert_int_equal(fwrite(c->len ? c->bytes : "", 1, c->len, f), c->len);
        assert_int_equal(fclose(f), 0);
    }
}

uint64_t disk_after(size_t n, enum disk_way way, const char *to, uint64_t *ret_hash)
{
    struct state s = {.way = way, .contents = mem_zero(disk.nnodes, sizeof *s.contents)};
    uint64_t promise = 0;

    rng_init(&s.rng, n * DISK_WAYS + way);
    find_synced(&s, n);
    for (size_t i = 0; i < n; i++) {
        put_change(&s, i);
        if (disk.changes[i].kind == MARKED)
            promise = disk.changes[i].at;
    }
    write_out(&s, 0, to);
    *ret_hash = s.hash;
    for (size_t i = 0; i < disk.nnodes; i++)
        free(s.contents[i].bytes);
    free(s.contents);
    free(s.entries);
    return promise;
}
