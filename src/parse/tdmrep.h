/* tdmrep.h - /.well-known/tdmrep.json, where a host says which of its pages may not be mined.
 *
 *     [{"location": "/news/", "tdm-reservation": 1, "tdm-policy": "https://example.org/p.json"}]
 *
 * Source: TDM Reservation Protocol, a report of a W3C community group (2024). Locations are
 * patterns as in robots.txt; if several match, the longest decides, as there. The rules are kept
 * as lines of a robots.txt (`Disallow` is reserved), with the policy as a comment.
 */
#pragma once

#include "base/buf.h"

#define TDMREP_PATH "/.well-known/tdmrep.json"

/* Appends the rules of a file, at most LIMIT_TDMREP_RULES; nothing if it is not such
 * a file or has none. */
void tdmrep_read(struct str json, struct buf *out);

/* Adds what these rules say about a path to a list of wishes (parse/use.h). */
void tdmrep_say(struct str rules, struct str path_and_query, struct buf *out);
