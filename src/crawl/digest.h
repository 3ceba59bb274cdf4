/* digest.h - from a reply to a profiled page, on the thread where it arrived.
 *
 *     reply -> decode -> parse -> profile -> pack
 *
 * In: an arrival whose reply is complete. Out: the same with page, profile,
 * robots flags and payload hash, or `why` there is none; packed where there is an
 * archive. One digester a fetch thread; they share the immutable topic and a table
 * of document frequencies which the mind replaces now and then.
 */
#pragma once

#include "flow.h"

struct df_table;
struct digest;
struct topic;

/* `langs`: "en,de" or NULL for any. Both are lent. */
struct digest *digest_new(const struct topic *topic, const char *langs, unsigned threads);
void digest_free(struct digest *d);

/* Plain text is no page: DROP_TYPE. Before the first reply. */
void digest_no_text(struct digest *d);

/* What pages need to look as they did is found too: arrival.requisites. Before the first reply. */
void digest_requisites(struct digest *d);

/* Replies are packed for the archive, at this level of deflate (store/pack.h). Before the first
 * reply. */
void digest_pack(struct digest *d, int level);

/* Hands a new table over (takes the reference). Any thread. */
void digest_publish(struct digest *d, struct df_table *table);

/* A fetch_digest_fn; ctx is the struct digest. */
void digest_reply(void *ctx, unsigned thread, struct arrival *a);
