/* Power cuts: everything that a crawl, `forget` and `check --mend` do to the disk
 * is recorded; then, for every moment of it, the disk is put together as a power
 * cut there may leave it (disk.h) and opened. Every row has its record, what was
 * reported as committed is there, and nothing is half forgotten.
 *
 * Every state is opened with BROOD_EVERY_STATE set, a sample of them without.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "disk.h"
#include "made.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/archive.h"
#include "store/write/check.h"
#include "store/write/forget.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGES   2    /* a checkpoint */
#define ROUNDS  3    /* of a new crawl; one more when it is resumed */
#define SAMPLED 250  /* states of one test */
#define FILE_OF 9000 /* bytes of a WARC file, some pages */

/* What a state is judged by. */
struct judge {
    const char *dir;
    uint64_t promise; /* the last mark before the cut */
    uint64_t pages;   /* that were there before, where nothing is added */
};

typedef uint64_t judge_fn(const struct judge *j); /* gives what is compared with the promise */

/* ---- a crawl ------------------------------------------------------------- */

static struct store_config config_of(void)
{
    struct store_config config = made_config();

    config.warc_size = FILE_OF;
    return config;
}

static void write_round(struct store *s, uint64_t from)
{
    static char body[5000];
    struct rng rng;

    for (uint32_t i = 1; i <= PAGES; i++) {
        rng_init(&rng, from + i);
        for (size_t at = 0; at < sizeof body; at++)
            body[at] = (char)rng_below(&rng, 256);
        made_post(s, &(struct made_page){.id = (uint32_t)from + i,
                                         .nlinks = 3,
                                         .text = "some words to be indexed",
                                         .body = body,
                                         .body_len = sizeof body});
    }
    made_checkpoint(s, from + PAGES);
    assert_int_equal(store_settle(s), ST_OK);
    assert_int_equal(store_committed(s), from + PAGES);
}

static void crawl_rounds(const char *dir, bool resume, uint64_t from, int rounds, bool marks)
{
    struct store_config config = config_of();
    struct store *s = NULL;

    assert_int_equal(resume ? store_open(dir, &config, &s) : store_create(dir, &config, &s), ST_OK);
    for (int i = 0; i < rounds; i++, from += PAGES) {
        write_round(s, from);
        if (marks)
            disk_mark(from + PAGES);
    }
    made_close(s);
}

/* ---- opening ------------------------------------------------------------- */

static void complain(void *ctx, const struct check_issue *i)
{
    (void)ctx;
    print_error("# %s: %.*s\n", check_kind_name(i->kind), STR_ARG(i->text));
}

/* Only what was begun and not committed may disagree, and it can be mended. */
static void expect_leftovers(void *ctx, const struct check_issue *i)
{
    if (i->kind != CHECK_FILE || !i->mended) {
        complain(NULL, i);
        *(bool *)ctx = true;
    }
}

static uint64_t expect_whole(const char *dir)
{
    struct check_result result;

    if (check_run(dir, false, complain, NULL, &result) != ST_OK)
        fail_msg("%s", status_text());
    assert_int_equal(result.issues, 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_row WHERE warc IS NULL"), 0);
    return result.pages;
}

static bool is_there(const char *dir)
{
    char path[512];

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    return access(path, F_OK) == 0 && !store_is_unbegun(dir);
}

/* As `brood resume` opens it, or `brood crawl` where nothing was begun. */
static void open_resumed(const char *dir)
{
    struct store_config config = config_of();
    struct store *s = NULL;

    if ((is_there(dir) ? store_open : store_create)(dir, &config, &s) != ST_OK)
        fail_msg("it does not open again: %s", status_text());
    store_hurry(s);
    made_close(s);
}

static void open_mended(const char *dir)
{
    struct check_result result;
    bool bad = false;

    if (check_run(dir, true, expect_leftovers, &bad, &result) != ST_OK)
        fail_msg("%s", status_text());
    assert_false(bad);
}

static uint64_t judge_crawl(const struct judge *j)
{
    static unsigned turn;
    uint64_t pages;

    if (turn++ % 2 && is_there(j->dir))
        open_mended(j->dir);
    else
        open_resumed(j->dir);
    pages = expect_whole(j->dir);
    assert_int_equal(pages % PAGES, 0);
    return pages;
}

/* ---- every moment -------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag;
    return ftw->level > 0 ? remove(path) : 0;
}

struct seen {
    uint64_t hash, result;
};

/* Equal states are opened once. */
static const struct seen *find_seen(const struct seen *all, size_t count, uint64_t hash)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].hash == hash)
            return &all[i];
    return NULL;
}

static size_t cut; /* the last that was tried */

static int tell_cut(void **state)
{
    (void)state;
    print_message("# the last was cut %zu: change %zu, way %zu\n", cut, cut / DISK_WAYS,
                  cut % DISK_WAYS);
    return 0;
}

