/* limits.h - every ceiling of the program, in one place.
 *
 * What a peer can make us store, wait for or compute is bounded here. A part
 * that needs a new ceiling adds it in its own section, with its unit and the
 * reason for the figure.
 */
#pragma once

#define KIB(n)                   ((size_t)(n)*1024)
#define MIB(n)                   ((size_t)(n)*1024 * 1024)

/* ---- URLs ---- */
#define LIMIT_URL                8192      /* bytes of a URL; a longer link is ignored */
#define LIMIT_HOST               260       /* bytes of a host with its port: the DNS has 253 */
#define LIMIT_HOST_SETTINGS      1000      /* hosts and patterns with settings of their own */
#define LIMIT_URLS               200000000 /* known URLs of a crawl; about 100 bytes each */
#define LIMIT_WAITING            20000     /* choices of agents waiting in host queues */
#define LIMIT_REDIRECTS          10        /* hops of one visit */

/* ---- a reply on the wire ---- */
#define LIMIT_HEADER_BYTES       KIB(256) /* all header lines of one reply */
#define LIMIT_HEADER_LINES       500
#define LIMIT_BODY               MIB(16) /* bytes as sent; the rest is cut, which is recorded */
#define LIMIT_DECODED            MIB(32) /* bytes after all content decodings */
#define LIMIT_DECODED_RATIO      200     /* decoded : sent, once past 1 MiB (bombs) */
#define LIMIT_ENCODINGS          3       /* nested content encodings */

/* ---- fetch ---- */
#define LIMIT_PURPOSE            200  /* bytes of --purpose, a header of every request */
#define LIMIT_COOKIES            4096 /* received by one fetch thread; then its jar is emptied */
/* Idle connections of all threads together: below the usual 1024 descriptors of a process. */
#define LIMIT_CONNECTIONS_KEPT   400

/* ---- a page ---- */
#define LIMIT_PAGE_ARENA         MIB(128) /* all that is parsed from one page */
#define LIMIT_LINKS              10000    /* links kept of one page; sitemaps: below */
#define LIMIT_WORDS              1000000  /* words kept of one page */
#define LIMIT_NESTING            512      /* open elements tracked */
#define LIMIT_BLOCKS             50000    /* lines of one page that may be main text */
#define LIMIT_HOLDERS            50000    /* elements of one page that may hold its main text */
#define LIMIT_REPEATS            512  /* passages of a host that are kept, to find repeated ones */
#define LIMIT_REPEAT_HOSTS       2000 /* hosts whose passages are kept: 4 KB each */
#define LIMIT_MARKS              200000 /* marks of one page that is written as Markdown */
#define LIMIT_USE                1000   /* bytes of all statements about the use of a page */
#define LIMIT_TITLE              1000   /* bytes of a title */
#define LIMIT_TAG_PATHS          2000   /* distinct tag paths of one page */
#define LIMIT_ATTRIBUTES         128    /* attributes kept of one tag */

/* ---- robots.txt ---- */
#define LIMIT_ROBOTS             KIB(500)           /* RFC 9309 2.5 */
#define LIMIT_ROBOTS_RULES       (LIMIT_ROBOTS / 8) /* a rule takes eight bytes at least */
#define LIMIT_ROBOTS_STATES      8192    /* bytes of patterns with stars: 128 words of bits */
#define LIMIT_ROBOTS_STEPS       4000000 /* of matching in one call, for verdicts that can wait */
#define LIMIT_ROBOTS_SITEMAPS    100     /* Sitemap lines kept of one file */
#define LIMIT_CRAWL_DELAY        86400   /* seconds; a longer delay means no */

/* ---- feeds and sitemaps ---- */
#define LIMIT_SITEMAP            MIB(64) /* bytes after inflating; the protocol says 50 MB */
#define LIMIT_SITEMAP_RATIO      1000 /* inflated : gzip'ed, once past 1 MiB; deflate ends at 1032 */
#define LIMIT_SITEMAP_URLS       50000    /* links of one sitemap, as the protocol says */
#define LIMIT_FEED_ENTRIES       10000    /* entries of one feed */
#define LIMIT_FEED_FIELD         KIB(256) /* bytes of one field, markup included */
#define LIMIT_FEED_TEXT          KIB(64)  /* bytes of text kept of one entry */
#define LIMIT_XML_NESTING        128      /* open elements; deeper ones are skipped */

