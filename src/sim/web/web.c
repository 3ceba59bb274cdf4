/* web.c - a world in memory: the functions for readers.
 *
 * In: a loaded web (load.c). Out: answers, versions, unpacked pages. Nothing
 * is written here but a caller's scratch.
 *
 * Workload: millions of visits, each one answer, one unpacking of some 30 links
 * and one profile.
 * SPDX-License-Identifier: MIT */
#include "sim/web/web_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/search.h"

#include <stdlib.h>

#define PREFETCH_LINES  8                 /* of 64 bytes: targets and places of 25 links */
#define LATENCY_NOWHERE (200 * US_PER_MS) /* of an address whose host is unknown */

struct web_counts web_counts(const struct web *w)
{
    return w->counts;
}

const struct df_table *web_idf(const struct web *w)
{
    return w->idf;
}

struct str web_string(const struct web *w, uint64_t place)
{
    return (struct str){w->strings + (place >> 16), place & 0xffff};
}

uint32_t web_find(const struct web *w, uint64_t key)
{
    uint32_t url = map_get(&w->by_key, key);

    return url == MAP_NONE ? 0 : url;
}

struct str web_href(const struct web *w, uint32_t url)
{
    return web_string(w, w->urls[url].href);
}

uint32_t web_host(const struct web *w, uint32_t url)
{
    return w->urls[url].host;
}

uint32_t web_find_host(const struct web *w, struct str name)
{
    return map_get(&w->by_host, hash_str(name)); /* MAP_NONE is WEB_NONE */
}

int64_t web_host_latency(const struct web *w, uint32_t host)
{
    return w->hosts[host].latency;
}

/* ---- labels -------------------------------------------------------------- */

uint32_t web_labels(const struct web *w)
{
    return w->nlabels;
}

struct str web_label(const struct web *w, uint32_t label)
{
    return w->labels[label];
}

struct str web_label_words(const struct web *w, uint32_t label)
{
    return w->label_words[label];
}

const uint32_t *web_labels_of(const struct web *w, uint32_t url, uint32_t *ret_count)
{
    *ret_count = 0;
    if (url > w->nlabelled)
        return w->label_of;
    *ret_count = w->label_first[url + 1] - w->label_first[url];
    return w->label_of + w->label_first[url];
}

/* ---- answers ------------------------------------------------------------- */

/* How many versions a URL has that has any: they stand side by side, page by page. */
static uint32_t versions_of(const struct web *w, uint32_t url)
{
    uint32_t end = url < w->counts.pages ? w->urls[url + 1].first : w->counts.versions;

    return url > w->counts.pages ? 1 : end - w->urls[url].first;
}

/* The last version that is there at a time, counted from the first; `n`: none. */
static uint32_t version_at(const struct web_version *v, uint32_t n, int64_t at)
{
    uint32_t i;

    FIND_FIRST(i, 0, n, v[i].since > at);
    return i == 0 ? n : i - 1;
}

/* Of a URL that has versions. */
static void document_answer(const struct web *w, uint32_t url, int64_t at, struct web_answer *ret)
{
    uint32_t first = w->urls[url].first, n = versions_of(w, url);
    const struct web_version *v = &w->versions[first];
    uint32_t i = n == 1 && v->since <= at ? 0 : version_at(v, n, at);

    if (i == n) {
        ret->until = v->since;
        return;
    }
    if (i + 1 < n)
        ret->until = v[i + 1].since;
    v += i;
    if (v->gone <= at) {
        ret->status = v->gone_status;
        ret->since = v->gone;
        return;
    }
    if (v->gone < ret->until)
        ret->until = v->gone;
    ret->status = v->status;
    ret->since = v->since;
    ret->version = first + i;
    ret->bytes = v->bytes;
    if (v->latency)
        ret->latency = v->latency;
}

void web_answer(const struct web *w, uint32_t url, int64_t at, struct web_answer *ret)
{
    *ret = (struct web_answer){.status = 404, .version = WEB_NONE, .until = INT64_MAX};
    if (url == 0 || url >= w->nurls) {
        ret->latency = LATENCY_NOWHERE;
        return;
    }
    ret->latency = w->hosts[w->urls[url].host].latency;
    if (w->urls[url].first != WEB_NONE) {
        document_answer(w, url, at, ret);
    } else if (url - w->counts.pages <= w->nothers) {
        ret->status = w->others[url - w->counts.pages - 1].status;
        ret->redirect_to = w->others[url - w->counts.pages - 1].redirect_to;
    }
}

int web_robots(const struct web *w, uint32_t host, struct str *ret_text)
{
    const struct web_host *h = &w->hosts[host];

    *ret_text = (struct str){w->strings + h->robots, h->robots_bytes};
    return h->robots_status;
}

/* ---- versions ------------------------------------------------------------ */

uint32_t web_history(const struct web *w, uint32_t url, uint32_t *ret_first)
{
    *ret_first = w->urls[url].first;
    return *ret_first == WEB_NONE ? 0 : versions_of(w, url);
}

int64_t web_version_since(const struct web *w, uint32_t version)
{
    return w->versions[version].since;
}

bool web_text_changed(const struct web *w, uint32_t from, uint32_t to)
{
    for (uint32_t v = from + 1; v <= to; v++)
        if (w->versions[v].is_text)
            return true;
    return false;
}

bool web_version_is_change(const struct web *w, uint32_t version)
{
    return w->versions[version].is_change;
}

unsigned web_page_robots(const struct web *w, uint32_t version)
{
    return w->versions[version].robots;
}

