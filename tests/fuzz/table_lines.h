/* table_lines.h - what the fuzzers of import tables share: any text as a table, each of
 * its lines handed to a check. */
#pragma once

#include "sim/import/tables.h"

#include <stdlib.h>

static inline int table_lines(const uint8_t *data, size_t size, void (*check)(struct str line))
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct tsv t;
    struct str line;

    if (size)
        memcpy(copy, data, size);
    t = table_of((struct str){copy, size});
    while (table_next(&t, &line))
        check(line);
    free(copy);
    return 0;
}

/* Is it a row? Else the reason must be a sentence. */
static inline bool is_row(const char *why)
{
    if (why && *why == '\0')
        abort();
    return why == NULL;
}