/* ---- --requisites: style sheets, images and fonts of pages ---- */
#define LIMIT_REQUISITES_PAGE    64      /* files of one page, those of its style sheets included */
#define LIMIT_REQUISITES_VOLUME  MIB(32) /* bytes of one page's files; then no more are asked for */
#define LIMIT_REQUISITE          MIB(8)  /* bytes of one file; a larger one is not stored */
#define LIMIT_REQUISITES         1000000 /* files of a crawl */
#define LIMIT_REQUISITES_BYTES   ((uint64_t)64 << 30) /* bytes of a crawl */
#define LIMIT_REQUISITES_PAGES   100000 /* pages whose files wait; the files of more are left out */

/* ---- --wishes: /.well-known/tdmrep.json ---- */
#define LIMIT_TDMREP             KIB(256) /* bytes of one; a larger one is not read */
#define LIMIT_TDMREP_RULES       500      /* of one file; the rest is left out */
#define LIMIT_TDMREP_KEPT        KIB(64)  /* bytes of the kept rules; with more, none are kept */

/* ---- documents that are no web pages ---- */
#define LIMIT_DOCUMENT           MIB(64)   /* bytes that a zip archive unpacks to, markup only */
#define LIMIT_DOCUMENT_PARTS     10000     /* entries of it */
#define LIMIT_DOCUMENT_ITEMS     2000      /* links of a DOCX; files, and chapters, of an EPUB */
#define LIMIT_DOCUMENT_TEXT      MIB(16)   /* bytes of text that a program may return */
#define LIMIT_DOCUMENT_FACTS     MIB(1)    /* title, dates, addresses of its links: each */
#define LIMIT_DOCUMENT_SECONDS   10        /* CPU time of a program that reads one … */
#define LIMIT_DOCUMENT_WAIT      20        /* … and elapsed time */
#define LIMIT_DOCUMENT_MEMORY    MIB(1024) /* address space of a process that reads one */
#define LIMIT_PDF_PAGES          "2000"    /* read of one PDF: an argument of pdftotext */

/* ---- text and topics ---- */
#define LIMIT_TOPICS             64     /* of one crawl */
#define LIMIT_TOPIC_NAME         64     /* bytes */
#define LIMIT_TOPIC_ITEMS        4096   /* words, phrases, patterns and examples of a topic, each */
#define LIMIT_PHRASE_WORDS       16     /* words of one phrase */
#define LIMIT_PHRASE_PLACES      64     /* the same, or characters of a text without spaces */
#define LIMIT_PATTERN            256    /* bytes of a match or reject pattern */
#define LIMIT_PATTERN_TEXT       MIB(1) /* bytes of a page's text that plain patterns see */
#define LIMIT_PATTERN_GLOB       KIB(128) /* and general ones: pattern x text steps at worst */
#define LIMIT_VOCAB_TERMS        4000000  /* distinct terms with a document frequency: 64 MB */
#define LIMIT_IDF_FILE           MIB(256) /* a table made by `brood topic idf`, in bytes */
#define LIMIT_CLUSTERS           1000     /* clusters of pages; a page's state is their number */
#define LIMIT_CLUSTER_WORDS      200000   /* words that tell clusters apart */
#define LIMIT_CLUSTERS_FILE      MIB(256) /* clusters x words x 4 bytes, and the words */

/* ---- WordNet's files, and lattices of pages and keywords ---- */
#define LIMIT_WORDNET_FILE       100000000 /* bytes: its offsets have eight digits */
#define LIMIT_WORDNET_LINE       KIB(64) /* bytes of a synset; the longest of WordNet 3.0: 13 KB */
#define LIMIT_WORDNET_NEAR       200000  /* synsets reached from one word; WordNet 3.0 has 82,115 */
#define LIMIT_KIN_BYTES          MIB(8)  /* what WordNet says of terms, if kept; about 500 a term */
#define LIMIT_WORDNET_LEMMAS     1000000 /* nouns of one word; WordNet 3.0 has 55,329 */
#define LIMIT_LATTICE_ATTRIBUTES 64      /* keywords: an intent is one word of bits */
#define LIMIT_LATTICE_OBJECTS    2000    /* URLs of one window */
#define LIMIT_LATTICE_ROW        8       /* keywords of a URL: it makes up to 2^8 concepts */
#define LIMIT_LATTICE_CONCEPTS   50000   /* beyond it only larger extents are kept */
#define LIMIT_LATTICE_COMPARED   500     /* concepts of a lattice in a comparison of two */

