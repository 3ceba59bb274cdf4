/* Documents that are no web pages, as HTML: what is kept, and what a hostile one can do.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "parse/document/document.h"
#include "parse/mime.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

struct file {
    const char *name, *text;
    size_t repeat; /* so often; 0: once */
};

static struct buf zip_of(const struct file *files, size_t count)
{
    struct buf out = BUF_INIT(MIB(64));
    struct archive *a = archive_write_new();
    size_t used = 0;

    assert_int_equal(archive_write_set_format_zip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(a, buf_room(&out, MIB(4)), MIB(4), &used),
                     ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *e = archive_entry_new();
        size_t len = strlen(files[i].text), times = files[i].repeat ? files[i].repeat : 1;

        archive_entry_set_pathname(e, files[i].name);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_size(e, (la_int64_t)(len * times));
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        for (size_t k = 0; k < times; k++)
            assert_int_equal(archive_write_data(a, files[i].text, len), (la_ssize_t)len);
        archive_entry_free(e);
    }
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    (void)archive_write_free(a);
    out.len = used;
    return out;
}

/* The HTML of these files; NULL: it was refused. */
static const char *html_of(const struct file *files, size_t count, enum status *ret)
{
    static struct buf html;
    struct buf zip = zip_of(files, count);

    buf_free(&html);
    buf_init(&html, LIMIT_DOCUMENT_TEXT);
    *ret = office_html(buf_str(&zip), &html);
    buf_free(&zip);
    buf_add_char(&html, '\0');
    return html.data;
}

#define HTML(files, st)   html_of(files, ARRAY_LEN(files), st)
#define HAS(text, part)   assert_non_null(strstr(text, part))
#define LACKS(text, part) assert_null(strstr(text, part))

static void docx_keeps_headings_lists_tables_and_links(void **state)
{
    static const struct file files[] = {
        {"[Content_Types].xml", "<Types/>", 0},
        {"docProps/core.xml",
         "<c xmlns:dc='d' xmlns:dcterms='t'><dc:title>Bees &amp; hives</dc:title>"
         "<dcterms:created>2026-03-01T10:00:00Z</dcterms:created><dc:language>en-GB</dc:language></"
         "c>",
         0},
        {"word/_rels/document.xml.rels",
         "<R><Relationship Id='rId7' Target='https://example.org/hive'/>"
         "<Relationship Id='rId8' Target='file:///etc/passwd'/></R>",
         0},
        {"word/document.xml",
         "<w:document xmlns:w='w' xmlns:r='r'><w:body>"
         "<w:p><w:pPr><w:pStyle w:val='Heading2'/></w:pPr><w:r><w:t>The queen</w:t></w:r></w:p>"
         "<w:p><w:r><w:t>One </w:t></w:r><w:r><w:t>hive &lt;b&gt;</w:t></w:r>"
         "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
         "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>an entry</w:t></w:r></w:p>"
         "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
         "<w:p><w:hyperlink r:id='rId7'><w:r><w:t>there</w:t></w:r></w:hyperlink>"
         "<w:hyperlink r:id='rId8'><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>"
         "</w:body></w:document>",
         0},
    };
    enum status st;
    const char *html = HTML(files, &st);

    (void)state;
    assert_int_equal(st, ST_OK);
    HAS(html, "<title>Bees &amp; hives</title>");
    HAS(html, "lang=\"en-GB\"");
    HAS(html, "content=\"2026-03-01T10:00:00Z\"");
    HAS(html, "<h2>The queen</h2>");
    HAS(html, "<p>One hive &lt;b></p>");
    HAS(html, "<li>an entry</li>");
    HAS(html, "<table><tr><td>cell<br></td>");
    HAS(html, "<a href=\"https://example.org/hive\">there</a>");
    LACKS(html, "passwd");
    LACKS(html, "gone");
}

