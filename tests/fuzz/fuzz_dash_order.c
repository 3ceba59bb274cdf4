/* What a form sends, as JSON: whatever it is, it becomes options of the table and nothing
 * else. SPDX-License-Identifier: MIT */
#include "dash/api/order.h"

#include <stdlib.h>

static void check_argument(const char *arg)
{
    static const char *const options[] = {
        "topic",    "seed",          "model",     "set",     "pages",      "for",     "bytes",
        "relevant", "delay",         "max-depth", "lang",    "scope",      "exclude", "contact",
        "resolve",  "allow-private", "max-age",   "changes", "quiet-hours"};
    size_t len = strcspn(arg, "=");

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (len == strlen(options[i]) + 2 && strncmp(arg, "--", 2) == 0 &&
            strncmp(arg + 2, options[i], len - 2) == 0)
            return;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *body = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    struct mistakes said = {0};
    struct run_order o = {0};

    if (json_is_object(body)) {
        order_read(&o, body);
        for (size_t i = 0; i < o.argv.count; i++)
            check_argument(o.argv.items[i]);
        if (o.words == NULL && !json_is_string(json_object_get(body, "topic_file")) &&
            o.mistakes.count == 0)
            abort();
        mistakes_note(&said, "seed", status_fail(ST_USAGE, "--seed %.50s", (char *)"x"));
        mistakes_note(&said, "set.n", status_fail(ST_USAGE, "n: no"));
        order_blame(&o, &said);
        if (o.mistakes.count == 0)
            abort();
    }
    mistakes_clear(&said);
    order_clear(&o);
    json_decref(body);
    return 0;
}
