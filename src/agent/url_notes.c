/* url_notes.c - what a model remembers of a URL until its visit is answered.
 * SPDX-License-Identifier: MIT */
#include "agent/url_notes.h"

#include "base/limits.h"

struct note_head {
    uint32_t url;
    uint32_t visit; /* place in visits, counted from 1; 0: not under way */
};

struct note_visit {
    uint32_t url; /* as it was requested */
    float score;  /* of the choice */
};

static struct note_head *head_at(const struct url_notes *n, size_t slot)
{
    return (struct note_head *)(void *)(n->slots + slot * n->stride);
}

static struct note_head *head_of(const struct url_notes *n, uint32_t url)
{
    uint32_t at = url_index_get(&n->where, url);

    return at ? head_at(n, at - 1) : NULL;
}

void url_notes_init(struct url_notes *n, size_t size, const struct field *fields)
{
    size_t word = sizeof(double);

    *n = (struct url_notes){.size = size, .fields = fields};
    n->stride = sizeof(struct note_head) + (size + word - 1) / word * word;
}

void url_notes_clear(struct url_notes *n)
{
    url_index_clear(&n->where);
    free(n->slots);
    free(n->visits);
    url_notes_init(n, n->size, n->fields);
}

void *url_notes_find(const struct url_notes *n, uint32_t url)
{
    struct note_head *head = head_of(n, url);

    return head ? head + 1 : NULL;
}

void *url_notes_at(struct url_notes *n, uint32_t url, bool *ret_new)
{
    struct note_head *head = head_of(n, url);

    *ret_new = head == NULL;
    if (head)
        return head + 1;
    n->slots = mem_grow(n->slots, n->count, &n->cap, n->stride);
    head = head_at(n, n->count++);
    memset(head, 0, n->stride);
    head->url = url;
    url_index_set(&n->where, url, (uint32_t)n->count);
    return head + 1;
}

/* The last visit takes the place of the one that ended. */
static void visit_end(struct url_notes *n, uint32_t visit)
{
    struct note_visit last = n->visits[--n->nvisits];

    if (visit - 1 == n->nvisits)
        return;
    n->visits[visit - 1] = last;
    head_of(n, last.url)->visit = visit;
}

void url_notes_remove(struct url_notes *n, uint32_t url)
{
    struct note_head *head = head_of(n, url), *last;

    if (head == NULL)
        return;
    if (head->visit)
        visit_end(n, head->visit);
    last = head_at(n, --n->count);
    url_index_set(&n->where, last->url, url_index_get(&n->where, url));
    url_index_set(&n->where, url, 0);
    if (head != last)
        memcpy(head, last, n->stride);
}

void url_notes_open(struct url_notes *n, const struct choice *c)
{
    struct note_head *head = head_of(n, c->url);

    if (head == NULL || head->visit)
        return;
    MEM_GROW(n->visits, n->nvisits, &n->visits_cap);
    n->visits[n->nvisits++] = (struct note_visit){.url = c->url, .score = c->score};
    head->visit = (uint32_t)n->nvisits;
}

/* Returns the URL that this choice asked for; 0 if it is not known. */
static uint32_t url_asked(const struct url_notes *n, const struct choice *c)
{
    const struct note_head *head = head_of(n, c->url);

    if (head && head->visit)
        return c->url;
    for (size_t i = 0; i < n->nvisits; i++)
        if (memcmp(&n->visits[i].score, &c->score, sizeof c->score) == 0)
            return n->visits[i].url;
    return 0;
}

bool url_notes_close(struct url_notes *n, const struct choice *c, void *ret)
{
    uint32_t url = url_asked(n, c);

    if (url == 0)
        return false;
    memcpy(ret, url_notes_find(n, url), n->size);
    url_notes_remove(n, url);
    return true;
}

void url_notes_save(const struct url_notes *n, struct buf *out)
{
    buf_put_u32(out, (uint32_t)n->count);
    for (size_t i = 0; i < n->count; i++) {
        buf_put_u32(out, head_at(n, i)->url);
        fields_save(n->fields, head_at(n, i) + 1, out);
    }
    buf_put_u32(out, (uint32_t)n->nvisits);
    for (size_t i = 0; i < n->nvisits; i++) {
        buf_put_u32(out, n->visits[i].url);
        buf_put_f64(out, (double)n->visits[i].score);
    }
}

enum status url_notes_load(struct url_notes *n, struct cursor *from)
{
    bool is_new;

    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        uint32_t url = cursor_number(from);

        from->bad |= url > LIMIT_URLS;
        if (!from->bad)
            fields_load(n->fields, url_notes_at(n, url, &is_new), from);
    }
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        struct choice c = {.url = cursor_number(from)};

        c.score = (float)cursor_f64(from);
        url_notes_open(n, &c);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved notes on URLs are cut or broken") : ST_OK;
}
