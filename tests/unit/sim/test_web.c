/* A world in memory: page by page what parse/ and text/ see of the archive, in
 * any number of threads; time, answers, labels. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "small_world.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/http/decode.h"
#include "parse/http/head.h"
#include "parse/page/page.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "sim/make/make.h"
#include "sim/web/web.h"
#include "sim/archived.h"
#include "sim/world.h"
#include "store/store.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    char dir[160];
    struct world *world;
    struct web *web;
} at;

static struct web *loaded(const char *dir, unsigned threads)
{
    struct web *w = NULL;

    if (web_load(dir, &(struct web_config){.threads = threads}, &w) != ST_OK)
        fail_msg("%s", status_text());
    return w;
}

static int set_up(void **state)
{
    struct make_config c;

    (void)state;
    make_config_init(&c);
    c.graph.pages = 400;
    c.graph.hosts = 15;
    c.feeds = 0.5;
    c.sitemaps = 0.5;
    c.redirects = 0.05;
    (void)snprintf(at.dir, sizeof at.dir, "%s/world", test_dir());
    if (world_make(at.dir, &c, NULL, NULL) != ST_OK || world_open(at.dir, &at.world) != ST_OK)
        return -1;
    at.web = loaded(at.dir, 2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    web_free(at.web);
    world_close(at.world);
    return 0;
}

/* ---- the golden rule ----------------------------------------------------- */

/* What parsing one archived answer takes. */
struct reading {
    struct buf head, body, decoded;
    struct arena memory;
    struct page_parser *parser;
    struct profiler *profiler;
    const struct page *page;
    struct profile profile;
    unsigned robots;
    uint64_t hash;
};

static void reading_init(struct reading *r, const struct topic *t)
{
    *r = (struct reading){.head = BUF_INIT(MIB(1)),
                          .body = BUF_INIT(MIB(16)),
                          .decoded = BUF_INIT(MIB(16)),
                          .parser = page_parser_new(),
                          .profiler = profiler_new(t)};
    arena_init(&r->memory, LIMIT_PAGE_ARENA);
}

static void reading_free(struct reading *r)
{
    buf_free(&r->head);
    buf_free(&r->body);
    buf_free(&r->decoded);
    arena_free(&r->memory);
    page_parser_free(r->parser);
    profiler_free(r->profiler);
}

static enum drop read_entry(struct reading *r, struct world *w, uint32_t entry,
                            const struct df_table *df)
{
    const struct world_entry *e = world_entry(w, entry);
    const struct world_version *v = world_version(w, e->version);
    struct reply reply = {.status = 0};
    struct head_facts facts;
    bool cut;

    buf_clear(&r->head);
    buf_clear(&r->body);
    buf_clear(&r->decoded);
    arena_reset(&r->memory);
    assert_int_equal(world_read(w, entry, &r->head, &r->body), ST_OK);
    reply.head = buf_str(&r->head);
    head_read(&reply, &r->memory, &facts);
    struct page_input in = {.url = e->url,
                            .content_type = reply.content_type,
                            .content_language = reply.content_language,
                            .last_modified = reply.last_modified,
                            .link_header = reply.link,
                            .now = v->at + v->latency};
    assert_int_equal(
        decode_body(buf_str(&r->body), reply.content_encoding, &r->decoded, &in.payload, &cut),
        DROP_NONE);
    r->hash = hash_str(in.payload);
    assert_int_equal(page_parse(r->parser, &in, &r->memory, &r->page), DROP_NONE);
    r->robots = r->page->robots | robots_tag(reply.robots_tag, STR("brood"));
    return profile_page(r->profiler, r->page, e->url, df, &r->memory, &r->profile);
}

static void same_link(const struct page *a, const struct link *x, const struct page *b,
                      const struct link *y)
{
    assert_true(str_eq(x->url, y->url));
    assert_true(x->key == y->key);
    assert_memory_equal(&x->anchor, &y->anchor, sizeof x->anchor);
    assert_memory_equal(&x->window, &y->window, sizeof x->window);
    assert_memory_equal(&x->node, &y->node, sizeof x->node);
    assert_memory_equal(&x->node10, &y->node10, sizeof x->node10);
    assert_memory_equal(&x->node40, &y->node40, sizeof x->node40);
    assert_int_equal(x->tag_path, y->tag_path);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->rel, y->rel);
    assert_true(str_eq(a->tag_paths[x->tag_path], b->tag_paths[y->tag_path]));
}

