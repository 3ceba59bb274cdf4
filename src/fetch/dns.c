/* dns.c - host names to addresses: --resolve, numbers, /etc/hosts, the DNS.
 *
 * In: a host and a port. Out: one address to connect to, already judged by the
 * egress guard, or why there is none. Both address families are looked up at
 * once; the first usable IPv4 address wins, then the first usable IPv6 one.
 *
 * Workload: one look-up for each host; nothing is cached here, since the
 * frontier keeps the addresses of its hosts. SPDX-License-Identifier: MIT */
#include "fetch/dns.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/status.h"
#include "fetch/guard.h"
#include "fetch/watch.h"
#include "flow.h"

#include <ares.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/time.h>

#define TRY_MS 2500 /* the first try; c-ares doubles it for the next */
#define TRIES  3

struct dns {
    struct dns_config config;
    ares_channel channel;
    struct watches watches;
    uv_timer_t timer; /* c-ares' next timeout */
};

struct dns_question {
    struct dns *dns;
    void *what; /* of the caller */
    char *host; /* ends in NUL, owned */
    uint16_t port;
    const char *refused; /* why the guard refused an answer, or NULL */
};

static void timer_set(struct dns *dns);

static void on_timer(uv_timer_t *timer)
{
    struct dns *dns = timer->data;

    ares_process_fd(dns->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    timer_set(dns);
}

static void timer_set(struct dns *dns)
{
    struct timeval tv, *next = ares_timeout(dns->channel, NULL, &tv);

    if (next == NULL)
        (void)uv_timer_stop(&dns->timer);
    else
        (void)uv_timer_start(&dns->timer, on_timer,
                             (uint64_t)(next->tv_sec * 1000 + next->tv_usec / 1000 + 1), 0);
}

static void on_socket_state(void *ctx, ares_socket_t fd, int readable, int writable)
{
    struct dns *dns = ctx;

    watches_want(&dns->watches, fd, (readable ? WATCH_READ : 0) | (writable ? WATCH_WRITE : 0));
}

static void on_ready(void *ctx, int fd, int events)
{
    struct dns *dns = ctx;

    ares_process_fd(dns->channel, events & WATCH_READ ? fd : ARES_SOCKET_BAD,
                    events & WATCH_WRITE ? fd : ARES_SOCKET_BAD);
    timer_set(dns);
}

enum status dns_new(const struct dns_config *config, struct dns **ret)
{
    struct dns *dns = MEM_NEW(struct dns);
    struct ares_options options = {.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES,
                                   .timeout = TRY_MS,
                                   .tries = TRIES,
                                   .sock_state_cb = on_socket_state,
                                   .sock_state_cb_data = dns};
    int rc;

    dns->config = *config;
    watches_init(&dns->watches, config->uv, on_ready, dns);
    rc = ares_init_options(&dns->channel, &options,
                           ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
                               ARES_OPT_SOCK_STATE_CB);
    if (rc == ARES_SUCCESS && config->servers != NULL)
        rc = ares_set_servers_ports_csv(dns->channel, config->servers);
    if (rc != ARES_SUCCESS) {
        if (dns->channel != NULL)
            ares_destroy(dns->channel);
        free(dns);
        return status_fail(ST_NET, "the DNS resolver does not start: %s", ares_strerror(rc));
    }
    (void)uv_timer_init(config->uv, &dns->timer);
    dns->timer.data = dns;
    *ret = dns;
    return ST_OK;
}

static void answer_error(struct dns *dns, void *what, enum fetch_error error, const char *text)
{
    struct dns_answer answer = {.error = error, .text = text};

    dns->config.fn(dns->config.ctx, what, &answer);
}

static void answer_address(struct dns *dns, void *what, struct address address, uint16_t port)
{
    struct dns_answer answer = {.address = address, .port = port};

    dns->config.fn(dns->config.ctx, what, &answer);
}

/* Why the guard refuses an address; NULL if it may be used. */
static const char *dns_refuses(const struct dns *dns, const struct address *address)
{
    return guard_judge(address, dns->config.allow_private, dns->config.private_only);
}

static void answer_known(struct dns *dns, void *what, struct address address, uint16_t port)
{
    const char *why = dns_refuses(dns, &address);

    if (why != NULL)
        answer_error(dns, what, FETCH_REFUSED, why);
    else
        answer_address(dns, what, address, port);
}

/* Picks the first address that may be used; notes why another one may not. */
static bool question_pick(struct dns_question *q, const struct ares_addrinfo *info,
                          struct address *ret)
{
    ret->family = 0;
    for (const struct ares_addrinfo_node *n = info->nodes; n != NULL; n = n->ai_next) {
        struct address a = address_of_sockaddr(n->ai_addr);
        const char *why = dns_refuses(q->dns, &a);

        if (why != NULL)
            q->refused = why;
        else if (ret->family == 0 || (ret->family == 6 && a.family == 4))
            *ret = a;
    }
    return ret->family != 0;
}

static void on_addresses(void *ctx, int status, int timeouts, struct ares_addrinfo *info)
{
    struct dns_question *q = ctx;
    struct address found;

    (void)timeouts;
    if (status == ARES_SUCCESS && question_pick(q, info, &found))
        answer_address(q->dns, q->what, found, q->port);
    else if (status == ARES_ECANCELLED || status == ARES_EDESTRUCTION)
        answer_error(q->dns, q->what, FETCH_CANCELLED, "stopped");
    else if (q->refused != NULL)
        answer_error(q->dns, q->what, FETCH_REFUSED, q->refused);
    else
        answer_error(q->dns, q->what, FETCH_RESOLVE,
                     status == ARES_SUCCESS ? "no address" : ares_strerror(status));
    ares_freeaddrinfo(info);
    free(q->host);
    free(q);
}

/* RFC 6761 6.3: localhost is never looked up by a server, nor in a file that may be missing. */
static bool is_localhost(struct str host)
{
    return str_eq_i(host, STR("localhost")) || str_ends_i(host, STR(".localhost"));
}

void dns_ask(struct dns *dns, struct str host, uint16_t port, void *what)
{
    struct address address;
    struct ares_addrinfo_hints hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = ARES_AI_NOSORT};
    struct dns_question *q;
    uint16_t connect_port;

    if (host.len > 1 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']')
        host = str_sub(host, 1, host.len - 1);
    if (resolve_rules_find(dns->config.rules, host, port, &address, &connect_port)) {
        answer_known(dns, what, address, connect_port);
        return;
    }
    if (address_parse(host, &address)) {
        answer_known(dns, what, address, port);
        return;
    }
    if (is_localhost(host)) {
        answer_known(dns, what, (struct address){.family = 4, .bytes = {127, 0, 0, 1}}, port);
        return;
    }
    q = MEM_NEW(struct dns_question);
    q->dns = dns;
    q->what = what;
    q->host = str_dup(host);
    q->port = port;
    ares_getaddrinfo(dns->channel, q->host, NULL, &hints, on_addresses, q);
    timer_set(dns);
}

