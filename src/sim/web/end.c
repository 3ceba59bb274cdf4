/* end.c - completes a web when everything is packed, with the data that needs all of it.
 *
 * In: rows in the order of the archive. Out: pages numbered first, versions in
 * order of URL and time, changes, ends, hosts, labels, idf. SPDX-License-Identifier: MIT */
#include "sim/web/pack.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/os/clock.h"
#include "base/rng.h"
#include "parse/url_norm.h"
#include "text/lens.h"
#include "text/shingle.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pages like no other ------------------------------------------------- */

#define BLOCKS 6

struct mark {
    uint64_t masked, hash;
    uint32_t at;
};

static const uint8_t block_from[BLOCKS + 1] = {0, 11, 22, 33, 44, 54, 64};

static uint64_t block_mask(unsigned block)
{
    unsigned from = block_from[block], bits = block_from[block + 1] - from;

    return ((UINT64_C(1) << bits) - 1) << from;
}

ORDER(mark_cmp, struct mark, UP(masked) ?: UP(at))

/* Of marks with the same masked bits: pages near enough to each other. */
static void group_compare(const struct mark *group, size_t count, unsigned distance, bool *alone)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && alone[group[i].at]; k++) {
            uint64_t differ = group[i].hash ^ group[k].hash;

            if (k != i && bits_count(differ) <= distance)
                alone[group[i].at] = alone[group[k].at] = false;
        }
}

static void compare(struct mark *marks, const uint64_t *hashes, size_t count, uint64_t mask,
                    unsigned distance, bool *alone)
{
    size_t from = 0;

    for (size_t i = 0; i < count; i++)
        marks[i] = (struct mark){hashes[i] & mask, hashes[i], (uint32_t)i};
    qsort(marks, count, sizeof *marks, mark_cmp);
    for (size_t i = 1; i <= count; i++)
        if (i == count || marks[i].masked != marks[from].masked) {
            group_compare(marks + from, i - from, distance, alone);
            from = i;
        }
}

void alone_find(const uint64_t *simhashes, const uint64_t *payloads, size_t count, bool *ret)
{
    LOCAL_HEAP struct mark *marks = mem_zero(count + 1, sizeof *marks);

    memset(ret, true, count * sizeof *ret);
    compare(marks, payloads, count, UINT64_MAX, 0, ret);
    for (unsigned a = 0; a < BLOCKS; a++)
        for (unsigned b = a + 1; b < BLOCKS; b++)
            for (unsigned c = b + 1; c < BLOCKS; c++)
                compare(marks, simhashes, count, block_mask(a) | block_mask(b) | block_mask(c),
                        ALONE_DISTANCE, ret);
}

#define LATENCY_MEDIAN (200.0 * US_PER_MS)
#define LATENCY_SIGMA  0.5 /* of its logarithm: two thirds of the hosts within 120 .. 330 ms */
#define LATENCY_LEAST  (20 * US_PER_MS)
#define LATENCY_MOST   (5 * US_PER_S)

/* ---- numbers: pages first ------------------------------------------------ */

/* Where each URL of the packing goes: pages, other answers, then the rest. */
static uint32_t *final_numbers(const struct web_pack *p, uint32_t *ret_pages)
{
    const struct web *w = p->web;
    uint32_t entries = world_count(p->world), next = 1;
    uint32_t *to = mem_zero(w->nurls, sizeof *to);

    for (uint32_t i = 0; i < entries; i++)
        if (world_entry(p->world, i)->page && p->has_document[i])
            to[i + 1] = next++;
    *ret_pages = next - 1;
    for (uint32_t i = 1; i < w->nurls; i++)
        if (to[i] == 0)
            to[i] = next++;
    return to;
}

static bool is_identity(const uint32_t *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (to[i] != i)
            return false;
    return true;
}

static void move_urls(struct web *w, const uint32_t *to)
{
    struct web_url *urls = mem_zero(w->nurls, sizeof *urls);

    for (size_t i = 0; i < w->nurls; i++)
        urls[to[i]] = w->urls[i];
    free(w->urls);
    w->urls = urls;
    w->urls_cap = w->nurls;
    for (uint32_t i = 1; i < w->nurls; i++)
        map_set(&w->by_key, urls[i].key, i);
    for (size_t v = 0; v < w->nversions; v++) {
        struct web_parts parts = version_parts(&w->versions[v]);

        w->versions[v].url = to[w->versions[v].url];
        for (uint32_t l = 0; l < w->versions[v].nlinks; l++)
            parts.targets[l] = to[parts.targets[l]];
    }
}

