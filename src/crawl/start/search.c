/* search.c - see search.h. SPDX-License-Identifier: MIT */
#include "crawl/start/search.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/secret.h"
#include "crawl/start/get.h"
#include "crawl/start/seed.h"
#include "crawl/start/topic.h"
#include "parse/page/page.h"
#include "text/guide.h"
#include "text/profile.h"
#include "text/words/token.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <jansson.h>
#include <stdlib.h>

#define JSON_NESTING 20
#define HITS_TEXT    KIB(4) /* of one hit */

/* ---- an answer ----------------------------------------------------------- */

void search_hits_free(struct search_hits *h)
{
    for (size_t i = 0; i < h->count; i++) {
        free(h->items[i].url);
        free(h->items[i].text);
    }
    free(h->items);
    *h = (struct search_hits){0};
}

void search_hit_add(struct search_hits *h, struct str url, struct str title, struct str summary)
{
    LOCAL_LIST read = {0};
    LOCAL_BUF text = BUF_INIT(2 * HITS_TEXT + 2);

    if (h->count < h->most && str_find(url, STR("://"), 0) != SIZE_MAX &&
        seed_read(url, &read) == ST_OK) {
        buf_add_str(&text, str_sub(title, 0, HITS_TEXT));
        buf_add_char(&text, '\n');
        buf_add_str(&text, str_sub(summary, 0, HITS_TEXT));
        MEM_GROW(h->items, h->count, &h->cap);
        h->items[h->count++] =
            (struct search_hit){str_dup(str_of(read.items[0])), buf_take(&text, NULL)};
    }
}

/* Returns the text of the first of these members that exists. */
static struct str member(const json_t *object, const char *const names[3])
{
    for (size_t i = 0; i < 3; i++) {
        const json_t *value = json_object_get(object, names[i]);

        if (json_is_string(value))
            return (struct str){json_string_value(value), json_string_length(value)};
    }
    return STR("");
}

/* Adds every object, at any depth, that has a string called url, link or href. */
static void read_json(struct search_hits *h, const json_t *j, int depth)
{
    static const char *const url[3] = {"url", "link", "href"};
    static const char *const title[3] = {"title", "name", "heading"};
    static const char *const summary[3] = {"content", "snippet", "description"};
    const char *key;
    json_t *value;
    size_t i;

    if (depth > JSON_NESTING)
        return;
    if (json_is_object(j))
        search_hit_add(h, member(j, url), member(j, title), member(j, summary));
    json_array_foreach(j, i, value) read_json(h, value, depth + 1);
    json_object_foreach((json_t *)j, key, value) read_json(h, value, depth + 1);
}

static struct str words_of(const struct page *page, struct span span)
{
    const struct word *w = page->words;

    if (span.from >= span.to || span.to > page->nwords)
        return STR("");
    return str_sub(page->text, w[span.from].off, w[span.to - 1].off + w[span.to - 1].len);
}

static void read_page(struct search_hits *h, struct str text, const char *url, const char *type)
{
    struct page_input in = {.payload = text, .url = str_of(url), .content_type = str_of(type)};
    struct page_parser *parser = page_parser_new();
    const struct page *page;
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);

    if (page_parse(parser, &in, &arena, &page) == DROP_NONE)
        for (uint32_t i = 0; i < page->nlinks; i++) {
            const struct link *l = &page->links[i];

            if (l->kind == LINK_FEED || page->kind == PAGE_HTML)
                search_hit_add(h, l->url, words_of(page, l->anchor),
                               l->kind == LINK_FEED ? words_of(page, l->node) : STR(""));
        }
    page_parser_free(parser);
}

void search_read(struct str answer, const char *url, const char *type, struct search_hits *ret)
{
    json_t *json = json_loadb(answer.len ? answer.ptr : "", answer.len, 0, NULL);
    const json_t *results = json_object_get(json, "results");

    if (json)
        read_json(ret, json_is_array(results) ? results : json, 0);
    else
        read_page(ret, answer, url, type);
    json_decref(json);
}

/* ---- words --------------------------------------------------------------- */

struct search_word {
    struct str word; /* in its page's text */
    double weight;
    uint32_t hits; /* that have it */
    size_t last;   /* of them, plus one */
};

