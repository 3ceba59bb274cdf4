/* scope.h - which URLs belong to the crawl.
 *
 * The rules, in this order: excluded hosts and patterns are out; without any
 * --scope, everything else is in; with --scope, at least one of them must match.
 * same-host and same-site compare with the seeds' hosts, with any port (site
 * = registrable domain by libpsl, private suffixes included); any is the pattern
 * *, with which `resume` removes a scope. Patterns are globs over the URL
 * (str_match()); one without "://" is matched against "host/path", with and
 * without the port, and one without any '/' against the host alone as well. Case
 * counts in paths, not in hosts.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct scope;

struct scope *scope_new(void);
void scope_free(struct scope *s);

enum status scope_allow(struct scope *s, struct str rule) MUST_USE; /* --scope */
enum status scope_exclude(struct scope *s, struct str pattern) MUST_USE;
enum status
scope_exclude_hosts(struct scope *s,
                    struct str text) MUST_USE; /* a host a line, # comments; its subdomains too */
void scope_seed(struct scope *s, struct str host); /* for same-host and same-site */

/* Did the user exclude it, regardless of the scope? */
bool scope_excludes(const struct scope *s, struct str href, struct str host);

/* `href` is normalised; `host` is the host in it, without port. */
bool scope_has(const struct scope *s, struct str href, struct str host);

/* The registrable domain of a host (without port), or the host itself if it has none.
 * Lent from the argument. */
struct str scope_site(struct str host);
