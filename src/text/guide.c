/* guide.c - is this page about the topic? A measure that learns as the crawl goes on.
 *
 * Workload: a page costs a lookup for each of its terms, and one for each of its words
 * if spans are wanted. A training (guide_train.c) goes a dozen times over all
 * remembered pages, but is rare.
 *
 * Terms have places in order of their first appearance; weights and idf are stored by place.
 * Ids are hashes that a hostile page can choose, so they are looked up salted.
 * SPDX-License-Identifier: MIT */
#include "text/guide_int.h"

#include "base/fields.h"
#include "base/hash.h"
#include "base/mem.h"
#include "text/lens.h"
#include "text/profile.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/topic_int.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST      0.01 /* lowest value of p; the highest is 1 - LEAST */
#define SLOPE      0.7  /* how strongly a page's own length divides its weights */
#define MARKS_WAIT 5    /* pages between a mark and its training: marks come in rows */

struct guide *guide_new(const struct topic *t, const struct guide_config *config)
{
    struct guide *g = MEM_NEW(struct guide);
    size_t positive = 0;

    g->topic = t;
    g->config = *config;
    g->train_at = GUIDE_FIRST;
    g->found = mem_zero(GUIDE_FOUND, sizeof *g->found);
    g->round = 1;
    rng_init(&g->rng, 1);
    map_init(&g->places);
    for (size_t i = 0; i < t->nsamples; i++)
        positive += t->samples[i].is_positive;
    g->has_examples = positive > 0 && positive < t->nsamples;
    return g;
}

void guide_free(struct guide *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < g->npages; i++)
        free(g->pages[i].terms);
    free(g->pages);
    for (size_t i = 0; i < g->nmarks; i++)
        free(g->marks[i].terms);
    free(g->marks);
    map_free(&g->places);
    df_release(g->df);
    free(g->found);
    free(g->tokens);
    free(g->ids);
    free(g->idf);
    free(g->w);
    free(g->terms);
    stemmer_free(g->stemmer);
    parts_clear(&g->changed_terms);
    parts_clear(&g->changed_pages);
    free(g->dots);
    free(g->squares);
    free(g);
}

void guide_be_exact(struct guide *g)
{
    g->config.is_exact = true;
}

uint32_t guide_trainings(const struct guide *g)
{
    return g->trainings;
}

double guide_seed_weight(const struct guide *g, uint32_t page)
{
    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].page == page && g->pages[i].is_seed)
            return (double)g->pages[i].seed;
    return 1;
}

double guide_seed_probability(const struct guide *g, uint32_t page, double otherwise)
{
    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].page == page && g->pages[i].is_seed)
            return (double)g->pages[i].p;
    return otherwise;
}

/* ---- terms ---- */

static uint64_t salted(const struct guide *g, uint32_t term)
{
    return hash_u64((uint64_t)term ^ (uint64_t)(uintptr_t)g);
}

static float idf_of(const struct guide *g, uint32_t term)
{
    float idf = g->df ? df_idf(g->df, term) : 1;

    return g->has_examples ? sqrtf(idf) : idf;
}

uint32_t guide_place(struct guide *g, uint32_t term)
{
    bool is_new;
    uint32_t *at = map_at(&g->places, salted(g, term), (uint32_t)g->nterms, &is_new);

    if (!is_new)
        return *at;
    if (g->nterms == g->room) {
        g->room = 2 * g->room + 1024;
        g->ids = mem_resize(g->ids, g->room, sizeof *g->ids);
        g->idf = mem_resize(g->idf, g->room, sizeof *g->idf);
        g->w = mem_resize(g->w, g->room, sizeof *g->w);
    }
    parts_touch(&g->changed_terms, (uint32_t)g->nterms);
    g->ids[g->nterms] = term;
    g->idf[g->nterms] = idf_of(g, term);
    g->w[g->nterms] = 0;
    return (uint32_t)g->nterms++;
}

static void look_up(const struct guide *g, uint32_t term, struct guide_found *ret)
{
    uint32_t at = map_get(&g->places, salted(g, term));
    float idf = idf_of(g, term);

    *ret =
        (struct guide_found){term ^ g->round, at, at != MAP_NONE ? idf * g->w[at] : 0, idf * idf};
}

static struct guide_found *found_at(const struct guide *g, uint32_t term)
{
    return &g->found[term % GUIDE_FOUND];
}

/* An entry of another round cannot match a term of its place. Only for terms below GUIDE_FOUND
 * could an empty entry match. */
