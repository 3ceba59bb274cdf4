/* spool.c - the words of pages, kept until they are judged. See spool.h.
 *
 * A record is its head, the bits of stop words, the sequence, the ids of the terms, the long counts,
 * and a byte for each count (SHORT_MAX: it is the next of the long ones). No other process reads
 * the file, so numbers are in the machine's byte order.
 *
 * Workload: 400 terms a page, a write() for some hundred pages. SPDX-License-Identifier: MIT */
#include "crawl/judge/spool.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "text/profile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE      MIB(1) /* bytes collected before they are written */
#define SHORT_MAX  255
#define RECORD_MAX (16 * (size_t)LIMIT_WORDS) /* bytes of a page with as many terms as words */

struct record {
    uint32_t bytes, id;     /* of the whole record; of the page */
    uint32_t nterms, nlong; /* terms, and those of them whose count needs more than a byte */
    uint32_t ntitle, nsequence, lead;
    uint32_t main_bytes, text_bytes, linked_bytes; /* what follows is aligned to 8 */
};

struct spool {
    char *dir;
    int fd;          /* -1: nothing was written so far */
    uint64_t length; /* of the file */
    bool broken;     /* it accepts no more pages */
    struct buf tail; /* what is not written yet */
    void *map;       /* the file, when it is read; NULL: all is in the tail, or it has failed */
    size_t at;       /* where the next record begins */
    struct term *terms;
    size_t room;
};

struct spool *spool_new(const char *dir)
{
    struct spool *s = MEM_NEW(struct spool);

    *s =
        (struct spool){.dir = str_dup(str_of(dir)), .fd = -1, .tail = BUF_INIT(PIECE + RECORD_MAX)};
    return s;
}

void spool_free(struct spool *s)
{
    if (s == NULL)
        return;
    if (s->map)
        (void)munmap(s->map, s->length);
    if (s->fd >= 0)
        (void)close(s->fd);
    buf_free(&s->tail);
    free(s->terms);
    free(s->dir);
    free(s);
}

/* ---- writing ---- */

static int file_without_name(const char *path)
{
    struct str name = STR("judging.part");
    int dir = -1, fd = -1;

    if (dir_open(path, &dir) != ST_OK)
        return -1;
    if (dir_file(dir, name, O_RDWR | O_CREAT | O_TRUNC, &fd) != ST_OK)
        fd = -1;
    if (fd >= 0 && dir_remove(dir, name) != ST_OK) {
        (void)close(fd);
        fd = -1;
    }
    (void)close(dir);
    return fd;
}

static void flush(struct spool *s)
{
    size_t done = 0;

    if (s->fd < 0)
        s->fd = file_without_name(s->dir);
    while (s->fd >= 0 && done < s->tail.len) {
        ssize_t n = write(s->fd, s->tail.data + done, s->tail.len - done);

        if (n <= 0)
            break;
        done += (size_t)n;
    }
    s->broken = done < s->tail.len;
    s->length += s->broken ? 0 : done;
    buf_clear(&s->tail);
}

static char *put(char *at, const void *data, size_t len)
{
    if (len)
        memcpy(at, data, len);
    return at + len;
}

static size_t stop_words(const struct record *r)
{
    return r->nsequence / 64 + 1;
}

static size_t record_bytes(const struct record *r)
{
    size_t n = sizeof *r + stop_words(r) * sizeof(uint64_t) +
               ((size_t)r->nsequence + r->nterms + r->nlong) * sizeof(uint32_t) + r->nterms;

    return (n + 7) & ~(size_t)7;
}

