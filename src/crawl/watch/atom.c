/* atom.c - announcements as an Atom feed. An entry is kept as the XML it becomes, in a
 * ring. Source: RFC 4287. SPDX-License-Identifier: MIT */
#include "crawl/watch/atom.h"

#include "base/hash.h"
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>

struct atom {
    char *path, *title, *software;
    uint64_t id;
    char **entries; /* a ring of `most`; NULL: free */
    size_t most, count;
    size_t next; /* where the next one goes */
    bool dirty;
};

struct atom *atom_new(const char *path, struct str title, struct str software, uint64_t id,
                      size_t most)
{
    struct atom *a = MEM_NEW(struct atom);

    a->path = path ? str_dup(str_of(path)) : NULL;
    a->title = str_dup(title);
    a->software = str_dup(software);
    a->id = id;
    a->most = most;
    a->entries = mem_zero(most, sizeof *a->entries);
    a->dirty = true; /* an empty feed is a feed too */
    return a;
}

void atom_free(struct atom *a)
{
    if (a == NULL)
        return;
    for (size_t i = 0; i < a->most; i++)
        free(a->entries[i]);
    free(a->entries);
    free(a->path);
    free(a->title);
    free(a->software);
    free(a);
}

/* XML 1.0, production 2: what a document may hold at all. */
static bool is_xml_char(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff) ||
           (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

static void put_escaped(struct buf *out, struct str text)
{
    size_t at = 0;

    while (at < text.len) {
        size_t from = at;
        uint32_t c = utf8_next(text, &at);

        if (c == '&')
            buf_add_z(out, "&amp;");
        else if (c == '<')
            buf_add_z(out, "&lt;");
        else if (c == '>')
            buf_add_z(out, "&gt;");
        else if (c == '"')
            buf_add_z(out, "&quot;");
        else if (c == 0xfffd) /* also for bytes that are no UTF-8 */
            buf_add_z(out, "\xef\xbf\xbd");
        else if (is_xml_char(c))
            buf_add(out, text.ptr + from, at - from);
    }
}

static void put_element(struct buf *out, const char *name, struct str text)
{
    buf_addf(out, "<%s>", name);
    put_escaped(out, text);
    buf_addf(out, "</%s>\n", name);
}

static void put_date(struct buf *out, const char *name, int64_t at)
{
    char text[CLOCK_TEXT];

    clock_format(at, 0, text);
    put_element(out, name, str_of(text));
}

/* Returns the host, the only author that we know. */
static struct str host_of(struct str url)
{
    size_t at = str_find(url, STR("://"), 0);
    struct str rest = at == SIZE_MAX ? url : str_sub(url, at + 3, url.len), host;

    return str_cut(&rest, '/', &host) ? host : url;
}

static void put_entry(struct buf *out, const struct news_item *item)
{
    char urn[NEWS_URN];

    news_urn(item, urn);
    buf_add_z(out, "<entry>\n");
    put_element(out, "id", str_of(urn));
    put_element(out, "title", item->title.len ? item->title : item->url);
    buf_add_z(out, "<link rel=\"alternate\" href=\"");
    put_escaped(out, item->url);
    buf_add_z(out, "\"/>\n");
    put_date(out, "updated", item->at);
    if (item->date)
        put_date(out, "published", item->date);
    buf_add_z(out, "<author>");
    put_element(out, "name", host_of(item->url));
    buf_addf(out, "</author>\n<category term=\"%s\"/>\n", item->version_of ? "changed" : "new");
    put_element(out, "summary", item->summary);
    buf_add_z(out, "</entry>\n");
}

void atom_add(struct atom *a, const struct news_item *item)
{
    struct buf text = BUF_INIT(KIB(256));

    put_entry(&text, item);
    free(a->entries[a->next]);
    a->entries[a->next] = buf_take(&text, NULL);
    a->next = (a->next + 1) % a->most;
    a->count += a->count < a->most;
    a->dirty = true;
}

void atom_show(const struct atom *a, int64_t now, struct buf *out)
{
    char urn[HASH_URN];

    hash_urn((const uint64_t[2]){a->id, 0}, urn);
    buf_add_z(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                   "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    put_element(out, "id", str_of(urn));
    put_element(out, "title", str_of(a->title));
    put_date(out, "updated", now);
    put_element(out, "generator", str_of(a->software));
    for (size_t i = 0; i < a->count; i++)
        buf_add_z(out, a->entries[(a->next + a->most - 1 - i) % a->most]);
    buf_add_z(out, "</feed>\n");
}

enum status atom_write(struct atom *a, int64_t now)
{
    LOCAL_BUF out = BUF_INIT(KIB(256) * (a->most + 1));
    enum status st;

    if (a->path == NULL || !a->dirty)
        return ST_OK;
    atom_show(a, now, &out);
    st = file_write(a->path, buf_str(&out));
    a->dirty = st != ST_OK;
    return st;
}
