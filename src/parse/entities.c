/* entities.c - character references of HTML.
 *
 * All names are alphanumeric, so the standard's longest match amounts to two
 * questions: is the whole alphanumeric run, followed by ';', a name? If not,
 * which is its longest prefix among the few names that need no semicolon? Each
 * is a look-up in a fixed hash table (entities_table.h, made by
 * tools/make-entities while building).
 *
 * Workload: some dozen references a page, mostly nbsp, amp and quot.
 * Source: WHATWG HTML 13.2.5.72-80. SPDX-License-Identifier: MIT
 */
#include "parse/entities.h"

#include "base/utf8.h"

struct entity {
    uint16_t name, value; /* offsets into the pools */
    uint8_t name_len, value_len;
    uint8_t bare; /* counts without a semicolon */
};

#include "parse/entities_table.h"

/* What the numbers 0x80 to 0x9f mean, by windows-1252; 0: the number itself. */
static const uint16_t c1_meaning[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

static bool is_alnum(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

static const struct entity *entity_find(const char *name, size_t len)
{
    uint32_t h = 0;

    for (size_t i = 0; i < len; i++)
        h = h * 33 + (unsigned char)name[i];
    for (uint32_t s = (h ^ h >> 12) % ENTITY_SLOTS; entity_slots[s]; s = (s + 1) % ENTITY_SLOTS) {
        const struct entity *e = &entities[entity_slots[s] - 1];

        if (e->name_len == len && memcmp(entity_names + e->name, name, len) == 0)
            return e;
    }
    return NULL;
}

static size_t entity_take(const struct entity *e, char *ret, size_t *ret_len)
{
    memcpy(ret, entity_values + e->value, e->value_len);
    *ret_len = e->value_len;
    return e->name_len;
}

static size_t decode_named(const char *p, const char *end, bool in_attribute, char *ret,
                           size_t *ret_len)
{
    const struct entity *e;
    size_t run = 0, room = (size_t)(end - p);

    while (run < room && run <= ENTITY_NAME_MAX && is_alnum(p[run]))
        run++;
    if (run < room && p[run] == ';' && (e = entity_find(p, run)) != NULL)
        return entity_take(e, ret, ret_len) + 1;
    for (size_t n = run < ENTITY_BARE_MAX ? run : ENTITY_BARE_MAX; n >= 2; n--) {
        e = entity_find(p, n);
        if (e == NULL || !e->bare)
            continue;
        if (in_attribute && n < room && (p[n] == '=' || is_alnum(p[n])))
            return 0;
        return entity_take(e, ret, ret_len);
    }
    return 0;
}

static size_t decode_number(const char *p, const char *end, char *ret, size_t *ret_len)
{
    const char *at = p + 1;
    uint32_t base = 10, cp = 0;
    const char *digits;

    if (at < end && (*at == 'x' || *at == 'X')) {
        base = 16;
        at++;
    }
    digits = at;
    for (; at < end; at++) {
        int digit = ascii_hex(*at);

        if (digit < 0 || (uint32_t)digit >= base)
            break;
        cp = cp > 0x10ffff ? cp : cp * base + (uint32_t)digit;
    }
    if (at == digits)
        return 0;
    if (cp == 0)
        cp = UTF8_BAD;
    else if (cp >= 0x80 && cp < 0xa0 && c1_meaning[cp - 0x80])
        cp = c1_meaning[cp - 0x80];
    *ret_len = utf8_put(cp, ret);
    return (size_t)(at - p) + (at < end && *at == ';');
}

/* Decodes the most frequent references: nine of ten in most pages. */
static inline size_t decode_usual(const char *p, const char *end, char *ret, size_t *ret_len)
{
    if (end - p < 5)
        return 0;
    if (memcmp(p, "gt;", 3) == 0 || memcmp(p, "lt;", 3) == 0) {
        *ret = *p == 'g' ? '>' : '<';
        *ret_len = 1;
        return 3;
    }
    if (memcmp(p, "amp;", 4) == 0) {
        *ret = '&';
        *ret_len = 1;
        return 4;
    }
    if (memcmp(p, "#160;", 5) == 0 || memcmp(p, "nbsp;", 5) == 0) {
        memcpy(ret, "\xc2\xa0", 2);
        *ret_len = 2;
        return 5;
    }
    return 0;
}

size_t entity_decode(const char *p, const char *end, bool in_attribute, char ret[ENTITY_VALUE_MAX],
                     size_t *ret_len)
{
    size_t used;

    if (p == end)
        return 0;
    used = decode_usual(p, end, ret, ret_len);
    if (used)
        return used;
    if (*p == '#')
        return decode_number(p, end, ret, ret_len);
    return decode_named(p, end, in_attribute, ret, ret_len);
}
