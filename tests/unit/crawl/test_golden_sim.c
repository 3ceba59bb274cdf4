/* Golden runs in simulated time: one web, one order of pages for each model.
 *
 * The web is drawn here, so that no change of `brood world make` touches it: 320
 * pages on 16 hosts about 4 topics, some moved, some gone. The order is kept in
 * tests/data/golden/sim-NAME.txt. A change of it is a change of what users get: if
 * it is meant, BROOD_GOLDEN=write ./test golden writes the files anew, and the commit
 * says why. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "base/os/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "crawl/simulate.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdio.h>
#include <stdlib.h>

#define ALL      320
#define HOSTS    16
#define TOPICS   4
#define TOPIC    2 /* the one that is crawled for */
#define VISITS   120
#define EXAMPLES 12 /* pages of each kind, for models that learn */

static const char *const words[TOPICS + 1][10] = {
    {"sail", "mast", "rudder", "harbour", "tide", "anchor", "keel", "deck", "rope", "voyage"},
    {"bread", "flour", "yeast", "oven", "crust", "dough", "rye", "wheat", "baker", "loaf"},
    {"hive", "bees", "honey", "queen", "swarm", "wax", "nectar", "pollen", "drone", "keeper"},
    {"rail", "engine", "steam", "track", "signal", "station", "wagon", "boiler", "guard", "siding"},
    {"people", "year", "place", "story", "street", "letter", "morning", "table", "garden", "house"},
};

static struct web *web, *webs[2]; /* the present one; on 16 hosts, and all on one */
static bool *on_topic;            /* by URL */
static bool one_host;             /* while that is drawn */

static unsigned topic_of(unsigned page)
{
    return page % HOSTS % TOPICS;
}

/* "/4" is page 4. Every 19th has moved, every 23rd is gone. */
static const char *url_of(unsigned page, bool moved)
{
    static char url[4][64];
    static unsigned turn;
    char *ret = url[turn++ % 4];

    (void)snprintf(ret, sizeof url[0], "http://host%u.example/%s%u", one_host ? 0 : page % HOSTS,
                   moved ? "moved/" : "", page);
    return ret;
}

static const char *word_draw(struct rng *r, unsigned topic, unsigned share)
{
    return words[rng_below(r, 100) < share ? topic : TOPICS][rng_below(r, 10)];
}

/* Two links of three stay in the topic; their anchors are of it half of the time. */
static void links_draw(struct rng *r, unsigned page, struct buf *html)
{
    for (unsigned j = 0; j < 8; j++) {
        unsigned to = (unsigned)rng_below(r, ALL);

        if (rng_below(r, 3) > 0)
            to = to / TOPICS * TOPICS + topic_of(page);
        buf_addf(html, "<p>%s %s <a href='%s'>%s %s</a> %s</p>", word_draw(r, topic_of(to), 20),
                 word_draw(r, topic_of(page), 20), url_of(to, to % 19 == 7),
                 word_draw(r, topic_of(to), 50), word_draw(r, TOPICS, 0),
                 word_draw(r, topic_of(page), 20));
    }
}

static void page_draw(struct small_world *s, struct rng *r, unsigned page)
{
    unsigned share = 5 + (unsigned)rng_below(r, 30);
    struct buf html = BUF_INIT(1 << 20);

    s->latency = 1000 * (int64_t)(20 + rng_below(r, 200));
    buf_addf(&html, "<title>%s %u</title><p>", word_draw(r, topic_of(page), 50), page);
    for (unsigned i = 0; i < 60; i++)
        buf_addf(&html, "%s ", word_draw(r, topic_of(page), share));
    links_draw(r, page, &html);
    small_page(s, url_of(page, false), 1000000, html.data);
    small_label(s, url_of(page, false), topic_of(page) == TOPIC ? "on" : "off");
    buf_free(&html);
}

static struct web *web_draw(const char *name)
{
    struct web_config config = {.threads = 1};
    const char *dir = test_dir();
    struct small_world s;
    struct web *ret;
    struct rng r;
    char path[600];

    rng_init(&r, 4);
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    small_begin(&s, path);
    for (unsigned page = 0; page < ALL; page++) {
        if (page % 23 == 11)
            small_outcome(&s, url_of(page, false), 1000000, 404, NULL);
        else
            page_draw(&s, &r, page);
        if (page % 19 == 7)
            small_outcome(&s, url_of(page, true), 1000000, 301, url_of(page, false));
    }
    small_end(&s);
    if (web_load(path, &config, &ret) != ST_OK)
        fail_msg("%s", status_text());
    return ret;
}

