/* profile.c - what a page is about, and how near to the topic that is.
 *
 * In: struct page (parse/). Out: struct profile (the mind, agents, store). Each
 * thread has a profiler: a stem cache, one lens for each language met, and
 * arrays that grow to the longest page seen. No allocation a word.
 *
 * Words of the title count as one more line of the text: (1 + ln tf) makes a
 * title word worth what one more mention is.
 * SPDX-License-Identifier: MIT */
#include "text/profile.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "text/lens.h"
#include "text/shingle.h"
#include "text/words/token.h"
#include "text/words/unicode.h"
#include "text/words/unspaced.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

#define LEAD_WORDS 40
#define LEAD_MORE  8
#define MAIN_LEAST 20 /* words: a shorter main text does not show what a page is about */

struct profiler {
    const struct topic *topic; /* may be NULL */
    unsigned main;             /* PROFILE_MAIN_*: what is read from the main text alone */
    struct stemmer *stemmer;
    struct df_table *df;             /* held; the lenses were weighed with it */
    struct lens *lenses[STEM_LANGS]; /* by language; NULL: not needed so far */
    bool is_weighed[STEM_LANGS];     /* whether a lens was weighed with df */
    uint32_t *sequence;              /* terms of all words, in order */
    uint32_t *kept;                  /* of these, the ones that are not stop words */
    uint32_t *scratch;               /* for sorting */
    struct term *terms;              /* of a span */
    size_t room;                     /* of each of the four arrays */
    uint64_t *stops;                 /* of the sequence, a bit each; room / 64 + 1 */
    struct word *words;              /* of a title or a plain text */
    size_t words_cap;
    struct buf lower; /* what patterns are matched with */
};

struct profiler *profiler_new(const struct topic *topic)
{
    struct profiler *p = MEM_NEW(struct profiler);

    p->topic = topic;
    p->main = PROFILE_MAIN_USUAL;
    p->stemmer = stemmer_new(0);
    buf_init(&p->lower, 4 * (LIMIT_PATTERN_TEXT + LIMIT_URL + LIMIT_TITLE));
    if (topic != NULL && topic->keeps_stops)
        for (size_t i = 0; i < topic->nitems; i++)
            for (uint32_t k = 0; k < topic->items[i].nwords; k++)
                stemmer_keep(p->stemmer, topic->items[i].words[k]);
    return p;
}

void profiler_free(struct profiler *p)
{
    if (p == NULL)
        return;
    for (int i = 0; i < STEM_LANGS; i++)
        lens_free(p->lenses[i]);
    df_release(p->df);
    stemmer_free(p->stemmer);
    free(p->sequence);
    free(p->kept);
    free(p->scratch);
    free(p->terms);
    free(p->stops);
    free(p->words);
    buf_free(&p->lower);
    free(p);
}

void profiler_read_main(struct profiler *p, unsigned parts)
{
    p->main = parts;
}

/* ---- the lens for a language and a moment ---- */

static int lang_of(const struct profiler *p, struct str declared)
{
    int lang = stem_lang(declared);

    if (lang != STEM_NONE)
        return lang;
    return p->topic ? p->topic->lang : stem_lang(STR("en"));
}

/* Returns NULL without a topic. */
static struct lens *lens_for(struct profiler *p, int lang, const struct df_table *df)
{
    if (p->topic == NULL)
        return NULL;
    if (p->df != df) { /* holding it keeps its address from being used again */
        df_release(p->df);
        p->df = df_hold((struct df_table *)df);
        memset(p->is_weighed, 0, sizeof p->is_weighed);
    }
    if (p->lenses[lang] == NULL)
        p->lenses[lang] = lens_new(p->topic, lang, p->stemmer);
    if (!p->is_weighed[lang])
        lens_weigh(p->lenses[lang], df);
    p->is_weighed[lang] = true;
    return p->lenses[lang];
}

/* ---- terms ---- */

