/* truth_subject.c - the topics of a world: every prefix of its labels, or the plan's
 * words. SPDX-License-Identifier: MIT */
#include "lab/run/truth.h"

#include "base/mem.h"
#include "base/search.h"
#include "text/profile.h"

#include <stdlib.h>

void subjects_free(struct subject *s, size_t count)
{
    for (size_t i = 0; s && i < count; i++) {
        free(s[i].name);
        free(s[i].words);
        free(s[i].targets);
    }
    free(s);
}

bool subject_has(const struct subject *s, uint32_t url)
{
    uint32_t i;

    FIND_FIRST(i, 0, s->count, s->targets[i] >= url);
    return i < s->count && s->targets[i] == url;
}

/* ---- labels -------------------------------------------------------------- */

/* Distinct prefixes of all labels, sorted; and how many targets each has. */
struct prefixes {
    struct str *name;
    uint32_t *count, *last; /* last: the last page counted, so that each counts once */
    uint32_t *label;        /* the label of that very name; UINT32_MAX: none */
    size_t n, cap;
    uint32_t *of; /* rows of prefix numbers by label */
    size_t *of_off;
};

static int by_name(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void add_prefixes(struct prefixes *p, struct str label)
{
    for (size_t end = 0; end <= label.len; end++)
        if (end > 0 && (end == label.len || label.ptr[end] == '.')) {
            MEM_GROW(p->name, p->n, &p->cap);
            p->name[p->n++] = str_sub(label, 0, end);
        }
}

static uint32_t find_prefix(const struct prefixes *p, struct str name)
{
    const struct str *at = bsearch(&name, p->name, p->n, sizeof *p->name, by_name);

    return (uint32_t)(at - p->name);
}

/* For each label the prefixes that it counts for. */
static void index_labels(struct prefixes *p, const struct web *w)
{
    uint32_t labels = web_labels(w);
    size_t n = 0, cap = 0;

    p->of_off = mem_zero((size_t)labels + 1, sizeof *p->of_off);
    for (uint32_t l = 0; l < labels; l++) {
        struct str label = web_label(w, l);

        for (size_t end = 1; end <= label.len; end++)
            if (end == label.len || label.ptr[end] == '.') {
                MEM_GROW(p->of, n, &cap);
                p->of[n++] = find_prefix(p, str_sub(label, 0, end));
            }
        if (label.len > 0)
            p->label[find_prefix(p, label)] = l;
        p->of_off[l + 1] = n;
    }
}

static void prefixes_init(struct prefixes *p, const struct web *w)
{
    size_t distinct = 0;

    *p = (struct prefixes){0};
    for (uint32_t l = 0; l < web_labels(w); l++)
        add_prefixes(p, web_label(w, l));
    if (p->n)
        qsort(p->name, p->n, sizeof *p->name, by_name);
    for (size_t i = 0; i < p->n; i++)
        if (i == 0 || !str_eq(p->name[i], p->name[distinct - 1]))
            p->name[distinct++] = p->name[i];
    p->n = distinct;
    p->count = mem_zero(p->n + 1, sizeof *p->count);
    p->last = mem_zero(p->n + 1, sizeof *p->last);
    p->label = mem_zero(p->n + 1, sizeof *p->label);
    for (size_t i = 0; i < p->n; i++)
        p->label[i] = UINT32_MAX;
    index_labels(p, w);
}

static void prefixes_clear(struct prefixes *p)
{
    free(p->name);
    free(p->count);
    free(p->last);
    free(p->label);
    free(p->of);
    free(p->of_off);
}

/* Calls `each` once for every prefix of every page that may be fetched. */
static void walk_pages(const struct ground *g, struct prefixes *p,
                       void (*each)(void *ctx, uint32_t prefix, uint32_t page), void *ctx)
{
    for (size_t i = 0; i < p->n; i++)
        p->last[i] = 0;
    for (uint32_t page = 1; page <= g->counts.pages; page++) {
        uint32_t n;
        const uint32_t *labels = web_labels_of(g->web, page, &n);

        for (uint32_t i = 0; g->allowed[page] && i < n; i++)
            for (size_t k = p->of_off[labels[i]]; k < p->of_off[labels[i] + 1]; k++)
                if (p->last[p->of[k]] != page) {
                    p->last[p->of[k]] = page;
                    each(ctx, p->of[k], page);
                }
    }
}

static void count_page(void *ctx, uint32_t prefix, uint32_t page)
{
    (void)page;
    ((struct prefixes *)ctx)->count[prefix]++;
}

/* `Science.Space_travel` -> `science space travel` */
static char *words_of_prefix(struct str name)
{
    char *words = str_dup(name);

    for (char *c = words; *c; c++)
        *c = *c == '.' || *c == '_' ? ' ' : ascii_lower(*c);
    return words;
}

static char *words_of(const struct web *w, const struct prefixes *p, size_t i)
{
    struct str words = p->label[i] == UINT32_MAX ? STR("") : web_label_words(w, p->label[i]);

    return words.len ? str_dup(words) : words_of_prefix(p->name[i]);
}

/* Where each chosen prefix's subject is; UINT32_MAX: not chosen. */
struct chosen {
    uint32_t *subject; /* by prefix */
    struct subject *subjects;
    size_t count;
    struct left_out left;
};

static void keep_page(void *ctx, uint32_t prefix, uint32_t page)
{
    struct chosen *c = ctx;
    struct subject *s;

    if (c->subject[prefix] == UINT32_MAX)
        return;
    s = &c->subjects[c->subject[prefix]];
    s->targets[s->count++] = page;
}

static void choose(struct chosen *c, const struct ground *g, const struct prefixes *p,
                   const struct plan *plan)
{
    LOCAL_HEAP size_t *fit = mem_zero(p->n + 1, sizeof *fit);
    size_t nfit = 0;
    double most = plan->label_max * g->pages;

    c->subject = mem_zero(p->n + 1, sizeof *c->subject);
    for (size_t i = 0; i < p->n; i++) {
        c->subject[i] = UINT32_MAX;
        c->left.small += p->count[i] < plan->label_min;
        c->left.large += p->count[i] >= plan->label_min && p->count[i] > most;
        if (p->count[i] >= plan->label_min && p->count[i] <= most)
            fit[nfit++] = i;
    }
    c->count = plan->label_most && plan->label_most < nfit ? plan->label_most : nfit;
    c->left.spread = nfit - c->count;
    c->subjects = mem_zero(c->count + 1, sizeof *c->subjects);
    for (size_t i = 0; i < c->count; i++) {
        size_t prefix = fit[i * nfit / c->count];

        c->subject[prefix] = (uint32_t)i;
        c->subjects[i] = (struct subject){
            .name = str_dup(p->name[prefix]),
            .words = words_of(g->web, p, prefix),
            .targets = mem_zero(p->count[prefix], sizeof(uint32_t)),
        };
    }
}

enum status subjects_of_labels(const struct ground *g, const struct plan *p, const char *world,
                               struct subject **ret, size_t *ret_count, struct left_out *ret_left)
{
    struct prefixes prefixes;
    struct chosen c = {0};

    if (web_labels(g->web) == 0)
        return status_fail(
            ST_USAGE,
            "%s:%u: the world '%s' has no labels, but the plan says 'topics: labels': "
            "give topics as words, or make the world with labels ('brood world "
            "import --labels FILE')",
            p->file, p->topics_line, world);
    prefixes_init(&prefixes, g->web);
    walk_pages(g, &prefixes, count_page, &prefixes);
    choose(&c, g, &prefixes, p);
    walk_pages(g, &prefixes, keep_page, &c);
    prefixes_clear(&prefixes);
    free(c.subject);
    if (c.count == 0) {
        subjects_free(c.subjects, 0);
        return status_fail(
            ST_USAGE,
            "%s:%u: the world '%s' has no label with at least %u pages and at most %g %% of "
            "all: write other limits, {labels: {min: …, max: …}}",
            p->file, p->topics_line, world, p->label_min, p->label_max * 100);
    }
    *ret = c.subjects;
    *ret_count = c.count;
    *ret_left = c.left;
    return ST_OK;
}

/* ---- words --------------------------------------------------------------- */

static enum status judge_pages(const struct ground *g, const struct plan *p, struct subject *s)
{
    struct topic *topic;
    struct profiler *profiler;
    struct page nothing = {0};
    size_t cap = 0;

    TRY(topic_from_words(str_of(s->words), STR("en"), &topic));
    profiler = profiler_new(topic);
    for (uint32_t page = 1; page <= g->counts.pages; page++) {
        struct profile profile;

        if (!g->allowed[page])
            continue;
        profile = web_profile(g->web, g->alive[page].first);
        (void)profile_judge(profiler, &nothing, web_href(g->web, page), web_idf(g->web), &profile);
        if (profile.relevance < p->relevant)
            continue;
        MEM_GROW(s->targets, s->count, &cap);
        s->targets[s->count++] = page;
    }
    profiler_free(profiler);
    topic_free(topic);
    return ST_OK;
}

enum status subjects_of_words(const struct ground *g, const struct plan *p, struct subject **ret,
                              size_t *ret_count)
{
    struct subject *s = mem_zero(p->topics.count, sizeof *s);
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < p->topics.count; i++) {
        s[i].name = str_dup(str_of(p->topics.items[i]));
        s[i].words = str_dup(str_of(p->topics.items[i]));
        st = judge_pages(g, p, &s[i]);
    }
    if (st != ST_OK) {
        subjects_free(s, p->topics.count);
        return st;
    }
    *ret = s;
    *ret_count = p->topics.count;
    return ST_OK;
}
