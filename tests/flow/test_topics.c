/* Best-first finds the topic: at least twice as many pages that carry its label
 * as breadth-first, as a mean over several topics. SPDX-License-Identifier: MIT */
#include "flow.h"

#define TOPICS 4

static int64_t labelled(struct server *s, const char *w, size_t topic, const char *model)
{
    const char *dir = fresh(text("%s-%zu", model, topic));
    struct sqlite3 *facts;

    assert_code(crawl(s, dir, world_words(w, topic), "--seed", world_seed(w, topic, 0), "--model",
                      model, "--pages", "800", "--delay", "0", "--no-warc"),
                0);
    facts = facts_open(dir, w, NULL);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page"), 800);
    return facts_int(facts, text("SELECT count(*) FROM page p JOIN w.label l ON l.url = p.url"
                                 " WHERE l.label = '%s'",
                                 world_label(w, topic)));
}

static void best_first_finds_twice_as_many_pages_of_the_topic(void **state)
{
    const char *w = world("--pages", "12000", "--hosts", "200");
    struct server *s = serve(w);
    int64_t best = 0, breadth = 0;

    (void)state;
    for (size_t t = 0; t < TOPICS; t++) {
        int64_t b = labelled(s, w, t, "best-first"), f = labelled(s, w, t, "breadth-first");

        print_message("# %s: best-first %lld, breadth-first %lld of 800 pages\n", world_label(w, t),
                      (long long)b, (long long)f);
        best += b, breadth += f;
    }
    server_stop(s);
    assert_true(best >= 2 * breadth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_first_finds_twice_as_many_pages_of_the_topic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