struct search_learner {
    struct profiler *profiler;
    struct page_parser *parser;
    struct arena arena;
    const struct page **pages;
    struct profile *profiles;
    size_t count;
    struct search_word *words;
    size_t nwords, cap;
    struct map where; /* hash of a term -> its place in words */
};

static void read_hits(struct search_learner *l, const struct search_hits *hits)
{
    l->pages = arena_alloc(&l->arena, hits->count * sizeof *l->pages);
    l->profiles = arena_alloc(&l->arena, hits->count * sizeof *l->profiles);
    if (l->pages == NULL || l->profiles == NULL)
        return;
    for (size_t i = 0; i < hits->count; i++) {
        struct page_input in = {.payload = str_of(hits->items[i].text),
                                .url = str_of(hits->items[i].url),
                                .content_type = STR("text/plain; charset=utf-8")};

        if (page_parse(l->parser, &in, &l->arena, &l->pages[l->count]) == DROP_NONE &&
            profile_page(l->profiler, l->pages[l->count], in.url, NULL, &l->arena,
                         &l->profiles[l->count]) == DROP_NONE)
            l->count++;
    }
}

/* A word by which one can search: letters, and more than two bytes. */
static bool is_telling(struct str word)
{
    bool has_digit = false;

    for (size_t i = 0; i < word.len; i++)
        has_digit = has_digit || ascii_is_digit(word.ptr[i]);
    return word.len > 2 && word.len <= TOKEN_MAX && !has_digit;
}

static void weigh_words(struct search_learner *l, const struct guide *g, size_t hit)
{
    const struct page *page = l->pages[hit];
    const struct profile *p = &l->profiles[hit];

    for (uint32_t i = 0; i < page->nwords; i++) {
        uint32_t at = p->ntitle + 1 + i, *place;
        struct str word = words_of(page, (struct span){i, i + 1});
        struct search_word *c;
        bool is_new;

        if (p->stops[at / 64] >> at % 64 & 1 || !is_telling(word))
            continue;
        place = map_at(&l->where, hash_u64(p->sequence[at]), (uint32_t)l->nwords, &is_new);
        if (is_new) {
            MEM_GROW(l->words, l->nwords, &l->cap);
            l->words[l->nwords++] = (struct search_word){
                .word = word, .weight = guide_span(g, (struct span){i, i + 1})};
        }
        c = &l->words[*place];
        c->hits += c->last != hit + 1;
        c->last = hit + 1;
    }
}

static int by_weight(const void *a, const void *b)
{
    const struct search_word *x = a, *y = b;

    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : str_cmp(x->word, y->word);
}

/* A word that only one hit has says more about that hit than about the topic. */
static void choose_words(struct search_learner *l, const struct topic *t, size_t most,
                         struct text_list *ret)
{
    for (size_t i = 0; i < topic_terms(t); i++) {
        float weight;
        uint32_t id, *place;

        (void)topic_term(t, i, &weight, &id);
        place = map_at(&l->where, hash_u64(id), UINT32_MAX - 1, NULL);
        if (*place < l->nwords)
            l->words[*place].hits = 0;
    }
    if (l->nwords > 0)
        qsort(l->words, l->nwords, sizeof *l->words, by_weight);
    for (size_t i = 0; i < l->nwords && ret->count < most; i++)
        if (l->words[i].hits > 1 && l->words[i].weight > 0) {
            char lower[2 * TOKEN_MAX];
            struct str word = l->words[i].word;

            text_list_add(ret, (struct str){lower, token_lower(word.ptr, word.len, lower)});
        }
}

void search_learn(const struct topic *t, const struct search_hits *hits, size_t most,
                  struct text_list *ret)
{
    struct search_learner l = {.profiler = profiler_new(t), .parser = page_parser_new()};
    struct guide *guide = guide_new(t, &(struct guide_config){.memory = hits->count + 1});
    struct vocab *vocab = vocab_new();
    struct df_table *df;

