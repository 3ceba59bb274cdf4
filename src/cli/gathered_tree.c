/* gathered_tree.c - combines the family trees of all nodes into one. See gathered_tree.h.
 * SPDX-License-Identifier: MIT */
#include "cli/gathered_tree.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "cli/command.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/* An agent. */
struct joined_agent {
    json_t *row; /* a copy without its children */
    uint64_t id, parent;
    size_t above, first_child, last_child, next; /* places in family.all; NONE: there is none */
    size_t depth, descendants;
    uint64_t pages_below; /* and its own */
    bool is_placed;
};

struct family_of_all {
    struct joined_agent *all;
    size_t count, cap;
    struct map places; /* id -> place */
};

static uint64_t number_at(const json_t *row, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(row, key));

    return n > 0 ? (uint64_t)n : 0;
}

/* Returns the rank of a row: rows of present agents come before those of agents that left, the
 * living before the dead. */
static int presence(const json_t *row)
{
    if (json_is_true(json_object_get(row, "away")))
        return 0;
    return json_is_string(json_object_get(row, "died_at")) ? 1 : 2;
}

static void take_row(struct family_of_all *f, const json_t *node, uint64_t parent)
{
    uint64_t id = number_at(node, "id");
    json_t *row;
    bool is_new;
    uint32_t place;
    struct joined_agent *k;

    if (id == 0)
        return;
    place = *map_at(&f->places, hash_u64(id), (uint32_t)f->count, &is_new);
    if (is_new) {
        MEM_GROW(f->all, f->count, &f->cap);
        f->all[f->count++] =
            (struct joined_agent){.id = id, .first_child = NONE, .last_child = NONE};
    }
    k = &f->all[place];
    k->parent = k->parent ? k->parent : parent;
    if (k->row && presence(node) <= presence(k->row))
        return;
    row = json_copy((json_t *)node); /* its members are shared */
    (void)json_object_del(row, "children");
    (void)json_object_del(row, "parent");
    json_decref(k->row);
    k->row = row;
}

/* All agents below some, without recursion. */
static void take_all(struct family_of_all *f, const json_t *answers)
{
    struct todo {
        const json_t *list;
        uint64_t parent;
    } *todo = NULL;
    size_t n = 0, cap = 0;

    MEM_GROW(todo, n, &cap);
    todo[n++] = (struct todo){answers, 0};
    while (n > 0) {
        struct todo now = todo[--n];
        json_t *node;
        size_t i;

        json_array_foreach(now.list, i, node)
        {
            uint64_t parent = now.parent ? now.parent : number_at(node, "parent");

            take_row(f, node, parent);
            MEM_GROW(todo, n, &cap);
            todo[n++] = (struct todo){json_object_get(node, "children"), number_at(node, "id")};
        }
    }
    free(todo);
}

static void link_children(struct family_of_all *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct joined_agent *k = &f->all[i], *p;
        uint32_t at = k->parent ? map_get(&f->places, hash_u64(k->parent)) : MAP_NONE;

        k->next = NONE;
        k->above = at == MAP_NONE || at == i ? NONE : at;
        if (k->above == NONE)
            continue;
        p = &f->all[at];
        if (p->last_child == NONE)
            p->first_child = i;
        else
            f->all[p->last_child].next = i;
        p->last_child = i;
    }
}

/* Into order[]: a root and all below it, parents first. */
static size_t place_below(struct family_of_all *f, size_t root, size_t *order, size_t n)
{
    size_t at = n;

    order[n++] = root;
    f->all[root].is_placed = true;
    f->all[root].above = NONE;
    f->all[root].depth = 0;
    for (; at < n; at++)
        for (size_t c = f->all[order[at]].first_child; c != NONE; c = f->all[c].next) {
            struct joined_agent *child = &f->all[c];

            if (child->is_placed || f->all[order[at]].depth + 1 >= LIMIT_TREE_DEPTH)
                continue;
            child->is_placed = true;
            child->above = order[at];
            child->depth = f->all[order[at]].depth + 1;
            order[n++] = c;
        }
    return n;
}

