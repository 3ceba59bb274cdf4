/* warc.c - imports WARC archives of any origin as a world.
 *
 * In: WARC files, and folders of them. Out: items. Responses and resources of
 * http and https addresses: 200 is a page, a redirect or an error an outcome,
 * robots.txt a resource whatever it says. A revisit is the payload it repeats,
 * read again where that one lies. The first capture of a page counts: another
 * that differs is a fault, one that does not is only counted. With versions every
 * capture that differs from the one before counts (warc_time.c has the order).
 *
 * Archives keep bodies as they came over the wire: chunking is undone here, and
 * its header renamed as store/ does; content codings stay.
 *
 * Limit: ARC, the format before WARC, is not read.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/warc_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/date.h"
#include "parse/mime.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"
#include "store/read/warc_read.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- chunks -------------------------------------------------------------- */

#define SIZE_LINE 1024 /* bytes of a chunk's line; extensions are rare and short */

/* The line "1a2b;ext\r\n" at the front of *rest, cut off. */
static bool take_size(struct str *rest, size_t *ret)
{
    size_t end = str_find_char(str_sub(*rest, 0, SIZE_LINE), '\n', 0), i = 0, n = 0;

    if (end == SIZE_MAX)
        return false;
    for (; i < end && ascii_hex(rest->ptr[i]) >= 0; i++) {
        if (n >> 40)
            return false;
        n = n << 4 | (size_t)ascii_hex(rest->ptr[i]);
    }
    if (i == 0 || !strchr("; \t\r\n", rest->ptr[i]))
        return false;
    *rest = str_sub(*rest, end + 1, rest->len);
    *ret = n;
    return true;
}

bool dechunk(struct str raw, struct buf *out, bool *ret_cut)
{
    size_t size;
    bool begun = false;

    *ret_cut = false;
    while (take_size(&raw, &size)) {
        begun = true;
        if (size == 0)
            return true;
        buf_add_str(out, str_sub(raw, 0, size));
        if (size > raw.len || out->full) {
            *ret_cut = true;
            return true;
        }
        raw = str_sub(raw, size, raw.len);
        if (raw.len && raw.ptr[0] == '\r')
            raw = str_sub(raw, 1, raw.len);
        if (raw.len && raw.ptr[0] == '\n')
            raw = str_sub(raw, 1, raw.len);
    }
    *ret_cut = begun;
    return begun;
}

/* One answer, taken from its record. */
struct import_answer {
    int status;
    struct str head, body;
    struct str type;
    bool cut; /* its chunking ends early */
};

/* ---- headers ------------------------------------------------------------- */

/* The line of a field, without its end; where it begins, or SIZE_MAX. */
static size_t find_line(struct str head, struct str name, struct str *ret_value)
{
    size_t from = 0;

    while (from < head.len) {
        size_t end = str_find_char(head, '\n', from);
        struct str line = str_sub(head, from, end);

        if (line.len > name.len && str_starts_i(line, name) && line.ptr[name.len] == ':') {
            *ret_value = str_trim(str_sub(line, name.len + 1, line.len));
            return from;
        }
        if (end == SIZE_MAX)
            break;
        from = end + 1;
    }
    *ret_value = (struct str){"", 0};
    return SIZE_MAX;
}

static struct str field(struct str head, struct str name)
{
    struct str value;

    (void)find_line(head, name, &value);
    return value;
}

/* Renames "Name: x" to "X-Archive-Orig-Name: x", because it is no longer true. */
static void disown(struct captures *c, struct import_answer *a, size_t at)
{
    static const struct str mark = STR("X-Archive-Orig-");
    char *head = arena_alloc(&c->im->urls, a->head.len + mark.len);

    if (head == NULL)
        return;
    memcpy(head, a->head.ptr, at);
    memcpy(head + at, mark.ptr, mark.len);
    memcpy(head + at + mark.len, a->head.ptr + at, a->head.len - at);
    a->head = (struct str){head, a->head.len + mark.len};
}

static void undo_chunks(struct captures *c, struct import_answer *a)
{
    struct str coding;
    size_t at = find_line(a->head, STR("Transfer-Encoding"), &coding);

    if (at == SIZE_MAX)
        return;
    disown(c, a, at);
    buf_clear(&c->body);
    if (str_find_i(coding, STR("chunked"), 0) != SIZE_MAX && dechunk(a->body, &c->body, &a->cut))
        a->body = buf_str(&c->body);
}

