/* fuzz_import_labels.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import_tables.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct label_row row;
    struct table t;
    struct str line;

    if (size)
        memcpy(copy, data, size);
    t = table_of((struct str){copy, size});
    while (table_next(&t, &line)) {
        const char *why = label_row(line, &row);

        if (why && *why == '\0')
            abort();
        if (why)
            continue;
        if (row.name.len == 0 || row.name.len + row.labels.len >= line.len)
            abort();
        for (struct str list = row.labels, one; label_next(&list, &one);)
            if (one.len == 0 || one.len > row.labels.len)
                abort();
    }
    free(copy);
    return 0;
}