static void profiler_reserve(struct profiler *p, size_t words)
{
    if (words <= p->room)
        return;
    words += words / 2;
    p->sequence = mem_resize(p->sequence, words, sizeof *p->sequence);
    p->kept = mem_resize(p->kept, words, sizeof *p->kept);
    p->scratch = mem_resize(p->scratch, words, sizeof *p->scratch);
    p->terms = mem_resize(p->terms, words, sizeof *p->terms);
    p->stops = mem_resize(p->stops, words / 64 + 1, sizeof *p->stops);
    p->room = words;
}

/* Splits a text into words in p->words. */
static size_t split(struct profiler *p, struct str text)
{
    size_t n = 0, at = 0, room;

    text = str_sub(text, 0, UINT32_MAX);
    for (;;) {
        room = p->words_cap < LIMIT_WORDS ? p->words_cap : LIMIT_WORDS;
        n += token_words(text, &at, p->words + n, room - n);
        if (n < room || n == LIMIT_WORDS)
            return n;
        MEM_GROW(p->words, n, &p->words_cap);
    }
}

static size_t stop_bytes(size_t words)
{
    return (words / 64 + 1) * sizeof(uint64_t);
}

/* Terms of the whole page: [title] 0 [text]. */
struct term_sequence {
    size_t title, length; /* words of the title; all, with the 0 between */
    size_t kept;
    uint64_t simhash; /* of the text */
};

/* The words of the main text, as runs of the words of the page. */
struct main_walk {
    const struct page *page;
    uint32_t passage;
    uint32_t from, to; /* the run at hand */
};

static bool walk_next(struct main_walk *w)
{
    const struct page *page = w->page;
    const struct word *words = page->words;
    const struct passage *m;
    uint32_t at = w->to;

    if (w->passage == page->nmain)
        return false;
    m = &page->main[w->passage++];
    while (at < page->nwords && words[at].off < m->off)
        at++;
    w->from = at;
    while (at < page->nwords && words[at].off < m->off + m->len)
        at++;
    w->to = at;
    return true;
}

static bool has_main(const struct page *page)
{
    struct main_walk w = {.page = page};
    uint32_t words = 0;

    while (words < MAIN_LEAST && walk_next(&w))
        words += w.to - w.from;
    return words >= MAIN_LEAST;
}

static void set_stops(uint64_t *stops, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        stops[i / 64] |= UINT64_C(1) << i % 64;
}

/* Removes words outside the main text from whatever is read in the main text alone. `title`
 * words of the title are kept. */
static void keep_main(struct profiler *p, const struct page *page, size_t title,
                      struct term_sequence *s)
{
    struct main_walk w = {.page = page};
    size_t kept = title, first = s->title + 1, end = 0;

    while (walk_next(&w)) {
        for (size_t at = first + w.from; p->main & PROFILE_MAIN_TERMS && at < first + w.to; at++) {
            p->kept[kept] = p->sequence[at];
            kept += p->sequence[at] != 0 && !(p->stops[at / 64] >> at % 64 & 1);
        }
        if (p->main & PROFILE_MAIN_CONTEXTS)
            set_stops(p->stops, first + end, first + w.from);
        end = w.to;
    }
    if (p->main & PROFILE_MAIN_CONTEXTS)
        set_stops(p->stops, first + end, first + page->nwords);
    if (p->main & PROFILE_MAIN_TERMS)
        s->kept = kept;
}

static bool is_number(const struct page *page, uint32_t word)
{
    return ascii_is_digit(page->text.ptr[page->words[word].off]);
}

/* The simhash of a table: only its words count, each once. */
static uint64_t table_simhash(struct profiler *p, const struct page *page, struct main_walk w,
                              const uint32_t *terms)
{
    struct map seen;
    size_t kept = 0;

    map_init(&seen);
    do {
        for (uint32_t i = w.from; i < w.to; i++) {
            bool is_new;

            if (is_number(page, i))
                continue;
            (void)map_at(&seen, hash_u64(terms[i]), 0, &is_new);
            if (is_new)
                p->scratch[kept++] = terms[i];
        }
    } while (walk_next(&w));
    map_free(&seen);
    return simhash_of(p->scratch, kept);
}

