/* Fault injection: every write of the database fails in turn, and the archive
 * meets a limit. After each failure the directory opens again in a state that
 * was committed, with everything that was reported as stored.
 *
 * A VFS around SQLite's own counts writes, syncs and truncations and lets the
 * nth of them fail, once or from then on. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"
#include "shim.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/write/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define PAGES  3 /* a checkpoint */
#define ROUNDS 3

/* ---- the fault ----------------------------------------------------------- */

struct fault {
    long calls;    /* so far */
    long at;       /* the first that fails; 0: none */
    bool for_ever; /* all after it, too */
    int code;      /* what SQLite is told */
    bool hit;
};

static struct fault fault; /* the writer thread's, while a store is open */

static int may_fail(struct shim_file *f, enum shim_change what, const void *bytes, int n,
                    sqlite3_int64 at)
{
    long call = __atomic_add_fetch(&fault.calls, 1, __ATOMIC_RELAXED);

    (void)f, (void)what, (void)bytes, (void)n, (void)at;
    if (fault.at == 0 || call < fault.at || (call > fault.at && !fault.for_ever))
        return SQLITE_OK;
    fault.hit = true;
    return fault.code;
}

static int set_up(void **state)
{
    static const struct shim_hooks hooks = {.change = may_fail};

    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    return shim_use(&hooks) ? 0 : -1;
}

static void arm(long at, bool for_ever, int code)
{
    fault = (struct fault){.at = at, .for_ever = for_ever, .code = code};
}

/* ---- a crawl that fails -------------------------------------------------- */

/* Posts rounds of pages; what was reported as committed before the end. */
static uint64_t write_rounds(struct store *s, uint64_t from)
{
    uint64_t reported = 0;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 1; i <= PAGES; i++)
            made_post(s, &(struct made_page){.id = (uint32_t)from + round * PAGES + i,
                                             .nlinks = 3,
                                             .text = "some words to be indexed"});
        made_checkpoint(s, from + (round + 1) * PAGES);
        (void)!store_settle(s);
        reported = store_committed(s);
    }
    return reported;
}

static void complain(void *ctx, const struct check_issue *i)
{
    (void)ctx;
    print_error("%.*s\n", STR_ARG(i->text));
}

/* Whole, and at least `reported` pages; how many. */
static uint64_t opens_again(const char *dir, uint64_t reported)
{
    struct store_config config = made_config();
    struct check_result result;
    struct store *s = NULL;
    uint64_t pages;

    if (store_is_unbegun(dir)) {
        assert_int_equal(reported, 0);
        assert_int_equal(store_create(dir, &config, &s), ST_OK);
    } else if (store_open(dir, &config, &s) != ST_OK) {
        fail_msg("it does not open again: %s", status_text());
    }
    pages = store_committed(s);
    made_close(s);
    assert_true(pages >= reported);
    assert_int_equal(pages % PAGES, 0);
    if (check_run(dir, false, complain, NULL, &result) != ST_OK)
        fail_msg("%s", status_text());
    assert_int_equal(result.issues, 0);
    assert_int_equal(result.pages, pages);
    return pages;
}

/* One failure at the nth call; false where there were fewer. `resume`: in a
 * crawl that goes on, else in a new one. */
static bool fails_at(const char *dir, long n, bool for_ever, int code, bool resume)
{
    struct store_config config = made_config();
    uint64_t before = 0, reported = 0;
    struct store *s = NULL;
    enum status st;
    bool hit;

    if (resume) {
        s = made_store(dir);
        before = write_rounds(s, 0);
        assert_int_equal(before, ROUNDS * PAGES);
        made_close(s);
        s = NULL;
    }
    arm(n, for_ever, code);
    st = resume ? store_open(dir, &config, &s) : store_create(dir, &config, &s);
    reported = before;
    if (st == ST_OK) {
        reported = write_rounds(s, before);
        st = store_close(s, NULL, NULL);
    }
    hit = fault.hit;
    arm(0, false, 0);
    if (st != ST_OK)
        assert_true(*status_text() != '\0');
    (void)opens_again(dir, reported > before ? reported : before);
    return hit;
}

static void remove_dir(const char *dir)
{
    char command[1024];

    (void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

static void each_in_turn(bool resume, long step)
{
    static const struct {
        bool for_ever;
        int code;
    } ways[] = {{false, SQLITE_IOERR_WRITE}, {true, SQLITE_FULL}, {true, SQLITE_IOERR_WRITE}};
    char dir[512];
    long n = 1, way = 0;

    (void)snprintf(dir, sizeof dir, "%s/crawl", test_dir());
    arm(0, false, 0);
    for (bool reached = true; reached; n += n < 40 ? 1 : step, way++) {
        reached = fails_at(dir, n, ways[way % 3].for_ever, ways[way % 3].code, resume);
        remove_dir(dir);
    }
    print_message("# %ld writes, syncs and truncations\n", n);
    assert_true(n > 50);
}

static void every_write_of_a_new_crawl_may_fail(void **state)
{
    (void)state;
    each_in_turn(false, 2);
}

static void every_write_of_a_resumed_crawl_may_fail(void **state)
{
    (void)state;
    each_in_turn(true, 2);
}

/* ---- the archive --------------------------------------------------------- */

static void an_archive_that_may_not_grow_waits_and_loses_nothing(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct rlimit old, low;
    static char body[300000];
    struct rng rng;
    char text[512];

    (void)state;
    rng_init(&rng, 7);
    for (size_t i = 0; i < sizeof body; i++)
        body[i] = (char)rng_below(&rng, 256);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = (struct rlimit){.rlim_cur = 1000000, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    for (uint32_t i = 1; i <= 6; i++) {
        body[0] = (char)i; /* no two are the same */
        made_post(s, &(struct made_page){.id = i, .body = body, .body_len = sizeof body});
        made_checkpoint(s, i);
    }
    while (store_health(s, text, sizeof text) == ST_OK && store_committed(s) < 6)
        clock_sleep(10000);
    assert_int_equal(store_health(s, text, sizeof text), ST_BUSY);
    assert_non_null(strstr(text, "File too large"));
    assert_in_range(store_committed(s), 1, 5);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    while (store_committed(s) < 6)
        clock_sleep(10000);
    made_close(s);
    assert_int_equal(opens_again(dir, 6), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_write_of_a_new_crawl_may_fail),
        cmocka_unit_test(every_write_of_a_resumed_crawl_may_fail),
        cmocka_unit_test(an_archive_that_may_not_grow_waits_and_loses_nothing),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
