/* test_html.c - the tokenizer against the html5lib vectors, and by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "parse/html_tag.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- our tokens in the vectors' form -------------------------------------- */

static json_t *decoded(struct str raw, unsigned how)
{
    char *out = malloc(3 * raw.len + 1);
    json_t *s = json_stringn_nocheck(out, html_decode(raw, how, out));

    free(out);
    return s;
}

static json_t *attributes(const struct html_token *t)
{
    json_t *all = json_object();

    for (uint32_t i = 0; i < t->nattrs; i++) {
        json_t *name = decoded(t->attrs[i].name, HTML_AS_NAME);
        char key[256];

        snprintf(key, sizeof key, "%s", json_string_value(name));
        if (json_object_get(all, key) == NULL)
            json_object_set_new_nocheck(all, key, decoded(t->attrs[i].value, HTML_AS_VALUE));
        json_decref(name);
    }
    return all;
}

static void add_text(json_t *list, json_t *text)
{
    json_t *last = json_array_get(list, json_array_size(list) - 1);

    if (last && strcmp(json_string_value(json_array_get(last, 0)), "Character") == 0) {
        json_t *old = json_array_get(last, 1);
        size_t n = json_string_length(old), more = json_string_length(text);
        char *both = malloc(n + more + 1);

        memcpy(both, json_string_value(old), n);
        memcpy(both + n, json_string_value(text), more);
        json_array_set_new(last, 1, json_stringn_nocheck(both, n + more));
        json_decref(text);
        free(both);
        return;
    }
    json_array_append_new(list, json_pack("[so]", "Character", text));
}

static void add_token(json_t *list, const struct html_token *t)
{
    json_t *row = json_array();

    switch (t->kind) {
    case HTML_TEXT:
        json_decref(row);
        add_text(list, decoded(t->text, t->how));
        return;
    case HTML_START:
        json_array_append_new(row, json_string("StartTag"));
        json_array_append_new(row, decoded(t->text, HTML_AS_NAME));
        json_array_append_new(row, attributes(t));
        if (t->self_closing)
            json_array_append_new(row, json_true());
        break;
    case HTML_END:
        json_array_append_new(row, json_string("EndTag"));
        json_array_append_new(row, decoded(t->text, HTML_AS_NAME));
        break;
    case HTML_COMMENT:
        json_array_append_new(row, json_string("Comment"));
        json_array_append_new(row, decoded(t->text, HTML_AS_COMMENT));
        break;
    default:
        json_array_append_new(row, json_string("DOCTYPE"));
        json_array_append_new(row, t->text.len ? decoded(t->text, HTML_AS_NAME) : json_null());
        json_array_append_new(row,
                              t->has_public ? decoded(t->public_id, HTML_AS_COMMENT) : json_null());
        json_array_append_new(row,
                              t->has_system ? decoded(t->system_id, HTML_AS_COMMENT) : json_null());
        json_array_append_new(row, json_boolean(!t->quirks));
    }
    json_array_append_new(list, row);
}

static json_t *tokens_of(struct str input, enum html_state state, struct str last_start)
{
    struct html *h = malloc(sizeof *h);
    /* An exact copy, so that a read behind the end is seen. */
    char *copy = malloc(input.len ? input.len : 1);
    json_t *list = json_array();

    if (input.len)
        memcpy(copy, input.ptr, input.len);
    html_init(h, (struct str){copy, input.len});
    html_enter(h, state, last_start);
    while (html_next(h) != HTML_EOF)
        add_token(list, &h->token);
    free(copy);
    free(h);
    return list;
}

/* ---- the vectors ------------------------------------------------------------ */

/* Undoes the second round of \uHHHH; lone surrogates become three bytes each,
 * which the tokenizer must pass through. */
