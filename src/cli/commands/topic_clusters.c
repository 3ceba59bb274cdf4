/* topic_clusters.c - brood topic clusters: groups a crawl's pages into clusters, and shows a file
 * of clusters. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "parse/page/page.h"
#include "store/read/query.h"
#include "models/foragers/foragers.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TELLING 10 /* words shown of a cluster */

struct clusters_options {
    uint32_t k, words, pages;
    int64_t rng;
    char *out, *background;
    int scaling;
    bool json, quiet;
};

#define AT(field) .offset = offsetof(struct clusters_options, field)

static const struct option clusters_option_table[] = {
    {U32_OPTION("clusters", k, "N", "50", 1, LIMIT_CLUSTERS), .letter = 'k',
     .help = "how many clusters"},
    {TEXT_OPTION("out", out, "FILE"), .letter = 'o',
     .help = "write them to a file; an old one is replaced"},
    {TEXT_OPTION("background", background, "DIR"),
     .help = "a crawl or world of general pages, for the background class"},
    {U32_OPTION("words", words, "N", "20000", 1, LIMIT_CLUSTER_WORDS),
     .help = "words that tell pages apart, at most"},
    {U32_OPTION("pages", pages, "N", "20000", 1, 1000000),
     .help = "of more pages a random sample of N is taken"},
    {CHOICE_OPTION("scaling", scaling, VEC_SCALINGS, "tfidf"), .metavar = "HOW",
     .help = "a page's vector, of length 1: tf-idf, or its counts as they are"},
    {INT_OPTION("rng", rng, "N", "1", 0, 9007199254740992.0),
     .help = "the seed of the sample; nothing else is random"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {FLAG_OPTION("quiet", quiet), .help = "no progress"},
    {.name = NULL},
};

/* ---- pages of a crawl ---- */

struct clusters_reader {
    const struct clusters_options *options;
    struct progress *progress;
    struct profiler *profiler;
    struct page_parser *parser;
    struct vocab *vocab; /* texts of stems */
    struct query *query;
};

/* Pages read: each vec owns its terms. */
struct page_shelf {
    uint32_t *ids; /* of the pages to be read */
    size_t count, cap;
    struct vec *docs;
    size_t ndocs;
};

static void shelf_free(struct page_shelf *s)
{
    for (size_t i = 0; i < s->ndocs; i++)
        free((void *)s->docs[i].terms);
    free(s->docs);
    free(s->ids);
}

/* The first version of every URL, repetitions left out. */
static enum status note_page(void *ctx, const struct query_page *page)
{
    struct page_shelf *s = ctx;

    if (interrupted())
        return status_fail(ST_STOPPED, "stopped");
    if (page->version_of != 0 || (page->dup_of != 0 && page->exact_dup))
        return ST_OK;
    MEM_GROW(s->ids, s->count, &s->cap);
    s->ids[s->count++] = page->id;
    return ST_OK;
}

/* Takes each page with the probability that fills the sample, and keeps the order. */
static void take_sample(struct page_shelf *s, size_t max, uint64_t seed)
{
    size_t taken = 0, all = s->count;
    struct rng rng;

    if (all <= max)
        return;
    rng_init(&rng, seed);
    for (size_t i = 0; i < all; i++)
        if (rng_below(&rng, all - i) < max - taken)
            s->ids[taken++] = s->ids[i];
    s->count = taken;
}

struct shelf_reading {
    struct clusters_reader *reader;
    struct page_shelf *shelf;
};

/* Parses the text as plain text, with the title and the language of the page. */
static void read_text(struct shelf_reading *r, const struct query_page *row, struct str text)
{
    struct page_input in = {.payload = text,
                            .url = STR("http://localhost/"),
                            .content_type = STR("text/plain; charset=utf-8")};
    const struct page *parsed;
    struct profile profile;
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);

    if (page_parse(r->reader->parser, &in, &arena, &parsed) == DROP_NONE) {
        struct page page = *parsed;

        page.title = row->title;
        page.lang = row->lang;
        (void)profile_page(r->reader->profiler, &page, in.url, NULL, &arena, &profile);
        if (profile.nterms > 0) {
            size_t bytes = profile.nterms * sizeof *profile.terms;
            struct term *terms = mem_alloc(bytes);

            memcpy(terms, profile.terms, bytes);
            r->shelf->docs[r->shelf->ndocs++] = (struct vec){terms, profile.nterms};
            profile_learn(r->reader->profiler, &page, r->reader->vocab);
        }
    }
}

