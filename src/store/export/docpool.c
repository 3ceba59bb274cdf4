/* docpool.c - a crawl as a pool of documents: texts, and how often each stem occurs in each of
 * them.
 *
 * Two passes over the stored texts: the first counts documents and writes texts, index
 * and counts; then all document frequencies are known, and the second writes weights.
 * Files are named by the numbers of pages: no text from the web becomes a file name.
 * SPDX-License-Identifier: MIT */
#include "store/export/export.h"

#include "base/mem.h"
#include "base/order.h"
#include "store/export/export_int.h"
#include "store/read/stored_text.h"
#include "text/vocab.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FOLDER 1000 /* texts of one folder */

enum docpool_table { TABLE_INDEX, TABLE_TF, TABLE_IDF, TABLE_TFIDF, TABLES };

static const struct {
    const char *name, *columns;
} tables[TABLES] = {
    [TABLE_INDEX] = {"index.tsv", "number\tfile\tstems\twords\trelevance\turl\ttitle\n"},
    [TABLE_TF] = {"tf.tsv", "number\tstem\ttf\n"},
    [TABLE_IDF] = {"idf.tsv", "stem\tdf\tidf\n"},
    [TABLE_TFIDF] = {"tfidf.tsv", "number\tstem\tweight\n"},
};

struct counted {
    struct str stem;
    uint32_t id, count;
};

struct docpool {
    const char *dir;
    const struct export_to *watch;
    FILE *tables[TABLES];
    struct vocab *vocab;
    struct df_table *df; /* in the second pass */
    struct buf path, line;
    struct counted *stems; /* of one page */
    size_t stems_cap;
    uint64_t done, total; /* pages, both passes together */
};

static enum status cannot(const struct docpool *d)
{
    return status_fail(ST_IO, "%s cannot be written: %s", d->path.data, strerror(errno));
}

static void path_is(struct docpool *d, const char *name)
{
    buf_clear(&d->path);
    buf_addf(&d->path, "%s/%s", d->dir, name);
}

static enum status folder_make(struct docpool *d, const char *name)
{
    path_is(d, name);
    return mkdir(d->path.data, 0777) == 0 || errno == EEXIST ? ST_OK : cannot(d);
}

static enum status put(struct docpool *d, FILE *file)
{
    if (d->line.full)
        return status_fail(ST_LIMIT, "a line is longer than %zu bytes", d->line.max);
    return fwrite(d->line.data, 1, d->line.len, file) == d->line.len ? ST_OK : cannot(d);
}

/* ---- one page ------------------------------------------------------------ */

/* A field of a table: no tabs, no line breaks. */
static void put_field(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
}

ORDER(by_stem, struct counted, str_cmp(x->stem, y->stem))

/* Stems of a page into d->stems, in the order of their bytes. */
static size_t count_stems(struct docpool *d, const struct profile *p)
{
    for (size_t i = 0; i < p->nterms; i++) {
        MEM_GROW(d->stems, i, &d->stems_cap);
        d->stems[i] = (struct counted){.stem = vocab_text(d->vocab, p->terms[i].id),
                                       .id = p->terms[i].id,
                                       .count = p->terms[i].count};
    }
    if (p->nterms > 1)
        qsort(d->stems, p->nterms, sizeof *d->stems, by_stem);
    return p->nterms;
}

static enum status write_text(struct docpool *d, const struct stored_text *t)
{
    enum status st;
    char name[64];
    FILE *file;

    (void)snprintf(name, sizeof name, "texts/%05u", t->row->id / FOLDER);
    TRY(folder_make(d, name));
    buf_addf(&d->path, "/%08u.txt", t->row->id);
    file = fopen(d->path.data, "wxe");
    if (file == NULL)
        return cannot(d);
    buf_clear(&d->line);
    put_field(&d->line, t->row->title);
    buf_add_z(&d->line, "\n\n");
    buf_add_str(&d->line, t->text);
    buf_add_char(&d->line, '\n');
    st = put(d, file);
    if (fclose(file) != 0 && st == ST_OK)
        st = cannot(d);
    return st;
}

static enum status write_index(struct docpool *d, const struct stored_text *t)
{
    path_is(d, tables[TABLE_INDEX].name);
    buf_clear(&d->line);
    buf_addf(&d->line, "%u\ttexts/%05u/%08u.txt\t%u\t%u\t%.6g\t", t->row->id, t->row->id / FOLDER,
             t->row->id, t->profile->nterms, t->profile->length, t->row->relevance);
    put_field(&d->line, t->row->url);
    buf_add_char(&d->line, '\t');
    put_field(&d->line, t->row->title);
    buf_add_char(&d->line, '\n');
    return put(d, d->tables[TABLE_INDEX]);
}

