/* step.c - a forager's way: where next, what it sees, what it learns.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GONE_AGAIN (3600 * US_PER_S) /* what could not be had is tried again after that */
#define REST       (600 * US_PER_S)  /* of a forager that has nowhere to start */
#define REST_LOOKS 1000              /* a rest counts as this many looks without a find */

/* ---- where next ------------------------------------------------------------------ */

/* Algorithm 1. The path's steps stay for answers that come late. */
static void end_path(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    size_t n = f->path.nsteps;
    struct weblog_step *steps;

    if (n > 0 && has_weblog(f)) {
        steps = mem_zero(n, sizeof *steps);
        for (size_t i = 0; i < n; i++) {
            const struct forage_step *s = &f->path.steps[i];

            steps[i].url = s->url;
            steps[i].gain = options_of(m)->gain == GAIN_NET ? s->profit : s->rewards;
        }
        weblog_update(&f->weblog, steps, n, options_of(m)->beta);
        for (size_t i = 0; i < n; i++)
            f->path.steps[i].revisited = steps[i].revisited;
        free(steps);
    }
    st->paths += n > 0;
    if (n > 0 && options_of(m)->lag > 0) {
        struct forage_path over = f->path;

        f->path = f->past;
        f->path.id = over.id;
        f->past = over;
        forage_path_end(&f->past, &st->pages);
    }
    forage_path_begin(&f->path, &st->pages);
}

/* There is nowhere to start: after a rest it begins where it was born. */
static bool rest(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);

    if (f->rests == 0) {
        st->in_vain += REST_LOOKS;
        f->rests = st->looks > 0 ? m->ctx->now + REST : 0;
    } else if (m->ctx->now >= f->rests) {
        f->rests = 0;
        weblog_copy(&st->seeds, &f->weblog);
        return true;
    }
    return false;
}

static bool start_path(struct model *m, struct forager *f)
{
    size_t starts = weblog_starts(&f->weblog, (size_t)options_of(m)->start_size);

    if (starts == 0 && rest(m, f))
        starts = weblog_starts(&f->weblog, (size_t)options_of(m)->start_size);
    if (starts == 0)
        return false;
    end_path(m, f);
    f->to =
        f->weblog
            .entries[weblog_draw(&f->weblog, starts, options_of(m)->starts == STARTS_RATE, &f->rng)]
            .url;
    f->at_start = true;
    return true;
}

uint32_t forager_best_place(struct model *m, struct forager *f)
{
    return has_learning(f) ? forage_path_best(&f->path, &foragers_of(m)->pages, &f->td)
                           : forage_path_best_fixed(&f->path);
}

/* Algorithm 11: `steps` choices after the start, then another path. */
bool forager_choose(struct model *m, struct forager *f)
{
    struct forage_path *path = &f->path;

    f->at_start = false;
    if (f->looking && f->look < f->nlooks) {
        f->to = f->looks[f->look++];
        return true;
    }
    if (path->nsteps > 0 && path->nsteps <= (size_t)options_of(m)->steps)
        f->to = forager_best_place(m, f);
    return f->to != 0 || start_path(m, f);
}

/* ---- pages ----------------------------------------------------------------------- */

/* Stores the page's newest document and its state, for all foragers. */
static uint32_t remember(struct model *m, uint32_t url, const struct percept *p)
{
    struct foragers *st = foragers_of(m);
    uint32_t record = forage_pages_at(&st->pages, url);
    struct forage_page *page = forage_page(&st->pages, record);
    int64_t now = m->ctx->now, date = p->date ? p->date : p->body->date;

    page->gone = false;
    page->looked_at = now;
    page->document = (struct document){
        .id = p->page && options_of(m)->identity == IDENTITY_URL ? p->choice.url : p->page,
        .date = date && date < now ? date : now,
        .relevance = (double)p->profile->relevance,
    };
    foragers_set_state(m, record, p->profile);
    return record;
}

static void note_look(struct model *m, const struct percept *p)
{
    struct foragers *st = foragers_of(m);

    st->looks++;
    st->in_vain++;
    if (p->page == 0 || p->change == CHANGE_NONE || (p->change == CHANGE_NEW && !p->first))
        return;
    st->in_vain = 0;
    foragers_study(m, p);
}

