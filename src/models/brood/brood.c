/* brood.c - a population of policies on one frontier, over a guide that learns what the topic
 * is and a predictor that learns which links pay.
 *
 * In: a page and its links. Out: the link whose page is most probably of the topic, as one of
 * the agents sees it.
 *
 *     guide      is this page of the topic? from words, start pages, examples   text/guide.h
 *     words      the words in and around links, to be weighed again             link_words.h
 *     map        what pages, hosts, directories and places on pages brought     web_map.h
 *     predictor  what is this link worth?                                       predictor.h
 *     policies   who chooses, and how it differs from the others                policies.h
 *
 * A link is scored when a page names it, and again when the yield of a page that links to it
 * has moved. All are scored again when the guide or the predictor has learned something.
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

#define CONTEXT    8                /* words on each side of an anchor */
#define FAR_SEED   0.5              /* a start page that counts less is named */
#define STATE_MARK (UINT32_MAX - 2) /* before a state; version 0.2 has none */
#define CANDIDATES LINK_QUEUE_FRONT /* links among which a policy chooses */

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
     .help = "visited pages that the guide learns from: a fair draw",
     .source = "ours; about 2.5 KB each, part of every checkpoint",
     OFFSET(memory)},
    {.name = NULL},
};

/* A visit under way, with the numbers its link had; bias 0: a seed, which had none. */
struct visit {
    uint32_t url, agent;
    float score;
    float x[FEATURES];
};

struct brood {
    struct greedy links; /* first: greedy_wishes() */
    struct guide *guide;
    struct web_map map;
    struct link_words words;
    struct predictor predictor;
    struct policies policies;
    struct url_set seeds;
    struct visit *visits;
    size_t nvisits, visits_cap;
    char *far; /* what was said of start pages; NULL: nothing */
};

static struct brood *brood_of(struct model *m)
{
    const struct brood_options *o = m->options;
    struct brood *b = m->state;

    if (b->guide == NULL) {
        struct guide_config config = {(size_t)o->memory, o->seeds != 0};

        greedy_init(m, &b->links, 0, PARENTS_FIRST);
        b->guide = guide_new(m->ctx->topic, &config);
        web_map_init(&b->map);
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

/* Among the best links of a host, the one that the agent likes most. */
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

        const struct map_link *l = web_map_find(&b->map, some[i].id);

        if (l == NULL || url_set_has(&b->seeds, some[i].id))
            continue;
        link_features(&b->map, l, x);
        likes = policy_likes(m, agent, b->predictor.w, x);
        if (likes > most) {
            most = likes;
            ret = some[i].id;
        }
    }
    return ret;
}

static bool brood_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct brood *b = brood_of(m);
    uint32_t agent = policies_draw(m, &b->policies), url = best_for(m, b, agent, host);
    struct map_link *l = web_map_find(&b->map, url);
    struct visit *v;

    if (url == 0)
        return false;
    *ret = (struct choice){
        .url = url, .agent = agent, .score = (float)link_queue_pick(&b->links.queue, url)};
    MEM_GROW(b->visits, b->nvisits, &b->visits_cap);
    v = &b->visits[b->nvisits++];
    *v = (struct visit){.url = url, .agent = agent, .score = ret->score};
    if (l && l->parents && !url_set_has(&b->seeds, url))
        link_features(&b->map, l, v->x);
    if (l)
        l->is_waiting = false;
    return true;
}

static bool visit_is(const struct visit *v, const struct choice *c)
{
    return v->agent == c->agent && memcmp(&v->score, &c->score, sizeof v->score) == 0;
}

/* The visit that is answered: by its URL; after a redirect by its agent and its score. */
static bool visit_end(struct brood *b, const struct choice *c, struct visit *ret)
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

/* A redirect led to a page that others may link to by its own URL. */
static void redirected(struct brood *b, uint32_t url, uint32_t page)
{
    struct map_link *l = web_map_link(&b->map, url);

    if (l->page == 0)
        web_map_leads_to(&b->map, url, page);
    l->is_waiting = false;
    if (link_queue_has(&b->links.queue, url))
        (void)link_queue_pick(&b->links.queue, url);
}

/* ---- scores ---- */

static void rescore(struct model *m, struct brood *b, uint32_t url)
{
    struct map_link *l = &b->map.links[url];
    float x[FEATURES];

    l->is_dirty = false;
    if (!l->is_waiting || url_set_has(&b->seeds, url))
        return;
    link_features(&b->map, l, x);
    if (greedy_set(m, &b->links, url, link_worth(b->predictor.w, x), false) == url)
        l->is_waiting = false;
}

static void rescore_all(struct model *m, struct brood *b)
{
    for (uint32_t url = 1; url < b->map.nlinks; url++)
        if (b->map.links[url].is_waiting)
            rescore(m, b, url);
    b->map.ndirty = 0;
}

