/* topic.c - what the crawl is about: parsing and accessors.
 *
 * In: words of the command line, or a file's text (docs/topic.md). Out: struct
 * topic, which lens.c turns into a vector for every language it meets.
 * Workload: once a crawl; nothing here is hot.
 * SPDX-License-Identifier: MIT */
#include "text/topic_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/words/unspaced.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <stdlib.h>

#define TOPIC_MEMORY MIB(256)
#define WEIGHT_MAX   1000.0
#define STEM_CACHE   4096 /* words; a topic is small */

/* ---- words and phrases ---- */

static enum status too_large(void)
{
    return status_fail(ST_LIMIT, "the topic is too large: at most %d of a kind", LIMIT_TOPIC_ITEMS);
}

/* Joins characters of a text without spaces to words; characters inside a word get length 0. A
 * phrase must end with a word. */
static size_t join_unspaced(struct str text, struct word *words, size_t n)
{
    struct unspaced *u = unspaced_new();
    uint16_t lens[UNSPACED_RUN];

    for (size_t at = 0, run; at<n; at += run> 0 ? run : 1) {
        run = unspaced_run(text, words + at, n - at);
        if (run > 0)
            unspaced_words(u, text, words + at, run, lens);
        for (size_t i = 0; i < run; i++)
            words[at + i].len = lens[i];
    }
    unspaced_free(u);
    while (n > 1 && words[n - 1].len == 0)
        n--;
    return n;
}

/* Adds a word or phrase; `words` are intervals of `text`. */
static enum status add_item(struct topic *t, struct str text, const struct word *words, size_t n,
                            double weight)
{
    struct topic_item item = {.nwords = (uint32_t)n, .weight = weight};
    char lower[2 * TOKEN_MAX];

    item.words = arena_array(&t->memory, n, sizeof *item.words);
    if (item.words == NULL || t->nitems >= LIMIT_TOPIC_ITEMS)
        return too_large();
    for (size_t i = 0; i < n; i++) {
        size_t len = token_lower(text.ptr + words[i].off, words[i].len, lower);

        item.words[i] = arena_str(&t->memory, (struct str){lower, len});
        if (item.words[i].ptr == NULL)
            return too_large();
    }
    if (t->nitems == t->items_cap)
        MEM_GROW(t->items, t->nitems, &t->items_cap);
    t->items[t->nitems++] = item;
    return ST_OK;
}

static enum status too_long(void)
{
    return status_fail(ST_USAGE, "a phrase has at most %d words", LIMIT_PHRASE_WORDS);
}

/* Does this word mean enough on its own? A single character of a text without spaces does not. */
static bool says_something(struct str text, const struct word *words, size_t n, size_t i)
{
    return words[i].len > 0 &&
           ((i + 1 < n && words[i + 1].len == 0) || !unspaced_is(text, words[i]));
}

/* Adds a phrase in quotes, or words that touch (Han, kana, Thai). The latter count as a phrase and
 * as single words, since such text has no spaces. */
static enum status add_words(struct topic *t, struct str text, struct word *words, size_t n,
                             bool quoted, double weight)
{
    size_t places = join_unspaced(text, words, n), count = 0;
    enum status st = ST_OK;

    for (size_t i = 0; i < places; i++)
        count += words[i].len > 0;
    if (count > LIMIT_PHRASE_WORDS && quoted)
        return too_long();
    if (count <= LIMIT_PHRASE_WORDS)
        st = add_item(t, text, words, places, weight);
    for (size_t i = 0; i < n && count > 1 && !quoted && weight > 0 && st == ST_OK; i++)
        if (says_something(text, words, n, i))
            st = add_item(t, text, words + i, 1, weight);
    return st;
}

/* Adds one piece of a line: a quoted phrase, or characters without white space. */
static enum status add_piece(struct topic *t, struct str piece, bool quoted, double weight)
{
    struct word words[LIMIT_PHRASE_PLACES];
    size_t n = 0, at = 0, end = 0, off, len;
    enum status st = ST_OK;

    while (st == ST_OK && token_next(piece, &at, &off, &len)) {
        if (!quoted && n > 0 && (off != end || n == LIMIT_PHRASE_PLACES)) {
            st = add_words(t, piece, words, n, quoted, weight);
            n = 0;
        }
        if (n == LIMIT_PHRASE_PLACES)
            return too_long();
        words[n++] = (struct word){.off = (uint32_t)off, .len = (uint16_t)len};
        end = at;
    }
    return st == ST_OK && n > 0 ? add_words(t, piece, words, n, quoted, weight) : st;
}

