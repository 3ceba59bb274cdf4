/* parquet.c - pages with their main text as an Apache Parquet file.
 *
 *   "PAR1"  row group …  footer  its length  "PAR1"
 *
 * A row group holds some thousand pages, with one gzip'ed page of PLAIN values for each column;
 * optional values have definition levels as runs (RLE). The footer, in Thrift's compact protocol,
 * says where the columns of each group are. It never seeks, so the file may be a pipe, and memory
 * holds one group. Source: the specification of parquet-format 2.10.
 * SPDX-License-Identifier: MIT */
#include "store/export/export_int.h"
#include "store/export/thrift.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "store/read/as_json.h"

#include <libdeflate.h>
#include <math.h>

#define GROUP_ROWS  10000   /* of one row group … */
#define GROUP_BYTES MIB(32) /* … and about so many bytes */
#define MAGIC       "PAR1"

enum type { TYPE_INT32 = 1, TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTES = 6 };
enum { UTF8 = 0, TIMESTAMP_MICROS = 10, PLAIN_TYPE = -1 }; /* converted types */
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, CODEC_GZIP = 2 };

/* A cell. Only optional columns may lack values. */
struct cell {
    bool missing;
    int64_t number;
    double real;
    struct str text;
};

/* What a page has besides its row. */
struct page_extra {
    struct str text, topics;
};

struct parquet_column {
    const char *name;
    enum type type;
    int converted;
    bool optional;
    struct cell (*get)(const struct query_page *p, const struct page_extra *r);
};

#define CELL(fn, ...)                                                                   \
    static struct cell get_##fn(const struct query_page *p, const struct page_extra *r) \
    {                                                                                   \
        (void)r, (void)p;                                                               \
        return (struct cell){__VA_ARGS__};                                              \
    }
CELL(id, .number = p->id)
CELL(url, .text = p->url)
CELL(host, .text = p->host)
CELL(title, .text = p->title)
CELL(mime, .text = p->mime)
CELL(lang, .missing = p->lang.len == 0, .text = p->lang)
CELL(status, .number = p->status)
CELL(fetched, .number = p->fetched_at)
CELL(date, .missing = p->date == 0, .number = p->date)
CELL(relevance, .real = p->relevance)
CELL(p, .missing = isnan(p->p), .real = p->p)
CELL(depth, .number = p->depth)
CELL(agent, .number = p->agent)
CELL(bytes, .number = (int64_t)p->bytes)
CELL(dup_of, .missing = p->dup_of == 0, .number = p->dup_of)
CELL(text, .text = r->text)
CELL(declared, .missing = p->declared.len == 0, .text = p->declared)
CELL(topics, .missing = r->topics.len == 0, .text = r->topics)
#undef CELL

static const struct parquet_column columns[] = {
    {"id", TYPE_INT64, PLAIN_TYPE, false, get_id},
    {"url", TYPE_BYTES, UTF8, false, get_url},
    {"host", TYPE_BYTES, UTF8, false, get_host},
    {"title", TYPE_BYTES, UTF8, false, get_title},
    {"mime", TYPE_BYTES, UTF8, false, get_mime},
    {"lang", TYPE_BYTES, UTF8, true, get_lang},
    {"status", TYPE_INT32, PLAIN_TYPE, false, get_status},
    {"fetched_at", TYPE_INT64, TIMESTAMP_MICROS, false, get_fetched},
    {"date", TYPE_INT64, TIMESTAMP_MICROS, true, get_date},
    {"relevance", TYPE_DOUBLE, PLAIN_TYPE, false, get_relevance},
    {"p", TYPE_DOUBLE, PLAIN_TYPE, true, get_p},
    {"depth", TYPE_INT32, PLAIN_TYPE, false, get_depth},
    {"agent", TYPE_INT64, PLAIN_TYPE, false, get_agent},
    {"bytes", TYPE_INT64, PLAIN_TYPE, false, get_bytes},
    {"dup_of", TYPE_INT64, PLAIN_TYPE, true, get_dup_of},
    {"text", TYPE_BYTES, UTF8, false, get_text},
    {"lang_declared", TYPE_BYTES, UTF8, true, get_declared},
    {"topics", TYPE_BYTES, UTF8, true, get_topics}, /* JSON */
};

#define COLUMNS ARRAY_LEN(columns)

/* The values of a column since the last group. */
struct chunk {
    struct buf values;
    struct buf levels; /* runs of definition levels */
    uint32_t run;      /* rows of the run that is not written yet … */
    bool is_there;     /* … and whether they have values */
};

struct parquet {
    struct export_lines lines;
    struct chunk chunks[COLUMNS];
    struct libdeflate_compressor *gzip;
    struct buf topics;             /* of the page under way */
    struct buf page, packed, head; /* used again for every chunk */
    struct buf groups;             /* RowGroup structs for the footer */
    uint32_t rows, ngroups;        /* rows of the group that is gathered … */
    size_t bytes;                  /* … and of its texts */
    uint64_t total, offset;        /* rows written; bytes written */
};

