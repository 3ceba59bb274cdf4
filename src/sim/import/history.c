/* history.c - replays the real changes of a site.
 *
 * In: events.tsv (what appeared, changed, went, and when) and the contents by
 * name ("blobs": a folder, or a tar archive that is streamed once). Out: the
 * versions of a window of time, in order of time. The first version of a page is the one at the
 * beginning of the window; the events inside follow.
 *
 *     events --window--> steps (what is to be written, in order)
 *     archive --wanted--> spool (a file without a name: only blobs of the window)
 *     steps + spool --> items
 *
 * Workload: 10^5 events; of 3 GB of blobs a year is some 10 %.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/import_int.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "sim/import/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_BLOB UINT32_MAX

/* Something to be written. */
struct history_step {
    const struct event_row *event;
    int64_t at;    /* its time in this world */
    uint32_t blob; /* which, or NO_BLOB: the page goes */
};

/* A content that the window needs. */
struct blob {
    struct str name;
    uint64_t offset; /* in the spool */
    uint64_t size;
    bool there;
};

struct history {
    struct importer *im;
    struct buf text, blobs_at, events_at;
    struct event_row *events; /* in order of time */
    size_t nevents, events_cap;
    int64_t begin, end;
    struct history_step *steps;
    size_t nsteps, steps_cap;
    struct blob *blobs;
    size_t nblobs, blobs_cap;
    struct map blob_of; /* hash of its name -> blob */
    struct map stands;  /* hash of a path -> 1: a page stands there now, 0: it went */
    FILE *spool;
    uint64_t spooled;
    bool archive; /* blobs_at is one */
    struct buf bytes;
};

/* ---- where things are ---------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum status beside(struct history *h, struct str folder)
{
    static const char *const names[] = {"blobs.tar.zst", "blobs.tar.gz", "blobs.tar", "blobs"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        buf_clear(&h->blobs_at);
        buf_addf(&h->blobs_at, "%.*s%s", STR_ARG(folder), names[i]);
        if (access(h->blobs_at.data, F_OK) == 0)
            return ST_OK;
    }
    return status_fail(ST_MISSING,
                       "%.*sblobs.tar.zst: neither this archive nor a folder 'blobs' is there: "
                       "--blobs names it",
                       STR_ARG(folder));
}

/* events.tsv, or the folder that holds it; then the blobs. */
static enum status find_input(struct history *h)
{
    const char *source = h->im->sources[0];
    struct str folder;
    size_t slash;

    buf_addf(&h->events_at, "%s%s", source, is_folder(source) ? "/events.tsv" : "");
    folder = buf_str(&h->events_at);
    for (slash = folder.len; slash > 0 && folder.ptr[slash - 1] != '/'; slash--)
        ;
    folder.len = slash;
    if (h->im->config->blobs)
        buf_add_z(&h->blobs_at, h->im->config->blobs);
    else
        TRY(beside(h, folder));
    h->archive = !is_folder(h->blobs_at.data);
    while (folder.len && folder.ptr[folder.len - 1] == '/')
        folder.len--;
    LOCAL_HEAP char *name = str_dup(folder);
    return import_set_prefix(h->im, name);
}

/* ---- events -------------------------------------------------------------- */

/* The paths are lines of one text: the earlier line comes first. */
ORDER(by_time, struct event_row, UP(at) ?: UP(path.ptr))

static enum status read_events(struct history *h)
{
    struct str line;
    struct tsv table;

    TRY(file_read(h->events_at.data, &h->text));
    table = table_of(buf_str(&h->text));
    while (table_next(&table, &line)) {
        struct event_row row;
        const char *why = event_row(line, &row);
        char name[64];

        if (why) {
            (void)snprintf(name, sizeof name, "events, line %u", table.line);
            import_note(h->im, IMPORT_LINE, str_of(name), why);
            continue;
        }
        MEM_GROW(h->events, h->nevents, &h->events_cap);
        h->events[h->nevents++] = row;
    }
    if (h->nevents == 0)
        return status_fail(ST_INVALID, "%s: there is no event in it", h->events_at.data);
    qsort(h->events, h->nevents, sizeof *h->events, by_time);
    return ST_OK;
}

/* ---- the window ---------------------------------------------------------- */

static enum status set_window(struct history *h)
{
    int64_t first = h->events[0].at, last = h->events[h->nevents - 1].at;

