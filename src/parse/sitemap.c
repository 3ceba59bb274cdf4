/* sitemap.c - sitemaps: urlset and sitemapindex, plain text, gzip'ed or not.
 *
 * In: a payload. Out: its URLs. gzip is undone first, bounded in size and in ratio;
 * then a '<' decides between XML and text.
 *
 *   urlset > url > loc, lastmod; news > title, publication_date
 *   sitemapindex > sitemap > loc, lastmod      (or the URL right inside sitemap)
 *
 * Workload: one in some hundred documents; up to 50,000 URLs, 50 MB.
 *
 * Source: sitemaps.org protocol 0.9. Where we differ: namespaces are optional, URLs
 * of other hosts are passed on (the frontier decides), entries whose URL is neither
 * http nor https are skipped.
 * SPDX-License-Identifier: MIT
 */
#include "parse/sitemap.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/date.h"
#include "parse/plain.h"
#include "parse/url.h"
#include "parse/xml.h"

#include <zlib.h>

/* ---- the list ------------------------------------------------------------------- */

struct sitemap_list {
    struct arena *arena;
    const struct url *base; /* may be NULL */
    struct sitemap *out;
    size_t cap; /* of out->entries */
};

/* Adds an entry with its URL resolved. Returns false if the list must end here. */
static bool list_add(struct sitemap_list *l, struct str written, struct sitemap_entry entry)
{
    struct sitemap *s = l->out;
    struct url u;

    if (s->count == LIMIT_SITEMAP_URLS) {
        s->cut = true;
        return false;
    }
    if (url_parse(written, l->base, l->arena, &u) != ST_OK)
        return !l->arena->full;
    if (s->count == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 64, size = sizeof entry;
        void *more = arena_grow(l->arena, s->entries, l->cap * size, cap * size);

        if (more == NULL)
            return false;
        s->entries = more;
        l->cap = cap;
    }
    entry.url = u.href;
    s->entries[s->count++] = entry;
    return true;
}

/* ---- XML -------------------------------------------------------------------------- */

enum sitemap_field { FIELD_NONE, FIELD_LOC, FIELD_DATE, FIELD_NEWS_DATE, FIELD_NEWS_TITLE };

/* The root has depth 1. Foreign elements named loc are deeper. */
static const struct {
    struct str local;
    int depth;
    enum sitemap_field field;
} fields[] = {
    {STR("loc"), 3, FIELD_LOC},
    {STR("lastmod"), 3, FIELD_DATE},
    {STR("publication_date"), 4, FIELD_NEWS_DATE},
    {STR("title"), 4, FIELD_NEWS_TITLE},
};

struct sitemap_reader {
    struct sitemap_list list;
    int depth;
    bool is_sitemap; /* the root is one of a sitemap */
    bool in_news;    /* inside news:news */
    struct sitemap_entry entry;
    enum sitemap_field field; /* being read */
    struct buf text;          /* of the field */
    struct buf loc;           /* of the entry; also text right inside it */
    bool has_loc;
};

static bool on_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct sitemap_reader *r = user;

    (void)attrs;
    r->depth++;
    r->field = FIELD_NONE;
    if (r->depth == 1) {
        r->list.out->is_index = str_eq_i(name->local, STR("sitemapindex"));
        return r->is_sitemap = r->list.out->is_index || str_eq_i(name->local, STR("urlset"));
    }
    if (r->depth == 2) {
        r->entry = (struct sitemap_entry){.date = 0};
        r->has_loc = false;
        buf_clear(&r->loc);
    }
    if (r->depth == 3)
        r->in_news = str_eq(name->local, STR("news"));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (fields[i].depth == r->depth && (r->depth < 4 || r->in_news) &&
            str_eq_i(name->local, fields[i].local)) {
            r->field = fields[i].field;
            buf_clear(&r->text);
        }
    return true;
}

static void field_finish(struct sitemap_reader *r)
{
    struct str s = str_trim(buf_str(&r->text));

    if (r->field == FIELD_LOC && !r->has_loc && s.len) {
        buf_clear(&r->loc);
        buf_add_str(&r->loc, s);
        r->has_loc = !r->loc.full;
    } else if (r->field == FIELD_NEWS_TITLE) {
        r->entry.title = plain_text(s, false, LIMIT_TITLE, r->list.arena);
    } else if (r->field == FIELD_DATE || (r->field == FIELD_NEWS_DATE && r->entry.date == 0)) {
        (void)date_any(s, &r->entry.date);
    }
    r->field = FIELD_NONE;
}

