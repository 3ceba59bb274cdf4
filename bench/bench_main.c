/* bench_main.c - near duplicates and changes by all text of pages, and by their main text.
 *
 *     bench_main near DIR...      HTML files below folders, each folder a site
 *     bench_main change WORLD     an imported history (docs/worlds.md)
 *
 * near: two pages are taken for near duplicates where their simhashes differ in at most 3 bits. They
 * really are if nine of ten shingles of their main texts are common. A row for each site. change:
 * how many modifications are changes, and on how many the two ways disagree.
 * SPDX-License-Identifier: MIT
 */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "parse/page/page.h"
#include "sim/web/web.h"
#include "text/profile.h"
#include "text/shingle.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES_MAX 4000
#define NEAR_BITS 3
#define LEAST     50 /* words: shorter pages are not compared (frontier/dups.h) */

struct seen {
    uint64_t by[2]; /* simhashes: of all text, of the main text */
    struct shingles *main;
};

/* nftw() has no argument of ours to pass on. */
static struct seen seen[FILES_MAX];
static size_t nseen;

static uint64_t hash_by(const struct page *page, unsigned main)
{
    struct profiler *p = profiler_new(NULL);
    struct profile profile;
    struct arena arena;
    uint64_t ret;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    profiler_read_main(p, main);
    (void)profile_page(p, page, STR("http://a.example/"), NULL, &arena, &profile);
    ret = profile.simhash;
    arena_free(&arena);
    profiler_free(p);
    return ret;
}

static void take(const struct page *page)
{
    struct buf text = BUF_INIT(LIMIT_DECODED);

    for (uint32_t i = 0; i < page->nmain; i++) {
        buf_add(&text, page->text.ptr + page->main[i].off, page->main[i].len);
        buf_add_char(&text, '\n');
    }
    seen[nseen++] = (struct seen){{hash_by(page, 0), hash_by(page, PROFILE_MAIN_SIMHASH)},
                                  shingles_of(buf_str(&text))};
    buf_free(&text);
}

static int on_file(const char *path, const struct stat *st, int type, struct FTW *unused)
{
    struct page_parser *parser;
    struct buf bytes = BUF_INIT(MIB(16));
    const struct page *page;
    struct arena arena;

    (void)st, (void)unused;
    if (type != FTW_F || nseen == FILES_MAX || !str_ends_i(str_of(path), STR(".html")) ||
        file_read(path, &bytes) != ST_OK)
        return 0;
    parser = page_parser_new();
    arena_init(&arena, LIMIT_PAGE_ARENA);
    struct page_input in = {.payload = buf_str(&bytes),
                            .url = STR("http://a.example/x"),
                            .content_type = STR("text/html")};
    if (page_parse(parser, &in, &arena, &page) == DROP_NONE && page->nwords >= LEAST)
        take(page);
    arena_free(&arena);
    page_parser_free(parser);
    buf_free(&bytes);
    return 0;
}

static bool is_same(const struct shingles *a, const struct shingles *b)
{
    struct shingle_difference d = shingles_compare(a, b);
    uint32_t other = d.fresh + d.fresh_weak + d.gone + d.gone_weak;
    uint32_t common = (a->count + b->count - other) / 2;

    return common > 0 && common * 10 >= (common + other) * 9;
}

static void bench_near(const char *dir)
{
    size_t near[2] = {0}, right[2] = {0}, same = 0;

    nseen = 0;
    (void)nftw(dir, on_file, 32, FTW_PHYS);
    for (size_t i = 0; i < nseen; i++)
        for (size_t k = 0; k < i; k++) {
            bool truth = is_same(seen[i].main, seen[k].main);

            same += truth;
            for (int by = 0; by < 2; by++)
                if (__builtin_popcountll(seen[i].by[by] ^ seen[k].by[by]) <= NEAR_BITS) {
                    near[by]++;
                    right[by] += truth;
                }
        }
    printf("| %s | %zu | %zu | %zu | %zu | %zu | %zu |\n", dir, nseen, same, near[0], right[0],
           near[1], right[1]);
    for (size_t i = 0; i < nseen; i++)
        free(seen[i].main);
}

static int bench_change(const char *dir)
{
    struct web *w[2];
    uint32_t changes[2] = {0}, only[2] = {0}, stamps[2] = {0}, all = 0;
    struct web_counts counts;

    for (int by = 0; by < 2; by++)
        if (web_load(dir, &(struct web_config){.main = by ? PROFILE_MAIN_CHANGE : 0}, &w[by]) !=
            ST_OK) {
            fprintf(stderr, "bench_main: %s\n", status_text());
            return 1;
        }
    counts = web_counts(w[0]);
    for (uint32_t u = 1; u <= counts.pages; u++) {
        uint32_t first, n = web_history(w[0], u, &first);

        for (uint32_t v = first + 1; v < first + n; v++, all++) {
            bool is[2] = {web_text_changed(w[0], v - 1, v), web_text_changed(w[1], v - 1, v)};

            for (int by = 0; by < 2; by++) {
                changes[by] += is[by];
                only[by] += is[by] && !is[!by];
                stamps[by] += is[by] && !web_version_is_change(w[0], v);
            }
        }
    }
    for (int by = 0; by < 2; by++) {
        printf(
            "by %s: %u of %u modifications are changes, %u of them only so; %u of stamps alone\n",
            by ? "main text" : "all text", changes[by], all, only[by], stamps[by]);
        web_free(w[by]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    bool near = argc > 2 && strcmp(argv[1], "near") == 0;

    if (argc == 3 && strcmp(argv[1], "change") == 0)
        return bench_change(argv[2]);
    if (!near) {
        fprintf(stderr, "usage: bench_main near DIR..., or: bench_main change WORLD\n");
        return 2;
    }
    printf(
        "| site | pages | pairs that are the same | by all text | right | by main text | right |\n"
        "|---|---|---|---|---|---|---|\n");
    for (int i = 2; i < argc; i++)
        bench_near(argv[i]);
    return 0;
}
