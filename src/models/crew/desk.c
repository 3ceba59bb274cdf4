/* desk.c - the work of an assistant and of its facilitator.
 *
 *     assistant                     facilitator
 *        |---- request register ------->|
 *        |<----- agree, inform ---------|    first URLs
 *        |---- query-if crawled … ----->|    before every visit: has anybody crawled it?
 *        |<----- inform free … ---------|    the first to ask gets it
 *        |---- inform ability … ------->|    every T
 *        |<----- request stop ----------|    the time is over
 *
 * Several facilitators share the record of crawled URLs: each is responsible for its own
 * part of all URLs, and forwards a question about another's part to that one, which
 * answers the assistant. If no answer comes, the question is repeated; to the same
 * question a facilitator gives the same answer. SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/limits.h"

#include <stdio.h>

#define VISITS_MOST 2 /* of a crawler at once, unless the option is set */

void crew_say(struct model *m, uint32_t from, uint32_t to, uint32_t conversation,
              const char *performative, int64_t reply_by, const char *fmt, ...)
{
    LOCAL_BUF text = BUF_INIT(CREW_CONTENT);
    struct message msg = {.sender = from,
                          .receiver = to,
                          .conversation = conversation,
                          .performative = str_of(performative),
                          .reply_by = reply_by};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    msg.content = buf_str(&text);
    m->ctx->talk->send(m->ctx->engine, &msg);
}

static struct crew_group *group_of(const struct model *m, const struct desk *d)
{
    return &crew_of(m)->groups[d->group];
}

static int64_t deadline(const struct model *m)
{
    return m->ctx->now + crew_options_of(m)->deadline;
}

/* ---- registration, first URLs ---------------------------------------------------- */

void desk_begin(struct model *m, struct desk *d)
{
    char name[AGENT_NAME];

    d->register_by = deadline(m);
    crew_say(m, d->assistant, group_of(m, d)->facilitator, ++crew_of(m)->conversation, "request",
             d->register_by, "register %s", agent_name(d->crawler, name));
}

/* The facilitator announces the links in the inbox. */
static void announce(struct model *m, struct desk *d)
{
    LOCAL_BUF text = BUF_INIT(CREW_CONTENT);

    d->announced_by = deadline(m);
    link_list_write(&d->inbox, CREW_LISTED, &text);
    crew_say(m, group_of(m, d)->facilitator, d->assistant, ++crew_of(m)->conversation, "inform",
             d->announced_by, "urls %s", text.data);
}

/* The assistant takes the links there; if the message is repeated, there are none. */
static void take_inbox(struct model *m, struct desk *d)
{
    struct link_list got = d->inbox;

    d->inbox = (struct link_list){0};
    d->announced_by = 0;
    for (size_t i = 0; i < got.count; i++)
        link_enter(m, d, got.items[i].url, got.items[i].score);
    link_list_clear(&got);
}

static void on_agreed(struct model *m, struct desk *d)
{
    if (d->registered)
        return;
    d->registered = true;
    if (d->crawler != d->assistant)
        crew_say(m, d->assistant, d->crawler, ++crew_of(m)->conversation, "request", 0, "crawl");
}

/* ---- the check ------------------------------------------------------------------- */

static void ask(struct model *m, struct desk *d)
{
    LOCAL_BUF text = BUF_INIT(CREW_CONTENT);

    for (size_t i = 0; i < d->asked.count; i++)
        buf_addf(&text, " %u", d->asked.items[i].url);
    d->asked_by = deadline(m);
    d->conversation = ++crew_of(m)->conversation;
    crew_of(m)->questions++;
    crew_say(m, d->assistant, group_of(m, d)->facilitator, d->conversation, "query-if", d->asked_by,
             "crawled%s", text.data);
}

void desk_ask(struct model *m, struct desk *d, size_t links)
{
    double score;
    uint32_t url;

    while (d->asked.count < links && d->asked.count < CREW_LISTED &&
           link_queue_take(&d->queue, 0, &url, &score))
        link_list_add(&d->asked, url, score);
    if (d->asked.count > 0)
        ask(m, d);
}

/* A facilitator answers about URLs that it is responsible for; it writes the others to
 * `rest`, for the next one. */
