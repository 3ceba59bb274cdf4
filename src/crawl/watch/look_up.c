/* look_up.c - gives a model a visited page again: the code that both implementations share. Thread:
 * the mind. SPDX-License-Identifier: MIT */
#include "crawl/watch/look_up.h"

#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "frontier/frontier.h"

#include <math.h>
#include <stdlib.h>

void look_up_free(struct look_up *l)
{
    if (l == NULL)
        return;
    free(l->marks);
    l->ops->free(l);
}

static void mark_again(struct crawl *c, const struct page *body, unsigned robots)
{
    struct look_up *l = c->look_up;

    if (body->nlinks > l->marks_cap) {
        l->marks_cap = body->nlinks + body->nlinks / 2;
        l->marks = mem_resize(l->marks, l->marks_cap, sizeof *l->marks);
    }
    frontier_expect(c->frontier, body->links, body->nlinks);
    for (uint32_t i = 0; i < body->nlinks; i++) {
        const struct link *link = &body->links[i];
        struct link_mark *m = &l->marks[i];

        *m = (struct link_mark){.score = NAN};
        m->drop = (uint8_t)frontier_known(c->frontier, link, &m->url);
        if (m->drop == DROP_NONE && (robots & ROBOTS_NOFOLLOW || link->rel & REL_NOFOLLOW))
            m->drop = DROP_NOFOLLOW;
        m->taken = m->url && frontier_state(c->frontier, m->url) != URL_KNOWN;
        m->abroad = m->drop == DROP_FOREIGN && model_roams(c->model->ops);
        if (m->abroad) { /* as on_page() shows it to a model whose agents move */
            m->drop = DROP_NONE;
            m->taken = false;
        }
    }
}

bool look_up_page(void *engine, uint32_t url, struct percept *ret)
{
    struct crawl *c = engine;
    unsigned robots = 0;

    if (!c->look_up->ops->lend(c, url, ret, &robots))
        return false;
    mark_again(c, ret->body, robots);
    ret->marks = c->look_up->marks;
    return true;
}
