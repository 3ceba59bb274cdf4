/* show_agent.c - the life of an agent, for brood show: born where, path with
 * energies, children, what its model tells of it, best pages, death.
 * SPDX-License-Identifier: MIT */
#include "cli/show/agent.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "cli/command.h"
#include "cli/show/told.h"

struct life {
    struct query *query;
    struct buf *out;
    struct json json;
    bool as_json;
    uint32_t most;
    uint32_t child; /* shown so far */
};

/* ---- where, and whose child ---------------------------------------------- */

static enum status on_birthplace(void *ctx, const struct query_page *p)
{
    struct life *l = ctx;

    if (l->as_json) {
        json_put_str(&l->json, "born_url", p->url);
    } else {
        buf_add_z(l->out, " ");
        report_text(l->out, p->url, LIMIT_URL);
    }
    return ST_OK;
}

static enum status on_parent(void *ctx, const struct query_agent *a)
{
    struct life *l = ctx;

    buf_add_z(l->out, ", child of ");
    report_text(l->out, a->name, 100);
    buf_addf(l->out, " %u", a->id);
    return ST_OK;
}

static void add_parent(struct life *l, uint32_t parent)
{
    if (parent && query_agent(l->query, parent, on_parent, l) != ST_OK)
        buf_addf(l->out, ", child of %u, which is not there", parent);
}

/* ---- children, finds, path ----------------------------------------------- */

static enum status on_child(void *ctx, const struct query_agent *a)
{
    struct life *l = ctx;

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        json_put_int(&l->json, "id", a->id);
        json_put_str(&l->json, "name", a->name);
        json_put_num(&l->json, "energy", a->energy);
        json_put_int(&l->json, "pages", (int64_t)a->pages);
        json_put_time(&l->json, "born_at", a->born_at);
        json_put_time(&l->json, "died_at", a->died_at);
        json_close(&l->json);
        return ST_OK;
    }
    buf_addf(l->out, "%s    %8.2f %7llu  ", l->child++ ? "" : "children     energy   pages\n",
             report_zero(a->energy, 2), (unsigned long long)a->pages);
    report_text(l->out, a->name, 100);
    buf_addf(l->out, " %u ", a->id);
    report_text(l->out, a->died_at ? a->death : STR("alive"), 100);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

static enum status on_find(void *ctx, const struct query_page *p)
{
    struct life *l = ctx;

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        json_put_int(&l->json, "page", p->id);
        json_put_num(&l->json, "relevance", p->relevance);
        json_put_str(&l->json, "url", p->url);
        json_put_str(&l->json, "title", p->title);
        json_close(&l->json);
        return ST_OK;
    }
    buf_addf(l->out, "    %.3f  ", p->relevance);
    report_text(l->out, p->url, LIMIT_URL);
    buf_add_z(l->out, "  ");
    report_text(l->out, p->title, 60);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

static enum status on_visit(void *ctx, const struct query_visit *v)
{
    struct life *l = ctx;
    char at[CLOCK_TEXT];

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        json_put_time(&l->json, "at", v->at);
        json_put_int(&l->json, "page", v->page);
        json_put_text(&l->json, "url", v->url);
        json_put_bool(&l->json, "first", v->first);
        json_put_num(&l->json, "relevance", v->relevance);
        json_put_num(&l->json, "before", v->before);
        json_put_num(&l->json, "delta", v->delta);
        json_put_num(&l->json, "after", v->after);
        json_close(&l->json);
        return ST_OK;
    }
    clock_format(v->at, 3, at);
    buf_addf(l->out, "    %s %8.3f %+8.3f  %.3f %c ", at, report_zero(v->after, 3),
             report_zero(v->delta, 3), v->relevance, v->first ? '*' : ' ');
    report_text(l->out, v->url.len ? v->url : STR("(forgotten)"), LIMIT_URL);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

/* ---- the two forms ------------------------------------------------------- */

