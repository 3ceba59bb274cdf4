/* test_deflate.c - what was deflated comes back as it was. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/deflate.h"

#include <stdlib.h>
#include <zlib.h>

/* Read by another library than those that wrote it. */
static void assert_inflates(struct str stream, struct str want)
{
    char *out = malloc(want.len + 1);
    z_stream z = {.next_in = (Bytef *)stream.ptr, .avail_in = (uInt)stream.len};

    assert_non_null(out);
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)want.len + 1;
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, want.len);
    assert_memory_equal(out, want.ptr, want.len);
    (void)inflateEnd(&z);
    free(out);
}

static size_t check(struct deflater *d, struct str text)
{
    size_t bound = deflater_bound(d, text.len), n;
    char *out = malloc(bound);

    assert_non_null(out);
    n = deflater_run(d, text, out, bound);
    assert_true(n > 0 && n <= bound);
    assert_inflates((struct str){out, n}, text);
    free(out);
    return n;
}

static struct str made(size_t len, bool noise)
{
    char *text = malloc(len + 1);
    struct rng rng;

    assert_non_null(text);
    rng_init(&rng, 7);
    for (size_t i = 0; i < len; i++)
        text[i] = noise ? (char)rng_below(&rng, 256) : "<p class=a>hive, honey and bee</p>"[i % 34];
    return (struct str){text, len};
}

static void check_level(int level)
{
    static const size_t lengths[] = {0, 1, 33, 4096, 65535, 65536, MIB(3)};
    struct deflater *d = deflater_new(level);

    assert_non_null(d);
    for (int round = 0; round < 2; round++) /* a deflater is used again */
        for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
            struct str text = made(lengths[i], false), noise = made(lengths[i], true);
            size_t n = check(d, text);

            assert_true(text.len < 4096 || n < text.len / 8);
            (void)check(d, noise);
            free((char *)text.ptr);
            free((char *)noise.ptr);
        }
    deflater_free(d);
}

static void every_level_can_be_read_again(void **state)
{
    (void)state;
    check_level(1); /* ISA-L's, where it is built in */
    check_level(2);
    check_level(6);
}

static void too_little_room_is_told(void **state)
{
    struct str noise = made(KIB(64), true);
    struct deflater *d = deflater_new(1);
    char out[1000];

    (void)state;
    assert_int_equal(deflater_run(d, noise, out, sizeof out), 0);
    deflater_free(d);
    free((char *)noise.ptr);
}

static void there_is_no_level_of_a_hundred(void **state)
{
    (void)state;
    assert_null(deflater_new(100));
    deflater_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_can_be_read_again),
        cmocka_unit_test(too_little_room_is_told),
        cmocka_unit_test(there_is_no_level_of_a_hundred),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
