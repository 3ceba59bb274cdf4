/* Any bytes as the file of an identity: what is taken can sign, and names an https origin.
 * SPDX-License-Identifier: MIT */
#include "fetch/identity.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct identity *id = NULL;
    struct identity_lines lines = {BUF_INIT(1000), BUF_INIT(4000), BUF_INIT(1000)};
    struct request *r;

    if (identity_read((struct str){(const char *)data, size}, "a", &id) != ST_OK)
        return 0;
    r = request_new(REQUEST_PAGE, STR("http://example.org/x"), STR("example.org"), STR(""),
                    STR(""));
    if (strncmp(identity_agent(id), "https://", 8) != 0 || strlen(identity_keyid(id)) != 43 ||
        !identity_sign(id, r, NULL, 1, &lines) || lines.signature.len == 0)
        abort();
    free(r);
    buf_free(&lines.agent);
    buf_free(&lines.input);
    buf_free(&lines.signature);
    identity_free(id);
    return 0;
}
