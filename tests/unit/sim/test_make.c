/* Generated worlds: the same twice, readable by parse/, and as asked for.
 * SPDX-License-Identifier: MIT */
#include "open_world.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "parse/page/page.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "sim/info.h"
#include "sim/make/make.h"
#include "sim/make/make_int.h"
#include "sim/world.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct make_config config(uint32_t pages, uint32_t hosts, uint64_t rng)
{
    struct make_config c;

    make_config_init(&c);
    c.graph.pages = pages;
    c.graph.hosts = hosts;
    c.graph.rng = rng;
    c.menus = 0; /* links are those of the graph alone */
    return c;
}

static const char *made(const struct make_config *c, char *dir, size_t size)
{
    (void)snprintf(dir, size, "%s/world", test_dir());
    if (world_make(dir, c, NULL, NULL) != ST_OK)
        fail_msg("%s", status_text());
    return dir;
}

/* All bytes of a world: its database and its archive. */
static void read_all(const char *dir, struct buf *out)
{
    char path[512];
    struct dirent **names = NULL;
    int n;

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    test_read(path, out);
    (void)snprintf(path, sizeof path, "%s/warc", dir);
    n = scandir(path, &names, NULL, alphasort);
    assert_true(n > 2);
    for (int i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/warc/%s", dir, names[i]->d_name);
            buf_add_z(out, names[i]->d_name);
            test_read(path, out);
        }
        free(names[i]);
    }
    free(names);
}

static void the_same_numbers_make_the_same_world_byte_for_byte(void **state)
{
    struct make_config c = config(600, 20, 5), other = config(600, 20, 6);
    struct buf bytes[3];
    char dir[128];

    (void)state;
    for (int i = 0; i < 3; i++) {
        bytes[i] = BUF_INIT((size_t)1 << 30);
        read_all(made(i < 2 ? &c : &other, dir, sizeof dir), &bytes[i]);
    }
    assert_true(bytes[0].len == bytes[1].len);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].len);
    assert_true(bytes[0].len != bytes[2].len ||
                memcmp(bytes[0].data, bytes[2].data, bytes[0].len) != 0);
    for (int i = 0; i < 3; i++)
        buf_free(&bytes[i]);
}

static uint32_t find(const struct world *w, const char *url)
{
    return world_find(w, url_key(str_of(url)));
}

static void a_world_has_pages_hosts_topics_and_what_hosts_have(void **state)
{
    struct make_config c = config(800, 30, 2);
    char dir[128];
    struct world *w = opened(made(&c, dir, sizeof dir));
    struct buf head = BUF_INIT(1 << 20), body = BUF_INIT(1 << 24), url = BUF_INIT(1000);
    uint32_t kinds[4] = {0}, labelled = 0, robots = 0;

    (void)state;
    assert_int_equal(world_pages(w), 800);
    assert_int_equal(world_hosts(w), 30);
    assert_int_equal(world_topics(w), 20);
    for (uint32_t i = 0; i < world_count(w); i++) {
        const struct world_entry *e = world_entry(w, i);

        kinds[e->kind]++;
        labelled += e->topic != WORLD_NONE;
        buf_clear(&head);
        buf_clear(&body);
        if (world_read(w, i, &head, &body) != ST_OK)
            fail_msg("%s", status_text());
        assert_true(str_starts(buf_str(&head), STR("HTTP/1.1 ")));
        assert_true(body.len > 0);
        if (e->kind == WORLD_REDIRECT) {
            assert_true(e->status == 301 || e->status == 302);
            assert_true(world_entry(w, e->redirect_to)->kind == WORLD_PAGE);
        }
        if (str_ends(e->url, STR("/robots.txt")))
            robots++;
    }
    assert_int_equal(kinds[WORLD_PAGE], 800);
    assert_int_equal(robots, 30);
    assert_true(kinds[WORLD_RESOURCE] > 40 && kinds[WORLD_REDIRECT] > 10);
    assert_true(labelled > 500 && labelled < 620);
    assert_int_equal(find(w, "http://nowhere.example/"), WORLD_NONE);
    buf_addf(&url, "https://%.*s/", STR_ARG(world_entry(w, 0)->host));
    assert_int_equal(find(w, url.data), 0); /* https is the same page */
    buf_free(&head);
    buf_free(&body);
    buf_free(&url);
    world_close(w);
}

