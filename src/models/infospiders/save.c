/* infospiders_save.c - the whole population's minds, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

#include "models/infospiders/keywords.h"
#include "base/fields.h"
#include "base/mem.h"

static const struct field spider_fields[] = {
    FIELD(U32, struct spider, id),
    FIELD(U32, struct spider, to),
    FIELD(U32, struct spider, avoid),
    FIELD(U32, struct spider, blocked),
    FIELD(FLAG, struct spider, under_way),
    FIELD(FLAG, struct spider, by_link),
    FIELD(WIDE, struct spider, estimate),
    FIELD(F64, struct spider, beta),
    FIELD_END,
};

static const struct field spiders_fields[] = {
    FIELD(U32, struct spiders, founders), FIELD(U32, struct spiders, turn),
    FIELD(U32, struct spiders, open),     FIELD(U32, struct spiders, answers),
    FIELD(U64, struct spiders, walks),    FIELD_END,
};

static void spider_save(const struct spider *s, struct buf *out)
{
    fields_save(spider_fields, s, out);
    net_save(&s->net, out);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        buf_put_u32(out, s->words[i]);
        buf_put_f64(out, (double)s->in[i]);
    }
    link_bag_save(&s->bag, out);
}

static enum status spider_read(struct spider *s, struct cursor *c)
{
    fields_load(spider_fields, s, c);
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

    fields_save(spiders_fields, st, out);
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

    fields_load(spiders_fields, st, &c);
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