/* The simhash of the main text, or of all text. A directory listing is a table of numbers: dates,
 * sizes and file extensions are in every row and outweigh the names, so that all listings of a host
 * would be near duplicates of each other. `terms` are those of the page's words, in order. */
static uint64_t text_simhash(struct profiler *p, const struct page *page, const uint32_t *terms,
                             bool by_main)
{
    struct main_walk first = {page, page->nmain, 0, page->nwords}, w; /* all is one run */
    size_t words = 0, numbers = 0;

    if (by_main) {
        first = (struct main_walk){.page = page};
        (void)walk_next(&first);
    }
    w = first;
    do {
        if (w.to > w.from)
            memcpy(p->scratch + words, terms + w.from, (w.to - w.from) * sizeof *terms);
        words += w.to - w.from;
        for (uint32_t i = w.from; i < w.to; i++)
            numbers += is_number(page, i);
    } while (walk_next(&w));
    if (2 * numbers > words && words - numbers >= MAIN_LEAST)
        return table_simhash(p, page, first, terms);
    return simhash_of(p->scratch, words);
}

static struct term_sequence page_terms(struct profiler *p, const struct page *page, int lang)
{
    struct term_sequence s = {.title = split(p, page->title)};
    bool by_main;
    size_t title;

    s.length = s.title + 1 + page->nwords;
    profiler_reserve(p, s.length);
    memset(p->stops, 0, stop_bytes(s.length));
    title = stem_words(p->stemmer, lang, page->title, p->words, s.title, p->sequence, p->kept,
                       p->stops, 0);
    p->sequence[s.title] = 0;
    s.kept = title + stem_words(p->stemmer, lang, page->text, page->words, page->nwords,
                                p->sequence + s.title + 1, p->kept + title, p->stops, s.title + 1);
    by_main = p->main && has_main(page);
    if (by_main)
        keep_main(p, page, title, &s);
    s.simhash = text_simhash(p, page, p->sequence + s.title + 1,
                             by_main && (p->main & PROFILE_MAIN_SIMHASH));
    return s;
}

/* Is this term a stop word that the topic is made of (`IT`), in any language? */
static bool topic_keeps(const struct profiler *p, uint32_t term)
{
    if (p->topic == NULL || !p->topic->keeps_stops)
        return false;
    for (size_t i = 0; i < p->topic->nterms; i++)
        if (p->topic->terms[i].id == term)
            return true;
    return false;
}

/* ---- patterns ---- */

static bool any_matches(const struct pattern *patterns, size_t n, struct str url, struct str title,
                        struct str text)
{
    for (size_t i = 0; i < n; i++)
        if (pattern_in_url(&patterns[i], url) || pattern_in_line(&patterns[i], title) ||
            pattern_in_text(&patterns[i], text))
            return true;
    return false;
}

/* The texts that patterns are matched with, in lower case. */
struct lowered {
    struct str url, title, text;
};

static struct lowered page_lower(struct profiler *p, const struct page *page, struct str url)
{
    size_t url_end, title_end;
    struct str all;

    buf_clear(&p->lower); /* lower case is at most three times as long, so all of it fits */
    (void)unicode_lower_text(str_sub(url, 0, LIMIT_URL), &p->lower);
    url_end = p->lower.len;
    (void)unicode_lower_text(str_sub(page->title, 0, LIMIT_TITLE), &p->lower);
    title_end = p->lower.len;
    (void)unicode_lower_text(str_sub(page->text, 0, LIMIT_PATTERN_TEXT), &p->lower);
    all = buf_str(&p->lower);
    return (struct lowered){str_sub(all, 0, url_end), str_sub(all, url_end, title_end),
                            str_sub(all, title_end, all.len)};
}

