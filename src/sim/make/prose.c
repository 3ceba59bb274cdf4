/* prose.c - fills sentence patterns with words.
 *
 * In: patterns, a vocabulary, a generator. Out: text. A pattern is copied up to a brace, the letter inside chooses a filler from a
 * table; articles ("a", "an") and plurals are put right as words fall in.
 *
 * Workload: 20 to 60 sentences a page; a sentence costs about a microsecond.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/prose.h"

#include "base/mem.h"

/* ---- what is said --------------------------------------------------------- */

static const char *const where_list[] = {
    "in the early morning",    "near the river",       "at the edge of town",
    "after a long week",       "before the winter",    "in late spring",
    "for several years",       "on the second day",    "under an open sky",
    "behind the house",        "during the festival",  "with great care",
    "at the local club",       "in the old workshop",  "along the main road",
    "on a cold evening",       "without any hurry",    "by the end of the season",
    "in the northern valleys", "at the weekend",       "since the last visit",
    "across the whole region", "in front of the hall", "every other month",
};

static const char *const people_list[] = {
    "Anna Berg",     "Tom Hale",     "Ines Duarte",  "Karl Lund",      "Mira Novak",
    "Paul Okafor",   "Lena Fischer", "Joao Prado",   "Sara Lindqvist", "Emil Kovacs",
    "Ruth Ashby",    "Amir Rahimi",  "Clara Moreau", "Hugo Blanc",     "Yuki Tanabe",
    "Nadia Petrova", "Owen Price",   "Marta Silva",  "Felix Brandt",   "Grace Mwangi",
    "Ida Nyberg",    "Leo Romano",   "Eva Horakova", "Sam Whitlock",
};

static const char *const how_list[] = {
    "slowly",   "carefully", "at once",   "by hand", "twice",     "again",
    "together", "properly",  "every day", "quietly", "in stages", "step by step",
};

static const char *const patterns_list[] = {
    "The {K} {T} {D} the {T} {w}.",
    "Every {T} needs a {K} {T} and enough {S}.",
    "{o} {D} the {K} {T} {w}.",
    "Most {P} are {K}, but a {K} {T} is worth the trouble.",
    "The {t} about {P} {d} many {p} {w}.",
    "In {y} {o} {d} {#} {P} and {D} them {h}.",
    "A {T} with {S} is more {K} than a {T} without it.",
    "There were {#} {P} beside the {T}, all of them {K}.",
    "{o} {d} how the {T} and the {T} work together.",
    "{S} and {S} decide whether the {T} is {K}.",
    "Nobody {D} the {T} {h} before {o} {d} it.",
    "The {k} {t} shows {P} {w}, {K} and {K}.",
    "When the {T} is {K}, the {P} follow {w}.",
    "You can tell a {K} {T} from its {T}.",
    "We {D} the {P} {h} and {d} the {t} {w}.",
    "A {k} {t} of {P}, {P} and {S} is kept here.",
    "The {T} was {K}; the {T} was not.",
    "Between the {T} and the {T} lay a {K} {T}.",
    "{o} says that {S} matters more than any {T}.",
    "Old {P} were {K} and had no {T} at all.",
    "They {D} {#} {P} {w} and {d} the {k} {p}.",
    "Too much {S} spoils a {T}, too little makes it {K}.",
    "The first {K} {T} came to the {t} in {y}.",
    "How to keep a {K} {T}: look at the {P} {h}.",
};

static const char *const plain_list[] = {
    "The {t} was {k}, and {o} {d} it {w}.",
    "Many {p} are {k} {w}.",
    "{o} {d} the {k} {t} and {d} a {t} about it.",
    "In {y} the {t} {d} a {k} {t}.",
    "This {t} lists {#} {p} and one {k} {t}.",
    "We {d} the {p} {h}, as the {t} asked.",
    "A {k} {t} needs a {t} and a {t}.",
    "It took {#} {p} to find the {k} {t}.",
    "{o} {d} the {t} {w} and {d} it {h}.",
    "The {p} of the {t} are {k} and {k}.",
};

static const char *const titles_list[] = {
    "The {K} {T}",         "{P} and {P}",        "How to choose a {K} {T}",
    "A {T} for the {T}",   "{K} {P} {w}",        "Notes on the {K} {T}",
    "{#} {P} and a {T}",   "Why {P} are {K}",    "The {T}, the {T} and {S}",
    "{S} and the {K} {T}", "A short {t} of {P}", "What the {T} tells us",
    "Looking after {P}",   "From {T} to {T}",    "{o} on {P}",
    "{P} in {y}",
};

static const char *const plain_titles_list[] = {
    "The {k} {t}",        "{p} and {p}",         "A {t} from {o}", "Notes {w}",
    "{#} {k} {p}",        "About the {t}",       "The {t} of {y}", "A {k} {t} {w}",
    "Minutes of the {t}", "{k} {p} for the {t}",
};

static const char *const vague_list[] = {
    "read more", "this page",     "here",         "more on this", "the next part",
    "continue",  "a longer text", "see the note", "details",      "another example",
};

static const char *const sites_list[] = {
    "journal", "notes",   "club",   "society", "weekly", "handbook", "house", "corner",
    "guide",   "archive", "review", "forum",   "works",  "almanac",  "hub",   "post",
};

/* ---- how it is put ------------------------------------------------------- */

struct telling {
    const struct words *words;
    uint32_t topic;
    struct rng *r;
    struct buf *out;
};

#define PICK(list, r) ((list)[rng_below((r), ARRAY_LEN(list))])

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

/* The filler for a letter in braces. */
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
        put(s->out, str_of(PICK(where_list, s->r)));
    else if (letter == 'o')
        put(s->out, str_of(PICK(people_list, s->r)));
    else if (letter == 'h')
        put(s->out, str_of(PICK(how_list, s->r)));
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
        expand(&s, PICK(plain_list, r));
    else
        expand(&s, PICK(patterns_list, r));
}

void prose_title(const struct words *w, uint32_t topic, struct rng *r, struct buf *out)
{
    struct telling s = {w, topic, r, out};

    if (topic == WORDS_NONE)
        expand(&s, PICK(plain_titles_list, r));
    else
        expand(&s, PICK(titles_list, r));
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
    return str_of(PICK(vague_list, r));
}

struct str prose_person(struct rng *r)
{
    return str_of(PICK(people_list, r));
}

struct str prose_site(struct rng *r)
{
    return str_of(PICK(sites_list, r));
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
