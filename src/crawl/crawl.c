/* crawl.c - the wheel: everything brood does starts from a line of crawl_turn().
 *
 * Thread: the mind. It owns agents, frontier and vocabulary; fetch threads and
 * the store's writer are reached through queues only.
 *
 * A visit's life:  model.next -> frontier_add -> frontier_release -> fetch ->
 * (digest, on the fetch thread) -> crawl_arrived -> model.perceive or failed.
 * frontier_release itself asks models that choose late, when a request to a host is allowed. Every
 * choice that the frontier takes is counted in `open` until it ends, which is what makes --pages
 * exact: no more visits are opened than pages are missing.
 * SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "agent/population.h"
#include "base/os/clock.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/control.h"
#include "crawl/enough.h"
#include "crawl/looks.h"
#include "crawl/start/search_later.h"
#include "crawl/watch/prompt.h"
#include "crawl/node/node.h"
#include "frontier/frontier.h"
#include "store/store.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define WAIT_LONGEST     (200 * US_PER_MS) /* so that stop and limits are noticed */
#define WAIT_NODE        (10 * US_PER_MS)  /* other machines wait for us, too */
#define ARRIVALS_AT_ONCE 64
#define STORE_ROOM_MIN   512             /* events: an arrival posts a few */
#define END_SHARE        8               /* of the limit of pages: the end, for choice_bound() */
#define PAUSED_STEP      (10 * US_PER_S) /* from one checkpoint to the next while paused */

/* ---- one turn ------------------------------------------------------------ */

/* Returns how long there is nothing to do unless something arrives. */
static int64_t crawl_wait(const struct crawl *c)
{
    int64_t next = frontier_next_time(c->frontier);
    int64_t wait = WAIT_LONGEST;

    if (c->trouble[0] != '\0' || c->now < c->paused_until)
        return wait;
    if (!c->paused && next - c->now < wait)
        wait = next - c->now;
    if (post_waiting(c->messages) > 0)
        return 0;
    if (c->model_ctx.wake && c->model_ctx.wake - c->now < wait)
        wait = c->model_ctx.wake - c->now;
    if (c->store && c->checkpoint_at - c->now < wait)
        wait = c->checkpoint_at - c->now;
    if (c->node && wait > WAIT_NODE)
        wait = WAIT_NODE;
    return wait < 0 ? 0 : wait;
}

/* Returns the number of pages up to the limit that are neither stored nor provided for by
 * `coming`. */
static uint32_t pages_missing(const struct crawl *c, uint64_t coming)
{
    uint64_t limit = c->node ? node_pages(c) : (uint64_t)c->options->pages;
    uint64_t have = c->pages + coming;

    if (c->options->pages == 0)
        return UINT32_MAX;
    return limit > have ? (uint32_t)(limit - have) : 0;
}

/* Has another page taken its place (pages_wanted())? As its visit is still open, it is made again
 * if the crawl is resumed. */
static bool is_too_late(const struct crawl *c, const struct arrival *a)
{
    return a->request->kind == REQUEST_PAGE && !choice_is_requisite(&a->request->choice) &&
           c->node == NULL && pages_missing(c, 0) == 0;
}

static size_t arrivals_take(struct crawl *c, int64_t wait)
{
    struct arrival *arrivals[ARRIVALS_AT_ONCE];
    int64_t before = wait > 0 ? c->fetch->now(c->fetch_self) : 0;
    size_t n = c->fetch->take(c->fetch_self, arrivals, ARRIVALS_AT_ONCE, wait);

    c->now = c->model_ctx.now = c->fetch->now(c->fetch_self);
    if (wait > 0)
        c->waits.waited += c->now - before;
    for (size_t i = 0; i < n; i++)
        if (is_too_late(c, arrivals[i]))
            arrival_release(arrivals[i]);
        else
            crawl_arrived(c, arrivals[i]);
    return n;
}

