/* overview.c - the overview of a crawl on several machines: from the overviews of its nodes, their
 * leases and the book. SPDX-License-Identifier: MIT */
#include "dash/far/far_int.h"

#include "base/mem.h"
#include "cluster/figures.h"
#include "dash/crawls.h"

#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void set_int(json_t *j, const char *name, uint64_t value)
{
    (void)json_object_set_new(j, name, json_integer((json_int_t)value));
}

static void set_text(json_t *j, const char *name, const char *text)
{
    (void)json_object_set_new(j, name, text ? json_string(text) : json_null());
}

/* ---- the nodes ----------------------------------------------------------- */

static json_t *node_row(const struct far *f, size_t place)
{
    const struct book_node *n = &f->book.nodes[place];
    const struct lease *l = &f->nodes[place].lease;
    json_t *row = json_object();
    char id[20];

    (void)snprintf(id, sizeof id, "%016" PRIx64, n->id);
    set_text(row, "id", id);
    set_text(row, "host", l->host[0] ? l->host : NULL);
    set_text(row, "state", !n->alive ? "gone" : l->idle ? "idle" : "busy");
    (void)json_object_set_new(row, "answers",
                              json_boolean(n->alive && f->nodes[place].silent_until == 0));
    set_int(row, "partitions", book_owned(&f->book, n->id));
    set_int(row, "pages", l->pages);
    set_int(row, "relevant", l->relevant);
    set_int(row, "urls", l->urls);
    set_int(row, "agents", l->agents);
    set_int(row, "left", l->left);
    set_int(row, "came", l->came);
    set_int(row, "unsent", l->outbox);
    set_int(row, "lost", l->lost);
    return row;
}

/* ---- figures ------------------------------------------------------------- */

static double number_at(const json_t *j, const char *name)
{
    double n = json_number_value(json_object_get(j, name));

    return n > 0 ? n : 0;
}

/* Its agents are those of its lease, as in the table of the nodes: an overview that a node gave a
 * moment before it ended, or agents that live on elsewhere, would not add up with it. */
static void set_agents(json_t *o, const struct lease *l)
{
    json_t *agents = json_object_get(o, "agents");

    if (!json_is_object(agents)) {
        agents = json_object();
        (void)json_object_set_new(o, "agents", agents);
    }
    set_int(o, "alive", l->agents);
    set_int(o, "born", l->born);
    set_int(agents, "alive", l->agents);
    set_int(agents, "born", l->born);
    set_int(agents, "died", l->died);
}

/* Returns the figures of a node: its own overview, or its lease if that is newer. A node that never
 * answered is known only by its lease. */
static json_t *figures_of(const struct far_node *n)
{
    json_t *o = n->overview ? json_deep_copy(n->overview) : json_object();
    const struct lease *l = &n->lease;

    if ((double)l->pages > number_at(o, "pages")) {
        set_int(o, "pages", l->pages);
        set_int(o, "relevant", l->relevant);
    }
    if (n->overview == NULL)
        set_int(o, "urls", l->urls);
    set_agents(o, l);
    return o;
}

/* Adds up the figures of models: counts are summed, other numbers averaged; lists are left out. */
static json_t *describe_add(json_t *sum, const json_t *more, double pages, double more_pages)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)more, key, value)
    {
        json_t *before = json_object_get(sum, key);
        double x = json_number_value(before), y = json_number_value(value);
        double weight = pages + more_pages;

        if (json_is_object(value) || json_is_array(value))
            continue;
        if (before == NULL)
            (void)json_object_set(sum, key, value);
        else if (json_is_integer(before) && json_is_integer(value) && fabs(x + y) < 9e15)
            (void)json_object_set_new(sum, key, json_integer((json_int_t)(x + y)));
        else if (json_is_number(before) && json_is_number(value))
            (void)json_object_set_new(
                sum, key, json_real(weight > 0 ? (x * pages + y * more_pages) / weight : x));
    }
    return sum;
}

