/* answer.c - small things that handlers share. SPDX-License-Identifier: MIT */
#include "dash/call.h"

#include "base/clock.h"

void put_time(struct json *j, const char *name, int64_t at)
{
    char text[CLOCK_TEXT];

    clock_format(at, 3, text);
    json_put_z(j, name, at ? text : NULL);
}

void put_text(struct json *j, const char *name, struct str s)
{
    if (s.len)
        json_put_str(j, name, s);
    else
        json_put_null(j, name);
}

void put_number(struct json *j, const char *name, uint64_t n)
{
    if (n)
        json_put_int(j, name, (int64_t)n);
    else
        json_put_null(j, name);
}

/* Written anew: what a database says is nothing to be trusted with. */
void put_value(struct json *j, const char *name, const json_t *value)
{
    char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    json_put_raw(j, name, str_of(dump ? dump : "null"));
    free(dump);
}