static bool is_found(const struct guide *g, uint32_t term)
{
    return found_at(g, term)->key == (term ^ g->round) && term >= GUIDE_FOUND;
}

/* Looks up the weight of a page's term (0 if it has none). Lent until the next call. */
static inline const struct guide_found *find_term(const struct guide *g, uint32_t term)
{
    static const struct guide_found none = {.place = MAP_NONE};

    if (is_found(g, term))
        return found_at(g, term);
    if (term == 0)
        return &none;
    look_up(g, term, found_at(g, term));
    return found_at(g, term);
}

void guide_forget_found(struct guide *g)
{
    if (++g->round == GUIDE_FOUND) {
        memset(g->found, 0, GUIDE_FOUND * sizeof *g->found);
        g->round = 1;
    }
}

void guide_renew_idf(struct guide *g)
{
    for (size_t i = 0; i < g->nterms && g->is_idf_old; i++)
        g->idf[i] = idf_of(g, g->ids[i]);
    g->is_idf_old = false;
}

void guide_use(struct guide *g, const struct df_table *df)
{
    if (g->df != df) {
        df_release(g->df);
        g->df = df ? df_hold((struct df_table *)df) : NULL;
        g->is_idf_old = true;
        g->is_fresh = false;
    }
    if (g->is_fresh)
        return;
    guide_forget_found(g);
    g->is_fresh = true;
    if (g->is_trained)
        return;
    guide_touch_all(g);
    if (g->has_examples) {
        guide_train_on_examples(g);
        g->is_trained = true;
    } else {
        guide_begin(g);
    }
}

/* ---- pages ---- */

static double kept_within(double p)
{
    return p < LEAST ? LEAST : p > 1 - LEAST ? 1 - LEAST : p;
}

double guide_length(const struct guide *g, double length)
{
    return g->pivot > 0 ? SLOPE * length + (1 - SLOPE) * g->pivot : length;
}

double guide_label(const struct guide *g, const struct guide_page *p, double dot)
{
    return p->is_out ? LEAST : guide_scaled(g, dot);
}

double guide_scaled(const struct guide *g, double dot)
{
    if (g->has_examples)
        return platt_probability(&g->platt, dot + g->bias);
    if (g->is_trained)
        return kept_within(0.5 + 0.5 * (dot + g->bias));
    return kept_within(g->scale > 0 ? dot / GUIDE_PULL / g->scale : dot / GUIDE_PULL);
}

static bool is_out(const struct guide *g, const struct profile *p)
{
    return g->topic->nmatch > 0 && p->relevance <= 0;
}

/* Example pages are read without extra weight for their leads, and so are pages
 * compared with them. */
static const struct term *terms_of(struct guide *g, const struct profile *p)
{
    if (g->has_examples)
        return p->terms;
    if (g->terms_room < p->nterms) {
        g->terms_room = p->nterms + p->nterms / 2;
        g->terms = mem_resize(g->terms, g->terms_room, sizeof *g->terms);
    }
    profile_terms(p, g->terms);
    return g->terms;
}

/* Judges a page by the terms that terms_of() gave. */
static double probability_of(const struct guide *g, const struct profile *p,
                             const struct term *terms)
{
    double dot = 0, square = 0;

    if (is_out(g, p))
        return LEAST;
    for (uint32_t i = 0; i < p->nterms; i++) {
        const struct guide_found *f = find_term(g, terms[i].id);
        double tf = lens_tf(terms[i].count);

        square += tf * tf * (double)f->square;
        dot += tf * (double)f->dot;
    }
    return guide_scaled(g, square > 0 ? dot / guide_length(g, sqrt(square)) : 0);
}

double guide_probability(struct guide *g, const struct profile *p, const struct df_table *df)
{
    guide_use(g, df);
    return probability_of(g, p, terms_of(g, p));
}

/* Returns the place for a page to be remembered: a new one, or that of a page that is replaced.
 * SIZE_MAX if the page is not drawn. */
static size_t place_for_page(struct guide *g, bool is_seed)
{
    size_t at;

    if (g->npages < g->config.memory)
        return g->npages;
    at = (size_t)rng_below(&g->rng, is_seed ? g->npages : g->seen);
    return at < g->npages && !g->pages[at].is_seed ? at : SIZE_MAX;
}

/* Terms beyond GUIDE_TERMS are left out. Terms are in the order of their hashes, so
 * the rest is a random sample. */
