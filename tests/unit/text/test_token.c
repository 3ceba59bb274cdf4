/* test_token.c - words in UTF-8 text. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/words/token.h"
#include "text/words/unicode.h"

#include <stdlib.h>

/* The words of a text, joined by '|'. */
static void assert_words(const char *text, const char *expected)
{
    struct buf out = BUF_INIT(100000);
    size_t at = 0, off, len;

    while (token_next(str_of(text), &at, &off, &len)) {
        buf_add_z(&out, out.len ? "|" : "");
        buf_add(&out, text + off, len);
    }
    assert_int_equal(at, strlen(text));
    assert_str(buf_str(&out), expected);
    buf_free(&out);
}

static void assert_lower(const char *word, const char *expected)
{
    char out[2 * TOKEN_MAX];
    size_t len = token_lower(word, strlen(word), out);

    assert_str(((struct str){out, len}), expected);
}

static void letters_and_digits_make_words(void **state UNUSED)
{
    assert_words("", "");
    assert_words(" ,.;-- \n", "");
    assert_words("Hello, world!", "Hello|world");
    assert_words("a b2 3c 44 x_y", "a|b2|3c|44|x|y");
    assert_words("(end)", "end");
    assert_words("@AZ[`az{/09:", "AZ|az|09");
    assert_words("one-eight-characters-and-more", "one|eight|characters|and|more");
}

static void every_byte_is_seen_alike_at_every_offset(void **state UNUSED)
{
    /* the eight-byte steps and the tail must agree */
    for (int pad = 0; pad < 20; pad++) {
        for (int c = 1; c < 128; c++) {
            char text[64];
            size_t at = 0, off = 0, len = 0;
            bool is_word = ascii_is_alpha((char)c) || ascii_is_digit((char)c);

            memset(text, ' ', sizeof text);
            text[pad] = (char)c;
            assert_int_equal(token_next((struct str){text, (size_t)pad + 1}, &at, &off, &len),
                             is_word);
            at = 0;
            assert_int_equal(token_next((struct str){text, 40}, &at, &off, &len), is_word);
            if (is_word) {
                assert_int_equal(off, pad);
                assert_int_equal(len, 1);
            }
        }
    }
}

static void an_apostrophe_joins_letters_only(void **state UNUSED)
{
    assert_words("don't stop", "don't|stop");
    assert_words("don’t", "don’t");
    assert_words("'quoted' dogs' 'tis", "quoted|dogs|tis");
    assert_words("rock'n'roll", "rock'n'roll");
    assert_words("1980's a''b", "1980|s|a|b");
    assert_words("l'été d'où", "l'été|d'où");
    assert_words("été's", "été's");
    assert_words("x'", "x");
    assert_words("漢'a", "漢|a");
}

static void letters_of_all_scripts_are_letters(void **state UNUSED)
{
    assert_words("Übergröße naïve Ελλάδα Москва", "Übergröße|naïve|Ελλάδα|Москва");
    assert_words("שלום עולם, مرحبا", "שלום|עולם|مرحبا");
    assert_words("한국어 문서", "한국어|문서");
    assert_words("e\xcc\x81t\xcc\x81", "e\xcc\x81t\xcc\x81"); /* combining acute */
    assert_words("\xcc\x81 x", "x");                          /* no word begins with a mark */
    assert_words("٣٤ ४", "٣٤|४");
    assert_words("Dampf\xc2\xadschiff", "Dampf\xc2\xadschiff"); /* soft hyphen */
    assert_words("x²€×y", "x|y");
}

static void han_kana_and_thai_characters_are_words_of_their_own(void **state UNUSED)
{
    assert_words("太陽能 energy", "太|陽|能|energy");
    assert_words("abc漢字def", "abc|漢|字|def");
    assert_words("カタカナー", "カ|タ|カ|ナ|ー");
    assert_words("ก็ดี", "ก็|ดี");
}

static void broken_bytes_separate_words(void **state UNUSED)
{
    assert_words("ab\xff"
                 "cd",
                 "ab|cd");
    assert_words("ab\xe4\xb8", "ab");
    assert_words("\x80\x80x\xc3", "x");
    assert_words("a\xed\xa0\x80z", "a|z"); /* a surrogate */
}

static void a_long_run_is_cut_between_characters(void **state UNUSED)
{
    char text[400];
    size_t at = 0, off, len;

    memset(text, 'x', 200);
    memcpy(text + 200, " y", 3);
    assert_true(token_next(str_of(text), &at, &off, &len));
    assert_int_equal(len, TOKEN_MAX);
    assert_int_equal(at, 200);
    assert_true(token_next(str_of(text), &at, &off, &len));
    assert_int_equal(off, 201);

    text[0] = 'a';
    for (int i = 0; i < 60; i++)
        memcpy(text + 1 + 2 * i, "é", 3);
    at = 0;
    assert_true(token_next(str_of(text), &at, &off, &len));
    assert_int_equal(len, TOKEN_MAX - 1);
    assert_int_equal(at, 121);
}

static void lower_case_is_the_simple_mapping(void **state UNUSED)
{
    assert_lower("ABCxyz09", "abcxyz09");
    assert_lower("ÄÖÜẞ", "äöüß");
    assert_lower("ΣΊΣΥΦΟΣ", "σίσυφοσ");
    assert_lower("ЁЖ", "ёж");
    assert_lower("ĀāĂŸ", "āāăÿ");
    assert_lower("İ", "i");
    assert_lower("Ⱥ", "ⱥ"); /* grows by a byte */
    assert_lower("Don’t", "don't");
    assert_lower("Dampf\xc2\xadschiff", "dampfschiff");
    assert_lower("\xff\xff", "");
}

