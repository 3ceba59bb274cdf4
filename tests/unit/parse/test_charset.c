/* test_charset.c - encodings: labels, the prescan's vectors, real texts.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "parse/charset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static const char *name_of(const struct charset *c)
{
    return c ? c->name : "none";
}

static void labels_follow_the_standard(void **unused)
{
    (void)unused;
    assert_string_equal(name_of(charset_of_label(STR(" UTF8\n"))), "UTF-8");
    assert_string_equal(name_of(charset_of_label(STR("latin1"))), "windows-1252");
    assert_string_equal(name_of(charset_of_label(STR("us-ascii"))), "windows-1252");
    assert_string_equal(name_of(charset_of_label(STR("x-x-big5"))), "Big5");
    assert_string_equal(name_of(charset_of_label(STR("gb2312"))), "GBK");
    assert_string_equal(name_of(charset_of_label(STR("iso-8859-8-i"))), "ISO-8859-8-I");
    assert_string_equal(name_of(charset_of_label(STR("hz-gb-2312"))), "replacement");
    assert_null(charset_of_label(STR("")));
    assert_null(charset_of_label(STR("utf-7")));
    assert_null(charset_of_label(STR("utf-8 utf8")));
    assert_null(charset_of_label(STR("8859-1")));
    assert_null(charset_of_label(STR("UTF-32LE")));
}

/* Decodes and compares; the input stands in memory of exactly its size. */
static void check(const char *name, struct str bytes, const char *want)
{
    struct charset_reader *r = charset_reader_new();
    const struct charset *c = charset_of_name(str_of(name));
    char *copy = malloc(bytes.len ? bytes.len : 1);

    assert_non_null(c);
    memcpy(copy, bytes.ptr, bytes.len);
    assert_str(charset_decode(r, c, (struct str){copy, bytes.len}), want);
    free(copy);
    charset_reader_free(r);
}

#define BAD "\xef\xbf\xbd"

static void bad_bytes_become_replacement_characters(void **unused)
{
    (void)unused;
    check("UTF-8",
          STR("a\xff"
              "b\xe2\x82"),
          "a" BAD "b" BAD);
    check("UTF-8", STR("\xf0\x80\x80\x41"), BAD BAD BAD "A");
    check("windows-1252", STR("\x80\x81\xe9"), "\xe2\x82\xac\xc2\x81\xc3\xa9");
    check("windows-1253", STR("\xd2"), BAD);
    check("Shift_JIS", STR("\x82\xa0\x82<p>\xfd"), "\xe3\x81\x82" BAD "<p>" BAD);
    check("EUC-JP", STR("\xa4\xa2\xff"), "\xe3\x81\x82" BAD);
    check("UTF-16LE",
          STR("a\0\x00\xd8"
              "b\0c"),
          "a" BAD "b" BAD);
    check("x-user-defined", STR("a\x80"), "a\xef\x9e\x80");
    check("replacement", STR("anything"), BAD);
}

static void valid_utf8_is_not_copied(void **unused)
{
    struct charset_reader *r = charset_reader_new();
    struct str text = STR("na\xc3\xafve \xf0\x9f\x95\xb7 \xef\xbf\xbd text long enough");

    (void)unused;
    assert_ptr_equal(charset_decode(r, charset_of_label(STR("utf-8")), text).ptr, text.ptr);
    charset_reader_free(r);
}

