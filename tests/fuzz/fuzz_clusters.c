/* fuzz_clusters.c - files and checkpoints of clusters. The hash at the end of a file
 * would keep the fuzzer out, so the right one is put there.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/limits.h"
#include "models/foragers/foragers.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted can be asked, written, and read again. */
static void use(struct clusters *c)
{
    static float state[LIMIT_CLUSTERS];
    struct term terms[] = {{c->judge->ids[0], 3}, {UINT32_MAX, 1}};
    struct buf out = BUF_INIT(LIMIT_CLUSTERS_FILE);
    struct clusters *again = NULL;
    struct cursor from;
    uint32_t rows[10];

    for (int mapping = CLUSTERS_STANDARD; mapping <= CLUSTERS_RAW; mapping++) {
        clusters_state(c, terms, 2, (enum clusters_mapping)mapping, state);
        for (uint32_t i = 0; i < c->k; i++)
            if (!(fabsf(state[i]) <= 1))
                abort();
    }
    for (uint32_t i = 0; i < c->k; i++)
        (void)clusters_telling(c, i, rows, 10);
    clusters_put(c, &out);
    from = (struct cursor){.rest = buf_str(&out)};
    if (clusters_get(&from, &again) != ST_OK || from.rest.len > 0)
        abort();
    clusters_free(again);
    clusters_free(c);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct cursor from = {.rest = bytes};
    struct buf whole = BUF_INIT(LIMIT_CLUSTERS_FILE);
    struct clusters *c = NULL;

    if (clusters_get(&from, &c) == ST_OK)
        use(c);
    c = NULL;
    if (clusters_parse(bytes, "fuzz", &c) == ST_OK)
        use(c);
    c = NULL;
    buf_add_str(&whole, bytes);
    buf_put_u64(&whole, hash_str(bytes));
    if (clusters_parse(buf_str(&whole), "fuzz", &c) == ST_OK)
        use(c);
    buf_free(&whole);
    return 0;
}
