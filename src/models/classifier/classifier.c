/* classifier.c - best-first, guided by a linear classifier trained on example pages.
 *
 * In: a page and its links. Out: the link whose parent pages are most likely to be on topic.
 *
 *     score(link) = p(parent page) = sigmoid of its margin, calibrated (text/classify.h)
 *
 * Trained on the topic's examples before the first visit and, with `retrain`, again
 * whenever the visited pages have doubled, on pages it is sure of as well. Without
 * examples it is best-first on the topic's relevance for the first `bootstrap` pages
 * and then learns from them (models/classifier/self_training.h). A new classifier may score waiting
 * links again, as far as their parents are remembered. Pages that the user
 * marked are examples too: it is trained again when the next page comes, but not
 * more often than every TEACH_EVERY.
 *
 * Source: soft focus of Chakrabarti, van den Berg, Dom 1999, with a linear SVM or
 * logistic regression in place of naive Bayes (Pant & Srinivasan 2005). The joining
 * of several parents, retraining and bootstrapping are ours.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"
#include "agent/link_rounds.h"
#include "agent/population.h"
#include "models/classifier/self_training.h"
#include "agent/url_set.h"
#include "base/os/clock.h"
#include "base/fields.h"
#include "base/mem.h"

#define TEACH_EVERY (5 * US_PER_S) /* a training is a fraction of a second */

struct classifier_options {
    int64_t n;
    int parents;
    int64_t buffer;
    int learner;
    double c;
    int64_t retrain, bootstrap, memory;
    double high, low;
    bool rescore;
};

#define AT(field) .offset = offsetof(struct classifier_options, field)

static const struct option classifier_option_table[] = {
    ROUNDS_N(n, .source = "as best-first"),
    {CHOICE_OPTION("parents", parents, PARENTS_CHOICES, "max"),
     .help = "how the probabilities of several parents of one link are joined",
     .source = "max in the literature, from memory; mean is ours", .unverified = true},
    {CHOICE_OPTION("learner", learner, "logistic|svm", "svm"),
     .help = "what is trained on the examples; both are linear and calibrated",
     .source = "Pant & Srinivasan 2005: SVM and neural nets guide best", .unverified = true},
    {REAL_OPTION("C", c, "C", "10", 1e-6, 1e6),
     .help = "cost of an error in training, against long weights", .source = "ours"},
    {INT_OPTION("retrain", retrain, "N", "100", 0, 1e9),
     .help = "train again after N pages, and each time they have doubled; 0: never",
     .source = "ours"},
    {INT_OPTION("bootstrap", bootstrap, "N", "100", 25, 1e9),
     .help = "without examples: pages after which it is trained on what it has seen",
     .source = "ours"},
    {REAL_OPTION("high", high, "P", "0.9", 0.5, 1),
     .help = "a page at least this probable is a further positive example", .source = "ours"},
    {REAL_OPTION("low", low, "P", "0.02", 0, 0.5),
     .help = "a page at most this probable is a further negative example", .source = "ours"},
    {INT_OPTION("memory", memory, "N", "1000", 25, 1e6),
     .help = "visited pages remembered for training and rescoring: the last ones",
     .source = "ours; about 4 KB each, part of every checkpoint"},
    {FLAG_OPTION("rescore", rescore), .fallback = "yes",
     .help = "score waiting links again after training, where their parents are remembered",
     .source = "ours"},
    ROUNDS_BUFFER(buffer, .source = "as best-first"),
    {.name = NULL},
};

struct guided {
    struct link_rounds links;
    uint32_t agent;
    struct classifier *classifier; /* NULL: too few examples so far */
    struct page_memory memory;     /* empty if there will be no further training */
    uint64_t pages;                /* visited */
    uint64_t train_at;             /* at this number of pages; 0: never again */
    uint32_t trainings;
    struct marked_pages marks; /* the user's */
    bool marked;               /* there are new marks since the last training */
    int64_t teach_at;          /* new marks wait until then */
};

static struct guided *guided_of(struct model *m)
{
    const struct classifier_options *o = m->options;
    struct guided *g = m->state;

    if (g->links.n == 0) {
        bool taught = self_training_has_examples(m->ctx->topic);

        link_rounds_init(m, &g->links, o->n, o->buffer, o->parents);
        g->train_at = (uint64_t)(taught ? o->retrain : o->bootstrap);
        page_memory_init(&g->memory, g->train_at ? (size_t)o->memory : 0);
    }
    return g;
}

