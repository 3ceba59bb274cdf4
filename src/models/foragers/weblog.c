/* weblog.c - URLs worth starting from. SPDX-License-Identifier: MIT */
#include "models/foragers/weblog.h"

#include "base/os/clock.h"
#include "base/fields.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONCE_A_DAY (1.0 / 86400) /* changes a second */

void weblog_init(struct weblog *w, size_t max)
{
    *w = (struct weblog){.max = max < WEBLOG_MAX ? max : WEBLOG_MAX};
}

void weblog_clear(struct weblog *w)
{
    free(w->entries);
    weblog_init(w, w->max);
}

struct weblog_entry *weblog_find(const struct weblog *w, uint32_t url)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->entries[i].url == url)
            return &w->entries[i];
    return NULL;
}

static void append(struct weblog *w, struct weblog_entry e)
{
    MEM_GROW(w->entries, w->count, &w->cap);
    w->entries[w->count++] = e;
}

/* Insertion sort: stable, and fast if the entries are nearly in order. */
static void sort(struct weblog *w)
{
    for (size_t i = 1; i < w->count; i++) {
        struct weblog_entry e = w->entries[i];
        size_t j = i;

        for (; j > 0 && w->entries[j - 1].value < e.value; j--)
            w->entries[j] = w->entries[j - 1];
        w->entries[j] = e;
    }
    if (w->count > w->max)
        w->count = w->max;
}

bool weblog_add(struct weblog *w, uint32_t url, double value)
{
    if (weblog_find(w, url))
        return false;
    append(w, (struct weblog_entry){.url = url, .value = value});
    sort(w);
    return weblog_find(w, url) != NULL;
}

void weblog_remove(struct weblog *w, uint32_t url)
{
    struct weblog_entry *e = weblog_find(w, url);

    if (e == NULL)
        return;
    w->count--;
    memmove(e, e + 1, (size_t)(w->entries + w->count - e) * sizeof *e);
}

void weblog_update(struct weblog *w, struct weblog_step *steps, size_t count, double beta)
{
    double rest = 0;

    for (size_t i = 0; i < count; i++)
        rest += steps[i].gain;
    for (size_t i = 0; i < count; i++) {
        struct weblog_entry *e = weblog_find(w, steps[i].url);

        steps[i].revisited = e != NULL;
        if (e)
            e->value = (1 - beta) * e->value + beta * rest;
        else
            append(w, (struct weblog_entry){.url = steps[i].url, .value = rest});
        rest -= steps[i].gain;
    }
    sort(w);
}

void weblog_late(struct weblog *w, const struct weblog_step *steps, size_t count, double gain,
                 double beta)
{
    for (size_t i = 0; i < count; i++) {
        struct weblog_entry *e = weblog_find(w, steps[i].url);

        if (e)
            e->value += steps[i].revisited ? beta * gain : gain;
    }
    sort(w);
}

size_t weblog_starts(const struct weblog *w, size_t size)
{
    return w->count < size ? w->count : size;
}

void weblog_looked(struct weblog *w, uint32_t url, int64_t now, bool changed)
{
    struct weblog_entry *e = weblog_find(w, url);

    if (e == NULL)
        return;
    if (e->seen_at && now > e->seen_at)
        change_note(&e->seen, (double)(now - e->seen_at) / US_PER_S, changed);
    e->seen_at = now;
}

size_t weblog_draw(const struct weblog *w, size_t starts, bool by_rate, struct rng *r)
{
    double sum = 0, at;
    size_t i = 0;

    if (!by_rate)
        return (size_t)rng_below(r, starts);
    for (size_t j = 0; j < starts; j++)
        sum += change_rate_near(&w->entries[j].seen, ONCE_A_DAY);
    at = rng_unit(r) * sum;
    for (; i + 1 < starts; i++) {
        at -= change_rate_near(&w->entries[i].seen, ONCE_A_DAY);
        if (at < 0)
            break;
    }
    return i;
}

void weblog_copy(const struct weblog *w, struct weblog *to)
{
    for (size_t i = 0; i < w->count; i++)
        append(to, w->entries[i]);
}

void weblog_split(struct weblog *w, struct weblog *child, struct rng *r)
{
    size_t wanted = w->count / 2, kept = 0;

    if (w->count < 2) {
        weblog_copy(w, child);
        return;
    }
    for (size_t i = 0; i < w->count; i++)
        if (rng_below(r, w->count - i) < wanted) {
            append(child, w->entries[i]);
            wanted--;
        } else {
            w->entries[kept++] = w->entries[i];
        }
    w->count = kept;
}

static const struct field entry_fields[] = {
    FIELD(URL, struct weblog_entry, url),
    FIELD_OF_ENUM(struct weblog_entry, failures, UINT8_MAX),
    FIELD(REAL, struct weblog_entry, value),
    FIELD(U64, struct weblog_entry, seen_at),
    FIELD_OF_PART(struct weblog_entry, seen, change_fields),
    FIELD_END,
};

void weblog_save(const struct weblog *w, struct buf *out)
{
    fields_save_all(entry_fields, w->entries, w->count, sizeof *w->entries, out);
}

enum status weblog_load(struct weblog *w, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    if (from->bad || count > w->max)
        return status_fail(ST_CORRUPT, "a saved weblog is too long");
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct weblog_entry e;

        fields_load(entry_fields, &e, from);
        from->bad |= e.url == 0 || !isfinite(change_rate(&e.seen));
        append(w, e);
    }
    return from->bad ? status_fail(ST_CORRUPT, "a saved weblog is damaged") : ST_OK;
}
