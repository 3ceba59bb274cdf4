/* charset.c - from bytes in some encoding to UTF-8.
 *
 * In: bytes and an encoding. Out: UTF-8. Three ways: valid UTF-8 is handed back
 * as it is; encodings of one byte a character go through a table of 256
 * characters, which iconv fills once; the rest goes through iconv, whose
 * converter is kept for the next page of the same encoding.
 *
 * Bad bytes become U+FFFD; a byte 80..9f without a meaning in a windows code
 * page is the control character of that number, as the standard says.
 *
 * Workload: 95 of 100 pages are UTF-8; a check of 28 KB must cost 2 us.
 * Source: WHATWG Encoding. SPDX-License-Identifier: MIT
 */
#include "parse/charset.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <uchardet/uchardet.h>

#define BAD      "\xef\xbf\xbd"
#define NO_ICONV ((iconv_t)-1)

struct charset_reader {
    const struct charset *converts; /* what `converter` converts from */
    iconv_t converter;              /* or NO_ICONV */
    const struct charset *maps;     /* what `map` maps from */
    char map[256][4];               /* UTF-8, up to 3 bytes */
    uint8_t map_len[256];           /* bytes */
    uchardet_t detector;            /* made when first needed */
    struct buf out;                 /* the last text */
};

struct charset_reader *charset_reader_new(void)
{
    struct charset_reader *r = MEM_NEW(struct charset_reader);

    r->converter = NO_ICONV;
    buf_init(&r->out, 3 * LIMIT_DECODED);
    return r;
}

void charset_reader_free(struct charset_reader *r)
{
    if (r == NULL)
        return;
    if (r->converter != NO_ICONV)
        iconv_close(r->converter);
    if (r->detector != NULL)
        uchardet_delete(r->detector);
    buf_free(&r->out);
    free(r);
}

/* ---- UTF-8 ------------------------------------------------------------------ */

/* The first byte that is not ASCII at or after `at`. */
static size_t skip_ascii(struct str s, size_t at)
{
    uint64_t four[4];

    for (; at + sizeof four <= s.len; at += sizeof four) {
        memcpy(four, s.ptr + at, sizeof four);
        if ((four[0] | four[1] | four[2] | four[3]) & UINT64_C(0x8080808080808080))
            break;
    }
    while (at < s.len && (unsigned char)s.ptr[at] < 0x80)
        at++;
    return at;
}

/* The first ill-formed byte at or after `at`, or the length. */
static size_t find_ill_formed(struct str s, size_t at)
{
    while ((at = skip_ascii(s, at)) < s.len) {
        size_t from = at;

        if (utf8_next(s, &at) == UTF8_BAD && (at - from != 3 || memcmp(s.ptr + from, BAD, 3) != 0))
            return from;
    }
    return s.len;
}

static struct str decode_utf8(struct charset_reader *r, struct str bytes)
{
    size_t at = 0, bad = find_ill_formed(bytes, 0);

    if (bad == bytes.len)
        return bytes;
    while (bad < bytes.len) {
        buf_add(&r->out, bytes.ptr + at, bad - at);
        buf_add(&r->out, BAD, 3);
        at = bad;
        utf8_next(bytes, &at);
        bad = find_ill_formed(bytes, at);
    }
    buf_add(&r->out, bytes.ptr + at, bad - at);
    return buf_str(&r->out);
}

/* ---- tables ------------------------------------------------------------------- */

/* Returns NO_ICONV if the system does not have the encoding. Limit: also if the process
 * has no file descriptor left. */
static iconv_t open_iconv(const struct charset *c)
{
    iconv_t cd = iconv_open("UTF-8", c->iconv);

    if (cd == NO_ICONV && errno == ENOMEM)
        mem_out();
    return cd;
}

