/* figures.c - what a model says of itself (model.h: describe), as a key of the crawl:
 * JSON, with each checkpoint and at the end. A simulated run, which keeps nothing, has
 * it for whoever listens. Thread: the mind. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/json.h"
#include "bus/bus.h"

#define FIGURES_MAX 65536

void figures_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {.name = STR("model.figures")}};
    struct buf text = BUF_INIT(FIGURES_MAX);
    struct json j;

    if (c->model->ops->describe == NULL)
        return;
    json_init(&j, &text);
    json_open_object(&j, NULL);
    c->model->ops->describe(c->model, &j);
    json_close(&j);
    e.key.value = buf_str(&text);
    if (!text.full)
        bus_post(c->bus, &e);
    buf_free(&text);
}
