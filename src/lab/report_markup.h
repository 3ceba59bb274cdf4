/* report_markup.h - the HTML report's parts; every text from outside goes through
 * markup_text(), and nothing from outside is ever written in another way. */
#ifndef LAB_REPORT_MARKUP_H
#define LAB_REPORT_MARKUP_H

#include "lab/report_int.h"

/* A model has colour number % 8 and dash number / 8, here, in page.css and page.js. */
#define MARKUP_COLOURS 8
#define MARKUP_DASHES  4

/* Text inside an element or a quoted attribute: & < > " ' become entities, control
 * characters and broken UTF-8 U+FFFD. */
void markup_text(struct buf *out, struct str text);
/* fmt with only literals and numbers in it, then text escaped, then the tail. */
void markup_wrap(struct buf *out, const char *before, struct str text, const char *after);
/* JSON that cannot end the <script> it stands in. */
void markup_json(struct buf *out, struct str json);
/* `class="s3 d0"`: the colour and dash of a model. */
void markup_style(struct buf *out, uint32_t model);
/* "3 best-first n=256", with "lab only" where it is. */
void markup_model(struct buf *out, const struct results *r, uint32_t model);
/* <td> with a number in it (and its exact value, for sorting). */
void markup_number(struct buf *out, double v);

/* report_box.c: <svg> with a box a model: quartiles, median, whiskers to the last
 * value within 1.5 quartile distances, and a dot a topic. */
void markup_boxes(struct buf *out, const struct results *r, uint32_t world, int metric,
                  const struct summary *s);

/* report_metric.c: one metric of one world. */
void markup_metric(struct buf *out, const struct results *r, uint32_t world, int metric);
/* report_world.c: one world: figures, legend, metrics, how runs ended. */
void markup_world(struct buf *out, const struct results *r, uint32_t world);
/* report_plan.c: every parameter. */
void markup_plan(struct buf *out, const struct results *r);
void markup_claims(struct buf *out, const struct results *r, const struct claim_result *claims);

/* ---- files of page/ and uPlot, compiled in (tools/embed) ---- */

extern const char page_css[], page_js[], uplot_css[], uplot_js[];
extern const size_t page_css_len, page_js_len, uplot_css_len;
extern const size_t uplot_js_len; /* 0: npm's uplot was not there when brood was built */

#endif
