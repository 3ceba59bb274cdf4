/* Imports: folders, archives of them and manifests become worlds that the loader reads;
 * what is wrong with them is counted, named and, unless asked for, ends it without a
 * trace. SPDX-License-Identifier: MIT */
#include "importing.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "parse/page/page.h"
#include "sim/web/web.h"
#include "sim/world.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- dir ----------------------------------------------------------------- */

/* Names with every byte that means something in a URL, and links as a browser
 * would write them. */
static void fill_site(const char *dir)
{
    put_z(dir, "index.html",
          "<title>Home</title><a href='100%25.html'>one</a> <a href='a%20b.htm'>two</a>"
          "<a href='sub/'>three</a> <a href='gone.html'>four</a>");
    put_z(dir, "100%.html", "<title>Percent</title><p>Hundred <a href='index.html'>home</a>");
    put_z(dir, "a b.htm", "<title>Blank</title><a href='sub/q%3F%23.html'>odd</a>");
    put_z(dir, "sub/index.html", "<title>Below</title><a href='../index.html'>up</a>");
    put_z(dir, "sub/q?#.html", "<title>Odd</title>text");
    put_z(dir, "note.txt", "plain words");
    put_z(dir, "robots.txt", "User-agent: *\nDisallow: /x\n");
    put_z(dir, "style.css", "p { color: red }");
    put(dir, "logo", STR("\x89PNG\r\n\x1a\n\0\0\0"));
    put_z(dir, ".hidden.html", "<title>Hidden</title>");
}

static void a_file_name_is_data_and_links_find_it(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    char *src = in_dir(test_dir(), "My Site"), *dir = in_dir(test_dir(), "W");

    (void)state;
    assert_int_equal(mkdir(src, 0777), 0);
    fill_site(src);
    imported(src, dir, &c, &r);
    assert_rows(dir, "SELECT url, title, mime FROM page ORDER BY id",
                "http://my-site.example/100%25.html Percent text/html\n"
                "http://my-site.example/a%20b.htm Blank text/html\n"
                "http://my-site.example/index.html Home text/html\n"
                "http://my-site.example/note.txt  text/plain\n"
                "http://my-site.example/sub/index.html Below text/html\n"
                "http://my-site.example/sub/q%3F%23.html Odd text/html\n");
    /* 100% -> index; a b -> odd; index -> 100%, a b (its two others are dead); sub -> index */
    assert_rows(dir, "SELECT count(*) FROM link JOIN page p ON p.url_id = link.to_id", "5\n");
    assert_int_equal(r.pages, 6);
    assert_int_equal(r.links, 7);
    assert_int_equal(r.hosts, 1);
    assert_int_equal(r.resources, 1);
    assert_int_equal(r.left_out, 2); /* style.css, logo */
    assert_true(r.made);
    assert_rows(dir, "SELECT url, status FROM resource", "http://my-site.example/robots.txt 200\n");
    import_report_clear(&r);
    free(src);
    free(dir);
}

static void a_folder_leads_to_its_index_where_asked(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");

    (void)state;
    fill_site(src);
    c.index = "index.html";
    c.url_prefix = "https://www.example.org/top";
    c.drop_dead_links = true;
    imported(src, dir, &c, &r);
    assert_rows(
        dir, "SELECT url, status, redirect_to FROM outcome ORDER BY id",
        "https://www.example.org/top/ 301 https://www.example.org/top/index.html\n"
        "https://www.example.org/top/sub/ 301 https://www.example.org/top/sub/index.html\n");
    assert_int_equal(r.redirects, 2);
    assert_rows(dir, "SELECT value FROM crawl WHERE key = 'drop_dead_links'", "yes\n");
    /* robots.txt counts only at the top of a host: here it is a page of text */
    assert_int_equal(r.resources, 0);
    import_report_clear(&r);
    free(dir);
}

/* Links and known URLs of a world as the loader has it, and links as world_links() counts
 * them; those between pages are always index -> a, sub (by its folder); a -> index; sub -> a. */
