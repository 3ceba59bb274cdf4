/* state.c - what a page is about, as a vector.
 *
 * In: a page's terms. Out: k numbers, from a file of clusters or from clusters of the
 * first pages of the crawl itself; zeros until these are there, so that all pages are
 * worth the same and are taken in the order they were met.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/mem.h"
#include "models/foragers/foragers.h"

#define LESSON_WORDS 2000 /* of the clusters that it makes: 400 KB with k = 50 */

static bool is_file(const struct foragers_options *o)
{
    return o->clusters && !str_eq(str_of(o->clusters), STR("self"));
}

enum status foragers_check_clusters(const struct foragers_options *o)
{
    struct clusters *c = NULL;
    enum status st = is_file(o) ? clusters_read(o->clusters, &c) : ST_OK;

    if (st == ST_OK && c && c->k > TD_K_MAX)
        st = status_fail(ST_USAGE, "%s: more than %d clusters", o->clusters, TD_K_MAX);
    clusters_free(c);
    return st;
}

void foragers_open_clusters(struct model *m)
{
    const struct foragers_options *o = options_of(m);
    struct foragers *st = foragers_of(m);

    st->k = (uint32_t)o->k;
    if (is_file(o) && clusters_read(o->clusters, &st->clusters) == ST_OK) {
        st->k = st->clusters->k;
        return;
    }
    page_memory_init(&st->lesson, (size_t)o->learn);
    st->lesson_at = (uint64_t)o->learn;
}

static void make_clusters(struct model *m)
{
    struct foragers *st = foragers_of(m);
    struct clusters_config config = {.k = st->k, .words = LESSON_WORDS, .scaling = VEC_TFIDF};
    LOCAL_HEAP struct vec *docs = mem_zero(st->lesson.count, sizeof *docs);

    for (size_t i = 0; i < st->lesson.count; i++) {
        const struct remembered_page *page = page_memory_at(&st->lesson, i);

        docs[i] = (struct vec){page->terms, page->nterms};
    }
    if (clusters_make(docs, st->lesson.count, &config, NULL, &st->clusters) == ST_OK)
        page_memory_clear(&st->lesson);
    else
        st->lesson_at = 2 * st->seen; /* too few pages, or too similar */
}

void foragers_study(struct model *m, const struct percept *p)
{
    struct foragers *st = foragers_of(m);
    struct page no_links = {.kind = p->body->kind};
    struct percept copy = *p;

    st->seen++;
    if (st->clusters || st->lesson.max == 0)
        return;
    copy.body = &no_links;
    page_memory_add(&st->lesson, &copy);
    if (st->seen >= st->lesson_at && st->lesson.count > 0)
        make_clusters(m);
}

void foragers_set_state(struct model *m, uint32_t record, const struct profile *profile)
{
    struct foragers *st = foragers_of(m);
    float state[TD_K_MAX];

    if (st->clusters == NULL || st->clusters->k > TD_K_MAX)
        return;
    clusters_state(st->clusters, profile->terms, profile->nterms,
                   (enum clusters_mapping)options_of(m)->mapping, state);
    forage_state_set(&st->pages, record, state, st->clusters->k);
    st->states++;
    for (uint32_t i = 0; i < st->clusters->k; i++)
        st->squares += (double)state[i] * (double)state[i];
}
