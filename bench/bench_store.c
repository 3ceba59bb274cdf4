/* bench_store.c - microseconds a page of the store's writer.
 *
 * Pages of generated words: 25 KB of HTML, 9 KB of text, 50 links of which 20
 * lead to new URLs; a checkpoint every 500 pages. Measured is the CPU time of
 * the writing thread (rows, digests, compression, system calls), once without
 * and once with the archive, then the full-text index and the indexes for
 * readers apart.
 *
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/db.h"
#include "store/write/index.h"
#include "store/schema.h"
#include "store/write/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGES 4000
#define KINDS 64 /* different pages, used in turn */

static void add_words(struct rng *r, struct buf *out, size_t bytes, struct page *page)
{
    while (out->len < bytes) {
        /* A crude Zipf: the exponential of a uniform draw. */
        uint64_t rank = (uint64_t)(rng_unit(r) * rng_unit(r) * rng_unit(r) * 20000);
        uint64_t letters = hash_u64(rank);
        size_t from = out->len, len = 3 + rank % 6;

        for (size_t i = 0; i < len; i++, letters >>= 5)
            buf_add_char(out, (char)('a' + (letters & 31) % 26));
        page->words[page->nwords++] = (struct word){(uint32_t)from, (uint16_t)len};
        buf_add_char(out, page->nwords % 12 ? ' ' : '\n');
    }
}

static void add_markup(struct buf *body, struct str text)
{
    struct str line;
    int i = 0;

    buf_add_z(body, "<!DOCTYPE html>\n<html><head><title>A page</title></head><body>\n");
    for (struct str rest = text; str_cut(&rest, '\n', &line); i++)
        buf_addf(body,
                 "<div class=\"entry n%d\"><p id=\"s%d\">%.*s</p>\n<a class=\"ref\" "
                 "href=\"/docs/section-%d/page-%d.html\">next</a></div>\n",
                 i % 7, i, STR_ARG(line), i % 13, i * 37);
}

static struct arrival *make_page(struct rng *r, int kind)
{
    char href[64];
    struct arrival *a;
    struct page *page;
    struct buf text = BUF_INIT(MIB(1));

    (void)snprintf(href, sizeof href, "http://host%d.example/docs/%d", kind % 8, kind);
    a = arrival_new(request_new(REQUEST_PAGE, str_of(href), STR("host.example"), STR(""), STR("")));
    page = arena_alloc(&a->memory, sizeof *page);
    *page = (struct page){.title = STR("A page of generated words"), .charset = STR("utf-8")};
    page->words = arena_array(&a->memory, 9000, sizeof *page->words);
    add_words(r, &text, 9000, page);
    page->text = arena_str(&a->memory, buf_str(&text));
    add_markup(&a->reply.body, page->text);
    while (a->reply.body.len < 25000)
        add_markup(&a->reply.body, str_sub(page->text, a->reply.body.len % 5000, page->text.len));
    a->reply.body.len = 25000;
    page->links = arena_array(&a->memory, 50, sizeof *page->links);
    a->marks = arena_array(&a->memory, 50, sizeof *a->marks);
    page->nlinks = 50;
    a->page = page;
    a->reply.status = 200;
    a->reply.head =
        STR("HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Sun, 15 Nov 2026 10:00:00 GMT\r\n"
            "Content-Type: text/html\r\nContent-Length: 25000\r\n"
            "ETag: \"abc-123\"\r\nConnection: keep-alive\r\n\r\n");
    a->reply.sent = STR("GET /docs/page.html HTTP/1.1\r\nHost: host.example\r\nAccept: */*\r\n"
                        "User-Agent: brood/0.1\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n");
    a->reply.content_type = STR("text/html");
    buf_free(&text);
    return a;
}