/* Times as texts: the earliest of the beginnings, the latest of the commits. */
static void keep_time(json_t *sum, const json_t *one, const char *name, bool latest)
{
    const char *a = json_string_value(json_object_get(sum, name));
    const char *b = json_string_value(json_object_get(one, name));

    if (b && (a == NULL || (strcmp(b, a) > 0) == latest))
        set_text(sum, name, b);
}

static void add_node(json_t *sum, json_t *describe, json_t *one, double *pages)
{
    double more = number_at(one, "pages");

    (void)describe_add(describe, json_object_get(one, "describe"), *pages, more);
    (void)json_object_del(one, "describe");
    keep_time(one, sum, "started_at", false);
    keep_time(one, sum, "commit_at", true);
    keep_time(sum, one, "started_at", false);
    keep_time(sum, one, "commit_at", true);
    figures_add(sum, one, *pages, more);
    *pages += more;
}

static void share_again(json_t *sum)
{
    json_t *outlook = json_object_get(sum, "outlook");
    double found = number_at(outlook, "found"), more = number_at(outlook, "more");

    if (outlook && found + more > 0)
        (void)json_object_set_new(outlook, "share", json_real(found / (found + more)));
}

/* ---- its state ----------------------------------------------------------- */

static size_t count_paused(const struct far *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->book.count; i++) {
        const char *state = json_string_value(json_object_get(f->nodes[i].overview, "state"));

        n += f->book.nodes[i].alive && state && strcmp(state, "paused") == 0;
    }
    return n;
}

static size_t count_silent(const struct far *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->book.count; i++)
        n += f->book.nodes[i].alive && f->nodes[i].silent_until != 0;
    return n;
}

static int state_of(const struct far *f)
{
    size_t alive = book_alive(&f->book);

    if (f->book.end != BOOK_RUNNING)
        return STATE_FINISHED;
    if (alive == 0)
        return STATE_DEAD;
    return count_paused(f) == alive ? STATE_PAUSED : STATE_RUNNING;
}

static void set_trouble(json_t *sum, const struct far *f)
{
    size_t alive = book_alive(&f->book), silent = count_silent(f);
    char text[200];

    if (f->state == STATE_DEAD)
        (void)snprintf(text, sizeof text,
                       "All nodes are gone. To go on, start `brood node` with their directories.");
    else if (silent > 0 && f->state != STATE_FINISHED)
        (void)snprintf(text, sizeof text, "%zu of %zu nodes do%s not answer.", silent, alive,
                       silent == 1 ? "es" : "");
    else
        return;
    set_text(sum, "trouble", text);
}

static void set_state(json_t *sum, const struct far *f)
{
    static const char *const ends[] = {
        [BOOK_RUNNING] = NULL,           [BOOK_COMPLETE] = "complete",
        [BOOK_PAGES] = "all pages came", [BOOK_TIME] = "the time is up",
        [BOOK_STOPPED] = "stopped",
    };
    json_t *nodes = json_array();

    for (size_t i = 0; i < f->book.count; i++)
        (void)json_array_append_new(nodes, node_row(f, i));
    set_text(sum, "id", f->id);
    set_text(sum, "dir", f->name);
    set_text(sum, "name", f->name);
    set_text(sum, "state", crawl_state_name((enum crawl_state)f->state));
    set_text(sum, "kind", "crawl");
    set_text(sum, "end", ends[f->book.end]);
    if (f->book.limit)
        set_int(sum, "pages_limit", f->book.limit);
    else
        (void)json_object_set_new(sum, "pages_limit", json_null());
    (void)json_object_set_new(sum, "far", json_true());
    set_int(sum, "free_partitions", book_free_parts(&f->book));
    (void)json_object_set_new(sum, "nodes", nodes);
    set_trouble(sum, f);
}

json_t *far_merge_overview(struct far *f)
{
    json_t *sum = json_object(), *describe = json_object();
    double pages = 0;

    for (size_t i = 0; i < f->book.count; i++) {
        json_t *one = figures_of(&f->nodes[i]);

        add_node(sum, describe, one, &pages);
        json_decref(one);
    }
    share_again(sum);
    (void)json_object_set_new(sum, "describe", describe);
    f->state = state_of(f);
    set_state(sum, f);
    return sum;
}