void guide_keep_terms(struct guide *g, struct guide_page *p, const struct term *terms, size_t n)
{
    p->nterms = (uint32_t)(n < GUIDE_TERMS ? n : GUIDE_TERMS);
    p->terms = mem_alloc(((size_t)p->nterms + 1) * sizeof *p->terms);
    for (uint32_t i = 0; i < p->nterms; i++) {
        uint32_t id = terms[i].id, at = is_found(g, id) ? found_at(g, id)->place : MAP_NONE;

        at = at == MAP_NONE ? guide_place(g, id) : at;
        p->terms[i] = (struct term){at, terms[i].count};
        if (is_found(g, id))
            found_at(g, id)->place = at;
    }
}

double guide_add(struct guide *g, const struct profile *p, const struct df_table *df, uint32_t page,
                 bool is_seed)
{
    size_t most = g->has_examples ? GUIDE_SEEDS : g->config.memory / 2;
    bool is_example = is_seed && !g->config.seeds_are_places && !is_out(g, p) && g->nseeds < most;
    const struct term *terms = terms_of(g, p);
    double ret;
    size_t at;

    guide_use(g, df);
    ret = probability_of(g, p, terms);
    g->seen++;
    at = p->nterms == 0 || (g->has_examples && !is_example) ? SIZE_MAX
                                                            : place_for_page(g, is_example);
    if (at == SIZE_MAX)
        return ret;
    if (at == g->npages) {
        MEM_GROW(g->pages, g->npages, &g->pages_cap);
        g->pages[g->npages++] = (struct guide_page){0};
    }
    free(g->pages[at].terms);
    g->pages[at] = (struct guide_page){
        .page = page, .is_seed = is_example, .seed = 1, .p = (float)ret, .is_out = is_out(g, p)};
    guide_keep_terms(g, &g->pages[at], terms, p->nterms);
    parts_touch(&g->changed_pages, (uint32_t)(at * PARTS_ROWS));
    if (!is_example)
        return ret;
    g->nseeds++;
    if (g->has_examples)
        g->is_trained = false;
    g->is_fresh = g->is_trained;
    guide_use(g, df);
    return (double)g->pages[at].seed;
}

void guide_teach(struct guide *g, uint32_t id, const struct term *terms, size_t nterms,
                 int relevant)
{
    size_t at = 0;

    while (at < g->nmarks && g->marks[at].page != id)
        at++;
    if (at == g->nmarks && relevant < 0)
        return;
    if (at == g->nmarks) {
        MEM_GROW(g->marks, g->nmarks, &g->marks_cap);
        g->marks[g->nmarks++] = (struct guide_page){.page = id};
    } else {
        free(g->marks[at].terms);
    }
    if (relevant < 0) {
        g->marks[at] = g->marks[--g->nmarks];
    } else {
        g->marks[at].seed = (float)relevant;
        guide_keep_terms(g, &g->marks[at], terms, nterms);
    }
    if (g->has_examples)
        g->is_trained = g->is_fresh = false;
    else if (g->train_at > g->seen + MARKS_WAIT)
        g->train_at = g->seen + MARKS_WAIT;
}

bool guide_is_due(const struct guide *g)
{
    return !g->has_examples && g->seen >= g->train_at;
}

/* ---- parts of a page ---- */

/* Returns 0 for a stop word, or if there is no word. */
static uint32_t word_at(const struct profile *p, size_t at)
{
    return p->stops[at / 64] >> at % 64 & 1 ? 0 : p->sequence[at];
}

/* No branch depends on whether a word is a stop word: the processor could not predict it. */
void guide_read(struct guide *g, const struct profile *p, const struct df_table *df)
{
    double dots = 0, squares = 0;

    guide_use(g, df);
    if (g->words_room < p->nsequence) {
        g->words_room = p->nsequence + p->nsequence / 2;
        g->dots = mem_resize(g->dots, g->words_room + 1, sizeof *g->dots);
        g->squares = mem_resize(g->squares, g->words_room + 1, sizeof *g->squares);
    }
    g->nwords = p->nsequence;
    g->first = p->ntitle + 1;
    if (p->nsequence > 0)
        g->dots[0] = g->squares[0] = 0;
    for (uint32_t i = 0; i < p->nsequence; i++) {
        static const float count[2] = {1, 0};
        const struct guide_found *f = find_term(g, p->sequence[i]);
        float times = count[p->stops[i / 64] >> i % 64 & 1];

        dots += (double)(times * f->dot);
        squares += (double)(times * f->square);
        g->dots[i + 1] = dots;
        g->squares[i + 1] = squares;
    }
}

