/* checkpoint.c - saves the state of a crawl, and restores it.
 *
 * A checkpoint event carries the opaque states of frontier, model and engine;
 * the store commits it together with everything posted since the last one. The
 * first is committed before the first request; then they come in growing steps
 * up to a second, or later where making one costs more than a twentieth of the
 * time or writing it more than 4 MB a second, but never later than half a minute, which is the most
 * that a power cut may cost. The vocabulary is large and changes slowly: it is saved only when a
 * new table of document frequencies was published. Of the model's large tables, only the parts that
 * changed are saved (model_ops.parts).
 * SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "agent/population.h"
#include "base/os/clock.h"
#include "base/fields.h"
#include "base/limits.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/digest.h"
#include "crawl/judge/judged.h"
#include "crawl/looks.h"
#include "crawl/tell/nature.h"
#include "crawl/node/node.h"
#include "crawl/repeats.h"
#include "crawl/start/trust.h"
#include "crawl/tell/wordbook.h"
#include "frontier/frontier.h"
#include "store/store.h"
#include "text/vocab.h"

#include <stdlib.h>

#define INTERVAL      US_PER_S
#define FIRST_STEP    (100 * US_PER_MS)
#define LONGEST       (30 * US_PER_S)
#define COST_SHARE    20 /* at most one twentieth of the time */
#define BYTES_PER_US  4  /* and no more than 4 MB of states a second to the disk */
#define STATE_MAX     ((size_t)4 << 30)
/* 1: no messages, no wake; 2: no words; 3: chose ahead; 4: no looks; 5: no repeats; 6: always
 * alone; 7: no parts */
#define STATE_VERSION 8

static void post_host(void *ctx, uint32_t id, struct str name, struct str state)
{
    struct crawl *c = ctx;
    struct event e = {.kind = EVENT_HOST, .at = c->now, .host = {id, name, state}};

    bus_post(c->bus, &e);
}

static const struct field counts_fields[] = {
    FIELD(U64, struct crawl, pages),
    FIELD(U64, struct crawl, relevant),
    FIELD(U64, struct crawl, duplicates),
    FIELD(U64, struct crawl, failed),
    FIELD_END,
};

static const struct field mind_fields[] = {
    FIELD(F64, struct crawl, relevance_sum),
    FIELD(U64, struct crawl, model_ctx.rng.s),
    FIELD_END,
};

static void save_node(const struct crawl *c, struct buf *out)
{
    LOCAL_BUF state = BUF_INIT(STATE_MAX);

    if (c->node)
        node_save(c, &state);
    buf_put_str(out, buf_str(&state));
}

static enum status load_node(struct crawl *c, struct cursor *from)
{
    struct cursor state = {.rest = cursor_str(from)};

    return c->node && state.rest.len > 0 ? node_load(c, &state) : ST_OK;
}

static void save_engine(const struct crawl *c, struct buf *out)
{
    buf_put_u32(out, STATE_VERSION);
    buf_put_u64(out, (uint64_t)(c->elapsed_before + c->now - c->started_at));
    fields_save(counts_fields, c, out);
    buf_put_u64(out, c->bytes_before + c->bytes);
    fields_save(mind_fields, c, out);
    population_save(c->population, out);
    buf_put_u64(out, (uint64_t)c->model_ctx.wake);
    post_save(c->messages, out);
    buf_put_u8(out, c->looks != NULL);
    if (c->looks)
        looks_save(c->looks, out);
    buf_put_u8(out, c->repeats != NULL);
    if (c->repeats)
        repeats_save(c->repeats, out);
    save_node(c, out);
    buf_put_u8(out, c->wordbook != NULL);
    if (c->wordbook)
        wordbook_save(c->wordbook, out);
}

/* Requisites that wait are still fetched when a crawl is resumed without --requisites. */
static enum status load_looks(struct crawl *c, struct cursor *from)
{
    if (c->looks == NULL)
        c->looks = looks_new();
    return looks_load(c->looks, from);
}

/* A crawl that is resumed with --keep-repeats does not need them: they are read and dropped. */
static enum status load_repeats(struct crawl *c, struct cursor *from)
{
    enum status st;

    if (c->repeats == NULL)
        c->repeats = repeats_new();
    st = repeats_load(c->repeats, from);
    if (c->options->keep_repeats) {
        repeats_free(c->repeats);
        c->repeats = NULL;
    }
    return st;
}

static enum status load_engine(struct crawl *c, struct str state)
{
    struct cursor from = {.rest = state, .most = store_agents(c->store) + 1};
    uint32_t version = cursor_u32(&from);

