/* load.c - loads a world from its directory into memory, on all cores.
 *
 * In: a crawl directory. Out: struct web. The caller's thread reads the database,
 * packs and tells of progress; workers read the archive and parse. Between them
 * go batches of answers:
 *
 *        todo                   done               in order
 *   caller ---> worker, worker … ---> caller: shelf ---> web_pack_add()
 *     ^------------------- emptied, filled again -----------'
 *
 * A batch that is ready before its turn waits on the shelf; as many batches as
 * there are travel at most, which bounds memory. SPDX-License-Identifier: MIT */
#include "sim/web/pack.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/queue.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "sim/archived.h"
#include "text/profile.h"
#include "text/shingle.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- documents read, on any thread --------------------------------------- */

#define TOKEN      "brood" /* what robots tags call us, as crawl/ does */
#define ARENA_KEPT MIB(1)  /* a document larger than this gives its memory back */

struct web_worker {
    const struct world *world;
    bool moves;   /* it has versions to compare … */
    bool by_main; /* … by their main texts alone */
    struct archived answer;
    struct page_parser *parser;
    struct profiler *profiler;
    struct buf bare;
    struct arena scratch; /* URLs under way */
};

static struct web_worker *web_worker_new(const struct world *w, unsigned main)
{
    struct web_worker *k = MEM_NEW(struct web_worker);
    int64_t begin, end;

    k->world = w;
    k->moves = world_moves(w, &begin, &end);
    archived_init(&k->answer, w);
    k->parser = page_parser_new();
    k->profiler = profiler_new(NULL);
    if (main)
        profiler_read_main(k->profiler, main);
    k->by_main = main & PROFILE_MAIN_CHANGE;
    k->bare = BUF_INIT(LIMIT_DECODED);
    arena_init(&k->scratch, KIB(256));
    return k;
}

static void web_worker_free(struct web_worker *k)
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

/* A batch with empty documents; web_batch_free(NULL) is fine. */
static struct web_batch *web_batch_new(void)
{
    struct web_batch *b = MEM_NEW(struct web_batch);

    for (size_t i = 0; i < BATCH_ANSWERS; i++)
        arena_init(&b->documents[i].memory, LIMIT_PAGE_ARENA);
    return b;
}

static void web_batch_free(struct web_batch *b)
{
    for (size_t i = 0; b && i < BATCH_ANSWERS; i++) {
        free(b->documents[i].main);
        arena_free(&b->documents[i].memory);
    }
    free(b);
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

static struct shingles *main_shingles(const struct page *page)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);

    for (uint32_t i = 0; i < page->nmain; i++) {
        buf_add_str(&text,
                    str_sub(page->text, page->main[i].off, page->main[i].off + page->main[i].len));
        buf_add_char(&text, '\n');
    }
    return shingles_of(buf_str(&text));
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
        d->main = k->by_main ? main_shingles(page) : shingles_of(page->text);
}

static void read_document(struct web_worker *k, struct str url, struct web_document *d)
{
    struct str payload;
    struct page_input in;

    if (!archived_decode(&k->answer, &payload))
        return;
    d->hash = hash_str(payload);
    d->bare_hash = archived_bare_hash(payload, &k->bare);
    if (str_ends(url, STR("/robots.txt")))
        d->rules = arena_str(&d->memory, str_sub(payload, 0, LIMIT_ROBOTS));
    in = archived_input(&k->answer, payload);
    read_page(k, &in, k->answer.reply.robots_tag, d);
}

/* Does the answer have a document? 204, 205 and 206 have none, or a part of one. */
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

/* Fills every document of the batch whose `version` is set. */
static void web_worker_read(struct web_worker *k, struct web_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct web_document *d = &batch->documents[i];
        struct arena memory = d->memory;

        free(d->main); /* it was not taken */
        if (memory.used > ARENA_KEPT)
            arena_free(&memory);
        else
            arena_reset(&memory);
        *d = (struct web_document){.version = d->version, .memory = memory};
        read_answer(k, d);
    }
}

#define BATCHES_EACH 3 /* a thread: one at work, one waiting, one on its way */

struct web_loader {
    const struct web_config *config;
    const struct world *world;
    uint32_t *order; /* versions to read */
    uint32_t count;
    uint32_t handed; /* of them, in batches */
    uint32_t packed;
    struct queue *todo, *done;
    pthread_t *threads;
    unsigned nthreads;
    struct web_batch **batches; /* all there are */
    struct web_batch **shelf;   /* by number modulo nbatches: ready, not yet packed */
    unsigned nbatches;
    uint32_t sent, next; /* number of the next batch to hand out, to pack */
};

/* Chooses the versions to load: the last one of each entry or, if the world moves, all versions of
 * its pages. They are in the order of the world, which is that of the archive. */
