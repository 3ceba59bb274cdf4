/* url_host.c - the host parser of the WHATWG URL standard.
 *
 * In: the host as it stands in a URL. Out: its one serialised form.
 *
 *   "[" ... "]"     ipv6_parse -> ipv6_write   compressed, lower case
 *   ASCII           lower case, checked byte by byte     (nearly every host)
 *   anything else   percent-decoded, then label by label through libidn2
 *   last label is a number: ipv4_parse -> dotted decimal
 *
 * An ASCII host is only lowered, as the standard says: its xn-- labels are not
 * decoded. libidn2 knows UTS46 mapping, but its nontransitional mode adds the
 * stricter rules of IDNA2008 (no symbols, no CONTEXTO) and an old Unicode. We
 * bend it in three ways: (1) labels go through one by one, ASCII ones not at all,
 * so that hyphens and lengths of those are free (CheckHyphens and
 * VerifyDnsLength are false in the standard); (2) a label refused for IDNA2008's
 * reasons is tried again transitionally, where it has none of the four characters
 * that mode changes and nothing written from right to left (that mode has no bidi
 * rule); (3) the few characters whose mapping changed since are
 * replaced first. Limit: a label that is not ASCII and has hyphens in its third
 * and fourth place or at an end, or more than 63 bytes, is refused.
 *
 * Source: https://url.spec.whatwg.org/#host-parsing, UTS46.
 * SPDX-License-Identifier: MIT
 */
#include "parse/url_host.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <idn2.h>
#include <stdio.h>

#define LABEL_MAX 256 /* bytes of one label before mapping; DNS allows 63 after it */

/* ---- IPv4 ---------------------------------------------------------------- */

/* Reads a decimal, octal (0...) or hexadecimal (0x...) number. Returns false if it is not a number.
 * Values beyond 32 bits saturate. */
static bool ipv4_number(struct str s, uint64_t *ret)
{
    unsigned base = 10;
    uint64_t v = 0;

    if (s.len == 0)
        return false;
    if (s.len >= 2 && s.ptr[0] == '0' && (s.ptr[1] | 32) == 'x') {
        base = 16;
        s = str_sub(s, 2, s.len);
    } else if (s.len >= 2 && s.ptr[0] == '0') {
        base = 8;
        s = str_sub(s, 1, s.len);
    }
    for (size_t i = 0; i < s.len; i++) {
        int d = ascii_hex(s.ptr[i]);
        if (d < 0 || (unsigned)d >= base)
            return false;
        v = v * base + (unsigned)d;
        if (v > UINT32_MAX)
            v = (uint64_t)UINT32_MAX + 1;
    }
    *ret = v;
    return true;
}

/* The standard's "ends in a number": the last label (apart from a final dot) is all
 * digits, or a hexadecimal number. */
static bool ipv4_is_meant(struct str host)
{
    size_t from;
    uint64_t unused;
    bool digits = true;

    if (host.len > 1 && host.ptr[host.len - 1] == '.')
        host.len--;
    for (from = host.len; from > 0 && host.ptr[from - 1] != '.'; from--)
        digits = digits && ascii_is_digit(host.ptr[from - 1]);
    host = str_sub(host, from, host.len);
    if (host.len == 0 || !ascii_is_digit(host.ptr[0]))
        return false;
    return digits || ipv4_number(host, &unused);
}

static size_t ipv4_parse(struct str host, char *ret)
{
    uint64_t parts[4], address = 0;
    size_t n = 0;
    struct str part;

    if (host.ptr[host.len - 1] == '.')
        host.len--;
    if (host.len && host.ptr[host.len - 1] == '.')
        return 0;
    while (str_cut(&host, '.', &part))
        if (n == 4 || !ipv4_number(part, &parts[n++]))
            return 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (parts[i] > 255)
            return 0;
        address |= parts[i] << (24 - 8 * i);
    }
    if (n == 0 || parts[n - 1] >= UINT64_C(1) << (8 * (5 - n)))
        return 0;
    address |= parts[n - 1];
    return (size_t)snprintf(ret, URL_HOST_MAX, "%u.%u.%u.%u", (unsigned)(address >> 24),
                            (unsigned)(address >> 16 & 255), (unsigned)(address >> 8 & 255),
                            (unsigned)(address & 255));
}