/* May visits be opened at all? Not while the disk is full, or slower than the web. */
static bool is_open(struct crawl *c)
{
    c->waits.turns++;
    if (c->paused) {
        pace_begin(&c->pace, c->now); /* the length of a pause says nothing about the pace */
        return false;
    }
    if (c->trouble[0] != '\0' || (c->store && store_room(c->store) < STORE_ROOM_MIN)) {
        c->waits.stuck++;
        return false;
    }
    if (!node_may_fetch(c))
        return false;
    return c->now >= c->paused_until;
}

/* Returns how many more visits may be opened now. */
static uint32_t crawl_room(struct crawl *c)
{
    uint32_t missing = pages_missing(c, c->open), room;

    room = frontier_room(c->frontier, c->now, memory_slots(c, c->fetch->slots(c->fetch_self)));
    return room < missing ? room : missing;
}

static void on_choice(struct crawl *c, const struct choice *choice)
{
    struct event e = {.kind = EVENT_DROP, .drop = {.id = choice->url}};
    struct choice asked = *choice;
    struct url_view view;
    enum drop why;

    if (node_travels(c, choice))
        return;
    asked.refresh = choice->refresh && model_refreshes(c->model);
    why = e.drop.why = frontier_add(c->frontier, &asked, c->now);
    c->open++;
    if (why == DROP_NONE)
        return;
    if (frontier_url(c->frontier, choice->url, &view))
        e.drop.url = view.href;
    crawl_post(c, &e);
    crawl_visit_failed(c, choice, why);
}

static bool next_choice(struct crawl *c, struct choice *ret)
{
    return c->retry ? retry_next(c, ret) : c->model->ops->next(c->model, 0, ret);
}

/* Does the frontier ask for choices itself? */
static bool is_late(const struct crawl *c)
{
    return c->model->ops->late != NULL && !c->retry;
}

static void choices_ask(struct crawl *c)
{
    struct choice choice;

    c->is_open = is_open(c);
    for (uint32_t room = c->is_open && prompts_waiting(c->prompts) ? crawl_room(c) : 0;
         room > 0 && prompts_next(c, &choice); room--)
        on_choice(c, &choice);
    if (is_late(c)) {
        c->model->ops->late->wishes(c->model);
        c->model_idle = frontier_wishes(c->frontier) == 0;
        return;
    }
    for (uint32_t room = c->is_open ? crawl_room(c) : 0; room > 0; room--) {
        if (!next_choice(c, &choice)) {
            c->model_idle = true;
            return;
        }
        on_choice(c, &choice);
    }
}

void crawl_wish(void *engine, uint32_t host, const struct wish *w)
{
    struct crawl *c = engine;

    frontier_wish(c->frontier, host, w, c->now);
}

uint32_t crawl_host(void *engine, uint32_t url)
{
    return frontier_host(((struct crawl *)engine)->frontier, url);
}

/* The frontier asks for a choice, because a request to the host is allowed now. */
static bool on_choose(void *ctx, uint32_t host, struct choice *ret)
{
    struct crawl *c = ctx;
    bool has = c->model->ops->next(c->model, host, ret);

    c->model->ops->late->wishes(c->model);
    if (!has)
        return false;
    ret->refresh &= model_refreshes(c->model);
    c->open++;
    return true;
}

/* The frontier asks whether a choice that waited for its host shall still be sent. */
static bool on_again(void *ctx, const struct choice *choice, struct choice *ret)
{
    struct crawl *c = ctx;

    if (!c->model->ops->again(c->model, choice, ret))
        return false;
    ret->refresh &= model_refreshes(c->model);
    c->open -= ret->url == 0;
    return true;
}

static void on_due(void *ctx, struct request *r)
{
    struct crawl *c = ctx;
    enum request_kind kind = r->kind; /* the request then belongs to fetch */
    bool taken;

    node_flies(c, r->host, 1);
    taken = c->fetch->submit(c->fetch_self, r);
    assert(taken); /* release asked for no more than slots() promised */
    (void)taken;
    c->waits.under_way[kind]++;
}