static void measured_figures_are_those_asked_for(void **state)
{
    struct make_config c = config(3000, 60, 3);
    char dir[128];
    struct world *w = opened(made(&c, dir, sizeof dir));
    struct world_info i;

    (void)state;
    if (world_info(w, &i) != ST_OK)
        fail_msg("%s", status_text());
    assert_true(i.pages == 3000 && i.hosts == 60 && i.ntopics == 20);
    assert_true(fabs(i.locality - c.graph.locality) < 0.02);
    assert_true(fabs(i.clustering - 0.1) < 0.03);
    assert_true(fabs(i.out_exponent - c.graph.out_exponent) < 0.3);
    assert_true(fabs(i.in_exponent - c.graph.in_exponent) < 0.5); /* so few pages: a short tail */
    assert_true(i.mean_distance > 2 && i.mean_distance < 8);
    assert_true(fabs((double)i.links / 3000 / 1.03 - c.graph.out_mean) < 2);
    for (uint32_t t = 0; t < i.ntopics; t++) {
        assert_true(i.topics[t].pages > 50 && i.topics[t].nseeds == INFO_SEEDS);
        for (uint32_t s = 0; s < INFO_SEEDS; s++) {
            uint32_t at = world_find(w, url_key(i.topics[t].seeds[s]));
            assert_int_equal(world_entry(w, at)->topic, t);
        }
    }
    world_info_clear(&i);
    world_close(w);
}

static void info_is_the_json_that_was_promised(void **state)
{
    static const char *const members[] = {"pages",         "hosts",       "links",
                                          "out_exponent",  "in_exponent", "clustering",
                                          "mean_distance", "locality"};
    struct make_config c = config(300, 10, 3);
    char dir[128];
    struct world *w = opened(made(&c, dir, sizeof dir));
    struct buf out = BUF_INIT(1 << 24);
    struct world_info i;
    struct json j;

    (void)state;
    assert_int_equal(world_info(w, &i), ST_OK);
    json_init(&j, &out);
    world_info_json(&i, &j);
    json_t *root = json_loads(out.data, 0, NULL);
    for (size_t m = 0; m < ARRAY_LEN(members); m++)
        assert_true(json_is_number(json_object_get(root, members[m])));
    json_t *topic = json_array_get(json_object_get(root, "topics"), 4);
    assert_string_equal(json_string_value(json_object_get(topic, "name")), "bread baking");
    assert_true(json_array_size(json_object_get(topic, "words")) >= 4);
    assert_string_equal(json_string_value(json_array_get(json_object_get(topic, "words"), 0)),
                        "bread");
    assert_true(json_is_integer(json_object_get(topic, "pages")));
    assert_int_equal(json_array_size(json_object_get(topic, "seeds")), 3);
    json_decref(root);
    buf_free(&out);
    world_info_clear(&i);
    world_close(w);
}

/* The links parse/ finds in a page, without dead ones and with redirects
 * undone, are those of the graph. */
static void html_parses_back_to_the_links_intended(void **state)
{
    struct make_config c = config(400, 15, 9);
    struct graph *g = NULL;
    struct page_parser *parser = page_parser_new();
    struct buf html = BUF_INIT(1 << 22), url = BUF_INIT(8192);
    struct arena memory;
    struct site s;

    (void)state;
    arena_init(&memory, (size_t)64 << 20);
    assert_int_equal(graph_make(&c.graph, &g), ST_OK);
    site_init(&s, &c, g);
    for (uint32_t i = 0; i < g->pages; i++) {
        const struct page *page = NULL;
        uint64_t found = 0, hash = 0, wanted = 0;

        buf_clear(&html);
        buf_clear(&url);
        site_page(&s, i, &html);
        site_url(&s, i, false, &url);
        struct page_input in = {.payload = buf_str(&html),
                                .url = buf_str(&url),
                                .content_type = STR("text/html; charset=utf-8"),
                                .now = c.date};
        assert_int_equal(page_parse(parser, &in, &memory, &page), DROP_NONE);
        assert_true(page->title.len > 0 && page->nwords > 10 && page->date > 0);
        assert_str(page->lang, "en");
        for (uint32_t l = 0; l < page->nlinks; l++) {
            struct str to = page->links[l].url;

            if (page->links[l].kind == LINK_A && str_find(to, STR("/gone/"), 0) == SIZE_MAX &&
                str_find(to, STR("/private/"), 0) == SIZE_MAX &&
                str_find(to, STR("//lost-"), 0) == SIZE_MAX) {
                found++;
                hash += hash_str(to);
            }
        }
        for (uint64_t l = g->off[i]; l < g->off[i + 1]; l++) {
            uint64_t plain, old;

            buf_clear(&url);
            site_url(&s, g->to[l], false, &url);
            plain = hash_str(buf_str(&url));
            buf_clear(&url);
            site_url(&s, g->to[l], true, &url);
            old = hash_str(buf_str(&url));
            wanted++;
            for (uint32_t k = 0; k < page->nlinks; k++)
                if (hash_str(page->links[k].url) == plain || hash_str(page->links[k].url) == old) {
                    hash -= hash_str(page->links[k].url);
                    break;
                }
        }
        assert_true(found == wanted && hash == 0);
        arena_reset(&memory);
    }
    site_clear(&s);
    graph_free(g);
    page_parser_free(parser);
    arena_free(&memory);
    buf_free(&html);
    buf_free(&url);
}

