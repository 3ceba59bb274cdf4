/* Any bytes as XML: elements close as often as they open, at most, and never deeper
 * than the ceiling. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/xml.h"

#include <stdlib.h>

static bool on_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    int *depth = user;

    if (++*depth > LIMIT_XML_NESTING || name->local.len == 0)
        abort();
    (void)xml_attr(attrs, "xml", "base");
    return true;
}

static bool on_close(void *user)
{
    int *depth = user;

    if (--*depth < 0)
        abort();
    return true;
}

static bool on_text(void *user, struct str text)
{
    (void)user;
    return text.len < 5 || text.ptr[0] != 'S'; /* ends the parse now and then */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct xml_handler handler = {.open = on_open, .close = on_close, .text = on_text};
    struct str rest = {(const char *)data, size}, charset = {NULL, 0};
    int depth = 0;

    (void)str_cut(&rest, '\n', &charset);
    (void)!xml_parse(rest, charset, &handler, &depth);
    return 0;
}