static void same_page(const struct web *w, const struct page *a, const struct page *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->nwords, b->nwords);
    assert_int_equal(a->nlinks, b->nlinks);
    assert_int_equal(a->ntag_paths, b->ntag_paths);
    assert_true(str_eq(a->lang, b->lang));
    assert_true(str_eq(a->charset, b->charset));
    assert_true(str_eq(a->canonical, b->canonical));
    assert_true(str_eq(a->base, b->base));
    assert_true(a->date == b->date);
    assert_int_equal(a->date_source, b->date_source);
    assert_int_equal(a->robots, b->robots);
    assert_int_equal(a->cut, b->cut);
    for (uint32_t i = 0; i < a->nlinks; i++) {
        same_link(a, &a->links[i], b, &b->links[i]);
        assert_int_equal(a->links[i].source, web_find(w, b->links[i].key));
        assert_true(a->links[i].source != 0);
    }
}

static bool same_bits(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static void same_profile(const struct profile *a, const struct profile *b)
{
    assert_int_equal(a->nterms, b->nterms);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->ntitle, b->ntitle);
    assert_int_equal(a->nsequence, b->nsequence);
    assert_int_equal(a->lead, b->lead);
    assert_int_equal(a->lang, b->lang);
    assert_true(same_bits(a->terms, b->terms, a->nterms * sizeof *a->terms));
    assert_true(same_bits(a->sequence, b->sequence, a->nsequence * sizeof *a->sequence));
    assert_true(same_bits(a->stops, b->stops, (a->nsequence / 64 + 1) * sizeof *a->stops));
    assert_true(a->simhash == b->simhash);
    assert_true(same_bits(&a->raw_square, &b->raw_square, sizeof a->square));
    assert_true(same_bits(&a->square, &b->square, sizeof a->square));
    assert_true(same_bits(&a->relevance, &b->relevance, sizeof a->relevance));
    assert_true(same_bits(&a->similarity, &b->similarity, sizeof a->similarity));
}

static void every_page_is_what_parsing_its_archived_payload_gives(void **state)
{
    struct web_counts c = web_counts(at.web);
    struct web_scratch *scratch = web_scratch_new();
    struct topic *topic = NULL;
    struct profiler *judge;
    struct reading r;
    uint32_t relevant = 0;

    (void)state;
    assert_int_equal(c.pages, world_pages(at.world));
    assert_int_equal(topic_from_words(web_label_words(at.web, 0), STR("en"), &topic), ST_OK);
    judge = profiler_new(topic);
    reading_init(&r, topic);
    for (uint32_t i = 0; i < c.pages; i++) {
        uint32_t first, url = i + 1;
        struct profile p;

        assert_int_equal(web_history(at.web, url, &first), 1);
        assert_true(str_eq(web_href(at.web, url), world_entry(at.world, i)->url));
        assert_int_equal(read_entry(&r, at.world, i, web_idf(at.web)), DROP_NONE);
        const struct page *page = web_unpack(at.web, first, scratch);
        p = web_profile(at.web, first);
        assert_int_equal(profile_judge(judge, page, web_href(at.web, url), web_idf(at.web), &p),
                         DROP_NONE);
        same_page(at.web, page, r.page);
        same_profile(&p, &r.profile);
        assert_true(web_payload_hash(at.web, first) == r.hash);
        assert_int_equal(web_page_robots(at.web, first), r.robots);
        relevant += p.relevance > 0;
    }
    assert_true(relevant > 20);
    reading_free(&r);
    profiler_free(judge);
    topic_free(topic);
    web_scratch_free(scratch);
}

static void idf_counts_every_page_once(void **state)
{
    struct vocab *v = vocab_new();
    struct df_table *df;
    struct reading r;

    (void)state;
    reading_init(&r, NULL);
    for (uint32_t i = 0; i < world_pages(at.world); i++) {
        assert_int_equal(read_entry(&r, at.world, i, NULL), DROP_NONE);
        vocab_add(v, &r.profile);
    }
    df = vocab_publish(v);
    /* a term never seen: as if it were in one of all the pages */
    assert_float_equal(df_idf(web_idf(at.web), UINT32_MAX), log(1.0 + world_pages(at.world)), 1e-5);
    for (uint32_t i = 0; i < r.profile.nterms; i++)
        assert_true(df_idf(df, r.profile.terms[i].id) ==
                    df_idf(web_idf(at.web), r.profile.terms[i].id));
    df_release(df);
    vocab_free(v);
    reading_free(&r);
}