/* Some archives keep the body decoded under the header of the coded one: markup
 * that can be read is not coded. */
static void check_coding(struct captures *c, struct import_answer *a)
{
    struct str coding;
    size_t at = find_line(a->head, STR("Content-Encoding"), &coding);
    enum mime_kind kind = mime_sniff(a->body);

    if (at != SIZE_MAX && (kind == MIME_HTML || kind == MIME_XML || kind == MIME_FEED))
        disown(c, a, at);
}

/* False: the record holds no answer. */
static bool read_answer(struct captures *c, const struct warc_record *rec,
                        struct import_answer *ret)
{
    *ret = (struct import_answer){.status = 200, .head = {"", 0}};
    if (str_eq_i(rec->type, STR("resource"))) {
        ret->body = buf_str(&rec->block);
        ret->type = rec->content_type;
        return true;
    }
    if (!warc_http(rec, &ret->status, &ret->head, &ret->body) || ret->head.len > LIMIT_HEADER_BYTES)
        return false;
    undo_chunks(c, ret);
    check_coding(c, ret);
    ret->type = field(ret->head, STR("Content-Type"));
    return true;
}

/* ---- answers to items ---------------------------------------------------- */

/* Half of a hash, never what `stands` has of a page that is gone. */
static uint32_t mark_of(struct str text)
{
    return (uint32_t)hash_str(text) | 1;
}

/* Did the URL have this content before? With versions only the last capture counts. */
static bool is_said(struct captures *c, uint64_t url, struct str body)
{
    if (c->versions)
        return map_get(&c->stands, url) == mark_of(body);
    return map_get(&c->said, hash_u64(url) ^ hash_str(body)) != MAP_NONE;
}

static void note_said(struct captures *c, uint64_t url, struct str body)
{
    if (c->versions)
        map_set(&c->stands, url, mark_of(body));
    else
        map_set(&c->said, hash_u64(url) ^ hash_str(body), 1);
}

static enum status add_page(struct captures *c, struct import_item *item,
                            const struct import_answer *a)
{
    struct importer *im = c->im;
    enum mime_kind kind = mime_parse(a->type).kind;
    uint64_t url = url_key(item->url);
    uint32_t page = 0;
    enum status st;

    if (is_said(c, url, a->body)) {
        im->report->repeated++;
        return ST_OK;
    }
    if (!page_wants_type(a->type)) {
        im->report->left_out++;
        return ST_OK;
    }
    if (a->cut) {
        import_note(im, IMPORT_CUT, item->name, "its chunks end early");
        return ST_OK;
    }
    item->maybe = kind != MIME_HTML && kind != MIME_TEXT;
    item->version = c->versions;
    st = import_page(im, item, &page);
    if (page)
        note_said(c, url, a->body);
    return st;
}

static enum status add_redirect(struct captures *c, struct import_item *item, struct str location)
{
    struct url base, target;
    struct str to = {"", 0};

    if (url_parse(item->url, NULL, &c->im->urls, &base) == ST_OK &&
        url_parse(location, &base, &c->im->urls, &target) == ST_OK)
        to = url_norm(&target, &c->im->urls);
    return import_outcome(c->im, item, to.ptr ? to : STR(""));
}

/* A page of the archives does not answer as one: it is gone, or was out of order
 * for a while, which is not kept. */
static enum status add_absence(struct captures *c, struct import_item *item, int status)
{
    uint64_t url = url_key(item->url);
    uint32_t stands = map_get(&c->stands, url);

    if ((status != 404 && status != 410) || stands == MAP_NONE || stands == GONE) {
        c->im->report->repeated++;
        return ST_OK;
    }
    map_set(&c->stands, url, GONE);
    item->head = (struct str){"", 0};
    return import_gone(c->im, item);
}

static enum status add_answer(struct captures *c, struct import_item *item,
                              const struct import_answer *a)
{
    struct str scheme, host, path, location = field(a->head, STR("Location"));
    uint16_t port;

    url_split(item->url, &scheme, &host, &port, &path);
    item->status = a->status;
    item->head = a->head;
    item->type = a->type;
    item->body = a->body;
    if (str_eq(path, STR("/robots.txt")))
        return import_resource(c->im, item);
    if (a->status == 200 || a->status == 203)
        return add_page(c, item, a);
    if (a->status == 304) {
        c->im->report->repeated++;
        return ST_OK;
    }
    if (c->versions && map_get(&c->ever, url_key(item->url)) != MAP_NONE)
        return add_absence(c, item, a->status);
    if (a->status > 300 && a->status < 400 && location.len)
        return add_redirect(c, item, location);
    return import_outcome(c->im, item, STR(""));
}

