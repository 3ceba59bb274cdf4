/* logs.c - takes over and gives up partitions; writes batches to logs and reads them.
 * SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "cluster/batch.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_STEP (5 * US_PER_S)   /* logs are read to their ends without a hint */
#define MARK_STEP US_PER_S         /* between checks of the last mark, and marks of what is read */
#define HINT_MOST US_PER_S         /* longest wait for the message of a hint */
#define TAKE_MOST (30 * US_PER_MS) /* for reading the logs of new partitions, in one round */
#define READ_MOST 50               /* messages of each log in one round */
#define FLIGHT    64               /* messages that are sent together */
#define ACK_MOST  (5 * US_PER_S)   /* wait for an answer before a message is sent again */

/* ---- partitions ---- */

bool logs_are_new(const struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++)
        if (c->book.parts[i].owner == c->config.id && c->parts[i].state == PART_NONE)
            return true;
    return false;
}

void logs_follow(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        const struct cluster_part *had = &c->config.parts[i];
        const struct book_part *b = &c->book.parts[i];
        struct part *p = &c->parts[i];

        if (p->state != PART_NONE && p->state != PART_CLOSED &&
            (b->owner != c->config.id || b->token != p->token))
            c->fenced = true; /* the servers have lost the book in which it was ours */
        if (b->owner != c->config.id || p->state != PART_NONE)
            continue;
        p->token = b->token;
        p->taken = b->taken;
        p->kept = b->kept;
        p->read = 0;
        line_listen(c->line, i, true);
        if (had->token == b->token) {
            p->read = had->position;
            p->state = PART_OPEN;
            incoming_add(c, INCOMING_OPEN, i, p->token, p->read, STR(""));
        } else { /* its previous owner may have sent requests to its hosts a moment ago */
            p->rest_end = clock_boot() + (b->token > 1 ? c->config.rest : 0);
            p->state = PART_RESTING;
        }
    }
}

/* Hands over one surplus partition at a time, while another node has too few. */
void logs_surplus(struct cluster *c)
{
    size_t own = book_owned(&c->book, c->config.id);

    if (own <= book_share(&c->book, 0) || clock_boot() < c->started + c->config.lease)
        return;
    for (uint32_t i = 0; i < PARTITIONS; i++)
        if (c->parts[i].state == PART_CLOSING || c->parts[i].state == PART_CLOSED)
            own--;
    for (uint32_t i = PARTITIONS; i-- > 0 && own > book_share(&c->book, 0);)
        if (c->parts[i].state == PART_OPEN) {
            c->parts[i].state = PART_CLOSING;
            incoming_add(c, INCOMING_CLOSE, i, 0, 0, STR(""));
            own--;
        }
}

/* Keeps the receipts of a partition that we give away. If the book has another token for it, they
 * are kept already: our change of the book was made, and only the answer to it was lost. */
static bool keep_given(struct cluster *c, uint32_t part)
{
    const struct receipts *taken = &c->given_taken[part];

    if (taken->count == 0 || c->book.parts[part].token != c->parts[part].token)
        return true; /* the first: agents do not move */
    if (receipts_put_part(c, part, c->parts[part].token, taken) != ST_OK)
        return false;
    book_keep(&c->book, part);
    return true;
}

bool logs_give(struct cluster *c)
{
    bool changed = false, all_sent;

    for (uint32_t i = 0; i < PARTITIONS; i++) {
        pthread_mutex_lock(&c->mutex);
        if (c->given[i] && c->parts[i].state == PART_CLOSING)
            c->parts[i].state = PART_CLOSED;
        c->given[i] = false;
        all_sent = c->sending == NULL && c->first_out == NULL;
        pthread_mutex_unlock(&c->mutex);
        if (c->parts[i].state == PART_CLOSED && all_sent && keep_given(c, i)) {
            book_give(&c->book, c->config.id, i, c->given_at[i]);
            changed = true;
        }
    }
    return changed;
}