/* ---- training ---- */

static struct self_training guided_how(const struct model *m, const struct guided *g)
{
    const struct classifier_options *o = m->options;

    return (struct self_training){.config = {.learner = (enum learner)o->learner, .c = o->c},
                                  .high = o->high,
                                  .low = o->low,
                                  .marks = g->marks.items,
                                  .nmarks = g->marks.count};
}

/* Returns false if there is too little to learn from; then the old classifier stays. */
static bool guided_train(struct model *m, struct guided *g)
{
    struct self_training how = guided_how(m, g);
    struct classifier *c = self_train(&how, m->ctx->topic, &g->memory, g->classifier);

    if (c == NULL)
        return false;
    classify_free(g->classifier);
    g->classifier = c;
    g->trainings++;
    g->marked = false;
    return true;
}

/* Fills the queue again. Links without a remembered parent keep their scores and come first,
 * because they are older; the others follow in the order of their pages. */
static void guided_rescore(struct model *m, struct guided *g)
{
    size_t n;
    LOCAL_HEAP struct heap_item *all = link_queue_drain(link_rounds_queue(&g->links), &n);
    struct url_set waits = {0}, covered = {0};

    for (size_t i = 0; i < n; i++)
        (void)url_set_add(&waits, all[i].id);
    for (size_t i = 0; i < g->memory.count; i++) {
        const struct remembered_page *p = page_memory_at(&g->memory, i);

        for (uint32_t k = 0; k < p->nlinks; k++)
            (void)url_set_add(&covered, p->links[k]);
    }
    for (size_t i = 0; i < n; i++)
        if (!url_set_has(&covered, all[i].id))
            link_rounds_add(m, &g->links, all[i].id, -all[i].key);
    for (size_t i = 0; i < g->memory.count; i++) {
        const struct remembered_page *p = page_memory_at(&g->memory, i);
        double score = (double)classify_probability(g->classifier, p->terms, p->nterms, -1);

        link_queue_page(link_rounds_queue(&g->links));
        for (uint32_t k = 0; k < p->nlinks; k++)
            if (url_set_has(&waits, p->links[k]))
                link_rounds_add(m, &g->links, p->links[k], score);
    }
    url_set_clear(&waits);
    url_set_clear(&covered);
}

/* Trains again if there are enough pages. */
static void guided_learn(struct model *m, struct guided *g)
{
    const struct classifier_options *o = m->options;

    if (g->train_at == 0 || g->pages < g->train_at)
        return;
    if (!guided_train(m, g))
        g->train_at = 2 * g->pages; /* too few examples: try again later */
    else
        g->train_at = o->retrain ? 2 * g->pages : 0;
    if (g->classifier && o->rescore)
        guided_rescore(m, g);
    if (g->train_at == 0)
        page_memory_clear(&g->memory);
}

/* Trains if there are new marks. */
static void guided_learn_marks(struct model *m, struct guided *g)
{
    const struct classifier_options *o = m->options;
    struct self_training how;

    if (!g->marked || g->train_at == 0 || m->ctx->now < g->teach_at)
        return;
    how = guided_how(m, g);
    if (g->classifier == NULL && !self_training_is_vouched(&how, m->ctx->topic))
        return; /* too few: they wait for the first training */
    g->marked = false;
    g->teach_at = m->ctx->now + TEACH_EVERY;
    if (guided_train(m, g) && o->rescore)
        guided_rescore(m, g);
}

/* ---- the model ---- */

static void guided_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct guided *g = guided_of(m);

    if (g->agent == 0) {
        g->agent = agent_born(m->ctx->population, m->ctx->now, 0, "classifier", 0, 0);
        if (self_training_has_examples(m->ctx->topic))
            (void)guided_train(m, g);
    }
    for (size_t i = 0; i < count; i++)
        link_rounds_add(m, &g->links, urls[i], 1.0);
}

static bool guided_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct guided *g = guided_of(m);

    return link_rounds_next(&g->links, host, g->agent, ret);
}

static void guided_wishes(struct model *m)
{
    link_rounds_wishes(&guided_of(m)->links);
}

