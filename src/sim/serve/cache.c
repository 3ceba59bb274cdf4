/* cache.c - prepared answers, by host and path.
 *
 * In: a world and requests. Out: answers: the archived header block without
 * what belonged to the connection it came over, and the payload decoded. A hash
 * map from the hash of "host newline path" to an entry, entries in a list by
 * last use.
 *
 * Workload: a crawl asks for each URL once, a benchmark for the same 20,000
 * again and again; then an answer costs one lookup.
 * SPDX-License-Identifier: MIT
 */
#include "sim/serve/cache.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/http/decode.h"
#include "parse/url_norm.h"
#include "sim/serve/http.h"
#include "sim/serve/timeline.h"

#include <libdeflate.h>
#include <stdlib.h>

#define ZIP_LEVEL 1
#define ZIP_MIN   256 /* bytes below which compression does not pay */
#define URL_ARENA KIB(256)

struct cache {
    struct world *world;
    struct world_reader *reader;     /* of any version; NULL without a timeline */
    const struct timeline *timeline; /* NULL: every page stands as it was last */
    int64_t moment;                  /* of the world's time */
    struct map index;                /* hash of the name -> place in slots */
    struct answer **slots;           /* place -> answer */
    size_t nslots, cap;
    uint32_t *free_slots; /* places given back */
    size_t nfree, free_cap;
    struct answer *newest, *oldest;
    size_t bytes, ceiling;
    struct libdeflate_compressor *zip; /* NULL: no gzip */
    struct arena memory;               /* scratch: one URL */
    struct buf name, url, head, body;  /* scratch */
};

struct cache *cache_new(struct world *w, size_t ceiling, bool gzip)
{
    struct cache *c = MEM_NEW(struct cache);

    c->world = w;
    c->ceiling = ceiling;
    c->zip = gzip ? libdeflate_alloc_compressor(ZIP_LEVEL) : NULL;
    map_init(&c->index);
    arena_init(&c->memory, URL_ARENA);
    c->name = c->url = BUF_INIT(LIMIT_SERVE_HEAD * 2);
    c->head = BUF_INIT(LIMIT_HEADER_BYTES * 2);
    c->body = BUF_INIT(LIMIT_BODY * 2);
    return c;
}

void cache_set_timeline(struct cache *c, const struct timeline *t)
{
    c->timeline = t;
    c->reader = world_reader_new(c->world);
}

void cache_set_moment(struct cache *c, int64_t moment)
{
    c->moment = moment;
}

static void answer_free(struct answer *a)
{
    buf_free(&a->head);
    buf_free(&a->body);
    buf_free(&a->zipped);
    free(a->name);
    free(a);
}

void answer_release(struct answer *a)
{
    if (a && --a->refs == 0)
        answer_free(a);
}

/* ---- the list by last use ------------------------------------------------ */

static void list_take(struct cache *c, struct answer *a)
{
    if (a->newer)
        a->newer->older = a->older;
    else
        c->newest = a->older;
    if (a->older)
        a->older->newer = a->newer;
    else
        c->oldest = a->newer;
    a->newer = a->older = NULL;
}

static void list_put(struct cache *c, struct answer *a)
{
    a->older = c->newest;
    if (c->newest)
        c->newest->newer = a;
    else
        c->oldest = a;
    c->newest = a;
}

static void drop_oldest(struct cache *c)
{
    struct answer *a = c->oldest;
    uint32_t place = map_get(&c->index, a->key);

    list_take(c, a);
    c->bytes -= a->bytes;
    if (place != MAP_NONE && c->slots[place] == a) {
        (void)map_remove(&c->index, a->key);
        c->slots[place] = NULL;
        MEM_GROW(c->free_slots, c->nfree, &c->free_cap);
        c->free_slots[c->nfree++] = place;
    }
    answer_release(a);
}

/* Keeps one more reference; another name with the same hash stays out. */
static void keep(struct cache *c, struct answer *a)
{
    uint32_t place;

    a->bytes = sizeof *a + a->head.cap + a->body.cap + a->zipped.cap + 2 * strlen(a->name);
    if (a->bytes > c->ceiling / 4 || map_get(&c->index, a->key) != MAP_NONE)
        return;
    while (c->oldest && c->bytes + a->bytes > c->ceiling)
        drop_oldest(c);
    if (c->nfree > 0) {
        place = c->free_slots[--c->nfree];
    } else {
        MEM_GROW(c->slots, c->nslots, &c->cap);
        place = (uint32_t)c->nslots++;
    }
    c->slots[place] = a;
    map_set(&c->index, a->key, place);
    list_put(c, a);
    c->bytes += a->bytes;
    a->refs++;
}

