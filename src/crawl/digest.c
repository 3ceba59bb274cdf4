/* digest.c - turns a reply into a profiled page. SPDX-License-Identifier: MIT */
#include "crawl/digest.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/identity.h"
#include "parse/barrier.h"
#include "parse/http/decode.h"
#include "parse/page/page.h"
#include "parse/page/requisites.h"
#include "parse/robots/robots.h"
#include "parse/tdmrep.h"
#include "parse/use.h"
#include "store/pack.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <pthread.h>
#include <stdlib.h>

/* The buffers and parsers that one thread reuses for all pages. */
struct digester {
    struct page_parser *parser;
    struct profiler *profiler;
    struct buf decoded;
    struct buf use;
    struct packer *packer; /* NULL: there is no archive */
};

struct digest {
    struct digester *digesters; /* one a fetch thread */
    unsigned threads;
    const char *langs;
    bool no_text, requisites;
    pthread_mutex_t lock; /* of `table` only */
    struct df_table *table;
};

struct digest *digest_new(const struct topic *topic, const char *langs, unsigned threads)
{
    struct digest *d = MEM_NEW(struct digest);

    d->langs = langs && *langs ? langs : NULL;
    d->threads = threads;
    d->digesters = mem_zero(threads, sizeof *d->digesters);
    pthread_mutex_init(&d->lock, NULL);
    for (unsigned i = 0; i < threads; i++) {
        d->digesters[i].parser = page_parser_new();
        d->digesters[i].profiler = profiler_new(topic);
        buf_init(&d->digesters[i].decoded, LIMIT_DECODED);
        buf_init(&d->digesters[i].use, KIB(4));
    }
    return d;
}

void digest_free(struct digest *d)
{
    if (d == NULL)
        return;
    for (unsigned i = 0; i < d->threads; i++) {
        page_parser_free(d->digesters[i].parser);
        profiler_free(d->digesters[i].profiler);
        buf_free(&d->digesters[i].decoded);
        buf_free(&d->digesters[i].use);
        packer_free(d->digesters[i].packer);
    }
    df_release(d->table);
    pthread_mutex_destroy(&d->lock);
    free(d->digesters);
    free(d);
}

void digest_no_text(struct digest *d)
{
    d->no_text = true;
}

void digest_requisites(struct digest *d)
{
    d->requisites = true;
}

void digest_pack(struct digest *d, int level)
{
    for (unsigned i = 0; i < d->threads; i++)
        d->digesters[i].packer = packer_new(level);
}

void digest_publish(struct digest *d, struct df_table *table)
{
    struct df_table *old;

    pthread_mutex_lock(&d->lock);
    old = d->table;
    d->table = table;
    pthread_mutex_unlock(&d->lock);
    df_release(old);
}

static struct df_table *table_hold(struct digest *d)
{
    struct df_table *t;

    pthread_mutex_lock(&d->lock);
    t = d->table ? df_hold(d->table) : NULL;
    pthread_mutex_unlock(&d->lock);
    return t;
}

/* Is the language of a page ("de-at") one of those asked for ("en,de")? */
static bool lang_wanted(const char *langs, struct str lang)
{
    struct str rest, one;

    if (langs == NULL || lang.len == 0)
        return true;
    rest = str_of(langs);
    while (str_cut(&rest, ',', &one)) {
        one = str_trim(one);
        if (str_starts_i(lang, one) && (lang.len == one.len || lang.ptr[one.len] == '-'))
            return true;
    }
    return false;
}

/* Gets the payload, or the HTML that was made from it (crawl/documents/). */
static enum drop digest_payload(struct digester *g, struct arrival *a, struct page_input *in)
{
    enum drop why;

    if (a->html.len) {
        in->payload = buf_str(&a->html);
        in->content_type = STR("text/html; charset=utf-8");
        in->whole = true;
        return DROP_NONE;
    }
    buf_clear(&g->decoded);
    why = decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &g->decoded, &in->payload,
                      &a->cut);
    if (why == DROP_NONE)
        a->payload_hash = hash_str(in->payload);
    return why;
}

/* Gets the rules for the use of a page, from the reply and the page. */
static struct str wishes_of(struct digester *g, struct arrival *a, const struct page *page)
{
    const struct reply *r = &a->reply;

    buf_clear(&g->use);
    use_add_signals(&g->use, r->content_signal);
    use_add_tags(&g->use, a->robots);
    use_add_tdm(&g->use, STR("tdm-reservation"), r->tdm_reservation);
    use_add_tdm(&g->use, STR("tdm-policy"), r->tdm_policy);
    use_join(&g->use, page->use);
    return arena_str(&a->memory, buf_str(&g->use));
}