/* ---- records ------------------------------------------------------------- */

void captures_remember(struct captures *c, const struct warc_record *rec)
{
    bool fresh = false;

    if (rec->payload_digest.len == 0 || rec->length == 0)
        return;
    (void)map_at(&c->digests, hash_str(rec->payload_digest), (uint32_t)c->nplaces, &fresh);
    if (!fresh)
        return;
    MEM_GROW(c->places, c->nplaces, &c->places_cap);
    c->places[c->nplaces++] = (struct payload_place){c->file, rec->offset};
}

/* The record whose payload this one repeats; false: noted. */
static bool read_original(struct captures *c, const struct warc_record *rec,
                          struct warc_record *ret)
{
    uint32_t i =
        rec->payload_digest.len ? map_get(&c->digests, hash_str(rec->payload_digest)) : MAP_NONE;
    struct warc_reader *r = NULL;
    bool found = i != MAP_NONE && warc_open(c->files[c->places[i].file], &r) == ST_OK &&
                 warc_at(r, c->places[i].offset, ret) == ST_OK;

    warc_close(r);
    if (!found)
        import_note(c->im, IMPORT_MISSING, rec->target,
                    "it repeats a payload that is not in these archives");
    return found;
}

static enum status add_record(struct captures *c, const struct warc_record *rec,
                              struct import_item *item)
{
    struct import_answer a;

    if (rec->cut) {
        bool large = rec->block.len >= LIMIT_WARC_RECORD;

        import_note(c->im, large ? IMPORT_LARGE : IMPORT_CUT, item->name,
                    large ? "its record is larger than a page may be" : "its record ends early");
        return ST_OK;
    }
    if (!read_answer(c, rec, &a)) {
        import_note(c->im, IMPORT_BROKEN, item->name, "its record holds no HTTP answer");
        return ST_OK;
    }
    return add_answer(c, item, &a);
}

/* Can the revisit be skipped without loss, because its content is known or not a page? */
static bool is_needless(struct captures *c, const struct warc_record *rec, struct str url)
{
    struct str head = {"", 0}, body, scheme, host, path;
    uint16_t port;
    int status;

    url_split(url, &scheme, &host, &port, &path);
    if ((!c->versions && map_get(&c->im->pages, url_key(url)) != MAP_NONE) ||
        str_eq(path, STR("/robots.txt"))) {
        c->im->report->repeated++;
        return true;
    }
    if (!warc_http(rec, &status, &head, &body))
        return false;
    if (c->versions && status == 304) {
        c->im->report->repeated++;
        return true;
    }
    if (page_wants_type(field(head, STR("Content-Type"))))
        return false;
    c->im->report->left_out++;
    return true;
}

static enum status add_revisit(struct captures *c, const struct warc_record *rec,
                               struct import_item *item)
{
    struct warc_record original;
    enum status st;

    if (is_needless(c, rec, item->url) || !read_original(c, rec, &original))
        return ST_OK;
    st = add_record(c, &original, item);
    warc_record_free(&original);
    return st;
}

bool captures_wants(struct captures *c, const struct warc_record *rec, struct str *ret_url)
{
    if (!str_eq_i(rec->type, STR("revisit")) && !str_eq_i(rec->type, STR("response")) &&
        !str_eq_i(rec->type, STR("resource")))
        return false;
    if (!str_starts_i(rec->target, STR("http:")) && !str_starts_i(rec->target, STR("https:")))
        return false; /* dns:, urn:, whois: are no addresses of pages */
    arena_reset(&c->im->urls);
    return import_any_url(c->im, rec->target, rec->target, ret_url);
}

enum status captures_add(struct captures *c, const struct warc_record *rec, int64_t at)
{
    bool revisit = str_eq_i(rec->type, STR("revisit"));
    struct import_item item = {.name = rec->target, .at = at};

    if (!captures_wants(c, rec, &item.url))
        return ST_OK;
    if (revisit)
        return add_revisit(c, rec, &item);
    if (!c->versions) /* else all of them were remembered before */
        captures_remember(c, rec);
    return add_record(c, rec, &item);
}

/* ---- files --------------------------------------------------------------- */

static void note_damage(struct captures *c, const char *path)
{
    import_note(c->im, IMPORT_CUT, str_of(path), status_text());
}

