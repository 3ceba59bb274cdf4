/* ledger.h - the accounts of energy: no energy is lost, and none comes from nowhere.
 *
 * An account is a sum of very many terms of both signs, with a second
 * term for what rounding took from it (Neumaier's summation), so that a
 * million bookings stay exact to the last digits. A ledger is the state
 * of all accounts at one moment.
 */
#pragma once

#include "base/fields.h"

struct account {
    double sum, rest;
};

void account_add(struct account *a, double x);
static inline double account_total(struct account a)
{
    return a.sum + a.rest;
}
extern const struct field account_fields[];

/* Where energy is and went; models that claim conservation assert it
 * (docs/models/balanced.md).
 * living + dead + on pages + cut + left + lost = given + came + earned - burnt. */
struct ledger {
    double living; /* sum over the living, added up each time */
    double dead;   /* sum of what the dead had, negative */
    double cut;    /* lost at the hard cap */
    double given;  /* to agents born without a parent's energy */
    double earned; /* sum over distinct pages of what they were worth, costs included */
    double burnt;  /* charged for nothing in return */
    double left;   /* of agents that went to another machine … */
    double came;   /* … and of those that came from one */
    double lost;   /* what agents that live on elsewhere had won here since their machine last wrote
                      them down; below 0: what they had paid */
};

/* Adds up the ledgers of several machines. While agents are moving, left - came is
 * the energy that they carry. */
void ledger_add(struct ledger *to, const struct ledger *l);
extern const struct field ledger_fields[];

/* By how much the two sides differ, as a share of the largest term (of 1, if all are smaller).
 * `on_pages` is page_base_energy(). */
double ledger_error(const struct ledger *l, double on_pages);
