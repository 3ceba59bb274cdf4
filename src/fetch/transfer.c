/* transfer.c - one request and its answer, on a pooled libcurl handle.
 *
 * In: struct request. Out: struct reply. libcurl frames HTTP, we decide:
 * it follows no redirect, decodes no content, and every ceiling of
 * limits.h is kept in the callbacks below. A callback that has to stop
 * the transfer stores the reason in `halt`; transfer_end() then reports
 * `halt` and not libcurl's error.
 *
 * Workload: some thousand pages a second a thread on kept connections. For a
 * request, only memory that leaves with its arrival is allocated: header lists
 * are chained in place, buffers are kept, the body grows once from its
 * Content-Length. SPDX-License-Identifier: MIT */
#include "fetch/transfer.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "fetch/guard.h"
#include "fetch/headers.h"
#include "fetch/identity.h"
#include "fetch/watch.h"
#include "parse/http/head.h"
#include "parse/page/requisites.h"
#include "parse/tdmrep.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define RESERVE_MAX MIB(1) /* most body bytes reserved because of Content-Length */
#define DRAIN_MAX \
    KIB(64)                 /* an unwanted body this small is read and thrown
                             * away: cheaper than a new connection */
#define FIELDS_MAX   8      /* header lines of a request's own */
#define RECEIVE_SIZE 65536L /* libcurl's buffer: most pages in one read */

enum halt {
    HALT_NONE,
    HALT_REFUSED,   /* the guard said no */
    HALT_HEAD_SIZE, /* too many header bytes or lines */
    HALT_BODY_SIZE, /* the body is cut at its ceiling */
    HALT_CROWDED,   /* all bodies together use too much memory now */
    HALT_LATE,      /* it must not be sent any more */
    HALT_SKIPPED    /* not a type that we parse */
};

struct transfer {
    const struct transfer_setup *setup;
    CURL *easy;
    struct arrival *arrival; /* NULL: idle */
    enum halt halt;
    const char *refused; /* the guard's reason, with HALT_REFUSED */
    bool in_body;        /* the final header block is complete */
    bool drain;          /* read the body and discard it */
    size_t body_max;     /* ceiling of this request's body */
    size_t body_cap;     /* its memory, when it was last counted */
    unsigned lines;      /* header lines, all blocks of the reply */
    size_t head_bytes;   /* header bytes, all blocks of the reply */
    size_t body_bytes;   /* body bytes received */
    struct head_facts facts;
    struct buf head;       /* the current header block */
    struct buf sent;       /* the request head as sent */
    int64_t ready_at;      /* of a node: when it was about to be sent; 0: not yet */
    struct buf shown;      /* the same, secrets hidden */
    struct buf conditions; /* text of the conditional headers, or of a POST's own */
    struct curl_slist condition[FIELDS_MAX]; /* chained before the shared headers */
    struct curl_slist connect_to;
    char connect_text[64]; /* "::[address]:port" */
    char error[CURL_ERROR_SIZE];
};

CURL *transfer_easy(const struct transfer *t)
{
    return t->easy;
}

struct transfer *transfer_of(CURL *easy)
{
    char *t = NULL;

    (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, &t);
    return (struct transfer *)(void *)t;
}

/* ---- sockets: the only place where they are opened ------------------------- */

static curl_socket_t on_open(void *ctx, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct transfer *t = ctx;
    const struct fetch_config *config = t->setup->config;
    struct address address = address_of_sockaddr(&to->addr);
    int fd;

    (void)purpose;
    if (config->proxy == NULL)
        t->refused = guard_judge(&address, config->allow_private, config->private_only);
    if (t->refused != NULL) {
        t->halt = HALT_REFUSED;
        return CURL_SOCKET_BAD;
    }
    fd = socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    if (fd < 0)
        return CURL_SOCKET_BAD;
    watches_keep(t->setup->watches, fd);
    return fd;
}

/* A connection outlives the transfer that opened it. */
static int on_close(void *ctx, curl_socket_t fd)
{
    const struct transfer_setup *setup = ctx;

    watches_drop(setup->watches, fd);
    return close(fd);
}

/* libcurl tells the head of a request only together with all that it does, and writes a sentence on
 * each step. So it tells only between the last moment before the request and the answer. */
static void tell_request(struct transfer *t, bool tells)
{
    if (t->setup->config->archive)
        (void)curl_easy_setopt(t->easy, CURLOPT_VERBOSE, (long)tells);
}

/* ---- header block ---------------------------------------------------------- */

