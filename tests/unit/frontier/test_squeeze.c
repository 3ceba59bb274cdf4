/* Short texts in half their size. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/rng.h"
#include "frontier/squeeze.h"

#include <stdio.h>

/* Paths as a site has them, with a number in each. */
static size_t make_paths(char text[][64], struct str *ret, size_t count)
{
    static const char *const rooms[] = {"articles", "news", "forum/thread", "wiki", "gallery"};
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        (void)snprintf(text[i], sizeof text[i], "/%s/2026/%02zu/page-%zu.html", rooms[i % 5],
                       i % 12 + 1, i * 7919);
        ret[i] = str_of(text[i]);
        bytes += ret[i].len;
    }
    return bytes;
}

static size_t round_trip(const struct squeeze *s, struct str text)
{
    char small[2 * 1024], back[1024 + SQUEEZE_LONG];
    size_t n = squeeze_put(s, text, small);

    assert_true(text.len <= 1024 && n <= squeeze_most(text.len));
    assert_int_equal(squeeze_get(s, (struct str){small, n}, back, 1024), text.len);
    assert_memory_equal(back, text.ptr, text.len);
    return n;
}

static void short_texts_are_squeezed_to_half(void **state)
{
    static char text[2000][64];
    struct str paths[2000];
    size_t bytes = make_paths(text, paths, 2000), small = 0;
    struct squeeze s, again;

    (void)state;
    squeeze_learn(&s, paths, 1000);
    squeeze_learn(&again, paths, 1000);
    assert_memory_equal(&s, &again, sizeof s);
    for (size_t i = 1000; i < 2000; i++) /* that it has not seen */
        small += round_trip(&s, paths[i]);
    assert_true(small < bytes / 2 / 2);
}

static void any_bytes_can_be_squeezed(void **state)
{
    struct rng r;
    struct squeeze none, odd;
    char bytes[600], small[1200], back[600 + SQUEEZE_LONG];
    struct str parts[20];

    (void)state;
    rng_init(&r, 7);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)rng_below(&r, i < 300 ? 256 : 3); /* with zeros, and ones of 0xff */
    for (size_t i = 0; i < 20; i++)
        parts[i] = (struct str){bytes + 30 * i, 30};
    squeeze_learn(&none, NULL, 0);
    squeeze_learn(&odd, parts, 20);
    for (size_t len = 0; len <= sizeof bytes; len++) {
        assert_int_equal(round_trip(&none, (struct str){bytes, len}), 2 * len);
        (void)round_trip(&odd, (struct str){bytes + sizeof bytes - len, len});
    }
    for (size_t room = 0; room < 50; room++) /* what is too long is cut */
        assert_int_equal(
            squeeze_get(&odd, (struct str){small, squeeze_put(&odd, parts[19], small)}, back, room),
            room < 30 ? room : 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts_are_squeezed_to_half),
        cmocka_unit_test(any_bytes_can_be_squeezed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