/* ---- cells ------------------------------------------------------------------ */

static void run_end(struct chunk *c)
{
    if (c->run == 0)
        return;
    thrift_varint(&c->levels, (uint64_t)c->run << 1);
    buf_add_char(&c->levels, c->is_there);
    c->run = 0;
}

/* Readers refuse a file with text that is not valid UTF-8, which a database from somebody else may
 * have. */
static void add_text(struct chunk *c, struct str text)
{
    LOCAL_BUF clean = BUF_INIT(3 * text.len);
    char bytes[4];

    if (utf8_is_valid(text)) {
        buf_put_str(&c->values, text);
        return;
    }
    for (size_t at = 0; at < text.len;)
        buf_add(&clean, bytes, utf8_put(utf8_next(text, &at), bytes));
    buf_put_str(&c->values, buf_str(&clean));
}

static void add_cell(struct chunk *c, const struct parquet_column *col, const struct cell *cell)
{
    if (c->run && c->is_there == cell->missing)
        run_end(c);
    c->is_there = !cell->missing;
    c->run++;
    if (cell->missing)
        return;
    switch (col->type) {
    case TYPE_INT32:
        buf_put_u32(&c->values, (uint32_t)cell->number);
        break;
    case TYPE_INT64:
        buf_put_u64(&c->values, (uint64_t)cell->number);
        break;
    case TYPE_DOUBLE:
        buf_put_f64(&c->values, cell->real);
        break;
    case TYPE_BYTES:
        add_text(c, cell->text);
        break;
    }
}

/* ---- groups ------------------------------------------------------------------ */

static enum status put(struct parquet *f, struct str bytes)
{
    f->offset += bytes.len;
    return export_put(f->lines.out, bytes);
}

static void page_header(struct parquet *f)
{
    struct thrift t = {.out = &f->head};

    buf_clear(&f->head);
    thrift_begin(&t);
    thrift_int(&t, 1, THRIFT_I32, 0); /* a data page */
    thrift_int(&t, 2, THRIFT_I32, (int64_t)f->page.len);
    thrift_int(&t, 3, THRIFT_I32, (int64_t)f->packed.len);
    thrift_open(&t, 5);
    thrift_int(&t, 1, THRIFT_I32, f->rows);
    thrift_int(&t, 2, THRIFT_I32, ENCODING_PLAIN);
    thrift_int(&t, 3, THRIFT_I32, ENCODING_RLE);
    thrift_int(&t, 4, THRIFT_I32, ENCODING_RLE);
    thrift_end(&t);
    thrift_end(&t);
}

/* A ColumnChunk of the footer, for what the buffers hold now. */
static void describe_chunk(struct parquet *f, struct thrift *t, const struct parquet_column *col)
{
    thrift_begin(t);
    thrift_int(t, 2, THRIFT_I64, (int64_t)f->offset);
    thrift_open(t, 3);
    thrift_int(t, 1, THRIFT_I32, col->type);
    thrift_list(t, 2, THRIFT_I32, 2);
    thrift_zigzag(t->out, ENCODING_PLAIN);
    thrift_zigzag(t->out, ENCODING_RLE);
    thrift_list(t, 3, THRIFT_BINARY, 1);
    thrift_text(t->out, str_of(col->name));
    thrift_int(t, 4, THRIFT_I32, CODEC_GZIP);
    thrift_int(t, 5, THRIFT_I64, f->rows);
    thrift_int(t, 6, THRIFT_I64, (int64_t)(f->head.len + f->page.len));
    thrift_int(t, 7, THRIFT_I64, (int64_t)(f->head.len + f->packed.len));
    thrift_int(t, 9, THRIFT_I64, (int64_t)f->offset);
    thrift_end(t);
    thrift_end(t);
}

static enum status write_chunk(struct parquet *f, struct thrift *t, size_t i)
{
    struct chunk *c = &f->chunks[i];
    size_t room;
    enum status st;

    run_end(c);
    buf_clear(&f->page);
    buf_clear(&f->packed);
    if (columns[i].optional)
        buf_put_str(&f->page, buf_str(&c->levels)); /* the levels, after their length (4 bytes) */
    buf_add_str(&f->page, buf_str(&c->values));
    room = libdeflate_gzip_compress_bound(f->gzip, f->page.len);
    f->packed.len = libdeflate_gzip_compress(f->gzip, f->page.data ? f->page.data : "", f->page.len,
                                             buf_room(&f->packed, room), room);
    page_header(f);
    describe_chunk(f, t, &columns[i]);
    st = buf_check(&c->values);
    if (st == ST_OK)
        st = buf_check(&f->page);
    buf_clear(&c->values);
    buf_clear(&c->levels);
    if (st == ST_OK)
        st = put(f, buf_str(&f->head));
    return st == ST_OK ? put(f, buf_str(&f->packed)) : st;
}

static enum status write_group(struct parquet *f)
{
    struct thrift t = {.out = &f->groups};
    uint64_t from = f->offset;
    enum status st = ST_OK;

