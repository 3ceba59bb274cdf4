/* file.c - files that become pages: their types, their URLs, their bytes.
 *
 * In: a path and bytes. Out: an item for import_page(). A file name is data:
 * every byte that has a meaning in a URL is escaped, '%' first of all.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/import_int.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/mime.h"
#include "parse/url_norm.h"

/* ---- types --------------------------------------------------------------- */

/* Types by the end of the name. Without a type, the file is left out. For any other end, or none,
 * the bytes decide. */
static const struct {
    const char *end;
    const char *type;
} types[] = {
    {"html", "text/html"},
    {"htm", "text/html"},
    {"shtml", "text/html"},
    {"xhtml", "application/xhtml+xml"},
    {"xht", "application/xhtml+xml"},
    {"txt", "text/plain"},
    {"text", "text/plain"},
    {"md", "text/markdown"},
    {"rst", "text/x-rst"},
    {"xml", "application/xml"},
    {"rss", "application/rss+xml"},
    {"atom", "application/atom+xml"},
    {"rdf", "application/rdf+xml"},
    {"css", NULL},
    {"js", NULL},
    {"mjs", NULL},
    {"json", NULL},
    {"svg", NULL},
    {"csv", NULL},
    {"tsv", NULL},
};

bool import_wants(struct str path, struct str *ret_type)
{
    size_t dot = path.len;

    while (dot > 0 && path.ptr[dot - 1] != '.' && path.ptr[dot - 1] != '/')
        dot--;
    *ret_type = (struct str){"", 0};
    if (dot == 0 || path.ptr[dot - 1] == '/')
        return true;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (str_eq_i(str_sub(path, dot, path.len), str_of(types[i].end))) {
            *ret_type = str_of(types[i].type);
            return types[i].type != NULL;
        }
    }
    return true;
}

/* The type that a made header gives to bytes whose name tells none. */
static struct str type_of_bytes(struct str bytes)
{
    switch (mime_sniff(bytes)) {
    case MIME_HTML:
        return STR("text/html");
    case MIME_XML:
    case MIME_SITEMAP:
        return STR("application/xml");
    case MIME_FEED:
        return STR("application/rss+xml");
    case MIME_TEXT:
        return STR("text/plain");
    default:
        return STR("");
    }
}

/* ---- URLs ---------------------------------------------------------------- */

bool import_any_url(struct importer *im, struct str text, struct str name, struct str *ret)
{
    struct url u;

    if (url_parse(text, NULL, &im->urls, &u) == ST_OK) {
        *ret = url_norm(&u, &im->urls);
        if (ret->ptr)
            return true;
    }
    import_note(im, IMPORT_URL, name, "no http or https URL comes of it");
    return false;
}

/* May the character be in a path unescaped (RFC 3986 pchar, and '/')? */
static bool is_plain(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (c != '\0' && strchr("-._~!$&'()*+,=:@/", c));
}

/* A segment that is empty, "." or ".." would be taken for something else. */
static bool has_odd_segment(struct str path)
{
    size_t from = 0, to;

    do {
        to = str_find_char(path, '/', from);
        struct str segment = str_sub(path, from, to);

        if (segment.len == 0 || str_eq(segment, STR(".")) || str_eq(segment, STR("..")))
            return true;
        from = to + 1;
    } while (to != SIZE_MAX);
    return str_find_char(path, '\0', 0) != SIZE_MAX;
}

bool import_path_url(struct importer *im, struct str path, struct str *ret)
{
    LOCAL_BUF url = BUF_INIT(LIMIT_URL);
    bool good;

    if (has_odd_segment(path)) {
        import_note(im, IMPORT_URL, path, "its path has an empty part, '.' or '..'");
        return false;
    }
    buf_add_str(&url, buf_str(&im->prefix));
    for (size_t i = 0; i < path.len; i++) {
        if (is_plain(path.ptr[i]))
            buf_add_char(&url, path.ptr[i]);
        else
            buf_addf(&url, "%%%02X", (unsigned char)path.ptr[i]);
    }
    good = !url.full;
    if (good)
        good = import_any_url(im, buf_str(&url), path, ret);
    else
        import_note(im, IMPORT_URL, path, "its URL would be too long");
    return good;
}

