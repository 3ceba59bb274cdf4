/* Version-control stamps masked in any text: no byte outside of it is read, a text
 * without them hashes as it is, and what a stamp says does not matter.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/limits.h"
#include "sim/archived.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct str text = {copy, size};
    struct buf scratch = BUF_INIT(MIB(64)), one = BUF_INIT(MIB(64)), other = BUF_INIT(MIB(64));

    if (size)
        memcpy(copy, data, size);
    if (archived_bare_hash(text, &scratch) != hash_str(text) && memchr(copy, '$', size) == NULL)
        abort();
    buf_add_z(&one, "$Id: one $");
    buf_add_z(&other, "$Id: and another $");
    buf_add_str(&one, text);
    buf_add_str(&other, text);
    if (archived_bare_hash(buf_str(&one), &scratch) !=
        archived_bare_hash(buf_str(&other), &scratch))
        abort();
    buf_free(&scratch);
    buf_free(&one);
    buf_free(&other);
    free(copy);
    return 0;
}
