/* page_int.h - shared by the files of page/. No other file includes it.
 *
 *   page.c       decides what document it is; feeds, sitemaps and dates
 *     html.c     tokens -> elements -> text, words, links
 *       head.c   title, meta, link, base: what the page states about itself
 *   text.c       visible text and words
 *   mark.c       where markup stands in the text
 *   link.c       links: found raw, resolved at the end; tag paths
 */
#pragma once

#include "base/limits.h"
#include "base/map.h"
#include "parse/charset.h"
#include "parse/html.h"
#include "parse/html_tag.h"
#include "parse/main/main.h"
#include "parse/page/page.h"
#include "parse/url.h"

/* ---- the visible text and its words, as they come in ----
 *
 * White space is folded: one space separates words, one newline
 * separates blocks, and there is none at either end. Inline markup does
 * not separate words, so the last word may still grow;
 * page_text_words() takes that into account. */

struct page_text {
    char *data;         /* the text; reused from page to page */
    size_t len, cap;    /* bytes */
    struct word *words; /* of data, in order */
    size_t nwords, words_cap;
    size_t scanned;    /* bytes of data in which words were already found */
    size_t counted;    /* data's length at the last count */
    unsigned gap;      /* separator due before the next character: GAP_* */
    bool grows;        /* the last word may become longer */
    bool cut;          /* LIMIT_WORDS was reached */
    struct str source; /* most texts are slices of it: it can be read beyond their ends */
};

void page_text_clear(struct page_text *t); /* empties it, keeps the memory */
void page_text_free(struct page_text *t);

/* Adds characters; with `refs`, character references in them are decoded. */
void page_text_add(struct page_text *t, struct str raw, bool refs);

/* What separates texts; the stronger one is larger. The values are also flags of elements. */
#define GAP_NONE 0u
#define GAP_WORD TAG_CELL
#define GAP_LINE TAG_BLOCK

/* Separates the text that follows from the text so far. */
static inline void page_text_gap(struct page_text *t, unsigned gap)
{
    t->gap = t->gap > gap ? t->gap : gap;
}

/* The number of words that begin before this place. */
uint32_t page_text_words(struct page_text *t);
/* The same for an earlier place, given in bytes. Call page_text_words() first. */
uint32_t page_text_words_before(const struct page_text *t, uint32_t at);

/* Copies text and words into the arena. Returns false if it is full. */
bool page_text_take(struct page_text *t, struct arena *arena, struct page *page);

/* ---- dates --------------------------------------------------------------- */

/* Where a date was read, the most trusted first. */
enum date_rank {
    RANK_PUBLISHED,      /* meta article:published_time and its kin, JSON-LD */
    RANK_TIME_PUBLISHED, /* <time pubdate>, itemprop=datePublished */
    RANK_PLAIN,          /* meta date, dc.date: without a stated meaning */
    RANK_CHANGED,        /* meta article:modified_time, JSON-LD dateModified */
    RANK_URL,
    RANK_TIME,   /* the first <time datetime> */
    RANK_HEADER, /* Last-Modified */
    RANK_COUNT
};

struct page_dates {
    int64_t found[RANK_COUNT]; /* the first of each rank; 0: none */
};

/* Adds a date as written; a text that is not a date is ignored. */
void page_date_add(struct page_dates *d, enum date_rank rank, struct str text);

/* Adds datePublished and dateModified of a script of type application/ld+json. */
void page_date_json(struct page_dates *d, struct str script);

/* ---- links --------------------------------------------------------------- */

/* A link as found. */
struct raw_link {
    struct str href;   /* raw slice of the document, or plain text */
    bool encoded;      /* href is an attribute value not yet decoded */
    uint8_t kind, rel; /* as in struct link */
    uint16_t tag_path;
    uint32_t anchor_off;           /* bytes of text at which the anchor begins … */
    uint32_t anchor_end;           /* … and ends; words are counted at the end */
    struct span nodes[NODE_SIZES]; /* words, or one of the two below */
    int64_t date;                  /* of a feed's entry; 0 unknown */
    int64_t changed;               /* of an entry of a feed or sitemap; 0 unknown */
};

#define NODE_IS_WINDOW ((struct span){1, 0}) /* too large: use the window */
#define NODE_IS_EMPTY  ((struct span){2, 0}) /* where the anchor begins; until it is known */

struct page_links {
    struct raw_link *items; /* reused from page to page */
    size_t count, cap;
    struct map paths;       /* hash of a tag path -> its number */
    struct str *path_names; /* in the page's arena once finished */
    size_t npaths, paths_cap;
    struct map urls;      /* hash of an href -> number of the link with it */
    struct arena scratch; /* of one link, emptied for the next */
};

