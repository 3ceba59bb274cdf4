/* fuzz_import_labels.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import/tables.h"
#include "table_lines.h"

static void check(struct str line)
{
    struct label_row row;

    if (!is_row(label_row(line, &row)))
        return;
    if (row.name.len == 0 || row.name.len + row.labels.len >= line.len)
        abort();
    for (struct str list = row.labels, one; label_next(&list, &one);)
        if (one.len == 0 || one.len > row.labels.len)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return table_lines(data, size, check);
}
