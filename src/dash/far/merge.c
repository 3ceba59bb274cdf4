/* merge.c - combines rows of several nodes into one list. See far_int.h.
 *
 * In: answers of nodes, which may be anything. Out: JSON of our own, of bounded size: answers are, and
 * so are the nodes. SPDX-License-Identifier: MIT */
#include "dash/far/far_int.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "cluster/figures.h"
#include "cluster/rows.h"

#include <string.h>

#define DEPTH 100 /* of nested values that are renumbered; trees of pages are the deepest */

/* ---- numbers ------------------------------------------------------------- */

static bool is_named(const char *key, const char *const *members)
{
    for (; *members; members++)
        if (strcmp(key, *members) == 0)
            return true;
    return false;
}

static void renumber(json_t *j, const char *const *members, size_t place, int depth)
{
    const char *key;
    json_t *value;
    size_t i;

    if (depth > DEPTH)
        return;
    json_array_foreach(j, i, value) renumber(value, members, place, depth + 1);
    json_object_foreach(j, key, value)
    {
        json_int_t n = json_integer_value(value);

        if (n > 0 && n <= UINT32_MAX && is_named(key, members))
            (void)json_integer_set(value, (json_int_t)question_number((uint64_t)n, place));
        else
            renumber(value, members, place, depth + 1);
    }
}

void far_renumber(json_t *j, const char *const *members, size_t place)
{
    renumber(j, members, place, 0);
}

/* ---- rows ---------------------------------------------------------------- */

/* The rows of all answers in one array; only objects. */
static json_t *all_rows(struct far_replies *all, const char *member, const char *const *numbers)
{
    json_t *rows = json_array(), *row;
    size_t k;

    for (size_t i = 0; i < all->count; i++)
        json_array_foreach(json_object_get(all->items[i].answer, member), k, row)
        {
            if (!json_is_object(row))
                continue;
            far_renumber(row, numbers, all->items[i].place);
            (void)json_array_append(rows, row);
        }
    return rows;
}

static json_t *as_rows(json_t *rows)
{
    json_t *j = json_object();

    (void)json_object_set_new(j, "rows", rows);
    return j;
}

/* ---- pages --------------------------------------------------------------- */

/* As page_rank() has it. */
static double rank_of(const json_t *row)
{
    const json_t *p = json_object_get(row, "p");
    double relevance = json_number_value(json_object_get(row, "relevance"));

    return json_is_number(p)                  ? json_number_value(p)
           : relevance > 0 && relevance < 1e6 ? relevance / (relevance + 0.05)
                                              : 0;
}

/* Nodes share no measure of how well a page matches: the first of each node come first. */
static void set_order(json_t *rows, bool by_match)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        double rank = by_match ? -json_number_value(json_object_get(row, "rank")) : rank_of(row);

        (void)json_object_set_new(row, "order", json_real(rank));
    }
}

static void set_ranks(json_t *rows, size_t offset)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        (void)json_object_del(row, "order");
        (void)json_object_set_new(row, "rank", json_integer((json_int_t)(offset + i + 1)));
    }
}

static json_int_t sum_of(const struct far_replies *all, const char *member)
{
    json_int_t sum = 0;

    for (size_t i = 0; i < all->count; i++) {
        json_int_t n = json_integer_value(json_object_get(all->items[i].answer, member));

        if (n > 0 && n < 1000000000000)
            sum += n;
    }
    return sum;
}

/* Returns how the texts were searched, by the node that searched least. */
static const char *searched_of(const struct far_replies *all)
{
    static const char *const ways[] = {"titles", "part", "text"};
    size_t least = ARRAY_LEN(ways);

    for (size_t i = 0; i < all->count; i++) {
        const char *how = json_string_value(json_object_get(all->items[i].answer, "searched"));

        for (size_t k = 0; how && k < least; k++)
            if (strcmp(how, ways[k]) == 0)
                least = k;
    }
    return least < ARRAY_LEN(ways) ? ways[least] : NULL;
}

json_t *far_merge_pages(struct far_replies *all, struct str query)
{
    static const char *const numbers[] = {"id", "version_of", NULL};
    struct str sort = far_param(query, "sort");
    uint32_t offset = far_param_number(query, "offset", 0, LIMIT_ANSWER_ROWS);
    uint32_t n = far_param_number(query, "n", 50, LIMIT_ANSWER_ROWS - offset);
    json_t *rows = all_rows(all, "rows", numbers), *j = as_rows(rows);
    const char *searched = searched_of(all);

    if (str_eq(sort, STR("time"))) {
        rows_sort(rows, "fetched_at", ROWS_NEWEST);
    } else {
        set_order(rows, str_eq(sort, STR("match")));
        rows_sort(rows, "order", ROWS_LARGEST);
    }
    rows_keep(rows, offset, n);
    set_ranks(rows, offset);
    (void)json_object_set_new(j, "total", json_integer(sum_of(all, "total")));
    (void)json_object_set_new(j, "reach", json_integer(LIMIT_ANSWER_ROWS));
    (void)json_object_set_new(j, "searched", searched ? json_string(searched) : json_null());
    if (searched) {
        (void)json_object_set_new(j, "indexed", json_integer(sum_of(all, "indexed")));
        (void)json_object_set_new(j, "of", json_integer(sum_of(all, "of")));
    }
    return j;
}