/* ---- threads ------------------------------------------------------------- */

/* Everything that can be asked, in one number. */
static uint64_t digest_of(const struct web *w)
{
    struct web_counts c = web_counts(w);
    struct web_scratch *s = web_scratch_new();
    struct buf b = BUF_INIT(MIB(64));
    uint64_t hash;

    for (uint32_t u = 1; u <= c.urls; u++) {
        struct web_answer a;

        web_answer(w, u, c.begin, &a);
        buf_put_str(&b, web_href(w, u));
        buf_put_u32(&b, web_host(w, u));
        buf_put_u64(&b, (uint64_t)a.status << 32 | a.version);
        buf_put_u64(&b, (uint64_t)a.latency << 32 | a.redirect_to);
        if (a.version == WEB_NONE)
            continue;
        struct profile p = web_profile(w, a.version);
        const struct page *page = web_unpack(w, a.version, s);

        buf_put_f64(&b, p.square);
        for (uint32_t i = 0; i < p.nsequence; i++)
            buf_put_u32(&b, p.sequence[i]);
        for (uint32_t i = 0; i < page->nlinks; i++)
            buf_put_u32(&b, page->links[i].source);
    }
    assert_false(b.full);
    hash = hash_str(buf_str(&b));
    buf_free(&b);
    web_scratch_free(s);
    return hash;
}

static void any_number_of_threads_gives_the_same_web(void **state)
{
    static const unsigned threads[] = {1, 3, 7};
    uint64_t expected = digest_of(at.web);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        struct web *w = loaded(at.dir, threads[i]);

        assert_true(digest_of(w) == expected);
        assert_true(web_counts(w).bytes == web_counts(at.web).bytes);
        web_free(w);
    }
}

static bool at_once(void *ctx, uint32_t done, uint32_t total)
{
    assert_true(done <= total);
    ++*(int *)ctx;
    return false;
}

static void loading_stops_when_it_is_told_to(void **state)
{
    int calls = 0;
    struct web_config c = {.threads = 2, .progress = at_once, .progress_ctx = &calls};
    struct web *w = NULL;

    (void)state;
    assert_int_equal(web_load(at.dir, &c, &w), ST_STOPPED);
    assert_int_equal(calls, 1);
    assert_null(w);
}

static void what_is_no_world_says_so(void **state)
{
    struct web *w = NULL;
    char dir[200];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/nothing", at.dir);
    assert_int_equal(web_load(dir, NULL, &w), ST_MISSING);
    assert_non_null(strstr(status_text(), dir));
}

/* ---- answers that are no pages ------------------------------------------- */

static void other_answers_are_those_of_the_world(void **state)
{
    struct web_counts c = web_counts(at.web);
    unsigned feeds = 0, sitemaps = 0, redirects = 0, dead = 0;
    struct web_scratch *s = web_scratch_new();

    (void)state;
    for (uint32_t u = c.pages + 1; u <= c.urls; u++) {
        uint32_t entry = world_find(at.world, url_key(web_href(at.web, u)));
        const struct world_entry *e = entry == WORLD_NONE ? NULL : world_entry(at.world, entry);
        struct web_answer a;

        web_answer(at.web, u, c.begin, &a);
        assert_int_equal(a.status, e ? e->status : 404);
        assert_true(a.until == INT64_MAX);
        dead += e == NULL;
        if (e && e->kind == WORLD_REDIRECT) {
            assert_true(str_eq(web_href(at.web, a.redirect_to),
                               world_entry(at.world, e->redirect_to)->url));
            redirects++;
        }
        if (e && e->kind == WORLD_RESOURCE) {
            const struct page *page = web_unpack(at.web, a.version, s);

            feeds += page->kind == PAGE_FEED;
            sitemaps += page->kind == PAGE_SITEMAP;
            assert_true(page->kind == PAGE_TEXT || page->nlinks > 0);
        }
    }
    assert_true(feeds > 0 && sitemaps > 0 && redirects > 0 && dead > 0);
    web_scratch_free(s);
}