/* ---- crawl/: pages kept for models that come back to them ---- */
#define LIMIT_SHELF              MIB(64) /* some thousand pages; older ones are read from the archive */

#define LIMIT_NEWS_FEED          10000   /* entries of a watch's feed: some 2 KB each */
#define LIMIT_FEED_DATES         1000000 /* entries of feeds whose dates are remembered: 24 MB */
#define LIMIT_DIGEST             500     /* announcements of one mail, or of one POST of them */
#define LIMIT_MAIL               MIB(1)
#define LIMIT_PUSH_TOPICS        1000   /* feeds whose hubs are subscribed to */
#define LIMIT_PUSH_BODY          MIB(1) /* of a message of a hub */
#define LIMIT_PUSH_CONNECTIONS   32     /* of hubs, or of clients that claim to be one, at once */
#define LIMIT_PROMPTS            10000  /* visits that feeds and hubs asked for and still wait */
#define LIMIT_SHINGLES           32768  /* of a text: 128 KB; of a longer one a sample is kept */

/* ---- other nodes of a crawl (cluster/) ---- */
#define LIMIT_BATCH              KIB(128) /* bytes of a message; nats-server takes 1 MB */
#define LIMIT_BATCH_ITEMS        100      /* links and outcomes of a message */
#define LIMIT_BATCH_WORDS        600      /* bytes of the words around a link */
#define LIMIT_SNAPSHOT           16384    /* messages of a snapshot: 2 GB, about 20 million URLs */
#define LIMIT_NODES              1000     /* of a crawl, those that left included */
#define LIMIT_BOOK               KIB(128) /* who owns what: 70 bytes a node */
#define LIMIT_AGENTS             20000000 /* numbers of agents on all machines together */
#define LIMIT_GUESTS             20000    /* agents that came and may not live yet */
#define LIMIT_TRAVEL             KIB(64)  /* what an agent takes along when it moves */
#define LIMIT_WILL               KIB(256) /* one chunk of the will of a node … */
#define LIMIT_WILL_CHUNKS        128      /* … and chunks of a will */
#define LIMIT_RECEIPTS           KIB(900) /* which batches a node has taken; nats-server takes 1 MB */
#define LIMIT_LEASE              KIB(4)   /* what a node says of itself when it renews its lease */
#define LIMIT_ANSWER             KIB(900) /* of a node's answer; nats-server takes 1 MB */
#define LIMIT_TREE_DEPTH         1000     /* generations of a family that spans several nodes */
#define LIMIT_ANSWER_ROWS        1000     /* that a question may ask for */
#define LIMIT_QUESTION           KIB(32)
#define LIMIT_FAR_ANSWERS        MIB(64)  /* of all nodes' answers to one question of a dashboard */
#define LIMIT_FAR_AGENTS         1000000  /* agents of all nodes in one family */
#define LIMIT_SHARED             KIB(900) /* options and seeds of a crawl, as nodes read them */
#define LIMIT_INCOMING           2000     /* messages that wait for the mind */
#define LIMIT_GAPS               10000    /* runs of batches that are missing in logs */
#define LIMIT_SENDERS            100000   /* nodes x partitions whose last numbers are kept */

/* ---- reading what a crawl recorded ---- */
#define LIMIT_CONVERSATION       MIB(64) /* messages of one conversation */
#define LIMIT_LATTICE_KEPT       MIB(1)  /* an agent's lattice, as stored under lattice.NAME */

/* ---- the archive ---- */
#define LIMIT_WARC_RECORD        MIB(64) /* a record in memory: a body, two header blocks, slack */
#define LIMIT_WARC_HEADER        KIB(64) /* header block of a record we read */
#define LIMIT_WARC_SKIP          ((uint64_t)1 << 33) /* bytes of a foreign record that is skipped */
#define LIMIT_ANCHOR             200                 /* bytes of anchor text kept of one link */
#define LIMIT_URL_INDEX          300000 /* URLs; of more no index by text is made: it takes seconds */
#define LIMIT_STORE_PENDING      MIB(16)   /* bytes of arrivals that wait for the writer */
#define LIMIT_FAMILY_NAMES       MIB(1024) /* names, kinds and deaths of all agents of a tree */