static json_t *unescaped(json_t *s)
{
    struct str in = {json_string_value(s), json_string_length(s)};
    char *out = malloc(in.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < in.len;) {
        unsigned cp, low;

        if (i + 6 <= in.len && in.ptr[i] == '\\' && in.ptr[i + 1] == 'u' &&
            sscanf(in.ptr + i + 2, "%4x", &cp) == 1) {
            i += 6;
            if (cp >= 0xd800 && cp < 0xdc00 && sscanf(in.ptr + i, "\\u%4x", &low) == 1 &&
                low >= 0xdc00 && low < 0xe000) {
                cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
                i += 6;
            }
            if (cp >= 0xd800 && cp < 0xe000) {
                out[n++] = (char)(0xe0 | cp >> 12);
                out[n++] = (char)(0x80 | (cp >> 6 & 0x3f));
                out[n++] = (char)(0x80 | (cp & 0x3f));
            } else {
                n += utf8_put(cp, out + n);
            }
        } else {
            out[n++] = in.ptr[i++];
        }
    }
    s = json_stringn_nocheck(out, n);
    free(out);
    return s;
}

static json_t *unescaped_deep(json_t *v)
{
    json_t *copy, *item;
    const char *key;
    size_t i;

    if (json_is_string(v))
        return unescaped(v);
    if (json_is_array(v)) {
        copy = json_array();
        json_array_foreach(v, i, item) json_array_append_new(copy, unescaped_deep(item));
        return copy;
    }
    if (json_is_object(v)) {
        copy = json_object();
        json_object_foreach(v, key, item)
        {
            json_t *k = json_string(key), *plain = unescaped(k);

            json_object_set_new_nocheck(copy, json_string_value(plain), unescaped_deep(item));
            json_decref(k);
            json_decref(plain);
        }
        return copy;
    }
    return json_incref(v);
}

static enum html_state state_of(const char *name)
{
    static const struct {
        const char *name;
        enum html_state state;
    } states[] = {
        {"Data state", HTML_DATA},          {"PLAINTEXT state", HTML_PLAINTEXT},
        {"RCDATA state", HTML_RCDATA},      {"RAWTEXT state", HTML_RAWTEXT},
        {"Script data state", HTML_SCRIPT}, {"CDATA section state", HTML_CDATA},
    };

    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(states[i].name, name) == 0)
            return states[i].state;
    fail_msg("no state %s", name);
    return HTML_DATA;
}

struct score {
    unsigned run, good;
};

static void compare(json_t *test, const char *state, struct str input, json_t *want,
                    struct score *score)
{
    struct str last = str_of(json_string_value(json_object_get(test, "lastStartTag")));
    json_t *got = tokens_of(input, state_of(state), last);

    score->run++;
    if (json_equal(got, want)) {
        score->good++;
    } else {
        char *a = json_dumps(got, JSON_COMPACT), *b = json_dumps(want, JSON_COMPACT);

        print_message("# differs in %s: %s\n#   got  %s\n#   want %s\n", state,
                      json_string_value(json_object_get(test, "description")), a ? a : "(bytes)",
                      b ? b : "(bytes)");
        free(a);
        free(b);
    }
    json_decref(got);
}

static void run_case(json_t *test, struct score *score)
{
    bool twice = json_is_true(json_object_get(test, "doubleEscaped"));
    json_t *states = json_object_get(test, "initialStates"), *state;
    json_t *input = json_object_get(test, "input"), *want = json_object_get(test, "output");
    struct str in;
    size_t i;

    input = twice ? unescaped(input) : json_incref(input);
    want = twice ? unescaped_deep(want) : json_incref(want);
    in = (struct str){json_string_value(input), json_string_length(input)};
    if (states == NULL)
        compare(test, "Data state", in, want, score);
    json_array_foreach(states, i, state) compare(test, json_string_value(state), in, want, score);
    json_decref(input);
    json_decref(want);
}

