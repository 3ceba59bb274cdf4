/* places.c - see places.h. SPDX-License-Identifier: MIT */
#include "crawl/start/places.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "crawl/start/cdx.h"
#include "crawl/start/seed.h"
#include "frontier/scope.h"
#include "parse/html.h"
#include "parse/http/decode.h"
#include "parse/page/page.h"
#include "parse/url.h"
#include "parse/xml.h"
#include "store/read/warc_read.h"

#include <jansson.h>

#define JSON_NESTING 200 /* folders in folders, two levels each */

/* ---- collecting ---------------------------------------------------------- */

struct places {
    struct text_list found;
    struct scope *only; /* NULL: all */
    struct map seen;    /* hash of the URL -> 1 */
    struct arena arena;
    size_t offered;
    bool captures; /* it has to be an archive's index */
};

static enum status places_init(struct places *p, const struct places_wanted *wanted)
{
    const struct text_list *only = wanted->only;

    *p = (struct places){.only = only && only->count ? scope_new() : NULL,
                         .captures = wanted->captures};
    map_init(&p->seen);
    arena_init(&p->arena, KIB(256));
    for (size_t i = 0; p->only && i < only->count; i++)
        TRY(scope_allow(p->only, str_of(only->items[i])));
    return ST_OK;
}

static void places_clear(struct places *p)
{
    text_list_free(&p->found);
    scope_free(p->only);
    map_free(&p->seen);
    arena_free(&p->arena);
}

/* Offers a place: adds it if it is an acceptable URL, is wanted, and is new. */
static void offer(struct places *p, struct str text)
{
    struct url u;
    bool is_new;

    arena_reset(&p->arena);
    text = str_trim(text);
    if (text.len > LIMIT_URL || url_parse(text, NULL, &p->arena, &u) != ST_OK)
        return;
    p->offered++;
    if (p->found.count >= LIMIT_PLACES || (p->only && !scope_has(p->only, u.href, u.host)))
        return;
    (void)map_at(&p->seen, hash_str(u.href), 1, &is_new);
    if (is_new)
        text_list_add(&p->found, u.href);
}

/* Passes on the number of places that is wanted, evenly spread, because an index is sorted by
 * host. */
static enum status hand_over(struct places *p, const char *name, size_t most, struct text_list *ret)
{
    size_t n = p->found.count, take = most && most < n ? most : n;

    if (n == 0 && p->offered > 0)
        return status_fail(ST_USAGE, "%s: none of its %zu places matches --seeds-only", name,
                           p->offered);
    if (n == 0)
        return status_fail(ST_USAGE, "%s has no place to start", name);
    for (size_t i = 0; i < take; i++)
        text_list_add(ret, str_of(p->found.items[i * n / take]));
    return ST_OK;
}

/* ---- kinds of lists ------------------------------------------------------ */

/* <DT><A HREF="…" ADD_DATE="…">title</A> */
static void read_bookmarks(struct places *p, struct str text)
{
    LOCAL_BUF value = BUF_INIT(4 * LIMIT_URL);
    struct html h;
    struct str raw;

    html_init(&h, text);
    for (enum html_kind kind; (kind = html_next(&h)) != HTML_EOF;) {
        char *room;

        if (kind != HTML_START || !str_eq_i(h.token.text, STR("a")) ||
            !html_attr(&h.token, STR("href"), &raw) || raw.len > LIMIT_URL)
            continue;
        buf_clear(&value);
        room = buf_room(&value, 3 * raw.len + 1);
        if (room)
            offer(p, (struct str){room, html_decode(raw, HTML_AS_VALUE, room)});
    }
}

/* Firefox: {"uri": …} in "children"; Chromium: {"url": …} in "roots" and "children". */
static void read_json(struct places *p, const json_t *j, int depth)
{
    const char *key;
    json_t *value;
    size_t i;

    if (depth > JSON_NESTING)
        return;
    json_array_foreach(j, i, value) read_json(p, value, depth + 1);
    json_object_foreach((json_t *)j, key, value)
    {
        if (json_is_string(value) && (strcmp(key, "uri") == 0 || strcmp(key, "url") == 0))
            offer(p, str_of(json_string_value(value)));
        else
            read_json(p, value, depth + 1);
    }
}

/* <outline type="rss" xmlUrl="the feed" htmlUrl="its page"/>, <outline type="link" url="…"/> */
static bool on_outline(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    static const char *const wanted[] = {"xmlUrl", "url", "htmlUrl"};
    struct str url = STR("");

    for (size_t i = 0; url.len == 0 && i < ARRAY_LEN(wanted); i++)
        url = xml_attr(attrs, "", wanted[i]);
    if (str_eq_i(name->local, STR("outline")) && url.len > 0)
        offer(user, url);
    return true;
}

static bool on_nothing(void *user)
{
    (void)user;
    return true;
}

static bool on_text(void *user, struct str text)
{
    (void)user, (void)text;
    return true;
}

static void read_outline(struct places *p, struct str text)
{
    static const struct xml_handler handler = {
        .open = on_outline, .close = on_nothing, .text = on_text};

    (void)!xml_parse(text, STR(""), &handler, p);
}

