/* fuzz_charset.c - whatever the bytes, valid UTF-8 comes out.
 * SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "parse/charset.h"

#include <assert.h>

/* The first byte chooses an encoding, or leaves the choice to the bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {
        "utf-8",   "windows-1252", "shift_jis", "euc-jp",      "euc-kr",      "big5",
        "gb18030", "iso-2022-jp",  "utf-16le",  "utf-16be",    "koi8-r",      "replacement",
        "EUC-TW",  "JOHAB",        "UTF-32LE",  "windows-874", "ISO-2022-KR", "x-user-defined",
    };
    struct charset_reader *r = charset_reader_new();
    struct str bytes = {(const char *)data + 1, size - 1};
    const struct charset *c;
    size_t bom = 0;

    if (size > 0) {
        size_t choice = data[0];

        c = choice < sizeof names / sizeof *names
                ? charset_of_name((struct str){names[choice], strlen(names[choice])})
                : charset_decide(r, bytes, STR(""), &bom);
        assert(c != NULL && bom <= bytes.len);
        assert(utf8_is_valid(charset_decode(r, c, str_sub(bytes, bom, bytes.len))));
        /* The converter is used again. */
        assert(utf8_is_valid(charset_decode(r, c, bytes)));
    }
    charset_reader_free(r);
    return 0;
}
