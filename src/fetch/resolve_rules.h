/* resolve_rules.h - --resolve HOST:PORT:ADDR[/BITS][:PORT]
 *
 * A rule sends the connections for HOST (or *, every host) and PORT to ADDR,
 * and to another port where a last one is given. With /BITS the address is a
 * prefix, in which every host gets an address of its own: the rest of the bits
 * come from a hash of its name, the same on every run. IPv6 addresses stand in
 * brackets. The first rule that fits decides.
 */
#pragma once

#include "base/status.h"
#include "flow.h"

struct resolve_rules;

/* `texts` ends in NULL and may be NULL itself; the rules copy what they keep. */
enum status resolve_rules_new(const char *const *texts, struct resolve_rules **ret) MUST_USE;
void resolve_rules_free(struct resolve_rules *rules);

/* Where a connection to host:port is to go instead; false where no rule fits. */
bool resolve_rules_find(const struct resolve_rules *rules, struct str host, uint16_t port,
                        struct address *ret_address, uint16_t *ret_port);
