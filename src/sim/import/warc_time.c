/* warc_time.c - captures in order of time, which replay the changes of a recorded site.
 *
 * In: the files of warc.c. Out: its captures, one after another as they were made, and
 * the window of the world. Files are read twice: first every record for its moment and
 * its address, then each capture where it lies.
 *
 * A recording has a first round, in which pages are found one by one although all of
 * them existed. So the window begins when a URL is requested for the second time (or when the user
 * says), and pages captured by then exist at its beginning. A page that is first captured later
 * appears at that time, because its real age is not known.
 *
 * Workload: 10^4 to 10^6 captures, 40 bytes each. SPDX-License-Identifier: MIT
 */
#include "sim/import/warc_int.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/os/clock.h"
#include "parse/date.h"
#include "parse/url_norm.h"

#include <stdio.h>
#include <stdlib.h>

struct capture {
    int64_t at;
    uint64_t url; /* url_key() */
    uint64_t offset;
    uint32_t file;
    uint32_t order; /* in the order of the files: of two at one time the later one wins */
};

struct recording {
    struct captures *c;
    struct capture *items;
    size_t count, cap;
    int64_t begin, end;
    struct warc_reader *reader; /* of the file read last */
    uint32_t open;              /* its index */
};

/* ---- the list ------------------------------------------------------------ */

static bool is_page(const struct warc_record *rec)
{
    struct str head, body;
    int status = 200;

    return str_eq_i(rec->type, STR("resource")) ||
           (warc_http(rec, &status, &head, &body) && (status == 200 || status == 203));
}

static enum status list_record(struct captures *c, const struct warc_record *rec)
{
    struct recording *r = c->recording;
    struct capture found = {.offset = rec->offset, .file = c->file, .order = (uint32_t)r->count};
    struct str url;

    if (!captures_wants(c, rec, &url))
        return ST_OK;
    if (!date_iso(rec->date, &found.at) || rec->length == 0) {
        import_note(c->im, IMPORT_BROKEN, rec->target,
                    rec->length ? "its record has no date"
                                : "its record shares a gzip member with others, and cannot be "
                                  "read in order of time");
        return ST_OK;
    }
    found.url = url_key(url);
    if (!str_eq_i(rec->type, STR("revisit")))
        captures_remember(c, rec);
    if (is_page(rec))
        map_set(&c->ever, found.url, 1);
    MEM_GROW(r->items, r->count, &r->cap);
    r->items[r->count++] = found;
    return ST_OK;
}

ORDER(by_time, struct capture, UP(at) ?: UP(order))

/* ---- the window ---------------------------------------------------------- */

/* The moment before a page is asked for again; of a single round its last capture. */
static int64_t first_round(const struct recording *r)
{
    struct map met;
    size_t i = 0;

    map_init(&met);
    for (; i < r->count; i++) {
        bool fresh = false;

        (void)map_at(&met, r->items[i].url, 1, &fresh);
        if (!fresh && map_get(&r->c->ever, r->items[i].url) != MAP_NONE)
            break;
    }
    map_free(&met);
    return i > 0 && i < r->count ? r->items[i].at - 1 : r->items[r->count - 1].at;
}

static enum status set_window(struct recording *r)
{
    r->begin = first_round(r);
    return import_window(r->c->im->config, "captures", r->items[0].at, r->items[r->count - 1].at,
                         &r->begin, &r->end);
}

/* ---- in order ------------------------------------------------------------ */

static enum status read_capture(struct recording *r, const struct capture *x,
                                struct warc_record *ret)
{
    if (r->reader == NULL || r->open != x->file) {
        enum status st;

        warc_close(r->reader);
        r->reader = NULL;
        st = warc_open(r->c->files[x->file], &r->reader);
        if (st != ST_OK)
            return st;
        r->open = x->file;
    }
    return warc_at(r->reader, x->offset, ret);
}

static enum status add_capture(struct recording *r, const struct capture *x)
{
    struct warc_record rec;
    enum status st = read_capture(r, x, &rec);

    if (st != ST_OK)
        return st;
    r->c->file = x->file;
    st = captures_add(r->c, &rec, x->at > r->begin ? x->at : r->begin);
    warc_record_free(&rec);
    return st;
}

/* Adds the last capture of each URL up to the beginning, then all that follow. */
static enum status add_captures(struct recording *r)
{
    enum status st = ST_OK;
    struct map last;

    map_init(&last);
    for (size_t i = 0; i < r->count && r->items[i].at <= r->begin; i++)
        map_set(&last, r->items[i].url, (uint32_t)i);
    for (size_t i = 0; st == ST_OK && i < r->count && r->items[i].at < r->end; i++) {
        const struct capture *x = &r->items[i];

        if (x->at <= r->begin && map_get(&last, x->url) != i)
            continue;
        st = import_tick(r->c->im, "importing captures", i, r->count);
        if (st == ST_OK)
            st = add_capture(r, x);
    }
    map_free(&last);
    return st;
}

enum status captures_in_time(struct captures *c)
{
    struct recording r = {.c = c};
    enum status st;
    char text[64];

    c->recording = &r;
    st = captures_read(c, list_record);
    if (st == ST_OK && r.count == 0)
        st = status_fail(ST_INVALID, "there is no capture in it: nothing was made");
    if (st == ST_OK) {
        qsort(r.items, r.count, sizeof *r.items, by_time);
        st = set_window(&r);
    }
    if (st == ST_OK)
        st = add_captures(&r);
    if (st == ST_OK) {
        (void)snprintf(text, sizeof text, "%lld %lld", (long long)r.begin, (long long)r.end);
        scribe_key(&c->im->scribe, "world_time", str_of(text));
    }
    warc_close(r.reader);
    free(r.items);
    c->recording = NULL;
    return st;
}
