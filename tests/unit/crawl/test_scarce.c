/* Every allocation of a page refused in turn: ceilings from nothing upwards.
 *
 * What the network sizes goes through arenas and buffers that can say no. Here
 * they do, at every possible place on the way from a reply to a profile; what
 * comes out is whole or nothing. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "parse/http/decode.h"
#include "parse/page/page.h"
#include "text/profile.h"

#include <stdlib.h>
#include <zlib.h>

static const struct {
    const char *type, *text;
} documents[] = {
    {"text/html",
     "<!doctype html><html lang=en><head><title>Solar energy</title><meta name=robots "
     "content=nofollow><link rel=canonical href=/c><link rel=alternate type=application/rss+xml "
     "href=/feed></head><body><h1>Sun &amp; wind</h1><p>Panels turn <a href=/light?a=1&amp;b=2 "
     "rel=nofollow>sunlight and heat</a> into power.<ul><li><a href=//b.example/x>one</a><li><a "
     "href=y#z>two <b>bold</b></a></ul><table><tr><td>c<td>d</table><time datetime=2026-11-15>"
     "</time><iframe src=/f></iframe><a href='mailto:x@y'>mail</a></body></html>"},
    {"application/rss+xml",
     "<rss version='2.0'><channel><title>News</title><item><title>Sun</title><link>"
     "http://a.example/1</link><description>&lt;p&gt;solar&lt;/p&gt;</description><pubDate>Sun, "
     "15 Nov 2026 10:00:00 GMT</pubDate></item><item><title>Wind</title><link>/2</link></item>"
     "</channel></rss>"},
    {"application/xml",
     "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/1"
     "</loc><lastmod>2026-11-15</lastmod></url><url><loc>http://a.example/2</loc></url></urlset>"},
    {"text/plain", "Solar energy and nothing else, in plain words of one line.\nAnd another."},
};

static void assert_span(const struct page *p, struct span s)
{
    assert_true(s.from <= s.to && s.to <= p->nwords);
}

static void assert_whole(const struct page *p)
{
    for (uint32_t i = 0; i < p->nwords; i++)
        assert_true(p->words[i].off + p->words[i].len <= p->text.len);
    for (uint32_t i = 0; i < p->nlinks; i++) {
        assert_true(p->links[i].url.len > 0 && p->links[i].url.ptr != NULL);
        assert_span(p, p->links[i].anchor);
        assert_span(p, p->links[i].window);
        assert_span(p, p->links[i].node);
        assert_true(p->links[i].tag_path < p->ntag_paths);
    }
}

/* Bytes of the arena that were used, or 0 where it did not suffice. */
static size_t parse_within(struct page_parser *parser, struct profiler *profiler, size_t document,
                           size_t ceiling)
{
    struct page_input in = {.payload = str_of(documents[document].text),
                            .url = STR("http://a.example/dir/page"),
                            .content_type = str_of(documents[document].type)};
    const struct page *page = NULL;
    struct profile profile = {0};
    struct arena arena;
    size_t used = 0;

    arena_init(&arena, ceiling);
    if (page_parse(parser, &in, &arena, &page) == DROP_NONE) {
        assert_whole(page);
        (void)profile_page(profiler, page, in.url, NULL, &arena, &profile);
        used = arena.full ? 0 : arena.used;
    }
    arena_free(&arena);
    return used;
}

static void a_page_is_whole_or_nothing_at_every_ceiling(void **state)
{
    struct page_parser *parser = page_parser_new();
    struct topic *topic;
    struct profiler *profiler;

    (void)state;
    assert_int_equal(topic_from_words(STR("solar energy"), STR("en"), &topic), ST_OK);
    profiler = profiler_new(topic);
    for (size_t d = 0; d < sizeof documents / sizeof *documents; d++) {
        size_t enough = parse_within(parser, profiler, d, LIMIT_PAGE_ARENA), tries = 0;

        assert_true(enough > 0);
        for (size_t ceiling = 0; ceiling < enough; ceiling += 16, tries++)
            (void)parse_within(parser, profiler, d, ceiling);
        assert_true(tries > 10);
        assert_int_equal(parse_within(parser, profiler, d, LIMIT_PAGE_ARENA), enough);
    }
    profiler_free(profiler);
    topic_free(topic);
    page_parser_free(parser);
}

static void decoding_stops_at_every_ceiling(void **state)
{
    unsigned char packed[1000];
    uLongf size = sizeof packed;
    const char *text = documents[0].text;
    size_t len = strlen(text);

    (void)state;
    assert_int_equal(compress(packed, &size, (const Bytef *)text, len), Z_OK);
    for (size_t ceiling = 0; ceiling <= len; ceiling++) {
        struct str raw = {(const char *)packed, size}, got = STR("");
        struct buf out = BUF_INIT(ceiling);
        bool cut = false;
        enum drop why = decode_body(raw, STR("deflate"), &out, &got, &cut);

        assert_true(out.len <= ceiling);
        if (ceiling == len)
            assert_true(why == DROP_NONE && str_eq(got, str_of(text)));
        else
            assert_int_equal(why, DROP_SIZE);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_whole_or_nothing_at_every_ceiling),
        cmocka_unit_test(decoding_stops_at_every_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
