/* plan_int.h - reading a plan: what its parts share. Inside lab/plan/ only. */
#pragma once

#include "lab/plan/plan.h"
#include "base/str.h"

/* ---- value.c: a YAML document as a tree whose nodes know their line ----
 *
 * It reads the part of YAML that plans need: texts, lists, mappings from words to values. It
 * refuses, with "NAME:LINE: …", aliases, application tags, repeated keys, a second document,
 * nesting beyond LIMIT_PLAN_NESTING, and NUL in a text. */

enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    unsigned line;       /* from 1 */
    char *text;          /* TREE_TEXT: its value, ends in NUL */
    char *key;           /* in a mapping: the word before it; else NULL */
    unsigned key_line;   /* its line */
    struct tree **items; /* TREE_LIST, TREE_MAP: in order of writing */
    size_t count, cap;
};

/* `name` is for messages. An empty document is an empty mapping. */
enum status tree_parse(struct str text, const char *name, struct tree **ret) MUST_USE;
void tree_free(struct tree *t);

/* The value of a key, or NULL. */
const struct tree *tree_get(const struct tree *map, const char *key);

struct plan_reader {
    const char *file;        /* for messages */
    const struct tree *root; /* the whole document */
    struct plan *plan;       /* being filled */
};

/* A key of a mapping, and the function that reads its value to an offset in the struct that is
 * filled. A table of keys ends with a NULL name. */
struct plan_key {
    const char *name;
    enum status (*read)(struct plan_reader *r, const struct tree *t, void *into);
    size_t at;
};

/* A key that has the name of the member it fills. */
#define PLAN_KEY(where, member, read)          \
    {                                          \
#member, read, offsetof(where, member) \
    }

/* ---- value.c: values ---- */

/* Fails with ST_USAGE and the message "FILE:LINE: …". */
enum status plan_wrong(const struct plan_reader *r, unsigned line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* ST_USAGE if t is of another kind; the error says what to write. */
enum status plan_expect(const struct plan_reader *r, const struct tree *t, enum tree_kind kind,
                        const char *what, const char *example) MUST_USE;

/* Reads every key of a mapping with its reader; `what` is "a plan", "a world". */
enum status plan_map(struct plan_reader *r, const struct tree *t, const struct plan_key *keys,
                     const char *what, void *into) MUST_USE;
/* The same for keys that are options of a table. */
enum status plan_options(struct plan_reader *r, const struct tree *t, const struct option *table,
                         const char *what, void *into) MUST_USE;
/* Reads one value of such an option. */
enum status plan_option(struct plan_reader *r, const struct tree *t, const struct option *o,
                        void *into) MUST_USE;

/* Readers for a plan_key: of a text (char *), of a number (double). */
enum status plan_text(struct plan_reader *r, const struct tree *t, void *ret) MUST_USE;
enum status plan_number(struct plan_reader *r, const struct tree *t, void *ret) MUST_USE;
/* Reads a list of texts (struct text_list); a single text is a list of one. Empty texts are
 * refused. */
enum status plan_texts(struct plan_reader *r, const struct tree *t, void *ret) MUST_USE;
/* Reads a struct quantity. */
enum status plan_quantity(struct plan_reader *r, const struct tree *t, void *ret) MUST_USE;
/* ST_USAGE if it cannot be the name of a folder. */
enum status plan_name(struct plan_reader *r, unsigned line, const char *name) MUST_USE;

/* ---- world.c, model.c, claim.c, figure.c, check.c ---- */

enum status plan_read_worlds(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
enum status plan_read_models(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
enum status plan_read_claims(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
enum status plan_read_figures(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
void plan_claim_clear(struct plan_claim *c);
/* Makes the checks that need the whole plan, and sets defaults that depend on it. */
enum status plan_check(struct plan_reader *r) MUST_USE;
