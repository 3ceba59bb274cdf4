/* show_memory.c - what a crawl held in memory, by kind. SPDX-License-Identifier: MIT */
#include "cli/show/memory.h"

#include "base/os/usage.h"
#include "base/mem.h"
#include "base/units.h"

#include <jansson.h>

#define VALUE_MAX 65536

static const struct {
    const char *name, *shown;
} levels[] = {
    {"tight", "70 %: fewer requests at once"},
    {"scarce", "80 %: caches dropped"},
    {"full", "95 %: stopped"},
};

static json_t *memory_of(struct query *q)
{
    struct buf text = BUF_INIT(VALUE_MAX);
    json_t *all = NULL;

    if (query_key(q, "memory", &text) == ST_OK)
        all = json_loadb(text.data ? text.data : "", text.len, 0, NULL);
    buf_free(&text);
    return all;
}

static int64_t figure(json_t *all, const char *kind, const char *which)
{
    return json_integer_value(json_object_get(json_object_get(all, kind), which));
}

static bool is_reached(json_t *all, const char *level)
{
    return json_is_string(json_object_get(json_object_get(all, "reached"), level));
}

static void put_kind(struct json *j, json_t *all, const char *kind)
{
    json_open_object(j, kind);
    json_put_int(j, "now", figure(all, kind, "now"));
    json_put_int(j, "peak", figure(all, kind, "peak"));
    json_close(j);
}

void show_memory_json(struct query *q, struct json *j)
{
    json_t *all = memory_of(q);

    if (all == NULL)
        return;
    json_open_object(j, "memory");
    json_put_int(j, "ceiling", json_integer_value(json_object_get(all, "ceiling")));
    put_kind(j, all, "resident");
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        put_kind(j, all, usage_name(k));
    json_open_array(j, "reached");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (is_reached(all, levels[i].name))
            json_put_z(j, NULL, levels[i].name);
    json_close(j);
    json_close(j);
    json_decref(all);
}

void show_memory_text(struct query *q, struct buf *out)
{
    json_t *all = memory_of(q);
    char now[UNITS_TEXT], peak[UNITS_TEXT], most[UNITS_TEXT];

    if (all == NULL)
        return;
    buf_addf(out, "memory      %s, at most %s of %s\n           ",
             units_show_size((uint64_t)figure(all, "resident", "now"), now),
             units_show_size((uint64_t)figure(all, "resident", "peak"), peak),
             units_show_size((uint64_t)json_integer_value(json_object_get(all, "ceiling")), most));
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        buf_addf(out, "%s %s %s", k ? "," : "", usage_name(k),
                 units_show_size((uint64_t)figure(all, usage_name(k), "peak"), peak));
    buf_add_z(out, " at most\n");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (is_reached(all, levels[i].name))
            buf_addf(out, "            reached %s\n", levels[i].shown);
    json_decref(all);
}