static enum status life_json(struct life *l, const struct query_agent *a,
                             const struct query_life *life)
{
    struct json *j = &l->json;
    uint64_t children;
    enum status st;

    json_open_object(j, NULL);
    json_put_int(j, "id", a->id);
    json_put_str(j, "name", a->name);
    json_put_str(j, "kind", a->kind);
    json_put_int(j, "parent", a->parent);
    json_put_int(j, "generation", a->generation);
    json_put_time(j, "born_at", a->born_at);
    json_put_int(j, "born_page", a->born_page);
    if (a->born_page == 0 || query_page(l->query, a->born_page, on_birthplace, l) != ST_OK)
        json_put_null(j, "born_url");
    json_put_time(j, "died_at", a->died_at);
    json_put_text(j, "death", a->death);
    json_put_num(j, "energy", a->energy);
    json_put_int(j, "pages", (int64_t)a->pages);
    json_put_int(j, "visits", (int64_t)life->visits);
    json_put_int(j, "found", (int64_t)life->found);
    json_put_num(j, "gained", life->gained);
    json_put_num(j, "paid", life->paid);
    show_told_json(l->query, a->id, j);
    json_open_array(j, "children");
    st = query_children(l->query, a->id, UINT32_MAX, on_child, l, &children);
    json_close(j);
    json_open_array(j, "finds");
    if (st == ST_OK)
        st = query_finds(l->query, a->id, l->most, on_find, l);
    json_close(j);
    json_open_array(j, "path");
    if (st == ST_OK)
        st = query_visits(l->query, a->id, l->most, on_visit, l);
    json_close(j);
    json_close(j);
    buf_add_char(l->out, '\n');
    return st;
}

static void add_births(struct life *l, const struct query_agent *a)
{
    char born[CLOCK_TEXT], died[CLOCK_TEXT];

    clock_format(a->born_at, 3, born);
    clock_format(a->died_at, 3, died);
    buf_addf(l->out, "agent      %u ", a->id);
    report_text(l->out, a->name, 100);
    buf_add_z(l->out, ", ");
    report_text(l->out, a->kind, 100);
    buf_addf(l->out, ", generation %u\nborn       %s", a->generation, born);
    if (a->born_page) {
        buf_addf(l->out, " on page %u", a->born_page);
        (void)!query_page(l->query, a->born_page, on_birthplace, l); /* or it was forgotten */
    }
    add_parent(l, a->parent);
    buf_addf(l->out, "\n%s", a->died_at ? "died       " : "alive");
    if (a->died_at) {
        buf_addf(l->out, "%s: ", died);
        report_text(l->out, a->death, 200);
    }
    buf_add_char(l->out, '\n');
}

static enum status life_text(struct life *l, const struct query_agent *a,
                             const struct query_life *life)
{
    uint64_t children;
    enum status st;

    add_births(l, a);
    buf_addf(l->out, "energy     %.4f (gained %.4f, paid %.4f on its way)\n",
             report_zero(a->energy, 4), report_zero(life->gained, 4), report_zero(life->paid, 4));
    buf_addf(l->out, "pages      %llu fetched, %llu visits, %llu of them the first there\n",
             (unsigned long long)a->pages, (unsigned long long)life->visits,
             (unsigned long long)life->found);
    show_told_text(l->query, a->id, a->died_at == 0, l->out);
    st = query_children(l->query, a->id, l->most, on_child, l, &children);
    if (children > l->most)
        buf_addf(l->out, "    and %llu more\n", (unsigned long long)(children - l->most));
    if (st == ST_OK && a->pages) {
        buf_add_z(l->out, "best pages\n");
        st = query_finds(l->query, a->id, l->most, on_find, l);
    }
    if (st == ST_OK && life->visits) {
        buf_addf(l->out,
                 "path       %s%llu visits: time, energy after, change, relevance"
                 " (*: the first there)\n",
                 life->visits > l->most ? "the last of " : "", (unsigned long long)life->visits);
        st = query_visits(l->query, a->id, l->most, on_visit, l);
    }
    return st;
}

/* A statement that is being stepped does not mind others beside it. */
static enum status on_agent(void *ctx, const struct query_agent *a)
{
    struct life *l = ctx;
    struct query_life life = {0};
    enum status st = query_life(l->query, a->id, &life);

    return st == ST_OK ? (l->as_json ? life_json : life_text)(l, a, &life) : st;
}

enum status show_agent(struct query *q, struct str what, uint32_t most, bool json, struct buf *out)
{
    struct life l = {.query = q, .out = out, .as_json = json, .most = most};

    json_init(&l.json, out);
    return query_agent_named(q, what, on_agent, &l);
}
