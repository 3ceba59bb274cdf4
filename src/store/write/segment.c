/* segment.c - the words of many pages as one segment of an index of FTS5. See segment.h.
 *
 *   words of pages --> table of terms, postings in the order of the text
 *   postings ------> sorted by term (counted, then put in place) --> doclists --> leaves (leaves.h)
 *
 * The tables, as far as they are written here:
 *
 *   page_text_data     leaves by segment and number; row 1: totals, row 10: list of segments
 *   page_text_idx      for each leaf but the first: a term that separates it from the leaf before
 *   page_text_docsize  words of each page, by column
 *
 *   position  difference to the one before + 2; 1 and a number: that column begins
 *
 * Workload: 1,000 to 8,000 pages of 1,000 words; 30,000 different ones.
 * Source: fts5_index.c and fts5_hash.c of SQLite 3.40. SPDX-License-Identifier: MIT */
#include "store/write/segment.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/db.h"
#include "store/write/leaves.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_IDS 2000 /* segments that FTS5 allows */
#define ROW_TOTALS  1
#define ROW_LIST    10
#define SLOTS_FIRST 4096
#define TOGETHER    64 /* words looked up at once, so that their slots are loaded side by side */

struct segment_term {
    uint64_t head; /* its first eight letters, as a number that is ordered as they are */
    size_t hash;
    size_t at; /* in `letters` */
    uint32_t len, number;
};

struct slot {
    uint64_t head;
    uint32_t len, number; /* number + 1; 0: free */
};

struct posting {
    uint32_t of, place; /* term or page; position << 2 | column */
};

struct indexed_page {
    int64_t row;
    size_t first; /* posting */
    uint32_t words[SEGMENT_COLUMNS];
};

struct segment {
    sqlite3 *db;
    sqlite3_stmt *get, *put_sizes;
    struct buf letters; /* of all terms */
    struct segment_term *terms;
    struct slot *slots;
    struct posting *postings, *sorted;
    struct indexed_page *pages;
    size_t nterms, terms_cap, nslots, npostings, postings_cap, sorted_cap, npages, pages_cap;
    struct buf positions, row;
    struct leaves leaves;
};

/* ---- gathering ------------------------------------------------------------ */

enum status segment_new(sqlite3 *db, struct segment **ret)
{
    struct segment *s = MEM_NEW(struct segment);
    enum status st;

    s->db = db;
    s->nslots = SLOTS_FIRST;
    s->slots = mem_zero(s->nslots, sizeof *s->slots);
    s->letters = s->positions = s->row = BUF_INIT(2 * LIMIT_DB_VALUE);
    st = db_prepare(db, "SELECT block FROM page_text_data WHERE id = ?", &s->get);
    if (st == ST_OK)
        st = leaves_init(&s->leaves, db);
    if (st == ST_OK)
        st = db_prepare(db, "REPLACE INTO page_text_docsize(id, sz) VALUES(?, ?)", &s->put_sizes);
    if (st == ST_OK)
        *ret = s;
    else
        segment_free(s);
    return st;
}

void segment_free(struct segment *s)
{
    if (s == NULL)
        return;
    (void)sqlite3_finalize(s->get);
    (void)sqlite3_finalize(s->put_sizes);
    buf_free(&s->letters);
    buf_free(&s->positions);
    buf_free(&s->row);
    free(s->terms);
    free(s->slots);
    free(s->postings);
    free(s->sorted);
    free(s->pages);
    leaves_free(&s->leaves);
    free(s);
}

void segment_clear(struct segment *s)
{
    buf_clear(&s->letters);
    if (s->nterms > 0)
        memset(s->slots, 0, s->nslots * sizeof *s->slots);
    s->nterms = s->npostings = s->npages = 0;
}

static inline uint64_t load(const char *p)
{
    uint64_t bytes;

    memcpy(&bytes, p, sizeof bytes);
    return le64toh(bytes);
}

/* The bytes behind a short word are read, too, and then masked. The lengths of words cannot be
 * predicted, so nothing here branches on them, except for the few long words. */
static inline uint64_t head_of(struct str word)
{
    size_t bits = word.len < 8 ? 8 * word.len : 64;

    return bits ? __builtin_bswap64(load(word.ptr) & UINT64_MAX >> (64 - bits)) : 0;
}

/* Uses all letters, because many names begin alike, and a hostile page may have words that begin
 * and end alike. The lowest bits are the slot. */