/* Adds a line such as: word "a phrase" -word -"a phrase" ... */
static enum status add_pieces(struct topic *t, struct str line, double weight)
{
    while ((line = str_trim(line)).len > 0) {
        bool minus = line.len > 1 && line.ptr[0] == '-', quoted;
        struct str piece = str_sub(line, minus, line.len);
        enum status st;
        size_t end = 0;

        quoted = piece.ptr[0] == '"';
        if (quoted) {
            piece = str_sub(piece, 1, piece.len);
            end = str_find_char(piece, '"', 0);
            if (end == SIZE_MAX)
                return status_fail(ST_USAGE, "a phrase that begins with \" must end with \"");
        } else {
            while (end < piece.len && !ascii_is_space(piece.ptr[end]))
                end++;
        }
        st = add_piece(t, str_sub(piece, 0, end), quoted, minus ? -weight : weight);
        if (st != ST_OK)
            return st;
        line = str_sub(piece, end + quoted, piece.len);
    }
    return ST_OK;
}

/* Cuts a number off the end of a line, if something stands before it. */
static enum status cut_weight(struct str *line, double *ret)
{
    size_t from = line->len;
    struct str last;
    double weight;

    while (from > 0 && !ascii_is_space(line->ptr[from - 1]))
        from--;
    last = str_sub(*line, from, line->len);
    if (from == 0 || !(ascii_is_digit(last.ptr[0]) || last.ptr[0] == '.') ||
        !str_to_double(last, &weight))
        return ST_OK;
    if (!(weight > 0) || weight > WEIGHT_MAX)
        return status_fail(ST_USAGE,
                           "the weight %.*s is not above 0 and at most %.0f (a number that is "
                           "a word stands in quotes: \"area 51\")",
                           STR_ARG(last), WEIGHT_MAX);
    *line = str_trim(str_sub(*line, 0, from));
    *ret = weight;
    return ST_OK;
}

/* ---- lines ---- */

static enum status add_pattern(struct topic *t, struct str rest, struct pattern **list, size_t *n,
                               size_t *cap)
{
    if (*n >= LIMIT_TOPIC_ITEMS)
        return too_large();
    if (*n == *cap)
        MEM_GROW(*list, *n, cap);
    return pattern_parse(rest, &t->memory, &(*list)[(*n)]) == ST_OK ? ((*n)++, ST_OK) : ST_USAGE;
}

static enum status line_match(struct topic *t, struct str rest)
{
    return add_pattern(t, rest, &t->match, &t->nmatch, &t->match_cap);
}

static enum status line_reject(struct topic *t, struct str rest)
{
    return add_pattern(t, rest, &t->reject, &t->nreject, &t->reject_cap);
}

static enum status add_example_line(struct topic *t, struct str rest, bool positive)
{
    struct str path = arena_str(&t->memory, rest);

    if (path.ptr == NULL || t->nexamples >= LIMIT_TOPIC_ITEMS)
        return too_large();
    for (size_t i = 0; i < t->nexamples; i++)
        if (t->examples[i].is_positive != positive && str_eq(t->examples[i].path, path))
            return status_fail(ST_USAGE, "%.*s is an example of both kinds, + and - (line %zu)",
                               STR_ARG(path), t->examples[i].line);
    if (t->nexamples == t->examples_cap)
        MEM_GROW(t->examples, t->nexamples, &t->examples_cap);
    t->examples[t->nexamples++] = (struct topic_example){path, t->line, positive};
    return ST_OK;
}

static enum status line_plus(struct topic *t, struct str rest)
{
    return add_example_line(t, rest, true);
}

static enum status line_minus(struct topic *t, struct str rest)
{
    return add_example_line(t, rest, false);
}

static enum status line_marks(struct topic *t, struct str rest)
{
    struct str dir = arena_str(&t->memory, rest);

    if (dir.ptr == NULL || t->nmarks >= LIMIT_TOPIC_ITEMS)
        return too_large();
    if (t->nmarks == t->marks_cap)
        MEM_GROW(t->marks, t->nmarks, &t->marks_cap);
    t->marks[t->nmarks++] = (struct topic_example){.path = dir, .line = t->line};
    return ST_OK;
}

static enum status line_idf(struct topic *t, struct str rest)
{
    if (t->idf_file.len > 0)
        return status_fail(ST_USAGE, "a topic has one idf table");
    t->idf_file = arena_str(&t->memory, rest);
    return t->idf_file.ptr ? ST_OK : too_large();
}

