/* save.c - the whole fleet and the reinforcing agent, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/os/clock.h"
#include "base/fields.h"
#include "base/mem.h"
#include "models/foragers/foragers.h"

#define STATE_MARK  0x464f5201u
#define KEPT_LONGER (3600 * US_PER_S) /* pages that were not available are remembered this long */

static const struct field forager_fields[] = {
    FIELD(U64, struct forager, rng.s),
    FIELD(U64, struct forager, score),
    FIELD(U64, struct forager, sent),
    FIELD(U64, struct forager, relevant),
    FIELD(U32, struct forager, to),
    FIELD(BIT, struct forager, looking),
    FIELD(BIT, struct forager, at_start),
    FIELD(BIT, struct forager, under_way),
    FIELD(U64, struct forager, waits),
    FIELD(U64, struct forager, rests),
    FIELD_END,
};

static const struct field late_fields[] = {
    FIELD(U64, struct late_answer, due),
    FIELD(U32, struct late_answer, agent),
    FIELD(U32, struct late_answer, path),
    FIELD(U32, struct late_answer, step),
    FIELD(REAL, struct late_answer, profit),
    FIELD(REAL, struct late_answer, reward),
    FIELD_END,
};

static const struct field states_fields[] = {
    FIELD(U64, struct foragers, seen),
    FIELD(U64, struct foragers, lesson_at),
    FIELD(U64, struct foragers, states),
    FIELD(F64, struct foragers, squares),
    FIELD_END,
};

static const struct field foragers_fields[] = {
    FIELD(U32, struct foragers, turn),           FIELD(U64, struct foragers, slice_ends),
    FIELD(U32, struct foragers, open),           FIELD(U32, struct foragers, diverged),
    FIELD(U64, struct foragers, looks),          FIELD(U64, struct foragers, fetched),
    FIELD(U64, struct foragers, in_vain),        FIELD(U64, struct foragers, paths),
    FIELD(U64, struct foragers, told),           FIELD(U64, struct foragers, lost),
    FIELD(U64, struct foragers, diverged_after), FIELD_END,
};

static void forager_save(const struct model *m, const struct forager *f, struct buf *out)
{
    const struct foragers *st = foragers_of(m);

    buf_put_u32(out, f->id);
    fields_save(forager_fields, f, out);
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

/* Is a saved forager valid? One without a page to go to is not under way, one that looks at linked
 * pages has made a step, and a score has its bounds. */
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
    enum status s = forage_path_load(&f->path, &st->pages, steps, places, !has_learning(f), c);

    return s == ST_OK ? forage_path_load(&f->past, &st->pages, steps, 0, false, c) : s;
}

static enum status forager_read(struct model *m, struct forager *f, struct cursor *c)
{
    enum status s;

    fields_load(forager_fields, f, c);
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

static void late_load(struct foragers *st, struct cursor *c)
{
    uint32_t count = cursor_u32(c);

    c->bad |= count > LATE_MAX;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        struct late_answer a;

        fields_load(late_fields, &a, c);
        c->bad |= a.step == 0;
        MEM_GROW(st->late, st->nlate, &st->late_cap);
        st->late[st->nlate++] = a;
    }
}

/* ---- clusters -------------------------------------------------------------------- */

static void states_save(const struct foragers *st, struct buf *out)
{
    buf_put_u32(out, st->k);
    fields_save(states_fields, st, out);
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
    fields_load(states_fields, st, c);
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

/* ---- the whole state ------------------------------------------------------------- */

void foragers_save(const struct model *m, struct buf *out)
{
    const struct foragers *st = foragers_of(m);
    uint32_t alive = population_counts(m->ctx->population).alive;
    int64_t kept = options_of(m)->recheck > KEPT_LONGER ? options_of(m)->recheck : KEPT_LONGER;

    buf_put_u32(out, STATE_MARK);
    fields_save(foragers_fields, st, out);
    states_save(st, out);
    reinforcer_save(&st->agent, out);
    weblog_save(&st->seeds, out);
    fields_save_all(late_fields, st->late, st->nlate, sizeof *st->late, out);
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
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    uint32_t alive, open = 0;
    enum status s;

    if (cursor_u32(&c) != STATE_MARK)
        return status_fail(ST_CORRUPT, "the saved foragers are of another version of brood");
    fields_load(foragers_fields, st, &c);
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
