/* robots_int.h - shared by the files of robots/. No other file includes it.
 *
 *   robots.c    reads the file, keeps and restores, answers; reads tags
 *     rules.c   from the lines that concern us to rules that are compared
 *     match.c   which rule decides about a path
 *
 * Rules and paths are in one normal form (robots_normal), in which a path has
 * neither `*` nor `$`. So a `$` at the end of both makes "the path ends here" a
 * byte like any other: a pattern matches every path that begins with it, and
 * only the stars are special.
 */
#pragma once

#include "base/limits.h"
#include "parse/robots/robots.h"

struct rule_text {
    uint32_t off, len; /* bytes, from the start of the block */
};

struct rule {
    uint32_t off, len; /* its text in the block: what is compared */
    uint32_t strength; /* bytes of the whole pattern: the strongest match decides */
    uint32_t line;     /* in the file, from 1 */
    uint32_t link;     /* literal: 1 + number of the longest other that begins it, or 0;
                          with stars: the number of its last state */
    uint32_t allow;    /* 0: Disallow. Not a bool, since it is read back from disk */
};

/* One block of memory:
 *
 *   struct robots | literals, by text | rules with stars, the strongest first |
 *   sitemaps | texts | machine
 *
 * Texts are offsets, so that everything before the machine can be stored on disk. */
struct robots {
    uint32_t magic;
    uint32_t saved;  /* bytes before the machine */
    uint32_t size;   /* of the whole block */
    uint32_t nwords; /* of a set of states of the machine */
    int64_t delay;   /* us; -1 none */
    uint32_t nliterals, nwild, nsitemaps;
    uint32_t names_us; /* a group names our token */
    uint32_t widened;  /* rules beyond a ceiling forbid more than they say */
    uint32_t spare;
    struct rule rules[];
};

static inline struct str robots_text(const struct robots *r, struct rule_text t)
{
    return (struct str){(const char *)r + t.off, t.len};
}

static inline struct str rule_text(const struct robots *r, const struct rule *rule)
{
    return robots_text(r, (struct rule_text){rule->off, rule->len});
}

/* Does the first of two matching rules decide? */
static inline bool rule_is_stronger(const struct rule *a, const struct rule *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength;
    return a->allow != b->allow ? a->allow > b->allow : a->line < b->line;
}

/* ---- from lines to rules ---------------------------------------------------- */

/* A rule while it is read; `pattern` points into the file, or to a literal. */
struct found {
    struct str pattern; /* not empty */
    uint32_t line;
    bool allow;
};

enum spelling { IN_PATTERN, IN_PATH };

/* Writes s in normal form, in at most 3 * s.len bytes, and returns how many. */
size_t robots_normal(char *out, struct str s, enum spelling kind);

/* Makes the block of these rules and sitemaps. */
struct robots *rules_make(const struct found *found, size_t count, const struct str *sitemaps,
                          uint32_t nsitemaps);

/* ---- matching --------------------------------------------------------------- */

/* How many states a text with stars needs. */
size_t machine_states(struct str text);

/* Returns the block with its machine; takes `r`. The states of all its rules with stars are at
 * most LIMIT_ROBOTS_STATES. */
struct robots *machine_add(struct robots *r);

/* Returns the rule that decides about a path in normal form that ends in `$`, or NULL. Adds the
 * cost to *steps, in comparisons of a byte or a word of states. */
const struct rule *rules_decide(const struct robots *r, struct str path, uint64_t *steps);
