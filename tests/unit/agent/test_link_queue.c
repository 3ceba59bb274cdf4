/* The waiting links of a model. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/link_queue.h"
#include "base/hash.h"
#include "base/rng.h"

#include <math.h>

static uint32_t take(struct link_queue *q)
{
    uint32_t url = 0;
    double score;

    return link_queue_take(q, 0, &url, &score) ? url : 0;
}

static void best_leaves_first_and_ties_in_order_of_arrival(void **state)
{
    struct link_queue q;

    (void)state;
    link_queue_init(&q, NULL, 0, PARENTS_MAX);
    link_queue_add(&q, 1, 0.5);
    link_queue_add(&q, 2, 0.9);
    link_queue_add(&q, 3, 0.5);
    link_queue_add(&q, 4, 0.7);
    assert_int_equal(take(&q), 2);
    assert_int_equal(take(&q), 4);
    assert_int_equal(take(&q), 1);
    assert_int_equal(take(&q), 3);
    assert_int_equal(take(&q), 0);
    link_queue_clear(&q);
}

/* Link 1 is found with .2, then .8; link 2 with .6 only.
 * max: 1 has .8; mean: 1 has .5; first: 1 has .2 */
static void several_parents_join_their_scores_as_asked(void **state)
{
    static const struct {
        enum parents parents;
        uint32_t first;
        double score;
    } cases[] = {{PARENTS_MAX, 1, 0.8}, {PARENTS_MEAN, 2, 0.6}, {PARENTS_FIRST, 2, 0.6}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct link_queue q;
        uint32_t url;
        double score;

        link_queue_init(&q, NULL, 0, cases[i].parents);
        link_queue_add(&q, 1, 0.2);
        link_queue_add(&q, 2, 0.6);
        link_queue_add(&q, 1, 0.8);
        assert_true(link_queue_take(&q, 0, &url, &score));
        assert_int_equal(url, cases[i].first);
        assert_true(score == cases[i].score);
        assert_int_equal(q.count, 1);
        link_queue_clear(&q);
    }
}

static void worst_and_youngest_leaves_a_full_queue(void **state)
{
    struct link_queue q;

    (void)state;
    link_queue_init(&q, NULL, 3, PARENTS_MAX);
    assert_int_equal(link_queue_add(&q, 1, 0.5), 0);
    assert_int_equal(link_queue_add(&q, 2, 0.1), 0);
    assert_int_equal(link_queue_add(&q, 3, 0.1), 0);
    assert_int_equal(link_queue_add(&q, 4, 0.4), 3);
    assert_int_equal(link_queue_add(&q, 5, 0.05), 5); /* itself */
    assert_int_equal(take(&q), 1);
    assert_int_equal(take(&q), 4);
    assert_int_equal(take(&q), 2);
    link_queue_clear(&q);
}

/* Against a plain array that is searched from end to end. */
static void agrees_with_a_slow_queue_over_random_use(void **state)
{
    enum { URLS = 300, CEILING = 100 };
    double score[URLS + 1], sum[URLS + 1];
    uint64_t seq[URLS + 1], next = 0;
    unsigned count[URLS + 1] = {0}, total = 0;
    struct link_queue q;
    struct rng r;

    (void)state;
    rng_init(&r, 3);
    link_queue_init(&q, NULL, CEILING, PARENTS_MEAN);
    for (int step = 0; step < 20000; step++) {
        uint32_t url = 1 + (uint32_t)rng_below(&r, URLS), best = 0, worst = 0;
        double s = (double)rng_below(&r, 8) / 8;

        if (rng_below(&r, 3) > 0) {
            uint32_t left = link_queue_add(&q, url, s);

            if (count[url] == 0) {
                seq[url] = next++;
                sum[url] = 0;
                total++;
            }
            sum[url] += s;
            score[url] = sum[url] / ++count[url];
            for (uint32_t u = 1; u <= URLS; u++)
                if (count[u] && (!worst || score[u] < score[worst] ||
                                 (!(score[u] > score[worst]) && seq[u] > seq[worst])))
                    worst = u;
            if (total > CEILING) {
                assert_int_equal(left, worst);
                count[worst] = 0;
                total--;
            } else {
                assert_int_equal(left, 0);
            }
            continue;
        }
        for (uint32_t u = 1; u <= URLS; u++)
            if (count[u] && (!best || score[u] > score[best] ||
                             (!(score[u] < score[best]) && seq[u] < seq[best])))
                best = u;
        assert_int_equal(take(&q), best);
        if (best) {
            count[best] = 0;
            total--;
        }
    }
    link_queue_clear(&q);
}

