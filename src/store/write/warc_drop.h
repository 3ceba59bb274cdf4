/* warc_drop.h - a WARC file written anew without some of its records.
 *
 * The old file stays as it is; the copy stands beside it under another name
 * ("…-f1.warc.gz", open until archive_sweep() finds it in the database) and is on
 * the disk when warc_drop_run() returns. Bytes that
 * are no records (damage) are copied as they are.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct warc_drop;

typedef bool warc_drop_fn(void *ctx, struct str target);

/* Drops the records whose WARC-Target-URI `is_gone` says yes to. */
enum status warc_drop_run(const char *dir, uint32_t file, struct str name, warc_drop_fn *is_gone,
                          void *ctx, struct warc_drop **ret) MUST_USE;

/* Removes the copy again unless it is kept. */
void warc_drop_free(struct warc_drop *d, bool keep);

uint32_t warc_drop_file(const struct warc_drop *d);
const char *warc_drop_name(const struct warc_drop *d); /* the copy's */
uint64_t warc_drop_length(const struct warc_drop *d);
uint64_t warc_drop_count(const struct warc_drop *d); /* records dropped */

/* Where a record that was at `old` is now. */
uint64_t warc_drop_moved(const struct warc_drop *d, uint64_t old);