static void look_after(struct model *m, struct crew_group *g, struct desk *d, struct str urls,
                       uint32_t conversation, struct buf *rest, uint32_t owner)
{
    struct crew *st = crew_of(m);
    LOCAL_BUF free_ones = BUF_INIT(CREW_CONTENT), crawled = BUF_INIT(CREW_CONTENT);
    uint32_t url, place = (uint32_t)(d - st->desks) + 1;
    double score;

    while (link_text_next(&urls, &url, &score)) {
        uint32_t holder = url_index_get(&st->granted, url);

        if (url % st->ngroups != owner)
            continue;
        if (&st->groups[owner] != g) {
            buf_addf(rest, " %u", url);
            continue;
        }
        if (holder == 0)
            url_index_set(&st->granted, url, holder = place);
        buf_addf(holder == place ? &free_ones : &crawled, " %u", url);
    }
    if (free_ones.len > 0)
        crew_say(m, g->facilitator, d->assistant, conversation, "inform", 0, "free%s",
                 free_ones.data);
    if (crawled.len > 0)
        crew_say(m, g->facilitator, d->assistant, conversation, "inform", 0, "crawled%s",
                 crawled.data);
}

/* "crawled 12 15", from an assistant; or "crawled 12 15 for 7", handed on. */
static void on_question(struct model *m, struct crew_group *g, const struct message *msg)
{
    struct crew *st = crew_of(m);
    struct str urls = str_sub(msg->content, strlen("crawled"), msg->content.len);
    size_t at = str_find(urls, STR(" for "), 0);
    uint64_t asker = msg->sender;
    struct desk *d;

    if (at != SIZE_MAX && !str_to_u64(str_sub(urls, at + 5, urls.len), &asker))
        return;
    d = crew_desk_of(m, (uint32_t)asker);
    if (d == NULL || d->gone)
        return;
    for (uint32_t owner = 0; owner < st->ngroups; owner++) {
        struct buf rest = BUF_INIT(CREW_CONTENT);

        look_after(m, g, d, urls, msg->conversation, &rest, owner);
        if (rest.len > 0)
            crew_say(m, g->facilitator, st->groups[owner].facilitator, msg->conversation,
                     "query-if", msg->reply_by, "crawled%s for %u", rest.data, d->assistant);
        buf_free(&rest);
    }
}

static void on_answer(struct model *m, struct desk *d, struct str urls, bool is_free)
{
    uint32_t url;
    double score;

    while (link_text_next(&urls, &url, &score)) {
        size_t i = link_list_find(&d->asked, url);

        if (i == SIZE_MAX)
            continue; /* answered before */
        score = d->asked.items[i].score;
        link_list_remove(&d->asked, i);
        if (is_free) {
            link_list_add(&d->ready, url, score);
            continue;
        }
        d->denied++;
        link_ended(m, url);
        deal_crawled(m, d, url);
    }
}

/* ---- incoming messages ----------------------------------------------------------- */

static void stop(struct model *m, struct desk *d)
{
    if (d->stopped)
        return;
    d->stopped = true;
    if (d->crawler != d->assistant)
        crew_say(m, d->assistant, d->crawler, ++crew_of(m)->conversation, "request", 0, "stop");
}

bool desk_hears(struct model *m, struct desk *d, const struct message *msg)
{
    if (str_eq(msg->performative, STR("agree")) && str_eq(msg->content, STR("register")))
        on_agreed(m, d);
    else if (str_starts(msg->content, STR("urls ")))
        take_inbox(m, d);
    else if (str_starts(msg->content, STR("free ")))
        on_answer(m, d, str_sub(msg->content, strlen("free "), msg->content.len), true);
    else if (str_eq(msg->performative, STR("inform")) &&
             str_starts(msg->content, STR("crawled "))) /* not the report of a contractor */
        on_answer(m, d, str_sub(msg->content, strlen("crawled "), msg->content.len), false);
    else if (str_eq(msg->content, STR("stop")))
        stop(m, d);
    else
        return str_eq(msg->content, STR("crawl"));
    return true;
}

static void on_ability(struct model *m, const struct message *msg)
{
    struct desk *d = crew_desk_of(m, msg->sender);
    struct str rest = str_sub(msg->content, strlen("ability "), msg->content.len), word;
    double ability;

    if (d == NULL || !str_cut(&rest, ' ', &word) || !str_to_double(word, &ability))
        return;
    d->told = ability;
    d->told_round = crew_of(m)->round;
}

bool group_hears(struct model *m, struct crew_group *g, const struct message *msg)
{
    struct desk *d = crew_desk_of(m, msg->sender);

    if (str_starts(msg->content, STR("register "))) {
        crew_say(m, g->facilitator, msg->sender, msg->conversation, "agree", 0, "register");
        if (d && d->inbox.count > 0)
            announce(m, d);
    } else if (str_eq(msg->performative, STR("query-if"))) {
        on_question(m, g, msg);
    } else if (str_starts(msg->content, STR("ability "))) {
        on_ability(m, msg);
    } else {
        return false;
    }
    return true;
}