static inline size_t hash_of(uint64_t head, struct str word)
{
    uint64_t tail = load(word.ptr + (word.len > 8 ? word.len - 8 : 0));

    tail = word.len > 16 ? hash_str(word) : word.len > 8 ? tail : 0;
    return (size_t)hash_u64((head ^ tail * UINT64_C(0x9e3779b97f4a7c15)) + word.len);
}

static bool is_term(const struct segment *s, const struct slot *slot, uint64_t head,
                    struct str word)
{
    return slot->head == head && slot->len == word.len &&
           (word.len <= 8 ||
            memcmp(s->letters.data + s->terms[slot->number - 1].at, word.ptr, word.len) == 0);
}

static void grow_slots(struct segment *s)
{
    free(s->slots);
    s->nslots *= 2;
    s->slots = mem_zero(s->nslots, sizeof *s->slots);
    for (size_t i = 0; i < s->nterms; i++) {
        const struct segment_term *t = &s->terms[i];
        size_t at = t->hash & (s->nslots - 1);

        while (s->slots[at].number)
            at = (at + 1) & (s->nslots - 1);
        s->slots[at] = (struct slot){t->head, t->len, (uint32_t)i + 1};
    }
}

static uint32_t add_term(struct segment *s, struct slot *slot, uint64_t head, size_t hash,
                         struct str word)
{
    uint32_t number = (uint32_t)s->nterms;

    MEM_GROW(s->terms, s->nterms, &s->terms_cap);
    s->terms[s->nterms++] =
        (struct segment_term){head, hash, s->letters.len, (uint32_t)word.len, number};
    buf_add_str(&s->letters, word);
    *slot = (struct slot){head, (uint32_t)word.len, number + 1};
    if (2 * s->nterms > s->nslots)
        grow_slots(s);
    return number;
}

static inline uint32_t term_number(struct segment *s, uint64_t head, size_t hash, struct str word)
{
    size_t at = hash & (s->nslots - 1);

    while (s->slots[at].number && !is_term(s, &s->slots[at], head, word))
        at = (at + 1) & (s->nslots - 1);
    return s->slots[at].number ? s->slots[at].number - 1
                               : add_term(s, &s->slots[at], head, hash, word);
}

void segment_page(struct segment *s, int64_t row)
{
    MEM_GROW(s->pages, s->npages, &s->pages_cap);
    s->pages[s->npages++] = (struct indexed_page){.row = row, .first = s->npostings};
}

static struct str cut_to_term(struct str word)
{
    return (struct str){word.ptr, word.len < TERM_BYTES ? word.len : TERM_BYTES};
}

static void add_some(struct segment *s, unsigned column, const struct str *words, size_t n)
{
    uint32_t *count = &s->pages[s->npages - 1].words[column];
    uint64_t heads[TOGETHER];
    size_t hashes[TOGETHER];

    for (size_t i = 0; i < n; i++) {
        struct str word = cut_to_term(words[i]);

        heads[i] = head_of(word);
        hashes[i] = hash_of(heads[i], word);
        __builtin_prefetch(&s->slots[hashes[i] & (s->nslots - 1)]);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t number = term_number(s, heads[i], hashes[i], cut_to_term(words[i]));

        if (s->npostings == s->postings_cap)
            MEM_GROW(s->postings, s->npostings, &s->postings_cap);
        s->postings[s->npostings++] = (struct posting){number, (*count)++ << 2 | column};
    }
}

void segment_words(struct segment *s, unsigned column, const struct str *words, size_t n)
{
    for (size_t done = 0; done < n; done += TOGETHER)
        add_some(s, column, words + done, n - done < TOGETHER ? n - done : TOGETHER);
}

/* ---- the segment ---------------------------------------------------------- */

