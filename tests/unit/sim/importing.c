/* importing.c - what tests of imports share. SPDX-License-Identifier: MIT */
#include "importing.h"

#include "store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- making input -------------------------------------------------------- */

char *in_dir(const char *dir, const char *name)
{
    struct buf path = BUF_INIT(4096);

    buf_addf(&path, "%s/%s", dir, name);
    return buf_take(&path, NULL);
}

/* A file, with the folders above it. */
void put(const char *dir, const char *name, struct str bytes)
{
    char *path = in_dir(dir, name);
    FILE *f;

    for (char *c = path + strlen(dir) + 1; *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        (void)mkdir(path, 0777);
        *c = '/';
    }
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    free(path);
}

void put_z(const char *dir, const char *name, const char *text)
{
    put(dir, name, str_of(text));
}

/* A ustar header and a content, as tar.c reads them. */
void add_tar(struct buf *tar, const char *name, struct str bytes)
{
    char block[512] = "";
    unsigned sum = 0;

    (void)snprintf(block, 100, "%s", name);
    (void)snprintf(block + 124, 12, "%011zo", bytes.len);
    memcpy(block + 257,
           "ustar\0"
           "00",
           8);
    block[156] = '0';
    memset(block + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    (void)snprintf(block + 148, 8, "%06o", sum);
    buf_add(tar, block, sizeof block);
    buf_add_str(tar, bytes);
    memset(block, 0, sizeof block);
    buf_add(tar, block, (512 - bytes.len % 512) % 512);
}

void end_tar(struct buf *tar)
{
    static const char zeros[1024];

    buf_add(tar, zeros, sizeof zeros);
}

/* ---- running and asking -------------------------------------------------- */

struct import_config config(int from)
{
    return (struct import_config){
        .from = from, .since = IMPORT_NO_TIME, .until = IMPORT_NO_TIME, .software = "brood"};
}

enum status run(const char *source, const char *dir, const struct import_config *c,
                struct import_report *r)
{
    return world_import(&source, 1, dir, c, NULL, NULL, r);
}

void imported(const char *source, const char *dir, const struct import_config *c,
              struct import_report *r)
{
    if (run(source, dir, c, r) != ST_OK) {
        for (int f = 0; f < IMPORT_FAULTS; f++)
            for (int i = 0; i < IMPORT_NAMED && r->faults[f].names[i]; i++)
                print_error("%s: %s\n", import_fault_name((enum import_fault)f),
                            r->faults[f].names[i]);
        fail_msg("%s", status_text());
    }
}

/* The rows of a query, columns separated by spaces, rows by lines. */
char *ask(const char *dir, const char *sql)
{
    struct buf out = BUF_INIT(1 << 20);
    sqlite3_stmt *rows = NULL;
    sqlite3 *db = NULL;
    enum status st;

    assert_int_equal(db_open_reader(dir, &db), ST_OK);
    /* as other programs read it */
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
    assert_int_equal(db_prepare(db, sql, &rows), ST_OK);
    while (db_row(db, rows, &st)) {
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            buf_addf(&out, "%s%.*s", i ? " " : "", STR_ARG(db_str(rows, i)));
        buf_add_z(&out, "\n");
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(db);
    return buf_take(&out, NULL);
}

void assert_nothing(const char *dir)
{
    struct buf part = BUF_INIT(4096);

    buf_addf(&part, "%s.part", dir);
    assert_int_not_equal(access(dir, F_OK), 0);
    assert_int_not_equal(access(part.data, F_OK), 0);
    buf_free(&part);
}

void assert_fault(const struct import_report *r, enum import_fault fault, uint64_t count,
                  const char *part)
{
    assert_int_equal(r->faults[fault].count, count);
    if (part)
        assert_non_null(strstr(r->faults[fault].names[0], part));
}