double guide_span(const struct guide *g, struct span words)
{
    size_t from = (size_t)words.from + g->first, to = (size_t)words.to + g->first;
    double square;

    to = to < g->nwords ? to : g->nwords;
    if (from >= to)
        return 0;
    square = g->squares[to] - g->squares[from];
    return square > 1e-9 ? (g->dots[to] - g->dots[from]) / sqrt(square) : 0;
}

uint32_t guide_word(const struct guide *g, const struct profile *p, uint32_t at)
{
    return at + g->first < g->nwords ? word_at(p, at + g->first) : 0;
}

double guide_terms(const struct guide *g, const uint32_t *words, size_t n)
{
    double dot = 0, square = 0;

    for (size_t i = 0; i < n; i++) {
        const struct guide_found *f = find_term(g, words[i]);

        dot += (double)f->dot;
        square += (double)f->square;
    }
    return square > 1e-9 ? dot / sqrt(square) : 0;
}

/* ---- URLs ---- */

/* Returns what follows the host. */
static struct str path_of(struct str url)
{
    size_t at = str_find(url, STR("://"), 0);

    at = at == SIZE_MAX ? at : str_find_char(url, '/', at + 3);
    return at == SIZE_MAX ? STR("") : str_sub(url, at, url.len);
}

/* Returns 0 for a stop word. */
static uint32_t term_of(struct guide *g, struct str word)
{
    uint64_t hash = hash_str(word) | 1;
    struct guide_token *t = &g->tokens[hash >> 1 & (GUIDE_TOKENS - 1)];
    bool is_stop;

    if (t->hash != hash) {
        uint32_t term = term_id(stem_word(g->stemmer, g->topic->lang, word, &is_stop));

        *t = (struct guide_token){hash, is_stop ? 0 : term};
    }
    return t->term;
}

double guide_url(struct guide *g, struct str url)
{
    struct str path = path_of(url);
    size_t at = 0, off, len;
    double dot = 0, square = 0;

    if (g->stemmer == NULL) {
        g->stemmer = stemmer_new(0);
        g->tokens = mem_zero(GUIDE_TOKENS, sizeof *g->tokens);
    }
    while (token_next(path, &at, &off, &len)) {
        uint32_t term = term_of(g, str_sub(path, off, off + len));
        const struct guide_found *f = term ? find_term(g, term) : NULL;

        if (f == NULL || f->place == MAP_NONE)
            continue;
        dot += (double)f->dot;
        square += (double)f->square;
    }
    return square > 1e-9 ? dot / sqrt(square) : 0;
}

/* ---- checkpoint ---- */

#define PAGES_AT (UINT32_C(1) << 24) /* parts of pages, one a page; those of terms begin at 0 */

static const struct field guide_fields[] = {
    FIELD(REAL, struct guide, bias),
    FIELD(FLAG, struct guide, is_trained),
    FIELD(REAL, struct guide, platt.slope),
    FIELD(REAL, struct guide, platt.shift),
    FIELD(U64, struct guide, seen),
    FIELD(U64, struct guide, train_at),
    FIELD(U32, struct guide, trainings),
    FIELD(U64, struct guide, rng.s),
    FIELD_END,
};

/* Version 0.2 does not have it: all pages have the same length until the next training. */
static const struct field pivot_fields[] = {
    FIELD(REAL, struct guide, pivot),
    FIELD_END,
};

static const struct field page_fields[] = {
    FIELD(U32, struct guide_page, page),
    FIELD(FLAG, struct guide_page, is_seed),
    FIELD(FLAG, struct guide_page, is_out),
    FIELD(FINE, struct guide_page, seed),
    FIELD(FINE, struct guide_page, p),
    FIELD(U32, struct guide_page, nterms),
    FIELD_END,
};

static enum status bad_guide(void)
{
    return status_fail(ST_CORRUPT, "the saved guide is cut or broken");
}

void guide_save(const struct guide *g, struct buf *out)
{
    fields_save(guide_fields, g, out);
    fields_save(pivot_fields, g, out);
    buf_put_u32(out, (uint32_t)g->nterms);
    buf_put_u32(out, (uint32_t)g->npages);
}

static void put_term(const void *guide, size_t at, struct buf *out)
{
    const struct guide *g = guide;

    if (at >= g->nterms)
        return;
    buf_put_u32(out, g->ids[at]);
    buf_put_f32(out, g->w[at]);
}

