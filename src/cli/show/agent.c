/* agent.c - the life of an agent, for brood show: birthplace, path with energies, children, the
 * model's description, best pages, death.
 * SPDX-License-Identifier: MIT */
#include "cli/show/agent.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/os/clock.h"
#include "cli/command.h"
#include "store/read/as_json.h"
#include "store/read/query.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* ---- the model's description ----------------------------------------------
 *
 * The same as on its card in the dashboard. */

#define BAR 20 /* columns of the longest bar, on either side of 0 */

static json_t *read_told(struct query *q, uint32_t agent, int64_t *ret_at)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOLD);
    json_t *told = NULL;

    if (query_told(q, agent, ret_at, &text) == ST_OK)
        told = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    return told;
}

static struct str text_of(const json_t *object, const char *name)
{
    const char *z = json_string_value(json_object_get(object, name));

    return str_of(z ? z : "");
}

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* Appends a bar "    ####|     ", to both sides if any value is below 0. */
static void add_bar(struct buf *out, double n, double most, bool both)
{
    int width = most > 0 ? (int)(fabs(n) / most * BAR + .5) : 0;

    for (int i = both ? -BAR : 0; i < BAR; i++) {
        bool on = n < 0 ? i < 0 && i >= -width : i >= 0 && i < width;

        if (both && i == 0)
            buf_add_char(out, '|');
        buf_add_char(out, on ? '#' : ' ');
    }
}

static void add_words(const json_t *told, struct buf *out)
{
    const json_t *words = json_object_get(told, "keywords"), *word;
    double most = 0;
    bool both = false;
    size_t i;

    json_array_foreach(words, i, word)
    {
        most = fmax(most, fabs(number_of(word, "weight")));
        both |= number_of(word, "weight") < 0;
    }
    if (json_array_size(words) == 0)
        return;
    buf_add_z(out, "words      ");
    report_text(out, text_of(told, "weights"), 200);
    buf_add_char(out, '\n');
    json_array_foreach(words, i, word)
    {
        double weight = number_of(word, "weight");

        buf_addf(out, "    %9.4f  ", report_zero(weight, 4));
        add_bar(out, weight, most, both);
        buf_add_z(out, "  ");
        report_text(out, text_of(word, "word"), 100);
        buf_add_char(out, '\n');
    }
}

static void add_facts(const json_t *told, struct buf *out)
{
    const json_t *facts = json_object_get(told, "facts"), *fact;
    size_t i;

    json_array_foreach(facts, i, fact)
    {
        buf_add_z(out, i ? "    " : "nature\n    ");
        report_text(out, text_of(fact, "label"), 200);
        if (json_is_number(json_object_get(fact, "value"))) {
            buf_addf(out, ": %.6g\n", number_of(fact, "value"));
        } else {
            buf_add_z(out, ": ");
            report_text(out, text_of(fact, "value"), LIMIT_URL);
            buf_add_char(out, '\n');
        }
    }
}

static void add_places(const json_t *told, struct buf *out)
{
    const json_t *places = json_object_get(told, "places"), *place;
    size_t i;

    if (json_array_size(places) == 0)
        return;
    buf_add_z(out, "places     ");
    report_text(out, text_of(told, "values"), 200);
    buf_add_char(out, '\n');
    json_array_foreach(places, i, place)
    {
        buf_addf(out, "    %9.2f  ", report_zero(number_of(place, "value"), 2));
        report_text(out, text_of(place, "url"), LIMIT_URL);
        buf_add_char(out, '\n');
    }
}

/* Writes lines for people; none if no description was kept. `alive`: it may still change. */
static void show_told_text(struct query *q, uint32_t agent, bool alive, struct buf *out)
{
    int64_t at = 0;
    json_auto_t *told = read_told(q, agent, &at);
    char text[CLOCK_TEXT];

    if (json_object_size(told) > 0) {
        clock_format(at, 3, text);
        add_words(told, out);
        add_facts(told, out);
        add_places(told, out);
        buf_addf(out, "    (%s %s)\n", alive ? "as of" : "as it died,", text);
    }
}

/* "told" and "told_at", members of an open object. */
static void show_told_json(struct query *q, uint32_t agent, struct json *j)
{
    int64_t at = 0;
    json_auto_t *told = read_told(q, agent, &at);
    char *dump = told ? json_dumps(told, JSON_COMPACT) : NULL;

    json_put_raw(j, "told", str_of(dump ? dump : "null"));
    json_put_time(j, "told_at", at);
    free(dump);
}

/* ---- its life ------------------------------------------------------------ */