/* ---- frontier/: manners towards a host ---- */
#define LIMIT_RETRY_AFTER        86400 /* seconds a server can make us wait with one reply */
#define LIMIT_BACKOFF            600   /* seconds between tries after many errors */
#define LIMIT_HOST_FAILURES      5     /* broken connections in a row: dead, after 15 s or more */
#define LIMIT_HOST_BUSY          10 /* 429, 502 to 504 in a row: dead, after a quarter of an hour */
#define LIMIT_BUSY_RETRIES       8  /* tries of a page that is answered with 429 or 503 */
#define LIMIT_RESOLVE_TRIES      3  /* of a name without an address */
#define LIMIT_ROBOTS_HOPS        5  /* redirects of robots.txt (RFC 9309 2.3.1.2) */
#define LIMIT_ROBOTS_AGE         86400  /* seconds robots.txt is believed (RFC 9309 2.4) */
#define LIMIT_ROBOTS_STALE       3600   /* seconds an old one is used if a new one fails */
#define LIMIT_ROBOTS_SAVED       KIB(4) /* of parsed rules that are kept for a resume */
#define LIMIT_SITEMAPS           10000  /* named by robots.txt files and waiting to be taken */

/* ---- frontier/: traps, duplicates, scope ---- */
#define LIMIT_PATH               2000 /* bytes of path and query */
#define LIMIT_PATH_SEGMENTS      25
#define LIMIT_PATH_REPEATS       3 /* times a run of segments may follow itself */
#define LIMIT_QUERY_PARAMS       20
#define LIMIT_QUERY_SAME         8     /* parameters of one name */
#define LIMIT_VARIANTS_1         50000 /* URLs of one path with one parameter: articles by number */
#define LIMIT_VARIANTS_2         10000 /* with two: forum and topic, list and page */
#define LIMIT_VARIANTS_3         1000  /* with more: filters, whose product is endless */
#define LIMIT_VARIANT_PATHS      1000000  /* paths whose queries are counted */
#define LIMIT_MISSING            32       /* missing URLs of a directory that has given no page */
#define LIMIT_MISSING_LEVELS     4        /* of directories, from the top of a host */
#define LIMIT_MISSING_DIRS       1000000  /* directories whose missing URLs are counted */
#define LIMIT_YEARS_BEFORE       200      /* years; a month further back is no document's date */
#define LIMIT_YEARS_AHEAD        2        /* and neither is one further ahead */
#define LIMIT_DUP_WORDS          30       /* with fewer, a near duplicate cannot be told */
#define LIMIT_DUP_SCAN           4096     /* candidates compared in one band */
#define LIMIT_POST               MIB(64)  /* messages between agents that wait to be delivered */
#define LIMIT_TOLD               KIB(128) /* what a model writes about one agent */
#define LIMIT_WORDBOOK           65536    /* words behind terms, for people */
#define LIMIT_SCOPE_RULES        10000    /* patterns */

/* ---- files the user gives us ---- */
#define LIMIT_CONFIG_FILE        MIB(4)
#define LIMIT_TOPIC_FILE         MIB(4)
#define LIMIT_SEEDS_FILE         MIB(256)
#define LIMIT_PLACES             200000 /* URLs kept of a list of places to start */

/* ---- a served world: what its clients may send ---- */
#define LIMIT_SERVE_HEAD         KIB(16) /* one request's line and fields */
#define LIMIT_SERVE_FIELDS       100     /* fields of one request */
#define LIMIT_SERVE_BODY         MIB(1)  /* a request body, which is read and discarded */
#define LIMIT_SERVE_CONNECTIONS  20000   /* at once; the next one is refused */
#define LIMIT_SERVE_CERTIFICATES 10000   /* kept ready; beyond that all are made again */

/* ---- plans of the lab ---- */
#define LIMIT_PLAN_FILE          MIB(1)
#define LIMIT_PLAN_NESTING       16       /* lists and mappings inside each other */
#define LIMIT_PLAN_MODELS        1000     /* variants after all sweeps are multiplied out */
#define LIMIT_PLAN_ITEMS         10000    /* entries of one list or mapping */
#define LIMIT_PLAN_NAME          100      /* bytes of the name of a plan or world: a folder, too */
#define LIMIT_RUN_POINTS         100000   /* samples of one crawl; then only the last one is kept */
#define LIMIT_REPORT             MIB(512) /* bytes of an HTML report; browsers fail before that */