static void on_drop(void *ctx, const struct choice *choice, enum drop why)
{
    struct crawl *c = ctx;
    struct event e = {.kind = EVENT_DROP, .drop = {.id = choice->url, .why = why}};
    struct url_view view;

    if (choice_is_requisite(choice)) {
        looks_dropped(c, choice, why);
        return;
    }
    if (why == DROP_FOREIGN && node_travels(c, choice)) { /* the host went to another node */
        c->open--;
        return;
    }
    if (frontier_url(c->frontier, choice->url, &view)) {
        e.drop.url = view.href;
        if (view.depth == 0 && c->complaint[0] == '\0')
            (void)snprintf(c->complaint, sizeof c->complaint, "%.*s: %s", STR_ARG(view.href),
                           drop_sentence(why));
    }
    crawl_post(c, &e);
    crawl_visit_failed(c, choice, why);
}

/* Will the time be up before the remaining pages have come, at the pace so far? The pages are those
 * of all runs; the time left is that of this run. */
static bool is_time_scarce(const struct crawl *c, uint32_t missing)
{
    double gone = (double)(c->now - c->started_at), left = (double)c->options->duration - gone;
    double taken = (double)c->elapsed_before + gone;

    return c->options->duration > 0 && (double)c->pages * left < (double)missing * taken;
}

/* Returns the score that a link needs to be worth one of the remaining pages. The last pages are
 * not chosen more strictly than those before, so that the end does not wait for a few hosts. If
 * time is scarce and not pages, every link is worth it. */
static float choice_bound(const struct crawl *c, uint32_t missing)
{
    uint32_t least = (uint32_t)(c->options->pages / END_SHARE);

    if (missing == UINT32_MAX || is_time_scarce(c, missing))
        return -INFINITY;
    if (c->node) /* the grants so far do not say how many pages are left */
        least = (uint32_t)c->options->pages;
    return c->model->ops->late->bound(c->model, missing > least ? missing : least,
                                      c->options->patience);
}

/* Returns for how many pages no visit is under way. Visits that take longer than nearly all others,
 * or wait at a host that asked for a pause, are not counted, so that other visits may bring those
 * pages. *ret_overdue: how many of the visits under way are not counted for that reason. */
static uint32_t pages_wanted(const struct crawl *c, uint32_t *ret_overdue)
{
    uint32_t missing = pages_missing(c, c->open), away;
    int64_t wait;

    *ret_overdue = 0;
    if (missing > 0 || !is_late(c))
        return missing;
    wait = c->looks ? INT64_MAX : pace_answer(&c->pace); /* the last looks need free hosts */
    if (c->node == NULL && wait != INT64_MAX)
        *ret_overdue = frontier_overdue(c->frontier, c->now, wait);
    away = frontier_away(c->frontier, c->now, wait) + *ret_overdue;
    return pages_missing(c, away < c->open ? c->open - away : 0);
}

/* Keeps the pace from half-way on, if patience chooses among hosts. A single host sets the pace
 * itself. */
static void keep_pace(struct crawl *c, uint32_t missing, struct release *r)
{
    bool is_choice = frontier_wishes(c->frontier) > 1 && frontier_hosts_paged(c->frontier) > 1;
    bool is_patient =
        r->bound > -INFINITY || (c->pace.keeps && missing && !is_time_scarce(c, missing));

    c->pace.keeps &= is_choice;
    if (is_patient && is_choice)
        pace_keep(&c->pace, c->now, c->pages + c->open, &r->least, &r->choices);
}

