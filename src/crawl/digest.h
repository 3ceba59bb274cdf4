/* digest.h - turns a reply into a profiled page, on the thread on which it arrived.
 *
 *     reply -> decode -> parse -> profile -> pack
 *
 * In: an arrival whose reply is complete. Out: the same with page, profile,
 * robots flags and payload hash, or `why` there is none; packed if there is an archive. Each fetch
 * thread has its own digester; they share the immutable topic and a table of document frequencies,
 * which the mind replaces now and then.
 */
#pragma once

#include "flow.h"

struct df_table;
struct digest;
struct topic;

/* `langs`: "en,de" or NULL for any. Both are lent. */
struct digest *digest_new(const struct topic *topic, const char *langs, unsigned threads);
void digest_free(struct digest *d);

/* From now on plain text is not accepted as a page: DROP_TYPE. To be called before the first
 * reply. */
void digest_no_text(struct digest *d);

/* From now on requisites of pages are found too: arrival.requisites. To be called before the first
 * reply. */
void digest_requisites(struct digest *d);

/* From now on replies are packed for the archive, at this level of deflate (store/pack.h). To be
 * called before the first reply. */
void digest_pack(struct digest *d, int level);

/* Replaces the table of document frequencies, and takes ownership of the reference. Any thread may
 * call it. */
void digest_publish(struct digest *d, struct df_table *table);

/* A fetch_digest_fn; ctx is the struct digest. */
void digest_reply(void *ctx, unsigned thread, struct arrival *a);