void cache_free(struct cache *c)
{
    if (c == NULL)
        return;
    while (c->oldest)
        drop_oldest(c);
    map_free(&c->index);
    free(c->slots);
    free(c->free_slots);
    libdeflate_free_compressor(c->zip);
    arena_free(&c->memory);
    buf_free(&c->name);
    buf_free(&c->url);
    buf_free(&c->head);
    buf_free(&c->body);
    world_reader_free(c->reader);
    free(c);
}

/* ---- making an answer ---------------------------------------------------- */

/* Fields of the archived head that belonged to another connection, or would
 * bind clients to it. */
static bool is_hop_field(const struct cache *c, struct str name)
{
    static const char *const names[] = {
        "connection",
        "keep-alive",
        "transfer-encoding",
        "x-archive-orig-transfer-encoding",
        "content-length",
        "trailer",
        "upgrade",
        "proxy-connection",
        "proxy-authenticate",
        "alt-svc",
        "strict-transport-security",
        "content-encoding",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq_i(name, str_of(names[i])))
            return true;
    return c->timeline && str_eq_i(name, STR("date")); /* the server's own */
}

/* Where the validators lie, once the head no longer moves. */
static void find_validators(struct answer *a)
{
    struct str rest = buf_str(&a->head), line, name;

    while (str_cut(&rest, '\n', &line)) {
        if (!str_cut(&line, ':', &name))
            continue;
        if (str_eq_i(name, STR("etag")))
            a->etag = str_trim(line);
        else if (str_eq_i(name, STR("last-modified")))
            a->last_modified = str_trim(line);
    }
}

/* Copies the fields; the content coding is returned instead of copied. */
static struct str copy_fields(const struct cache *c, struct answer *a, struct str head)
{
    struct str line, coding = {"", 0};

    (void)str_cut(&head, '\n', &line); /* the status line is written again */
    while (str_cut(&head, '\n', &line)) {
        struct str whole = str_trim(line), rest = whole, name;

        if (str_find_char(whole, ':', 0) == SIZE_MAX || !str_cut(&rest, ':', &name))
            continue;
        if (str_eq_i(name, STR("content-encoding")))
            coding = str_trim(rest);
        if (!is_hop_field(c, name))
            buf_addf(&a->head, "%.*s\r\n", STR_ARG(whole));
    }
    return coding;
}

static void fill_body(struct answer *a, struct str raw, struct str coding)
{
    LOCAL_BUF plain = BUF_INIT(LIMIT_DECODED);
    struct str decoded;
    bool cut = false;

    if (decode_body(raw, coding, &plain, &decoded, &cut) == DROP_NONE) {
        buf_add_str(&a->body, decoded);
    } else { /* broken when it was recorded: it stays so */
        buf_addf(&a->head, "Content-Encoding: %.*s\r\n", STR_ARG(coding));
        buf_add_str(&a->body, raw);
    }
}

static void fill_zipped(struct cache *c, struct answer *a)
{
    bool coded = str_find_i(buf_str(&a->head), STR("\ncontent-encoding:"), 0) != SIZE_MAX;

    if (c->zip == NULL || a->status != 200 || a->body.len < ZIP_MIN || coded)
        return;
    size_t bound = libdeflate_gzip_compress_bound(c->zip, a->body.len);
    char *room = buf_room(&a->zipped, bound);
    size_t len =
        room ? libdeflate_gzip_compress(c->zip, a->body.data, a->body.len, room, bound) : 0;
    if (len > 0 && len < a->body.len - a->body.len / 10)
        a->zipped.len = len;
    else
        buf_free(&a->zipped);
}

static struct answer *answer_new(struct str name, int status)
{
    struct answer *a = MEM_NEW(struct answer);

