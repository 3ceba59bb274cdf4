/* search_later.c - see search_later.h. SPDX-License-Identifier: MIT */
#include "crawl/start/search_later.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/log.h"
#include "crawl/crawl_int.h"
#include "crawl/start/search.h"
#include "crawl/watch/poster.h"

#include <stdlib.h>

#define PAGES_LEAST 5    /* that words are learned from … */
#define PAGES_MOST  60   /* … and that are kept for it, the first ones */
#define PAGE_TEXT   1000 /* bytes of one */

struct search_later {
    const struct crawl_options *options;
    struct search_hits pages;
    struct text_list asked; /* words */
    size_t left;            /* queries */
    uint64_t due;           /* pages */
    struct poster *poster;  /* made for the first query */
};

struct search_later *search_later_new(const struct crawl_options *o)
{
    size_t left = o->search && o->words && strstr(o->search, "{}") ? search_queries_later(o) : 0;
    struct search_later *s;

    if (left == 0)
        return NULL;
    s = MEM_NEW(struct search_later);
    s->options = o;
    s->left = left;
    s->due = SEARCH_PAGES;
    s->pages.most = PAGES_MOST;
    return s;
}

void search_later_free(struct search_later *s)
{
    if (s == NULL)
        return;
    search_hits_free(&s->pages);
    text_list_free(&s->asked);
    poster_free(s->poster);
    free(s);
}

void search_later_hear(struct crawl *c, const struct arrival *a)
{
    const struct page *page = a->page;
    struct search_later *s = c->search_later;
    struct str text = page->text;

    if (s == NULL || s->left == 0 || (double)a->profile.relevance < c->options->relevant ||
        page_is_list(page))
        return;
    if (page->nmain > 0)
        text = str_sub(text, page->main[0].off, text.len);
    search_hit_add(&s->pages, a->request->href, page->title, str_sub(text, 0, PAGE_TEXT));
}

static bool was_asked(const struct search_later *s, const char *word)
{
    for (size_t i = 0; i < s->asked.count; i++)
        if (strcmp(s->asked.items[i], word) == 0)
            return true;
    return false;
}

/* Asks with the first word that was not used before. */
static void ask(struct crawl *c, struct search_later *s)
{
    LOCAL_LIST words = {0};
    LOCAL_BUF query = BUF_INIT(KIB(64)), url = BUF_INIT(LIMIT_URL);
    const char *word = NULL;

    search_learn(c->topic, &s->pages, s->asked.count + 1, &words);
    for (size_t i = 0; i < words.count && word == NULL; i++)
        word = was_asked(s, words.items[i]) ? NULL : words.items[i];
    s->left = word ? s->left - 1 : 0;
    if (word && (s->poster || poster_new(s->options, false, &s->poster) == ST_OK)) {
        buf_addf(&query, "%s %s", s->options->words, word);
        search_fill(&url, s->options->search, buf_str(&query));
        text_list_add(&s->asked, str_of(word));
        (void)poster_get(s->poster, buf_str(&url));
    }
}

static void hear(struct crawl *c, struct search_later *s, const struct poster_answer *answer)
{
    const char *word = s->asked.items[s->asked.count - 1];
    struct search_hits hits = {.most = (size_t)s->options->search_hits};
    LOCAL_LIST urls = {0};
    size_t taken = 0;

    if (answer->status < 200 || answer->status > 299) {
        log_line(c->log, LOG_WARN, c->now, "--search with '%s': %s (%d)", word, answer->trouble,
                 answer->status);
        return;
    }
    search_read(answer->body, "http://localhost/", "", &hits);
    for (size_t i = 0; i < hits.count; i++)
        text_list_add(&urls, str_of(hits.items[i].url));
    if (urls.count > 0)
        (void)!crawl_more_seeds(c, &urls, &taken);
    log_line(c->log, LOG_INFO, c->now, "--search with '%s': %zu results, %zu of them new", word,
             hits.count, taken);
    search_hits_free(&hits);
}

void search_later_turn(struct crawl *c)
{
    struct search_later *s = c->search_later;
    struct poster_answer answer;
    bool is_idle = c->open == 0 && c->model_idle;

    if (s == NULL)
        return;
    if (s->poster && poster_take(s->poster, &answer))
        hear(c, s, &answer);
    if (s->left == 0 || search_later_waits(s) || c->paused || s->pages.count < PAGES_LEAST ||
        (c->pages < s->due && !is_idle))
        return;
    s->due = 2 * (c->pages > s->due ? c->pages : s->due);
    ask(c, s);
}

bool search_later_waits(const struct search_later *s)
{
    return s && s->poster && poster_is_busy(s->poster);
}
