/* dns.h - from a host name to the one address we will connect to.
 *
 * --resolve rules come first, then numeric hosts, then /etc/hosts and the DNS
 * (c-ares, on the loop of its fetch thread, never blocking). Of the addresses that
 * the egress guard lets through the first is taken, IPv4 before IPv6; search
 * domains are not tried.
 */
#pragma once

#include "base/status.h"
#include "flow.h"

#include <uv.h>

struct resolve_rules;

struct dns_answer {
    enum fetch_error error; /* OK, RESOLVE, REFUSED, CANCELLED */
    const char *text;       /* for people, where error is set; lent */
    struct address address;
    uint16_t port; /* where to connect */
};

/* Answers one dns_ask(); `what` is the asker's. */
typedef void dns_fn(void *ctx, void *what, const struct dns_answer *answer);

struct dns_config {
    uv_loop_t *uv;
    const struct resolve_rules *rules;
    bool allow_private;  /* lift the egress guard */
    bool private_only;   /* no public address: nobody to complain to was named */
    const char *servers; /* "ADDR:PORT,…" to ask; NULL: those of the system */
    dns_fn *fn;
    void *ctx;
};

struct dns;

enum status dns_new(const struct dns_config *config, struct dns **ret) MUST_USE;

/* The answer comes by dns_fn: later, or before dns_ask() returns. */
void dns_ask(struct dns *dns, struct str host, uint16_t port, void *what);

/* Answers everything open with FETCH_CANCELLED and begins to close; then the
 * loop runs until nothing is left on it, then dns_free(). */
void dns_close(struct dns *dns);
void dns_free(struct dns *dns);