void logs_forget(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++)
        if (c->parts[i].state == PART_CLOSED && c->book.parts[i].owner != c->config.id) {
            line_listen(c->line, i, false);
            pthread_mutex_lock(&c->mutex);
            receipts_clear(&c->given_taken[i]);
            pthread_mutex_unlock(&c->mutex);
            c->parts[i] = (struct part){0};
            c->config.parts[i] = (struct cluster_part){0};
        }
}

/* ---- the bus has lost messages ---- */

/* Is the message still where it was? True also if it cannot be read at present, because it may not
 * be lost. */
static bool mark_stands(struct cluster *c, const struct log_mark *m)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_head head;
    uint32_t part;
    bool stands = true;

    if (line_peek(c->line, m->at, &bytes, &part) == ST_OK)
        stands = part == m->part && batch_check(buf_str(&bytes), &head) == ST_OK &&
                 head.sender == m->sender && head.number == m->number;
    buf_free(&bytes);
    return stands;
}

/* Returns up to which message the stream, which has grown again since, is the one that we know;
 * UINT64_MAX if all of it is. */
static uint64_t marks_end(struct cluster *c)
{
    size_t n = c->nmarks;

    if (n == 0 || clock_boot() < c->marks_at)
        return UINT64_MAX;
    c->marks_at = clock_boot() + MARK_STEP;
    if (mark_stands(c, &c->marks[n - 1]))
        return UINT64_MAX;
    while (--n > 0)
        if (mark_stands(c, &c->marks[n - 1]))
            return c->marks[n - 1].at;
    return c->marks[0].at - 1;
}

bool logs_lost(struct cluster *c)
{
    uint64_t end = c->end;

    if (!c->end_known || c->book.rollbacks != c->rollbacks)
        return false; /* first comes what others have found */
    if (end >= c->stream_end && end >= book_settled(&c->book))
        end = marks_end(c);
    if (end == UINT64_MAX)
        return false;
    book_roll_back(&c->book, end);
    return true;
}

static void part_roll_back(struct cluster *c, uint32_t i, uint64_t end)
{
    struct part *p = &c->parts[i];

    if (p->state == PART_SHELF || p->state == PART_READING)
        p->state = PART_RESTING; /* the message it reads up to may be gone */
    p->upto = p->upto > end ? end : p->upto;
    if (p->read > end)
        p->read = end;
    if (p->taken > end)
        p->taken = end;
    p->full_at = 0;
    if (c->config.parts[i].position > end)
        c->config.parts[i].position = end;
    if (c->lease.positions[i] > end)
        c->lease.positions[i] = c->safe[i] = c->unconfirmed[i] = end;
    if (c->report.safe[i] > end)
        c->report.safe[i] = end;
    heirs_roll_back(c, i, end);
}

/* Sends all kept batches again, and reads all logs again from where they were cut. */
void logs_rolled(struct cluster *c)
{
    uint64_t end = c->book.rollbacks == c->rollbacks + 1 ? c->book.rolled_to : 0;

    if (c->book.rollbacks == c->rollbacks)
        return;
    c->rollbacks = c->book.rollbacks;
    compact_abandon(c);
    for (uint32_t i = 0; i < PARTITIONS; i++)
        part_roll_back(c, i, end);
    while (c->nmarks > 0 && c->marks[c->nmarks - 1].at > end)
        c->nmarks--;
    c->stream_end = end < c->stream_end ? end : c->stream_end;
    c->idle_at = 0;
    pthread_mutex_lock(&c->mutex);
    memset(c->view.sent, 0, sizeof c->view.sent); /* until they are sent again */
    pthread_mutex_unlock(&c->mutex);
    incoming_add(c, INCOMING_ROLLED, 0, c->rollbacks, end, STR(""));
}

/* ---- batches ---- */

/* Is its log read as it grows? */
static bool is_open(const struct part *p)
{
    return p->state == PART_OPEN || p->state == PART_CLOSING;
}

