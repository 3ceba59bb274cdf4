/* lang.c - in which language is a text written?
 *
 * In: a text, or a page. Out: a code ("de"). Workload: once a page, a sample of 640 bytes in
 * pieces from all over its main text, so that a quotation or a menu does not decide alone;
 * about 600 features. Each is looked up once for all languages of its script: a row of 32
 * small weights, which are added to 32 sums. docs/adr/0021 says how accurate it is.
 * SPDX-License-Identifier: MIT */
#include "text/words/lang.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/words/unicode.h"

#include <assert.h>
#include <pthread.h>

enum script {
    SCRIPT_NONE,
    SCRIPT_LATIN,
    SCRIPT_CYRILLIC,
    SCRIPT_ARABIC,
    SCRIPT_DEVANAGARI,
    SCRIPT_MANY, /* each of the scripts below is used by one language */
    SCRIPT_GREEK = SCRIPT_MANY,
    SCRIPT_HEBREW,
    SCRIPT_ARMENIAN,
    SCRIPT_GEORGIAN,
    SCRIPT_TAMIL,
    SCRIPT_THAI,
    SCRIPT_HANGUL,
    SCRIPT_HAN,
    SCRIPT_KANA,
    SCRIPTS
};

#include "text/words/lang_table.h"

#define LANES       32  /* languages of a script, at most */
#define PLAIN       27  /* '_' and the letters from a to z */
#define WORD_SHORT  5   /* letters of a word that is a feature as a whole */
#define WORD_LONG   20  /* longer ones are ignored */
#define ROWS        512 /* looked up before they are added */
#define SAMPLE      640 /* bytes of a page that are read */
#define PIECE       80
#define SOME_WORDS  12 /* features: with fewer there is no answer */
#define SOME_LEAD   4  /* weights by which the best must lead for an answer */
#define SURE_LEAD   16 /* … for a sure answer; and in long texts … */
#define SURE_SHARE  4  /* … a weight for this many features: lists of words lead by less */
#define SURE_WORDS  40 /* features */
#define SURE_COMMON 10 /* one common short word for this many: lists of words have fewer */
#define SURE_FIT    3  /* mean weight of a feature: a text of the language has more */

static const char *const only[SCRIPTS] = {
    [SCRIPT_GREEK] = "el",  [SCRIPT_HEBREW] = "he",   [SCRIPT_ARMENIAN] = "hy",
    [SCRIPT_TAMIL] = "ta",  [SCRIPT_GEORGIAN] = "ka", [SCRIPT_THAI] = "th",
    [SCRIPT_HANGUL] = "ko", [SCRIPT_HAN] = "zh",      [SCRIPT_KANA] = "ja",
};

/* Ascending; code points between them are in no script of the table. */
static const struct {
    uint32_t from, to;
    uint8_t script;
} ranges[] = {
    {0x41, 0x24f, SCRIPT_LATIN},       {0x370, 0x3ff, SCRIPT_GREEK},
    {0x400, 0x52f, SCRIPT_CYRILLIC},   {0x531, 0x58f, SCRIPT_ARMENIAN},
    {0x5d0, 0x5f4, SCRIPT_HEBREW},     {0x620, 0x6ff, SCRIPT_ARABIC},
    {0x900, 0x97f, SCRIPT_DEVANAGARI}, {0xb80, 0xbff, SCRIPT_TAMIL},
    {0xe00, 0xe7f, SCRIPT_THAI},       {0x10a0, 0x10ff, SCRIPT_GEORGIAN},
    {0x1e00, 0x1eff, SCRIPT_LATIN},    {0x1f00, 0x1fff, SCRIPT_GREEK},
    {0x3040, 0x30ff, SCRIPT_KANA},     {0x3400, 0x4dbf, SCRIPT_HAN},
    {0x4e00, 0x9fff, SCRIPT_HAN},      {0xac00, 0xd7a3, SCRIPT_HANGUL},
};

/* ---- the table ---- */

/* A number for each lane. They are vectors, so that a few instructions add a row. */
typedef uint8_t lane_weights __attribute__((vector_size(LANES), aligned(1)));
typedef uint16_t lane_sums __attribute__((vector_size(2 * LANES), aligned(16)));

struct lane_row {
    lane_weights weights;
};

