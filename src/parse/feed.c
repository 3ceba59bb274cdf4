/* feed.c - RSS 0.9x, 1.0, 2.0 and Atom as a list of entries.
 *
 * In: calls of xml.c. Out: struct feed. A field is an element directly below an
 * entry (item, entry) or below the feed itself (channel, feed); which one it is
 * says the table `fields`. Its text is gathered until it closes, then stripped and
 * stored. Elements deeper than that (an entry's source, an image's title) are
 * never fields.
 *
 *   rss > channel > item > title        RSS 0.91 to 2.0
 *   RDF > channel, RDF > item > title   RSS 0.90 and 1.0
 *   feed > entry > title                Atom 0.3 and 1.0
 *
 * Workload: a feed has 10 to 50 entries of 1 KB; speed does not matter.
 *
 * Sources: RSS 2.0 and 1.0, RFC 4287, RFC 822 and 3339 dates. Where we differ:
 * namespaces are only used to tell foreign elements from our own, whatever their
 * version; a title in RSS is read as markup, as other readers do.
 * SPDX-License-Identifier: MIT
 */
#include "parse/feed.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/date.h"
#include "parse/plain.h"
#include "parse/url.h"
#include "parse/xml.h"

#include <stdlib.h>

/* ---- the names of elements -------------------------------------------------------- */

enum space { SPACE_CORE, SPACE_CONTENT, SPACE_DC, SPACE_OTHER };

/* Namespaces by a part of their URI, or by the prefix if it is not declared. */
static const struct {
    struct str part;
    enum space space;
} spaces[] = {
    {STR("purl.org/rss/1.0/modules/content"), SPACE_CONTENT},
    {STR("w3.org/1999/xhtml"), SPACE_CONTENT},
    {STR("purl.org/rss/1.0/modules"), SPACE_OTHER},
    {STR("purl.org/dc/"), SPACE_DC},
    {STR("purl.org/rss/"), SPACE_CORE},
    {STR("purl.org/atom"), SPACE_CORE},
    {STR("w3.org/2005/Atom"), SPACE_CORE},
    {STR("netscape.com/rdf"), SPACE_CORE},
    {STR("channel.netscape.com"), SPACE_CORE},
    {STR("backend.userland.com"), SPACE_CORE},
    {STR("blogs.law.harvard.edu"), SPACE_CORE},
    {STR("rssboard.org"), SPACE_CORE},
    {STR("22-rdf-syntax-ns"), SPACE_CORE},
};

static enum space space_of(struct str uri)
{
    if (uri.len == 0)
        return SPACE_CORE;
    for (size_t i = 0; i < ARRAY_LEN(spaces); i++)
        if (str_find_i(uri, spaces[i].part, 0) != SIZE_MAX)
            return spaces[i].space;
    if (str_eq(uri, STR("content")))
        return SPACE_CONTENT;
    if (str_eq(uri, STR("dc")))
        return SPACE_DC;
    return str_eq(uri, STR("atom")) || str_eq(uri, STR("rss")) ? SPACE_CORE : SPACE_OTHER;
}

/* Parts of an entry or of the feed. If two elements set the same field, the one of higher rank
 * counts; of equal ranks, the first. */
enum feed_field { FIELD_NONE, FIELD_TITLE, FIELD_URL, FIELD_TEXT, FIELD_DATE, FIELD_LANG, NFIELDS };

static const struct {
    struct str local;
    enum space space;
    enum feed_field field;
    int rank;
} fields[] = {
    {STR("title"), SPACE_CORE, FIELD_TITLE, 2},
    {STR("title"), SPACE_DC, FIELD_TITLE, 1},
    {STR("link"), SPACE_CORE, FIELD_URL, 3},
    {STR("guid"), SPACE_CORE, FIELD_URL, 2},
    {STR("encoded"), SPACE_CONTENT, FIELD_TEXT, 3},
    {STR("body"), SPACE_CONTENT, FIELD_TEXT, 3},
    {STR("content"), SPACE_CORE, FIELD_TEXT, 3},
    {STR("description"), SPACE_CORE, FIELD_TEXT, 2},
    {STR("summary"), SPACE_CORE, FIELD_TEXT, 2},
    {STR("subtitle"), SPACE_CORE, FIELD_TEXT, 2},
    {STR("tagline"), SPACE_CORE, FIELD_TEXT, 2},
    {STR("description"), SPACE_DC, FIELD_TEXT, 1},
    {STR("published"), SPACE_CORE, FIELD_DATE, 4},
    {STR("issued"), SPACE_CORE, FIELD_DATE, 4},
    {STR("pubDate"), SPACE_CORE, FIELD_DATE, 4},
    {STR("date"), SPACE_DC, FIELD_DATE, 3},
    {STR("created"), SPACE_CORE, FIELD_DATE, 3},
    {STR("updated"), SPACE_CORE, FIELD_DATE, 2},
    {STR("modified"), SPACE_CORE, FIELD_DATE, 2},
    {STR("lastBuildDate"), SPACE_CORE, FIELD_DATE, 1},
    {STR("language"), SPACE_CORE, FIELD_LANG, 2},
    {STR("language"), SPACE_DC, FIELD_LANG, 1},
};

