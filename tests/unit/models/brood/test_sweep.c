/* The model brood beyond 65,536 links between pages, where scores are renewed by a sweep: the
 * order of its choices, and a state that is saved in the middle of a sweep.
 *
 * The web is computed from the number of a page: 25 hosts, 90 links a page. Every fifth host is
 * about the topic. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "base/parts.h"
#include "models/models.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HOSTS  25
#define URLS   60000
#define LINKS  90
#define WORDS  (2 * LINKS)
#define BEFORE 860 /* pages: 76,000 links, so that a sweep is under way */
#define AFTER  120

struct web {
    struct model_ctx ctx;
    struct topic *topic;
    struct model *model;
    struct wish wishes[HOSTS + 1];
    bool taken[URLS + 1];
    struct buf order; /* URLs and scores of choices */
    uint32_t plain;   /* a page without the topic's words */
    unsigned said;    /* sentences to the user */
};

static uint64_t draw(uint64_t a, uint64_t b)
{
    return hash_u64(a * 1000003 + b);
}

static uint32_t host_of(void *engine UNUSED, uint32_t url)
{
    return 1 + (uint32_t)(draw(url, 1) % HOSTS);
}

static bool is_good(uint32_t url)
{
    return host_of(NULL, url) % 5 == 0;
}

static void wish(void *engine, uint32_t host, const struct wish *w)
{
    ((struct web *)engine)->wishes[host] = *w;
}

static struct str href(void *engine UNUSED, uint32_t url)
{
    static char text[100];
    int n = snprintf(text, sizeof text, "http://h%u.example/%s/%u", (unsigned)host_of(NULL, url),
                     draw(url, 2) % 4 ? "other"
                     : is_good(url)   ? "hive"
                                      : "rail",
                     (unsigned)url);

    return (struct str){text, (size_t)n};
}

static struct str word(void *engine UNUSED, uint32_t term UNUSED)
{
    return STR("");
}

static void keep(void *engine UNUSED, const char *name UNUSED, struct str value UNUSED)
{
}

static void say(void *engine, const char *sentence UNUSED)
{
    ((struct web *)engine)->said++;
}

static void dropped(void *engine UNUSED, uint32_t url UNUSED)
{
}

static void ignore(void *ctx UNUSED, const struct event *e UNUSED)
{
}

static const struct late_calls late = {.host = host_of, .wish = wish};
static const struct talk_calls talk = {.say = say};
static const struct tell_calls tell = {.word = word, .keep = keep};

/* ---- pages ---- */

/* Half of the links lead to what was named before, and a third stays on the host's subject. */
static uint32_t target(uint32_t page, uint32_t link)
{
    uint64_t r = draw(page, 100 + link);
    uint32_t url = 1 + (uint32_t)(r % (link % 2 ? URLS : URLS / 20));

    for (int i = 0; i < 20 && r % 3 == 0 && is_good(url) != is_good(page); i++)
        url = 1 + url % URLS;
    return url;
}

/* Two words for each link: of the topic where its page is, often; else of 300 others. */
static uint32_t term_at(uint32_t page, uint32_t at, bool is_plain)
{
    static const char *const topic[] = {"hive", "bee", "honey", "swarm"};
    bool is_of_topic =
        !is_plain && is_good(at % 2 ? target(page, at / 2) : page) && draw(page, at) % 3 == 0;
    char other[16];

    (void)snprintf(other, sizeof other, "w%u", (unsigned)(draw(page, at) % 300));
    return term_id(is_of_topic ? str_of(topic[draw(at, page) % 4]) : str_of(other));
}

