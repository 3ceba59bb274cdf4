/* write_rows.c - the small events: one row each.
 *
 * Figures that change often (drops by reason, agents' energy) are kept in the
 * writer and written once a checkpoint. SPDX-License-Identifier: MIT */
#include "store/write/writer_int.h"

#include "base/parts.h"
#include "store/schema.h"

#include <math.h>
#include <stdio.h>

/* ---- small writes -------------------------------------------------------- */

enum status row_key(struct writer *w, struct str key, struct str value)
{
    struct bind b = bind_to(w, STMT_KEY);

    db_bind_str(b.st, b.at++, key);
    db_bind_str(b.st, b.at++, value);
    return run(w, &b);
}

enum status row_key_u64(struct writer *w, struct str key, uint64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return row_key(w, key, str_of(text));
}

enum status row_url(struct writer *w, uint32_t id, struct str url, uint32_t from_page,
                    uint16_t depth, enum drop why)
{
    struct bind b = bind_to(w, STMT_URL);
    enum status st;

    put_int(&b, id);
    put_text(&b, url);
    put_int(&b, depth);
    put_int(&b, from_page);
    put_int(&b, why);
    st = run(w, &b);
    if (st == ST_OK)
        tally_url(w, why);
    return st;
}

enum status row_fate(struct writer *w, uint32_t url, enum url_state state, enum drop why,
                     uint32_t page)
{
    enum status st = tally_fate(w, url, page);
    struct bind b = bind_to(w, STMT_FATE);

    put_int(&b, url);
    put_int(&b, state);
    put_int(&b, why);
    put_int(&b, page);
    return st == ST_OK ? run(w, &b) : st;
}

enum status row_fate_later(struct writer *w, uint32_t url, enum drop why)
{
    enum status st = tally_fate(w, url, TALLY_SAME);
    struct bind b = bind_to(w, STMT_FATE_LATER);

    put_int(&b, url);
    put_int(&b, URL_GONE);
    put_int(&b, why);
    put_int(&b, 0);
    return st == ST_OK ? run(w, &b) : st;
}

void row_count_drop(struct writer *w, enum drop why)
{
    w->drops[why]++;
    w->drops_dirty[why] = true;
}

/* The newest SCHEMA_DROPPED stay: a ring of rows. */
enum status row_drop(struct writer *w, struct str url, uint32_t id, enum drop why, int64_t at)
{
    struct bind b = bind_to(w, STMT_DROP);

    put_int(&b, w->next_drop + 1);
    put_text(&b, id ? STR("") : url);
    put_ref(&b, id);
    put_int(&b, why);
    put_int(&b, at);
    w->next_drop = (w->next_drop + 1) % SCHEMA_DROPPED;
    return run(w, &b);
}

struct agent_figures *row_agent(struct writer *w, uint32_t id)
{
    if (id >= w->agents_cap) {
        size_t cap = id < 64 ? 64 : (size_t)id * 2;

        w->agents = mem_resize(w->agents, cap, sizeof *w->agents);
        memset(w->agents + w->agents_cap, 0, (cap - w->agents_cap) * sizeof *w->agents);
        w->agents_cap = cap;
    }
    return &w->agents[id];
}

struct agent_figures *row_agent_change(struct writer *w, uint32_t id)
{
    struct agent_figures *agent = row_agent(w, id);

    if (!agent->dirty) {
        MEM_GROW(w->changed, w->nchanged, &w->changed_cap);
        w->changed[w->nchanged++] = id;
        agent->dirty = true;
    }
    return agent;
}

/* Names the file being written, with its length so far. */
enum status row_warc(struct writer *w)
{
    struct bind b = bind_to(w, STMT_WARC);
    const char *name;
    uint64_t length;
    uint32_t file = warc_file(archive_writer(w->archive), &name, &length);

    if (file == 0 || *name == '\0')
        return ST_OK;
    put_int(&b, file);
    put_text(&b, str_of(name));
    put_int(&b, (int64_t)length);
    return run(w, &b);
}

enum status on_url(struct writer *w, const struct event *e)
{
    if (e->url.visited)
        return row_fate(w, e->url.id, URL_VISITED, DROP_NONE, 0);
    if (e->url.why != DROP_NONE)
        row_count_drop(w, e->url.why);
    return row_url(w, e->url.id, e->url.url, e->url.from_page, e->url.depth, e->url.why);
}