/* 1 2 3 with .5 each: 3 is set to .9 and leaves first; 1 is set to .5 anew and stands
 * behind 2; 2 set to .5 as it was keeps its place. With a ceiling of 3 the fourth, 4,
 * makes 1 leave, the last of the equals. */
static void score_can_be_set_with_or_without_the_place_among_equals(void **state)
{
    struct link_queue q;

    (void)state;
    link_queue_init(&q, NULL, 3, PARENTS_FIRST);
    for (uint32_t u = 1; u <= 3; u++)
        assert_int_equal(link_queue_set(&q, u, 0.5, false), 0);
    assert_int_equal(link_queue_set(&q, 3, 0.9, false), 0);
    assert_int_equal(link_queue_set(&q, 1, 0.5, true), 0);
    assert_int_equal(link_queue_set(&q, 2, 0.5, false), 0);
    assert_int_equal(link_queue_set(&q, 4, 0.7, false), 1);
    assert_false(link_queue_has(&q, 1));
    assert_int_equal(take(&q), 3);
    assert_int_equal(take(&q), 4);
    assert_int_equal(take(&q), 2);
    assert_int_equal(take(&q), 0);
    link_queue_clear(&q);
}

/* A number that no URL can have must not become an array of that size. */
static void saved_queue_with_an_impossible_url_is_refused(void **state)
{
    struct buf saved = BUF_INIT(1000);
    struct link_queue q;
    struct cursor c;

    (void)state;
    buf_put_u64(&saved, UINT64_MAX); /* the mark of a queue */
    for (int i = 0; i < 3; i++)
        buf_put_u64(&saved, 1);
    buf_put_u32(&saved, 1);
    buf_put_u32(&saved, UINT32_MAX);
    buf_put_f64(&saved, 1);
    buf_put_f64(&saved, 1);
    buf_put_u32(&saved, 1);
    buf_put_u64(&saved, 0);
    link_queue_init(&q, NULL, 0, PARENTS_MAX);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(link_queue_load(&q, &c), ST_CORRUPT);
    link_queue_clear(&q);
    buf_free(&saved);
}

static void saved_queue_comes_back_in_the_same_order(void **state)
{
    struct link_queue q, back;
    struct buf saved = BUF_INIT(100000);
    struct cursor c;

    (void)state;
    link_queue_init(&q, NULL, 0, PARENTS_MAX);
    link_queue_init(&back, NULL, 0, PARENTS_MAX);
    for (uint32_t u = 1; u <= 50; u++)
        link_queue_add(&q, u, u % 5);
    link_queue_save(&q, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(link_queue_load(&back, &c), ST_OK);
    link_queue_add(&q, 60, 3);
    link_queue_add(&back, 60, 3);
    for (uint32_t u; (u = take(&q)) != 0;)
        assert_int_equal(take(&back), u);
    assert_int_equal(back.count, 0);
    c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, saved.len - 3)};
    assert_int_equal(link_queue_load(&back, &c), ST_CORRUPT);
    link_queue_clear(&q);
    link_queue_clear(&back);
    buf_free(&saved);
}

#define KEPT 48 /* parts */