    a->refs = 1;
    a->status = status;
    a->name = str_dup(name);
    a->key = hash_str(name);
    a->head = BUF_INIT(LIMIT_HEADER_BYTES * 2);
    a->body = BUF_INIT(LIMIT_DECODED);
    a->zipped = BUF_INIT(LIMIT_DECODED * 2);
    buf_addf(&a->head, "HTTP/1.1 %d %s\r\n", status, http_reason(status));
    return a;
}

static struct answer *answer_plain(struct str name, int status)
{
    struct answer *a = answer_new(name, status);

    buf_add_z(&a->head, "Content-Type: text/html; charset=utf-8\r\n");
    buf_addf(&a->body,
             "<!DOCTYPE html>\n<title>%d %s</title>\n<p>This world has no such page.</p>\n", status,
             http_reason(status));
    return a;
}

/* ---- finding the entry --------------------------------------------------- */

static uint32_t find_url(struct cache *c, struct str host, struct str path)
{
    uint32_t found = WORLD_NONE;
    struct url u;

    buf_clear(&c->url);
    buf_addf(&c->url, "http://%.*s%.*s", STR_ARG(host), STR_ARG(path));
    if (url_parse(buf_str(&c->url), NULL, &c->memory, &u) == ST_OK) {
        struct str normal = url_norm(&u, &c->memory);

        if (normal.len)
            found = world_find(c->world, url_key(normal));
    }
    arena_reset(&c->memory);
    return found;
}

static uint32_t find(struct cache *c, struct str host, struct str path)
{
    uint32_t found = find_url(c, host, path);
    size_t colon = host.len;

    while (colon > 0 && ascii_is_digit(host.ptr[colon - 1]))
        colon--;
    if (found == WORLD_NONE && colon > 1 && host.ptr[colon - 1] == ':')
        found = find_url(c, str_sub(host, 0, colon - 1), path);
    return found;
}

/* The entry and version of an address, at the moment or for ever. */
struct cache_standing {
    uint32_t entry, version; /* WORLD_NONE: no such page */
    int status;
};

static struct cache_standing stand(struct cache *c, struct str host, struct str path)
{
    struct cache_standing s = {find(c, host, path), WORLD_NONE, 404};

    if (s.entry == WORLD_NONE)
        return s;
    s.version = world_entry(c->world, s.entry)->version;
    s.status = world_entry(c->world, s.entry)->status;
    if (c->timeline)
        s.version = timeline_at(c->timeline, s.entry, c->moment, &s.status);
    return s;
}

static enum status read_answer(struct cache *c, const struct cache_standing *s)
{
    buf_clear(&c->head);
    buf_clear(&c->body);
    return c->timeline ? world_reader_read(c->reader, s->version, &c->head, &c->body)
                       : world_read(c->world, s->entry, &c->head, &c->body);
}

static struct answer *make(struct cache *c, struct str name, const struct cache_standing *s)
{
    if (s->version == WORLD_NONE)
        return answer_plain(name, s->status);
    if (read_answer(c, s) != ST_OK)
        return answer_plain(name, 500);
    struct answer *a = answer_new(name, s->status);
    struct str coding = copy_fields(c, a, buf_str(&c->head));
    fill_body(a, buf_str(&c->body), coding);
    fill_zipped(c, a);
    find_validators(a);
    return a;
}

struct answer *cache_get(struct cache *c, struct str host, struct str path)
{
    struct cache_standing s = {0};
    uint32_t place;

    buf_clear(&c->name);
    for (size_t i = 0; i < host.len; i++)
        buf_add_char(&c->name, ascii_lower(host.ptr[i]));
    buf_add_char(&c->name, '\n');
    buf_add_str(&c->name, path);
    if (c->timeline) { /* each of its states is an answer of its own */
        s = stand(c, host, path);
        buf_addf(&c->name, "\n%u %d", s.version, s.status);
    }
    place = map_get(&c->index, hash_str(buf_str(&c->name)));
    if (place != MAP_NONE && str_eq(str_of(c->slots[place]->name), buf_str(&c->name))) {
        struct answer *a = c->slots[place];

        list_take(c, a);
        list_put(c, a);
        a->refs++;
        return a;
    }
    if (c->timeline == NULL)
        s = stand(c, host, path);
    struct answer *a = make(c, buf_str(&c->name), &s);
    keep(c, a);
    return a;
}