static void odt_keeps_headings_lists_and_links(void **state)
{
    static const struct file files[] = {
        {"mimetype", "application/vnd.oasis.opendocument.text", 0},
        {"meta.xml", "<m><title>Bienen</title><language>de</language></m>", 0},
        {"content.xml",
         "<o:c xmlns:o='o' xmlns:text='t' xmlns:xlink='x'><o:styles>no</o:styles><o:body><o:text>"
         "<text:h text:outline-level='3'>Die K\xc3\xb6nigin</text:h>"
         "<text:p>ein<text:s/>Volk<o:annotation><text:p>secret</text:p></o:annotation></text:p>"
         "<text:list><text:list-item><text:p>erstens</text:p></text:list-item></text:list>"
         "<text:p><text:a xlink:href='http://example.org/'>dort</text:a></text:p>"
         "</o:text></o:body></o:c>",
         0},
    };
    enum status st;
    const char *html = HTML(files, &st);

    (void)state;
    assert_int_equal(st, ST_OK);
    HAS(html, "<h3>Die K\xc3\xb6nigin</h3>");
    HAS(html, "<p>ein Volk</p>");
    HAS(html, "<li>erstens</li>");
    HAS(html, "<a href=\"http://example.org/\">dort</a>");
    LACKS(html, "secret");
    LACKS(html, "no<");
}

static void chapters_of_an_epub_stand_in_the_order_of_its_spine(void **state)
{
    static const struct file files[] = {
        {"mimetype", "application/epub+zip", 0},
        {"META-INF/container.xml",
         "<c><rootfiles><rootfile full-path='OEBPS/b.opf'/></rootfiles></c>", 0},
        {"OEBPS/b.opf",
         "<p><metadata><title>A book</title></metadata><manifest><item id='x' "
         "href='one%20a.xhtml'/>"
         "<item id='y' href='../two.xhtml#top'/></manifest>"
         "<spine><itemref idref='y'/><itemref idref='x'/></spine></p>",
         0},
        {"OEBPS/one a.xhtml",
         "<html><body><p>first file</p><a href='two.xhtml'>in</a></body></html>", 0},
        {"two.xhtml", "<html><head><style>x</style></head><body><h1>second file</h1></body></html>",
         0},
    };
    enum status st;
    const char *html = HTML(files, &st), *one, *two;

    (void)state;
    assert_int_equal(st, ST_OK);
    one = strstr(html, "first file");
    two = strstr(html, "<h1>second file");
    assert_true(one && two && two < one);
    LACKS(html, "<a ");
}

static void a_bomb_is_refused(void **state)
{
    static const struct file files[] = {
        {"word/document.xml", "<w:p><w:t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</w:t></w:p>",
         4000000},
    };
    enum status st;

    (void)state;
    (void)HTML(files, &st);
    assert_int_equal(st, ST_LIMIT);
}

static void entities_of_its_own_do_not_grow(void **state)
{
    static const struct file files[] = {
        {"word/document.xml",
         "<!DOCTYPE d [<!ENTITY a 'xxxxxxxxxx'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
         "<!ENTITY c SYSTEM 'file:///etc/passwd'>]>"
         "<d><p><t>before &b;&c; behind</t></p></d>",
         0},
    };
    enum status st;
    const char *html = HTML(files, &st);

    (void)state;
    assert_int_equal(st, ST_OK);
    LACKS(html, "xxxxxxxxxxxxxxxxxxxx");
    LACKS(html, "root:");
}

static void deep_nesting_ends_somewhere(void **state)
{
    static const struct file files[] = {{"content.xml", "<text><p>", 20000}};
    enum status st;

    (void)state;
    (void)HTML(files, &st);
    assert_int_equal(st, ST_OK);
}

static void too_many_parts_are_refused(void **state)
{
    enum { MANY = LIMIT_DOCUMENT_PARTS + 10 };
    struct file *files = mem_zero(MANY, sizeof *files);
    enum status st;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        files[i] = (struct file){"x.png", "", 0};
    (void)html_of(files, MANY, &st);
    assert_int_equal(st, ST_LIMIT);
    free(files);
}

static void other_archives_are_no_documents(void **state)
{
    static const struct file files[] = {{"readme.html", "<p>x</p>", 0}};
    struct buf html = BUF_INIT(1000);
    enum status st;

    (void)state;
    (void)HTML(files, &st);
    assert_int_equal(st, ST_INVALID);
    assert_int_equal(office_html(STR("PK\x03\x04 and no more"), &html), ST_INVALID);
    buf_free(&html);
}

