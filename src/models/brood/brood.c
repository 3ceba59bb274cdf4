/* brood.c - a population of policies on one frontier, over a guide that learns what the topic
 * is and a predictor that learns which links pay.
 *
 * In: a page and its links. Out: the link whose page is most likely to be about the topic, as
 * one of the agents judges it.
 *
 *     guide      is this page of the topic? from words, start pages, examples   text/guide.h
 *     words      the words in and around links, to be weighed again             link_words.h
 *     map        what pages, hosts, directories and places on pages brought     web_map.h
 *     predictor  what is this link worth?                                       predictor.h
 *     policies   who chooses, and how it differs from the others                policies.h
 *
 * A link is scored when a page names it, and again when the yield of a page that links to it has
 * changed. When the guide or the predictor has learned something, all are scored again: at once
 * where there are at most SWEEP_AT_ONCE edges, otherwise the best BEST_AT_ONCE at once, and the
 * others by a sweep over the pages that takes a few of them after each page.
 * SPDX-License-Identifier: MIT */
#include "agent/greedy.h"
#include "agent/model.h"
#include "agent/population.h"
#include "agent/url_set.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "models/brood/link_words.h"
#include "models/brood/policies.h"
#include "models/brood/predictor.h"
#include "models/brood/web_map.h"
#include "text/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT       8                /* words on each side of an anchor */
#define FAR_SEED      0.5              /* start pages with a lower weight are reported */
#define FAR_NAMED     3                /* as many by name; the others are counted */
#define STATE_MARK    (UINT32_MAX - 3) /* before a state; version 0.2 has none */
#define CANDIDATES    LINK_QUEUE_FRONT /* links from which a policy chooses */

#define SWEEP_AT_ONCE 65536
#define BEST_AT_ONCE  8192
#define SWEEP_SPEED \
    2 /* edges for each page, as a multiple of the mean: all are done in half of the pages so far */

/* Where the parts are, and of which size: in the state itself or beside it. */
enum { OLD_WHOLE, IN_PARTS, IN_FINE_PARTS, WHOLE };

/* Parts of the state; those of the queue begin at 0. */
#define MAP_AT     (UINT32_C(1) << 26)
#define WORDS_AT   (UINT32_C(1) << 27)
#define SAMPLES_AT (WORDS_AT + (UINT32_C(1) << 24))
#define GUIDE_AT   (UINT32_C(1) << 28)

struct brood_options {
    int64_t population;
    double spread;
    int seeds;
    int64_t memory;
};

#define OFFSET(field) .offset = offsetof(struct brood_options, field)

static const struct option brood_option_table[] = {
    {.name = "population",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "12",
     .min = 1,
     .max = 1000,
     .help = "agents; 1: the predictor alone chooses",
     .source = "ours",
     OFFSET(population)},
    {.name = "spread",
     .type = OPTION_REAL,
     .metavar = "S",
     .fallback = "0.05",
     .min = 0,
     .max = 10,
     .help = "how far a child's weights lie from its parent's",
     .source = "ours",
     OFFSET(spread)},
    {.name = "seeds",
     .type = OPTION_CHOICE,
     .fallback = "examples",
     .choices = "examples|places",
     .help = "start pages are examples of the topic, or only places to begin",
     .source = "ours",
     OFFSET(seeds)},
    {.name = "memory",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "2000",
     .min = 25,
     .max = 1e6,
     .help = "visited pages that the guide learns from, drawn at random",
     .source = "ours; about 2.5 KB each. A checkpoint writes only the parts that changed",
     OFFSET(memory)},
    {.name = NULL},
};

/* A visit under way, with the numbers that its link had; bias 0: a seed, which had none. */
struct open_visit {
    uint32_t url, agent;
    float score;
    float x[FEATURES];
};

/* Pages whose links are being scored again. */
struct sweep {
    uint32_t at, left; /* the next page; how many are left */
    bool counts;       /* the guide was trained: yields and words of URLs are computed again */
};

struct brood {
    struct greedy links; /* must be first: greedy_wishes() */
    struct guide *guide;
    struct web_map map;
    struct link_words words;
    struct predictor predictor;
    struct policies policies;
    struct url_set seeds;
    struct sweep sweep;
    struct open_visit *visits;
    size_t nvisits, visits_cap;
    uint64_t far; /* which start pages were reported as far from the topic; 0: none */
};