static int web_make(void **state)
{
    struct web_counts n;

    (void)state;
    one_host = true;
    webs[1] = web_draw("alone");
    one_host = false;
    web = webs[0] = web_draw("golden");
    n = web_counts(web);
    on_topic = mem_zero(n.urls + 1, sizeof *on_topic);
    for (uint32_t url = 1; url <= n.pages; url++) {
        uint32_t count;
        const uint32_t *labels = web_labels_of(web, url, &count);

        on_topic[url] = count > 0 && str_eq(web_label(web, labels[0]), STR("on"));
    }
    return 0;
}

static int web_end(void **state)
{
    (void)state;
    web_free(webs[0]);
    web_free(webs[1]);
    free(on_topic);
    return 0;
}

static struct topic *topic_make(bool examples)
{
    unsigned given[2] = {0};
    struct topic *topic;

    assert_int_equal(topic_from_words(STR("hive bees honey"), STR("en"), &topic), ST_OK);
    for (uint32_t url = web_counts(web).pages; examples && url > 0; url--) {
        uint32_t version;
        struct profile p;

        if (given[on_topic[url]]++ >= EXAMPLES)
            continue;
        assert_int_equal(web_history(web, url, &version), 1);
        p = web_profile(web, version);
        assert_int_equal(topic_add_sample(topic, p.terms, p.nterms, on_topic[url]), ST_OK);
    }
    if (examples)
        topic_train(topic, web_idf(web));
    return topic;
}

static void note(void *ctx, const struct event *e)
{
    if (e->kind != EVENT_PAGE)
        return;
    buf_add_str(ctx, web_href(web, e->page.arrival->source));
    buf_add_char(ctx, '\n');
}

static void compare(const char *name, const char *got)
{
    const char *wish = getenv("BROOD_GOLDEN");
    struct buf want = BUF_INIT(1 << 20);
    char file[100];

    (void)snprintf(file, sizeof file, "golden/sim-%s.txt", name);
    if (wish && strcmp(wish, "write") == 0)
        assert_int_equal(file_write(test_file(file), str_of(got)), ST_OK);
    test_read(test_file(file), &want);
    assert_string_equal(got, want.data);
    buf_free(&want);
}

/* Crawls the present web; the pages in their order. */
static void run(const char *model, const char *setting, struct simulation s, struct buf *ret)
{
    struct topic *topic = topic_make(strcmp(model, "classifier") == 0);
    struct text_list settings = {0};
    struct crawl_status status;
    uint32_t seeds[2] = {0};
    struct str rest = str_of(setting), one;

    for (uint32_t url = 1, n = 0; n < 2; url++)
        if (on_topic[url])
            seeds[n++] = url;
    while (str_cut(&rest, ' ', &one))
        text_list_add(&settings, one);
    s.web = web;
    s.topic = topic;
    s.model = model;
    s.settings = &settings;
    s.rng = 1;
    s.seeds = seeds;
    s.nseeds = 2;
    s.pages = VISITS;
    s.on_topic = on_topic;
    s.listen = note;
    s.listen_ctx = ret;
    assert_int_equal(crawl_simulate(&s, &status), ST_OK);
    text_list_free(&settings);
    topic_free(topic);
}

/* Eight connections: what is under way at once must not blur the result either. */
static void golden(const char *name, const char *model, const char *setting, uint32_t connections)
{
    struct buf urls = BUF_INIT(1 << 20);
    struct simulation s;

    simulation_init(&s);
    s.connections = connections;
    run(model, setting, s, &urls);
    compare(name, urls.data);
    buf_free(&urls);
}

/* One host with a delay and many connections: every model that chooses late visits the
 * same pages in the same order as one by one, whatever its patience. */
static void delay_of_one_host_changes_no_choice(void **state)
{
    static const char *const models[][2] = {
        {"brood", NULL},       {"breadth-first", NULL},
        {"best-first", NULL},  {"best-first", "parents=mean"},
        {"fish", NULL},        {"shark", NULL},
        {"pagerank", NULL},    {"classifier", "retrain=20"},
        {"revisit", NULL},     {"oracle", NULL},
        {"link-oracle", NULL},
    };

    (void)state;
    web = webs[1];
    for (size_t i = 0; i < ARRAY_LEN(models); i++) {
        struct buf series = BUF_INIT(1 << 20), polite = BUF_INIT(1 << 20);
        struct simulation s;

        simulation_init(&s);
        run(models[i][0], models[i][1], s, &series);
        s.connections = 64;
        s.delay = 1000000;
        s.latency = 200000;
        s.patience = i % 2 ? 0 : 0.7;
        run(models[i][0], models[i][1], s, &polite);
        assert_true(series.len > 1000);
        assert_string_equal(polite.data, series.data);
        buf_free(&series);
        buf_free(&polite);
    }
    web = webs[0];
}

#define GOLDEN(test, name, model, setting, connections) \
    static void test(void **state)                      \
    {                                                   \
        (void)state;                                    \
        golden(name, model, setting, connections);      \
    }

