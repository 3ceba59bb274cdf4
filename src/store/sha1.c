/* sha1.c - SHA-1 in base32 (RFC 4648) by OpenSSL's EVP.
 *
 * The algorithm is fetched once: looking it up by name for every record costs
 * more than hashing a small one. SPDX-License-Identifier: MIT */
#include "store/sha1.h"

#include "base/mem.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct sha1 {
    EVP_MD *algorithm;
    EVP_MD_CTX *ctx;
};

struct sha1 *sha1_new(void)
{
    struct sha1 *d = MEM_NEW(struct sha1);

    d->algorithm = EVP_MD_fetch(NULL, "SHA1", NULL);
    d->ctx = EVP_MD_CTX_new();
    if (d->algorithm == NULL || d->ctx == NULL)
        mem_out(); /* Limit: or an OpenSSL without SHA-1 */
    return d;
}

void sha1_free(struct sha1 *d)
{
    if (d == NULL)
        return;
    EVP_MD_CTX_free(d->ctx);
    EVP_MD_free(d->algorithm);
    free(d);
}

/* Five bytes become eight letters; 20 bytes need no padding. */
static void base32(const uint8_t in[20], char ret[SHA1_TEXT])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    for (int group = 0; group < 4; group++) {
        uint64_t bits = 0;

        for (int i = 0; i < 5; i++)
            bits = bits << 8 | in[group * 5 + i];
        for (int i = 0; i < 8; i++)
            ret[group * 8 + i] = letters[bits >> (35 - 5 * i) & 31];
    }
    ret[32] = '\0';
}

void sha1_base32(struct sha1 *d, const struct str *parts, size_t count, char ret[SHA1_TEXT])
{
    uint8_t bytes[EVP_MAX_MD_SIZE] = {0};
    bool ok = EVP_DigestInit_ex2(d->ctx, d->algorithm, NULL) == 1;

    for (size_t i = 0; i < count; i++)
        ok = ok && (parts[i].len == 0 || EVP_DigestUpdate(d->ctx, parts[i].ptr, parts[i].len) == 1);
    ok = ok && EVP_DigestFinal_ex(d->ctx, bytes, NULL) == 1;
    if (!ok)
        mem_out();
    base32(bytes, ret);
}
