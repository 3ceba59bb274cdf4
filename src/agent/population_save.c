/* population_save.c - the living, their kinds and the books, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "agent/population_int.h"

#include "base/mem.h"

#define STATE_VERSION 2 /* 1 began with the number of agents, and had no books */
#define STATE_MARK    0x504f5000u

static const struct field population_fields[] = {
    FIELD(URL, struct population, born),
    FIELD_OF_PART(struct population, dead, account_fields),
    FIELD_OF_PART(struct population, cut, account_fields),
    FIELD_OF_PART(struct population, given, account_fields),
    FIELD_OF_PART(struct population, earned, account_fields),
    FIELD_OF_PART(struct population, burnt, account_fields),
    FIELD_END,
};

static const struct field counts_fields[] = {
    FIELD(U32, struct population_counts, alive),
    FIELD(U32, struct population_counts, born),
    FIELD(U32, struct population_counts, died),
    FIELD_END,
};

static const struct field agent_fields[] = {
    FIELD(F64, struct agent, energy),
    FIELD(F64, struct agent, born_energy),
    FIELD(U64, struct agent, born_at),
    FIELD(U32, struct agent, parent),
    FIELD(U32, struct agent, generation),
    FIELD(U32, struct agent, kind),
    FIELD(U32, struct agent, born_page),
    FIELD(U32, struct agent, children),
    FIELD(U32, struct agent, visits),
    FIELD(U32, struct agent, found),
    FIELD(U32, struct agent, page),
    FIELD(U32, struct agent, at),
    FIELD(U32, struct agent, from),
    FIELD(U32, struct agent, npath),
    FIELD_END,
};

static void agent_save(const struct agent *a, struct buf *out)
{
    buf_put_u32(out, a->id);
    fields_save(agent_fields, a, out);
    for (uint32_t i = 0; i < a->npath; i++)
        buf_put_u32(out, a->path[i]);
}

/* False: what was saved cannot be. */
static bool agent_load(struct population *p, struct cursor *from)
{
    uint32_t before = p->alive ? p->ids[p->alive - 1] : 0, id = cursor_u32(from);
    struct agent *a;

    if (from->bad || id <= before || id > p->born)
        return false;
    a = population_append(p, id);
    fields_load(agent_fields, a, from);
    if (a->npath > AGENT_PATH || a->kind >= p->nkinds) {
        a->npath = 0;
        return false;
    }
    for (uint32_t i = 0; i < a->npath; i++)
        a->path[i] = cursor_u32(from);
    return !from->bad;
}

void population_save(const struct population *p, struct buf *out)
{
    buf_put_u32(out, STATE_MARK | STATE_VERSION);
    fields_save(population_fields, p, out);
    buf_put_u32(out, (uint32_t)p->nkinds);
    for (size_t i = 0; i < p->nkinds; i++) {
        buf_put_str(out, str_of(p->kinds[i].name));
        fields_save(counts_fields, &p->kinds[i].counts, out);
    }
    buf_put_u32(out, (uint32_t)p->alive);
    for (size_t i = 0; i < p->alive; i++)
        agent_save(p->agents[i], out);
}

enum status population_load(struct population *p, struct cursor *from)
{
    bool good = true;
    uint32_t count;

    if (cursor_u32(from) != (STATE_MARK | STATE_VERSION))
        return status_fail(ST_CORRUPT, "the saved population is of another version of brood");
    fields_load(population_fields, p, from);
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t kind = population_kind_of(p, cursor_str(from));

        fields_load(counts_fields, &p->kinds[kind].counts, from);
    }
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && good; i++)
        good = agent_load(p, from);
    return good && !from->bad ? ST_OK : status_fail(ST_CORRUPT, "the saved population is damaged");
}