/* ---- IPv6 ---------------------------------------------------------------- */

/* Reads four decimal parts at the end of an IPv6 address into two pieces. Here no
 * part may have a leading zero. */
static bool ipv6_tail(struct str s, uint16_t *ret)
{
    unsigned bytes[4];
    size_t n = 0;
    struct str part;

    if (s.len == 0 || s.ptr[s.len - 1] == '.')
        return false;
    while (str_cut(&s, '.', &part)) {
        uint64_t v;
        if (n == 4 || part.len > 3 || !str_to_u64(part, &v) || v > 255 ||
            (part.len > 1 && part.ptr[0] == '0'))
            return false;
        bytes[n++] = (unsigned)v;
    }
    if (n != 4)
        return false;
    ret[0] = (uint16_t)(bytes[0] << 8 | bytes[1]);
    ret[1] = (uint16_t)(bytes[2] << 8 | bytes[3]);
    return true;
}

/* Reads up to four hex digits at *at. */
static unsigned ipv6_piece(struct str s, size_t *at)
{
    unsigned v = 0;
    size_t end = *at + 4;

    for (; *at < s.len && *at < end && ascii_hex(s.ptr[*at]) >= 0; ++*at)
        v = v * 16 + (unsigned)ascii_hex(s.ptr[*at]);
    return v;
}

/* Reads the pieces; *ret_gap is the place of "::", or 8 if there is none. Returns
 * false if it is not an address. */
static bool ipv6_pieces(struct str s, uint16_t piece[8], size_t *ret_n, size_t *ret_gap)
{
    size_t at = 0, n = 0, gap = 8;

    if (s.len && s.ptr[0] == ':') {
        if (s.len < 2 || s.ptr[1] != ':')
            return false;
        at = 2;
        gap = 0;
    }
    while (at < s.len) {
        size_t from = at;
        if (n == 8)
            return false;
        if (s.ptr[at] == ':') {
            if (gap != 8)
                return false;
            gap = n;
            at++;
            continue;
        }
        piece[n] = (uint16_t)ipv6_piece(s, &at);
        if (at < s.len && s.ptr[at] == '.') {
            if (n > 6 || !ipv6_tail(str_sub(s, from, s.len), piece + n))
                return false;
            n += 2;
            break;
        }
        if (at == from)
            return false;
        n++;
        if (at < s.len && (s.ptr[at++] != ':' || at == s.len))
            return false;
    }
    *ret_n = n;
    *ret_gap = gap;
    return gap != 8 ? n < 8 : n == 8;
}

/* Returns the longest run of at least two zero pieces, the first of equal ones; 8 if
 * there is none. */
static size_t ipv6_zeros(const uint16_t piece[8], size_t *ret_len)
{
    size_t best = 8, best_len = 1;

    for (size_t i = 0, n; i < 8; i += n ? n : 1) {
        for (n = 0; i + n < 8 && piece[i + n] == 0; n++)
            ;
        if (n > best_len) {
            best = i;
            best_len = n;
        }
    }
    *ret_len = best_len;
    return best;
}

static size_t ipv6_write(const uint16_t piece[8], char *ret)
{
    size_t skip, zeros = ipv6_zeros(piece, &skip), len = 0;

    ret[len++] = '[';
    for (size_t i = 0; i < 8; i++) {
        if (i == zeros) {
            len += (size_t)snprintf(ret + len, 4, i == 0 ? "::" : ":");
            i += skip - 1;
            continue;
        }
        len += (size_t)snprintf(ret + len, 8, i < 7 ? "%x:" : "%x", piece[i]);
    }
    ret[len++] = ']';
    return len;
}

