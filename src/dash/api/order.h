/* order.h - turns what the form sent (POST /api/crawls) into the arguments of a command.
 *
 * Members of the body become options by a table. Only types are checked here (a text, a list, a
 * number); the command itself checks the values (dash_config.check). No input from outside can
 * become an argument that begins like an option.
 */
#pragma once

#include "base/status.h"
#include "base/option.h"

#include <jansson.h>

/* Zeroed: empty. */
struct run_order {
    const char *command;      /* "crawl" or "watch" */
    struct text_list argv;    /* its options, "--name=value" */
    const char *words;        /* the topic, lent by the body; NULL: it is in a file, or missing */
    struct mistakes mistakes; /* named by members of the body: "limits.for" */
};

void order_read(struct run_order *ret, const json_t *body);
/* Turns the mistakes that the command found in its options into mistakes of the form. */
void order_blame(struct run_order *o, const struct mistakes *said);
/* Appends the command as it would be typed into a shell: brood crawl 'coral reefs' --seed
 * https://… */
void order_show(const struct run_order *o, struct buf *ret);
void order_clear(struct run_order *o);
