/* gathered.c - combines the answers of all nodes of a crawl into one. See gathered.h.
 * SPDX-License-Identifier: MIT */
#include "cli/gathered.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/gathered_tree.h"
#include "cluster/figures.h"
#include "cluster/rows.h"

#include <stdio.h>
#include <string.h>

#define TITLE 42 /* columns */

void gathered_init(struct gathered *g, const struct question *q)
{
    *g = (struct gathered){
        .kind = q->kind, .n = q->n, .talks = question_has(q, "conversation") && q->what.len == 0};
}

void gathered_free(struct gathered *g)
{
    json_decref(g->all);
    g->all = NULL;
}

static double pages_of(const json_t *stats)
{
    double n = json_number_value(json_object_get(stats, "pages"));

    return n > 0 ? n : 0;
}

/* ---- one thing, as several nodes know it ------------------------------------ */

/* Returns how much a node knows of a URL: most if it has the page, then if it tried, then if it met
 * it; least if the host belongs to another node. */
static int knowledge_of(const json_t *j)
{
    const char *reason = json_string_value(json_object_get(j, "reason"));
    const char *state = json_string_value(json_object_get(j, "state"));

    if (json_is_string(j) || json_integer_value(json_object_get(j, "page")) > 0 ||
        json_array_size(json_object_get(j, "pages")) > 0 || json_object_get(j, "name"))
        return 4;
    if (json_array_size(json_object_get(j, "outcomes")) > 0 ||
        (state && strcmp(state, "gone") == 0))
        return 3;
    if (reason && strcmp(reason, "foreign") == 0)
        return 1;
    return state && strcmp(state, "unknown") == 0 ? 0 : 2;
}

/* ---- taking answers ---------------------------------------------------------- */

static bool is_wanted(const struct gathered *g, const json_t *answer)
{
    bool rows = g->kind == QUESTION_TOP || g->kind == QUESTION_SEARCH || g->kind == QUESTION_TREE ||
                g->talks;

    if (rows)
        return json_is_array(answer);
    return json_is_object(answer) || (g->kind == QUESTION_SHOW && json_is_string(answer));
}

/* Conversations of a node get numbers that no other node has. */
static void renumber(const struct gathered *g, const json_t *reply, json_t *rows)
{
    size_t place =
        g->book ? book_place(g->book, json_string_value(json_object_get(reply, "node"))) : 0;
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        json_int_t id = json_integer_value(json_object_get(row, "id"));

        if (id > 0 && id <= UINT32_MAX && place < LIMIT_NODES)
            (void)json_object_set_new(
                row, "id", json_integer((json_int_t)question_number((uint64_t)id, place)));
    }
}

static void take(struct gathered *g, json_t *answer)
{
    switch (g->kind) {
    case QUESTION_STATS: {
        double pages = pages_of(answer);

        if (g->all)
            figures_add(g->all, answer, g->pages, pages);
        g->pages += pages;
        break;
    }
    case QUESTION_EXPLAIN:
    case QUESTION_SHOW:
        if (g->talks) {
            if (g->all)
                (void)json_array_extend(g->all, answer);
        } else if (g->all && knowledge_of(answer) > knowledge_of(g->all)) {
            json_decref(g->all);
            g->all = NULL;
        }
        break;
    default:
        if (g->all)
            (void)json_array_extend(g->all, answer);
    }
    if (g->all == NULL)
        g->all = json_incref(answer);
}

void gathered_add(struct gathered *g, struct str bytes)
{
    json_t *reply = bytes.len <= LIMIT_ANSWER ? json_loadb(bytes.ptr, bytes.len, 0, NULL) : NULL;
    json_t *answer = json_object_get(reply, "answer");
    const char *error = json_string_value(json_object_get(reply, "error"));

    if (json_object_get(reply, "missing"))
        g->nodes++; /* the node has no data on it */
    else if (answer && is_wanted(g, answer)) {
        g->nodes++;
        if (g->talks)
            renumber(g, reply, answer);
        take(g, answer);
    } else {
        g->broken++;
        (void)snprintf(g->error, sizeof g->error, "%s", error ? error : "");
    }
    json_decref(reply);
}

/* ---- rows ---------------------------------------------------------------------- */

static double rank_of(const json_t *row, enum question_kind kind)
{
    const json_t *score = json_object_get(row, kind == QUESTION_SEARCH ? "score" : "p");
    double relevance = json_number_value(json_object_get(row, "relevance"));

    if (json_is_number(score))
        return json_number_value(score);
    return kind == QUESTION_SEARCH ? 0 : relevance / (relevance + 0.05);
}

/* The best `n`, each URL once. */
static json_t *best_rows(const struct gathered *g)
{
    json_t *best = json_array(), *row;
    struct map seen;
    bool is_new;
    size_t i;

    map_init(&seen);
    json_array_foreach(g->all, i, row)
    {
        const char *url = json_string_value(json_object_get(row, "url"));

        if (g->n > 0 && json_array_size(best) >= g->n)
            break;
        if (url == NULL)
            continue;
        (void)map_at(&seen, hash_str(str_of(url)), 1, &is_new);
        if (!is_new)
            continue;
        (void)json_object_del(row, "order");
        (void)json_object_set_new(row, "rank", json_integer((json_int_t)json_array_size(best) + 1));
        (void)json_array_append(best, row);
    }
    map_free(&seen);
    return best;
}