static float guided_bound(const struct model *m, uint64_t left, double patience)
{
    return link_rounds_bound(&((const struct guided *)m->state)->links, left, patience);
}

static double guided_score(const struct guided *g, const struct profile *page)
{
    if (g->classifier == NULL)
        return (double)page->relevance;
    return (double)classify_probability(g->classifier, page->terms, page->nterms, -1);
}

static void guided_perceive(struct model *m, struct percept *p)
{
    struct guided *g = guided_of(m);
    double score = p->body->nlinks > 0 ? guided_score(g, p->profile) : 0;

    link_queue_page(link_rounds_queue(&g->links));
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];

        if (!mark_is_open(mark))
            continue;
        mark->score = (float)score;
        link_rounds_add(m, &g->links, mark->url, score);
    }
    if (p->choice.url) /* not a sitemap that robots.txt named */
        link_rounds_answered(&g->links);
    if (p->page)
        agent_visited(m->ctx->population, m->ctx->now, g->agent, p->page, p->first, 0);
    g->pages++;
    if (g->train_at != 0)
        page_memory_add(&g->memory, p);
    guided_learn(m, g);
    guided_learn_marks(m, g);
}

static void guided_taught(struct model *m, uint32_t url, const struct term *terms, size_t nterms,
                          int relevant)
{
    struct guided *g = guided_of(m);

    g->marked |= page_marks_set(&g->marks, url, terms, nterms, relevant);
}

static void guided_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)c, (void)why;
    link_rounds_answered(&guided_of(m)->links);
}

static const struct field guided_fields[] = {
    FIELD(U32, struct guided, agent),
    FIELD(U64, struct guided, pages),
    FIELD(U64, struct guided, train_at),
    FIELD(U32, struct guided, trainings),
    FIELD_END,
};

static void guided_save(const struct model *m, struct buf *out)
{
    const struct guided *g = m->state;

    fields_save(guided_fields, g, out);
    buf_put_u8(out, g->classifier != NULL);
    if (g->classifier)
        classify_save(g->classifier, out);
    page_memory_save(&g->memory, out);
    link_rounds_save(&g->links, out);
}

static enum status guided_load(struct model *m, struct str state)
{
    struct guided *g = guided_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};

    fields_load(guided_fields, g, &c);
    if (cursor_u8(&c))
        TRY(classify_load(&c, self_training_table(m->ctx->topic), &g->classifier));
    TRY(page_memory_load(&g->memory, &c));
    return link_rounds_load(&g->links, &c);
}

static void guided_describe(const struct model *m, struct json *j)
{
    const struct guided *g = m->state;

    json_put_int(j, "queue", (int64_t)(g->links.all.count + g->links.ready.count));
    json_put_int(j, "trainings", (int64_t)g->trainings);
    json_put_int(j, "remembered", (int64_t)g->memory.count);
    if (g->marks.count > 0)
        json_put_int(j, "marks", (int64_t)g->marks.count);
    if (g->classifier && classify_estimate(g->classifier)->folds > 0) {
        json_put_num(j, "accuracy", classify_estimate(g->classifier)->accuracy);
        json_put_num(j, "auc", classify_estimate(g->classifier)->auc);
    }
}

static void guided_finish(struct model *m)
{
    struct guided *g = m->state;

    link_rounds_clear(&g->links);
    page_memory_clear(&g->memory);
    page_marks_clear(&g->marks);
    classify_free(g->classifier);
}

static const struct model_late guided_late = {guided_wishes, guided_bound};

const struct model_ops model_classifier = {
    .name = "classifier",
    .summary = "best-first, guided by a linear classifier trained on example pages",
    .advice = "For a topic of which you have many example pages, good and bad.",
    .common = "parents retrain learner n memory",
    .source = "Chakrabarti, van den Berg, Dom: Focused Crawling (1999), soft focus; with an SVM as "
              "Pant, Srinivasan: Learning to Crawl (2005)",
    .options = classifier_option_table,
    .options_size = sizeof(struct classifier_options),
    .state_size = sizeof(struct guided),
    .start = guided_start,
    .late = &guided_late,
    .next = guided_next,
    .perceive = guided_perceive,
    .failed = guided_failed,
    .save = guided_save,
    .load = guided_load,
    .describe = guided_describe,
    .finish = guided_finish,
    .learns = &(const struct model_learns){.taught = guided_taught},
};
