/* A page that was visited, once more: from the shelf, from the archive, after a
 * resume, and as the base of another crawl it is what it was on arrival.
 *
 * breadth-first crawls a small site; its calls are listened to, and every percept is
 * written down as text. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/limits.h"
#include "base/mem.h"
#include "crawl/watch/base_from.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/look_up.h"
#include "frontier/frontier.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>

#define PAGES 9
#define PROSE                                                                              \
    "The coral reef is alive with fish, and every polyp of it builds on what was there "   \
    "before. Reefs grow slowly; a storm, warm water or a careless anchor undoes in a day " \
    "what a hundred years have made. Divers count species twice a year and write them down. "

/* Links of all kinds: context, nofollow, a redirect, what is not there, the same
 * twice, a foreign scheme. /copy is /b to the byte; /plain has no markup; /latin is no
 * UTF-8; /quiet asks not to be archived, /header says nofollow and more in its header. */
static const struct site_page pages[] = {
    {.path = "/",
     .body = "<html lang=en-GB><title>Coral reefs</title><base href='http://reef.example/'>"
             "<body><div><p>" PROSE "<a href=a>fish of the reef</a> and <a href='b'>storms</a>, "
             "<a rel=nofollow href=c>adverts</a></p><ul><li><a href=moved>moved</a>"
             "<li><a href=gone>gone</a><li><a href=a>again</a><li><a href='mailto:x@y'>mail</a>"
             "<li><a href=copy>copy</a><li><a href=plain>plain</a><li><a href=latin>latin</a>"
             "<li><a href=quiet>quiet</a><li><a href=header>header</a></ul></div>"},
    {.path = "/a",
     .headers = "Link: <http://reef.example/next>; rel=next\r\n",
     .body = "<title>Fish</title><p>Fish of the reef: wrasse, goby, tang. " PROSE
             "<a href='/b'>storms over coral</a>"},
    {.path = "/b", .body = "<title>Storms</title>" PROSE PROSE "<a href=/>home of the corals</a>"},
    {.path = "/copy",
     .body = "<title>Storms</title>" PROSE PROSE "<a href=/>home of the corals</a>"},
    {.path = "/moved", .status = 301, .headers = "Location: /end\r\n", .body = ""},
    {.path = "/end", .body = "<title>End</title>Where it went. " PROSE "<a href=a>fish</a>"},
    {.path = "/plain", .type = "text/plain", .body = "coral and nothing else, in plain words"},
    {.path = "/latin",
     .type = "text/html; charset=iso-8859-1",
     .body = "<title>R\xe9"
             "cif</title>un r\xe9"
             "cif de corail <a href=/b>temp\xeate</a>"},
    {.path = "/quiet",
     .body = "<meta name=robots content=noarchive><title>Quiet</title>a coral <a href=/a>fish</a>"},
    {.path = "/header",
     .headers = "X-Robots-Tag: nofollow\r\nContent-Language: de\r\n",
     .body = "<title>Header</title>Korallen und <a href=/a>Fische</a> am Riff"},
};

static struct site *site;

/* ---- a percept as text ---- */

static void write_span(struct buf *out, struct span s)
{
    buf_addf(out, " %u-%u", s.from, s.to);
}

static void write_page(struct buf *out, const struct page *p)
{
    buf_addf(out, "kind %d lang %.*s charset %.*s base %.*s canonical %.*s date %lld\n",
             (int)p->kind, STR_ARG(p->lang), STR_ARG(p->charset), STR_ARG(p->base),
             STR_ARG(p->canonical), (long long)p->date);
    buf_addf(out, "words %u robots %u cut %d\n", p->nwords, p->robots, p->cut);
    for (uint32_t i = 0; i < p->nlinks; i++) {
        const struct link *l = &p->links[i];
        struct str path = p->tag_paths[l->tag_path];

        buf_addf(out, "%.*s %llx %u %u %.*s", STR_ARG(l->url), (unsigned long long)l->key, l->kind,
                 l->rel, STR_ARG(path));
        write_span(out, l->anchor);
        write_span(out, l->window);
        write_span(out, l->node);
        buf_add_char(out, '\n');
    }
}