static void number_others(struct web_pack *p, const uint32_t *to)
{
    struct web *w = p->web;
    uint32_t entries = world_count(p->world), pages = w->counts.pages;

    w->nothers = entries - pages;
    w->others = mem_zero(w->nothers + 1, sizeof *w->others);
    for (uint32_t i = 0; i < entries; i++) {
        struct web_other *o = &p->others[i];

        o->redirect_to = to[o->redirect_to];
        if (to[i + 1] > pages)
            w->others[to[i + 1] - pages - 1] = *o;
    }
    for (size_t i = 0; i < p->nrules; i++)
        p->rules[i].url = to[p->rules[i].url];
}

/* ---- versions: by URL, then by time -------------------------------------- */

/* Rows of one URL come in order of time unless a clock was set back. */
static void sort_by_time(struct web_version *v, uint64_t *bare, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct web_version row = v[i];
        uint64_t hash = bare[i];
        size_t at = i;

        for (; at > 0 && v[at - 1].since > row.since; at--) {
            v[at] = v[at - 1];
            bare[at] = bare[at - 1];
        }
        v[at] = row;
        bare[at] = hash;
    }
}

/* Does a version differ from the row before it, to the byte and to a reader? */
static void judge_change(struct web_version *v, bool bytes)
{
    v->is_change = bytes;
    v->is_text = bytes && v->main && v[-1].main && shingles_changed(v[-1].main, v->main);
}

static void sort_versions(struct web_pack *p)
{
    struct web *w = p->web;
    struct web_version *rows = mem_zero(w->nversions + 1, sizeof *rows);
    uint64_t *bare = mem_zero(w->nversions + 1, sizeof *bare);
    size_t *at = mem_zero(w->nurls + 1, sizeof *at);

    for (size_t i = 0; i < w->nversions; i++)
        at[w->versions[i].url + 1]++;
    for (size_t i = 0; i < w->nurls; i++)
        at[i + 1] += at[i];
    for (size_t i = 0; i < w->nversions; i++) {
        size_t to = at[w->versions[i].url]++;

        rows[to] = w->versions[i];
        bare[to] = p->bare[i];
    }
    for (size_t i = 0, n; i < w->nversions; i += n) {
        for (n = 1; i + n < w->nversions && rows[i + n].url == rows[i].url;)
            n++;
        sort_by_time(rows + i, bare + i, n);
        w->urls[rows[i].url].first = (uint32_t)i;
        for (size_t k = 1; k < n; k++)
            judge_change(&rows[i + k], bare[i + k] != bare[i + k - 1]);
        for (size_t k = 0; k < n; k++) {
            free(rows[i + k].main);
            rows[i + k].main = NULL;
        }
    }
    free(at);
    free(p->bare);
    free(w->versions);
    p->bare = bare;
    w->versions = rows;
}

/* Pages that disappeared: the version of that time ends there. */
static void end_versions(struct web_pack *p, const uint32_t *to)
{
    struct web *w = p->web;
    uint32_t n;
    const struct world_end *ends = world_ends(p->world, &n);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t url = to[ends[i].entry + 1], at = w->urls[url].first;

        if (at == WEB_NONE || w->versions[at].since > ends[i].at)
            continue;
        while (at + 1 < w->nversions && w->versions[at + 1].url == url &&
               w->versions[at + 1].since <= ends[i].at)
            at++;
        if (ends[i].at < w->versions[at].gone) {
            w->versions[at].gone = ends[i].at;
            w->versions[at].gone_status = (uint16_t)ends[i].status;
        }
    }
}

/* ---- hosts --------------------------------------------------------------- */

/* Lognormal, drawn from the host's name alone: the same in every world. */
static int64_t draw_latency(struct str host)
{
    struct rng r;
    double us;

    rng_init(&r, hash_str(host));
    us = LATENCY_MEDIAN * exp(LATENCY_SIGMA * rng_normal(&r));
    return us < LATENCY_LEAST ? LATENCY_LEAST : us > LATENCY_MOST ? LATENCY_MOST : (int64_t)us;
}

