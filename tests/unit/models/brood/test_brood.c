/* The parts of the model brood, computed by hand: yields, the numbers of a link, the fit of
 * the weights, the life of policies. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "base/mem.h"
#include "models/brood/link_words.h"
#include "models/brood/policies.h"
#include "models/models.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g, not %.9g", got, expected);
}

/* ---- the map ---- */

/* Page 0 (URL 1, label .5) names 2 and 3; then 2 comes with label 1. */
static void map_open(struct web_map *m)
{
    web_map_init(m);
    assert_int_equal(web_map_visit(m, 1, 0.5, 0.1), 0);
    assert_non_null(web_map_names(m, 2));
    assert_non_null(web_map_names(m, 3));
    assert_null(web_map_names(m, 3)); /* a page names a URL once */
    assert_null(web_map_names(m, 1)); /* and never itself */
    web_map_link(m, 2)->is_waiting = web_map_link(m, 3)->is_waiting = true;
    web_map_close(m);
    assert_int_equal(m->ndirty, 2);
    assert_near((double)m->pages[0].used, 0.05 + 0.4 * 0.5, 1e-6);
    for (size_t i = 0; i < m->ndirty; i++)
        m->links[m->dirty[i]].is_dirty = false;
    m->ndirty = 0;
    assert_int_equal(web_map_visit(m, 2, 1, 0.3), 1);
}

/* What a page that n pages link to counts as. */
static double labels(double n)
{
    return 2 / (2 + log(1 + n));
}

/* One observation (.5, 1) more: c1 = 42 / 105, c0 = 1.8 / 21. */
static void label_is_credited_to_the_page_that_linked(void **state UNUSED)
{
    struct web_map m;

    map_open(&m);
    assert_near(m.c1, 0.4, 1e-9);
    assert_near(m.c0, 1.8 / 21, 1e-9);
    assert_near(m.base, 3.5 / 12, 1e-6);
    assert_near(page_yield(&m, &m.pages[0]), (labels(1) + 3 * (1.8 / 21 + 0.2)) / (labels(1) + 3),
                1e-6);
    assert_int_equal(m.ndirty, 1); /* the yield moved: the other link is to be scored again */
    assert_int_equal(m.dirty[0], 3);
    assert_near(web_map_near(&m, 0), (2 * 3.5 / 12 + 1) / 3, 1e-6);
    web_map_clear(&m);
}

static void hub_is_known_when_it_comes(void **state UNUSED)
{
    struct web_map m;

    map_open(&m);
    (void)web_map_visit(&m, 4, 0.1, 0);
    (void)web_map_names(&m, 2); /* visited, label 1 */
    (void)web_map_names(&m, 5);
    web_map_close(&m);
    assert_near((double)m.pages[2].links.count, labels(2), 1e-6);
    assert_near((double)m.pages[2].links.sum, labels(2), 1e-6);
    assert_true((double)m.pages[2].used > 0.25);
    web_map_clear(&m);
}

/* 1 names 2; 2 is an example: four labels of 1, whenever it is known. c1 = 42 / 105, c0 = 1.8 / 21
 * as above, so that 1 has (4 + 3 (c0 + c1 / 2)) / 7. */
static void an_example_counts_four_times(void **state UNUSED)
{
    double first = (4 + 3 * (1.8 / 21 + 0.2)) / 7;
    struct web_map m;

    map_open(&m);
    web_map_is_example(&m, 1);
    assert_near(page_yield(&m, &m.pages[0]), first, 1e-6);
    web_map_recount(&m, 0);
    assert_near(page_yield(&m, &m.pages[0]), first, 1e-6);
    (void)web_map_visit(&m, 4, 0.1, 0);
    (void)web_map_names(&m, 2);
    assert_near((double)m.pages[2].links.sum, 4, 1e-6);
    assert_int_equal(m.pages[0].examples, 1);
    assert_int_equal(m.pages[2].examples, 1);
    web_map_clear(&m);
}

/* 1 names two examples, then a third: one, then two of them are more than a page of the topic
 * would name by chance. What 1 names is on a list. */
