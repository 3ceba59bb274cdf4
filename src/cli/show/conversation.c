/* conversation.c - conversations between agents, for brood show.
 *
 * In: rows of `message` and `agent`. Out: a list of conversations, or one of them as a
 * diagram (sequence.c). SPDX-License-Identifier: MIT */
#include "cli/show/conversation.h"

#include "base/arena.h"
#include "base/os/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/show/sequence.h"
#include "store/read/query.h"

#include <stdio.h>
#include <stdlib.h>

struct shown_talk {
    struct query *query;
    struct arena strings;
    struct sequence_message *messages;
    size_t nmessages, messages_cap;
    struct sequence_party *parties;
    size_t nparties, parties_cap;
};

/* ---- one ----------------------------------------------------------------- */

static enum status note_kind(void *ctx, const struct query_agent *a)
{
    struct shown_talk *t = ctx;

    t->parties[t->nparties - 1].kind = arena_str(&t->strings, a->kind);
    return ST_OK;
}

/* Columns are in the order of appearance: manager, facilitator, candidates. */
static enum status note_party(struct shown_talk *t, struct str name)
{
    enum status st;

    for (size_t i = 0; i < t->nparties; i++)
        if (str_eq(t->parties[i].name, name))
            return ST_OK;
    MEM_GROW(t->parties, t->nparties, &t->parties_cap);
    t->parties[t->nparties++] = (struct sequence_party){.name = name, .kind = STR("")};
    st = query_agent_named(t->query, name, note_kind, t);
    return st == ST_MISSING ? ST_OK : st;
}

static enum status note_message(void *ctx, const struct query_message *m)
{
    struct shown_talk *t = ctx;

    MEM_GROW(t->messages, t->nmessages, &t->messages_cap);
    t->messages[t->nmessages++] = (struct sequence_message){
        .at = m->at,
        .reply_by = m->reply_by,
        .sender = arena_str(&t->strings, m->sender),
        .receiver = arena_str(&t->strings, m->receiver),
        .performative = arena_str(&t->strings, m->performative),
        .content = arena_str(&t->strings, m->content),
    };
    return t->strings.full ? status_fail(ST_LIMIT, "the conversation is too long to be shown")
                           : ST_OK;
}

static enum status load(struct shown_talk *t, uint32_t id)
{
    char text[16];

    (void)snprintf(text, sizeof text, "%u", id);
    TRY(query_messages(t->query, str_of(text), 0, UINT32_MAX, note_message, t));
    for (size_t i = 0; i < t->nmessages; i++) {
        TRY(note_party(t, t->messages[i].sender));
        TRY(note_party(t, t->messages[i].receiver));
    }
    return ST_OK;
}

static void one_json(const struct sequence *s, uint32_t id, struct buf *out)
{
    LOCAL_HEAP bool *missed = mem_zero(s->nmessages + 1, sizeof *missed);
    struct json j;

    sequence_missed(s, missed);
    json_begin(&j, out);
    json_put_int(&j, "conversation", id);
    json_open_array(&j, "parties");
    for (size_t i = 0; i < s->nparties; i++) {
        json_open_object(&j, NULL);
        json_put_str(&j, "name", s->parties[i].name);
        json_put_str(&j, "kind", s->parties[i].kind);
        json_close(&j);
    }
    json_close(&j);
    json_open_array(&j, "messages");
    for (size_t i = 0; i < s->nmessages; i++) {
        json_open_object(&j, NULL);
        json_put_time(&j, "at", s->messages[i].at);
        json_put_str(&j, "performative", s->messages[i].performative);
        json_put_str(&j, "sender", s->messages[i].sender);
        json_put_str(&j, "receiver", s->messages[i].receiver);
        json_put_time(&j, "reply_by", s->messages[i].reply_by);
        json_put_bool(&j, "missed", missed[i]);
        json_put_str(&j, "content", s->messages[i].content);
        json_close(&j);
    }
    json_end(&j);
}

static void one_text(const struct sequence *s, uint32_t id, size_t width, struct buf *out)
{
    char at[CLOCK_TEXT];

    clock_format(s->messages[0].at, 3, at);
    buf_addf(out, "conversation %u, ", id);
    report_count(out, s->nmessages, "message");
    buf_addf(out, ", from %s\n", at);
    sequence_draw(s, width, out);
}

static enum status missing(const struct query_talks *all, struct str what)
{
    if (all->conversations == 0)
        return status_fail(ST_MISSING, "there are no conversations: no agent of this crawl spoke");
    return status_fail(ST_MISSING, "there is no conversation '%.*s': they are numbered %u to %u",
                       STR_ARG(what), all->first, all->last);
}

enum status show_conversation(struct query *q, struct str what, size_t width, bool json,
                              struct buf *out)
{
    struct shown_talk t = {.query = q};
    struct query_talks all;
    uint64_t id;
    enum status st = query_talks(q, &all);

