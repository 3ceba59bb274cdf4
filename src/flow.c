/* flow.c - making, sharing and naming the structs that travel.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

static const struct {
    const char *name, *sentence;
} drops[DROP_COUNT] = {
    [DROP_NONE] = {"none", "it was not dropped"},
    [DROP_SCOPE] = {"scope", "it lies outside the scope of the crawl"},
    [DROP_SEEN] = {"seen", "it was known already"},
    [DROP_ROBOTS] = {"robots", "robots.txt forbids it"},
    [DROP_NOFOLLOW] = {"nofollow", "the page asked not to follow it"},
    [DROP_TRAP] = {"trap", "it looks like part of an endless space of URLs"},
    [DROP_BUDGET] = {"budget", "the budget of its host, or of the domain that names it, is spent"},
    [DROP_HOST_DEAD] = {"host-dead", "its host does not resolve or failed too often"},
    [DROP_QUEUE_FULL] = {"queue-full", "a queue was at its ceiling"},
    [DROP_ADDRESS] = {"address", "it leads to an address that is not public"},
    [DROP_DEPTH] = {"depth", "it is deeper than --max-depth"},
    [DROP_SCHEME] = {"scheme", "it is neither http nor https"},
    [DROP_LONG] = {"long", "the URL is too long"},
    [DROP_TYPE] = {"type", "it is not a kind of document that is read"},
    [DROP_LANG] = {"lang", "it is in a language not asked for"},
    [DROP_REJECTED] = {"rejected", "it matches a reject pattern of the topic"},
    [DROP_STATUS] = {"status", "the server answered with an error, or without a page"},
    [DROP_REDIRECTS] = {"redirects", "too many redirects, or a loop of them"},
    [DROP_SIZE] = {"size", "it is larger than a ceiling"},
    [DROP_TIMEOUT] = {"timeout", "its deadline passed"},
    [DROP_NETWORK] = {"network", "the connection failed"},
    [DROP_ENCODING] = {"encoding", "its content encoding is broken or unknown"},
    [DROP_LIMIT] = {"limit", "the crawl reached its limit first"},
    [DROP_FORGOTTEN] = {"forgotten", "the user had it forgotten"},
    [DROP_MODEL] = {"model", "the model dropped it from its own queue"},
    [DROP_SCRIPT] = {"javascript", "its text is made by JavaScript, which brood does not run"},
    [DROP_WALL] = {"bot-wall", "its server wants to see a human first"},
    [DROP_UNREADABLE] = {"unreadable",
                         "the document is broken or locked, or takes too long to read"},
    [DROP_FOREIGN] = {"foreign", "its host belongs to another node of this crawl"},
    [DROP_MISSING] = {"missing", "all that was asked for in its directory is missing"},
    [DROP_PORT] = {"port", "its port belongs to another service than the web"},
};

const char *drop_name(enum drop d)
{
    return d < DROP_COUNT ? drops[d].name : "unknown";
}

const char *drop_sentence(enum drop d)
{
    return d < DROP_COUNT ? drops[d].sentence : "unknown";
}

enum drop drop_of_name(struct str name)
{
    enum drop d = DROP_NONE;

    while (d < DROP_COUNT && !str_eq(name, str_of(drops[d].name)))
        d++;
    return d;
}

static const char *const fetch_errors[] = {
    [FETCH_OK] = "ok",
    [FETCH_RESOLVE] = "resolve",
    [FETCH_REFUSED] = "refused",
    [FETCH_CONNECT] = "connect",
    [FETCH_TLS] = "tls",
    [FETCH_TIMEOUT] = "timeout",
    [FETCH_PROTOCOL] = "protocol",
    [FETCH_SIZE] = "size",
    [FETCH_MEMORY] = "memory",
    [FETCH_CANCELLED] = "cancelled",
};

const char *fetch_error_name(enum fetch_error e)
{
    return e < ARRAY_LEN(fetch_errors) ? fetch_errors[e] : "unknown";
}

static struct str put(char **at, struct str s)
{
    char *to = *at;

    if (s.len)
        memcpy(to, s.ptr, s.len);
    to[s.len] = '\0';
    *at += s.len + 1;
    return (struct str){to, s.len};
}

struct request *request_new(enum request_kind kind, struct str href, struct str host,
                            struct str etag, struct str last_modified)
{
    size_t strings = href.len + host.len + etag.len + last_modified.len + 4;
    struct request *r = mem_zero(1, sizeof *r + strings);
    char *at = (char *)(r + 1);

    r->kind = kind;
    r->href = put(&at, href);
    r->host = put(&at, host);
    r->etag = put(&at, etag);
    r->last_modified = put(&at, last_modified);
    return r;
}

struct arrival *arrival_new(struct request *request)
{
    struct arrival *a = MEM_NEW(struct arrival);

    arena_init(&a->memory, LIMIT_PAGE_ARENA);
    buf_init(&a->reply.body, LIMIT_BODY);
    buf_init(&a->html, LIMIT_DECODED);
    a->request = request;
    a->refs = 1;
    return a;
}

void arrival_count(struct arrival *a)
{
    size_t bytes = a->reply.body.cap + a->html.cap + a->memory.used +
                   (a->packed ? a->packed->size : 0) + (a->packed_html ? a->packed_html->size : 0);

    usage_add(a->usage, USAGE_BODIES, (int64_t)bytes - (int64_t)a->counted);
    a->counted = bytes;
}

struct arrival *arrival_hold(struct arrival *a)
{
    __atomic_add_fetch(&a->refs, 1, __ATOMIC_RELAXED);
    return a;
}

void arrival_release(struct arrival *a)
{
    if (a == NULL || __atomic_sub_fetch(&a->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (a->released) {
        a->released(a);
        return;
    }
    usage_add(a->usage, USAGE_BODIES, -(int64_t)a->counted);
    buf_free(&a->reply.body);
    buf_free(&a->html);
    free(a->packed);
    free(a->packed_html);
    arena_free(&a->memory);
    free(a->request);
    free(a);
}

bool page_is_list(const struct page *p)
{
    uint64_t linked = 0;

    for (uint32_t i = 0; i < p->nlinks; i++)
        linked += p->links[i].anchor.to - p->links[i].anchor.from;
    return linked > 0 && 5 * linked >= 2 * (uint64_t)p->nwords;
}