static void a_page_that_names_several_examples_is_a_list(void **state UNUSED)
{
    struct web_map m;
    float x[FEATURES];

    web_map_init(&m);
    for (uint32_t url = 2; url <= 5; url++)
        web_map_is_example(&m, web_map_visit(&m, url, 1, 0));
    (void)web_map_visit(&m, 1, 0.5, 0);
    for (uint32_t url = 2; url <= 5; url++) {
        assert_non_null(web_map_names(&m, url));
        assert_non_null(web_map_names(&m, url + 10));
        link_features(&m, 12, x);
        assert_near((double)x[F_LIST], url == 2 ? 0 : url == 3 ? 0.5 : 1, 1e-6);
    }
    web_map_clear(&m);
}

/* A tenth of what a visit brought more than usual is left on the page that named it. */
static void visits_leave_energy_on_pages(void **state UNUSED)
{
    struct web_map m;
    float x[FEATURES];

    map_open(&m);
    web_map_leave(&m, 2, 0.5);
    assert_near((double)m.pages[0].energy, 0.55, 1e-6);
    assert_near((double)m.pages[1].energy, 1, 1e-6); /* its own label */
    link_features(&m, 3, x);
    assert_near((double)x[F_ENERGY], 0.55, 1e-6);
    web_map_leave(&m, 2, 1000);
    assert_near((double)m.pages[0].energy, 2, 1e-6);
    web_map_leave(&m, 2, -1000);
    assert_near((double)m.pages[0].energy, -1, 1e-6);
    web_map_clear(&m);
}

static uint32_t host_77(void *ctx UNUSED, uint32_t url)
{
    return url < 10 ? 77 : 78;
}

/* Half the logit of a group's yield with two usual pages. */
static double worth(const struct web_map *m, double sum, double count)
{
    double p = (sum + 2 * m->base) / (count + 2);

    return 0.5 * log(p / (1 - p));
}

/* Pages 2 and 3 are of one host; of another one nothing is known. Labels that change are known at
 * once, and the same when everything is counted again. */
static void groups_have_yields(void **state UNUSED)
{
    struct web_map m;

    web_map_init(&m);
    m.host = host_77;
    (void)web_map_visit(&m, 1, 0.5, 0);
    for (uint32_t url = 2; url <= 4; url++)
        (void)web_map_names(&m, url);
    m.links[2].directory = 5;
    (void)web_map_visit(&m, 2, 0.25, 0);
    (void)web_map_visit(&m, 3, 0.5, 0);
    assert_near((double)group_worth(&m, MAP_HOST, 77, 0), worth(&m, 0.75, 2), 1e-6);
    assert_near((double)group_worth(&m, MAP_DIRECTORY, 77, 5), worth(&m, 0.25, 1), 1e-6);
    assert_near((double)group_worth(&m, MAP_DIRECTORY, 77, 0), worth(&m, 0.5, 1), 1e-6);
    assert_near((double)group_worth(&m, MAP_HOST, 78, 0), worth(&m, 0, 0), 1e-6);
    web_map_relabel(&m, 1, 1);
    web_map_solve(&m);
    for (int i = 0; i < 2; i++) {
        assert_near(m.all.sum, 2, 1e-9);
        assert_near((double)group_worth(&m, MAP_HOST, 77, 0), worth(&m, 1.5, 2), 1e-6);
        web_map_count(&m);
    }
    web_map_clear(&m);
}

/* Sums do not depend on the order: labels changed one by one, and all counted again, are the same,
 * with a redirect too, whose target the page itself names. */
static void counted_again_is_the_same(void **state UNUSED)
{
    struct web_map m;
    struct rng r;
    double xy, xx, y, c0;

    rng_init(&r, 5);
    web_map_init(&m);
    for (uint32_t url = 1; url <= 40; url++) {
        uint32_t page = web_map_visit(&m, url, rng_unit(&r), 0);

        for (uint32_t to = 1; to <= 60; to += 1 + (uint32_t)rng_below(&r, 9))
            (void)web_map_names(&m, to);
        web_map_close(&m);
        if (url == 20)
            web_map_leads_to(&m, 60, page);
    }
    for (uint32_t page = 0; page < 40; page += 3)
        web_map_relabel(&m, page, rng_unit(&r));
    web_map_relabel(&m, 19, 0.123);
    web_map_solve(&m);
    xy = m.xy, xx = m.xx, y = m.y, c0 = m.c0;
    web_map_count(&m);
    assert_true(xy == m.xy && xx == m.xx && y == m.y && c0 == m.c0 && m.n > 100);
    web_map_clear(&m);
}