/* Adds a link, with an empty anchor at this place of the text and the tag path of the stack.
 * Returns NULL if LIMIT_LINKS is reached, or LIMIT_SITEMAP_URLS in a sitemap. `href` must live
 * until page_links_finish(): in the input or in `kept`. The link is lent until the next call. */
struct raw_link *page_link_add(struct page_parser *p, struct str href, enum link_kind kind);

/* REL_* of a rel attribute. */
uint8_t page_link_rel(struct str rel);

/* Resolves and normalises all links, and fills page->links and tag_paths. */
void page_links_finish(struct page_parser *p);

/* ---- marks (mark.h), if they were asked for ---- */

struct page_marks {
    bool wanted;
    struct page_mark *items; /* reused from page to page */
    size_t count, cap;
    unsigned pre;    /* open pre elements */
    struct buf code; /* their text as written */
};

/* Notes that an element opens. Returns what page_mark_close() needs, or 0 if there is no mark. */
uint8_t page_mark_open(struct page_parser *p, const struct html_token *t, unsigned tag);
void page_mark_close(struct page_parser *p, uint8_t mark);
void page_mark_image(struct page_parser *p, const struct html_token *t);
void page_mark_text(struct page_parser *p, struct str raw, bool refs);
void page_marks_finish(struct page_parser *p); /* after the links */

/* ---- elements ------------------------------------------------------------ */

/* An element that is open. */
struct open {
    struct str name;                    /* raw */
    uint64_t path;                      /* hash of the tag path from the root; 0: not asked for */
    uint32_t first_at;                  /* bytes of text before it */
    uint32_t first_link;                /* links before it */
    uint32_t first_pending[NODE_SIZES]; /* lengths of `pending` when it opened */
    uint32_t link;                      /* its link, or NO_LINK */
    uint16_t tag;                       /* enum html_tag, or a number beyond it */
    uint8_t mark;                       /* of page_mark_open() */
    uint32_t items;                     /* of an ol: its items so far, for their marks */
    uint32_t holder;                    /* 1 + its holder in main; 0: none yet */
    struct main_names names;            /* its class, id and the like */
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

    /* Of the current page; the memory is reused. */
    const struct page_input *in;
    struct arena *arena; /* holds the finished page */
    struct arena kept;   /* while parsing: the page's URL, its base, hrefs not in the input */
    struct page *page;
    struct html html;
    struct page_text text;
    struct main_text main;
    struct page_links links;
    struct page_dates dates;
    struct page_marks marks;
    struct buf decoded;   /* for attribute values */
    struct url own;       /* the page's URL */
    bool own_known;       /* `own` could be parsed */
    struct str base_href; /* of the first base element, raw; ptr NULL: none */
    struct str meta_lang; /* of meta content-language, raw */
    struct buf use;       /* what the page states about its use (parse/use.h) */
    bool has_title;

    struct open stack[LIMIT_NESTING];
    unsigned depth;                 /* open elements */
    unsigned beyond;                /* open elements for which the stack had no room */
    uint16_t counts[FAM_COUNT + 1]; /* open elements by family; the last: of none */
    unsigned families;              /* families with an open element, a bit each */
    unsigned hidden_at;             /* depth of the outermost hiding element; 0: none */
    unsigned inert_at;              /* the same, of a template: no links either */
    unsigned foreign;               /* open svg and math elements */
    bool in_body;                   /* the body has begun */
    struct pending pending[NODE_SIZES];
};

/* The hash of the tag path of the element on top of the stack; 0 if there is none. */
uint64_t page_html_path(struct page_parser *p);

/* The decoded value of an attribute: in the input, or in p->decoded. */
struct str page_value(struct page_parser *p, struct str raw);

void page_html(struct page_parser *p, struct str document);

/* The elements of the head: title (its text), meta, link and base; and the header's Link field. */
void page_head_title(struct page_parser *p, struct str raw);
void page_head_meta(struct page_parser *p, const struct html_token *t);
void page_head_link(struct page_parser *p, const struct html_token *t);
void page_head_link_field(struct page_parser *p);
/* The hub and the feed's URL in that field, for any document; as written, may be empty. */
void page_head_hub(const struct page_parser *p, struct str *ret_hub, struct str *ret_self);

/* The first language of a list, in lower case, in the arena; empty if it does not look like one. */
struct str page_head_lang(struct page_parser *p, struct str list);

/* The title with white space folded, cut to LIMIT_TITLE, in the arena. */
struct str page_title(struct page_parser *p, struct str text);
