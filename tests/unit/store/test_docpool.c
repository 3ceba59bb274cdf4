/* A crawl as a pool of documents: texts and tables, computed by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "store/export/export.h"
#include "store/read/stored_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *dir;

static int set_up(void **state)
{
    struct store *s;

    (void)state;
    dir = test_dir();
    s = made_store(dir);
    made_post(s, &(struct made_page){.id = 1,
                                     .agent = 4,
                                     .relevance = 0.5F,
                                     .href = "http://a.test/../../etc/passwd%00?q",
                                     .title = "Bees\tand \nthe",
                                     .text = "honey bees honey"});
    made_post(s, &(struct made_page){.id = 2, .title = "", .text = "the bees sail"});
    made_post(s, &(struct made_page){.id = 3, .title = "", .text = "bees", .hidden = true});
    made_post(s, &(struct made_page){.id = 4, .title = "", .text = "bees", .dup_of = 2});
    made_post(s, &(struct made_page){.id = 1001, .agent = 4, .title = "", .text = "sail"});
    made_checkpoint(s, 5);
    made_close(s);
    return 0;
}

static const char *path_of(const char *pool, const char *name)
{
    static char path[5000];

    (void)snprintf(path, sizeof path, "%s/%s", pool, name);
    return path;
}

static void holds(const char *pool, const char *name, const char *wanted)
{
    struct buf text = BUF_INIT(100000);

    test_read(path_of(pool, name), &text);
    assert_str(buf_str(&text), wanted);
    buf_free(&text);
}

/* N = 3. bee: in pages 1 (title and text: 2) and 2; honey: in 1, twice; sail: in 2 and 1001.
 *     idf   bee, sail  ln(1 + 3/2) = 0.916291     honey  ln(1 + 3/1) = 1.38629
 *     tf 2  1 + ln 2 = 1.693147; times idf: bee 1.55142, honey 2.34720
 *     tf 1  1: idf itself
 * and, the are stop words. */
static void tables_are_as_computed(void **state)
{
    char pool[4000];
    struct export_to to = {.dir = pool};
    struct query *q;

    (void)state;
    (void)snprintf(pool, sizeof pool, "%s/pool", test_dir());
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(export_docpool(q, &to), ST_OK);
    holds(pool, "idf.tsv",
          "stem\tdf\tidf\nbee\t2\t0.916291\nhoney\t1\t1.38629\nsail\t2\t0.916291\n");
    holds(pool, "tf.tsv",
          "number\tstem\ttf\n1\tbee\t2\n1\thoney\t2\n2\tbee\t1\n2\tsail\t1\n1001\tsail\t1\n");
    holds(pool, "tfidf.tsv",
          "number\tstem\tweight\n1\tbee\t1.55142\n1\thoney\t2.3472\n2\tbee\t0.916291\n"
          "2\tsail\t0.916291\n1001\tsail\t0.916291\n");
    holds(pool, "index.tsv",
          "number\tfile\tstems\twords\trelevance\turl\ttitle\n"
          "1\ttexts/00000/00000001.txt\t2\t4\t0.5\thttp://a.test/../../etc/passwd%00?q\t"
          "Bees and  the\n"
          "2\ttexts/00000/00000002.txt\t2\t2\t0\thttp://a.test/2\t\n"
          "1001\ttexts/00001/00001001.txt\t1\t1\t0\thttp://a.test/1001\t\n");
    holds(pool, "texts/00000/00000001.txt", "Bees and  the\n\nhoney bees honey\n");
    holds(pool, "texts/00001/00001001.txt", "\n\nsail\n");
    assert_int_not_equal(access(path_of(pool, "texts/00000/00000003.txt"), F_OK), 0);
    assert_int_not_equal(access(path_of(pool, "texts/00000/00000004.txt"), F_OK), 0);
    assert_int_equal(export_docpool(q, &to), ST_IO); /* it is there */
    query_close(q);
}

static void count_call(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *calls = ctx;

    assert_int_equal(done, *calls);
    assert_int_equal(total, 2 * 3); /* two passes */
    ++*calls;
}

static void it_can_be_watched_and_stopped(void **state)
{
    uint64_t calls = 0;
    int stop = 1;
    char pool[4000];
    struct export_to to = {.dir = pool, .progress = count_call, .ctx = &calls};
    struct query *q;

    (void)state;
    assert_int_equal(query_open(dir, &q), ST_OK);
    (void)snprintf(pool, sizeof pool, "%s/watched", test_dir());
    assert_int_equal(export_docpool(q, &to), ST_OK);
    assert_int_equal(calls, 6);
    (void)snprintf(pool, sizeof pool, "%s/stopped", test_dir());
    to = (struct export_to){.dir = pool, .stop = &stop};
    assert_int_equal(export_docpool(q, &to), ST_STOPPED);
    (void)snprintf(pool, sizeof pool, "%s/none/pool", test_dir());
    assert_int_equal(export_docpool(q, &(struct export_to){.dir = pool}), ST_IO);
    query_close(q);
}

static struct buf told;

static enum status tell(void *ctx, const struct stored_text *t)
{
    (void)ctx;
    buf_addf(&told, "%u:%u ", t->row->id, t->page->nwords);
    return ST_OK;
}

static void texts_of_one_agent_can_be_read(void **state)
{
    struct query *q;

    (void)state;
    buf_init(&told, 1000);
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(stored_texts_each(q, &(struct stored_texts){.agent = 4}, tell, NULL), ST_OK);
    assert_str(buf_str(&told), "1:3 1001:1 ");
    query_close(q);
    buf_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_as_computed),
        cmocka_unit_test(it_can_be_watched_and_stopped),
        cmocka_unit_test(texts_of_one_agent_can_be_read),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