static enum status read_page(void *ctx, const struct query_page *row)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);
    struct shelf_reading *r = ctx;

    if (query_text(r->reader->query, row->id, &text) == ST_OK)
        read_text(r, row, buf_str(&text));
    return ST_OK;
}

static enum status read_sample(struct clusters_reader *r, struct page_shelf *s)
{
    struct shelf_reading reading = {.reader = r, .shelf = s};

    s->docs = mem_zero(s->count + 1, sizeof *s->docs);
    for (size_t i = 0; i < s->count; i++) {
        progress_count(r->progress, "reading", i, s->count);
        TRY(interrupted() ? status_fail(ST_STOPPED, "stopped while reading; nothing was written")
                          : query_page(r->query, s->ids[i], read_page, &reading));
    }
    return ST_OK;
}

static enum status read_crawl(struct clusters_reader *r, const char *dir, struct page_shelf *ret)
{
    enum status st = query_open(dir, &r->query);

    if (st != ST_OK)
        return st;
    st = query_pages(r->query, note_page, ret);
    take_sample(ret, r->options->pages, (uint64_t)r->options->rng);
    if (st == ST_OK)
        st = read_sample(r, ret);
    query_close(r->query);
    if (st == ST_OK && ret->ndocs == 0)
        return status_fail(ST_INVALID, "%s: no page with text in it", dir);
    return st;
}

/* ---- what is in them ---- */

static struct str stem_of(const struct clusters *c, uint32_t row)
{
    return c->stems && c->stems[row] ? str_of(c->stems[row]) : STR("?");
}

static void show_json(const struct clusters *c, const char *file, struct buf *out)
{
    uint32_t rows[TELLING];
    struct json j;

    json_begin(&j, out);
    json_put_z(&j, "file", file);
    json_put_int(&j, "pages", c->documents);
    json_put_int(&j, "background_pages", c->background);
    json_put_int(&j, "words", c->judge->words);
    json_open_array(&j, "clusters");
    for (uint32_t i = 0; i < c->k; i++) {
        size_t n = clusters_telling(c, i, rows, TELLING);

        json_open_object(&j, NULL);
        json_put_int(&j, "pages", c->sizes[i]);
        json_put_num(&j, "mean", (double)c->mean[i]);
        json_put_num(&j, "deviation", (double)c->std[i]);
        json_open_array(&j, "words");
        for (size_t w = 0; w < n; w++)
            json_put_str(&j, NULL, stem_of(c, rows[w]));
        json_close(&j);
        json_close(&j);
    }
    json_end(&j);
}

static void show_plain(const struct clusters *c, uint32_t wanted, struct buf *out)
{
    uint32_t rows[TELLING];

    report_count(out, c->k, "cluster");
    if (c->k < wanted)
        buf_addf(out, " (%u were asked for, but the pages are too much alike)", wanted);
    buf_add_z(out, " of ");
    report_count(out, c->documents, "page");
    buf_add_z(out, ", told apart by ");
    report_count(out, c->judge->words, "word");
    buf_add_z(out, "; background: ");
    if (c->background)
        report_count(out, c->background, "page");
    else
        buf_add_z(out, "the pages themselves, pooled");
    buf_add_z(out, "\n\n  pages  most telling words (stems)\n");
    for (uint32_t i = 0; i < c->k; i++) {
        size_t n = clusters_telling(c, i, rows, TELLING);

        buf_addf(out, "%7u ", c->sizes[i]);
        for (size_t w = 0; w < n; w++) {
            buf_add_char(out, ' ');
            report_text(out, stem_of(c, rows[w]), 30);
        }
        buf_add_char(out, '\n');
    }
}