static enum drop digest_document(struct digest *d, struct digester *g, struct arrival *a)
{
    const struct reply *r = &a->reply;
    struct page_input in = {
        .url = a->request->href,
        .content_type = r->content_type,
        .content_language = r->content_language,
        .last_modified = r->last_modified,
        .link_header = r->link,
        .now = r->done_at,
    };
    const struct page *page;
    struct df_table *table;
    enum drop why;

    why = digest_payload(g, a, &in);
    if (why == DROP_NONE)
        why = page_parse(g->parser, &in, &a->memory, &page);
    if (why == DROP_NONE && d->no_text && page->kind == PAGE_TEXT)
        why = DROP_TYPE;
    if (why == DROP_NONE && !in.whole)
        why = barrier_of(page, in.payload);
    if (why != DROP_NONE)
        return why;
    if (!lang_wanted(d->langs, page->lang))
        return DROP_LANG;
    a->robots = page->robots | robots_tag(r->robots_tag, str_of(BROOD_TOKEN));
    a->use = wishes_of(g, a, page);
    table = table_hold(d);
    why = profile_page(g->profiler, page, a->request->href, table, &a->memory, &a->profile);
    df_release(table);
    if (why != DROP_NONE)
        return why;
    a->marks = arena_array(&a->memory, page->nlinks, sizeof *a->marks);
    if (a->marks == NULL)
        return DROP_SIZE;
    a->page = page;
    if (d->requisites && page->kind == PAGE_HTML && !in.whole &&
        (a->requisites = requisites_new(&a->memory)) != NULL)
        requisites_of_html(in.payload, a->request->href, &a->memory, a->requisites);
    return DROP_NONE;
}

/* Reads a host's tdmrep.json for all its pages (parse/tdmrep.h), and keeps its rules. */
static void digest_tdmrep(struct arrival *a, struct str json)
{
    LOCAL_BUF rules = BUF_INIT(LIMIT_TDMREP_KEPT);

    tdmrep_read(json, &rules);
    if (!rules.full)
        a->use = arena_str(&a->memory, buf_str(&rules));
}

/* Handles a reply that is not a page: a requisite (a style sheet names more of them), or a host's
 * tdmrep.json. */
static enum drop digest_requisite(struct digester *g, struct arrival *a)
{
    bool wishes = str_ends(a->request->href, STR(TDMREP_PATH)), cut;
    struct str text;

    if (a->reply.skipped)
        return DROP_TYPE;
    a->robots = robots_tag(a->reply.robots_tag, str_of(BROOD_TOKEN));
    if (!wishes && !str_starts_i(a->reply.content_type, STR("text/css")))
        return DROP_NONE;
    buf_clear(&g->decoded);
    if (decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &g->decoded, &text, &cut) !=
        DROP_NONE)
        return DROP_NONE;
    if (wishes)
        digest_tdmrep(a, text);
    else if ((a->requisites = requisites_new(&a->memory)) != NULL)
        requisites_of_css(text, a->request->href, &a->memory, a->requisites);
    return DROP_NONE;
}

/* Done here because a large file takes milliseconds, too long for the mind. A file that is
 * encoded, although we did not ask for that, is read as well. */
static enum drop digest_rules(struct digester *g, struct arrival *a)
{
    struct robots *rules;
    struct str text;
    enum drop why;
    bool cut;

    buf_clear(&g->decoded);
    why = decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &g->decoded, &text, &cut);
    if (why != DROP_NONE)
        return why;
    rules = robots_parse(text, STR(BROOD_TOKEN));
    a->rules = arena_str(&a->memory, robots_saved(rules));
    robots_free(rules);
    buf_clear(&g->use);
    robots_wishes(text, STR(BROOD_TOKEN), &g->use);
    a->use = arena_str(&a->memory, buf_str(&g->use));
    return DROP_NONE;
}

static void digest_kind(struct digest *d, struct digester *g, struct arrival *a)
{
    if (a->reply.error != FETCH_OK || a->reply.status < 200 || a->reply.status > 299 ||
        a->why != DROP_NONE)
        return;
    if (a->request->kind == REQUEST_ROBOTS)
        a->why = digest_rules(g, a);
    else if (choice_is_requisite(&a->request->choice))
        a->why = digest_requisite(g, a);
    else if (a->request->kind == REQUEST_PAGE)
        a->why = a->reply.skipped ? DROP_TYPE : digest_document(d, g, a);
    if (g->decoded.cap > MIB(1)) /* do not keep the buffer of one giant page */
        buf_free(&g->decoded);
}

void digest_reply(void *ctx, unsigned thread, struct arrival *a)
{
    struct digest *d = ctx;
    struct digester *g = &d->digesters[thread];

    digest_kind(d, g, a);
    if (g->packer)
        packer_arrival(g->packer, a);
}
