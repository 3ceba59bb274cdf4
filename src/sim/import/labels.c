/* import_labels.c - which labels a page has, by the file the user gave.
 *
 * In: lines `path or URL TAB labels`. Out: labels by path, or by URL.
 * SPDX-License-Identifier: MIT */
#include "sim/import/import_int.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "sim/import/tables.h"

#include <stdio.h>
#include <stdlib.h>

/* "FILE:12: name", for faults. */
static void note_line(struct importer *im, enum import_fault fault, uint32_t line, struct str name,
                      const char *why)
{
    struct buf text = BUF_INIT(LIMIT_URL + 4096);

    buf_addf(&text, "%s:%u: %.*s", im->config->labels, line, STR_ARG(name));
    import_note(im, fault, buf_str(&text), why);
    buf_free(&text);
}

static void add_line(struct importer *im, const struct label_row *row, uint32_t number)
{
    struct label_set *l = &im->labels;
    bool by_url =
             str_starts_i(row->name, STR("http://")) || str_starts_i(row->name, STR("https://")),
         fresh = false;
    uint64_t key = hash_str(row->name);
    struct str url;

    arena_reset(&im->urls);
    if (by_url) {
        if (!import_any_url(im, row->name, row->name, &url))
            return;
        key = url_key(url);
    }
    (void)map_at(by_url ? &l->by_url : &l->by_path, key, (uint32_t)l->count, &fresh);
    if (!fresh) {
        note_line(im, IMPORT_DUPLICATE, number, row->name, "an earlier line has labels for it");
        return;
    }
    MEM_GROW(l->lines, l->count, &l->cap);
    l->lines[l->count++] =
        (struct label_line){.name = row->name, .labels = row->labels, .line = number};
}

enum status labels_load(struct importer *im, const char *path)
{
    struct label_set *l = &im->labels;
    struct tsv table;
    struct label_row row;
    struct str line;
    enum status st = file_read(path, &l->text);

    if (st != ST_OK)
        return st;
    table = table_of(buf_str(&l->text));
    while (table_next(&table, &line)) {
        const char *why = label_row(line, &row);

        if (why)
            note_line(im, IMPORT_LINE, table.line, str_sub(line, 0, 100), why);
        else
            add_line(im, &row, table.line);
    }
    return ST_OK;
}

struct str labels_find(struct label_set *l, struct str path, struct str url)
{
    uint32_t i = path.len ? map_get(&l->by_path, hash_str(path)) : MAP_NONE;

    if (i == MAP_NONE)
        i = map_get(&l->by_url, url_key(url));
    if (i == MAP_NONE)
        return (struct str){"", 0};
    l->lines[i].used = true;
    return l->lines[i].labels;
}

void labels_check(struct importer *im)
{
    for (size_t i = 0; i < im->labels.count; i++) {
        const struct label_line *line = &im->labels.lines[i];

        if (!line->used)
            note_line(im, IMPORT_MISSING, line->line, line->name,
                      "no page has this path or URL (paths begin below --root)");
    }
}

void labels_clear(struct label_set *l)
{
    buf_free(&l->text);
    map_free(&l->by_path);
    map_free(&l->by_url);
    free(l->lines);
}
