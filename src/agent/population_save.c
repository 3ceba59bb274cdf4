/* population_save.c - the living, their kinds and the books, to the last bit.
 * SPDX-License-Identifier: MIT */
#include "agent/population_int.h"

#include "base/mem.h"

#define STATE_VERSION 2 /* 1 began with the number of agents, and had no books */
#define STATE_MARK    0x504f5000u

/* The numbers of an agent that go to the checkpoint as they are. */
#define AGENT_NUMBERS(a)                                                                           \
    {                                                                                              \
        &(a)->parent, &(a)->generation, &(a)->kind, &(a)->born_page, &(a)->children, &(a)->visits, \
            &(a)->found, &(a)->page, &(a)->at, &(a)->from, &(a)->npath                             \
    }

static void agent_save(const struct agent *a, struct buf *out)
{
    const uint32_t *const numbers[] = AGENT_NUMBERS(a);

    buf_put_u32(out, a->id);
    buf_put_f64(out, a->energy);
    buf_put_f64(out, a->born_energy);
    buf_put_u64(out, (uint64_t)a->born_at);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        buf_put_u32(out, *numbers[i]);
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
    {
        uint32_t *const numbers[] = AGENT_NUMBERS(a);

        a->energy = cursor_f64(from);
        a->born_energy = cursor_f64(from);
        a->born_at = (int64_t)cursor_u64(from);
        for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
            *numbers[i] = cursor_u32(from);
    }
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
    buf_put_u32(out, p->born);
    account_save(p->dead, out);
    account_save(p->cut, out);
    account_save(p->given, out);
    account_save(p->earned, out);
    account_save(p->burnt, out);
    buf_put_u32(out, (uint32_t)p->nkinds);
    for (size_t i = 0; i < p->nkinds; i++) {
        buf_put_str(out, str_of(p->kinds[i].name));
        buf_put_u32(out, p->kinds[i].counts.alive);
        buf_put_u32(out, p->kinds[i].counts.born);
        buf_put_u32(out, p->kinds[i].counts.died);
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
    p->born = cursor_number(from);
    p->dead = account_load(from);
    p->cut = account_load(from);
    p->given = account_load(from);
    p->earned = account_load(from);
    p->burnt = account_load(from);
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t kind = population_kind_of(p, cursor_str(from));
        struct population_counts *n = &p->kinds[kind].counts;

        n->alive = cursor_u32(from);
        n->born = cursor_u32(from);
        n->died = cursor_u32(from);
    }
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && good; i++)
        good = agent_load(p, from);
    return good && !from->bad ? ST_OK : status_fail(ST_CORRUPT, "the saved population is damaged");
}
