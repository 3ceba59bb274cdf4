/* guard.h - which addresses we may connect to. One function for every
 * connection there is; the address is judged in binary, never as text. */
#pragma once

#include "flow.h"

struct sockaddr;

/* NULL where the address is public; else why not ("loopback", "private",
 * "link-local", "cgnat", "metadata", "multicast", "reserved", …). IPv6 forms
 * that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are judged by it. */
const char *guard_refuses(const struct address *a);

/* The same under a crawl's own rules: --allow-private lifts the guard; a crawl
 * that named no contact may ask only private hosts. */
const char *guard_judge(const struct address *a, bool allow_private, bool private_only);

/* A host as it stands in a URL, where no address will be seen (behind a proxy):
 * an address is judged as above, and so is a name that can only be private
 * (localhost, *.internal, a name without a dot …). Without a contact no other name is
 * allowed. */
const char *guard_judge_host(struct str host, bool allow_private, bool private_only);

struct address address_of_sockaddr(const struct sockaddr *sa);
/* Text of an address, for logs and WARC-IP-Address; 46 bytes suffice. */
const char *address_show(const struct address *a, char ret[46]);
/* Strict dotted quad or RFC 4291 text; false otherwise. */
bool address_parse(struct str text, struct address *ret);
