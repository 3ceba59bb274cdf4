/* Populations that are saved, thrown away and loaded again in the middle of a crawl go on
 * bit for bit as if nothing had happened: agents, nets, energies, the history of
 * relevances, visits under way, chance.
 *
 * Each crawl is simulated twice. The second time the model and its population are
 * saved before every few calls, freed, made anew and loaded; what is saved then must be
 * the same bytes, and all that is heard of the crawl must be the same to the last bit.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "agent/population.h"
#include "base/mem.h"
#include "base/parts.h"
#include "crawl/crawl_int.h"
#include "frontier/frontier.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdio.h>
#include <stdlib.h>

#define ALL    300
#define HOSTS  12
#define VISITS 200
#define EVERY  5 /* calls of the model from one interruption to the next */

static struct web *web;

/* ---- a web --------------------------------------------------------------- */

static const char *const words[2][8] = {
    {"hive", "bees", "honey", "queen", "swarm", "wax", "nectar", "pollen"},
    {"people", "year", "place", "story", "street", "letter", "morning", "table"},
};

static const char *word_draw(struct rng *r, unsigned page, unsigned share)
{
    return words[page % 3 || rng_below(r, 100) >= share][rng_below(r, 8)];
}

/* A third is about bees, every 17th is gone. */
static void page_draw(struct small_world *s, struct rng *r, unsigned page)
{
    struct buf html = BUF_INIT(1 << 20);
    char url[64];

    s->latency = 1000 * (int64_t)(20 + rng_below(r, 200));
    (void)snprintf(url, sizeof url, "http://host%u.example/%u", page % HOSTS, page);
    buf_addf(&html, "<title>%u</title><p>", page);
    for (unsigned i = 0; i < 40; i++)
        buf_addf(&html, "%s ", word_draw(r, page, 10 + page % 40));
    for (unsigned i = 0; i < 7; i++) {
        unsigned to = (unsigned)rng_below(r, ALL);

        buf_addf(&html, "<p>%s <a href='http://host%u.example/%u'>%s %s</a> %s</p>",
                 word_draw(r, page, 30), to % HOSTS, to, word_draw(r, to, 50), word_draw(r, to, 50),
                 word_draw(r, page, 30));
    }
    if (page % 17 == 16)
        small_outcome(s, url, 1000000, 404, NULL);
    else
        small_page(s, url, 1000000, html.data);
    buf_free(&html);
}

static int web_make(void **state)
{
    struct web_config config = {.threads = 1};
    struct small_world s;
    struct rng r;
    char path[600];

    (void)state;
    rng_init(&r, 7);
    (void)snprintf(path, sizeof path, "%s/web", test_dir());
    small_begin(&s, path);
    for (unsigned page = 0; page < ALL; page++)
        page_draw(&s, &r, page);
    small_end(&s);
    if (web_load(path, &config, &web) != ST_OK)
        fail_msg("%s", status_text());
    return 0;
}

static int web_end(void **state)
{
    (void)state;
    web_free(web);
    return 0;
}

/* ---- interrupting -------------------------------------------------------- */

static const struct model_ops *inner;
static unsigned calls, interrupted;

static void assert_same_bytes(const struct buf *a, const struct buf *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->data, b->data, a->len);
}

/* What a database does with the parts of a checkpoint. */
#define KEPT 8192

static struct kept {
    uint32_t number;
    struct buf bytes;
} kept[KEPT];
static size_t nkept;
static bool in_parts;

static struct kept *keep(uint32_t number)
{
    size_t at = 0;

    while (at < nkept && kept[at].number < number)
        at++;
    if (at == nkept || kept[at].number != number) {
        assert_true(nkept < KEPT);
        memmove(&kept[at + 1], &kept[at], (nkept - at) * sizeof *kept);
        kept[at] = (struct kept){.number = number, .bytes = BUF_INIT(1 << 24)};
        nkept++;
    }
    return &kept[at];
}

static void save_parts(struct model *m)
{
    struct buf out = BUF_INIT(1 << 26);
    struct cursor c;
    struct str bytes;
    uint32_t number;

    inner->parts->save(m, &out);
    c = (struct cursor){.rest = buf_str(&out)};
    while (parts_next(&c, &number, &bytes)) {
        struct kept *k = keep(number);

        buf_clear(&k->bytes);
        buf_add_str(&k->bytes, bytes);
    }
    buf_free(&out);
}