static void assert_links(const char *dir, uint32_t links, uint32_t urls)
{
    struct world *world = NULL;
    struct web *web = NULL;
    uint64_t *off, counted;
    uint32_t *to;

    assert_int_equal(world_open(dir, &world), ST_OK);
    assert_int_equal(world_links(world, &off, &to, &counted), ST_OK);
    assert_int_equal(counted, links);
    assert_int_equal(off[world_pages(world)], 4);
    free(off);
    free(to);
    world_close(world);
    assert_int_equal(web_load(dir, &(struct web_config){.threads = 2}, &web), ST_OK);
    assert_int_equal(web_counts(web).links, links);
    assert_int_equal(web_counts(web).urls, urls);
    web_free(web);
}

/* 3 pages, 2 redirects and robots.txt: 6 answers; 9 links, of which 4 lead to 3 other URLs.
 * In the archive and in its rows all of them stay. */
static void links_that_leave_the_set_are_passed_over_where_asked(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir();
    char *whole = in_dir(test_dir(), "W"), *dropped = in_dir(test_dir(), "W");

    (void)state;
    put_z(src, "index.html",
          "<a href=a.html>one</a><a href=gone.html>dead</a><a href='http://else.example/'>dead</a>"
          "<a href=sub/>its index</a><a href=robots.txt>rules</a>");
    put_z(src, "a.html", "<a href=gone.html>dead</a><a href=index.html>home</a>");
    put_z(src, "sub/index.html", "<a href=../a.html>one</a><a href=none.html>dead</a>");
    put_z(src, "robots.txt", "User-agent: *\nDisallow: /x\n");
    c.index = "index.html";
    imported(src, whole, &c, &r);
    assert_links(whole, 9, 9);
    import_report_clear(&r);
    c.drop_dead_links = true;
    imported(src, dropped, &c, &r);
    assert_links(dropped, 5, 6);
    assert_rows(dropped, "SELECT count(*) FROM link", "9\n");
    import_report_clear(&r);
    free(whole);
    free(dropped);
}

