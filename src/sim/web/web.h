/* web.h - a world in memory: parsed and profiled once, shared read-only.
 *
 * Loaded from a world's directory (world.h) on all cores. It keeps only what models and judges
 * need, packed: a page's terms, the sequence of its words as terms, its links as numbers with their
 * spans; no markup and no text. Pages are unpacked into a caller's scratch (web_unpack()), which
 * costs some ten nanoseconds a link. After loading it is never written: any number of threads may
 * read it.
 *
 * Numbers: URLs are counted from 1 in the order of the world (pages in the
 * order of their numbers, then other answers, then URLs that are only linked
 * to); hosts from 0. A *version* is one state of one page; a world that stands
 * still has one version a page. Time is us since 1970; a web that stands still
 * answers the same at every time.
 *
 * idf is that of the whole world, every page (first version) one document.
 */
#pragma once

#include "flow.h"
#include "base/status.h"

struct web;
struct df_table;

#define WEB_NONE UINT32_MAX

struct web_config {
    unsigned threads; /* 0: one a core */
    unsigned main;    /* PROFILE_MAIN_* (text/profile.h); 0: as a crawl does */
    /* Called on the calling thread now and then; returns false to stop (ST_STOPPED). May be
     * NULL. */
    bool (*progress)(void *ctx, uint32_t done, uint32_t total);
    void *progress_ctx;
};

enum status web_load(const char *dir, const struct web_config *config, struct web **ret) MUST_USE;
void web_free(struct web *w);

/* ---- counts, URLs and hosts ---- */

struct web_counts {
    uint32_t pages;    /* URLs that are a page at some time */
    uint32_t versions; /* of all pages */
    uint32_t urls;     /* all URLs known, dead ones too */
    uint32_t hosts;
    uint32_t broken;    /* answers that could not be read from the archive: 500 */
    uint32_t damaged;   /* broken answers that should be in it (noindex keeps some out) */
    uint64_t links;     /* of all versions */
    uint64_t bytes;     /* of memory */
    int64_t begin, end; /* the window of time; equal: it stands still */
};

struct web_counts web_counts(const struct web *w);
const struct df_table *web_idf(const struct web *w);

uint32_t web_find(const struct web *w, uint64_t key);   /* url_key() -> URL, or 0 */
struct str web_href(const struct web *w, uint32_t url); /* ends in NUL */
uint32_t web_host(const struct web *w, uint32_t url);
/* Returns the host of that name, with the port if the URL has one; WEB_NONE if it is unknown. */
uint32_t web_find_host(const struct web *w, struct str name);
/* Returns the latency of a host, in us, for answers without a recorded one. It is drawn from the
 * host's name: lognormal with a median of 200 ms and sigma 0.5, limited to 20 ms to 5 s. */
int64_t web_host_latency(const struct web *w, uint32_t host);

/* The first page of a world is URL 1, and pages come first: URL <= pages. */
static inline bool web_is_page(const struct web_counts *c, uint32_t url)
{
    return url > 0 && url <= c->pages;
}

/* ---- labels: the truth about topics, for judges only ---- */

uint32_t web_labels(const struct web *w); /* distinct ones, sorted by name */
struct str web_label(const struct web *w, uint32_t label);
/* Returns the words of a label that a crawler is given: those of the world, or else those of the
 * label. */
struct str web_label_words(const struct web *w, uint32_t label);
/* Returns the labels of a page in ascending order; *ret_count is their number. */
const uint32_t *web_labels_of(const struct web *w, uint32_t url, uint32_t *ret_count);

/* ---- answers ---- */

struct web_answer {
    int status;           /* 200, 301, 404 …; 0: no answer at all (timeout) */
    uint32_t version;     /* of a page; WEB_NONE: no document */
    uint32_t redirect_to; /* URL, or 0 */
    int64_t since;        /* this state holds since (Last-Modified); 0: for ever */
    int64_t until;        /* and until (exclusive); INT64_MAX: for ever */
    int64_t latency; /* us from request to last byte: recorded, or drawn from the host's name */
    uint32_t bytes;  /* of the payload as sent */
};

/* Gets the answer of `url` at the time `at`. */
void web_answer(const struct web *w, uint32_t url, int64_t at, struct web_answer *ret);

/* Returns the status of a host's robots.txt, the same at any time, and its text (lent) if that is
 * 200. */
int web_robots(const struct web *w, uint32_t host, struct str *ret_text);

/* Changes of a page: how many versions it has, the first of them, and whether a version really
 * differs from the one before (version-control stamps such as "$OpenBSD: x,v 1.2 … $" do not
 * count). The first version is not a change. */
uint32_t web_history(const struct web *w, uint32_t url, uint32_t *ret_first);
int64_t web_version_since(const struct web *w, uint32_t version);
bool web_version_is_change(const struct web *w, uint32_t version);
/* Does the main text of version `to` differ from that of `from`, an earlier version of the same
 * URL? Each version in between is compared as a crawler does (text/shingle.h). */
bool web_text_changed(const struct web *w, uint32_t from, uint32_t to);

/* ---- pages ---- */

/* Memory into which versions are unpacked, one at a time. */
struct web_scratch;
struct web_scratch *web_scratch_new(void);
void web_scratch_free(struct web_scratch *s);

/* Returns the page as parse/ saw it, but without texts: title, text and words are empty (nwords is
 * correct; the terms are in the profile's sequence). Links have id, url and key. Valid until the
 * next call with this scratch. */
const struct page *web_unpack(const struct web *w, uint32_t version, struct web_scratch *s);

/* Prefetches the memory of a version that will be unpacked soon. */
void web_prefetch(const struct web *w, uint32_t version);

/* Returns the profile without relevance and similarity, which profile_judge() sets
 * (text/profile.h). */
struct profile web_profile(const struct web *w, uint32_t version);
unsigned web_page_robots(const struct web *w, uint32_t version); /* ROBOTS_* */
uint64_t web_payload_hash(const struct web *w, uint32_t version);
bool web_is_alone(const struct web *w, uint32_t version); /* no other version resembles it */

/* Returns the targets of a version's links, repeated ones included, without unpacking. */
const uint32_t *web_links(const struct web *w, uint32_t version, uint32_t *ret_count);