struct life {
    struct query *query;
    struct buf *out;
    struct json json;
    bool as_json;
    bool energy; /* agents have some */
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
    static const enum agent_member child[] = {
        AGENT_ID, AGENT_CALLED, AGENT_ENERGY, AGENT_PAGES, AGENT_BORN_AT, AGENT_DIED_AT, AGENT_END};
    struct life *l = ctx;

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        agent_put(&l->json, a, child);
        json_close(&l->json);
        return ST_OK;
    }
    if (l->child++ == 0)
        buf_addf(l->out, "children  %s  pages\n", l->energy ? "   energy " : " ");
    buf_add_z(l->out, "           "); /* under its heading */
    if (l->energy)
        buf_addf(l->out, "%8.2f ", report_zero(a->energy, 2));
    buf_addf(l->out, "%7llu  ", (unsigned long long)a->pages);
    report_text(l->out, a->name, 100);
    buf_addf(l->out, " %u ", a->id);
    report_text(l->out, a->died_at ? a->death : STR("alive"), 100);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

static enum status on_find(void *ctx, const struct query_page *p)
{
    static const enum page_member find[] = {PAGE_NUMBER, PAGE_RELEVANCE, PAGE_P,
                                            PAGE_URL,    PAGE_TITLE,     PAGE_END};
    struct life *l = ctx;

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        page_put(&l->json, p, find);
        json_close(&l->json);
        return ST_OK;
    }
    buf_addf(l->out, "    %3d  ", page_sure(p));
    report_text(l->out, p->url, LIMIT_URL);
    buf_add_z(l->out, "  ");
    report_title(l->out, p->title, p->url, 60);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

static enum status on_visit(void *ctx, const struct query_visit *v)
{
    static const enum visit_member step[] = {VISIT_AT,    VISIT_PAGE,      VISIT_URL,
                                             VISIT_FIRST, VISIT_RELEVANCE, VISIT_BEFORE,
                                             VISIT_DELTA, VISIT_AFTER,     VISIT_END};
    struct life *l = ctx;
    char at[CLOCK_TEXT];

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        visit_put(&l->json, v, step);
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
    static const enum agent_member born[] = {
        AGENT_ID,         AGENT_CALLED,  AGENT_KIND,      AGENT_PARENT,
        AGENT_GENERATION, AGENT_BORN_AT, AGENT_BORN_PAGE, AGENT_END,
    };
    static const enum agent_member lived[] = {AGENT_DIED_AT, AGENT_DEATH, AGENT_ENERGY, AGENT_PAGES,
                                              AGENT_END};
    struct json *j = &l->json;
    uint64_t children;
    enum status st;

    json_open_object(j, NULL);
    agent_put(j, a, born);
    if (a->born_page == 0 || query_page(l->query, a->born_page, on_birthplace, l) != ST_OK)
        json_put_null(j, "born_url");
    agent_put(j, a, lived);
    life_put(j, life);
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
    if (l->energy)
        buf_addf(l->out, "energy     %.4f (gained %.4f, paid %.4f on its way)\n",
                 report_zero(a->energy, 4), report_zero(life->gained, 4),
                 report_zero(life->paid, 4));
    buf_addf(l->out, "pages      %llu fetched, ", (unsigned long long)a->pages);
    report_count(l->out, life->visits, "visit");
    buf_addf(l->out, ", %llu of them the first there\n", (unsigned long long)life->found);
    show_told_text(l->query, a->id, a->died_at == 0, l->out);
    st = query_children(l->query, a->id, l->most, on_child, l, &children);
    if (children > l->most)
        buf_addf(l->out, "           and %llu more\n", (unsigned long long)(children - l->most));
    if (st == ST_OK && a->pages) {
        buf_add_z(l->out, "best pages\n");
        st = query_finds(l->query, a->id, l->most, on_find, l);
    }
    if (st == ST_OK && life->visits) {
        buf_addf(l->out, "path       %s", life->visits > l->most ? "the last of " : "");
        report_count(l->out, life->visits, "visit");
        buf_add_z(l->out, ": time, energy after, change, relevance (*: the first there)\n");
        st = query_visits(l->query, a->id, l->most, on_visit, l);
    }
    return st;
}

/* Other statements may run while this one is being stepped. */
static enum status on_agent(void *ctx, const struct query_agent *a)
{
    struct life *l = ctx;
    struct query_life life = {0};
    enum status st = query_life(l->query, a->id, &life);

    return st == ST_OK ? (l->as_json ? life_json : life_text)(l, a, &life) : st;
}

enum status show_agent(struct query *q, struct str what, uint32_t most, bool json, struct buf *out)
{
    struct life l = {
        .query = q, .out = out, .as_json = json, .energy = query_has_energy(q), .most = most};

    json_init(&l.json, out);
    return query_agent_named(q, what, on_agent, &l);
}