    map_init(&l.where);
    arena_init(&l.arena, LIMIT_PAGE_ARENA);
    read_hits(&l, hits);
    for (size_t i = 0; i < l.count; i++)
        vocab_add(vocab, &l.profiles[i]);
    df = vocab_publish(vocab);
    for (size_t i = 0; i < l.count; i++)
        (void)guide_add(guide, &l.profiles[i], df, (uint32_t)i + 1, true);
    for (size_t i = 0; i < l.count; i++) {
        guide_read(guide, &l.profiles[i], df);
        weigh_words(&l, guide, i);
    }
    choose_words(&l, t, most, ret);
    free(l.words);
    map_free(&l.where);
    arena_free(&l.arena);
    df_release(df);
    vocab_free(vocab);
    guide_free(guide);
    page_parser_free(l.parser);
    profiler_free(l.profiler);
}

/* ---- queries ------------------------------------------------------------- */

size_t search_queries_later(const struct crawl_options *o)
{
    return (size_t)(o->search_queries - 1 - o->search_queries / 2);
}

void search_fill(struct buf *out, const char *template, struct str words)
{
    struct str t = str_of(template);
    size_t at = str_find(t, STR("{}"), 0);

    buf_add_str(out, str_sub(t, 0, at == SIZE_MAX ? t.len : at));
    for (size_t i = 0; at != SIZE_MAX && i < words.len; i++) {
        unsigned char ch = (unsigned char)words.ptr[i];

        if (ascii_is_alpha((char)ch) || ascii_is_digit((char)ch))
            buf_add_char(out, (char)ch);
        else
            buf_addf(out, "%%%02X", ch);
    }
    if (at != SIZE_MAX)
        buf_add_str(out, str_sub(t, at + 2, t.len));
}

/* Appends the hits of one query. */
static enum status query(struct getter *g, const struct crawl_options *o, struct str words,
                         struct search_hits *hits)
{
    LOCAL_BUF url = BUF_INIT(LIMIT_URL), text = BUF_INIT(LIMIT_DECODED);
    LOCAL_HEAP char *final_url = NULL, *type = NULL;
    enum status st;

    search_fill(&url, o->search, words);
    st = getter_text(g, buf_str(&url), &text, &final_url, &type);
    hits->most = hits->count + (size_t)o->search_hits;
    if (st == ST_OK)
        search_read(buf_str(&text), final_url, type, hits);
    return st;
}

static enum status first_query(struct getter *g, const struct crawl_options *o,
                               struct search_hits *hits)
{
    enum status st = query(g, o, str_of(o->words), hits);

    if (st == ST_OK && hits->count == 0) {
        struct buf shown = BUF_INIT(LIMIT_URL);

        secret_hide(SECRET_URL, str_of(o->search), &shown);
        st = status_fail(ST_STARVED, "the search engine at %s gave no results", shown.data);
        buf_free(&shown);
    }
    return st;
}

/* Queries to the engine are as far apart as requests to any other host. */
static void more_queries(struct getter *g, const struct crawl_options *o, struct search_hits *hits,
                         char **ret_trouble)
{
    LOCAL_LIST learned = {0};
    struct topic *t = NULL;
    LOCAL_BUF words = BUF_INIT(KIB(64));
    enum status st = topic_read(o, &t);

    if (st == ST_OK)
        search_learn(t, hits, (size_t)o->search_queries / 2, &learned);
    for (size_t i = 0; st == ST_OK && i < learned.count; i++) {
        buf_clear(&words);
        buf_addf(&words, "%s %s", o->words, learned.items[i]);
        clock_sleep(o->delay);
        st = query(g, o, buf_str(&words), hits);
    }
    if (st != ST_OK)
        *ret_trouble = str_dup(str_of(status_text()));
    topic_free(t);
}

enum status search_seeds(const struct crawl_options *o, struct text_list *ret, char **ret_trouble)
{
    struct search_hits hits = {0};
    struct getter *g = NULL;
    enum status st;

    if (o->words == NULL || *o->words == '\0')
        return status_fail(ST_USAGE, "--search needs words to search for: brood crawl \"WORDS\" "
                                     "--topic FILE --search URL");
    st = getter_new(o, &g);
    if (st == ST_OK)
        st = first_query(g, o, &hits);
    if (st == ST_OK && o->search_queries > 1 && strstr(o->search, "{}"))
        more_queries(g, o, &hits, ret_trouble);
    for (size_t i = 0; st == ST_OK && i < hits.count; i++)
        text_list_add(ret, str_of(hits.items[i].url));
    search_hits_free(&hits);
    getter_free(g);
    return st;
}