/* Sets the value of a page that it looked at, for its frontier. */
static void value_place(struct model *m, struct forager *f, uint32_t url)
{
    struct foragers *st = foragers_of(m);
    uint32_t record = forage_pages_find(&st->pages, url);

    if (!has_learning(f) && record)
        forage_path_value(&f->path, url, td_value(&f->td, forage_state(&st->pages, record)));
}

/* kind=rl: all foragers start at the seeds and at the pages visited first. */
static void found_start(struct model *m, uint32_t url)
{
    struct foragers *st = foragers_of(m);

    if (st->fleet.most[KIND_RL] == 0 || st->seeds.count >= (size_t)options_of(m)->start_size ||
        !weblog_add(&st->seeds, url, 0))
        return;
    for (uint32_t i = 0; i < population_counts(m->ctx->population).alive; i++)
        if (!has_weblog(forager_nth(m, i)))
            (void)weblog_add(&forager_nth(m, i)->weblog, url, 0);
}

/* A feed lists new pages before any page links to them: a forager that finds one may begin there,
 * as at a seed. This happens only once: a feed that proved bad is not added again. */
static void found_feed(struct model *m, struct forager *f, const struct percept *p)
{
    if (!options_of(m)->feeds || p->body->kind != PAGE_FEED || !p->first)
        return;
    if (has_weblog(f))
        (void)weblog_add(&f->weblog, p->choice.url, 0);
    else
        found_start(m, p->choice.url);
}

static void take_link(struct model *m, struct forager *f, struct link_mark *mark)
{
    struct foragers *st = foragers_of(m);
    uint32_t record;

    (void)forage_path_meet(&f->path, &st->pages, mark->url, (size_t)options_of(m)->frontier);
    record = forage_pages_find(&st->pages, mark->url);
    if (record && forage_page(&st->pages, record)->document.id)
        mark->score = td_value(&f->td, forage_state(&st->pages, record));
    MEM_GROW(f->looks, f->nlooks, &f->looks_cap);
    f->looks[f->nlooks++] = mark->url;
}

/* Takes the linked pages into the frontier, and to be looked at once each. Of a sitemap, which
 * lists everything, pages that were not visited come first. */
static void take_links(struct model *m, struct forager *f, struct percept *p)
{
    size_t most = options_of(m)->links ? (size_t)options_of(m)->links : LINKS_MAX;
    int rounds = p->body->kind == PAGE_SITEMAP ? 2 : 1;
    struct map met;
    bool is_new;

    map_init(&met);
    f->nlooks = f->look = 0;
    for (int round = 1; round <= rounds; round++)
        for (uint32_t i = 0; i < p->body->nlinks && f->nlooks < most; i++) {
            struct link_mark *mark = &p->marks[i];

            if (mark->url == 0 || mark->drop != DROP_NONE || mark->url == p->choice.url ||
                (round < rounds && mark->taken))
                continue;
            (void)map_at(&met, hash_u64(mark->url), 1, &is_new);
            if (is_new)
                take_link(m, f, mark);
        }
    map_free(&met);
}

static void arrive_at_step(struct model *m, struct forager *f, struct percept *p)
{
    struct foragers *st = foragers_of(m);
    struct weblog_entry *entry = weblog_find(&f->weblog, f->to);

    if (entry)
        entry->failures = 0;
    forage_path_visit(&f->path, &st->pages, f->to);
    if (p->choice.url != f->to) { /* a redirect: not twice on one path */
        (void)forage_path_meet(&f->path, &st->pages, p->choice.url,
                               (size_t)options_of(m)->frontier);
        forage_path_close(&f->path, p->choice.url);
    }
    agent_moved(m->ctx->population, f->id, p->choice.url);
    found_start(m, f->to);
    take_links(m, f, p);
    f->looking = true;
}

void forager_arrive(struct model *m, struct forager *f, struct percept *p)
{
    struct foragers *st = foragers_of(m);
    struct document document;
    int64_t units;

    note_look(m, p);
    weblog_looked(&f->weblog, f->to, m->ctx->now, p->change == CHANGE_TEXT);
    document = forage_page(&st->pages, remember(m, p->choice.url, p))->document;
    found_feed(m, f, p);
    if (p->choice.url != f->to)
        (void)remember(m, f->to, p);
    if (f->looking)
        value_place(m, f, f->to);
    else
        arrive_at_step(m, f, p);
    units = forager_send(m, f, &document);
    forager_book(m, f, units, p->page, p->first);
    f->to = 0;
}