static const struct keyword {
    const char *name;
    bool file; /* what follows is a file or URL */
    enum status (*take)(struct topic *t, struct str rest);
} keywords[] = {
    {"match", false, line_match}, {"reject", false, line_reject}, {"+", true, line_plus},
    {"-", true, line_minus},      {"marks", true, line_marks},    {"idf", true, line_idf},
};

/* Returns the keyword that a line begins with, and what follows it; NULL if it begins with none. */
static const struct keyword *find_keyword(struct str line, struct str *ret_rest)
{
    size_t end = 0;

    line = str_trim(line);
    while (end < line.len && !ascii_is_space(line.ptr[end]))
        end++;
    *ret_rest = str_trim(str_sub(line, end, line.len));
    for (size_t i = 0; end < line.len && i < ARRAY_LEN(keywords); i++)
        if (str_eq(str_sub(line, 0, end), str_of(keywords[i].name)))
            return &keywords[i];
    return NULL;
}

static enum status topic_line(struct topic *t, struct str line)
{
    const struct keyword *keyword;
    double weight = 1;
    struct str rest;
    enum status st;

    if (!utf8_is_valid(line))
        return status_fail(ST_USAGE, "this is no UTF-8 text");
    line = str_trim(line);
    if (line.len == 0 || line.ptr[0] == '#')
        return ST_OK;
    keyword = find_keyword(line, &rest);
    if (keyword)
        return keyword->take(t, rest);
    if (line.ptr[0] == '+')
        return status_fail(ST_USAGE, "an example is written '+ FILE', with a blank after the +");
    st = cut_weight(&line, &weight);
    return st == ST_OK ? add_pieces(t, line, weight) : st;
}

/* Would these words mean something else as a line of a file? */
static bool differs_as_line(struct str words)
{
    struct str line = str_trim(words), rest;
    double weight = 0;

    return find_keyword(words, &rest) || str_starts(line, STR("#")) || str_starts(line, STR("+")) ||
           str_starts(line, STR("[")) || str_find_char(line, '\n', 0) != SIZE_MAX ||
           !utf8_is_valid(line) || cut_weight(&line, &weight) != ST_OK || weight != 0;
}

void topic_item_words(const struct topic_item *item, struct buf *out)
{
    for (uint32_t k = 0; k < item->nwords; k++) {
        bool inside = k > 0 && item->words[k - 1].len == 0;

        buf_add_z(out, k > 0 && item->words[k].len > 0 && !inside ? " " : "");
        buf_add_str(out, item->words[k]);
    }
}

/* Writes the words as a line that cannot be misread: every item in quotes. */
static struct str quoted_source(struct topic *t)
{
    struct buf out = BUF_INIT(2 * LIMIT_TOPIC_FILE);
    struct str source;

    for (size_t i = 0; i < t->nitems; i++) {
        buf_add_z(&out, i ? " " : "");
        buf_add_z(&out, t->items[i].weight < 0 ? "-\"" : "\"");
        topic_item_words(&t->items[i], &out);
        buf_add_z(&out, "\"");
    }
    source = arena_str(&t->memory, buf_str(&out));
    buf_free(&out);
    return source;
}

/* ---- terms ---- */

static enum status add_term(struct topic *t, struct map *places, struct str stem, double weight)
{
    uint32_t id = term_id(stem);
    bool is_new;
    uint32_t place = *map_at(places, hash_u64(id), (uint32_t)t->nterms, &is_new);

    if (!is_new) {
        t->terms[place].weight += weight;
        return ST_OK;
    }
    stem = arena_str(&t->memory, stem);
    if (stem.ptr == NULL)
        return too_large();
    if (t->nterms == t->terms_cap)
        MEM_GROW(t->terms, t->nterms, &t->terms_cap);
    t->terms[t->nterms++] = (struct topic_term){stem, id, weight};
    return ST_OK;
}

/* The terms of all positive words and phrases; stop words only if asked to. */
static enum status collect_terms(struct topic *t, struct stemmer *s, bool stops)
{
    enum status st = ST_OK;
    struct map places; /* of a term in t->terms */

    map_init(&places);
    for (size_t i = 0; i < t->nitems; i++) {
        const struct topic_item *item = &t->items[i];

        for (uint32_t k = 0; st == ST_OK && item->weight > 0 && k < item->nwords; k++) {
            bool stop;
            struct str stem = stem_word(s, t->lang, item->words[k], &stop);

            if (item->words[k].len > 0 && (stops || !stop))
                st = add_term(t, &places, stem, item->weight);
        }
    }
    map_free(&places);
    return st;
}

