/* fields.c - members of a struct, written and read by a table. SPDX-License-Identifier: MIT */
#include "base/fields.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Bytes that a value takes in memory and in the checkpoint. */
static const struct {
    uint8_t held, kept;
} widths[] = {
    [FIELD_U8] = {1, 1},   [FIELD_FLAG] = {1, 1}, [FIELD_BIT] = {1, 0},   [FIELD_ENUM] = {4, 1},
    [FIELD_U32] = {4, 4},  [FIELD_URL] = {4, 4},  [FIELD_F32] = {4, 4},   [FIELD_FINE] = {4, 4},
    [FIELD_WIDE] = {4, 8}, [FIELD_U64] = {8, 8},  [FIELD_COUNT] = {8, 4}, [FIELD_F64] = {8, 8},
    [FIELD_REAL] = {8, 8}, [FIELD_PART] = {0, 0},
};

static uint64_t value_read(const void *value, unsigned bytes)
{
    uint32_t four;
    uint64_t eight;

    if (bytes == 1)
        return *(const uint8_t *)value;
    if (bytes == 4) {
        memcpy(&four, value, 4);
        return four;
    }
    memcpy(&eight, value, 8);
    return eight;
}

static void value_write(void *value, unsigned bytes, uint64_t bits)
{
    uint8_t one = (uint8_t)bits;
    uint32_t four = (uint32_t)bits;

    memcpy(value, bytes == 1 ? (void *)&one : bytes == 4 ? (void *)&four : (void *)&bits, bytes);
}

static void value_save(const struct field *f, const void *value, struct buf *out)
{
    uint64_t bits = value_read(value, widths[f->type].held);

    if (f->type == FIELD_WIDE)
        buf_put_f64(out, (double)*(const float *)value);
    else if (widths[f->type].kept == 1)
        buf_put_u8(out, (uint8_t)bits);
    else if (widths[f->type].kept == 4)
        buf_put_u32(out, (uint32_t)bits);
    else
        buf_put_u64(out, bits);
}

static void value_load(const struct field *f, void *value, struct cursor *from)
{
    unsigned held = widths[f->type].held;

    if (f->type == FIELD_WIDE)
        *(float *)value = (float)cursor_f64(from);
    else if (f->type == FIELD_URL)
        *(uint32_t *)value = cursor_number(from);
    else if (f->type == FIELD_FLAG)
        *(bool *)value = cursor_u8(from) != 0;
    else if (widths[f->type].kept == 1)
        value_write(value, held, cursor_u8(from));
    else if (widths[f->type].kept == 4)
        value_write(value, held, cursor_u32(from));
    else
        value_write(value, held, cursor_u64(from));
    if (f->type == FIELD_ENUM)
        from->bad |= value_read(value, held) > f->most;
    if (f->type == FIELD_REAL)
        from->bad |= !isfinite(*(const double *)value);
    if (f->type == FIELD_FINE)
        from->bad |= !isfinite(*(const float *)value);
}

/* How many fields in a row share a byte. */
static unsigned bits_together(const struct field *f)
{
    unsigned n = 0;

    while (n < 8 && f[n].type == FIELD_BIT)
        n++;
    return n;
}

static const struct field *bits_save(const struct field *f, const char *from, struct buf *out)
{
    unsigned byte = 0, n = bits_together(f);

    for (unsigned i = 0; i < n; i++)
        byte |= (unsigned)*(const bool *)(from + f[i].offset) << i;
    buf_put_u8(out, (uint8_t)byte);
    return f + n;
}

static const struct field *bits_load(const struct field *f, char *to, struct cursor *from)
{
    unsigned byte = cursor_u8(from), n = bits_together(f);

    for (unsigned i = 0; i < n; i++)
        *(bool *)(to + f[i].offset) = byte >> i & 1;
    return f + n;
}

void fields_save(const struct field *f, const void *from, struct buf *out)
{
    while (f->type != FIELD_NONE) {
        const char *at = (const char *)from + f->offset, *end = at + f->size;

        if (f->type == FIELD_BIT) {
            f = bits_save(f, from, out);
            continue;
        }
        if (f->type == FIELD_PART)
            fields_save(f->part, at, out);
        else
            for (assert(f->size % widths[f->type].held == 0); at < end; at += widths[f->type].held)
                value_save(f, at, out);
        f++;
    }
}

void fields_load(const struct field *f, void *to, struct cursor *from)
{
    while (f->type != FIELD_NONE) {
        char *at = (char *)to + f->offset, *end = at + f->size;

        if (f->type == FIELD_BIT) {
            f = bits_load(f, to, from);
            continue;
        }
        if (f->type == FIELD_PART)
            fields_load(f->part, at, from);
        else
            for (; at < end; at += widths[f->type].held)
                value_load(f, at, from);
        f++;
    }
}

void fields_save_all(const struct field *table, const void *items, size_t count, size_t size,
                     struct buf *out)
{
    buf_put_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        fields_save(table, (const char *)items + i * size, out);
}
