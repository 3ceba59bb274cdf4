/* foragers_save.c - the whole fleet and the reinforcing agent, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "models/foragers/clusters.h"

#include <math.h>
#include <stdlib.h>

#define STATE_MARK  0x464f5201u
#define KEPT_LONGER (3600 * US_PER_S) /* what could not be had is remembered so long */

static void forager_save(const struct model *m, const struct forager *f, struct buf *out)
{
    const struct foragers *st = foragers_of(m);

    buf_put_u32(out, f->id);
    for (int i = 0; i < 4; i++)
        buf_put_u64(out, f->rng.s[i]);
    buf_put_u64(out, (uint64_t)f->score);
    buf_put_u64(out, f->sent);
    buf_put_u64(out, f->relevant);
    buf_put_u32(out, f->to);
    buf_put_u8(out, (uint8_t)(f->looking | f->at_start << 1 | f->under_way << 2));
    buf_put_u64(out, (uint64_t)f->waits);
    buf_put_u64(out, (uint64_t)f->rests);
    weblog_save(&f->weblog, out);
    td_save(&f->td, out);
    url_set_save(&f->marked, out);
    forage_path_save(&f->path, &st->pages, out);
    forage_path_save(&f->past, &st->pages, out);
    buf_put_u32(out, (uint32_t)(f->nlooks - f->look));
    for (size_t i = f->look; i < f->nlooks; i++)
        buf_put_u32(out, f->looks[i]);
}

static void looks_load(struct forager *f, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    c->bad |= count > LINKS_MAX;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        MEM_GROW(f->looks, f->nlooks, &f->looks_cap);
        f->looks[f->nlooks] = cursor_u32(c);
        c->bad |= f->looks[f->nlooks++] == 0;
    }
}

/* Ways that cannot be: under way to nowhere, looking without a step. */
static bool is_sound(const struct forager *f)
{
    return (f->to != 0 || !f->under_way) && f->score > -SCORE_MOST && f->score < SCORE_MOST &&
           (!f->looking || f->path.nsteps > 0);
}

static enum status paths_load(struct model *m, struct forager *f, struct cursor *c)
{
    const struct foragers_options *o = options_of(m);
    struct foragers *st = foragers_of(m);
    size_t steps = (size_t)o->steps + 1, places = (size_t)o->frontier + steps;
    enum status s = forage_path_load(&f->path, &st->pages, steps, places, !has_learning(m), c);

    return s == ST_OK ? forage_path_load(&f->past, &st->pages, steps, 0, false, c) : s;
}

static enum status forager_read(struct model *m, struct forager *f, struct cursor *c)
{
    enum status s;
    uint8_t flags;

    for (int i = 0; i < 4; i++)
        f->rng.s[i] = cursor_u64(c);
    f->score = (int64_t)cursor_u64(c);
    f->sent = cursor_u64(c);
    f->relevant = cursor_u64(c);
    f->to = cursor_u32(c);
    flags = cursor_u8(c);
    f->looking = flags & 1;
    f->at_start = flags >> 1 & 1;
    f->under_way = flags >> 2 & 1;
    f->waits = (int64_t)cursor_u64(c);
    f->rests = (int64_t)cursor_u64(c);
    s = weblog_load(&f->weblog, c);
    if (s == ST_OK)
        s = td_load(&f->td, c);
    if (s == ST_OK)
        s = url_set_load(&f->marked, c);
    if (s == ST_OK)
        s = paths_load(m, f, c);
    if (s != ST_OK)
        return s;
    looks_load(f, c);
    return c->bad || !is_sound(f) ? status_fail(ST_CORRUPT, "a saved forager is damaged") : ST_OK;
}

static enum status forager_load(struct model *m, struct cursor *c)
{
    uint32_t id = cursor_u32(c);
    struct forager *f;
    enum status s;

    if (!agent_is_alive(m->ctx->population, id) || forager_find(m, id))
        return status_fail(ST_CORRUPT, "saved foragers do not fit the population");
    f = forager_new(m, id);
    s = forager_read(m, f, c);
    if (s == ST_OK)
        agent_set_traits(m->ctx->population, id, f);
    else
        forager_free(f);
    return s;
}

/* ---- answers on their way -------------------------------------------------------- */

static void late_save(const struct foragers *st, struct buf *out)
{
    buf_put_u32(out, (uint32_t)st->nlate);
    for (size_t i = 0; i < st->nlate; i++) {
        const struct late_answer *a = &st->late[i];

        buf_put_u64(out, (uint64_t)a->due);
        buf_put_u32(out, a->agent);
        buf_put_u32(out, a->path);
        buf_put_u32(out, a->step);
        buf_put_f64(out, a->profit);
        buf_put_f64(out, a->reward);
    }
}

