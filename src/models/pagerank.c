/* pagerank.c - the link that important pages point to comes next.
 *
 * In: a page and its links. Out: the link whose target has the highest PageRank
 * in the part of the web that was crawled.
 *
 *     PR(p) = (1 - g) + g * SUM over d -> p of  PR(d) / |out(d)|
 *
 * The graph: the `pages` crawled pages most similar to the topic, everything they
 * link to, and their links. out(d): the distinct URLs that d links to, itself not
 * counted, those that are not followed included. Every `every` pages the ranks are
 * computed again: all begin with 1, one round computes all from those of the round
 * before, and the last is the one in which no rank changes by `epsilon` or more.
 * A target that no page of the graph names has 1 - g. Between two computations a
 * new link has (1 - g) + g * PR(d) / |out(d)| of the page that named it.
 *
 * Order: by rank in steps of a millionth, then the parents' similarity (joined by
 * `parents`), then arrival. A seed has rank 1 until a page of the graph names it.
 *
 * Source: the PageRank crawler of Menczer, Pant, Srinivasan; Cho et al. 1998.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"
#include "agent/url_notes.h"
#include "base/limits.h"
#include "base/order.h"

#include <math.h>

#define ROUNDS_MOST 1000  /* of one computation */
#define RANK_STEP   1e-6  /* ranks closer than this are equal */
#define TIE_WEIGHT  0.999 /* of the similarity: less than a step */

struct pagerank_options {
    int64_t every, pages;
    double damping, epsilon;
    int similarity;
    int parents;
    int64_t buffer;
};

#define AT(field)  .offset = offsetof(struct pagerank_options, field)
#define FROM_STUDY "the crawler comparisons of Menczer, Pant, Srinivasan; from memory"

static const struct option pagerank_option_table[] = {
    {INT_OPTION("every", every, "N", "25", 1, 1e9),
     .help = "pages between two computations of the ranks", .source = FROM_STUDY,
     .unverified = true},
    {REAL_OPTION("damping", damping, "G", "0.8", 0, 0.99),
     .help = "share of a page's rank that its links pass on", .source = FROM_STUDY,
     .unverified = true},
    {REAL_OPTION("epsilon", epsilon, "X", "0.01", 1e-9, 1),
     .help = "a computation ends when no rank changes by this much", .source = FROM_STUDY,
     .unverified = true},
    {INT_OPTION("pages", pages, "N", "256", 1, 1e6),
     .help = "crawled pages in the graph: the most similar ones",
     .source = "MAX_BUFFER of the crawler comparisons; 256 in the earlier studies",
     .unverified = true},
    GREEDY_SIMILARITY(similarity),
    GREEDY_PARENTS(parents),
    GREEDY_BUFFER(buffer),
    {.name = NULL},
};

/* Kept for a URL while it waits. */
struct rank_note {
    double rank;
    double similarity; /* of its parents, joined */
    uint32_t parents;
};

static const struct field note_fields[] = {
    FIELD(F64, struct rank_note, rank),
    FIELD(F64, struct rank_note, similarity),
    FIELD(U32, struct rank_note, parents),
    FIELD_END,
};

/* A crawled page of the graph. */
struct rank_page {
    uint32_t url;
    uint32_t nout;
    uint32_t *out; /* ascending; NULL: the place is free */
};

/* The nodes of a computation: pages of the graph and what they link to. */
struct rank_graph {
    uint32_t *urls;
    double *rank, *next;
    size_t count, cap;
};

struct pagerank {
    struct greedy greedy;
    struct url_notes notes;
    struct rank_page *pages; /* by place, from 1; one more than is kept */
    size_t npages, pages_cap;
    uint32_t spare;         /* a free place; 0: the next one */
    struct link_queue kept; /* places by similarity: the least similar is removed */
    uint32_t *ranked;       /* URLs with a rank of the graph, or of a page */
    size_t nranked, ranked_cap;
    struct url_index node_of; /* while computing: URL -> node, from 1 */
    uint64_t fetched;
};

/* ---- links that wait ---- */