/* ---- the reader ---------------------------------------------------------------------- */

#define BASES 16 /* xml:base attributes in force at once; deeper ones are ignored */

/* An entry, or the feed itself, as read so far. */
struct feed_node {
    struct feed_entry value;
    struct str lang;
    int rank[NFIELDS]; /* of the value that is set; 0: none is */
};

struct feed_reader {
    struct arena *arena;
    struct feed *out;
    size_t cap;      /* of out->entries */
    int depth;       /* open elements */
    int feed_depth;  /* of channel or feed; 0: not seen, -1: closed */
    int entry_depth; /* of the open item or entry; 0: none */
    struct feed_node feed, entry;
    enum feed_field field; /* being read */
    int field_rank, field_depth;
    bool is_markup;          /* its text is HTML */
    struct buf text;         /* of the field */
    const struct url *base;  /* the document's URL; may be NULL */
    struct url bases[BASES]; /* xml:base in force, outermost first */
    int base_depth[BASES], nbases;
    bool is_feed; /* the root is one of a feed */
};

static const struct url *base_now(const struct feed_reader *r)
{
    return r->nbases ? &r->bases[r->nbases - 1] : r->base;
}

static void base_push(struct feed_reader *r, const struct xml_attrs *attrs)
{
    struct str written = xml_attr(attrs, "xml", "base");

    if (written.len == 0 || r->nbases == BASES)
        return;
    if (url_parse(written, base_now(r), r->arena, &r->bases[r->nbases]) == ST_OK)
        r->base_depth[r->nbases++] = r->depth;
}

/* Returns the absolute URL of a link; empty if it is not http or https. */
static struct str resolve(struct feed_reader *r, struct str link)
{
    struct url u;
    enum status st = url_parse(link, base_now(r), r->arena, &u);

    if (st == ST_OK)
        return u.href;
    if (st == ST_INVALID && base_now(r) == NULL)
        return arena_str(r->arena, str_trim(link));
    return STR("");
}

static struct feed_node *node_now(struct feed_reader *r)
{
    return r->entry_depth ? &r->entry : &r->feed;
}

/* ---- fields -------------------------------------------------------------------------- */

/* Stores a field that was read from text or from an attribute. */
static void field_store(struct feed_reader *r, enum feed_field field, int rank, struct str raw)
{
    struct feed_node *n = node_now(r);
    struct str s = str_trim(raw);
    bool kept = s.len > 0;
    int64_t date;

    if (field == FIELD_DATE && date_any(s, &date) && date > n->value.changed)
        n->value.changed = date;
    if (!kept || n->rank[field] >= rank)
        return;
    if (field == FIELD_TITLE)
        n->value.title = plain_text(s, r->is_markup, LIMIT_TITLE, r->arena);
    else if (field == FIELD_TEXT)
        n->value.text = plain_text(s, r->is_markup, LIMIT_FEED_TEXT, r->arena);
    else if (field == FIELD_URL)
        kept = (n->value.url = resolve(r, s)).len > 0;
    else if (field == FIELD_LANG)
        n->lang = arena_str(r->arena, s);
    else
        kept = date_any(s, &n->value.date);
    if (kept)
        n->rank[field] = rank;
}

/* Is the text of this element markup? RSS does not say, so we assume it; Atom declares it. */
static bool markup_of(const struct feed_reader *r, const struct xml_attrs *attrs)
{
    struct str type = xml_attr(attrs, "", "type"), mode = xml_attr(attrs, "", "mode");

    if (str_eq_i(mode, STR("escaped")))
        return true;
    if (type.len == 0)
        return r->out->kind != FEED_ATOM;
    return str_eq_i(type, STR("html")) || str_eq_i(type, STR("text/html"));
}