static double near(void *ctx, uint32_t page)
{
    return web_map_near(&((struct brood *)ctx)->map, page);
}

static void set_label(void *ctx, uint32_t page, double p)
{
    ((struct brood *)ctx)->map.pages[page].p = (float)p;
}

/* A start page of a small weight is named, once. */
static void tell_far_seeds(struct model *m, struct brood *b)
{
    struct buf text = BUF_INIT(KIB(64));

    for (uint32_t i = 0; m->ctx->tell && i < b->map.npages; i++) {
        uint32_t url = b->map.pages[i].url;
        double weight = url_set_has(&b->seeds, url) ? guide_seed_weight(b->guide, i) : 1;

        if (weight < FAR_SEED)
            buf_addf(&text, "%s%.*s counts as %.2f of a start page", text.len ? "; " : "",
                     STR_ARG(m->ctx->tell->href(m->ctx->engine, url)), weight);
    }
    if (text.len > 0 && !text.full && !(b->far && strcmp(b->far, text.data) == 0)) {
        m->ctx->tell->keep(m->ctx->engine, "seeds.far", buf_str(&text));
        free(b->far);
        b->far = str_dup(buf_str(&text));
        buf_add_z(&text, ", because it is far from the topic's words and from any other start "
                         "page (with --seeds-are places, start pages are no examples)");
        m->ctx->talk->say(m->ctx->engine, text.data);
    }
    buf_free(&text);
}

/* What the words of URLs say changes with a training. */
static void read_urls(struct model *m, struct brood *b)
{
    for (uint32_t url = 1; m->ctx->tell && url < b->map.nlinks; url++)
        if (b->map.links[url].is_waiting)
            b->map.links[url].name =
                (float)guide_url(b->guide, m->ctx->tell->href(m->ctx->engine, url));
}

static void learn(struct model *m, struct brood *b)
{
    bool all = false;

    if (guide_is_due(b->guide)) {
        guide_train(b->guide, m->ctx->table, near, set_label, b);
        web_map_count(&b->map);
        link_words_weigh(&b->words, &b->map, b->guide);
        read_urls(m, b);
        tell_far_seeds(m, b);
        all = true;
    }
    if (predictor_is_due(&b->predictor)) {
        predictor_fit(&b->predictor, &b->map);
        all = true;
    }
    for (size_t i = 0; i < b->map.ndirty && !all; i++)
        rescore(m, b, b->map.dirty[i]);
    b->map.ndirty = 0;
    if (all)
        rescore_all(m, b);
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

/* The groups of a URL that is named for the first time. */
static void link_group(struct model *m, struct brood *b, const struct page *body,
                       const struct link *link, uint32_t url)
{
    uint32_t host = m->ctx->late ? m->ctx->late->host(m->ctx->engine, url) : 0;
    struct str path = link->tag_path < body->ntag_paths ? body->tag_paths[link->tag_path] : STR("");
    uint32_t of_host = web_map_group(&b->map, host);
    uint32_t directory = web_map_group(&b->map, hash_str(url_directory(link->url)));
    uint32_t place = web_map_group(&b->map, hash_u64(hash_str(path) + host));
    struct map_link *l = web_map_link(&b->map, url);

    l->host = of_host;
    l->directory = directory;
    l->place = place;
}

static void take_link(struct model *m, struct brood *b, const struct percept *p, uint32_t number)
{
    const struct link *link = &p->body->links[number];
    const struct link_mark *mark = &p->marks[number];
    struct span around = {link->anchor.from > CONTEXT ? link->anchor.from - CONTEXT : 0,
                          link->anchor.to + CONTEXT};
    struct map_link *l;

    if (mark->url == 0 || mark->drop != DROP_NONE)
        return;
    if (web_map_link(&b->map, mark->url)->host == 0) {
        link_group(m, b, p->body, link, mark->url);
        web_map_link(&b->map, mark->url)->name = (float)guide_url(b->guide, link->url);
    }
    l = web_map_names(&b->map, mark->url);
    if (l == NULL)
        return;
    l->is_waiting |= !mark->taken;
    l->section += (float)guide_span(b->guide, link->node);
    link_words_add(&b->words, &b->map, b->guide, p->profile, link->anchor, around);
}

/* What the database keeps of the links: their scores. */
static void tell_scores(const struct brood *b, struct percept *p)
{
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        const struct heap_item *item =
            mark_is_open(&p->marks[i]) ? link_queue_find(&b->links.queue, p->marks[i].url) : NULL;

        if (item)
            p->marks[i].score = (float)-item->key;
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
    struct visit v = {0};
    bool is_answer = p->choice.url && visit_end(b, &p->choice, &v);
    uint32_t url = is_answer ? v.url : p->choice.url, page;
    double label = p->hearsay /* the words around a link are no page to learn from */
                       ? (double)p->profile->relevance
                       : guide_add(b->guide, p->profile, m->ctx->table, (uint32_t)b->map.npages,
                                   url && url_set_has(&b->seeds, url) && !page_is_list(p->body));

    page = web_map_visit(&b->map, url, label, (double)p->profile->similarity);
    b->map.pages[page].number = p->page;
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

        if (url_set_has(&b->seeds, p->url)) /* their label is what they count as examples */
            own = guide_seed_probability(b->guide, (uint32_t)i, own);
        if (p->number)
            fn(ctx, p->number, (float)own);
    }
}