static struct pagerank *pagerank_of(struct model *m)
{
    const struct pagerank_options *o = m->options;
    struct pagerank *s = m->state;

    if (!s->greedy.ready) {
        url_notes_init(&s->notes, sizeof(struct rank_note), note_fields);
        link_queue_init(&s->kept, NULL, (size_t)o->pages, PARENTS_FIRST);
    }
    greedy_init(m, &s->greedy, o->buffer, PARENTS_FIRST);
    return s;
}

static double rank_key(const struct rank_note *note)
{
    return floor(note->rank / RANK_STEP + 0.5) + TIE_WEIGHT * note->similarity;
}

static void link_place(struct model *m, struct pagerank *s, uint32_t url,
                       const struct rank_note *note)
{
    url_notes_remove(&s->notes, greedy_set(m, &s->greedy, url, rank_key(note), false));
}

static void ranked_add(struct pagerank *s, uint32_t url)
{
    MEM_GROW(s->ranked, s->nranked, &s->ranked_cap);
    s->ranked[s->nranked++] = url;
}

/* Queues a link found on a page; its rank stays until the next computation. */
static double link_found(struct model *m, struct pagerank *s, uint32_t url, double rank,
                         double similarity)
{
    const struct pagerank_options *o = m->options;
    bool is_new;
    struct rank_note *note = url_notes_at(&s->notes, url, &is_new);

    note->parents++;
    if (is_new) {
        note->rank = rank;
        note->similarity = similarity;
        ranked_add(s, url);
    } else {
        note->similarity =
            parents_join((enum parents)o->parents, note->similarity, similarity, note->parents);
    }
    rank = note->rank;
    link_place(m, s, url, note);
    return rank;
}

static void rank_set(struct model *m, struct pagerank *s, uint32_t url, double rank)
{
    struct rank_note *note = url_notes_find(&s->notes, url);

    if (note == NULL)
        return;
    note->rank = rank;
    link_place(m, s, url, note);
}

static void pagerank_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct pagerank *s = pagerank_of(m);

    greedy_begin(m, &s->greedy, "pagerank");
    for (size_t i = 0; i < count; i++) {
        bool is_new;
        struct rank_note *note = url_notes_at(&s->notes, urls[i], &is_new);

        *note = (struct rank_note){.rank = 1, .similarity = 1, .parents = 1};
        link_place(m, s, urls[i], note);
    }
}

static bool pagerank_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct pagerank *s = pagerank_of(m);
    double key;

    if (!greedy_take(&s->greedy, host, ret, &key))
        return false;
    ret->score = (float)((struct rank_note *)url_notes_find(&s->notes, ret->url))->rank;
    url_notes_remove(&s->notes, ret->url);
    return true;
}

/* ---- the graph ---- */

ORDER(by_number, uint32_t, UP_VALUE)

/* Returns the distinct URLs that a page links to, in an array of its own. */
static uint32_t *page_out(const struct percept *p, uint32_t *ret_count)
{
    uint32_t *out = mem_alloc(((size_t)p->body->nlinks + 1) * sizeof *out);
    uint32_t n = 0, count = 0;

    for (uint32_t i = 0; i < p->body->nlinks; i++)
        if (p->marks[i].url && p->marks[i].url != p->choice.url)
            out[n++] = p->marks[i].url;
    qsort(out, n, sizeof *out, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || out[i] != out[i - 1])
            out[count++] = out[i];
    *ret_count = count;
    return out;
}

/* Puts a page into the graph; if it is full, removes the least similar one. */
static void page_keep(struct pagerank *s, struct rank_page page, double similarity)
{
    uint32_t place = s->spare ? s->spare : (uint32_t)s->npages + 1;

    if (s->spare == 0) {
        MEM_GROW(s->pages, s->npages, &s->pages_cap);
        s->npages++;
    }
    s->pages[place - 1] = page;
    s->spare = link_queue_add(&s->kept, place, similarity);
    if (s->spare) {
        free(s->pages[s->spare - 1].out);
        s->pages[s->spare - 1] = (struct rank_page){0};
    }
}