static void save_map(const struct web_map *m, struct buf *out)
{
    web_map_save(m, out);
    web_map_save_all(m, 0, out);
}

static enum status load_map(struct web_map *m, struct str saved)
{
    struct cursor c = {.rest = saved};
    enum status st;
    uint32_t number = 0;
    struct str bytes;

    web_map_init(m);
    st = web_map_load(m, &c);
    while (st == ST_OK && parts_next(&c, &number, &bytes)) {
        struct cursor part = {.rest = bytes};

        st = web_map_load_part(m, number, &part);
    }
    return st == ST_OK ? web_map_loaded(m) : st;
}

static void saved_map_is_the_same(void **state UNUSED)
{
    struct web_map m, again;
    struct buf saved = BUF_INIT(1 << 16), twice = BUF_INIT(1 << 16);

    map_open(&m);
    web_map_link(&m, 3)->place = 5;
    web_map_leads_to(&m, 3, 1);
    save_map(&m, &saved);
    assert_int_equal(load_map(&again, buf_str(&saved)), ST_OK);
    save_map(&again, &twice);
    assert_true(str_eq(buf_str(&saved), buf_str(&twice)));
    assert_int_equal(again.links[3].edge, m.links[3].edge);
    assert_int_equal(again.pages[1].alias, 3);
    assert_true(again.xy == m.xy && again.all.sum == m.all.sum);
    web_map_clear(&again);
    for (size_t cut = 0; cut < saved.len; cut++) {
        assert_int_equal(load_map(&again, str_sub(buf_str(&saved), 0, cut)), ST_CORRUPT);
        web_map_clear(&again);
    }
    web_map_clear(&m);
    buf_free(&saved);
    buf_free(&twice);
}

/* What earlier versions wrote: parts of 256 rows, and pages first. */
static void put_coarse(struct web_map *m, struct buf *out)
{
    struct buf links = BUF_INIT(1 << 16), edges = BUF_INIT(1 << 16), pages = BUF_INIT(1 << 16);
    struct buf fine = BUF_INIT(1 << 16);
    struct str bytes;
    struct cursor c;
    uint32_t number = 0;

    web_map_save_all(m, 0, &fine);
    c = (struct cursor){.rest = buf_str(&fine)};
    while (parts_next(&c, &number, &bytes)) {
        if (number >= 1u << 25)
            buf_add_str(&pages, bytes);
        else if (number >= 1u << 24)
            buf_add_str(&edges, bytes);
        for (size_t i = 0; number < 1u << 24 && i < bytes.len; i += 16) {
            buf_put_u8(&links, (uint8_t)(bytes.ptr[i] + (int)(number - (1u << 20)) * 32));
            buf_add(&links, bytes.ptr + i + 1, 15);
        }
    }
    parts_put(out, 0, buf_str(&pages));
    parts_put(out, 1u << 20, buf_str(&links));
    parts_put(out, 1u << 24, buf_str(&edges));
    buf_free(&links);
    buf_free(&edges);
    buf_free(&pages);
    buf_free(&fine);
}

