/* activity.c - what happened last, for the feed of the overview. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"

const struct option activity_params[] = {
    PARAM_N(struct agent_query, n, "20", "at most so many"),
    {.name = NULL},
};

static enum status put_one(void *ctx, const struct query_activity *a)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_time(j, "at", a->at);
    json_put_z(j, "kind", a->kind);
    json_put_ref(j, "agent", a->agent);
    json_put_text(j, "name", a->name);
    json_put_ref(j, "parent", a->parent);
    json_put_text(j, "parent_name", a->parent_name);
    json_put_ref(j, "page", a->page);
    json_put_text(j, "title", a->title);
    json_put_num(j, "relevance", a->relevance);
    json_put_num(j, "p", a->p);
    json_put_text(j, "cause", a->cause);
    json_close(j);
    return ST_OK;
}

enum status api_activity(struct call *r)
{
    const struct agent_query *q = r->params;
    struct json j;
    enum status st;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "rows");
    st = query_activity(r->crawl->view, q->n, put_one, &j);
    json_close(&j);
    json_close(&j);
    return st;
}