static void choose_versions(struct web_loader *l)
{
    const struct world *w = l->world;
    int64_t begin, end;
    bool moves = world_moves(w, &begin, &end);

    l->order = mem_zero(world_versions(w) + 1, sizeof *l->order);
    for (uint32_t v = 0; v < world_versions(w); v++) {
        const struct world_version *version = world_version(w, v);

        if ((moves && version->page) || world_entry(w, version->entry)->version == v)
            l->order[l->count++] = v;
    }
}

/* ---- workers ------------------------------------------------------------- */

static void *work(void *arg)
{
    struct web_loader *l = arg;
    struct web_worker *k = web_worker_new(l->world, l->config->main);
    void *batch;

    while (queue_take(l->todo, &batch, 1, -1) == 1) {
        web_worker_read(k, batch);
        (void)queue_add(l->done, batch);
    }
    web_worker_free(k);
    return NULL;
}

static enum status start_workers(struct web_loader *l)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n = l->config->threads ? l->config->threads : cores > 0 ? (unsigned)cores : 1;

    n = n > LIMIT_LOAD_THREADS ? LIMIT_LOAD_THREADS : n;
    l->nbatches = BATCHES_EACH * n;
    l->todo = queue_new(l->nbatches);
    l->done = queue_new(l->nbatches);
    l->threads = mem_zero(n, sizeof *l->threads);
    l->batches = mem_zero(l->nbatches, sizeof *l->batches);
    l->shelf = mem_zero(l->nbatches, sizeof *l->shelf);
    for (unsigned i = 0; i < l->nbatches; i++)
        l->batches[i] = web_batch_new();
    while (l->nthreads < n && pthread_create(&l->threads[l->nthreads], NULL, work, l) == 0)
        l->nthreads++;
    return l->nthreads ? ST_OK : status_fail(ST_IO, "no thread can be started");
}

static void stop_workers(struct web_loader *l)
{
    if (l->todo)
        queue_close(l->todo);
    for (unsigned i = 0; i < l->nthreads; i++)
        (void)pthread_join(l->threads[i], NULL);
    for (unsigned i = 0; i < l->nbatches; i++)
        web_batch_free(l->batches[i]);
    queue_free(l->todo);
    queue_free(l->done);
    free(l->threads);
    free(l->batches);
    free(l->shelf);
    free(l->order);
}

/* ---- batches ------------------------------------------------------------- */

static void batch_send(struct web_loader *l, struct web_batch *b)
{
    if (l->handed == l->count)
        return;
    b->number = l->sent++;
    for (b->count = 0; b->count < BATCH_ANSWERS && l->handed < l->count; b->count++)
        b->documents[b->count].version = l->order[l->handed++];
    (void)queue_add(l->todo, b);
}

static enum status batch_pack(struct web_loader *l, struct web_pack *pack, struct web_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        web_pack_add(pack, &b->documents[i]);
    l->packed += (uint32_t)b->count;
    if (l->config->progress && !l->config->progress(l->config->progress_ctx, l->packed, l->count))
        return status_fail(ST_STOPPED, "stopped after %u of %u answers", l->packed, l->count);
    return ST_OK;
}

static enum status read_all(struct web_loader *l, struct web_pack *pack)
{
    enum status st = ST_OK;
    void *item;

    for (unsigned i = 0; i < l->nbatches; i++)
        batch_send(l, l->batches[i]);
    while (st == ST_OK && l->packed < l->count) {
        struct web_batch **place = &l->shelf[l->next % l->nbatches], *b = *place;

        if (b == NULL) {
            if (queue_take(l->done, &item, 1, -1) == 1)
                l->shelf[((struct web_batch *)item)->number % l->nbatches] = item;
            continue;
        }
        *place = NULL;
        l->next++;
        st = batch_pack(l, pack, b);
        batch_send(l, b);
    }
    return st;
}

static enum status load_world(const struct world *world, const struct web_config *config,
                              struct web *w)
{
    struct web_loader l = {.config = config, .world = world};
    struct web_pack pack;
    enum status st;

    web_pack_init(&pack, w, world);
    choose_versions(&l);
    st = start_workers(&l);
    if (st == ST_OK)
        st = read_all(&l, &pack);
    stop_workers(&l);
    if (st == ST_OK)
        st = web_pack_end(&pack);
    web_pack_clear(&pack);
    return st;
}

enum status web_load(const char *dir, const struct web_config *config, struct web **ret)
{
    static const struct web_config standard = {.threads = 0};
    struct world *world = NULL;
    struct web *w;
    enum status st = world_open(dir, &world);

    if (st != ST_OK)
        return st;
    w = MEM_NEW(struct web);
    map_init(&w->by_key);
    map_init(&w->by_host);
    map_init(&w->by_text);
    st = load_world(world, config ? config : &standard, w);
    world_close(world);
    if (st != ST_OK) {
        web_free(w);
        return status_prefix(st, "%s", dir);
    }
    *ret = w;
    return ST_OK;
}