json_t *far_merge_paths(struct far_replies *all)
{
    static const char *const numbers[] = {"id", NULL};
    json_t *j = json_object();

    (void)json_object_set_new(j, "children", all_rows(all, "children", numbers));
    (void)json_object_set_new(j, "more", json_integer(sum_of(all, "more")));
    return j;
}

/* ---- what happens -------------------------------------------------------- */

json_t *far_merge_activity(struct far_replies *all, uint32_t n)
{
    static const char *const numbers[] = {"page", NULL};
    json_t *rows = all_rows(all, "rows", numbers);

    rows_sort(rows, "at", ROWS_NEWEST);
    rows_keep(rows, 0, n);
    return as_rows(rows);
}

json_t *far_merge_talks(struct far_replies *all, uint32_t n)
{
    static const char *const numbers[] = {"id", NULL};
    json_t *rows = all_rows(all, "rows", numbers);

    rows_sort(rows, "at", ROWS_OLDEST);
    rows_keep_last(rows, n);
    return as_rows(rows);
}

/* A conversation is a number in a text. */
static void renumber_talk(json_t *rows, size_t place)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const char *text = json_string_value(json_object_get(row, "conversation"));
        uint64_t n;

        if (text && str_to_u64(str_of(text), &n) && n > 0 && n <= UINT32_MAX)
            (void)json_object_set_new(
                row, "conversation",
                json_sprintf("%llu", (unsigned long long)question_number(n, place)));
    }
}

json_t *far_merge_messages(struct far_replies *all, uint32_t n)
{
    static const char *const numbers[] = {"id", NULL}, *const none[] = {NULL};
    json_t *rows, *j, *parties = all_rows(all, "parties", none);
    const char *last = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const char *at = json_string_value(json_object_get(all->items[i].answer, "last_at"));

        renumber_talk(json_object_get(all->items[i].answer, "rows"), all->items[i].place);
        if (at && (last == NULL || strcmp(at, last) > 0))
            last = at;
    }
    rows = all_rows(all, "rows", numbers);
    rows_sort(rows, "at", ROWS_OLDEST);
    rows_keep(rows, 0, n);
    j = as_rows(rows);
    (void)json_object_set_new(j, "last_at", last ? json_string(last) : json_null());
    (void)json_object_set_new(j, "parties", parties);
    return j;
}

/* ---- groups -------------------------------------------------------------- */

json_t *far_merge_crew(struct far_replies *all)
{
    static const char *const none[] = {NULL};
    json_t *groups = all_rows(all, "groups", none), *j = json_object();

    for (size_t i = 0; i < all->count; i++) {
        json_t *one = all->items[i].answer;

        if (!json_is_object(one))
            continue;
        (void)json_object_del(one, "groups");
        figures_add(j, one, 1, 1);
    }
    (void)json_object_set_new(j, "groups", groups);
    return j;
}

/* Of the nodes that know the agent, the one where it has read something. */
json_t *far_merge_lattice(struct far_replies *all)
{
    json_t *found = NULL;

    for (size_t i = 0; i < all->count; i++) {
        json_t *one = all->items[i].answer;

        if (json_is_object(one) &&
            (found == NULL || (json_is_null(json_object_get(found, "lattice")) &&
                               !json_is_null(json_object_get(one, "lattice")))))
            found = one;
    }
    return json_incref(found);
}

/* ---- the map ------------------------------------------------------------- */

static json_int_t count_at(const json_t *row, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(row, name));

    return n > 0 && n < 1000000000000 ? n : 0;
}

/* Joins rows with the same values in these members: their counts add up. */
static void join_rows(json_t *rows, const char *key, const char *second, const char *count)
{
    struct map places;
    size_t n = 0;

    map_init(&places);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i), *first;
        const char *a = json_string_value(json_object_get(row, key));
        const char *b = second ? json_string_value(json_object_get(row, second)) : "";
        bool is_new = false;
        uint32_t *place;

        if (a == NULL || b == NULL)
            continue;
        place =
            map_at(&places, hash_str(str_of(a)) ^ (hash_str(str_of(b)) * 3), (uint32_t)n, &is_new);
        if (is_new) {
            (void)json_array_set(rows, n++, row);
            continue;
        }
        first = json_array_get(rows, *place);
        (void)json_object_set_new(first, count,
                                  json_integer(count_at(first, count) + count_at(row, count)));
    }
    rows_keep(rows, 0, n);
    map_free(&places);
}

json_t *far_merge_map(struct far_replies *all, uint32_t n)
{
    static const char *const none[] = {NULL};
    json_t *hosts = all_rows(all, "hosts", none), *links = all_rows(all, "links", none);
    json_t *j = json_object();

    join_rows(hosts, "name", NULL, "pages");
    join_rows(links, "from", "to", "n");
    rows_sort(hosts, "pages", ROWS_LARGEST);
    rows_sort(links, "n", ROWS_LARGEST);
    rows_keep(hosts, 0, n);
    rows_keep(links, 0, LIMIT_ANSWER_ROWS);
    (void)json_object_set_new(j, "hosts", hosts);
    (void)json_object_set_new(j, "links", links);
    return j;
}

/* The pages of a host are on one node, or on those that had it one after the other. */
json_t *far_merge_host(struct far_replies *all)
{
    static const char *const names[] = {"pages", "links", "frontier"};
    static const char *const numbers[] = {"id", "from", "to", NULL};
    json_t *j = json_object();

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        (void)json_object_set_new(j, names[i], all_rows(all, names[i], numbers));
    return j;
}