/* Drops every second mark of the older half: so marks reach far back, and most of them are new. */
static void marks_thin(struct cluster *c)
{
    size_t left = 0;

    for (size_t i = 0; i < c->nmarks; i++)
        if (i >= MARKS / 2 || i % 2 == 0)
            c->marks[left++] = c->marks[i];
    c->nmarks = left;
}

static void mark_add(struct cluster *c, const struct log_mark *m)
{
    if (m->at > c->stream_end)
        c->stream_end = m->at;
    if (c->nmarks > 0 && m->at <= c->marks[c->nmarks - 1].at)
        return;
    if (c->nmarks == MARKS)
        marks_thin(c);
    c->marks[c->nmarks++] = *m;
}

void logs_mark(struct cluster *c, uint32_t part, uint64_t number, struct str bytes)
{
    struct batch_head head;

    if (batch_check(bytes, &head) == ST_OK)
        mark_add(c, &(struct log_mark){number, head.sender, head.number, part});
}

/* A node that only reads must also notice when the servers have lost what it read, because the
 * sender may be gone. */
static void mark_read(struct cluster *c, uint32_t part, uint64_t number, struct str bytes)
{
    int64_t now = clock_boot();

    if (now < c->marked_at + MARK_STEP)
        return;
    c->marked_at = now;
    logs_mark(c, part, number, bytes);
}

/* The bus has accepted a batch. If it directly follows the last message that was read, it need not
 * be read: we know its content. */
static void outgoing_done(struct cluster *c, const struct outgoing *o, const struct line_letter *l)
{
    struct part *p = &c->parts[o->part];

    p->tail += l->bytes.len;
    mark_add(c, &(struct log_mark){l->number, c->config.id, o->number, o->part});
    if (l->behind != LINE_ANYWHERE && l->behind == p->read && is_open(p)) {
        p->read = l->number;
        incoming_add(c, INCOMING_BATCH, o->part, p->token, l->number, l->bytes);
    } else if (l->number > p->read) { /* nobody else will say so */
        p->hinted++;
        p->look_at = p->wait = 0;
    }
    pthread_mutex_lock(&c->mutex);
    if (o->number > c->view.sent[o->part])
        c->view.sent[o->part] = o->number;
    pthread_mutex_unlock(&c->mutex);
}

/* Chooses the next batches that may be sent together: links, or outcomes. If the bus has an
 * outcome, it must also have the links of that page. */
static size_t flight_fill(struct cluster *c, struct line_letter *ret)
{
    bool used[PARTITIONS] = {false};
    size_t n = 0;

    for (struct outgoing *o = c->sending;
         o && n < FLIGHT && o->is_outcomes == c->sending->is_outcomes && o->will <= c->will_safe;
         o = o->next) {
        const struct part *p = &c->parts[o->part];

        if (o->id == 0) {
            o->behind = is_open(p) && !used[o->part] && !o->was_refused ? p->read : LINE_ANYWHERE;
            o->sent_at = clock_boot();
        }
        used[o->part] = true;
        ret[n++] = (struct line_letter){
            .part = o->part, .bytes = {o->bytes, o->len}, .behind = o->behind, .id = o->id};
    }
    return n;
}

bool logs_send_some(struct cluster *c)
{
    struct line_letter flight[FLIGHT];
    size_t count = flight_fill(c, flight), done = 0;
    struct outgoing **at = &c->sending;

    line_send_all(c->line, flight, count);
    for (size_t i = 0; i < count; i++) {
        struct outgoing *o = *at;

        if (flight[i].number == 0) {
            o->was_refused |= flight[i].id == 0; /* another node wrote first */
            o->id = clock_boot() < o->sent_at + ACK_MOST ? flight[i].id : 0;
            at = &o->next;
            continue;
        }
        outgoing_done(c, o, &flight[i]);
        *at = o->next;
        free(o);
        done++;
    }
    c->is_stuck = done == 0;
    return done > 0;
}

