/* Lists of places to start, as other programs keep them, and words that search results teach.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/os/file.h"
#include "crawl/start/places.h"
#include "crawl/start/search.h"
#include "crawl/start/seed.h"
#include "text/topic.h"

#include <stdlib.h>
#include <zlib.h>

static struct text_list found;
static struct buf all;

static enum status read_only(const char *text, const char *pattern, size_t most)
{
    struct text_list only = {0};
    struct places_wanted wanted = {.only = &only, .most = most};
    enum status st;

    text_list_free(&found);
    if (pattern)
        text_list_add(&only, str_of(pattern));
    st = places_of_text(str_of(text), "list", &wanted, &found);
    text_list_free(&only);
    return st;
}

/* All of them, with spaces between. */
static const char *read_all(const char *text)
{
    assert_int_equal(read_only(text, NULL, 0), ST_OK);
    buf_free(&all);
    buf_init(&all, 10000);
    for (size_t i = 0; i < found.count; i++)
        buf_addf(&all, "%s%s", i ? " " : "", found.items[i]);
    return all.data;
}

static void captures_of_documents_are_places_in_every_form_of_index(void **state)
{
    (void)state;
    assert_string_equal(
        read_all(
            "{\"urlkey\": \"a\", \"url\": \"http://a/1\", \"mime\": \"text/html\", \"status\": "
            "\"200\"}\n{\"urlkey\": \"a\", \"url\": \"http://a/x.png\", \"mime\": "
            "\"image/png\", \"status\": \"200\"}\n{\"url\": \"http://a/2\"}\n"),
        "http://a/1 http://a/2");
    assert_string_equal(read_all("a)/ 20260101000000 http://a/1 text/html 200 D 9\n"
                                 "a)/ 20260102000000 http://a/1 warc/revisit - D 9\n"
                                 "a)/ 20260102000000 http://a/robots.txt text/plain 200 D 9\n"
                                 "a)/ 20260102000000 http://a/3 text/html 301 D 9\n"),
                        "http://a/1");
    assert_string_equal(read_all("[[\"original\", \"statuscode\"],\n[\"http://a/1\", \"200\"],"
                                 "[\"http://a/2\", \"404\"], []]"),
                        "http://a/1");
    assert_string_equal(read_all(" CDX N a s b\na)/ http://a/1 200 20260101\n"), "http://a/1");
    assert_string_equal(read_all("a)/ 20260101000000 {\"url\": \"http://a/1\"}\n"), "http://a/1");
}

static void a_page_of_an_archive_is_no_index(void **state)
{
    struct places_wanted wanted = {.captures = true};

    (void)state;
    text_list_free(&found);
    assert_int_equal(places_of_text(STR("<a href='http://a/'>sorry</a>"), "x", &wanted, &found),
                     ST_USAGE);
    assert_int_equal(places_of_text(STR(""), "x", &wanted, &found), ST_USAGE);
    assert_int_equal(found.count, 0);
}

static void bookmarks_of_browsers_are_places(void **state)
{
    (void)state;
    assert_string_equal(read_all("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT>"
                                 "<A HREF=\"http://a/?x=1&amp;y=2\">a</A><DT><A "
                                 "HREF=\"place:x\">b</A>"),
                        "http://a/?x=1&y=2");
    assert_string_equal(read_all("{\"root\":\"placesRoot\",\"children\":[{\"children\":[{\"uri\":"
                                 "\"http://a/1\"},{\"uri\":\"javascript:x\"}]}]}"),
                        "http://a/1");
    assert_string_equal(
        read_all("{\"roots\":{\"other\":{\"children\":[{\"url\":\"http://a/1\"}]}}}"),
        "http://a/1");
    assert_int_equal(read_only("mozLz40\0x", NULL, 0), ST_USAGE);
}

static void an_outline_gives_its_feeds(void **state)
{
    (void)state;
    assert_string_equal(
        read_all("<?xml version='1.0'?><opml><body><outline text='x'><outline "
                 "xmlUrl='http://a/feed?x=1&amp;y=2' htmlUrl='http://a/'/></outline>"
                 "<outline htmlUrl='http://b/'/></body></opml>"),
        "http://a/feed?x=1&y=2 http://b/");
}

