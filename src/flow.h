/* flow.h - the structs that travel. Read this first, crawl/crawl.c second.
 *
 *   agent/     --- struct choice  --->  frontier/   which link next?
 *   frontier/  --- struct request --->  fetch/      may we, and when?
 *   fetch/     --- struct reply   --->  parse/      what did the server say?
 *   parse/     --- struct page    --->  text/       what document, which links?
 *   text/      --- struct profile --->  agent/      what is it about?
 *   crawl/     --- struct event   --->  store/, dash/, lab/, other nodes
 *
 * A reply, the page parsed from it and its profile ride together in one `struct
 * arrival`: made by a fetch thread, read by the mind, written by the store's
 * writer, freed by its last holder. No part of it is copied.
 *
 * URLs, pages and agents are identified by numbers: each has a uint32_t that
 * the mind assigns, counted from 1, the same in memory and in the database. 0
 * means none. Times are microseconds since 1970 UTC (base/os/clock.h).
 */
#pragma once

#include "base/os/usage.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* ---- why a URL was not taken -------------------------------------------- */

/* Every dropped URL has one of these; `brood explain` and `brood stats` show
 * drop_name(), which is also what the database keeps. */
enum drop {
    DROP_NONE = 0,   /* not dropped */
    DROP_SCOPE,      /* outside --scope, or inside --exclude */
    DROP_SEEN,       /* known already */
    DROP_ROBOTS,     /* robots.txt forbids it */
    DROP_NOFOLLOW,   /* the page asked not to follow it */
    DROP_TRAP,       /* looks like an endless space of URLs */
    DROP_BUDGET,     /* the budget of its host, or of the domain that names it, is used up */
    DROP_HOST_DEAD,  /* the host does not resolve, or failed too often */
    DROP_QUEUE_FULL, /* a queue or the table of URLs is at its ceiling */
    DROP_ADDRESS,    /* leads to an address we do not connect to */
    DROP_DEPTH,      /* deeper than --max-depth */
    DROP_SCHEME,     /* neither http nor https */
    DROP_LONG,       /* longer than LIMIT_URL, or its host than LIMIT_HOST */
    DROP_TYPE,       /* fetched: not a kind of document we read */
    DROP_LANG,       /* fetched: in a language not asked for */
    DROP_REJECTED,   /* fetched: matches a `reject` pattern of the topic */
    DROP_STATUS,     /* fetched: 4xx or 5xx; 204, or an unrequested 206 or 304 */
    DROP_REDIRECTS,  /* too many redirects, or a loop of them */
    DROP_SIZE,       /* larger than a ceiling, before or after decoding */
    DROP_TIMEOUT,    /* the total deadline passed */
    DROP_NETWORK,    /* connection, TLS or protocol failed, retries included */
    DROP_ENCODING,   /* content encoding broken or unknown */
    DROP_LIMIT,      /* the crawl reached its limit first */
    DROP_MODEL,      /* the model lost interest (its own queue was full) */
    DROP_FORGOTTEN,  /* removed by the user with `brood forget` */
    DROP_PORT,       /* names a port where no web server lives (base/os/port.h) */
    DROP_SCRIPT,     /* fetched: a shell that JavaScript would fill */
    DROP_WALL,       /* fetched: a page that asks its visitors to prove that they are human */
    DROP_UNREADABLE, /* fetched: a PDF or the like that is broken, locked, or too much work */
    DROP_FOREIGN,    /* its host belongs to another node of this crawl (cluster/) */
    DROP_MISSING,    /* everything fetched from its directory is missing (frontier/missing.h) */
    DROP_COUNT       /* add new reasons right before: the database stores the numbers */
};

const char *drop_name(enum drop d);      /* "scope", "host-dead": short, stable */
const char *drop_sentence(enum drop d);  /* for people */
enum drop drop_of_name(struct str name); /* DROP_COUNT if there is none of that name */

/* ---- agent -> frontier --------------------------------------------------- */

/* One agent wants to visit one URL. */
struct choice {
    uint32_t url;   /* which */
    uint32_t agent; /* for whom */
    float score;    /* how much it is wanted; orders a host's queue */
    bool refresh;   /* fetch again even if visited (conditionally) */
};

/* No agent made this choice: it fetches an image, a style sheet or a font of a page. */
#define AGENT_REQUISITE UINT32_MAX

