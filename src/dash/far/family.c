/* family.c - the agents of all nodes as one family. See far_int.h.
 *
 * In: answers to `lives`, `agents` and `agent/N`, which may be anything. Agents keep their numbers when
 * they move, so rows of the same number are one agent: its pages add up, it is dead if a node says
 * so, and its energy is that of the node where it is. A parent that is missing, or would make a
 * cycle, is ignored.
 * SPDX-License-Identifier: MIT */
#include "dash/far/far_int.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "cluster/rows.h"
#include "dash/api/nest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------- */

enum life_column {
    LIFE_ID,
    LIFE_PARENT,
    LIFE_NAME,
    LIFE_ENERGY,
    LIFE_PAGES,
    LIFE_BORN,
    LIFE_DIED,
    LIFE_DEATH
};

static const char *text_of(const json_t *row, enum life_column column)
{
    const char *text = json_string_value(json_array_get(row, column));

    return text ? text : "";
}

static bool read_number(const json_t *row, enum life_column column, uint32_t *ret)
{
    json_int_t n = json_integer_value(json_array_get(row, column));

    *ret = n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
    return n >= 0 && n <= UINT32_MAX;
}

static bool read_life(const json_t *row, struct far_member *ret)
{
    json_int_t pages = json_integer_value(json_array_get(row, LIFE_PAGES));

    *ret = (struct far_member){.name = text_of(row, LIFE_NAME),
                               .death = text_of(row, LIFE_DEATH),
                               .energy = json_number_value(json_array_get(row, LIFE_ENERGY)),
                               .born = json_number_value(json_array_get(row, LIFE_BORN)),
                               .died = json_number_value(json_array_get(row, LIFE_DIED)),
                               .pages = pages > 0 ? (uint64_t)pages : 0,
                               .first = NEST_NONE,
                               .last = NEST_NONE,
                               .next = NEST_NONE};
    ret->away = !(ret->died > 0) && strcmp(ret->death, "away") == 0;
    return read_number(row, LIFE_ID, &ret->id) && read_number(row, LIFE_PARENT, &ret->parent) &&
           ret->id > 0;
}

/* Joins another node's row of a known agent. */
static void join(struct far_member *m, const struct far_member *other)
{
    bool better = m->died > 0 ? false : other->died > 0 || (m->away && !other->away);

    m->pages += other->pages;
    m->parent = m->parent ? m->parent : other->parent;
    if (other->born > 0 && (!(m->born > 0) || other->born < m->born))
        m->born = other->born;
    if (!better)
        return;
    m->energy = other->energy;
    m->died = other->died;
    m->death = other->death;
    m->away = other->away;
}