/* The last part of a path without what follows its first dot, as a host's name. */
static void add_host_name(struct buf *out, const char *source)
{
    struct str s = str_of(source), name;
    size_t from;

    while (s.len && s.ptr[s.len - 1] == '/')
        s.len--;
    for (from = s.len; from > 0 && s.ptr[from - 1] != '/'; from--)
        ;
    name = str_sub(s, from, s.len);
    name = str_sub(name, 0, str_find_char(name, '.', 1));
    size_t start = out->len;
    for (size_t i = 0; i < name.len && out->len - start < 60; i++) {
        char c = ascii_lower(name.ptr[i]);

        if (ascii_is_alpha(c) || ascii_is_digit(c))
            buf_add_char(out, c);
        else if (out->len > start && out->data[out->len - 1] != '-')
            buf_add_char(out, '-');
    }
    while (out->len > start && out->data[out->len - 1] == '-')
        out->len--;
    if (out->len == start)
        buf_add_z(out, "world");
}

enum status import_set_prefix(struct importer *im, const char *source)
{
    const char *given = im->config->url_prefix;
    struct url u;

    buf_clear(&im->prefix);
    if (given == NULL) {
        buf_add_z(&im->prefix, "http://");
        add_host_name(&im->prefix, source);
        buf_add_z(&im->prefix, ".example/");
        return ST_OK;
    }
    if (url_parse(str_of(given), NULL, &im->urls, &u) != ST_OK || u.has_query || u.has_fragment)
        return status_fail(ST_USAGE,
                           "--url-prefix %s: wanted is the beginning of a URL, such as "
                           "http://www.example.org/",
                           given);
    buf_add_str(&im->prefix, u.href);
    if (!str_ends(buf_str(&im->prefix), STR("/")))
        buf_add_char(&im->prefix, '/');
    return ST_OK;
}

/* ---- bytes --------------------------------------------------------------- */

bool import_bytes(struct importer *im, const char *path, struct str name, struct buf *out)
{
    enum status st;

    buf_clear(out);
    st = file_read(path, out);
    if (st == ST_OK)
        return true;
    import_note(im, st == ST_LIMIT ? IMPORT_LARGE : IMPORT_MISSING, name,
                st == ST_LIMIT ? "it is larger than a page may be" : status_text());
    return false;
}

/* FOLDER/NAME is also what FOLDER/ answers with: a redirect to it. */
static enum status add_index(struct importer *im, const struct import_item *item)
{
    struct str url = item->url, name = str_of(im->config->index);
    struct import_item folder = {.name = item->name, .status = 301, .at = item->at};

    if (!str_ends(url, name) || url.len <= name.len || url.ptr[url.len - name.len - 1] != '/')
        return ST_OK;
    folder.url = str_sub(url, 0, url.len - name.len);
    return import_outcome(im, &folder, url);
}

enum status import_file(struct importer *im, struct import_item *item, uint32_t *ret_page)
{
    struct str scheme, host, path;
    uint32_t page = 0;
    uint16_t port;
    enum status st;

    url_split(item->url, &scheme, &host, &port, &path);
    if (item->type.len == 0) {
        item->maybe = true;
        item->type = type_of_bytes(item->body);
    }
    if (str_eq(path, STR("/robots.txt")))
        return import_resource(im, item);
    if (item->maybe && item->type.len == 0) {
        im->report->left_out++;
        return ST_OK;
    }
    st = import_page(im, item, &page);
    if (st == ST_OK && page && im->config->index)
        st = add_index(im, item);
    if (ret_page)
        *ret_page = page;
    return st;
}
