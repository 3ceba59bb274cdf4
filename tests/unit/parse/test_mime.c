/* mime: fields, first bytes, and both together. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "parse/mime.h"

#include <stdlib.h>

static void fields_give_type_charset_and_kind(void **state)
{
    static const struct {
        const char *field, *type, *charset;
        enum mime_kind kind;
    } cases[] = {
        {"text/html", "text/html", "", MIME_HTML},
        {"Text/HTML; Charset=\"utf-8\"", "Text/HTML", "utf-8", MIME_HTML},
        {"text/html;charset=ISO-8859-1;x=y", "text/html", "ISO-8859-1", MIME_HTML},
        {"text/html; a=\"x;charset=bad\"; charset=good", "text/html", "good", MIME_HTML},
        {"text/html; charset='utf-8'", "text/html", "utf-8", MIME_HTML},
        {"text/html; charset=", "text/html", "", MIME_HTML},
        {"text/html, text/html", "text/html", "", MIME_HTML},
        {"application/rss+xml", "application/rss+xml", "", MIME_FEED},
        {"application/foo+xml", "application/foo+xml", "", MIME_XML},
        {"image/svg+xml", "image/svg+xml", "", MIME_OTHER},
        {"image/png", "image/png", "", MIME_OTHER},
        {"text/plain", "text/plain", "", MIME_TEXT},
        {"text/css", "text/css", "", MIME_OTHER},
        {"application/octet-stream", "application/octet-stream", "", MIME_NONE},
        {"html", "", "", MIME_NONE},
        {"text/", "", "", MIME_NONE},
        {"te xt/html", "", "", MIME_NONE},
        {"", "", "", MIME_NONE},
        {";charset=utf-8", "", "utf-8", MIME_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mime m = mime_parse(str_of(cases[i].field));
        assert_str(m.type, cases[i].type);
        assert_str(m.charset, cases[i].charset);
        assert_int_equal(m.kind, cases[i].kind);
    }
}

static void bytes_tell_the_kind(void **state)
{
    static const struct {
        struct str bytes;
        enum mime_kind kind;
    } cases[] = {
        {STR("<!DOCTYPE html><p>x"), MIME_HTML},
        {STR("  \n<HTML lang=en>"), MIME_HTML},
        {STR("<!-- c --><title>x</title>"), MIME_HTML},
        {STR("<?xml version='1.0'?><!DOCTYPE html PUBLIC \"x\"><html>"), MIME_HTML},
        {STR("<?xml version='1.0'?><rss version='2.0'>"), MIME_FEED},
        {STR("\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n<feed xmlns='a'>"), MIME_FEED},
        {STR("<rdf:RDF xmlns:rdf='x'>"), MIME_FEED},
        {STR("<?xml version='1.0'?><urlset>"), MIME_SITEMAP},
        {STR("<sm:sitemapindex>"), MIME_SITEMAP},
        {STR("<?xml version='1.0'?><other/>"), MIME_XML},
        {STR("<?xml version"), MIME_XML},
        {STR("\xff\xfe<\0r\0s\0s\0>\0"), MIME_FEED},
        {STR("\xfe\xff\0<\0h\0t\0m\0l\0>"), MIME_HTML},
        {STR("hello, world"), MIME_TEXT},
        {STR("<3 you"), MIME_TEXT},
        {STR("\x1f\x8b\x08\0"), MIME_GZIP},
        {STR("%PDF-1.4"), MIME_PDF},
        {STR("\x89PNG\r\n"), MIME_OTHER},
        {STR("ab\0cd"), MIME_OTHER},
        {STR(""), MIME_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mime_sniff(cases[i].bytes), cases[i].kind);
}

static void a_field_is_believed_unless_it_cannot_be_true(void **state)
{
    static const struct {
        const char *field;
        struct str bytes;
        enum mime_kind kind;
    } cases[] = {
        {"", STR("<html>"), MIME_HTML},
        {"application/octet-stream", STR("<html>"), MIME_HTML},
        {"application/octet-stream", STR("\x01\x02"), MIME_OTHER},
        {"text/html", STR("just text"), MIME_HTML},
        {"text/html", STR("<?xml version='1.0'?><rss>"), MIME_FEED},
        {"text/html", STR("\x89PNG"), MIME_OTHER},
        {"text/html", STR(""), MIME_HTML},
        {"text/plain", STR("<html>shown as text"), MIME_TEXT},
        {"text/plain", STR("<?xml version='1.0'?><urlset>"), MIME_SITEMAP},
        {"text/xml", STR("<?xml version='1.0'?><feed>"), MIME_FEED},
        {"application/xml", STR("<?xml version='1.0'?><html>"), MIME_HTML},
        {"application/xml", STR("<?xml version='1.0'?><x/>"), MIME_XML},
        {"application/rss+xml", STR("<html>an error page"), MIME_HTML},
        {"application/x-gzip", STR("\x1f\x8b\x08"), MIME_GZIP},
        {"application/x-gzip", STR("<urlset>"), MIME_SITEMAP},
        {"image/png", STR("<html>"), MIME_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mime_decide(str_of(cases[i].field), cases[i].bytes), cases[i].kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_give_type_charset_and_kind),
        cmocka_unit_test(bytes_tell_the_kind),
        cmocka_unit_test(a_field_is_believed_unless_it_cannot_be_true),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