static int by_id(const void *a, const void *b)
{
    const struct far_member *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorted by number, each once. */
static void join_all(struct far_family *m)
{
    size_t n = 0;

    if (m->count > 1)
        qsort(m->members, m->count, sizeof *m->members, by_id);
    for (size_t i = 0; i < m->count; i++)
        if (n > 0 && m->members[n - 1].id == m->members[i].id)
            join(&m->members[n - 1], &m->members[i]);
        else
            m->members[n++] = m->members[i];
    m->count = n;
}

static uint32_t find(const struct far_family *m, uint32_t id)
{
    struct far_member key = {.id = id};
    const struct far_member *found =
        m->count ? bsearch(&key, m->members, m->count, sizeof key, by_id) : NULL;

    return found ? (uint32_t)(found - m->members) : NEST_NONE;
}

static void add_child(struct far_family *m, uint32_t parent, uint32_t child)
{
    uint32_t *first = parent == NEST_NONE ? &m->first : &m->members[parent].first;
    uint32_t *last = parent == NEST_NONE ? &m->last : &m->members[parent].last;

    if (*last != NEST_NONE)
        m->members[*last].next = child;
    else
        *first = child;
    *last = child;
}

/* Is it older? A parent was born before its child. Numbers of several nodes are in no order of
 * time; if times are equal the number decides, so that there is no cycle. */
static bool is_older(const struct far_member *a, const struct far_member *b)
{
    return a->born < b->born || (a->born == b->born && a->id < b->id);
}

static void link_all(struct far_family *m)
{
    m->first = m->last = NEST_NONE;
    for (size_t i = 0; i < m->count; i++) {
        struct far_member *one = &m->members[i];
        uint32_t parent = one->parent ? find(m, one->parent) : NEST_NONE;

        if (parent != NEST_NONE && !is_older(&m->members[parent], one))
            parent = NEST_NONE;
        if (parent == NEST_NONE)
            one->parent = 0;
        add_child(m, parent, (uint32_t)i);
    }
}

struct far_family *far_family_new(struct far_replies *all)
{
    struct far_family *m = MEM_NEW(struct far_family);
    json_t *row;
    size_t k;

    m->rows = json_array();
    for (size_t i = 0; i < all->count; i++) {
        json_t *answer = all->items[i].answer;
        json_int_t more = json_integer_value(json_object_get(answer, "more"));

        m->more += more > 0 && more < UINT32_MAX ? (uint64_t)more : 0;
        json_array_foreach(json_object_get(answer, "rows"), k, row)
        {
            if (m->count >= LIMIT_FAR_AGENTS) {
                m->more++;
                continue;
            }
            MEM_GROW(m->members, m->count, &m->cap);
            if (read_life(row, &m->members[m->count])) {
                m->count++;
                (void)json_array_append(m->rows, row);
            }
        }
    }
    join_all(m);
    link_all(m);
    return m;
}

void far_family_free(struct far_family *m)
{
    if (m == NULL)
        return;
    free(m->members);
    json_decref(m->rows);
    free(m);
}

/* ---- walking ------------------------------------------------------------- */

static uint64_t count_children(const struct far_family *m, uint32_t first)
{
    uint64_t n = 0;

    for (uint32_t at = first; at != NEST_NONE; at = m->members[at].next)
        n++;
    return n;
}

size_t far_family_branches(const struct far_family *m, uint32_t root, uint32_t depth, uint32_t n,
                           struct far_branch *ret, uint64_t *ret_more)
{
    uint32_t top = root ? find(m, root) : NEST_NONE;
    uint32_t first = root == 0 ? m->first : top == NEST_NONE ? NEST_NONE : m->members[top].first;
    size_t count = 0;
    uint32_t at = first;

    for (; at != NEST_NONE && count < n; at = m->members[at].next)
        ret[count++] = (struct far_branch){.place = at, .parent = NEST_NONE};
    *ret_more = count_children(m, at);
    for (size_t i = 0; i < count; i++) {
        bool opens = ret[i].depth + 1 < depth;

        at = m->members[ret[i].place].first;
        for (; opens && at != NEST_NONE && count < n; at = m->members[at].next)
            ret[count++] =
                (struct far_branch){.place = at, .parent = (uint32_t)i, .depth = ret[i].depth + 1};
        ret[i].more = count_children(m, at);
    }
    return count;
}

/* ---- writing ------------------------------------------------------------- */

/* As the API writes times. */
static json_t *moment(double at)
{
    char text[CLOCK_TEXT];

    if (!(at > 0 && at < 1e11))
        return json_null();
    clock_format((int64_t)(at * 1e6), 3, text);
    return json_string(text);
}

static json_t *seconds(double at)
{
    json_t *real = at > 0 ? json_real(at) : NULL;

    return real ? real : json_null();
}

static json_t *life_row(const struct far_member *a)
{
    json_t *row = json_array();

    (void)json_array_append_new(row, json_integer(a->id));
    (void)json_array_append_new(row, json_integer(a->parent));
    (void)json_array_append_new(row, json_string(a->name));
    (void)json_array_append_new(row, json_real(a->energy));
    (void)json_array_append_new(row, json_integer((json_int_t)a->pages));
    (void)json_array_append_new(row, seconds(a->born));
    (void)json_array_append_new(row, seconds(a->died));
    if (a->died > 0 || a->away)
        (void)json_array_append_new(row, json_string(a->death));
    return row;
}

/* Parents come before their children: the whole tree, breadth first. */
json_t *far_family_lives(const struct far_family *m, uint32_t n)
{
    struct far_branch *all = mem_zero(m->count + 1, sizeof *all);
    json_t *ret = json_object(), *rows = json_array();
    uint64_t more;
    size_t count = far_family_branches(m, 0, UINT32_MAX, (uint32_t)m->count, all, &more);

    for (size_t i = 0; i < count && i < n; i++)
        (void)json_array_append_new(rows, life_row(&m->members[all[i].place]));
    (void)json_object_set_new(ret, "rows", rows);
    (void)json_object_set_new(ret, "more",
                              json_integer((json_int_t)(m->more + (count > n ? count - n : 0))));
    free(all);
    return ret;
}

static json_t *relative(const struct far_member *a)
{
    json_t *row = json_object();

    (void)json_object_set_new(row, "id", json_integer(a->id));
    (void)json_object_set_new(row, "name", json_string(a->name));
    (void)json_object_set_new(row, "energy", json_real(a->energy));
    (void)json_object_set_new(row, "pages", json_integer((json_int_t)a->pages));
    (void)json_object_set_new(row, "died_at", moment(a->died));
    return row;
}

void far_family_relatives(const struct far_family *m, json_t *card, uint32_t id, uint32_t n)
{
    uint32_t place = find(m, id), at;
    json_t *parents, *children;

    if (place == NEST_NONE)
        return;
    parents = json_array();
    children = json_array();
    for (at = place; json_array_size(parents) < n && m->members[at].parent;) {
        at = find(m, m->members[at].parent);
        (void)json_array_append_new(parents, relative(&m->members[at]));
    }
    at = m->members[place].first;
    (void)json_object_set_new(card, "children_total",
                              json_integer((json_int_t)count_children(m, at)));
    for (; at != NEST_NONE && json_array_size(children) < n; at = m->members[at].next)
        (void)json_array_append_new(children, relative(&m->members[at]));
    (void)json_object_set_new(card, "parents", parents);
    (void)json_object_set_new(card, "children", children);
}

/* ---- rows of the tree ---------------------------------------------------- */

static const char *key_of(uint32_t id, char ret[16])
{
    (void)snprintf(ret, 16, "%u", id);
    return ret;
}

static double relevance_of(const json_t *row)
{
    return json_number_value(json_object_get(json_object_get(row, "best"), "relevance"));
}

/* Of two rows of an agent, the better find. */
static void keep_best(json_t *row, const json_t *other)
{
    json_t *best = json_object_get(other, "best");

    if (json_is_object(best) &&
        (!json_is_object(json_object_get(row, "best")) || relevance_of(other) > relevance_of(row)))
        (void)json_object_set(row, "best", best);
}

void far_take_agents(json_t *known, const struct far_reply *reply)
{
    static const char *const numbers[] = {"page", NULL};
    json_t *row, *before;
    char key[16];
    size_t i;

    json_array_foreach(json_object_get(reply->answer, "rows"), i, row)
    {
        json_int_t id = json_integer_value(json_object_get(row, "id"));

        if (id <= 0 || id > UINT32_MAX)
            continue;
        far_renumber(row, numbers, reply->place);
        before = json_object_get(known, key_of((uint32_t)id, key));
        if (before == NULL)
            (void)json_object_set(known, key, row);
        else
            keep_best(before, row);
    }
}

json_t *far_agent_row(const struct far_member *m, const json_t *known)
{
    char key[16];
    json_t *found = json_object_get(known, key_of(m->id, key));
    json_t *row = found ? json_copy(found) : json_object();

    (void)json_object_set_new(row, "id", json_integer(m->id));
    (void)json_object_set_new(row, "name", json_string(m->name));
    (void)json_object_set_new(row, "energy", json_real(m->energy));
    (void)json_object_set_new(row, "pages", json_integer((json_int_t)m->pages));
    (void)json_object_set_new(row, "died_at", moment(m->died));
    (void)json_object_set_new(row, "death", m->died > 0 ? json_string(m->death) : json_null());
    return row;
}

/* ---- the card of an agent ------------------------------------------------ */

/* Returns the answer of the node where the agent lives or died, which has precedence. */
static json_t *base_of(struct far_replies *all)
{
    json_t *base = NULL;

    for (size_t i = 0; i < all->count; i++) {
        json_t *one = all->items[i].answer;
        bool here = json_is_string(json_object_get(one, "died_at")) ||
                    json_is_true(json_object_get(one, "told_live"));

        if (json_is_object(one) && (base == NULL || here))
            base = one;
    }
    return base;
}

static void extend(json_t *card, const json_t *other, const char *name)
{
    json_t *mine = json_object_get(card, name), *more = json_object_get(other, name);

    if (json_is_array(mine) && json_is_array(more))
        (void)json_array_extend(mine, more);
}

static void join_card(json_t *card, json_t *other)
{
    static const char *const lists[] = {"path", "energy_curve", "finds"};
    static const char *const sums[] = {"pages", "visits", "found", "gained", "paid"};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        extend(card, other, lists[i]);
    for (size_t i = 0; i < ARRAY_LEN(sums); i++) {
        json_t *a = json_object_get(card, sums[i]), *b = json_object_get(other, sums[i]);
        double sum = json_number_value(a) + json_number_value(b);

        if (json_is_number(a) && json_is_number(b))
            (void)json_object_set_new(card, sums[i],
                                      json_is_integer(a) && sum < 9e15 && sum > -9e15
                                          ? json_integer((json_int_t)sum)
                                          : json_real(sum));
    }
    if (json_is_null(json_object_get(card, "born_page")) && json_object_get(other, "born_page"))
        (void)json_object_set(card, "born_page", json_object_get(other, "born_page"));
    keep_best(card, other);
}

json_t *far_merge_card(struct far_replies *all, uint32_t n)
{
    static const char *const pages[] = {"page", "born_page", "version_of", NULL};
    static const char *const ids[] = {"id", NULL};
    json_t *card = base_of(all);

    for (size_t i = 0; i < all->count; i++) {
        far_renumber(all->items[i].answer, pages, all->items[i].place);
        far_renumber(json_object_get(all->items[i].answer, "finds"), ids, all->items[i].place);
    }
    for (size_t i = 0; i < all->count && card; i++)
        if (all->items[i].answer != card && json_is_object(all->items[i].answer))
            join_card(card, all->items[i].answer);
    rows_sort(json_object_get(card, "path"), "at", ROWS_OLDEST);
    rows_sort(json_object_get(card, "energy_curve"), "at", ROWS_SMALLEST);
    rows_keep_last(json_object_get(card, "path"), n);
    rows_keep_last(json_object_get(card, "energy_curve"), n);
    return json_incref(card);
}