static void labels_go_by_path_and_by_url_and_what_names_nothing_is_said(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir(), *files = test_dir();
    char *dir = in_dir(test_dir(), "W"), *labels = in_dir(files, "labels.tsv");

    (void)state;
    fill_site(src);
    put_z(files, "labels.tsv",
          "100%.html\tScience.Math,Numbers\n"
          "http://x.example/a%20b.htm\tNumbers\n");
    c.url_prefix = "http://x.example/";
    c.labels = labels;
    imported(src, dir, &c, &r);
    assert_rows(dir, "SELECT url, label FROM label ORDER BY url, label",
                "http://x.example/100%25.html Numbers\n"
                "http://x.example/100%25.html Science.Math\n"
                "http://x.example/a%20b.htm Numbers\n");
    assert_int_equal(r.labelled, 2);
    assert_int_equal(r.labels, 2);
    import_report_clear(&r);

    put_z(files, "labels.tsv", "nobody.html\tX\nno tab\n100%.html\tA\n100%.html\tB\n");
    free(dir);
    dir = in_dir(test_dir(), "W");
    assert_int_equal(run(src, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_MISSING, 1, "labels.tsv:1: nobody.html");
    assert_fault(&r, IMPORT_LINE, 1, "labels.tsv:2");
    assert_fault(&r, IMPORT_DUPLICATE, 1, "labels.tsv:4");
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
    free(labels);
}

static void broken_files_are_named_and_the_rest_is_made_only_where_asked(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W"), name[32];

    (void)state;
    put_z(src, "good.html", "<title>Good</title>");
    put(src, "binary.html",
        STR("\x7f"
            "ELF\0\0\0"));
    for (int i = 0; i < 12; i++) {
        (void)snprintf(name, sizeof name, "empty%02d.html", i);
        put_z(src, name, i % 2 ? "" : " \n");
    }
    assert_int_equal(run(src, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_BROKEN, 13, "binary.html: it is no document");
    assert_non_null(strstr(r.faults[IMPORT_BROKEN].names[9], "empty08.html: it is empty"));
    assert_false(r.made);
    assert_nothing(dir);
    import_report_clear(&r);
    c.keep_going = true;
    imported(src, dir, &c, &r);
    assert_int_equal(r.pages, 1);
    assert_int_equal(import_fault_count(&r), 13);
    import_report_clear(&r);
    free(dir);
}

/* All bytes under a directory, by name. */
static struct buf *all_bytes;
static int add_bytes(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)ftw;
    if (flag == FTW_F)
        test_read(path, all_bytes);
    return 0;
}

static uint64_t hash_dir(const char *dir)
{
    struct buf bytes = BUF_INIT(64 << 20);
    uint64_t h;

    all_bytes = &bytes;
    assert_int_equal(nftw(dir, add_bytes, 16, FTW_PHYS), 0);
    h = hash_str(buf_str(&bytes));
    buf_free(&bytes);
    return h;
}

static void the_same_files_make_the_same_world_also_from_an_archive(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct buf tar = BUF_INIT(1 << 20);
    struct import_report r;
    const char *src = test_dir(), *files = test_dir();
    char *dir[3], *archive = in_dir(files, "site.tar");

    (void)state;
    c.url_prefix = "http://x.example/";
    put_z(src, "a.html", "<title>A</title><a href=b.html>b</a>");
    put_z(src, "b.html", "<title>B</title><a href=a.html>a</a>");
    add_tar(&tar, "top/a.html", STR("<title>A</title><a href=b.html>b</a>"));
    add_tar(&tar, "other/c.html", STR("<title>C</title>"));
    add_tar(&tar, "top/b.html", STR("<title>B</title><a href=a.html>a</a>"));
    end_tar(&tar);
    put(files, "site.tar", buf_str(&tar));
    for (int i = 0; i < 3; i++) {
        dir[i] = in_dir(test_dir(), "W");
        c.root = i == 2 ? "top/" : NULL;
        imported(i == 2 ? archive : src, dir[i], &c, &r);
        assert_int_equal(r.pages, 2);
        import_report_clear(&r);
    }
    assert_true(hash_dir(dir[0]) == hash_dir(dir[1]));
    assert_true(hash_dir(dir[0]) == hash_dir(dir[2]));
    for (int i = 0; i < 3; i++)
        free(dir[i]);
    free(archive);
    buf_free(&tar);
}

static void a_cut_archive_gives_its_beginning_only_where_asked(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct buf tar = BUF_INIT(1 << 20);
    struct import_report r;
    const char *files = test_dir();
    char *dir = in_dir(test_dir(), "W"), *archive = in_dir(files, "site.tar");

    (void)state;
    add_tar(&tar, "a.html", STR("<title>A</title>"));
    add_tar(&tar, "../up.html", STR("<title>Up</title>"));
    add_tar(&tar, "a.html", STR("<title>Again</title>"));
    add_tar(&tar, "b.html", STR("<title>B</title>"));
    put(files, "site.tar", str_sub(buf_str(&tar), 0, tar.len - 500)); /* inside b.html */
    assert_int_equal(run(archive, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_CUT, 1, "site.tar: the archive ends early");
    assert_fault(&r, IMPORT_URL, 1, "../up.html");
    assert_fault(&r, IMPORT_DUPLICATE, 1, "a.html");
    assert_nothing(dir);
    import_report_clear(&r);
    c.keep_going = true;
    imported(archive, dir, &c, &r);
    assert_rows(dir, "SELECT url, title FROM page", "http://site.example/a.html A\n");
    import_report_clear(&r);
    put_z(files, "site.tar", "this is not a tar archive");
    free(dir);
    dir = in_dir(test_dir(), "W");
    assert_int_equal(run(archive, dir, &c, &r), ST_INVALID); /* no page: not even now */
    assert_fault(&r, IMPORT_CUT, 1, "site.tar");
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
    free(archive);
    buf_free(&tar);
}

/* ---- tsv ----------------------------------------------------------------- */

static void a_manifest_says_which_file_is_which_url(void **state)
{
    struct import_config c = config(IMPORT_TSV);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W"), *manifest = in_dir(src, "manifest.tsv");

    (void)state;
    put_z(src, "x/1", "<title>One</title><a href='http://b.example/two?q=1'>two</a>");
    put_z(src, "x/2.html", "<title>Two</title>");
    put_z(src, "manifest.tsv",
          "#file\turl\tlabels\r\n"
          "x/1\thttp://A.example:80/one\tL1,L2\r\n"
          "x/2.html\thttp://b.example/two?q=1\r\n");
    imported(manifest, dir, &c, &r);
    assert_rows(dir, "SELECT url, title FROM page ORDER BY id",
                "http://a.example/one One\nhttp://b.example/two?q=1 Two\n");
    assert_rows(dir, "SELECT url, label FROM label ORDER BY label",
                "http://a.example/one L1\nhttp://a.example/one L2\n");
    assert_rows(dir, "SELECT count(*) FROM link JOIN page p ON p.url_id = link.to_id", "1\n");
    import_report_clear(&r);
    free(dir);

    put_z(src, "manifest.tsv",
          "x/1\thttp://a.example/one\nx/3\thttp://a.example/three\n../x\thttp://a.example/x\n"
          "x/2.html\thttps://a.example/one\nbad\nx/2.html\tftp://a.example/\n");
    dir = in_dir(test_dir(), "W");
    assert_int_equal(run(manifest, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_MISSING, 2, "manifest.tsv:2: x/3");
    /* http and https of one address are one */
    assert_fault(&r, IMPORT_DUPLICATE, 1,
                 "manifest.tsv:4: x/2.html: line 1 has its URL, https://a.example/one");
    assert_fault(&r, IMPORT_LINE, 1, "manifest.tsv:5");
    assert_fault(&r, IMPORT_URL, 1, "manifest.tsv:6: ftp://a.example/");
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
    free(manifest);
}

/* ---- ends ---------------------------------------------------------------- */

static bool stop_at_once(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    int *calls = ctx;

    (void)what, (void)done, (void)total;
    return ++*calls < 3;
}

static void a_stopped_import_leaves_nothing(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");
    int calls = 0;

    (void)state;
    fill_site(src);
    assert_int_equal(world_import(&src, 1, dir, &c, stop_at_once, &calls, &r), ST_STOPPED);
    assert_int_equal(calls, 3);
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
}

static void what_is_there_is_not_touched(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    const char *src = test_dir(), *full = test_dir(), *empty = test_dir();
    char *none = in_dir(src, "none"), *dir = in_dir(test_dir(), "W"), *part = in_dir(src, "../x");

    (void)state;
    fill_site(src);
    put_z(full, "mine", "x");
    assert_int_equal(run(src, full, &c, &r), ST_EXISTS);
    assert_int_equal(run(none, dir, &c, &r), ST_MISSING);
    assert_nothing(dir);
    c.labels = none;
    assert_int_equal(run(src, dir, &c, &r), ST_MISSING);
    c.labels = NULL;
    c.url_prefix = "mailto:x";
    assert_int_equal(run(src, dir, &c, &r), ST_USAGE);
    c.url_prefix = NULL;
    assert_nothing(dir);
    imported(src, empty, &c, &r); /* an empty directory will do */
    import_report_clear(&r);
    free(none);
    free(dir);
    free(part);
}

/* ---- real data ----------------------------------------------------------- */

/* Pairs of different pages of which the first links to the other: with <a href>,
 * and in any way (frames, image maps). */
static void count_edges(const char *dir, uint64_t *ret_a, uint64_t *ret_all)
{
    struct page_parser *parser = page_parser_new();
    struct buf head = BUF_INIT(KIB(256)), body = BUF_INIT(MIB(4));
    struct map seen_a, seen_all;
    struct world *w = NULL;
    struct arena arena;

    assert_int_equal(world_open(dir, &w), ST_OK);
    arena_init(&arena, LIMIT_PAGE_ARENA);
    map_init(&seen_a);
    map_init(&seen_all);
    for (uint32_t i = 0; i < world_pages(w); i++) {
        struct page_input in = {.url = world_entry(w, i)->url, .content_type = STR("text/html")};
        const struct page *p = NULL;

        buf_clear(&head);
        buf_clear(&body);
        arena_reset(&arena);
        assert_int_equal(world_read(w, i, &head, &body), ST_OK);
        in.payload = buf_str(&body);
        assert_int_equal(page_parse(parser, &in, &arena, &p), DROP_NONE);
        for (uint32_t l = 0; l < p->nlinks; l++) {
            uint32_t to = world_find(w, p->links[l].key);
            uint64_t edge = hash_u64((uint64_t)i << 32 | to);

            if (to >= world_pages(w) || to == i)
                continue;
            map_set(&seen_all, edge, 1);
            if (str_ends(p->tag_paths[p->links[l].tag_path], STR(" a")))
                map_set(&seen_a, edge, 1);
        }
    }
    *ret_a = seen_a.count;
    *ret_all = seen_all.count;
    map_free(&seen_a);
    map_free(&seen_all);
    arena_free(&arena);
    buf_free(&head);
    buf_free(&body);
    page_parser_free(parser);
    world_close(w);
}

/* Its description: 5,462 pages, 4,654 of them labelled, 129 labels below 15
 * subjects, 160,729 edges. These are the pairs that <a href="..."> makes where the
 * value is taken as it is written: 8 more have a blank at its end, which HTML
 * leaves out; and 58 are made by frames and image maps alone. */
static void wikispeedia_has_the_counts_of_its_description(void **state)
{
    struct import_config c = config(IMPORT_DIR);
    struct import_report r;
    uint64_t edges_a, edges;

    (void)state;
    NEED_DATA(found, "wikispeedia/html.tar.zst");
    char *dir = in_dir(test_dir(), "W"), *archive = str_dup(str_of(found)),
         *labels = str_dup(str_of(test_data("wikispeedia/labels.tsv")));
    c.root = "html";
    c.labels = labels;
    imported(archive, dir, &c, &r);
    assert_int_equal(r.pages, 5462);
    assert_int_equal(r.labelled, 4654);
    assert_int_equal(r.labels, 129);
    assert_rows(dir, "SELECT count(DISTINCT substr(label, 1, instr(label || '.', '.'))) FROM label",
                "15\n");
    count_edges(dir, &edges_a, &edges);
    assert_int_equal(edges_a, 160729 + 8);
    assert_int_equal(edges, 160729 + 8 + 58);
    import_report_clear(&r);
    free(archive);
    free(labels);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_name_is_data_and_links_find_it),
        cmocka_unit_test(a_folder_leads_to_its_index_where_asked),
        cmocka_unit_test(links_that_leave_the_set_are_passed_over_where_asked),
        cmocka_unit_test(labels_go_by_path_and_by_url_and_what_names_nothing_is_said),
        cmocka_unit_test(broken_files_are_named_and_the_rest_is_made_only_where_asked),
        cmocka_unit_test(the_same_files_make_the_same_world_also_from_an_archive),
        cmocka_unit_test(a_cut_archive_gives_its_beginning_only_where_asked),
        cmocka_unit_test(a_manifest_says_which_file_is_which_url),
        cmocka_unit_test(a_stopped_import_leaves_nothing),
        cmocka_unit_test(what_is_there_is_not_touched),
        cmocka_unit_test(wikispeedia_has_the_counts_of_its_description),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