static inline bool choice_is_requisite(const struct choice *c)
{
    return c->agent == AGENT_REQUISITE;
}

/* The best link that waits at a host, for models that choose late (agent/model.h). Of the hosts
 * that may be asked, the one with the highest score goes first; among equals, the lowest turn. */
struct wish {
    uint32_t url; /* 0: none */
    double score;
    uint64_t turn;
};

/* ---- frontier -> fetch --------------------------------------------------- */

struct address {
    uint8_t family;    /* 0 none, 4, 6 */
    uint8_t bytes[16]; /* network order; the first 4 for family 4 */
};

enum request_kind {
    REQUEST_PAGE,    /* a URL chosen by an agent */
    REQUEST_ROBOTS,  /* a host's robots.txt */
    REQUEST_RESOLVE, /* a host's address: the reply is an address, no bytes */
};

/* One attempt. Made by request_new(), owned by its holder and finally by the arrival
 * that answers it. */
struct request {
    enum request_kind kind;
    struct choice choice;     /* REQUEST_PAGE: the visit this is for */
    uint32_t host_id;         /* the frontier's number of the host */
    uint16_t depth;           /* links from the nearest seed */
    uint8_t hop;              /* redirects already followed */
    uint8_t attempt;          /* 0 the first time */
    struct str href;          /* the URL as sent, ends in NUL */
    struct str host;          /* its host, ends in NUL: part of href, or a copy */
    uint16_t port;            /* its port */
    bool tls;                 /* https */
    uint32_t source;          /* link.source of the URL, if it had one; 0: use href */
    struct address address;   /* where to connect; none: the proxy decides */
    uint16_t connect_port;    /* differs from port under --resolve */
    struct str etag;          /* if not empty, the request is conditional */
    struct str last_modified; /* if not empty, the request is conditional */
    struct str post;          /* a body to send, lent until it is answered; empty: a GET */
    struct str fields;        /* of a POST, lent: more header lines, separated by "\n" */
};

/* Copies href (and the validators) behind the struct. Free it with free(). */
struct request *request_new(enum request_kind kind, struct str href, struct str host,
                            struct str etag, struct str last_modified);

/* ---- fetch -> parse ------------------------------------------------------ */

enum fetch_error {
    FETCH_OK = 0,
    FETCH_RESOLVE,  /* the name has no address */
    FETCH_REFUSED,  /* the egress guard forbids the address or the port */
    FETCH_CONNECT,  /* no connection */
    FETCH_TLS,      /* certificate or handshake */
    FETCH_TIMEOUT,  /* total deadline, or stalled */
    FETCH_PROTOCOL, /* the answer is not HTTP, or broke off */
    FETCH_SIZE,     /* header or body beyond its ceiling */
    FETCH_MEMORY,   /* a large body, while all of them together were too large */
    FETCH_CANCELLED /* we are stopping */
};

const char *fetch_error_name(enum fetch_error e);

struct reply {
    enum fetch_error error;
    struct str error_text; /* for people; in the arrival's arena */
    int status;            /* HTTP status, 0 without one */
    struct str sent;       /* the request's header block as sent, secrets hidden */
    struct str head;       /* the reply's header block as received */
    struct buf body;       /* payload, chunking removed, still content-encoded */
    bool truncated;        /* the body was cut at LIMIT_BODY */
    bool skipped;          /* the body was not read: not a type we parse */
    bool h2;               /* came over HTTP/2 */
    struct address peer;   /* the address we were really connected to */
    uint16_t connect_port; /* REQUEST_RESOLVE: the port --resolve asks for */
    int64_t started_at;    /* request handed to the network */
    int64_t sent_at;       /* it left us: there was a connection; 0: there was none */
    int64_t first_byte_at;
    int64_t done_at;
    /* Header fields, pointing into `head`; empty if absent. Of a repeated field
     * the last one counts, except for lists: content_encoding and link are
     * joined by commas, robots_tag by newlines. */
    struct str content_type, content_encoding, location, etag, last_modified;
    struct str retry_after, robots_tag, link, content_language, date, age;
    struct str content_signal, tdm_reservation, tdm_policy;
};

/* ---- parse -> text ------------------------------------------------------- */

/* A word of the page's visible text: text.ptr[off .. off+len). */
struct word {
    uint32_t off;
    uint16_t len; /* bytes */
};

/* An interval [from, to) of the page's word array. */
struct span {
    uint32_t from, to;
};

