/* warc_drop.c - a WARC file written anew without some of its records.
 *
 * First pass: the intervals of the records that go, ascending. Second pass:
 * everything else is copied. A record's new place is its old one less the
 * bytes dropped before it. SPDX-License-Identifier: MIT */
#include "store/write/warc_drop.h"

#include "base/os/dir.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/archive.h"
#include "store/warc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes [from, to) go; `before` bytes went with the intervals before it. */
struct interval {
    uint64_t from, to, before;
};

struct warc_drop {
    int folder; /* DIR/warc */
    uint32_t file;
    char name[128];
    uint64_t length; /* of the copy */
    struct interval *gone;
    size_t count, cap;
};

uint32_t warc_drop_file(const struct warc_drop *d)
{
    return d->file;
}

const char *warc_drop_name(const struct warc_drop *d)
{
    return d->name;
}

uint64_t warc_drop_length(const struct warc_drop *d)
{
    return d->length;
}

uint64_t warc_drop_count(const struct warc_drop *d)
{
    return d->count;
}

uint64_t warc_drop_moved(const struct warc_drop *d, uint64_t old)
{
    size_t low = 0, high = d->count; /* the first interval that begins at or after old */

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (d->gone[middle].from < old)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return old;
    return old - d->gone[low - 1].before - (d->gone[low - 1].to - d->gone[low - 1].from);
}

/* "x.warc.gz" -> "x-f1.warc.gz" -> "x-f2.warc.gz" */
static void next_name(struct str name, char *ret, size_t size)
{
    struct str stem = str_ends(name, STR(".warc.gz")) ? str_sub(name, 0, name.len - 8) : name;
    size_t at = stem.len;
    uint64_t turn = 0;

    while (at > 0 && ascii_is_digit(stem.ptr[at - 1]))
        at--;
    if (at >= 2 && str_eq(str_sub(stem, at - 2, at), STR("-f")) &&
        str_to_u64(str_sub(stem, at, stem.len), &turn))
        stem.len = at - 2;
    (void)snprintf(ret, size, "%.*s-f%llu.warc.gz", STR_ARG(stem), (unsigned long long)turn + 1);
}

static void add_interval(struct warc_drop *d, uint64_t from, uint64_t length)
{
    uint64_t before = 0;

    if (d->count) {
        const struct interval *last = &d->gone[d->count - 1];

        before = last->before + (last->to - last->from);
    }
    MEM_GROW(d->gone, d->count, &d->cap);
    d->gone[d->count++] = (struct interval){from, from + length, before};
}

static enum status find_gone(struct warc_drop *d, const char *dir, struct str name,
                             warc_drop_fn *is_gone, void *ctx)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st = archive_open(dir, name, &r);

    if (st != ST_OK)
        return st;
    for (;;) {
        st = warc_next(r, &rec);
        if (st == ST_MISSING || st == ST_IO || (st != ST_OK && warc_resync(r) != ST_OK))
            break;
        if (st != ST_OK)
            continue;
        if (rec.target.len && rec.length && is_gone(ctx, rec.target))
            add_interval(d, rec.offset, rec.length);
        warc_record_free(&rec);
    }
    warc_close(r);
    return st == ST_IO ? st : ST_OK; /* a record that cannot be read may be one to remove */
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

/* Copies [from, to); to = UINT64_MAX: up to the end. */
static bool copy_range(struct warc_drop *d, int in, int out, char *piece, uint64_t from,
                       uint64_t to)
{
    while (from < to) {
        size_t want = to - from < MIB(1) ? (size_t)(to - from) : MIB(1);
        ssize_t n = pread(in, piece, want, (off_t)from);

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            return to == UINT64_MAX;
        if (n < 0 || !write_all(out, piece, (size_t)n))
            return false;
        from += (uint64_t)n;
        d->length += (uint64_t)n;
    }
    return true;
}

static enum status copy_pieces(struct warc_drop *d, int in, int out)
{
    char *piece = mem_alloc(MIB(1));
    uint64_t at = 0;
    bool ok = true;
    enum status st = ST_OK;

    for (size_t i = 0; i < d->count && ok; i++) {
        ok = copy_range(d, in, out, piece, at, d->gone[i].from);
        at = d->gone[i].to;
    }
    ok = ok && copy_range(d, in, out, piece, at, UINT64_MAX) && fsync(out) == 0;
    if (!ok)
        st = status_fail(ST_IO, "%s cannot be written: %s", d->name, strerror(errno));
    free(piece);
    return st;
}

static enum status copy_rest(struct warc_drop *d, struct str name)
{
    int in = -1, out = -1;
    enum status st = warc_file_open(d->folder, name, O_RDONLY, &in);

    if (st == ST_OK)
        st = warc_file_begin(d->folder, str_of(d->name), &out);
    if (st == ST_OK)
        st = copy_pieces(d, in, out);
    if (st == ST_OK)
        st = dir_sync(d->folder);
    if (in >= 0)
        (void)close(in);
    if (out >= 0)
        (void)close(out);
    return st;
}

enum status warc_drop_run(const char *dir, uint32_t file, struct str name, warc_drop_fn *is_gone,
                          void *ctx, struct warc_drop **ret)
{
    struct warc_drop *d = MEM_NEW(struct warc_drop);
    enum status st;

    d->folder = -1;
    d->file = file;
    st = find_gone(d, dir, name, is_gone, ctx); /* checks the name, too */
    if (st == ST_OK)
        st = warc_folder(dir, false, &d->folder);
    if (st == ST_OK) {
        next_name(name, d->name, sizeof d->name);
        st = copy_rest(d, name);
    }
    if (st == ST_OK)
        *ret = d;
    else
        warc_drop_free(d, false);
    return st;
}

void warc_drop_free(struct warc_drop *d, bool keep)
{
    if (d == NULL)
        return;
    if (!keep && d->name[0])
        (void)!warc_file_remove(d->folder, str_of(d->name));
    if (d->folder >= 0)
        (void)close(d->folder);
    free(d->gone);
    free(d);
}
