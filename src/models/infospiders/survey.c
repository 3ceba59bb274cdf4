/* survey.c - a page's links as one agent sees them. SPDX-License-Identifier: MIT */
#include "models/infospiders/survey.h"

#include "models/infospiders/keywords.h"

void survey_clear(struct survey *s)
{
    free(s->urls);
    free(s->in);
    free(s->lit);
    free(s->estimates);
    free(s->rows);
    free(s->scores);
    free(s->chances);
    free(s->drawn);
    url_index_clear(&s->targets);
    *s = (struct survey){0};
}

static float *row_of(const struct survey *s, size_t row)
{
    return s->in + row * s->keywords;
}

/* Sets all rows to 0 again; only few are not. */
static void darken(struct survey *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (s->lit[i]) {
            memset(row_of(s, i), 0, s->keywords * sizeof *s->in);
            s->lit[i] = 0;
        }
}

static void forget(struct survey *s)
{
    darken(s, 0, s->count);
    darken(s, s->nlinks - s->spare, s->nlinks);
    for (size_t i = 0; i < s->count; i++)
        url_index_set(&s->targets, s->urls[i], 0);
    s->count = s->spare = s->nlinks = 0;
}

static void room_for_links(struct survey *s, size_t links, size_t keywords)
{
    size_t inputs = links * keywords;

    if (links > s->links_cap) {
        s->links_cap = links * 2;
        s->urls = mem_resize(s->urls, s->links_cap, sizeof *s->urls);
        s->rows = mem_resize(s->rows, s->links_cap, sizeof *s->rows);
        s->estimates = mem_resize(s->estimates, s->links_cap, sizeof *s->estimates);
        s->scores = mem_resize(s->scores, s->links_cap, sizeof *s->scores);
        s->chances = mem_resize(s->chances, s->links_cap, sizeof *s->chances);
        s->drawn = mem_resize(s->drawn, s->links_cap, sizeof *s->drawn);
        free(s->lit);
        s->lit = mem_zero(s->links_cap, sizeof *s->lit);
    }
    if (s->in == NULL || inputs > s->in_cap) { /* a topic that has only examples has no keywords */
        s->in_cap = inputs * 2;
        free(s->in);
        s->in = mem_zero(s->in_cap, sizeof *s->in);
    }
}

/* Gives a row to every link that may be followed: the first link to a target makes it. */
static void give_rows(struct survey *s, const struct percept *p)
{
    for (uint32_t i = 0; i < s->nlinks; i++) {
        uint32_t url = p->marks[i].url;

        if (url == 0 || p->marks[i].drop != DROP_NONE) {
            s->rows[i] = KEYWORDS_NO_ROW;
        } else if (url_index_get(&s->targets, url)) {
            s->rows[i] = (uint32_t)(s->nlinks - ++s->spare);
        } else {
            s->rows[i] = (uint32_t)s->count;
            s->urls[s->count++] = url;
            url_index_set(&s->targets, url, (uint32_t)s->count);
        }
    }
}

/* Adds further links to their target, in the page's order. */
static void join(struct survey *s, const struct percept *p)
{
    for (uint32_t i = 0, left = (uint32_t)s->spare; left > 0; i++) {
        uint32_t row = s->rows[i], at;
        float *sum;

        if (row == KEYWORDS_NO_ROW || row < s->count)
            continue;
        left--;
        if (!s->lit[row])
            continue;
        at = url_index_get(&s->targets, p->marks[i].url) - 1;
        sum = row_of(s, at);
        for (size_t k = 0; k < s->keywords; k++)
            sum[k] += row_of(s, row)[k];
        s->lit[at] = 1;
    }
}

void survey_make(struct survey *s, const struct percept *p, const uint32_t *keywords, size_t count,
                 unsigned rho)
{
    struct keyword_rows rows;

    forget(s);
    s->keywords = count;
    if (p->body->nlinks == 0)
        return;
    room_for_links(s, p->body->nlinks, count);
    s->nlinks = p->body->nlinks;
    give_rows(s, p);
    rows = (struct keyword_rows){.of = s->rows, .in = s->in, .lit = s->lit};
    keyword_inputs(p->body, p->profile, keywords, count, rho, &rows);
    join(s, p);
}

/* Most links have no keyword near them, so their output is computed once. */
void survey_estimate(struct survey *s, const struct net *n)
{
    static const float nothing[NET_INPUTS];
    double dark = net_output(n, nothing);

    for (size_t i = 0; i < s->count; i++)
        s->estimates[i] = s->lit[i] ? net_output(n, survey_inputs(s, i)) : dark;
}

double survey_best(const struct survey *s)
{
    double best = s->count ? s->estimates[0] : 0;

    for (size_t i = 1; i < s->count; i++)
        best = s->estimates[i] > best ? s->estimates[i] : best;
    return best;
}

void survey_mark(const struct survey *s, struct percept *p)
{
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];

        if (mark->url && mark->drop == DROP_NONE)
            mark->score = (float)s->estimates[url_index_get(&s->targets, mark->url) - 1];
    }
}

long survey_draw(struct survey *s, enum lottery rule, double beta, struct rng *r,
                 survey_filter_fn *allows, void *ctx)
{
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++)
        if (allows(ctx, s->urls[i])) {
            s->scores[n] = s->estimates[i];
            s->drawn[n++] = i;
        }
    return n ? (long)s->drawn[lottery_draw(rule, beta, s->scores, n, s->chances, r)] : -1;
}
