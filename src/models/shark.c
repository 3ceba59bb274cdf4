/* shark.c - Shark-Search: fish that smell how far the food is.
 *
 * In: a page and its links. Out: the best link that waits.
 *
 *     inherited(url)    = delta * sim(q, p)  if sim(q, p) > 0,  else delta * inherited(p)
 *     anchor(url)       = sim(q, anchor text)
 *     context(url)      = 1  if anchor(url) > 0,  else sim(q, text around the anchor)
 *     neighborhood(url) = beta * anchor(url) + (1 - beta) * context(url)
 *     score(url)        = gamma * inherited(url) + (1 - gamma) * neighborhood(url)
 *     depth(url)        = D  if sim(q, p) > r,  else depth(p) - 1
 *
 * p is the page that has the link. A page of depth 0 is visited, not expanded: its
 * links are refused. A URL found again keeps the larger depth; its scores, and
 * what it inherits, are joined by `parents`. Seeds inherit 1 and have depth D.
 *
 * Source: Hersovici et al. 1998. The text around an anchor is LINK_WINDOW words,
 * the anchor among them.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"
#include "agent/url_notes.h"

struct shark_options {
    double delta, beta, gamma, r;
    int64_t depth;
    int similarity;
    int parents;
    int64_t buffer;
};

#define AT(field) .offset = offsetof(struct shark_options, field)
#define NO_VALUE  "from memory; no printed value could be checked; tune it like any other"

static const struct option shark_option_table[] = {
    {REAL_OPTION("delta", delta, "X", "0.5", 0, 1),
     .help = "share of a page's similarity, or of what it inherited, that its links inherit",
     .source = NO_VALUE, .unverified = true},
    {REAL_OPTION("beta", beta, "X", "0.8", 0, 1),
     .help = "weight of the anchor against the text around it", .source = NO_VALUE,
     .unverified = true},
    {REAL_OPTION("gamma", gamma, "X", "0.5", 0, 1),
     .help = "weight of what is inherited against anchor and text around it", .source = NO_VALUE,
     .unverified = true},
    {INT_OPTION("depth", depth, "D", "3", 1, 60000),
     .help = "links that may be followed from a relevant page without meeting another",
     .source = NO_VALUE, .unverified = true},
    {REAL_OPTION("r", r, "X", "0.1", 0, 1),
     .help = "a page more similar than this is relevant: its links get the full depth",
     .source = NO_VALUE, .unverified = true},
    GREEDY_SIMILARITY(similarity),
    GREEDY_PARENTS(parents),
    GREEDY_BUFFER(buffer),
    {.name = NULL},
};

/* Kept for a URL until its page arrives. */
struct shark_note {
    double inherited;
    uint32_t parents; /* pages that gave it a score */
    uint32_t depth;
};

static const struct field note_fields[] = {
    FIELD(F64, struct shark_note, inherited),
    FIELD(U32, struct shark_note, parents),
    FIELD(U32, struct shark_note, depth),
    FIELD_END,
};

struct shark {
    struct greedy greedy;
    struct url_notes notes;
};

static struct shark *shark_of(struct model *m)
{
    const struct shark_options *o = m->options;
    struct shark *s = m->state;

    if (!s->greedy.ready)
        url_notes_init(&s->notes, sizeof(struct shark_note), note_fields);
    greedy_init(m, &s->greedy, o->buffer, o->parents);
    return s;
}

static void shark_add(struct model *m, struct shark *s, uint32_t url, double score,
                      const struct shark_note *from)
{
    const struct shark_options *o = m->options;
    bool is_new;
    struct shark_note *note = url_notes_at(&s->notes, url, &is_new);

    if (is_new)
        *note = *from;
    else
        note->inherited = parents_join((enum parents)o->parents, note->inherited, from->inherited,
                                       note->parents + 1);
    note->parents += !is_new;
    note->depth = note->depth > from->depth ? note->depth : from->depth;
    url_notes_remove(&s->notes, greedy_add(m, &s->greedy, url, score));
}

