/* fuzz_unpack.c - archives of anybody: every entry ends inside the input, names
 * and contents keep their ceilings. SPDX-License-Identifier: MIT */
#include "sim/import/unpack.h"

#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf bytes = BUF_INIT(100000);
    struct unpack *u = NULL;
    struct unpack_entry e;
    enum status st;
    char path[64];
    int fd = memfd_create("archive", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    st = unpack_open(path, &u);
    if (st != ST_OK)
        abort();
    for (int i = 0; st == ST_OK && (st = unpack_next(u, &e)) == ST_OK; i++) {
        if (e.name.len > LIMIT_TAR_NAME || e.done > size || e.total != size)
            abort();
        buf_clear(&bytes);
        if (i % 2 == 0 && unpack_read(u, &bytes) == ST_OK && bytes.len > bytes.max)
            abort();
    }
    if (st == ST_OK || st == ST_IO)
        abort();
    unpack_close(u);
    buf_free(&bytes);
    (void)close(fd);
    return 0;
}
