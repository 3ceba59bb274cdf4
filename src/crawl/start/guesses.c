/* guesses.c - see guesses.h. SPDX-License-Identifier: MIT */
#include "crawl/start/guesses.h"

#include "base/hash.h"
#include "crawl/start/seed.h"

static void add(struct crawl *c, uint32_t url)
{
    if (url)
        map_set(&c->guesses, hash_u64(url), 1);
}

/* Calls `fn` with each address; the first of a host is that of its sitemap. */
static void each(struct crawl *c, void (*fn)(struct crawl *c, struct str address, bool is_sitemap))
{
    for (size_t i = 0; i < c->options->seed.count; i++) {
        struct str text = str_of(c->options->seed.items[i]);
        struct text_list url = {0}, guesses = {0};

        if (seed_is_host(text) && seed_read(text, &url) == ST_OK)
            seed_guesses(str_of(url.items[0]), &guesses);
        for (size_t n = 0; n < guesses.count; n++)
            fn(c, str_of(guesses.items[n]), n == 0);
        text_list_free(&url);
        text_list_free(&guesses);
    }
}

static void offer(struct crawl *c, struct str address, bool is_sitemap)
{
    crawl_offer(c, address, is_sitemap ? LINK_SITEMAP : LINK_ALTERNATE, 0);
    add(c, crawl_find(c, address));
}

static void recall(struct crawl *c, struct str address, bool is_sitemap)
{
    (void)is_sitemap;
    add(c, crawl_find(c, address));
}

void guesses_offer(struct crawl *c)
{
    each(c, offer);
}

void guesses_recall(struct crawl *c)
{
    each(c, recall);
}

void guesses_follow(struct crawl *c, uint32_t from, uint32_t to)
{
    if (guesses_have(c, from))
        add(c, to);
}

bool guesses_have(const struct crawl *c, uint32_t url)
{
    return map_get(&c->guesses, hash_u64(url)) != MAP_NONE;
}