/* An element around an anchor: how many words it has before and after the anchor. */
struct reach {
    uint8_t before, after;
};

#define REACH_NONE UINT8_MAX /* both members, if there is no such element */

enum link_kind {
    LINK_A,         /* <a href>, <area href> */
    LINK_FRAME,     /* <frame>, <iframe> */
    LINK_REFRESH,   /* <meta http-equiv=refresh> */
    LINK_CANONICAL, /* <link rel=canonical>, or the header */
    LINK_ALTERNATE, /* <link rel=alternate> to a feed or a translation */
    LINK_NEXT,      /* <link rel=next|prev> */
    LINK_FEED,      /* an entry of a feed */
    LINK_SITEMAP,   /* an entry of a sitemap or a sitemap index */
    LINK_REDIRECT,  /* Location of a 3xx */
    LINK_SEED,      /* given by the user */
    LINK_REQUISITE, /* an image, a style sheet, a font of a page: no page (crawl/looks.h) */
};

#define REL_NOFOLLOW 1u /* rel contains nofollow */
#define REL_UGC      2u /* ugc or sponsored */
#define REL_NEXT     4u /* next or prev */

struct link {
    struct str url;      /* absolute, normalised, without fragment; ends in NUL */
    uint64_t key;        /* url_key() of it: the identity in the seen set */
    uint32_t source;     /* fetch's own number of the URL (fetch/fetch.h); 0: none */
    struct span anchor;  /* the anchor's words */
    struct span window;  /* LINK_WINDOW words around the anchor, anchor included */
    struct span node;    /* the aggregation node: the nearest element around it of 20 words … */
    struct reach node10; /* … of 10, and of 40 */
    struct reach node40;
    uint16_t tag_path; /* index into page.tag_paths */
    uint8_t kind;      /* enum link_kind */
    uint8_t rel;       /* REL_* */
};

#define LINK_WINDOW 40 /* words: half of them on each side */

/* How many words an aggregation node must have. An element with more words or links than the limits
 * below says nothing about one link: then `node` is the window, and the others are REACH_NONE. */
enum link_node { NODE_10, NODE_20, NODE_40, NODE_SIZES };
#define LINK_NODE_WORDS 200
#define LINK_NODE_LINKS 10

enum passage_kind {
    PASSAGE_TEXT,
    PASSAGE_HEADING,
    PASSAGE_LIST,
    PASSAGE_QUOTE,
    PASSAGE_CODE,
    PASSAGE_TABLE,   /* a row of it */
    PASSAGE_COMMENT, /* of a reader */
    PASSAGE_KINDS
};

/* A line of the page's text that belongs to the main text: text.ptr[off .. off+len). */
struct passage {
    uint32_t off, len;
    uint8_t kind; /* enum passage_kind */
};

enum page_kind { PAGE_HTML, PAGE_TEXT, PAGE_FEED, PAGE_SITEMAP };

enum date_source {
    DATE_NONE = 0,
    DATE_META,     /* meta elements, time elements, JSON-LD: when it was published or changed */
    DATE_URL,      /* /2026/11/15/ in the path */
    DATE_FEED,     /* the feed that lists it */
    DATE_MODIFIED, /* Last-Modified */
    DATE_TIME,     /* a time element without a stated meaning: as reliable as Last-Modified */
};

#define ROBOTS_NOINDEX   1u
#define ROBOTS_NOFOLLOW  2u
#define ROBOTS_NOARCHIVE 4u
#define ROBOTS_NOAI      8u
#define ROBOTS_NOIMAGEAI 16u

/* The server that a feed names for notices of changes: a hub (WebSub) or a cloud (rssCloud). */
struct hub {
    struct str url;   /* absolute */
    struct str topic; /* the feed's URL, as the hub knows it */
    bool is_cloud;
};

