/* sitemap: XML, text and gzip, good and bad. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "parse/feed.h"
#include "parse/sitemap.h"
#include "parse/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static struct arena arena;

static int fresh_arena(void **state)
{
    (void)state;
    arena_init(&arena, LIMIT_PAGE_ARENA);
    return 0;
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static enum status parse(struct str payload, struct sitemap *ret)
{
    struct url base;

    assert_int_equal(url_parse(STR("http://h/sitemap.xml"), NULL, &arena, &base), ST_OK);
    return sitemap_parse(payload, &base, &arena, ret);
}

/* gzip of some bytes, `times` over in one member. */
static void gzip(struct str s, size_t times, struct buf *out)
{
    z_stream z = {0};

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    for (size_t i = 0; i <= times; i++) {
        int rc;

        z.next_in = (Bytef *)(uintptr_t)s.ptr;
        z.avail_in = i < times ? (uInt)s.len : 0;
        do {
            char *to = buf_room(out, KIB(16));

            assert_non_null(to);
            z.next_out = (Bytef *)to;
            z.avail_out = KIB(16);
            rc = deflate(&z, i < times ? Z_NO_FLUSH : Z_FINISH);
            out->len += KIB(16) - z.avail_out;
        } while (z.avail_out == 0 || (i == times && rc != Z_STREAM_END));
    }
    deflateEnd(&z);
}

static void urlset_gives_urls_and_dates(void **state)
{
    struct sitemap m;

    (void)state;
    assert_int_equal(
        parse(STR("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
                  " xmlns:image='i' xmlns:news='n'>"
                  "<url><loc> http://h/a?x=1&amp;y=2 </loc><lastmod>2026-11-15</lastmod>"
                  "<image:image><image:loc>http://h/no.png</image:loc></image:image></url>"
                  "<url><lastmod>bad</lastmod><loc>/b</loc></url>"
                  "<url><loc>mailto:x</loc></url><url></url>"
                  "<url><loc>http://h/n</loc><news:news><news:publication_date>2026-11-14"
                  "</news:publication_date><news:title>The  news</news:title></news:news></url>"
                  "</urlset>"),
              &m),
        ST_OK);
    assert_false(m.is_index);
    assert_false(m.cut);
    assert_int_equal(m.count, 3);
    assert_str(m.entries[0].url, "http://h/a?x=1&y=2");
    assert_int_equal(m.entries[0].date, INT64_C(1794700800) * US_PER_S);
    assert_str(m.entries[1].url, "http://h/b");
    assert_int_equal(m.entries[1].date, 0);
    assert_str(m.entries[2].title, "The news");
    assert_int_equal(m.entries[2].date, INT64_C(1794614400) * US_PER_S);
}

static void an_index_gives_sitemaps(void **state)
{
    struct sitemap m;

    (void)state;
    assert_int_equal(parse(STR("<sitemapindex><sitemap><loc>http://h/1.xml.gz</loc></sitemap>"
                               "<sitemap>\nhttp://h/2.xml\n</sitemap></sitemapindex>"),
                           &m),
                     ST_OK);
    assert_true(m.is_index);
    assert_int_equal(m.count, 2);
    assert_str(m.entries[1].url, "http://h/2.xml");
}

static void text_has_a_url_a_line(void **state)
{
    struct sitemap m;

    (void)state;
    assert_int_equal(parse(STR("\xef\xbb\xbfhttp://h/1\r\n\r\nhttps://h/2"), &m), ST_OK);
    assert_int_equal(m.count, 2);
    assert_str(m.entries[1].url, "https://h/2");
}

static void what_is_no_sitemap_is_invalid(void **state)
{
    static const char *const bad[] = {"",
                                      "hello world",
                                      "http://h/1\nnot a url\n",
                                      "<html></html>",
                                      "<rss><channel/></rss>",
                                      "/relative",
                                      "\x1f\x8b",
                                      "<"};
    struct sitemap m;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(str_of(bad[i]), &m) != ST_INVALID)
            fail_msg("'%s' was taken for a sitemap", bad[i]);
}