static bool on_close(void *user)
{
    struct sitemap_reader *r = user;
    bool go_on = true;

    if (r->field != FIELD_NONE)
        field_finish(r);
    if (r->depth-- == 2 && str_trim(buf_str(&r->loc)).len)
        go_on = list_add(&r->list, buf_str(&r->loc), r->entry);
    return go_on && !r->list.arena->full;
}

static bool on_text(void *user, struct str text)
{
    struct sitemap_reader *r = user;

    if (r->field != FIELD_NONE)
        buf_add_str(&r->text, text);
    else if (r->depth == 2 && !r->has_loc)
        buf_add_str(&r->loc, text);
    return true;
}

static enum status xml_read(struct str payload, struct sitemap_list *list)
{
    static const struct xml_handler handler = {.open = on_open, .close = on_close, .text = on_text};
    struct sitemap_reader r = {.list = *list};
    enum status st;

    buf_init(&r.text, 4 * LIMIT_URL);
    buf_init(&r.loc, 4 * LIMIT_URL);
    st = xml_parse(payload, STR(""), &handler, &r);
    if (st == ST_OK && !r.is_sitemap)
        st = status_fail(ST_INVALID, "not a sitemap");
    if (r.depth > 0)
        list->out->cut = true;
    buf_free(&r.text);
    buf_free(&r.loc);
    return st;
}

/* ---- text --------------------------------------------------------------------------- */

static enum status text_read(struct str text, struct sitemap_list *list)
{
    struct str line;

    list->base = NULL; /* a relative line is not a URL here */
    while (str_cut(&text, '\n', &line)) {
        uint32_t before = list->out->count;

        line = str_trim(line);
        if (line.len == 0)
            continue;
        if (!list_add(list, line, (struct sitemap_entry){.date = 0}))
            break;
        if (list->out->count == before)
            return status_fail(ST_INVALID, "not a sitemap: a line is not a URL");
    }
    return list->out->count ? ST_OK : status_fail(ST_INVALID, "not a sitemap: no URL");
}

/* ---- gzip ---------------------------------------------------------------------------- */

/* Is this more than deflate can produce from so many bytes? */
static bool is_bomb(const struct buf *out, size_t taken)
{
    return out->len > MIB(1) && out->len / LIMIT_SITEMAP_RATIO > taken;
}

/* Inflates all members into `out`. Returns false if the data are damaged or a ceiling is reached;
 * `out` then has what came before. */
static bool gunzip(struct str in, struct buf *out)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)in.ptr, .avail_in = (uInt)in.len};
    int rc;

    if (inflateInit2(&z, 15 + 16) != Z_OK)
        mem_out();
    do {
        size_t room = LIMIT_SITEMAP - out->len < KIB(64) ? LIMIT_SITEMAP - out->len : KIB(64);
        char *to = buf_room(out, room);

        if (to == NULL || room == 0) {
            rc = Z_MEM_ERROR;
            break;
        }
        z.next_out = (Bytef *)to;
        z.avail_out = (uInt)room;
        rc = inflate(&z, Z_NO_FLUSH);
        if (rc == Z_MEM_ERROR)
            mem_out(); /* a window of 32 KB */
        out->len += room - z.avail_out;
        if (rc == Z_STREAM_END && z.avail_in > 0)
            rc = inflateReset(&z); /* another member */
    } while (rc == Z_OK && !is_bomb(out, in.len - z.avail_in));
    (void)inflateEnd(&z);
    return rc == Z_STREAM_END;
}

/* ---- the whole ------------------------------------------------------------------------- */

static enum status plain_read(struct str payload, struct sitemap_list *list)
{
    struct str trimmed = payload;
    bool wide = str_starts(payload, STR("\xff\xfe")) || str_starts(payload, STR("\xfe\xff"));

    if (str_starts(payload, STR("\xef\xbb\xbf")))
        trimmed = str_sub(payload, 3, payload.len);
    trimmed = str_trim(trimmed);
    if (wide || (trimmed.len && trimmed.ptr[0] == '<'))
        return xml_read(payload, list);
    return text_read(trimmed, list);
}

enum status sitemap_parse(struct str payload, const struct url *base, struct arena *arena,
                          struct sitemap *ret)
{
    struct sitemap map = {.count = 0};
    struct sitemap_list list = {.arena = arena, .base = base, .out = &map};
    struct buf inflated = BUF_INIT(LIMIT_SITEMAP);
    enum status st;

    if (str_starts(payload, STR("\x1f\x8b"))) {
        map.cut = payload.len > UINT32_MAX || !gunzip(payload, &inflated);
        payload = buf_str(&inflated);
    }
    st = plain_read(payload, &list);
    buf_free(&inflated);
    if (st == ST_OK && arena->full)
        st = status_fail(ST_LIMIT, "no memory left for this page");
    if (st == ST_OK)
        *ret = map;
    return st;
}
