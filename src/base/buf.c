/* buf.c - a growing byte buffer with a ceiling. SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/mem.h"
#include "base/poison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64

void buf_init(struct buf *b, size_t max)
{
    *b = BUF_INIT(max);
}

void buf_free(struct buf *b)
{
    free(b->data);
    *b = BUF_INIT(b->max);
}

void buf_clear(struct buf *b)
{
    if (b->data) {
        b->data[0] = '\0';
        poison(b->data + 1, b->len); /* ASan then reports stale pointers */
    }
    b->len = 0;
    b->full = false;
}

char *buf_room(struct buf *b, size_t len)
{
    size_t want, cap;
    char *data;

    if (b->full || len > b->max - b->len) {
        b->full = true;
        return NULL;
    }
    want = b->len + len + 1;
    if (want <= b->cap) {
        unpoison(b->data + b->len, len + 1);
        return b->data + b->len;
    }
    cap = b->cap ? b->cap : FIRST_SIZE;
    while (cap < want)
        cap += cap / 2 + 16;
    if (cap > b->max + 1)
        cap = b->max + 1;
    data = mem_try(b->data, cap);
    if (data == NULL) {
        b->full = true;
        return NULL;
    }
    b->data = data;
    b->cap = cap;
    return b->data + b->len;
}

enum status buf_check(const struct buf *b)
{
    return b->full ? status_fail(ST_LIMIT, "more than %zu bytes", b->max) : ST_OK;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
    char *to = buf_room(b, len);

    if (to == NULL)
        return;
    if (len)
        memcpy(to, data, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void buf_add_str(struct buf *b, struct str s)
{
    buf_add(b, s.ptr, s.len);
}

void buf_add_z(struct buf *b, const char *z)
{
    buf_add(b, z, strlen(z));
}

void buf_add_char(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void buf_addv(struct buf *b, const char *fmt, va_list args)
{
    va_list again;
    char small[256];
    int n;
    char *to;

    va_copy(again, args);
    n = vsnprintf(small, sizeof small, fmt, args);
    if (n < 0)
        n = 0;
    if ((size_t)n < sizeof small) {
        buf_add(b, small, (size_t)n);
    } else if ((to = buf_room(b, (size_t)n)) != NULL) {
        (void)vsnprintf(to, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(b, fmt, args);
    va_end(args);
}

void buf_add_csv(struct buf *b, struct str text)
{
    buf_add_char(b, '"');
    if (text.len && text.ptr[0] && strchr("=+-@\t\r", text.ptr[0]))
        buf_add_char(b, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            buf_add_char(b, '"');
        buf_add_char(b, text.ptr[i]);
    }
    buf_add_char(b, '"');
}

/* Checkpoints have millions of numbers: if there is room, no function is called. */
static inline void put_le(struct buf *b, uint64_t v, size_t bytes)
{
    bool has_room = !b->full && b->cap > b->len + bytes;
    char *at = has_room ? b->data + b->len : buf_room(b, bytes);

    if (at == NULL)
        return;
    unpoison(at, bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        at[i] = (char)(v >> (8 * i));
    at[bytes] = '\0';
    b->len += bytes;
}

void buf_put_u8(struct buf *b, uint8_t v)
{
    put_le(b, v, 1);
}

void buf_put_u32(struct buf *b, uint32_t v)
{
    put_le(b, v, 4);
}

void buf_put_u64(struct buf *b, uint64_t v)
{
    put_le(b, v, 8);
}

void buf_put_f32(struct buf *b, float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    put_le(b, bits, 4);
}

void buf_put_f64(struct buf *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    put_le(b, bits, 8);
}

void buf_put_str(struct buf *b, struct str s)
{
    buf_put_u32(b, (uint32_t)s.len);
    buf_add_str(b, s);
}

char *buf_take(struct buf *b, size_t *ret_len)
{
    char *data = b->data ? b->data : mem_zero(1, 1);

    if (ret_len)
        *ret_len = b->len;
    *b = BUF_INIT(b->max);
    return data;
}

static inline uint64_t cursor_le(struct cursor *c, size_t bytes)
{
    uint64_t v = 0;

    if (c->bad || c->rest.len < bytes) {
        c->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++)
        v |= (uint64_t)(unsigned char)c->rest.ptr[i] << (8 * i);
    c->rest.ptr += bytes;
    c->rest.len -= bytes;
    return v;
}

uint8_t cursor_u8(struct cursor *c)
{
    return (uint8_t)cursor_le(c, 1);
}

uint32_t cursor_u32(struct cursor *c)
{
    return (uint32_t)cursor_le(c, 4);
}

uint32_t cursor_number(struct cursor *c)
{
    uint32_t number = cursor_u32(c);

    c->bad = c->bad || (c->most && number > c->most);
    return c->bad ? 0 : number;
}

uint64_t cursor_u64(struct cursor *c)
{
    return cursor_le(c, 8);
}

float cursor_f32(struct cursor *c)
{
    uint32_t bits = cursor_u32(c);
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

double cursor_f64(struct cursor *c)
{
    uint64_t bits = cursor_le(c, 8);
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

struct str cursor_str(struct cursor *c)
{
    size_t len = cursor_u32(c);
    struct str s;

    if (c->bad || c->rest.len < len) {
        c->bad = true;
        return STR("");
    }
    s = str_sub(c->rest, 0, len);
    c->rest = str_sub(c->rest, len, c->rest.len);
    return s;
}