static void load_parts(struct model *m)
{
    for (size_t i = 0; i < nkept; i++)
        if (kept[i].bytes.len > 0)
            assert_int_equal(inner->parts->load(m, kept[i].number, buf_str(&kept[i].bytes)), ST_OK);
    assert_int_equal(inner->parts->loaded(m), ST_OK);
}

static void forget_parts(void)
{
    while (nkept > 0)
        buf_free(&kept[--nkept].bytes);
}

/* All that a checkpoint has of the model and its agents, and nothing else, survives. */
static void interrupt(struct model *m)
{
    struct crawl *c = m->ctx->engine;
    struct buf population = BUF_INIT(1 << 26), model = BUF_INIT(1 << 26);
    struct buf population_again = BUF_INIT(1 << 26), model_again = BUF_INIT(1 << 26);
    struct cursor from;

    population_save(c->population, &population);
    if (in_parts)
        save_parts(m);
    inner->save(m, &model);
    inner->finish(m);
    memset(m->state, 0, inner->state_size);
    population_free(c->population);
    c->population = m->ctx->population = population_new(wire_population_event, c);
    from = (struct cursor){.rest = buf_str(&population)};
    assert_int_equal(population_load(c->population, &from), ST_OK);
    assert_int_equal(from.rest.len, 0);
    m->ctx->urls = (uint32_t)frontier_counts(c->frontier).urls;
    assert_int_equal(inner->load(m, buf_str(&model)), ST_OK);
    if (in_parts)
        load_parts(m);
    population_save(c->population, &population_again);
    inner->save(m, &model_again);
    assert_same_bytes(&population_again, &population);
    assert_same_bytes(&model_again, &model);
    buf_free(&population);
    buf_free(&model);
    buf_free(&population_again);
    buf_free(&model_again);
    interrupted++;
}

static void interrupt_now_and_then(struct model *m)
{
    if (++calls % EVERY == 0)
        interrupt(m);
}

static bool spy_next(struct model *m, uint32_t host, struct choice *ret)
{
    interrupt_now_and_then(m);
    return inner->next(m, host, ret);
}

static void spy_perceive(struct model *m, struct percept *p)
{
    interrupt_now_and_then(m);
    inner->perceive(m, p);
}

static void spy_failed(struct model *m, const struct choice *c, enum drop why)
{
    interrupt_now_and_then(m);
    inner->failed(m, c, why);
}

static void spy_receive(struct model *m, const struct message *msg)
{
    interrupt_now_and_then(m);
    inner->talks->receive(m, msg);
}

static void spy_tick(struct model *m)
{
    interrupt_now_and_then(m);
    inner->talks->tick(m);
}

/* ---- two crawls ---------------------------------------------------------- */

static void note(void *ctx, const struct event *e)
{
    struct buf *out = ctx;

    switch (e->kind) {
    case EVENT_PAGE:
        buf_addf(out, "page %u\n", e->page.arrival->source);
        break;
    case EVENT_BORN:
        buf_addf(out, "born %u of %u on %u with %a at %lld\n", e->born.id, e->born.parent,
                 e->born.page, e->born.energy, (long long)e->at);
        break;
    case EVENT_DIED:
        buf_addf(out, "died %u with %a at %lld\n", e->died.id, e->died.energy, (long long)e->at);
        break;
    case EVENT_VISIT:
        buf_addf(out, "visit of %u on %u, %a %a %a\n", e->visit.agent, e->visit.page,
                 e->visit.before, e->visit.delta, e->visit.after);
        break;
    case EVENT_MESSAGE:
        buf_addf(out, "%.*s: %.*s to %.*s: %.*s %.*s until %lld\n",
                 STR_ARG(e->message.conversation), STR_ARG(e->message.sender),
                 STR_ARG(e->message.receiver), STR_ARG(e->message.performative),
                 STR_ARG(e->message.content), (long long)e->message.reply_by);
        break;
    default:
        break;
    }
}

