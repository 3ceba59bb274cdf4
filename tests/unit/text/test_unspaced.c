/* test_unspaced.c - words of text that is written without spaces. SPDX-License-Identifier: MIT */
#include "support/example.h"
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "parse/charset.h"
#include "text/profile.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/words/unspaced.h"
#include "text/vocab.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define NEED_ICU                   \
    do {                           \
        if (!unspaced_has_words()) \
            skip();                \
    } while (0)

/* The words of a text with bars between them; a gap is a space. */
static void assert_words(const char *source, const char *wanted)
{
    struct unspaced *u = unspaced_new();
    struct str text = str_of(source);
    struct word words[UNSPACED_RUN];
    uint16_t lens[UNSPACED_RUN];
    struct buf out = BUF_INIT(KIB(4));
    size_t n = 0, at = 0, off, len, run;

    while (n < ARRAY_LEN(words) && token_next(text, &at, &off, &len))
        words[n++] = (struct word){(uint32_t)off, (uint16_t)len};
    for (size_t i = 0; i < n; i += run) {
        run = unspaced_run(text, words + i, n - i);
        if (run > 0)
            unspaced_words(u, text, words + i, run, lens);
        else
            lens[0] = words[i].len;
        run = run > 0 ? run : 1;
        for (size_t k = 0; k < run; k++) {
            if (lens[k] == 0)
                continue;
            buf_add_z(&out, out.len > 0 ? "|" : "");
            buf_add_str(&out, str_sub(text, words[i + k].off, (size_t)words[i + k].off + lens[k]));
        }
    }
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
    unspaced_free(u);
}

static void words_are_those_of_a_dictionary(void **state UNUSED)
{
    NEED_ICU;
    assert_words("全文検索システム", "全文|検索|システム");
    assert_words("使用软件包管理系统。", "使用|软件|包|管理|系统");
    assert_words("ภาษาไทยง่ายนิดเดียว", "ภาษา|ไทย|ง่าย|นิด|เดียว");
    assert_words("សួស្តីពិភពលោក", "សួស្តី|ពិភពលោក");
    assert_words("ພາສາລາວ", "ພາສາ|ລາວ");
    assert_words("ကျွန်တော်သည်ကျောင်းသားဖြစ်သည်", "ကျွန်တော်|သည်|ကျောင်းသား|ဖြစ်သည်");
}

static void words_with_spaces_stay_as_they_are(void **state UNUSED)
{
    NEED_ICU;
    assert_words("don't über Привет नमस्ते 한국어", "don't|über|Привет|नमस्ते|한국어");
    assert_words("Debianの全文 apt検索", "Debian|の|全文|apt|検索");
}

static void a_long_word_is_cut_between_characters(void **state UNUSED)
{
    static const char cut[] = "ฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮ"; /* 63 bytes */

    NEED_ICU;
    assert_words("ฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮ", cut);
    assert_words("ฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮฮ", cut);
}

/* ---- pages ---- */

static float relevance(const char *topic, const char *title, const char *text)
{
    struct topic *t = NULL;
    struct profiler *p;
    struct profile profile;
    struct arena arena;
    struct page page;

    arena_init(&arena, MIB(16));
    if (topic_from_words(str_of(topic), STR("en"), &t) != ST_OK)
        fail_msg("%s", status_text());
    p = profiler_new(t);
    page = page_of_text(str_of(text), &arena);
    page.title = str_of(title);
    assert_int_equal(profile_page(p, &page, STR("http://a.example/"), NULL, &arena, &profile),
                     DROP_NONE);
    profiler_free(p);
    topic_free(t);
    arena_free(&arena);
    return profile.relevance;
}

static void a_topic_is_not_found_across_two_words(void **state UNUSED)
{
    NEED_ICU;
    assert_true(relevance("京都", "", "京都は古い都です。") > 0);
    assert_true(relevance("京都", "京都", "古い都です。") > 0);
    assert_true(relevance("京都", "", "東京都は大きい。") == 0);
}

static void a_phrase_is_words_that_touch(void **state UNUSED)
{
    float both = relevance("全文検索", "", "このシステムは全文検索を行う。");

    NEED_ICU;
    assert_true(both > relevance("全文検索", "", "検索は全文を見る。"));
    assert_true(both > 0);
    assert_true(relevance("全文検索", "", "検索は全文を見る。") > 0);
    assert_true(relevance("\"全文検索\"", "", "検索は全文を見る。") == 0);
    assert_true(relevance("\"Debian パッケージ\"", "", "新しいDebianパッケージです。") > 0);
    assert_true(relevance("-検索 全文", "", "全文検索を行う。") <
                relevance("全文", "", "全文検索を行う。"));
}