static void a_map_in_coarse_parts_is_saved_in_fine_ones(void **state UNUSED)
{
    struct buf old = BUF_INIT(1 << 16), now = BUF_INIT(1 << 16), later = BUF_INIT(1 << 16);
    struct web_map m, again;
    struct cursor c, part;
    struct str bytes;
    uint32_t number = 0;

    map_open(&m);
    web_map_save(&m, &old);
    put_coarse(&m, &old);
    web_map_init(&again);
    again.coarse = again.in_parts = true;
    c = (struct cursor){.rest = buf_str(&old)};
    assert_int_equal(web_map_load(&again, &c), ST_OK);
    while (parts_next(&c, &number, &bytes)) {
        part = (struct cursor){.rest = bytes};
        assert_int_equal(web_map_load_part(&again, number, &part), ST_OK);
    }
    assert_int_equal(web_map_loaded(&again), ST_OK);
    web_map_save_all(&m, 0, &now);
    web_map_save_parts(&again, 0, &later);
    c = (struct cursor){.rest = str_sub(buf_str(&later), now.len, later.len)};
    assert_true(later.len > now.len && memcmp(now.data, later.data, now.len) == 0);
    assert_true(parts_next(&c, &number, &bytes)); /* then the only part of pages is removed */
    assert_true(number == 0 && bytes.len == 0 && c.rest.len == 0);
    web_map_clear(&m);
    web_map_clear(&again);
    buf_free(&old);
    buf_free(&now);
    buf_free(&later);
}

static size_t count_parts(struct web_map *m)
{
    struct buf out = BUF_INIT(1 << 20);
    struct cursor c;
    struct str bytes;
    uint32_t number = 0;
    size_t n = 0;

    web_map_save_parts(m, 0, &out);
    c = (struct cursor){.rest = buf_str(&out)};
    while (parts_next(&c, &number, &bytes))
        n++;
    buf_free(&out);
    return n;
}

/* 1 names 3,000 URLs; then one of them is visited. */
static void a_map_saves_the_parts_that_changed(void **state UNUSED)
{
    struct web_map m;

    web_map_init(&m);
    (void)web_map_visit(&m, 1, 0.5, 0);
    for (uint32_t url = 2; url < 3002; url++)
        (void)web_map_names(&m, url);
    web_map_close(&m);
    assert_true(count_parts(&m) > 1 + 12 + 11);
    assert_int_equal(count_parts(&m), 0);
    (void)web_map_visit(&m, 2500, 0.5, 0);
    assert_int_equal(count_parts(&m), 2); /* that of the pages, and one of the links */
    web_map_clear(&m);
}

/* Page 0 (URL 1, label .5) names 2 and 3 of group 7 (key 9), and 2 is page 1, label 1: that version
 * could give a start page more. */
static void a_map_of_version_0_2_can_be_loaded(void **state UNUSED)
{
    static const float pages[2][5] = {{0.5f, 0.1f, 1, 1, 0.3f}, {4, 0.3f, 0, 0, 0.4f}};
    struct web_map m;
    struct buf old = BUF_INIT(1 << 16);
    struct cursor c;

    for (int i = 0; i < 12; i++) /* sums that are counted again */
        buf_put_u32(&old, 0);
    buf_put_u32(&old, 1);
    buf_put_u64(&old, 9);
    buf_put_u64(&old, 0);
    buf_put_u32(&old, 2);
    for (uint32_t i = 0; i < 2; i++) {
        buf_put_u32(&old, i + 1);
        buf_put_u32(&old, i == 0 ? 2 : 0);
        for (int k = 0; k < 5; k++)
            buf_put_f32(&old, pages[i][k]);
        buf_put_u32(&old, i + 1);
    }
    buf_put_u32(&old, 2);
    buf_put_u32(&old, 3);
    buf_put_u32(&old, 2); /* links */
    for (uint32_t url = 2; url <= 3; url++) {
        buf_put_u32(&old, url);
        buf_put_u32(&old, url == 2 ? 2 : 0);
        buf_put_u32(&old, 1);
        buf_put_u32(&old, 1);
        buf_put_u32(&old, 0);
        buf_put_f32(&old, 1.5f);
        buf_put_f32(&old, -2);
        buf_put_u8(&old, url == 3);
    }
    for (size_t cut = 0; cut <= old.len; cut++) {
        web_map_init(&m);
        c = (struct cursor){.rest = str_sub(buf_str(&old), 0, cut)};
        assert_int_equal(web_map_load_old(&m, &c), cut < old.len ? ST_CORRUPT : ST_OK);
        if (cut < old.len)
            web_map_clear(&m);
    }
    assert_int_equal(c.rest.len, 0);
    assert_int_equal(m.links[3].directory, 9);
    assert_int_equal(m.links[3].anchor, 1.5 * MAP_FINE);
    assert_int_equal(m.links[3].context, -2 * MAP_FINE);
    assert_true(m.links[3].is_waiting && link_page(&m.links[2]) == 2);
    assert_int_equal(m.edges.labels[EDGE_SPARE], 255);
    assert_near(m.y, 1, 1e-9);
    web_map_clear(&m);
    buf_free(&old);
}