static bool has_patterns(const struct topic *t)
{
    for (size_t i = 0; i < t->nparts; i++)
        if (has_patterns(t->parts[i]))
            return true;
    return t->nmatch + t->nreject > 0;
}

/* Applies a topic's patterns to a relevance. Returns false if they reject the page. */
static bool patterns_pass(const struct topic *t, const struct lowered *l, float *io)
{
    if (t->nmatch > 0 && !any_matches(t->match, t->nmatch, l->url, l->title, l->text))
        *io = 0;
    return !any_matches(t->reject, t->nreject, l->url, l->title, l->text);
}

/* ---- pages ---- */

/* Copies what belongs to the page. Returns false if the arena is full. */
static bool profile_keep(struct profiler *p, const struct term_sequence *s, size_t nterms,
                         struct arena *arena, struct profile *ret)
{
    struct term *terms = arena_array(arena, nterms + 1, sizeof *terms);
    uint32_t *sequence = arena_array(arena, s->length, sizeof *sequence);
    uint64_t *stops = arena_array(arena, s->length / 64 + 1, sizeof *stops);

    if (terms == NULL || sequence == NULL || stops == NULL)
        return false;
    memcpy(terms, p->terms, nterms * sizeof *terms);
    memcpy(sequence, p->sequence, s->length * sizeof *sequence);
    memcpy(stops, p->stops, stop_bytes(s->length));
    ret->terms = terms;
    ret->nterms = (uint32_t)nterms;
    ret->sequence = sequence;
    ret->stops = stops;
    ret->ntitle = (uint32_t)s->title;
    ret->nsequence = (uint32_t)s->length;
    return true;
}

uint32_t profile_lead(const struct page *page, uint32_t ntitle)
{
    uint32_t low = 0, high = page->nwords, first = 0;

    while (first < page->nmain && page->main[first].len == 0) /* a block that was removed again */
        first++;
    while (first < page->nmain && low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (page->words[middle].off < page->main[first].off)
            low = middle + 1;
        else
            high = middle;
    }
    return ntitle + 1 + low;
}

static double raw_square(const struct term *terms, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)terms[i].count * terms[i].count;
    return sum;
}

/* A document as a lens sees it. */
struct measured {
    const struct term *terms;
    size_t nterms;
    double square, raw_square;
    const uint32_t *sequence;
    size_t length;
};

static float relevance_of(struct lens *l, const struct measured *m, const struct df_table *df)
{
    return lens_relevance(l, m->terms, m->nterms, m->square, m->sequence, m->length, df);
}

/* Judges each of several topics on its own, because one may want what another rejects. The best one
 * counts. `verdicts` may be NULL. */
static enum drop judge_parts(const struct topic *t, const struct lens *l, const struct measured *m,
                             const struct lowered *lower, const struct df_table *df,
                             struct topic_verdict *verdicts, struct profile *io)
{
    size_t rejected = 0;

    for (size_t i = 0; i < t->nparts; i++) {
        float relevance = relevance_of(lens_part(l, i), m, df);

        if (!patterns_pass(t->parts[i], lower, &relevance)) {
            relevance = 0;
            rejected++;
        }
        if (verdicts)
            verdicts[i] = (struct topic_verdict){t->parts[i]->name, relevance};
        io->relevance = relevance > io->relevance ? relevance : io->relevance;
    }
    return rejected == t->nparts ? DROP_REJECTED : DROP_NONE;
}

/* Fills in relevance, similarity, and the verdicts of several topics. */
static enum drop judge(struct profiler *p, struct lens *l, const struct measured *m,
                       const struct page *page, struct str url, const struct df_table *df,
                       struct arena *arena, struct profile *io)
{
    struct topic_verdict *verdicts = NULL;
    const struct topic *t = p->topic;
    struct lowered lower = {0};

