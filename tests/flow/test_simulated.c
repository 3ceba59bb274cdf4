/* The same world crawled live, over sockets, and in simulated time: the same
 * pages, and where one connection leaves no choice, in the same order.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/buf.h"
#include "crawl/simulate.h"
#include "parse/url_norm.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdlib.h>

struct noted {
    const struct web *web;
    struct buf urls;
};

static void note(void *ctx, const struct event *e)
{
    struct noted *n = ctx;

    if (e->kind != EVENT_PAGE)
        return;
    buf_add_str(&n->urls, web_href(n->web, e->page.arrival->source));
    buf_add_char(&n->urls, '\n');
}

/* The URLs of a simulated crawl, one a line, in order. */
static const char *simulated(const char *dir, const char *words, const char *seed,
                             const char *model, uint32_t connections)
{
    struct web_config config = {.threads = 2};
    struct noted noted = {.urls = BUF_INIT(1 << 24)};
    struct simulation s;
    struct crawl_status status;
    struct topic *topic;
    struct web *web;
    uint32_t url;

    assert_int_equal(web_load(dir, &config, &web), ST_OK);
    assert_int_equal(topic_from_words(str_of(words), STR("en"), &topic), ST_OK);
    noted.web = web;
    url = web_find(web, url_key(str_of(seed)));
    assert_int_not_equal(url, 0);
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.model = model;
    s.seeds = &url;
    s.nseeds = 1;
    s.connections = connections;
    s.rng = 1; /* the defaults of a live crawl */
    s.learned_idf = true;
    s.listen = note;
    s.listen_ctx = &noted;
    assert_int_equal(crawl_simulate(&s, &status), ST_OK);
    assert_int_equal(status.end, CRAWL_COMPLETE);
    topic_free(topic);
    web_free(web);
    return keep(buf_take(&noted.urls, NULL));
}

static const char *live(const char *w, const char *words, const char *seed, const char *model,
                        const char *connections)
{
    const char *dir = fresh(text("%s-%s", model, connections));
    struct server *s = serve(w);

    assert_code(crawl(s, dir, words, "--seed", seed, "--model", model, "--connections", connections,
                      "--delay", "0", "--no-warc", "--host-budget", "0"),
                0);
    server_stop(s);
    return crawl_text(dir, "SELECT group_concat(url, char(10)) || char(10) FROM"
                           " (SELECT url FROM page ORDER BY id)");
}

static int line_cmp(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text, sorted. */
static const char *sorted(const char *t)
{
    size_t n = lines_in(t), k = 0;
    char *copy = keep(strdup(t)), **lines = keep(calloc(n + 1, sizeof *lines)), *save = NULL;
    struct buf out = BUF_INIT(1 << 24);

    for (char *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
        lines[k++] = l;
    qsort(lines, k, sizeof *lines, line_cmp);
    for (size_t i = 0; i < k; i++)
        buf_addf(&out, "%s\n", lines[i]);
    return keep(buf_take(&out, NULL));
}

static void one_connection_gives_the_same_order(void **state)
{
    const char *w = world("--pages", "500", "--hosts", "25", "--rng", "11");
    const char *words = world_words(w, 1), *seed = world_seed(w, 1, 0);

    (void)state;
    assert_string_equal(simulated(w, words, seed, "breadth-first", 1),
                        live(w, words, seed, "breadth-first", "1"));
}

/* It learns from words, links, URLs and the order of pages: whatever it is told in simulated time
 * alone, or live alone, changes its order. */
static void a_model_that_learns_gives_the_same_order(void **state)
{
    const char *w = world("--pages", "500", "--hosts", "25", "--rng", "11");
    const char *words = world_words(w, 1), *seed = world_seed(w, 1, 0);

    (void)state;
    assert_string_equal(simulated(w, words, seed, "brood", 1), live(w, words, seed, "brood", "1"));
}

static void to_the_end_it_is_the_same_set(void **state)
{
    const char *w = world("--pages", "500", "--hosts", "25", "--rng", "12");
    const char *words = world_words(w, 2), *seed = world_seed(w, 2, 0);

    (void)state;
    assert_string_equal(sorted(simulated(w, words, seed, "best-first", 8)),
                        sorted(live(w, words, seed, "best-first", "8")));
}

static void a_simulation_repeats_itself(void **state)
{
    const char *w = world("--pages", "500", "--hosts", "25", "--rng", "12");
    const char *words = world_words(w, 2), *seed = world_seed(w, 2, 0);

    (void)state;
    assert_string_equal(simulated(w, words, seed, "best-first", 16),
                        simulated(w, words, seed, "best-first", 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_connection_gives_the_same_order),
        cmocka_unit_test(a_model_that_learns_gives_the_same_order),
        cmocka_unit_test(to_the_end_it_is_the_same_set),
        cmocka_unit_test(a_simulation_repeats_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
