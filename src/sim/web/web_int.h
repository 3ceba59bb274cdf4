/* web_int.h - the memory layout of a web, shared by the files of web/. No other file includes it.
 *
 *   load.c       the phases; workers (record -> document, parsed, profiled), batches, time
 *     pack.c     the caller's thread: documents -> rows and blocks, in order
 *     end.c      once all is packed: numbers, versions in order, idf, labels
 *   web.c        asking
 *
 * A version is a row and a block; blocks are allocated from slabs:
 *
 *   targets    uint32_t      nlinks         URLs
 *   places     struct link_place  nlinks    or struct wide_place
 *   paths      uint32_t      npaths         texts, as the page numbers its tag paths
 *   sequence   uint32_t      nsequence
 *   terms      struct term   nterms         on a multiple of 8
 *   stops      uint64_t      nsequence / 64 + 1
 *
 * The parts that a visit reads come first, so that it reads contiguous memory. A link's window
 * follows from its anchor and is not kept.
 */
#pragma once

#include "base/map.h"
#include "sim/web/web.h"

/* The position of a link, as numbers of words. In pages of less than 64 Ki words ... */
struct link_place {
    uint16_t anchor_from, anchor_to;
    uint16_t node_from, node_to;
    struct reach node10, node40;
    uint16_t tag_path;
    uint8_t kind, rel;
};

/* ... and in longer ones. */
struct wide_place {
    uint32_t anchor_from, anchor_to;
    uint32_t node_from, node_to;
    struct reach node10, node40;
    uint16_t tag_path;
    uint8_t kind, rel;
};

#define PLACE_WORDS UINT16_MAX /* of the longest page whose links have a struct link_place */

struct web_url {
    uint64_t key;
    uint64_t href;  /* where its text begins, << 16 | bytes */
    uint32_t host;  /* number */
    uint32_t first; /* of its versions; WEB_NONE: it has none */
};

/* The answer of a URL that is not a page. */
struct web_other {
    int16_t status;
    uint32_t redirect_to; /* URL, or 0 */
};

struct web_host {
    uint64_t name;         /* as href */
    uint64_t robots;       /* where the text begins; a text may have 0 bytes */
    uint32_t robots_bytes; /* of it */
    int robots_status;     /* 404 if there is none */
    int64_t latency;       /* us; for answers without a recorded latency */
};

/* A state of one page. */
struct web_version {
    char *block;
    uint64_t simhash, hash; /* of the words; of the decoded payload */
    double raw_square, square;
    int64_t since; /* us; 0: for ever */
    int64_t gone;  /* when it disappeared; INT64_MAX: it did not */
    int64_t date;
    uint32_t url;
    uint32_t nterms, length, ntitle, nsequence, lead, nwords, nlinks;
    uint32_t bytes;   /* as sent */
    uint32_t latency; /* us; 0: the host's */
    uint32_t lang, charset;
    uint32_t base; /* a text; 0: its own address */
    uint16_t npaths;
    uint16_t status, gone_status;
    uint8_t kind, date_source;
    uint8_t meta_robots; /* ROBOTS_* of the page */
    uint8_t robots;      /* and with those of the header */
    uint8_t stemmed;     /* profile.lang */
    bool cut, is_change, is_alone;
    bool is_text;          /* its main text differs from that of the previous version */
    struct shingles *main; /* while the web is loaded; then NULL */
};

/* Memory for blocks, which are never freed one by one. */
struct slab;

struct web {
    struct web_url *urls; /* [0] is unused */
    size_t nurls, urls_cap;
    struct web_version *versions;
    size_t nversions, versions_cap;
    struct web_other *others; /* of the URLs behind the pages */
    size_t nothers;
    struct web_host *hosts;
    size_t nhosts, hosts_cap;
    char *strings; /* addresses and robots.txt files, each ends in NUL */
    size_t nstrings, strings_cap;
    struct str *texts; /* languages, encodings, tag paths; [0] is empty; in slabs */
    size_t ntexts, texts_cap;
    struct map by_key;  /* url_key() -> URL */
    struct map by_host; /* hash of a name -> host */
    struct map by_text; /* hash -> text */
    struct slab *slabs; /* newest first */
    size_t slab_bytes;
    struct df_table *idf;
    size_t idf_bytes;
    struct str *labels, *label_words; /* in slabs */
    uint32_t *label_first;            /* by URL up to the last that has one */
    uint32_t *label_of;               /* labels */
    uint32_t nlabels, nlabelled;      /* labels; URLs in label_first */
    struct web_counts counts;
};

/* Returns zeroed memory from the slabs, aligned to 8. */
void *web_slab(struct web *w, size_t size);
/* Returns a copy that ends in NUL. */
struct str web_slab_str(struct web *w, struct str s);

/* Returns the string at a place that is packed as in href. */
struct str web_string(const struct web *w, uint64_t place);

/* ---- the parts of a block ---- */

struct web_parts {
    struct term *terms;
    uint64_t *stops;
    uint32_t *targets, *sequence, *paths;
    void *places;
};

static inline bool version_is_wide(const struct web_version *v)
{
    return v->nwords > PLACE_WORDS;
}

/* The number of bytes of the places, and of all parts before the terms. */
static inline size_t version_places(const struct web_version *v)
{
    return v->nlinks * (version_is_wide(v) ? sizeof(struct wide_place) : sizeof(struct link_place));
}

static inline size_t version_front(const struct web_version *v)
{
    size_t words = (size_t)v->nlinks + v->npaths + v->nsequence;

    return (words * sizeof(uint32_t) + version_places(v) + 7) & ~(size_t)7;
}

static inline size_t version_size(const struct web_version *v)
{
    return version_front(v) + v->nterms * sizeof(struct term) +
           (v->nsequence / 64 + 1) * sizeof(uint64_t);
}

static inline struct web_parts version_parts(const struct web_version *v)
{
    struct web_parts p;

    p.targets = (uint32_t *)(void *)v->block;
    p.places = p.targets + v->nlinks;
    p.paths = (uint32_t *)(void *)((char *)p.places + version_places(v));
    p.sequence = p.paths + v->npaths;
    p.terms = (struct term *)(void *)(v->block + version_front(v));
    p.stops = (uint64_t *)(void *)(p.terms + v->nterms);
    return p;
}