/* A document as brood sees it. Everything lies in the arrival's arena. */
struct page {
    enum page_kind kind;
    struct str title;   /* white space folded, at most LIMIT_TITLE */
    struct str text;    /* visible text, UTF-8, blocks separated by newlines */
    struct word *words; /* of text, in order; title words are not among them */
    uint32_t nwords;
    struct passage *main; /* the text without menus, footers and the like; may be empty */
    uint32_t nmain;
    struct page_mark *marks; /* markup in the text, if it was asked for: parse/page/mark.h */
    uint32_t nmarks;
    struct link *links; /* in document order; a URL occurs as often as in the document */
    uint32_t nlinks;
    int64_t *link_dates;   /* of a feed: when its entries were published, 0 unknown; else NULL */
    int64_t *link_changes; /* of a feed or sitemap: when its pages changed, 0 unknown; or NULL */
    const struct hub *hub; /* of a feed; NULL: it names none */
    struct str *tag_paths; /* "html body div ul li a", each distinct one once */
    uint32_t ntag_paths;
    struct str lang;      /* of its text, as text/words/lang.h finds it: "en", "de-at"; or empty */
    struct str declared;  /* the language that the page or its server declares; or empty */
    struct str charset;   /* the encoding it was decoded from */
    struct str canonical; /* absolute URL, or empty */
    struct str base;      /* the URL that links were resolved against */
    int64_t date;         /* publication or change; 0 unknown */
    enum date_source date_source;
    unsigned robots; /* ROBOTS_* from meta elements */
    struct str use;  /* what its elements say about its use, a list (parse/use.h); or empty */
    bool cut;        /* some ceiling cut links, words or nesting */
};

/* Is the page a list of links, with at least two of five words inside links? It leads to documents
 * but is none: its words are those of the linked pages, whatever they are about. */
bool page_is_list(const struct page *p);

/* ---- text -> agent ------------------------------------------------------- */

/* One term of a document: a stem by its 32-bit hash (text/vocab.h). */
struct term {
    uint32_t id;
    uint32_t count; /* raw occurrences */
};

/* If a crawl has several topics: how relevant a page is to one of them. */
struct topic_verdict {
    struct str topic; /* its name; lives as long as the topic does */
    float relevance;  /* in [0,1] */
};

/* What a page is about, and how near to the topic that is. All members but the
 * last four depend on the page alone and not on the topic: a simulated web
 * computes them once and shares them. */
struct profile {
    const struct term *terms; /* ascending by id, stop words left out */
    uint32_t nterms;
    uint32_t length;                    /* sum of counts */
    const uint32_t *sequence;           /* term of every word: the title's, a 0, the text's */
    const uint64_t *stops;              /* bit i: sequence[i] is a stop word */
    uint32_t ntitle;                    /* words of the title; page->words begin at ntitle + 1 */
    uint32_t nsequence;                 /* ntitle + 1 + page->nwords */
    uint32_t lead;                      /* place in `sequence` where the main text begins */
    uint64_t simhash;                   /* of the text: near duplicates differ in few bits */
    double raw_square;                  /* sum of count^2 over the terms */
    double square;                      /* sum of ((1 + ln tf) * idf)^2, by the idf of then */
    uint8_t lang;                       /* number of the language it was stemmed in */
    float relevance;                    /* the topic's verdict, in [0,1] */
    float similarity;                   /* raw-count cosine with the topic's words, in [0,1] */
    const struct topic_verdict *topics; /* one for each topic, if there are several */
    uint32_t ntopics;                   /* 0: the crawl has one */
};

/* What the mind adds to the i-th link of a page. */
struct link_mark {
    uint32_t url; /* number of its URL; 0: it has none */
    float score;  /* the model's score; NAN: it gave none */
    uint8_t drop; /* enum drop: why it is not offered to the model */
    bool is_new;  /* this page is the first to name the URL */
    bool taken;   /* waiting, visited or gone: nothing is left to fetch there */
    bool abroad;  /* its host belongs to another machine, and agents may move there */
};

/* A block of a WARC record, deflated. */
struct packed {
    char digest[33]; /* SHA-1 of the payload in base32, and NUL */
    uint32_t crc;    /* of the block and the four bytes that end its record */
    uint64_t length; /* of the block */
    size_t size;     /* of its deflate stream, which follows */
    char bytes[];
};

