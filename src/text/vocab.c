/* vocab.c - terms, and the number of documents that contain them.
 *
 * In: profiles (the mind), or a file. Out: df_table, read by all threads.
 * Both are open-addressing tables of 8-byte slots with the same layout, at most
 * half full, so publishing is one pass over the slots that turns df into idf.
 *
 * Workload: some 400 additions a page, nearly all to terms known already; 400
 * reads a page on the fetch threads. Ids are hashes that a hostile page can
 * choose: slots are picked by multiplying with an odd number made from the
 * table's own address, so that no attacker can pile them up.
 * SPDX-License-Identifier: MIT */
#include "text/vocab.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define FIRST_BITS    10
#define SMALL_DF      1024 /* idf of smaller df is computed once for each table */
#define STATE_VERSION 1

struct vocab_slot {
    uint32_t id; /* 0: free */
    union {
        uint32_t df; /* in a vocab */
        float idf;   /* in a df_table */
    };
};

struct vocab {
    struct vocab_slot *slots; /* 1 << bits of them */
    uint64_t salt;            /* odd */
    int bits;
    uint32_t count; /* terms */
    uint32_t documents;
    uint32_t published; /* documents when last published */
    bool is_fixed;      /* loaded from a file */
    bool keeps_text;
    struct map names; /* hash_u64(id) -> offset in texts */
    struct buf texts; /* stems, each followed by NUL */
};

struct df_table {
    atomic_int refs;
    float rare; /* idf of a term never seen */
    uint64_t salt;
    int bits;
    struct vocab_slot slots[];
};

uint32_t term_id(struct str stem)
{
    uint32_t id = (uint32_t)hash_str(stem);

    return id ? id : 1;
}

/* ---- slots ---- */

/* Returns the slot of `id`, or the free one where it belongs. */
static inline size_t slot_of(const struct vocab_slot *slots, int bits, uint64_t salt, uint32_t id)
{
    size_t mask = ((size_t)1 << bits) - 1, i = (size_t)(id * salt >> (64 - bits));

    while (slots[i].id != 0 && slots[i].id != id)
        i = (i + 1) & mask;
    return i;
}

static void vocab_resize(struct vocab *v, int bits)
{
    struct vocab_slot *old = v->slots;
    size_t n = old ? (size_t)1 << v->bits : 0;

    v->slots = mem_zero((size_t)1 << bits, sizeof *v->slots);
    v->bits = bits;
    for (size_t i = 0; i < n; i++)
        if (old[i].id != 0)
            v->slots[slot_of(v->slots, bits, v->salt, old[i].id)] = old[i];
    free(old);
}

/* Returns the slot of a term, new or old; NULL if the vocab is at its ceiling. */
static struct vocab_slot *vocab_at(struct vocab *v, uint32_t id)
{
    struct vocab_slot *s = &v->slots[slot_of(v->slots, v->bits, v->salt, id)];

    if (s->id != 0)
        return s;
    if (v->count >= LIMIT_VOCAB_TERMS)
        return NULL;
    if ((size_t)(v->count + 1) * 2 > (size_t)1 << v->bits) {
        vocab_resize(v, v->bits + 1);
        s = &v->slots[slot_of(v->slots, v->bits, v->salt, id)];
    }
    v->count++;
    s->id = id;
    return s;
}

static void vocab_clear(struct vocab *v)
{
    memset(v->slots, 0, ((size_t)1 << v->bits) * sizeof *v->slots);
    v->count = 0;
    v->documents = v->published = 0; /* so that a table is due at once */
}

/* ---- on the mind's thread ---- */

struct vocab *vocab_new(void)
{
    struct vocab *v = MEM_NEW(struct vocab);

    v->salt = hash_u64((uintptr_t)v) | 1;
    vocab_resize(v, FIRST_BITS);
    map_init(&v->names);
    buf_init(&v->texts, LIMIT_IDF_FILE);
    return v;
}

