/* plan_int.h - reading a plan: what its parts share. Inside plan*.c only. */
#pragma once

#include "lab/plan/plan.h"
#include "lab/plan/yaml_tree.h"

struct plan_reader {
    const char *file;        /* for messages */
    const struct tree *root; /* the whole document */
    struct plan *plan;       /* being filled */
};

/* A key of a mapping, and who reads its value. Ends with a NULL name. */
struct plan_key {
    const char *name;
    enum status (*read)(struct plan_reader *r, const struct tree *t, void *into);
};

/* ---- plan_value.c ---- */

/* "FILE:LINE: …", ST_USAGE. */
enum status plan_wrong(const struct plan_reader *r, unsigned line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* What t is must be of that kind: the error says what to write. */
enum status plan_expect(const struct plan_reader *r, const struct tree *t, enum tree_kind kind,
                        const char *what, const char *example) MUST_USE;

/* Every key of a mapping by its reader; `what` is "a plan", "a world". */
enum status plan_map(struct plan_reader *r, const struct tree *t, const struct plan_key *keys,
                     const char *what, void *into) MUST_USE;
/* The same where the keys are options of a table. */
enum status plan_options(struct plan_reader *r, const struct tree *t, const struct option *table,
                         const char *what, void *into) MUST_USE;
/* One value of such an option. */
enum status plan_option(struct plan_reader *r, const struct tree *t, const struct option *o,
                        void *into) MUST_USE;

enum status plan_text(struct plan_reader *r, const struct tree *t, char **ret) MUST_USE;
enum status plan_number(struct plan_reader *r, const struct tree *t, double *ret) MUST_USE;
/* A list of texts; one text is a list of one. Empty ones are refused. */
enum status plan_texts(struct plan_reader *r, const struct tree *t, struct text_list *ret) MUST_USE;
enum status plan_quantity(struct plan_reader *r, const struct tree *t,
                          struct quantity *ret) MUST_USE;
/* May it be the name of a folder? */
enum status plan_name(struct plan_reader *r, unsigned line, const char *name) MUST_USE;

/* ---- plan_world.c, plan_model.c, plan_claim.c, plan_check.c ---- */

enum status plan_read_worlds(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
enum status plan_read_models(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
enum status plan_read_claims(struct plan_reader *r, const struct tree *t, void *plan) MUST_USE;
/* What only the whole plan can tell; fills in defaults that depend on it. */
enum status plan_check(struct plan_reader *r) MUST_USE;