/* A host's name, from any of its URLs. */
static struct str host_name(const struct web *w, uint32_t host)
{
    uint32_t url = 1;
    struct str name;

    while (web_host(w, url) != host)
        url++;
    name = web_href(w, url);
    name = str_sub(name, 7, name.len); /* http:// */
    return str_sub(name, 0, str_find_char(name, '/', 0));
}

static void robots_txt_is_the_archived_one(void **state)
{
    struct web_counts c = web_counts(at.web);
    struct buf head = BUF_INIT(MIB(1)), body = BUF_INIT(MIB(1)), href = BUF_INIT(LIMIT_URL);
    unsigned found = 0;

    (void)state;
    for (uint32_t h = 0; h < c.hosts; h++) {
        struct str text, name = host_name(at.web, h);
        int status = web_robots(at.web, h, &text);
        uint32_t entry;

        assert_int_equal(web_find_host(at.web, name), h);
        buf_clear(&href);
        buf_addf(&href, "http://%.*s/robots.txt", STR_ARG(name));
        entry = world_find(at.world, url_key(buf_str(&href)));
        assert_int_equal(status, entry == WORLD_NONE ? 404 : 200);
        if (entry == WORLD_NONE)
            continue;
        buf_clear(&body);
        buf_clear(&head);
        assert_int_equal(world_read(at.world, entry, &head, &body), ST_OK);
        assert_true(str_eq(text, buf_str(&body)));
        found++;
    }
    assert_int_equal(found, world_hosts(at.world));
    buf_free(&head);
    buf_free(&body);
    buf_free(&href);
}

/* Hosts without a recorded latency: a lognormal's median and its bounds. */
static void latencies_are_drawn_from_host_names(void **state)
{
    struct web_counts c = web_counts(at.web);

    (void)state;
    for (uint32_t h = 0; h < c.hosts; h++) {
        assert_in_range(web_host_latency(at.web, h), 20 * US_PER_MS, 5 * US_PER_S);
        assert_true(h == 0 || web_host_latency(at.web, h) != web_host_latency(at.web, h - 1));
    }
}

static void labels_are_sorted_and_lead_back_to_their_pages(void **state)
{
    struct web_counts c = web_counts(at.web);
    uint32_t *pages = mem_zero(web_labels(at.web) + 1, sizeof *pages), n;

    (void)state;
    assert_true(web_labels(at.web) > 1);
    for (uint32_t l = 1; l < web_labels(at.web); l++)
        assert_true(str_cmp(web_label(at.web, l - 1), web_label(at.web, l)) < 0);
    for (uint32_t u = 1; u <= c.urls; u++) {
        const uint32_t *labels = web_labels_of(at.web, u, &n);

        for (uint32_t i = 0; i < n; i++)
            pages[labels[i]]++;
    }
    for (uint32_t t = 0; t < world_topics(at.world); t++)
        for (uint32_t l = 0; l < web_labels(at.web); l++)
            if (str_eq(world_topic(at.world, t)->name, web_label(at.web, l))) {
                assert_int_equal(pages[l], world_topic(at.world, t)->pages);
                assert_true(str_eq(world_topic(at.world, t)->words, web_label_words(at.web, l)));
            }
    free(pages);
}

/* ---- a world that moves -------------------------------------------------- */

#define A    "http://a.example/"
#define NEWS "http://a.example/news"
#define OLD  "http://a.example/old"

static const char *moving_dir(char *dir, size_t size)
{
    struct small_world s;

    (void)snprintf(dir, size, "%s/moving", test_dir());
    small_begin(&s, dir);
    small_key(&s, "world_time", "1000000 9000000");
    small_page(&s, A, 500000, "<title>one</title><a href=/news>news</a><a href=/old>old</a>");
    small_page(&s, OLD, 500000, "<p>an old page $Id: old,v 1.1 $ it is");
    s.latency = 7000;
    small_page(&s, NEWS, 2000000, "<p>first news");
    s.latency = 0;
    small_page(&s, A, 3000000, "<title>two</title><a href=/news>news</a><a href=/x>x</a>");
    small_outcome(&s, OLD, 4000000, 410, NULL);
    small_page(&s, OLD, 6000000, "<p>an old page $Id: old,v 1.2 $ it is");
    small_page(&s, OLD, 7000000, "<p>an old page $Id: old,v 1.3 $ it was");
    small_outcome(&s, NEWS, 8000000, 404, NULL);
    small_label(&s, A, "zebra");
    small_label(&s, A, "ant");
    small_label(&s, NEWS, "zebra");
    small_end(&s);
    return dir;
}