static size_t ipv6_parse(struct str s, char *ret)
{
    uint16_t piece[8] = {0};
    size_t n, gap;

    if (!ipv6_pieces(s, piece, &n, &gap))
        return 0;
    if (gap != 8) {
        memmove(piece + gap + (8 - n), piece + gap, (n - gap) * sizeof *piece);
        memset(piece + gap, 0, (8 - n) * sizeof *piece);
    }
    return ipv6_write(piece, ret);
}

/* ---- names --------------------------------------------------------------- */

/* The standard's forbidden domain code points. */
static const bool forbidden[256] = {
    [0 ... ' '] = true, ['#'] = true, ['%'] = true, ['/'] = true,  [':'] = true,
    ['<'] = true,       ['>'] = true, ['?'] = true, ['@'] = true,  ['['] = true,
    [']'] = true,       ['^'] = true, ['|'] = true, ['\\'] = true, [0x7f] = true};

/* Lowers an ASCII name and checks it. Returns 0 if a byte is forbidden. */
static size_t name_lower(struct str s, char *ret)
{
    for (size_t i = 0; i < s.len; i++) {
        if (forbidden[(unsigned char)s.ptr[i]])
            return 0;
        ret[i] = ascii_lower(s.ptr[i]);
    }
    return s.len;
}

/* Characters that newer Unicode maps differently from libidn2 2.3 (Unicode 15.1 and 16; the last
 * five are normalization corrections). `to` 0: ignored. */
static const struct {
    uint32_t first, last, to;
} idna_newer[] = {
    {0x4c0, 0x4c0, 0x4cf},       {0x10a0, 0x10c5, 0x2d00},   {0x180e, 0x180e, 0},
    {0x1e9e, 0x1e9e, 0xdf},      {0x206a, 0x206f, 0},        {0x2132, 0x2132, 0x214e},
    {0x2183, 0x2183, 0x2184},    {0x2f868, 0x2f868, 0x36fc}, {0x2f874, 0x2f874, 0x5f53},
    {0x2f91f, 0x2f91f, 0x243ab}, {0x2f95f, 0x2f95f, 0x7aee}, {0x2f9bf, 0x2f9bf, 0x45d7},
};

static uint32_t idna_replace(uint32_t cp)
{
    for (size_t i = 0; i < ARRAY_LEN(idna_newer); i++)
        if (cp >= idna_newer[i].first && cp <= idna_newer[i].last)
            return idna_newer[i].to ? idna_newer[i].to + (cp - idna_newer[i].first) : 0;
    return cp;
}

/* Must this character not go through transitional processing? True for deviation characters and the
 * blocks of scripts written from right to left. */
static bool idna_is_strict(uint32_t cp)
{
    return cp == 0xdf || cp == 0x3c2 || cp == 0x200c || cp == 0x200d ||
           (cp >= 0x590 && cp <= 0x8ff) || (cp >= 0xfb1d && cp <= 0xfdff) ||
           (cp >= 0xfe70 && cp <= 0xfeff) || (cp >= 0x10800 && cp <= 0x10fff) ||
           (cp >= 0x1e800 && cp <= 0x1efff);
}

static bool idna_is_dot(uint32_t cp)
{
    return cp == '.' || cp == 0x3002 || cp == 0xff0e || cp == 0xff61;
}

/* One label, prepared for libidn2. */
struct idna_label {
    char text[LABEL_MAX + 5];
    size_t len;
    bool ascii;  /* as written */
    bool strict; /* no second, transitional try */
};

/* Reads the label at *at and moves *at past its dot. Returns false if it is too long or has bad
 * bytes. *ret_dot: a dot ended it. */
static bool idna_next(struct str host, size_t *at, struct idna_label *ret, bool *ret_dot)
{
    *ret = (struct idna_label){.ascii = true};
    *ret_dot = false;
    while (*at < host.len) {
        uint32_t cp = utf8_next(host, at);
        if (idna_is_dot(cp)) {
            *ret_dot = true;
            break;
        }
        if (cp == UTF8_BAD || cp == 0 || ret->len > LABEL_MAX)
            return false;
        ret->ascii = ret->ascii && cp < 0x80;
        cp = idna_replace(cp);
        ret->strict = ret->strict || idna_is_strict(cp);
        if (cp)
            ret->len += utf8_put(cp, ret->text + ret->len);
    }
    ret->text[ret->len] = '\0';
    return true;
}

