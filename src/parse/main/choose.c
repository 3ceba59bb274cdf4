/* choose.c - the two models over blocks, and the verdict.
 *
 * In: struct main_text after main_sum(). Out: score, kind and is_main of each block.
 *
 * The first model judges a block by its features. Its scores are then added up over
 * the blocks around it, over blocks in equal holders, and over the holders. The second
 * model judges a block by these sums; it has a set of weights for each class of blocks
 * (long, short, with links, headings), because a short block resembles its neighbours
 * more than a long one does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "parse/main/main_int.h"

#include "base/mem.h"

#include <assert.h>

#define CLIP       6.0f
#define TWINS_MOST 40.0f /* hundreds of like paragraphs count no more than one article's */

static float within(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* The weight of a block among others. */
static float weight_of(const struct main_work *w)
{
    return 20.0f + (float)(w->len < 400 ? w->len : 400);
}

void main_first(struct main_text *m, const struct main_model *model)
{
    main_features_sums(m, model->first);
    for (size_t i = 0; i < m->count; i++)
        m->work[i].first = within((float)m->work[i].features / 1000, CLIP);
}

/* ---- scores of holders and groups ---- */

/* Like find_cores() in block.c, but by the mass. */
static void find_cores(struct main_text *m)
{
    static const float shares[] = {0.9f, 0.75f, 0.55f};
    uint32_t i = (uint32_t)m->nholders - 1;

    for (unsigned k = ARRAY_LEN(shares); k-- > 0; m->page.mass_core[k] = i)
        while (i > 0 && m->holders[i].mass < m->holders[0].mass * shares[k])
            i--;
}

void main_spread(struct main_text *m)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < m->nholders; i++)
        m->holders[i].mass = m->holders[i].sum = m->holders[i].weight = 0;
    for (size_t i = 0; i < m->ngroups; i++)
        m->groups[i].sum = m->groups[i].weight = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct main_work *w = &m->work[i];
        struct holder *h = &m->holders[m->blocks[i].holder];
        struct main_group *g = &m->groups[w->twins];
        float weight = weight_of(w), score = w->first;

        h->weight += weight;
        h->sum += weight * score;
        h->mass += score > 0 ? (float)w->len : 0;
        g->weight += weight;
        g->sum += weight * score;
        w->sum = sum += (double)(weight * score);
        w->weight = weights += (double)weight;
    }
    for (size_t i = m->nholders; i-- > 1;) {
        const struct holder *h = &m->holders[i];
        struct holder *up = &m->holders[h->parent];

        up->weight += h->weight;
        up->sum += h->sum;
        up->mass += h->mass;
    }
    find_cores(m);
}

static float mean(float sum, float weight)
{
    return weight > 0 ? sum / weight : 0;
}

/* The mean score of the blocks up to `reach` away, itself left out. */
static float mean_around(const struct main_text *m, size_t at, size_t reach)
{
    const struct main_work *w = &m->work[at],
                           *to = &m->work[at + reach < m->count ? at + reach : m->count - 1];
    double weight = weight_of(w), sum = to->sum - weight * (double)w->first, all = to->weight;

    if (at > reach) {
        sum -= m->work[at - reach - 1].sum;
        all -= m->work[at - reach - 1].weight;
    }
    return mean((float)sum, (float)(all - weight));
}

static float score_at(const struct main_text *m, size_t at, int by)
{
    size_t i = at + (size_t)by;

    return i < m->count ? m->work[i].first : -CLIP / 2; /* before the first: wraps */
}

static unsigned class_of(const struct main_text *m, size_t at)
{
    const struct main_work *w = &m->work[at];
    unsigned tag = m->holders[m->blocks[at].holder].tag;

    if (tag >= TAG_H1 && tag <= TAG_H6)
        return 0;
    if (w->len >= 100)
        return 1;
    if (2 * w->linked > w->len)
        return 2;
    return w->len >= 40 ? 3 : 4;
}