static uint32_t host_of(void *model, uint32_t url)
{
    const struct model_ctx *ctx = ((struct model *)model)->ctx;

    return ctx->late ? ctx->late->host(ctx->engine, url) : 0;
}

static struct brood *brood_of(struct model *m)
{
    const struct brood_options *o = m->options;
    struct brood *b = m->state;

    if (b->guide == NULL) {
        struct guide_config config = {.memory = (size_t)o->memory,
                                      .seeds_are_places = o->seeds != 0};

        greedy_init(m, &b->links, 0, PARENTS_FIRST);
        b->guide = guide_new(m->ctx->topic, &config);
        web_map_init(&b->map);
        b->map.host = host_of;
        b->map.host_ctx = m;
        predictor_init(&b->predictor);
        policies_init(m, &b->policies, (uint32_t)o->population, o->spread);
    }
    return b;
}

static void brood_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct brood *b = brood_of(m);

    policies_begin(m, &b->policies);
    for (size_t i = 0; i < count; i++)
        if (url_set_add(&b->seeds, urls[i]))
            (void)greedy_set(m, &b->links, urls[i], 1.0, false);
}

/* ---- choosing ---- */

/* Returns the link that the agent likes most among the best links of a host. */
static uint32_t best_for(const struct model *m, struct brood *b, uint32_t agent, uint32_t host)
{
    struct heap_item some[CANDIDATES];
    size_t n = link_queue_front(&b->links.queue, host, some, b->policies.size > 1 ? CANDIDATES : 1);
    uint32_t ret = n ? some[0].id : 0;
    double most = -INFINITY;

    if (n < 2 || url_set_has(&b->seeds, ret))
        return ret;
    for (size_t i = 0; i < n; i++) {
        float x[FEATURES];
        double likes;

        if (web_map_find(&b->map, some[i].id) == NULL || url_set_has(&b->seeds, some[i].id))
            continue;
        link_features(&b->map, some[i].id, x);
        likes = policy_likes(m, agent, b->predictor.w, x);
        if (likes > most) {
            most = likes;
            ret = some[i].id;
        }
    }
    return ret;
}

static void stop_waiting(struct brood *b, uint32_t url)
{
    b->map.links[url].is_waiting = false;
    web_map_link_changed(&b->map, url);
}

static bool brood_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct brood *b = brood_of(m);
    uint32_t agent = policies_draw(m, &b->policies), url = best_for(m, b, agent, host);
    struct map_link *l = web_map_find(&b->map, url);
    struct open_visit *v;

    if (url == 0 || agent == 0)
        return false;
    *ret = (struct choice){
        .url = url, .agent = agent, .score = (float)link_queue_pick(&b->links.queue, url)};
    MEM_GROW(b->visits, b->nvisits, &b->visits_cap);
    v = &b->visits[b->nvisits++];
    *v = (struct open_visit){.url = url, .agent = agent, .score = ret->score};
    if (l && l->parents && !url_set_has(&b->seeds, url))
        link_features(&b->map, url, v->x);
    if (l)
        stop_waiting(b, url);
    return true;
}

static bool visit_is(const struct open_visit *v, const struct choice *c)
{
    return v->agent == c->agent && memcmp(&v->score, &c->score, sizeof v->score) == 0;
}

/* Finds the visit that is answered: by its URL, or after a redirect by its agent and score. */
static bool visit_end(struct brood *b, const struct choice *c, struct open_visit *ret)
{
    size_t at = 0;

    while (at < b->nvisits && b->visits[at].url != c->url)
        at++;
    if (at == b->nvisits)
        for (at = 0; at < b->nvisits && !visit_is(&b->visits[at], c);)
            at++;
    if (at == b->nvisits)
        return false;
    *ret = b->visits[at];
    b->nvisits--;
    memmove(&b->visits[at], &b->visits[at + 1], (b->nvisits - at) * sizeof *b->visits);
    return true;
}

/* A URL redirected to a page that other pages may link to by its own URL. */
static void redirected(struct brood *b, uint32_t url, uint32_t page)
{
    if (!web_map_link(&b->map, url)->is_visited)
        web_map_leads_to(&b->map, url, page);
    if (link_queue_has(&b->links.queue, url))
        (void)link_queue_pick(&b->links.queue, url);
}

/* ---- scores ---- */

