/* The program is built with the protections of the compiler and the linker. Reads the binary
 * as its loader does. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

static const char *elf(const char *what)
{
    struct ran r = run("readelf", "-W", what, getenv("BROOD_BIN"));

    assert_code(r, 0);
    return r.out;
}

/* The line of a text that has this word in it. */
static const char *line_with(const char *t, const char *word)
{
    const char *at = strstr(t, word);

    if (at == NULL)
        fail_msg("'%s' is not in:\n%s", word, t);
    while (at > t && at[-1] != '\n')
        at--;
    return text("%.*s", (int)strcspn(at, "\n"), at);
}

static void it_may_be_loaded_anywhere(void **state)
{
    (void)state;
    assert_says(line_with(elf("-h"), "Type:"), "DYN");
    assert_says(line_with(elf("-d"), "(FLAGS_1)"), "PIE");
}

/* Full RELRO: nothing that the loader filled in can be written to any more. */
static void addresses_of_functions_are_read_only(void **state)
{
    (void)state;
    assert_says(elf("-l"), "GNU_RELRO");
    assert_says(line_with(elf("-d"), "(FLAGS_1)"), "NOW");
}

static void no_data_is_code(void **state)
{
    const char *segments = elf("-l");

    (void)state;
    assert_null(strstr(line_with(segments, "GNU_STACK"), "RWE"));
    assert_null(strstr(segments, " RWE "));
}

static void a_stack_that_was_written_over_is_noticed(void **state)
{
    (void)state;
    assert_says(elf("--dyn-syms"), "__stack_chk_fail");
}

static void a_write_behind_an_array_ends_the_program(void **state)
{
    const char *program = getenv("BROOD_FORTIFIED");
    struct ran r;

    (void)state;
    assert_code(run(program), 0);
    r = run(program, "too far");
    assert_code(r, 128 + 6);
    assert_says(r.err, "buffer overflow detected");
#ifdef _FORTIFY_SOURCE /* not under a sanitizer, which sees more */
    assert_says(elf("--dyn-syms"), "__vsnprintf_chk");
#endif
}

/* An indirect call lands where a function begins, or nowhere (on processors that know it). */
static void the_targets_of_calls_are_marked(void **state)
{
    (void)state;
#ifdef __CET__
    struct buf bytes = BUF_INIT(1 << 30);
    struct str rest;
    size_t marks = 0;

    test_read(getenv("BROOD_BIN"), &bytes);
    rest = buf_str(&bytes);
    for (const char *at; (at = memmem(rest.ptr, rest.len, "\xf3\x0f\x1e\xfa", 4)); marks++)
        rest = str_sub(rest, (size_t)(at - rest.ptr) + 4, rest.len);
    assert_true(marks > 1000);
    buf_free(&bytes);
#else
    print_message("# skipped: the compiler has no -fcf-protection here\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_may_be_loaded_anywhere),
        cmocka_unit_test(addresses_of_functions_are_read_only),
        cmocka_unit_test(no_data_is_code),
        cmocka_unit_test(a_stack_that_was_written_over_is_noticed),
        cmocka_unit_test(a_write_behind_an_array_ends_the_program),
        cmocka_unit_test(the_targets_of_calls_are_marked),
    };

    return cmocka_run_group_tests_name("flow hardening", tests, NULL, NULL);
}
