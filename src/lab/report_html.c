/* report_html.c - the report as one HTML file that needs nothing else.
 *
 * Scripts and styles are inlined, and a policy in the head names them by their
 * digests: nothing else runs in the page, whatever names a plan or a world may
 * have, and nothing is ever loaded. Tables, boxes and sentences are HTML and SVG;
 * only the curves need the script (uPlot, compiled in at build time).
 * SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/mem.h"

#include <openssl/evp.h>

static const struct str plain_shell =
    STR("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%");

static void shell_word(struct buf *out, struct str word)
{
    bool plain = word.len > 0;

    for (size_t i = 0; i < word.len; i++)
        plain = plain && str_find_char(plain_shell, word.ptr[i], 0) != SIZE_MAX;
    if (plain) {
        (void)buf_add_str(out, word);
        return;
    }
    (void)buf_add_char(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'')
            (void)buf_add_z(out, "'\\''");
        else
            (void)buf_add_char(out, word.ptr[i]);
    }
    (void)buf_add_char(out, '\'');
}

void report_command(const struct results *r, struct buf *out)
{
    (void)buf_add_z(out, "brood lab run ");
    shell_word(out, str_of(r->plan->file));
}

/* ---- head ---- */

static void add_digest(struct buf *out, struct str text)
{
    unsigned char digest[EVP_MAX_MD_SIZE], base64[EVP_MAX_MD_SIZE * 2];
    unsigned len = 0;

    if (EVP_Digest(text.ptr, text.len, digest, &len, EVP_sha256(), NULL) != 1)
        return; /* the browser then refuses the script: tables stay */
    (void)EVP_EncodeBlock(base64, digest, (int)len);
    (void)buf_addf(out, "'sha256-%s'", base64);
}

static void make_style(struct buf *out)
{
    (void)buf_add(out, uplot_css, uplot_css_len);
    (void)buf_add_char(out, '\n');
    (void)buf_add(out, page_css, page_css_len);
}

/* uPlot takes the resolution of its canvases from devicePixelRatio: two dots a
 * pixel at least, so that curves are sharp in print. */
static void make_script(struct buf *out)
{
    (void)buf_add_z(out, "(function(devicePixelRatio){");
    if (uplot_js_len)
        (void)buf_add(out, uplot_js, uplot_js_len);
    else
        (void)buf_add_z(out, "var uPlot=null;");
    (void)buf_add_z(out, "\n");
    (void)buf_add(out, page_js, page_js_len);
    (void)buf_add_z(out, "})(Math.max(2,window.devicePixelRatio||1));\n");
}