void logs_send(struct cluster *c)
{
    c->idle_at = c->sending ? 0 : c->idle_at;
    while (c->sending && !keeper_is_due(c, clock_boot()) && logs_send_some(c))
        ;
}

/* ---- reading ---- */

/* A look at the logs of several partitions: each step brings the next message of all of them. */
struct look {
    struct cluster *c;
    struct line_want wants[PARTITIONS];
    size_t count;
};

static bool is_due(const struct part *p, int64_t now)
{
    return now >= p->full_at || (p->hinted > 0 && now >= p->look_at);
}

static void look_found(void *ctx, size_t want, uint64_t number, struct str bytes)
{
    struct look *k = ctx;
    uint32_t part = k->wants[want].part;
    struct part *p = &k->c->parts[part];

    incoming_add(k->c, INCOMING_BATCH, part, p->token, number, bytes);
    mark_read(k->c, part, number, bytes);
    p->read = number;
    p->tail += bytes.len;
    p->hinted -= p->hinted > 0;
    p->wait = 0;
}

/* Others have sent messages that the log will have soon. */
static void look_missed(struct part *p, enum status st, int64_t now)
{
    if (p->wait < HINT_MOST) /* a silent log is asked for as long as the crawl runs */
        p->wait = p->wait == 0 ? ROUND : 2 * p->wait;
    else
        p->hinted = 0; /* it was another's */
    p->look_at = now + p->wait;
    if (st == ST_MISSING)
        p->full_at = now + LOOK_STEP;
    else if (p->full_at < p->look_at)
        p->full_at = p->look_at;
}

static void look_step(struct look *k, int64_t now)
{
    line_next_all(k->c->line, k->wants, k->count, look_found, k);
    for (size_t i = 0; i < k->count; i++)
        if (k->wants[i].st != ST_OK)
            look_missed(&k->c->parts[k->wants[i].part], k->wants[i].st, now);
}

static void look_begin(struct look *k, int64_t now)
{
    k->count = 0;
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        struct part *p = &k->c->parts[i];

        if (is_open(p) && is_due(p, now))
            k->wants[k->count++] = (struct line_want){.part = i, .from = p->read + 1};
    }
}

static void read_open(struct cluster *c)
{
    struct look k = {.c = c};

    for (uint32_t i = 0; i < PARTITIONS; i++) {
        uint32_t hints = line_hint(c->line, i);

        if (hints > 0 && is_open(&c->parts[i])) {
            c->parts[i].hinted += hints;
            c->parts[i].look_at = c->parts[i].wait = 0;
        }
    }
    for (int steps = 0; steps < READ_MOST && incoming_count(c) < LIMIT_INCOMING; steps++) {
        int64_t now = clock_boot();

        if (keeper_is_due(c, now))
            break;
        look_begin(&k, now);
        if (k.count == 0)
            break;
        look_step(&k, now);
    }
}

static bool is_coming(const struct part *p, int64_t now)
{
    return (p->state == PART_RESTING && now >= p->rest_end) || p->state == PART_SHELF ||
           p->state == PART_READING;
}

/* Of the partitions that are being taken over, returns one that was begun, else the first. */
static uint32_t next_coming(const struct cluster *c, int64_t now)
{
    uint32_t first = PARTITIONS;

    for (uint32_t i = PARTITIONS; i-- > 0;)
        if (is_coming(&c->parts[i], now) &&
            (first == PARTITIONS || c->parts[i].state != PART_RESTING ||
             c->parts[first].state == PART_RESTING))
            first = i;
    return first;
}

void logs_read(struct cluster *c)
{
    int64_t now = clock_boot(), until = now + TAKE_MOST;
    uint32_t i;

    read_open(c);
    while (now < until && !keeper_is_due(c, now) && !keys_are_held(c) &&
           (i = next_coming(c, now)) < PARTITIONS) {
        takeover_step(c, i, until);
        now = clock_boot();
    }
}