static void requests_release(struct crawl *c)
{
    uint32_t overdue, missing = pages_wanted(c, &overdue), flying;
    struct release r = {.max = memory_slots(c, c->fetch->slots(c->fetch_self)),
                        .bound = -INFINITY,
                        .ctx = c,
                        .on_due = on_due,
                        .on_drop = on_drop,
                        .again = c->model->ops->again && !c->retry ? on_again : NULL};

    if (c->paused || c->trouble[0] != '\0' || c->now < c->paused_until || !node_may_fetch(c))
        return; /* what was chosen already waits too */
    if (c->open + (uint64_t)missing > pages_missing(c, 0) && missing != UINT32_MAX) {
        /* resumed to a nearer limit than it had, or some are not waited for */
        flying = pages_missing(c, frontier_in_flight(c->frontier) - overdue);
        r.max = r.max < flying ? r.max : flying;
    }
    if (is_late(c)) {
        r.choose = on_choose;
        r.choices = c->is_open ? missing : 0;
        if (r.max && r.choices) /* otherwise nothing is chosen, and it need not be computed */
            r.bound = choice_bound(c, missing);
        keep_pace(c, missing, &r);
    }
    (void)frontier_release(c->frontier, c->now, &r);
}

/* ---- ends ---------------------------------------------------------------- */

static bool is_told_to_stop(const struct crawl *c)
{
    return __atomic_load_n(&c->stop, __ATOMIC_RELAXED) ||
           (c->stop_too && __atomic_load_n(c->stop_too, __ATOMIC_RELAXED));
}

/* Returns the limit that is reached; CRAWL_RUNNING if none is. The limit of pages is checked last,
 * because the others also apply to the requisites of the last pages. */
static enum crawl_end find_limit(const struct crawl *c)
{
    const struct crawl_options *o = c->options;

    if (o->duration > 0 && c->now - c->started_at >= o->duration)
        return CRAWL_TIME;
    if (o->bytes > 0 && c->bytes >= o->bytes)
        return CRAWL_BYTES;
    if (c->memory.level == MEMORY_FULL)
        return CRAWL_MEMORY;
    if (o->pages > 0 && c->pages >= (uint64_t)o->pages && c->node == NULL)
        return CRAWL_PAGES;
    if (enough_is_found(c))
        return CRAWL_ENOUGH;
    return CRAWL_RUNNING;
}

/* Is nothing under way, and does the model want no visit? */
static bool is_exhausted(const struct crawl *c)
{
    return c->open == 0 && c->model_idle && c->model_ctx.wake == 0 &&
           post_waiting(c->messages) == 0 && prompts_waiting(c->prompts) == 0 &&
           !search_later_waits(c->search_later) && !looks_wait(c);
}

static enum crawl_end find_end(struct crawl *c)
{
    enum crawl_end limit;

    c->bytes = c->fetch->counts(c->fetch_self).bytes;
    if (is_told_to_stop(c))
        return CRAWL_STOPPED;
    limit = find_limit(c);
    if (limit == CRAWL_PAGES && c->open == 0 && looks_wait(c))
        return CRAWL_RUNNING; /* the last pages get their requisites, unless visits block them */
    if (c->node && limit == CRAWL_RUNNING)
        return node_end(c);
    if (limit != CRAWL_RUNNING || !is_exhausted(c))
        return limit;
    return c->pages == 0 ? CRAWL_STARVED : c->retry ? CRAWL_RETRIED : CRAWL_COMPLETE;
}

/* A full disk pauses the crawl: no request is sent until there is room again. Any other failure of
 * the store ends it. */
static enum crawl_end check_store(struct crawl *c)
{
    char text[sizeof c->trouble];
    enum status st = c->store ? store_health(c->store, text, sizeof text) : ST_OK;

    (void)snprintf(c->trouble, sizeof c->trouble, "%s", st == ST_BUSY ? text : "");
    return st == ST_OK || st == ST_BUSY ? CRAWL_RUNNING : CRAWL_FAILED;
}

static void checkpoint_if_due(struct crawl *c)
{
    if (c->store == NULL || c->now < c->checkpoint_at || c->trouble[0] != '\0')
        return;
    checkpoint_post(c);
    if (c->now < c->paused_until && frontier_in_flight(c->frontier) == 0)
        c->checkpoint_at = c->now + PAUSED_STEP; /* little can happen meanwhile */
}

