/* log.h - DIR/crawl.log: JSON lines, one event a line.
 *
 *     {"at":"2026-11-15T10:00:00.123Z","level":"warn","what":"...", ...}
 *
 * Only crawl/, cli/, dash/ and store's writer log above debug. Thread-safe. A
 * log without a file discards every line.
 */
#pragma once

#include "base/status.h"

#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

struct log;

/* Appends to `path`, whose last component must not be a link (base/os/dir.h); NULL: every
 * line is discarded. */
enum status log_open(const char *path, enum log_level least, struct log **ret) MUST_USE;
void log_close(struct log *l);

/* One line; the message is a sentence for people. */
void log_line(struct log *l, enum log_level level, int64_t now, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
