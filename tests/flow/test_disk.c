/* A disk that fills up, files that may not grow, a directory that vanishes: the
 * crawl pauses or stops with a sentence, and nothing that was committed is lost.
 * The full disk is a small tmpfs in a mount namespace of this process; where
 * that is not permitted, its tests are skipped. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/os/file.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *w;
static bool may_mount;

static bool own_namespace(void)
{
    unsigned uid = getuid();

    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
            file_write("/proc/self/uid_map", str_of(text("0 %u 1", uid))) != ST_OK)
            return false;
    }
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int set_up(void **state)
{
    (void)state;
    may_mount = own_namespace();
    w = world("--pages", "400", "--hosts", "10", "--topics", "2");
    return 0;
}

/* A file system of 64 MiB of which all but `left` MiB are taken by $disk/ballast. */
static const char *small_disk(const char *name, int left)
{
    const char *disk = fresh(name);

    if (!may_mount || mkdir(disk, 0777) != 0 || mount("tmpfs", disk, "tmpfs", 0, "size=64m") != 0) {
        print_message("# no file system can be mounted here: skipped\n");
        return NULL;
    }
    assert_code(run("dd", "if=/dev/zero", text("of=%s/ballast", disk), "bs=1M",
                    text("count=%d", 64 - left)),
                0);
    return disk;
}

static struct job *crawl_job(const char *dir, struct server *s)
{
    return brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "300",
                     "--delay", "10ms", "--out", dir, "--quiet", "--json", "--allow-private",
                     "--resolve", s->resolve);
}

static void await_full(const char *dir)
{
    await(file_says(text("%s/crawl.log", dir), "the disk is full"));
}

/* Has nobody been asked for a second? */
static bool rests(const struct server *s)
{
    size_t asked = lines_in(file_text(s->log));

    (void)poll(NULL, 0, 1000);
    return lines_in(file_text(s->log)) == asked;
}

static void holds(const char *dir, int64_t pages)
{
    assert_int_equal(crawl_pages(dir), pages);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT url) FROM page"), pages);
    assert_code(brood("check", dir), 0);
}

static void a_full_disk_pauses_the_crawl_until_there_is_room(void **state)
{
    const char *disk = small_disk("pause", 6), *dir;
    struct server *s;
    struct job *j;
    struct ran r;

    (void)state;
    if (disk == NULL)
        skip();
    dir = text("%s/C", disk);
    s = serve(w);
    j = crawl_job(dir, s);
    await_full(dir);
    await(rests(s)); /* what was under way comes in, and nobody is asked meanwhile */
    assert_true(lines_in(file_text(s->log)) < 300);
    assert_int_equal(unlink(text("%s/ballast", disk)), 0);
    r = job_wait(j);
    assert_code(r, 0);
    assert_says(r.err, "brood: paused: the disk is full");
    assert_says(r.err, "brood: there is room again, going on");
    assert_says(file_text(text("%s/crawl.log", dir)), "the disk takes data again");
    assert_int_equal(times_in(r.out, "{\"page\":"), 300);
    holds(dir, 300);
    server_stop(s);
}

static void ctrl_c_on_a_full_disk_keeps_what_was_committed(void **state)
{
    const char *disk = small_disk("stop", 6), *dir;
    int64_t committed;
    struct server *s;
    struct job *j;
    struct ran r;

    (void)state;
    if (disk == NULL)
        skip();
    dir = text("%s/C", disk);
    s = serve(w);
    j = crawl_job(dir, s);
    await_full(dir);
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    r = job_wait(j);
    assert_code(r, 130);
    assert_says(r.err, "the disk is full");
    assert_says(r.err, text("to go on: brood resume %s", dir));
    assert_int_equal(unlink(text("%s/ballast", disk)), 0);
    committed = crawl_pages(dir);
    assert_true((int64_t)times_in(r.out, "{\"page\":") <= committed);
    assert_true(committed < 300);
    assert_code(brood("resume", dir, "--quiet"), 0);
    holds(dir, 300);
    server_stop(s);
}

static void no_room_at_all_is_said_before_anything_is_asked(void **state)
{
    const char *disk = small_disk("none", 2);
    struct server *s;
    struct ran r;

    (void)state;
    if (disk == NULL)
        skip();
    s = serve(w);
    r = crawl(s, text("%s/C", disk), "stars", "--seed", world_seed(w, 0, 0));
    assert_refused(r, 1, "the disk is full");
    assert_int_equal(lines_in(file_text(s->log)), 0);
    server_stop(s);
}

/* A file that may not grow is met by SQLite and by the archive, at some point. */
static void a_limit_of_file_sizes_stops_with_a_sentence(void **state)
{
    static const int blocks[] = {40, 400, 1200, 2400}; /* of 512 bytes */

    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const char *dir = fresh(text("limited-%zu", i));
        struct server *s = serve(w);
        struct job *j = job_start((const char *const[]){
            "sh", "-c",
            text("ulimit -f %d; exec %s crawl \"$1\" --seed \"$2\" --pages 300 --delay 0 --out %s"
                 " --quiet --allow-private --resolve \"$3\"",
                 blocks[i], getenv("BROOD_BIN"), dir),
            "sh", world_words(w, 0), world_seed(w, 0, 0), s->resolve, NULL});
        struct ran r;

        await(file_says(text("%s/crawl.log", dir), "File too large") ||
              file_says(text("/proc/%d/stat", (int)job_pid(j)), ") Z "));
        (void)kill(job_pid(j), SIGTERM); /* where the archive waits for room */
        r = job_wait(j);
        if (r.code != 1 && r.code != 130)
            fail_msg("%d blocks: exit code %d: %s", blocks[i], r.code, r.err);
        assert_says(r.err, "brood: ");
        r = brood("resume", dir, "--quiet");
        if (r.code == 1) { /* it did not even get to its first commit */
            assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                              "300", "--delay", "0"),
                        0);
        } else {
            assert_code(r, 0);
        }
        holds(dir, 300);
        server_stop(s);
    }
}

static void a_vanished_directory_ends_the_crawl_with_a_sentence(void **state)
{
    const char *dir = fresh("vanished");
    struct server *s = serve(w);
    struct job *j =
        brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--delay", "100ms",
                  "--out", dir, "--quiet", "--allow-private", "--resolve", s->resolve);
    struct ran r;

    (void)state;
    await_lines(s->log, 10);
    assert_code(run("rm", "-r", dir), 0);
    r = job_wait(j);
    assert_refused(r, 1, "has vanished");
    assert_says(r.err, dir);
    server_stop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_pauses_the_crawl_until_there_is_room),
        cmocka_unit_test(ctrl_c_on_a_full_disk_keeps_what_was_committed),
        cmocka_unit_test(no_room_at_all_is_said_before_anything_is_asked),
        cmocka_unit_test(a_limit_of_file_sizes_stops_with_a_sentence),
        cmocka_unit_test(a_vanished_directory_ends_the_crawl_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
