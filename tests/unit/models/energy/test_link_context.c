/* Which words speak for a link, and sets of URLs to draw from.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/energy/link_context.h"
#include "models/energy/url_pool.h"
#include "base/mem.h"
#include "text/words/stem.h"
#include "text/topic.h"

static const struct context_rules usual = {
    .node = NODE_20, .window = 40, .words = LINK_NODE_WORDS, .links = LINK_NODE_LINKS};
static unsigned asked; /* calls of score() */

/* As near as the span is long. */
static float score(void *engine, const struct percept *p, struct span words, bool raw)
{
    (void)engine, (void)p;
    asked++;
    return (float)(words.to - words.from) / (raw ? 1000.f : 2000.f);
}

static void same(struct span got, uint32_t from, uint32_t to)
{
    assert_int_equal(got.from, from);
    assert_int_equal(got.to, to);
}

/* 1: an element of 30 words; 2: one of 201; 3: none; 4 to 15: twelve links of one. */
static struct page page_of(struct link *links)
{
    links[0] = (struct link){.anchor = {5, 7}, .window = {0, 40}, .node = {0, 30}};
    links[1] = (struct link){.anchor = {50, 52}, .window = {31, 71}, .node = {31, 232}};
    links[2] = (struct link){.anchor = {240, 241}, .window = {233, 260}};
    for (uint32_t i = 3; i < 15; i++)
        links[i] =
            (struct link){.anchor = {300 + i, 301 + i}, .window = {290, 330}, .node = {300, 350}};
    return (struct page){.links = links, .nlinks = 15};
}

static void the_element_around_a_link_or_the_words_around_it(void **state)
{
    struct link links[15];
    struct page page = page_of(links);

    (void)state;
    same(link_context(&usual, &page, 0), 0, 30);
    same(link_context(&usual, &page, 1), 31, 71);   /* too many words */
    same(link_context(&usual, &page, 2), 233, 260); /* no element */
    same(link_context(&usual, &page, 3), 290, 330); /* too many links */
    same(link_context(&usual, &page, 14), 290, 330);
    page.nlinks = 13; /* ten links of one element are few */
    same(link_context(&usual, &page, 3), 300, 350);
    same(link_context(&usual, &page, 12), 300, 350);
}

