/* fuzz_tree_xml.c - any bytes as an exported family tree: what is told has numbers within their
 * bounds and figures that are numbers. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "store/tree_xml.h"

#include <math.h>
#include <stdlib.h>

static enum status on_head(void *user, const struct tree_head *h)
{
    (void)user;
    if (h->topic.len && h->topic.ptr == NULL)
        abort();
    return ST_OK;
}

static enum status on_agent(void *user, const struct tree_agent *a)
{
    (void)user;
    if (a->id == 0 || a->id > LIMIT_AGENTS || a->parent > LIMIT_AGENTS ||
        a->born_page > LIMIT_VIEW_PAGES || isinf(a->energy))
        abort();
    return ST_OK;
}

static enum status on_page(void *user, const struct tree_page *p)
{
    (void)user;
    if (p->id == 0 || p->id > LIMIT_VIEW_PAGES || p->agent > LIMIT_AGENTS || isinf(p->relevance))
        abort();
    return ST_OK;
}

static enum status on_topic(void *user, const struct tree_topic *t)
{
    (void)user;
    if (t->page == 0 || isinf(t->relevance) || isinf(t->p))
        abort();
    return ST_OK;
}

static enum status on_visit(void *user, const struct tree_visit *v)
{
    (void)user;
    if (v->agent == 0 || v->page == 0 || v->page > LIMIT_VIEW_PAGES || isinf(v->after))
        abort();
    return ST_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tree_handler handler = {on_head, on_agent, on_page, on_topic, on_visit};

    (void)!tree_xml_read((struct str){(const char *)data, size}, &handler, NULL);
    return 0;
}
