/* The first line is a Content-Type, the rest the payload. SPDX-License-Identifier: MIT */
#include "base/str.h"
#include "parse/mime.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, field = {NULL, 0};
    struct mime m;

    (void)str_cut(&rest, '\n', &field);
    m = mime_parse(field);
    if (m.type.len > field.len || m.charset.len > field.len)
        abort();
    if (mime_decide(field, rest) > MIME_OTHER)
        abort();
    (void)mime_sniff(field);
    return 0;
}
