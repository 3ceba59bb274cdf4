/* wordnet.h - the nouns of WordNet 3.0, read from the mapped files.
 *
 * WordNet is a dictionary of English by meaning (Princeton University). A sense
 * is a synset: a set of words that mean the same, tied to other synsets by
 * pointers. We read three of its files as they are published (wndb(5WN)):
 *
 *     index.noun   lemma n senses ... offset offset ...      sorted by lemma
 *     data.noun    offset .. n words word id .. pointers symbol offset n 0000 .. | gloss
 *     noun.exc     form lemma [lemma ...]                    sorted by form
 *
 * They are not part of brood (docs/words.md). wordnet_open() looks for them and
 * maps them into memory: nothing is loaded in advance, a word costs a binary
 * search, and unused parts are never read. A wordnet does not change once it is
 * open, so all threads may share one.
 *
 * The files come from outside: every offset, count and length is checked, and a line
 * that does not follow the format counts as absent. Limit: a file that another process
 * cuts short while it is mapped ends the process (SIGBUS); packages replace files by
 * renaming, which is harmless.
 *
 * A lemma is in lower case, with '_' between the words of one that has several
 * ("ice_cream"). Verbs, adjectives and adverbs are not read: the part-of relation
 * and depth exist for nouns.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct wordnet {
    struct str index;      /* index.noun */
    struct str data;       /* data.noun */
    struct str exceptions; /* noun.exc; may be empty */
};

/* Opens the dictionary in `dir`. NULL or "": the folder named by the environment's
 * WNSEARCHDIR, or WNHOME/dict, or the places where packages put it; the first one
 * that has index.noun and data.noun counts. noun.exc may be missing. Returns
 * ST_MISSING if it is in none of these; status_text() then says what to install. */
enum status wordnet_open(const char *dir, struct wordnet **ret) MUST_USE;

void wordnet_free(struct wordnet *w); /* NULL is fine */

/* ---- words ---- */

#define WORDNET_LEMMA  128 /* bytes of the longest lemma we look for */
#define WORDNET_FORMS  8   /* base forms of one word, at most */
#define WORDNET_SENSES 128 /* senses of one lemma, at most; WordNet 3.0 has 33 */

/* A lemma that a written form may come from. */
struct wordnet_form {
    char text[WORDNET_LEMMA];
    size_t len; /* bytes of it */
};

static inline struct str wordnet_form_str(const struct wordnet_form *f)
{
    return (struct str){f->text, f->len};
}

/* The lemmas of a word as written ("Geese": goose; "glasses": glasses, glass): itself
 * if it is one, then those of the list of exceptions, or otherwise of the rules for
 * plurals (morphy(7WN)). Blanks count as '_'. Only lemmas that the index has; returns
 * how many were written to `ret`. */
size_t wordnet_forms(const struct wordnet *w, struct str word,
                     struct wordnet_form ret[WORDNET_FORMS]);

/* The synsets of a lemma, the most frequent sense first; returns how many. */
size_t wordnet_senses(const struct wordnet *w, struct str lemma, uint32_t ret[WORDNET_SENSES]);

/* ---- synsets ---- */

enum wordnet_relation {
    WORDNET_OTHER,    /* antonyms, derivations, domains, attributes */
    WORDNET_HYPERNYM, /* what it is a kind or an instance of:  dog -> canine */
    WORDNET_HYPONYM,  /* its kinds and instances:              canine -> dog */
    WORDNET_HOLONYM,  /* what it is a member, a part or the substance of */
    WORDNET_MERONYM,  /* its members, parts and substances */
};

/* A place in a synset's line. Begin with wordnet_synset(), read all words, then all
 * pointers; reading pointers first skips the words. */
struct synset {
    struct str rest;   /* of the line, unread */
    uint32_t words;    /* left to read */
    uint32_t pointers; /* left to read; set when the words are read */
    bool in_words;     /* the words are not all read yet */
};

/* Returns false if there is no synset at this offset. */
bool wordnet_synset(const struct wordnet *w, uint32_t offset, struct synset *ret);
bool synset_word(struct synset *s, struct str *ret); /* as written there: "Great_Dane" */
bool synset_pointer(struct synset *s, enum wordnet_relation *ret_relation, uint32_t *ret_offset);