void vocab_free(struct vocab *v)
{
    if (v == NULL)
        return;
    free(v->slots);
    map_free(&v->names);
    buf_free(&v->texts);
    free(v);
}

void vocab_add(struct vocab *v, const struct profile *p)
{
    if (v->is_fixed || v->documents == UINT32_MAX)
        return;
    v->documents++;
    for (uint32_t i = 0; i < p->nterms; i++) {
        struct vocab_slot *s = vocab_at(v, p->terms[i].id);

        if (s != NULL)
            s->df++;
    }
}

uint32_t vocab_documents(const struct vocab *v)
{
    return v->documents;
}

uint32_t vocab_terms(const struct vocab *v)
{
    return v->count;
}

/* ---- publishing ---- */

static float idf_of(uint32_t documents, uint32_t df)
{
    return documents == 0 ? 1.0f : (float)log(1.0 + (double)documents / (df ? df : 1));
}

bool vocab_is_due(const struct vocab *v)
{
    return v->documents > v->published && v->documents - v->published >= v->published / 8;
}

struct df_table *vocab_publish(struct vocab *v)
{
    size_t n = (size_t)1 << v->bits;
    struct df_table *t = mem_alloc(sizeof *t + n * sizeof *t->slots);
    float small[SMALL_DF];

    for (uint32_t df = 0; df < SMALL_DF; df++)
        small[df] = idf_of(v->documents, df);
    atomic_init(&t->refs, 1);
    t->rare = small[1];
    t->salt = v->salt;
    t->bits = v->bits;
    for (size_t i = 0; i < n; i++) {
        uint32_t df = v->slots[i].df;

        t->slots[i].id = v->slots[i].id;
        t->slots[i].idf = df < SMALL_DF ? small[df] : idf_of(v->documents, df);
    }
    v->published = v->documents;
    return t;
}

struct df_table *df_hold(struct df_table *t)
{
    if (t != NULL)
        atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
    return t;
}

void df_release(struct df_table *t)
{
    if (t != NULL && atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) == 1)
        free(t);
}

float df_idf(const struct df_table *t, uint32_t term)
{
    const struct vocab_slot *s;

    if (t == NULL)
        return 1.0f;
    s = &t->slots[slot_of(t->slots, t->bits, t->salt, term)];
    return s->id != 0 ? s->idf : t->rare;
}

/* ---- the text form ---- */

void vocab_keep_text(struct vocab *v)
{
    v->keeps_text = true;
}

bool vocab_lacks_text(const struct vocab *v, uint32_t term)
{
    return v->keeps_text && map_get(&v->names, hash_u64(term)) == MAP_NONE;
}

void vocab_name(struct vocab *v, uint32_t term, struct str stem)
{
    size_t at = v->texts.len;

    if (!vocab_lacks_text(v, term) || stem.len == 0)
        return;
    if (buf_room(&v->texts, stem.len + 1) == NULL)
        return;
    buf_add_str(&v->texts, stem);
    buf_add_char(&v->texts, '\0');
    map_set(&v->names, hash_u64(term), (uint32_t)at);
}

struct str vocab_text(const struct vocab *v, uint32_t term)
{
    uint32_t at = map_get(&v->names, hash_u64(term));

    return at == MAP_NONE ? (struct str){"", 0} : str_of(v->texts.data + at);
}

/* Reads a line "stem TAB df". */
static bool parse_line(struct str line, uint64_t documents, struct str *ret_stem, uint32_t *ret_df)
{
    size_t tab = str_find_char(line, '\t', 0);
    uint64_t df;

    if (tab == SIZE_MAX || tab == 0 ||
        !str_to_u64(str_trim(str_sub(line, tab + 1, line.len)), &df) || df == 0 || df > documents)
        return false;
    *ret_stem = str_sub(line, 0, tab);
    *ret_df = (uint32_t)df;
    return true;
}