static void lower_case_fits_its_room(void **state UNUSED)
{
    char word[TOKEN_MAX], out[2 * TOKEN_MAX];

    for (size_t i = 0; i < TOKEN_MAX; i += 2)
        memcpy(word + i, "Ⱥ", 2);
    assert_int_equal(token_lower(word, sizeof word, out), TOKEN_MAX / 2 * 3);
}

static void classes_know_their_edges(void **state UNUSED)
{
    assert_int_equal(unicode_class('a'), CHAR_LETTER);
    assert_int_equal(unicode_class('0'), CHAR_DIGIT);
    assert_int_equal(unicode_class(' '), CHAR_OTHER);
    assert_int_equal(unicode_class(0xd7), CHAR_OTHER);
    assert_int_equal(unicode_class(0xad), CHAR_JOINER);
    assert_int_equal(unicode_class(0x4e00), CHAR_SOLO);
    assert_int_equal(unicode_class(0x20000), CHAR_SOLO);
    assert_int_equal(unicode_class(0xac00), CHAR_LETTER);
    assert_int_equal(unicode_class(0x1d7ce), CHAR_DIGIT);
    assert_int_equal(unicode_class(0x10ffff), CHAR_OTHER);
    assert_int_equal(unicode_class(0xffffffff), CHAR_OTHER);
    assert_int_equal(unicode_lower(0x10400), 0x10428);
    assert_int_equal(unicode_lower(0x10ffff), 0x10ffff);
}

/* Where a text ends soon, words are looked for in another way: it finds the same ones. */
static void a_word_is_the_same_near_the_end_of_a_text(void **state UNUSED)
{
    static const char *const pieces[] = {"a", "Bc", "9",        " ",
                                         "'", ", ", "\xc3\xa9", "\xe4\xb8\xad"};
    struct rng r;

    rng_init(&r, 1);
    for (unsigned i = 0; i < 20000; i++) {
        char text[80] = "";
        size_t at = 0, near_at = 0, off = 0, len = 0, near_off = 0, near_len = 0;
        struct str all, near;

        while (strlen(text) < 40)
            strcat(text, pieces[rng_below(&r, ARRAY_LEN(pieces))]);
        all = str_of(text);
        near = str_sub(all, 0, 31);
        if (!token_next(all, &at, &off, &len) || at > 27) /* the cut does not reach it */
            continue;
        assert_true(token_next(near, &near_at, &near_off, &near_len));
        assert_int_equal(near_at, at);
        assert_int_equal(near_off, off);
        assert_int_equal(near_len, len);
    }
}

/* The next word, found within a text that is too short for several to be looked at together. */
static bool next_alone(struct str text, size_t *at, struct word *ret)
{
    size_t off, len;

    while (*at < text.len) {
        size_t near = 0;

        if (token_next(str_sub(text, *at, *at + 31), &near, &off, &len) && off < 8) {
            *ret = (struct word){(uint32_t)(*at + off), (uint16_t)len};
            *at += near;
            return true;
        }
        *at += 1; /* a gap, of ASCII */
    }
    return false;
}

static void words_are_the_same_alone_and_together(void **state UNUSED)
{
    static const char *const pieces[] = {"a",        "Bc", "word",     "9",  " ", " ",
                                         "  \n    ", "'s", "\xc3\xa9", ", ", "-"};
    struct rng r;

    rng_init(&r, 2);
    for (unsigned i = 0; i < 5000; i++) {
        struct word words[200], alone;
        char text[400] = "";
        size_t at = 0, alone_at = 0, n = 0, most = 1 + rng_below(&r, 20), got;
        struct str all;

        for (uint64_t k = rng_below(&r, 50); k > 0; k--) {
            strcat(text, pieces[rng_below(&r, ARRAY_LEN(pieces))]);
            if (k % 3 == 0) /* words are short */
                strcat(text, " ");
        }
        all = str_of(text);
        do {
            got = token_words(all, &at, words + n, most);
            n += got;
        } while (got == most);
        assert_int_equal(at, all.len);
        for (size_t k = 0; k < n; k++) {
            assert_true(next_alone(all, &alone_at, &alone));
            assert_int_equal(words[k].off, alone.off);
            assert_int_equal(words[k].len, alone.len);
        }
        assert_false(next_alone(all, &alone_at, &alone));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_and_digits_make_words),
        cmocka_unit_test(every_byte_is_seen_alike_at_every_offset),
        cmocka_unit_test(a_word_is_the_same_near_the_end_of_a_text),
        cmocka_unit_test(words_are_the_same_alone_and_together),
        cmocka_unit_test(an_apostrophe_joins_letters_only),
        cmocka_unit_test(letters_of_all_scripts_are_letters),
        cmocka_unit_test(han_kana_and_thai_characters_are_words_of_their_own),
        cmocka_unit_test(broken_bytes_separate_words),
        cmocka_unit_test(a_long_run_is_cut_between_characters),
        cmocka_unit_test(lower_case_is_the_simple_mapping),
        cmocka_unit_test(lower_case_fits_its_room),
        cmocka_unit_test(classes_know_their_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
