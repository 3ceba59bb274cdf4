/* clusters_file.c - clusters as bytes: in a checkpoint, in a file.
 *
 *     state   u8 version, u32 k, words, documents, background
 *             k * (u32 size, f32 mean, f32 deviation)
 *             words * u32 id, ascending; words * f32 Pr(w)
 *             words * (k + 1) * f32 Pr(C|w)
 *     file    "brood clusters 1\n", state, words * stem (u32 length and bytes; 0: unknown),
 *             u64 hash of all before it
 *
 * Numbers are little-endian (base/buf.h). A file comes from outside: every number is
 * looked at before it is believed, and nothing is allocated that the bytes at hand do
 * not fill. SPDX-License-Identifier: MIT */
#include "models/foragers/foragers.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "text/vocab.h"

#include <math.h>

#define STATE_VERSION 1
#define MAGIC         STR("brood clusters 1\n")
#define MAGIC_STEM    STR("brood clusters ")
#define HASH_BYTES    8

/* ---- checkpoint ---- */

void clusters_put(const struct clusters *c, struct buf *out)
{
    const struct prtfidf *t = c->judge;

    buf_put_u8(out, STATE_VERSION);
    buf_put_u32(out, c->k);
    buf_put_u32(out, t->words);
    buf_put_u32(out, c->documents);
    buf_put_u32(out, c->background);
    for (uint32_t i = 0; i < c->k; i++) {
        buf_put_u32(out, c->sizes[i]);
        buf_put_f32(out, c->mean[i]);
        buf_put_f32(out, c->std[i]);
    }
    for (uint32_t i = 0; i < t->words; i++)
        buf_put_u32(out, t->ids[i]);
    for (uint32_t i = 0; i < t->words; i++)
        buf_put_f32(out, t->shares[i]);
    for (size_t i = 0; i < (size_t)t->words * t->classes; i++)
        buf_put_f32(out, t->table[i]);
}

static bool is_share(float x)
{
    return x >= 0 && x <= 1.001f; /* false for NAN */
}

static bool get_clusters(struct cursor *from, struct clusters *c)
{
    uint64_t documents = 0;
    bool good = true;

    for (uint32_t i = 0; i < c->k; i++) {
        c->sizes[i] = cursor_u32(from);
        c->mean[i] = cursor_f32(from);
        c->std[i] = cursor_f32(from);
        documents += c->sizes[i];
        good = good && is_share(c->mean[i]) && is_share(c->std[i]);
    }
    return good && documents == c->documents;
}

static bool get_words(struct cursor *from, struct prtfidf *t)
{
    bool good = true;

    for (uint32_t i = 0; i < t->words; i++) {
        t->ids[i] = cursor_u32(from);
        good = good && (i == 0 || t->ids[i] > t->ids[i - 1]);
    }
    for (uint32_t i = 0; i < t->words; i++) {
        t->shares[i] = cursor_f32(from);
        good = good && is_share(t->shares[i]);
    }
    return good;
}

static bool get_table(struct cursor *from, struct prtfidf *t)
{
    bool good = true;

    for (uint32_t i = 0; i < t->words; i++) {
        float *row = t->table + (size_t)i * t->classes;
        double sum = 0;

        for (uint32_t c = 0; c < t->classes; c++) {
            row[c] = cursor_f32(from);
            good = good && is_share(row[c]);
            sum += row[c];
        }
        good = good && fabs(sum - 1) < 1e-3;
    }
    return good;
}

/* Bytes that follow the five numbers at the beginning. */
static size_t body_bytes(uint32_t k, uint32_t words)
{
    return (size_t)k * 12 + (size_t)words * (8 + (size_t)(k + 1) * 4);
}

static struct clusters *clusters_new(uint32_t k, uint32_t words)
{
    struct clusters *c = MEM_NEW(struct clusters);

    c->k = k;
    c->mean = mem_zero(k, sizeof *c->mean);
    c->std = mem_zero(k, sizeof *c->std);
    c->sizes = mem_zero(k, sizeof *c->sizes);
    c->judge = prtfidf_new(words, k + 1);
    return c;
}