    if (version < 1 || version > STATE_VERSION)
        return status_fail(ST_CORRUPT, "the checkpoint was written by another version");
    c->elapsed_before = (int64_t)cursor_u64(&from);
    fields_load(counts_fields, c, &from);
    c->bytes_before = cursor_u64(&from);
    fields_load(mind_fields, c, &from);
    TRY(population_load(c->population, &from));
    if (version < 2)
        return ST_OK;
    c->model_ctx.wake = (int64_t)cursor_u64(&from);
    TRY(post_load(c->messages, &from));
    if (version >= 5 && cursor_u8(&from))
        TRY(load_looks(c, &from));
    if (version >= 6 && cursor_u8(&from))
        TRY(load_repeats(c, &from));
    if (version >= 7)
        TRY(load_node(c, &from));
    if (version < 3 || !cursor_u8(&from) || c->wordbook == NULL)
        return ST_OK;
    return wordbook_load(c->wordbook, &from);
}

int64_t checkpoint_wait(int64_t step, int64_t made_in, int64_t bytes)
{
    int64_t wait = made_in * COST_SHARE;

    if (wait < bytes / BYTES_PER_US)
        wait = bytes / BYTES_PER_US;
    if (wait < step)
        wait = step;
    return wait < LONGEST ? wait : LONGEST;
}

void checkpoint_post(struct crawl *c)
{
    struct buf frontier = BUF_INIT(STATE_MAX), model = BUF_INIT(STATE_MAX);
    struct buf engine = BUF_INIT(STATE_MAX), vocab = BUF_INIT(STATE_MAX);
    struct buf parts = BUF_INIT(STATE_MAX);
    struct event e = {.kind = EVENT_CHECKPOINT, .at = c->now};
    int64_t cost = clock_now(), bytes;

    node_gather(c);
    frontier_changed_hosts(c->frontier, post_host, c);
    books_post(c);
    totals_post(c);
    outlook_post(c);
    figures_post(c);
    memory_post(c);
    judged_post(c);
    nature_post(c, c->end != CRAWL_RUNNING);
    frontier_save(c->frontier, &frontier);
    if (c->model->ops->parts) {
        /* The parts need about as much room as the last time. It is reserved at once, because a
         * buffer that grows step by step leaves holes in the heap. */
        if (c->checkpoint_parts < STATE_MAX / 2)
            (void)buf_room(&parts, c->checkpoint_parts + c->checkpoint_parts / 4);
        c->model->ops->parts->save(c->model, &parts);
    }
    c->model->ops->save(c->model, &model);
    save_engine(c, &engine);
    if (c->vocab_dirty)
        vocab_save(c->vocab, &vocab);
    if (frontier.full || model.full || engine.full || vocab.full || parts.full)
        mem_out(); /* half a state must not replace a complete one */
    e.checkpoint.frontier = buf_str(&frontier);
    e.checkpoint.model = buf_str(&model);
    e.checkpoint.engine = buf_str(&engine);
    e.checkpoint.vocab = buf_str(&vocab);
    e.checkpoint.parts = buf_str(&parts);
    e.checkpoint.memory = &parts;
    e.checkpoint.pages = c->pages;
    c->checkpoint_parts = parts.len;
    bytes = (int64_t)(frontier.len + model.len + engine.len + parts.len);
    bus_post(c->bus, &e);
    c->checkpoints++;
    c->vocab_dirty = false;
    buf_free(&frontier);
    buf_free(&model);
    buf_free(&engine);
    buf_free(&vocab);
    buf_free(&parts);
    c->checkpoint_step = c->checkpoint_step ? 2 * c->checkpoint_step : FIRST_STEP;
    if (c->checkpoint_step > INTERVAL)
        c->checkpoint_step = INTERVAL;
    c->checkpoint_cost = checkpoint_wait(0, clock_now() - cost, bytes);
    c->checkpoint_at = c->now + checkpoint_wait(c->checkpoint_step, clock_now() - cost, bytes);
}

/* A file or an earlier crawl is kept by its full name: resume may run somewhere else. */
static void option_value(const struct option *op, const struct crawl_options *o, struct buf *out)
{
    bool is_file = op->type == OPTION_TEXT && op->metavar &&
                   (strcmp(op->metavar, "FILE") == 0 || strcmp(op->name, "base-from") == 0);
    char *path = NULL;

    crawl_option_text(op, o, out);
    if (is_file && out->len > 0)
        path = realpath(out->data, NULL);
    if (path) {
        buf_clear(out);
        buf_add_z(out, path);
        free(path);
    }
}

