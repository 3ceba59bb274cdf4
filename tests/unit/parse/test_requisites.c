/* test_requisites.c - what pages and style sheets name for their look.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "parse/page/requisites.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_found(bool html, const char *text, const char *wanted)
{
    struct buf out = BUF_INIT(KIB(64));
    struct requisites *r;
    struct arena arena;

    arena_init(&arena, MIB(16));
    r = requisites_new(&arena);
    assert_non_null(r);
    (html ? requisites_of_html : requisites_of_css)(str_of(text), STR("http://a.test/d/p"), &arena,
                                                    r);
    for (uint32_t i = 0; i < r->count; i++) {
        buf_add_z(&out, i ? " " : "");
        buf_add_str(&out, r->urls[i]);
    }
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
    arena_free(&arena);
}

static void documents_name_sheets_images_and_icons(void **state UNUSED)
{
    assert_found(true,
                 "<link rel='alternate stylesheet' href=s.css><link rel=\"shortcut icon\" href=/i>"
                 "<link rel=next href=n><script src=x.js></script><img src='a.png?x&amp;y'>"
                 "<IMG SRC=a.png?x&amp;y><video poster=v.jpg><body background=b.gif>"
                 "<svg><image href=c.svg#f></image></svg><a href=z.png>z</a>",
                 "http://a.test/d/s.css http://a.test/i http://a.test/d/a.png?x&y "
                 "http://a.test/d/v.jpg http://a.test/d/b.gif http://a.test/d/c.svg");
}

static void a_base_counts_and_a_srcset_has_many(void **state UNUSED)
{
    assert_found(true,
                 "<base href=http://b.test/><base href=http://c.test/>"
                 "<img srcset=' a.png 1x,b.png 2x , c.png,' src=d.png>"
                 "<picture><source srcset=e.webp></picture>",
                 "http://b.test/d.png http://b.test/a.png http://b.test/b.png "
                 "http://b.test/c.png http://b.test/e.webp");
}

static void styles_inside_a_document_count(void **state UNUSED)
{
    assert_found(true,
                 "<style>p { background: URL( 'x.png' ) } /* url(no.png) */</style>"
                 "<p style='background:url(&quot;y.png&quot;)'>url(no.png)</p>"
                 "<script>'url(no.png)'</script>",
                 "http://a.test/d/x.png http://a.test/d/y.png");
}

static void style_sheets_name_others_fonts_and_images(void **state UNUSED)
{
    assert_found(false,
                 "@import 'a.css' screen; @IMPORT url(b.css); @import url(\"c.css\") print;"
                 "@font-face{src:url(f.woff2) format('woff2'),url( f.ttf )}"
                 "i{cursor:url(data:image/png;base64,A)} u{fill:url(#g)} b{background:url(x",
                 "http://a.test/d/a.css http://a.test/d/b.css http://a.test/d/c.css "
                 "http://a.test/d/f.woff2 http://a.test/d/f.ttf");
    assert_found(false, "@import", "");
    assert_found(false, "/* never closed url(a)", "");
    assert_found(false, "b{background:url(ftp://a.test/x)} c{background:url(javascript:x)}", "");
}

static void there_are_never_too_many(void **state UNUSED)
{
    struct buf css = BUF_INIT(MIB(1));
    struct requisites *r;
    struct arena arena;

    for (int i = 0; i < 1000; i++)
        buf_addf(&css, "a{background:url(%d)}", i);
    arena_init(&arena, MIB(16));
    r = requisites_new(&arena);
    requisites_of_css(buf_str(&css), STR("http://a.test/"), &arena, r);
    assert_int_equal(r->count, LIMIT_REQUISITES_PAGE);
    arena_free(&arena);
    buf_free(&css);
}

static void types_tell_what_is_one(void **state UNUSED)
{
    assert_true(requisites_has_type(STR("image/png")));
    assert_true(requisites_has_type(STR("TEXT/CSS; charset=utf-8")));
    assert_true(requisites_has_type(STR("font/woff2")));
    assert_false(requisites_has_type(STR("text/html")));
    assert_false(requisites_has_type(STR("application/pdf")));
    assert_false(requisites_has_type(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_name_sheets_images_and_icons),
        cmocka_unit_test(a_base_counts_and_a_srcset_has_many),
        cmocka_unit_test(styles_inside_a_document_count),
        cmocka_unit_test(style_sheets_name_others_fonts_and_images),
        cmocka_unit_test(there_are_never_too_many),
        cmocka_unit_test(types_tell_what_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