/* Decides how much of the body is wanted; HALT_SKIPPED stops before it comes. */
static void body_expect(struct transfer *t)
{
    const struct fetch_config *config = t->setup->config;
    struct reply *reply = &t->arrival->reply;
    bool is_page = t->arrival->request->kind == REQUEST_PAGE;
    bool is_requisite = is_page && choice_is_requisite(&t->arrival->request->choice), wanted = true;
    int64_t length = t->facts.length;

    t->body_max = is_requisite ? LIMIT_REQUISITE : is_page ? LIMIT_BODY : LIMIT_ROBOTS;
    if (is_requisite)
        wanted = requisites_has_type(reply->content_type) ||
                 str_ends(t->arrival->request->href, STR(TDMREP_PATH));
    else if (is_page && config->wants_type != NULL)
        wanted = config->wants_type(config->wants_ctx, reply->content_type);
    if (!wanted) {
        reply->skipped = true;
        t->drain = length >= 0 && length <= (int64_t)DRAIN_MAX;
        return;
    }
    if (length > 0)
        (void)buf_room(&reply->body, length < (int64_t)RESERVE_MAX ? (size_t)length : RESERVE_MAX);
}

/* At the blank line, the block is complete; it is the last one unless its status is 1xx. */
static void head_end(struct transfer *t)
{
    struct arrival *a = t->arrival;
    int status = head_status(buf_str(&t->head));

    if (status >= 100 && status < 200)
        return;
    a->reply.head = arena_str(&a->memory, buf_str(&t->head));
    head_read(&a->reply, &a->memory, &t->facts);
    t->in_body = true;
    body_expect(t);
}

static size_t on_header(char *data, size_t size, size_t count, void *ctx)
{
    struct transfer *t = ctx;
    size_t len = size * count;
    struct str line = {data, len};

    if (t->lines == 0) {
        t->arrival->reply.first_byte_at = clock_now();
        tell_request(t, false);
    }
    t->lines++;
    t->head_bytes += len;
    if (t->lines > LIMIT_HEADER_LINES || t->head_bytes > LIMIT_HEADER_BYTES) {
        t->halt = HALT_HEAD_SIZE;
        return 0;
    }
    if (t->in_body) /* a trailer of a chunked body: counted, because libcurl keeps it */
        return len;
    if (str_starts(line, STR("HTTP/"))) /* a new block; the one before was 1xx */
        buf_clear(&t->head);
    buf_add(&t->head, data, len);
    if (len <= 2 && (data[0] == '\r' || data[0] == '\n'))
        head_end(t);
    return len;
}

/* ---- body ------------------------------------------------------------------ */

static size_t on_body(char *data, size_t size, size_t count, void *ctx)
{
    struct transfer *t = ctx;
    struct buf *body = &t->arrival->reply.body;
    size_t len = size * count, left = t->body_max - body->len;

    t->body_bytes += len;
    if (t->drain)
        return len;
    if (t->arrival->reply.skipped) {
        t->halt = HALT_SKIPPED;
        return 0;
    }
    if (body->len + len > USAGE_BODY_FREE && usage_is_crowded(t->arrival->usage)) {
        t->halt = HALT_CROWDED;
        return 0;
    }
    buf_add(body, data, len < left ? len : left);
    if (body->full || len > left) {
        t->halt = HALT_BODY_SIZE;
        return 0;
    }
    if (body->cap != t->body_cap) { /* rarely: it grows by doubling */
        t->body_cap = body->cap;
        arrival_count(t->arrival);
    }
    return len;
}

size_t transfer_spares(const struct transfer *t)
{
    size_t len = t->arrival->reply.body.len;

    return len > USAGE_BODY_FREE ? len : 0;
}

void transfer_give_up(struct transfer *t)
{
    t->halt = HALT_CROWDED;
}

/* ---- the request as sent --------------------------------------------------- */

static int on_debug(CURL *easy, curl_infotype type, char *data, size_t len, void *ctx)
{
    struct transfer *t = ctx;

    (void)easy;
    if (type == CURLINFO_HEADER_OUT && t->arrival != NULL) {
        if (len > 4 && (str_starts((struct str){data, len}, STR("GET ")) ||
                        str_starts((struct str){data, len}, STR("POST "))))
            buf_clear(&t->sent); /* it is sent again, on a new connection */
        buf_add(&t->sent, data, len);
    }
    return 0;
}

/* The last moment before the request is sent, on a new connection or an old one. A process that was
 * suspended may have lost the right to send it. */
