/* fuzz_lattice_read.c - what a model kept of a lattice, as a stranger's crawl may have it.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "models/crew/lattice_read.h"
#include "models/crew/lattice_write.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted can be built and shown. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(MIB(16));
    struct lattice_read kept;
    struct json j;

    if (lattice_read((struct str){(const char *)data, size}, &kept) != ST_OK)
        return 0;
    lattice_build(kept.lattice, lattice_share(kept.lattice, .01));
    if (lattice_attributes(kept.lattice) > LIMIT_LATTICE_ATTRIBUTES ||
        lattice_objects(kept.lattice) > LIMIT_LATTICE_OBJECTS ||
        lattice_count(kept.lattice) > LIMIT_LATTICE_CONCEPTS)
        abort();
    json_init(&j, &out);
    json_open_object(&j, NULL);
    lattice_write_json(kept.lattice, kept.names, 200, &j, "lattice");
    json_close(&j);
    buf_clear(&out);
    if (lattice_write_dot(kept.lattice, kept.names, 200, &out) == ST_OK && out.len == 0)
        abort();
    buf_free(&out);
    lattice_read_clear(&kept);
    return 0;
}