/* The robots.txt that a host's leads to, through redirects; its status and text. */
static void find_rules(const struct web_pack *p, const struct map *rules, uint32_t url,
                       struct web_host *h)
{
    const struct web *w = p->web;
    struct web_answer a;
    uint32_t at;

    web_answer(w, url, INT64_MAX - 1, &a);
    for (int hop = 0; a.redirect_to && hop < LIMIT_ROBOTS_HOPS; hop++)
        web_answer(w, url = a.redirect_to, INT64_MAX - 1, &a);
    h->robots_status = a.redirect_to ? 404 : a.status;
    at = map_get(rules, hash_u64(url));
    if (a.status < 200 || a.status > 299)
        return;
    h->robots_status = at == MAP_NONE ? 500 : 200; /* it could not be decoded */
    if (at != MAP_NONE) {
        h->robots = p->rules[at].at;
        h->robots_bytes = p->rules[at].bytes;
    }
}

static void finish_hosts(struct web_pack *p)
{
    struct web *w = p->web;
    LOCAL_BUF href = BUF_INIT(LIMIT_URL * 2);
    struct map rules;

    map_init(&rules);
    for (uint32_t i = 0; i < p->nrules; i++)
        map_set(&rules, hash_u64(p->rules[i].url), i);
    for (size_t i = 0; i < w->nhosts; i++) {
        struct str name = web_string(w, w->hosts[i].name);
        uint32_t url;

        w->hosts[i].latency = draw_latency(name);
        buf_clear(&href);
        buf_addf(&href, "http://%.*s/robots.txt", STR_ARG(name));
        url = web_find(w, url_key(buf_str(&href)));
        if (url)
            find_rules(p, &rules, url, &w->hosts[i]);
    }
    map_free(&rules);
}

/* ---- labels -------------------------------------------------------------- */

struct named {
    struct str name;
    uint32_t topic;
};

static int by_name(const void *a, const void *b)
{
    return str_cmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* The labels in use, sorted by name; `number` is filled by topic. */
static void name_labels(struct web_pack *p, uint32_t *number)
{
    struct web *w = p->web;
    uint32_t topics = world_topics(p->world), n;
    const struct world_label *labels = world_labels(p->world, &n);
    LOCAL_HEAP struct named *names = mem_zero(topics + 1, sizeof *names);

    for (uint32_t t = 0; t < topics; t++)
        number[t] = WEB_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (number[labels[i].topic] == WEB_NONE)
            names[w->nlabels++] =
                (struct named){world_topic(p->world, labels[i].topic)->name, labels[i].topic};
        number[labels[i].topic] = 0;
    }
    qsort(names, w->nlabels, sizeof *names, by_name);
    w->labels = web_slab(w, (w->nlabels + 1) * sizeof *w->labels);
    w->label_words = web_slab(w, (w->nlabels + 1) * sizeof *w->label_words);
    for (uint32_t i = 0; i < w->nlabels; i++) {
        number[names[i].topic] = i;
        w->labels[i] = web_slab_str(w, names[i].name);
        w->label_words[i] = web_slab_str(w, world_topic(p->world, names[i].topic)->words);
    }
}

ORDER(by_number, uint32_t, UP_VALUE)

static void finish_labels(struct web_pack *p, const uint32_t *to)
{
    struct web *w = p->web;
    uint32_t n, entries = world_count(p->world);
    const struct world_label *labels = world_labels(p->world, &n);
    LOCAL_HEAP uint32_t *number = mem_zero(world_topics(p->world) + 1, sizeof *number);
    uint32_t *first;

    name_labels(p, number);
    w->nlabelled = entries;
    w->label_of = mem_zero(n + 1, sizeof *w->label_of);
    w->label_first = first = mem_zero(entries + 3, sizeof *first);
    for (uint32_t i = 0; i < n; i++)
        first[to[labels[i].entry + 1] + 2]++;
    for (uint32_t i = 0; i < entries + 2; i++)
        first[i + 1] += first[i];
    for (uint32_t i = 0; i < n; i++) /* first[u + 1] becomes the end of u, which it shall be */
        w->label_of[first[to[labels[i].entry + 1] + 1]++] = number[labels[i].topic];
    for (uint32_t u = 1; u <= entries; u++)
        qsort(w->label_of + first[u], first[u + 1] - first[u], sizeof *number, by_number);
}