bool web_is_alone(const struct web *w, uint32_t version)
{
    return w->versions[version].is_alone;
}

uint64_t web_payload_hash(const struct web *w, uint32_t version)
{
    return w->versions[version].hash;
}

const uint32_t *web_links(const struct web *w, uint32_t version, uint32_t *ret_count)
{
    const struct web_version *v = &w->versions[version];

    *ret_count = v->nlinks;
    return version_parts(v).targets;
}

struct profile web_profile(const struct web *w, uint32_t version)
{
    const struct web_version *v = &w->versions[version];
    struct web_parts p = version_parts(v);

    return (struct profile){
        .terms = p.terms,
        .nterms = v->nterms,
        .length = v->length,
        .sequence = p.sequence,
        .stops = p.stops,
        .ntitle = v->ntitle,
        .nsequence = v->nsequence,
        .lead = v->lead,
        .simhash = v->simhash,
        .raw_square = v->raw_square,
        .square = v->square,
        .lang = v->stemmed,
    };
}

/* ---- unpacking ----------------------------------------------------------- */

struct web_scratch {
    struct page page;
    struct link *links;
    size_t links_cap;
    struct str *paths;
    size_t paths_cap;
};

struct web_scratch *web_scratch_new(void)
{
    return MEM_NEW(struct web_scratch);
}

void web_scratch_free(struct web_scratch *s)
{
    if (s == NULL)
        return;
    free(s->links);
    free(s->paths);
    free(s);
}

static void scratch_reserve(struct web_scratch *s, const struct web_version *v)
{
    if (v->nlinks > s->links_cap) {
        s->links_cap = v->nlinks + v->nlinks / 2;
        s->links = mem_resize(s->links, s->links_cap, sizeof *s->links);
    }
    if (v->npaths > s->paths_cap) {
        s->paths_cap = v->npaths * 2u;
        s->paths = mem_resize(s->paths, s->paths_cap, sizeof *s->paths);
    }
}

/* LINK_WINDOW words around the anchor, as far as there are any. */
static struct span window_of(struct span anchor, uint32_t nwords)
{
    uint32_t half = LINK_WINDOW / 2;

    return (struct span){anchor.from > half ? anchor.from - half : 0,
                         nwords - anchor.to > half ? anchor.to + half : nwords};
}

/* Both kinds of places have members of these names. */
#define PLACE_UNPACK(link, place, words)                                          \
    do {                                                                          \
        (link)->anchor = (struct span){(place)->anchor_from, (place)->anchor_to}; \
        (link)->window = window_of((link)->anchor, (words));                      \
        (link)->node = (struct span){(place)->node_from, (place)->node_to};       \
        (link)->node10 = (place)->node10;                                         \
        (link)->node40 = (place)->node40;                                         \
        (link)->tag_path = (place)->tag_path;                                     \
        (link)->kind = (place)->kind;                                             \
        (link)->rel = (place)->rel;                                               \
    } while (0)

static void unpack_links(const struct web *w, const struct web_version *v,
                         const struct web_parts *p, struct link *to)
{
    const struct link_place *narrow = p->places;
    const struct wide_place *wide = p->places;
    bool is_wide = version_is_wide(v);

    /* The rows are scattered: prefetching them together overlaps their latencies. */
    for (uint32_t i = 0; i < v->nlinks; i++)
        __builtin_prefetch(&w->urls[p->targets[i]]);
    for (uint32_t i = 0; i < v->nlinks; i++) {
        const struct web_url *u = &w->urls[p->targets[i]];

        to[i].url = (struct str){w->strings + (u->href >> 16), u->href & 0xffff};
        to[i].key = u->key;
        to[i].source = p->targets[i];
        if (is_wide)
            PLACE_UNPACK(&to[i], &wide[i], v->nwords);
        else
            PLACE_UNPACK(&to[i], &narrow[i], v->nwords);
    }
}

void web_prefetch(const struct web *w, uint32_t version)
{
    const char *block = w->versions[version].block;

    for (size_t line = 0; line < PREFETCH_LINES; line++)
        __builtin_prefetch(block + line * 64);
}

/* Returns the first link that declares the page's canonical address. */
static struct str canonical_of(const struct page *page)
{
    for (uint32_t i = 0; i < page->nlinks; i++)
        if (page->links[i].kind == LINK_CANONICAL)
            return page->links[i].url;
    return (struct str){NULL, 0};
}

const struct page *web_unpack(const struct web *w, uint32_t version, struct web_scratch *s)
{
    const struct web_version *v = &w->versions[version];
    struct web_parts p = version_parts(v);

    scratch_reserve(s, v);
    unpack_links(w, v, &p, s->links);
    for (uint16_t i = 0; i < v->npaths; i++)
        s->paths[i] = w->texts[p.paths[i]];
    s->page = (struct page){
        .kind = v->kind,
        .nwords = v->nwords,
        .links = s->links,
        .nlinks = v->nlinks,
        .tag_paths = s->paths,
        .ntag_paths = v->npaths,
        .lang = w->texts[v->lang],
        .charset = w->texts[v->charset],
        .base = v->base ? w->texts[v->base] : web_href(w, v->url),
        .date = v->date ? v->date : v->since, /* as a server would say it in Last-Modified */
        .date_source = v->date    ? v->date_source
                       : v->since ? DATE_MODIFIED
                                  : DATE_NONE,
        .robots = v->meta_robots,
        .cut = v->cut,
    };
    s->page.canonical = canonical_of(&s->page);
    return &s->page;
}
