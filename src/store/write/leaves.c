/* leaves.c - segments of FTS5, leaf by leaf. Source: fts5_index.c of SQLite 3.40.
 * SPDX-License-Identifier: MIT */
#include "store/write/leaves.h"

#include "base/limits.h"
#include "base/mem.h"
#include "store/db.h"

#include <stdlib.h>
#include <string.h>

#define LEAF_BYTES 4050 /* FTS5's own measure */
#define LEAF_HEAD  4
#define LEAF_ROOM  (2 * LEAF_BYTES + TERM_BYTES) /* a full leaf has room for one more term */

/* ---- numbers ---- */

void number_put(struct buf *b, uint64_t n)
{
    char bytes[NUMBER_MAX];

    buf_add(b, bytes, (size_t)(number_write(bytes, n) - bytes));
}

bool number_take(struct str *s, uint64_t *ret)
{
    uint64_t n = 0;

    for (size_t i = 0; i < 9 && i < s->len; i++) {
        uint8_t byte = (uint8_t)s->ptr[i];

        n = i < 8 ? n << 7 | (byte & 0x7f) : n << 8 | byte;
        if (i == 8 || byte < 0x80) {
            *s = str_sub(*s, i + 1, s->len);
            *ret = n;
            return true;
        }
    }
    return false;
}

/* ---- leaves ---- */

enum status leaves_init(struct leaves *l, sqlite3 *db)
{
    *l = (struct leaves){.db = db, .leaf = mem_alloc(LEAF_ROOM)};
    l->distances = l->boundary = BUF_INIT(2 * LIMIT_DB_VALUE);
    TRY(db_prepare(db, "REPLACE INTO page_text_data(id, block) VALUES(?, ?)", &l->put));
    return db_prepare(db, "INSERT INTO page_text_idx(segid, term, pgno) VALUES(?, ?, ?)",
                      &l->put_term);
}

void leaves_free(struct leaves *l)
{
    (void)sqlite3_finalize(l->put);
    (void)sqlite3_finalize(l->put_term);
    free(l->leaf);
    buf_free(&l->distances);
    buf_free(&l->boundary);
}

enum status leaves_put_row(struct leaves *l, int64_t id, struct str block)
{
    (void)sqlite3_bind_int64(l->put, 1, id);
    (void)sqlite3_bind_blob64(l->put, 2, block.ptr, block.len, SQLITE_STATIC);
    return db_run(l->db, l->put);
}

static void leaf_begin(struct leaves *l)
{
    memset(l->leaf, 0, LEAF_HEAD);
    l->len = LEAF_HEAD;
    buf_clear(&l->distances);
    l->last_at = 0;
    l->has_term = false;
    l->wants_row = true;
}

static inline void leaf_add(struct leaves *l, struct str bytes)
{
    memcpy(l->leaf + l->len, bytes.ptr, bytes.len);
    l->len += bytes.len;
}

static inline void leaf_add_number(struct leaves *l, uint64_t n)
{
    l->len = (size_t)(number_write(l->leaf + l->len, n) - l->leaf);
}

/* Notes a place of the leaf in its head. */
static void leaf_note(struct leaves *l, size_t at, size_t place)
{
    l->leaf[at] = (char)(place >> 8);
    l->leaf[at + 1] = (char)place;
}

static enum status leaf_end(struct leaves *l)
{
    enum status st;

    leaf_note(l, 2, l->len);
    leaf_add(l, buf_str(&l->distances));
    st = leaves_put_row(l, l->id << 37 | ++l->count, (struct str){l->leaf, l->len});
    leaf_begin(l);
    return st;
}

static size_t leaf_used(const struct leaves *l)
{
    return l->len + l->distances.len;
}

/* Notes where the leaf with the last boundary begins. */
static enum status note_boundary(struct leaves *l)
{
    enum status st;

