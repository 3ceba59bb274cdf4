/* support.h - what several tests need. Include it first: it brings cmocka. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"

/* The path of a file in $BROOD_DATA (real pages and vectors that are not part
 * of the project), or NULL without it. The text lives until the next call. */
const char *test_data(const char *relative);

/* The path of a file of the project's own tests/data. */
const char *test_file(const char *relative);

/* The bytes of a file; the test fails where it cannot be read. */
void test_read(const char *path, struct buf *out);

/* A fresh empty directory that is removed with all its contents at exit. */
const char *test_dir(void);

/* Equality of a struct str and a literal, with both shown on failure. */
#define assert_str(s, literal)                \
    do {                                      \
        char *shown_ = str_dup(s);            \
        assert_string_equal(shown_, literal); \
        free(shown_);                         \
    } while (0)

/* Skips the test, by name, where the real data is not there. */
#define NEED_DATA(variable, relative)           \
    const char *variable = test_data(relative); \
    if (variable == NULL)                       \
    skip()