static void map_fill(struct charset_reader *r, const struct charset *c)
{
    iconv_t cd = c->form == CHARSET_SINGLE ? open_iconv(c) : NO_ICONV;

    for (unsigned b = 0; b < 256; b++) {
        char byte = (char)b, *in = &byte, *out = r->map[b];
        size_t in_left = 1, out_left = 4;

        if (c->form == CHARSET_USER && b >= 0x80)
            out += utf8_put(0xf700 + b, out);
        else if (b < 0x80)
            *out++ = byte;
        else if (cd == NO_ICONV || iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1 ||
                 out == r->map[b])
            out = r->map[b] + utf8_put(b < 0xa0 ? b : UTF8_BAD, r->map[b]);
        r->map_len[b] = (uint8_t)(out - r->map[b]);
    }
    if (cd != NO_ICONV)
        iconv_close(cd);
    else if (c->form == CHARSET_SINGLE)
        c = NULL; /* tried again for the next page: the shortage of memory may be brief */
    r->maps = c;
}

static struct str decode_single(struct charset_reader *r, const struct charset *c, struct str bytes)
{
    size_t at = 0;
    char *out;

    if (r->maps != c)
        map_fill(r, c);
    while (at < bytes.len) {
        size_t high = skip_ascii(bytes, at);

        buf_add(&r->out, bytes.ptr + at, high - at);
        for (at = high; at < bytes.len && (bytes.ptr[at] & 0x80); at++) {
            unsigned char b = (unsigned char)bytes.ptr[at];

            out = buf_room(&r->out, 4);
            if (out == NULL)
                return buf_str(&r->out);
            memcpy(out, r->map[b], 4);
            r->out.len += r->map_len[b];
        }
    }
    return buf_str(&r->out);
}

/* ---- iconv --------------------------------------------------------------------- */

/* How many bytes to skip after an error: never an ASCII byte that follows a bad lead byte. */
static size_t bad_length(const struct charset *c, const char *in, size_t left)
{
    size_t unit = c->form == CHARSET_WIDE_16 ? 2 : c->form == CHARSET_WIDE_32 ? 4 : 1;

    if (c->form == CHARSET_DOUBLE && left > 1 && in[0] & 0x80 && in[1] & 0x80)
        unit = 2;
    return unit < left ? unit : left;
}

static bool converter_open(struct charset_reader *r, const struct charset *c)
{
    if (r->converts != c || r->converter == NO_ICONV) {
        if (r->converter != NO_ICONV)
            iconv_close(r->converter);
        r->converter = open_iconv(c);
        r->converts = c;
    }
    if (r->converter == NO_ICONV)
        return false;
    iconv(r->converter, NULL, NULL, NULL, NULL);
    return true;
}

#define ICONV_PART KIB(64) /* input at once, so that room for the result grows in small steps too */

static struct str decode_iconv(struct charset_reader *r, const struct charset *c, struct str bytes)
{
    char *in = (char *)bytes.ptr;
    size_t left = bytes.len;

    if (!converter_open(r, c))
        return decode_single(r, charset_of_label(STR("windows-1252")), bytes);
    while (left > 0) {
        size_t given = left < ICONV_PART ? left : ICONV_PART, part = given, done, bad;
        size_t room = given + given / 2 + 64, out_left = room;
        char *out = buf_room(&r->out, room), *start = out;

        if (out == NULL)
            break;
        done = iconv(r->converter, &in, &part, &out, &out_left);
        r->out.len += (size_t)(out - start);
        left -= given - part;
        if (done != (size_t)-1 || errno == E2BIG)
            continue;
        if (errno == EINVAL && part < given && part < left)
            continue; /* the character was only split by our cut */
        bad = bad_length(c, in, left);
        buf_add(&r->out, BAD, 3);
        in += bad;
        left -= bad;
    }
    return buf_str(&r->out);
}