static void a_topic_can_be_written_down_again(void **state UNUSED)
{
    struct buf out = BUF_INIT(KIB(4));
    struct topic *t = NULL;

    NEED_ICU;
    assert_int_equal(topic_from_words(STR("+全文検索 -東京都 x"), STR("en"), &t), ST_OK);
    topic_describe(t, &out);
    assert_true(str_starts(buf_str(&out), STR("\"全文検索\", 全文, 検索, not \"東京都\", x")));
    assert_str(topic_source(t), "\"全文検索\" \"全文\" \"検索\" -\"東京都\" \"x\"");
    topic_free(t);
    buf_free(&out);
}

static uint64_t simhash(const char *text)
{
    struct profiler *p = profiler_new(NULL);
    struct profile profile;
    struct arena arena;
    struct page page;

    arena_init(&arena, MIB(16));
    page = page_of_text(str_of(text), &arena);
    (void)profile_page(p, &page, STR("http://a.example/"), NULL, &arena, &profile);
    profiler_free(p);
    arena_free(&arena);
    return profile.simhash;
}

static void other_texts_are_no_duplicates(void **state UNUSED)
{
    uint64_t a = simhash("このシステムは全文検索を行う。新しいパッケージをインストールする方法。"),
             b = simhash("生活在这棵老树上的蜜蜂自夏末以来就没有被看见过。"),
             c = simhash("東京都の天気は晴れ。京都の古い寺を見に行きましょう。");

    assert_true(__builtin_popcountll(a ^ b) > 10);
    assert_true(__builtin_popcountll(a ^ c) > 10);
}

/* ---- real texts ---- */

struct count {
    size_t files, characters, words, named;
    struct vocab *vocab;
};

/* Learns a text, and looks whether the words of its terms are found in it. */
static void learn(struct count *c, struct str text)
{
    struct profiler *p = profiler_new(NULL);
    struct profile profile;
    struct arena arena;
    struct page page;

    arena_init(&arena, MIB(64));
    page = page_of_text(text, &arena);
    (void)profile_page(p, &page, STR("http://a.example/"), NULL, &arena, &profile);
    for (uint32_t i = 0; i < page.nwords; i++)
        if (unspaced_is(page.text, page.words[i])) {
            c->characters++;
            c->words += profile.sequence[profile.ntitle + 1 + i] != 0;
        }
    profile_learn(p, &page, c->vocab);
    for (uint32_t i = 0; i < profile.nterms; i++)
        c->named += !vocab_lacks_text(c->vocab, profile.terms[i].id);
    c->files++;
    arena_free(&arena);
    profiler_free(p);
}

static void learn_folder(struct count *c, const char *folder, const char *charset)
{
    struct charset_reader *r = charset_reader_new();
    const struct charset *encoding = charset_of_name(str_of(charset));
    DIR *dir = opendir(folder);
    struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        struct buf bytes = BUF_INIT(MIB(4));
        char path[600];

        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && file_read(path, &bytes) == ST_OK)
            learn(c, charset_decode(r, encoding, buf_str(&bytes)));
        buf_free(&bytes);
    }
    (void)closedir(dir);
    charset_reader_free(r);
}

/* Letters a word: real texts have between one and a half and six. */
static void assert_real(const char *folder, const char *charset, double least, double most)
{
    struct count c = {.vocab = vocab_new()};
    double each;

    learn_folder(&c, folder, charset);
    each = (double)c.characters / (double)c.words;
    vocab_free(c.vocab);
    if (c.files == 0 || c.named == 0 || each < least || each > most)
        fail_msg("%s: %zu files, %zu characters, %zu words", folder, c.files, c.characters,
                 c.words);
}

static void real_japanese_falls_into_words(void **state UNUSED)
{
    NEED_ICU;
    NEED_DATA(folder, "charset/EUC-JP");
    assert_real(folder, "EUC-JP", 1.5, 2.5);
}

static void real_chinese_falls_into_words(void **state UNUSED)
{
    NEED_ICU;
    NEED_DATA(folder, "charset/GB2312");
    assert_real(folder, "GBK", 1.3, 2.2);
}

static void real_thai_falls_into_words(void **state UNUSED)
{
    NEED_ICU;
    NEED_DATA(folder, "charset/TIS-620");
    assert_real(folder, "windows-874", 2.0, 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_a_dictionary),
        cmocka_unit_test(words_with_spaces_stay_as_they_are),
        cmocka_unit_test(a_long_word_is_cut_between_characters),
        cmocka_unit_test(a_topic_is_not_found_across_two_words),
        cmocka_unit_test(a_phrase_is_words_that_touch),
        cmocka_unit_test(a_topic_can_be_written_down_again),
        cmocka_unit_test(other_texts_are_no_duplicates),
        cmocka_unit_test(real_japanese_falls_into_words),
        cmocka_unit_test(real_chinese_falls_into_words),
        cmocka_unit_test(real_thai_falls_into_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