static void rescore(struct model *m, struct brood *b, uint32_t url)
{
    struct map_link *l = &b->map.links[url];
    float x[FEATURES], worth;

    l->is_dirty = false;
    if (!l->is_waiting || url_set_has(&b->seeds, url))
        return;
    link_features(&b->map, url, x);
    worth = (float)link_worth(b->predictor.w, x); /* which takes half the room in a checkpoint */
    if (greedy_set(m, &b->links, url, (double)worth, false) == url)
        stop_waiting(b, url);
}

/* Weighs the words of a URL, whose weights change with a training. */
static void read_url(struct model *m, struct brood *b, uint32_t url)
{
    struct map_link *l = &b->map.links[url];
    struct str href = m->ctx->href ? m->ctx->href(m->ctx->engine, url) : STR("");

    if (!l->is_waiting || href.len == 0)
        return;
    l->name = 0;
    fine_add(&l->name, fine_of(guide_url(b->guide, href)));
    web_map_link_changed(&b->map, url);
}

/* Scores the links of a page; each link only at the last page that names it. */
static void sweep_page(struct model *m, struct brood *b, uint32_t page)
{
    const struct map_page *p = &b->map.pages[page];

    if (b->sweep.counts)
        web_map_recount(&b->map, page);
    web_map_expect(&b->map, p);
    for (uint32_t i = p->edge; i < p->edge + p->nedges; i++) {
        uint32_t url = b->map.edges.urls[i];

        if (b->map.links[url].edge != i + 1)
            continue;
        if (b->sweep.counts)
            read_url(m, b, url);
        rescore(m, b, url);
    }
}

/* Continues the sweep for so many edges. */
static void sweep(struct model *m, struct brood *b, size_t edges)
{
    struct sweep *s = &b->sweep;

    for (size_t done = 0; s->left > 0 && done < edges; s->left--) {
        s->at = s->at < b->map.npages ? s->at : 0;
        done += b->map.pages[s->at].nedges + 1;
        sweep_page(m, b, s->at++);
    }
    s->counts &= s->left > 0;
}

/* Begins a sweep after something was learned. Pages are swept in order. If all are swept at once,
 * the yields of all pages that name a link are computed before it is scored. */
static void sweep_begin(struct model *m, struct brood *b, bool counts)
{
    size_t n = 0;
    uint32_t *best;

    b->sweep.left = (uint32_t)b->map.npages;
    b->sweep.counts |= counts;
    if (b->map.nedges <= SWEEP_AT_ONCE) {
        b->sweep.at = 0;
        sweep(m, b, SIZE_MAX);
        return;
    }
    best = link_queue_best_of_all(&b->links.queue, BEST_AT_ONCE, &n);
    for (size_t i = 0; i < n; i++) {
        if (web_map_find(&b->map, best[i]) == NULL)
            continue;
        if (counts)
            read_url(m, b, best[i]);
        rescore(m, b, best[i]);
    }
    free(best);
}

static double near(void *ctx, uint32_t page)
{
    return web_map_near(&((struct brood *)ctx)->map, page);
}

static void set_label(void *ctx, uint32_t page, double p)
{
    web_map_relabel(&((struct brood *)ctx)->map, page, p);
}

/* Does this start page count little? */
static bool is_far_seed(const struct brood *b, uint32_t page)
{
    return url_set_has(&b->seeds, b->map.pages[page].url) &&
           guide_seed_weight(b->guide, page) < FAR_SEED;
}

/* Returns a hash of their numbers; 0: there are none. */
static uint64_t far_seeds(const struct brood *b)
{
    uint64_t which = 0;

    for (uint32_t i = 0; i < b->map.npages; i++)
        if (is_far_seed(b, i))
            which = hash_u64(which + i + 1);
    return which;
}

/* Writes the start pages of low weight, the first FAR_NAMED of them by name. */
static void name_far_seeds(const struct model *m, const struct brood *b, struct buf *text)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < b->map.npages; i++)
        if (is_far_seed(b, i) && n++ < FAR_NAMED)
            buf_addf(text, "%s%.*s counts %.0f %%", text->len ? "; " : "",
                     STR_ARG(m->ctx->href(m->ctx->engine, b->map.pages[i].url)),
                     100 * guide_seed_weight(b->guide, i));
    if (n > FAR_NAMED)
        buf_addf(text, "; and %u more", n - FAR_NAMED);
}

/* Tells the user about them once, and again when others are among them. What `stats` shows follows
 * their weights, which each training may change. */