#define NO_ROW 0 /* the number of the first row, which has no weights */

static struct {
    struct map features; /* of script and letters -> row */
    struct lane_row *rows;
    size_t nrows, rows_cap;
    /* Most look-ups are of three letters from a to z, or '_': their place is computed, and has the
     * number of their row. */
    uint16_t plain[PLAIN * PLAIN * PLAIN];
    uint8_t lanes[SCRIPT_MANY][LANES]; /* -> index in lang_rows */
    unsigned nlanes[SCRIPT_MANY];
} table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static inline uint64_t key_add(uint64_t key, uint32_t cp)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) + cp;
}

static inline uint64_t key_of(enum script script, const uint32_t *letters, size_t n)
{
    uint64_t key = script;

    for (size_t i = 0; i < n; i++)
        key = key_add(key, letters[i]);
    return hash_u64(key);
}

/* Returns the place of three plain Latin letters; SIZE_MAX if they are not such. */
static inline size_t plain_place(const uint32_t *letters)
{
    size_t place = 0;

    for (size_t i = 0; i < 3; i++) {
        uint32_t code = letters[i] == '_' ? 0 : letters[i] - 'a' + 1;

        if (code >= PLAIN || letters[i] == '`')
            return SIZE_MAX;
        place = place * PLAIN + code;
    }
    return place;
}

static void table_put(enum script script, unsigned lane, struct str feature, uint8_t weight)
{
    uint32_t letters[WORD_SHORT + 2], *row;
    size_t n = 0, at = 0;
    bool is_new;

    while (at < feature.len && n < ARRAY_LEN(letters))
        letters[n++] = utf8_next(feature, &at);
    row = map_at(&table.features, key_of(script, letters, n), (uint32_t)table.nrows, &is_new);
    if (is_new) {
        if (table.nrows == table.rows_cap)
            MEM_GROW(table.rows, table.nrows, &table.rows_cap);
        table.rows[table.nrows++] = (struct lane_row){{0}};
    }
    assert(table.nrows < UINT16_MAX);
    table.rows[*row].weights[lane] = weight;
    if (script == SCRIPT_LATIN && n == 3 && plain_place(letters) != SIZE_MAX)
        table.plain[plain_place(letters)] = (uint16_t)*row;
}

static void table_make(void)
{
    map_init(&table.features);
    MEM_GROW(table.rows, 0, &table.rows_cap);
    table.rows[NO_ROW] = (struct lane_row){{0}};
    table.nrows = 1;
    for (size_t i = 0; i < ARRAY_LEN(lang_rows); i++) {
        enum script script = lang_rows[i].script;
        unsigned lane = table.nlanes[script]++;
        struct str rest = str_of(lang_rows[i].groups), group, feature;

        table.lanes[script][lane] = (uint8_t)i;
        for (uint8_t weight = LANG_TOP; str_cut(&rest, '|', &group); weight--)
            while (str_cut(&group, ' ', &feature))
                table_put(script, lane, feature, weight);
    }
}

/* ---- reading ---- */

static enum script script_of(uint32_t cp)
{
    if (cp < 0x80)
        return SCRIPT_LATIN;
    for (size_t i = 0; i < ARRAY_LEN(ranges) && ranges[i].from <= cp; i++)
        if (cp <= ranges[i].to)
            return ranges[i].script;
    return SCRIPT_NONE;
}

/* Sums of the text read so far, by script and lane. A text has at most some 800 bytes, and two
 * features for each: no sum overflows. */
struct lang_reading {
    uint32_t letters[SCRIPTS];
    uint32_t features[SCRIPT_MANY];
    lane_sums sums[SCRIPT_MANY];
    uint32_t words[SCRIPT_MANY];
    lane_sums common[SCRIPT_MANY]; /* words that are features of the language as a whole */
    uint32_t word[WORD_LONG + 2];  /* "_word_" */
    size_t len;                    /* with the first '_' */
    enum script script;            /* of its first letter */
    enum script rows_of;           /* to the sums of this one are to be added: */
    size_t nrows;
    uint16_t rows[ROWS]; /* not set at first */
};

