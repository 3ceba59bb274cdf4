/* Content decoding. The first byte chooses the encodings, the rest is the body.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/http/decode.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"gzip",     "deflate",      "br",
                                        "zstd",     "br, gzip",     "x-gzip",
                                        "gzip, br", "deflate,zstd", "zstd, br,gzip"};
    struct buf out = BUF_INIT(LIMIT_DECODED);
    struct str raw, ret;
    enum drop why;
    bool cut;

    if (size == 0)
        return 0;
    raw = (struct str){(const char *)data + 1, size - 1};
    why =
        decode_body(raw, str_of(names[data[0] % (sizeof names / sizeof *names)]), &out, &ret, &cut);
    if (out.len > LIMIT_DECODED || (why == DROP_NONE && ret.len != out.len))
        abort();
    buf_free(&out);
    return 0;
}
