/* import_tsv.c - a manifest: which file is which URL, and its labels.
 *
 * In: lines `file TAB url TAB labels`, files below --root (or beside the
 * manifest). Out: items. SPDX-License-Identifier: MIT
 */
#include "sim/import_int.h"

#include "base/file.h"
#include "base/limits.h"
#include "sim/import_tables.h"

#include <stdio.h>
#include <stdlib.h>

struct manifest {
    struct importer *im;
    const char *name; /* of the manifest */
    struct buf root;  /* ends in '/' */
    struct buf bytes; /* of the file at hand */
};

static void set_root(struct manifest *m)
{
    struct str name = str_of(m->name);
    size_t slash = name.len;

    if (m->im->config->root) {
        (void)buf_addf(&m->root, "%s/", m->im->config->root);
        return;
    }
    while (slash > 0 && name.ptr[slash - 1] != '/')
        slash--;
    (void)buf_add_str(&m->root, slash ? str_sub(name, 0, slash) : STR("./"));
}

/* A manifest may name nothing outside its folder. */
static bool leaves_root(struct str file)
{
    struct str rest = file, part;

    if (file.ptr[0] == '/')
        return true;
    while (str_cut(&rest, '/', &part))
        if (str_eq(part, STR("..")))
            return true;
    return false;
}

static enum status on_row(struct manifest *m, const struct manifest_row *row)
{
    struct importer *im = m->im;
    struct import_item item = {.name = row->file, .path = row->file, .labels = row->labels};
    size_t root = m->root.len;
    bool read;

    arena_reset(&im->urls);
    if (leaves_root(row->file)) {
        import_note(im, IMPORT_MISSING, row->file, "it lies outside --root");
        return ST_OK;
    }
    if (!import_any_url(im, row->url, row->url, &item.url))
        return ST_OK;
    (void)buf_add_str(&m->root, row->file);
    read = import_bytes(im, m->root.data, row->file, &m->bytes);
    m->root.len = root;
    if (!read)
        return ST_OK;
    (void)import_wants(row->file, &item.type); /* named: wanted, whatever its name says */
    item.body = buf_str(&m->bytes);
    return import_file(im, &item, NULL);
}

static void note_line(struct manifest *m, uint32_t number, const char *why)
{
    struct buf text = BUF_INIT(8192);

    (void)buf_addf(&text, "%s:%u", m->name, number);
    import_note(m->im, IMPORT_LINE, buf_str(&text), why);
    buf_free(&text);
}

enum status import_tsv(struct importer *im)
{
    struct manifest m = {
        .im = im, .root = BUF_INIT(8192 + LIMIT_URL), .bytes = BUF_INIT(LIMIT_BODY)};
    struct buf text = BUF_INIT(LIMIT_IMPORT_TABLE);
    struct manifest_row row;
    struct table table;
    struct str line;
    enum status st;

    if (im->nsources != 1)
        return status_fail(ST_USAGE, "--from tsv takes one manifest, not %zu", im->nsources);
    m.name = im->sources[0];
    set_root(&m);
    st = file_read(m.name, &text);
    table = table_of(buf_str(&text));
    while (st == ST_OK && table_next(&table, &line)) {
        const char *why = manifest_row(line, &row);

        if (why)
            note_line(&m, table.line, why);
        else
            st = on_row(&m, &row);
        if (st == ST_OK)
            st = import_tick(im, "importing the manifest", text.len - table.rest.len, text.len);
    }
    buf_free(&text);
    buf_free(&m.root);
    buf_free(&m.bytes);
    return st;
}