unsigned main_second(const struct main_text *m, size_t at, float ret[MAIN_SECOND])
{
    const struct main_work *w = &m->work[at];
    const struct holder *h = &m->holders[m->blocks[at].holder], *up = &m->holders[h->parent],
                        *over = &m->holders[up->parent];
    const struct main_group *g = &m->groups[w->twins];
    float prev = score_at(m, at, -1), next = score_at(m, at, 1), own = weight_of(w);
    float all = m->holders[0].mass + 1;
    unsigned n = 0;

    ret[n++] = 1;
    ret[n++] = w->first;
    ret[n++] = prev;
    ret[n++] = next;
    ret[n++] = score_at(m, at, -2);
    ret[n++] = score_at(m, at, 2);
    ret[n++] = mean_around(m, at, 3);
    ret[n++] = mean_around(m, at, 8);
    ret[n++] = mean(g->sum - own * w->first, g->weight - own);
    ret[n++] = mean(h->sum - own * w->first, h->weight - own);
    ret[n++] = mean(up->sum, up->weight);
    ret[n++] = mean(over->sum, over->weight);
    for (unsigned i = 0; i < 3; i++) {
        const struct holder *core = &m->holders[m->page.mass_core[i]];

        ret[n++] = at >= core->first && at < core->end ? 1 : -1;
    }
    ret[n++] = 2 * h->mass / all;
    ret[n++] = 2 * up->mass / all;
    ret[n++] = 2 * over->mass / all;
    ret[n++] = prev < next ? prev : next;
    ret[n++] = prev < next ? next : prev;
    ret[n++] = mean(m->holders[0].sum, m->holders[0].weight);
    ret[n++] = within(mean(g->sum - own * w->first, 200), TWINS_MOST);
    assert(n == MAIN_SECOND);
    return class_of(m, at);
}

typedef float four __attribute__((vector_size(16)));

/* Adds up four sums at once. They are written as vectors, because in a plain loop the compiler does
 * not see them, and stores and loads each sum. */
static float dot(const float *a, const float *b)
{
    four sums = {0}, x, y;
    unsigned k;

    for (k = 0; k + 4 <= MAIN_SECOND; k += 4) {
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        sums += x * y;
    }
    for (; k < MAIN_SECOND; k++)
        sums[k & 3] += a[k] * b[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void score_second(struct main_text *m, const struct main_model *model)
{
    float seen[MAIN_SECOND];

    for (size_t i = 0; i < m->count; i++) {
        const float *weights = model->second[main_second(m, i, seen)];
        float sum = dot(weights, seen);

        m->blocks[i].score = sum;
        m->blocks[i].is_main = sum > 0;
    }
}

/* The kind of a passage. In a page laid out with a table, the paragraphs are inside the table;
 * readers' comments are found by the names of their elements. */
static unsigned kind_of(const struct main_text *m, const struct block *b)
{
    const struct holder *h = &m->holders[b->holder];

    if (h->below >> PART_COMMENT & 1 && h->kind != PASSAGE_HEADING)
        return PASSAGE_COMMENT;
    if (h->kind == PASSAGE_TABLE && (h->tag == TAG_P || h->tag == TAG_DIV))
        return PASSAGE_TEXT;
    return h->kind;
}

#define NEAR_BEST  1.0f  /* below the best score of the page … */
#define LEAST_BEST -3.0f /* … which is at least this */

/* A short page may have no block that looks like main text: then the best-scored ones are taken. */
static void choose_best(struct main_text *m)
{
    float best = LEAST_BEST;

    for (size_t i = 0; i < m->count; i++) {
        if (m->blocks[i].is_main)
            return;
        if (m->blocks[i].score > best)
            best = m->blocks[i].score;
    }
    for (size_t i = 0; i < m->count; i++)
        m->blocks[i].is_main = best > LEAST_BEST && m->blocks[i].score >= best - NEAR_BEST;
}

void main_choose_by(struct main_text *m, const struct main_model *model, const struct page *page)
{
    if (m->count == 0)
        return;
    main_sum(m, page);
    main_first(m, model);
    main_spread(m);
    score_second(m, model);
    choose_best(m);
}

void main_choose(struct main_text *m, const struct page *page)
{
    main_choose_by(m, &main_model, page);
}

void main_take(struct main_text *m, bool whole, struct arena *arena, struct page *page)
{
    uint32_t n = 0;

    if (page->kind != PAGE_HTML) { /* a document without menus */
        page->main = arena_array(arena, 1, sizeof *page->main);
        if (page->main != NULL && page->text.len)
            page->main[page->nmain++] = (struct passage){0, (uint32_t)page->text.len, 0};
        return;
    }
    if (!whole)
        main_choose(m, page);
    for (size_t i = 0; i < m->count; i++) {
        m->blocks[i].is_main |= whole;
        n += m->blocks[i].is_main;
    }
    page->main = arena_array(arena, n, sizeof *page->main);
    if (page->main == NULL)
        return;
    for (size_t i = 0; i < m->count; i++) {
        const struct block *b = &m->blocks[i];

        if (b->is_main)
            page->main[page->nmain++] =
                (struct passage){b->off, b->end - b->off, (uint8_t)kind_of(m, b)};
    }
}
