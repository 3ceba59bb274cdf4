/* units.h - durations, sizes and rates as people write them.
 *
 *   duration  10s  5m  1.5h  250ms  2d  30 (seconds)      -> microseconds
 *   size      500  64k  2M  1Gi  (k M G T are powers of 1000, Ki Mi … of 1024)
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

enum status units_duration(struct str text, int64_t *ret_us) MUST_USE;
enum status units_size(struct str text, uint64_t *ret_bytes) MUST_USE;

/* They write for people: "1.2 s", "3 min 20 s", "2 h 5 min"; "1.5 MB". Both return `ret`. */
#define UNITS_TEXT 32
const char *units_show_duration(int64_t us, char ret[UNITS_TEXT]);
const char *units_show_size(uint64_t bytes, char ret[UNITS_TEXT]);
