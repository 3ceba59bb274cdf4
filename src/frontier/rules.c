/* rules.c - the rules of robots.txt files in memory, and when they are dropped.
 *
 * Hosts whose rules are in memory are in one of two lists: small rules (LIMIT_ROBOTS_SAVED
 * or less) and large ones. The host whose last request is longest ago comes first. Each list
 * has half of config.robots_bytes, so that hosts with huge files displace only each other.
 * Rules of idle hosts are dropped first. Before rules are dropped they judge the visits
 * that wait at the host, so that no page needs them twice: otherwise two hosts that do not
 * fit together could displace each other for ever. For a later visit, and for those that
 * were too many to judge, they are read again, at the host's own pace.
 *
 * Rules can be expensive to match, and a page can name 10,000 long paths. So verdicts that
 * can wait have a budget, LIMIT_ROBOTS_STEPS per reply and per release: on a link that is
 * met, on a choice that is added, on visits before rules are dropped. Before a page is
 * requested it is always judged; if it is forbidden and the budget is used up, its host
 * pauses, so that a queue of forbidden pages does not hold up the others.
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/limits.h"
#include "parse/robots/robots.h"

#define LOOK_AT 64 /* hosts examined to find an idle one */

static struct rules *list_of(struct frontier *f, const struct host *h)
{
    return &f->rules[robots_bytes(h->robots) > LIMIT_ROBOTS_SAVED];
}

static void unlink_host(struct frontier *f, struct host *h)
{
    struct rules *l = list_of(f, h);

    *(h->rules_before ? &hosts_at(&f->hosts, h->rules_before)->rules_after : &l->first) =
        h->rules_after;
    *(h->rules_after ? &hosts_at(&f->hosts, h->rules_after)->rules_before : &l->last) =
        h->rules_before;
}

static void link_last(struct frontier *f, struct host *h)
{
    struct rules *l = list_of(f, h);

    h->rules_after = 0;
    h->rules_before = l->last;
    *(l->last ? &hosts_at(&f->hosts, l->last)->rules_after : &l->first) = h->id;
    l->last = h->id;
}

void rules_drop(struct frontier *f, struct host *h)
{
    if (h->robots == NULL)
        return;
    list_of(f, h)->bytes -= robots_bytes(h->robots);
    unlink_host(f, h);
    robots_free(h->robots);
    h->robots = NULL;
    h->robots_until = 0;
}

enum said rules_say(struct frontier *f, const struct host *h, struct str path)
{
    if (h->robots == NULL || f->steps >= LIMIT_ROBOTS_STEPS)
        return SAID_NOTHING;
    return robots_allows_counted(h->robots, path, &f->steps) ? SAID_YES : SAID_NO;
}

/* Drops the rules; their verdicts on waiting visits are kept. The best visit is always judged, so
 * that each reading of the rules leads to at least one visit. */
static void rules_leave(struct frontier *f, struct host *h)
{
    int64_t until = h->robots_until;

    for (size_t i = 0; i < h->queue.count; i++) {
        struct visit *v = visits_at(&f->visits, h->queue.items[i].id);
        struct str path = urls_path(&f->urls, v->choice.url);

        if (i == 0)
            v->said = robots_allows_counted(h->robots, path, &f->steps) ? SAID_YES : SAID_NO;
        else
            v->said = (uint8_t)rules_say(f, h, path);
    }
    if (h->queue.count == 0 && h->wish.url) {
        struct str path = urls_path(&f->urls, h->wish.url);

        h->judged = h->wish.url;
        h->judged_said = robots_allows_counted(h->robots, path, &f->steps) ? SAID_YES : SAID_NO;
    }
    rules_drop(f, h);
    h->robots_until = until;
    h->robots_gone = true;
}

static bool is_idle(const struct host *h)
{
    return h->queue.count == 0 && h->wish.url == 0 && h->in_flight == 0;
}

/* Returns the host whose rules are dropped next: the first idle one among the first LOOK_AT,
 * otherwise the first without a page under way. The last in the list was added just now. */
static struct host *spared(const struct frontier *f, const struct rules *l)
{
    struct host *found = NULL, *h;
    unsigned left = LOOK_AT;

    for (uint32_t id = l->first; id != l->last && left-- > 0; id = h->rules_after) {
        h = hosts_at(&f->hosts, id);
        if (is_idle(h))
            return h;
        if (found == NULL && h->in_flight == 0)
            found = h;
    }
    return found;
}

static void list_trim(struct frontier *f, struct rules *l, size_t most)
{
    struct host *h;

    while (l->bytes > most && (h = spared(f, l)) != NULL)
        rules_leave(f, h);
}

void rules_set(struct frontier *f, struct host *h, struct robots *rules)
{
    rules_drop(f, h);
    h->robots_gone = false;
    h->judged = 0; /* the verdict of older rules on a wish */
    if (rules == NULL)
        return;
    h->robots = rules;
    list_of(f, h)->bytes += robots_bytes(rules);
    link_last(f, h);
    for (int i = 0; f->config.robots_bytes && i < 2; i++)
        list_trim(f, &f->rules[i], f->config.robots_bytes / 2);
}

void rules_used(struct frontier *f, struct host *h)
{
    if (f->config.robots_bytes == 0 || h->robots == NULL || h->rules_after == 0)
        return;
    unlink_host(f, h);
    link_last(f, h);
}

void frontier_spare(struct frontier *f)
{
    uint32_t next;

    for (int i = 0; i < 2; i++)
        for (uint32_t id = f->rules[i].first; id != 0; id = next) {
            struct host *h = hosts_at(&f->hosts, id);

            next = h->rules_after;
            if (is_idle(h))
                rules_leave(f, h);
        }
}