static int on_ready(void *transfer, char *peer, char *local, int peer_port, int local_port)
{
    struct transfer *t = transfer;

    (void)peer, (void)local, (void)peer_port, (void)local_port;
    tell_request(t, true);
    if (t->setup->config->until == NULL)
        return CURL_PREREQFUNC_OK;
    t->ready_at = clock_now();
    if (clock_boot() < __atomic_load_n(t->setup->config->until, __ATOMIC_ACQUIRE))
        return CURL_PREREQFUNC_OK;
    t->halt = HALT_LATE;
    return CURL_PREREQFUNC_ABORT;
}

/* ---- birth and death ------------------------------------------------------- */

#define SET(option, value) (void)curl_easy_setopt(t->easy, option, value)

static void set_callbacks(struct transfer *t)
{
    SET(CURLOPT_PRIVATE, t);
    SET(CURLOPT_ERRORBUFFER, t->error);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, t);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, t->setup);
    if (t->setup->config->until || t->setup->config->archive) {
        SET(CURLOPT_PREREQFUNCTION, on_ready);
        SET(CURLOPT_PREREQDATA, t);
    }
    if (t->setup->config->archive) {
        SET(CURLOPT_DEBUGFUNCTION, on_debug);
        SET(CURLOPT_DEBUGDATA, t);
    }
}

static long milliseconds(int64_t us)
{
    return us <= 0 ? 0 : (long)((us + US_PER_MS - 1) / US_PER_MS);
}

static void set_http(struct transfer *t)
{
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_USERAGENT, t->setup->config->user_agent);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
}

static void set_network(struct transfer *t)
{
    const struct fetch_config *config = t->setup->config;

    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, milliseconds(config->timeout));
    SET(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(config->connect_timeout));
    SET(CURLOPT_BUFFERSIZE, RECEIVE_SIZE);
    /* Empty names keep libcurl from reading http_proxy, NO_PROXY and the like. */
    SET(CURLOPT_PROXY, config->proxy ? config->proxy : "");
    SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_SHARE, t->setup->share);
    SET(CURLOPT_COOKIEFILE, "");
    if (config->ca_file != NULL)
        SET(CURLOPT_CAINFO, config->ca_file);
    if (t->setup->rate > 0)
        SET(CURLOPT_MAX_RECV_SPEED_LARGE, (curl_off_t)t->setup->rate);
}

struct transfer *transfer_new(const struct transfer_setup *setup)
{
    struct transfer *t = MEM_NEW(struct transfer);

    t->setup = setup;
    t->easy = curl_easy_init();
    if (t->easy == NULL)
        mem_out();
    buf_init(&t->head, LIMIT_HEADER_BYTES);
    buf_init(&t->sent, KIB(64));
    buf_init(&t->shown, KIB(64));
    buf_init(&t->conditions, KIB(16)); /* validators or fields; more is not sent */
    set_callbacks(t);
    set_http(t);
    set_network(t);
    return t;
}

void transfer_free(struct transfer *t)
{
    if (t == NULL)
        return;
    curl_easy_cleanup(t->easy);
    buf_free(&t->head);
    buf_free(&t->sent);
    buf_free(&t->shown);
    buf_free(&t->conditions);
    arrival_release(t->arrival);
    free(t);
}

/* ---- begin ----------------------------------------------------------------- */

static bool has_control(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 127)
            return true;
    return false;
}

/* Puts "Name: value" before the list; the text lives in t->conditions, which
 * has room for both before the first pointer into it is taken. */
static struct curl_slist *condition_add(struct transfer *t, size_t i, const char *name,
                                        struct str value, struct curl_slist *list)
{
    size_t at = t->conditions.len;

    if (value.len == 0 || has_control(value))
        return list;
    buf_addf(&t->conditions, "%s: %.*s", name, STR_ARG(value));
    buf_add_char(&t->conditions, '\0');
    if (t->conditions.full)
        return list;
    t->condition[i] = (struct curl_slist){t->conditions.data + at, list};
    return &t->condition[i];
}

