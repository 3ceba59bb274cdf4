/* dns.h - finds the one address that we connect to for a host name.
 *
 * --resolve rules come first, then numeric hosts, then /etc/hosts and
 * the DNS (c-ares, on the loop of its fetch thread, never blocking). The
 * first address that the egress guard allows is taken, IPv4 before IPv6;
 * search domains are not tried.
 */
#pragma once

#include "base/status.h"
#include "flow.h"
#include <uv.h>

struct resolve_rules;

struct dns_answer {
    enum fetch_error error; /* OK, RESOLVE, REFUSED, CANCELLED */
    const char *text;       /* for people, if error is set; lent */
    struct address address;
    uint16_t port; /* where to connect */
};

/* Receives the answer to one dns_ask(), with its `what`. */
typedef void dns_fn(void *ctx, void *what, const struct dns_answer *answer);

struct dns_config {
    uv_loop_t *uv;
    const struct resolve_rules *rules;
    bool allow_private;  /* switch off the egress guard */
    bool private_only;   /* no public address: the user gave no contact */
    const char *servers; /* DNS servers, "ADDR:PORT,…"; NULL: those of the system */
    dns_fn *fn;
    void *ctx;
};

struct dns;

enum status dns_new(const struct dns_config *config, struct dns **ret) MUST_USE;

/* Looks up an address. dns_fn gets the answer later, or before dns_ask() returns. */
void dns_ask(struct dns *dns, struct str host, uint16_t port, void *what);

/* Answers all open questions with FETCH_CANCELLED and begins to close. Then run the loop until
 * nothing is left on it, and call dns_free(). */
void dns_close(struct dns *dns);
void dns_free(struct dns *dns);

/* ---- --resolve HOST:PORT:ADDR[/BITS][:PORT] ----
 *
 * A rule sends the connections for HOST (or *, every host) and PORT to ADDR,
 * and to another port if a last one is given. With /BITS the address is a
 * prefix, in which every host gets an address of its own: the rest of the bits
 * come from a hash of its name, the same on every run. IPv6 addresses are
 * written in brackets. The first matching rule decides.
 */

/* `texts` ends with NULL and may itself be NULL. The rules copy what they keep. */
enum status resolve_rules_new(const char *const *texts, struct resolve_rules **ret) MUST_USE;
void resolve_rules_free(struct resolve_rules *rules);

/* Where a connection to host:port goes instead. Returns false if no rule matches. */
bool resolve_rules_find(const struct resolve_rules *rules, struct str host, uint16_t port,
                        struct address *ret_address, uint16_t *ret_port);