/* What a database does with the parts of a checkpoint. */
static size_t keep_parts(struct link_queue *q, struct buf kept[KEPT])
{
    struct buf saved = BUF_INIT(100000);
    struct cursor c;
    struct str bytes;
    uint32_t number;
    size_t count = 0;

    link_queue_save_parts(q, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    for (; parts_next(&c, &number, &bytes); count++) {
        assert_true(number < KEPT);
        buf_clear(&kept[number]);
        buf_add_str(&kept[number], bytes);
    }
    assert_false(c.bad);
    buf_free(&saved);
    return count;
}

static enum status load_parts(struct link_queue *back, struct str figures, struct buf kept[KEPT],
                              uint32_t most)
{
    struct cursor c = {.rest = figures};
    enum status st = link_queue_load(back, &c);

    for (uint32_t i = 0; i < KEPT && st == ST_OK; i++) {
        c = (struct cursor){.rest = buf_str(&kept[i]), .most = most};
        st = link_queue_load_part(back, i, &c);
    }
    return st == ST_OK ? link_queue_loaded(back) : st;
}

static void a_part_has_no_links_of_another(void **state)
{
    struct buf kept[KEPT], figures = BUF_INIT(1 << 20);
    struct link_queue q, back;

    (void)state;
    for (size_t i = 0; i < KEPT; i++)
        buf_init(&kept[i], 1 << 20);
    link_queue_init(&q, NULL, 0, PARENTS_MAX);
    link_queue_init(&back, NULL, 0, PARENTS_MAX);
    link_queue_add(&q, 5, 0.5);
    (void)keep_parts(&q, kept);
    link_queue_save(&q, &figures);
    kept[0].data[0] = 5 + PARTS_FINE; /* the place of the link in its part */
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 1500), ST_CORRUPT);
    link_queue_clear(&back);
    link_queue_clear(&q);
    for (size_t i = 0; i < KEPT; i++)
        buf_free(&kept[i]);
    buf_free(&figures);
}

/* Links come, go and change between checkpoints; after any of them the queue comes back. */
static void queue_in_parts_comes_back(enum parents parents)
{
    struct link_queue q, back;
    struct buf kept[KEPT], figures = BUF_INIT(1000);

    for (size_t i = 0; i < KEPT; i++)
        buf_init(&kept[i], 100000);
    link_queue_init(&q, NULL, 0, parents);
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t u = 1; u <= 60; u++)
            link_queue_add(&q, 1 + (uint32_t)(hash_u64(round * 60 + u) % 1500), u % 5);
        for (uint32_t i = 0; i < 20; i++)
            (void)take(&q);
        (void)keep_parts(&q, kept);
        assert_int_equal(keep_parts(&q, kept), 0); /* nothing changed since */
    }
    link_queue_save(&q, &figures);
    assert_true(figures.len < 50);
    link_queue_init(&back, NULL, 0, parents);
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 1500), ST_OK);
    assert_int_equal(back.count, q.count);
    assert_int_equal(keep_parts(&back, kept), 0);
    for (uint32_t u = 1; u < 1500; u += 7) {
        link_queue_add(&q, u, 3);
        link_queue_add(&back, u, 3);
    }
    for (uint32_t u; (u = take(&q)) != 0;)
        assert_int_equal(take(&back), u);
    assert_int_equal(back.count, 0);
    link_queue_clear(&back);
    link_queue_init(&back, NULL, 0, parents); /* a URL beyond those that are known */
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 100), ST_CORRUPT);
    link_queue_clear(&back);
    link_queue_init(&back, NULL, 0, parents); /* a part is cut, and one is missing */
    kept[1].len -= 1;
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 1500), ST_CORRUPT);
    link_queue_clear(&back);
    link_queue_init(&back, NULL, 0, parents);
    buf_clear(&kept[1]);
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 1500), ST_CORRUPT);
    link_queue_clear(&back);
    link_queue_clear(&q);
    for (size_t i = 0; i < KEPT; i++)
        buf_free(&kept[i]);
    buf_free(&figures);
}

