/* lattice_read.c - a lattice out of the text that a model kept of it.
 * SPDX-License-Identifier: MIT */
#include "models/crew/lattice_read.h"

#include "base/limits.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>

static bool read_keywords(struct lattice_read *r, const json_t *words)
{
    size_t n = json_array_size(words);

    if (!json_is_array(words) || n > LIMIT_LATTICE_ATTRIBUTES)
        return false;
    r->lattice = lattice_new((unsigned)n);
    r->names = mem_zero(n + 1, sizeof *r->names);
    for (size_t i = 0; i < n; i++) {
        const json_t *word = json_array_get(words, i);

        if (!json_is_string(word))
            return false;
        r->names[i] = arena_str(&r->strings, str_of(json_string_value(word)));
    }
    return true;
}

static bool read_hex(const char *text, uint64_t *ret)
{
    size_t n = text ? strlen(text) : 0;

    if (n < 1 || n > 16)
        return false;
    *ret = 0;
    for (size_t i = 0; i < n; i++) {
        if (ascii_hex(text[i]) < 0)
            return false;
        *ret = *ret << 4 | (uint64_t)ascii_hex(text[i]);
    }
    return true;
}

static bool read_rows(struct lattice_read *r, const json_t *pages, const json_t *rows)
{
    size_t n = json_array_size(pages);
    bool good = json_is_array(pages) && json_array_size(rows) == n;

    for (size_t i = 0; good && i < n; i++) {
        const json_t *page = json_array_get(pages, i);
        uint64_t row;

        good = json_is_integer(page) &&
               read_hex(json_string_value(json_array_get(rows, i)), &row) &&
               lattice_put(r->lattice, (uint32_t)json_integer_value(page), row) == ST_OK;
    }
    return good;
}

enum status lattice_read(struct str text, struct lattice_read *ret)
{
    json_t *j = text.len <= LIMIT_LATTICE_KEPT ? json_loadb(text.ptr, text.len, 0, NULL) : NULL;
    bool good;

    *ret = (struct lattice_read){.at = json_integer_value(json_object_get(j, "at"))};
    arena_init(&ret->strings, LIMIT_LATTICE_KEPT);
    good = read_keywords(ret, json_object_get(j, "keywords")) &&
           read_rows(ret, json_object_get(j, "pages"), json_object_get(j, "rows"));
    json_decref(j);
    if (good)
        return ST_OK;
    lattice_read_clear(ret);
    return status_fail(ST_CORRUPT, "what was kept of the lattice makes no sense");
}

void lattice_read_clear(struct lattice_read *r)
{
    lattice_free(r->lattice);
    free(r->names);
    arena_free(&r->strings);
    *r = (struct lattice_read){0};
}
