/* faults_page.c - faults of redirects and pages: loops, floods, traps, lies.
 * Rows of the table of faults.h. SPDX-License-Identifier: MIT */
#include "sim/serve/faults.h"

#include "base/hash.h"
#include "base/mem.h"

#define TYPED(type)  "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nConnection: close\r\n\r\n"
#define HTML         TYPED("text/html; charset=utf-8") "<!DOCTYPE html>\n"
#define TO(location) "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " location "\r\n\r\n"

/* ---- redirects ----------------------------------------------------------- */

static const struct fault_page redirect_loop[] = {
    {.path = "/self", .raw = RAW(TO("/self")), .then = FAULT_KEEP},
    {.path = "/one", .raw = RAW(TO("/two")), .then = FAULT_KEEP},
    {.path = "/two", .link = "", .raw = RAW(TO("/three")), .then = FAULT_KEEP},
    {.path = "/three", .link = "", .raw = RAW(TO("/one")), .then = FAULT_KEEP},
};

/* The number at the end of the path. */
static unsigned long number_of(struct str path)
{
    size_t at = path.len;
    uint64_t n = 0;

    while (at > 0 && ascii_is_digit(path.ptr[at - 1]))
        at--;
    return str_to_u64(str_sub(path, at, path.len), &n) ? (unsigned long)n : 0;
}

static void chain_raw(struct str path, struct buf *out)
{
    buf_addf(out, TO("/chain/%lu"), number_of(path) + 1);
}

static const struct fault_page redirect_chain[] = {
    {.path = "/chain/*", .link = "/chain/0", .raw_fn = chain_raw, .then = FAULT_KEEP},
};

static const struct fault_page redirect_scheme[] = {
    {.path = "/file", .raw = RAW(TO("file:///etc/passwd"))},
    {.path = "/ftp", .raw = RAW(TO("ftp://ftp.example/pub"))},
    {.path = "/gopher", .raw = RAW(TO("gopher://127.0.0.1:11211/_stats"))},
    {.path = "/javascript", .raw = RAW(TO("javascript:alert(1)"))},
    {.path = "/data", .raw = RAW(TO("data:text/html,<p>x"))},
    {.path = "/none", .raw = RAW(TO(""))},
    {.path = "/broken", .raw = RAW(TO("http://[::1"))},
};

static const struct fault_page redirect_private[] = {
    {.path = "/ten", .raw = RAW(TO("http://10.0.0.1/"))},
    {.path = "/loopback", .raw = RAW(TO("http://127.0.0.1/"))},
    {.path = "/metadata", .raw = RAW(TO("http://169.254.169.254/latest/meta-data/"))},
    {.path = "/six", .raw = RAW(TO("http://[::ffff:10.0.0.1]/"))},
    {.path = "/hex", .raw = RAW(TO("http://0x7f.1/hex"))},
    {.path = "/name", .raw = RAW(TO("http://localhost/name"))},
};

/* ---- floods -------------------------------------------------------------- */

static const struct fault_page one_line[] = {
    {.path = "/line",
     .raw = RAW(HTML "<title>one line</title>"),
     .unit = RAW("a line without an end "),
     .times = 100000000 / 22},
};

static void link_unit(uint64_t number, struct buf *out)
{
    buf_addf(out, "<a href='/flood/%llu'>x</a>\n", (unsigned long long)number);
}

static const struct fault_page million_links[] = {
    {.path = "/links",
     .raw = RAW(HTML "<title>links</title>"),
     .unit_fn = link_unit,
     .times = 1000000},
};

static const struct fault_page deep_nesting[] = {
    {.path = "/html",
     .raw = RAW(HTML "<title>deep</title>"),
     .unit = RAW("<div><b><table>"),
     .times = 200000,
     .tail = RAW("<p>down here")},
    {.path = "/xml",
     .raw = RAW(TYPED("application/rss+xml") "<rss><channel><title>deep</title>"),
     .unit = RAW("<a>"),
     .times = 200000},
    {.path = "/quotes",
     .raw = RAW(HTML "<title>quotes</title><p "),
     .unit = RAW("a=\"'<!--"),
     .times = 200000},
};

