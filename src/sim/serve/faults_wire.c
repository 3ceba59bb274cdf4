/* faults_wire.c - faults of time, framing and status: answers that no HTTP server should send, or
 * not so slowly. Rows of the table of faults.h.
 * SPDX-License-Identifier: MIT */
#include "sim/serve/faults.h"

#include "base/os/clock.h"
#include "base/mem.h"

#define HTML "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
#define BODY "<!DOCTYPE html>\n<title>faulty</title>\n<p>A page with a fault.\n"

/* ---- time ---------------------------------------------------------------- */

static const struct fault_page slow_headers[] = {
    {.path = "/slow",
     .raw = RAW(HTML),
     .unit = RAW("X-Slow: yes\r\n"),
     .times = FAULT_FOREVER,
     .piece = 1,
     .pause = US_PER_S / 2},
};

static const struct fault_page slow_body[] = {
    {.path = "/slow",
     .raw = RAW(HTML "Content-Length: 100000\r\n\r\n" BODY),
     .unit = RAW("x"),
     .times = FAULT_FOREVER,
     .piece = 1,
     .pause = US_PER_S},
};

static const struct fault_page silence[] = {
    {.path = "/silence", .then = FAULT_KEEP},
};

/* ---- no end -------------------------------------------------------------- */

static const struct fault_page endless_headers[] = {
    {.path = "/lines",
     .raw = RAW(HTML),
     .unit = RAW("X-More: and more\r\n"),
     .times = FAULT_FOREVER},
    {.path = "/line",
     .raw = RAW(HTML "X-Long: "),
     .unit = RAW("and more "),
     .times = FAULT_FOREVER},
    {.path = "/continue", .unit = RAW("HTTP/1.1 100 Continue\r\n\r\n"), .times = FAULT_FOREVER},
};

static const struct fault_page endless_body[] = {
    {.path = "/body",
     .raw = RAW(HTML "Connection: close\r\n\r\n" BODY),
     .unit = RAW("<p>and so on\n"),
     .times = FAULT_FOREVER},
    {.path = "/chunks",
     .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\n"),
     .unit = RAW("15\r\n<p>and so forth it is\r\n"),
     .times = FAULT_FOREVER},
};

static const struct fault_page endless_trailer[] = {
    {.path = "/trailer",
     .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n0\r\n"),
     .unit = RAW("X-More: and more\r\n"),
     .times = FAULT_FOREVER},
};

static const struct fault_page endless_robots[] = {
    {.path = "/robots.txt",
     .link = "",
     .raw = RAW("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n"),
     .unit = RAW("Disallow: /nowhere\n"),
     .times = FAULT_FOREVER},
};

/* ---- lengths ------------------------------------------------------------- */

static const struct fault_page long_length[] = {
    {.path = "/closed", .raw = RAW(HTML "Content-Length: 100000\r\n\r\n" BODY)},
    {.path = "/open", .raw = RAW(HTML "Content-Length: 100001\r\n\r\n" BODY), .then = FAULT_KEEP},
    {.path = "/absurd", .raw = RAW(HTML "Content-Length: 99999999999999999999999\r\n\r\n" BODY)},
};

/* What follows the announced bytes must not be taken for the next answer. */
static const struct fault_page short_length[] = {
    {.path = "/short",
     .raw = RAW(HTML "Content-Length: 30\r\n\r\n" BODY
                     "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n"
                     "<title>evil</title>x"),
     .then = FAULT_KEEP},
    {.path = "/negative", .raw = RAW(HTML "Content-Length: -5\r\n\r\n" BODY)},
    {.path = "/two",
     .raw = RAW(HTML "Content-Length: 10\r\nContent-Length: 40\r\n\r\n" BODY),
     .then = FAULT_CLOSE},
};