/* Words of the host's footer and menu stand on each of its pages, and are no main text. */
static void pages_have_the_frame_of_their_host(void **state)
{
    struct make_config c = config(400, 9, 4);
    struct page_parser *parser = page_parser_new();
    struct buf html = BUF_INIT(1 << 22);
    struct graph *g = NULL;
    size_t inside = 0, outside = 0, pages = 0, links = 0;
    struct arena memory;
    struct site s;

    (void)state;
    c.menus = 1;
    arena_init(&memory, (size_t)64 << 20);
    assert_int_equal(graph_make(&c.graph, &g), ST_OK);
    site_init(&s, &c, g);
    for (uint32_t i = 0; i < g->pages; i++) {
        const struct page *page = NULL;
        size_t main = 0;

        buf_clear(&html);
        site_page(&s, i, &html);
        struct page_input in = {.payload = buf_str(&html),
                                .url = STR("http://a.example/x"),
                                .content_type = STR("text/html"),
                                .now = c.date};
        assert_int_equal(page_parse(parser, &in, &memory, &page), DROP_NONE);
        assert_true(str_find(page->text, STR("All rights reserved."), 0) != SIZE_MAX);
        for (uint32_t m = 0; m < page->nmain; m++) {
            struct str line =
                str_sub(page->text, page->main[m].off, page->main[m].off + page->main[m].len);

            main += line.len;
            outside += str_find(line, STR("All rights reserved."), 0) != SIZE_MAX;
        }
        inside += main > 200;
        links += page->nlinks - (g->off[i + 1] - g->off[i]);
        pages++;
        arena_reset(&memory);
    }
    assert_true(inside > pages * 9 / 10 && outside < pages / 20);
    assert_true(links > 4 * pages);
    site_clear(&s);
    graph_free(g);
    page_parser_free(parser);
    arena_free(&memory);
    buf_free(&html);
}

static void sitemaps_feeds_and_robots_are_understood(void **state)
{
    struct make_config c = config(300, 6, 4);
    struct graph *g = NULL;
    struct page_parser *parser = page_parser_new();
    struct buf text = BUF_INIT(1 << 22);
    struct arena memory;
    struct site s;

    (void)state;
    c.crawl_delay = 2;
    c.robots = c.sitemaps = c.feeds = 1;
    arena_init(&memory, (size_t)64 << 20);
    assert_int_equal(graph_make(&c.graph, &g), ST_OK);
    site_init(&s, &c, g);
    for (uint32_t h = 0; h < g->hosts; h++) {
        const struct page *page = NULL;

        buf_clear(&text);
        site_robots(&s, h, &text);
        struct robots *r = robots_parse(buf_str(&text), STR("brood"));
        assert_true(robots_allows(r, STR("/a"), NULL) &&
                    !robots_allows(r, STR("/private/x"), NULL));
        assert_true(robots_delay(r) == 2000000 && robots_sitemap_count(r) == 1);
        robots_free(r);
        buf_clear(&text);
        site_sitemap(&s, h, &text);
        struct page_input in = {.payload = buf_str(&text),
                                .url = STR("http://a.example/sitemap.xml"),
                                .content_type = STR("application/xml"),
                                .now = c.date};
        assert_int_equal(page_parse(parser, &in, &memory, &page), DROP_NONE);
        assert_int_equal(page->kind, PAGE_SITEMAP);
        assert_true(page->nlinks > 0 && page->nlinks <= g->host_first[h + 1] - g->host_first[h]);
        buf_clear(&text);
        site_feed(&s, h, &text);
        in.payload = buf_str(&text);
        in.content_type = h % 2 ? STR("application/atom+xml") : STR("application/rss+xml");
        assert_int_equal(page_parse(parser, &in, &memory, &page), DROP_NONE);
        assert_int_equal(page->kind, PAGE_FEED);
        assert_true(page->nlinks >= 1);
        arena_reset(&memory);
    }
    site_clear(&s);
    graph_free(g);
    page_parser_free(parser);
    arena_free(&memory);
    buf_free(&text);
}