static void simulate(const char *model, const char *settings, int connections, bool broken,
                     struct buf *ret)
{
    static const struct model_talks talks = {.receive = spy_receive, .tick = spy_tick};
    static struct model_ops ops;
    struct crawl *c = MEM_NEW(struct crawl);
    struct crawl_options o;
    struct simulation s;
    struct topic *topic;
    struct text_list seeds = {0};
    struct str rest = str_of(settings), one;

    assert_int_equal(topic_from_words(STR("hive bees honey"), STR("en"), &topic), ST_OK);
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.connections = (uint32_t)connections;
    s.listen = note;
    s.listen_ctx = ret;
    crawl_options_init(&o);
    free(o.model);
    o.model = str_dup(str_of(model));
    o.rng = 3;
    o.pages = VISITS;
    o.delay = 0;
    o.connections = connections;
    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&o.set, one);
    c->options = &o;
    c->simulation = &s;
    text_list_add(&seeds, STR("http://host0.example/0"));
    text_list_add(&seeds, STR("http://host3.example/3"));
    if (wire_simulation(c) != ST_OK || crawl_meet_seeds(c, &seeds) != ST_OK)
        fail_msg("%s", status_text());
    inner = c->model->ops;
    ops = *inner;
    ops.next = spy_next;
    ops.perceive = spy_perceive;
    ops.failed = spy_failed;
    if (inner->talks)
        ops.talks = &talks;
    if (broken)
        c->model->ops = &ops;
    crawl_start_model(c);
    assert_int_equal(crawl_run(c, NULL, NULL), ST_OK);
    assert_true(c->pages > 50); /* without a buffer they may die out */
    c->topic = NULL;            /* was lent */
    wire_free(c);
    topic_free(topic);
    text_list_free(&seeds);
    crawl_options_free(&o);
}

static void interruptions_leave_no_trace(void **state)
{
    static const struct {
        const char *model, *settings;
        int connections;
        bool in_parts;
    } runs[] = {
        {"brood", "", 1, false},
        {"brood", "", 8, true},
        {"brood", "population=5 spread=0.3 memory=25", 8, false},
        {"brood", "population=5 spread=0.3 memory=25", 1, true},
        {"endogenous", "", 1, false},
        {"endogenous", "learn=0.5 pick=softmax", 8, false},
        {"balanced", "", 1, false},
        {"balanced", "UB=210 balance=exact pick=linear p_db=0.3", 8, false},
        {"balanced", "UB=210 crowd=printed history=decay:50", 8, false},
        {"balanced", "buffer=off history=last:40 links=all", 8, false},
        {"balanced", "links-kept=200 balance=sigmoid", 8, false},
        {"infospiders", "variant=myspiders", 1, false},
        {"infospiders", "variant=myspiders hidden=3 beta_noise=0.3 cost=latency", 8, false},
        {"infospiders", "variant=frontier", 1, false},
        {"infospiders", "variant=frontier max_buffer=64 expand=replace_weakest", 8, false},
        {"crew", "wordnet=none interval=1s threshold=0.05 share=0.3", 1, false},
        {"crew", "wordnet=pages interval=1s threshold=0.05 share=0.3", 1, false},
        {"crew", "wordnet=none interval=1s threshold=0.05 groups=2 crawlers=3 managers=all", 8,
         false},
        {"crew", "wordnet=none interval=1s threshold=0 organisation=xiangdan award=min_ability", 8,
         false},
        {"crew", "wordnet=none interval=1s threshold=0 check=no bid=at-most buffer=20", 8, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct buf whole = BUF_INIT(1 << 24), parts = BUF_INIT(1 << 24);

        calls = interrupted = 0;
        simulate(runs[i].model, runs[i].settings, runs[i].connections, false, &whole);
        in_parts = runs[i].in_parts;
        simulate(runs[i].model, runs[i].settings, runs[i].connections, true, &parts);
        in_parts = false;
        forget_parts();
        print_message("# %s %s: %u interruptions\n", runs[i].model, runs[i].settings, interrupted);
        assert_true(interrupted > 20);
        assert_string_equal(parts.data, whole.data);
        buf_free(&whole);
        buf_free(&parts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interruptions_leave_no_trace),
    };

    return cmocka_run_group_tests(tests, web_make, web_end);
}