/* ---- time ------------------------------------------------------------------------ */

bool desk_is_free(const struct model *m, const struct desk *d)
{
    if (d->stopped || d->gone || !d->registered || m->ctx->now < d->busy_until)
        return false;
    return has_assistants(m) || !deal_engages(m, (uint32_t)(d - crew_of(m)->desks), true);
}

/* Returns how many visits it may begin now. Visits that wait for a host's delay count as under way:
 * otherwise a desk would choose all its links before the first page came. */
uint32_t desk_room(const struct model *m, const struct desk *d)
{
    uint32_t live = crew_of(m)->live, may = (uint32_t)crew_options_of(m)->visits, busy;

    if (may == 0)
        may = live && m->ctx->parallel >= VISITS_MOST * live ? VISITS_MOST : 1;
    busy = d->open + (uint32_t)(d->asked.count + d->ready.count);
    return busy < may ? may - busy : 0;
}

static bool is_due(const struct model *m, int64_t at)
{
    return at != 0 && m->ctx->now >= at;
}

/* W is the threshold of the paper, whose crew had WordNet, and an hour. Without WordNet, or on the
 * few pages of a crawl with a limit, all abilities may be lower. Then, after some rounds without a
 * contract, the ablest calls nevertheless. wordnet=none is the crew without anything of ours. */
static bool relents(const struct model *m)
{
    const struct crew *st = crew_of(m);

    return crew_options_of(m)->relent > 0 && (st->overlap || (st->wordnet && m->ctx->pages > 0));
}

static bool may_call(const struct model *m, const struct desk *d)
{
    const struct crew_options *o = crew_options_of(m);
    const struct crew *st = crew_of(m);

    if (d->ability >= o->threshold)
        return true;
    if (!relents(m) || d->ability <= 0 ||
        st->round - st->groups[d->group].served_round <= (uint64_t)o->relent)
        return false;
    for (uint32_t i = 0; i < st->ndesks; i++)
        if (st->desks[i].group == d->group && !st->desks[i].gone &&
            st->desks[i].ability > d->ability)
            return false;
    return true;
}

/* The desk was judged in this round: it reports its ability, and may give links away. */
static void report(struct model *m, struct desk *d)
{
    uint32_t place = (uint32_t)(d - crew_of(m)->desks);

    d->judge_at = 0;
    crew_judge(m, d);
    crew_say(m, d->assistant, group_of(m, d)->facilitator, ++crew_of(m)->conversation, "inform", 0,
             "ability %.6f S %.4f M %.4f pages %llu links %zu", d->ability, d->s, d->m,
             (unsigned long long)d->pages, d->queue.count);
    if (may_call(m, d) && !deal_engages(m, place, false))
        deal_call(m, d);
}

void desk_tick(struct model *m, struct desk *d)
{
    if (d->gone)
        return;
    if (d->stopped) {
        if (d->open == 0)
            crew_lose(m, (uint32_t)(d - crew_of(m)->desks), "stopped");
        return;
    }
    if (!d->registered && is_due(m, d->register_by))
        desk_begin(m, d);
    if (d->asked.count > 0 && is_due(m, d->asked_by))
        ask(m, d);
    if (is_due(m, d->judge_at))
        report(m, d);
}

static void stop_all(struct model *m, struct crew_group *g)
{
    struct crew *st = crew_of(m);

    g->stop_by = deadline(m);
    for (uint32_t i = 0; i < st->ndesks; i++)
        if (!st->desks[i].stopped && !st->desks[i].gone && &st->groups[st->desks[i].group] == g)
            crew_say(m, g->facilitator, st->desks[i].assistant, ++st->conversation, "request", 0,
                     "stop");
}

void group_tick(struct model *m, struct crew_group *g)
{
    struct crew *st = crew_of(m);
    int64_t survival = crew_options_of(m)->survival;

    if (survival > 0 && m->ctx->now - st->began_at >= survival && m->ctx->now >= g->stop_by)
        stop_all(m, g);
    for (uint32_t i = 0; i < st->ndesks; i++) {
        struct desk *d = &st->desks[i];

        if (&st->groups[d->group] != g || d->gone || d->inbox.count == 0 || !d->registered)
            continue;
        if (d->announced_by == 0 || is_due(m, d->announced_by))
            announce(m, d);
    }
}