/* Those placed last are below others. */
static void count_below(struct family_of_all *f, const size_t *order, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        struct joined_agent *k = &f->all[order[i]],
                            *above = k->above != NONE ? &f->all[k->above] : NULL;

        k->pages_below += number_at(k->row, "pages");
        if (above) {
            above->descendants += k->descendants + 1;
            above->pages_below += k->pages_below;
        }
    }
}

static json_t *nest(struct family_of_all *f, const size_t *order, size_t n)
{
    json_t *roots = json_array();

    for (size_t i = 0; i < n; i++) {
        struct joined_agent *k = &f->all[order[i]];
        json_t *to = k->above != NONE ? json_object_get(f->all[k->above].row, "children") : roots;

        (void)json_object_set_new(k->row, "descendants", json_integer((json_int_t)k->descendants));
        (void)json_object_set_new(k->row, "pages_below", json_integer((json_int_t)k->pages_below));
        (void)json_object_set_new(k->row, "children", json_array());
        (void)json_array_append(to, k->row);
    }
    return roots;
}

json_t *tree_join(const json_t *answers)
{
    struct family_of_all f = {0};
    size_t *order, n = 0;
    json_t *roots;

    map_init(&f.places);
    take_all(&f, answers);
    link_children(&f);
    order = mem_zero(f.count + 1, sizeof *order);
    for (size_t i = 0; i < f.count; i++)
        if (f.all[i].above == NONE)
            n = place_below(&f, i, order, n);
    for (size_t i = 0; i < f.count; i++) /* cycles, and branches that are too deep */
        if (!f.all[i].is_placed)
            n = place_below(&f, i, order, n);
    count_below(&f, order, n);
    roots = nest(&f, order, n);
    for (size_t i = 0; i < f.count; i++)
        json_decref(f.all[i].row);
    free(f.all);
    free(order);
    map_free(&f.places);
    return roots;
}

/* ---- for people ---------------------------------------------------------- */

static struct str text_at(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));

    return str_of(text ? text : "");
}

static void put_fate(struct buf *out, const json_t *row)
{
    if (json_is_true(json_object_get(row, "away")))
        buf_add_z(out, "on its way");
    else if (!json_is_string(json_object_get(row, "died_at")))
        buf_add_z(out, "alive");
    else
        report_text(out, text_at(row, "death").len ? text_at(row, "death") : STR("dead"), 100);
}

static void put_agent(struct buf *out, const json_t *row, size_t depth)
{
    struct str url = text_at(json_object_get(row, "best"), "url");

    buf_addf(out, "%8.2f %7lld  %*s",
             report_zero(json_number_value(json_object_get(row, "energy")), 2),
             (long long)json_integer_value(json_object_get(row, "pages")),
             2 * (int)(depth < 40 ? depth : 40), "");
    report_text(out, text_at(row, "name"), 100);
    buf_addf(out, " %lld ", (long long)json_integer_value(json_object_get(row, "id")));
    if (depth == 0) {
        report_text(out, text_at(row, "kind"), 100);
        buf_add_z(out, ", ");
    }
    put_fate(out, row);
    buf_add_z(out, url.len ? "  " : "");
    report_text(out, url, LIMIT_URL);
    buf_add_char(out, '\n');
}

void tree_text(const json_t *roots, struct buf *out)
{
    struct level {
        const json_t *list;
        size_t at;
    } levels[LIMIT_TREE_DEPTH + 1] = {{roots, 0}};
    size_t depth = 0;

    if (json_array_size(roots))
        buf_add_z(out, "  energy   pages  agent\n");
    for (;;) {
        struct level *l = &levels[depth];
        const json_t *row = json_array_get(l->list, l->at++);

        if (row == NULL && depth == 0)
            return;
        if (row == NULL) {
            depth--;
            continue;
        }
        put_agent(out, row, depth);
        if (depth < LIMIT_TREE_DEPTH)
            levels[++depth] = (struct level){json_object_get(row, "children"), 0};
    }
}