/* ---- pages that are one -------------------------------------------------- */

static const struct fault_page canonical[] = {
    {.path = "/self",
     .raw = RAW(HTML "<title>self</title><link rel=canonical href=/self><p>I am myself")},
    {.path = "/one",
     .raw = RAW(HTML "<title>one</title><link rel=canonical href=/two><p>the other one")},
    {.path = "/two",
     .link = "",
     .raw = RAW(HTML "<title>two</title><link rel=canonical href=/one><p>it is the other")},
    {.path = "/file",
     .raw = RAW(HTML "<title>file</title><link rel=canonical href='file:///etc/passwd'><p>no")},
};

/* Words enough to be known again, different for every seed. */
static void add_words(struct buf *out, uint64_t seed)
{
    static const char *const words[] = {
        "amber", "basil",  "cedar",  "delta", "ember", "fjord",  "grove",  "heron",
        "islet", "jasper", "kelp",   "larch", "maple", "nectar", "orchid", "pebble",
        "quill", "reed",   "sorrel", "tulip", "umber", "violet", "willow", "yarrow",
    };

    for (unsigned i = 0; i < 60; i++) {
        seed = hash_u64(seed + i);
        buf_addf(out, "%s ", words[seed % ARRAY_LEN(words)]);
    }
}

static void soft_raw(struct str path, struct buf *out)
{
    (void)path;
    buf_add_z(out, HTML "<title>Sorry</title><p>This page could not be found. ");
    add_words(out, 404);
}

static const struct fault_page soft_404[] = {
    {.path = "/lost/*", .link = "/lost/1", .raw_fn = soft_raw},
    {.path = "/gone/*", .link = "/gone/2", .raw_fn = soft_raw},
    {.path = "/away/*", .link = "/away/3", .raw_fn = soft_raw},
};

/* /page/N, and the same under /mirror/, /mirror/mirror/ … */
static void mirror_raw(struct str path, struct buf *out)
{
    unsigned long n = number_of(path);

    buf_addf(out, HTML "<title>page %lu</title><p>", n);
    add_words(out, n);
    buf_addf(out, "<a href='%lu'>next</a> ", n < 5 ? n + 1 : 1);
    buf_addf(out, "<a href='mirror/%lu'>mirror</a>", n);
}

static const struct fault_page mirror[] = {
    {.path = "/page/*", .link = "/page/1", .raw_fn = mirror_raw},
};

/* ---- traps --------------------------------------------------------------- */

static void calendar_raw(struct str path, struct buf *out)
{
    unsigned long month = number_of(path);

    buf_addf(out, HTML "<title>Month %lu</title><p>", month);
    for (unsigned day = 1; day <= 28; day++)
        buf_addf(out, "<a href='/calendar/day?of=%lu-%u'>%u</a> ", month, day, day);
    buf_addf(out, "<a href='/calendar/month?n=%lu'>next</a>\n", month + 1);
}

static const struct fault_page calendar[] = {
    {.path = "/calendar/*", .link = "/calendar/month?n=1", .raw_fn = calendar_raw},
};

/* The session of the links is made from the session of the page: it is another
 * one at every step. */
static void session_raw(struct str path, struct buf *out)
{
    uint64_t session = hash_str(path);

    buf_add_z(out, HTML "<title>Shop</title><p>The goods of the shop. ");
    add_words(out, 7);
    for (unsigned i = 0; i < 5; i++)
        buf_addf(out, "<a href='/shop/%u?sid=%016llx'>%u</a> ", i,
                 (unsigned long long)hash_u64(session + i), i);
}

static const struct fault_page session_ids[] = {
    {.path = "/shop/*", .link = "/shop/0?sid=0", .raw_fn = session_raw},
};

static void segments_raw(struct str path, struct buf *out)
{
    buf_addf(out, HTML "<title>Here</title><p>Links without a slash at %.*s. ", STR_ARG(path));
    buf_add_z(out, "<a href='again/and/'>again</a>");
}

