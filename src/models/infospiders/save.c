/* infospiders_save.c - the whole population's minds, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

#include "models/infospiders/keywords.h"
#include "base/mem.h"

static void spider_save(const struct spider *s, struct buf *out)
{
    buf_put_u32(out, s->id);
    buf_put_u32(out, s->to);
    buf_put_u32(out, s->avoid);
    buf_put_u32(out, s->blocked);
    buf_put_u8(out, s->under_way);
    buf_put_u8(out, s->by_link);
    buf_put_f64(out, (double)s->estimate);
    buf_put_f64(out, s->beta);
    net_save(&s->net, out);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        buf_put_u32(out, s->words[i]);
        buf_put_f64(out, (double)s->in[i]);
    }
    link_bag_save(&s->bag, out);
}

static enum status spider_read(struct spider *s, struct cursor *c)
{
    s->id = cursor_u32(c);
    s->to = cursor_u32(c);
    s->avoid = cursor_u32(c);
    s->blocked = cursor_u32(c);
    s->under_way = cursor_u8(c);
    s->by_link = cursor_u8(c);
    s->estimate = (float)cursor_f64(c);
    s->beta = cursor_f64(c);
    if (net_load(&s->net, c) != ST_OK)
        return ST_CORRUPT;
    s->words = mem_zero(s->net.inputs, sizeof *s->words);
    s->in = mem_zero(s->net.inputs, sizeof *s->in);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        s->words[i] = cursor_u32(c);
        s->in[i] = (float)cursor_f64(c);
    }
    c->bad |= s->net.inputs > KEYWORDS_MAX;
    return link_bag_load(&s->bag, c);
}

static enum status spider_load(struct model *m, struct cursor *c)
{
    struct spider *s = MEM_NEW(struct spider);
    enum status st = spider_read(s, c);

    if (st == ST_OK && (!agent_is_alive(m->ctx->population, s->id) || spider_find(m, s->id) ||
                        s->bag.keywords != s->net.inputs))
        st = status_fail(ST_CORRUPT, "saved agents do not fit the population");
    if (st == ST_OK)
        agent_set_traits(m->ctx->population, s->id, s);
    else
        spider_free(s);
    return st;
}

static void places_save(const struct url_index *x, struct buf *out)
{
    size_t n = x->cap;

    while (n > 0 && x->value[n - 1] == PLACE_NEW)
        n--;
    buf_put_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        buf_put_u32(out, x->value[i]);
}

static void places_load(struct spiders *st, struct cursor *c)
{
    uint32_t n = cursor_u32(c);

    for (uint32_t i = 0; i < n && !c->bad; i++) {
        uint32_t place = cursor_u32(c);

        if (place != PLACE_NEW)
            spiders_set_place(st, i, place);
    }
}

void spiders_save(const struct model *m, struct buf *out)
{
    const struct spiders *st = spiders_of(m);
    uint32_t alive = population_counts(m->ctx->population).alive;

    buf_put_u32(out, st->founders);
    buf_put_u32(out, st->turn);
    buf_put_u32(out, st->open);
    buf_put_u32(out, st->answers);
    buf_put_u64(out, st->walks);
    places_save(&st->places, out);
    buf_put_u32(out, alive);
    for (uint32_t i = 0; i < alive; i++)
        spider_save(population_nth(m->ctx->population, i)->traits, out);
}

enum status spiders_load(struct model *m, struct str state)
{
    struct spiders *st = spiders_begin(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status status = ST_OK;
    uint32_t alive;

    st->founders = cursor_u32(&c);
    st->turn = cursor_u32(&c);
    st->open = cursor_u32(&c);
    st->answers = cursor_u32(&c);
    st->walks = cursor_u64(&c);
    places_load(st, &c);
    alive = cursor_u32(&c);
    if (c.bad || alive != population_counts(m->ctx->population).alive)
        return status_fail(ST_CORRUPT, "the saved agents are cut");
    for (uint32_t i = 0; i < alive && status == ST_OK; i++)
        status = spider_load(m, &c);
    if (status == ST_OK)
        spiders_recount(m);
    return status;
}