/* Notes a failed requisite, which must not be tried again as a page. */
enum status row_requisite(struct writer *w, uint32_t url)
{
    struct bind b = bind_to(w, STMT_REQUISITE);

    put_int(&b, url);
    return run(w, &b);
}

enum status on_drop(struct writer *w, const struct event *e)
{
    enum status st;

    row_count_drop(w, e->drop.why);
    st = row_drop(w, e->drop.url, e->drop.id, e->drop.why, e->at);
    if (st == ST_OK && e->drop.requisite && e->drop.id != 0)
        st = row_requisite(w, e->drop.id);
    if (e->drop.id == 0 || e->drop.why == DROP_SEEN) /* a seen URL: its fate is known already */
        return st;
    return st == ST_OK ? row_fate_later(w, e->drop.id, e->drop.why) : st;
}

enum status on_host(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_HOST);

    put_int(&b, e->host.id);
    put_text(&b, e->host.name);
    put_blob(&b, e->host.state);
    return run(w, &b);
}

enum status on_born(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_BORN);
    uint32_t generation = e->born.parent ? row_agent(w, e->born.parent)->generation + 1 : 0;
    struct agent_figures *agent = row_agent(w, e->born.id);

    agent->energy = e->born.energy;
    agent->generation = generation;
    agent->pages = 0;
    put_int(&b, e->born.id);
    put_text(&b, e->born.name);
    put_text(&b, e->born.kind);
    put_ref(&b, e->born.parent);
    put_int(&b, generation);
    put_int(&b, e->at);
    put_ref(&b, e->born.page);
    put_num(&b, e->born.energy);
    return run(w, &b);
}

enum status on_died(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_DIED);

    row_agent_change(w, e->died.id)->energy = e->died.energy;
    put_int(&b, e->died.id);
    put_int(&b, e->at);
    put_text(&b, e->died.cause);
    return run(w, &b);
}

static enum status row_came(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_CAME);

    put_int(&b, e->travel.id);
    put_text(&b, e->travel.name);
    put_text(&b, e->travel.kind);
    put_ref(&b, e->travel.parent);
    put_int(&b, e->travel.generation);
    put_int(&b, e->travel.born_at);
    put_num(&b, e->travel.energy);
    return run(w, &b);
}

/* Counts only the pages that the agent found from this machine. */
enum status on_travel(struct writer *w, const struct event *e)
{
    enum status st = e->travel.came ? row_came(w, e) : ST_OK;
    struct agent_figures *agent = row_agent_change(w, e->travel.id);
    struct bind b = bind_to(w, STMT_TRAVEL);

    agent->energy = e->travel.energy;
    agent->generation = e->travel.generation;
    if (st != ST_OK)
        return st;
    put_int(&b, e->travel.id);
    put_int(&b, e->at);
    put_int(&b, e->travel.trip);
    put_int(&b, e->travel.came);
    put_num(&b, e->travel.energy);
    return run(w, &b);
}

/* A visit of page 0 only means that the agent's energy changed elsewhere. */
enum status on_visit(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_VISIT);
    enum status st;

    row_agent_change(w, e->visit.agent)->energy = e->visit.after;
    if (e->visit.page == 0)
        return ST_OK;
    put_int(&b, e->visit.agent);
    put_int(&b, e->visit.page);
    put_int(&b, e->at);
    put_int(&b, e->visit.first);
    put_num(&b, e->visit.before);
    put_num(&b, e->visit.delta);
    put_num(&b, e->visit.after);
    st = run(w, &b);
    if (st != ST_OK || !e->visit.first || !(fabs(e->visit.after) > 0))
        return st;
    b = bind_to(w, STMT_ENERGY);
    put_int(&b, e->visit.page);
    put_num(&b, e->visit.after);
    return run(w, &b);
}

enum status on_message(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_MESSAGE);

    put_int(&b, e->at);
    put_text(&b, e->message.conversation);
    put_text(&b, e->message.performative);
    put_text(&b, e->message.sender);
    put_text(&b, e->message.receiver);
    put_ref(&b, e->message.reply_by);
    put_text(&b, e->message.content);
    return run(w, &b);
}

