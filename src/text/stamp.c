/* stamp.c - what version control writes into a text. SPDX-License-Identifier: MIT */
#include "text/stamp.h"

#define STAMP_WORD 20 /* letters of a stamp's name at most */

size_t stamp_end(struct str text, size_t at, size_t *ret_word)
{
    size_t end = at + 1;

    while (end < text.len && end - at <= STAMP_WORD && ascii_is_alpha(text.ptr[end]))
        end++;
    *ret_word = end;
    if (end == at + 1 || end >= text.len || text.ptr[end] != ':')
        return 0;
    while (end < text.len && text.ptr[end] != '$' && text.ptr[end] != '\n')
        end++;
    return end < text.len && text.ptr[end] == '$' ? end + 1 : 0;
}