/* Not the search paths, whose rows are pages. */
static bool is_family(const struct gathered *g)
{
    return g->kind == QUESTION_TREE && g->all &&
           !json_object_get(json_array_get(g->all, 0), "page");
}

static void join_trees(struct gathered *g)
{
    json_t *roots = tree_join(g->all);

    json_decref(g->all);
    g->all = roots;
}

void gathered_end(struct gathered *g)
{
    json_t *best, *row;
    size_t i;

    if (g->all == NULL && g->error[0])
        return;
    if (g->talks && g->all) {
        rows_sort(g->all, "at", ROWS_OLDEST);
        if (g->n > 0) /* the newest */
            rows_keep_last(g->all, g->n);
    }
    if (is_family(g))
        join_trees(g);
    if (g->kind != QUESTION_TOP && g->kind != QUESTION_SEARCH)
        return;
    json_array_foreach(g->all, i, row)
    {
        (void)json_object_set_new(row, "order", json_real(rank_of(row, g->kind)));
    }
    rows_sort(g->all, "order", ROWS_LARGEST);
    best = best_rows(g);
    json_decref(g->all);
    g->all = best;
}

/* ---- for people ------------------------------------------------------------------ */

static struct str text_at(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));

    return str_of(text ? text : "");
}

static void put_row(struct buf *out, const json_t *row)
{
    size_t from;

    buf_addf(out, "%4lld  %4lld  ", (long long)json_integer_value(json_object_get(row, "rank")),
             (long long)json_integer_value(json_object_get(row, "sure")));
    from = out->len;
    report_title(out, text_at(row, "title"), text_at(row, "url"), TITLE);
    for (size_t wide = utf8_columns(str_sub(buf_str(out), from, out->len)); wide <= TITLE; wide++)
        buf_add_char(out, ' ');
    report_text(out, text_at(row, "url"), LIMIT_URL);
    buf_add_char(out, '\n');
}

static void put_scalar(struct buf *out, const json_t *value)
{
    if (json_is_string(value))
        report_text(out, str_of(json_string_value(value)), 2000);
    else if (json_is_integer(value))
        buf_addf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_number(value))
        buf_addf(out, "%.6g", json_number_value(value));
    else
        buf_add_z(out, json_is_true(value) ? "yes" : "no");
    buf_add_char(out, '\n');
}

static bool is_empty(const json_t *value)
{
    return json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_string(value) && *json_string_value(value) == '\0');
}

static void put_value(struct buf *out, const char *key, const json_t *value, int depth)
{
    bool is_plain = !json_is_object(value) && !json_is_array(value);
    const char *name;
    json_t *item;
    size_t i;

    if (is_empty(value))
        return;
    buf_addf(out, "%*s", 2 * depth, "");
    report_text(out, str_of(key), 40);
    buf_add_z(out, is_plain ? "  " : "\n");
    if (is_plain) {
        put_scalar(out, value);
    } else if (json_is_object(value) && depth < 8) {
        json_object_foreach((json_t *)value, name, item) put_value(out, name, item, depth + 1);
    } else if (depth < 8) {
        json_array_foreach(value, i, item) put_value(out, "-", item, depth + 1);
    }
}

static void put_talk(struct buf *out, const json_t *row)
{
    static const char *const cells[] = {"performative", "sender", "receiver", "contractor"};

    buf_addf(out, "%8lld  ", (long long)json_integer_value(json_object_get(row, "id")));
    report_text(out, text_at(row, "at"), 24);
    for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
        buf_add_z(out, "  ");
        report_text(out, text_at(row, cells[i]).len ? text_at(row, cells[i]) : STR("-"), 12);
    }
    buf_add_z(out, "  ");
    report_text(out, text_at(row, "outcome"), 24);
    buf_add_char(out, '\n');
}

static void put_text(struct buf *out, struct str text)
{
    struct str line;

    while (text.len > 0 && str_cut(&text, '\n', &line)) {
        report_text(out, line, SIZE_MAX);
        buf_add_char(out, '\n');
    }
}

void gathered_text(const struct gathered *g, struct buf *out)
{
    const char *key;
    json_t *value;
    size_t i;

    if (json_is_string(g->all)) {
        put_text(out, str_of(json_string_value(g->all)));
    } else if (g->talks) {
        json_array_foreach(g->all, i, value) put_talk(out, value);
    } else if (g->kind == QUESTION_TOP || g->kind == QUESTION_SEARCH) {
        buf_addf(out, "rank  sure  %-*s %s\n", TITLE, "title", "url");
        json_array_foreach(g->all, i, value) put_row(out, value);
    } else if (is_family(g)) {
        tree_text(g->all, out);
    } else if (json_is_array(g->all)) {
        json_array_foreach(g->all, i, value) put_value(out, "page", value, 0);
    } else {
        json_object_foreach(g->all, key, value) put_value(out, key, value, 0);
    }
}
