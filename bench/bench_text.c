/* bench_text.c - microseconds a page of the parts of text/.
 *
 *     bench_text DIR|FILE...      text or HTML files (tags are stripped crudely)
 *
 * Everything is read first; each line is the best of five rounds over all pages.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "models/foragers/foragers.h"
#include "text/profile.h"
#include "text/shingle.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS    5
#define PAGES_MAX 20000

/* nftw() has no argument for its callback. */
static struct page *pages;
static size_t npages, nwords, nbytes;

static struct str strip(struct str html)
{
    char *out = mem_alloc(html.len + 1);
    size_t used = 0;
    bool in_tag = false;

    for (size_t i = 0; i < html.len; i++) {
        if (html.ptr[i] == '<')
            in_tag = true;
        if (!in_tag)
            out[used++] = html.ptr[i];
        else if (html.ptr[i] == '>') {
            in_tag = false;
            out[used++] = '\n';
        }
    }
    return (struct str){out, used};
}

static size_t split(struct str text, struct word *words)
{
    size_t n = 0, at = 0, off, len;

    while (token_next(text, &at, &off, &len))
        words[n++] = (struct word){.off = (uint32_t)off, .len = (uint16_t)len};
    return n;
}

static int add_file(const char *path, const struct stat *st, int kind, struct FTW *ftw UNUSED)
{
    struct buf file = BUF_INIT(LIMIT_BODY);
    struct page *page = &pages[npages];

    if (kind != FTW_F || st->st_size == 0 || npages == PAGES_MAX || file_read(path, &file) != ST_OK)
        return 0;
    page->text = strip(buf_str(&file));
    page->words = mem_alloc((page->text.len + 1) * sizeof *page->words);
    page->nwords = (uint32_t)split(page->text, page->words);
    page->words = mem_resize(page->words, page->nwords + 1, sizeof *page->words);
    nwords += page->nwords;
    nbytes += page->text.len;
    npages++;
    buf_free(&file);
    return 0;
}

struct bench {
    struct profiler *profiler;
    struct stemmer *stemmer;
    struct df_table *df;
    struct arena arena;
    struct word *words;
    uint32_t *ids, *kept, *scratch;
    double sum; /* so that nothing is optimised away */
};

static void do_tokenise(struct bench *b, const struct page *page)
{
    b->sum += (double)split(page->text, b->words);
}

static void do_stem(struct bench *b, const struct page *page)
{
    b->sum += (double)stem_words(b->stemmer, stem_lang(STR("en")), page->text, page->words,
                                 page->nwords, b->ids, b->kept, NULL, 0);
}

static void do_stem_uncached(struct bench *b, const struct page *page)
{
    for (uint32_t i = 0; i < page->nwords; i++) {
        struct str word = {page->text.ptr + page->words[i].off, page->words[i].len};
        bool stop;

        b->ids[i] = term_id(stem_word(b->stemmer, stem_lang(STR("en")), word, &stop));
        b->sum += stop;
    }
}

static void do_simhash(struct bench *b, const struct page *page)
{
    b->sum += (double)(simhash_of(b->ids, page->nwords) & 1);
}

static void do_profile(struct bench *b, const struct page *page)
{
    struct profile profile;

    arena_reset(&b->arena);
    profile_page(b->profiler, page, STR("http://example.org/"), b->df, &b->arena, &profile);
    b->sum += profile.relevance;
}

static void do_spans(struct bench *b, const struct page *page)
{
    struct profile profile;

    arena_reset(&b->arena);
    profile_page(b->profiler, page, STR("http://example.org/"), b->df, &b->arena, &profile);
    for (uint32_t i = 0; i + 40 <= page->nwords && i < 50 * 40; i += 40)
        b->sum += profile_span(b->profiler, &profile, (struct span){i, i + 40}, b->df);
}

static void run(struct bench *b, const char *name,
                void (*step)(struct bench *, const struct page *))
{
    int64_t best = INT64_MAX;

    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = clock_cpu_thread(), took;

        for (size_t i = 0; i < npages; i++)
            step(b, &pages[i]);
        took = clock_cpu_thread() - start;
        if (took < best)
            best = took;
    }
    printf("%-44s %8.1f us a page\n", name, (double)best / (double)npages);
}

/* Profiles of all pages, kept; clusters made of them; what a state costs. */
static void run_clusters(struct bench *b, uint32_t k, uint32_t words)
{
    struct vec *docs = mem_zero(npages, sizeof *docs);
    struct arena kept;
    struct profile profile;
    struct clusters *c;
    float state[LIMIT_CLUSTERS];
    int64_t start, made, asked;

    arena_init(&kept, (size_t)4 << 30);
    for (size_t i = 0; i < npages; i++) {
        (void)profile_page(b->profiler, &pages[i], STR(""), b->df, &kept, &profile);
        docs[i] = (struct vec){profile.terms, profile.nterms};
    }
    start = clock_cpu_thread();
    if (clusters_make(docs, npages, &(struct clusters_config){.k = k, .words = words}, NULL, &c) ==
        ST_OK) {
        made = clock_cpu_thread();
        for (size_t i = 0; i < npages; i++) {
            clusters_state(c, docs[i].terms, docs[i].n, CLUSTERS_STANDARD, state);
            b->sum += state[0];
        }
        asked = clock_cpu_thread();
        printf("%u clusters by %u words: %.2f s; a state %26.1f us a page\n", c->k, c->judge->words,
               (double)(made - start) / 1e6, (double)(asked - made) / (double)npages);
        clusters_free(c);
    }
    arena_free(&kept);
    free(docs);
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    struct topic *topic;
    struct vocab *vocab = vocab_new();
    size_t most = 1;

    pages = mem_zero(PAGES_MAX, sizeof *pages);
    for (int i = 1; i < argc; i++)
        nftw(argv[i], add_file, 16, FTW_PHYS);
    if (npages == 0 || topic_from_words(STR("solar energy \"heat pump\" photovoltaic -astrology"),
                                        STR("en"), &topic) != ST_OK) {
        fprintf(stderr, "usage: bench_text DIR|FILE...   with text or HTML files\n");
        return 2;
    }
    printf("%zu pages, %zu words and %zu bytes of text a page\n", npages, nwords / npages,
           nbytes / npages);
    for (size_t i = 0; i < npages; i++)
        most = pages[i].nwords > most ? pages[i].nwords : most;
    b.words = mem_zero(most, sizeof *b.words);
    b.ids = mem_zero(most, sizeof *b.ids);
    b.kept = mem_zero(most, sizeof *b.kept);
    b.stemmer = stemmer_new(0);
    b.profiler = profiler_new(topic);
    arena_init(&b.arena, LIMIT_PAGE_ARENA);
    for (size_t i = 0; i < npages; i++)
        profile_learn(b.profiler, &pages[i], vocab);
    b.df = vocab_publish(vocab);
    printf("%u distinct terms\n", vocab_terms(vocab));

    run(&b, "tokenise", do_tokenise);
    run(&b, "stem, no cache", do_stem_uncached);
    run(&b, "stem, warm cache", do_stem);
    run(&b, "simhash", do_simhash);
    run(&b, "profile (stem, count, cosine, simhash)", do_profile);
    run(&b, "50 link contexts of 40 words", do_spans);
    run_clusters(&b, CLUSTERS_K, 2000);
    run_clusters(&b, CLUSTERS_K, CLUSTERS_WORDS);
    fprintf(stderr, "check %g\n", b.sum);
    return 0;
}