/* Is a capture a document? */
static bool is_document(int status, struct str mime, struct str url)
{
    return (status == 0 || (status >= 200 && status < 300)) &&
           (str_starts(mime, STR("warc/")) || page_wants_type(mime)) &&
           !str_ends(url, STR("/robots.txt"));
}

static void on_capture(void *ctx, const struct cdx_row *row)
{
    if (is_document(row->status, row->mime, row->url))
        offer(ctx, row->url);
}

/* Reads lines as --seeds does: a line that is not a place is refused. */
static enum status read_lines(struct places *p, struct str text, const char *name)
{
    enum status st = ST_OK;
    struct str line;
    size_t number = 0;

    while (st == ST_OK && str_cut(&text, '\n', &line)) {
        struct text_list one = {0};

        number++;
        line = str_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        st = seed_read(line, &one);
        if (st == ST_OK)
            offer(p, str_of(one.items[0]));
        else
            st = status_prefix(st, "%s:%zu", name, number);
        text_list_free(&one);
    }
    return st;
}

static bool is_outline(struct str head)
{
    return str_find_i(head, STR("<opml"), 0) != SIZE_MAX;
}

static enum status read_text(struct places *p, struct str text, const char *name)
{
    struct str head;
    json_t *json;

    if (str_starts(text, STR("\xef\xbb\xbf")))
        text = str_sub(text, 3, text.len);
    head = str_sub(text, 0, KIB(4));
    if (str_starts(head, STR("mozLz40")))
        return status_fail(ST_USAGE,
                           "%s is a compressed copy of Firefox: let Firefox export its "
                           "bookmarks as JSON or HTML",
                           name);
    if (cdx_is(text)) {
        enum status st = cdx_read(text, on_capture, p);

        return st == ST_OK ? st : status_prefix(ST_USAGE, "%s", name);
    }
    if (p->captures)
        return status_fail(ST_USAGE, "%s is no index of a web archive, or an empty one", name);
    if (is_outline(head)) {
        read_outline(p, text);
    } else if (str_trim(head).len > 0 && str_trim(head).ptr[0] == '<') {
        read_bookmarks(p, text);
    } else if (str_starts(str_trim(head), STR("{"))) {
        json = json_loadb(text.ptr, text.len, 0, NULL);
        read_json(p, json, 0);
        json_decref(json);
    } else {
        return read_lines(p, text, name);
    }
    return ST_OK;
}

enum status places_of_text(struct str text, const char *name, const struct places_wanted *wanted,
                           struct text_list *ret)
{
    struct places p;
    enum status st = places_init(&p, wanted);

    if (st == ST_OK)
        st = read_text(&p, text, name);
    if (st == ST_OK)
        st = hand_over(&p, name, wanted->most, ret);
    places_clear(&p);
    return st;
}

/* ---- files --------------------------------------------------------------- */

static void on_record(struct places *p, const struct warc_record *rec)
{
    struct str head, payload, line, name, mime = STR("");
    int status = 0;

    if (!str_eq(rec->type, STR("response")) && !str_eq(rec->type, STR("revisit")) &&
        !str_eq(rec->type, STR("resource")))
        return;
    if (!str_eq(rec->type, STR("resource")) && !warc_http(rec, &status, &head, &payload))
        return;
    while (status && str_cut(&head, '\n', &line))
        if (str_cut(&line, ':', &name) && str_eq_i(name, STR("content-type")))
            mime = str_trim(line);
    if (is_document(status, mime, rec->target))
        offer(p, rec->target);
}

/* Reads a WARC file. ST_INVALID if it is not one. */
static enum status read_warc(struct places *p, const char *path)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st = warc_open(path, &r);
    bool any = false;

    while (st == ST_OK && p->found.count < LIMIT_PLACES) {
        st = warc_next(r, &rec);
        if (st == ST_OK) {
            any = true;
            on_record(p, &rec);
            warc_record_free(&rec);
        } else if (st == ST_CORRUPT && any) {
            st = warc_resync(r);
        }
    }
    warc_close(r);
    return any ? ST_OK : ST_INVALID;
}

static enum status read_packed(struct places *p, struct str packed, const char *path)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);
    struct str plain;
    bool cut;

    if (decode_body(packed, STR("gzip"), &text, &plain, &cut) != DROP_NONE || cut)
        return status_fail(ST_USAGE, "%s: this gzip file is damaged, or unpacks to too much", path);
    return read_text(p, plain, path);
}

static enum status read_file(struct places *p, const char *path, const char *option)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_SEEDS_FILE);
    enum status st = read_warc(p, path);

    if (st == ST_OK)
        return ST_OK;
    st = file_read(path, &text);
    if (st != ST_OK)
        st = status_prefix(ST_USAGE, "%s", option);
    else if (str_starts(buf_str(&text), STR("\x1f\x8b")))
        st = read_packed(p, buf_str(&text), path);
    else
        st = read_text(p, buf_str(&text), path);
    return st;
}

enum status places_of_file(const char *path, const char *option, const struct places_wanted *wanted,
                           struct text_list *ret)
{
    struct places p;
    enum status st = places_init(&p, wanted);

    if (st == ST_OK)
        st = read_file(&p, path, option);
    if (st == ST_OK)
        st = hand_over(&p, path, wanted->most, ret);
    places_clear(&p);
    return st;
}
