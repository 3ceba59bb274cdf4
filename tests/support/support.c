/* support.c - what several tests need. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *join(const char *root, const char *relative)
{
    static char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", root, relative);
    return path;
}

const char *test_data(const char *relative)
{
    const char *root = getenv("BROOD_DATA");
    const char *path = root && *root ? join(root, relative) : NULL;

    return path && access(path, R_OK) == 0 ? path : NULL;
}

const char *test_file(const char *relative)
{
    const char *root = getenv("BROOD_SOURCE");
    char in_tests[2048];

    (void)snprintf(in_tests, sizeof in_tests, "%s/tests/data", root ? root : ".");
    return join(in_tests, relative);
}

void test_read(const char *path, struct buf *out)
{
    if (file_read(path, out) != ST_OK)
        fail_msg("%s", status_text());
}

static char made[256][64];
static size_t nmade;

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static void remove_all(void)
{
    while (nmade > 0)
        (void)nftw(made[--nmade], remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_dir(void)
{
    if (nmade == 0)
        (void)atexit(remove_all);
    assert_true(nmade < sizeof made / sizeof *made);
    (void)snprintf(made[nmade], sizeof made[nmade], "/tmp/brood-test-XXXXXX");
    assert_non_null(mkdtemp(made[nmade]));
    return made[nmade++];
}
