/* Golden runs: one world, one connection, one order of pages for each model.
 *
 * The order is kept in tests/data/golden/MODEL.txt. A change of it is a change
 * of what users get: if it is meant, BROOD_GOLDEN=write ./test golden writes the
 * files anew, and the commit says why. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"
#include "base/os/file.h"

#include <stdlib.h>

#define PAGES "120"

static void compare(const char *model, const char *got)
{
    const char *path = test_file(text("golden/%s.txt", model));
    const char *wish = getenv("BROOD_GOLDEN");
    struct buf want = BUF_INIT(1 << 20);

    if (wish && strcmp(wish, "write") == 0)
        assert_int_equal(file_write(path, str_of(got)), ST_OK);
    test_read(path, &want);
    assert_string_equal(got, want.data);
    buf_free(&want);
}

static void golden(const char *model, const char *setting)
{
    const char *w = world("--pages", "600", "--hosts", "20", "--rng", "7"), *dir = fresh(model);
    struct server *s = serve(w);

    assert_code(crawl(s, dir, world_words(w, 2), "--seed", world_seed(w, 2, 0), "--model", model,
                      "--set", setting, "--pages", PAGES, "--connections", "1", "--delay", "0",
                      "--rng", "1", "--no-warc"),
                0);
    server_stop(s);
    compare(model, crawl_text(dir, "SELECT group_concat(url, char(10)) || char(10) FROM"
                                   " (SELECT url FROM page ORDER BY id)"));
}

static void breadth_first_visits_as_ever(void **state)
{
    (void)state;
    golden("breadth-first", "buffer=0");
}

static void best_first_visits_as_ever(void **state)
{
    (void)state;
    golden("best-first", "n=1");
}

static const char *order_of(struct server *s, const char *w, const char *model, const char *delay,
                            const char *connections)
{
    const char *dir = fresh(text("%s-%s", model, connections));

    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--model", model,
                      "--pages", "40", "--connections", connections, "--delay", delay, "--no-warc"),
                0);
    return crawl_text(dir, "SELECT group_concat(url, char(10)) FROM"
                           " (SELECT url FROM page ORDER BY id)");
}

/* One host with a delay, many connections: the same pages in the same order as one by one. */
static void delay_of_one_host_changes_no_choice(void **state)
{
    static const char *const models[] = {"breadth-first", "best-first", "shark", "fish"};
    const char *w = world("--pages", "200", "--hosts", "1", "--rng", "5");
    struct server *s = serve(w);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(models); i++)
        assert_string_equal(order_of(s, w, models[i], "30ms", "64"),
                            order_of(s, w, models[i], "0", "1"));
    server_stop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breadth_first_visits_as_ever),
        cmocka_unit_test(best_first_visits_as_ever),
        cmocka_unit_test(delay_of_one_host_changes_no_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