static void collect_against(struct topic *t, struct stemmer *s)
{
    for (size_t i = 0; i < t->nitems; i++) {
        const struct topic_item *item = &t->items[i];
        struct topic_term one = {.weight = -item->weight};
        bool stop = true;

        if (item->weight < 0 && item->nwords == 1)
            one.id = term_id(stem_word(s, t->lang, item->words[0], &stop));
        if (stop)
            continue;
        MEM_GROW(t->against, t->nagainst, &t->against_cap);
        t->against[t->nagainst++] = one;
    }
}

/* Drops single stop words, unless there is nothing else. */
static void drop_stops(struct topic *t, struct stemmer *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->nitems; i++) {
        const struct topic_item *item = &t->items[i];
        bool stop = false;

        if (item->nwords == 1 && (item->weight < 0 || !t->keeps_stops))
            stem_word(s, t->lang, item->words[0], &stop);
        if (!stop)
            t->items[kept++] = *item;
    }
    t->nitems = kept;
}

/* Is it a phrase such as "to be", which no term of the topic stands for? */
static bool is_stop_phrase(const struct topic *t, const struct topic_item *item, struct stemmer *s)
{
    bool stop = item->nwords > 1 && item->weight > 0;

    for (uint32_t k = 0; k < item->nwords && stop; k++)
        if (item->words[k].len > 0)
            (void)stem_word(s, t->lang, item->words[k], &stop);
    return stop;
}

enum status topic_collect(struct topic *t)
{
    struct stemmer *s = stemmer_new(STEM_CACHE);
    enum status st = collect_terms(t, s, t->keeps_stops);

    if (st == ST_OK && t->nterms == 0) {
        st = collect_terms(t, s, true);
        t->keeps_stops = t->nterms > 0;
    }
    drop_stops(t, s);
    collect_against(t, s);
    for (size_t i = 0; i < t->nitems; i++)
        t->has_stop_phrase |= !t->keeps_stops && is_stop_phrase(t, &t->items[i], s);
    stemmer_free(s);
    return st;
}

static enum status topic_finish(struct topic *t)
{
    enum status st = topic_collect(t);

    if (st != ST_OK)
        return st;
    for (size_t i = 0; i < t->nexamples; i++)
        if (t->examples[i].is_positive)
            return ST_OK;
    return t->nterms > 0 || t->nmarks > 0
               ? ST_OK
               : status_fail(ST_USAGE, "the topic has no words: give at least one word "
                                       "that says what to look for");
}

/* ---- making ---- */

struct topic *topic_new(struct str source, struct str lang)
{
    struct topic *t = MEM_NEW(struct topic);

    arena_init(&t->memory, TOPIC_MEMORY);
    map_init(&t->spelling);
    t->source = arena_str(&t->memory, source);
    t->lang = lang.len ? stem_lang(lang) : stem_lang(STR("en"));
    return t;
}

static enum status topic_done(struct topic *t, enum status st, struct topic **ret)
{
    if (st == ST_OK)
        *ret = t;
    else
        topic_free(t);
    return st;
}

enum status topic_from_words(struct str words, struct str lang, struct topic **ret)
{
    struct topic *t = topic_new(words, lang);
    enum status st = words.len <= LIMIT_TOPIC_FILE ? add_pieces(t, words, 1) : too_large();

    if (st == ST_OK)
        st = topic_finish(t);
    if (st == ST_OK && differs_as_line(words))
        t->source = quoted_source(t);
    return topic_done(t, st, ret);
}

/* Skips a byte order mark. */
static struct str without_mark(struct str text)
{
    return str_starts(text, STR("\xef\xbb\xbf")) ? str_sub(text, 3, text.len) : text;
}

enum status topic_from_lines(struct str text, size_t line, const char *name, struct str lang,
                             struct topic **ret)
{
    struct topic *t = topic_new(text, lang);
    enum status st = text.len <= LIMIT_TOPIC_FILE ? ST_OK : too_large();
    struct str rest = without_mark(text), one;

    for (t->line = line; st == ST_OK && str_cut(&rest, '\n', &one); t->line++) {
        st = topic_line(t, one);
        if (st != ST_OK)
            st = status_prefix(st, "%s:%zu", name, t->line);
    }
    if (st == ST_OK) {
        st = topic_finish(t);
        if (st != ST_OK)
            st = status_prefix(st, "%s", name);
    }
    return topic_done(t, st, ret);
}

static bool is_placed(struct str file)
{
    return str_starts(file, STR("/")) || str_starts_i(file, STR("http://")) ||
           str_starts_i(file, STR("https://"));
}