/* `wanted`: clusters asked for; 0: no number was given. */
static int show(const struct clusters *c, const struct clusters_options *o, const char *file,
                uint32_t wanted)
{
    struct buf out = BUF_INIT(MIB(16));

    if (o->json)
        show_json(c, file, &out);
    else
        show_plain(c, wanted, &out);
    return report_out(&out);
}

/* ---- the command ---- */

static bool on_cut(void *ctx, uint32_t clusters, uint32_t wanted)
{
    progress_count(ctx, "clustering", clusters, wanted);
    return !interrupted();
}

static enum status make(struct clusters_reader *r, const char *dir, struct clusters **ret)
{
    const struct clusters_options *o = r->options;
    struct page_shelf pages = {NULL}, general = {NULL};
    struct clusters_config config = {.k = o->k,
                                     .words = o->words,
                                     .scaling = (enum vec_scaling)o->scaling,
                                     .stems = r->vocab,
                                     .go_on = on_cut,
                                     .ctx = r->progress};
    enum status st = read_crawl(r, dir, &pages);

    if (st == ST_OK && o->background)
        st = read_crawl(r, o->background, &general);
    config.background = general.docs;
    config.nbackground = general.ndocs;
    if (st == ST_OK) {
        st = clusters_make(pages.docs, pages.ndocs, &config, NULL, ret);
        if (st == ST_INVALID)
            st = status_prefix(st, "%s", dir);
    }
    if (st == ST_OK && o->out)
        st = clusters_write(*ret, o->out);
    shelf_free(&pages);
    shelf_free(&general);
    return st;
}

static int make_command(const struct clusters_options *o, const char *dir)
{
    struct progress progress;
    struct clusters_reader r = {.options = o,
                                .progress = &progress,
                                .profiler = profiler_new(NULL),
                                .parser = page_parser_new(),
                                .vocab = vocab_new()};
    struct clusters *c = NULL;
    enum status st;
    int code;

    vocab_keep_text(r.vocab);
    progress_init(&progress, o->quiet || !isatty(STDERR_FILENO));
    interrupt_catch();
    st = make(&r, dir, &c);
    progress_clear(&progress);
    code = st == ST_OK ? show(c, o, o->out, o->k) : report_failure(st);
    clusters_free(c);
    profiler_free(r.profiler);
    page_parser_free(r.parser);
    vocab_free(r.vocab);
    return code;
}

static int show_command(const struct clusters_options *o, const char *file)
{
    struct clusters *c = NULL;
    enum status st = o->out || o->background
                         ? status_fail(ST_USAGE,
                                       "%s is a file: it can be shown, not clustered; give a crawl "
                                       "or world",
                                       file)
                         : clusters_read(file, &c);
    int code = st == ST_OK ? show(c, o, file, 0) : report_failure(st);

    clusters_free(c);
    return code;
}

static int topic_clusters_command(struct invocation *in)
{
    const char *what = in->args.items[0];
    struct stat st;

    if (stat(what, &st) == 0 && !S_ISDIR(st.st_mode))
        return show_command(in->options, what);
    return make_command(in->options, what);
}

const struct command command_topic_clusters = {
    .name = "topic clusters",
    TAKES("DIR|FILE", 1, 1),
    .summary = "group the pages of a crawl or world by what they are about, with telling words",
    .details = "Of a crawl or world: clusters its pages by what they say (PDDP), trains a "
               "classifier that tells the clusters apart word by word (PrTFIDF), writes it with "
               "-o FILE and shows each cluster's size and words. The model 'foragers' sees pages "
               "through such a file. Of a file made before: shows what is in it. "
               "One more class, the background, stands for general text, and is left out of the "
               "answer. Give --background DIR for it, a crawl of pages about anything; without "
               "it the pages themselves are pooled, and the background tells nothing.",
    .example = "brood topic clusters world -k 50 -o subjects.clusters\n"
               "brood topic clusters subjects.clusters",
    OPTIONS(clusters_option_table, struct clusters_options),
    .run = topic_clusters_command,
};
