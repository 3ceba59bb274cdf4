/* bench_parse.c - microseconds a page: tokenizer, whole page, libxml2's SAX.
 *
 *     bench_parse DIR [ROUNDS [ONLY]]
 *
 * Reads every .html, .htm or .xhtml file under DIR (at most FILES_MAX) into
 * memory first, then runs each contender over all of them; the best of ROUNDS
 * counts. The peer is libxml2's HTML parser with a SAX handler that takes hrefs
 * and counts characters, which is less than page_parse() does: no words, no
 * contexts, no resolved URLs. CPU time of this thread. Then the cost of robots.txt for a link, in
 * steps (robots_allows_counted) and in time, for a usual file and for hostile ones.
 * SPDX-License-Identifier: MIT
 */
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/charset.h"
#include "parse/html.h"
#include "parse/page/page.h"
#include "parse/robots/robots.h"

#include <ftw.h>
#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES_MAX 5000

struct corpus {
    struct buf files[FILES_MAX];
    size_t count, bytes;
};

/* ftw() has no argument of ours to pass on. */
static struct corpus corpus;

static int corpus_add(const char *path, const struct stat *st, int type, struct FTW *unused)
{
    struct str name = str_of(path);
    struct buf *b = &corpus.files[corpus.count];

    (void)st;
    (void)unused;
    if (type != FTW_F || corpus.count == FILES_MAX ||
        !(str_ends_i(name, STR(".html")) || str_ends_i(name, STR(".htm")) ||
          str_ends_i(name, STR(".xhtml"))))
        return 0;
    buf_init(b, MIB(16));
    if (file_read(path, b) != ST_OK || b->len == 0) {
        buf_free(b);
        return 0;
    }
    corpus.bytes += b->len;
    corpus.count++;
    return 0;
}

/* ---- the contenders: each returns something that depends on all its work ------- */

static uint64_t run_charset(struct page_parser *unused)
{
    struct charset_reader *r = charset_reader_new();
    uint64_t sum = 0;

    (void)unused;
    for (size_t i = 0; i < corpus.count; i++) {
        struct str bytes = buf_str(&corpus.files[i]);
        size_t bom;
        const struct charset *c = charset_decide(r, bytes, STR("utf-8"), &bom);

        sum += charset_decode(r, c, bytes).len;
    }
    charset_reader_free(r);
    return sum;
}

/* The states are set as in a browser, so that scripts are not read as markup. */
static void enter_raw(struct html *h)
{
    static const struct {
        struct str name;
        enum html_state state;
    } raw[] = {{{"script", 6}, HTML_SCRIPT},
               {{"style", 5}, HTML_RAWTEXT},
               {{"title", 5}, HTML_RCDATA},
               {{"textarea", 8}, HTML_RCDATA}};

    for (size_t i = 0; i < ARRAY_LEN(raw); i++)
        if (str_eq_i(h->token.text, raw[i].name))
            html_enter(h, raw[i].state, h->token.text);
}

static uint64_t run_tokens(struct page_parser *unused)
{
    struct html *h = mem_alloc(sizeof *h);
    uint64_t sum = 0;

    (void)unused;
    for (size_t i = 0; i < corpus.count; i++) {
        enum html_kind kind;

        html_init(h, buf_str(&corpus.files[i]));
        while ((kind = html_next(h)) != HTML_EOF) {
            sum += kind;
            if (kind == HTML_START)
                enter_raw(h);
        }
    }
    free(h);
    return sum;
}

static uint64_t parse_all(struct page_parser *p, bool whole)
{
    struct arena arena;
    uint64_t sum = 0;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    for (size_t i = 0; i < corpus.count; i++) {
        struct page_input in = {.payload = buf_str(&corpus.files[i]),
                                .url = STR("http://example.org/wp/a/page.htm"),
                                .content_type = STR("text/html; charset=utf-8"),
                                .whole = whole};
        const struct page *page;

        arena_reset(&arena);
        if (page_parse(p, &in, &arena, &page) == DROP_NONE)
            sum += page->nwords + page->nlinks;
    }
    arena_free(&arena);
    return sum;
}

static uint64_t run_page(struct page_parser *p)
{
    return parse_all(p, false);
}

/* All text is taken as main text: blocks are gathered, and none is judged. */
static uint64_t run_whole(struct page_parser *p)
{
    return parse_all(p, true);
}

static void sax_start(void *ctx, const xmlChar *name, const xmlChar **attrs)
{
    uint64_t *sum = ctx;

    for (; attrs != NULL && *attrs != NULL; attrs += 2)
        if (name[0] == 'a' && name[1] == '\0' && strcmp((const char *)attrs[0], "href") == 0)
            ++*sum;
}

static void sax_characters(void *ctx, const xmlChar *text, int len)
{
    (void)text;
    *(uint64_t *)ctx += (uint64_t)len;
}

