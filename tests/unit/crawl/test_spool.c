/* test_spool.c - words of pages until the end of the crawl. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "crawl/judge/spool.h"
#include "text/profile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS 700

/* A page of its own for each number: the first term has more than a byte can count. */
struct made {
    struct page page;
    struct arrival arrival;
    struct word words[WORDS];
    struct passage main[2];
    struct link link;
    struct term terms[WORDS];
    uint32_t sequence[WORDS + 3];
    uint64_t stops[WORDS / 64 + 2];
};

static struct made *make(uint32_t id)
{
    struct made *m = calloc(1, sizeof *m);

    assert_non_null(m);
    for (uint32_t i = 0; i < WORDS; i++) {
        m->words[i] = (struct word){10 * i, 9};
        m->terms[i] = (struct term){id + 7 * i + 1, i == 0 ? 255 + id : 1 + i % 254};
        m->sequence[i + 3] = id + i;
    }
    m->sequence[0] = id;
    m->stops[1] = id;
    m->main[0] = (struct passage){50, 0, PASSAGE_TEXT}; /* taken out */
    m->main[1] = (struct passage){1000, 300, PASSAGE_TEXT};
    m->link.anchor = (struct span){100, 103}; /* 1000 to 1029 */
    m->page = (struct page){.text = {"", 10 * WORDS},
                            .words = m->words,
                            .nwords = WORDS,
                            .main = m->main,
                            .nmain = 2,
                            .links = &m->link,
                            .nlinks = 1};
    m->arrival.page = &m->page;
    m->arrival.profile = (struct profile){.terms = m->terms,
                                          .nterms = WORDS,
                                          .sequence = m->sequence,
                                          .stops = m->stops,
                                          .ntitle = 2,
                                          .nsequence = WORDS + 3};
    return m;
}

static void assert_same_words(const struct profile *a, const struct profile *b)
{
    struct term of_a[WORDS], of_b[WORDS];

    assert_int_equal(a->nterms, b->nterms);
    assert_memory_equal(a->terms, b->terms, a->nterms * sizeof *a->terms);
    profile_terms(a, of_a);
    profile_terms(b, of_b);
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_int_equal(a->nsequence, b->nsequence);
    assert_memory_equal(a->sequence, b->sequence, a->nsequence * sizeof *a->sequence);
}

static void add(struct spool *s, uint32_t id)
{
    struct made *m = make(id);

    spool_add(s, id, &m->arrival);
    free(m);
}

static void assert_found(struct spool *s, uint32_t id)
{
    struct made *m = make(id);
    struct spooled found;
    struct profile want;

    m->arrival.profile.lead = 3 + 100; /* where the passage that is left begins */
    want = profile_copy(&m->arrival.profile);
    assert_true(spool_find(s, id, &found));
    assert_same_words(&found.profile, &want);
    assert_int_equal(found.extent.main, 300);
    assert_int_equal(found.extent.all, 10 * WORDS);
    assert_int_equal(found.extent.linked, 29);
    profile_drop(&want);
    free(m);
}

/* Twice: those who judge read the pages once to learn and once to judge. */
static void check_pages(uint32_t last)
{
    struct spool *s = spool_new(test_dir());
    struct spooled found;

    for (uint32_t id = 3; id <= last; id += 2)
        add(s, id);
    for (int round = 0; round < 2; round++) {
        spool_rewind(s);
        assert_false(spool_find(s, 1, &found)); /* of an earlier run */
        for (uint32_t id = 3; id <= last; id += 6) {
            assert_found(s, id);
            assert_false(spool_find(s, id + 1, &found));
        }
        assert_false(spool_find(s, last + 1, &found));
    }
    spool_free(s);
}

static void few_pages_come_back_as_they_were(void **state)
{
    (void)state;
    check_pages(9);
}

/* Some MB: they went to the disk. */
static void many_pages_come_back_as_they_were(void **state)
{
    (void)state;
    check_pages(2001);
}

static void a_spool_without_a_page_has_none(void **state)
{
    struct spool *s = spool_new(test_dir());
    struct spooled found;

    (void)state;
    spool_rewind(s);
    assert_false(spool_find(s, 1, &found));
    spool_free(s);
    spool_free(NULL);
}

/* Pages that it could not keep are read from the database. */
static void where_nothing_can_be_written_pages_are_missing(void **state)
{
    struct spool *s = spool_new("./there-is-no-such-folder");
    struct spooled found;

    (void)state;
    for (uint32_t id = 1; id <= 1000; id++)
        add(s, id);
    spool_rewind(s);
    assert_false(spool_find(s, 1, &found));
    spool_free(s);
}

/* Its file becomes one that cannot be mapped. */
static void spoil_file(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), spoiled = 0;

    for (int fd = 3; fd < 64; fd++) {
        char name[64], path[512];
        ssize_t n;

        (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        n = readlink(name, path, sizeof path);
        if (n > 0 && str_find((struct str){path, (size_t)n}, STR("judging.part"), 0) != SIZE_MAX)
            spoiled += dup2(null, fd) == fd;
    }
    assert_int_equal(spoiled, 1);
    (void)close(null);
}

static void where_nothing_can_be_read_pages_are_missing(void **state)
{
    struct spool *s = spool_new(test_dir());
    struct spooled found;

    (void)state;
    for (uint32_t id = 1; id <= 1000; id++)
        add(s, id);
    spoil_file();
    spool_rewind(s);
    assert_false(spool_find(s, 1000, &found));
    spool_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pages_come_back_as_they_were),
        cmocka_unit_test(many_pages_come_back_as_they_were),
        cmocka_unit_test(a_spool_without_a_page_has_none),
        cmocka_unit_test(where_nothing_can_be_written_pages_are_missing),
        cmocka_unit_test(where_nothing_can_be_read_pages_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