static struct web_answer asked(const struct web *w, const char *url, int64_t moment)
{
    struct web_answer a;
    uint32_t u = web_find(w, url_key(str_of(url)));

    assert_true(u != 0);
    web_answer(w, u, moment, &a);
    return a;
}

#define ASSERT_ANSWER(w, url, moment, want_status, from, to)            \
    do {                                                                \
        struct web_answer got_ = asked(w, url, moment);                 \
        assert_int_equal(got_.status, want_status);                     \
        assert_true(got_.since == (from));                              \
        assert_true(got_.until == (to));                                \
        assert_int_equal(got_.version != WEB_NONE, want_status == 200); \
    } while (0)

static void a_world_that_moves_answers_by_the_moment(void **state)
{
    char dir[200];
    struct web *w = loaded(moving_dir(dir, sizeof dir), 2);
    struct web_counts c = web_counts(w);

    (void)state;
    assert_int_equal(c.pages, 3);
    assert_int_equal(c.versions, 6);
    assert_int_equal(c.urls, 4); /* /x is only linked to */
    assert_int_equal(c.hosts, 1);
    assert_true(c.begin == 1000000 && c.end == 9000000);
    ASSERT_ANSWER(w, A, 1000000, 200, 500000, 3000000);
    ASSERT_ANSWER(w, A, 2999999, 200, 500000, 3000000);
    ASSERT_ANSWER(w, A, 3000000, 200, 3000000, INT64_MAX);
    ASSERT_ANSWER(w, NEWS, 1999999, 404, 0, 2000000);
    ASSERT_ANSWER(w, NEWS, 2000000, 200, 2000000, 8000000);
    ASSERT_ANSWER(w, NEWS, 8000000, 404, 8000000, INT64_MAX);
    ASSERT_ANSWER(w, OLD, 3999999, 200, 500000, 4000000);
    ASSERT_ANSWER(w, OLD, 4000000, 410, 4000000, 6000000);
    ASSERT_ANSWER(w, OLD, 6500000, 200, 6000000, 7000000);
    ASSERT_ANSWER(w, "http://a.example/x", 5000000, 404, 0, INT64_MAX);
    assert_int_equal(asked(w, NEWS, 2000000).latency, 7000);
    assert_int_equal(asked(w, A, 2000000).latency, web_host_latency(w, 0));
    web_free(w);
}

/* OLD: 1.1 -> 1.2 changed its stamp only; 1.2 -> 1.3 "is" became "was". */
static void stamps_of_version_control_are_no_change(void **state)
{
    char dir[200];
    struct web *w = loaded(moving_dir(dir, sizeof dir), 1);
    uint32_t first;

    (void)state;
    assert_int_equal(web_history(w, web_find(w, url_key(STR(OLD))), &first), 3);
    assert_false(web_version_is_change(w, first));
    assert_false(web_version_is_change(w, first + 1));
    assert_true(web_version_is_change(w, first + 2));
    assert_true(web_version_since(w, first + 1) == 6000000);
    assert_int_equal(web_history(w, web_find(w, url_key(STR(A))), &first), 2);
    assert_true(web_version_is_change(w, first + 1));
    web_free(w);
}

static void a_stamp_is_a_word_with_a_colon_between_dollars(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"x $Id: a 1 $ y", "x $Id: b 2 $ y", true},
        {"x $OpenBSD: a 1 $$Date: 3$ y", "x $OpenBSD:$$Date: $ y", true},
        {"x $Id: a 1 $ y", "x $Id: a 1 $ z", false},
        {"x $Id: a 1 $ y", "x $Rev: a 1 $ y", false},
        {"costs $5: no $ y", "costs $6: no $ y", false},
        {"x $Id: a\n 1 $ y", "x $Id: b\n 1 $ y", false},
        {"x $Id: a", "x $Id: b", false},
        {"$", "", false},
        {"$$Id: 1 $", "$$Id: 2 $", true},
    };
    struct buf scratch = BUF_INIT(KIB(1));

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t a = archived_bare_hash(str_of(cases[i].a), &scratch);

        assert_int_equal(a == archived_bare_hash(str_of(cases[i].b), &scratch), cases[i].same);
    }
    buf_free(&scratch);
}

