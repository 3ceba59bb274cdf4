/* html.c - the report as one HTML file that needs nothing else.
 *
 * page/page.html is filled with the report's JSON, its style and its script, all compiled
 * in; page/page.js draws the page from the JSON. A policy in the head names style and script
 * by their digests: nothing else runs there, whatever names a plan or a world may have, and
 * nothing is ever loaded. SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/os/file.h"
#include "base/limits.h"

#include <openssl/evp.h>

/* Files of page/ and uPlot (tools/embed). */
extern const char page_template[], page_css[], page_js[], uplot_css[], uplot_js[];
extern const size_t page_template_len, page_css_len, page_js_len, uplot_css_len;
extern const size_t uplot_js_len; /* 0: npm's uplot was not there when brood was built */

static const struct str plain_shell =
    STR("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%");

static void shell_word(struct buf *out, struct str word)
{
    bool plain = word.len > 0;

    for (size_t i = 0; i < word.len; i++)
        plain = plain && str_find_char(plain_shell, word.ptr[i], 0) != SIZE_MAX;
    if (plain) {
        buf_add_str(out, word);
        return;
    }
    buf_add_char(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'')
            buf_add_z(out, "'\\''");
        else
            buf_add_char(out, word.ptr[i]);
    }
    buf_add_char(out, '\'');
}

void report_command(const struct results *r, struct buf *out)
{
    buf_add_z(out, "brood lab run ");
    shell_word(out, str_of(r->plan->file));
}

/* ---- what goes into the page ---- */

static void make_digest(struct str text, struct buf *out)
{
    unsigned char digest[EVP_MAX_MD_SIZE], base64[EVP_MAX_MD_SIZE * 2];
    unsigned len = 0;

    if (EVP_Digest(text.ptr, text.len, digest, &len, EVP_sha256(), NULL) != 1)
        return; /* the browser then refuses the script, and shows what <noscript> says */
    (void)EVP_EncodeBlock(base64, digest, (int)len);
    buf_addf(out, "'sha256-%s'", base64);
}

static void make_style(struct buf *out)
{
    buf_add(out, uplot_css, uplot_css_len);
    buf_add_char(out, '\n');
    buf_add(out, page_css, page_css_len);
}

/* uPlot takes the resolution of its canvases from devicePixelRatio: two dots a
 * pixel at least, so that curves are sharp in print. */
static void make_script(struct buf *out)
{
    buf_add_z(out, "(function(devicePixelRatio){");
    if (uplot_js_len)
        buf_add(out, uplot_js, uplot_js_len);
    else
        buf_add_z(out, "var uPlot=null;");
    buf_add_z(out, "\n");
    buf_add(out, page_js, page_js_len);
    buf_add_z(out, "})(Math.max(2,window.devicePixelRatio||1));\n");
}

/* '<' stands in JSON only inside strings, where it can be written so: no name can end the
 * <script> that the JSON stands in. */
static void make_data(const struct results *r, const char *command, struct buf *out)
{
    LOCAL_BUF json = BUF_INIT(LIMIT_REPORT);

    report_page_json(r, command, &json);
    for (size_t i = 0; i < json.len; i++) {
        if (json.data[i] == '<')
            buf_add_z(out, "\\u003c");
        else
            buf_add_char(out, json.data[i]);
    }
    out->full = out->full || json.full;
}

/* ---- the page ---- */

enum page_part { PART_STYLE_DIGEST, PART_SCRIPT_DIGEST, PART_STYLE, PART_DATA, PART_SCRIPT, PARTS };

static const char *const part_names[PARTS] = {[PART_STYLE_DIGEST] = "style digest",
                                              [PART_SCRIPT_DIGEST] = "script digest",
                                              [PART_STYLE] = "style",
                                              [PART_DATA] = "data",
                                              [PART_SCRIPT] = "script"};

/* The template with each {{name}} replaced by that part. */
static void fill(struct str page, const struct buf *parts, struct buf *out)
{
    size_t from = 0, at;

    while ((at = str_find(page, STR("{{"), from)) != SIZE_MAX) {
        size_t end = str_find(page, STR("}}"), at);
        struct str name = str_sub(page, at + 2, end);

        buf_add_str(out, str_sub(page, from, at));
        for (int i = 0; i < PARTS; i++)
            if (str_eq(name, str_of(part_names[i]))) {
                buf_add_str(out, buf_str(&parts[i]));
                out->full = out->full || parts[i].full;
            }
        from = end + 2;
    }
    buf_add_str(out, str_sub(page, from, page.len));
}

enum status report_html(const struct results *r, const char *command, const char *path)
{
    LOCAL_BUF out = BUF_INIT(LIMIT_REPORT);
    struct buf parts[PARTS];
    enum status st;

    for (int i = 0; i < PARTS; i++)
        parts[i] = (struct buf)BUF_INIT(LIMIT_REPORT);
    make_style(&parts[PART_STYLE]);
    make_script(&parts[PART_SCRIPT]);
    make_digest(buf_str(&parts[PART_STYLE]), &parts[PART_STYLE_DIGEST]);
    make_digest(buf_str(&parts[PART_SCRIPT]), &parts[PART_SCRIPT_DIGEST]);
    make_data(r, command, &parts[PART_DATA]);
    fill((struct str){page_template, page_template_len}, parts, &out);
    st = out.full ? status_fail(ST_LIMIT,
                                "the report would be larger than %zu MiB: "
                                "ask for fewer metrics, models or topics",
                                LIMIT_REPORT >> 20)
                  : file_write(path, buf_str(&out));
    for (int i = 0; i < PARTS; i++)
        buf_free(&parts[i]);
    return st;
}
