/* guard.h - which addresses we may connect to. Every connection passes through
 * it; the address is judged in binary form, never as text. */
#pragma once

#include "flow.h"

struct sockaddr;

/* Returns NULL if the address is public; otherwise why it is not ("loopback", "private",
 * "link-local", "cgnat", "metadata", "multicast", "reserved", …). IPv6 forms that carry an IPv4
 * address (mapped, NAT64, 6to4, Teredo) are judged by that address. */
const char *guard_refuses(const struct address *a);

/* The same under a crawl's own rules: --allow-private switches the guard off; a crawl without a
 * contact may connect to private hosts only. */
const char *guard_judge(const struct address *a, bool allow_private, bool private_only);

/* The same for a host as written in a URL, if we never see its address
 * (behind a proxy): an address is judged as above, and so is a name that can
 * only be private (localhost, *.internal, a name without a dot …). Without a
 * contact no other name is allowed. */
const char *guard_judge_host(struct str host, bool allow_private, bool private_only);

struct address address_of_sockaddr(const struct sockaddr *sa);
/* Writes an address as text, for logs and WARC-IP-Address. */
const char *address_show(const struct address *a, char ret[46]);
/* Reads a strict dotted quad or RFC 4291 text. Returns false for anything else. */
bool address_parse(struct str text, struct address *ret);