/* Is the text base64? Atom 0.3 declares it; in Atom 1.0 it is, if the type is neither
 * text nor XML. */
static bool is_encoded(const struct xml_attrs *attrs)
{
    struct str type = xml_attr(attrs, "", "type");

    if (str_eq_i(xml_attr(attrs, "", "mode"), STR("base64")))
        return true;
    return str_find_char(type, '/', 0) != SIZE_MAX && xml_attr(attrs, "", "mode").len == 0 &&
           !str_starts_i(type, STR("text/")) && !str_ends_i(type, STR("xml"));
}

/* Handles a link with its address in an attribute: Atom's, and those inside RSS. Takes only links
 * that a person would follow. */
static void link_open(struct feed_reader *r, const struct xml_attrs *attrs, struct str href)
{
    struct str rel = xml_attr(attrs, "", "rel"), type = xml_attr(attrs, "", "type");
    bool page = type.len == 0 || str_find_i(type, STR("html"), 0) != SIZE_MAX;

    if (rel.len == 0 || str_eq_i(rel, STR("alternate")))
        field_store(r, FIELD_URL, page ? 4 : 1, href);
    else if (r->entry_depth == 0 && str_eq_i(rel, STR("hub")) && r->out->hub.len == 0)
        r->out->hub = resolve(r, href);
    else if (r->entry_depth == 0 && str_eq_i(rel, STR("self")) && r->out->self.len == 0)
        r->out->self = resolve(r, href);
}

/* <cloud domain="rpc.example.org" port="80" path="/rsscloud/pleaseNotify"
 *        registerProcedure="" protocol="http-post"/> */
static void cloud_open(struct feed_reader *r, const struct xml_attrs *attrs)
{
    struct str domain = xml_attr(attrs, "", "domain"), port = xml_attr(attrs, "", "port");
    struct str path = xml_attr(attrs, "", "path"), protocol = xml_attr(attrs, "", "protocol");
    LOCAL_BUF url = BUF_INIT(LIMIT_URL);

    if (r->entry_depth > 0 || r->out->cloud.len > 0 || domain.len == 0 ||
        !(str_eq_i(protocol, STR("http-post")) || str_eq_i(protocol, STR("https-post"))))
        return;
    buf_addf(&url, "%s://%.*s:%.*s%s%.*s",
             str_eq_i(protocol, STR("https-post")) || str_eq(port, STR("443")) ? "https" : "http",
             STR_ARG(domain), STR_ARG(port.len ? port : STR("80")),
             str_starts(path, STR("/")) ? "" : "/", STR_ARG(path));
    if (!url.full)
        r->out->cloud = resolve(r, buf_str(&url));
}

static void field_begin(struct feed_reader *r, enum feed_field field, int rank,
                        const struct xml_attrs *attrs)
{
    struct str href = field == FIELD_URL ? xml_attr(attrs, "", "href") : STR("");

    if (href.len) {
        link_open(r, attrs, href);
        return;
    }
    if (field == FIELD_URL && str_eq_i(xml_attr(attrs, "", "isPermaLink"), STR("false")))
        return;
    if (is_encoded(attrs))
        return;
    r->field = field;
    r->field_rank = rank;
    r->field_depth = r->depth;
    r->is_markup = markup_of(r, attrs);
    buf_clear(&r->text);
}

static void field_open(struct feed_reader *r, const struct xml_name *name,
                       const struct xml_attrs *attrs)
{
    enum space space = space_of(name->space);

    if (space == SPACE_CORE && str_eq(name->local, STR("cloud")))
        cloud_open(r, attrs);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (fields[i].space == space && str_eq(name->local, fields[i].local)) {
            field_begin(r, fields[i].field, fields[i].rank, attrs);
            return;
        }
}

/* Handles markup that was not escaped, and XHTML: its blocks separate words. */
static void field_mark(struct feed_reader *r, struct str tag)
{
    if (plain_is_block(tag))
        buf_add_char(&r->text, ' ');
}

/* ---- entries --------------------------------------------------------------------------- */

static bool entry_finish(struct feed_reader *r)
{
    struct feed *f = r->out;

    if (f->count == LIMIT_FEED_ENTRIES) {
        f->cut = true;
        return false;
    }
    if (f->count == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 32, size = sizeof *f->entries;
        void *more = arena_grow(r->arena, f->entries, r->cap * size, cap * size);

        if (more == NULL)
            return false;
        f->entries = more;
        r->cap = cap;
    }
    f->entries[f->count++] = r->entry.value;
    r->entry_depth = 0;
    return true;
}