/* Returns the row of a feature, which may be the one without weights. */
static inline uint16_t find_row(enum script script, const uint32_t *letters, size_t n)
{
    size_t place = script == SCRIPT_LATIN && n == 3 ? plain_place(letters) : SIZE_MAX;
    uint32_t row;

    if (place != SIZE_MAX)
        return table.plain[place];
    row = map_get(&table.features, key_of(script, letters, n));
    return row == MAP_NONE ? NO_ROW : (uint16_t)row;
}

#define WEIGHTS(row) __builtin_convertvector(table.rows[row].weights, lane_sums)

/* Adds up the rows. They are all over the table; here the processor can load many at once. */
static void add_rows(struct lang_reading *r)
{
    lane_sums sums = r->sums[r->rows_of];

    for (size_t i = 0; i < r->nrows; i++)
        sums += WEIGHTS(r->rows[i]);
    r->sums[r->rows_of] = sums;
    r->nrows = 0;
}

static void word_end(struct lang_reading *r)
{
    size_t n = r->len;

    r->len = 0;
    if (n < 2 || n > WORD_LONG + 1 || r->script == SCRIPT_NONE || r->script >= SCRIPT_MANY)
        return;
    r->word[n++] = '_';
    if (r->rows_of != r->script || r->nrows + n > ROWS)
        add_rows(r);
    r->rows_of = r->script;
    r->words[r->script]++;
    if (n <= WORD_SHORT + 2) {
        uint16_t whole = find_row(r->script, r->word, n);

        if (whole != NO_ROW)
            r->common[r->script] -= (lane_sums)(WEIGHTS(whole) > 0);
        r->rows[r->nrows++] = whole;
        r->features[r->script]++;
    }
    if (n > 3) {
        for (size_t i = 0; i + 3 <= n; i++)
            r->rows[r->nrows++] = find_row(r->script, r->word + i, 3);
        r->features[r->script] += (uint32_t)n - 2;
    }
}

static bool is_letter(uint32_t cp)
{
    enum char_class class = unicode_class(cp);

    return class == CHAR_LETTER || class == CHAR_SOLO;
}

static void read_text(struct lang_reading *r, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        enum script script = SCRIPT_LATIN;
        uint32_t cp;

        if (ascii_is_alpha(text.ptr[at])) { /* nearly all */
            cp = (unsigned char)text.ptr[at++] | 0x20;
        } else {
            cp = utf8_next(text, &at);
            if (!is_letter(cp)) {
                word_end(r);
                continue;
            }
            script = script_of(cp);
            cp = unicode_lower(cp);
        }
        r->letters[script]++;
        if (r->len == 0) {
            r->word[r->len++] = '_';
            r->script = script;
        }
        if (r->len <= WORD_LONG)
            r->word[r->len++] = cp;
        else
            r->len = WORD_LONG + 2; /* too long */
    }
    word_end(r);
}

/* ---- deciding ---- */

/* Returns the script of the text. A character of these scripts counts as much as
 * several letters of others. */
static enum script main_script(const struct lang_reading *r, uint32_t *ret_share)
{
    enum script best = SCRIPT_NONE;
    uint32_t all = 0, most = 0;

    for (enum script s = SCRIPT_LATIN; s < SCRIPTS; s++) {
        uint32_t n = r->letters[s] * (s >= SCRIPT_HANGUL ? 3 : 1);

        if (s == SCRIPT_HAN || s == SCRIPT_KANA) /* they belong together: Japanese uses both */
            n = 3 * (r->letters[SCRIPT_HAN] + r->letters[SCRIPT_KANA]);
        all += s == SCRIPT_KANA ? 0 : n;
        if (n > most) {
            most = n;
            best = s;
        }
    }
    if (best == SCRIPT_HAN && r->letters[SCRIPT_KANA] * 10 > r->letters[SCRIPT_HAN])
        best = SCRIPT_KANA;
    *ret_share = all ? 100 * most / all : 0;
    return best;
}

static struct lang_found decide(struct lang_reading *r)
{
    uint32_t share, best = 0, second = 0;
    enum script script = main_script(r, &share);
    const lane_sums *sums = &r->sums[script < SCRIPT_MANY ? script : 0];
    unsigned lane = 0;