    io->relevance = io->similarity = 0;
    if (l == NULL)
        return DROP_NONE;
    io->similarity = lens_similarity(l, m->terms, m->nterms, m->raw_square);
    if (has_patterns(t))
        lower = page_lower(p, page, url);
    if (t->nparts == 0) {
        io->relevance = relevance_of(l, m, df);
        return patterns_pass(t, &lower, &io->relevance) ? DROP_NONE : DROP_REJECTED;
    }
    if (arena)
        verdicts = arena_array(arena, t->nparts, sizeof *verdicts);
    io->topics = verdicts;
    io->ntopics = verdicts ? (uint32_t)t->nparts : 0;
    return judge_parts(t, l, m, &lower, df, verdicts, io);
}

enum drop profile_page(struct profiler *p, const struct page *page, struct str url,
                       const struct df_table *df, struct arena *arena, struct profile *ret)
{
    int lang = lang_of(p, page->lang);
    struct term_sequence s = page_terms(p, page, lang);
    struct lens *l = lens_for(p, lang, df);
    size_t nterms = vec_count(p->kept, s.kept, p->scratch, p->terms);
    struct measured m;

    *ret = (struct profile){.length = (uint32_t)s.kept, .lang = (uint8_t)lang};
    if (profile_keep(p, &s, nterms, arena, ret))
        ret->lead = profile_lead(page, (uint32_t)s.title);
    ret->raw_square = raw_square(p->terms, nterms);
    ret->square = lens_square(p->terms, nterms, df);
    ret->simhash = s.simhash;
    m = (struct measured){p->terms, nterms, ret->square, ret->raw_square, p->sequence, s.length};
    return judge(p, l, &m, page, url, df, arena, ret);
}

static int compare_id(const void *id, const void *term)
{
    uint32_t a = *(const uint32_t *)id, b = ((const struct term *)term)->id;

    return a < b ? -1 : a > b;
}

/* Adds to the counts of terms; stop words are not among a page's terms. */
static void count_more(const struct profile *p, uint32_t from, uint32_t to, struct term *ret)
{
    for (uint32_t i = from; i < to && i < p->nsequence; i++) {
        struct term *t = bsearch(&p->sequence[i], ret, p->nterms, sizeof *ret, compare_id);

        if (t && !(p->stops[i / 64] >> i % 64 & 1))
            t->count += LEAD_MORE;
    }
}

void profile_terms(const struct profile *p, struct term *ret)
{
    if (p->nterms == 0)
        return;
    memcpy(ret, p->terms, p->nterms * sizeof *ret);
    count_more(p, 0, p->ntitle, ret);
    count_more(p, p->lead, p->lead + LEAD_WORDS, ret);
}

static void copy_word(const struct profile *p, uint32_t from, struct profile *to)
{
    uint32_t at = to->nsequence++;

    ((uint32_t *)to->sequence)[at] = p->sequence[from];
    ((uint64_t *)to->stops)[at / 64] |= (p->stops[from / 64] >> from % 64 & 1) << at % 64;
}

struct profile profile_copy(const struct profile *p)
{
    size_t words = (size_t)p->ntitle + 1 + LEAD_WORDS;
    struct term *terms = mem_alloc((p->nterms + 1) * sizeof *terms);
    struct profile ret = *p;

    if (p->nterms > 0)
        memcpy(terms, p->terms, p->nterms * sizeof *terms);
    ret.terms = terms;
    ret.sequence = mem_zero(words, sizeof *ret.sequence);
    ret.stops = mem_zero(words / 64 + 1, sizeof *ret.stops);
    ret.nsequence = 0;
    ret.topics = NULL; /* they belong to the page */
    ret.ntopics = 0;
    for (uint32_t i = 0; i <= p->ntitle && i < p->nsequence; i++)
        copy_word(p, i, &ret);
    ret.lead = ret.nsequence;
    for (uint32_t i = p->lead; i < p->lead + LEAD_WORDS && i < p->nsequence; i++)
        copy_word(p, i, &ret);
    return ret;
}