void dns_close(struct dns *dns)
{
    if (dns == NULL)
        return;
    ares_destroy(dns->channel);
    dns->channel = NULL;
    watches_clear(&dns->watches);
    uv_close((uv_handle_t *)&dns->timer, NULL);
}

void dns_free(struct dns *dns)
{
    free(dns);
}

/* ---- --resolve: few rules, and one lookup for each host, so a list is enough ---- */

struct resolve_rule {
    struct str host;        /* lower case, owned; "*" for every host */
    uint16_t port;          /* of the URL */
    struct address address; /* prefix or whole address */
    unsigned bits;          /* fixed ones of the address */
    uint16_t connect_port;  /* where to connect */
};

struct resolve_rules {
    struct resolve_rule *rules;
    size_t count, cap;
};

static bool port_parse(struct str text, uint16_t *ret)
{
    uint64_t n;

    if (!str_to_u64(text, &n) || n == 0 || n > 65535)
        return false;
    *ret = (uint16_t)n;
    return true;
}

/* Cuts "[...]", or what comes before any of the `stops`, off the front. */
static bool part_cut(struct str *rest, const char *stops, struct str *ret)
{
    size_t n = 0;

    if (rest->len > 0 && rest->ptr[0] == '[') {
        n = str_find_char(*rest, ']', 0);
        if (n == SIZE_MAX)
            return false;
        *ret = str_sub(*rest, 1, n);
        *rest = str_sub(*rest, n + 1, rest->len);
        return true;
    }
    while (n < rest->len && strchr(stops, rest->ptr[n]) == NULL)
        n++;
    *ret = str_sub(*rest, 0, n);
    *rest = str_sub(*rest, n, rest->len);
    return true;
}