/* As earlier versions wrote them: with 256 links a part, and a mark of their own. */
static void coarse_parts_are_read_and_saved_as_fine_ones(void **state)
{
    static const uint32_t urls[] = {3, 70, 255, 300, 511};
    struct buf figures = BUF_INIT(1000), parts[2], kept[KEPT];
    struct link_queue q, back;

    (void)state;
    for (size_t i = 0; i < KEPT; i++)
        buf_init(&kept[i], 1000);
    for (size_t i = 0; i < 2; i++)
        buf_init(&parts[i], 1000);
    buf_put_u64(&figures, UINT64_MAX - 1);
    buf_put_u64(&figures, 5);
    buf_put_u64(&figures, 5);
    buf_put_u64(&figures, 0);
    buf_put_u32(&figures, 5);
    for (uint32_t i = 0; i < 5; i++) {
        struct buf *part = &parts[urls[i] / 256];

        buf_put_u8(part, (uint8_t)urls[i]);
        buf_put_u8(part, 4 | 8); /* a float, and 32 bits */
        buf_put_f32(part, -(float)i);
        buf_put_u32(part, i);
    }
    buf_add_str(&kept[0], buf_str(&parts[0])); /* what the database has */
    buf_add_str(&kept[1], buf_str(&parts[1]));
    link_queue_init(&q, NULL, 0, PARENTS_MAX);
    assert_int_equal(load_parts(&q, buf_str(&figures), kept, 600), ST_OK);
    (void)keep_parts(&q, kept);
    assert_int_equal(kept[1].len, 0); /* URLs 32 to 63; it was 256 to 511 */
    assert_true(kept[2].len > 0 && kept[9].len > 0);
    buf_clear(&figures);
    link_queue_save(&q, &figures);
    link_queue_init(&back, NULL, 0, PARENTS_MAX);
    assert_int_equal(load_parts(&back, buf_str(&figures), kept, 600), ST_OK);
    assert_int_equal(keep_parts(&back, kept), 0);
    for (int i = 4; i >= 0; i--) {
        assert_int_equal(take(&q), urls[i]);
        assert_int_equal(take(&back), urls[i]);
    }
    link_queue_clear(&q);
    link_queue_clear(&back);
    for (size_t i = 0; i < KEPT; i++)
        buf_free(&kept[i]);
    buf_free(&parts[0]);
    buf_free(&parts[1]);
    buf_free(&figures);
}

static void saved_parts_are_those_that_changed(void **state)
{
    (void)state;
    queue_in_parts_comes_back(PARENTS_MAX);
    queue_in_parts_comes_back(PARENTS_MEAN);
}

/* Three links of one page are one parent, with the best of their scores: page A says
 * 0.2, 0.6 and 0.4, page B says 0.2; the mean is (0.6 + 0.2) / 2 = 0.4. */
static void links_of_one_page_are_one_parent(void **state)
{
    struct link_queue q;
    uint32_t url;
    double score;

    (void)state;
    link_queue_init(&q, NULL, 0, PARENTS_MEAN);
    link_queue_page(&q);
    link_queue_add(&q, 1, 0.2);
    link_queue_add(&q, 1, 0.6);
    link_queue_add(&q, 1, 0.4);
    link_queue_page(&q);
    link_queue_add(&q, 1, 0.2);
    assert_true(link_queue_take(&q, 0, &url, &score));
    assert_true(score > 0.4 - 1e-12 && score < 0.4 + 1e-12);
    link_queue_clear(&q);
}

/* ---- by host ---- */

/* The engine: URL n lies on host n / 10; the last wish of each host. */
static struct wish wishes[10];
static unsigned told;

static uint32_t host_of(void *engine, uint32_t url)
{
    (void)engine;
    return url / 10;
}

static void wish(void *engine, uint32_t host, const struct wish *w)
{
    (void)engine;
    wishes[host] = *w;
    told++;
}

static const struct late_calls calls = {host_of, wish};
static const struct model_ctx ctx = {.late = &calls};

static void queue_by_host(struct link_queue *q, size_t max)
{
    link_queue_init(q, &ctx, max, PARENTS_MAX);
    memset(wishes, 0, sizeof wishes);
    told = 0;
}

