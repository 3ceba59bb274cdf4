/* check_int.h - what the files of the check share. Inside store/ only. */
#pragma once

#include "store/write/check.h"
#include "store/db.h"

struct check {
    const char *dir;
    sqlite3 *db;
    bool mend;
    check_fn *fn;
    void *ctx;
    struct check_result result;
};

void check_tell(struct check *c, enum check_kind kind, bool mendable, bool mended, const char *fmt,
                ...) PRINTF_LIKE(5, 6);

/* The WARC files against the rows that point into them. */
enum status check_archive(struct check *c) MUST_USE;
