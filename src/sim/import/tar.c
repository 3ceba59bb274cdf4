/* tar.c - reading tar archives, one entry at a time.
 *
 * In: chunks of bytes. Out: names, sizes, contents. An archive is blocks of 512
 * bytes: a header, its content padded to a block, …, two blocks of zeros (one
 * will do). A header of type L, x or g does not name a file but says something
 * about the next one.
 *
 *     header   name 0-99, size 124-135, checksum 148-155, type 156,
 *              magic 257-262, prefix 345-499 (POSIX only)
 *
 * Source: POSIX.1-2001 pax, and the GNU tar manual's chapter on its format.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/tar.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

#define BLOCK 512

struct tar {
    tar_source_fn *source;
    void *ctx;
    struct str chunk;  /* what is left of the last one */
    uint64_t left;     /* bytes of the entry not taken yet */
    uint64_t padding;  /* zeros behind it */
    struct buf name;   /* of the entry */
    struct buf extra;  /* content of an L or x header */
    bool has_name;     /* an extra header named the next entry */
    bool has_size;     /* and gave its size */
    uint64_t size;     /* that one */
    bool ended, begun; /* the end mark was met; a header was read */
};

struct tar *tar_new(tar_source_fn *source, void *ctx)
{
    struct tar *t = MEM_NEW(struct tar);

    t->source = source;
    t->ctx = ctx;
    t->chunk = (struct str){"", 0};
    buf_init(&t->name, LIMIT_TAR_NAME);
    buf_init(&t->extra, LIMIT_TAR_EXTRA);
    return t;
}

void tar_free(struct tar *t)
{
    if (t == NULL)
        return;
    buf_free(&t->name);
    buf_free(&t->extra);
    free(t);
}

/* ---- bytes --------------------------------------------------------------- */

/* Up to `max` bytes, at least one; none at the end. */
static enum status take(struct tar *t, uint64_t max, struct str *ret)
{
    enum status st = ST_OK;

    if (t->chunk.len == 0)
        st = t->source(t->ctx, &t->chunk);
    if (st != ST_OK)
        return st;
    *ret = str_sub(t->chunk, 0, max < t->chunk.len ? (size_t)max : t->chunk.len);
    t->chunk = str_sub(t->chunk, ret->len, t->chunk.len);
    return ST_OK;
}

static enum status cut_short(void)
{
    return status_fail(ST_CORRUPT, "the archive ends early");
}

static enum status skip(struct tar *t, uint64_t len)
{
    struct str part;
    enum status st = ST_OK;

    while (st == ST_OK && len > 0) {
        st = take(t, len, &part);
        if (st == ST_OK && part.len == 0)
            st = cut_short();
        else if (st == ST_OK)
            len -= part.len;
    }
    return st;
}

/* A whole block; *ret_end where there is not one byte more. */
static enum status take_block(struct tar *t, char ret[BLOCK], bool *ret_end)
{
    struct str part;
    size_t have = 0;
    enum status st = ST_OK;

    *ret_end = false;
    while (st == ST_OK && have < BLOCK) {
        st = take(t, BLOCK - have, &part);
        if (st == ST_OK && part.len == 0) {
            *ret_end = have == 0;
            return have == 0 ? ST_OK : cut_short();
        }
        if (st == ST_OK)
            memcpy(ret + have, part.ptr, part.len);
        have += st == ST_OK ? part.len : 0;
    }
    return st;
}

enum status tar_read(struct tar *t, struct buf *out)
{
    struct str part;
    enum status st = ST_OK;

    if (t->left > out->max - out->len)
        return status_fail(ST_LIMIT, "%.*s is larger than %zu bytes", STR_ARG(buf_str(&t->name)),
                           out->max);
    while (st == ST_OK && t->left > 0) {
        st = take(t, t->left, &part);
        if (st == ST_OK && part.len == 0)
            st = cut_short();
        if (st == ST_OK) {
            t->left -= part.len;
            buf_add_str(out, part);
            st = buf_check(out);
        }
    }
    return st;
}

/* ---- headers ------------------------------------------------------------- */

/* Octal digits with blanks around, or base 256 where the first bit is set. */
static bool read_number(struct str field, uint64_t *ret)
{
    uint64_t n = 0;
    size_t i = 0;

    if (field.ptr[0] & '\x80') {
        for (i = 1; i < field.len; i++) {
            if (n >> 55)
                return false;
            n = n << 8 | (unsigned char)field.ptr[i];
        }
        *ret = n;
        return field.ptr[0] == '\x80';
    }
    while (i < field.len && field.ptr[i] == ' ')
        i++;
    for (; i < field.len && field.ptr[i] >= '0' && field.ptr[i] <= '7'; i++) {
        if (n >> 60)
            return false;
        n = n << 3 | (uint64_t)(field.ptr[i] - '0');
    }
    *ret = n;
    return i == field.len || field.ptr[i] == ' ' || field.ptr[i] == '\0';
}

