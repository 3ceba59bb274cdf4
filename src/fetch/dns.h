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
    bool private_only;   /* no public address: the user named no contact */
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

/* ---- --resolve HOST:PORT:ADDR[/BITS][:PORT] ----
 *
 * A rule sends the connections for HOST (or *, every host) and PORT to ADDR,
 * and to another port where a last one is given. With /BITS the address is a
 * prefix, in which every host gets an address of its own: the rest of the bits
 * come from a hash of its name, the same on every run. IPv6 addresses stand in
 * brackets. The first rule that fits decides.
 */

/* `texts` ends in NULL and may be NULL itself; the rules copy what they keep. */
enum status resolve_rules_new(const char *const *texts, struct resolve_rules **ret) MUST_USE;
void resolve_rules_free(struct resolve_rules *rules);

/* Where a connection to host:port is to go instead; false where no rule fits. */
bool resolve_rules_find(const struct resolve_rules *rules, struct str host, uint16_t port,
                        struct address *ret_address, uint16_t *ret_port);
