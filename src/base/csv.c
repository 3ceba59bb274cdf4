/* csv.c - texts in CSV. See csv.h. SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <string.h>

void csv_add(struct buf *out, struct str text)
{
    (void)buf_add_char(out, '"');
    if (text.len && text.ptr[0] && strchr("=+-@\t\r", text.ptr[0]))
        (void)buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            (void)buf_add_char(out, '"');
        (void)buf_add_char(out, text.ptr[i]);
    }
    (void)buf_add_char(out, '"');
}
