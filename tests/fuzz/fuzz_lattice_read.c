/* fuzz_lattice_read.c - what a model kept of a lattice, as a stranger's crawl may have it.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "models/crew/crew.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted can be built and shown. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(MIB(16));
    struct lattice_view kept;
    struct lattice_figures f;
    struct json j;

    if (lattice_view_read((struct str){(const char *)data, size}, &kept) != ST_OK)
        return 0;
    f = lattice_view_figures(&kept);
    if (f.keywords > LIMIT_LATTICE_ATTRIBUTES || f.pages > LIMIT_LATTICE_OBJECTS ||
        f.concepts > LIMIT_LATTICE_CONCEPTS)
        abort();
    json_init(&j, &out);
    json_open_object(&j, NULL);
    lattice_view_json(&kept, 200, &j, "lattice");
    json_close(&j);
    buf_clear(&out);
    if (lattice_view_dot(&kept, 200, &out) == ST_OK && out.len == 0)
        abort();
    buf_free(&out);
    lattice_view_clear(&kept);
    return 0;
}