/* The body of a POST, and its own header lines before the shared ones. */
static struct curl_slist *set_post(struct transfer *t, const struct request *r,
                                   struct curl_slist *list)
{
    struct str rest = r->fields, line;

    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->post.len);
    SET(CURLOPT_POSTFIELDS, r->post.ptr); /* this also sets the method */
    if (buf_room(&t->conditions, r->fields.len + FIELDS_MAX) == NULL)
        return list;
    for (size_t i = 0; i < FIELDS_MAX && str_cut(&rest, '\n', &line); i++) {
        size_t at = t->conditions.len;

        if (line.len == 0 || has_control(line))
            continue;
        buf_add_str(&t->conditions, line);
        buf_add_char(&t->conditions, '\0');
        t->condition[i] = (struct curl_slist){t->conditions.data + at, list};
        list = &t->condition[i];
    }
    return list;
}

/* Adds three lines, made for every request, also for redirects. */
static struct curl_slist *add_signature(struct transfer *t, const struct request *r, int64_t now,
                                        struct curl_slist *list)
{
    const struct fetch_config *config = t->setup->config;
    struct identity_lines lines = {BUF_INIT(KIB(1)), BUF_INIT(KIB(2)), BUF_INIT(KIB(1))};

    if (identity_sign(config->identity, r, config->purpose, now, &lines)) {
        list = condition_add(t, 2, "Signature-Agent", buf_str(&lines.agent), list);
        list = condition_add(t, 3, "Signature-Input", buf_str(&lines.input), list);
        list = condition_add(t, 4, "Signature", buf_str(&lines.signature), list);
    }
    buf_free(&lines.agent);
    buf_free(&lines.input);
    buf_free(&lines.signature);
    return list;
}

static void set_headers(struct transfer *t, const struct request *r, int64_t now)
{
    struct curl_slist *list = headers_for(t->setup->headers, r);

    buf_clear(&t->conditions);
    if (r->post.len > 0) {
        SET(CURLOPT_HTTPHEADER, set_post(t, r, list));
        return;
    }
    SET(CURLOPT_HTTPGET, 1L);
    if (buf_room(&t->conditions, r->etag.len + r->last_modified.len + KIB(4)) != NULL) {
        list = condition_add(t, 0, "If-None-Match", r->etag, list);
        list = condition_add(t, 1, "If-Modified-Since", r->last_modified, list);
        if (t->setup->config->identity)
            list = add_signature(t, r, now, list);
    }
    SET(CURLOPT_HTTPHEADER, list);
}

/* Makes libcurl connect to the address that the guard has checked, regardless of what
 * the name resolves to now. */
static void set_address(struct transfer *t, const struct request *r)
{
    char text[46];

    if (r->address.family == 0 || t->setup->config->proxy != NULL) {
        SET(CURLOPT_CONNECT_TO, NULL);
        return;
    }
    (void)snprintf(t->connect_text, sizeof t->connect_text,
                   r->address.family == 6 ? "::[%s]:%u" : "::%s:%u",
                   address_show(&r->address, text), (unsigned)r->connect_port);
    t->connect_to = (struct curl_slist){t->connect_text, NULL};
    SET(CURLOPT_CONNECT_TO, &t->connect_to);
}

static void forget(struct transfer *t)
{
    t->halt = HALT_NONE;
    t->ready_at = 0;
    t->refused = NULL;
    t->in_body = t->drain = false;
    t->lines = 0;
    t->head_bytes = t->body_bytes = t->body_max = t->body_cap = 0;
    t->facts = (struct head_facts){.length = -1};
    t->error[0] = '\0';
    buf_clear(&t->head);
    buf_clear(&t->sent);
}

bool transfer_begin(struct transfer *t, struct arrival *a, int64_t now)
{
    forget(t);
    tell_request(t, false);
    a->reply.started_at = now;
    if (curl_easy_setopt(t->easy, CURLOPT_URL, a->request->href.ptr) != CURLE_OK) {
        a->reply.error = FETCH_PROTOCOL;
        a->reply.error_text = STR("the URL is too long");
        return false;
    }
    set_headers(t, a->request, now);
    set_address(t, a->request);
    t->arrival = a;
    return true;
}

/* ---- end ------------------------------------------------------------------- */

