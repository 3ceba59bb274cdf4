/* test_barrier.c - shells of JavaScript, and bot walls. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "parse/barrier.h"
#include "parse/page/page.h"

static enum drop judge(const char *html)
{
    struct page_parser *p = page_parser_new();
    struct page_input in = {.payload = str_of(html),
                            .url = STR("http://a.example/"),
                            .content_type = STR("text/html; charset=utf-8")};
    const struct page *page;
    struct arena arena;
    enum drop why;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    assert_int_equal(page_parse(p, &in, &arena, &page), DROP_NONE);
    why = barrier_of(page, in.payload);
    arena_free(&arena);
    page_parser_free(p);
    return why;
}

#define SCRIPT "<script src=/static/main.js></script>"

static void a_shell_is_told_from_a_page(void **state)
{
    (void)state;
    assert_int_equal(judge("<title>App</title><noscript>You need to enable JavaScript to run this "
                           "app.</noscript><div id=\"root\"></div>" SCRIPT),
                     DROP_SCRIPT);
    assert_int_equal(judge("<title>App</title><div id='app'></div>" SCRIPT), DROP_SCRIPT);
    assert_int_equal(judge("<p>Bitte aktivieren Sie JavaScript.</p>" SCRIPT), DROP_SCRIPT);
    /* Filled on the server, or simply short. */
    assert_int_equal(judge("<div id=\"root\"><h1>Bees</h1><p>Bees live in hives, which they fill "
                           "with honey, and all of this stands here.</div>" SCRIPT),
                     DROP_NONE);
    assert_int_equal(judge("<title>A photo</title><img src=a.jpg>" SCRIPT), DROP_NONE);
    assert_int_equal(judge("<p>Read how to enable JavaScript.</p>"), DROP_NONE);
    assert_int_equal(judge("<nav><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a>"
                           "<a href=/5>5</a></nav><noscript>enable JavaScript</noscript>" SCRIPT),
                     DROP_NONE);
}

static void a_wall_is_told_from_a_page(void **state)
{
    struct buf article = BUF_INIT(100000);

    (void)state;
    assert_int_equal(judge("<title>Just a moment...</title><p>Checking your browser." SCRIPT),
                     DROP_WALL);
    assert_int_equal(judge("<title>shop.example</title><script>window._cf_chl_opt={};</script>"
                           "<p>One more step."),
                     DROP_WALL);
    buf_add_z(&article, "<title>Just a moment: how walls work</title><p>");
    for (int i = 0; i < 30; i++)
        buf_add_z(&article, "The script sets _cf_chl_opt and waits. ");
    assert_int_equal(judge(article.data), DROP_NONE);
    buf_free(&article);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shell_is_told_from_a_page),
        cmocka_unit_test(a_wall_is_told_from_a_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
