/* parts.h - which parts of a large table have changed since they were last saved.
 *
 * A model whose tables grow with the web saves them in parts of PARTS_ROWS rows (model_ops.parts):
 * a checkpoint has only the parts that changed, so its cost depends on what happened since the
 * last one, and not on the size of the crawl.
 *
 * Tables whose rows change here and there have parts of PARTS_FINE rows, so that a row that changes
 * brings few others into the checkpoint.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define PARTS_ROWS 256u
#define PARTS_FINE 32u

struct parts {
    uint64_t *bits; /* one bit for each part */
    size_t words;
};

static inline void parts_touch_part(struct parts *p, uint32_t part)
{
    size_t word = part / 64;

    if (word >= p->words) {
        size_t words = word + word / 2 + 64;

        p->bits = mem_resize(p->bits, words, sizeof *p->bits);
        memset(p->bits + p->words, 0, (words - p->words) * sizeof *p->bits);
        p->words = words;
    }
    p->bits[word] |= UINT64_C(1) << part % 64;
}

static inline void parts_touch(struct parts *p, uint32_t row)
{
    parts_touch_part(p, row / PARTS_ROWS);
}

static inline void parts_touch_fine(struct parts *p, uint32_t row)
{
    parts_touch_part(p, row / PARTS_FINE);
}

/* Takes the next part that has changed, from *part on. Returns false if there is none. */
static inline bool parts_take(struct parts *p, uint32_t *part)
{
    for (size_t word = *part / 64; word < p->words; word++)
        if (p->bits[word] != 0) {
            *part = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(p->bits[word]);
            p->bits[word] &= p->bits[word] - 1;
            return true;
        }
    return false;
}

static inline void parts_clear(struct parts *p)
{
    free(p->bits);
    *p = (struct parts){0};
}

/* Adds a part to a list of parts, as a checkpoint has it: a number, and its bytes (none: the part
 * is empty). */
static inline void parts_put(struct buf *out, uint32_t number, struct str bytes)
{
    buf_put_u32(out, number);
    buf_put_str(out, bytes);
}

/* Writes a row of a table, or nothing if the row is empty. */
typedef void parts_row_fn(const void *table, size_t row, struct buf *out);

/* Writes the parts of a table that changed, or all of its rows if `changed` is NULL. A part has
 * `size` rows, and the first one the number `first`. */
static inline void parts_put_sized(uint32_t size, struct parts *changed, const void *table,
                                   size_t rows, parts_row_fn *put, uint32_t first, struct buf *out)
{
    struct buf bytes = BUF_INIT(1 << 26);
    uint32_t part = 0;

    while (changed ? parts_take(changed, &part) : part * (size_t)size < rows) {
        buf_clear(&bytes);
        for (size_t i = 0; i < size; i++)
            put(table, (size_t)part * size + i, &bytes);
        parts_put(out, first + part, buf_str(&bytes));
        part += changed == NULL;
    }
    buf_free(&bytes);
}

static inline void parts_put_rows(struct parts *changed, const void *table, size_t rows,
                                  parts_row_fn *put, uint32_t first, struct buf *out)
{
    parts_put_sized(PARTS_ROWS, changed, table, rows, put, first, out);
}

static inline void parts_put_fine(struct parts *changed, const void *table, size_t rows,
                                  parts_row_fn *put, uint32_t first, struct buf *out)
{
    parts_put_sized(PARTS_FINE, changed, table, rows, put, first, out);
}

static inline bool parts_next(struct cursor *from, uint32_t *ret_number, struct str *ret_bytes)
{
    if (from->rest.len == 0 || from->bad)
        return false;
    *ret_number = cursor_u32(from);
    *ret_bytes = cursor_str(from);
    return !from->bad;
}
