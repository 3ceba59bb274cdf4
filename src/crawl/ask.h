/* ask.h - talking to a running crawl, from another process: one line of JSON to DIR/control, one
 * back (control.h has the commands). The dashboard and the commands `stop` and `mark` use it. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* ST_MISSING: it does not run. ST_BUSY: no answer in time. ST_REFUSED: it said why not.
 * *ret (may be NULL) is the answer: json_decref() it. */
enum status control_ask(const char *dir, struct str line, int64_t timeout, json_t **ret) MUST_USE;

/* Marks a URL: 1 relevant, 0 irrelevant, -1 neither. A running crawl writes the mark itself; for
 * another one it is written here. *ret_taught: the model learns from it. */
enum status control_mark(const char *dir, const char *url, int relevant, bool *ret_taught) MUST_USE;
