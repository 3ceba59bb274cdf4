/* bus.c - the in-process bus: a list of listeners. SPDX-License-Identifier: MIT */
#include "bus/bus.h"

#include "base/mem.h"

#include <stdlib.h>

struct listener {
    bus_listen_fn *fn;
    void *ctx;
};

struct bus {
    struct listener *listeners;
    size_t count, cap;
};

struct bus *bus_new(void)
{
    return MEM_NEW(struct bus);
}

void bus_free(struct bus *b)
{
    if (b == NULL)
        return;
    free(b->listeners);
    free(b);
}

void bus_join(struct bus *b, bus_listen_fn *fn, void *ctx)
{
    MEM_GROW(b->listeners, b->count, &b->cap);
    b->listeners[b->count++] = (struct listener){fn, ctx};
}

void bus_post(struct bus *b, const struct event *e)
{
    for (size_t i = 0; i < b->count; i++)
        b->listeners[i].fn(b->listeners[i].ctx, e);
}