/* One answer from outside with everything that was made from it. */
struct arrival {
    struct arena memory;     /* owns all strings and arrays below */
    int refs;                /* holders; changed atomically */
    struct request *request; /* owned */
    struct reply reply;
    const struct page *page;       /* NULL if there is no document */
    struct profile profile;        /* valid if page is not NULL */
    struct link_mark *marks;       /* page->nlinks of them, written by the mind */
    struct buf html;               /* made from a PDF or the like, and parsed in its place */
    enum drop why;                 /* digestion failed: DROP_TYPE, DROP_ENCODING … */
    unsigned robots;               /* ROBOTS_* of page and headers joined */
    struct str use;                /* of page and headers, or of robots.txt: a list (parse/use.h) */
    struct str rules;              /* REQUEST_ROBOTS: robots_saved() of the file */
    struct requisites *requisites; /* of the page or style sheet; NULL: none, or not asked for */
    uint64_t payload_hash;         /* of the decoded payload */
    bool cut;                      /* decoding broke off: the payload is only the beginning */
    bool alone;                    /* fetch knows that no other page is similar to this one */
    uint32_t source;               /* fetch's own number of the URL that answered; 0: none */
    struct packed *packed;         /* the reply for the archive (store/pack.h); NULL: not packed */
    struct packed *packed_html;    /* as `packed`, of `html` */
    struct usage *usage;           /* lent: where its bytes are counted; NULL: nowhere */
    size_t counted;                /* bytes counted so far */
    /* Takes the arrival back, with its request, if its memory is lent; NULL: it is freed.
     * Called by the last holder. */
    void (*released)(struct arrival *a);
};

struct arrival *arrival_new(struct request *request); /* keeps the request */
/* Counts its bytes again after they changed. Only the thread that owns it may call this,
 * before it hands the arrival on. */
void arrival_count(struct arrival *a);
struct arrival *arrival_hold(struct arrival *a); /* adds a holder */
void arrival_release(struct arrival *a);         /* the last holder frees it */

/* What a visit brought, compared with the newest stored version of its URL. */
enum change {
    CHANGE_NEW = 0, /* the URL's first page; or a known page, from memory */
    CHANGE_NONE,    /* a refresh: 304, the same bytes, or the same visible text */
    CHANGE_TEXT,    /* a refresh: the visible text differs, so it is another document */
};

/* What an agent perceives of one visit. It may write the scores of the marks. */
struct percept {
    struct choice choice; /* the visit it answers */
    uint32_t page;        /* number of the page */
    uint16_t depth;
    bool first;      /* no agent has visited the page before */
    bool hearsay;    /* another node's page: only the words around one link are known */
    int64_t latency; /* us from request to last byte */
    enum change change;
    int64_t date; /* of the document: its own, else Last-Modified, else when it was first seen */
    const struct page *body; /* after a 304: as it was before, without texts */
    const struct profile *profile;
    struct link_mark *marks; /* body->nlinks of them */
};

/* ---- agent -> agent ------------------------------------------------------ */

/* One speech act, after FIPA. Strings are lent for the time of the call. */
struct message {
    uint32_t sender, receiver; /* agents */
    uint32_t conversation;     /* counted from 1 by the model; 0: none */
    struct str performative;   /* "cfp", "propose", "inform" … */
    struct str content;        /* the model's own; text, so that people can read it */
    int64_t reply_by;          /* a later answer is too late; 0: no answer is expected */
};

/* ---- crawl -> all listeners ---------------------------------------------- */

enum event_kind {
    EVENT_URL,      /* a URL got its number outside a page: seed, redirect */
    EVENT_PAGE,     /* a page was stored, with its links and their marks */
    EVENT_LINKS,    /* links of a document that is no new page: a sitemap, a page seen again */
    EVENT_OUTCOME,  /* a visit ended without a new page: failure, redirect, 304 */
    EVENT_RESOURCE, /* robots.txt, an image of a page: archived, no page */
    EVENT_DROP,     /* a URL dropped outside a page's links */
    EVENT_HOST,     /* a host's state changed (kept for resume) */
    EVENT_BORN,     /* an agent */
    EVENT_DIED,
    EVENT_TRAVEL,     /* an agent left for another machine, or came from one */
    EVENT_VISIT,      /* an agent visited a page */
    EVENT_RANGE,      /* how many agents the model is asked to keep; not stored */
    EVENT_SENT,       /* an agent sent a document to its judge; not stored */
    EVENT_MESSAGE,    /* between agents */
    EVENT_SAMPLE,     /* a metric at a moment */
    EVENT_TOLD,       /* a description of an agent; only of crawls that are kept */
    EVENT_JUDGED,     /* how likely pages are to be on topic, now (crawl/judge/judged.h) */
    EVENT_NEWS,       /* a stored page is announced (crawl/watch/news.h) */
    EVENT_KEY,        /* crawl(key,value) */
    EVENT_BATCH,      /* data for other nodes of this crawl, kept until they have it */
    EVENT_CHECKPOINT, /* everything since the last one is committed together with this */
};