static void tell_far_seeds(struct model *m, struct brood *b)
{
    struct buf text = BUF_INIT(KIB(64)), note = BUF_INIT(KIB(64));
    uint64_t which = m->ctx->tell ? far_seeds(b) : 0;

    if (which)
        name_far_seeds(m, b, &text);
    if (m->ctx->tell && (which || b->far) && !text.full)
        m->ctx->tell->keep(m->ctx->engine, "seeds.far", buf_str(&text));
    if (which && which != b->far && !text.full) {
        buf_addf(&note, "start pages far from the topic: %s", text.data);
        m->ctx->talk->say(m->ctx->engine, note.data);
    }
    b->far = which;
    buf_free(&text);
    buf_free(&note);
}

static void learn(struct model *m, struct brood *b)
{
    bool is_trained = guide_is_due(b->guide), is_fitted;

    if (is_trained) {
        guide_train(b->guide, m->ctx->table, near, set_label, b);
        web_map_solve(&b->map);
        link_words_weigh(&b->words, &b->map, b->guide);
        tell_far_seeds(m, b);
    }
    is_fitted = predictor_is_due(&b->predictor);
    if (is_fitted)
        predictor_fit(&b->predictor, &b->map);
    if (is_trained || is_fitted)
        sweep_begin(m, b, is_trained);
    for (size_t i = 0; i < b->map.ndirty; i++)
        if (b->map.links[b->map.dirty[i]].is_dirty)
            rescore(m, b, b->map.dirty[i]);
    b->map.ndirty = 0;
    if (b->sweep.left > 0)
        sweep(m, b, SWEEP_SPEED * (b->map.nedges / b->map.npages + 1));
}

/* ---- a page ---- */

static struct str url_directory(struct str url)
{
    const char *query = url.len ? memchr(url.ptr, '?', url.len) : NULL;
    size_t end = query ? (size_t)(query - url.ptr) : url.len;

    while (end > 0 && url.ptr[end - 1] != '/')
        end--;
    return str_sub(url, 0, end);
}

/* Handles a URL that is named for the first time. */
static void meet_link(struct model *m, struct brood *b, const struct page *body,
                      const struct link *link, uint32_t url)
{
    struct str path = link->tag_path < body->ntag_paths ? body->tag_paths[link->tag_path] : STR("");
    struct map_link *l = web_map_link(&b->map, url);

    l->directory = hash_str(url_directory(link->url)) & 0xffffff;
    l->place = (uint16_t)hash_u64(hash_str(path) + host_of(m, url));
    if (!l->is_visited)
        fine_add(&l->name, fine_of(guide_url(b->guide, link->url)));
}

/* A link to another machine: it is sent there, and nothing of it is kept here. */
static void pass_link(struct brood *b, const struct percept *p, const struct link *link)
{
    struct span around = {link->anchor.from > CONTEXT ? link->anchor.from - CONTEXT : 0,
                          link->anchor.to + CONTEXT};

    policies_met(&b->policies, link->url, guide_span(b->guide, around),
                 (uint16_t)(p->depth + (p->depth < UINT16_MAX)));
}

/* The map counts no more pages for this link. If it was chosen and not fetched, because its host
 * went to another machine, it is open again when the host has come back. */
static void reopen_link(struct model *m, struct brood *b, const struct link_mark *mark)
{
    struct map_link *l = web_map_find(&b->map, mark->url);

    if (mark->taken || l == NULL || l->is_visited || l->is_waiting)
        return;
    l->is_waiting = true;
    web_map_link_changed(&b->map, mark->url);
    rescore(m, b, mark->url);
}

static void take_link(struct model *m, struct brood *b, const struct percept *p, uint32_t number)
{
    const struct link *link = &p->body->links[number];
    const struct link_mark *mark = &p->marks[number];
    struct span around = {link->anchor.from > CONTEXT ? link->anchor.from - CONTEXT : 0,
                          link->anchor.to + CONTEXT};
    struct map_link *l;

    if (mark->drop == DROP_FOREIGN)
        pass_link(b, p, link);
    if (mark->url == 0 || mark->drop != DROP_NONE)
        return;
    if (web_map_link(&b->map, mark->url)->edge == 0)
        meet_link(m, b, p->body, link, mark->url);
    l = web_map_names(&b->map, mark->url);
    if (l == NULL)
        reopen_link(m, b, mark);
    if (l == NULL || l->is_visited)
        return;
    l->is_waiting |= !mark->taken;
    fine_add(&l->section, fine_of(guide_span(b->guide, link->node)));
    link_words_add(&b->words, &b->map, b->guide, p->profile, link->anchor, around);
    web_map_link_changed(&b->map, mark->url);
}