static const struct fault_page segments[] = {
    {.path = "/here/*", .link = "/here/", .raw_fn = segments_raw},
};

static void long_raw(struct str path, struct buf *out)
{
    bool moved = str_eq(path, STR("/moved"));

    buf_add_z(out, moved ? "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /"
                         : HTML "<title>long</title><a href='/");
    for (unsigned i = 0; i < 1500; i++)
        buf_add_z(out, "longer-");
    buf_add_z(out, moved ? "\r\n\r\n" : "'>x</a>");
}

static const struct fault_page long_urls[] = {
    {.path = "/link", .raw_fn = long_raw},
    {.path = "/moved", .raw_fn = long_raw},
};

/* ---- lies about the content ---------------------------------------------- */

static const struct fault_page wrong_charset[] = {
    {.path = "/not-utf8",
     .raw = RAW(HTML "<title>caf\xe9 \xff</title><p>na\xefve \xc3( \xed\xa0\x80")},
    {.path = "/not-latin1",
     .raw = RAW(TYPED("text/html; charset=iso-8859-1") "<title>caf\xc3\xa9</title><p>x")},
    {.path = "/not-utf16",
     .raw = RAW(TYPED("text/html; charset=utf-16") "<title>no sixteen</title><p>odd")},
    {.path = "/unknown",
     .raw = RAW(TYPED("text/html; charset=\"x-martian\x01\"") "<title>martian</title><p>x")},
    {.path = "/utf7",
     .raw = RAW(TYPED("text/html; charset=utf-7") "<title>+ADw-b+AD4-</title><p>x")},
    {.path = "/shift",
     .raw =
         RAW(TYPED("text/html; charset=iso-2022-jp") "<title>\x1b$B</title>\x1b$(B\x1b<p>x\x81")},
};

static const struct fault_page wrong_type[] = {
    {.path = "/png-as-html",
     .raw = RAW(TYPED("text/html") "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6\0\0\0")},
    {.path = "/zip-as-html", .raw = RAW(TYPED("text/html") "PK\3\4\24\0\0\0\0\0")},
    {.path = "/html-as-png", .raw = RAW(TYPED("image/png") "<title>html</title><p>not a picture")},
    {.path = "/binary-as-text", .raw = RAW(TYPED("text/plain") "\0\1\2\3\4\5\6\7\x08\x0e\x0f\x10")},
    {.path = "/html-as-nothing",
     .raw =
         RAW("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<!DOCTYPE html><title>untyped</title>")},
    {.path = "/nonsense",
     .raw = RAW(TYPED("; / ;; =\"") "<!DOCTYPE html><title>nonsense</title><p>x")},
};

const struct fault faults_page[] = {
    {FAULT("redirect-loop", "redirects that come back", redirect_loop)},
    {FAULT("redirect-chain", "redirects without end", redirect_chain)},
    {FAULT("redirect-scheme", "redirects to file:, ftp: and other schemes, or nowhere",
           redirect_scheme)},
    {FAULT("redirect-private", "redirects to private and loopback addresses", redirect_private)},
    {FAULT("one-line", "100 MB without a line end", one_line)},
    {FAULT("million-links", "a page with a million links", million_links)},
    {FAULT("deep-nesting", "hundreds of thousands of open elements", deep_nesting)},
    {FAULT("canonical", "canonical links to the page itself, in a circle, to a file", canonical)},
    {FAULT("soft-404", "what is missing is a page that says so, with status 200", soft_404)},
    {FAULT("mirror", "the whole site again under another path, and there again", mirror)},
    {FAULT("calendar", "a calendar that never ends", calendar)},
    {FAULT("session-ids", "every link has a session of its own", session_ids)},
    {FAULT("segments", "relative links that make paths longer and longer", segments)},
    {FAULT("long-urls", "a link and a redirect of 10 KB", long_urls)},
    {FAULT("wrong-charset", "text that is not in the encoding it is said to be", wrong_charset)},
    {FAULT("wrong-type", "content that is not of the type it is said to be", wrong_type)},
};
const size_t faults_page_count = ARRAY_LEN(faults_page);