/* An anchor of two words, 30 to 32; around it elements of 12, 25 and 61 words. */
static void sizes_of_contexts_are_rules(void **state)
{
    struct link l = {.anchor = {30, 32},
                     .window = {10, 52},
                     .node = {20, 45},
                     .node10 = {5, 5},
                     .node40 = {30, 29}};
    struct page page = {.links = &l, .nlinks = 1};
    const struct {
        struct context_rules rules;
        struct span words;
    } rows[] = {
        {{CONTEXT_NODE, NODE_10, 40, 200, 10}, {25, 37}}, /* 30 - 5, 32 + 5 */
        {{CONTEXT_NODE, NODE_20, 40, 200, 10}, {20, 45}},
        {{CONTEXT_NODE, NODE_40, 40, 200, 10}, {0, 61}},
        {{CONTEXT_NODE, NODE_40, 40, 61, 10}, {0, 61}}, /* 61 words are not more than 61 */
        {{CONTEXT_NODE, NODE_40, 40, 60, 10}, {10, 52}},
        {{CONTEXT_NODE, NODE_40, 20, 60, 10}, {20, 42}}, /* 10 words on each side */
        {{CONTEXT_WINDOW, NODE_20, 40, 200, 10}, {10, 52}},
        {{CONTEXT_WINDOW, NODE_20, 10, 200, 10}, {25, 37}},
        {{CONTEXT_WINDOW, NODE_20, 0, 200, 10}, {30, 32}},
        {{CONTEXT_ANCHOR, NODE_20, 40, 200, 10}, {30, 32}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        same(link_context(&rows[i].rules, &page, 0), rows[i].words.from, rows[i].words.to);

    /* The text ends 3 words behind the anchor: so does every window. */
    l.window.to = 35;
    same(link_context(&rows[7].rules, &page, 0), 25, 35);
    l.window.to = 52;

    /* Elements that are too large: the window stands for them, as wide as asked for. */
    l.node = l.window;
    l.node10 = l.node40 = (struct reach){REACH_NONE, REACH_NONE};
    for (int size = NODE_10; size < NODE_SIZES; size++) {
        struct context_rules r = {CONTEXT_NODE, size, 40, 200, 10};

        same(link_context(&r, &page, 0), 10, 52);
        r.window = 6;
        same(link_context(&r, &page, 0), 27, 35);
    }
}

/* Three links in one element of 30 words: too many where two are allowed. */
static void how_many_links_are_too_many_is_a_rule(void **state)
{
    struct link links[3];
    struct page page = {.links = links, .nlinks = 3};
    struct context_rules r = usual;

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        links[i] =
            (struct link){.anchor = {5 * i, 5 * i + 1}, .window = {0, 5 * i + 21}, .node = {0, 30}};
    r.links = 3;
    same(link_context(&r, &page, 1), 0, 30);
    r.links = 2;
    same(link_context(&r, &page, 1), 0, 26);
    page.nlinks = 2;
    same(link_context(&r, &page, 1), 0, 30);
}

static void each_context_is_judged_once(void **state)
{
    struct link links[15];
    struct page page = page_of(links);
    struct link_mark marks[15] = {[1] = {.drop = DROP_ROBOTS}};
    struct profile profile = {0};
    struct percept p = {.body = &page, .marks = marks, .profile = &profile};
    const struct model_ctx ctx = {.score = score};
    float ret[15];

    (void)state;
    asked = 0;
    link_contexts(&usual, &ctx, &p, true, ret);
    assert_int_equal(asked, 3); /* links 1, 3, and 4 to 15 together */
    assert_true(ret[0] == .03f && ret[1] == 0 && ret[2] == .027f);
    assert_true(ret[3] == .04f && ret[14] == .04f);
    link_contexts(&usual, &ctx, &p, false, ret);
    assert_true(ret[0] == .015f);
}

/* 100 words, the topic's only one the 51st. A word of the same slot stands at 95. */
static void contexts_without_a_word_of_the_topic_are_not_judged(void **state)
{
    static const struct {
        struct span words;
        bool judged;
    } rows[] = {
        {{0, 40}, false},   {{20, 60}, true},  {{30, 60}, true},  {{45, 51}, true},
        {{51, 90}, false},  {{51, 60}, false}, {{48, 50}, false}, {{50, 51}, true},
        {{60, 500}, false}, {{40, 500}, true}, {{91, 99}, false}, {{200, 240}, false},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct link links[ROWS] = {0};
    struct link_mark marks[ROWS] = {0};
    uint32_t sequence[101] = {0}, id = 0;
    struct page page = {.links = links, .nlinks = ROWS};
    struct term term = {.count = 1};
    struct profile profile = {.sequence = sequence, .nsequence = 101, .terms = &term, .nterms = 1};
    struct percept p = {.body = &page, .marks = marks, .profile = &profile};
    struct model_ctx ctx = {.score = score};
    struct topic *topic = NULL;
    float ret[ROWS];

    (void)state;
    assert_int_equal(topic_from_words(STR("solar"), STR("en"), &topic), ST_OK);
    assert_int_equal(topic_terms(topic), 1);
    (void)topic_term(topic, 0, NULL, &id);
    ctx.topic = topic;
    term.id = id;
    profile.lang = (uint8_t)stem_lang(STR("en"));
    for (uint32_t i = 1; i <= 100; i++)
        sequence[i] = id + i;
    sequence[1 + 50] = id;
    sequence[1 + 95] = id ^ 1024;
    for (uint32_t i = 0; i < ROWS; i++)
        links[i].window = rows[i].words;

    link_contexts(&usual, &ctx, &p, false, ret);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_int_equal(ret[i] > 0, rows[i].judged);
    profile.nterms = 0; /* the page as a whole has none */
    link_contexts(&usual, &ctx, &p, false, ret);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_true(ret[i] == 0);
    profile.lang++; /* in another language words look otherwise: everything is judged */
    link_contexts(&usual, &ctx, &p, false, ret);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_true(ret[i] > 0);
    topic_free(topic);

    /* A phrase of stop words is worth something, but is none of the terms. */
    assert_int_equal(topic_from_words(STR("solar \"to be\""), STR("en"), &topic), ST_OK);
    assert_int_equal(topic_terms(topic), 1);
    ctx.topic = topic;
    profile.lang--;
    link_contexts(&usual, &ctx, &p, false, ret);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_true(ret[i] > 0);
    topic_free(topic);
}

static void any_member_of_a_pool_is_drawn_alike(void **state)
{
    struct url_pool p = {0}, again = {0};
    struct buf saved = BUF_INIT(1000);
    struct cursor from;
    unsigned drawn[8] = {0};
    struct rng r;

    (void)state;
    rng_init(&r, 1);
    assert_int_equal(url_pool_any(&p, &r), 0);
    for (uint32_t url = 1; url <= 7; url++)
        url_pool_add(&p, url);
    url_pool_add(&p, 3);
    url_pool_remove(&p, 5);
    url_pool_remove(&p, 5);
    assert_int_equal(p.count, 6);
    assert_true(url_pool_has(&p, 7) && !url_pool_has(&p, 5));
    for (int i = 0; i < 6000; i++)
        drawn[url_pool_any(&p, &r)]++;
    for (uint32_t url = 1; url <= 7; url++)
        assert_true(url == 5 ? drawn[url] == 0 : drawn[url] > 850 && drawn[url] < 1150);
    url_pool_save(&p, &saved);
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(url_pool_load(&again, &from), ST_OK);
    assert_memory_equal(again.urls, p.urls, 6 * sizeof *p.urls);
    from = (struct cursor){.rest = str_sub(buf_str(&saved), 0, saved.len - 1)};
    assert_int_equal(url_pool_load(&again, &from), ST_CORRUPT);
    assert_int_equal(again.count, 0);
    url_pool_clear(&p);
    url_pool_clear(&again);
    buf_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_element_around_a_link_or_the_words_around_it),
        cmocka_unit_test(sizes_of_contexts_are_rules),
        cmocka_unit_test(how_many_links_are_too_many_is_a_rule),
        cmocka_unit_test(each_context_is_judged_once),
        cmocka_unit_test(contexts_without_a_word_of_the_topic_are_not_judged),
        cmocka_unit_test(any_member_of_a_pool_is_drawn_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