    h->begin = first;
    return import_window(h->im->config, "events", first, last, &h->begin, &h->end);
}

static uint32_t want_blob(struct history *h, struct str name)
{
    bool fresh = false;
    uint32_t *at = map_at(&h->blob_of, hash_str(name), (uint32_t)h->nblobs, &fresh), blob = *at;

    if (fresh) {
        MEM_GROW(h->blobs, h->nblobs, &h->blobs_cap);
        h->blobs[h->nblobs++] = (struct blob){.name = name};
    }
    return blob;
}

static void add_step(struct history *h, const struct event_row *e, int64_t at)
{
    MEM_GROW(h->steps, h->nsteps, &h->steps_cap);
    h->steps[h->nsteps++] = (struct history_step){
        .event = e, .at = at, .blob = e->kind == 'D' ? NO_BLOB : want_blob(h, e->blob)};
}

/* The last event of every path up to the beginning, in the order of these. */
static size_t open_window(struct history *h)
{
    struct map last;
    size_t n = 0;

    map_init(&last);
    for (; n < h->nevents && h->events[n].at <= h->begin; n++)
        map_set(&last, hash_str(h->events[n].path), (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        const struct event_row *e = &h->events[i];
        struct str type;

        if (map_get(&last, hash_str(e->path)) != i || e->kind == 'D')
            continue;
        if (import_wants(e->path, &type))
            add_step(h, e, h->begin);
        else
            h->im->report->left_out++;
    }
    map_free(&last);
    return n;
}

static void choose_steps(struct history *h)
{
    for (size_t i = open_window(h); i < h->nevents && h->events[i].at < h->end; i++) {
        const struct event_row *e = &h->events[i];
        struct str type;

        if (import_wants(e->path, &type))
            add_step(h, e, e->at);
        else
            h->im->report->left_out++;
    }
}

/* ---- the spool ----------------------------------------------------------- */

/* Opens the spool in the directory being made, where space is needed anyway; it is unlinked at
 * once, so that it disappears with the process. */
static enum status open_spool(struct history *h)
{
    LOCAL_BUF path = BUF_INIT(8192);
    enum status st = ST_OK;

    buf_addf(&path, "%s/spool", h->im->scribe.part);
    h->spool = fopen(path.data, "w+b");
    if (h->spool == NULL || unlink(path.data) != 0)
        st = status_fail(ST_IO, "%s: %s", path.data, strerror(errno));
    return st;
}

static enum status spool_entry(void *ctx, struct unpack *u, struct str name)
{
    struct history *h = ctx;
    size_t slash = name.len;
    struct blob *b;
    enum status st;
    uint32_t i;

    while (slash > 0 && name.ptr[slash - 1] != '/')
        slash--;
    i = map_get(&h->blob_of, hash_str(str_sub(name, slash, name.len)));
    if (i == MAP_NONE || h->blobs[i].there)
        return ST_OK;
    b = &h->blobs[i];
    if (!import_entry(h->im, u, b->name, &h->bytes, &st))
        return st;
    if (fwrite(h->bytes.data ? h->bytes.data : "", 1, h->bytes.len, h->spool) != h->bytes.len)
        st = status_fail(ST_IO, "the blobs cannot be kept in %s: %s", h->im->scribe.part,
                         strerror(errno));
    b->offset = h->spooled;
    b->size = h->bytes.len;
    b->there = st == ST_OK;
    h->spooled += h->bytes.len;
    return st;
}

static enum status spool_archive(struct history *h)
{
    bool any = false;
    enum status st = open_spool(h);

    if (st == ST_OK)
        st = import_entries(h->im, h->blobs_at.data, "reading blobs (bytes)", spool_entry, h, &any);
    if (st == ST_CORRUPT || st == ST_LIMIT) {
        import_note(h->im, IMPORT_CUT, buf_str(&h->blobs_at), status_text());
        st = ST_OK;
    }
    if (st == ST_OK && fflush(h->spool) != 0)
        st = status_fail(ST_IO, "%s", strerror(errno));
    return st;
}

/* ---- contents ------------------------------------------------------------ */

static enum status read_spool(struct history *h, const struct blob *b)
{
    char *room = buf_room(&h->bytes, b->size);

    if (fseeko(h->spool, (off_t)b->offset, SEEK_SET) != 0 ||
        fread(room, 1, b->size, h->spool) != b->size)
        return status_fail(ST_IO, "the blobs cannot be read back: %s", strerror(errno));
    h->bytes.len += b->size;
    return ST_OK;
}

/* BLOBS/ab/abcd… or BLOBS/abcd… */
static bool read_folder(struct history *h, const struct blob *b, struct str path)
{
    LOCAL_BUF at = BUF_INIT(8192);

    buf_addf(&at, "%s/%.2s/%.*s", h->blobs_at.data, b->name.ptr, STR_ARG(b->name));
    if (access(at.data, F_OK) != 0) {
        buf_clear(&at);
        buf_addf(&at, "%s/%.*s", h->blobs_at.data, STR_ARG(b->name));
    }
    return import_bytes(h->im, at.data, path, &h->bytes);
}

/* The content of a step into h->bytes; *ret_found is false where it is noted. */
static enum status read_blob(struct history *h, const struct history_step *s, bool *ret_found)
{
    const struct blob *b = &h->blobs[s->blob];
    LOCAL_BUF why = BUF_INIT(512);

    buf_clear(&h->bytes);
    *ret_found = true;
    if (!h->archive) {
        *ret_found = read_folder(h, b, s->event->path);
        return ST_OK;
    }
    if (b->there)
        return read_spool(h, b);
    *ret_found = false;
    buf_addf(&why, "blob %.*s is not in the archive", STR_ARG(b->name));
    import_note(h->im, IMPORT_MISSING, s->event->path, why.data);
    return ST_OK;
}

/* ---- writing ------------------------------------------------------------- */

static enum status write_step(struct history *h, const struct history_step *s)
{
    struct importer *im = h->im;
    struct import_item item = {.name = s->event->path,
                               .path = s->event->path,
                               .at = s->at,
                               .modified = s->event->at,
                               .version = true};
    uint64_t path = hash_str(s->event->path);
    uint32_t page = 0;
    bool found = false, stood = map_get(&h->stands, path) == 1;
    enum status st;

    arena_reset(&im->urls);
    if (!import_path_url(im, s->event->path, &item.url))
        return ST_OK;
    if (s->blob == NO_BLOB) {
        map_set(&h->stands, path, 0);
        return stood ? import_gone(im, &item) : ST_OK;
    }
    st = read_blob(h, s, &found);
    if (st != ST_OK || !found)
        return st;
    (void)import_wants(s->event->path, &item.type);
    item.body = buf_str(&h->bytes);
    st = import_file(im, &item, &page);
    if (page)
        map_set(&h->stands, path, 1);
    return st;
}

static enum status write_steps(struct history *h)
{
    enum status st = ST_OK;
    char text[64];

    for (size_t i = 0; st == ST_OK && i < h->nsteps; i++) {
        st = import_tick(h->im, "importing versions", i, h->nsteps);
        if (st == ST_OK)
            st = write_step(h, &h->steps[i]);
    }
    (void)snprintf(text, sizeof text, "%lld %lld", (long long)h->begin, (long long)h->end);
    scribe_key(&h->im->scribe, "world_time", str_of(text));
    return st;
}

enum status import_history(struct importer *im)
{
    struct history h = {.im = im,
                        .text = BUF_INIT(LIMIT_IMPORT_TABLE),
                        .blobs_at = BUF_INIT(4096),
                        .events_at = BUF_INIT(4096),
                        .bytes = BUF_INIT(LIMIT_BODY)};
    enum status st;

    if (im->nsources != 1)
        return status_fail(ST_USAGE, "--from history takes one folder or events.tsv, not %zu",
                           im->nsources);
    map_init(&h.blob_of);
    map_init(&h.stands);
    st = find_input(&h);
    if (st == ST_OK)
        st = read_events(&h);
    if (st == ST_OK)
        st = set_window(&h);
    if (st == ST_OK) {
        choose_steps(&h);
        st = h.archive ? spool_archive(&h) : ST_OK;
    }
    if (st == ST_OK)
        st = write_steps(&h);
    if (h.spool)
        (void)fclose(h.spool);
    map_free(&h.blob_of);
    map_free(&h.stands);
    free(h.events);
    free(h.steps);
    free(h.blobs);
    buf_free(&h.text);
    buf_free(&h.blobs_at);
    buf_free(&h.events_at);
    buf_free(&h.bytes);
    return st;
}
