/* test_tokens.c - our tokenizer against SQLite's own. SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "parse/charset.h"
#include "store/tokens.h"
#include "support/support.h"
#include "text/words/unicode.h"

#include <dirent.h>
#include <stdio.h>

static struct side {
    sqlite3 *db;
    fts5_tokenizer calls;
    Fts5Tokenizer *words;
    uint64_t sum, count; /* of the words of a text, with their places */
    uint64_t words_sum;  /* without them */
} own, stock;

static void find(struct side *s)
{
    static const char *args[] = {"remove_diacritics", "2"};
    fts5_api *api = NULL;
    void *ctx;

    assert_int_equal(tokens_api(s->db, &api), ST_OK);
    assert_int_equal(api->xFindTokenizer(api, "unicode61", &ctx, &s->calls), SQLITE_OK);
    assert_int_equal(s->calls.xCreate(ctx, args, 2, &s->words), SQLITE_OK);
}

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &own.db), SQLITE_OK);
    assert_int_equal(sqlite3_open(":memory:", &stock.db), SQLITE_OK);
    assert_int_equal(tokens_join(own.db), ST_OK);
    find(&own);
    find(&stock);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    own.calls.xDelete(own.words);
    stock.calls.xDelete(stock.words);
    (void)sqlite3_close(own.db);
    (void)sqlite3_close(stock.db);
    return 0;
}

static int on_word(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct side *s = ctx;
    uint64_t word = hash_str((struct str){token, (size_t)len});

    s->sum = hash_u64(s->sum ^ word ^ hash_u64((uint64_t)from << 32 | (uint32_t)to));
    s->sum += (uint64_t)flags;
    s->words_sum = hash_u64(s->words_sum ^ word);
    s->count++;
    return SQLITE_OK;
}

static void read_words(struct side *s, struct str text)
{
    s->sum = s->count = s->words_sum = 0;
    assert_int_equal(
        s->calls.xTokenize(s->words, s, FTS5_TOKENIZE_DOCUMENT, text.ptr, (int)text.len, on_word),
        SQLITE_OK);
}

/* The text ends where its memory ends, so that a look beyond it is found. */
static bool same_cut(struct str text)
{
    char *copy = str_dup(text);
    struct str words[TOKENS_MOST], rest = {mem_resize(copy, text.len, 1), text.len};
    uint64_t sum = 0, count = 0;
    const char *begin = rest.ptr;
    size_t n;

    while ((n = tokens_cut(own.words, &rest, words)) > 0)
        for (size_t i = 0; i < n; i++, count++)
            sum = hash_u64(sum ^ hash_str(words[i]));
    mem_drop(&begin);
    return sum == own.words_sum && count == own.count;
}

static bool same(struct str text)
{
    read_words(&own, text);
    read_words(&stock, text);
    return own.sum == stock.sum && own.count == stock.count && same_cut(text);
}

static size_t put(uint32_t c, char *out)
{
    if (c < 0x80)
        return (size_t)snprintf(out, 8, "%c", (int)c);
    if (c < 0x800)
        return (size_t)snprintf(out, 8, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 63)));
    if (c < 0x10000)
        return (size_t)snprintf(out, 8, "%c%c%c", (int)(0xe0 | c >> 12),
                                (int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
    return (size_t)snprintf(out, 8, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 63)),
                            (int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
}

static void every_character_is_read_as_sqlite_reads_it(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[32] = "";
        size_t n = put(c, text);

        if (unicode_class(c) == CHAR_SOLO)
            continue;
        text[n++] = ' ';
        text[n++] = 'A';
        n += put(c, text + n);
        text[n++] = 'b';
        n += put(c, text + n);
        n += put(c, text + n);
        if (!same((struct str){text, n}))
            fail_msg("U+%04X differs", c);
    }
}

/* Small and large letters, letters of two to four bytes, marks alone and on letters, signs,
 * and bytes that are no character. */
static void any_mixture_is_read_as_sqlite_reads_it(void **state)
{
    static const char *const parts[] = {
        "a",
        "word",
        "WORD",
        "7",
        " ",
        "-",
        "\xc3\xa9",
        "\xc3\x89",
        "\n",
        "'",
        "_",
        "e\xcc\x81",
        "x\x80",
        "x\xaa",
        "\xd0\x96",
        "\xe2\x80\x94",
        "\xe4-",
        "\xf0 ",
        "\xc0 ",
        "\xff.",
        "\xed\xa0\x80",
        "\xf0\x9f\x98\x80",
        " \xcc\x81",
    };
    char text[600];
    struct rng r;

    (void)state;
    rng_init(&r, 7);
    for (int i = 0; i < 20000; i++) {
        size_t len = 0, want = (size_t)(rng_unit(&r) * 500);

        while (len < want) {
            const char *part = parts[(size_t)(rng_unit(&r) * (double)ARRAY_LEN(parts))];

            memcpy(text + len, part, strlen(part));
            len += strlen(part);
        }
        if (!same((struct str){text, len}))
            fail_msg("text %d differs", i);
    }
}

/* Runs of one kind, of up to 2,000 bytes: many words in a few bytes, words and gaps that are longer
 * than what is cut at a time; seldom a character that is not ASCII, or bytes that are none. */