static void lines_are_read_as_seeds(void **state)
{
    (void)state;
    assert_string_equal(read_all("# x\nexample.org\n\nhttp://a/\nhttp://a/\n"),
                        "http://example.org/ http://a/");
    assert_int_equal(read_only("http://a/\nhppt://b\n", NULL, 0), ST_USAGE);
    assert_non_null(strstr(status_text(), "list:2"));
}

static void patterns_and_a_number_choose(void **state)
{
    (void)state;
    assert_int_equal(read_only("http://a/1\nhttp://b/x/2\nhttp://c.b/x/3\n", "*b/x/*", 0), ST_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(read_only("http://a/1\nhttp://a/2\nhttp://a/3\nhttp://a/4\n", NULL, 2), ST_OK);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.items[1], "http://a/3");
    assert_int_equal(read_only("http://a/1\n", "b/*", 0), ST_USAGE);
    assert_non_null(strstr(status_text(), "--seeds-only"));
}

static void a_packed_list_is_unpacked(void **state)
{
    struct places_wanted wanted = {0};
    struct buf path = BUF_INIT(1000);
    gzFile f;

    (void)state;
    buf_addf(&path, "%s/list.gz", test_dir());
    f = gzopen(path.data, "wb");
    assert_true(gzputs(f, "http://a/packed\n") > 0);
    assert_int_equal(gzclose(f), Z_OK);
    text_list_free(&found);
    assert_int_equal(places_of_file(path.data, "--seeds-from", &wanted, &found), ST_OK);
    assert_string_equal(found.items[0], "http://a/packed");
    assert_int_equal(file_write(path.data, STR("\x1f\x8b no gzip")), ST_OK);
    assert_int_equal(places_of_file(path.data, "--seeds-from", &wanted, &found), ST_USAGE);
    buf_free(&path);
}

static void names_of_hosts_are_known_from_addresses(void **state)
{
    (void)state;
    assert_true(seed_is_host(STR("example.org")));
    assert_true(seed_is_host(STR(" example.org:8080/ ")));
    assert_false(seed_is_host(STR("http://example.org")));
    assert_false(seed_is_host(STR("example.org/news")));
    assert_false(seed_is_host(STR("example.org?x")));
}

static void a_word_that_several_results_have_is_learned(void **state)
{
    static const char answer[] =
        "{\"results\": [{\"url\": \"http://a/1\", \"title\": \"Bleaching and coral\", \"content\": "
        "\"the coral of reefs and bleaching\"}, {\"url\": \"http://a/2\", \"title\": \"Bleaching "
        "again\", \"content\": \"reefs\"}, {\"url\": \"http://a/3\", \"title\": \"corals, 2019\", "
        "\"content\": \"a tour with Robert\"}], \"suggestions\": [{\"url\": \"http://no/\"}]}";
    struct search_hits hits = {.most = 10};
    struct text_list words = {0};
    struct topic *t;

    (void)state;
    search_read(str_of(answer), "http://engine/", "application/json", &hits);
    assert_int_equal(hits.count, 3);
    assert_int_equal(topic_from_words(STR("coral reef"), STR("en"), &t), ST_OK);
    search_learn(t, &hits, 5, &words);
    assert_int_equal(words.count, 1);
    assert_string_equal(words.items[0], "bleaching");
    topic_free(t);
    text_list_free(&words);
    search_hits_free(&hits);
}

static int tear_down(void **state)
{
    (void)state;
    text_list_free(&found);
    buf_free(&all);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_of_documents_are_places_in_every_form_of_index),
        cmocka_unit_test(a_page_of_an_archive_is_no_index),
        cmocka_unit_test(bookmarks_of_browsers_are_places),
        cmocka_unit_test(an_outline_gives_its_feeds),
        cmocka_unit_test(lines_are_read_as_seeds),
        cmocka_unit_test(patterns_and_a_number_choose),
        cmocka_unit_test(a_packed_list_is_unpacked),
        cmocka_unit_test(names_of_hosts_are_known_from_addresses),
        cmocka_unit_test(a_word_that_several_results_have_is_learned),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