static const struct fault_page broken_chunks[] = {
    {.path = "/size", .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\nzz\r\n" BODY)},
    {.path = "/huge",
     .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" BODY)},
    {.path = "/cut", .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\nffff\r\n" BODY)},
    {.path = "/no-end", .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n")},
    {.path = "/no-crlf",
     .raw = RAW(HTML "Transfer-Encoding: chunked\r\n\r\n4\r\n<p>xxxxxxx0\r\n\r\n")},
};

/* ---- status and header --------------------------------------------------- */

static const struct fault_page unasked[] = {
    {.path = "/204", .raw = RAW("HTTP/1.1 204 No Content\r\n\r\n"), .then = FAULT_KEEP},
    {.path = "/304",
     .raw = RAW("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"),
     .then = FAULT_KEEP},
    {.path = "/206",
     .raw = RAW("HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n"
                "Content-Range: bytes 100-161/5000\r\nContent-Length: 62\r\n\r\n" BODY),
     .then = FAULT_CLOSE},
    {.path = "/205", .raw = RAW("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n")},
    {.path = "/101",
     .raw = RAW("HTTP/1.1 101 Switching Protocols\r\nUpgrade: martian\r\n\r\n" BODY)},
    {.path = "/999", .raw = RAW("HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n")},
};

static const struct fault_page old_http[] = {
    {.path = "/0.9", .raw = RAW(BODY)},
};

static const struct fault_page no_http[] = {
    {.path = "/9.9", .raw = RAW("HTTP/9.9 200 OK\r\n\r\n" BODY)},
    {.path = "/nothing"},
};

static const struct fault_page header_bytes[] = {
    {.path = "/nul", .raw = RAW(HTML "X-Nul: a\0b\r\nConnection: close\r\n\r\n" BODY)},
    {.path = "/control",
     .raw =
         RAW("HTTP/1.1 200 \x01\x02\x1b[31mOK\r\nContent-Type: text/html\r\n"
             "X-Control: \x07\x1b]0;owned\x07\x7f\x80\xff\r\nLast-Modified: \x01\x02\r\n"
             "ETag: \"\x01\x1b[2J\"\r\nContent-Language: \x01\x02\xff\r\nConnection: close\r\n\r\n"
             "<title>control</title>")},
    {.path = "/no-colon",
     .raw = RAW("HTTP/1.1 200 OK\r\nno colon here\r\n: no name\r\nContent-Type : text/html\r\n"
                " folded: yes\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
                "<title>no colon</title>")},
};

/* ---- resets -------------------------------------------------------------- */

/* The page is whole: its host refuses the connection that asks for it. */
static const struct fault_page reset_accept[] = {
    {.path = "/reset", .raw = RAW(HTML "Connection: close\r\n\r\n" BODY)},
};

static const struct fault_page reset_request[] = {
    {.path = "/reset", .then = FAULT_RESET},
};

static const struct fault_page reset_header[] = {
    {.path = "/reset", .raw = RAW("HTTP/1.1 200 OK\r\nContent-Ty"), .then = FAULT_RESET},
};

static const struct fault_page reset_body[] = {
    {.path = "/reset", .raw = RAW(HTML "Content-Length: 5000\r\n\r\n" BODY), .then = FAULT_RESET},
};

/* ---- come back later ----------------------------------------------------- */

static const struct fault_page busy_429[] = {
    {.path = "/busy",
     .raw = RAW("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 99999999999999999999\r\n"
                "Content-Length: 0\r\n\r\n")},
};

static const struct fault_page busy_503[] = {
    {.path = "/busy",
     .raw = RAW("HTTP/1.1 503 Service Unavailable\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n"
                "Content-Length: 0\r\n\r\n")},
};

#define FINE_PAGE "http://fine" FAULTS_DOMAIN "/good"

const struct fault faults_wire[] = {
    {FAULT("slow-headers", "a header line every half second, without end", slow_headers)},
    {FAULT("slow-body", "one byte a second", slow_body)},
    {FAULT("silence", "no answer at all, the connection stays open", silence)},
    {FAULT("endless-headers", "header lines, one line, or interim answers without end",
           endless_headers)},
    {FAULT("endless-body", "a body without end, plain and in chunks", endless_body)},
    {FAULT("endless-trailer", "trailer fields without end behind a whole body", endless_trailer)},
    {FAULT("endless-robots", "a robots.txt without end", endless_robots)},
    {FAULT("long-length", "Content-Length says more than comes", long_length)},
    {FAULT("short-length", "Content-Length says less than comes, or two things", short_length)},
    {FAULT("broken-chunks", "chunk sizes that are none, too large, or not kept", broken_chunks)},
    {FAULT("unasked-status", "204, 205, 206, 304 and others that were not asked for", unasked)},
    {FAULT("old-http", "HTTP/0.9: a page and nothing before it", old_http)},
    {FAULT("no-http", "a version that there is not, an empty answer", no_http)},
    {FAULT("header-bytes", "NUL and control bytes, lines that are no fields", header_bytes)},
    {FAULT("reset-accept", "a reset as soon as the connection is made", reset_accept),
     .refuses = true},
    {FAULT("reset-request", "a reset instead of an answer", reset_request)},
    {FAULT("reset-header", "a reset in the middle of the header", reset_header)},
    {FAULT("reset-body", "a reset in the middle of the body", reset_body)},
    {FAULT("busy-429", "429 with a Retry-After of millions of years", busy_429), .good = FINE_PAGE},
    {FAULT("busy-503", "503 with a Retry-After at the end of the year 9999", busy_503),
     .good = FINE_PAGE},
};
const size_t faults_wire_count = ARRAY_LEN(faults_wire);