static void late_load(struct foragers *st, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    c->bad |= count > LATE_MAX;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        struct late_answer a = {.due = (int64_t)cursor_u64(c)};

        a.agent = cursor_u32(c);
        a.path = cursor_u32(c);
        a.step = cursor_u32(c);
        a.profit = cursor_f64(c);
        a.reward = cursor_f64(c);
        c->bad |= a.step == 0 || !isfinite(a.profit) || !isfinite(a.reward);
        MEM_GROW(st->late, st->nlate, &st->late_cap);
        st->late[st->nlate++] = a;
    }
}

/* ---- clusters -------------------------------------------------------------------- */

static void states_save(const struct foragers *st, struct buf *out)
{
    buf_put_u32(out, st->k);
    buf_put_u64(out, st->seen);
    buf_put_u64(out, st->lesson_at);
    buf_put_u64(out, st->states);
    buf_put_f64(out, st->squares);
    buf_put_u8(out, st->clusters != NULL);
    if (st->clusters)
        clusters_put(st->clusters, out);
    else
        page_memory_save(&st->lesson, out);
}

static enum status states_load(struct foragers *st, struct cursor *c)
{
    struct clusters *loaded = NULL;
    enum status s;

    if (cursor_u32(c) != st->k || c->bad)
        return status_fail(ST_CORRUPT, "the saved states of pages have another length");
    st->seen = cursor_u64(c);
    st->lesson_at = cursor_u64(c);
    st->states = cursor_u64(c);
    st->squares = cursor_f64(c);
    if (!cursor_u8(c))
        return st->clusters ? status_fail(ST_CORRUPT, "the clusters are not those of before")
                            : page_memory_load(&st->lesson, c);
    s = clusters_get(c, &loaded);
    if (s != ST_OK || loaded->k > st->k) {
        clusters_free(loaded);
        return status_fail(ST_CORRUPT, "the saved clusters are damaged");
    }
    clusters_free(st->clusters);
    st->clusters = loaded;
    st->names_of = NULL;
    return ST_OK;
}

/* ---- the whole ------------------------------------------------------------------- */

/* The counts that go to the checkpoint as they are. */
#define COUNTS(st)                                                                            \
    {                                                                                         \
        &(st)->looks, &(st)->fetched, &(st)->in_vain, &(st)->paths, &(st)->told, &(st)->lost, \
            &(st)->diverged_after                                                             \
    }

void foragers_save(const struct model *m, struct buf *out)
{
    const struct foragers *st = foragers_of(m);
    const uint64_t *const counts[] = COUNTS(st);
    uint32_t alive = population_counts(m->ctx->population).alive;
    int64_t kept = options_of(m)->recheck > KEPT_LONGER ? options_of(m)->recheck : KEPT_LONGER;

    buf_put_u32(out, STATE_MARK);
    buf_put_u32(out, st->turn);
    buf_put_u64(out, (uint64_t)st->slice_ends);
    buf_put_u32(out, st->open);
    buf_put_u32(out, st->diverged);
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        buf_put_u64(out, *counts[i]);
    states_save(st, out);
    reinforcer_save(&st->agent, out);
    weblog_save(&st->seeds, out);
    late_save(st, out);
    forage_pages_save(&st->pages, m->ctx->now - kept, out);
    buf_put_u32(out, alive);
    for (uint32_t i = 0; i < alive; i++)
        forager_save(m, forager_nth(m, i), out);
}

static enum status parts_load(struct model *m, struct cursor *c)
{
    struct foragers *st = foragers_of(m);
    enum status s = states_load(st, c);

    if (s == ST_OK)
        s = reinforcer_load(&st->agent, c);
    if (s == ST_OK)
        s = weblog_load(&st->seeds, c);
    if (s != ST_OK)
        return s;
    late_load(st, c);
    return forage_pages_load(&st->pages, c);
}

enum status foragers_load(struct model *m, struct str state)
{
    struct foragers *st = foragers_begin(m);
    uint64_t *const counts[] = COUNTS(st);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    uint32_t alive, open = 0;
    enum status s;

    if (cursor_u32(&c) != STATE_MARK)
        return status_fail(ST_CORRUPT, "the saved foragers are of another version of brood");
    st->turn = cursor_u32(&c);
    st->slice_ends = (int64_t)cursor_u64(&c);
    st->open = cursor_u32(&c);
    st->diverged = cursor_u32(&c);
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        *counts[i] = cursor_u64(&c);
    s = parts_load(m, &c);
    alive = cursor_u32(&c);
    if (s == ST_OK && (c.bad || alive != population_counts(m->ctx->population).alive))
        s = status_fail(ST_CORRUPT, "the saved foragers are cut");
    for (uint32_t i = 0; i < alive && s == ST_OK; i++)
        s = forager_load(m, &c);
    for (uint32_t i = 0; i < alive && s == ST_OK; i++)
        open += forager_nth(m, i)->under_way;
    if (s == ST_OK && open != st->open)
        s = status_fail(ST_CORRUPT, "the saved foragers are damaged");
    return s;
}