    if (f->rows == 0)
        return ST_OK;
    thrift_begin(&t);
    thrift_list(&t, 1, THRIFT_STRUCT, COLUMNS);
    for (size_t i = 0; i < COLUMNS && st == ST_OK; i++)
        st = write_chunk(f, &t, i);
    thrift_int(&t, 2, THRIFT_I64, (int64_t)(f->offset - from));
    thrift_int(&t, 3, THRIFT_I64, f->rows);
    thrift_end(&t);
    f->ngroups++;
    f->total += f->rows;
    f->rows = 0;
    f->bytes = 0;
    return st == ST_OK ? buf_check(&f->groups) : st;
}

/* Each of several topics, as in jsonl; nothing where the crawl has one. */
static enum status read_topics(struct parquet *f, uint32_t page)
{
    struct json j;
    enum status st;

    buf_clear(&f->topics);
    json_begin(&j, &f->topics);
    st = page_topics_put(&j, f->lines.q, page);
    json_close(&j);
    if (str_eq(buf_str(&f->topics), STR("{}")))
        buf_clear(&f->topics);
    return st;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct parquet *f = ctx;
    struct buf *text = &f->lines.text;
    enum status st = read_topics(f, p->id);
    struct page_extra row;

    buf_clear(text);
    if (query_main(f->lines.q, p->id, text) != ST_OK)
        buf_clear(text);
    row = (struct page_extra){buf_str(text), buf_str(&f->topics)};
    for (size_t i = 0; i < COLUMNS; i++) {
        struct cell cell = columns[i].get(p, &row);

        add_cell(&f->chunks[i], &columns[i], &cell);
        f->bytes += cell.text.len;
    }
    f->rows++;
    export_step(&f->lines);
    if (st != ST_OK)
        return st;
    return f->rows >= GROUP_ROWS || f->bytes >= GROUP_BYTES ? write_group(f) : ST_OK;
}

/* ---- the footer ---------------------------------------------------------------- */

static void put_schema(struct thrift *t)
{
    thrift_list(t, 2, THRIFT_STRUCT, COLUMNS + 1);
    thrift_begin(t);
    thrift_str(t, 4, STR("page"));
    thrift_int(t, 5, THRIFT_I32, COLUMNS);
    thrift_end(t);
    for (size_t i = 0; i < COLUMNS; i++) {
        thrift_begin(t);
        thrift_int(t, 1, THRIFT_I32, columns[i].type);
        thrift_int(t, 3, THRIFT_I32, columns[i].optional);
        thrift_str(t, 4, str_of(columns[i].name));
        if (columns[i].converted != PLAIN_TYPE)
            thrift_int(t, 6, THRIFT_I32, columns[i].converted);
        thrift_end(t);
    }
}

static enum status write_footer(struct parquet *f)
{
    LOCAL_BUF footer = BUF_INIT(f->groups.max + KIB(64));
    struct thrift t = {.out = &footer};
    size_t length;

    thrift_begin(&t);
    thrift_int(&t, 1, THRIFT_I32, 1);
    put_schema(&t);
    thrift_int(&t, 3, THRIFT_I64, (int64_t)f->total);
    thrift_list(&t, 4, THRIFT_STRUCT, f->ngroups);
    buf_add_str(&footer, buf_str(&f->groups));
    thrift_str(&t, 6, STR("brood " BROOD_VERSION));
    thrift_end(&t);
    length = footer.len;
    buf_put_u32(&footer, (uint32_t)length);
    buf_add_z(&footer, MAGIC);
    TRY(buf_check(&footer));
    return put(f, buf_str(&footer));
}

enum status export_parquet(struct query *q, const struct export_to *to)
{
    struct parquet f = {.lines = EXPORT_LINES(q, to),
                        .gzip = libdeflate_alloc_compressor(6),
                        .topics = BUF_INIT(MIB(1)),
                        .page = BUF_INIT(MIB(1024)),
                        .packed = BUF_INIT(MIB(1024)),
                        .head = BUF_INIT(KIB(1)),
                        .groups = BUF_INIT(MIB(256))};
    enum status st;

    if (f.gzip == NULL)
        mem_out();
    for (size_t i = 0; i < COLUMNS; i++)
        f.chunks[i] = (struct chunk){BUF_INIT(MIB(1024)), BUF_INIT(MIB(1)), 0, false};
    st = put(&f, STR(MAGIC));
    if (st == ST_OK)
        st = query_pages(q, on_page, &f);
    if (st == ST_OK)
        st = write_group(&f);
    if (st == ST_OK)
        st = write_footer(&f);
    for (size_t i = 0; i < COLUMNS; i++) {
        buf_free(&f.chunks[i].values);
        buf_free(&f.chunks[i].levels);
    }
    libdeflate_free_compressor(f.gzip);
    buf_free(&f.topics);
    buf_free(&f.page);
    buf_free(&f.packed);
    buf_free(&f.head);
    buf_free(&f.groups);
    return export_end(&f.lines, st);
}