/* ---- the dashboard: what browsers may ask ---- */
#define LIMIT_DASH_CONNECTIONS   128      /* at once: the crawl itself needs descriptors */
#define LIMIT_DASH_STREAMS       48       /* of these, open event streams */
#define LIMIT_DASH_HEAD_SECONDS  10       /* from connection to the whole head of a request */
#define LIMIT_DASH_BODY          KIB(256) /* of a request that changes something */
#define LIMIT_DASH_URL           KIB(8)   /* of a request's URL, query included */
#define LIMIT_DASH_ANSWER        MIB(256) /* one answer; downloads are the largest */
#define LIMIT_DASH_QUERY_MS      2000     /* one request's CPU time in the database */
#define LIMIT_DASH_DOWNLOAD_MS   60000    /* the same for a download */
#define LIMIT_DASH_DOWNLOADS     2        /* made at once */
#define LIMIT_DASH_LOOK_MS       120000   /* to catch up with a crawl; the first time, all of it */
#define LIMIT_DASH_REST_MS       60000    /* until a crawl that took longer is read again */
#define LIMIT_DASH_WAIT_MS       60000    /* that requests for the same crawl wait for their turn */
#define LIMIT_DASH_HELD          MIB(512) /* answers not yet sent to their clients, all together */
#define LIMIT_DASH_READ_SECONDS  600      /* seconds a client may take to read an answer */
#define LIMIT_DASH_CRAWLS        1000     /* directories shown */
#define LIMIT_DASH_NODES         5000     /* of one tree, map or list */
#define LIMIT_DASH_LIVES         100000   /* agents of one picture */
#define LIMIT_VIEW_TEXT          MIB(960) /* the word index kept beside a crawl that has none */
#define LIMIT_VIEW_URLS          20000000 /* kept with their hosts, 4 bytes each */
#define LIMIT_VIEW_PAGES         99999999 /* numbers of pages that words are found in, a bit each */
#define LIMIT_VIEW_TITLES        MIB(512) /* titles and URLs of pages that are in no index yet */
#define LIMIT_DASH_METRICS       64       /* kinds of samples shown as curves */
#define LIMIT_DASH_CHILDREN      16       /* crawls that one dashboard has running */
#define LIMIT_CONTROL_LINE       KIB(256) /* bytes of a command to a running crawl */
#define LIMIT_CONTROL_CLIENTS    8        /* clients of a running crawl at once */

/* ---- brood mcp: what a program asks for a language model ---- */
#define LIMIT_MCP_MESSAGE        MIB(1)  /* one line of JSON */
#define LIMIT_MCP_TEXT           KIB(64) /* an answer's text, some 16,000 tokens; the rest is cut */
#define LIMIT_MCP_CALLS          8       /* commands that run at once */
#define LIMIT_MCP_CALL_S         60      /* seconds of a command that only reads */
#define LIMIT_MCP_SEEDS          100     /* seeds of one crawl */
#define LIMIT_MCP_CRAWLS         1000    /* crawls listed */

/* ---- a crawl.db that another person may have made ---- */
#define LIMIT_SEARCH_REST        20000    /* pages without an index that a search looks at */
#define LIMIT_DB_VALUE           MIB(64)  /* of one value, in addition to the size of the file */
#define LIMIT_DB_STEPS           50000000 /* SQLite steps for one query, about a second … */
#define LIMIT_DB_STEPS_A_BYTE    64       /* … and as many for each byte; reading all takes 3 */
#define LIMIT_DB_IDS             1000000  /* row numbers in any file; more: one for 16 bytes */
#define LIMIT_DB_SCHEMA          200      /* tables, views and indexes */

/* ---- imports of worlds ---- */
#define LIMIT_IMPORT_TABLE       MIB(512)  /* labels, manifest or events, read whole */
#define LIMIT_IMPORT_XML         MIB(1024) /* an exported family tree, read whole */
#define LIMIT_IMPORT_DEPTH       64        /* folders inside each other */
#define LIMIT_IMPORT_LABELS      256       /* of one page */
#define LIMIT_TAR_NAME           LIMIT_URL
#define LIMIT_TAR_EXTRA          MIB(1) /* a header with its extras: long name, pax, sparse map */

/* ---- a world in memory ---- */
#define LIMIT_LOAD_THREADS       64 /* that parse it; more only wait for the one that packs */
