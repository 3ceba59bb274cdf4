/* control.h - talking to a running crawl: one line of JSON to DIR/control, one back
 * (crawl/control.h has the commands). */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* ST_MISSING: it does not run. ST_BUSY: no answer in time. ST_REFUSED: it said why not.
 * *ret (may be NULL) is the answer: json_decref() it. */
enum status control_ask(const char *dir, struct str line, int64_t timeout, json_t **ret) MUST_USE;