static void copies_are_exact_or_nearly_so(void **state)
{
    struct make_config c = config(1000, 10, 8);
    struct graph *g = NULL;
    struct buf a = BUF_INIT(1 << 22), b = BUF_INIT(1 << 22);
    uint32_t exact = 0, near = 0;
    struct site s;

    (void)state;
    c.graph.duplicates = 0.1;
    assert_int_equal(graph_make(&c.graph, &g), ST_OK);
    site_init(&s, &c, g);
    for (uint32_t i = 0; i < g->pages; i++) {
        if (g->copy_of[i] == GRAPH_NONE)
            continue;
        buf_clear(&a);
        buf_clear(&b);
        site_page(&s, i, &a);
        site_page(&s, g->copy_of[i], &b);
        bool same = str_eq(buf_str(&a), buf_str(&b));
        assert_true(same == site_copy_is_exact(&s, i));
        assert_true(a.len < b.len + 100);
        exact += same;
        near += !same;
    }
    assert_true(exact > 10 && near > 10);
    site_clear(&s);
    graph_free(g);
    buf_free(&a);
    buf_free(&b);
}

static bool stop_at_once(void *ctx, uint32_t done, uint32_t total)
{
    *(uint32_t *)ctx = done;
    return done >= total;
}

static void bad_wishes_are_refused_and_nothing_is_overwritten(void **state)
{
    struct make_config c = config(300, 10, 1);
    struct world *w = NULL;
    uint32_t done = 0;
    char dir[128];

    (void)state;
    made(&c, dir, sizeof dir);
    assert_int_equal(world_make(dir, &c, NULL, NULL), ST_EXISTS);
    (void)snprintf(dir, sizeof dir, "%s/other", test_dir());
    c.words = 3;
    assert_int_equal(world_make(dir, &c, NULL, NULL), ST_USAGE);
    assert_non_null(strstr(status_text(), "words"));
    c = config(300, 10, 1);
    assert_int_equal(world_make(dir, &c, stop_at_once, &done), ST_STOPPED);
    assert_int_equal(done, 100);
    assert_int_equal(world_open("/nonexistent/world", &w), ST_MISSING);
    assert_null(w);
}

static void options_outside_their_limits_are_refused(void **state)
{
    struct make_config c;

    (void)state;
    for (const struct option *o = make_option_table + 1; o->name; o++) {
        char text[40];

        make_config_init(&c);
        assert_true(strlen(o->help) > 5);
        (void)snprintf(text, sizeof text, "%.15g", o->min);
        assert_int_equal(option_set(o, &c, str_of(text)), ST_OK);
        (void)snprintf(text, sizeof text, "%.0f", ceil(o->max) * 2 + 1);
        assert_int_equal(option_set(o, &c, str_of(text)), ST_USAGE);
    }
    make_config_init(&c);
    c.graph.locality = 2;
    assert_int_equal(world_make("/nonexistent/world", &c, NULL, NULL), ST_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_numbers_make_the_same_world_byte_for_byte),
        cmocka_unit_test(a_world_has_pages_hosts_topics_and_what_hosts_have),
        cmocka_unit_test(measured_figures_are_those_asked_for),
        cmocka_unit_test(info_is_the_json_that_was_promised),
        cmocka_unit_test(html_parses_back_to_the_links_intended),
        cmocka_unit_test(pages_have_the_frame_of_their_host),
        cmocka_unit_test(sitemaps_feeds_and_robots_are_understood),
        cmocka_unit_test(copies_are_exact_or_nearly_so),
        cmocka_unit_test(bad_wishes_are_refused_and_nothing_is_overwritten),
        cmocka_unit_test(options_outside_their_limits_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