/* Writes counts or, when the frequencies are known, weights. */
static enum status write_stems(struct docpool *d, const struct stored_text *t)
{
    enum docpool_table table = d->df ? TABLE_TFIDF : TABLE_TF;
    size_t n = count_stems(d, t->profile);

    path_is(d, tables[table].name);
    buf_clear(&d->line);
    for (size_t i = 0; i < n; i++) {
        const struct counted *c = &d->stems[i];

        buf_addf(&d->line, "%u\t%.*s\t", t->row->id, STR_ARG(c->stem));
        if (d->df)
            buf_addf(&d->line, "%.6g\n",
                     (1 + log((double)c->count)) * (double)df_idf(d->df, c->id));
        else
            buf_addf(&d->line, "%u\n", c->count);
    }
    return n ? put(d, d->tables[table]) : ST_OK;
}

static enum status on_text(void *ctx, const struct stored_text *t)
{
    struct docpool *d = ctx;

    if (d->watch->progress)
        d->watch->progress(d->watch->ctx, d->done++, d->total);
    if (d->df == NULL)
        TRY(write_text(d, t));
    if (d->df == NULL)
        TRY(write_index(d, t));
    return write_stems(d, t);
}

/* ---- all of them --------------------------------------------------------- */

/* vocab_write() has the stems in order, with their documents. */
static enum status write_idf(struct docpool *d)
{
    LOCAL_BUF all = BUF_INIT(LIMIT_IDF_FILE);
    double documents = vocab_documents(d->vocab);
    struct str rest, line;
    enum status st = ST_OK;

    vocab_write(d->vocab, &all);
    if (all.full)
        st = status_fail(ST_LIMIT, "the crawl has too many different words");
    rest = buf_str(&all);
    (void)str_cut(&rest, '\n', &line); /* its head */
    path_is(d, tables[TABLE_IDF].name);
    while (st == ST_OK && str_cut(&rest, '\n', &line)) {
        struct str df = line, stem;
        uint64_t n;

        if (!str_cut(&df, '\t', &stem) || !str_to_u64(df, &n) || n == 0)
            continue;
        buf_clear(&d->line);
        buf_addf(&d->line, "%.*s\t%llu\t%.6g\n", STR_ARG(stem), (unsigned long long)n,
                 log(1 + documents / (double)n));
        st = put(d, d->tables[TABLE_IDF]);
    }
    return st;
}

static enum status begin(struct docpool *d)
{
    buf_addf(&d->path, "%s", d->dir);
    if (mkdir(d->dir, 0777) != 0)
        return cannot(d);
    TRY(folder_make(d, "texts"));
    for (int i = 0; i < TABLES; i++) {
        path_is(d, tables[i].name);
        d->tables[i] = fopen(d->path.data, "wxe");
        if (d->tables[i] == NULL || fputs(tables[i].columns, d->tables[i]) < 0)
            TRY(cannot(d));
    }
    return ST_OK;
}

static enum status end(struct docpool *d, enum status st)
{
    for (int i = 0; i < TABLES; i++) {
        path_is(d, tables[i].name);
        if (d->tables[i] && fclose(d->tables[i]) != 0 && st == ST_OK)
            st = cannot(d);
    }
    df_release(d->df);
    vocab_free(d->vocab);
    buf_free(&d->path);
    buf_free(&d->line);
    free(d->stems);
    return st;
}

static enum status write_all(struct docpool *d, struct query *q)
{
    struct stored_texts which = {.into = d->vocab, .stop = d->watch->stop};
    enum status st = stored_texts_count(q, &d->total);

    d->total *= 2;
    if (st == ST_OK)
        st = stored_texts_each(q, &which, on_text, d);
    if (st == ST_OK)
        st = write_idf(d);
    if (st != ST_OK)
        return st;
    d->df = vocab_publish(d->vocab);
    which.into = NULL;
    return stored_texts_each(q, &which, on_text, d);
}

enum status export_docpool(struct query *q, const struct export_to *to)
{
    struct docpool d = {.dir = to->dir,
                        .watch = to,
                        .path = BUF_INIT(KIB(64)),
                        .line = BUF_INIT(LIMIT_DECODED * 2),
                        .vocab = vocab_new()};
    enum status st;

    vocab_keep_text(d.vocab);
    st = begin(&d);
    if (st == ST_OK)
        st = write_all(&d, q);
    return end(&d, st);
}
