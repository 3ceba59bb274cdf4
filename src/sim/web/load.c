/* web_load.c - a world from its directory into memory, on all cores.
 *
 * In: a crawl directory. Out: struct web. The caller's thread reads the database,
 * packs and tells of progress; workers read the archive and parse. Between them
 * go batches of answers:
 *
 *        todo                   done               in order
 *   caller ---> worker, worker … ---> caller: shelf ---> web_pack_add()
 *     ^------------------- emptied, filled anew ------------'
 *
 * A batch that is ready before its turn waits on the shelf; as many batches as
 * there are travel at most, which bounds memory. SPDX-License-Identifier: MIT */
#include "sim/web/pack.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Everything that counts: the last version of each entry, or, where the world
 * moves, all of its pages. In the order of the world, which is the archive's. */
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
    struct web_worker *k = web_worker_new(l->world);
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