    (void)sqlite3_bind_int64(l->put_term, 1, l->id);
    (void)sqlite3_bind_blob64(l->put_term, 2, l->boundary.len ? l->boundary.data : "",
                              l->boundary.len, SQLITE_STATIC);
    (void)sqlite3_bind_int64(l->put_term, 3, l->boundary_leaf << 1);
    st = db_run(l->db, l->put_term);
    if (st == ST_IO && (sqlite3_errcode(l->db) & 0xff) == SQLITE_CONSTRAINT)
        st = status_fail(ST_CORRUPT, "the full-text index has a segment that is not in its list");
    return st;
}

static size_t shared(struct str a, struct str b)
{
    size_t n = 0;

    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
        n++;
    return n;
}

/* Notes the first term of a leaf, or as much of its beginning as makes all earlier terms smaller.
 * The '0' that stands before every term is part of it. */
static enum status begin_boundary(struct leaves *l, struct str term, size_t same)
{
    enum status st = ST_OK;

    if (l->count == 0)
        return ST_OK;
    st = note_boundary(l);
    buf_clear(&l->boundary);
    buf_add_char(&l->boundary, '0');
    buf_add_str(&l->boundary, str_sub(term, 0, same + 1));
    l->boundary_leaf = l->count + 1;
    return st;
}

enum status leaves_term(struct leaves *l, struct str term)
{
    enum status st = ST_OK;
    size_t same = shared(l->last, term);

    if (leaf_used(l) + term.len + 3 >= LEAF_BYTES && l->len > LEAF_HEAD)
        st = leaf_end(l);
    number_put(&l->distances, l->len - l->last_at);
    l->last_at = l->len;
    if (l->has_term) {
        leaf_add_number(l, same + 1);
        leaf_add_number(l, term.len - same);
        leaf_add(l, str_sub(term, same, term.len));
    } else {
        if (st == ST_OK)
            st = begin_boundary(l, term, same);
        leaf_add_number(l, term.len + 1);
        leaf_add(l, STR("0"));
        leaf_add(l, term);
    }
    l->last = term;
    l->has_term = true;
    l->wants_row = false;
    return st;
}

/* Returns how many bytes of complete numbers fit; at least one number. */
static size_t whole_numbers(struct str s, size_t room)
{
    size_t end = 0, next = 0;

    do {
        end = next;
        while (next < s.len && (uint8_t)s.ptr[next] >= 0x80)
            next++;
        next++;
    } while (next <= s.len && (next <= room || end == 0));
    return end;
}

/* Writes the positions of one row, split between numbers if they do not fit into the leaf. */
static enum status put_positions(struct leaves *l, struct str positions)
{
    enum status st = ST_OK;

    if (leaf_used(l) + positions.len <= LEAF_BYTES) {
        leaf_add(l, positions);
        return ST_OK;
    }
    while (positions.len && st == ST_OK) {
        size_t used = leaf_used(l), room = used < LEAF_BYTES ? LEAF_BYTES - used : 0;
        size_t n = positions.len <= room ? positions.len : whole_numbers(positions, room);

        leaf_add(l, str_sub(positions, 0, n));
        positions = str_sub(positions, n, positions.len);
        if (positions.len || leaf_used(l) >= LEAF_BYTES)
            st = leaf_end(l);
    }
    return st;
}

enum status leaves_page(struct leaves *l, int64_t row, int64_t before, struct str positions)
{
    if (l->wants_row) {
        leaf_note(l, 0, l->len);
        before = 0;
        l->wants_row = false;
    }
    leaf_add_number(l, (uint64_t)(row - before));
    return put_positions(l, positions);
}

void leaves_begin(struct leaves *l, int64_t id)
{
    l->id = id;
    l->last = (struct str){"", 0};
    l->count = 0;
    l->boundary_leaf = 1;
    buf_clear(&l->boundary);
    leaf_begin(l);
}

enum status leaves_end(struct leaves *l)
{
    enum status st = l->len > LEAF_HEAD ? leaf_end(l) : ST_OK;

    return st == ST_OK && l->count > 0 ? note_boundary(l) : st;
}
