/* json.h - writing JSON, streamed into a struct buf.
 *
 * The writer takes care of commas, quotes and escapes; the caller, of nesting.
 * Strings that are not valid UTF-8 get U+FFFD for bad bytes. Numbers that are
 * not finite are written as null. (jansson does the reading. No name here may
 * be one of its names, since one would replace the other when linked.)
 *
 *     json_open_object(&j, NULL);
 *     json_put_str(&j, "url", url);
 *     json_close(&j);
 */
#pragma once

#include "base/buf.h"

#define JSON_DEPTH 32

struct json {
    struct buf *out;
    int depth;                  /* open objects and arrays */
    char close[JSON_DEPTH];     /* '}' or ']' */
    bool first[JSON_DEPTH + 1]; /* nothing written at this level so far */
};

void json_init(struct json *j, struct buf *out);

/* For a whole answer: json_begin() opens an object; json_end() closes what is open and ends the
 * line. */
void json_begin(struct json *j, struct buf *out);
void json_end(struct json *j);

/* `name` is the member's name, NULL inside an array or at the top. */
void json_open_object(struct json *j, const char *name);
void json_open_array(struct json *j, const char *name);
void json_close(struct json *j); /* closes the innermost object or array */

void json_put_str(struct json *j, const char *name, struct str value);
void json_put_z(struct json *j, const char *name, const char *value); /* NULL: null */
void json_put_int(struct json *j, const char *name, int64_t value);
void json_put_num(struct json *j, const char *name, double value); /* shortest that reads back */
void json_put_bool(struct json *j, const char *name, bool value);
void json_put_null(struct json *j, const char *name);
/* Text that is JSON already; the caller vouches for that. */
void json_put_raw(struct json *j, const char *name, struct str value);
/* These write null if there is no value: an empty text, the number 0, no time (us, as ISO 8601). */
void json_put_text(struct json *j, const char *name, struct str value);
void json_put_ref(struct json *j, const char *name, uint64_t number);
void json_put_time(struct json *j, const char *name, int64_t at);
