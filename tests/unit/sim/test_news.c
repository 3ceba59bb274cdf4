/* News worlds: pages appear, change, are listed, age and go, all in order of time.
 * SPDX-License-Identifier: MIT */
#include "open_world.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"
#include "sim/graph_measure.h"
#include "sim/info.h"
#include "sim/make/make.h"
#include "sim/make/news.h"
#include "sim/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct make_config config(uint32_t hosts, double days, uint64_t rng)
{
    struct make_config c;

    make_config_init(&c);
    c.kind = MAKE_NEWS;
    c.graph.hosts = hosts;
    c.graph.rng = rng;
    c.news.days = days;
    c.menus = 0; /* lists are those of articles */
    return c;
}

/* The story stays where it is made: its parts point to each other. */
static void plan(struct news_world *n, const struct make_config *c)
{
    if (news_plan(n, c) != ST_OK)
        fail_msg("%s", status_text());
}

static void assert_between(double found, double low, double high)
{
    if (!(found >= low && found <= high))
        fail_msg("%g is not between %g and %g", found, low, high);
}

/* ---- the story ----------------------------------------------------------------- */

/* Sizes follow 1 / x^2 up to 25 times the mean, so their spread is 2.3 times the mean: the
 * mean of 5000 is right within 10 %, three times 2.3 / sqrt(5000). */
static void hosts_have_the_mean_rate_asked_for(void **state)
{
    struct make_config c = config(5000, 0.01, 1);
    struct news_world n;
    double sum = 0;

    (void)state;
    c.news.backlog = 0;
    plan(&n, &c);
    for (uint32_t h = 0; h < 5000; h++)
        sum += n.hosts[h].rate;
    assert_between(sum / 5000, 1.8, 2.2); /* 2 a day are the default */
    news_clear(&n);
}

static void articles_come_at_the_rate_asked_for_and_hosts_differ(void **state)
{
    struct make_config c = config(300, 18, 1);
    size_t largest = 0, small = 0, by_night = 0;
    struct news_world n;

    (void)state;
    plan(&n, &c);
    /* 300 hosts, 28 days with those before, 2 a day: 16,800; sizes vary much. */
    assert_between((double)n.count, 16800 * 0.75, 16800 * 1.25);
    for (uint32_t h = 0; h < 300; h++) {
        largest = n.hosts[h].count > largest ? n.hosts[h].count : largest;
        small += n.hosts[h].count < 28; /* half of the mean of 56 */
    }
    assert_true(largest > 56 * 6 && small > 100);
    for (size_t i = 0; i < n.count; i++) {
        int64_t hour = n.articles[i].born / (NEWS_DAY / 24) % 24;

        assert_true(i == 0 || n.articles[i - 1].born <= n.articles[i].born);
        by_night += hour < 5;
    }
    assert_true(by_night < n.count / 10); /* 5 of 112 parts: 4.5 % */
    news_clear(&n);
}

static void changes_fall_by_half_in_a_half_life(void **state)
{
    struct make_config c = config(100, 30, 2);
    uint64_t changes = 0, young = 0, births = 0, ends = 0;

    (void)state;
    c.news.changes = 2;
    c.news.half_life = 0.25;
    c.news.backlog = 0;
    c.news.vanish = 0.3;
    struct news_world n;
    plan(&n, &c);
    for (size_t i = 0; i < n.nevents; i++) {
        const struct news_event *e = &n.events[i];
        const struct news_article *a = &n.articles[e->of];

        assert_true(e->at > n.begin && e->at < n.end);
        assert_true(i == 0 || n.events[i - 1].at <= e->at);
        births += e->kind == NEWS_BIRTH;
        ends += e->kind == NEWS_END;
        if (e->kind == NEWS_CHANGE) {
            assert_true(e->at > a->born && e->at < a->gone);
            changes++;
            young += e->at - a->born <= NEWS_DAY / 4;
        }
    }
    assert_between((double)changes / (double)births, 1.9, 2.1);
    assert_between((double)young / (double)changes, 0.46, 0.52); /* a minute passes first */
    assert_true(ends > 0 && ends < births * 3 / 10);             /* some go after the story */
    news_clear(&n);
}

