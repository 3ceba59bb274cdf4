/* survey.c - a page's links as one agent sees them. SPDX-License-Identifier: MIT */
#include "agent/survey.h"

#include "agent/keywords.h"

void survey_clear(struct survey *s)
{
    free(s->urls);
    free(s->in);
    free(s->estimates);
    free(s->links);
    free(s->scores);
    free(s->chances);
    free(s->drawn);
    url_index_clear(&s->targets);
    *s = (struct survey){0};
}

static void room_for_links(struct survey *s, size_t links, size_t keywords)
{
    size_t inputs = links * keywords;

    if (links > s->urls_cap) {
        s->urls_cap = links * 2;
        s->urls = mem_resize(s->urls, s->urls_cap, sizeof *s->urls);
        s->estimates = mem_resize(s->estimates, s->urls_cap, sizeof *s->estimates);
        s->scores = mem_resize(s->scores, s->urls_cap, sizeof *s->scores);
        s->chances = mem_resize(s->chances, s->urls_cap, sizeof *s->chances);
        s->drawn = mem_resize(s->drawn, s->urls_cap, sizeof *s->drawn);
    }
    if (inputs > s->in_cap) {
        s->in_cap = inputs * 2;
        s->in = mem_resize(s->in, s->in_cap, sizeof *s->in);
        s->links = mem_resize(s->links, s->in_cap, sizeof *s->links);
    }
}

static void forget(struct survey *s)
{
    for (size_t i = 0; i < s->count; i++)
        url_index_set(&s->targets, s->urls[i], 0);
    s->count = 0;
}

/* A link joins its target: the first one makes it. */
static void join(struct survey *s, uint32_t url, const float *in)
{
    uint32_t at = url_index_get(&s->targets, url);
    float *row;

    if (at) {
        row = s->in + (at - 1) * s->keywords;
        for (size_t k = 0; k < s->keywords; k++)
            row[k] += in[k];
        return;
    }
    memcpy(s->in + s->count * s->keywords, in, s->keywords * sizeof *in);
    s->urls[s->count++] = url;
    url_index_set(&s->targets, url, (uint32_t)s->count);
}

void survey_make(struct survey *s, const struct percept *p, const uint32_t *keywords, size_t count,
                 unsigned rho)
{
    uint32_t n = p->body->nlinks;

    forget(s);
    s->keywords = count;
    if (n == 0)
        return;
    room_for_links(s, n, count);
    keyword_inputs(p->body, p->profile, keywords, count, rho, s->links);
    for (uint32_t i = 0; i < n; i++)
        if (p->marks[i].url && p->marks[i].drop == DROP_NONE)
            join(s, p->marks[i].url, s->links + i * count);
}

static bool is_dark(const float *in, size_t n)
{
    while (n > 0 && in[n - 1] == 0)
        n--;
    return n == 0;
}

/* Most links have no keyword near them: their output is computed once. */
void survey_estimate(struct survey *s, const struct net *n)
{
    static const float nothing[NET_INPUTS];
    double dark = net_output(n, nothing);

    for (size_t i = 0; i < s->count; i++) {
        const float *in = survey_inputs(s, i);

        s->estimates[i] = is_dark(in, s->keywords) ? dark : net_output(n, in);
    }
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
