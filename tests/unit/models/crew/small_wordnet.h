/* small_wordnet.h - a dictionary of sixteen synsets, written by the tests that use it. */
#pragma once

#include "support/support.h"

#include "models/crew/wordnet_cs.h"

#define CS_USUAL ((struct cs_rules){.isa = 1.0 / 2, .part = 1.0 / 3, .floor = 0, .depth = 3})

/* ---- a small dictionary ----
 *
 *     entity <- animal <- dog <- puppy <- whelp      dog: Rex (instance), tail (part),
 *                    ^ goose                              pack (member of)
 *     entity <- water (hydrogen: substance)          car = auto, ice_cream
 *     bank has two senses: entity's kind and water's kind; helium is also He, a stop word
 */
static const struct {
    const char *words;    /* as in data.noun */
    const char *pointers; /* symbol and the synset's place in this table */
} synsets[] = {
    {"entity", "~ 1 ~ 6 ~ 8 ~ 11 ~ 13 ~ 15"},
    {"animal", "@ 0 ~ 2 ~ 9"},
    {"dog domestic_dog", "@ 1 ~ 3 ~i 10 %p 5 #m 4"},
    {"puppy pup", "@ 2 ~ 12"},
    {"pack", "%m 2"},
    {"tail", "#p 2"},
    {"water H2O", "@ 0 %s 7 ~ 14 + 900"},
    {"hydrogen", "#s 6"},
    {"car auto", "@ 0"},
    {"goose", "@ 1"},
    {"Rex", "@i 2"},
    {"ice_cream", "@ 0"},
    {"whelp", "@ 3"},
    {"bank", "@ 0"},
    {"bank shore", "@ 6"},
    {"helium He", "@ 0"},
};

#define SYNSETS (sizeof synsets / sizeof *synsets)

struct small {
    struct buf index, data, exceptions;
    uint32_t at[SYNSETS]; /* offsets */
    struct wordnet texts;
    const struct wordnet *w; /* over them */
};

static inline unsigned count_words(const char *text)
{
    struct str rest = str_of(text), part;
    unsigned n = 0;

    while (str_cut(&rest, ' ', &part))
        n++;
    return n;
}

static inline void write_synset(struct small *s, size_t i)
{
    struct str rest = str_of(synsets[i].words), part, place;
    uint64_t target;

    buf_addf(&s->data, "%08u 03 n %02x ", s->at[i], count_words(synsets[i].words));
    while (str_cut(&rest, ' ', &part))
        buf_addf(&s->data, "%.*s 0 ", STR_ARG(part));
    buf_addf(&s->data, "%03u ", count_words(synsets[i].pointers) / 2);
    rest = str_of(synsets[i].pointers);
    while (str_cut(&rest, ' ', &part) && str_cut(&rest, ' ', &place)) {
        assert_true(str_to_u64(place, &target));
        buf_addf(&s->data, "%.*s %08u n 0000 ", STR_ARG(part),
                 target < SYNSETS ? s->at[target] : 99999999);
    }
    buf_addf(&s->data, "| a gloss; \"with ~ @ signs\"  \n");
}

/* Offsets have a fixed width, so a first pass with zeros finds where lines begin. */
static inline void write_data(struct small *s)
{
    for (int pass = 0; pass < 2; pass++) {
        buf_clear(&s->data);
        buf_add_z(&s->data, "  1 This is no licence  \n");
        for (size_t i = 0; i < SYNSETS; i++) {
            if (pass == 0)
                s->at[i] = (uint32_t)s->data.len;
            write_synset(s, i);
        }
    }
}

static inline void write_index(struct small *s)
{
    static const struct {
        const char *lemma;
        int first, second; /* synsets; -1: none */
    } lemmas[] = {
        {"animal", 1, -1},     {"auto", 8, -1},         {"bank", 13, 14},   {"car", 8, -1},
        {"dog", 2, -1},        {"domestic_dog", 2, -1}, {"entity", 0, -1},  {"goose", 9, -1},
        {"h2o", 6, -1},        {"he", 15, -1},          {"helium", 15, -1}, {"hydrogen", 7, -1},
        {"ice_cream", 11, -1}, {"pack", 4, -1},         {"pup", 3, -1},     {"puppy", 3, -1},
        {"rex", 10, -1},       {"shore", 14, -1},       {"tail", 5, -1},    {"water", 6, -1},
        {"whelp", 12, -1},
    };

    buf_add_z(&s->index, "  1 This is no licence  \n");
    for (size_t i = 0; i < sizeof lemmas / sizeof *lemmas; i++) {
        int n = lemmas[i].second < 0 ? 1 : 2;

        buf_addf(&s->index, "%s n %d 2 @ ~ %d 0 %08u ", lemmas[i].lemma, n, n,
                 s->at[lemmas[i].first]);
        if (n == 2)
            buf_addf(&s->index, "%08u ", s->at[lemmas[i].second]);
        buf_add_z(&s->index, " \n");
    }
}

static inline void small_open(struct small *s)
{
    *s = (struct small){BUF_INIT(100000), BUF_INIT(100000), BUF_INIT(1000), .w = NULL};
    write_data(s);
    write_index(s);
    buf_add_z(&s->exceptions, "geese goose\npupae pupa pup\n");
    s->texts = (struct wordnet){buf_str(&s->index), buf_str(&s->data), buf_str(&s->exceptions)};
    s->w = &s->texts;
}

static inline void small_close(struct small *s)
{
    buf_free(&s->index);
    buf_free(&s->data);
    buf_free(&s->exceptions);
}
