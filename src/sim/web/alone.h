/* alone.h - which pages of a web are like no other page of it.
 *
 * A crawler looks for near duplicates of every page that comes (frontier/dups.h).
 * In a web that is known as a whole most pages can be told beforehand to have
 * none, and need no looking for, whatever the order of the crawl.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALONE_DISTANCE 3 /* bits of the simhashes: as frontier/dups.h has it */

/* ret[i]: no other page has payloads[i], or a simhash within ALONE_DISTANCE bits of
 * simhashes[i]. About half a second for 100,000 pages. */
void alone_find(const uint64_t *simhashes, const uint64_t *payloads, size_t count, bool *ret);
