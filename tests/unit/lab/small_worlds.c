/* small_worlds.c - small worlds for the tests of the lab. SPDX-License-Identifier: MIT */
#include "small_worlds.h"

#include "base/os/file.h"
#include "sim/import/import.h"
#include "sim/make/make.h"
#include "support/support.h"

#include <stdio.h>
#include <sys/stat.h>

struct plan *parsed(const char *text)
{
    struct plan *p = NULL;

    if (plan_parse(str_of(text), "t.plan", &p) != ST_OK)
        fail_msg("%s", status_text());
    return p;
}

static struct web *web_at(const char *dir)
{
    struct web *w;

    assert_int_equal(web_load(dir, &(struct web_config){.threads = 1}, &w), ST_OK);
    return w;
}

struct web *small_web(void)
{
    struct make_config c;
    char dir[400];

    make_config_init(&c);
    c.graph.pages = 300;
    c.graph.hosts = 8;
    c.graph.topics = 5;
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    assert_int_equal(world_make(dir, &c, NULL, NULL), ST_OK);
    return web_at(dir);
}

static void put_file(const char *dir, const char *name, const char *text)
{
    char path[500];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(file_write(path, str_of(text)), ST_OK);
}

void site_world(const char *dir)
{
    const char *site = test_dir();
    struct import_config c = {.url_prefix = "http://s.example/",
                              .since = IMPORT_NO_TIME,
                              .until = IMPORT_NO_TIME,
                              .software = "test"};
    struct import_report r;
    char path[500];

    (void)snprintf(path, sizeof path, "%s/secret", site);
    assert_int_equal(mkdir(path, 0777), 0);
    put_file(site, "robots.txt", "User-agent: *\nDisallow: /secret/\n");
    put_file(site, "index.html",
             "<p>birds sing <a href=open.html>here</a> <a href=secret/one.html>there</a>");
    put_file(site, "open.html", "<p>birds fly <a href=index.html>home</a>");
    put_file(site, "secret/one.html", "<p>birds nest <a href=index.html>home</a>");
    assert_int_equal(world_import(&site, 1, dir, &c, NULL, NULL, &r), ST_OK);
    assert_int_equal(r.pages, 3);
    import_report_clear(&r);
}

void history_world(const struct world_file *files, const char *dir)
{
    const char *from = test_dir();
    struct import_config c = {.from = IMPORT_HISTORY,
                              .url_prefix = "http://s.example/",
                              .blobs = from,
                              .since = IMPORT_NO_TIME,
                              .until = IMPORT_NO_TIME,
                              .software = "test"};
    struct import_report r;

    for (const struct world_file *f = files; f->name; f++)
        put_file(from, f->name, f->text);
    if (world_import(&from, 1, dir, &c, NULL, NULL, &r) != ST_OK)
        fail_msg("%s", status_text());
    import_report_clear(&r);
}

struct web *history_web(const struct world_file *files)
{
    char dir[400];

    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    history_world(files, dir);
    return web_at(dir);
}

const struct world_file growing[] = {
    {"events.tsv", "100\tA\taaa1\tindex.html\n100\tA\tbbb1\ta.html\n600\tM\taaa2\tindex.html\n"
                   "600\tA\tccc1\tb.html\n700\tA\tddd1\td.html\n"},
    {"aaa1", "<p>birds sing <a href=a.html>here</a>"},
    {"aaa2", "<p>birds sing <a href=a.html>here</a> and <a href=b.html>there</a>"},
    {"bbb1", "<p>birds fly <a href=index.html>home</a>"},
    {"ccc1", "<p>birds nest <a href=index.html>home</a>"},
    {"ddd1", "<p>birds sleep <a href=index.html>home</a>"},
    {NULL, NULL},
};