static void gzip_is_undone_and_damage_is_said(void **state)
{
    struct buf b = BUF_INIT(MIB(4));
    struct sitemap m;

    (void)state;
    gzip(STR("http://h/page\n"), 1000, &b);
    assert_int_equal(parse(buf_str(&b), &m), ST_OK);
    assert_int_equal(m.count, 1000);
    assert_false(m.cut);
    gzip(STR("http://h/second-member\n"), 1, &b);
    assert_int_equal(parse(buf_str(&b), &m), ST_OK);
    assert_int_equal(m.count, 1001);
    b.len -= 20;
    assert_int_equal(parse(buf_str(&b), &m), ST_OK);
    assert_true(m.cut);
    buf_free(&b);
}

static void a_bomb_stops_at_the_ceiling(void **state)
{
    static char block[KIB(64)];
    struct buf b = BUF_INIT(MIB(4));
    struct sitemap m;

    (void)state;
    memset(block, ' ', sizeof block);
    block[sizeof block - 1] = '\n';
    memcpy(block, "http://h/", 9);
    memset(block + 9, 'a', 50);
    gzip((struct str){block, sizeof block}, 2000, &b); /* 125 MiB */
    assert_int_equal(parse(buf_str(&b), &m), ST_OK);
    assert_true(m.cut);
    assert_true(m.count * sizeof block <= LIMIT_SITEMAP + sizeof block);
    buf_free(&b);
}

static void more_urls_than_the_ceiling_are_cut(void **state)
{
    struct buf b = BUF_INIT(MIB(8));
    struct sitemap m;

    (void)state;
    for (int i = 0; i < LIMIT_SITEMAP_URLS + 3; i++)
        buf_add_z(&b, "http://h/\n");
    assert_int_equal(parse(buf_str(&b), &m), ST_OK);
    assert_int_equal(m.count, LIMIT_SITEMAP_URLS);
    assert_true(m.cut);
    buf_free(&b);
}

/* ---- real ones ----------------------------------------------------------------------- */

static const struct {
    const char *file;
    unsigned count; /* entries it has */
    bool index, feed;
} real[] = {
    {"sitemap.badns.xml", 2, false, false},
    {"sitemap.index.xml", 15, true, false},
    {"sitemap.ns.xml", 2, false, false},
    {"sitemap.txt", 2, false, false},
    {"sitemap.txt.gz", 5, false, false},
    {"sitemap-with-bom.txt", 2, false, false},
    {"do-not-visit.txt", 1, false, false},
    {"xmlSitemap.gz", 5, false, false},
    {"atom.xml", 1, false, true},
    {"extension/hebdenbridgetimes-articles-sitemap.xml", 74, false, false},
    {"extension/pagemaps-sitemap.xml", 2, false, false},
    {"extension/shinpaideshou-news-sitemap.xml", 3, false, false},
    {"extension/sitemap-images.xml", 1, false, false},
    {"extension/sitemap-links.xml", 3, false, false},
    {"extension/sitemap-mobile.xml", 3, false, false},
    {"extension/sitemap-news.xml", 2, false, false},
    {"extension/sitemap-videos.xml", 3, false, false},
    {"extension/sitemap-videos-tvshow.xml", 1, false, false},
};

static void sitemaps_of_crawler_commons_are_read(void **state)
{
    NEED_DATA(root, "sitemaps");
    char folder[2048], path[4096];

    (void)state;
    (void)snprintf(folder, sizeof folder, "%s", root);
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        struct buf b = BUF_INIT(MIB(4));
        struct sitemap m = {.count = 0};
        enum status st;

        (void)snprintf(path, sizeof path, "%s/%s", folder, real[i].file);
        test_read(path, &b);
        st = parse(buf_str(&b), &m);
        if (real[i].feed) {
            struct feed f;

            assert_int_equal(st, ST_INVALID);
            assert_int_equal(feed_parse(buf_str(&b), STR(""), NULL, &arena, &f), ST_OK);
            m.count = f.count;
        }
        if (m.count != real[i].count || m.is_index != real[i].index || m.cut)
            fail_msg("%s: %u entries", real[i].file, m.count);
        buf_free(&b);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, fresh_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(urlset_gives_urls_and_dates),
        T(an_index_gives_sitemaps),
        T(text_has_a_url_a_line),
        T(what_is_no_sitemap_is_invalid),
        T(gzip_is_undone_and_damage_is_said),
        T(a_bomb_stops_at_the_ceiling),
        T(more_urls_than_the_ceiling_are_cut),
        T(sitemaps_of_crawler_commons_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
