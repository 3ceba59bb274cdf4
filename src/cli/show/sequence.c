/* sequence.c - draws a conversation as a sequence diagram in text.
 *
 * A line is a row of bytes with the lifelines in it, over which the arrow is
 * written; names and performatives are made ASCII for it. SPDX-License-Identifier: MIT */
#include "cli/show/sequence.h"

#include "base/mem.h"
#include "cli/command.h"

#include <stdlib.h>

#define TIME_COLUMNS 10
#define NAME_MOST    24 /* columns of a name, a kind, a performative */
#define SAID_LEAST   24 /* columns for what was said, beside the lifelines */
#define NO_PARTY     SIZE_MAX

struct sequence_drawing {
    const struct sequence *s;
    struct buf *out;
    size_t width;
    size_t gap;     /* between lifelines; 0: a list */
    bool below;     /* the content of a message is below its arrow */
    size_t columns; /* of the lifelines, names included */
    char *line;     /* `columns` bytes */
};

/* ---- deadlines ----------------------------------------------------------- */

static bool awaits(const struct sequence_message *m)
{
    return m->reply_by > 0 && !str_eq(m->performative, STR("inform"));
}

static bool is_answered(const struct sequence *s, size_t asked)
{
    const struct sequence_message *q = &s->messages[asked];

    for (size_t i = asked + 1; i < s->nmessages && s->messages[i].at <= q->reply_by; i++)
        if (str_eq(s->messages[i].sender, q->receiver) &&
            !str_eq(s->messages[i].performative, q->performative))
            return true;
    return false;
}

void sequence_missed(const struct sequence *s, bool *ret)
{
    for (size_t i = 0; i < s->nmessages; i++)
        ret[i] = awaits(&s->messages[i]) && s->messages[i].reply_by < s->now && !is_answered(s, i);
}

/* ---- layout -------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t label_length(struct str s)
{
    return least(s.len, NAME_MOST);
}

static size_t party_length(const struct sequence_party *p)
{
    return most(label_length(p->name), label_length(p->kind));
}

static void lay_out(struct sequence_drawing *d)
{
    const struct sequence *s = d->s;
    size_t label = 0, name = 0, last, tight;

    for (size_t i = 0; i < s->nmessages; i++)
        label = most(label, label_length(s->messages[i].performative));
    for (size_t i = 0; i < s->nparties; i++)
        name = most(name, party_length(&s->parties[i]));
    if (s->nparties < 2)
        return;
    last = party_length(&s->parties[s->nparties - 1]);
    tight = most(label + 3, name + 1);
    d->gap = most(label + 6, name + 2);
    if (TIME_COLUMNS + (s->nparties - 1) * d->gap + last + SAID_LEAST > d->width)
        d->gap = tight;
    d->columns = (s->nparties - 1) * d->gap + last;
    d->below = TIME_COLUMNS + d->columns + 2 + SAID_LEAST > d->width;
    if (TIME_COLUMNS + d->columns > d->width)
        d->gap = 0;
}

/* ---- lines --------------------------------------------------------------- */

static size_t party_of(const struct sequence *s, struct str name)
{
    for (size_t i = 0; i < s->nparties; i++)
        if (str_eq(s->parties[i].name, name))
            return i;
    return NO_PARTY;
}

static void write_over(struct sequence_drawing *d, size_t at, struct str text)
{
    for (size_t i = 0; i < label_length(text) && at + i < d->columns; i++)
        d->line[at + i] = text.ptr[i] > ' ' && text.ptr[i] < 0x7f ? text.ptr[i] : '?';
}

static void clear_line(struct sequence_drawing *d, char lifeline)
{
    memset(d->line, ' ', d->columns);
    for (size_t i = 0; i < d->s->nparties; i++)
        d->line[i * d->gap] = lifeline;
}

static void write_arrow(struct sequence_drawing *d, size_t from, size_t to, struct str label)
{
    size_t left = least(from, to) * d->gap + 1, right = most(from, to) * d->gap - 1;
    size_t inside = right - left, used = label_length(label);

    memset(d->line + left, '-', right - left + 1);
    d->line[from < to ? right : left] = from < to ? '>' : '<';
    if (from > to)
        left++;
    left += (inside - used) / 2;
    if (inside >= used + 2)
        d->line[left - 1] = d->line[left + used] = ' ';
    write_over(d, left, label);
}

static void put_time(struct sequence_drawing *d, int64_t at)
{
    buf_addf(d->out, "%9.3f ", (double)(at - d->s->messages[0].at) / 1e6);
}

