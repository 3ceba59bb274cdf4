/* PDF and office documents: read, searched, shown and exported like pages; hostile ones cost
 * one page each. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- documents ------------------------------------------------------------ */

/* A PDF of these objects, numbered from 1; the first is the catalog. */
static const char *pdf_of(const char *const *objects, size_t count, const char *trailer,
                          size_t *ret_len)
{
    struct buf out = BUF_INIT(MIB(1));
    size_t at[16], xref;

    buf_add_z(&out, "%PDF-1.4\n");
    for (size_t i = 0; i < count; i++) {
        at[i] = out.len;
        buf_addf(&out, "%zu 0 obj\n%s\nendobj\n", i + 1, objects[i]);
    }
    xref = out.len;
    buf_addf(&out, "xref\n0 %zu\n0000000000 65535 f \n", count + 1);
    for (size_t i = 0; i < count; i++)
        buf_addf(&out, "%010zu 00000 n \n", at[i]);
    buf_addf(&out, "trailer\n<< /Root 1 0 R %s >>\nstartxref\n%zu\n%%%%EOF\n", trailer, xref);
    return keep(buf_take(&out, ret_len));
}

#define CATALOG "<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>"
#define FONT    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

static const char *const good[] = {
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
    " /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>",
    "<< /Length 88 >>\nstream\nBT /F1 12 Tf 72 700 Td (The quasar is far away, and its light is "
    "very old indeed.) Tj ET    \nendstream",
    FONT,
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://h.example/linked) "
    ">> >>",
    "<< /Title (On the quasar) /CreationDate (D:20260301100000Z) >>",
};
/* Pages that are their own children, so many that nobody can count them. */
static const char *const looped[] = {CATALOG,
                                     "<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 2000000000 "
                                     "/Parent 2 0 R >>"};
/* A stream whose length is longer than any file. */
static const char *const huge[] = {
    CATALOG, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9e9 9e9] /Contents 4 0 R >>",
    "<< /Length 999999999999 /Filter [/FlateDecode /FlateDecode /LZWDecode] "
    ">>\nstream\nx\nendstream"};

static const char *docx_of(const char *text, size_t times, size_t *ret_len)
{
    struct buf out = BUF_INIT(MIB(2));
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();
    size_t len = strlen(text), used = 0;

    assert_int_equal(archive_write_set_format_zip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(a, buf_room(&out, MIB(1)), MIB(1), &used),
                     ARCHIVE_OK);
    archive_entry_set_pathname(e, "word/document.xml");
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_size(e, (la_int64_t)(len * times));
    assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
    for (size_t i = 0; i < times; i++)
        assert_int_equal(archive_write_data(a, text, len), (la_ssize_t)len);
    archive_entry_free(e);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    (void)archive_write_free(a);
    *ret_len = used;
    return keep(out.data);
}

/* ---- the site --------------------------------------------------------------- */

#define DOCX "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

enum { FRONT, GOOD, MANUAL, LOOPED, HUGE_ONE, GARBAGE, LETTER, BOMB, PLAIN, LINKED, PAGES };

static struct site_page pages[PAGES] = {
    [FRONT] = {.path = "/",
               .body = "<title>front</title>quasar <a href=/good.pdf>1</a><a href=/manual.pdf>2</a>"
                       "<a href=/looped.pdf>3</a><a href=/huge.pdf>4</a><a href=/garbage.pdf>5</a>"
                       "<a href=/letter.docx>6</a><a href=/bomb.docx>7</a><a href=/notes.md>8</a>"},
    [GOOD] = {.path = "/good.pdf", .type = "application/pdf"},
    [MANUAL] = {.path = "/manual.pdf", .type = "application/octet-stream"},
    [LOOPED] = {.path = "/looped.pdf", .type = "application/pdf"},
    [HUGE_ONE] = {.path = "/huge.pdf", .type = "application/pdf"},
    [GARBAGE] = {.path = "/garbage.pdf",
                 .type = "application/pdf",
                 .body = "%PDF-1.7\nand no more"},
    [LETTER] = {.path = "/letter.docx", .type = DOCX},
    [BOMB] = {.path = "/bomb.docx", .type = DOCX},
    [PLAIN] = {.path = "/notes.md", .type = "text/markdown", .body = "# Notes\n\nquasar seen\n"},
    [LINKED] = {.path = "/linked", .body = "<title>linked</title>the quasar again"},
};

