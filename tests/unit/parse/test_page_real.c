/* test_page_real.c - our links against those of real HTML parsers, on real pages.
 *
 * Some hundred pages of $BROOD_DATA/wikispeedia are read by page_parse(), by
 * libxml2 and, where it was found, by gumbo (a full tree after the standard).
 * The sets of link URLs must be the same; what differs is listed.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"

#include <ftw.h>
#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_GUMBO
#include <gumbo.h>
#endif

#define PAGES_MAX 400
#define STEP      13 /* of the pages in the archive, every so many-th is taken */
#define ORIGIN    "http://example.org/"

/* ---- a set of URLs ------------------------------------------------------------------ */

struct set {
    char **items;
    size_t count, cap;
};

static void set_add(struct set *s, struct str url)
{
    if (s->count == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->items = realloc(s->items, s->cap * sizeof *s->items);
    }
    s->items[s->count++] = str_dup(url);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void set_sort(struct set *s)
{
    size_t n = 0;

    if (s->count)
        qsort(s->items, s->count, sizeof *s->items, by_text);
    for (size_t i = 0; i < s->count; i++) {
        if (n && strcmp(s->items[n - 1], s->items[i]) == 0)
            free(s->items[i]);
        else
            s->items[n++] = s->items[i];
    }
    s->count = n;
}

static void set_clear(struct set *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i]);
    free(s->items);
    *s = (struct set){NULL, 0, 0};
}

/* How many differ; each is told. Both are sorted. */
static unsigned set_compare(const struct set *ours, const struct set *theirs, const char *who,
                            const char *page)
{
    unsigned differ = 0;
    size_t i = 0, j = 0;

    while (i < ours->count || j < theirs->count) {
        int order = i == ours->count     ? 1
                    : j == theirs->count ? -1
                                         : strcmp(ours->items[i], theirs->items[j]);

        if (order != 0) {
            differ++;
            print_message("# %s: %s %s\n", page, order < 0 ? "only we have" : who,
                          order < 0 ? ours->items[i] : theirs->items[j]);
        }
        i += order <= 0;
        j += order >= 0;
    }
    return differ;
}

/* ---- the parsers -------------------------------------------------------------------- */

struct reference {
    struct set urls;
    struct url base;
    struct arena arena;
};

static void reference_add(struct reference *r, const char *href)
{
    struct str s = str_trim(str_of(href));
    struct url u;

    /* A fragment alone is no link to us. */
    if (s.len == 0 || s.ptr[0] == '#' || url_parse(s, &r->base, &r->arena, &u) != ST_OK)
        return;
    set_add(&r->urls, url_norm(&u, &r->arena));
}

static const char *link_attribute(const char *element)
{
    if (strcmp(element, "a") == 0 || strcmp(element, "area") == 0)
        return "href";
    return strcmp(element, "frame") == 0 || strcmp(element, "iframe") == 0 ? "src" : NULL;
}

static void walk_libxml2(xmlNodePtr node, struct reference *r)
{
    for (; node != NULL; node = node->next) {
        const char *name =
            node->type == XML_ELEMENT_NODE ? link_attribute((const char *)node->name) : NULL;
        xmlChar *value = name ? xmlGetProp(node, (const xmlChar *)name) : NULL;

        if (value != NULL)
            reference_add(r, (const char *)value);
        xmlFree(value);
        walk_libxml2(node->children, r);
    }
}

static void read_libxml2(struct str html, struct reference *r)
{
    htmlDocPtr doc = htmlReadMemory(html.ptr, (int)html.len, NULL, "UTF-8",
                                    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                        HTML_PARSE_NONET);

    assert_non_null(doc);
    walk_libxml2(xmlDocGetRootElement(doc), r);
    xmlFreeDoc(doc);
}

#ifdef HAVE_GUMBO
static void walk_gumbo(const GumboNode *node, struct reference *r)
{
    const GumboElement *e = &node->v.element;
    const char *name;

    if (node->type != GUMBO_NODE_ELEMENT)
        return;
    name = link_attribute(gumbo_normalized_tagname(e->tag));
    if (name != NULL && gumbo_get_attribute(&e->attributes, name) != NULL)
        reference_add(r, gumbo_get_attribute(&e->attributes, name)->value);
    for (unsigned i = 0; i < e->children.length; i++)
        walk_gumbo(e->children.data[i], r);
}

