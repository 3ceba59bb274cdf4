/* place.h - the crawls in the working directory, by name, and the names of their pages.
 *
 * A name is one component of a path, so that no name leads out of the directory. A page is the
 * resource brood:///NAME/page?url=URL, both percent-encoded. */
#pragma once

#include "base/buf.h"
#include "base/option.h"

/* Lists the names of all crawls, sorted, at most LIMIT_MCP_CRAWLS. */
void place_list(struct text_list *ret);
/* Is there a crawl of this name? Does it run? */
bool place_has(const char *name);
bool place_runs(const char *dir);
/* Chooses a name for a new crawl: as wanted (NULL: made from the topic). ST_USAGE or ST_EXISTS if
 * it cannot be used. */
enum status place_new(const char *wanted, const char *topic, struct buf *ret) MUST_USE;

void place_uri(struct buf *out, const char *name, struct str url);
/* Appends the two parts of such a resource name. ST_INVALID if it is not one. */
enum status place_read_uri(struct str uri, struct buf *ret_name, struct buf *ret_url) MUST_USE;