/* Appends one label in ASCII at ret + len. Returns the new length, or 0. */
static size_t idna_label_put(const struct idna_label *label, char *ret, size_t len)
{
    struct str text = {label->text, label->len};
    char *ascii = NULL;
    int rc;

    if (label->ascii && !str_starts_i(text, STR("xn--"))) {
        if (len + text.len > URL_HOST_MAX - 2)
            return 0;
        memcpy(ret + len, text.ptr, text.len);
        return len + text.len;
    }
    if (text.len == 0) /* only ignored characters */
        return len;
    rc = idn2_to_ascii_8z(text.ptr, &ascii, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
    if (!label->strict && (rc == IDN2_DISALLOWED || rc == IDN2_CONTEXTO || rc == IDN2_UNASSIGNED))
        rc = idn2_to_ascii_8z(text.ptr, &ascii, IDN2_TRANSITIONAL | IDN2_NFC_INPUT);
    if (rc == IDN2_MALLOC)
        mem_out();
    if (rc != IDN2_OK)
        return 0;
    text = str_of(ascii);
    if (len + text.len > URL_HOST_MAX - 2) {
        idn2_free(ascii);
        return 0;
    }
    memcpy(ret + len, text.ptr, text.len);
    idn2_free(ascii);
    return len + text.len;
}

/* Domain to ASCII. The caller checks and lowers the result. */
static size_t idna_to_ascii(struct str host, char *ret)
{
    struct idna_label label;
    size_t at = 0, len = 0;
    bool dot = true;

    while (at < host.len) {
        size_t before = len;
        if (!idna_next(host, &at, &label, &dot))
            return 0;
        len = idna_label_put(&label, ret, len);
        if (len == 0 && (before || label.len))
            return 0;
        if (dot && len >= URL_HOST_MAX - 1)
            return 0;
        if (dot)
            ret[len++] = '.';
    }
    return len;
}

/* Percent-decodes. Sets *ret_ascii if no byte is above 127. */
static size_t name_unescape(struct str raw, char *ret, bool *ret_ascii)
{
    size_t len = 0;

    *ret_ascii = true;
    for (size_t i = 0; i < raw.len; i++) {
        char c = raw.ptr[i];
        if (c == '%' && i + 2 < raw.len && ascii_hex(raw.ptr[i + 1]) >= 0 &&
            ascii_hex(raw.ptr[i + 2]) >= 0) {
            c = (char)(ascii_hex(raw.ptr[i + 1]) * 16 + ascii_hex(raw.ptr[i + 2]));
            i += 2;
        }
        if (c & 0x80)
            *ret_ascii = false;
        ret[len++] = c;
    }
    return len;
}

static bool needs_decoding(struct str raw)
{
    for (size_t i = 0; i < raw.len; i++)
        if (raw.ptr[i] & 0x80 || raw.ptr[i] == '%')
            return true;
    return false;
}

size_t url_host_parse(struct str raw, char *ret)
{
    char decoded[URL_HOST_MAX], mapped[URL_HOST_MAX];
    struct str host = raw;
    bool ascii = true;
    size_t len;

    if (raw.len == 0 || raw.len >= URL_HOST_MAX)
        return 0;
    if (raw.ptr[0] == '[')
        return raw.ptr[raw.len - 1] == ']' ? ipv6_parse(str_sub(raw, 1, raw.len - 1), ret) : 0;
    if (needs_decoding(raw)) {
        host = (struct str){decoded, name_unescape(raw, decoded, &ascii)};
        if (!ascii)
            host = (struct str){mapped, idna_to_ascii(host, mapped)};
    }
    len = name_lower(host, ret);
    if (len && ipv4_is_meant((struct str){ret, len})) {
        memcpy(decoded, ret, len);
        return ipv4_parse((struct str){decoded, len}, ret);
    }
    return len;
}