static const char *dir;
static bool has_manual;
static struct site *site;

/* A manual page of ours as a PDF, by groff. */
static void make_manual(void)
{
    const char *manual = fresh("manual"), *source = text("%s/brood-crawl.1", manual);
    char *bytes = mem_alloc(MIB(1));
    struct ran r;
    FILE *f;

    assert_code(brood("manual", "--out", manual), 0);
    r = run("sh", "-c", text("groff -man -Tpdf %s > %s.pdf", source, source));
    f = r.code == 0 ? fopen(text("%s.pdf", source), "rb") : NULL;
    pages[MANUAL].body = keep(bytes);
    pages[MANUAL].len = f ? fread(bytes, 1, MIB(1), f) : 0;
    has_manual = pages[MANUAL].len > 0;
    if (f)
        (void)fclose(f);
    if (!has_manual)
        pages[MANUAL].body = "no groff";
}

static int set_up(void **state)
{
    (void)state;
    make_manual();
    pages[GOOD].body = pdf_of(good, ARRAY_LEN(good), "/Size 8 /Info 7 0 R", &pages[GOOD].len);
    pages[LOOPED].body = pdf_of(looped, ARRAY_LEN(looped), "/Size 2147483647", &pages[LOOPED].len);
    pages[HUGE_ONE].body = pdf_of(huge, ARRAY_LEN(huge), "/Size 5", &pages[HUGE_ONE].len);
    pages[LETTER].body = docx_of("<d><p><pStyle w:val='Heading2' xmlns:w='w'/><t>A letter</t></p>"
                                 "<p><t>of the quasar and the telescope</t></p></d>",
                                 1, &pages[LETTER].len);
    pages[BOMB].body = docx_of("<p><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></p>",
                               2000000, &pages[BOMB].len);
    site = site_start(pages, PAGES);
    dir = fresh("C");
    assert_code(brood("crawl", "quasar", "--seed", "http://h.example/", "--out", dir, "--quiet",
                      "--delay", "0", "--retries", "0", "--allow-private", "--resolve",
                      site_resolve(site)),
                0);
    assert_code(brood("crawl", "quasar", "--seed", "http://h.example/", "--out", fresh("H"),
                      "--quiet", "--delay", "0", "--allow-private", "--types", "html", "--resolve",
                      site_resolve(site)),
                0);
    return 0;
}

/* Skips a test where poppler is missing: then the reason must be `type`. */
static void need_poppler(void)
{
    if (access("/usr/bin/pdftotext", X_OK) == 0)
        return;
    assert_true(crawl_drops(dir, "type") >= 3);
    skip();
}

#define OF(path) " FROM page WHERE url = 'http://h.example" path "'"

static void a_pdf_is_a_page_with_title_date_language_and_links(void **state)
{
    (void)state;
    need_poppler();
    assert_string_equal(crawl_text(dir, "SELECT title" OF("/good.pdf")), "On the quasar");
    assert_string_equal(crawl_text(dir, "SELECT mime" OF("/good.pdf")), "application/pdf");
    assert_string_equal(crawl_text(dir, "SELECT lang" OF("/good.pdf")), "en-gb");
    assert_string_equal(crawl_text(dir, "SELECT date(date / 1000000, 'unixepoch')" OF("/good.pdf")),
                        "2026-03-01");
    assert_int_equal(crawl_int(dir, "SELECT relevance > 0" OF("/good.pdf")), 1);
    assert_int_equal(crawl_int(dir, "SELECT count(*)" OF("/linked")), 1);
}

