/* ledger.c - the books of energy.
 * SPDX-License-Identifier: MIT */
#include "agent/ledger.h"

#include "base/mem.h"

#include <math.h>

const struct field account_fields[] = {
    FIELD(F64, struct account, sum),
    FIELD(F64, struct account, rest),
    FIELD_END,
};

void account_add(struct account *a, double x)
{
    double sum = a->sum + x;

    a->rest += fabs(a->sum) >= fabs(x) ? (a->sum - sum) + x : (x - sum) + a->sum;
    a->sum = sum;
}

const struct field ledger_fields[] = {
    FIELD(REAL, struct ledger, living), FIELD(REAL, struct ledger, dead),
    FIELD(REAL, struct ledger, cut),    FIELD(REAL, struct ledger, given),
    FIELD(REAL, struct ledger, earned), FIELD(REAL, struct ledger, burnt),
    FIELD(REAL, struct ledger, left),   FIELD(REAL, struct ledger, came),
    FIELD(REAL, struct ledger, lost),   FIELD_END,
};

void ledger_add(struct ledger *to, const struct ledger *l)
{
    to->living += l->living;
    to->dead += l->dead;
    to->cut += l->cut;
    to->given += l->given;
    to->earned += l->earned;
    to->burnt += l->burnt;
    to->left += l->left;
    to->came += l->came;
    to->lost += l->lost;
}

double ledger_error(const struct ledger *l, double on_pages)
{
    const double terms[] = {l->living, l->dead,    l->cut,   on_pages, -l->given,
                            -l->came,  -l->earned, l->burnt, l->left,  l->lost};
    struct account difference = {0, 0};
    double largest = 1;

    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        account_add(&difference, terms[i]);
        largest = fmax(largest, fabs(terms[i]));
    }
    return fabs(account_total(difference)) / largest;
}