static void put_bytes(struct sequence_drawing *d, bool padded)
{
    size_t len = d->columns;

    while (!padded && len > 0 && d->line[len - 1] == ' ')
        len--;
    buf_add(d->out, d->line, len);
}

/* Writes the content to the right of the lifelines, or below them from column `at` on. */
static void put_said(struct sequence_drawing *d, struct str said, size_t at)
{
    if (said.len == 0) {
        buf_add_char(d->out, '\n');
        return;
    }
    if (d->below) {
        clear_line(d, '|');
        buf_addf(d->out, "\n%*s", TIME_COLUMNS, "");
        buf_add(d->out, d->line, at);
        report_text(d->out, said, d->width - TIME_COLUMNS - at);
    } else {
        buf_add_z(d->out, "  ");
        report_text(d->out, said, d->width - TIME_COLUMNS - d->columns - 2);
    }
    buf_add_char(d->out, '\n');
}

static void draw_message(struct sequence_drawing *d, const struct sequence_message *m)
{
    size_t from = party_of(d->s, m->sender), to = party_of(d->s, m->receiver);

    put_time(d, m->at);
    if (d->gap == 0 || from == NO_PARTY || to == NO_PARTY || from == to) {
        report_text(d->out, m->sender, NAME_MOST);
        buf_add_z(d->out, " -> ");
        report_text(d->out, m->receiver, NAME_MOST);
        buf_add_z(d->out, ": ");
        report_text(d->out, m->performative, NAME_MOST);
        buf_add_z(d->out, m->content.len ? " " : "");
        report_text(d->out, m->content, d->width / 2);
        buf_add_char(d->out, '\n');
        return;
    }
    clear_line(d, '|');
    write_arrow(d, from, to, m->performative);
    put_bytes(d, !d->below && m->content.len > 0);
    put_said(d, m->content, least(from, to) * d->gap + 2);
}

static void draw_missed(struct sequence_drawing *d, const struct sequence_message *m)
{
    LOCAL_BUF said = BUF_INIT(1000);

    buf_add_z(&said, "! ");
    buf_add_str(&said, str_sub(m->receiver, 0, NAME_MOST));
    buf_add_z(&said, " has not answered ");
    buf_add_str(&said, str_sub(m->performative, 0, NAME_MOST));
    put_time(d, m->reply_by);
    if (d->gap > 0)
        buf_add_z(d->out, "| ");
    report_text(d->out, buf_str(&said), d->width - TIME_COLUMNS - 2);
    buf_add_char(d->out, '\n');
}

static void draw_parties(struct sequence_drawing *d)
{
    for (int row = 0; row < 2 && d->gap > 0; row++) {
        memset(d->line, ' ', d->columns);
        for (size_t i = 0; i < d->s->nparties; i++)
            write_over(d, i * d->gap, row ? d->s->parties[i].kind : d->s->parties[i].name);
        buf_addf(d->out, "%*s", TIME_COLUMNS, "");
        put_bytes(d, false);
        buf_add_char(d->out, '\n');
    }
    for (size_t i = 0; i < d->s->nparties && d->gap == 0; i++) {
        buf_add_z(d->out, i ? ", " : "");
        report_text(d->out, d->s->parties[i].name, NAME_MOST);
        buf_add_char(d->out, ' ');
        report_text(d->out, d->s->parties[i].kind, NAME_MOST);
        buf_add_z(d->out, i + 1 == d->s->nparties ? "\n" : "");
    }
}

/* The deadlines that passed before `until`, earliest first. */
static void draw_deadlines(struct sequence_drawing *d, bool *missed, size_t said, int64_t until)
{
    for (;;) {
        size_t first = NO_PARTY;

        for (size_t i = 0; i < said; i++)
            if (missed[i] && d->s->messages[i].reply_by < until &&
                (first == NO_PARTY || d->s->messages[i].reply_by < d->s->messages[first].reply_by))
                first = i;
        if (first == NO_PARTY)
            return;
        missed[first] = false;
        draw_missed(d, &d->s->messages[first]);
    }
}

void sequence_draw(const struct sequence *s, size_t width, struct buf *out)
{
    struct sequence_drawing d = {.s = s, .out = out, .width = width};
    LOCAL_HEAP bool *missed = mem_zero(s->nmessages + 1, sizeof *missed);

    lay_out(&d);
    d.line = mem_alloc(d.columns + 1);
    draw_parties(&d);
    sequence_missed(s, missed);
    for (size_t i = 0; i < s->nmessages; i++) {
        draw_deadlines(&d, missed, i, s->messages[i].at);
        draw_message(&d, &s->messages[i]);
    }
    draw_deadlines(&d, missed, s->nmessages, INT64_MAX);
    free(d.line);
}