/* Writes the scores of the links, which the database keeps. */
static void tell_scores(const struct brood *b, struct percept *p)
{
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct heap_item item;

        if (mark_is_open(&p->marks[i]) && link_queue_find(&b->links.queue, p->marks[i].url, &item))
            p->marks[i].score = (float)-item.key;
    }
}

/* Does the guide learn the topic from this page? */
static bool is_example(const struct brood *b, uint32_t page)
{
    return url_set_has(&b->seeds, b->map.pages[page].url) &&
           guide_seed_probability(b->guide, page, -1) >= 0;
}

static void brood_perceive(struct model *m, struct percept *p)
{
    struct brood *b = brood_of(m);
    struct open_visit v = {0};
    bool is_answer = p->choice.url && visit_end(b, &p->choice, &v);
    uint32_t url = is_answer ? v.url : p->choice.url, page;
    double label = p->hearsay /* the words around a link are not a page to learn from */
                       ? (double)p->profile->relevance
                       : guide_add(b->guide, p->profile, m->ctx->table, (uint32_t)b->map.npages,
                                   url && url_set_has(&b->seeds, url) && !page_is_list(p->body));

    page = web_map_visit(&b->map, url, label, (double)p->profile->similarity);
    b->map.pages[page].number = p->page; /* it was entered as changed */
    if (is_example(b, page))
        web_map_is_example(&b->map, page);
    if (is_answer)
        web_map_leave(&b->map, url, label - b->policies.mean);
    guide_read(b->guide, p->profile, m->ctx->table);
    for (uint32_t i = 0; i < p->body->nlinks; i++)
        take_link(m, b, p, i);
    web_map_close(&b->map);
    if (is_answer && p->choice.url != url)
        redirected(b, p->choice.url, page);
    if (v.x[F_BIAS] > 0)
        predictor_learn(&b->predictor, v.x, page);
    learn(m, b);
    tell_scores(b, p);
    if (is_answer)
        policies_paid(m, &b->policies, p->choice.agent, p, (double)b->map.pages[page].p);
}

static void brood_taught(struct model *m, uint32_t url, const struct term *terms, size_t nterms,
                         int relevant)
{
    guide_teach(brood_of(m)->guide, url, terms, nterms, relevant);
}

static void brood_judge(const struct model *m, judge_fn *fn, void *ctx)
{
    const struct brood *b = m->state;

    for (size_t i = 0; i < b->map.npages; i++) {
        const struct map_page *p = &b->map.pages[i];
        double own = (double)p->p;

        if (url_set_has(&b->seeds, p->url)) /* their label is their weight as examples */
            own = guide_seed_probability(b->guide, (uint32_t)i, own);
        if (p->number)
            fn(ctx, p->number, (float)own);
    }
}

/* Trainings during the crawl are quick, and the last may be half of the pages ago. */
static void brood_conclude(struct model *m)
{
    struct brood *b = brood_of(m);

    if (guide_trainings(b->guide) == 0)
        return;
    guide_be_exact(b->guide);
    guide_train(b->guide, m->ctx->table, near, set_label, b);
}

static void brood_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct open_visit v;

    (void)why;
    (void)visit_end(brood_of(m), c, &v);
}

/* ---- checkpoint ---- */

static const struct field visit_fields[] = {
    FIELD(URL, struct open_visit, url),
    FIELD(U32, struct open_visit, agent),
    FIELD(FINE, struct open_visit, score),
    FIELD(FINE, struct open_visit, x),
    FIELD_END,
};

static const struct field old_visit_fields[] = {
    FIELD(URL, struct open_visit, url),
    FIELD(U32, struct open_visit, agent),
    FIELD(FINE, struct open_visit, score),
    FIELD_FIRST(FINE, struct open_visit, x, FEATURES_0_2),
    FIELD_END,
};

static const struct field sweep_fields[] = {
    FIELD(U32, struct sweep, at),
    FIELD(U32, struct sweep, left),
    FIELD(FLAG, struct sweep, counts),
    FIELD_END,
};

/* Saves all parts but those of queue and map. */
static void save_rest(const struct brood *b, struct buf *out)
{
    link_words_save_all(&b->words, WORDS_AT, out);
    predictor_save_all(&b->predictor, SAMPLES_AT, out);
    guide_save_all(b->guide, GUIDE_AT, out);
}

