/* dir.c - a folder of files, or an archive of one, as pages.
 *
 * In: a folder (read in byte order of its paths) or a tar archive (read in its
 * own order, once). Out: items. The path below --root is the path of the URL.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/import_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sim/import/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- walking a folder ---------------------------------------------------- */

struct folder_listing {
    char **paths; /* relative, heap */
    size_t count, cap;
};

/* Is it a folder (not a link to one), or a file? */
static bool look(const char *path, bool *ret_folder)
{
    struct stat st;

    if (lstat(path, &st) != 0)
        return false;
    *ret_folder = S_ISDIR(st.st_mode);
    if (S_ISLNK(st.st_mode) && (stat(path, &st) != 0 || S_ISDIR(st.st_mode)))
        return false;
    return S_ISDIR(st.st_mode) || S_ISREG(st.st_mode);
}

static enum status list_folder(struct folder_listing *l, const char *root, const char *below,
                               int depth)
{
    char path[4096], relative[4096];
    struct dirent *e;
    bool folder = false;
    DIR *list;
    enum status st = ST_OK;

    if (depth > LIMIT_IMPORT_DEPTH)
        return status_fail(ST_LIMIT, "%s/%s: folders nest deeper than %d", root, below,
                           LIMIT_IMPORT_DEPTH);
    (void)snprintf(path, sizeof path, "%s/%s", root, below);
    list = opendir(path);
    if (list == NULL)
        return status_fail(errno == ENOENT ? ST_MISSING : ST_IO, "%s: %s", path, strerror(errno));
    while (st == ST_OK && (e = readdir(list)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        if (snprintf(relative, sizeof relative, "%s%s%s", below, *below ? "/" : "", e->d_name) >=
                (int)sizeof relative ||
            snprintf(path, sizeof path, "%s/%s", root, relative) >= (int)sizeof path) {
            st = status_fail(ST_LIMIT, "%s/%s: the path is too long", below, e->d_name);
        } else if (!look(path, &folder)) {
            continue;
        } else if (folder) {
            st = list_folder(l, root, relative, depth + 1);
        } else {
            MEM_GROW(l->paths, l->count, &l->cap);
            l->paths[l->count++] = str_dup(str_of(relative));
        }
    }
    (void)closedir(list);
    return st;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status import_walk(const char *folder, walk_fn *fn, void *ctx)
{
    struct folder_listing l = {NULL, 0, 0};
    enum status st = list_folder(&l, folder, "", 0);

    if (l.count)
        qsort(l.paths, l.count, sizeof *l.paths, by_bytes);
    for (size_t i = 0; st == ST_OK && i < l.count; i++)
        st = fn(ctx, str_of(l.paths[i]), i, l.count);
    for (size_t i = 0; i < l.count; i++)
        free(l.paths[i]);
    free(l.paths);
    return st;
}

/* ---- one file ------------------------------------------------------------ */

struct file_reading {
    struct importer *im;
    const char *folder; /* where paths begin */
    struct buf bytes;
};

static enum status add_file(struct importer *im, struct str path, struct str type, struct str bytes)
{
    struct import_item item = {.name = path, .path = path, .type = type, .body = bytes};

    arena_reset(&im->urls);
    if (!import_path_url(im, path, &item.url))
        return ST_OK;
    return import_file(im, &item, NULL);
}

static enum status on_file(void *ctx, struct str path, uint64_t done, uint64_t total)
{
    struct file_reading *r = ctx;
    LOCAL_BUF full = BUF_INIT(8192);
    struct str type;
    enum status st = import_tick(r->im, "importing files", done, total);

    if (st == ST_OK && !import_wants(path, &type)) {
        r->im->report->left_out++;
    } else if (st == ST_OK) {
        buf_addf(&full, "%s/%.*s", r->folder, STR_ARG(path));
        if (import_bytes(r->im, full.data, path, &r->bytes))
            st = add_file(r->im, path, type, buf_str(&r->bytes));
    }
    return st;
}

static enum status import_folder(struct importer *im, const char *source)
{
    struct file_reading r = {.im = im, .bytes = BUF_INIT(LIMIT_BODY)};
    LOCAL_BUF folder = BUF_INIT(4096);
    enum status st;

    buf_add_z(&folder, source);
    if (im->config->root)
        buf_addf(&folder, "/%s", im->config->root);
    r.folder = folder.data;
    st = folder.full ? status_fail(ST_USAGE, "%s: the path is too long", source)
                     : import_walk(r.folder, on_file, &r);
    buf_free(&r.bytes);
    return st;
}

/* ---- an archive ---------------------------------------------------------- */

/* The path below --root; false where it is not. */
static bool below_root(const struct importer *im, struct str *path)
{
    struct str root = str_of(im->config->root);

    while (root.len && root.ptr[root.len - 1] == '/')
        root.len--;
    if (root.len == 0)
        return true;
    if (!str_starts(*path, root) || path->len <= root.len + 1 || path->ptr[root.len] != '/')
        return false;
    *path = str_sub(*path, root.len + 1, path->len);
    return true;
}

enum status import_entries(struct importer *im, const char *path, const char *what, entry_fn *fn,
                           void *ctx, bool *ret_any)
{
    struct unpack *u = NULL;
    struct unpack_entry e;
    enum status st = unpack_open(path, &u);

    if (st != ST_OK)
        return st;
    while (st == ST_OK && (st = unpack_next(u, &e)) == ST_OK) {
        *ret_any = true;
        st = import_tick(im, what, e.done, e.total);
        if (st == ST_OK && e.is_file)
            st = fn(ctx, u, e.name);
    }
    unpack_close(u);
    return st == ST_MISSING ? ST_OK : st;
}

bool import_entry(struct importer *im, struct unpack *u, struct str name, struct buf *out,
                  enum status *ret)
{
    buf_clear(out);
    *ret = unpack_read(u, out);
    if (*ret == ST_LIMIT) {
        import_note(im, IMPORT_LARGE, name, "it is larger than a page may be");
        *ret = ST_OK;
        return false;
    }
    return *ret == ST_OK;
}

static enum status on_entry(void *ctx, struct unpack *u, struct str path)
{
    struct file_reading *r = ctx;
    struct str type;
    enum status st;

    if (!below_root(r->im, &path))
        return ST_OK;
    if (!import_wants(path, &type)) {
        r->im->report->left_out++;
        return ST_OK;
    }
    return import_entry(r->im, u, path, &r->bytes, &st)
               ? add_file(r->im, path, type, buf_str(&r->bytes))
               : st;
}

/* Refuses a file without a tar header at its beginning: it was cut if its name says tar, and is
 * something else otherwise. */
static enum status refuse(const char *source)
{
    static const char *const ends[] = {".tar", ".tgz", ".tzst", ".tar.gz", ".tar.zst"};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends_i(str_of(source), str_of(ends[i])))
            return ST_OK;
    return status_fail(ST_USAGE,
                       "%s is neither a folder nor a tar archive: --from says what it is (a "
                       "manifest is tsv, a web archive warc, events.tsv history)",
                       source);
}

static enum status import_archive(struct importer *im, const char *source)
{
    struct file_reading r = {.im = im, .bytes = BUF_INIT(LIMIT_BODY)};
    bool any = false;
    enum status st = import_entries(im, source, "importing bytes", on_entry, &r, &any);

    if (st == ST_CORRUPT && !any && refuse(source) != ST_OK)
        st = ST_USAGE;
    if (st == ST_CORRUPT || st == ST_LIMIT) {
        import_note(im, IMPORT_CUT, str_of(source), status_text());
        st = ST_OK;
    }
    buf_free(&r.bytes);
    return st;
}

enum status import_dir(struct importer *im)
{
    struct stat facts;

    if (im->nsources != 1)
        return status_fail(ST_USAGE, "--from dir takes one folder or archive, not %zu",
                           im->nsources);
    TRY(import_set_prefix(im, im->sources[0]));
    if (stat(im->sources[0], &facts) != 0)
        return status_fail(ST_MISSING, "%s: %s", im->sources[0], strerror(errno));
    return S_ISDIR(facts.st_mode) ? import_folder(im, im->sources[0])
                                  : import_archive(im, im->sources[0]);
}