static void shark_start(struct model *m, const uint32_t *urls, size_t count)
{
    const struct shark_options *o = m->options;
    struct shark_note seed = {.inherited = 1, .parents = 1, .depth = (uint32_t)o->depth};
    struct shark *s = shark_of(m);

    greedy_begin(m, &s->greedy, "shark");
    for (size_t i = 0; i < count; i++)
        shark_add(m, s, urls[i], 1.0, &seed);
}

static bool shark_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct shark *s = shark_of(m);

    if (!greedy_take(&s->greedy, host, ret, NULL))
        return false;
    url_notes_open(&s->notes, ret);
    return true;
}

static double shark_score(struct model *m, const struct percept *p, const struct link *l,
                          double inherited)
{
    const struct shark_options *o = m->options;
    bool raw = o->similarity == SIMILARITY_RAW;
    double anchor = (double)m->ctx->score(m->ctx->engine, p, l->anchor, raw);
    double context = anchor > 0 ? 1 : (double)m->ctx->score(m->ctx->engine, p, l->window, raw);
    double neighborhood = o->beta * anchor + (1 - o->beta) * context;

    return o->gamma * inherited + (1 - o->gamma) * neighborhood;
}

/* What the links of a page inherit, and how deep they may lead. */
static struct shark_note shark_child(const struct shark_options *o, double similarity,
                                     const struct shark_note *page)
{
    return (struct shark_note){
        .inherited = o->delta * (similarity > 0 ? similarity : page->inherited),
        .parents = 1,
        .depth = similarity > o->r ? (uint32_t)o->depth : page->depth - 1,
    };
}

static void shark_expand(struct model *m, struct shark *s, struct percept *p,
                         const struct shark_note *page)
{
    const struct shark_options *o = m->options;
    struct shark_note child = shark_child(o, page_similarity(p, o->similarity), page);

    link_queue_page(&s->greedy.queue);
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];

        if (!mark_is_open(mark))
            continue;
        mark->score = (float)shark_score(m, p, &p->body->links[i], child.inherited);
        shark_add(m, s, mark->url, (double)mark->score, &child);
    }
}

static void shark_perceive(struct model *m, struct percept *p)
{
    const struct shark_options *o = m->options;
    struct shark *s = shark_of(m);
    struct shark_note page = {.depth = (uint32_t)o->depth}; /* it was not requested */

    if (p->choice.url)
        (void)url_notes_close(&s->notes, &p->choice, &page);
    if (page.depth > 0)
        shark_expand(m, s, p, &page);
    else
        for (uint32_t i = 0; i < p->body->nlinks; i++)
            greedy_refuse(m, &s->greedy, &p->marks[i]);
    greedy_visited(m, &s->greedy, p);
}

static void shark_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct shark *s = shark_of(m);
    struct shark_note gone;

    (void)why;
    (void)url_notes_close(&s->notes, c, &gone);
}

static void shark_save(const struct model *m, struct buf *out)
{
    const struct shark *s = m->state;

    greedy_save(&s->greedy, out);
    url_notes_save(&s->notes, out);
}

static enum status shark_load(struct model *m, struct str state)
{
    struct shark *s = shark_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status st = greedy_load(&s->greedy, &c);

    return st == ST_OK ? url_notes_load(&s->notes, &c) : st;
}

static void shark_finish(struct model *m)
{
    struct shark *s = m->state;

    greedy_clear(&s->greedy);
    url_notes_clear(&s->notes);
}

const struct model_ops model_shark = {
    .name = "shark",
    .summary = "Shark-Search: what a link inherits, its anchor and the text around it",
    .advice = "For a topic, when the words around links say where they lead: add "
              "--set similarity=topic.",
    .common = "similarity parents depth gamma beta",
    .source = "Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim, Ur: The shark-search algorithm (1998)",
    .options = shark_option_table,
    .options_size = sizeof(struct shark_options),
    .state_size = sizeof(struct shark),
    .start = shark_start,
    .late = &greedy_late,
    .parts = &greedy_parts,
    .next = shark_next,
    .perceive = shark_perceive,
    .failed = shark_failed,
    .save = shark_save,
    .load = shark_load,
    .describe = greedy_describe_model,
    .finish = shark_finish,
};