/* A model's verdict on a page (agent/model.h: model_judges). */
struct page_verdict {
    uint32_t page;
    float p; /* how likely it is to be on topic */
};

/* Strings and arrivals are lent for the time of the call; a listener that
 * keeps them copies the strings and holds the arrival. */
struct event {
    enum event_kind kind;
    int64_t at;
    union {
        struct {
            uint32_t id;
            struct str url;
            uint32_t from_page; /* 0: seed */
            uint16_t depth;
            bool seed;
            bool visited;  /* by an earlier crawl; the URL has its number already */
            enum drop why; /* why it is not offered to the model; DROP_NONE: it is offered */
        } url;
        struct {
            struct arrival *arrival;
            uint32_t id;         /* page number */
            uint32_t dup_of;     /* page with the same or nearly the same text */
            uint32_t version_of; /* page of which this is a later version */
            int64_t date;        /* percept.date; 0: use the date of the arrival's page */
            bool exact_dup;      /* the payload is the same to the byte */
            bool hidden;         /* noindex: not archived, not in results */
        } page;
        struct {
            struct arrival *arrival; /* with its marks */
            uint32_t page;           /* the page that names them; 0: none */
        } links;
        struct {
            struct arrival *arrival; /* NULL if nothing was sent */
            uint32_t url;
            enum drop why;        /* DROP_NONE: a redirect or a 304 */
            uint32_t redirect_to; /* number of the target URL, or 0 */
            bool is_final;        /* false: it will be tried again */
        } outcome;
        struct {
            struct arrival *arrival;
        } resource;
        struct {
            struct str url;
            uint32_t id; /* number of the URL, or 0 */
            enum drop why;
            bool requisite; /* it was a requisite, not a page (crawl/looks.h) */
        } drop;
        struct {
            uint32_t id;
            struct str name;
            struct str state; /* opaque: frontier's own encoding */
        } host;
        struct {
            uint32_t id, parent;
            struct str name, kind;
            uint32_t page; /* where it was born; 0: at a seed */
            double energy;
        } born;
        struct {
            uint32_t id;
            struct str cause;
            double energy; /* at death */
        } died;
        struct {
            uint32_t id, parent, generation;
            struct str name, kind;
            int64_t born_at;
            double energy; /* that it carries */
            uint32_t trip; /* its moves so far */
            bool came;     /* false: it left */
        } travel;
        struct {
            uint32_t agent, page;
            bool first;
            double before, delta, after; /* energy */
            double worth;                /* of a new page, for any agent; NAN: unknown */
        } visit;
        struct {
            uint32_t reach;       /* when so many have been alive … */
            uint32_t least, most; /* … there should be at least and at most so many */
            uint32_t upper;       /* above it, none should be born; 0: no such bound */
        } range;
        struct {
            uint32_t agent, url; /* where the document was */
            uint32_t document;   /* its page, or its URL if only that counts */
            bool relevant;       /* new and on topic: a find */
        } sent;
        struct {
            struct str conversation, performative, sender, receiver, content;
            int64_t reply_by;
        } message;
        struct {
            struct str metric;
            double value;
        } sample;
        struct {
            uint32_t agent;
            struct str text; /* JSON (agent/tell.h) */
        } told;
        struct {
            struct str rows;  /* the bytes of an array of struct page_verdict */
            struct str topic; /* its name; empty: the crawl as a whole */
        } judged;
        struct {
            uint32_t id;   /* of the announcement, counted from 1 */
            uint32_t page; /* which; stored since the last checkpoint */
        } news;
        struct {
            struct str name, value;
        } key;
        struct {
            uint32_t part;    /* partition (cluster/partition.h) */
            uint64_t number;  /* of the batch in it, from 1 */
            int64_t at;       /* when it was closed; different for every batch of a crawl */
            struct str bytes; /* empty: batches up to this number are no longer needed */
        } batch;
        struct {
            struct str frontier, model, engine; /* opaque states of one moment */
            struct str vocab;                   /* empty: the same as at the last checkpoint */
            struct str parts;                   /* the model's parts that changed (base/parts.h) */
            struct buf *memory; /* of `parts`: the store takes it instead of a copy; may be NULL */
            uint64_t pages;     /* stored so far */
        } checkpoint;
    };
};