static void every_host_wishes_for_its_best_link(void **state)
{
    struct link_queue q;
    uint32_t url;
    double score;

    (void)state;
    queue_by_host(&q, 0);
    link_queue_add(&q, 11, 0.3);
    link_queue_add(&q, 12, 0.5);
    link_queue_add(&q, 25, 0.9);
    link_queue_wishes(&q);
    assert_int_equal(told, 2);
    assert_true(wishes[1].url == 12 && wishes[1].score == 0.5 && wishes[1].turn == 1);
    assert_true(wishes[2].url == 25 && wishes[2].score == 0.9 && wishes[2].turn == 2);
    link_queue_add(&q, 13, 0.1); /* not the best: nobody has to know */
    link_queue_wishes(&q);
    assert_int_equal(told, 2);
    link_queue_add(&q, 11, 0.8); /* it was known, and is the best now */
    assert_true(link_queue_take(&q, 2, &url, &score) && url == 25);
    assert_false(link_queue_take(&q, 2, &url, &score));
    assert_false(link_queue_take(&q, 7, &url, &score));
    link_queue_wishes(&q);
    assert_int_equal(told, 4);
    assert_int_equal(wishes[1].url, 11);
    assert_int_equal(wishes[2].url, 0);
    link_queue_clear(&q);
}

/* Links stand in order as long as all scores are equal, then in heaps, and in order again
 * where a host has run dry: nobody can tell. One score in `odd` is another. */
static void agree_by_host(unsigned odd, uint64_t seed)
{
    double score[100] = {0}, got;
    uint64_t seq[100] = {0}, next = 1; /* 0: it does not wait */
    struct link_queue q;
    struct rng r;
    uint32_t took;

    rng_init(&r, seed);
    queue_by_host(&q, 0);
    for (int step = 0; step < 5000; step++) {
        uint32_t url = 10 + (uint32_t)rng_below(&r, 90), host = url / 10, best = 0;

        if (rng_below(&r, 1000) < (step / 500 % 2 ? 300 : 700)) {
            double s = rng_below(&r, odd) ? 0.5 : (double)rng_below(&r, 10) / 10;

            assert_int_equal(link_queue_add(&q, url, s), 0);
            score[url] = seq[url] && score[url] > s ? score[url] : s;
            seq[url] = seq[url] ? seq[url] : next++;
        } else if (link_queue_take(&q, host, &took, &got)) {
            assert_true(seq[took] && !(got < score[took] || got > score[took]));
            for (uint32_t u = host * 10; u < host * 10 + 10; u++)
                assert_true(seq[u] == 0 || got > score[u] ||
                            (!(got < score[u]) && seq[took] <= seq[u]));
            seq[took] = 0;
        }
        link_queue_wishes(&q);
        for (uint32_t u = host * 10; u < host * 10 + 10; u++)
            if (seq[u] && (best == 0 || score[u] > score[best] ||
                           (!(score[u] < score[best]) && seq[u] < seq[best])))
                best = u;
        assert_int_equal(wishes[host].url, best);
        assert_true(q.count == 0 || link_queue_bound(&q, 1, 1) <= 1);
    }
    link_queue_clear(&q);
}

static void links_of_equal_score_leave_as_any_others(void **state)
{
    (void)state;
    agree_by_host(1000000, 1);
    agree_by_host(200, 2);
    agree_by_host(2, 3);
}

static void ceiling_is_for_all_hosts_together(void **state)
{
    struct link_queue q;

    (void)state;
    queue_by_host(&q, 2);
    assert_int_equal(link_queue_add(&q, 11, 0.1), 0);
    assert_int_equal(link_queue_add(&q, 21, 0.2), 0);
    assert_int_equal(link_queue_add(&q, 31, 0.3), 11);
    link_queue_wishes(&q);
    assert_int_equal(wishes[1].url, 0);
    assert_int_equal(wishes[3].url, 31);
    link_queue_clear(&q);
}

static void drained_links_come_best_first(void **state)
{
    struct link_queue q;
    struct heap_item *all;
    size_t n;

    (void)state;
    queue_by_host(&q, 0);
    link_queue_add(&q, 11, 0.1);
    link_queue_add(&q, 21, 0.9);
    link_queue_add(&q, 12, 0.9);
    link_queue_add(&q, 31, 0.5);
    all = link_queue_drain(&q, &n);
    assert_int_equal(n, 4);
    assert_int_equal(q.count, 0);
    assert_true(all[0].id == 21 && all[1].id == 12 && all[2].id == 31 && all[3].id == 11);
    free(all);
    link_queue_clear(&q);
}