static uint64_t run_libxml2(struct page_parser *unused)
{
    htmlSAXHandler sax = {.startElement = sax_start, .characters = sax_characters};
    uint64_t sum = 0;

    (void)unused;
    for (size_t i = 0; i < corpus.count; i++) {
        struct buf *b = &corpus.files[i];
        htmlParserCtxtPtr ctx = htmlCreatePushParserCtxt(&sax, &sum, b->data, (int)b->len, NULL,
                                                         XML_CHAR_ENCODING_UTF8);

        if (ctx == NULL)
            continue;
        htmlParseChunk(ctx, NULL, 0, 1);
        htmlFreeParserCtxt(ctx);
    }
    return sum;
}

static double best_us(uint64_t (*run)(struct page_parser *), struct page_parser *p, int rounds,
                      uint64_t *ret_sum)
{
    int64_t best = INT64_MAX;

    for (int i = 0; i < rounds; i++) {
        int64_t start = clock_cpu_thread(), took;

        *ret_sum = run(p);
        took = clock_cpu_thread() - start;
        best = took < best ? took : best;
    }
    return (double)best / (double)corpus.count;
}

/* ---- robots.txt ----------------------------------------------------------------- */

#define ASKED 2000

/* A file of `count` lines, each with its number behind it, asked for paths of two lengths. */
static void bench_robots(const char *name, const char *line, int count)
{
    static const struct str paths[] = {
        STR("/questions/2024/05/how-to-read-a-robots-file?page=12"),
        STR("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            "aaaaaaaaaa"
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            "aaaaaaaaaaa"),
    };
    struct buf text = BUF_INIT(MIB(1));
    int64_t start = clock_cpu_thread(), parsed;
    struct robots *r;

    buf_add_z(&text, "User-agent: *\n");
    for (int i = 0; i < count; i++)
        buf_addf(&text, "%s%d\n", line, i);
    start = clock_cpu_thread();
    r = robots_parse(buf_str(&text), STR("brood"));
    parsed = clock_cpu_thread() - start;
    for (size_t k = 0; k < ARRAY_LEN(paths); k++) {
        uint64_t steps = 0;

        start = clock_cpu_thread();
        for (int i = 0; i < ASKED; i++)
            (void)robots_allows_counted(r, paths[k], &steps);
        printf("robots %-16s %3zu bytes of path: %8llu steps %8.2f us; read in %.1f ms, %zu KB\n",
               name, paths[k].len, (unsigned long long)(steps / ASKED),
               (double)(clock_cpu_thread() - start) / ASKED, (double)parsed / 1000,
               robots_bytes(r) / 1000);
    }
    robots_free(r);
    buf_free(&text);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint64_t (*run)(struct page_parser *);
    } contenders[] = {{"charset check", run_charset},
                      {"tokenizer alone", run_tokens},
                      {"page_parse", run_page},
                      {"libxml2 SAX", run_libxml2},
                      {"no main text", run_whole}};
    struct page_parser *p;
    double us[ARRAY_LEN(contenders)];

    if (argc < 2) {
        fprintf(stderr, "usage: bench_parse DIR [ROUNDS [ONLY]]\n");
        return 2;
    }
    nftw(argv[1], corpus_add, 32, FTW_PHYS);
    if (corpus.count == 0) {
        fprintf(stderr, "bench_parse: no HTML files under %s\n", argv[1]);
        return 1;
    }
    p = page_parser_new();
    printf("%zu pages of %.1f KB\n", corpus.count,
           (double)corpus.bytes / (double)corpus.count / 1000);
    for (size_t i = 0; i < ARRAY_LEN(contenders); i++) {
        uint64_t sum = 0;

        if (argc > 3 && strcmp(argv[3], contenders[i].name) != 0)
            continue;
        us[i] = best_us(contenders[i].run, p, argc > 2 ? atoi(argv[2]) : 3, &sum);
        printf("%-16s %8.1f us a page  (%llu)\n", contenders[i].name, us[i],
               (unsigned long long)sum);
    }
    if (argc > 3)
        return 0;
    printf("main text costs %.1f us a page, to choose among blocks\n", us[2] - us[4]);
    printf("page_parse is %.2f times as fast as libxml2 SAX\n", us[3] / us[2]);
    bench_robots("20 literals", "Disallow: /folder/", 20);
    bench_robots("20,000 literals", "Disallow: /folder/", 20000);
    bench_robots("10 with stars", "Disallow: /*page=", 10);
    bench_robots("46,000 equal", "Allow:/*qz #", 46000);
    bench_robots("46,000 stars", "Allow:/*a*", 46000);
    page_parser_free(p);
    for (size_t i = 0; i < corpus.count; i++)
        buf_free(&corpus.files[i]);
    return 0;
}
