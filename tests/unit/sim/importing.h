/* importing.h - what tests of imports share: input that is made, worlds that are asked. */
#pragma once

#include "support/support.h"

#include "sim/import/import.h"

/* DIR/NAME; free it. */
char *in_dir(const char *dir, const char *name);
/* A file, with the folders above it. */
void put(const char *dir, const char *name, struct str bytes);
void put_z(const char *dir, const char *name, const char *text);

/* A tar archive in memory: an entry, and the end. */
void add_tar(struct buf *tar, const char *name, struct str bytes);
void end_tar(struct buf *tar);

/* A configuration with nothing asked for. `from`: IMPORT_DIR … */
struct import_config config(int from);
enum status run(const char *source, const char *dir, const struct import_config *c,
                struct import_report *r);
/* The same; the test fails with the faults' names where it does. */
void imported(const char *source, const char *dir, const struct import_config *c,
              struct import_report *r);

/* The rows of a query, columns separated by spaces, rows by lines; free them. */
char *ask(const char *dir, const char *sql);

#define assert_rows(dir, sql, wanted)         \
    do {                                      \
        char *rows_ = ask(dir, sql);          \
        assert_string_equal(rows_, (wanted)); \
        free(rows_);                          \
    } while (0)

/* Neither a world nor the beginning of one. */
void assert_nothing(const char *dir);
void assert_fault(const struct import_report *r, enum import_fault fault, uint64_t count,
                  const char *part);