static void links_lead_to_older_articles_and_weblogs_link_to_others(void **state)
{
    struct make_config c = config(150, 10, 3);
    uint64_t same = 0, of_topic = 0, all = 0, days = 0;
    struct news_world n;

    (void)state;
    plan(&n, &c);
    uint32_t *in = mem_zero(n.count, sizeof *in);
    for (uint32_t i = 0; i < n.count; i++) {
        const struct news_article *a = &n.articles[i];

        for (uint32_t l = 0; l < a->nlinks; l++) {
            uint32_t to = n.links[a->links + l];
            const struct news_article *b = &n.articles[to];

            assert_true(to < i && b->gone > a->born);
            assert_true(!n.hosts[a->host].is_weblog || b->host != a->host);
            in[to]++;
            all++;
            days += (uint64_t)((a->born - b->born) / NEWS_DAY);
            of_topic += a->topic != WORDS_NONE;
            same += a->topic != WORDS_NONE && a->topic == b->topic;
        }
    }
    assert_between((double)all / (double)n.count, 10, 15.5);
    assert_between((double)same / (double)of_topic, 0.45, 0.55);
    assert_true(days / all <= 6);
    assert_between(graph_exponent(in, (uint32_t)n.count, NULL), 1.7, 2.8);
    free(in);
    news_clear(&n);
}

static void a_story_that_is_too_long_is_refused(void **state)
{
    struct make_config c = config(1000000, 3650, 1);

    (void)state;
    assert_int_equal(world_make("/nonexistent/world", &c, NULL, NULL), ST_USAGE);
    assert_non_null(strstr(status_text(), "--hosts"));
}

/* ---- the world ------------------------------------------------------------------ */

static const char *made(const struct make_config *c)
{
    static char dir[128];

    (void)snprintf(dir, sizeof dir, "%s/W", test_dir());
    if (world_make(dir, c, NULL, NULL) != ST_OK)
        fail_msg("%s", status_text());
    return dir;
}

/* Fewer menus, and then looks that go further back: what is measured in the plan is what
 * `world info` measures in the world. */
static void clustering_is_the_one_asked_for(void **state)
{
    struct make_config c = config(20, 4, 7);
    struct make_result result;
    struct world_info info;
    struct news_world n;
    struct world *w;

    (void)state;
    c.words = 20;
    plan(&n, &c);
    assert_true(n.menus == 1 && n.look_back == 1);
    assert_between(n.clustering, 0.3, 0.6);
    news_clear(&n);
    c.graph.clustering = 0.25;
    c.result = &result;
    w = opened(made(&c));
    assert_int_equal(world_info(w, &info), ST_OK);
    assert_between(result.clustering, 0.24, 0.26);
    assert_between(info.clustering, 0.235, 0.265);
    world_info_clear(&info);
    world_close(w);
}

struct checker {
    struct world *world;
    struct world_reader *reader;
    struct page_parser *parser;
    struct arena memory;
    struct buf head, body;
    int64_t *birth, *end;
};

/* Every link to a page of the world leads to one that is there at that moment, but
 * for pages that went later than the version was written. */
static void check_version(struct checker *k, uint32_t version)
{
    const struct world_version *v = world_version(k->world, version);
    const struct page *page = NULL;

    buf_clear(&k->head);
    buf_clear(&k->body);
    arena_reset(&k->memory);
    assert_int_equal(world_reader_read(k->reader, version, &k->head, &k->body), ST_OK);
    struct page_input in = {.payload = buf_str(&k->body),
                            .url = world_entry(k->world, v->entry)->url,
                            .content_type = STR("text/html; charset=utf-8"),
                            .now = v->at};
    assert_int_equal(page_parse(k->parser, &in, &k->memory, &page), DROP_NONE);
    assert_true(page->nwords > 5 && page->nlinks > 3);
    for (uint32_t l = 0; l < page->nlinks; l++) {
        uint32_t to = world_find(k->world, page->links[l].key);

        assert_true(to != WORLD_NONE ||
                    str_find(page->links[l].url, STR("/gone/"), 0) != SIZE_MAX ||
                    str_find(page->links[l].url, STR("/20"), 0) != SIZE_MAX);
        if (to != WORLD_NONE && to < world_pages(k->world))
            assert_true(k->birth[to] <= v->at);
    }
}

static void versions_stand_in_order_and_link_to_what_is_there(void **state)
{
    struct make_config c = config(8, 4, 5);
    int64_t begin, end, last = 0;
    uint32_t ends = 0, n = 0;

    (void)state;
    c.news.vanish = 0.3;
    c.words = 60;
    struct checker k = {.world = opened(made(&c)),
                        .parser = page_parser_new(),
                        .head = BUF_INIT(1 << 20),
                        .body = BUF_INIT(1 << 22)};
    k.reader = world_reader_new(k.world);
    arena_init(&k.memory, (size_t)64 << 20);
    assert_true(world_moves(k.world, &begin, &end));
    assert_true(begin == c.date && end == begin + 4 * NEWS_DAY);
    (void)world_ends(k.world, &ends);
    assert_true(ends > 0);
    k.birth = mem_zero(world_count(k.world), sizeof *k.birth);
    for (; n < world_versions(k.world) && world_version(k.world, n)->page; n++) {
        const struct world_version *v = world_version(k.world, n);

        assert_true(v->at >= last && v->at >= begin && v->at < end);
        last = v->at;
        if (k.birth[v->entry] == 0)
            k.birth[v->entry] = v->at;
    }
    assert_true(n > world_pages(k.world) + 50);
    for (uint32_t v = 0; v < n; v++)
        check_version(&k, v);
    free(k.birth);
    world_reader_free(k.reader);
    world_close(k.world);
    page_parser_free(k.parser);
    arena_free(&k.memory);
    buf_free(&k.head);
    buf_free(&k.body);
}