void profile_drop(struct profile *p)
{
    free((void *)p->terms);
    free((void *)p->sequence);
    free((void *)p->stops);
    *p = (struct profile){0};
}

/* Counts the words of `from` into p->terms, without stop words except those that the topic
 * is made of. Returns how many terms there are. */
static size_t count_terms(struct profiler *p, const struct profile *from, size_t at, size_t n)
{
    size_t kept = 0;

    profiler_reserve(p, n);
    for (size_t i = at; i < at + n; i++) {
        bool stop = from->stops[i / 64] >> i % 64 & 1;

        p->kept[kept] = from->sequence[i];
        kept += from->sequence[i] != 0 && (!stop || topic_keeps(p, from->sequence[i]));
    }
    return vec_count(p->kept, kept, p->scratch, p->terms);
}

enum drop profile_judge(struct profiler *p, const struct page *page, struct str url,
                        const struct df_table *df, struct profile *io)
{
    struct lens *l = lens_for(p, io->lang, df);
    struct measured m = {io->terms,      io->nterms,   io->square,
                         io->raw_square, io->sequence, io->nsequence};

    if (l && p->topic->keeps_stops) { /* its words were left out when the page was profiled */
        m.nterms = count_terms(p, io, 0, io->nsequence);
        m.terms = p->terms;
        m.square = lens_square(m.terms, m.nterms, df);
        m.raw_square = raw_square(m.terms, m.nterms);
    }
    return judge(p, l, &m, page, url, df, NULL, io);
}

void profile_learn(struct profiler *p, const struct page *page, struct vocab *v)
{
    int lang = lang_of(p, page->lang);
    struct term_sequence s = page_terms(p, page, lang);
    struct profile profile = {.terms = p->terms};
    bool stop;

    profile.nterms = (uint32_t)vec_count(p->kept, s.kept, p->scratch, p->terms);
    vocab_add(v, &profile);
    for (size_t i = 0; i < s.length; i++) {
        bool in_title = i < s.title;
        struct str text = in_title ? page->title : page->text;
        const struct word *w;
        struct str word;

        if (p->sequence[i] == 0) /* between title and text, or inside a word */
            continue;
        w = in_title ? &p->words[i] : &page->words[i - s.title - 1];
        word = unspaced_word(text, w, p->sequence + i, (in_title ? s.title : s.length) - i);
        if (vocab_lacks_text(v, p->sequence[i]))
            vocab_name(v, p->sequence[i], stem_word(p->stemmer, lang, word, &stop));
    }
}

/* ---- parts of pages, and other texts ---- */

/* Turns a span of the text's words into one of the sequence, cut to its end. */
static struct span span_within(struct span span, const struct profile *page)
{
    uint32_t first = page->ntitle + 1;
    uint32_t words = page->nsequence > first ? page->nsequence - first : 0;

    if (span.to > words)
        span.to = words;
    if (span.from > span.to)
        span.from = span.to;
    return (struct span){span.from + first, span.to + first};
}

float profile_span(struct profiler *p, const struct profile *page, struct span span,
                   const struct df_table *df)
{
    struct lens *l = lens_for(p, page->lang, df);
    size_t n, nterms;

    span = span_within(span, page);
    n = span.to - span.from;
    if (n == 0 || l == NULL)
        return 0;
    nterms = count_terms(p, page, span.from, n);
    return lens_relevance(l, p->terms, nterms, lens_square(p->terms, nterms, df),
                          page->sequence + span.from, n, df);
}

float profile_span_raw(struct profiler *p, const struct profile *page, struct span span)
{
    struct lens *l = lens_for(p, page->lang, p->df);
    size_t nterms;

    span = span_within(span, page);
    if (span.to == span.from || l == NULL)
        return 0;
    nterms = count_terms(p, page, span.from, span.to - span.from);
    return lens_similarity(l, p->terms, nterms, raw_square(p->terms, nterms));
}
