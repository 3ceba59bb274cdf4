/* ask.h - sends a command to a running crawl from another process: one line of JSON to DIR/control,
 * and one line back (control.h lists the commands). The dashboard and the commands `stop` and
 * `mark` use it. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* ST_MISSING if the crawl does not run, ST_BUSY if it does not answer in time, ST_REFUSED if it
 * refused with a reason. *ret (may be NULL) is the answer, to be released with json_decref(). */
enum status control_ask(const char *dir, struct str line, int64_t timeout, json_t **ret) MUST_USE;

/* Marks a URL: 1 relevant, 0 irrelevant, -1 neither. A running crawl writes the mark itself; if it
 * does not run, the mark is written here. *ret_taught: the model learns from it. */
enum status control_mark(const char *dir, const char *url, int relevant, bool *ret_taught) MUST_USE;