static void post_key(struct crawl *c, struct str name, struct str value)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {name, value}};

    bus_post(c->bus, &e);
}

void options_post(struct crawl *c)
{
    LOCAL_BUF guards = BUF_INIT(MIB(16)), signature = BUF_INIT(100);

    for (const struct option *op = crawl_option_table; op->name; op++) {
        struct buf name = BUF_INIT(100), value = BUF_INIT(1 << 20);

        buf_addf(&name, "option.%s", op->name);
        option_value(op, c->options, &value);
        post_key(c, buf_str(&name), buf_str(&value));
        if (trust_is_guard(op->name))
            trust_add(&guards, op->name, buf_str(&value));
        buf_free(&name);
        buf_free(&value);
    }
    if (c->dir)
        trust_sign(c->dir, buf_str(&guards), &signature);
    post_key(c, STR(TRUST_KEY), buf_str(&signature));
}

/* ---- back ---------------------------------------------------------------- */

static enum status load_url(void *ctx, uint32_t id, struct str href, uint32_t from_page,
                            uint16_t depth, uint8_t state, enum drop drop, uint32_t page)
{
    struct url_view view = {.href = href,
                            .from_page = from_page,
                            .page = page,
                            .depth = depth,
                            .state = state,
                            .drop = (uint8_t)drop};

    if (drop == DROP_MODEL) { /* the model may meet it again, and want it then */
        view.state = URL_KNOWN;
        view.drop = DROP_NONE;
    }
    return frontier_restore_url(((struct crawl *)ctx)->frontier, href, id, &view);
}

static void load_missing(void *ctx, uint32_t url)
{
    frontier_restore_missing(((struct crawl *)ctx)->frontier, url);
}

static enum status load_host(void *ctx, uint32_t id, struct str name, struct str state)
{
    struct crawl *c = ctx;

    return frontier_restore_host(c->frontier, id, name, state, c->now);
}

static enum status load_page(void *ctx, uint32_t page, uint64_t payload_hash, uint64_t simhash,
                             uint32_t words)
{
    bool exact;

    (void)frontier_duplicate(((struct crawl *)ctx)->frontier, page, payload_hash, simhash, words,
                             &exact);
    return ST_OK;
}

static enum status load_vocab(struct crawl *c, struct str state)
{
    if (state.len == 0 || c->fixed_vocab)
        return ST_OK;
    TRY(vocab_restore(c->vocab, state));
    c->model_ctx.table = c->table = vocab_publish(c->vocab);
    digest_publish(c->digest, df_hold(c->table));
    return ST_OK;
}

static enum status load_part(void *ctx, uint32_t number, struct str bytes)
{
    struct model *m = ((struct crawl *)ctx)->model;

    return m->ops->parts->load(m, number, bytes);
}

static enum status load_model(struct crawl *c, struct str state)
{
    const struct model_ops *ops = c->model->ops;

    c->model_ctx.urls = (uint32_t)frontier_counts(c->frontier).urls;
    if (c->model_ctx.urls == 0)
        c->model_ctx.urls = 1; /* 0 would allow any number in a crafted state */
    TRY(ops->load(c->model, state));
    if (ops->parts)
        TRY(store_read_parts(c->store, load_part, c));
    return ops->parts ? ops->parts->loaded(c->model) : ST_OK;
}

enum status checkpoint_load(struct crawl *c)
{
    LOCAL_BUF frontier = BUF_INIT(STATE_MAX), model = BUF_INIT(STATE_MAX);
    LOCAL_BUF engine = BUF_INIT(STATE_MAX), vocab = BUF_INIT(STATE_MAX);
    enum status st = store_read_urls(c->store, load_url, c);

    if (st == ST_OK)
        st = store_read_missing(c->store, load_missing, c);
    if (st == ST_OK)
        st = store_read_hosts(c->store, load_host, c);
    if (st == ST_OK)
        st = store_read_pages(c->store, load_page, c);
    if (st == ST_OK)
        st = store_read_state(c->store, &frontier, &model, &engine, &vocab);
    if (st == ST_OK)
        st = load_engine(c, buf_str(&engine));
    if (st == ST_OK)
        st = load_vocab(c, buf_str(&vocab));
    if (st == ST_OK)
        st = frontier_restore(c->frontier, buf_str(&frontier), c->now);
    if (st == ST_OK)
        st = load_model(c, buf_str(&model));
    if (st == ST_OK)
        nature_all_changed(c); /* the stored descriptions are older */
    c->open = frontier_counts(c->frontier).waiting;
    c->open -= looks_open(c->looks) < c->open ? looks_open(c->looks) : c->open;
    return st;
}