static void write_profile(struct buf *out, const struct profile *f)
{
    for (uint32_t i = 0; i < f->nterms; i++)
        buf_addf(out, "%x*%u ", f->terms[i].id, f->terms[i].count);
    for (uint32_t i = 0; i < f->nsequence; i++)
        buf_addf(out, "%x%s ", f->sequence[i], f->stops[i / 64] >> i % 64 & 1 ? "!" : "");
    buf_addf(out, "\nlength %u title %u simhash %llx raw %a lang %u relevance %a %a\n", f->length,
             f->ntitle, (unsigned long long)f->simhash, f->raw_square, f->lang,
             (double)f->relevance, (double)f->similarity);
}

/* What does not change from arrival to look-up. */
static const char *written(const struct percept *p)
{
    struct buf out = BUF_INIT(1 << 20);

    buf_addf(&out, "url %u agent %u page %u depth %u latency %lld\n", p->choice.url,
             p->choice.agent, p->page, p->depth, (long long)p->latency);
    write_page(&out, p->body);
    write_profile(&out, p->profile);
    for (uint32_t i = 0; i < p->body->nlinks; i++)
        buf_addf(&out, "%u%s ", p->marks[i].url, p->marks[i].drop == DROP_NOFOLLOW ? "n" : "");
    return keep(buf_take(&out, NULL));
}

/* ---- a model that is listened to ---- */

static struct seen {
    uint32_t url;
    bool archived;
    const char *as;
    float relevance;
} seen[32], adopted[32];

static size_t nseen, nadopted;
static const struct model_ops *inner;

static void spy_perceive(struct model *m, struct percept *p)
{
    struct percept now;

    if (p->page) {
        seen[nseen++] = (struct seen){.url = p->choice.url,
                                      .archived = !(p->body->robots & ROBOTS_NOARCHIVE),
                                      .as = written(p)};
        assert_true(m->ctx->look_up(m->ctx->engine, p->choice.url, &now)); /* it is there at once */
        assert_string_equal(written(&now), seen[nseen - 1].as);
    }
    inner->perceive(m, p);
}

static void spy_adopt(struct model *m, struct percept *p)
{
    (void)m;
    if (p == NULL)
        return;
    assert_true(p->page == 0 && !p->first && p->choice.url != 0);
    adopted[nadopted++] =
        (struct seen){.url = p->choice.url, .as = written(p), .relevance = p->profile->relevance};
}

static void spy_on(struct crawl *c, size_t shelf)
{
    static const struct model_walks walks = {.adopt = spy_adopt};
    static struct model_ops ops;

    inner = c->model->ops;
    ops = *inner;
    ops.perceive = spy_perceive;
    ops.walks = &walks;
    c->model->ops = &ops;
    look_up_free(c->look_up);
    c->look_up = look_up_archive_new(shelf, false);
    c->model_ctx.look_up = look_up_page;
}

static struct crawl_options *options(const char *dir, const char *words, const char *seed)
{
    struct crawl_options *o = keep(MEM_NEW(struct crawl_options));

    crawl_options_init(o);
    free(o->model);
    o->model = str_dup(STR("breadth-first"));
    o->words = str_dup(str_of(words));
    o->out = str_dup(str_of(dir));
    o->delay = 0;
    o->allow_private = true;
    text_list_add(&o->seed, str_of(seed));
    text_list_add(&o->resolve, str_of(site_resolve(site)));
    return o;
}

static struct crawl *crawled(struct crawl_options *o, size_t shelf)
{
    struct crawl *c;

    nseen = 0;
    if (crawl_new(o, &c) != ST_OK)
        fail_msg("%s", status_text());
    spy_on(c, shelf);
    assert_int_equal(crawl_run(c, NULL, NULL), ST_OK);
    assert_int_equal(store_settle(c->store), ST_OK);
    return c;
}

static void check_marks(struct crawl *c, const struct percept *p)
{
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        const struct link_mark *m = &p->marks[i];

        assert_true(isnan(m->score));
        assert_false(m->is_new);
        assert_int_equal(m->taken, m->url && frontier_state(c->frontier, m->url) != URL_KNOWN);
    }
}