static const struct {
    CURLcode code;
    enum fetch_error error;
} errors[] = {
    {CURLE_OK, FETCH_OK},
    {CURLE_OPERATION_TIMEDOUT, FETCH_TIMEOUT},
    {CURLE_COULDNT_CONNECT, FETCH_CONNECT},
    {CURLE_COULDNT_RESOLVE_HOST, FETCH_RESOLVE},
    {CURLE_COULDNT_RESOLVE_PROXY, FETCH_CONNECT},
    {CURLE_PROXY, FETCH_CONNECT},
    {CURLE_SSL_CONNECT_ERROR, FETCH_TLS},
    {CURLE_PEER_FAILED_VERIFICATION, FETCH_TLS},
    {CURLE_SSL_CERTPROBLEM, FETCH_TLS},
    {CURLE_SSL_CIPHER, FETCH_TLS},
    {CURLE_SSL_CACERT_BADFILE, FETCH_TLS},
    {CURLE_SSL_ISSUER_ERROR, FETCH_TLS},
    {CURLE_SSL_ENGINE_INITFAILED, FETCH_TLS},
    {CURLE_USE_SSL_FAILED, FETCH_TLS},
    {CURLE_SSL_INVALIDCERTSTATUS, FETCH_TLS},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, FETCH_TLS},
    {CURLE_OUT_OF_MEMORY, FETCH_SIZE},
    {CURLE_FILESIZE_EXCEEDED, FETCH_SIZE},
};

static enum fetch_error error_of(CURLcode code)
{
    for (size_t i = 0; i < ARRAY_LEN(errors); i++)
        if (errors[i].code == code)
            return errors[i].error;
    return FETCH_PROTOCOL;
}

static void say(struct arrival *a, enum fetch_error error, const char *text)
{
    a->reply.error = error;
    a->reply.error_text = arena_str(&a->memory, str_of(text));
}

static void reply_judge(struct transfer *t, CURLcode code)
{
    struct arrival *a = t->arrival;
    char text[80];

    switch (t->halt) {
    case HALT_REFUSED:
        (void)snprintf(text, sizeof text, "the address is refused: %s", t->refused);
        say(a, FETCH_REFUSED, text);
        break;
    case HALT_HEAD_SIZE:
        say(a, FETCH_SIZE, "the header block is too large");
        break;
    case HALT_BODY_SIZE:
        a->reply.truncated = true;
        break;
    case HALT_CROWDED:
        buf_free(&a->reply.body);
        say(a, FETCH_MEMORY, "memory is short: it is asked for again later");
        break;
    case HALT_LATE:
        say(a, FETCH_CANCELLED, "it was too late to send it");
        break;
    case HALT_SKIPPED:
        break;
    case HALT_NONE:
        if (code == CURLE_OK && a->reply.status == 0)
            say(a, FETCH_PROTOCOL, "no HTTP status came");
        else if (code == CURLE_OUT_OF_MEMORY && !t->in_body)
            say(a, FETCH_SIZE, "a header line is too long"); /* libcurl's own ceiling */
        else if (code != CURLE_OK)
            say(a, error_of(code), t->error[0] ? t->error : curl_easy_strerror(code));
        break;
    }
}

static void reply_facts(struct transfer *t)
{
    struct arrival *a = t->arrival;
    curl_off_t connected = 0;
    long version = 0;
    char *ip = NULL;

    (void)curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
    a->reply.h2 = version == CURL_HTTP_VERSION_2_0;
    if (curl_easy_getinfo(t->easy, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip != NULL)
        (void)address_parse(str_of(ip), &a->reply.peer);
    if (curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &connected) == CURLE_OK &&
        connected > 0)
        a->reply.sent_at = a->reply.started_at + connected;
    if (t->ready_at > a->reply.sent_at)
        a->reply.sent_at = t->ready_at; /* libcurl began later than we asked it to */
    if (t->sent.len > 0) {
        buf_clear(&t->shown);
        headers_hide(t->setup->headers, buf_str(&t->sent), &t->shown);
        a->reply.sent = arena_str(&a->memory, buf_str(&t->shown));
    }
}

/* The guard checked the address before the socket was opened. The address that we were really
 * connected to is checked again, and data from a refused peer are discarded. */
static void peer_check(struct transfer *t)
{
    const struct fetch_config *config = t->setup->config;
    struct reply *r = &t->arrival->reply;
    const char *why = NULL;

    if (config->proxy == NULL && r->peer.family != 0)
        why = guard_judge(&r->peer, config->allow_private, config->private_only);
    if (why == NULL)
        return;
    t->refused = why;
    t->halt = HALT_REFUSED;
    buf_free(&r->body);
}

struct arrival *transfer_end(struct transfer *t, CURLcode code, int64_t now, unsigned *ret_cookies,
                             uint64_t *ret_bytes)
{
    struct arrival *a = t->arrival;

    a->reply.done_at = now;
    reply_facts(t);
    peer_check(t);
    reply_judge(t, code);
    *ret_cookies = t->facts.cookies;
    *ret_bytes = t->head_bytes + t->body_bytes;
    t->arrival = NULL;
    return a;
}
