/* pdf.c - a PDF as HTML, from the output of poppler's programs.
 *
 * pdftotext writes lines, an empty one between paragraphs and a form feed behind each page.
 * Lines that stand at the top or the bottom of many pages (running heads), and those that are
 * only a number, are left out. SPDX-License-Identifier: MIT */
#include "parse/document/document_int.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

#define HEADS_MIN  3   /* a line on this many pages is a running head */
#define TITLE_MOST 200 /* bytes of a first line that may be a title */

static const struct str bullets[] = {STR("•"), STR("▪"),           STR("‣"), STR("●"),
                                     STR("◦"), STR("\xef\x82\xb7")}; /* the font Symbol's */

/* ---- running heads --------------------------------------------------------- */

/* Hashes a line without its digits, because page numbers differ. */
static uint64_t line_key(struct str line)
{
    char kept[256];
    size_t n = 0;

    for (size_t i = 0; i < line.len && n < sizeof kept; i++)
        if (!ascii_is_digit(line.ptr[i]))
            kept[n++] = line.ptr[i];
    return hash_str((struct str){kept, n});
}

static struct str first_line(struct str page)
{
    struct str line = {NULL, 0};

    while (str_cut(&page, '\n', &line) && str_trim(line).len == 0) {
    }
    return str_trim(line);
}

static struct str last_line(struct str page)
{
    size_t from;

    page = str_trim(page);
    for (from = page.len; from > 0 && page.ptr[from - 1] != '\n'; from--) {
    }
    return str_trim(str_sub(page, from, page.len));
}

static void count_heads(struct str text, struct map *heads)
{
    struct str page;

    while (str_cut(&text, '\f', &page)) {
        struct str ends[] = {first_line(page), last_line(page)};

        for (size_t i = 0; i < 2; i++)
            if (ends[i].len)
                ++*map_at(heads, line_key(ends[i]), 0, NULL);
    }
}

static bool is_number(struct str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!ascii_is_digit(line.ptr[i]))
            return false;
    return true;
}

/* ---- paragraphs -------------------------------------------------------------- */

struct paragraphs {
    struct buf *out;
    const char *open; /* tag of the paragraph that is open; NULL: none */
};

static void close_paragraph(struct paragraphs *p)
{
    if (p->open)
        buf_addf(p->out, "</%s>\n", p->open);
    p->open = NULL;
}

static bool take_bullet(struct str *line)
{
    for (size_t i = 0; i < ARRAY_LEN(bullets); i++)
        if (str_starts(*line, bullets[i])) {
            *line = str_trim(str_sub(*line, bullets[i].len, line->len));
            return true;
        }
    return false;
}

static void add_line(struct paragraphs *p, struct str line)
{
    bool is_item = take_bullet(&line);

    if (line.len == 0 || is_item)
        close_paragraph(p);
    if (line.len == 0)
        return;
    if (p->open == NULL) {
        p->open = is_item ? "li" : "p";
        buf_addf(p->out, "<%s>", p->open);
    } else {
        buf_add_char(p->out, '\n');
    }
    doc_text(p->out, line);
}

static void add_page(struct paragraphs *p, struct str page, const struct map *heads)
{
    struct str ends[] = {first_line(page), last_line(page)}, line;

    while (str_cut(&page, '\n', &line)) {
        line = str_trim(line);
        if (line.len && (line.ptr == ends[0].ptr || line.ptr == ends[1].ptr) &&
            (is_number(line) || map_get(heads, line_key(line)) >= HEADS_MIN))
            continue;
        add_line(p, line);
    }
    close_paragraph(p);
}

/* ---- facts -------------------------------------------------------------------- */

/* Returns the value of a line such as "Title: Bees and others". */
static struct str info_of(struct str info, struct str name)
{
    struct str line;

    while (str_cut(&info, '\n', &line))
        if (str_starts(line, name))
            return str_trim(str_sub(line, name.len, line.len));
    return (struct str){NULL, 0};
}

/* Rejects the titles that programs write if the author gave none. */
static bool is_title(struct str title)
{
    return title.len && !str_starts_i(title, STR("untitled")) &&
           !str_starts_i(title, STR("microsoft ")) && !str_ends_i(title, STR(".doc")) &&
           !str_ends_i(title, STR(".docx")) && !str_ends_i(title, STR(".dvi")) &&
           !str_ends_i(title, STR(".indd")) && !str_ends_i(title, STR(".tex"));
}

/* Cuts a long line between two characters. */
static struct str short_title(struct str line)
{
    size_t len = line.len < TITLE_MOST ? line.len : TITLE_MOST;

    while (len > 0 && len < line.len && ((unsigned char)line.ptr[len] & 0xc0) == 0x80)
        len--;
    return str_sub(line, 0, len);
}

/* Returns the catalog's /Lang, unless it is inside a compressed stream: none of
 * poppler's programs prints it. */
static struct str lang_of(struct str bytes)
{
    size_t at = 0, end;

    while ((at = str_find(bytes, STR("/Lang"), at)) != SIZE_MAX) {
        at += 5;
        while (at < bytes.len && ascii_is_space(bytes.ptr[at]))
            at++;
        if (at == bytes.len || bytes.ptr[at] != '(')
            continue;
        end = str_find_char(bytes, ')', at);
        if (end != SIZE_MAX && end - at > 2 && end - at < 20)
            return str_sub(bytes, at + 1, end);
    }
    return (struct str){NULL, 0};
}

/* Adds the links of lines such as " 1 Annotation https://example.org/". */
static void add_links(struct buf *out, struct str links)
{
    struct str line;
    unsigned count = 0;

    while (str_cut(&links, '\n', &line) && count < LIMIT_LINKS) {
        size_t at = str_find(line, STR("http"), 0);
        struct str href;

        if (at == SIZE_MAX)
            continue;
        href = str_trim(str_sub(line, at, line.len));
        if (doc_link(out, href)) {
            buf_add_z(out, "</a>\n");
            count++;
        }
    }
}

void pdf_html(const struct pdf_parts *pdf, struct buf *out)
{
    struct doc_facts facts = {.title = info_of(pdf->info, STR("Title:")),
                              .lang = lang_of(pdf->bytes),
                              .created = info_of(pdf->info, STR("CreationDate:")),
                              .changed = info_of(pdf->info, STR("ModDate:"))};
    struct paragraphs p = {.out = out};
    struct str rest = pdf->text, page;
    struct map heads;

    map_init(&heads);
    count_heads(pdf->text, &heads);
    if (!is_title(facts.title))
        facts.title = short_title(first_line(str_sub(rest, 0, KIB(4))));
    doc_begin(out, &facts);
    while (str_cut(&rest, '\f', &page))
        add_page(&p, page, &heads);
    add_links(out, pdf->links);
    doc_end(out);
    map_free(&heads);
}
