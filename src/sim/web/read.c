/* web_read.c - a worker of web_load(): from an archived answer to a document.
 *
 * In: batches of versions of a world. Out: the same with pages and profiles. One
 * worker a thread; it has its own reader of the archive, parser and profiler, and
 * touches neither database nor web.
 *
 * Workload: 10^5 answers of some 10 KB; parsing is half of the time.
 * SPDX-License-Identifier: MIT */
#include "sim/web/read.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "sim/archived.h"
#include "text/profile.h"
#include "text/shingle.h"
#include "text/stamp.h"

#include <stdlib.h>

#define TOKEN      "brood" /* what robots tags call us, as crawl/ does */
#define ARENA_KEPT MIB(1)  /* a document larger than this gives its memory back */

struct web_worker {
    const struct world *world;
    bool moves; /* it has versions to compare */
    struct archived answer;
    struct page_parser *parser;
    struct profiler *profiler;
    struct buf bare;
    struct arena scratch; /* URLs under way */
};

struct web_worker *web_worker_new(const struct world *w)
{
    struct web_worker *k = MEM_NEW(struct web_worker);
    int64_t begin, end;

    k->world = w;
    k->moves = world_moves(w, &begin, &end);
    archived_init(&k->answer, w);
    k->parser = page_parser_new();
    k->profiler = profiler_new(NULL);
    k->bare = BUF_INIT(LIMIT_DECODED);
    arena_init(&k->scratch, KIB(256));
    return k;
}

void web_worker_free(struct web_worker *k)
{
    if (k == NULL)
        return;
    archived_clear(&k->answer);
    page_parser_free(k->parser);
    profiler_free(k->profiler);
    buf_free(&k->bare);
    arena_free(&k->scratch);
    free(k);
}

struct web_batch *web_batch_new(void)
{
    struct web_batch *b = MEM_NEW(struct web_batch);

    for (size_t i = 0; i < BATCH_ANSWERS; i++)
        arena_init(&b->documents[i].memory, LIMIT_PAGE_ARENA);
    return b;
}

void web_batch_free(struct web_batch *b)
{
    for (size_t i = 0; b && i < BATCH_ANSWERS; i++) {
        free(b->documents[i].main);
        arena_free(&b->documents[i].memory);
    }
    free(b);
}

/* ---- stamps -------------------------------------------------------------- */

uint64_t web_bare_hash(struct str text, struct buf *scratch)
{
    size_t from = 0, at = str_find_char(text, '$', 0), word;

    if (at == SIZE_MAX)
        return hash_str(text);
    buf_clear(scratch);
    while (at != SIZE_MAX) {
        size_t end = stamp_end(text, at, &word);

        if (end) {
            buf_add_str(scratch, str_sub(text, from, word));
            from = end;
        }
        at = str_find_char(text, '$', end ? end : at + 1);
    }
    buf_add_str(scratch, str_sub(text, from, text.len));
    return hash_str(buf_str(scratch));
}

/* ---- one answer ---------------------------------------------------------- */

static void read_location(struct web_worker *k, struct str url, struct str location,
                          struct web_document *d)
{
    struct url base, to;

    arena_reset(&k->scratch);
    if (location.len && url_parse(url, NULL, &k->scratch, &base) == ST_OK &&
        url_parse(location, &base, &k->scratch, &to) == ST_OK)
        d->location = url_norm(&to, &d->memory);
}

/* The page without the links that lead to no answer of the world. */
static const struct page *drop_dead_links(const struct world *w, const struct page *page,
                                          struct arena *memory)
{
    struct page *kept = arena_array(memory, 1, sizeof *kept);

    if (kept == NULL)
        return page;
    *kept = *page;
    kept->nlinks = 0;
    for (uint32_t i = 0; i < page->nlinks; i++)
        if (world_find(w, page->links[i].key) != WORLD_NONE)
            kept->links[kept->nlinks++] = page->links[i];
    return kept;
}

static void read_page(struct web_worker *k, const struct page_input *in, struct str robots_field,
                      struct web_document *d)
{
    const struct page *page;

    if (!page_wants_type(in->content_type) ||
        page_parse(k->parser, in, &d->memory, &page) != DROP_NONE)
        return;
    if (world_drops_dead_links(k->world))
        page = drop_dead_links(k->world, page, &d->memory);
    d->robots = page->robots | robots_tag(robots_field, STR(TOKEN));
    if (profile_page(k->profiler, page, in->url, NULL, &d->memory, &d->profile) == DROP_NONE)
        d->page = page;
    if (d->page && k->moves)
        d->main = shingles_of(page->text);
}

static void read_document(struct web_worker *k, struct str url, struct web_document *d)
{
    struct str payload;
    struct page_input in;

    if (!archived_decode(&k->answer, &payload))
        return;
    d->hash = hash_str(payload);
    d->bare_hash = web_bare_hash(payload, &k->bare);
    if (str_ends(url, STR("/robots.txt")))
        d->rules = arena_str(&d->memory, str_sub(payload, 0, LIMIT_ROBOTS));
    in = archived_input(&k->answer, payload);
    read_page(k, &in, k->answer.reply.robots_tag, d);
}

/* 204, 205 and 206 bring nothing, or a part. */
static bool has_document(int status)
{
    return status >= 200 && status < 300 && !(status >= 204 && status <= 206);
}

static void read_answer(struct web_worker *k, struct web_document *d)
{
    const struct world_version *v = world_version(k->world, d->version);
    const struct world_entry *e = world_entry(k->world, v->entry);

    if (archived_read(&k->answer, d->version, &d->memory) != ST_OK) {
        d->is_broken = true;
        return;
    }
    d->bytes = v->bytes ? v->bytes : (uint32_t)k->answer.body.len;
    if (has_document(e->status))
        read_document(k, e->url, d);
    else if (e->status >= 300 && e->status < 400)
        read_location(k, e->url, k->answer.reply.location, d);
}

void web_worker_read(struct web_worker *k, struct web_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct web_document *d = &batch->documents[i];
        struct arena memory = d->memory;

        free(d->main); /* nobody took it */
        if (memory.used > ARENA_KEPT)
            arena_free(&memory);
        else
            arena_reset(&memory);
        *d = (struct web_document){.version = d->version, .memory = memory};
        read_answer(k, d);
    }
}