/* ---- messages and time --------------------------------------------------- */

void crawl_send(void *engine, const struct message *msg)
{
    struct crawl *c = engine;
    char sender[AGENT_NAME], receiver[AGENT_NAME], conversation[16];

    if (!post_send(c->messages, msg))
        return;
    (void)snprintf(conversation, sizeof conversation, "%u", msg->conversation);
    crawl_post(c,
               &(struct event){.kind = EVENT_MESSAGE,
                               .message = {.conversation = str_of(conversation),
                                           .performative = msg->performative,
                                           .sender = str_of(agent_name(msg->sender, sender)),
                                           .receiver = str_of(agent_name(msg->receiver, receiver)),
                                           .content = msg->content,
                                           .reply_by = msg->reply_by}});
}

static void on_message(void *crawl, const struct message *msg)
{
    struct crawl *c = crawl;

    if (c->model->ops->talks)
        c->model->ops->talks->receive(c->model, msg);
}

/* Delivers messages, then wakes the model; either may give it a new choice. */
static void model_tick(struct crawl *c)
{
    bool wanted = c->model_ctx.wake && c->model_ctx.wake <= c->now;

    if (wanted)
        c->model_ctx.wake = 0;
    if (post_deliver(c->messages, on_message, c) > 0 || wanted)
        c->model_idle = false;
    if (c->model->ops->talks)
        c->model->ops->talks->tick(c->model);
}

/* One turn of the wheel. */
static void crawl_turn(struct crawl *c)
{
    control_poll(c);                       /* the user: pause, limits, seeds, marks     */
    (void)arrivals_take(c, crawl_wait(c)); /* fetch -> parse -> text -> agent: perceive */
    memory_watch(c);                       /* full: fewer requests, no caches, the end  */
    model_tick(c);                         /* messages, births, deaths                  */
    enough_look(c);                        /* how much of the topic is found?           */
    choices_ask(c);                        /* agent -> frontier: which link next?       */
    requests_release(c);                   /* frontier -> fetch: those that are due     */
    search_later_turn(c);                  /* more places to start, by its pages' words */
    node_turn(c, is_exhausted(c));         /* other machines: links that came, and go   */
    c->end = find_end(c);                  /* limits, nothing left, the user's wish     */
    samples_post(c, false);                /* -> bus: figures of the moment             */
    checkpoint_if_due(c);                  /* -> store: all since the last, at once     */
}

/* Stores why the crawl ended; empty while it runs. A crawl that does not run but has no reason was
 * killed. */
static void post_end(struct crawl *c, const char *sentence)
{
    if (c->store)
        crawl_post(c, &(struct event){.kind = EVENT_KEY, .key = {STR("end"), str_of(sentence)}});
}

enum status crawl_run(struct crawl *c, crawl_watch_fn *watch, void *ctx)
{
    struct crawl_status s;

    c->end = CRAWL_RUNNING;
    c->started_at = c->now = c->model_ctx.now = c->fetch->now(c->fetch_self);
    pace_begin(&c->pace, c->now);
    control_open(c);
    held_calls(c);
    post_end(c, "");
    while (c->end == CRAWL_RUNNING) {
        crawl_turn(c);
        if (c->end == CRAWL_RUNNING)
            c->end = check_store(c);
        if (watch && c->now >= c->watch_at) {
            c->watch_at = c->now + 200 * US_PER_MS;
            crawl_status(c, &s);
            watch(ctx, &s);
        }
    }
    while (c->end != CRAWL_FAILED && arrivals_take(c, 0) > 0)
        ; /* arrived pages are kept, whatever ended the crawl */
    enough_close(c);
    log_line(c->log, LOG_INFO, c->now, "stopped: %s", crawl_end_sentence(c->end));
    control_close(c);
    post_end(c, crawl_end_sentence(c->end));
    samples_post(c, true);
    c->vocab_dirty = !c->fixed_vocab; /* also words not published in a table yet */
    if (c->store)
        checkpoint_post(c);
    else
        figures_post(c);
    return c->end == CRAWL_FAILED ? status_fail(ST_IO, "%s", c->trouble) : ST_OK;
}