static void measured_a_news_world_moves_and_can_be_reached(void **state)
{
    struct make_config c = config(10, 3, 6);
    struct make_result result;
    struct world_info i;
    uint64_t *off, links;
    uint32_t *to, tail = 0;

    (void)state;
    c.words = 60;
    c.result = &result;
    struct world *w = opened(made(&c));
    assert_int_equal(world_info(w, &i), ST_OK);
    assert_true(i.time.moves && i.time.versions == result.versions);
    assert_int_equal(i.time.modified, i.time.versions - i.pages);
    /* Every later version says something else, but that an archive lists no more. */
    assert_true(i.time.changes > i.time.modified * 99 / 100);
    assert_true(i.time.born > 30 && i.ntopics == 20);
    world_info_clear(&i);

    assert_int_equal(world_links(w, &off, &to, &links), ST_OK);
    uint32_t *queue = mem_zero(world_pages(w), sizeof *queue);
    bool *seen = mem_zero(world_pages(w), sizeof *seen);
    queue[tail++] = 0;
    seen[0] = true;
    for (uint32_t head = 0; head < tail; head++)
        for (uint64_t l = off[queue[head]]; l < off[queue[head] + 1]; l++)
            if (!seen[to[l]]) {
                seen[to[l]] = true;
                queue[tail++] = to[l];
            }
    assert_true(tail > world_pages(w) * 97 / 100);
    free(queue);
    free(seen);
    free(off);
    free(to);
    world_close(w);
}

static void the_same_numbers_make_the_same_news(void **state)
{
    struct make_config c = config(5, 2, 7);
    struct buf bytes[2] = {BUF_INIT((size_t)1 << 28), BUF_INIT((size_t)1 << 28)};
    char path[256];

    (void)state;
    c.words = 40;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/crawl.db", made(&c));
        test_read(path, &bytes[i]);
    }
    assert_true(bytes[0].len == bytes[1].len);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].len);
    buf_free(&bytes[0]);
    buf_free(&bytes[1]);
}

/* The newest articles come first, as many as asked for, and none that is gone. */
static void a_front_page_lists_the_newest(void **state)
{
    struct make_config c = config(3, 5, 8);
    struct buf html = BUF_INIT(1 << 22), url = BUF_INIT(4096);

    (void)state;
    c.news.front = 5;
    c.news.articles = 10;
    c.news.vanish = 0.3;
    struct news_world n;
    plan(&n, &c);
    struct news_host *h = &n.hosts[0];
    for (h->born = 1; h->born <= h->count; h->born++) {
        int64_t now = n.articles[h->articles[h->born - 1]].born;
        size_t at = 0, listed = 0;

        buf_clear(&html);
        news_list_html(&n, 0, UINT32_MAX, now, &html);
        for (size_t i = h->born; i > 0 && listed < 5; i--) {
            if (n.articles[h->articles[i - 1]].gone <= now)
                continue;
            buf_clear(&url);
            news_article_url(&n, h->articles[i - 1], &url);
            struct str path = str_sub(buf_str(&url), str_find_char(buf_str(&url), '/', 7), url.len);
            size_t found = str_find(buf_str(&html), path, at);
            assert_true(found != SIZE_MAX && found > at);
            at = found;
            listed++;
        }
        assert_true(str_find(buf_str(&html), STR("<li>"), at) == SIZE_MAX);
    }
    buf_free(&html);
    buf_free(&url);
    news_clear(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_have_the_mean_rate_asked_for),
        cmocka_unit_test(clustering_is_the_one_asked_for),
        cmocka_unit_test(articles_come_at_the_rate_asked_for_and_hosts_differ),
        cmocka_unit_test(changes_fall_by_half_in_a_half_life),
        cmocka_unit_test(links_lead_to_older_articles_and_weblogs_link_to_others),
        cmocka_unit_test(a_story_that_is_too_long_is_refused),
        cmocka_unit_test(versions_stand_in_order_and_link_to_what_is_there),
        cmocka_unit_test(measured_a_news_world_moves_and_can_be_reached),
        cmocka_unit_test(the_same_numbers_make_the_same_news),
        cmocka_unit_test(a_front_page_lists_the_newest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
