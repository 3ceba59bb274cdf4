/* fuzz_import_events.c - the table of an import, any text: each line is a row that
 * keeps its promises, or is refused with a sentence. SPDX-License-Identifier: MIT */
#include "sim/import/tables.h"
#include "table_lines.h"

static void check(struct str line)
{
    struct event_row row;

    if (!is_row(event_row(line, &row)))
        return;
    if (row.at < 0 || row.path.len == 0 || row.blob.len < 3 ||
        str_find_char(row.blob, '/', 0) != SIZE_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return table_lines(data, size, check);
}
