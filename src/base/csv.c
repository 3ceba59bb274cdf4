/* csv.c - texts in CSV. See csv.h. SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <string.h>

void csv_add(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    if (text.len && text.ptr[0] && strchr("=+-@\t\r", text.ptr[0]))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, '"');
}