static int by_id(const void *a, const void *b)
{
    const struct term *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

struct drawn {
    struct page body;
    struct profile profile;
    struct link links[LINKS];
    struct link_mark marks[LINKS];
    char urls[LINKS][100];
    uint32_t sequence[WORDS + 1];
    uint64_t stops[WORDS / 64 + 1];
    struct term terms[WORDS];
    struct str paths[2];
};

static void draw_links(struct web *w, struct drawn *d, uint32_t page)
{
    for (uint32_t i = 0; i < LINKS; i++) {
        uint32_t to = target(page, i);
        struct str text = href(w, to);

        memcpy(d->urls[i], text.ptr, text.len + 1);
        d->links[i] = (struct link){.url = {d->urls[i], text.len},
                                    .anchor = {1 + 2 * i, 3 + 2 * i},
                                    .node = {i < 5 ? 1 : 2 * i - 9, 3 + 2 * i},
                                    .tag_path = i % 2};
        d->marks[i] = (struct link_mark){.url = to, .score = NAN, .taken = w->taken[to]};
    }
    d->paths[0] = STR("html/body/ul/li");
    d->paths[1] = STR("html/body/p");
    d->body =
        (struct page){.links = d->links, .nlinks = LINKS, .tag_paths = d->paths, .ntag_paths = 2};
}

static void draw_words(struct drawn *d, uint32_t page, bool is_plain)
{
    struct profile *p = &d->profile;

    memset(d->stops, 0, sizeof d->stops);
    d->sequence[0] = 0;
    *p = (struct profile){.terms = d->terms,
                          .sequence = d->sequence,
                          .stops = d->stops,
                          .nsequence = WORDS + 1,
                          .length = WORDS,
                          .lead = 1};
    for (uint32_t i = 0; i < WORDS; i++) {
        d->sequence[1 + i] = term_at(page, i, is_plain);
        d->terms[i] = (struct term){d->sequence[1 + i], 1};
    }
    qsort(d->terms, WORDS, sizeof *d->terms, by_id);
    for (uint32_t i = 0; i < WORDS; i++)
        if (p->nterms > 0 && d->terms[p->nterms - 1].id == d->terms[i].id)
            d->terms[p->nterms - 1].count++;
        else
            d->terms[p->nterms++] = d->terms[i];
    p->similarity = p->relevance = (float)(draw(page, 3) % 1000) / (is_good(page) ? 2000 : 8000);
}

/* ---- a crawl ---- */

static struct model *model_open(struct web *w)
{
    struct text_list none = {0};
    struct model *ret;

    assert_int_equal(model_new(model_find(STR("brood")), &none, &w->ctx, &ret), ST_OK);
    return ret;
}

static void web_open(struct web *w, const uint32_t *seeds, size_t nseeds)
{
    *w = (struct web){.order = BUF_INIT(1 << 20)};
    assert_int_equal(topic_from_words(STR("hive bee honey"), STR("en"), &w->topic), ST_OK);
    w->ctx = (struct model_ctx){.topic = w->topic,
                                .population = population_new(ignore, NULL),
                                .urls = URLS,
                                .parallel = 1,
                                .engine = w,
                                .dropped = dropped,
                                .late = &late,
                                .talk = &talk,
                                .href = href,
                                .tell = &tell};
    rng_init(&w->ctx.rng, 5);
    w->model = model_open(w);
    w->model->ops->start(w->model, seeds, nseeds);
}

static void web_close(struct web *w)
{
    model_free(w->model);
    population_free(w->ctx.population);
    topic_free(w->topic);
    buf_free(&w->order);
}

/* The best link of all hosts is visited. */
static void visit(struct web *w, uint32_t number)
{
    struct drawn *d = MEM_NEW(struct drawn);
    struct percept p = {.page = number, .first = true};
    uint32_t host = 0;

    w->model->ops->late->wishes(w->model);
    for (uint32_t h = 1; h <= HOSTS; h++)
        if (w->wishes[h].url && (host == 0 || w->wishes[h].score > w->wishes[host].score))
            host = h;
    assert_true(w->model->ops->next(w->model, host, &p.choice));
    assert_int_equal(host_of(NULL, p.choice.url), host);
    assert_false(w->taken[p.choice.url]);
    w->taken[p.choice.url] = true;
    buf_addf(&w->order, "%u %a\n", (unsigned)p.choice.url, (double)p.choice.score);
    draw_links(w, d, p.choice.url);
    draw_words(d, p.choice.url, p.choice.url == w->plain);
    d->body.nwords = p.choice.url == w->plain ? 1000 : 0; /* the others are lists */
    p.body = &d->body;
    p.profile = &d->profile;
    p.marks = d->marks;
    w->model->ops->perceive(w->model, &p);
    free(d);
}

static void visits(struct web *w, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        visit(w, i + 1);
}

/* ---- states ---- */

/* What a database keeps: the state, and the newest of each part. */
struct saved {
    struct buf state, parts[3], population;
    struct rng rng;
    size_t times;
};

static void save(struct web *w, struct saved *s)
{
    buf_clear(&s->state);
    buf_clear(&s->population);
    s->parts[s->times] = BUF_INIT(1 << 26);
    w->model->ops->parts->save(w->model, &s->parts[s->times++]);
    w->model->ops->save(w->model, &s->state);
    population_save(w->ctx.population, &s->population);
    s->rng = w->ctx.rng;
}

struct part {
    uint32_t number;
    size_t age;
    struct str bytes;
};

static int by_number(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->age < y->age) - (x->age > y->age); /* the newest first */
}

