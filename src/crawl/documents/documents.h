/* documents.h - which types of documents a crawl reads (--types), and how those that are no web
 * pages become HTML.
 *
 * In: replies, on fetch's threads. Out: arrival.html and payload_hash, or arrival.why. PDF and
 * office documents are read by a process of their own (reader.h). Where that or its programs
 * are missing they are not even downloaded: the reason is `type`.
 */
#pragma once

#include "fetch/fetch.h"

#define DOCUMENT_TYPES "html,text,pdf,office" /* --types, where nothing is said */

struct documents;

/* Starts the reader where a type needs it: call it before threads and confinement. ST_USAGE:
 * this is no list of types. `types` may be NULL. */
enum status documents_new(const char *types, struct documents **ret) MUST_USE;
void documents_free(struct documents *d);

/* What is missing to read what was asked for, as a sentence; NULL: nothing. */
const char *documents_lack(const struct documents *d);

bool documents_text(const struct documents *d); /* is plain text read? */

/* For struct fetch_config; ctx is the struct documents. */
bool documents_want(void *ctx, struct str content_type);
bool documents_slow(void *ctx, const struct arrival *a);
void documents_convert(void *ctx, struct arrival *a, const atomic_bool *stop);