static bool checksum_holds(const char block[BLOCK])
{
    uint64_t said = 0, sum = 0;

    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : (unsigned char)block[i];
    return read_number((struct str){block + 148, 8}, &said) && said == sum;
}

static bool is_zero(const char block[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++)
        if (block[i])
            return false;
    return true;
}

static struct str text_field(const char *at, size_t max)
{
    struct str s = {at, max};

    return str_sub(s, 0, str_find_char(s, '\0', 0));
}

static enum status set_name(struct tar *t, struct str name)
{
    buf_clear(&t->name);
    t->name.full = false;
    buf_add_str(&t->name, name);
    return buf_check(&t->name);
}

static enum status read_name(struct tar *t, const char block[BLOCK])
{
    struct str prefix = text_field(block + 345, 155);
    enum status st;

    if (t->has_name)
        return ST_OK;
    st = set_name(t, memcmp(block + 257, "ustar\0", 6) == 0 ? prefix : STR(""));
    if (st != ST_OK)
        return st;
    if (t->name.len)
        buf_add_char(&t->name, '/');
    buf_add_str(&t->name, text_field(block, 100));
    return buf_check(&t->name);
}

/* The records "LEN key=value\n" of a pax header. */
static enum status read_pax(struct tar *t)
{
    struct str rest = buf_str(&t->extra), number, key, record;
    enum status st = ST_OK;
    uint64_t len;

    while (st == ST_OK && rest.len > 0) {
        size_t space = str_find_char(rest, ' ', 0);

        number = str_sub(rest, 0, space);
        if (space == SIZE_MAX || !str_to_u64(number, &len) || len <= space + 1 || len > rest.len)
            return status_fail(ST_CORRUPT, "a pax header is broken");
        record = str_sub(rest, space + 1, (size_t)len - 1);
        rest = str_sub(rest, (size_t)len, rest.len);
        if (!str_cut(&record, '=', &key))
            continue;
        if (str_eq(key, STR("path"))) {
            st = set_name(t, record);
            t->has_name = true;
        } else if (str_eq(key, STR("size"))) {
            t->has_size = str_to_u64(record, &t->size);
        }
    }
    return st;
}

/* A header about the next one: L (its name), x (pax). Others are passed over. */
static enum status read_extra(struct tar *t, char type)
{
    enum status st;

    buf_clear(&t->extra);
    if (t->left > t->extra.max)
        return status_fail(ST_LIMIT, "an extra header is larger than %zu bytes", t->extra.max);
    st = tar_read(t, &t->extra);
    if (st == ST_OK && type == 'L') {
        st = set_name(t, text_field(t->extra.data ? t->extra.data : "", t->extra.len));
        t->has_name = true;
    } else if (st == ST_OK && type == 'x') {
        st = read_pax(t);
    }
    return st;
}

static enum status read_header(struct tar *t, char block[BLOCK])
{
    bool end = false;
    uint64_t size;
    enum status st = skip(t, t->left);

    if (st == ST_OK)
        st = skip(t, t->padding);
    t->left = t->padding = 0;
    if (st == ST_OK)
        st = take_block(t, block, &end);
    if (st != ST_OK)
        return st;
    if (end)
        return status_fail(ST_CORRUPT, "%s",
                           t->begun ? "the archive ends without its end mark: it was cut"
                                    : "the archive is empty");
    if (is_zero(block)) {
        t->ended = true;
        return ST_MISSING;
    }
    if (!checksum_holds(block) || !read_number((struct str){block + 124, 12}, &size) ||
        size > (uint64_t)1 << 53)
        return status_fail(ST_CORRUPT, t->begun ? "a header is broken" : "it is no tar archive");
    t->begun = true;
    t->left = size;
    t->padding = (BLOCK - size % BLOCK) % BLOCK;
    return ST_OK;
}

enum status tar_next(struct tar *t, struct tar_entry *ret)
{
    char block[BLOCK];
    enum status st;

    t->has_name = t->has_size = false;
    if (t->ended)
        return ST_MISSING;
    for (;;) {
        st = read_header(t, block);
        if (st != ST_OK)
            return st;
        if (strchr("LKxg", block[156]) == NULL || block[156] == '\0')
            break;
        st = read_extra(t, block[156]);
        if (st != ST_OK)
            return st;
    }
    st = read_name(t, block);
    if (st != ST_OK)
        return status_fail(st, "a name is longer than %zu bytes", t->name.max);
    if (t->has_size && t->size <= (uint64_t)1 << 53) {
        t->left = t->size;
        t->padding = (BLOCK - t->size % BLOCK) % BLOCK;
    }
    /* old archives write no type, and folders as names that end in '/' */
    *ret = (struct tar_entry){.name = buf_str(&t->name),
                              .size = t->left,
                              .is_file = (block[156] == '0' || block[156] == '\0') &&
                                         !str_ends(buf_str(&t->name), STR("/"))};
    while (str_starts(ret->name, STR("./")))
        ret->name = str_sub(ret->name, 2, ret->name.len);
    return ST_OK;
}