/* 90 links with the scores 1 to 90, nothing taken yet, 1 page wanted: 90 more links are
 * expected with it, so 1 of 180 of the rest is wanted, and 1 of 180 of all. With patience
 * 1/2 the best ceil(90 / 180) = 1 counts; with 1/3 the best ceil(90 (1/180)^(1/2)) = 7.
 * Scores within 0.8 % are one: 90 begins at 90, 84 at 84. */
static void bound_follows_patience(void **state)
{
    struct link_queue q;

    (void)state;
    queue_by_host(&q, 0);
    for (uint32_t i = 1; i <= 90; i++)
        link_queue_add(&q, i, i);
    assert_true(link_queue_bound(&q, 1, 0) == -INFINITY);
    assert_true(link_queue_bound(&q, 1, 1) == 90);
    assert_true(link_queue_bound(&q, 1, 0.5) == 90);
    assert_true(link_queue_bound(&q, 1, 1. / 3) == 84);
    assert_true(link_queue_bound(&q, 0, 0.5) == 90);
    link_queue_clear(&q);
}

/* 128 links with the probabilities 1/128 to 1, patience 1/2. 79 pages wanted: the best
 * 79 / 10 + 1 = 8 are sure enough, from 121/128 on; with 1,279 all 128 would be, and the
 * threshold (1/2)^4 = 8/128 counts. By shares alone: 79 pages expect 128 links each, 79 of
 * 10,240 are wanted, the best 1. */
static void likely_link_need_not_be_the_best(void **state)
{
    struct link_queue q;

    (void)state;
    queue_by_host(&q, 0);
    for (uint32_t i = 1; i <= 128; i++)
        link_queue_add(&q, i, i / 128.);
    assert_true(link_queue_bound(&q, 79, 0.5) == 1);
    assert_true(link_queue_sure_bound(&q, 79, 0.5) == 121 / 128.f);
    assert_true(link_queue_sure_bound(&q, 1279, 0.5) == 8 / 128.f);
    assert_true(link_queue_sure_bound(&q, 79, 0) == -INFINITY);
    assert_true(link_queue_sure_bound(&q, 79, 1) == 1);
    link_queue_clear(&q);
}

/* Of a URL that may not be asked for the engine keeps the verdict alone. */
static void link_without_a_host_is_not_kept(void **state)
{
    struct buf saved = BUF_INIT(4096);
    struct link_queue q, back;
    struct cursor from;

    (void)state;
    queue_by_host(&q, 0);
    assert_int_equal(link_queue_add(&q, 5, 0.9), 5);
    assert_int_equal(link_queue_set(&q, 6, 0.9, true), 6);
    assert_int_equal(link_queue_add(&q, 11, 0.1), 0);
    assert_true(q.count == 1 && q.found == 1);
    link_queue_wishes(&q);
    assert_true(told == 1 && wishes[1].url == 11);
    link_queue_clear(&q);
    link_queue_init(&q, NULL, 0, PARENTS_MAX); /* it had one when it was saved */
    link_queue_add(&q, 5, 0.9);
    link_queue_add(&q, 11, 0.1);
    link_queue_save(&q, &saved);
    queue_by_host(&back, 0);
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(link_queue_load(&back, &from), ST_OK);
    assert_int_equal(back.count, 1);
    link_queue_wishes(&back);
    assert_true(told == 1 && wishes[1].url == 11);
    link_queue_clear(&q);
    link_queue_clear(&back);
    buf_free(&saved);
}

static void score_that_is_no_number_counts_as_nothing(void **state)
{
    struct link_queue q;

    (void)state;
    queue_by_host(&q, 0);
    link_queue_add(&q, 11, 0.5);
    link_queue_add(&q, 21, NAN);
    link_queue_add(&q, 31, -0.5);
    link_queue_wishes(&q);
    assert_true(wishes[2].score >= 0 && wishes[2].score <= 0);
    assert_true(link_queue_bound(&q, 1, 1) > 0.49f);
    link_queue_clear(&q);
}

