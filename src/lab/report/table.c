/* table.c - a table in plain text. SPDX-License-Identifier: MIT */
#include "lab/report/table.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>

void table_init(struct text_table *t, size_t columns)
{
    *t = (struct text_table){.columns = columns < TABLE_COLUMNS ? columns : TABLE_COLUMNS};
    t->left[0] = true;
}

void table_free(struct text_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->cells[i]);
    free(t->cells);
}

void table_take(struct text_table *t, struct buf *text)
{
    LOCAL_BUF clean = BUF_INIT(TABLE_CELL * 4 + 4);

    (void)utf8_add_safe(&clean, buf_str(text), TABLE_CELL);
    MEM_GROW(t->cells, t->count, &t->cap);
    t->cells[t->count++] = str_dup(buf_str(&clean));
    buf_free(text);
}

void table_cell(struct text_table *t, const char *fmt, ...)
{
    struct buf text = BUF_INIT(4096);
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    table_take(t, &text);
}

static void pad(struct buf *out, size_t n)
{
    while (n-- > 0)
        buf_add_char(out, ' ');
}

static void end_line(struct buf *out)
{
    while (out->len > 0 && out->data[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
}

void table_print(const struct text_table *t, size_t indent, struct buf *out)
{
    size_t width[TABLE_COLUMNS] = {0};

    for (size_t i = 0; i < t->count; i++) {
        size_t n = utf8_columns(str_of(t->cells[i]));

        if (n > width[i % t->columns])
            width[i % t->columns] = n;
    }
    for (size_t i = 0; i < t->count; i++) {
        size_t column = i % t->columns, room = width[column] - utf8_columns(str_of(t->cells[i]));
        bool last = column + 1 == t->columns || i + 1 == t->count;

        pad(out, column == 0 ? indent : 2);
        if (!t->left[column])
            pad(out, room);
        buf_add_z(out, t->cells[i]);
        if (t->left[column] && !last)
            pad(out, room);
        if (last)
            end_line(out);
    }
}

void table_paragraph(struct str text, size_t indent, size_t width, struct buf *out)
{
    size_t column = 0;
    struct str rest = text, word;

    while (str_cut(&rest, ' ', &word)) {
        struct buf clean = BUF_INIT(4096);
        size_t n = utf8_add_safe(&clean, word, 1000);

        if (n > 0 && column > 0 && column + 1 + n > width) {
            buf_add_char(out, '\n');
            column = 0;
        }
        if (n > 0) {
            pad(out, column ? 1 : indent);
            column += column ? 1 + n : indent + n;
            buf_add_str(out, buf_str(&clean));
        }
        buf_free(&clean);
    }
    buf_add_char(out, '\n');
}