static int compare_terms(const void *left, const void *right, void *letters)
{
    const struct segment_term *a = left, *b = right;
    size_t least = a->len < b->len ? a->len : b->len;
    int order;

    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    order = memcmp((const char *)letters + a->at, (const char *)letters + b->at, least);
    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Puts the postings of each term together, in the order in which they came. Returns where those of
 * each term begin, and where those of the last one end. */
static size_t *sort_postings(struct segment *s)
{
    size_t *ends = mem_zero(s->nterms + 2, sizeof *ends);

    if (s->sorted_cap < s->npostings) {
        s->sorted_cap = s->postings_cap;
        s->sorted = mem_resize(s->sorted, s->sorted_cap, sizeof *s->sorted);
    }
    for (size_t i = 0; i < s->npostings; i++)
        ends[s->postings[i].of + 2]++;
    for (size_t i = 2; i < s->nterms + 2; i++)
        ends[i] += ends[i - 1];
    for (size_t page = 0; page < s->npages; page++) {
        size_t end = page + 1 < s->npages ? s->pages[page + 1].first : s->npostings;

        for (size_t i = s->pages[page].first; i < end; i++)
            s->sorted[ends[s->postings[i].of + 1]++] =
                (struct posting){(uint32_t)page, s->postings[i].place};
    }
    return ends;
}

/* Writes the positions of the postings of one page, after their length. */
static struct str write_positions(struct segment *s, const struct posting *p, size_t n)
{
    uint32_t column = 0, before = 0;
    char *from, *out, length[NUMBER_MAX];
    size_t bytes;

    from = buf_room(&s->positions, NUMBER_MAX * (n + 1) + 2 * SEGMENT_COLUMNS);
    if (from == NULL)
        return (struct str){"", 0};
    out = from += NUMBER_MAX;
    for (size_t i = 0; i < n; i++) {
        if ((p[i].place & 3) != column) {
            column = p[i].place & 3;
            before = 0;
            *out++ = 1;
            *out++ = (char)column;
        }
        out = number_write(out, (p[i].place >> 2) - before + 2);
        before = p[i].place >> 2;
    }
    bytes = (size_t)(number_write(length, 2 * (uint64_t)(out - from)) - length);
    memcpy(from - bytes, length, bytes);
    return (struct str){from - bytes, (size_t)(out - from) + bytes};
}

static size_t of_one_page(const struct posting *p, size_t n)
{
    size_t i = 1;

    while (i < n && p[i].of == p[0].of)
        i++;
    return i;
}

static enum status put_doclist(struct segment *s, const struct posting *p, size_t n)
{
    int64_t before = 0;
    enum status st = ST_OK;

    while (n > 0 && st == ST_OK) {
        int64_t row = s->pages[p->of].row;
        size_t used = of_one_page(p, n);

        st = leaves_page(&s->leaves, row, before, write_positions(s, p, used));
        before = row;
        p += used;
        n -= used;
    }
    return st;
}

static enum status put_segment(struct segment *s)
{
    size_t *ends = sort_postings(s);
    enum status st = ST_OK;

    qsort_r(s->terms, s->nterms, sizeof *s->terms, compare_terms, s->letters.data);
    for (size_t i = 0; i < s->nterms && st == ST_OK; i++) {
        const struct segment_term *t = &s->terms[i];
        size_t from = ends[t->number], to = ends[t->number + 1];

        st = leaves_term(&s->leaves, (struct str){s->letters.data + t->at, t->len});
        if (st == ST_OK)
            st = put_doclist(s, s->sorted + from, to - from);
    }
    free(ends);
    return st == ST_OK ? leaves_end(&s->leaves) : st;
}

/* ---- totals and the list of segments -------------------------------------- */

static enum status get_row(struct segment *s, int64_t id, struct buf *ret)
{
    enum status st = ST_OK;

    buf_clear(ret);
    (void)sqlite3_bind_int64(s->get, 1, id);
    if (db_row(s->db, s->get, &st))
        buf_add_str(ret, db_str(s->get, 0));
    (void)sqlite3_reset(s->get);
    return st;
}

/* Adds to the number of pages, and of words of each column. */
static enum status add_totals(struct segment *s)
{
    uint64_t totals[1 + SEGMENT_COLUMNS] = {0};
    struct buf *row = &s->row;
    enum status st = get_row(s, ROW_TOTALS, row);
    struct str rest = buf_str(row);

    for (size_t i = 0; i < ARRAY_LEN(totals) && rest.len; i++)
        if (!number_take(&rest, &totals[i]))
            return status_fail(ST_CORRUPT, "the totals of the full-text index are damaged");
    totals[0] += s->npages;
    for (size_t i = 0; i < s->npages; i++)
        for (unsigned c = 0; c < SEGMENT_COLUMNS; c++)
            totals[1 + c] += s->pages[i].words[c];
    buf_clear(row);
    for (size_t i = 0; i < ARRAY_LEN(totals); i++)
        number_put(row, totals[i]);
    return st == ST_OK ? leaves_put_row(&s->leaves, ROW_TOTALS, buf_str(row)) : st;
}

static enum status add_sizes(struct segment *s)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < s->npages && st == ST_OK; i++) {
        buf_clear(&s->row);
        for (unsigned c = 0; c < SEGMENT_COLUMNS; c++)
            number_put(&s->row, s->pages[i].words[c]);
        (void)sqlite3_bind_int64(s->put_sizes, 1, s->pages[i].row);
        (void)sqlite3_bind_blob64(s->put_sizes, 2, s->row.data, s->row.len, SQLITE_STATIC);
        st = db_run(s->db, s->put_sizes);
    }
    return st;
}