GOLDEN(brood_visits_as_ever, "brood", "brood", NULL, 1)
GOLDEN(eight_broods_visit_as_ever, "brood-8", "brood", NULL, 8)
GOLDEN(breadth_first_visits_as_ever, "breadth-first", "breadth-first", NULL, 1)
GOLDEN(best_first_visits_as_ever, "best-first", "best-first", NULL, 1)
GOLDEN(best_n_first_visits_as_ever, "best-n-first", "best-first", "n=16", 8)
GOLDEN(mean_of_parents_visits_as_ever, "best-first-mean", "best-first", "parents=mean", 1)
GOLDEN(fish_visits_as_ever, "fish", "fish", NULL, 1)
GOLDEN(eight_fish_visit_as_ever, "fish-8", "fish", NULL, 8)
GOLDEN(shark_visits_as_ever, "shark", "shark", NULL, 1)
GOLDEN(eight_sharks_visit_as_ever, "shark-8", "shark", NULL, 8)
GOLDEN(pagerank_visits_as_ever, "pagerank", "pagerank", NULL, 1)
GOLDEN(classifier_visits_as_ever, "classifier", "classifier", NULL, 1)
GOLDEN(endogenous_visits_as_ever, "endogenous", "endogenous", NULL, 1)
GOLDEN(eight_endogenous_visit_as_ever, "endogenous-8", "endogenous", "learn=0.5", 8)
GOLDEN(balanced_visits_as_ever, "balanced", "balanced", NULL, 1)
GOLDEN(eight_balanced_visit_as_ever, "balanced-8", "balanced", "balance=exact", 8)
GOLDEN(infospiders_visit_as_ever, "infospiders", "infospiders", "max_pages=1000 cost=constant", 1)
GOLDEN(infospiders_visit_as_ever_by_eight, "infospiders-8", "infospiders",
       "max_pages=1000 cost=constant", 8)
GOLDEN(private_frontiers_visit_as_ever, "infospiders-frontier", "infospiders",
       "variant=frontier max_pages=1000 cost=constant", 1)
GOLDEN(crew_visits_as_ever, "crew", "crew", "wordnet=none interval=2s threshold=0.1", 1)
GOLDEN(two_groups_visit_as_ever, "crew-8", "crew",
       "wordnet=none interval=2s threshold=0.1 groups=2 crawlers=4 managers=all", 8)
GOLDEN(crawlers_alone_visit_as_ever, "crew-wyy", "crew",
       "wordnet=none interval=2s threshold=0.1 organisation=wyy", 8)
GOLDEN(foragers_visit_as_ever, "foragers", "foragers", "learn=60 scale=1 max_age=24h", 1)
GOLDEN(eight_foragers_visit_as_ever, "foragers-8", "foragers", "kind=wl", 8)
GOLDEN(revisit_visits_as_ever, "revisit", "revisit", "share=0.5", 1)
GOLDEN(oracle_visits_as_ever, "oracle", "oracle", NULL, 1)
GOLDEN(link_oracle_visits_as_ever, "link-oracle", "link-oracle", NULL, 1)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brood_visits_as_ever),
        cmocka_unit_test(eight_broods_visit_as_ever),
        cmocka_unit_test(breadth_first_visits_as_ever),
        cmocka_unit_test(best_first_visits_as_ever),
        cmocka_unit_test(best_n_first_visits_as_ever),
        cmocka_unit_test(delay_of_one_host_changes_no_choice),
        cmocka_unit_test(mean_of_parents_visits_as_ever),
        cmocka_unit_test(fish_visits_as_ever),
        cmocka_unit_test(eight_fish_visit_as_ever),
        cmocka_unit_test(shark_visits_as_ever),
        cmocka_unit_test(eight_sharks_visit_as_ever),
        cmocka_unit_test(pagerank_visits_as_ever),
        cmocka_unit_test(classifier_visits_as_ever),
        cmocka_unit_test(endogenous_visits_as_ever),
        cmocka_unit_test(eight_endogenous_visit_as_ever),
        cmocka_unit_test(balanced_visits_as_ever),
        cmocka_unit_test(eight_balanced_visit_as_ever),
        cmocka_unit_test(infospiders_visit_as_ever),
        cmocka_unit_test(infospiders_visit_as_ever_by_eight),
        cmocka_unit_test(private_frontiers_visit_as_ever),
        cmocka_unit_test(crew_visits_as_ever),
        cmocka_unit_test(two_groups_visit_as_ever),
        cmocka_unit_test(crawlers_alone_visit_as_ever),
        cmocka_unit_test(foragers_visit_as_ever),
        cmocka_unit_test(eight_foragers_visit_as_ever),
        cmocka_unit_test(revisit_visits_as_ever),
        cmocka_unit_test(oracle_visits_as_ever),
        cmocka_unit_test(link_oracle_visits_as_ever),
    };

    return cmocka_run_group_tests(tests, web_make, web_end);
}
