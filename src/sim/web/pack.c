/* pack.c - packs documents into a web: numbers, rows, blocks.
 *
 * In: documents of load.c, in the order of the world, so that the result does
 * not depend on the threads that read them. Out: rows and blocks of web_int.h.
 *
 * Workload: 30 links a page looked up by key, nearly all known already; some 3 KB
 * copied. One thread packs what a dozen can parse.
 * SPDX-License-Identifier: MIT */
#include "sim/web/pack.h"

#include "base/hash.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "text/vocab.h"

#include <stdlib.h>

#define SLAB_SIZE ((size_t)1 << 20)

struct slab {
    struct slab *older;
    size_t used, size; /* bytes of data */
    _Alignas(8) char data[];
};

/* ---- memory -------------------------------------------------------------- */

void *web_slab(struct web *w, size_t size)
{
    struct slab *s = w->slabs;
    void *at;

    size = (size + 7) & ~(size_t)7;
    if (s == NULL || s->size - s->used < size) {
        size_t room = size > SLAB_SIZE / 4 ? size : SLAB_SIZE;
        struct slab *fresh = mem_zero(1, sizeof *fresh + room);

        fresh->size = room;
        w->slab_bytes += sizeof *fresh + room;
        if (room != SLAB_SIZE && s) { /* a giant does not end the slab under way */
            fresh->older = s->older;
            s->older = fresh;
        } else {
            fresh->older = s;
            w->slabs = fresh;
        }
        s = fresh;
    }
    at = s->data + s->used;
    s->used += size;
    return at;
}

struct str web_slab_str(struct web *w, struct str s)
{
    char *copy = web_slab(w, s.len + 1);

    if (s.len)
        memcpy(copy, s.ptr, s.len);
    return (struct str){copy, s.len};
}

void web_free(struct web *w)
{
    struct slab *older;

    if (w == NULL)
        return;
    for (; w->slabs; w->slabs = older) {
        older = w->slabs->older;
        free(w->slabs);
    }
    df_release(w->idf);
    map_free(&w->by_key);
    map_free(&w->by_host);
    map_free(&w->by_text);
    free(w->urls);
    for (size_t i = 0; i < w->nversions; i++)
        free(w->versions[i].main); /* loading was stopped */
    free(w->versions);
    free(w->others);
    free(w->hosts);
    free(w->strings);
    free(w->texts);
    free(w->label_first);
    free(w->label_of);
    free(w);
}

/* ---- strings, hosts, URLs ------------------------------------------------ */

/* Adds a string; its place as in href. */
static uint64_t string_add(struct web *w, struct str s)
{
    uint64_t at = w->nstrings;

    if (w->nstrings + s.len + 1 > w->strings_cap) {
        w->strings_cap = (w->nstrings + s.len + 1) * 2;
        w->strings = mem_resize(w->strings, w->strings_cap, 1);
    }
    if (s.len)
        memcpy(w->strings + at, s.ptr, s.len);
    w->strings[at + s.len] = '\0';
    w->nstrings += s.len + 1;
    return at << 16 | (s.len & 0xffff);
}

/* A text's number, in `texts`. */
static uint32_t text_number(struct web *w, struct str text)
{
    bool fresh = false;
    uint32_t *at = map_at(&w->by_text, hash_str(text), (uint32_t)w->ntexts, &fresh);

    if (fresh) {
        MEM_GROW(w->texts, w->ntexts, &w->texts_cap);
        w->texts[w->ntexts++] = web_slab_str(w, text);
    }
    return *at;
}

static uint32_t host_number(struct web *w, struct str name)
{
    bool fresh = false;
    uint32_t *at = map_at(&w->by_host, hash_str(name), (uint32_t)w->nhosts, &fresh);

    if (fresh) {
        MEM_GROW(w->hosts, w->nhosts, &w->hosts_cap);
        w->hosts[w->nhosts++] =
            (struct web_host){.name = string_add(w, name), .robots_status = 404};
    }
    return *at;
}

/* The number of a normalised URL, new ones at the end. */
static uint32_t url_number(struct web *w, struct str href, uint64_t key)
{
    bool fresh = false;
    uint32_t *at = map_at(&w->by_key, key, (uint32_t)w->nurls, &fresh), number = *at;
    struct str scheme, host, path;
    uint16_t port;

    if (!fresh)
        return number;
    url_split(href, &scheme, &host, &port, &path);
    MEM_GROW(w->urls, w->nurls, &w->urls_cap);
    w->urls[w->nurls++] = (struct web_url){
        .key = key, .href = string_add(w, href), .host = host_number(w, host), .first = WEB_NONE};
    return number;
}

/* ---- documents ----------------------------------------------------------- */

void web_pack_init(struct web_pack *p, struct web *w, const struct world *world)
{
    int64_t begin, end;
    uint32_t n = world_count(world);

    *p = (struct web_pack){.web = w,
                           .world = world,
                           .moves = world_moves(world, &begin, &end),
                           .vocab = vocab_new(),
                           .others = mem_zero(n + 1, sizeof *p->others),
                           .has_document = mem_zero(n + 1, sizeof *p->has_document)};
    (void)string_add(w, STR(""));
    (void)text_number(w, STR(""));
    MEM_GROW(w->urls, w->nurls, &w->urls_cap);
    w->urls[w->nurls++] = (struct web_url){.first = WEB_NONE};
    for (uint32_t i = 0; i < n; i++) {
        const struct world_entry *e = world_entry(world, i);

        (void)url_number(w, e->url, url_key(e->url));
        p->others[i].status = (int16_t)e->status;
    }
}

