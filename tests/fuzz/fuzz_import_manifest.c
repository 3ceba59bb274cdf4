/* fuzz_import_manifest.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import/tables.h"
#include "table_lines.h"

static void check(struct str line)
{
    struct manifest_row row;

    if (!is_row(manifest_row(line, &row)))
        return;
    if (row.file.len == 0 || row.url.len == 0 ||
        row.file.len + row.url.len + row.labels.len >= line.len)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return table_lines(data, size, check);
}
