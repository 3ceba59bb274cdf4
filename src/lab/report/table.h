/* table.h - a table in plain text, with columns as wide as their contents.
 *
 *     table_init(&t, 3);
 *     table_cell(&t, "%s", "breadth-first");     row by row, cell by cell
 *     table_print(&t, 2, out);
 *
 * The first row is the heading. The first column and those marked are flush left.
 * Text from outside cannot disturb a terminal: control characters become '?', and
 * a cell is cut at TABLE_CELL columns. Limit: every code point counts as one.
 */
#pragma once

#include "base/buf.h"

#define TABLE_COLUMNS 16
#define TABLE_CELL    36

struct text_table {
    size_t columns;
    char **cells;
    size_t count, cap;
    bool left[TABLE_COLUMNS];
};

void table_init(struct text_table *t, size_t columns);
void table_free(struct text_table *t);

/* Adds the next cell: formatted, or from a buffer whose text is taken over. */
void table_cell(struct text_table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void table_take(struct text_table *t, struct buf *text);

void table_print(const struct text_table *t, size_t indent, struct buf *out);

/* Appends text that is safe on a terminal, in lines of at most `width` columns. */
void table_paragraph(struct str text, size_t indent, size_t width, struct buf *out);