static void brood_save(const struct model *m, struct buf *out)
{
    const struct brood *b = m->state;
    struct buf parts = BUF_INIT(out->max);

    if (!b->map.in_parts) {
        web_map_save_all(&b->map, MAP_AT, &parts);
        save_rest(b, &parts);
    }
    buf_put_u32(out, STATE_MARK);
    buf_put_u8(out, b->map.in_parts ? IN_FINE_PARTS : WHOLE);
    url_set_save(&b->seeds, out);
    guide_save(b->guide, out);
    web_map_save(&b->map, out);
    link_words_save(&b->words, out);
    predictor_save(&b->predictor, out);
    policies_save(m, &b->policies, out);
    fields_save_all(visit_fields, b->visits, b->nvisits, sizeof *b->visits, out);
    fields_save(sweep_fields, &b->sweep, out);
    buf_put_str(out, buf_str(&parts));
    greedy_save(&b->links, out);
    buf_free(&parts);
}

static void parts_save(struct model *m, struct buf *out)
{
    struct brood *b = m->state;

    greedy_parts.save(m, out);
    if (!b->map.in_parts)
        save_rest(b, out);
    web_map_save_parts(&b->map, MAP_AT, out);
    link_words_save_parts(&b->words, WORDS_AT, out);
    predictor_save_parts(&b->predictor, SAMPLES_AT, out);
    guide_save_parts(b->guide, GUIDE_AT, out);
}

static enum status parts_load(struct model *m, uint32_t number, struct str bytes)
{
    struct brood *b = brood_of(m);
    struct cursor from = {.rest = bytes, .most = m->ctx->urls};

    if (number >= GUIDE_AT)
        return guide_load_part(b->guide, number - GUIDE_AT, &from);
    if (number >= SAMPLES_AT)
        return predictor_load_part(&b->predictor, number - SAMPLES_AT, &from);
    if (number >= WORDS_AT)
        return link_words_load_part(&b->words, number - WORDS_AT, &from);
    if (number >= MAP_AT)
        return web_map_load_part(&b->map, number - MAP_AT, &from);
    return greedy_parts.load(m, number, bytes);
}

/* Is everything but the queue loaded? */
static enum status is_loaded(struct brood *b, bool is_old)
{
    enum status st = is_old ? ST_OK : web_map_loaded(&b->map);

    if (st == ST_OK)
        st = guide_loaded(b->guide, b->map.npages);
    if (st == ST_OK)
        st = predictor_loaded(&b->predictor, b->map.npages);
    for (uint32_t i = 0; st == ST_OK && i < b->map.npages; i++)
        b->map.pages[i].is_example = is_example(b, i);
    if (st == ST_OK && guide_trainings(b->guide) > 0)
        b->far = far_seeds(b); /* the user was told about them after the last training */
    return st;
}

static enum status parts_loaded(struct model *m)
{
    struct brood *b = brood_of(m);
    enum status st = b->map.in_parts ? is_loaded(b, false) : ST_OK;

    return st == ST_OK ? greedy_parts.loaded(m) : st;
}

static const struct model_parts brood_parts = {parts_save, parts_load, parts_loaded};

static enum status load_visits(struct brood *b, struct cursor *from, bool is_old)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        MEM_GROW(b->visits, b->nvisits, &b->visits_cap);
        b->visits[b->nvisits] = (struct open_visit){.url = 0};
        fields_load(is_old ? old_visit_fields : visit_fields, &b->visits[b->nvisits++], from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved visits are cut or broken") : ST_OK;
}

static enum status load_old(struct model *m, struct str state)
{
    struct brood *b = brood_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status st = url_set_load(&b->seeds, &c);

    if (st == ST_OK)
        st = guide_load_old(b->guide, &c);
    if (st == ST_OK)
        st = web_map_load_old(&b->map, &c);
    if (st == ST_OK)
        st = predictor_load_old(&b->predictor, &c);
    if (st == ST_OK)
        st = policies_load(m, &b->policies, &c, true);
    if (st == ST_OK)
        st = load_visits(b, &c, true);
    if (st == ST_OK)
        st = is_loaded(b, true);
    return st == ST_OK ? greedy_load(&b->links, &c) : st;
}

