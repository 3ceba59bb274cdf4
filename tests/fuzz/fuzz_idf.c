/* fuzz_idf.c - tables of document frequencies, as text and from a checkpoint.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "text/vocab.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct vocab *v = vocab_new();
    struct buf out = BUF_INIT(MIB(8));

    vocab_keep_text(v);
    if (vocab_load(v, text, "fuzz") == ST_OK) {
        struct df_table *df = vocab_publish(v);

        if (!(df_idf(df, 1) > 0))
            abort();
        df_release(df);
        vocab_write(v, &out);
        buf_clear(&out);
        vocab_save(v, &out);
        if (vocab_restore(v, buf_str(&out)) != ST_OK)
            abort();
    }
    if (vocab_restore(v, text) == ST_OK)
        df_release(vocab_publish(v));
    buf_free(&out);
    vocab_free(v);
    return 0;
}