static void html5lib_tokenizer_vectors_agree(void **unused)
{
    struct score score = {0, 0};
    struct dirent *entry;
    DIR *dir;

    (void)unused;
    NEED_DATA(found, "html/tokenizer");
    char path[1200], root[800];

    snprintf(root, sizeof root, "%s", found);
    dir = opendir(root);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        json_t *file, *tests, *test;
        json_error_t error;
        size_t i;

        if (!str_ends(str_of(entry->d_name), STR(".test")))
            continue;
        snprintf(path, sizeof path, "%s/%s", root, entry->d_name);
        file = json_load_file(path, JSON_ALLOW_NUL, &error);
        if (file == NULL)
            fail_msg("%s: %s", path, error.text);
        /* xmlViolationTests coerce to an XML infoset, which is no HTML token
         * stream: they are not run. */
        tests = json_object_get(file, "tests");
        json_array_foreach(tests, i, test) run_case(test, &score);
        json_decref(file);
    }
    closedir(dir);
    print_message("# tokenizer vectors: %u of %u agree\n", score.good, score.run);
    assert_true(score.run > 6000);
    assert_true(score.good * 100 >= score.run * 98);
}

/* ---- by hand ---------------------------------------------------------------- */

static void expect(const char *input, const char *tokens)
{
    json_t *got = tokens_of(str_of(input), HTML_DATA, (struct str){NULL, 0});
    char *text = json_dumps(got, JSON_COMPACT);

    assert_string_equal(text, tokens);
    free(text);
    json_decref(got);
}

static void a_page_becomes_tags_and_text(void **unused)
{
    (void)unused;
    expect("<!doctype html><p Class=a>x &lt; y<br/></P>",
           "[[\"DOCTYPE\",\"html\",null,null,true],[\"StartTag\",\"p\",{\"class\":\"a\"}],"
           "[\"Character\",\"x < y\"],[\"StartTag\",\"br\",{},true],[\"EndTag\",\"p\"]]");
    expect("", "[]");
    expect("a<b", "[[\"Character\",\"a\"]]");
    expect("1 < 2 <3 </", "[[\"Character\",\"1 < 2 <3 </\"]]");
}

static void the_first_of_two_equal_attributes_counts(void **unused)
{
    struct html *h = malloc(sizeof *h);
    struct str value;

    (void)unused;
    html_init(h, STR("<a HREF='one' href=two x>"));
    assert_int_equal(html_next(h), HTML_START);
    assert_true(html_attr(&h->token, STR("href"), &value));
    assert_str(value, "one");
    assert_true(html_attr(&h->token, STR("x"), &value));
    assert_int_equal(value.len, 0);
    assert_false(html_attr(&h->token, STR("y"), &value));
    free(h);
}

static void more_attributes_than_the_ceiling_are_skipped(void **unused)
{
    struct html *h = malloc(sizeof *h);
    struct buf b = BUF_INIT(KIB(64));

    (void)unused;
    buf_add_z(&b, "<p");
    for (int i = 0; i < 2 * LIMIT_ATTRIBUTES; i++)
        buf_addf(&b, " a%d=%d", i, i);
    buf_add_z(&b, ">end");
    html_init(h, buf_str(&b));
    assert_int_equal(html_next(h), HTML_START);
    assert_int_equal(h->token.nattrs, LIMIT_ATTRIBUTES);
    assert_int_equal(html_next(h), HTML_TEXT);
    assert_str(h->token.text, "end");
    buf_free(&b);
    free(h);
}

static void cdata_is_known_in_foreign_content_only(void **unused)
{
    struct html *h = malloc(sizeof *h);

    (void)unused;
    html_init(h, STR("<![CDATA[a<b]]>c"));
    assert_int_equal(html_next(h), HTML_COMMENT);
    html_init(h, STR("<![CDATA[a<b]]>c"));
    h->foreign = true;
    assert_int_equal(html_next(h), HTML_TEXT);
    assert_str(h->token.text, "a<b");
    assert_int_equal(html_next(h), HTML_TEXT);
    assert_str(h->token.text, "c");
    free(h);
}

