/* buf.h - a growing byte buffer with a ceiling.
 *
 * Everything that a peer can make us store goes through one of these. A buffer
 * never holds more than `max` bytes: the call that would pass it adds nothing and
 * marks the buffer `full`, and later calls add nothing either. So a chain of
 * additions is checked once, at its end, by buf_check(). A large addition for which
 * there is no memory is refused in the same way (base/mem.h).
 *
 * The bytes are always followed by a NUL that `len` does not count.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"
#include <stdarg.h>

struct buf {
    char *data; /* NULL until the first addition */
    size_t len; /* bytes in use */
    size_t cap; /* bytes allocated */
    size_t max; /* ceiling of len */
    bool full;  /* an addition was refused */
};

/* An empty buffer for at most `max` bytes; allocates nothing. */
#define BUF_INIT(ceiling) ((struct buf){.max = (ceiling)})

/* A buffer that is freed where its block ends: LOCAL_BUF path = BUF_INIT(4096); */
#define LOCAL_BUF         __attribute__((cleanup(buf_free))) struct buf

void buf_init(struct buf *b, size_t max);
void buf_free(struct buf *b);  /* frees the memory; may be filled again */
void buf_clear(struct buf *b); /* empties it, keeps the memory */

void buf_add(struct buf *b, const void *data, size_t len);
void buf_add_str(struct buf *b, struct str s);
void buf_add_z(struct buf *b, const char *z);
void buf_add_char(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_addv(struct buf *b, const char *fmt, va_list args);

/* A quoted cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula (it
 * begins with = + - @, a tab or a return) gets an apostrophe in front, which a
 * spreadsheet reads as "this is text". */
void buf_add_csv(struct buf *b, struct str text);

/* Returns ST_LIMIT, with a sentence, if an addition was refused. */
enum status buf_check(const struct buf *b) MUST_USE;

/* Returns room for `len` more bytes, or NULL if the ceiling forbids it. The caller writes there and
 * then adds what it wrote to b->len. */
char *buf_room(struct buf *b, size_t len);

/* Little-endian numbers and length-prefixed strings, for checkpoints. */
void buf_put_u8(struct buf *b, uint8_t v);
void buf_put_u32(struct buf *b, uint32_t v);
void buf_put_u64(struct buf *b, uint64_t v);
void buf_put_f32(struct buf *b, float v);
void buf_put_f64(struct buf *b, double v);
void buf_put_str(struct buf *b, struct str s);

/* The contents, borrowed until the next addition. */
static inline struct str buf_str(const struct buf *b)
{
    return (struct str){b->data ? b->data : "", b->len};
}

/* Gives the caller the memory (free() it); the buffer is empty afterwards. */
char *buf_take(struct buf *b, size_t *ret_len);

/* The reading side of buf_put_*: a cursor that never passes the end. A read beyond the end sets
 * `bad`; from then on every value is 0 or empty. */
struct cursor {
    struct str rest;
    uint32_t most; /* the largest number that cursor_number() accepts; 0: any */
    bool bad;
};

uint8_t cursor_u8(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint32_t cursor_number(struct cursor *c); /* a number that may become an array index */
uint64_t cursor_u64(struct cursor *c);
float cursor_f32(struct cursor *c);
double cursor_f64(struct cursor *c);
struct str cursor_str(struct cursor *c);
