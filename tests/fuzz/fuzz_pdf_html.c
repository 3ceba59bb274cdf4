/* Any text as what poppler's programs say: its parts are parted by zero bytes.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/document/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size};
    struct buf html = BUF_INIT(MIB(1));
    struct pdf_parts pdf = {0};

    (void)(str_cut(&rest, '\0', &pdf.info) && str_cut(&rest, '\0', &pdf.links) &&
           str_cut(&rest, '\0', &pdf.bytes));
    pdf.text = rest;
    pdf_html(&pdf, &html);
    buf_free(&html);
    return 0;
}