/* Every page that was seen is found again; `lost`: but for those not archived. */
static void check_all(struct crawl *c, bool lost)
{
    struct percept p;
    size_t found = 0;
    uint32_t urls = frontier_urls(c->frontier);

    for (size_t i = 0; i < nseen; i++) {
        bool there = look_up_page(c, seen[i].url, &p);

        assert_int_equal(there, seen[i].archived || !lost);
        if (!there)
            continue;
        assert_string_equal(written(&p), seen[i].as);
        assert_false(p.first);
        assert_true(isnan(p.choice.score));
        check_marks(c, &p);
        found++;
    }
    assert_int_equal(found, nseen - (lost ? 1 : 0));
    assert_int_equal(frontier_urls(c->frontier), urls); /* nobody got a number */
}

static void done(struct crawl *c, struct crawl_options *o)
{
    assert_int_equal(crawl_close(c, NULL, NULL), ST_OK);
    crawl_options_free(o);
}

/* ---- the tests ---- */

static void the_shelf_gives_back_what_came(void **state)
{
    struct crawl_options *o = options(fresh("shelf"), "coral reefs", "http://reef.example/");
    struct crawl *c = crawled(o, LIMIT_SHELF);
    struct percept p;

    (void)state;
    assert_int_equal(nseen, PAGES);
    check_all(c, false);
    assert_false(look_up_page(c, 0, &p));
    assert_false(look_up_page(c, 100000, &p));
    done(c, o);
}

static void the_archive_gives_back_what_came(void **state)
{
    const char *dir = fresh("archive");
    struct crawl_options *o = options(dir, "coral reefs", "http://reef.example/"), again;
    struct crawl *c = crawled(o, 0);

    (void)state;
    assert_int_equal(nseen, PAGES);
    /* The newest page is still there: what comes now takes its place. */
    check_all(c, true);
    done(c, o);

    crawl_options_init_empty(&again);
    assert_int_equal(crawl_options_read(dir, false, NULL, &again), ST_OK);
    assert_int_equal(crawl_resume(dir, &again, &c), ST_OK);
    spy_on(c, LIMIT_SHELF);
    check_all(c, true); /* from the archive ... */
    check_all(c, true); /* ... and from the shelf, where it went */
    assert_int_equal(crawl_close(c, NULL, NULL), ST_OK);
    crawl_options_free(&again);
}

static uint32_t url_named(struct crawl *c, const char *href)
{
    struct url_view view;

    for (uint32_t url = 1; url <= frontier_urls(c->frontier); url++)
        if (frontier_url(c->frontier, url, &view) && str_eq(view.href, str_of(href)))
            return url;
    fail_msg("nobody met %s", href);
    return 0;
}

static void a_redirect_leads_to_its_page_and_a_failure_nowhere(void **state)
{
    struct crawl_options *o = options(fresh("redirect"), "coral", "http://reef.example/");
    struct crawl *c = crawled(o, 0);
    struct percept p;

    (void)state;
    assert_true(look_up_page(c, url_named(c, "http://reef.example/moved"), &p));
    assert_int_equal(p.choice.url, url_named(c, "http://reef.example/end"));
    assert_false(look_up_page(c, url_named(c, "http://reef.example/gone"), &p));
    assert_false(look_up_page(c, url_named(c, "http://reef.example/c"), &p));
    done(c, o);
}

/* ---- --base-from ---- */

/* A crawl that has not begun, on the base of another. */
static struct crawl *based(struct crawl_options *o, const char *dir)
{
    struct crawl *c;

    nadopted = nseen = 0;
    if (crawl_new(o, &c) != ST_OK)
        fail_msg("%s", status_text());
    spy_on(c, 0);
    o->base_from = str_dup(str_of(dir));
    if (base_open(c) != ST_OK || base_adopt(c) != ST_OK)
        fail_msg("%s", status_text());
    return c;
}