enum status topic_place(struct str text, struct str dir, struct buf *out)
{
    struct str line, file;

    text = without_mark(text);
    while (str_cut(&text, '\n', &line)) {
        const struct keyword *keyword = find_keyword(line, &file);

        if (keyword && keyword->file && !is_placed(file))
            buf_addf(out, "%s %.*s/%.*s", keyword->name, STR_ARG(dir), STR_ARG(file));
        else
            buf_add_str(out, line);
        buf_add_char(out, '\n');
    }
    return out->full ? too_large() : ST_OK;
}

void topic_free(struct topic *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->nparts; i++)
        topic_free(t->parts[i]);
    free(t->parts);
    free(t->items);
    free(t->terms);
    free(t->against);
    free(t->match);
    free(t->reject);
    free(t->examples);
    free(t->marks);
    free(t->samples);
    free(t->spelled);
    map_free(&t->spelling);
    classify_free(t->classifier);
    arena_free(&t->memory);
    free(t);
}

enum status topic_add_sample(struct topic *t, const struct term *terms, size_t nterms,
                             bool positive)
{
    struct term *kept;

    if (nterms == 0)
        return status_fail(ST_INVALID, "the example has no words");
    kept = arena_array(&t->memory, nterms, sizeof *kept);
    if (kept == NULL || t->nsamples >= LIMIT_TOPIC_ITEMS)
        return too_large();
    memcpy(kept, terms, nterms * sizeof *kept);
    if (t->nsamples == t->samples_cap)
        MEM_GROW(t->samples, t->nsamples, &t->samples_cap);
    t->samples[t->nsamples++] =
        (struct classify_example){.terms = kept, .nterms = nterms, .is_positive = positive};
    return ST_OK;
}

void topic_train(struct topic *t, const struct df_table *df)
{
    struct classify_config config = {.learner = LEARNER_LOGISTIC, .c = CLASSIFY_C};
    struct classifier *c = NULL;
    size_t plus = 0;

    for (size_t i = 0; i < t->nparts; i++)
        topic_train(t->parts[i], df);
    topic_join_samples(t);
    for (size_t i = 0; i < t->nsamples; i++)
        plus += t->samples[i].is_positive;
    if (plus > 0 && plus < t->nsamples && /* both kinds are there, so it cannot fail */
        classify_train(t->samples, t->nsamples, df, &config, &c) == ST_OK) {
        classify_free(t->classifier);
        t->classifier = c;
    }
}

/* ---- accessors ---- */

size_t topic_terms(const struct topic *t)
{
    return t->nterms;
}

struct str topic_term(const struct topic *t, size_t i, float *ret_weight, uint32_t *ret_id)
{
    if (ret_weight)
        *ret_weight = (float)t->terms[i].weight;
    if (ret_id)
        *ret_id = t->terms[i].id;
    return t->terms[i].stem;
}

size_t topic_against(const struct topic *t)
{
    return t->nagainst;
}

uint32_t topic_against_term(const struct topic *t, size_t i, float *ret_weight)
{
    *ret_weight = (float)t->against[i].weight;
    return t->against[i].id;
}

size_t topic_examples(const struct topic *t)
{
    return t->nexamples;
}

struct str topic_example(const struct topic *t, size_t i, bool *ret_positive)
{
    if (ret_positive)
        *ret_positive = t->examples[i].is_positive;
    return t->examples[i].path;
}

size_t topic_example_line(const struct topic *t, size_t i)
{
    return t->examples[i].line;
}

size_t topic_marks(const struct topic *t)
{
    return t->nmarks;
}

struct str topic_mark(const struct topic *t, size_t i, size_t *ret_line)
{
    *ret_line = t->marks[i].line;
    return t->marks[i].path;
}

bool topic_keeps_stops(const struct topic *t)
{
    return t->keeps_stops;
}

bool topic_has_stop_phrase(const struct topic *t)
{
    return t->has_stop_phrase;
}

size_t topic_samples(const struct topic *t)
{
    return t->nsamples;
}

const struct term *topic_sample(const struct topic *t, size_t i, size_t *ret_nterms,
                                bool *ret_positive)
{
    *ret_nterms = t->samples[i].nterms;
    *ret_positive = t->samples[i].is_positive;
    return t->samples[i].terms;
}

const struct classifier *topic_classifier(const struct topic *t)
{
    return t->classifier;
}

struct str topic_idf_file(const struct topic *t)
{
    return t->idf_file;
}

struct str topic_lang(const struct topic *t)
{
    return stem_lang_code(t->lang);
}

struct str topic_source(const struct topic *t)
{
    return t->source;
}
