/* test_vocab.c - document frequencies: learned, published, written, kept.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

static void add(struct vocab *v, const uint32_t *ids, uint32_t n)
{
    struct term terms[64];

    for (uint32_t i = 0; i < n; i++)
        terms[i] = (struct term){.id = ids[i], .count = 3};
    vocab_add(v, &(struct profile){.terms = terms, .nterms = n});
}

static void idf_is_ln_of_1_plus_n_by_df(void **state UNUSED)
{
    struct vocab *v = vocab_new();
    struct df_table *df;

    add(v, (uint32_t[]){1, 2}, 2);
    add(v, (uint32_t[]){2, 3}, 2);
    add(v, (uint32_t[]){2}, 1);
    df = vocab_publish(v);
    assert_int_equal(vocab_terms(v), 3);
    assert_float_equal(df_idf(df, 1), log(1 + 3.0), 1e-6);
    assert_float_equal(df_idf(df, 2), log(1 + 1.0), 1e-6);
    assert_float_equal(df_idf(df, 99), log(1 + 3.0), 1e-6); /* never seen: df 1 */
    df_release(df);
    vocab_free(v);
}

static void without_documents_every_idf_is_1(void **state UNUSED)
{
    struct vocab *v = vocab_new();
    struct df_table *df = vocab_publish(v);

    assert_float_equal(df_idf(df, 5), 1, 0);
    assert_float_equal(df_idf(NULL, 5), 1, 0);
    df_release(df);
    df_release(NULL);
    vocab_free(v);
}

static void a_table_is_due_when_documents_grew_by_an_eighth(void **state UNUSED)
{
    struct vocab *v = vocab_new();
    unsigned published = 0;

    assert_false(vocab_is_due(v));
    for (uint32_t i = 1; i <= 1000; i++) {
        add(v, &i, 1);
        if (vocab_is_due(v)) {
            df_release(vocab_publish(v));
            published++;
            assert_false(vocab_is_due(v));
        }
    }
    assert_in_range(published, 30, 60);
    vocab_free(v);
}

static void an_old_table_outlives_new_ones(void **state UNUSED)
{
    struct vocab *v = vocab_new();
    struct df_table *old, *held;

    add(v, (uint32_t[]){1}, 1);
    old = vocab_publish(v);
    held = df_hold(old);
    for (uint32_t i = 0; i < 5000; i++)
        add(v, (uint32_t[]){i + 1, i + 100000}, 2);
    df_release(old);
    assert_float_equal(df_idf(held, 1), log(2), 1e-6);
    df_release(held);
    vocab_free(v);
}

static void a_table_is_written_sorted_and_reads_back(void **state UNUSED)
{
    static const char *const stems[] = {"sun", "energi", "pump"};
    struct vocab *v = vocab_new(), *w = vocab_new();
    struct buf text = BUF_INIT(10000), again = BUF_INIT(10000);
    struct df_table *df;

    vocab_keep_text(v);
    for (int i = 0; i < 3; i++) {
        uint32_t id = term_id(str_of(stems[i]));

        assert_true(vocab_lacks_text(v, id));
        vocab_name(v, id, str_of(stems[i]));
        assert_false(vocab_lacks_text(v, id));
        add(v, &id, 1);
    }
    add(v, (uint32_t[]){term_id(STR("sun"))}, 1);
    vocab_write(v, &text);
    assert_str(buf_str(&text), "# brood idf 1 4\nenergi\t1\npump\t1\nsun\t2\n");

    vocab_keep_text(w);
    assert_int_equal(vocab_load(w, buf_str(&text), "t"), ST_OK);
    vocab_write(w, &again);
    assert_str(buf_str(&again), text.data);
    assert_true(vocab_is_due(w));
    add(w, (uint32_t[]){77}, 1); /* does nothing: the table is fixed */
    assert_int_equal(vocab_documents(w), 4);
    df = vocab_publish(w);
    assert_float_equal(df_idf(df, term_id(STR("sun"))), log(1 + 4.0 / 2), 1e-6);
    df_release(df);
    buf_free(&text);
    buf_free(&again);
    vocab_free(v);
    vocab_free(w);
}

static void assert_bad(const char *text, const char *message)
{
    struct vocab *v = vocab_new();

    assert_int_equal(vocab_load(v, str_of(text), "t.idf"), ST_INVALID);
    assert_non_null(strstr(status_text(), message));
    vocab_free(v);
}

static void a_bad_table_is_refused_by_line(void **state UNUSED)
{
    assert_bad("", "t.idf:1: not a table");
    assert_bad("hello\n", "t.idf:1: not a table");
    assert_bad("# brood idf 2 5\n", "t.idf:1:");
    assert_bad("# brood idf 1 0\n", "t.idf:1:");
    assert_bad("# brood idf 1 99999999999\n", "t.idf:1:");
    assert_bad("# brood idf 1 5\nsun\t2\nmoon\n", "t.idf:3: expected a stem, a tab and a number");
    assert_bad("# brood idf 1 5\nsun\t6\n", "t.idf:2:");
    assert_bad("# brood idf 1 5\nsun\t0\n", "t.idf:2:");
    assert_bad("# brood idf 1 5\n\t1\n", "t.idf:2:");
}

static void a_checkpoint_brings_everything_back(void **state UNUSED)
{
    struct vocab *v = vocab_new(), *w = vocab_new();
    struct buf state_bytes = BUF_INIT(1 << 20);
    struct df_table *a, *b;

    for (uint32_t i = 1; i < 3000; i++)
        add(v, (uint32_t[]){i * 2654435761u | 1, 12}, 2);
    vocab_save(v, &state_bytes);
    assert_int_equal(vocab_restore(w, buf_str(&state_bytes)), ST_OK);
    assert_int_equal(vocab_documents(w), 2999);
    assert_int_equal(vocab_terms(w), vocab_terms(v));
    assert_true(vocab_is_due(w));
    a = vocab_publish(v);
    b = vocab_publish(w);
    for (uint32_t i = 1; i < 4000; i++)
        assert_true(df_idf(a, i * 2654435761u | 1) == df_idf(b, i * 2654435761u | 1));
    assert_int_equal(vocab_restore(w, str_sub(buf_str(&state_bytes), 0, 100)), ST_CORRUPT);
    assert_int_equal(vocab_restore(w, STR("")), ST_CORRUPT);
    df_release(a);
    df_release(b);
    buf_free(&state_bytes);
    vocab_free(v);
    vocab_free(w);
}

static void a_term_is_never_0(void **state UNUSED)
{
    assert_int_not_equal(term_id(STR("")), 0);
    assert_int_equal(term_id(STR("solar")), term_id(STR("solar")));
    assert_int_not_equal(term_id(STR("solar")), term_id(STR("lunar")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idf_is_ln_of_1_plus_n_by_df),
        cmocka_unit_test(without_documents_every_idf_is_1),
        cmocka_unit_test(a_table_is_due_when_documents_grew_by_an_eighth),
        cmocka_unit_test(an_old_table_outlives_new_ones),
        cmocka_unit_test(a_table_is_written_sorted_and_reads_back),
        cmocka_unit_test(a_bad_table_is_refused_by_line),
        cmocka_unit_test(a_checkpoint_brings_everything_back),
        cmocka_unit_test(a_term_is_never_0),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
