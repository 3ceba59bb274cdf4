/* answer.c - what handlers share. SPDX-License-Identifier: MIT */
#include "dash/call.h"

#include <stdlib.h>

/* Written anew: what a database says is nothing to be trusted with. */
void put_value(struct json *j, const char *name, const json_t *value)
{
    char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    json_put_raw(j, name, str_of(dump ? dump : "null"));
    free(dump);
}