static bool char_cut(struct str *rest, char c)
{
    if (rest->len == 0 || rest->ptr[0] != c)
        return false;
    *rest = str_sub(*rest, 1, rest->len);
    return true;
}

/* HOST:PORT:ADDR[/BITS][:PORT]; the host is borrowed from the text. */
static bool rule_parse(struct str rest, struct resolve_rule *ret)
{
    struct str port, address, bits;
    unsigned all;
    uint64_t n;

    if (!part_cut(&rest, ":", &ret->host) || ret->host.len == 0 || !char_cut(&rest, ':') ||
        !part_cut(&rest, ":", &port) || !port_parse(port, &ret->port) || !char_cut(&rest, ':') ||
        !part_cut(&rest, "/:", &address) || !address_parse(address, &ret->address))
        return false;
    all = ret->address.family == 4 ? 32 : 128;
    ret->bits = all;
    ret->connect_port = ret->port;
    if (char_cut(&rest, '/')) {
        if (!part_cut(&rest, ":", &bits) || !str_to_u64(bits, &n) || n > all)
            return false;
        ret->bits = (unsigned)n;
    }
    if (char_cut(&rest, ':'))
        return port_parse(rest, &ret->connect_port);
    return rest.len == 0;
}

static struct str host_copy(struct str host)
{
    char *copy = str_dup(host);

    for (size_t i = 0; i < host.len; i++)
        copy[i] = ascii_lower(copy[i]);
    return (struct str){copy, host.len};
}

enum status resolve_rules_new(const char *const *texts, struct resolve_rules **ret)
{
    struct resolve_rules *rules = MEM_NEW(struct resolve_rules);
    struct resolve_rule rule;

    for (; texts != NULL && *texts != NULL; texts++) {
        if (!rule_parse(str_of(*texts), &rule)) {
            resolve_rules_free(rules);
            return status_fail(ST_USAGE, "--resolve '%s' is not HOST:PORT:ADDR[/BITS][:PORT]",
                               *texts);
        }
        rule.host = host_copy(rule.host);
        MEM_GROW(rules->rules, rules->count, &rules->cap);
        rules->rules[rules->count++] = rule;
    }
    *ret = rules;
    return ST_OK;
}

void resolve_rules_free(struct resolve_rules *rules)
{
    if (rules == NULL)
        return;
    for (size_t i = 0; i < rules->count; i++)
        free((char *)rules->rules[i].host.ptr);
    free(rules->rules);
    free(rules);
}

static uint64_t host_hash(struct str host)
{
    char lower[256];
    size_t n = host.len < sizeof lower ? host.len : sizeof lower;

    for (size_t i = 0; i < n; i++)
        lower[i] = ascii_lower(host.ptr[i]);
    return hash_bytes(lower, n);
}

/* Fills the bits after the prefix from the host's name. The first and the last address of a prefix
 * (the network and its broadcast address) are not used. */
static struct address address_spread(const struct resolve_rule *rule, struct str host)
{
    struct address a = rule->address;
    unsigned all = a.family == 4 ? 32 : 128, free_bits = all - rule->bits;
    uint64_t h = host_hash(host), part;
    uint64_t room = free_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << free_bits) - 1;

    if (free_bits == 0)
        return a;
    part = room > 2 ? h % (room - 1) + 1 : h & room;
    for (unsigned bit = 0; bit < free_bits; bit++) {
        unsigned at = all - 1 - bit;
        uint8_t mask = (uint8_t)(1u << (7 - at % 8));

        if (bit == 64)
            part = hash_u64(h);
        a.bytes[at / 8] = (uint8_t)((a.bytes[at / 8] & ~mask) | (part >> bit % 64 & 1 ? mask : 0));
    }
    return a;
}

bool resolve_rules_find(const struct resolve_rules *rules, struct str host, uint16_t port,
                        struct address *ret_address, uint16_t *ret_port)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct resolve_rule *rule = &rules->rules[i];

        if (rule->port != port)
            continue;
        if (!str_eq(rule->host, STR("*")) && !str_eq_i(rule->host, host))
            continue;
        *ret_address = address_spread(rule, host);
        *ret_port = rule->connect_port;
        return true;
    }
    return false;
}