    add_rows(r);
    if (script == SCRIPT_NONE)
        return (struct lang_found){.sure = false};
    if (script >= SCRIPT_MANY)
        return (struct lang_found){str_of(only[script]), r->letters[script] >= 10 && share > 50};
    for (unsigned i = 0; i < table.nlanes[script]; i++) {
        uint32_t sum = (*sums)[i];

        if (sum > best) {
            second = best;
            best = sum;
            lane = i;
        } else if (sum > second) {
            second = sum;
        }
    }
    if (best - second < SOME_LEAD || r->features[script] < SOME_WORDS)
        return (struct lang_found){.sure = false};
    return (struct lang_found){str_of(lang_rows[table.lanes[script][lane]].code),
                               share > 50 && best - second >= SURE_LEAD &&
                                   (best - second) * SURE_SHARE >= r->features[script] &&
                                   r->features[script] >= SURE_WORDS &&
                                   best >= SURE_FIT * r->features[script] &&
                                   r->common[script][lane] * SURE_COMMON >= r->words[script]};
}

/* ---- pages ---- */

/* Returns at most PIECE bytes of `text` from `at` on, in whole words if it has spaces. */
static struct str piece_of(struct str text, size_t at)
{
    size_t end = at + PIECE, space;

    space = at ? str_find_char(str_sub(text, 0, at + PIECE), ' ', at) : SIZE_MAX;
    if (space != SIZE_MAX)
        at = space;
    while (at < text.len && at > 0 && ((unsigned char)text.ptr[at] & 0xc0) == 0x80)
        at++;
    end = at + PIECE;
    if (end >= text.len)
        return str_sub(text, at, text.len);
    while (end > at && ((unsigned char)text.ptr[end] & 0xc0) == 0x80)
        end--;
    for (space = end; space > at + PIECE / 2 && text.ptr[space] != ' '; space--)
        ;
    return str_sub(text, at, text.ptr[space] == ' ' ? space : end);
}

/* Returns a passage that can show the language; code cannot. */
static struct str passage_of(const struct page *page, uint32_t i)
{
    const struct passage *p = &page->main[i];

    if (p->kind == PASSAGE_CODE)
        return (struct str){NULL, 0};
    return str_sub(page->text, p->off, p->off + p->len);
}

static void read_sampled(struct lang_reading *r, struct str text, size_t step, size_t *at)
{
    if (step <= PIECE) { /* short enough to be read whole */
        read_text(r, text);
        return;
    }
    for (; *at < text.len; *at += step)
        read_text(r, piece_of(text, *at));
    *at -= text.len;
}

static void read_page(struct lang_reading *r, const struct page *page)
{
    size_t all = 0, at = 0, step;

    for (uint32_t i = 0; i < page->nmain; i++)
        all += passage_of(page, i).len;
    if (all < PIECE) { /* there is no main text, or hardly any */
        read_sampled(r, page->text, page->text.len / (SAMPLE / PIECE), &at);
        return;
    }
    step = all / (SAMPLE / PIECE);
    for (uint32_t i = 0; i < page->nmain; i++)
        read_sampled(r, passage_of(page, i), step, &at);
}

static struct str primary(struct str code)
{
    size_t end = 0;

    while (end < code.len && ascii_is_alpha(code.ptr[end]))
        end++;
    code.len = end;
    return str_eq_i(code, STR("nb")) || str_eq_i(code, STR("nn")) ? STR("no") : code;
}

static bool is_known(struct str code)
{
    for (size_t i = 0; i < ARRAY_LEN(lang_rows); i++)
        if (str_eq_i(code, str_of(lang_rows[i].code)))
            return true;
    for (size_t i = 0; i < SCRIPTS; i++)
        if (only[i] && str_eq_i(code, str_of(only[i])))
            return true;
    return false;
}

struct lang_found lang_found_in(const struct page *page)
{
    struct lang_reading r;

    memset(&r, 0, offsetof(struct lang_reading, rows));
    (void)pthread_once(&once, table_make);
    read_page(&r, page);
    return decide(&r);
}

struct str lang_of_page(const struct page *page)
{
    struct str declared = primary(page->lang);
    struct lang_found found = lang_found_in(page);

    if (declared.len == 0)
        return found.sure ? found.code : page->lang;
    if (!found.sure || str_eq_i(declared, found.code) || !is_known(declared) ||
        (str_eq(found.code, STR("hr")) && str_eq_i(declared, STR("sr"))))
        return page->lang;
    return found.code;
}