static void put_page(const struct guide *g, size_t at, uint32_t first, struct buf *out)
{
    const struct guide_page *p = &g->pages[at];
    struct buf bytes = BUF_INIT(GUIDE_TERMS * 8 + 100);

    fields_save(page_fields, p, &bytes);
    for (uint32_t k = 0; k < p->nterms; k++) {
        buf_put_u32(&bytes, p->terms[k].id);
        buf_put_u32(&bytes, p->terms[k].count);
    }
    parts_put(out, first + PAGES_AT + (uint32_t)at, buf_str(&bytes));
    buf_free(&bytes);
}

void guide_save_all(const struct guide *g, uint32_t first, struct buf *out)
{
    parts_put_rows(NULL, g, g->nterms, put_term, first, out);
    for (size_t i = 0; i < g->npages; i++)
        put_page(g, i, first, out);
}

void guide_save_parts(struct guide *g, uint32_t first, struct buf *out)
{
    uint32_t page = 0;

    parts_put_rows(&g->changed_terms, g, 0, put_term, first, out);
    while (parts_take(&g->changed_pages, &page))
        put_page(g, page, first, out);
}

static void load_term(struct guide *g, struct cursor *from)
{
    size_t expected = g->nterms;
    uint32_t term = cursor_u32(from), at = guide_place(g, term);

    g->w[at] = cursor_f32(from);
    from->bad |= at != expected || !isfinite(g->w[at]);
}

static void load_page(struct guide *g, struct cursor *from)
{
    struct guide_page *p;

    MEM_GROW(g->pages, g->npages, &g->pages_cap);
    p = &g->pages[g->npages++];
    *p = (struct guide_page){0};
    fields_load(page_fields, p, from);
    from->bad |= p->nterms > GUIDE_TERMS;
    if (from->bad)
        p->nterms = 0;
    p->terms = mem_zero((size_t)p->nterms + 1, sizeof *p->terms);
    for (uint32_t k = 0; k < p->nterms; k++) {
        p->terms[k].id = cursor_u32(from);
        p->terms[k].count = cursor_u32(from);
        from->bad |= p->terms[k].id >= g->nterms;
    }
    g->nseeds += p->is_seed;
}

enum status guide_load_part(struct guide *g, uint32_t number, struct cursor *from)
{
    bool is_page = number >= PAGES_AT;

    from->bad |=
        is_page ? number - PAGES_AT != g->npages : (uint64_t)number * PARTS_ROWS != g->nterms;
    if (is_page && !from->bad)
        load_page(g, from);
    while (!is_page && !from->bad && from->rest.len > 0)
        load_term(g, from);
    return from->bad ? bad_guide() : ST_OK;
}

enum status guide_load(struct guide *g, struct cursor *from)
{
    fields_load(guide_fields, g, from);
    fields_load(pivot_fields, g, from);
    g->awaited_terms = cursor_u32(from);
    g->awaited_pages = cursor_u32(from);
    from->bad |= (g->rng.s[0] | g->rng.s[1] | g->rng.s[2] | g->rng.s[3]) == 0;
    return from->bad ? bad_guide() : ST_OK;
}

enum status guide_loaded(struct guide *g, size_t pages)
{
    if (g->nterms != g->awaited_terms || g->npages != g->awaited_pages)
        return bad_guide();
    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].page >= pages)
            return bad_guide();
    parts_clear(&g->changed_terms); /* loading them was not a change */
    g->is_fresh = false;
    guide_forget_found(g);
    return ST_OK;
}

enum status guide_load_old(struct guide *g, struct cursor *from)
{
    fields_load(guide_fields, g, from);
    from->bad |= (g->rng.s[0] | g->rng.s[1] | g->rng.s[2] | g->rng.s[3]) == 0;
    g->awaited_terms = cursor_u32(from);
    while (g->nterms < g->awaited_terms && !from->bad)
        load_term(g, from);
    g->awaited_pages = from->bad ? 0 : cursor_u32(from);
    while (g->npages < g->awaited_pages && !from->bad)
        load_page(g, from);
    return from->bad ? bad_guide() : ST_OK;
}

void guide_touch_all(struct guide *g)
{
    for (size_t i = 0; i < g->nterms; i += PARTS_ROWS)
        parts_touch(&g->changed_terms, (uint32_t)i);
    for (size_t i = 0; i < g->npages; i++)
        parts_touch(&g->changed_pages, (uint32_t)(i * PARTS_ROWS));
}