/* Tokens far from the end of the input are read in another way than the last ones. */
static void a_token_does_not_depend_on_what_follows(void **unused)
{
    static const char *const pieces[] = {"<a>",
                                         "</a>",
                                         "<TD class=x>",
                                         "</td >",
                                         "<br/>",
                                         "<p\n",
                                         "<",
                                         "</",
                                         "<3",
                                         "</>",
                                         "a",
                                         " ",
                                         "\n",
                                         "&amp;",
                                         "\"",
                                         "'",
                                         "=",
                                         ">",
                                         "/",
                                         "-",
                                         "<!-- c -->",
                                         "<!DOCTYPE html>",
                                         "<?x>",
                                         "</ x>",
                                         "<a-b>",
                                         "<h1 id='i'>",
                                         "a rather long piece of text, with words",
                                         "<x:y z=\"1\" w = 2 >"};
    struct html *whole = malloc(sizeof *whole), *part = malloc(sizeof *part);
    struct buf b = BUF_INIT(1 << 16);
    struct rng r;

    (void)unused;
    rng_init(&r, 7);
    for (int round = 0; round < 300; round++) {
        enum html_kind kind;
        const char *from;

        buf_clear(&b);
        for (int i = 0; i < 200; i++)
            buf_add_z(&b, pieces[rng_below(&r, ARRAY_LEN(pieces))]);
        html_init(whole, buf_str(&b));
        for (from = whole->at; (kind = html_next(whole)) != HTML_EOF; from = whole->at) {
            const char *to = whole->at, *end = b.data + b.len;

            if (kind == HTML_TEXT) /* what follows shows where it ends */
                to = end - to < 3 ? end : to + 3;
            html_init(part, (struct str){from, (size_t)(to - from)});
            assert_int_equal(html_next(part), kind);
            assert_ptr_equal(part->token.text.ptr, whole->token.text.ptr);
            assert_int_equal(part->token.text.len, whole->token.text.len);
            if (kind == HTML_TEXT && whole->token.is_blank)
                assert_int_equal(str_trim(whole->token.text).len, 0);
            if (kind != HTML_START && kind != HTML_END)
                continue;
            assert_int_equal(part->token.nattrs, whole->token.nattrs);
            assert_int_equal(part->token.self_closing, whole->token.self_closing);
        }
    }
    buf_free(&b);
    free(whole);
    free(part);
}

/* Every element, and what resembles it, with and without room behind the name. */
static void an_element_is_known_by_its_name_in_any_case(void **state UNUSED)
{
    struct html_tags *tags = malloc(sizeof *tags);
    char text[32];

    html_tags_init(tags);
    for (unsigned tag = 1; tag <= TAG_UL; tag++) {
        struct str name = str_of(html_tag_info(tag)->name);

        memset(text, 'x', sizeof text);
        for (size_t i = 0; i < name.len; i++)
            text[i] =
                i % 2 || !ascii_is_alpha(name.ptr[i]) ? name.ptr[i] : (char)(name.ptr[i] & ~0x20);
        assert_int_equal(html_tag_of(tags, name), tag);
        assert_int_equal(html_tag_of(tags, (struct str){text, name.len}), tag);
        assert_int_equal(html_tag_of_roomy(tags, (struct str){text, name.len}), tag);
        assert_int_not_equal(html_tag_of_roomy(tags, (struct str){text, name.len + 1}), tag);
        assert_int_not_equal(html_tag_of(tags, str_sub(name, 0, name.len - 1)), tag);
    }
    free(tags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html5lib_tokenizer_vectors_agree),
        cmocka_unit_test(a_page_becomes_tags_and_text),
        cmocka_unit_test(the_first_of_two_equal_attributes_counts),
        cmocka_unit_test(more_attributes_than_the_ceiling_are_skipped),
        cmocka_unit_test(cdata_is_known_in_foreign_content_only),
        cmocka_unit_test(a_token_does_not_depend_on_what_follows),
        cmocka_unit_test(an_element_is_known_by_its_name_in_any_case),
    };

    return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