enum status vocab_load(struct vocab *v, struct str text, const char *name)
{
    const struct str magic = STR("# brood idf 1 ");
    struct str line;
    uint64_t documents;
    size_t number = 1;

    if (!str_cut(&text, '\n', &line) || !str_starts(line, magic) ||
        !str_to_u64(str_trim(str_sub(line, magic.len, line.len)), &documents) || documents == 0 ||
        documents > UINT32_MAX)
        return status_fail(ST_INVALID,
                           "%s:1: not a table of document frequencies (made by `brood topic idf`)",
                           name);
    vocab_clear(v);
    while (str_cut(&text, '\n', &line)) {
        struct str stem;
        struct vocab_slot *s;
        uint32_t df;

        number++;
        if (str_trim(line).len == 0 || line.ptr[0] == '#')
            continue;
        if (!parse_line(line, documents, &stem, &df))
            return status_fail(ST_INVALID,
                               "%s:%zu: expected a stem, a tab and a number from 1 to %ju", name,
                               number, (uintmax_t)documents);
        s = vocab_at(v, term_id(stem));
        if (s == NULL)
            return status_fail(ST_LIMIT, "%s: more than %d terms", name, LIMIT_VOCAB_TERMS);
        if (df > s->df) /* the same stem or hash twice: the more frequent one counts */
            s->df = df;
        vocab_name(v, s->id, stem);
    }
    v->documents = (uint32_t)documents;
    v->is_fixed = true;
    return ST_OK;
}

struct vocab_line {
    const char *stem;
    uint32_t df;
};

static int line_cmp(const void *a, const void *b)
{
    return strcmp(((const struct vocab_line *)a)->stem, ((const struct vocab_line *)b)->stem);
}

void vocab_write(const struct vocab *v, struct buf *out)
{
    struct vocab_line *lines = mem_alloc((v->count + 1) * sizeof *lines);
    size_t n = 0;

    for (size_t i = 0; i < (size_t)1 << v->bits; i++) {
        uint32_t at = v->slots[i].id ? map_get(&v->names, hash_u64(v->slots[i].id)) : MAP_NONE;

        if (at != MAP_NONE)
            lines[n++] = (struct vocab_line){v->texts.data + at, v->slots[i].df};
    }
    qsort(lines, n, sizeof *lines, line_cmp);
    buf_addf(out, "# brood idf 1 %u\n", v->documents);
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%s\t%u\n", lines[i].stem, lines[i].df);
    free(lines);
}

/* ---- checkpoints ---- */

/* version, fixed, documents, count, then count times (id, df). */
void vocab_save(const struct vocab *v, struct buf *out)
{
    buf_put_u8(out, STATE_VERSION);
    buf_put_u8(out, v->is_fixed);
    buf_put_u32(out, v->documents);
    buf_put_u32(out, v->count);
    for (size_t i = 0; i < (size_t)1 << v->bits; i++) {
        if (v->slots[i].id != 0) {
            buf_put_u32(out, v->slots[i].id);
            buf_put_u32(out, v->slots[i].df);
        }
    }
}

enum status vocab_restore(struct vocab *v, struct str state)
{
    struct cursor c = {.rest = state};
    uint8_t version = cursor_u8(&c), fixed = cursor_u8(&c);
    uint32_t documents = cursor_u32(&c), count = cursor_u32(&c);

    if (c.bad || version != STATE_VERSION || c.rest.len != (uint64_t)count * 8)
        return status_fail(ST_CORRUPT, "the vocabulary kept in the checkpoint is damaged");
    vocab_clear(v);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = cursor_u32(&c), df = cursor_u32(&c);
        struct vocab_slot *s = id ? vocab_at(v, id) : NULL;

        if (s != NULL)
            s->df = df;
    }
    v->documents = documents;
    v->is_fixed = fixed != 0;
    return ST_OK;
}