static void head(struct buf *out, const struct results *r, struct str style, struct str script)
{
    (void)buf_add_z(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; base-uri 'none'; form-action 'none'; style-src ");
    add_digest(out, style);
    (void)buf_add_z(out, "; script-src ");
    add_digest(out, script);
    (void)buf_add_z(
        out, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
             "initial-scale=1\">\n<meta name=\"generator\" content=\"brood " BROOD_VERSION "\">\n");
    markup_wrap(out, "<title>", str_of(r->plan->name), " - brood lab report</title>\n<style>");
    (void)buf_add_str(out, style);
    (void)buf_add_z(out, "</style>\n</head>\n<body>\n");
}

/* ---- body ---- */

static bool has_topic(const struct result_world *w, const char *topic)
{
    for (size_t i = 0; i < w->ntopics; i++)
        if (strcmp(w->topics[i], topic) == 0)
            return true;
    return false;
}

/* A topic of several worlds is one. */
static size_t count_topics(const struct results *r)
{
    size_t n = 0;

    for (size_t w = 0; w < r->plan->nworlds; w++)
        for (size_t i = 0; i < r->worlds[w].ntopics; i++) {
            bool is_new = true;

            for (size_t v = 0; v < w && is_new; v++)
                is_new = !has_topic(&r->worlds[v], r->worlds[w].topics[i]);
            n += is_new;
        }
    return n;
}

static void count(struct buf *out, size_t n, const char *one)
{
    (void)buf_addf(out, "<li><strong>%zu</strong> %s%s</li>", n, one, n == 1 ? "" : "s");
}

static void opening(struct buf *out, const struct results *r)
{
    markup_wrap(out, "<header><p class=\"kicker\">brood lab report</p><h1>", str_of(r->plan->name),
                "</h1>\n");
    if (r->plan->about)
        markup_wrap(out, "<p class=\"about\">", str_of(r->plan->about), "</p>\n");
    (void)buf_add_z(out, "<ul class=\"counts\">");
    count(out, r->plan->nworlds, "world");
    count(out, count_topics(r), "topic");
    count(out, r->plan->nmodels, "model");
    count(out, r->plan->repeats, "repeat");
    count(out, r->nruns, "run");
    (void)buf_add_z(out, "</ul>\n<nav aria-label=\"Contents\"><a href=\"#findings\">Findings</a>");
    if (r->plan->nclaims)
        (void)buf_add_z(out, " <a href=\"#claims\">Claims</a>");
    for (size_t w = 0; w < r->plan->nworlds; w++) {
        (void)buf_addf(out, " <a href=\"#w%zu\">", w + 1);
        markup_wrap(out, "World ", str_of(r->plan->worlds[w].name), "</a>");
    }
    (void)buf_add_z(out, " <a href=\"#parameters\">Parameters</a>"
                         " <a href=\"#repeat\">Repeat it</a></nav>\n</header>\n<main>\n"
                         "<noscript><p class=\"missing\">The curves are drawn by a script, and "
                         "scripts are off. Every table is here without them.</p></noscript>\n");
    if (uplot_js_len == 0)
        (void)buf_add_z(out, "<p class=\"missing\">The curves are missing: this brood was built "
                             "without uPlot (npm). Install npm and build again with ./run to have "
                             "them; every table is here without them.</p>\n");
}

static void findings(struct buf *out, const struct results *r, const struct claim_result *claims)
{
    struct buf text = BUF_INIT(1 << 22);
    struct str rest, line;

    say_findings(r, claims, &text);
    rest = buf_str(&text);
    (void)buf_add_z(out, "<section id=\"findings\"><h2>Findings</h2>\n<ul class=\"findings\">\n");
    while (str_cut(&rest, '\n', &line))
        markup_wrap(out, "<li>", line, "</li>\n");
    (void)buf_add_z(
        out, "</ul>\n<p class=\"note\">Means over topics (repeats averaged first) with half of "
             "their 95 % interval; bands in the curves are the same interval. One model "
             "<em>beats</em> another where the paired t test and Wilcoxon&#39;s signed-rank test "
             "over topics both give p &lt; 0.05 after Holm&#39;s correction. Intervals of "
             "differences are bootstrapped over topics; below 10 topics they are Student&#39;s, "
             "marked (t).</p></section>\n");
    buf_free(&text);
}

static void closing(struct buf *out, const struct results *r, const char *command,
                    struct str script)
{
    struct buf json = BUF_INIT(LIMIT_REPORT);

    markup_wrap(out, "<section id=\"repeat\"><h2>Repeat it</h2>\n<pre class=\"command\">",
                str_of(command), "</pre>\n");
    (void)buf_add_z(out, "<p class=\"note\">The same plan with brood " BROOD_VERSION
                         " on the same worlds gives the same results, to the byte, with any number "
                         "of jobs. Made by brood " BROOD_VERSION);
    (void)buf_add_z(
        out, uplot_js_len ? "; curves by uPlot (MIT licence, in the source of this page)." : ".");
    (void)buf_add_z(out, "</p></section>\n</main>\n<script type=\"application/json\" id=\"data\">");
    curves_json(r, &json);
    markup_json(out, buf_str(&json));
    (void)buf_add_z(out, "</script>\n<script>");
    (void)buf_add_str(out, script);
    (void)buf_add_z(out, "</script>\n</body>\n</html>\n");
    if (json.full)
        out->full = true;
    buf_free(&json);
}

enum status report_html(const struct results *r, const char *command, const char *path)
{
    struct buf out = BUF_INIT(LIMIT_REPORT), style = BUF_INIT(LIMIT_REPORT);
    struct buf script = BUF_INIT(LIMIT_REPORT);
    struct claim_result *claims = claims_judge(r);
    enum status st;

    make_style(&style);
    make_script(&script);
    head(&out, r, buf_str(&style), buf_str(&script));
    opening(&out, r);
    findings(&out, r, claims);
    if (r->plan->nclaims)
        markup_claims(&out, r, claims);
    for (uint32_t w = 0; w < r->plan->nworlds; w++)
        markup_world(&out, r, w);
    markup_plan(&out, r);
    closing(&out, r, command, buf_str(&script));
    st = out.full ? status_fail(ST_LIMIT,
                                "the report would be larger than %zu MiB: "
                                "ask for fewer metrics, models or topics",
                                LIMIT_REPORT >> 20)
                  : file_write(path, buf_str(&out));
    claims_free(claims, r->plan->nclaims);
    buf_free(&script);
    buf_free(&style);
    buf_free(&out);
    return st;
}