static void who_is_believed_first(void **unused)
{
    struct charset_reader *r = charset_reader_new();
    struct str meta = STR("<meta charset=koi8-r>\xc1"),
               mark = STR("\xef\xbb\xbf<meta charset=big5>");
    size_t bom;

    (void)unused;
    assert_string_equal(charset_decide(r, mark, STR("latin1"), &bom)->name, "UTF-8");
    assert_int_equal(bom, 3);
    assert_string_equal(charset_decide(r, meta, STR("latin1"), &bom)->name, "windows-1252");
    assert_string_equal(charset_decide(r, meta, STR("nonsense"), &bom)->name, "KOI8-R");
    assert_string_equal(charset_decide(r, meta, STR(""), &bom)->name, "KOI8-R");
    assert_int_equal(bom, 0);
    assert_string_equal(charset_decide(r, STR("plain"), STR(""), &bom)->name, "UTF-8");
    assert_string_equal(charset_decide(r, STR(""), STR(""), &bom)->name, "UTF-8");
    assert_string_equal(
        charset_decide(r, STR("<?xml version='1.0' encoding='EUC-KR'?>"), STR(""), &bom)->name,
        "EUC-KR");
    charset_reader_free(r);
}

/* ---- html5lib's encoding tests -------------------------------------------------- */

struct score {
    unsigned run, good;
};

static void prescan_case(struct str data, struct str want, struct score *score)
{
    const struct charset *c, *w = charset_of_label(want);
    const char *got;
    size_t bom;

    c = charset_of_bom(data, &bom);
    if (c == NULL)
        c = charset_prescan(data, CHARSET_PRESCAN);
    if (c == NULL)
        c = charset_prescan(data, CHARSET_LATE);
    got = c ? c->name : "windows-1252";
    score->run++;
    if (w != NULL && strcmp(got, w->name) == 0)
        score->good++;
    else
        print_message("# prescan differs: got %s, want %.*s, of %.*s\n", got, STR_ARG(want),
                      (int)(data.len < 200 ? data.len : 200), data.ptr);
}

static void prescan_file(const char *name, struct score *score)
{
    struct buf file = BUF_INIT(MIB(4));
    size_t at = 0, end, enc, nl;
    struct str all;

    test_read(name, &file);
    all = buf_str(&file);
    while ((at = str_find(all, STR("#data\n"), at)) != SIZE_MAX) {
        at += 6;
        enc = str_find(all, STR("\n#encoding\n"), at);
        assert_true(enc != SIZE_MAX);
        end = enc + 11;
        nl = str_find_char(all, '\n', end);
        prescan_case(str_sub(all, at, enc), str_sub(all, end, nl == SIZE_MAX ? all.len : nl),
                     score);
        at = end;
    }
    buf_free(&file);
}

static void html5lib_prescan_vectors_agree(void **unused)
{
    static const char *const files[] = {"html/encoding/tests1.dat", "html/encoding/tests2.dat",
                                        "html/encoding/test-yahoo-jp.dat"};
    struct score score = {0, 0};

    (void)unused;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        NEED_DATA(path, files[i]);
        prescan_file(path, &score);
    }
    print_message("# prescan vectors: %u of %u agree\n", score.good, score.run);
    assert_int_equal(score.run, 82);
    assert_int_equal(score.good, score.run);
}

/* ---- texts in folders named by their encoding --------------------------------------- */

/* "iso-8859-2-croatian" -> "iso-8859-2". */
static const struct charset *charset_of_folder(const char *folder)
{
    static const struct {
        const char *folder, *name;
    } others[] = {
        {"CP932", "Shift_JIS"},    {"CP949", "EUC-KR"},           {"MacCyrillic", "x-mac-cyrillic"},
        {"MacRoman", "macintosh"}, {"utf-8-sig", "UTF-8"},        {"UTF-16", "UTF-16LE"},
        {"UTF-32", "UTF-32LE"},    {"iso-2022-kr", "ISO-2022-KR"}};
    struct str name = str_of(folder);

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(folder, others[i].folder) == 0)
            return charset_of_name(str_of(others[i].name));
    while (name.len && charset_of_name(name) == NULL)
        name.len--;
    return name.len ? charset_of_name(name) : NULL;
}

/* Right is what reads as the same text. Single characters may differ where two
 * encodings are one for all but a few signs (MacRoman's euro, windows-874's
 * quotes): nine characters of ten outside ASCII must agree. */