static void load_parts(struct model *m, const struct saved *s)
{
    struct part *all = NULL;
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < s->times; i++) {
        struct cursor from = {.rest = buf_str(&s->parts[i])};
        struct part part = {.age = i};

        while (parts_next(&from, &part.number, &part.bytes)) {
            MEM_GROW(all, n, &cap);
            all[n++] = part;
        }
        assert_false(from.bad);
    }
    qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || all[i].number != all[i - 1].number) && all[i].bytes.len > 0)
            assert_int_equal(m->ops->parts->load(m, all[i].number, all[i].bytes), ST_OK);
    assert_int_equal(m->ops->parts->loaded(m), ST_OK);
    free(all);
}

/* The crawl goes on from what was saved last, with another model and population. */
static void resume(struct web *w, const struct saved *s)
{
    struct cursor from = {.rest = buf_str(&s->population), .most = URLS};

    model_free(w->model);
    population_free(w->ctx.population);
    w->ctx.population = population_new(ignore, NULL);
    w->model = model_open(w);
    assert_int_equal(population_load(w->ctx.population, &from), ST_OK);
    w->ctx.rng = s->rng;
    assert_int_equal(w->model->ops->load(w->model, buf_str(&s->state)), ST_OK);
    load_parts(w->model, s);
}

static void saved_free(struct saved *s)
{
    buf_free(&s->state);
    buf_free(&s->population);
    for (size_t i = 0; i < s->times; i++)
        buf_free(&s->parts[i]);
}

/* ---- tests ---- */

/* The order is kept like that of other golden runs (tests/unit/crawl/test_golden_sim.c). */
static void sweeps_choose_as_ever(struct web *w)
{
    const char *path = test_file("golden/sweep-brood.txt"), *wanted = getenv("BROOD_GOLDEN");
    struct buf want = BUF_INIT(1 << 20);

    if (wanted && strcmp(wanted, "write") == 0)
        assert_int_equal(file_write(path, buf_str(&w->order)), ST_OK);
    test_read(path, &want);
    assert_string_equal(w->order.data, want.data);
    buf_free(&want);
}

static void a_state_of_the_middle_of_a_sweep_goes_on_as_the_crawl_did(void **state UNUSED)
{
    struct saved saved = {
        .state = BUF_INIT(1 << 26), .population = BUF_INIT(1 << 20), .rng = {{0}}};
    struct web *w = MEM_NEW(struct web);
    bool *taken = mem_alloc(sizeof w->taken);
    size_t until;

    web_open(w, (const uint32_t[]){1, 2, 3}, 3);
    visits(w, 0, BEFORE - 100);
    save(w, &saved);
    visits(w, BEFORE - 100, BEFORE - 20);
    save(w, &saved);
    visits(w, BEFORE - 20, BEFORE);
    save(w, &saved);
    assert_true(saved.parts[2].len < saved.parts[0].len / 2); /* only what has changed */
    memcpy(taken, w->taken, sizeof w->taken);
    until = w->order.len;
    visits(w, BEFORE, BEFORE + AFTER);
    sweeps_choose_as_ever(w);
    resume(w, &saved);
    memcpy(w->taken, taken, sizeof w->taken);
    visits(w, BEFORE, BEFORE + AFTER);
    assert_int_equal(w->order.len - until, (w->order.len - until) / 2 * 2);
    assert_memory_equal(w->order.data + until, w->order.data + until + (w->order.len - until) / 2,
                        (w->order.len - until) / 2);
    saved_free(&saved);
    web_close(w);
    free(taken);
    free(w);
}

/* Also if the crawl goes on from a state in between. */
static void a_start_page_far_away_is_told_about_once(void **state UNUSED)
{
    struct saved saved = {
        .state = BUF_INIT(1 << 26), .population = BUF_INIT(1 << 20), .rng = {{0}}};
    struct web *w = MEM_NEW(struct web);

    web_open(w, (const uint32_t[]){1}, 1);
    w->plain = 1;
    visits(w, 0, 30); /* the guide is trained after 27 and 41 pages */
    assert_int_equal(w->said, 1);
    save(w, &saved);
    resume(w, &saved);
    visits(w, 30, 50);
    assert_int_equal(w->said, 1);
    saved_free(&saved);
    web_close(w);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_of_the_middle_of_a_sweep_goes_on_as_the_crawl_did),
        cmocka_unit_test(a_start_page_far_away_is_told_about_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