/* Loads what is not in parts; parts are loaded later, or are in the state itself. */
static enum status load_parts(struct model *m, struct brood *b, struct cursor *c)
{
    struct cursor parts;
    enum status st = ST_OK;
    struct str bytes;
    uint32_t number;

    fields_load(sweep_fields, &b->sweep, c);
    parts = (struct cursor){.rest = cursor_str(c)};
    while (st == ST_OK && parts_next(&parts, &number, &bytes))
        st = parts_load(m, number, bytes);
    if (st == ST_OK && (c->bad || parts.bad))
        st = status_fail(ST_CORRUPT, "the saved state is cut or broken");
    return st == ST_OK && !b->map.in_parts ? is_loaded(b, false) : st;
}

static enum status brood_load(struct model *m, struct str state)
{
    struct brood *b = brood_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status st;
    uint8_t how;

    if (cursor_u32(&c) != STATE_MARK)
        return load_old(m, state);
    how = cursor_u8(&c);
    b->map.in_parts = how == IN_PARTS || how == IN_FINE_PARTS;
    b->map.coarse = how == OLD_WHOLE || how == IN_PARTS;
    st = url_set_load(&b->seeds, &c);
    if (st == ST_OK)
        st = guide_load(b->guide, &c);
    if (st == ST_OK)
        st = web_map_load(&b->map, &c);
    if (st == ST_OK)
        st = link_words_load(&b->words, &c);
    if (st == ST_OK)
        st = predictor_load(&b->predictor, &c);
    if (st == ST_OK)
        st = policies_load(m, &b->policies, &c, false);
    if (st == ST_OK)
        st = load_visits(b, &c, false);
    if (st == ST_OK)
        st = load_parts(m, b, &c);
    return st == ST_OK ? greedy_load(&b->links, &c) : st;
}

/* ---- several machines ---- */

static void brood_let_go(struct model *m, uint32_t agent)
{
    struct policies *p = &brood_of(m)->policies;

    if (p->leaver == agent)
        p->leaver = 0;
}

static enum status brood_unpack(struct model *m, uint32_t agent, uint32_t url, struct str state)
{
    return policy_unpack(m, &brood_of(m)->policies, agent, url, state);
}

static uint32_t brood_settles(struct model *m, struct str *ret_url, uint16_t *ret_depth)
{
    return policies_settle(m, &brood_of(m)->policies, ret_url, ret_depth);
}

/* ---- for people ---- */

static void brood_describe(const struct model *m, struct json *j)
{
    const struct brood *b = m->state;

    greedy_describe(&b->links, j);
    json_put_int(j, "trainings", (int64_t)guide_trainings(b->guide));
    json_put_int(j, "fits", (int64_t)b->predictor.fits);
    json_put_num(j, "found", b->map.all.sum);
    json_put_num(j, "mean", b->policies.mean);
}

static void brood_finish(struct model *m)
{
    struct brood *b = m->state;

    greedy_clear(&b->links);
    guide_free(b->guide);
    web_map_clear(&b->map);
    link_words_clear(&b->words);
    policies_clear(&b->policies);
    predictor_clear(&b->predictor);
    url_set_clear(&b->seeds);
    free(b->visits);
}

static float brood_bound(const struct model *m, uint64_t left, double patience)
{
    const struct brood *b = m->state;

    return link_queue_sure_bound(&b->links.queue, left, patience);
}

static const struct model_late brood_late = {greedy_wishes, brood_bound};

const struct model_ops model_brood = {
    .name = "brood",
    .summary = "agents that learn what the topic is and which links pay, and evolve",
    .advice = "For a topic: it finds the most from words and start pages, and is the default.",
    .common = "population seeds memory spread",
    .source = "ours",
    .options = brood_option_table,
    .options_size = sizeof(struct brood_options),
    .state_size = sizeof(struct brood),
    .start = brood_start,
    .late = &brood_late,
    .parts = &brood_parts,
    .next = brood_next,
    .perceive = brood_perceive,
    .failed = brood_failed,
    .save = brood_save,
    .load = brood_load,
    .describe = brood_describe,
    .finish = brood_finish,
    .moves = &(const struct model_moves){.record = policy_record,
                                         .let_go = brood_let_go,
                                         .unpack = brood_unpack,
                                         .settles = brood_settles},
    .learns = &(const struct model_learns){.taught = brood_taught},
    .judges = &(const struct model_judges){.judge = brood_judge, .conclude = brood_conclude},
    .tells = &(const struct model_tells){.tell = policy_tell},
};