static void read_gumbo(struct str html, struct reference *r)
{
    GumboOutput *out = gumbo_parse_with_options(&kGumboDefaultOptions, html.ptr, html.len);

    assert_non_null(out);
    walk_gumbo(out->root, r);
    gumbo_destroy_output(&kGumboDefaultOptions, out);
}
#endif

static const struct {
    const char *name;
    void (*read)(struct str html, struct reference *r);
} parsers[] = {
    {"only libxml2 has", read_libxml2},
#ifdef HAVE_GUMBO
    {"only gumbo has", read_gumbo},
#endif
};

/* ---- the pages -------------------------------------------------------------------------- */

struct sample {
    char *paths[PAGES_MAX];
    size_t count, seen;
};

static struct sample sample; /* nftw() has no argument of ours to pass on */

static int sample_add(const char *path, const struct stat *st, int type, struct FTW *unused)
{
    (void)st;
    (void)unused;
    if (type == FTW_F && str_ends(str_of(path), STR(".htm")) && sample.seen++ % STEP == 0 &&
        sample.count < PAGES_MAX)
        sample.paths[sample.count++] = strdup(path);
    return 0;
}

/* Our links, and the differences to each of the others; returns how many. */
static unsigned compare_page(struct page_parser *parser, const char *path, unsigned *ret_links)
{
    struct buf file = BUF_INIT(MIB(16));
    struct reference r = {.urls = {NULL, 0, 0}};
    struct set ours = {NULL, 0, 0};
    const struct page *page;
    struct page_input in;
    unsigned differ = 0;

    test_read(path, &file);
    arena_init(&r.arena, LIMIT_PAGE_ARENA);
    in = (struct page_input){.payload = buf_str(&file),
                             .url = STR(ORIGIN "wp/x/page.htm"),
                             .content_type = STR("text/html; charset=utf-8")};
    assert_int_equal(page_parse(parser, &in, &r.arena, &page), DROP_NONE);
    for (uint32_t i = 0; i < page->nlinks; i++)
        if (page->links[i].kind == LINK_A || page->links[i].kind == LINK_FRAME)
            set_add(&ours, page->links[i].url);
    set_sort(&ours);
    *ret_links += (unsigned)ours.count;
    for (size_t i = 0; i < sizeof parsers / sizeof *parsers; i++) {
        assert_int_equal(url_parse(page->base, NULL, &r.arena, &r.base), ST_OK);
        parsers[i].read(buf_str(&file), &r);
        set_sort(&r.urls);
        differ += set_compare(&ours, &r.urls, parsers[i].name, path);
        set_clear(&r.urls);
    }
    set_clear(&ours);
    arena_free(&r.arena);
    buf_free(&file);
    return differ;
}

static void links_are_those_of_real_html_parsers(void **unused)
{
    struct page_parser *parser;
    unsigned links = 0, differ = 0;
    const char *dir;
    char command[2000];

    (void)unused;
    NEED_DATA(archive, "wikispeedia/html.tar.zst");
    if (system("command -v zstd tar >/dev/null 2>&1") != 0)
        skip();
    dir = test_dir();
    snprintf(command, sizeof command, "zstd -dc --long=27 '%s' | tar x -C '%s'", archive, dir);
    assert_int_equal(system(command), 0);
    nftw(dir, sample_add, 32, FTW_PHYS);
    assert_true(sample.count >= 100);
    parser = page_parser_new();
    for (size_t i = 0; i < sample.count; i++) {
        differ += compare_page(parser, sample.paths[i], &links);
        free(sample.paths[i]);
    }
    page_parser_free(parser);
    print_message("# %zu pages, %u link URLs, %u differ\n", sample.count, links, differ);
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_are_those_of_real_html_parsers)};

    return cmocka_run_group_tests_name("page real", tests, NULL, NULL);
}
