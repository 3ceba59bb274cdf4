/* claim.c - the claims of a plan, one by one. Checks that need the rest of the plan are in check.c.
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define KEY(member, read) PLAN_KEY(struct plan_claim, member, read)

static const struct plan_key claim_keys[] = {
    KEY(id, plan_text),     KEY(says, plan_text),     KEY(source, plan_text),
    KEY(metric, plan_text), KEY(at, plan_quantity),   KEY(world, plan_text),
    KEY(better, plan_text), KEY(than, plan_text),     KEY(value, plan_number),
    KEY(by, plan_number),   KEY(within, plan_number), KEY(since, plan_text),
    KEY(was, plan_text),    {NULL, NULL, 0},
};

static enum status missing(struct plan_reader *r, const struct plan_claim *c, const char *what)
{
    return plan_wrong(r, c->line, "the claim %s%s needs %s", c->id ? c->id : "",
                      c->id ? "" : "here", what);
}

/* Checks the claim by itself; plan_check() checks models and worlds. */
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

    TRY(plan_expect(r, t, TREE_LIST, "a list of claims", "[{id: …, metric: …}]"));
    if (t->count == 0)
        return plan_wrong(r, t->line, "claims: the list is empty");
    p->claims = mem_zero(t->count, sizeof *p->claims);
    while (p->nclaims < t->count) {
        const struct tree *one = t->items[p->nclaims];
        struct plan_claim *c = &p->claims[p->nclaims++];

        c->line = one->line;
        c->value = NAN;
        TRY(plan_expect(r, one, TREE_MAP, "a claim", "{id: …, metric: …, better: …, than: …}"));
        TRY(plan_map(r, one, claim_keys, "a claim", c));
        TRY(check_claim(r, c));
    }
    return ST_OK;
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