/* ---- words of links ---- */

/* A guide to these words that has read a page "rain bee hive": 4 for the topic's words as a whole. */
static struct guide *guide_to(const char *words, struct topic **ret_topic, struct profile *p)
{
    static uint32_t sequence[4];
    static uint64_t stops[1];
    struct guide_config config = {.memory = 25};
    struct guide *g;

    sequence[1] = term_id(STR("rain"));
    sequence[2] = term_id(STR("bee"));
    sequence[3] = term_id(STR("hive"));
    *p = (struct profile){.sequence = sequence, .stops = stops, .nsequence = 4};
    assert_int_equal(topic_from_words(str_of(words), STR("en"), ret_topic), ST_OK);
    g = guide_new(*ret_topic, &config);
    guide_read(g, p, NULL);
    return g;
}

struct ring {
    struct topic *bee, *others;
    struct guide *to_bee, *to_others;
    struct profile page;
    struct web_map map;
    struct link_words words;
};

static double fine(int16_t x)
{
    return (double)x / MAP_FINE;
}

/* A page names URLs from 2 on with the anchor "bee" in "rain bee hive". */
static void ring_open(struct ring *r, uint32_t links)
{
    *r = (struct ring){0};
    r->to_bee = guide_to("bee", &r->bee, &r->page);
    r->to_others = guide_to("rain hive", &r->others, &r->page);
    web_map_init(&r->map);
    (void)web_map_visit(&r->map, 1, 0.5, 0);
    for (uint32_t url = 2; url < 2 + links; url++) {
        web_map_names(&r->map, url)->is_waiting = true;
        link_words_add(&r->words, &r->map, r->to_bee, &r->page, (struct span){1, 2},
                       (struct span){0, 3});
    }
}

static void ring_close(struct ring *r)
{
    guide_free(r->to_bee);
    guide_free(r->to_others);
    topic_free(r->bee);
    topic_free(r->others);
    link_words_clear(&r->words);
    web_map_clear(&r->map);
}

/* bee: 4 of the anchor, 4 / sqrt 3 of the words around it; rain and hive: 0, and
 * 2 (4 / sqrt 2) / sqrt 3. A link that was followed keeps what it had. */
static void words_are_weighed_again(void **state UNUSED)
{
    struct ring r;

    ring_open(&r, 2);
    assert_near(fine(r.map.links[2].anchor), 4, 0.005);
    assert_near(fine(r.map.links[2].context), 4 / sqrt(3), 0.005);
    r.map.links[3].is_waiting = false;
    link_words_weigh(&r.words, &r.map, r.to_others);
    assert_near(fine(r.map.links[2].anchor), 0, 0.005);
    assert_near(fine(r.map.links[2].context), 8 / sqrt(6), 0.005);
    assert_near(fine(r.map.links[3].anchor), 4, 0.005);
    ring_close(&r);
}

static void only_the_last_links_are_weighed_again(void **state UNUSED)
{
    struct ring r;

    ring_open(&r, LINK_WORDS + 1);
    link_words_weigh(&r.words, &r.map, r.to_others);
    assert_near(fine(r.map.links[2].anchor), 4, 0.005);
    assert_near(fine(r.map.links[3].anchor), 0, 0.005);
    ring_close(&r);
}