void crawl_stop(struct crawl *c)
{
    __atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
}

const char *crawl_end_sentence(enum crawl_end end)
{
    static const char *const sentences[] = {
        [CRAWL_RUNNING] = "still running",
        [CRAWL_PAGES] = "the limit of pages is reached",
        [CRAWL_TIME] = "the time is up",
        [CRAWL_BYTES] = "the limit of bytes is reached",
        [CRAWL_ENOUGH] = "enough of the topic is found (--until)",
        [CRAWL_MEMORY] = "the memory limit is reached (--memory)",
        [CRAWL_COMPLETE] = "no link is left that may be followed",
        [CRAWL_RETRIED] = "what had failed was tried again",
        [CRAWL_STARVED] = "nothing could be fetched",
        [CRAWL_STOPPED] = "stopped by the user",
        [CRAWL_FENCED] = "others have taken the place of this node",
        [CRAWL_FAILED] = "the results cannot be written",
    };

    return sentences[end];
}

/* Returns the number of visits that are under way and will not be replaced by others
 * (pages_wanted()). */
static uint32_t pages_coming(const struct crawl *c)
{
    int64_t wait = pace_answer(&c->pace);
    uint32_t overdue = wait == INT64_MAX ? 0 : frontier_overdue(c->frontier, c->now, wait);

    return frontier_in_flight(c->frontier) - overdue;
}

/* Returns the time left: at the present pace, but not before the choices that wait at one host can
 * be sent; or until the time is up. */
static int64_t time_left(const struct crawl *c)
{
    int64_t pace = -1, drain = frontier_drained(c->frontier, c->now) - c->now;
    int64_t until = c->started_at + c->options->duration - c->now;

    if (c->options->pages > 0)
        pace = pace_left(&c->pace, c->now, pages_missing(c, 0), pages_coming(c));
    if (pace >= 0 && pace < drain)
        pace = drain;
    return c->options->duration > 0 && (pace < 0 || until < pace) ? until : pace;
}

void crawl_status(const struct crawl *c, struct crawl_status *ret)
{
    uint64_t requisite_bytes, requisites = looks_count(c->looks, &requisite_bytes);
    struct frontier_counts f = frontier_counts(c->frontier);
    struct population_counts p = population_counts(c->population);

    *ret = (struct crawl_status){
        .end = c->end,
        .now = c->now,
        .started_at = c->started_at,
        .elapsed = c->elapsed_before + (c->now - c->started_at),
        .pages = c->pages,
        .committed = c->store ? store_committed(c->store) : c->pages,
        .relevant = c->relevant,
        .duplicates = c->duplicates,
        .requisites = requisites,
        .requisite_bytes = requisite_bytes,
        .failed = c->failed,
        .pages_limit = (uint64_t)c->options->pages,
        .relevance_sum = c->relevance_sum,
        .received = c->bytes_before + c->bytes,
        .urls = f.urls,
        .hosts = f.hosts_paged,
        .hosts_met = f.hosts,
        .waiting = f.waiting + f.wishes,
        .held = f.held,
        .in_flight = f.in_flight,
        .alive = p.alive,
        .born = p.born,
        .is_node = c->node != NULL,
        .left = time_left(c),
        .outlook = c->outlook,
        .trouble = c->trouble,
    };
}

const char *crawl_complaint(const struct crawl *c)
{
    return c->complaint;
}

const char *crawl_dir(const struct crawl *c)
{
    return c->dir;
}

const struct topic *crawl_topic(const struct crawl *c)
{
    return c->topic;
}

const char *crawl_said(const struct crawl *c)
{
    return c->said ? c->said : "";
}

struct bus *crawl_bus(struct crawl *c)
{
    return c->bus;
}
