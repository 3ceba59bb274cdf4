/* merge_agents.c - the agents of all directories, as one tree.
 *
 * An agent that travelled has a row in each directory where it was. Different agents may have the
 * same number and name, because numbers count from 1 in every directory, and a name follows from
 * the number. In the result they are numbered by generation and then by birth, so that parents come
 * before their children, even if the machines' clocks differed.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "store/write/merge_int.h"

#define ORDER "(min(generation, 1000000) << 32) + born_at / 1000000"

struct knowing {
    struct map same;  /* hash of name, kind and birth -> number */
    struct map taken; /* hash of a name -> its last suffix; 1: none */
};

static uint64_t identity_of(struct merge_source *s)
{
    return hash_u64(hash_str(db_str(s->st, 2)) ^
                    hash_u64((uint64_t)sqlite3_column_int64(s->st, 4))) ^
           hash_str(db_str(s->st, 3));
}

/* Returns the agent's own name if it is not taken yet, else a name with a suffix. */
static char *choose_name(struct merge *m, struct knowing *k, struct str name)
{
    struct buf out = BUF_INIT(1 << 16);
    bool is_new;
    uint32_t last = *map_at(&k->taken, hash_str(name), 1, &is_new);

    m->result.renamed += !is_new;
    buf_add_str(&out, name);
    if (is_new)
        return buf_take(&out, NULL);
    while (!is_new) { /* from the last suffix on: a million may have the same name */
        buf_clear(&out);
        buf_addf(&out, "%.*s-%u", STR_ARG(name), ++last);
        (void)map_at(&k->taken, hash_str(buf_str(&out)), 1, &is_new);
    }
    map_set(&k->taken, hash_str(name), last);
    return buf_take(&out, NULL);
}

static enum status know_agent(struct merge *m, struct merge_source *s, void *ctx)
{
    struct knowing *k = ctx;
    int64_t id = sqlite3_column_int64(s->st, 1);
    struct str name = db_str(s->st, 2);
    uint32_t number;
    bool is_new;

    if (id <= 0 || (uint64_t)id >= s->agents.count || name.len > 1000)
        return ST_OK;
    number = *map_at(&k->same, identity_of(s), (uint32_t)m->nagents + 1, &is_new);
    s->agents.to[id] = number;
    map_set(&s->names, hash_str(name), number);
    if (!is_new)
        return ST_OK;
    m->nagents++;
    MEM_GROW(m->agents, m->nagents, &m->agents_cap);
    m->agents[number] = choose_name(m, k, name);
    return ST_OK;
}

/* Combines a traveller's rows: it is dead if one of them says so; its energy is that of the row
 * where it was last; pages add up. */
static const char put_sql[] =
    "INSERT INTO agent VALUES(?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET"
    " parent_id = coalesce(parent_id, excluded.parent_id),"
    " born_page = coalesce(nullif(born_page, 0), excluded.born_page),"
    " energy = CASE WHEN died_at IS NULL AND (excluded.died_at IS NOT NULL OR excluded.pages >"
    " pages) THEN excluded.energy ELSE energy END,"
    " died_at = coalesce(died_at, excluded.died_at), death = coalesce(death, excluded.death),"
    " pages = pages + excluded.pages";

enum agent_column { AGENT_ID = 1, AGENT_NAME, AGENT_PARENT = 4, AGENT_PAGE = 7, AGENT_LAST = 11 };

static enum status put_agent(struct merge *m, struct merge_source *s, void *ctx)
{
    sqlite3_stmt *to = ctx;
    uint32_t number = merge_number(&s->agents, sqlite3_column_int64(s->st, AGENT_ID));
    uint32_t parent = merge_number(&s->agents, sqlite3_column_int64(s->st, AGENT_PARENT));

    if (number == 0)
        return ST_OK;
    for (int i = AGENT_ID; i <= AGENT_LAST; i++)
        (void)sqlite3_bind_value(to, i, sqlite3_column_value(s->st, i));
    (void)sqlite3_bind_int64(to, AGENT_ID, number);
    db_bind_str(to, AGENT_NAME, str_of(m->agents[number]));
    if (parent && parent < number)
        (void)sqlite3_bind_int64(to, AGENT_PARENT, parent);
    else
        (void)sqlite3_bind_null(to, AGENT_PARENT);
    (void)sqlite3_bind_int64(to, AGENT_PAGE,
                             merge_number(&s->pages, sqlite3_column_int64(s->st, AGENT_PAGE)));
    return db_run(m->db, to);
}

enum status merge_agents(struct merge *m)
{
    struct knowing k;
    sqlite3_stmt *to = NULL;
    enum status st = db_prepare(m->db, put_sql, &to);

    map_init(&k.same);
    map_init(&k.taken);
    MEM_GROW(m->agents, 0, &m->agents_cap);
    m->agents[0] = NULL;
    merge_begin(m, "merging the agents", 0);
    for (size_t i = 0; i < m->nsources && st == ST_OK; i++)
        st = merge_numbers_init(&m->sources[i], &m->sources[i].agents, "SELECT max(id) FROM agent");
    if (st == ST_OK)
        st = merge_rows(m, "agent",
                        "SELECT " ORDER ", id, name, kind, born_at FROM agent ORDER BY 1, id",
                        false, know_agent, &k);
    if (st == ST_OK)
        st = merge_rows(m, "agent",
                        "SELECT " ORDER
                        ", id, name, kind, parent_id, generation, born_at, born_page,"
                        " died_at, death, energy, pages FROM agent ORDER BY 1, id",
                        false, put_agent, to);
    (void)sqlite3_finalize(to);
    map_free(&k.same);
    map_free(&k.taken);
    m->result.agents = m->nagents;
    return st;
}