/* The list of segments: a cookie (4 bytes), numbers of levels, of segments and of leaves written;
 * of each level: how many of its segments are being merged, how many there are, and of each its
 * id, first and last leaf. */
struct segment_list {
    struct buf row;
    uint64_t levels, segments, written;
    struct str first,
        rest; /* segments of the first level, with the numbers before them; the others */
    uint64_t merging, own; /* of the first level */
    bool used[SEGMENT_IDS + 1];
};

static bool take_segments(struct segment_list *l, struct str *s, uint64_t n)
{
    uint64_t id, first, last;

    for (uint64_t i = 0; i < n; i++) {
        if (!number_take(s, &id) || !number_take(s, &first) || !number_take(s, &last) || id == 0 ||
            id > SEGMENT_IDS)
            return false;
        l->used[id] = true;
    }
    return true;
}

static bool read_levels(struct segment_list *l, struct str s)
{
    uint64_t merging, own, left = l->segments;

    for (uint64_t i = 0; i < l->levels; i++) {
        const char *from;

        if (!number_take(&s, &merging) || !number_take(&s, &own) || own > left)
            return false;
        left -= own;
        from = s.ptr;
        if (!take_segments(l, &s, own))
            return false;
        if (i == 0) {
            l->merging = merging;
            l->own = own;
            l->first = (struct str){from, (size_t)(s.ptr - from)};
            l->rest = s;
        }
    }
    return s.len == 0 && left == 0;
}

static bool read_list(struct segment_list *l)
{
    struct str s = buf_str(&l->row);

    if (s.len < 4)
        return false;
    s = str_sub(s, 4, s.len);
    return number_take(&s, &l->levels) && number_take(&s, &l->segments) &&
           number_take(&s, &l->written) && l->segments < SEGMENT_IDS && read_levels(l, s);
}

/* Returns the smallest id that no segment has; there is one, because read_list() found fewer. */
static int64_t free_id(const struct segment_list *l)
{
    int64_t id = 1;

    while (id < SEGMENT_IDS && l->used[id])
        id++;
    return id;
}

static enum status write_list(struct segment *s, const struct segment_list *l)
{
    struct buf *row = &s->row;

    buf_clear(row);
    buf_add(row, l->row.data, 4);
    number_put(row, l->levels ? l->levels : 1);
    number_put(row, l->segments + 1);
    number_put(row, l->written + (uint64_t)s->leaves.count);
    number_put(row, l->merging);
    number_put(row, l->own + 1);
    buf_add_str(row, l->first);
    number_put(row, (uint64_t)s->leaves.id);
    number_put(row, 1);
    number_put(row, (uint64_t)s->leaves.count);
    buf_add_str(row, l->rest);
    return leaves_put_row(&s->leaves, ROW_LIST, buf_str(row));
}

static enum status add_segment(struct segment *s, int64_t *ret_merge)
{
    struct segment_list l = {.row = BUF_INIT(LIMIT_DB_VALUE)};
    enum status st = get_row(s, ROW_LIST, &l.row);

    if (st == ST_OK && !read_list(&l))
        st = status_fail(ST_CORRUPT, "the list of segments of the full-text index is damaged");
    if (st == ST_OK) {
        leaves_begin(&s->leaves, free_id(&l));
        st = put_segment(s);
    }
    if (st == ST_OK && s->leaves.count > 0)
        st = write_list(s, &l);
    *ret_merge = s->leaves.count * (int64_t)(l.levels ? l.levels : 1);
    buf_free(&l.row);
    return st;
}

static enum status check_buffers(const struct segment *s)
{
    enum status st = buf_check(&s->letters);

    return st == ST_OK ? buf_check(&s->positions) : st;
}

enum status segment_write(struct segment *s, int64_t *ret_merge)
{
    enum status st;

    st = check_buffers(s);
    *ret_merge = 0;
    if (st == ST_OK)
        st = add_totals(s);
    if (st == ST_OK)
        st = add_sizes(s);
    if (st == ST_OK && s->nterms > 0) /* else no page had a word */
        st = add_segment(s, ret_merge);
    if (st == ST_OK)
        st = check_buffers(s);
    segment_clear(s);
    return st;
}
