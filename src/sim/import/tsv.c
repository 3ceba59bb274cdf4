/* tsv.c - a manifest: which file is which URL, and its labels.
 *
 * In: lines `file TAB url TAB labels`, files below --root (or beside the
 * manifest). Out: items. SPDX-License-Identifier: MIT
 */
#include "sim/import/import_int.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "parse/url_norm.h"
#include "sim/import/tables.h"

struct manifest {
    struct importer *im;
    const char *name;   /* of the manifest */
    struct buf root;    /* ends in '/' */
    struct buf bytes;   /* of the file at hand */
    struct buf place;   /* "MANIFEST:12: file", for faults */
    uint32_t line;      /* the one at hand */
    struct map line_of; /* page -> its line */
};

static void set_root(struct manifest *m)
{
    struct str name = str_of(m->name);
    size_t slash = name.len;

    if (m->im->config->root) {
        buf_addf(&m->root, "%s/", m->im->config->root);
        return;
    }
    while (slash > 0 && name.ptr[slash - 1] != '/')
        slash--;
    buf_add_str(&m->root, slash ? str_sub(name, 0, slash) : STR("./"));
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

/* "FILE:LINE: what", for a message. */
static struct str at_line(struct manifest *m, struct str what)
{
    buf_clear(&m->place);
    buf_addf(&m->place, "%s:%u%s%.*s", m->name, m->line, what.len ? ": " : "", STR_ARG(what));
    return buf_str(&m->place);
}

/* Notes a URL that an earlier line has. */
static bool is_second(struct manifest *m, const struct manifest_row *row, struct str url)
{
    uint32_t page = map_get(&m->im->pages, url_key(url));
    LOCAL_BUF why = BUF_INIT(LIMIT_URL + 100);

    if (page == MAP_NONE)
        return false;
    buf_addf(&why, "line %u has its URL, %.*s", map_get(&m->line_of, hash_u64(page)), STR_ARG(url));
    import_note(m->im, IMPORT_DUPLICATE, at_line(m, row->file), why.data);
    return true;
}

static enum status on_row(struct manifest *m, const struct manifest_row *row)
{
    struct importer *im = m->im;
    struct import_item item = {.path = row->file, .labels = row->labels};
    size_t root = m->root.len;
    uint32_t page = 0;
    enum status st;
    bool read;

    arena_reset(&im->urls);
    if (leaves_root(row->file)) {
        import_note(im, IMPORT_MISSING, at_line(m, row->file), "it lies outside --root");
        return ST_OK;
    }
    if (!import_any_url(im, row->url, at_line(m, row->url), &item.url) ||
        is_second(m, row, item.url))
        return ST_OK;
    item.name = at_line(m, row->file);
    buf_add_str(&m->root, row->file);
    read = import_bytes(im, m->root.data, item.name, &m->bytes);
    m->root.len = root;
    if (!read)
        return ST_OK;
    (void)import_wants(row->file, &item.type); /* named: wanted, whatever its name says */
    item.body = buf_str(&m->bytes);
    st = import_file(im, &item, &page);
    if (page)
        map_set(&m->line_of, hash_u64(page), m->line);
    return st;
}

enum status import_tsv(struct importer *im)
{
    struct manifest m = {.im = im,
                         .root = BUF_INIT(8192 + LIMIT_URL),
                         .bytes = BUF_INIT(LIMIT_BODY),
                         .place = BUF_INIT(8192 + LIMIT_URL)};
    LOCAL_BUF text = BUF_INIT(LIMIT_IMPORT_TABLE);
    struct manifest_row row;
    struct tsv table;
    struct str line;
    enum status st;

    if (im->nsources != 1)
        return status_fail(ST_USAGE, "--from tsv takes one manifest, not %zu", im->nsources);
    m.name = im->sources[0];
    map_init(&m.line_of);
    set_root(&m);
    st = file_read(m.name, &text);
    table = table_of(buf_str(&text));
    while (st == ST_OK && table_next(&table, &line)) {
        const char *why = manifest_row(line, &row);

        m.line = table.line;
        if (why)
            import_note(im, IMPORT_LINE, at_line(&m, STR("")), why);
        else
            st = on_row(&m, &row);
        if (st == ST_OK)
            st = import_tick(im, "importing the manifest", text.len - table.rest.len, text.len);
    }
    buf_free(&m.root);
    buf_free(&m.bytes);
    buf_free(&m.place);
    map_free(&m.line_of);
    return st;
}