static void it_is_searched_and_shown_as_markdown(void **state)
{
    struct ran r;

    (void)state;
    need_poppler();
    assert_says(brood("search", dir, "\"very old indeed\"").out, "/good.pdf");
    r = brood("show", dir, "http://h.example/good.pdf", "--markdown");
    assert_code(r, 0);
    assert_says(r.out, "The quasar is far away");
    assert_says(brood("top", dir).out, "[pdf] On the quasar");
    assert_says(brood("top", dir, "--json").out, "\"mime\":\"application/pdf\"");
    assert_says(brood("show", dir, "http://h.example/good.pdf").out, "application/pdf");
    assert_says(brood("export", dir, "--as", "csv").out, "application/pdf");
}

static void a_real_document_is_read(void **state)
{
    (void)state;
    need_poppler();
    if (!has_manual)
        skip();
    assert_says(brood("search", dir, "\"Retry-After\" OR \"robots.txt\"").out, "/manual.pdf");
    assert_int_equal(crawl_int(dir, "SELECT words > 500 FROM page_row p JOIN url_row u ON u.id ="
                                    " p.url WHERE u.url = 'http://h.example/manual.pdf'"),
                     1);
}

static void an_office_document_is_read(void **state)
{
    struct ran r = brood("show", dir, "http://h.example/letter.docx", "--markdown");

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, "## A letter");
    assert_says(r.out, "of the quasar and the telescope");
    assert_int_equal(crawl_int(dir, "SELECT count(*)" OF("/notes.md")), 1);
}

static void hostile_documents_cost_one_page_each(void **state)
{
    (void)state;
    need_poppler();
    assert_int_equal(crawl_int(dir, "SELECT count(*)" OF("/bomb.docx")), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*)" OF("/garbage.pdf")), 0);
    assert_true(crawl_drops(dir, "unreadable") >= 2);
    assert_int_equal(crawl_int(dir,
                               "SELECT coalesce(sum(length(text)), 0) < 100 FROM body WHERE id "
                               "IN (SELECT id FROM page WHERE url LIKE '%looped%' OR url LIKE "
                               "'%huge%')"),
                     1);
    assert_code(brood("check", dir), 0);
}

static void types_html_leaves_all_of_them_out(void **state)
{
    (void)state;
    assert_int_equal(crawl_int(fresh("H"), "SELECT count(*) FROM page WHERE mime <> 'text/html'"),
                     0);
    assert_int_equal(crawl_drops(fresh("H"), "type"), 8);
    assert_refused(brood("crawl", "x", "--seed", "http://h.example/", "--contact", "a@example.org",
                         "--out", fresh("X"), "--types", "html,word"),
                   2, "word");
}

static void without_poppler_pdfs_are_not_read(void **state)
{
    const char *out = fresh("N"), *bin = fresh("bin");

    (void)state;
    /* copies elsewhere could not be run: that is as if there were none */
    assert_code(run("sh", "-c", text("mkdir %s && cp $(which pdftotext pdfinfo) %s", bin, bin)), 0);
    assert_code(run("env", text("PATH=%s", bin), getenv("BROOD_BIN"), "crawl", "quasar", "--seed",
                    "http://h.example/good.pdf", "--seed", "http://h.example/letter.docx", "--out",
                    out, "--quiet", "--allow-private", "--delay", "0", "--resolve",
                    site_resolve(site)),
                0);
    assert_int_equal(crawl_drops(out, "type"), 1);
    assert_int_equal(crawl_pages(out), 1);
    assert_says(file_text(text("%s/crawl.log", out)), "poppler-utils");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pdf_is_a_page_with_title_date_language_and_links),
        cmocka_unit_test(it_is_searched_and_shown_as_markdown),
        cmocka_unit_test(a_real_document_is_read),
        cmocka_unit_test(an_office_document_is_read),
        cmocka_unit_test(hostile_documents_cost_one_page_each),
        cmocka_unit_test(types_html_leaves_all_of_them_out),
        cmocka_unit_test(without_poppler_pdfs_are_not_read),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