enum status clusters_get(struct cursor *from, struct clusters **ret)
{
    uint8_t version = cursor_u8(from);
    uint32_t k = cursor_u32(from), words = cursor_u32(from);
    uint32_t documents = cursor_u32(from), background = cursor_u32(from);
    struct clusters *c;

    if (from->bad || version != STATE_VERSION || k == 0 || k > LIMIT_CLUSTERS || words == 0 ||
        words > LIMIT_CLUSTER_WORDS || from->rest.len < body_bytes(k, words))
        return status_fail(ST_CORRUPT, "clusters are cut short or have impossible sizes");
    c = clusters_new(k, words);
    c->documents = documents;
    c->background = background;
    if (!get_clusters(from, c) || !get_words(from, c->judge) || !get_table(from, c->judge)) {
        clusters_free(c);
        return status_fail(ST_CORRUPT, "clusters hold impossible numbers");
    }
    prtfidf_index(c->judge);
    *ret = c;
    return ST_OK;
}

/* ---- file ---- */

enum status clusters_write(const struct clusters *c, const char *path)
{
    LOCAL_BUF out = BUF_INIT(LIMIT_CLUSTERS_FILE);

    buf_add_str(&out, MAGIC);
    clusters_put(c, &out);
    for (uint32_t i = 0; i < c->judge->words; i++)
        buf_put_str(&out, str_of(c->stems ? c->stems[i] : NULL));
    buf_put_u64(&out, hash_str(buf_str(&out)));
    return out.full ? status_fail(ST_LIMIT, "%s: larger than %zu bytes", path, LIMIT_CLUSTERS_FILE)
                    : file_write(path, buf_str(&out));
}

static enum status get_stems(struct cursor *from, struct clusters *c)
{
    c->stems = mem_zero((size_t)c->judge->words + 1, sizeof *c->stems);
    for (uint32_t i = 0; i < c->judge->words; i++) {
        struct str stem = cursor_str(from);

        if (from->bad || (stem.len > 0 && term_id(stem) != c->judge->ids[i]))
            return status_fail(ST_CORRUPT, "its words are not those of its table");
        c->stems[i] = stem.len ? str_dup(stem) : NULL;
    }
    if (from->rest.len > 0)
        return status_fail(ST_CORRUPT, "there is more in it than clusters");
    return ST_OK;
}

static enum status parse_body(struct str body, struct clusters **ret)
{
    struct cursor from = {.rest = body};
    struct clusters *c = NULL;
    enum status st = clusters_get(&from, &c);

    if (st == ST_OK)
        st = get_stems(&from, c);
    if (st == ST_OK)
        *ret = c;
    else
        clusters_free(c);
    return st;
}

enum status clusters_parse(struct str bytes, const char *name, struct clusters **ret)
{
    struct cursor end;
    enum status st;

    if (!str_starts(bytes, MAGIC))
        return str_starts(bytes, MAGIC_STEM)
                   ? status_fail(ST_INVALID, "%s: made by another version of brood", name)
                   : status_fail(ST_INVALID,
                                 "%s: no file of clusters; 'brood topic clusters' makes one", name);
    if (bytes.len < MAGIC.len + HASH_BYTES)
        return status_fail(ST_CORRUPT, "%s: cut short", name);
    end.rest = str_sub(bytes, bytes.len - HASH_BYTES, bytes.len);
    end.bad = false;
    bytes.len -= HASH_BYTES;
    if (cursor_u64(&end) != hash_str(bytes))
        return status_fail(ST_CORRUPT, "%s: damaged or cut short", name);
    st = parse_body(str_sub(bytes, MAGIC.len, bytes.len), ret);
    return st == ST_OK ? st : status_prefix(st, "%s", name);
}

enum status clusters_read(const char *path, struct clusters **ret)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_CLUSTERS_FILE);
    enum status st = file_read(path, &bytes);

    return st == ST_OK ? clusters_parse(buf_str(&bytes), path, ret) : st;
}
