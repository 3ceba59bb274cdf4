/* worth.c - what the next page is worth, given all pages so far.
 *
 * A page costs a few dozen additions. Solving for R exactly walks over all bins in
 * use some fifty times, so it is done when the history has grown by an eighth, and
 * at least every SOLVE_MOST pages. SPDX-License-Identifier: MIT */
#include "models/energy/worth.h"

#include "base/fields.h"
#include "base/mem.h"

#include <stdlib.h>

#define SOLVE_MOST 512
#define COLD_SHARE 0.5 /* of the seeds' mean relevance */

void worth_init(struct worth *w, const struct worth_config *config)
{
    *w = (struct worth){.config = *config};
    w->history = rank_new(config->history, config->history_pages);
    w->energy.cost = config->cost;
    w->energy.gain = config->gain;
    w->energy.plus = config->sign == RULE_PRINTED;
}

void worth_clear(struct worth *w)
{
    rank_free(w->history);
    free(w->values);
    free(w->weights);
    *w = (struct worth){0};
}

void worth_seed(struct worth *w, double relevance)
{
    w->seeds += relevance;
    w->nseeds++;
}

/* ---- tuning -------------------------------------------------------------- */

static bool is_cold(const struct worth *w)
{
    return (double)w->pages < energy_cold_pages(w->config.cost, w->config.gain);
}

static void bin_keep(void *ctx, double value, double weight)
{
    struct worth *w = ctx;

    MEM_GROW(w->values, w->nvalues, &w->values_cap);
    MEM_GROW(w->weights, w->nvalues, &w->weights_cap);
    w->values[w->nvalues] = value;
    w->weights[w->nvalues++] = weight;
}

static void solve(struct worth *w)
{
    uint64_t wait = w->pages / 8 + 1;

    w->nvalues = 0;
    rank_each(w->history, bin_keep, w);
    w->energy.R = energy_exact_R(&w->energy, w->values, w->weights, w->nvalues);
    w->solve_at = w->pages + (wait < SOLVE_MOST ? wait : SOLVE_MOST);
}

static void tune(struct worth *w)
{
    const struct worth_config *c = &w->config;
    double R, lambda = 0;

    if (is_cold(w)) {
        w->energy.R = rank_value(w->nseeds ? COLD_SHARE * w->seeds / w->nseeds : 0);
        w->energy.lambda = 0;
        return;
    }
    R = rank_quantile(w->history, energy_share(c->cost, c->gain));
    if (c->balance != BALANCE_STEP)
        lambda = energy_lambda(c->lambda, R, rank_least(w->history), rank_greatest(w->history));
    if (c->balance == BALANCE_EXACT && lambda > 0 && w->energy.lambda > 0 && w->pages < w->solve_at)
        return;
    w->energy.R = R;
    w->energy.lambda = lambda;
    if (c->balance == BALANCE_EXACT && lambda > 0)
        solve(w);
}

double worth_now(const struct worth *w, double relevance)
{
    if (w->config.cold == COLD_NOTHING && is_cold(w))
        return 0;
    return energy_of(&w->energy, rank_value(relevance));
}

double worth_page(struct worth *w, double relevance)
{
    double worth;

    w->pages++;
    rank_add(w->history, relevance);
    tune(w);
    worth = worth_now(w, relevance);
    w->rewarded += worth > 0;
    return worth;
}

/* ---- checkpoints --------------------------------------------------------- */

static const struct field worth_fields[] = {
    FIELD(F64, struct worth, energy.R), FIELD(F64, struct worth, energy.lambda),
    FIELD(F64, struct worth, seeds),    FIELD(U32, struct worth, nseeds),
    FIELD(U64, struct worth, pages),    FIELD(U64, struct worth, rewarded),
    FIELD(U64, struct worth, solve_at), FIELD_END,
};

void worth_save(const struct worth *w, struct buf *out)
{
    fields_save(worth_fields, w, out);
    rank_save(w->history, out);
}

enum status worth_load(struct worth *w, struct cursor *from)
{
    fields_load(worth_fields, w, from);
    return rank_load(w->history, from);
}