static void entry_begin(struct feed_reader *r, const struct xml_attrs *attrs)
{
    struct str about = xml_attr(attrs, "rdf", "about");

    r->entry = (struct feed_node){.rank = {0}};
    r->entry_depth = r->depth;
    if (about.len)
        field_store(r, FIELD_URL, 1, about);
}

static bool root_open(struct feed_reader *r, const struct xml_name *name,
                      const struct xml_attrs *attrs)
{
    struct str lang = xml_attr(attrs, "xml", "lang");

    r->is_feed = true;
    if (str_eq_i(name->local, STR("rdf")))
        r->out->kind = FEED_RDF;
    else if (str_eq_i(name->local, STR("feed")))
        r->out->kind = FEED_ATOM;
    else if (str_eq_i(name->local, STR("rss")) || str_eq_i(name->local, STR("channel")))
        r->out->kind = FEED_RSS;
    else
        return r->is_feed = false;
    if (!str_eq_i(name->local, STR("rss")) && !str_eq_i(name->local, STR("rdf")))
        r->feed_depth = 1;
    if (lang.len)
        field_store(r, FIELD_LANG, 1, lang);
    return true;
}

/* ---- the calls of xml.c ------------------------------------------------------------------ */

static bool on_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct feed_reader *r = user;
    bool core = space_of(name->space) == SPACE_CORE;

    r->depth++;
    base_push(r, attrs);
    if (r->depth == 1)
        return root_open(r, name, attrs);
    if (r->field != FIELD_NONE)
        field_mark(r, name->local);
    else if (r->entry_depth == 0 && core &&
             (str_eq(name->local, STR("item")) || str_eq(name->local, STR("entry"))))
        entry_begin(r, attrs);
    else if (r->entry_depth ? r->depth == r->entry_depth + 1 : r->depth == r->feed_depth + 1)
        field_open(r, name, attrs);
    else if (r->feed_depth == 0 && core && str_eq(name->local, STR("channel")))
        r->feed_depth = r->depth;
    return !r->arena->full;
}

static bool on_close(void *user)
{
    struct feed_reader *r = user;
    bool go_on = true;

    if (r->field != FIELD_NONE && r->depth == r->field_depth) {
        field_store(r, r->field, r->field_rank, buf_str(&r->text));
        r->field = FIELD_NONE;
    }
    if (r->entry_depth && r->depth == r->entry_depth)
        go_on = entry_finish(r);
    if (r->depth == r->feed_depth)
        r->feed_depth = -1; /* elements after this do not belong to the feed itself */
    if (r->nbases && r->base_depth[r->nbases - 1] == r->depth)
        r->nbases--;
    r->depth--;
    return go_on && !r->arena->full;
}

static bool on_text(void *user, struct str text)
{
    struct feed_reader *r = user;

    if (r->field == FIELD_NONE)
        return true;
    buf_add_str(&r->text, text);
    r->out->cut |= r->text.full; /* the field keeps what fits */
    return true;
}

enum status feed_parse(struct str payload, struct str charset, const struct url *base,
                       struct arena *arena, struct feed *ret)
{
    static const struct xml_handler handler = {.open = on_open, .close = on_close, .text = on_text};
    struct feed feed = {.kind = FEED_RSS};
    struct feed_reader *r = MEM_NEW(struct feed_reader);
    enum status st;

    r->arena = arena;
    r->out = &feed;
    r->base = base;
    r->is_markup = true;
    r->text = BUF_INIT(LIMIT_FEED_FIELD);
    st = xml_parse(payload, charset, &handler, r);
    if (st == ST_OK && !r->is_feed)
        st = status_fail(ST_INVALID, "not a feed");
    if (st == ST_OK && r->entry_depth) /* the document ended inside an entry */
        (void)entry_finish(r);
    feed.cut = feed.cut || r->depth > 0;
    feed.title = r->feed.value.title;
    feed.text = r->feed.value.text;
    feed.url = r->feed.value.url;
    feed.date = r->feed.value.date;
    feed.lang = r->feed.lang;
    buf_free(&r->text);
    free(r);
    if (st == ST_OK && arena->full)
        st = status_fail(ST_LIMIT, "no memory left for this page");
    if (st == ST_OK)
        *ret = feed;
    return st;
}