static void a_pdf_becomes_paragraphs_without_running_heads(void **state)
{
    static const struct pdf_parts pdf = {
        .text = STR(
            "The Journal 1\n\nBees keep\nwarm.\n\n\xe2\x80\xa2 first\n\xe2\x80\xa2 second\n\n1\n\f"
            "The Journal 2\n\nA & B\n\n2\n\fThe Journal 3\n\nThe end\n\n3\n\f"),
        .info = STR("Title:          On bees\nCreationDate:   2026-03-01T10:00:00Z\n"),
        .links = STR("Page  Type          URL\n   1  Annotation    https://example.org/a\n"
                     "   1  Annotation    mailto:x@example.org\n"),
        .bytes = STR("%PDF-1.4 << /Lang (en-GB) >>"),
    };
    struct buf html = BUF_INIT(MIB(1));

    (void)state;
    pdf_html(&pdf, &html);
    buf_add_char(&html, '\0');
    HAS(html.data, "<title>On bees</title>");
    HAS(html.data, "lang=\"en-GB\"");
    HAS(html.data, "2026-03-01T10:00:00Z");
    HAS(html.data, "<p>Bees keep\nwarm.</p>");
    HAS(html.data, "<li>first</li>\n<li>second</li>");
    HAS(html.data, "<p>A &amp; B</p>");
    HAS(html.data, "<a href=\"https://example.org/a\"></a>");
    LACKS(html.data, "Journal");
    LACKS(html.data, "mailto");
    LACKS(html.data, "<p>2");
    buf_free(&html);
}

static void a_pdf_without_a_title_takes_its_first_line(void **state)
{
    static const struct pdf_parts pdf = {.text = STR("\nA long winter\n\nIt snowed.\n\f"),
                                         .info = STR("Title:  Microsoft Word - draft.doc\n")};
    struct buf html = BUF_INIT(MIB(1));

    (void)state;
    pdf_html(&pdf, &html);
    buf_add_char(&html, '\0');
    HAS(html.data, "<title>A long winter</title>");
    buf_free(&html);
}

static void a_long_first_line_is_cut_between_characters(void **state)
{
    struct buf text = BUF_INIT(1000), html = BUF_INIT(MIB(1));

    (void)state;
    buf_add_char(&text, 'x');
    for (int i = 0; i < 200; i++)
        buf_add_z(&text, "ж");
    pdf_html(&(struct pdf_parts){.text = buf_str(&text)}, &html);
    assert_true(utf8_is_valid(buf_str(&html)));
    buf_free(&text);
    buf_free(&html);
}

static void their_first_bytes_tell_what_they_are(void **state)
{
    static const struct file odt[] = {{"mimetype", "application/vnd.oasis.opendocument.text", 0}};
    struct buf zip = zip_of(odt, 1);

    (void)state;
    assert_int_equal(mime_sniff(STR("%PDF-1.7\n")), MIME_PDF);
    assert_int_equal(mime_decide(STR("application/octet-stream"), STR("%PDF-1.7\n")), MIME_PDF);
    assert_int_equal(mime_decide(STR("text/html"), STR("%PDF-1.7\n")), MIME_PDF);
    assert_int_equal(mime_decide(STR("application/pdf"), STR("<!DOCTYPE html><p>gone")), MIME_HTML);
    assert_int_equal(mime_sniff(STR("PK\x03\x04 something else that is long enough")), MIME_OTHER);
    buf_free(&zip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(docx_keeps_headings_lists_tables_and_links),
        cmocka_unit_test(odt_keeps_headings_lists_and_links),
        cmocka_unit_test(chapters_of_an_epub_stand_in_the_order_of_its_spine),
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(entities_of_its_own_do_not_grow),
        cmocka_unit_test(deep_nesting_ends_somewhere),
        cmocka_unit_test(too_many_parts_are_refused),
        cmocka_unit_test(other_archives_are_no_documents),
        cmocka_unit_test(a_pdf_becomes_paragraphs_without_running_heads),
        cmocka_unit_test(a_pdf_without_a_title_takes_its_first_line),
        cmocka_unit_test(a_long_first_line_is_cut_between_characters),
        cmocka_unit_test(their_first_bytes_tell_what_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