static void cut_everywhere(struct judge *j, judge_fn *fn)
{
    size_t first = disk_first(), last = disk_last(), stride = 1, count = 0, cap = 0, asked = 0;
    const char *to = test_dir();
    struct seen *all = NULL;
    char dir[512];

    (void)snprintf(dir, sizeof dir, "%s/crawl", to);
    j->dir = dir;
    if (getenv("BROOD_EVERY_STATE") == NULL)
        stride = (last - first) * DISK_WAYS / SAMPLED + 1;
    stride += stride % DISK_WAYS == 0; /* every way in turn */
    for (size_t at = first * DISK_WAYS; at < (last + 1) * DISK_WAYS; at += stride, asked++) {
        const struct seen *known;
        uint64_t hash;

        assert_int_equal(nftw(to, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
        cut = at;
        j->promise = disk_after(at / DISK_WAYS, at % DISK_WAYS, to, &hash);
        known = find_seen(all, count, hash);
        if (known == NULL) {
            MEM_GROW(all, count, &cap);
            all[count] = (struct seen){hash, fn(j)};
            known = &all[count++];
        }
        if (known->result < j->promise)
            fail_msg("%llu where %llu was promised", (unsigned long long)known->result,
                     (unsigned long long)j->promise);
    }
    print_message("# %zu changes of the disk, %zu power cuts, %zu different states opened\n",
                  last - first, asked, count);
    free(all);
}

static void a_power_cut_during_a_crawl_loses_nothing_that_was_committed(void **state)
{
    const char *root = test_dir();
    struct judge j = {0};
    char dir[512];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/crawl", root);
    disk_watch(root);
    crawl_rounds(dir, false, 0, ROUNDS, true);
    crawl_rounds(dir, true, ROUNDS * PAGES, 1, true);
    disk_stop();
    assert_true(disk_count(".warc.gz") > 3);
    assert_true(disk_count("crawl.db") > 100);
    cut_everywhere(&j, judge_crawl);
}

/* ---- forget -------------------------------------------------------------- */

#define FORGOTTEN "http://a.test/2"

/* Gone from both or there in both, and the others are not touched. */
static uint64_t judge_forget(const struct judge *j)
{
    static unsigned turn;
    uint64_t pages, row;

    if (turn++ % 2)
        open_mended(j->dir);
    else
        open_resumed(j->dir);
    pages = expect_whole(j->dir);
    row = (uint64_t)made_int(j->dir, "SELECT count(*) FROM page WHERE url = '" FORGOTTEN "'");
    assert_int_equal(pages, j->pages - 1 + row);
    return row == 0;
}

static void a_power_cut_during_forget_leaves_a_page_or_none_of_it(void **state)
{
    const char *root = test_dir();
    struct judge j = {.pages = ROUNDS * PAGES};
    struct forget_result result;
    char dir[512];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/crawl", root);
    crawl_rounds(dir, false, 0, ROUNDS, false);
    disk_watch(root);
    assert_int_equal(forget_run(dir, STR(FORGOTTEN), MADE_AT, &result), ST_OK);
    disk_mark(1);
    disk_stop();
    assert_int_equal(result.pages, 1);
    assert_true(disk_count(".warc.gz") > 0);
    cut_everywhere(&j, judge_forget);
}

/* ---- check --mend -------------------------------------------------------- */

/* Damage that can be mended without the loss of a page. */
static void damage(const char *dir)
{
    static const char sql[] = "UPDATE crawl SET value = '77' WHERE key = 'pages';"
                              "UPDATE links_row SET links = '[[0,123456,0,0]]' WHERE page = 1;"
                              "DELETE FROM full_text.page_text_docsize WHERE id = 2";
    char path[1024];
    sqlite3 *db = NULL;
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/warc/%s", dir,
                   made_text(dir, "SELECT name FROM warc ORDER BY id DESC LIMIT 1"));
    f = fopen(path, "abe");
    assert_non_null(f);
    assert_true(fputs("the beginning of a record", f) >= 0);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(path, sizeof path, "%s/warc/brood-20260101000000-00099.warc.gz", dir);
    f = fopen(path, "wbe");
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    (void)snprintf(path, sizeof path, "ATTACH '%s/index.db' AS full_text", dir);
    assert_int_equal(sqlite3_exec(db, path, NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    (void)sqlite3_close(db);
}

static uint64_t judge_mend(const struct judge *j)
{
    struct check_result before, again;

    if (check_run(j->dir, false, NULL, NULL, &before) != ST_OK ||
        check_run(j->dir, true, NULL, NULL, &again) != ST_OK)
        fail_msg("%s", status_text());
    assert_int_equal(again.issues, again.mended);
    assert_int_equal(expect_whole(j->dir), j->pages);
    return before.issues == 0;
}

static void a_power_cut_during_a_mending_leaves_what_can_be_mended(void **state)
{
    const char *root = test_dir();
    struct judge j = {.pages = ROUNDS * PAGES};
    struct check_result result;
    char dir[512];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/crawl", root);
    crawl_rounds(dir, false, 0, ROUNDS, false);
    damage(dir);
    disk_watch(root);
    assert_int_equal(check_run(dir, true, NULL, NULL, &result), ST_OK);
    disk_mark(1);
    disk_stop();
    assert_int_equal(result.mended, result.issues);
    assert_true(result.issues >= 4);
    cut_everywhere(&j, judge_mend);
}

/* ---- a file that is replaced --------------------------------------------- */

static uint64_t judge_file(const struct judge *j)
{
    struct buf text = BUF_INIT(KIB(64));
    char path[1024];
    uint64_t version = 0;

    (void)snprintf(path, sizeof path, "%s/file", j->dir);
    if (file_read(path, &text) == ST_OK) {
        struct str number;
        struct str rest = buf_str(&text);

        assert_int_equal(text.len, 10000); /* old or new, and whole */
        assert_true(str_cut(&rest, ' ', &number));
        assert_true(str_to_u64(number, &version));
    }
    buf_free(&text);
    return version;
}

static void a_power_cut_leaves_the_old_file_or_the_new_one(void **state)
{
    const char *root = test_dir();
    struct judge j = {0};
    char path[512], text[10001];

    (void)state;
    (void)snprintf(path, sizeof path, "%s/crawl", root);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/crawl/file", root);
    disk_watch(root);
    for (int version = 1; version <= 3; version++) {
        (void)snprintf(text, sizeof text, "%-10000d", version);
        assert_int_equal(file_write(path, str_of(text)), ST_OK);
        disk_mark((uint64_t)version);
    }
    disk_stop();
    cut_everywhere(&j, judge_file);
}

/* ---- the archive's names and lengths ------------------------------------- */

static bool is_in_warc(const char *dir, const char *file, const char *end)
{
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/warc/%s%s", dir, file, end);
    return access(path, F_OK) == 0;
}

static void an_archive_is_called_open_until_it_is_closed(void **state)
{
    const char *dir = test_dir();
    struct store_config config = config_of();
    struct warc_record record;
    struct store *s = NULL;
    char file[128];

    (void)state;
    s = made_store(dir);
    write_round(s, 0);
    (void)snprintf(file, sizeof file, "%s", made_text(dir, "SELECT name FROM warc"));
    assert_true(is_in_warc(dir, file, ".open"));
    assert_false(is_in_warc(dir, file, ""));
    for (int closed = 0; closed < 2; closed++) { /* the same name finds it in both */
        assert_int_equal(archive_read(dir, str_of(file), 0, &record), ST_OK);
        warc_record_free(&record);
        if (!closed)
            made_close(s);
        assert_true(is_in_warc(dir, file, ""));
        assert_false(is_in_warc(dir, file, ".open"));
    }
    assert_int_equal(store_open(dir, &config, &s), ST_OK); /* goes on with it */
    assert_true(is_in_warc(dir, file, ".open"));
    write_round(s, PAGES);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM warc"), 2); /* it was full then */
    assert_true(is_in_warc(dir, file, ""));
    made_close(s);
    assert_int_equal(expect_whole(dir), 2 * PAGES);
}

/* Once a sync has failed the next one would succeed, without the bytes. */
static void a_sync_that_fails_is_not_tried_again(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    write_round(s, 0);
    disk_fail_syncs(true);
    made_post(s, &(struct made_page){.id = PAGES + 1});
    made_checkpoint(s, PAGES + 1);
    assert_int_equal(store_settle(s), ST_IO);
    disk_fail_syncs(false);
    made_post(s, &(struct made_page){.id = PAGES + 2});
    made_checkpoint(s, PAGES + 2);
    assert_int_equal(store_settle(s), ST_IO);
    assert_int_equal(store_committed(s), PAGES);
    assert_int_equal(store_close(s, NULL, NULL), ST_IO);
    open_resumed(dir);
    assert_int_equal(expect_whole(dir), PAGES);
}

static void a_short_archive_is_said_and_left_alone(void **state)
{
    const char *dir = test_dir();
    struct store_config config = config_of();
    struct check_result result;
    struct store *s = made_store(dir);
    char path[1024];

    (void)state;
    write_round(s, 0);
    made_close(s);
    (void)snprintf(path, sizeof path, "%s/warc/%s", dir, made_text(dir, "SELECT name FROM warc"));
    assert_int_equal(truncate(path, made_int(dir, "SELECT warc_offset FROM page_row WHERE id = 2")),
                     0);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_found(s).lost, 1);
    write_round(s, PAGES); /* goes on in another file */
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM warc"), 2);
    assert_int_equal(check_run(dir, false, NULL, NULL, &result), ST_OK);
    assert_int_equal(result.lost, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_found(s).lost, 2);
    made_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_power_cut_during_a_crawl_loses_nothing_that_was_committed,
                                  tell_cut),
        cmocka_unit_test_teardown(a_power_cut_during_forget_leaves_a_page_or_none_of_it, tell_cut),
        cmocka_unit_test_teardown(a_power_cut_during_a_mending_leaves_what_can_be_mended, tell_cut),
        cmocka_unit_test_teardown(a_power_cut_leaves_the_old_file_or_the_new_one, tell_cut),
        cmocka_unit_test(an_archive_is_called_open_until_it_is_closed),
        cmocka_unit_test(a_sync_that_fails_is_not_tried_again),
        cmocka_unit_test(a_short_archive_is_said_and_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
