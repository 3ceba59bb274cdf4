/* books.c - the books of energy, as keys of the crawl: with each checkpoint, and of the
 * same moment. Thread: the mind. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "agent/population.h"
#include "base/mem.h"
#include "bus/bus.h"

#include <stdio.h>

void books_post(struct crawl *c)
{
    const struct model *m = c->model;
    struct ledger l = population_ledger(c->population);
    const struct {
        const char *name;
        double value;
    } accounts[] = {
        {"energy.living", l.living},         {"energy.dead", l.dead},   {"energy.cut", l.cut},
        {"energy.pages", model_on_pages(m)}, {"energy.given", l.given}, {"energy.earned", l.earned},
        {"energy.burnt", l.burnt},
    };

    if (!(l.given > 0)) /* a model without energy */
        return;
    for (size_t i = 0; i < ARRAY_LEN(accounts); i++) {
        struct event e = {.kind = EVENT_KEY, .at = c->now};
        char value[40];

        (void)snprintf(value, sizeof value, "%.17g", accounts[i].value);
        e.key.name = str_of(accounts[i].name);
        e.key.value = str_of(value);
        bus_post(c->bus, &e);
    }
}