struct str charset_decode(struct charset_reader *r, const struct charset *c, struct str bytes)
{
    buf_clear(&r->out);
    if (r->out.cap > MIB(4))
        buf_free(&r->out); /* do not keep the memory of one giant page */
    switch (c->form) {
    case CHARSET_UTF8:
        return decode_utf8(r, bytes);
    case CHARSET_SINGLE:
    case CHARSET_USER:
        return decode_single(r, c, bytes);
    case CHARSET_NOTHING:
        return bytes.len ? STR(BAD) : bytes;
    default:
        return decode_iconv(r, c, bytes);
    }
}

/* ---- the decision ----------------------------------------------------------------- */

#define DETECT_BYTES KIB(64) /* given to uchardet */

/* Detects UTF-16 and UTF-32 without a byte order mark: the zeros of Latin text are in
 * fixed places. */
static const struct charset *detect_wide(struct str bytes)
{
    size_t zeros[4] = {0, 0, 0, 0}, n = bytes.len < 1024 ? bytes.len / 4 : 256;

    for (size_t i = 0; i < 4 * n; i++)
        zeros[i % 4] += bytes.ptr[i] == '\0';
    if (n < 4 || zeros[0] + zeros[1] + zeros[2] + zeros[3] < n)
        return NULL;
    if (zeros[2] + zeros[3] > 2 * n - n / 8 && zeros[1] > n / 2 && zeros[0] < n / 4)
        return charset_of_name(STR("UTF-32LE"));
    if (zeros[0] + zeros[1] > 2 * n - n / 8 && zeros[2] > n / 2 && zeros[3] < n / 4)
        return charset_of_name(STR("UTF-32BE"));
    if (zeros[1] + zeros[3] > n && zeros[0] + zeros[2] < n / 4)
        return charset_of_name(STR("UTF-16LE"));
    if (zeros[0] + zeros[2] > n && zeros[1] + zeros[3] < n / 4)
        return charset_of_name(STR("UTF-16BE"));
    return NULL;
}

static const struct charset *detect(struct charset_reader *r, struct str bytes)
{
    size_t from = skip_ascii(bytes, 0);
    const struct charset *c;
    struct str part;

    /* If the text begins with nothing but ASCII, the rest says more. */
    from = from > 1024 && from < bytes.len ? from - 1024 : 0;
    part = str_sub(bytes, from, from + DETECT_BYTES);
    if (r->detector == NULL)
        r->detector = uchardet_new();
    uchardet_reset(r->detector);
    uchardet_handle_data(r->detector, part.ptr, part.len);
    uchardet_data_end(r->detector);
    c = charset_of_name(str_of(uchardet_get_charset(r->detector)));
    return c != NULL && c->form == CHARSET_NOTHING ? NULL : c;
}

/* Decides by the bytes alone, when nothing declares an encoding. */
static const struct charset *decide_by_bytes(struct charset_reader *r, struct str bytes)
{
    const struct charset *c = charset_prescan(bytes, CHARSET_PRESCAN);
    size_t high;

    if (c == NULL && memchr(bytes.ptr, '\0', bytes.len < 1024 ? bytes.len : 1024))
        c = detect_wide(bytes);
    if (c != NULL)
        return c;
    high = skip_ascii(bytes, 0);
    if (high == bytes.len && memchr(bytes.ptr, '\x1b', bytes.len) == NULL)
        return charset_of_label(STR("utf-8"));
    c = charset_prescan(bytes, CHARSET_LATE);
    if (c == NULL && high < bytes.len && find_ill_formed(bytes, high) == bytes.len)
        c = charset_of_label(STR("utf-8"));
    return c != NULL ? c : detect(r, bytes);
}

const struct charset *charset_decide(struct charset_reader *r, struct str bytes,
                                     struct str header_label, size_t *ret_bom)
{
    const struct charset *c = charset_of_bom(bytes, ret_bom);

    if (c != NULL)
        return c;
    *ret_bom = 0;
    if (header_label.len)
        c = charset_of_label(header_label);
    if (c == NULL)
        c = bytes.len ? decide_by_bytes(r, bytes) : charset_of_label(STR("utf-8"));
    return c != NULL ? c : charset_of_label(STR("windows-1252"));
}
