/* page_int.h - what the files page*.c share. Nobody else includes it.
 *
 *   page.c       decides what document it is, and calls one of
 *     page_html.c  tokens -> elements -> text, words, links
 *       page_head.c  title, meta, link, base: what is said about the page
 *     page_feed.c  feeds and sitemaps
 *   page_text.c  visible text and words
 *   page_link.c  links: found raw, resolved at the end; tag paths
 *   page_date.c  candidates for the date, and the choice among them
 */
#pragma once

#include "base/limits.h"
#include "base/map.h"
#include "parse/charset.h"
#include "parse/html.h"
#include "parse/html_tag.h"
#include "parse/page/page.h"
#include "parse/page/text.h"
#include "parse/url.h"

/* ---- dates --------------------------------------------------------------- */

/* Where a date was read, the most trusted first. */
enum date_rank {
    RANK_PUBLISHED,      /* meta article:published_time and its kin, JSON-LD */
    RANK_TIME_PUBLISHED, /* <time pubdate>, itemprop=datePublished */
    RANK_PLAIN,          /* meta date, dc.date: it does not say of what */
    RANK_CHANGED,        /* meta article:modified_time, JSON-LD dateModified */
    RANK_URL,
    RANK_TIME,   /* the first <time datetime> */
    RANK_HEADER, /* Last-Modified */
    RANK_COUNT
};

struct page_dates {
    int64_t found[RANK_COUNT]; /* the first of each rank; 0: none */
};

/* Takes a date as written; texts that are no date are ignored. */
void page_date_add(struct page_dates *d, enum date_rank rank, struct str text);

/* datePublished and dateModified in a script of type application/ld+json. */
void page_date_json(struct page_dates *d, struct str script);

/* Adds URL and header, and fills page->date by the best that `now` allows. */
void page_date_choose(struct page_dates *d, const struct page_input *in, struct page *page);

/* ---- links --------------------------------------------------------------- */

/* A link as found. */
struct raw_link {
    struct str href;   /* raw slice of the document, or plain text */
    bool encoded;      /* href is an attribute value not yet decoded */
    uint8_t kind, rel; /* as in struct link */
    uint16_t tag_path;
    uint32_t anchor_off;           /* text offset at which the anchor begins */
    struct span anchor;            /* words */
    struct span nodes[NODE_SIZES]; /* words; from > to: use the window */
    int64_t date;                  /* of a feed's entry; 0 unknown */
};

#define NODE_IS_WINDOW ((struct span){1, 0})

struct page_links {
    struct raw_link *items; /* reused from page to page */
    size_t count, cap;
    struct map paths;       /* hash of a tag path -> its number */
    struct str *path_names; /* in the page's arena once finished */
    size_t npaths, paths_cap;
    struct map urls;      /* hash of an href -> number of the link with it */
    struct arena scratch; /* of one link, emptied for the next; nobody else's */
};

/* One more link, with an empty anchor at this place of the text and the tag path
 * of the stack; NULL where LIMIT_LINKS, or of a sitemap LIMIT_SITEMAP_URLS, is
 * reached. `href` must live until page_links_finish(): in the input or in `kept`.
 * Lent until the next one. */
struct raw_link *page_link_add(struct page_parser *p, struct str href, enum link_kind kind);

/* REL_* of a rel attribute. */
uint8_t page_link_rel(struct str rel);

/* Resolves and normalises all links, and fills page->links and tag_paths. */
void page_links_finish(struct page_parser *p);

/* ---- elements ------------------------------------------------------------ */

/* An element that is open. */
struct open {
    struct str name;                    /* raw */
    uint64_t path;                      /* hash of the tag path down to it */
    uint32_t first_word;                /* words before it */
    uint32_t first_link;                /* links before it */
    uint32_t first_pending[NODE_SIZES]; /* lengths of `pending` when it opened */
    uint32_t link;                      /* the link it makes, or NO_LINK */
    uint16_t tag;                       /* enum html_tag, or beyond */
};

#define NO_LINK UINT32_MAX

/* Links whose aggregation node is not yet known. */
struct pending {
    uint32_t *links;
    size_t count, cap;
};

struct page_parser {
    /* Made once. */
    struct charset_reader *charsets;
    struct html_tags tags;

    /* Of the page under way; memory is kept. */
    const struct page_input *in;
    struct arena *arena; /* of what the page consists of in the end */
    struct arena kept;   /* until then: its own URL, its base, hrefs that are not in the input */
    struct page *page;
    struct html html;
    struct page_text text;
    struct page_links links;
    struct page_dates dates;
    struct buf decoded;   /* for attribute values */
    struct url own;       /* the page's URL */
    bool own_known;       /* `own` could be parsed */
    struct str base_href; /* of the first base element, raw; ptr NULL: none */
    struct str meta_lang; /* of meta content-language, raw */
    bool has_title;

    struct open stack[LIMIT_NESTING];
    unsigned depth;             /* open elements */
    unsigned beyond;            /* open elements that had no room in the stack */
    uint16_t counts[FAM_COUNT]; /* open elements by family */
    unsigned families;          /* families with an open element, a bit each */
    unsigned hidden_at;         /* depth of the outermost hiding element; 0: none */
    unsigned inert_at;          /* the same, of a template: no links either */
    unsigned foreign;           /* open svg and math elements */
    bool in_body;               /* the body has begun */
    struct pending pending[NODE_SIZES];
};

/* The meaning of an attribute value: in the input, or in p->decoded. */
struct str page_value(struct page_parser *p, struct str raw);

void page_html(struct page_parser *p, struct str document);
enum drop page_feed(struct page_parser *p, struct str payload, struct str charset);
enum drop page_sitemap(struct page_parser *p, struct str payload);

/* The head's elements: title (its text), meta, link, base, and the header's
 * Link field. */
void page_head_title(struct page_parser *p, struct str raw);
void page_head_meta(struct page_parser *p, const struct html_token *t);
void page_head_link(struct page_parser *p, const struct html_token *t);
void page_head_link_field(struct page_parser *p);

/* The first language of a list, lower case, in the arena; empty where it looks
 * like none. */
struct str page_head_lang(struct page_parser *p, struct str list);

/* White space folded, cut to LIMIT_TITLE, in the arena. */
struct str page_title(struct page_parser *p, struct str text);