static void saved_words_are_the_same(void **state UNUSED)
{
    struct buf saved = BUF_INIT(1 << 20), twice = BUF_INIT(1 << 20), part = BUF_INIT(1 << 20);
    struct link_words again = {0};
    struct cursor c, all;
    struct str bytes;
    uint32_t number = 0;
    struct ring r;

    ring_open(&r, 2);
    link_words_save(&r.words, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(link_words_load(&again, &c), ST_OK);
    assert_int_equal(c.rest.len, 0);
    link_words_save_parts(&r.words, 7, &part);
    all = (struct cursor){.rest = buf_str(&part)};
    assert_true(parts_next(&all, &number, &bytes));
    assert_int_equal(number, 7);
    assert_int_equal(all.rest.len, 0); /* the other parts are empty */
    for (size_t cut = 0; cut <= bytes.len; cut += cut + 100 < bytes.len ? 97 : 1) {
        c = (struct cursor){.rest = str_sub(bytes, 0, cut)};
        assert_int_equal(link_words_load_part(&again, 0, &c), cut < bytes.len ? ST_CORRUPT : ST_OK);
    }
    link_words_save_all(&r.words, 0, &saved);
    link_words_save(&again, &twice);
    link_words_save_all(&again, 0, &twice);
    assert_true(str_eq(buf_str(&saved), buf_str(&twice)));
    link_words_clear(&again);
    buf_free(&saved);
    buf_free(&twice);
    buf_free(&part);
    ring_close(&r);
}

/* ---- the predictor ---- */

static void a_predictor_of_version_0_2_can_be_loaded(void **state UNUSED)
{
    struct buf old = BUF_INIT(1 << 16);
    struct predictor usual, p;
    struct cursor c;

    for (int i = 0; i < 9; i++)
        buf_put_f64(&old, i + 1);
    buf_put_u64(&old, 1); /* seen */
    buf_put_u64(&old, 20);
    buf_put_u32(&old, 0);
    buf_put_u32(&old, 1); /* samples */
    for (int i = 0; i < 9; i++)
        buf_put_f32(&old, (float)i);
    buf_put_u32(&old, 0);
    predictor_init(&usual);
    predictor_init(&p);
    c = (struct cursor){.rest = buf_str(&old)};
    assert_int_equal(predictor_load_old(&p, &c), ST_OK);
    assert_int_equal(predictor_loaded(&p, 1), ST_OK);
    assert_int_equal(predictor_loaded(&p, 0), ST_CORRUPT);
    assert_int_equal(c.rest.len, 0);
    assert_true(p.w[F_PLACE] == 9 && p.w[F_URL] == usual.w[F_URL] && p.w[F_URL] > 0);
    assert_true(p.samples[0].x[F_PLACE] == 8 && p.samples[0].x[F_BESIDE] == 0);
    predictor_clear(&p);
    predictor_clear(&usual);
    buf_free(&old);
}

static void link_is_fourteen_numbers(void **state UNUSED)
{
    struct web_map m;
    struct map_link *l;
    float x[FEATURES];
    double yield = (labels(1) + 3 * (1.8 / 21 + 0.2)) / (labels(1) + 3),
           mean = (yield + 2 * 3.5 / 12) / 3;
    double beside = (1 + 2 * mean) / 3; /* the one link before it brought a page of label 1 */

    map_open(&m);
    l = web_map_link(&m, 3);
    l->anchor = 2 * MAP_FINE;
    l->name = 3 * MAP_FINE;
    l->context = 3 * MAP_FINE;
    l->section = 4 * MAP_FINE;
    link_features(&m, 3, x);
    assert_near((double)x[F_BIAS], 1, 0);
    assert_near((double)x[F_YIELD], 0.5 * log(mean / (1 - mean)), 1e-5);
    assert_near((double)x[F_ANCHOR], 1, 1e-6);
    assert_near((double)x[F_CONTEXT], 3, 1e-6);
    assert_near((double)x[F_HOST], worth(&m, 1, 1), 1e-5); /* the other page of its host */
    assert_near((double)x[F_PLACE], worth(&m, 1, 1), 1e-5);
    assert_near((double)x[F_WORDS], 0.3, 1e-6);
    assert_near((double)x[F_LINKS], log(2), 1e-6);
    assert_near((double)x[F_BESIDE],
                0.5 * log(beside / (1 - beside)) - 0.5 * log(mean / (1 - mean)), 1e-5);
    assert_near((double)x[F_URL], 1.5, 1e-6);
    assert_near((double)x[F_SECTION], 4, 1e-6);
    assert_near((double)x[F_ENERGY], 0.5, 1e-6);
    assert_near((double)x[F_LIST], 0, 0);
    web_map_clear(&m);
}

/* Of the links 2 to 8 of one page, 2, 3 and 8 were visited: beside 7, at distances 5, 4 and 1. The
 * first is too far away. */
static void links_beside_count_by_their_distance(void **state UNUSED)
{
    struct web_map m;
    float x[FEATURES];
    double mean, beside;

    web_map_init(&m);
    (void)web_map_visit(&m, 1, 0.5, 0);
    for (uint32_t url = 2; url <= 8; url++)
        assert_non_null(web_map_names(&m, url));
    web_map_close(&m);
    (void)web_map_visit(&m, 2, 0.9, 0);
    (void)web_map_visit(&m, 3, 1, 0);
    (void)web_map_visit(&m, 8, 0.5, 0);
    link_features(&m, 7, x);
    mean = 1 / (1 + exp(-2 * (double)x[F_YIELD]));
    beside = (1.0 / 4 + 0.5 + 2 * mean) / (1.0 / 4 + 1 + 2);
    assert_near((double)x[F_BESIDE],
                0.5 * log(beside / (1 - beside)) - 0.5 * log(mean / (1 - mean)), 1e-5);
    web_map_clear(&m);
}

/* Twenty links that are nothing but a bias brought pages of label 1/2: the weight w solves
 * (-1 - w) + 20 (1/2 - 1 / (1 + exp(-w))) = 0. */
static void weights_are_fitted_to_what_links_brought(void **state UNUSED)
{
    struct web_map m;
    struct predictor p;
    float x[FEATURES] = {1};

    map_open(&m);
    predictor_init(&p);
    assert_near(link_worth(p.w, x), 1 / (1 + exp(1)), 1e-9);
    for (int i = 0; i < 20; i++) {
        assert_false(predictor_is_due(&p));
        predictor_learn(&p, x, 0);
    }
    assert_true(predictor_is_due(&p));
    predictor_fit(&p, &m);
    assert_near(p.w[F_BIAS], -0.16699, 1e-4);
    assert_near(p.w[F_YIELD], 2, 1e-9); /* nothing was learned of it */
    assert_false(predictor_is_due(&p));
    predictor_clear(&p);
    web_map_clear(&m);
}

/* A hundred links of pages whose yields are .2 bring pages of label .7: far from what the prior
 * expects, where whole steps of Newton's method lead to weights of some hundreds. */
static void surprise_does_not_drive_the_weights_away(void **state UNUSED)
{
    struct web_map m;
    struct predictor p;
    float x[FEATURES] = {[F_BIAS] = 1, [F_YIELD] = (float)(0.5 * log(0.2 / 0.8))};

    map_open(&m);
    m.pages[0].p = 0.7f;
    predictor_init(&p);
    x[F_HOST] = x[F_DIRECTORY] = x[F_PLACE] = x[F_YIELD];
    x[F_LINKS] = (float)log(2);
    for (int i = 0; i < 100; i++)
        predictor_learn(&p, x, 0);
    predictor_fit(&p, &m);
    assert_near(link_worth(p.w, x), 0.7, 0.05);
    for (int i = 0; i < FEATURES; i++)
        assert_true(fabs(p.w[i]) < 10);
    predictor_clear(&p);
    web_map_clear(&m);
}

/* ---- policies ---- */

struct stage {
    struct model_ctx ctx;
    struct model model;
    struct policies policies;
    struct percept page;
};

static void ignore(void *ctx UNUSED, const struct event *e UNUSED)
{
}

static void stage_open(struct stage *s, uint32_t size)
{
    *s = (struct stage){.page = {.page = 1, .first = true}};
    s->ctx.population = population_new(ignore, NULL);
    rng_init(&s->ctx.rng, 3);
    s->model.ctx = &s->ctx;
    policies_init(&s->model, &s->policies, size, 0.05);
    policies_begin(&s->model, &s->policies);
}

static void rich_policy_divides_and_the_poorest_dies(void **state UNUSED)
{
    struct stage s;
    struct population_counts n;

    stage_open(&s, 3);
    policies_paid(&s.model, &s.policies, 2, &s.page, 0.9); /* 1 + .9 */
    assert_near(agent_energy(s.ctx.population, 2), 1.9, 1e-9);
    policies_paid(&s.model, &s.policies, 2, &s.page, 0.9); /* the mean is .018 by now */
    n = population_counts(s.ctx.population);
    assert_int_equal(n.born, 4);
    assert_int_equal(n.alive, 3);
    assert_false(agent_is_alive(s.ctx.population, 1)); /* of two with the energy 1 the older */
    assert_near(agent_energy(s.ctx.population, 2), (1.9 + 0.882) / 2, 1e-9);
    assert_int_equal(agent_of(s.ctx.population, 4)->parent, 2);
    population_free(s.ctx.population);
}

static void poor_policy_starves_and_the_richest_divides(void **state UNUSED)
{
    struct stage s;

    stage_open(&s, 2);
    s.policies.mean = 0.9;
    policies_paid(&s.model, &s.policies, 1, &s.page, 0);
    assert_true(agent_is_alive(s.ctx.population, 1));
    policies_paid(&s.model, &s.policies, 1, &s.page, 0); /* 1 - .9 - .882 */
    assert_false(agent_is_alive(s.ctx.population, 1));
    assert_int_equal(population_counts(s.ctx.population).alive, 2);
    assert_int_equal(agent_of(s.ctx.population, 3)->parent, 2);
    assert_near(agent_energy(s.ctx.population, 3), 0.5, 1e-9);
    policies_paid(&s.model, &s.policies, 1, &s.page, 1); /* an answer for the dead: nothing */
    population_free(s.ctx.population);
}

/* As after a resume with more agents asked for than there are. */
static void last_policy_does_not_starve(void **state UNUSED)
{
    struct stage s;

    stage_open(&s, 1);
    s.policies.size = 5;
    s.policies.mean = 0.9;
    for (int i = 0; i < 3; i++)
        policies_paid(&s.model, &s.policies, 1, &s.page, 0);
    assert_true(agent_is_alive(s.ctx.population, 1));
    population_free(s.ctx.population);
}

static void first_policy_is_the_predictor(void **state UNUSED)
{
    struct stage s;
    double w[FEATURES] = {3, 4};
    float x[FEATURES] = {1, 2};

    stage_open(&s, 2);
    assert_near(policy_likes(&s.model, 1, w, x), 11.0 / 5, 1e-9);
    assert_true(fabs(policy_likes(&s.model, 2, w, x) - 11.0 / 5) > 1e-6);
    population_free(s.ctx.population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label_is_credited_to_the_page_that_linked),
        cmocka_unit_test(hub_is_known_when_it_comes),
        cmocka_unit_test(an_example_counts_four_times),
        cmocka_unit_test(a_page_that_names_several_examples_is_a_list),
        cmocka_unit_test(visits_leave_energy_on_pages),
        cmocka_unit_test(groups_have_yields),
        cmocka_unit_test(counted_again_is_the_same),
        cmocka_unit_test(saved_map_is_the_same),
        cmocka_unit_test(a_map_saves_the_parts_that_changed),
        cmocka_unit_test(a_map_in_coarse_parts_is_saved_in_fine_ones),
        cmocka_unit_test(a_map_of_version_0_2_can_be_loaded),
        cmocka_unit_test(a_predictor_of_version_0_2_can_be_loaded),
        cmocka_unit_test(words_are_weighed_again),
        cmocka_unit_test(only_the_last_links_are_weighed_again),
        cmocka_unit_test(saved_words_are_the_same),
        cmocka_unit_test(link_is_fourteen_numbers),
        cmocka_unit_test(links_beside_count_by_their_distance),
        cmocka_unit_test(weights_are_fitted_to_what_links_brought),
        cmocka_unit_test(surprise_does_not_drive_the_weights_away),
        cmocka_unit_test(rich_policy_divides_and_the_poorest_dies),
        cmocka_unit_test(poor_policy_starves_and_the_richest_divides),
        cmocka_unit_test(last_policy_does_not_starve),
        cmocka_unit_test(first_policy_is_the_predictor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