/* Zero has two signs, and a saved key may have either: no more links come than there is room for. */
static void best_of_all_are_no_more_than_asked(void **state)
{
    struct link_queue q;
    uint32_t *best;
    size_t n = 0;

    (void)state;
    queue_by_host(&q, 0);
    link_queue_add(&q, 10, 0.5);
    for (uint32_t i = 11; i < 91; i++)
        link_queue_add(&q, i, i % 2 ? NAN : -0.0);
    best = link_queue_best_of_all(&q, 1, &n);
    assert_true(n == 1 && best[0] == 10);
    free(best);
    best = link_queue_best_of_all(&q, 81, &n);
    assert_int_equal(n, 81);
    free(best);
    link_queue_clear(&q);
}

/* Numbers of arrivals that follow each other, lie near, far and very far apart; scores that are floats
 * and that are not. */
static void parts_keep_scores_and_arrivals_to_the_bit(void **state)
{
    static const uint64_t seqs[] = {0, 1, 7, 70000, 70000 + UINT16_MAX, UINT64_C(1) << 33, 9};
    static const double scores[] = {0.5, 0.5, 0.1, 0.25, 1.0 / 3, 1.0 / 3, -1e300};
    struct buf figures = BUF_INIT(1000), parts = BUF_INIT(1000);
    struct cursor from, all;
    struct link_queue q, r;
    uint32_t number = 0;
    struct str bytes;

    (void)state;
    link_queue_init(&q, NULL, 0, PARENTS_FIRST);
    link_queue_init(&r, NULL, 0, PARENTS_FIRST);
    for (uint32_t i = 0; i < 7; i++) {
        q.seq = seqs[i];
        assert_int_equal(link_queue_add(&q, i + 1, scores[i]), 0);
    }
    link_queue_save_parts(&q, &parts);
    link_queue_save(&q, &figures);
    from = (struct cursor){.rest = buf_str(&figures), .most = 7};
    assert_int_equal(link_queue_load(&r, &from), ST_OK);
    all = (struct cursor){.rest = buf_str(&parts)};
    assert_true(parts_next(&all, &number, &bytes));
    from = (struct cursor){.rest = bytes, .most = 7};
    assert_int_equal(link_queue_load_part(&r, number, &from), ST_OK);
    assert_int_equal(link_queue_loaded(&r), ST_OK);
    for (uint32_t i = 0; i < 7; i++) {
        struct heap_item n;

        assert_true(link_queue_find(&r, i + 1, &n));
        assert_true(n.key == -scores[i] && n.seq == seqs[i]);
    }
    link_queue_clear(&q);
    link_queue_clear(&r);
    buf_free(&figures);
    buf_free(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_has_no_links_of_another),
        cmocka_unit_test(parts_keep_scores_and_arrivals_to_the_bit),
        cmocka_unit_test(saved_parts_are_those_that_changed),
        cmocka_unit_test(coarse_parts_are_read_and_saved_as_fine_ones),
        cmocka_unit_test(links_of_one_page_are_one_parent),
        cmocka_unit_test(best_leaves_first_and_ties_in_order_of_arrival),
        cmocka_unit_test(several_parents_join_their_scores_as_asked),
        cmocka_unit_test(worst_and_youngest_leaves_a_full_queue),
        cmocka_unit_test(agrees_with_a_slow_queue_over_random_use),
        cmocka_unit_test(score_can_be_set_with_or_without_the_place_among_equals),
        cmocka_unit_test(saved_queue_comes_back_in_the_same_order),
        cmocka_unit_test(saved_queue_with_an_impossible_url_is_refused),
        cmocka_unit_test(every_host_wishes_for_its_best_link),
        cmocka_unit_test(links_of_equal_score_leave_as_any_others),
        cmocka_unit_test(ceiling_is_for_all_hosts_together),
        cmocka_unit_test(drained_links_come_best_first),
        cmocka_unit_test(bound_follows_patience),
        cmocka_unit_test(likely_link_need_not_be_the_best),
        cmocka_unit_test(link_without_a_host_is_not_kept),
        cmocka_unit_test(score_that_is_no_number_counts_as_nothing),
        cmocka_unit_test(best_of_all_are_no_more_than_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