    if (st != ST_OK)
        return st;
    if (!str_to_u64(what, &id) || id == 0 || id > UINT32_MAX)
        return missing(&all, what);
    arena_init(&t.strings, LIMIT_CONVERSATION);
    st = load(&t, (uint32_t)id);
    if (st == ST_OK && t.nmessages == 0)
        st = missing(&all, what);
    if (st == ST_OK) {
        struct sequence s = {.parties = t.parties,
                             .nparties = t.nparties,
                             .messages = t.messages,
                             .nmessages = t.nmessages,
                             .now = all.last_at};

        if (json)
            one_json(&s, (uint32_t)id, out);
        else
            one_text(&s, (uint32_t)id, width, out);
    }
    free(t.messages);
    free(t.parties);
    arena_free(&t.strings);
    return st;
}

/* ---- all ----------------------------------------------------------------- */

struct message_list {
    struct buf *out;
    struct json json;
    uint64_t rows;
};

static enum status row_json(void *ctx, const struct query_conversation *c)
{
    struct message_list *l = ctx;
    struct json *j = &l->json;

    json_open_object(j, NULL);
    json_put_int(j, "id", c->id);
    json_put_time(j, "at", c->at);
    json_put_time(j, "last_at", c->last_at);
    json_put_int(j, "messages", (int64_t)c->messages);
    json_put_str(j, "performative", c->performative);
    json_put_str(j, "sender", c->sender);
    json_put_str(j, "receiver", c->receiver);
    json_put_bool(j, "contract", c->contract);
    if (c->contract) {
        json_put_str(j, "manager", c->sender);
        json_put_str(j, "facilitator", c->receiver);
        json_put_text(j, "contractor", c->contractor);
        json_put_int(j, "offered", (int64_t)c->offered);
        json_put_int(j, "passed", (int64_t)c->passed);
    }
    json_put_str(j, "outcome", c->outcome);
    json_put_str(j, "detail", c->detail);
    json_close(j);
    return ST_OK;
}

/* A cell of a table: text, then blanks up to `width`. */
static void cell(struct buf *out, struct str text, size_t width)
{
    size_t from = out->len;

    report_text(out, text.len ? text : STR("-"), width);
    while (out->len < from + width)
        buf_add_char(out, ' ');
    buf_add_char(out, ' ');
}

static enum status row_text(void *ctx, const struct query_conversation *c)
{
    struct message_list *l = ctx;
    char at[CLOCK_TEXT];

    if (l->rows++ == 0)
        buf_add_z(l->out, "      id  when                 messages  begins   from         "
                          "to           contractor   links  outcome\n");
    clock_format(c->at, 0, at);
    buf_addf(l->out, "%8u  %-20s %8llu  ", c->id, at, (unsigned long long)c->messages);
    cell(l->out, c->performative, 8);
    cell(l->out, c->sender, 12);
    cell(l->out, c->receiver, 12);
    cell(l->out, c->contractor, 12);
    if (c->contract)
        buf_addf(l->out, "%5llu  ", (unsigned long long)(c->passed ? c->passed : c->offered));
    else
        buf_add_z(l->out, "    -  ");
    report_text(l->out, c->outcome, 24);
    buf_add_z(l->out, c->detail.len ? ": " : "");
    report_text(l->out, c->detail, 60);
    buf_add_char(l->out, '\n');
    return ST_OK;
}

static void summary(struct message_list *l, const struct query_talks *t, bool all)
{
    report_count(l->out, t->contracts, "contract");
    buf_add_z(l->out, " of ");
    report_count(l->out, t->conversations, "conversation");
    buf_add_z(l->out, ", ");
    report_count(l->out, t->messages, "message");
    if (l->rows < (all ? t->conversations : t->contracts))
        buf_addf(l->out, "; the newest %llu are listed (-n)", (unsigned long long)l->rows);
    if (!all && t->contracts < t->conversations)
        buf_add_z(l->out, "; --all lists the others too");
    buf_add_char(l->out, '\n');
}

enum status show_conversations(struct query *q, uint32_t n, bool all, bool json, struct buf *out)
{
    struct message_list l = {.out = out};
    struct query_talks t;
    enum status st = query_talks(q, &t);

    if (st == ST_OK && t.conversations == 0 && !json)
        return missing(&t, STR(""));
    json_init(&l.json, out);
    if (json)
        json_open_array(&l.json, NULL);
    if (st == ST_OK)
        st = query_conversations(q, !all, n, json ? row_json : row_text, &l);
    if (json) {
        json_close(&l.json);
        buf_add_char(out, '\n');
    } else if (st == ST_OK) {
        summary(&l, &t, all);
    }
    return st;
}