static void node_add(struct pagerank *s, struct rank_graph *g, uint32_t url)
{
    if (url_index_get(&s->node_of, url))
        return;
    MEM_GROW(g->urls, g->count, &g->cap);
    g->urls[g->count++] = url;
    url_index_set(&s->node_of, url, (uint32_t)g->count);
}

static void graph_make(struct pagerank *s, struct rank_graph *g)
{
    for (size_t i = 0; i < s->npages; i++) {
        const struct rank_page *page = &s->pages[i];

        if (page->out == NULL)
            continue;
        node_add(s, g, page->url);
        for (uint32_t j = 0; j < page->nout; j++)
            node_add(s, g, page->out[j]);
    }
    g->rank = mem_alloc((g->count + 1) * sizeof *g->rank);
    g->next = mem_alloc((g->count + 1) * sizeof *g->next);
    for (size_t i = 0; i < g->count; i++)
        g->rank[i] = 1;
}

/* Computes one round; returns the largest change. */
static double graph_round(const struct pagerank *s, struct rank_graph *g, double damping)
{
    double change = 0, *swap = g->rank;

    for (size_t i = 0; i < g->count; i++)
        g->next[i] = 1 - damping;
    for (size_t i = 0; i < s->npages; i++) {
        const struct rank_page *page = &s->pages[i];
        double share;

        if (page->nout == 0)
            continue;
        share = damping * g->rank[s->node_of.value[page->url] - 1] / page->nout;
        for (uint32_t j = 0; j < page->nout; j++)
            g->next[s->node_of.value[page->out[j]] - 1] += share;
    }
    for (size_t i = 0; i < g->count; i++) { /* fmax() would be a call for every node */
        double by = fabs(g->next[i] - g->rank[i]);

        change = by > change ? by : change;
    }
    g->rank = g->next;
    g->next = swap;
    return change;
}

/* Gives the waiting links their new ranks. */
static void ranks_hand_out(struct model *m, struct pagerank *s, const struct rank_graph *g)
{
    const struct pagerank_options *o = m->options;

    for (size_t i = 0; i < s->nranked; i++)
        if (url_index_get(&s->node_of, s->ranked[i]) == 0)
            rank_set(m, s, s->ranked[i], 1 - o->damping);
    s->nranked = 0;
    for (size_t i = 0; i < g->count; i++)
        if (url_notes_find(&s->notes, g->urls[i])) {
            rank_set(m, s, g->urls[i], g->rank[i]);
            ranked_add(s, g->urls[i]);
        }
}

static void ranks_compute(struct model *m, struct pagerank *s)
{
    const struct pagerank_options *o = m->options;
    struct rank_graph g = {0};

    graph_make(s, &g);
    for (int round = 0; round < ROUNDS_MOST; round++)
        if (graph_round(s, &g, o->damping) < o->epsilon)
            break;
    ranks_hand_out(m, s, &g);
    for (size_t i = 0; i < g.count; i++)
        url_index_set(&s->node_of, g.urls[i], 0);
    free(g.urls);
    free(g.rank);
    free(g.next);
}

/* ---- a page ---- */

static void pagerank_perceive(struct model *m, struct percept *p)
{
    const struct pagerank_options *o = m->options;
    struct pagerank *s = pagerank_of(m);
    double similarity = page_similarity(p, o->similarity);
    double own = p->choice.url ? (double)p->choice.score : 1 - o->damping;
    struct rank_page page = {.url = p->choice.url};
    double rank;

    page.out = page_out(p, &page.nout);
    rank = 1 - o->damping + (page.nout ? o->damping * own / page.nout : 0);
    for (uint32_t i = 0; i < p->body->nlinks; i++)
        if (mark_is_open(&p->marks[i]))
            p->marks[i].score = (float)link_found(m, s, p->marks[i].url, rank, similarity);
    if (p->page && page.url)
        page_keep(s, page, similarity);
    else
        free(page.out);
    if (p->page && ++s->fetched % (uint64_t)o->every == 0)
        ranks_compute(m, s);
    greedy_visited(m, &s->greedy, p);
}

static void pagerank_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)m, (void)c, (void)why;
}

