/* balanced_options.c - what can be set of `balanced`, with sources.
 * SPDX-License-Identifier: MIT */
#include "models/energy/balanced.h"

#include <math.h>

#define AT(field) .offset = offsetof(struct balanced_options, field)

const struct option balanced_option_table[] = {
    {REAL_OPTION("C", cost, "X", "1", 0.000001, 1000), .help = "energy that a page below R costs",
     .source = "ours, measured; 0.5 in an example of Mouton & Marteau"},
    {REAL_OPTION("G", gain, "X", "20", 0.000001, 100000),
     .help = "energy that a page far above R gives; one page in (G + C) / C is above R",
     .source = "ours, measured; Mouton & Marteau have 10 in an example, 8 and 30 in experiments"},
    {INT_OPTION("N", agents, "N", "200", 1, 1e6),
     .help = "agents at the beginning, spread over the seeds", .source = "Mouton & Marteau: 200"},
    {INT_OPTION("LB", low, "N", "50", 0, 1e6),
     .help = "while fewer are alive none dies: one without energy is sent to where some is left",
     .source = "in the paper without a value; ours"},
    {INT_OPTION("UB", high, "N", "250", 1, 1e6),
     .help = "while more are alive pages keep their energy for later",
     .source = "Mouton & Marteau: 250"},
    {INT_OPTION("cap", cap, "N", "0", 0, 1e7),
     .help = "never more agents than this: a safety net; energy of clones beyond it is cut (0: ten "
             "times UB, and not below N)",
     .source = "ours"},
    {CHOICE_OPTION("balance", balance, BALANCE_CHOICES, "sigmoid"),
     .help = "energy as a step at R, as a sigmoid around it, or as a sigmoid whose R makes the sum "
             "over all pages 0",
     .source = "Mouton & Marteau: the sigmoid; the others are ours"},
    {CHOICE_OPTION("lambda", lambda, PRINTED_CHOICES, "repaired"),
     .help = "steepness of the sigmoid: 8 : min(R - least, greatest - R), or as printed",
     .source = "printed: Mouton & Marteau; repaired is ours"},
    {CHOICE_OPTION("sign", sign, PRINTED_CHOICES, "repaired"),
     .help = "the sigmoid of r - R, or as printed of r + R, which rewards every page",
     .source = "repaired: figure 1 of Mouton & Marteau; printed: their formula"},
    {CHOICE_OPTION("cold", cold, COLD_CHOICES, "step"),
     .help = "the first (G + C) : C pages: a step at half the seeds' relevance, or worth nothing",
     .source = "ours; the paper does not say"},
    {TEXT_OPTION("history", history, "all|last:N|decay:H"), .fallback = "all",
     .help = "pages that R is taken from: all, the last N, or weights that halve every H pages",
     .source = "Mouton & Marteau: all; the others are ours"},
    {FLAG_OPTION("buffer", buffer), .fallback = "yes",
     .help = "energy is kept on pages; without it there is no LB, no UB and no p_db either",
     .source = "Mouton & Marteau compare both"},
    {REAL_OPTION("p_db", p_db, "P", "0.1", 0, 1),
     .help = "how often an agent goes to a page with energy left on it instead of following a link",
     .source = "in the paper without a value; ours"},
    {CHOICE_OPTION("reproduction", reproduction, REPRODUCTION_CHOICES, "fix"),
     .help = "an agent of energy E > 1 becomes ceil(E) agents of E : ceil(E) (fix); hal000 and "
             "copy001 as printed in the two copies of the paper, which make energy",
     .source = "Mouton & Marteau, repaired"},
    {CHOICE_OPTION("crowd", crowd, CROWD_CHOICES, "conserve"),
     .help = "above UB the agent pays C and the page keeps f + C (conserve), max(f, 0) (clamp) or "
             "f, debts too (printed)",
     .source = "Mouton & Marteau, repaired"},
    {CHOICE_OPTION("revisits", revisits, PRINTED_CHOICES, "repaired"),
     .help = "a visited page without energy costs C (repaired) or nothing (printed); with buffer "
             "off, printed: it is worth as much as a new one",
     .source = "printed: Mouton & Marteau; repaired is ours"},
    {INT_OPTION("rescue", rescue, "K", "64", 1, 10000),
     .help = "an agent saved by LB goes, where no page has energy left, to the most promising of K "
             "open URLs drawn at random (1: any)",
     .source = "ours; the paper does not say where to"},
    {CHOICE_OPTION("teleport", teleport, "free|charged", "free"),
     .help = "an agent saved by LB is sent to any open URL where no page has energy left: what "
             "that page would cost it is waived, or charged",
     .source = "free: Mouton & Marteau; charged is ours"},
    ROAM_OPTIONS(roam),
    {.name = NULL},
};

uint32_t balanced_cap(const struct balanced_options *o)
{
    int64_t enough = 10 * o->high > o->agents ? 10 * o->high : o->agents;

    return (uint32_t)(o->cap > 0 ? o->cap : enough);
}

struct worth_config balanced_worth(const struct balanced_options *o)
{
    struct worth_config c = {
        .cost = o->cost,
        .gain = o->gain,
        .balance = (enum balance)o->balance,
        .lambda = (enum printed)o->lambda,
        .sign = (enum printed)o->sign,
        .cold = (enum cold)o->cold,
    };

    if (rank_parse(str_of(o->history), &c.history, &c.history_pages) != ST_OK)
        c.history = RANK_ALL; /* balanced_check() has refused it before */
    return c;
}

/* The total weight of a history in the long run, in pages. */
static double history_weight(enum rank_history history, double pages)
{
    return history == RANK_DECAY ? 1 / (1 - exp2(-1 / pages)) : pages;
}

/* Each option is in its range, but they may still not be valid together. */
enum status balanced_check(const void *options)
{
    const struct balanced_options *o = options;
    double pages, needed = energy_cold_pages(o->cost, o->gain);
    enum rank_history history;

    TRY(rank_parse(str_of(o->history), &history, &pages));
    if (o->buffer && o->low > o->high)
        return status_fail(ST_USAGE,
                           "LB=%lld is above UB=%lld: raise UB, or lower LB to UB at most",
                           (long long)o->low, (long long)o->high);
    if (o->cap > 0 && o->agents > o->cap)
        return status_fail(ST_USAGE,
                           "N=%lld agents are more than cap=%lld allows: raise cap, or "
                           "lower N",
                           (long long)o->agents, (long long)o->cap);
    if (history != RANK_ALL && history_weight(history, pages) < needed)
        return status_fail(ST_USAGE,
                           "history=%s is too short for C=%g and G=%g: one page in %.0f is to be "
                           "above R, so give a longer history or a smaller G",
                           o->history, o->cost, o->gain, needed);
    return ST_OK;
}