void web_pack_clear(struct web_pack *p)
{
    vocab_free(p->vocab);
    free(p->bare);
    free(p->others);
    free(p->has_document);
    free(p->rules);
}

static void pack_places(const struct page *page, void *to)
{
    struct link_place *narrow = to;
    struct wide_place *wide = to;
    bool is_wide = page->nwords > PLACE_WORDS;

    for (uint32_t i = 0; i < page->nlinks; i++) {
        const struct link *l = &page->links[i];
        struct wide_place at = {l->anchor.from, l->anchor.to, l->node.from, l->node.to, l->node10,
                                l->node40,      l->tag_path,  l->kind,      l->rel};

        if (is_wide)
            wide[i] = at;
        else
            narrow[i] = (struct link_place){(uint16_t)at.anchor_from,
                                            (uint16_t)at.anchor_to,
                                            (uint16_t)at.node_from,
                                            (uint16_t)at.node_to,
                                            at.node10,
                                            at.node40,
                                            at.tag_path,
                                            at.kind,
                                            at.rel};
    }
}

static void pack_block(struct web *w, const struct page *page, const struct profile *f,
                       struct web_version *v)
{
    struct web_parts p;

    v->block = web_slab(w, version_size(v));
    p = version_parts(v);
    if (f->sequence) { /* not where the page was too large for its words */
        memcpy(p.terms, f->terms, v->nterms * sizeof *p.terms);
        memcpy(p.stops, f->stops, (v->nsequence / 64 + 1) * sizeof *p.stops);
        memcpy(p.sequence, f->sequence, v->nsequence * sizeof *p.sequence);
    }
    for (uint32_t i = 0; i < page->nlinks; i++)
        p.targets[i] = url_number(w, page->links[i].url, page->links[i].key);
    for (uint16_t i = 0; i < v->npaths; i++)
        p.paths[i] = text_number(w, page->tag_paths[i]);
    pack_places(page, p.places);
}

static void pack_page(struct web_pack *p, struct web_document *d, uint32_t entry)
{
    const struct world_version *from = world_version(p->world, d->version);
    const struct page *page = d->page;
    const struct profile *f = &d->profile;
    struct web *w = p->web;
    struct web_version v = {
        .simhash = f->simhash,
        .hash = d->hash,
        .raw_square = f->raw_square,
        .since = p->moves && from->page ? from->at : 0,
        .gone = INT64_MAX,
        .date = page->date,
        .url = entry + 1,
        .nterms = f->nterms,
        .length = f->length,
        .ntitle = f->ntitle,
        .nsequence = f->nsequence,
        .lead = f->lead,
        .nwords = page->nwords,
        .nlinks = page->nlinks,
        .bytes = d->bytes,
        .latency = from->latency > 0 && from->latency < UINT32_MAX ? (uint32_t)from->latency : 0,
        .lang = text_number(w, page->lang),
        .charset = text_number(w, page->charset),
        .base = str_eq(page->base, web_href(w, entry + 1)) ? 0 : text_number(w, page->base),
        .npaths = (uint16_t)page->ntag_paths,
        .status = (uint16_t)world_entry(p->world, entry)->status,
        .kind = (uint8_t)page->kind,
        .date_source = (uint8_t)page->date_source,
        .meta_robots = (uint8_t)page->robots,
        .robots = (uint8_t)d->robots,
        .stemmed = f->lang,
        .cut = page->cut,
        .main = d->main,
    };

    pack_block(w, page, f, &v);
    if (w->nversions == w->versions_cap)
        MEM_GROW(w->versions, w->nversions, &w->versions_cap);
    if (w->nversions == p->bare_cap)
        MEM_GROW(p->bare, w->nversions, &p->bare_cap);
    p->bare[w->nversions] = d->bare_hash;
    d->main = NULL; /* taken */
    w->versions[w->nversions++] = v;
    if (from->page && !p->has_document[entry])
        vocab_add(p->vocab, f);
    p->has_document[entry] = true;
}

static void pack_rules(struct web_pack *p, uint32_t url, struct str text)
{
    MEM_GROW(p->rules, p->nrules, &p->rules_cap);
    p->rules[p->nrules++] = (struct web_rules){
        .url = url, .bytes = (uint32_t)text.len, .at = string_add(p->web, text) >> 16};
}

void web_pack_add(struct web_pack *p, struct web_document *d)
{
    uint32_t entry = world_version(p->world, d->version)->entry;
    uint32_t leads_to = world_entry(p->world, entry)->redirect_to;
    struct web_other *other = &p->others[entry];

    if (d->is_broken) { /* as a server answers that has lost a file */
        p->broken++;
        p->damaged += world_version(p->world, d->version)->file != WORLD_NONE;
        other->status = 500;
        return;
    }
    if (d->rules.ptr)
        pack_rules(p, entry + 1, d->rules);
    if (d->page)
        pack_page(p, d, entry);
    else if (d->location.len)
        other->redirect_to = url_number(p->web, d->location, url_key(d->location));
    else if (leads_to != WORLD_NONE)
        other->redirect_to = leads_to + 1;
}
