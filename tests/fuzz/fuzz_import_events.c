/* fuzz_import_events.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import_tables.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct event_row row;
    struct table t;
    struct str line;

    if (size)
        memcpy(copy, data, size);
    t = table_of((struct str){copy, size});
    while (table_next(&t, &line)) {
        const char *why = event_row(line, &row);

        if (why && *why == '\0')
            abort();
        if (why)
            continue;
        if (row.at < 0 || row.path.len == 0 || row.blob.len < 3 ||
            str_find_char(row.blob, '/', 0) != SIZE_MAX)
            abort();
    }
    free(copy);
    return 0;
}
