/* figures.c - what a model says of itself (model.h: describe), as a key of the crawl:
 * JSON, with each checkpoint and at the end. A simulated run, which keeps nothing, has
 * it for whoever listens. Thread: the mind. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/json.h"
#include "bus/bus.h"

#define FIGURES_MAX 65536

bool figures_describe(const struct crawl *c, struct buf *out)
{
    struct json j;

    json_init(&j, out);
    json_open_object(&j, NULL);
    c->model->ops->describe(c->model, &j);
    json_close(&j);
    return !out->full;
}

void figures_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {.name = STR("model.figures")}};
    struct buf text = BUF_INIT(FIGURES_MAX);
    bool whole = figures_describe(c, &text);

    e.key.value = buf_str(&text);
    if (whole)
        bus_post(c->bus, &e);
    buf_free(&text);
}