static void brood_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct visit v;

    (void)why;
    (void)visit_end(brood_of(m), c, &v);
}

/* ---- checkpoint ---- */

static const struct field visit_fields[] = {
    FIELD(URL, struct visit, url),
    FIELD(U32, struct visit, agent),
    FIELD(FINE, struct visit, score),
    FIELD(FINE, struct visit, x),
    FIELD_END,
};

static const struct field old_visit_fields[] = {
    FIELD(URL, struct visit, url),
    FIELD(U32, struct visit, agent),
    FIELD(FINE, struct visit, score),
    FIELD_FIRST(FINE, struct visit, x, FEATURES_0_2),
    FIELD_END,
};

static void brood_save(const struct model *m, struct buf *out)
{
    const struct brood *b = m->state;

    buf_put_u32(out, STATE_MARK);
    url_set_save(&b->seeds, out);
    guide_save(b->guide, out);
    web_map_save(&b->map, out);
    link_words_save(&b->words, &b->map, out);
    predictor_save(&b->predictor, out);
    policies_save(m, &b->policies, out);
    fields_save_all(visit_fields, b->visits, b->nvisits, sizeof *b->visits, out);
    greedy_save(&b->links, out);
}

static enum status load_visits(struct brood *b, struct cursor *from, bool is_old)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        MEM_GROW(b->visits, b->nvisits, &b->visits_cap);
        b->visits[b->nvisits] = (struct visit){.url = 0};
        fields_load(is_old ? old_visit_fields : visit_fields, &b->visits[b->nvisits++], from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved visits are cut or broken") : ST_OK;
}

static enum status brood_load(struct model *m, struct str state)
{
    struct brood *b = brood_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    uint32_t mark = cursor_u32(&c);
    bool is_old = mark != STATE_MARK;
    enum status st;

    if (is_old)
        c = (struct cursor){.rest = state, .most = m->ctx->urls};
    st = url_set_load(&b->seeds, &c);
    if (st == ST_OK)
        st = guide_load(b->guide, &c, !is_old);
    if (st == ST_OK)
        st = web_map_load(&b->map, &c, is_old);
    if (st == ST_OK && !is_old)
        st = link_words_load(&b->words, &b->map, &c);
    if (st == ST_OK && !guide_knows_no_page_from(b->guide, b->map.npages))
        st = status_fail(ST_CORRUPT, "the saved guide remembers pages that are not there");
    for (uint32_t i = 0; st == ST_OK && i < b->map.npages; i++)
        b->map.pages[i].is_example = is_example(b, i);
    if (st == ST_OK)
        st = predictor_load(&b->predictor, &c, b->map.npages, is_old);
    if (st == ST_OK)
        st = policies_load(m, &b->policies, &c, is_old);
    if (st == ST_OK)
        st = load_visits(b, &c, is_old);
    return st == ST_OK ? greedy_load(&b->links, &c) : st;
}

/* ---- for people ---- */

static void brood_describe(const struct model *m, struct json *j)
{
    const struct brood *b = m->state;

    greedy_describe(&b->links, j);
    json_put_int(j, "trainings", (int64_t)guide_trainings(b->guide));
    json_put_int(j, "fits", (int64_t)b->predictor.fits);
    json_put_num(j, "found", (double)b->map.all.sum);
    json_put_num(j, "mean", b->policies.mean);
}

static void brood_finish(struct model *m)
{
    struct brood *b = m->state;

    greedy_clear(&b->links);
    guide_free(b->guide);
    web_map_clear(&b->map);
    link_words_clear(&b->words);
    predictor_clear(&b->predictor);
    url_set_clear(&b->seeds);
    free(b->visits);
    free(b->far);
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
    .parts = &greedy_parts,
    .next = brood_next,
    .perceive = brood_perceive,
    .failed = brood_failed,
    .save = brood_save,
    .load = brood_load,
    .describe = brood_describe,
    .finish = brood_finish,
    .learns = &(const struct model_learns){.taught = brood_taught},
    .judges = &(const struct model_judges){.judge = brood_judge},
    .tells = &(const struct model_tells){.tell = policy_tell},
};