static void write_record(struct spool *s, struct record *r, const struct profile *p)
{
    char *at;

    for (uint32_t i = 0; i < p->nterms; i++)
        r->nlong += p->terms[i].count >= SHORT_MAX;
    r->bytes = (uint32_t)record_bytes(r);
    at = buf_room(&s->tail, r->bytes);
    if (at == NULL)
        return;
    s->tail.len += r->bytes;
    at = put(at, r, sizeof *r);
    at = put(at, p->stops, stop_words(r) * sizeof *p->stops);
    at = put(at, p->sequence, p->nsequence * sizeof *p->sequence);
    for (uint32_t i = 0; i < p->nterms; i++)
        at = put(at, &p->terms[i].id, sizeof(uint32_t));
    for (uint32_t i = 0; i < p->nterms; i++)
        if (p->terms[i].count >= SHORT_MAX)
            at = put(at, &p->terms[i].count, sizeof(uint32_t));
    for (uint32_t i = 0; i < p->nterms; i++)
        *at++ = (char)(p->terms[i].count < SHORT_MAX ? p->terms[i].count : SHORT_MAX);
}

void spool_add(struct spool *s, uint32_t id, const struct arrival *a)
{
    const struct page *page = a->page;
    struct profile p = a->profile, copy;
    struct text_extent extent;
    struct record r = {.id = id};

    if (s->broken || p.terms == NULL || p.sequence == NULL)
        return;
    extent = text_extent_of(page);
    r.text_bytes = (uint32_t)extent.all;
    r.main_bytes = (uint32_t)extent.main;
    r.linked_bytes = (uint32_t)extent.linked;
    p.lead = profile_lead(page, p.ntitle); /* of the present main text */
    copy = profile_copy(&p);
    r.nterms = copy.nterms;
    r.ntitle = copy.ntitle;
    r.nsequence = copy.nsequence;
    r.lead = copy.lead;
    write_record(s, &r, &copy);
    profile_drop(&copy);
    if (s->tail.len >= PIECE)
        flush(s);
}

/* ---- reading ---- */

void spool_rewind(struct spool *s)
{
    s->at = 0;
    if (s->length == 0 || s->map)
        return;
    if (!s->broken && s->tail.len)
        flush(s);
    s->map = mmap(NULL, s->length, PROT_READ, MAP_PRIVATE, s->fd, 0);
    if (s->map == MAP_FAILED)
        s->map = NULL;
}

/* Returns the current record, aligned; NULL if there is none. */
static const struct record *record_at(const struct spool *s)
{
    const char *all = s->length ? s->map : s->tail.data; /* NULL: it could not be mapped */
    uint64_t length = s->length ? s->length : s->tail.len;

    return all && s->at < length ? (const void *)(all + s->at) : NULL;
}

static void read_terms(struct spool *s, const struct record *r, const uint32_t *ids)
{
    const uint32_t *longs = ids + r->nterms;
    const unsigned char *counts = (const unsigned char *)(longs + r->nlong);

    if (r->nterms > s->room) {
        s->room = r->nterms + r->nterms / 2;
        s->terms = mem_resize(s->terms, s->room, sizeof *s->terms);
    }
    for (uint32_t i = 0; i < r->nterms; i++)
        s->terms[i] = (struct term){ids[i], counts[i] < SHORT_MAX ? counts[i] : *longs++};
}

bool spool_find(struct spool *s, uint32_t id, struct spooled *ret)
{
    const struct record *r;
    const uint64_t *stops;
    const uint32_t *sequence;

    while ((r = record_at(s)) != NULL && r->id < id)
        s->at += r->bytes;
    if (r == NULL || r->id != id)
        return false;
    stops = (const uint64_t *)(r + 1);
    sequence = (const uint32_t *)(stops + stop_words(r));
    read_terms(s, r, sequence + r->nsequence);
    *ret = (struct spooled){.profile = {.terms = s->terms,
                                        .nterms = r->nterms,
                                        .sequence = sequence,
                                        .stops = stops,
                                        .ntitle = r->ntitle,
                                        .nsequence = r->nsequence,
                                        .lead = r->lead},
                            .extent = {r->text_bytes, r->main_bytes, r->linked_bytes}};
    return true;
}
