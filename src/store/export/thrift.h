/* thrift.h - writes Thrift's compact protocol into a buffer, as far as the metadata of Parquet
 * needs it. Fields of a struct come in ascending order of their numbers. */
#pragma once

#include "base/buf.h"

enum thrift_type {
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_BINARY = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12,
};

struct thrift {
    struct buf *out;
    uint8_t last[8]; /* number of the previous field, in each open struct */
    unsigned depth;
};

static inline void thrift_varint(struct buf *out, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        buf_add_char(out, (char)(v | 0x80));
    buf_add_char(out, (char)v);
}

static inline void thrift_zigzag(struct buf *out, int64_t v)
{
    thrift_varint(out, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static inline void thrift_text(struct buf *out, struct str s)
{
    thrift_varint(out, s.len);
    buf_add_str(out, s);
}

static inline void thrift_field(struct thrift *t, uint8_t number, enum thrift_type type)
{
    buf_add_char(t->out, (char)((number - t->last[t->depth]) << 4 | (int)type));
    t->last[t->depth] = number;
}

/* Begins a struct that is an element of a list, or the outermost one; thrift_open() begins one that
 * is a field. */
static inline void thrift_begin(struct thrift *t)
{
    t->last[++t->depth] = 0;
}

static inline void thrift_end(struct thrift *t)
{
    buf_add_char(t->out, 0);
    t->depth--;
}

static inline void thrift_open(struct thrift *t, uint8_t number)
{
    thrift_field(t, number, THRIFT_STRUCT);
    thrift_begin(t);
}

static inline void thrift_int(struct thrift *t, uint8_t number, enum thrift_type type, int64_t v)
{
    thrift_field(t, number, type);
    thrift_zigzag(t->out, v);
}

static inline void thrift_str(struct thrift *t, uint8_t number, struct str s)
{
    thrift_field(t, number, THRIFT_BINARY);
    thrift_text(t->out, s);
}

/* Begins a list; its elements follow. */
static inline void thrift_list(struct thrift *t, uint8_t number, enum thrift_type of, size_t count)
{
    thrift_field(t, number, THRIFT_LIST);
    buf_add_char(t->out, (char)((count < 15 ? count << 4 : 0xf0) | (unsigned)of));
    if (count >= 15)
        thrift_varint(t->out, count);
}
