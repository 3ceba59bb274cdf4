/* api_lives.c - all agents as one flat list: what a picture of the whole family needs, and
 * no more. A tree of ten thousand with their best pages takes ten times as long.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"

#include <stddef.h>

const struct option lives_params[] = {
    {.name = "n",
     .type = OPTION_U32,
     .fallback = "20000",
     .min = 1,
     .max = LIMIT_DASH_LIVES,
     .help = "at most so many, the oldest first",
     .offset = offsetof(struct agent_query, n)},
    {.name = NULL},
};

struct lives {
    struct json json;
    uint32_t left; /* room */
    uint64_t more; /* those without */
};

static void put_seconds(struct json *j, int64_t at)
{
    if (at)
        json_put_num(j, NULL, (double)(at / 1000) / 1e3);
    else
        json_put_null(j, NULL);
}

static enum status put_life(void *ctx, const struct query_agent *a)
{
    struct lives *l = ctx;
    struct json *j = &l->json;

    if (l->left == 0) {
        l->more++;
        return ST_OK;
    }
    l->left--;
    json_open_array(j, NULL);
    json_put_int(j, NULL, a->id);
    json_put_int(j, NULL, a->parent);
    json_put_str(j, NULL, a->name);
    json_put_num(j, NULL, a->energy);
    json_put_int(j, NULL, (int64_t)a->pages);
    put_seconds(j, a->born_at);
    put_seconds(j, a->died_at);
    if (a->died_at)
        json_put_str(j, NULL, a->death);
    json_close(j);
    return ST_OK;
}

enum status api_lives(struct call *r)
{
    struct lives l = {.left = ((const struct agent_query *)r->params)->n};
    enum status st;

    json_init(&l.json, &r->out);
    json_open_object(&l.json, NULL);
    json_open_array(&l.json, "rows");
    st = query_agents(r->crawl->view, put_life, &l);
    json_close(&l.json);
    json_put_int(&l.json, "more", (int64_t)l.more);
    json_close(&l.json);
    return st;
}