static void a_page_may_have_several_labels(void **state)
{
    char dir[200];
    struct web *w = loaded(moving_dir(dir, sizeof dir), 1);
    uint32_t n;
    const uint32_t *labels = web_labels_of(w, web_find(w, url_key(STR(A))), &n);

    (void)state;
    assert_int_equal(web_labels(w), 2);
    assert_str(web_label(w, 0), "ant");
    assert_str(web_label(w, 1), "zebra");
    assert_int_equal(n, 2);
    assert_int_equal(labels[0], 0);
    assert_int_equal(labels[1], 1);
    labels = web_labels_of(w, web_find(w, url_key(STR(NEWS))), &n);
    assert_int_equal(n, 1);
    assert_int_equal(labels[0], 1);
    (void)web_labels_of(w, web_counts(w).urls, &n);
    assert_int_equal(n, 0);
    web_free(w);
}

/* ---- what is odd --------------------------------------------------------- */

static void without_world_time_the_last_version_counts_for_ever(void **state)
{
    struct small_world s;
    char dir[200];
    struct web *w;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/still", test_dir());
    small_begin(&s, dir);
    small_page(&s, A, 1000000, "<p>one <a href=/r>r</a><a href=/t>t</a>");
    small_page(&s, A, 2000000, "<p>two words <a href=/r>r</a>");
    s.field = "X-Robots-Tag: noarchive";
    small_page(&s, NEWS, 2500000, "<meta name=robots content=nofollow><p>words");
    small_outcome(&s, "http://a.example/r", 3000000, 301, "http://a.example/q");
    small_outcome(&s, "http://a.example/q", 3000000, 302, A);
    small_outcome(&s, "http://b.example/robots.txt", 1, 301, "http://a.example/robots.txt");
    small_resource(&s, "http://a.example/robots.txt", "text/plain", "User-agent: *\nDisallow: /z");
    small_resource(&s, "http://a.example/logo", "image/png", "png");
    small_end(&s);
    w = loaded(dir, 2);
    struct web_counts c = web_counts(w);
    struct web_answer a = asked(w, A, 1);
    uint32_t n;
    struct str text;

    assert_int_equal(c.pages, 2);
    assert_int_equal(c.versions, 2);
    assert_true(c.begin == 3000000 && c.end == c.begin); /* of the last answer */
    assert_int_equal(a.status, 200);
    assert_true(a.since == 0 && a.until == INT64_MAX);
    (void)web_links(w, a.version, &n);
    assert_int_equal(n, 1);
    a = asked(w, "http://a.example/r", 1); /* it leads on to what comes later */
    assert_int_equal(a.status, 301);
    assert_str(web_href(w, a.redirect_to), "http://a.example/q");
    assert_int_equal(asked(w, "http://a.example/q", 1).redirect_to, 1);
    a = asked(w, NEWS, 1);
    assert_int_equal(web_page_robots(w, a.version), ROBOTS_NOFOLLOW | ROBOTS_NOARCHIVE);
    assert_int_equal(asked(w, "http://a.example/logo", 1).status, 200);
    assert_int_equal(asked(w, "http://a.example/logo", 1).version, WEB_NONE);
    /* b.example has only a robots.txt that moved */
    assert_int_equal(web_robots(w, web_find_host(w, STR("b.example")), &text), 200);
    assert_str(text, "User-agent: *\nDisallow: /z");
    web_free(w);
}