static void long_runs_are_cut_as_words_are_read(void **state)
{
    static const char *const runs[] = {"a",    "Q",        "7",        " ",        "-",
                                       "a ",   "Z-",       "ab  ",     "Abcdefg ", "\xff",
                                       "\x80", "\xc3\xa9", " \xcc\x81"};
    static const size_t longest[] = {1, 20, 100, 2000};
    char text[8192];
    struct rng r;

    (void)state;
    rng_init(&r, 8);
    for (int i = 0; i < 3000; i++) {
        size_t len = 0, want = rng_below(&r, 6000);

        while (len < want) {
            const char *part = runs[rng_below(&r, rng_below(&r, 4) ? 9 : ARRAY_LEN(runs))];
            size_t n = 1 + rng_below(&r, longest[rng_below(&r, ARRAY_LEN(longest))]);

            for (; n >= strlen(part) && len < want; n -= strlen(part), len += strlen(part))
                memcpy(text + len, part, strlen(part));
            if (n > 0 && len < want)
                text[len++] = part[0];
        }
        read_words(&own, (struct str){text, len});
        if (!same_cut((struct str){text, len}))
            fail_msg("text %d differs", i);
    }
}

static void a_word_of_any_length_is_one_word(void **state)
{
    struct buf text = BUF_INIT(MIB(1));

    (void)state;
    for (int i = 0; i < 100000; i++)
        buf_add_z(&text, i % 3 ? "\xc3\x84" : "X");
    assert_true(same(buf_str(&text)));
    assert_int_equal(own.count, 1);
    buf_free(&text);
}

/* Adds spaces around the characters of scripts without spaces, with their marks. */
static void set_apart(struct str text, struct buf *out)
{
    bool inside = false;

    buf_clear(out);
    for (size_t at = 0, from = 0; at < text.len; from = at) {
        enum char_class kind = unicode_class(utf8_next(text, &at));

        if (kind == CHAR_SOLO || (inside && kind != CHAR_MARK))
            buf_add_char(out, ' ');
        inside = kind == CHAR_SOLO || (inside && kind == CHAR_MARK);
        buf_add_str(out, str_sub(text, from, at));
    }
}

/* Marks of these scripts are no letters to SQLite: both are asked without them. */
static bool same_apart(struct str text)
{
    struct buf apart = BUF_INIT(MIB(64));
    uint64_t words;
    bool fine;

    set_apart(text, &apart);
    read_words(&own, text);
    words = own.count;
    read_words(&own, buf_str(&apart));
    fine = own.count == words;
    for (size_t at = 0, from = 0; at < apart.len; from = at) {
        uint32_t c = utf8_next(buf_str(&apart), &at);

        if (c >= 0x900 && unicode_class(c) == CHAR_MARK)
            memset(apart.data + from, ' ', at - from);
    }
    fine &= same(buf_str(&apart));
    buf_free(&apart);
    return fine;
}

static void characters_without_spaces_are_words_with_their_marks(void **state)
{
    (void)state;
    read_words(&own, STR("全文検索"));
    assert_int_equal(own.count, 4);
    read_words(&own, STR("Debianの全文 apt検索7"));
    assert_int_equal(own.count, 8);
    read_words(&own, STR("กินข้าว")); /* ก + mark, น, ข + mark, า, ว */
    assert_int_equal(own.count, 5);
    read_words(&own, STR("한국어 ascii")); /* Korean has spaces */
    assert_int_equal(own.count, 2);
}

static uint64_t read_folder(struct charset_reader *r, const char *folder)
{
    DIR *texts = opendir(folder);
    struct dirent *t;
    uint64_t words = 0;

    while (texts != NULL && (t = readdir(texts)) != NULL) {
        struct buf file = BUF_INIT(MIB(64));
        char path[1200];
        const struct charset *charset;
        struct str bytes;
        size_t bom;

        (void)snprintf(path, sizeof path, "%s/%s", folder, t->d_name);
        if (t->d_name[0] != '.' && file_read(path, &file) == ST_OK) {
            bytes = buf_str(&file);
            charset = charset_decide(r, bytes, STR(""), &bom);
            if (!same_apart(charset_decode(r, charset, str_sub(bytes, bom, bytes.len))))
                fail_msg("%s differs", path);
            words += own.count;
        }
        buf_free(&file);
    }
    if (texts)
        (void)closedir(texts);
    return words;
}

static void real_texts_of_many_languages_are_read_as_sqlite_reads_them(void **state)
{
    struct charset_reader *r;
    char root[500], folder[800];
    uint64_t words = 0;
    struct dirent *f;
    DIR *folders;

    (void)state;
    NEED_DATA(found, "charset");
    (void)snprintf(root, sizeof root, "%s", found);
    folders = opendir(root);
    assert_non_null(folders);
    r = charset_reader_new();
    while ((f = readdir(folders)) != NULL) {
        (void)snprintf(folder, sizeof folder, "%s/%s", root, f->d_name);
        if (f->d_name[0] != '.')
            words += read_folder(r, folder);
    }
    (void)closedir(folders);
    charset_reader_free(r);
    assert_true(words > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_read_as_sqlite_reads_it),
        cmocka_unit_test(any_mixture_is_read_as_sqlite_reads_it),
        cmocka_unit_test(long_runs_are_cut_as_words_are_read),
        cmocka_unit_test(a_word_of_any_length_is_one_word),
        cmocka_unit_test(characters_without_spaces_are_words_with_their_marks),
        cmocka_unit_test(real_texts_of_many_languages_are_read_as_sqlite_reads_them),
    };

    return cmocka_run_group_tests_name("store tokens", tests, set_up, tear_down);
}