/* Was a forager there a moment ago, or was the page not available? Then it need not
 * be requested again. */
bool forager_looks_back(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    int64_t now = m->ctx->now, recheck = options_of(m)->recheck, units;
    uint32_t record = forage_pages_find(&st->pages, f->to);
    const struct forage_page *page = record ? forage_page(&st->pages, record) : NULL;
    struct document document;

    if (page == NULL || page->looked_at == 0)
        return false;
    if (page->gone && recheck < GONE_AGAIN)
        recheck = GONE_AGAIN;
    if (now - page->looked_at >= recheck && !(f->waits && page->looked_at >= f->waits))
        return false;
    st->looks++;
    st->in_vain++;
    if (page->gone) {
        forage_path_close(&f->path, f->to);
    } else {
        document = page->document;
        value_place(m, f, f->to);
        units = forager_send(m, f, &document);
        forager_book(m, f, units, 0, false);
    }
    f->to = 0;
    f->waits = 0;
    return true;
}

static void start_failed(struct model *m, struct forager *f)
{
    struct weblog_entry *entry = weblog_find(&f->weblog, f->to);

    (void)m;
    if (entry && ++entry->failures >= TRIES)
        weblog_remove(&f->weblog, f->to);
}

void forager_miss(struct model *m, struct forager *f, enum drop why)
{
    struct foragers *st = foragers_of(m);
    struct forage_page *page;

    st->in_vain++;
    if (f->at_start)
        start_failed(m, f);
    forage_path_close(&f->path, f->to);
    if (why != DROP_SEEN) { /* otherwise another forager is fetching it, by another URL */
        page = forage_page(&st->pages, forage_pages_at(&st->pages, f->to));
        page->gone = true;
        page->looked_at = m->ctx->now;
    }
    f->to = 0;
}

/* ---- learning -------------------------------------------------------------------- */

static void tell(struct model *m, const struct forager *f, uint32_t url, double profit)
{
    struct foragers *st = foragers_of(m);
    struct population *p = m->ctx->population;
    char text[64];

    (void)snprintf(text, sizeof text, "%u %g", url, profit);
    for (uint32_t id = population_after(p, 0); id; id = population_after(p, id)) {
        if (id == f->id)
            continue;
        st->told++;
        m->ctx->talk->send(m->ctx->engine, &(struct message){.sender = f->id,
                                                             .receiver = id,
                                                             .performative = STR("inform"),
                                                             .content = str_of(text)});
    }
}

/* Treated like a URL that it had passed once and found worth this much, starting from 0. */
void forager_hear(struct model *m, struct forager *f, uint32_t url, double profit)
{
    struct foragers *st = foragers_of(m);

    if (!isfinite(profit))
        return;
    if (has_weblog(f))
        (void)weblog_add(&f->weblog, url, options_of(m)->beta * profit);
    else if (f->path.nsteps > 0)
        (void)forage_path_meet(&f->path, &st->pages, url, (size_t)options_of(m)->frontier);
}

/* Algorithm 4, once for each transition, when all gains of the step are known. */
void forager_learn(struct model *m, struct forager *f)
{
    const struct foragers_options *o = options_of(m);
    struct foragers *st = foragers_of(m);
    struct forage_path *path = &f->path;
    size_t n = path->nsteps;
    struct forage_step *step;
    bool is_last;

    if (n == 0)
        return;
    step = &path->steps[n - 1];
    is_last = n == (size_t)o->steps + 1 || path->open == 0;
    if (has_learning(f) && n > 1 &&
        !td_learn(&f->td, &st->td, forage_path_state(path, &st->pages, n - 2),
                  is_last && o->last == LAST_REWARD ? NULL
                                                    : forage_path_state(path, &st->pages, n - 1),
                  step->profit))
        forager_says_diverged(m, f);
    step->learned = true;
    if (o->talk && step->rewards > 0)
        tell(m, f, step->url, step->profit);
}