/* More words than 16 bits count. */
static void the_spans_of_a_very_long_page_are_kept(void **state)
{
    struct small_world s;
    struct buf html = BUF_INIT(MIB(4));
    struct web_scratch *scratch = web_scratch_new();
    char dir[200];
    struct web *w;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/long", test_dir());
    for (int i = 0; i < 70000; i++)
        buf_add_z(&html, "ant ");
    buf_add_z(&html, "<a href=/news>bee wasp</a> ant ant");
    small_begin(&s, dir);
    small_page(&s, A, 1, html.data);
    small_end(&s);
    w = loaded(dir, 1);
    const struct page *page = web_unpack(w, 0, scratch);

    assert_int_equal(page->nwords, 70004);
    assert_int_equal(page->links[0].anchor.from, 70000);
    assert_int_equal(page->links[0].anchor.to, 70002);
    assert_int_equal(page->links[0].window.from, 69980);
    assert_int_equal(page->links[0].window.to, 70004);
    assert_str(page->links[0].url, NEWS);
    assert_int_equal(page->links[0].source, 2);
    web_free(w);
    web_scratch_free(scratch);
    buf_free(&html);
}

/* A page that was not archived (noindex) answers as a served world does, and is
 * no page of the web. */
static void pages_that_cannot_be_read_are_counted_and_come_behind_the_others(void **state)
{
    struct small_world s;
    char dir[200];
    struct web *w;
    uint32_t n;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/broken", test_dir());
    small_begin(&s, dir);
    s.hidden = true;
    small_page(&s, NEWS, 1, "<p>not kept");
    s.hidden = false;
    small_page(&s, A, 2, "<p>kept <a href=/news>n</a>");
    small_label(&s, A, "ant");
    small_label(&s, NEWS, "bee");
    small_end(&s);
    w = loaded(dir, 2);
    assert_int_equal(web_counts(w).pages, 1);
    assert_int_equal(web_counts(w).broken, 1);
    assert_int_equal(web_counts(w).damaged, 0);
    assert_str(web_href(w, 1), A);
    assert_int_equal(web_links(w, 0, &n)[0], 2);
    assert_int_equal(asked(w, NEWS, 5).status, 500);
    assert_int_equal(web_labels_of(w, 1, &n)[0], 0);
    assert_int_equal(web_labels_of(w, 2, &n)[0], 1);
    web_free(w);
}

/* Whatever a database says of times, sums with them stay numbers. */
static void times_beyond_sense_are_bounded_or_refused(void **state)
{
    struct small_world s;
    char dir[200];
    struct web *w = NULL;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/late", test_dir());
    small_begin(&s, dir);
    small_page(&s, A, INT64_MAX - 5, "<p>late");
    small_page(&s, NEWS, 2, "<p>early");
    small_end(&s);
    w = loaded(dir, 1);
    assert_int_equal(web_counts(w).pages, 2);
    assert_true(web_counts(w).begin < INT64_MAX / 2);
    web_free(w);

    (void)snprintf(dir, sizeof dir, "%s/endless", test_dir());
    small_begin(&s, dir);
    small_page(&s, A, 5, "<p>a page");
    small_key(&s, "world_time", "5 9223372036854775807");
    small_end(&s);
    assert_int_equal(web_load(dir, NULL, &w), ST_INVALID);
    assert_non_null(strstr(status_text(), "world_time"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_beyond_sense_are_bounded_or_refused),
        cmocka_unit_test(every_page_is_what_parsing_its_archived_payload_gives),
        cmocka_unit_test(idf_counts_every_page_once),
        cmocka_unit_test(any_number_of_threads_gives_the_same_web),
        cmocka_unit_test(loading_stops_when_it_is_told_to),
        cmocka_unit_test(what_is_no_world_says_so),
        cmocka_unit_test(other_answers_are_those_of_the_world),
        cmocka_unit_test(robots_txt_is_the_archived_one),
        cmocka_unit_test(latencies_are_drawn_from_host_names),
        cmocka_unit_test(labels_are_sorted_and_lead_back_to_their_pages),
        cmocka_unit_test(a_world_that_moves_answers_by_the_moment),
        cmocka_unit_test(stamps_of_version_control_are_no_change),
        cmocka_unit_test(a_stamp_is_a_word_with_a_colon_between_dollars),
        cmocka_unit_test(a_page_may_have_several_labels),
        cmocka_unit_test(without_world_time_the_last_version_counts_for_ever),
        cmocka_unit_test(the_spans_of_a_very_long_page_are_kept),
        cmocka_unit_test(pages_that_cannot_be_read_are_counted_and_come_behind_the_others),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