/* ---- words --------------------------------------------------------------- */

static void weigh_words(struct web_pack *p)
{
    struct web *w = p->web;

    w->idf = vocab_publish(p->vocab);
    w->idf_bytes = 1024;
    while (w->idf_bytes < (size_t)vocab_terms(p->vocab) * 2)
        w->idf_bytes *= 2;
    w->idf_bytes *= 8; /* bytes a slot, at most half of them in use (text/vocab.c) */
    for (size_t i = 0; i < w->nversions; i++) {
        struct web_version *v = &w->versions[i];

        v->square = lens_square(version_parts(v).terms, v->nterms, w->idf);
    }
}

/* ---- the end ------------------------------------------------------------- */

#define SHRINK(array, n, cap) \
    ((array) = mem_resize((array), (n) + 1, sizeof *(array)), (cap) = (n) + 1)

static void count_bytes(struct web *w)
{
    SHRINK(w->urls, w->nurls, w->urls_cap);
    SHRINK(w->hosts, w->nhosts, w->hosts_cap);
    SHRINK(w->texts, w->ntexts, w->texts_cap);
    SHRINK(w->strings, w->nstrings, w->strings_cap);
    map_free(&w->by_text);
    w->counts.bytes =
        sizeof *w + w->urls_cap * sizeof *w->urls + (w->nversions + 1) * sizeof *w->versions +
        (w->nothers + 1) * sizeof *w->others + w->hosts_cap * sizeof *w->hosts + w->strings_cap +
        w->texts_cap * sizeof *w->texts + map_bytes(&w->by_key) + map_bytes(&w->by_host) +
        w->slab_bytes + w->idf_bytes + (w->nlabelled + 3) * sizeof *w->label_first +
        w->label_first[w->nlabelled + 1] * sizeof *w->label_of;
}

static void count_all(struct web_pack *p)
{
    struct web *w = p->web;
    struct web_counts *c = &w->counts;

    c->urls = (uint32_t)w->nurls - 1;
    c->hosts = (uint32_t)w->nhosts;
    c->broken = p->broken;
    c->damaged = p->damaged;
    if (!world_moves(p->world, &c->begin, &c->end)) { /* the moment of the last answer */
        for (uint32_t i = 0; i < world_versions(p->world); i++)
            if (world_version(p->world, i)->at > c->begin)
                c->begin = world_version(p->world, i)->at;
        c->begin = c->begin > US_PER_S ? c->begin : US_PER_S;
        c->end = c->begin;
    }
    for (size_t i = 0; i < w->nversions && w->versions[i].url <= c->pages; i++) {
        c->versions++;
        c->links += w->versions[i].nlinks;
    }
    count_bytes(w);
}

static void find_alone(struct web *w)
{
    LOCAL_HEAP uint64_t *hashes = mem_zero(2 * w->nversions + 1, sizeof *hashes);
    LOCAL_HEAP bool *alone = mem_zero(w->nversions + 1, sizeof *alone);

    for (size_t i = 0; i < w->nversions; i++) {
        hashes[i] = w->versions[i].simhash;
        hashes[w->nversions + i] = w->versions[i].hash;
    }
    alone_find(hashes, hashes + w->nversions, w->nversions, alone);
    for (size_t i = 0; i < w->nversions; i++)
        w->versions[i].is_alone = alone[i];
}

enum status web_pack_end(struct web_pack *p)
{
    struct web *w = p->web;
    uint32_t *to = final_numbers(p, &w->counts.pages);

    if (w->counts.pages == 0) {
        free(to);
        return status_fail(ST_INVALID,
                           "the world has no page that can be read (%u answers are "
                           "broken): make or import it again",
                           p->broken);
    }
    if (!is_identity(to, w->nurls))
        move_urls(w, to);
    number_others(p, to);
    sort_versions(p);
    end_versions(p, to);
    find_alone(w);
    finish_labels(p, to);
    free(to);
    weigh_words(p);
    count_all(p);
    finish_hosts(p);
    return ST_OK;
}
