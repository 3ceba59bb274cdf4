/* worth.c - how much the next page is worth, given all pages so far.
 *
 * A page costs a few dozen additions. Solving for R exactly walks over all bins in
 * use some fifty times, so it is done when the history has grown by an eighth, and
 * at least every SOLVE_MOST pages. SPDX-License-Identifier: MIT */
#include "models/energy/worth.h"

#include "base/fields.h"
#include "base/mem.h"

#include <math.h>
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
    uint64_t pages = w->all.pages > w->pages ? w->all.pages : w->pages;

    return (double)pages < energy_cold_pages(w->config.cost, w->config.gain);
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
    double R, least, greatest, lambda = 0;

    if (is_cold(w)) {
        w->energy.R = rank_value(w->nseeds ? COLD_SHARE * w->seeds / w->nseeds : 0);
        w->energy.lambda = 0;
        return;
    }
    R = rank_quantile(w->history, energy_share(c->cost, c->gain));
    least = rank_least(w->history);
    greatest = rank_greatest(w->history);
    if (w->all.pages && c->balance != BALANCE_EXACT) {
        R = w->all.R;
        least = fmin(least, w->all.least);
        greatest = fmax(greatest, w->all.greatest);
    }
    if (c->balance != BALANCE_STEP)
        lambda = energy_lambda(c->lambda, R, least, greatest);
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

/* ---- several machines ---------------------------------------------------- */

/* The distribution of relevances on one machine: `points` ascending, with pages
 * evenly spread between them. */
struct spread {
    double points[WORTH_POINTS];
    uint64_t pages;
};

static struct spread spread_of(const struct worth *w)
{
    struct spread s = {.pages = w->pages};

    for (int i = 0; i < WORTH_POINTS && s.pages; i++)
        s.points[i] = i == 0 ? rank_least(w->history)
                             : rank_quantile(w->history, (double)i / (WORTH_POINTS - 1));
    return s;
}

/* Reads bytes of another machine. Returns false if they are not valid. */
static bool spread_read(struct spread *s, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    double before = 0;

    s->pages = cursor_u64(&from);
    for (int i = 0; i < WORTH_POINTS; i++) {
        s->points[i] = cursor_f64(&from);
        if (!(s->points[i] >= before && s->points[i] <= 1))
            return false;
        before = s->points[i];
    }
    return !from.bad && from.rest.len == 0 && s->pages > 0 && s->pages < UINT64_C(1) << 40;
}

/* How many pages have up to this relevance. */
static double spread_below(const struct spread *s, double r)
{
    int i = WORTH_POINTS - 1;
    double step = (double)s->pages / (WORTH_POINTS - 1), wide;

    while (i >= 0 && s->points[i] > r)
        i--;
    if (i < 0)
        return 0;
    if (i == WORTH_POINTS - 1)
        return (double)s->pages;
    wide = s->points[i + 1] - s->points[i];
    return step * (i + (r - s->points[i]) / wide);
}

void worth_say(const struct worth *w, struct buf *out)
{
    struct spread s = spread_of(w);

    if (s.pages == 0)
        return;
    buf_put_u64(out, s.pages);
    for (int i = 0; i < WORTH_POINTS; i++)
        buf_put_f64(out, s.points[i]);
}

static double below(const struct spread *all, size_t count, double r)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += spread_below(&all[i], r);
    return sum;
}

/* Returns the lowest relevance up to which the wanted share of all pages lies; by bisection. */
static double joint_quantile(const struct spread *all, size_t count, double wanted)
{
    double low = 0, high = 1;

    if (below(all, count, 0) >= wanted)
        return 0;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;

        if (below(all, count, middle) >= wanted)
            high = middle;
        else
            low = middle;
    }
    return high;
}

void worth_hear(struct worth *w, struct cursor *said)
{
    LOCAL_HEAP struct spread *all = NULL;
    size_t count = 0, cap = 0;

    w->all = (struct worth_spread){.least = 1};
    while (said->rest.len > 0 && !said->bad) {
        MEM_GROW(all, count, &cap);
        if (spread_read(&all[count], cursor_str(said)))
            count++;
    }
    if (count > 0 && w->pages > 0) {
        MEM_GROW(all, count, &cap);
        all[count++] = spread_of(w);
    }
    for (size_t i = 0; i < count; i++) {
        w->all.pages += all[i].pages;
        w->all.least = fmin(w->all.least, all[i].points[0]);
        w->all.greatest = fmax(w->all.greatest, all[i].points[WORTH_POINTS - 1]);
    }
    if (count > 0)
        w->all.R = rank_value(joint_quantile(
            all, count, energy_share(w->config.cost, w->config.gain) * (double)w->all.pages));
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