/* Numbers for this turn: 20 of the 50 links are new. */
static void renew(struct arrival *a, uint32_t id, uint32_t *urls, char names[50][64])
{
    struct page *page = (struct page *)(uintptr_t)a->page;

    a->request->choice.url = id;
    a->payload_hash = hash_u64(id);
    a->reply.started_at = a->reply.done_at = INT64_C(1770000000000000) + id;
    for (int i = 0; i < 50; i++) {
        bool is_new = i < 20;
        uint32_t url = is_new ? ++*urls : 1 + (uint32_t)(hash_u64(id * 50 + i) % *urls);

        (void)snprintf(names[i], 64, "http://host%u.example/docs/section-%u/page-%u.html", url % 8,
                       url % 13, url);
        page->links[i] = (struct link){.url = str_of(names[i]), .anchor = {i * 3, i * 3 + 4}};
        a->marks[i] = (struct link_mark){.url = url, .score = (float)i / 50, .is_new = is_new};
    }
}

static bool never_wait(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "%s\n", text);
    return false;
}

static void check(enum status st)
{
    if (st == ST_OK)
        return;
    (void)fprintf(stderr, "%s\n", status_text());
    exit(1);
}

static struct writer *make_writer(const char *dir, bool warc)
{
    struct store_config config = {.warc = warc, .software = "bench", .warc_level = 1};
    struct writer *w = NULL;
    sqlite3 *db = NULL;

    (void)mkdir(dir, 0777);
    check(db_open(dir, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db));
    check(db_pragmas(db));
    check(schema_create(db));
    check(writer_new(dir, db, &config, never_wait, NULL, &w));
    return w;
}

static void write_pages(struct writer *w, struct arrival *pages[KINDS], const char *what)
{
    static char names[50][64];
    uint32_t urls = PAGES;
    int64_t cpu = 0, wall = 0;

    for (uint32_t id = 1; id <= PAGES; id++) {
        struct arrival *a = pages[id % KINDS];
        struct event page = {.kind = EVENT_PAGE, .at = id, .page = {.arrival = a, .id = id}};
        struct event commit = {.kind = EVENT_CHECKPOINT, .checkpoint = {.pages = id}};

        renew(a, id, &urls, names);
        cpu -= clock_cpu_thread();
        wall -= clock_now();
        check(writer_apply(w, &page));
        if (id % 500 == 0)
            check(writer_apply(w, &commit));
        cpu += clock_cpu_thread();
        wall += clock_now();
    }
    (void)printf("%-36s %7.1f us a page (wall %.1f)\n", what, (double)cpu / PAGES,
                 (double)wall / PAGES);
}

int main(int argc, char **argv)
{
    char root[256], dir[512];
    struct arrival *pages[KINDS];
    struct index *index = NULL;
    struct writer *w;
    struct rng r;
    int64_t cpu;

    (void)snprintf(root, sizeof root, "%s/brood-bench-XXXXXX", argc > 1 ? argv[1] : "/tmp");
    if (mkdtemp(root) == NULL)
        return 1;
    rng_init(&r, 1);
    for (int i = 0; i < KINDS; i++)
        pages[i] = make_page(&r, i);
    (void)snprintf(dir, sizeof dir, "%s/rows", root);
    w = make_writer(dir, false);
    write_pages(w, pages, "page + 50 links, no archive");
    cpu = clock_cpu_thread();
    check(index_open(dir, &index));
    check(index_build(index, NULL, NULL, NULL));
    index_close(index);
    (void)printf("%-36s %7.1f us a page\n", "full-text index (9 KB of text)",
                 (double)(clock_cpu_thread() - cpu) / PAGES);
    cpu = clock_cpu_thread();
    check(schema_index(writer_db(w)));
    (void)printf("%-36s %7.1f us a page\n", "indexes for readers",
                 (double)(clock_cpu_thread() - cpu) / PAGES);
    writer_free(w);
    (void)snprintf(dir, sizeof dir, "%s/warc", root);
    w = make_writer(dir, true);
    write_pages(w, pages, "page + 50 links, with the archive");
    writer_free(w);
    for (int i = 0; i < KINDS; i++)
        arrival_release(pages[i]);
    (void)printf("files in %s\n", root);
    return 0;
}