static bool same_text(struct str a, struct str b)
{
    size_t i = 0, j = 0, high = 0, same = 0;

    while (i < a.len && j < b.len) {
        uint32_t x = utf8_next(a, &i), y = utf8_next(b, &j);

        if (x < 0x80 && y < 0x80 && x != y)
            return false;
        high += x >= 0x80 || y >= 0x80;
        same += x >= 0x80 && x == y;
    }
    return i == a.len && j == b.len && same * 10 >= high * 9;
}

static void text_case(const char *path, const char *folder, const char *name, struct score *score)
{
    struct charset_reader *r = charset_reader_new(), *other = charset_reader_new();
    const struct charset *truth = charset_of_folder(folder), *got;
    struct buf file = BUF_INIT(MIB(16));
    struct str bytes, ours, theirs;
    size_t bom, skip = 0;

    test_read(path, &file);
    bytes = buf_str(&file);
    if (charset_of_bom(bytes, &skip) != NULL)
        truth = charset_of_bom(bytes, &skip);
    got = charset_decide(r, bytes, STR(""), &bom);
    ours = charset_decode(r, got, str_sub(bytes, bom, bytes.len));
    assert_true(utf8_is_valid(ours));
    assert_non_null(truth);
    theirs = charset_decode(other, truth, str_sub(bytes, skip, bytes.len));
    score->run++;
    if (same_text(ours, theirs))
        score->good++;
    else
        print_message("# %s/%s: taken for %s%s\n", folder, name, got->name,
                      charset_prescan(bytes, CHARSET_PRESCAN) ? " (it says so itself)" : "");
    buf_free(&file);
    charset_reader_free(r);
    charset_reader_free(other);
}

static void real_texts_are_read_in_their_encoding(void **unused)
{
    char root[500], folder[800], path[1200];
    struct score score = {0, 0};
    struct dirent *f, *t;
    DIR *folders, *texts;

    (void)unused;
    NEED_DATA(found, "charset");
    snprintf(root, sizeof root, "%s", found);
    folders = opendir(root);
    assert_non_null(folders);
    while ((f = readdir(folders)) != NULL) {
        snprintf(folder, sizeof folder, "%s/%s", root, f->d_name);
        texts = f->d_name[0] == '.' ? NULL : opendir(folder);
        while (texts != NULL && (t = readdir(texts)) != NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, t->d_name);
            if (t->d_name[0] != '.')
                text_case(path, f->d_name, t->d_name, &score);
        }
        if (texts != NULL)
            closedir(texts);
    }
    closedir(folders);
    print_message("# charset texts: %u of %u read right\n", score.good, score.run);
    assert_true(score.run > 400);
    assert_true(score.good * 100 >= score.run * 90);
}

static void characters_at_the_end_of_a_part_stay_whole(void **state)
{
    struct buf in = BUF_INIT(MIB(2)), want = BUF_INIT(MIB(2));
    struct charset_reader *r = charset_reader_new();

    (void)state;
    buf_add_z(&in, "a"); /* so that parts of an even length end inside a character */
    buf_add_z(&want, "a");
    for (int i = 0; i < 300000; i++) {
        buf_add_z(&in, "\x82\xa0");
        buf_add_z(&want, "\xe3\x81\x82");
    }
    assert_true(str_eq(charset_decode(r, charset_of_label(STR("shift_jis")), buf_str(&in)),
                       buf_str(&want)));
    charset_reader_free(r);
    buf_free(&in);
    buf_free(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_follow_the_standard),
        cmocka_unit_test(bad_bytes_become_replacement_characters),
        cmocka_unit_test(valid_utf8_is_not_copied),
        cmocka_unit_test(who_is_believed_first),
        cmocka_unit_test(html5lib_prescan_vectors_agree),
        cmocka_unit_test(real_texts_are_read_in_their_encoding),
        cmocka_unit_test(characters_at_the_end_of_a_part_stay_whole),
    };

    return cmocka_run_group_tests_name("charset", tests, NULL, NULL);
}