/* ---- state ---- */

static void urls_put(struct buf *out, const uint32_t *urls, size_t count)
{
    buf_put_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        buf_put_u32(out, urls[i]);
}

static uint32_t *urls_get(struct cursor *from, uint32_t *ret_count)
{
    uint32_t count = cursor_u32(from), *urls;

    from->bad |= count > from->rest.len / 4;
    count = from->bad ? 0 : count;
    urls = mem_alloc(((size_t)count + 1) * sizeof *urls);
    for (uint32_t i = 0; i < count; i++) {
        urls[i] = cursor_u32(from);
        from->bad |= urls[i] > LIMIT_URLS;
    }
    *ret_count = count;
    return urls;
}

static void pagerank_save(const struct model *m, struct buf *out)
{
    const struct pagerank *s = m->state;

    greedy_save(&s->greedy, out);
    url_notes_save(&s->notes, out);
    link_queue_save(&s->kept, out);
    buf_put_u64(out, s->fetched);
    buf_put_u32(out, s->spare);
    urls_put(out, s->ranked, s->nranked);
    buf_put_u32(out, (uint32_t)s->npages);
    for (size_t i = 0; i < s->npages; i++) {
        buf_put_u32(out, s->pages[i].url);
        urls_put(out, s->pages[i].out, s->pages[i].nout);
    }
}

static enum status pages_load(struct pagerank *s, struct cursor *from)
{
    uint32_t count;

    s->fetched = cursor_u64(from);
    s->spare = cursor_u32(from);
    s->ranked = urls_get(from, &count);
    s->nranked = s->ranked_cap = count;
    count = cursor_u32(from);
    while (s->npages < count && !from->bad) {
        struct rank_page page = {.url = cursor_number(from)};

        page.out = urls_get(from, &page.nout);
        from->bad |= page.url > LIMIT_URLS;
        if (page.url == 0) { /* the spare place */
            free(page.out);
            page = (struct rank_page){0};
        }
        MEM_GROW(s->pages, s->npages, &s->pages_cap);
        s->pages[s->npages++] = page;
    }
    from->bad |= s->spare > s->npages;
    return from->bad ? status_fail(ST_CORRUPT, "the saved graph is cut or broken") : ST_OK;
}

static enum status pagerank_load(struct model *m, struct str state)
{
    struct pagerank *s = pagerank_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};

    TRY(greedy_load(&s->greedy, &c));
    TRY(url_notes_load(&s->notes, &c));
    TRY(link_queue_load(&s->kept, &c));
    return pages_load(s, &c);
}

static void pagerank_describe(const struct model *m, struct json *j)
{
    const struct pagerank *s = m->state;

    greedy_describe(&s->greedy, j);
    json_put_int(j, "graph_pages", (int64_t)s->kept.count);
    json_put_int(j, "ranked", (int64_t)s->nranked);
}

static void pagerank_finish(struct model *m)
{
    struct pagerank *s = m->state;

    for (size_t i = 0; i < s->npages; i++)
        free(s->pages[i].out);
    free(s->pages);
    free(s->ranked);
    url_index_clear(&s->node_of);
    link_queue_clear(&s->kept);
    url_notes_clear(&s->notes);
    greedy_clear(&s->greedy);
}

const struct model_ops model_pagerank = {
    .name = "pagerank",
    .summary = "the link that important pages point to comes next",
    .advice = "For study: it looks for pages that many others link to, not for a topic.",
    .common = "every damping similarity parents",
    .source = "Menczer, Pant, Srinivasan: Topical web crawlers (TOIT 2004), PageRank crawler",
    .options = pagerank_option_table,
    .options_size = sizeof(struct pagerank_options),
    .state_size = sizeof(struct pagerank),
    .start = pagerank_start,
    .late = &greedy_late,
    .parts = &greedy_parts,
    .next = pagerank_next,
    .perceive = pagerank_perceive,
    .failed = pagerank_failed,
    .save = pagerank_save,
    .load = pagerank_load,
    .describe = pagerank_describe,
    .finish = pagerank_finish,
};