enum status on_sample(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_SAMPLE);

    put_int(&b, e->at);
    put_text(&b, e->sample.metric);
    put_num(&b, e->sample.value);
    return run(w, &b);
}

enum status on_news(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_NEWS);

    put_int(&b, e->news.id);
    put_int(&b, e->news.page);
    put_int(&b, e->at);
    return run(w, &b);
}

enum status on_told(struct writer *w, const struct event *e)
{
    struct bind b = bind_to(w, STMT_TOLD);

    put_int(&b, e->told.agent);
    put_int(&b, e->at);
    put_text(&b, e->told.text);
    return run(w, &b);
}

/* Writes the verdict of one of several topics on a page. */
static enum status put_topic_verdict(struct writer *w, struct str topic, struct page_verdict one)
{
    struct bind b = bind_to(w, STMT_TOPIC_JUDGED);

    put_int(&b, one.page);
    put_text(&b, topic);
    put_num(&b, (double)one.p);
    return run(w, &b);
}

/* Every change gets a new number, so that readers find the changes after the last number that they
 * have read. */
static enum status put_verdict(struct writer *w, struct page_verdict one)
{
    struct bind b = bind_to(w, STMT_JUDGED);

    put_int(&b, ++w->verdicts);
    put_int(&b, one.page);
    put_num(&b, (double)one.p);
    return run(w, &b);
}

enum status on_judged(struct writer *w, const struct event *e)
{
    enum status st = ST_OK;
    struct page_verdict one;

    for (size_t at = 0; at + sizeof one <= e->judged.rows.len && st == ST_OK; at += sizeof one) {
        memcpy(&one, e->judged.rows.ptr + at, sizeof one);
        st = e->judged.topic.len > 0 ? put_topic_verdict(w, e->judged.topic, one)
                                     : put_verdict(w, one);
    }
    return st;
}

enum status on_batch(struct writer *w, const struct event *e)
{
    bool is_done = e->batch.bytes.len == 0;
    struct bind b = bind_to(w, is_done ? STMT_UNBATCH : STMT_BATCH);

    put_int(&b, e->batch.part);
    put_int(&b, (int64_t)e->batch.number);
    if (!is_done) {
        put_int(&b, e->batch.at);
        put_blob(&b, e->batch.bytes);
    }
    return run(w, &b);
}

enum status on_key(struct writer *w, const struct event *e)
{
    tally_key(w, e->key.name, e->key.value);
    return row_key(w, e->key.name, e->key.value);
}

static enum status put_state(struct writer *w, int id, const char *name, struct str value)
{
    struct bind b = bind_to(w, STMT_STATE);

    put_int(&b, id);
    put_text(&b, str_of(name));
    put_blob(&b, value);
    return run(w, &b);
}

/* The parts of the model's state that changed. */
static enum status put_parts(struct writer *w, struct str parts)
{
    struct cursor from = {.rest = parts};
    enum status st = ST_OK;
    uint32_t number;
    struct str bytes;

    while (st == ST_OK && parts_next(&from, &number, &bytes)) {
        struct bind b = bind_to(w, bytes.len > 0 ? STMT_PART : STMT_NO_PART);

        put_int(&b, number);
        if (bytes.len > 0)
            put_blob(&b, bytes);
        st = run(w, &b);
    }
    return st;
}

enum status on_checkpoint(struct writer *w, const struct event *e)
{
    enum status st = put_state(w, 1, "frontier", e->checkpoint.frontier);

    if (st == ST_OK)
        st = put_state(w, 2, "model", e->checkpoint.model);
    if (st == ST_OK)
        st = put_state(w, 3, "engine", e->checkpoint.engine);
    if (st == ST_OK && e->checkpoint.vocab.len)
        st = put_state(w, 4, "vocab", e->checkpoint.vocab);
    if (st == ST_OK)
        st = put_parts(w, e->checkpoint.parts);
    if (st == ST_OK)
        st = row_key_u64(w, STR("pages"), e->checkpoint.pages);
    if (st == ST_OK)
        st = tally_put(w);
    w->checkpoint_pages = e->checkpoint.pages;
    return st == ST_OK ? writer_commit(w) : st;
}
