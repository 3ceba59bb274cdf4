/* claim.c - the claims of a plan, one by one. What they need of the rest of the plan is in
 * check.c. SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A key that fills a text, a number, or a quantity of a struct plan_claim. */
#define READER(field, read)                                                                   \
    static enum status claim_##field(struct plan_reader *r, const struct tree *t, void *into) \
    {                                                                                         \
        return read(r, t, &((struct plan_claim *)into)->field);                               \
    }

READER(id, plan_text)
READER(says, plan_text)
READER(source, plan_text)
READER(metric, plan_text)
READER(at, plan_quantity)
READER(world, plan_text)
READER(better, plan_text)
READER(than, plan_text)
READER(value, plan_number)
READER(by, plan_number)
READER(within, plan_number)
READER(since, plan_text)
READER(was, plan_text)

static const struct plan_key claim_keys[] = {
    {"id", claim_id},         {"says", claim_says},
    {"source", claim_source}, {"metric", claim_metric},
    {"at", claim_at},         {"world", claim_world},
    {"better", claim_better}, {"than", claim_than},
    {"value", claim_value},   {"by", claim_by},
    {"within", claim_within}, {"since", claim_since},
    {"was", claim_was},       {NULL, NULL},
};

static enum status missing(struct plan_reader *r, const struct plan_claim *c, const char *what)
{
    return plan_wrong(r, c->line, "the claim %s%s needs %s", c->id ? c->id : "",
                      c->id ? "" : "here", what);
}

/* What can be said of the claim alone; plan_check() looks at models and worlds. */
static enum status check_claim(struct plan_reader *r, const struct plan_claim *c)
{
    const struct plan *p = r->plan;

    if (c->id == NULL)
        return missing(r, c, "an 'id'");
    if (c->metric == NULL)
        return missing(r, c, "a 'metric'");
    if (c->better == NULL)
        return missing(r, c, "'better', the model it is about");
    if ((c->than == NULL) == isnan(c->value))
        return missing(r, c,
                       c->than ? "either 'than' or 'value', not both"
                               : "'than', the model it is compared with, or a 'value'");
    if (c->within < 0)
        return plan_wrong(r, c->line, "the claim %s: 'within' must be above 0", c->id);
    if (c->within > 0 && c->by != 0)
        return missing(r, c, "either 'by' or 'within', not both");
    for (const struct plan_claim *o = p->claims; o < c; o++)
        if (strcmp(o->id, c->id) == 0)
            return plan_wrong(r, c->line, "there are two claims %s (the other in line %u)", c->id,
                              o->line);
    return ST_OK;
}

enum status plan_read_claims(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    enum status st = plan_expect(r, t, TREE_LIST, "a list of claims", "[{id: …, metric: …}]");

    if (st == ST_OK && t->count == 0)
        st = plan_wrong(r, t->line, "claims: the list is empty");
    if (st != ST_OK)
        return st;
    p->claims = mem_zero(t->count, sizeof *p->claims);
    while (st == ST_OK && p->nclaims < t->count) {
        const struct tree *one = t->items[p->nclaims];
        struct plan_claim *c = &p->claims[p->nclaims++];

        c->line = one->line;
        c->value = NAN;
        st = plan_expect(r, one, TREE_MAP, "a claim", "{id: …, metric: …, better: …, than: …}");
        if (st == ST_OK)
            st = plan_map(r, one, claim_keys, "a claim", c);
        if (st == ST_OK)
            st = check_claim(r, c);
    }
    return st;
}

void plan_claim_clear(struct plan_claim *c)
{
    free(c->id);
    free(c->says);
    free(c->source);
    free(c->metric);
    free(c->world);
    free(c->better);
    free(c->than);
    free(c->since);
    free(c->was);
}
