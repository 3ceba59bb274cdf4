/* fuzz_import_manifest.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import_tables.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct manifest_row row;
    struct table t;
    struct str line;

    if (size)
        memcpy(copy, data, size);
    t = table_of((struct str){copy, size});
    while (table_next(&t, &line)) {
        const char *why = manifest_row(line, &row);

        if (why && *why == '\0')
            abort();
        if (why)
            continue;
        if (row.file.len == 0 || row.url.len == 0 ||
            row.file.len + row.url.len + row.labels.len >= line.len)
            abort();
    }
    free(copy);
    return 0;
}