static enum status on_record(struct captures *c, const struct warc_record *rec)
{
    int64_t at = 0;

    (void)date_iso(rec->date, &at);
    return captures_add(c, rec, at);
}

static enum status read_file(struct captures *c, const char *path, record_fn *fn)
{
    struct stat facts = {.st_size = 0};
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st = warc_open(path, &r);

    (void)stat(path, &facts);
    if (st == ST_CORRUPT || st == ST_INVALID) {
        note_damage(c, path);
        return ST_OK;
    }
    while (st == ST_OK) {
        st = warc_next(r, &rec);
        if (st == ST_OK) {
            st = import_tick(c->im, "importing bytes", rec.offset, (uint64_t)facts.st_size);
            if (st == ST_OK)
                st = fn(c, &rec);
            warc_record_free(&rec);
        } else if (st == ST_CORRUPT || st == ST_LIMIT) {
            note_damage(c, path);
            st = warc_resync(r);
        }
    }
    warc_close(r);
    return st == ST_MISSING ? ST_OK : st;
}

static void add_name(struct captures *c, struct str name)
{
    MEM_GROW(c->files, c->nfiles, &c->files_cap);
    c->files[c->nfiles++] = str_dup(name);
}

static enum status on_name(void *ctx, struct str path, uint64_t done, uint64_t total)
{
    struct captures *c = ctx;
    size_t folder = c->name.len;

    (void)done, (void)total;
    if (str_ends_i(path, STR(".warc")) || str_ends_i(path, STR(".warc.gz")) ||
        str_ends_i(path, STR(".warc.gz.open"))) { /* of a crawl that goes on, or was killed */
        buf_addf(&c->name, "/%.*s", STR_ARG(path));
        add_name(c, buf_str(&c->name));
        c->name.len = folder;
    }
    return ST_OK;
}

/* Files as they are given, those of a folder in byte order of their paths. */
static enum status list_files(struct captures *c)
{
    for (size_t i = 0; i < c->im->nsources; i++) {
        const char *source = c->im->sources[i];
        struct stat facts;

        if (stat(source, &facts) != 0) {
            import_note(c->im, IMPORT_MISSING, str_of(source), strerror(errno));
        } else if (S_ISDIR(facts.st_mode)) {
            buf_clear(&c->name);
            buf_add_z(&c->name, source);
            TRY(import_walk(source, on_name, c));
        } else {
            add_name(c, str_of(source));
        }
    }
    if (c->nfiles == 0 && import_fault_count(c->im->report) == 0)
        return status_fail(ST_MISSING, "%s: there is no WARC file in it (*.warc, *.warc.gz)",
                           c->im->sources[0]);
    return ST_OK;
}

enum status captures_read(struct captures *c, record_fn *fn)
{
    for (c->file = 0; c->file < c->nfiles; c->file++)
        TRY(read_file(c, c->files[c->file], fn));
    return ST_OK;
}

/* Checks that each is a crawl directory with archive and database; anything else was probably given
 * by mistake. */
static enum status check_crawls(struct importer *im)
{
    LOCAL_BUF path = BUF_INIT(8192);

    for (size_t i = 0; i < im->nsources; i++) {
        struct stat facts;

        buf_clear(&path);
        buf_addf(&path, "%s/crawl.db", im->sources[i]);
        if (stat(path.data, &facts) != 0)
            return status_fail(ST_MISSING, "%s is no crawl directory: there is no crawl.db in it",
                               im->sources[i]);
    }
    return ST_OK;
}

enum status import_crawl(struct importer *im)
{
    TRY(check_crawls(im));
    return import_warc(im);
}

enum status import_warc(struct importer *im)
{
    struct captures c = {.im = im,
                         .versions = im->config->versions || im->config->from == IMPORT_CRAWL,
                         .body = BUF_INIT(LIMIT_WARC_RECORD),
                         .name = BUF_INIT(8192)};
    enum status st;

    map_init(&c.digests);
    map_init(&c.said);
    map_init(&c.stands);
    map_init(&c.ever);
    st = list_files(&c);
    if (st == ST_OK)
        st = c.versions ? captures_in_time(&c) : captures_read(&c, on_record);
    for (size_t i = 0; i < c.nfiles; i++)
        free(c.files[i]);
    free(c.files);
    free(c.places);
    map_free(&c.digests);
    map_free(&c.said);
    map_free(&c.stands);
    map_free(&c.ever);
    buf_free(&c.body);
    buf_free(&c.name);
    return st;
}
