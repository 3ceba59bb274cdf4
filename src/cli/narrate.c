/* narrate.c - see narrate.h. SPDX-License-Identifier: MIT */
#include "cli/narrate.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define SENTENCE_MAX 400
#define TITLE_MAX    60 /* bytes */

struct narrator *narrator_new(double relevant)
{
    struct narrator *n = MEM_NEW(struct narrator);

    n->relevant = relevant;
    for (size_t i = 0; i < NARRATE_KINDS; i++)
        n->said[i] = BUF_INIT(SENTENCE_MAX);
    return n;
}

void narrator_free(struct narrator *n)
{
    for (size_t i = 0; n && i < NARRATE_KINDS; i++)
        buf_free(&n->said[i]);
    free(n);
}

static const char *name_of(const struct narrator *n, uint32_t agent)
{
    size_t at = agent % NARRATE_NAMES;

    return agent && n->names[at].id == agent ? n->names[at].name : NULL;
}

static void remember(struct narrator *n, uint32_t agent, struct str name)
{
    size_t at = agent % NARRATE_NAMES;

    n->names[at].id = agent;
    (void)snprintf(n->names[at].name, NARRATE_NAME, "%.*s", STR_ARG(name));
}

static struct buf *begin(struct narrator *n, enum narrate_kind kind)
{
    n->fresh[kind] = true;
    buf_clear(&n->said[kind]);
    return &n->said[kind];
}

static void tell_birth(struct narrator *n, const struct event *e)
{
    const char *parent = name_of(n, e->born.parent);
    struct buf *out;

    remember(n, e->born.id, e->born.name);
    if (e->born.parent == 0) /* the first ones were there */
        return;
    out = begin(n, NARRATE_BIRTH);
    buf_addf(out, "%.*s is born", STR_ARG(e->born.name));
    if (parent)
        buf_addf(out, ", child of %s", parent);
}

static void tell_death(struct narrator *n, const struct event *e)
{
    const char *name = name_of(n, e->died.id);

    if (name)
        buf_addf(begin(n, NARRATE_DEATH), "%s dies: %.*s", name, STR_ARG(e->died.cause));
}

static void tell_find(struct narrator *n, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    const char *who = name_of(n, a->request->choice.agent);
    struct str title = a->page->title.len ? a->page->title : a->request->href;

    struct buf *out;

    if (e->page.hidden || e->page.dup_of || (double)a->profile.relevance < n->relevant)
        return;
    out = begin(n, NARRATE_FIND);
    if (who)
        buf_addf(out, "%s finds ", who);
    else
        buf_add_z(out, "found: ");
    buf_add_str(out, str_sub(title, 0, title.len < TITLE_MAX ? title.len : TITLE_MAX));
}

void narrator_hear(void *narrator, const struct event *e)
{
    if (e->kind == EVENT_BORN)
        tell_birth(narrator, e);
    else if (e->kind == EVENT_DIED)
        tell_death(narrator, e);
    else if (e->kind == EVENT_PAGE)
        tell_find(narrator, e);
}

struct str narrator_say(struct narrator *n)
{
    for (size_t i = 1; i <= NARRATE_KINDS; i++) {
        enum narrate_kind kind = (enum narrate_kind)((n->last + i) % NARRATE_KINDS);

        if (n->fresh[kind]) {
            n->fresh[kind] = false;
            n->last = kind;
            break;
        }
    }
    return buf_str(&n->said[n->last]);
}
