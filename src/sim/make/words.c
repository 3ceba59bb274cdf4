/* words.c - vocabularies: splits the written ones, invents the others.
 *
 * In: the tables of words_topics.c and words_general.c. Out: arrays of words by
 * topic and class. A rank is drawn as n * u^1.5, a gentle slope: the first word
 * of a list of 40 comes about ten times as often as the last.
 *
 * Workload: made once a world, then some hundred draws a page.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/words.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "sim/make/words_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ARENA_MAX ((size_t)64 << 20) /* 1000 invented vocabularies take 4 MB */

struct word_list {
    struct str *items;
    size_t count;
};

struct vocabulary {
    struct str name, query;
    struct word_list lists[WORDS_CLASSES];
};

struct words {
    struct arena memory;
    uint32_t topics;
    struct vocabulary general;
    struct vocabulary *of; /* `topics` of them */
};

static struct word_list split(struct arena *a, struct str text)
{
    struct word_list l = {arena_array(a, text.len / 2 + 1, sizeof(struct str)), 0};
    struct str part;

    while (str_cut(&text, ' ', &part)) {
        struct str word = arena_str(a, part);

        for (char *c = (char *)word.ptr; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        if (word.len)
            l.items[l.count++] = word;
    }
    return l;
}

static struct str join(struct arena *a, struct str x, struct str y)
{
    char text[512];
    int len = snprintf(text, sizeof text, "%.*s%s%.*s", STR_ARG(x), y.len ? " " : "", STR_ARG(y));

    return arena_str(a, (struct str){text, (size_t)len});
}

static void load(struct vocabulary *v, struct arena *a, const struct words_source *from)
{
    const char *const texts[WORDS_CLASSES] = {
        [WORDS_THING] = from->things,
        [WORDS_STUFF] = from->stuff,
        [WORDS_DEED] = from->deeds,
        [WORDS_KIND] = from->kinds,
    };

    v->name = str_of(from->name);
    v->query = join(a, v->name, str_of(from->keys));
    for (int c = 0; c < WORDS_CLASSES; c++)
        v->lists[c] = split(a, str_of(texts[c]));
}

/* ---- invented ones ------------------------------------------------------- */

static const char *const onsets[] = {"b",  "d",  "f",  "g",  "k",  "l",  "m",  "n",  "p",
                                     "r",  "s",  "t",  "v",  "z",  "br", "dr", "fl", "gr",
                                     "kl", "pl", "sk", "st", "tr", "sh", "th"};
static const char *const vowels[] = {"a", "e", "i", "o", "u", "ai", "ea", "ou"};
static const char *const codas[] = {"", "", "l", "n", "r", "s", "m", "k", "nd", "rt"};
/* What makes an invented word look like its class. */
static const char *const endings[WORDS_CLASSES] = {"", "ium", "ed", "ic"};

#define PICK(array, r) ((array)[rng_below((r), ARRAY_LEN(array))])

static struct str invent(struct arena *a, struct rng *r, size_t syllables, const char *ending)
{
    char text[64];
    size_t len = 0;

    for (size_t i = 0; i < syllables; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s", PICK(onsets, r),
                                PICK(vowels, r), i + 1 < syllables ? "" : PICK(codas, r));
    len += (size_t)snprintf(text + len, sizeof text - len, "%s", ending);
    return arena_str(a, (struct str){text, len});
}

static void invent_all(struct vocabulary *v, struct arena *a, struct rng *r)
{
    static const size_t counts[WORDS_CLASSES] = {40, 10, 12, 13};

    for (int c = 0; c < WORDS_CLASSES; c++) {
        v->lists[c] = (struct word_list){arena_array(a, counts[c], sizeof(struct str)), counts[c]};
        for (size_t i = 0; i < counts[c]; i++)
            v->lists[c].items[i] = invent(a, r, 2 + rng_below(r, 2), endings[c]);
    }
    v->name = invent(a, r, 3, "ology");
    v->query = v->name;
    for (size_t i = 0; i < 4; i++)
        v->query = join(a, v->query, v->lists[WORDS_THING].items[i]);
}

/* ---- public -------------------------------------------------------------- */

struct words *words_new(uint32_t topics, uint64_t seed)
{
    struct words *w = MEM_NEW(struct words);
    struct rng root;

    rng_init(&root, seed);
    arena_init(&w->memory, ARENA_MAX);
    w->topics = topics < WORDS_MAX_TOPICS ? topics : WORDS_MAX_TOPICS;
    w->of = mem_zero(w->topics + 1, sizeof *w->of);
    load(&w->general, &w->memory, &words_general);
    for (uint32_t t = 0; t < w->topics; t++) {
        struct rng own = rng_fork(&root, t);

        if (t < WORDS_THEMES)
            load(&w->of[t], &w->memory, &words_sources[t]);
        else
            invent_all(&w->of[t], &w->memory, &own);
    }
    return w;
}

void words_free(struct words *w)
{
    if (w == NULL)
        return;
    arena_free(&w->memory);
    free(w->of);
    free(w);
}

static const struct vocabulary *of(const struct words *w, uint32_t topic)
{
    return topic < w->topics ? &w->of[topic] : &w->general;
}

uint32_t words_topics(const struct words *w)
{
    return w->topics;
}

struct str words_name(const struct words *w, uint32_t topic)
{
    return of(w, topic)->name;
}

struct str words_query(const struct words *w, uint32_t topic)
{
    return of(w, topic)->query;
}

struct str words_draw(const struct words *w, uint32_t topic, enum words_class c, struct rng *r)
{
    const struct word_list *l = &of(w, topic)->lists[c];
    double u = rng_unit(r);

    return l->items[(size_t)((double)l->count * u * sqrt(u))];
}

struct str words_at(const struct words *w, uint32_t topic, enum words_class c, size_t i)
{
    const struct word_list *l = &of(w, topic)->lists[c];

    return l->items[i % l->count];
}
