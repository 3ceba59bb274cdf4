/* prose.c - fills sentence patterns with words.
 *
 * In: patterns of words_general.c, a vocabulary, a generator. Out: text. A
 * pattern is copied up to a brace, the letter inside chooses a filler from a
 * table; articles ("a", "an") and plurals are put right as words fall in.
 *
 * Workload: 20 to 60 sentences a page; a sentence costs about a microsecond.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/prose.h"

#include "sim/make/words_int.h"

struct telling {
    const struct words *words;
    uint32_t topic;
    struct rng *r;
    struct buf *out;
};

static struct str pick(const char *const *list, size_t count, struct rng *r)
{
    return str_of(list[rng_below(r, count)]);
}

static bool is_vowel(char c)
{
    return c && strchr("aeiou", ascii_lower(c)) != NULL;
}

/* Adds a word; "a" before it becomes "an" where the word begins with a vowel. */
static void put(struct buf *out, struct str word)
{
    struct str so_far = buf_str(out);

    if (word.len && is_vowel(word.ptr[0]) && str_ends_i(so_far, STR("a ")) &&
        (so_far.len == 2 || !ascii_is_alpha(so_far.ptr[so_far.len - 3]))) {
        out->len--;
        buf_add_z(out, "n ");
    }
    buf_add_str(out, word);
}

/* Plurals by ending, the first that fits; reef and dwarf take a plain s. */
static const struct {
    const char *ending, *becomes;
} plurals[] = {
    {"ay", "ays"},    {"ey", "eys"},    {"oy", "oys"},   {"y", "ies"}, {"eaf", "eaves"},
    {"oaf", "oaves"}, {"elf", "elves"}, {"ife", "ives"}, {"s", "ses"}, {"x", "xes"},
    {"ch", "ches"},   {"sh", "shes"},   {"z", "zes"},    {"", "s"},
};

static void put_plural(struct buf *out, struct str word)
{
    size_t i = 0;

    while (!str_ends(word, str_of(plurals[i].ending)))
        i++;
    put(out, str_sub(word, 0, word.len - strlen(plurals[i].ending)));
    buf_add_z(out, plurals[i].becomes);
}

/* What a letter in braces stands for. */
static const struct filler {
    char letter;
    bool general; /* from the general vocabulary */
    bool plural;
    enum words_class class;
} fillers[] = {
    {'T', false, false, WORDS_THING}, {'P', false, true, WORDS_THING},
    {'S', false, false, WORDS_STUFF}, {'D', false, false, WORDS_DEED},
    {'K', false, false, WORDS_KIND},  {'t', true, false, WORDS_THING},
    {'p', true, true, WORDS_THING},   {'d', true, false, WORDS_DEED},
    {'k', true, false, WORDS_KIND},
};

static bool fill_word(const struct telling *s, char letter)
{
    for (size_t i = 0; i < ARRAY_LEN(fillers); i++) {
        const struct filler *f = &fillers[i];

        if (f->letter != letter)
            continue;
        struct str word = words_draw(s->words, f->general ? WORDS_NONE : s->topic, f->class, s->r);
        if (f->plural)
            put_plural(s->out, word);
        else
            put(s->out, word);
        return true;
    }
    return false;
}

static void fill(const struct telling *s, char letter)
{
    if (fill_word(s, letter))
        return;
    if (letter == 'w')
        put(s->out, pick(words_where, words_counts.where, s->r));
    else if (letter == 'o')
        put(s->out, pick(words_people, words_counts.people, s->r));
    else if (letter == 'h')
        put(s->out, pick(words_how, words_counts.how, s->r));
    else if (letter == 'y')
        buf_addf(s->out, "%u", 1870 + (unsigned)rng_below(s->r, 150));
    else
        buf_addf(s->out, "%u", 2 + (unsigned)rng_below(s->r, 40));
}

static void expand(const struct telling *s, const char *pattern)
{
    size_t start = s->out->len;

    for (const char *p = pattern; *p; p++) {
        if (*p != '{') {
            buf_add_char(s->out, *p);
            continue;
        }
        fill(s, p[1]);
        p += 2;
    }
    if (s->out->len > start && ascii_is_alpha(s->out->data[start]))
        s->out->data[start] = (char)(s->out->data[start] & ~32);
}

void prose_sentence(const struct words *w, uint32_t topic, struct rng *r, struct buf *out)
{
    struct telling s = {w, topic, r, out};

    if (topic == WORDS_NONE)
        expand(&s, words_plain[rng_below(r, words_counts.plain)]);
    else
        expand(&s, words_patterns[rng_below(r, words_counts.patterns)]);
}

void prose_title(const struct words *w, uint32_t topic, struct rng *r, struct buf *out)
{
    struct telling s = {w, topic, r, out};

    if (topic == WORDS_NONE)
        expand(&s, words_plain_titles[rng_below(r, words_counts.plain_titles)]);
    else
        expand(&s, words_titles[rng_below(r, words_counts.titles)]);
}

void prose_phrase(const struct words *w, uint32_t topic, struct rng *r, struct buf *out)
{
    static const char *const topical[] = {"the {K} {T}", "{P} and {P}", "{K} {P}", "{S} for {P}"};
    static const char *const plain[] = {"the {k} {t}", "{p} and {p}", "{k} {p}"};
    struct telling s = {w, topic, r, out};

    if (topic == WORDS_NONE)
        expand(&s, plain[rng_below(r, ARRAY_LEN(plain))]);
    else
        expand(&s, topical[rng_below(r, ARRAY_LEN(topical))]);
}

struct str prose_vague(struct rng *r)
{
    return pick(words_vague, words_counts.vague, r);
}

struct str prose_person(struct rng *r)
{
    return pick(words_people, words_counts.people, r);
}

struct str prose_site(struct rng *r)
{
    return pick(words_sites, words_counts.sites, r);
}

void prose_slug(struct str text, struct buf *out)
{
    size_t start = out->len;

    for (size_t i = 0; i < text.len; i++) {
        char c = ascii_lower(text.ptr[i]);

        if (ascii_is_alpha(c) || ascii_is_digit(c))
            buf_add_char(out, c);
        else if (out->len > start && out->data[out->len - 1] != '-')
            buf_add_char(out, '-');
    }
    while (out->len > start && out->data[out->len - 1] == '-')
        out->data[--out->len] = '\0';
}
