/* documents.h - which types of documents a crawl reads (--types), and how those that are not web
 * pages are converted to HTML.
 *
 * In: replies, on fetch's threads. Out: arrival.html and payload_hash, or arrival.why. PDF and
 * office documents are read by a process of their own (reader.h). If that process or its programs
 * are missing, such documents are not even downloaded: the reason is `type`.
 */
#pragma once

#include "fetch/fetch.h"

#define DOCUMENT_TYPES "html,text,pdf,office" /* the default of --types */

struct documents;

/* Starts the reader if a type needs it; to be called before threads and confinement. ST_USAGE if
 * `types` (may be NULL) is not a list of types. */
enum status documents_new(const char *types, struct documents **ret) MUST_USE;
void documents_free(struct documents *d);

/* Returns a sentence on what is missing to read the types asked for; NULL if nothing is. */
const char *documents_lack(const struct documents *d);

bool documents_text(const struct documents *d); /* is plain text read? */

/* For struct fetch_config; ctx is the struct documents. */
bool documents_want(void *ctx, struct str content_type);
bool documents_slow(void *ctx, const struct arrival *a);
void documents_convert(void *ctx, struct arrival *a, const atomic_bool *stop);