static void pages_of_an_earlier_crawl_are_adopted_and_not_fetched(void **state)
{
    const char *first = fresh("first");
    struct crawl_options *o = options(first, "coral reefs", "http://reef.example/a"), *next;
    struct crawl *c;
    struct percept p;
    unsigned asked;

    (void)state;
    o->max_depth = 1; /* /a, /b, and what is not there */
    c = crawled(o, LIMIT_SHELF);
    assert_int_equal(nseen, 2);
    done(c, o);

    next = options(fresh("next"), "coral reefs", "http://reef.example/");
    c = based(next, first);
    assert_int_equal(nadopted, 2);
    asked = site_asked(site, "/a");
    assert_int_equal(crawl_run(c, NULL, NULL), ST_OK);
    assert_int_equal(site_asked(site, "/a"), asked);
    assert_int_equal(c->pages, PAGES - 2);
    for (size_t i = 0; i < nadopted; i++) { /* they can be looked up, in their own archive */
        assert_true(look_up_page(c, adopted[i].url, &p));
        assert_string_equal(written(&p), adopted[i].as);
    }
    done(c, next);
}

static void relevance_is_what_was_stored_or_the_new_topics(void **state)
{
    const char *first = fresh("stored");
    struct crawl_options *o = options(first, "coral reefs", "http://reef.example/");
    struct crawl *c = crawled(o, LIMIT_SHELF);
    struct percept p;
    float stored;

    (void)state;
    assert_true(look_up_page(c, seen[0].url, &p));
    stored = p.profile->relevance;
    done(c, o);

    o = options(fresh("same"), "coral reefs", "http://reef.example/b");
    c = based(o, first);
    assert_int_equal(nadopted, PAGES - 1); /* all but the one that is not archived */
    assert_true(adopted[0].relevance == stored);
    done(c, o);

    o = options(fresh("other"), "zebra", "http://reef.example/b");
    c = based(o, first);
    assert_true(stored > 0);
    assert_true(adopted[0].relevance == 0);
    done(c, o);
}

static void after_a_resume_the_base_is_there_again(void **state)
{
    const char *first = fresh("one"), *second = fresh("two");
    struct crawl_options *o = options(first, "coral reefs", "http://reef.example/"), again;
    struct crawl *c = crawled(o, LIMIT_SHELF);
    struct percept p;

    (void)state;
    done(c, o);
    o = options(second, "coral reefs", "http://reef.example/b");
    c = based(o, first);
    done(c, o);

    crawl_options_init_empty(&again);
    assert_int_equal(crawl_options_read(second, false, NULL, &again), ST_OK);
    assert_int_equal(crawl_resume(second, &again, &c), ST_OK);
    spy_on(c, 0);
    assert_false(look_up_page(c, adopted[0].url, &p)); /* nobody told it of the base */
    again.base_from = str_dup(str_of(first));
    base_recall(c);
    for (size_t i = 0; i < nadopted; i++) {
        assert_int_equal(frontier_state(c->frontier, adopted[i].url), URL_VISITED);
        assert_true(look_up_page(c, adopted[i].url, &p));
        assert_string_equal(written(&p), adopted[i].as);
    }
    assert_int_equal(crawl_close(c, NULL, NULL), ST_OK);
    crawl_options_free(&again);
}

static void what_cannot_be_a_base_is_refused(void **state)
{
    struct crawl_options *o = options(fresh("none"), "coral", "http://reef.example/");
    struct crawl *c;

    (void)state;
    o->base_from = str_dup(str_of(fresh("not-there")));
    assert_int_equal(crawl_new(o, &c), ST_MISSING);
    assert_says(status_text(), "--base-from");
    crawl_options_free(o);
}

static int set_up(void **state)
{
    (void)state;
    site = site_start(pages, ARRAY_LEN(pages));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shelf_gives_back_what_came),
        cmocka_unit_test(the_archive_gives_back_what_came),
        cmocka_unit_test(a_redirect_leads_to_its_page_and_a_failure_nowhere),
        cmocka_unit_test(pages_of_an_earlier_crawl_are_adopted_and_not_fetched),
        cmocka_unit_test(relevance_is_what_was_stored_or_the_new_topics),
        cmocka_unit_test(after_a_resume_the_base_is_there_again),
        cmocka_unit_test(what_cannot_be_a_base_is_refused),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
