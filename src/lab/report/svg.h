/* svg.h - draws lines in a box with axes, as SVG. Pure: the same numbers give the same bytes.
 *
 *     struct svg_plot p = {.left = 60, .top = 30, .width = 380, .height = 220, .x1 = 100, .y1 = 1};
 *     svg_open(out, 460, 300, "Recall", "…");
 *     svg_axes(out, &p, "pages", "recall");
 *     svg_line(out, &p, &line);
 *     svg_close(out);
 *
 * Points are scaled into the box, and lines are clipped at it. A line has a gap where a value is
 * NAN. Texts are escaped: no name can add an element.
 */
#pragma once

#include "base/buf.h"

struct svg_plot {
    double left, top, width, height; /* of the box, in pixels */
    double x0, x1, y0, y1;           /* values at its edges */
    unsigned number;                 /* of the box in its file: names its clipping path */
};

struct svg_line {
    const double *x, *y;
    const double *half; /* a band of y +- half around it; NULL: none */
    size_t n;
    const char *colour, *dash; /* "4 3"; NULL: solid */
    bool thin;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

void svg_open(struct buf *out, double width, double height, const char *title, const char *about);
void svg_close(struct buf *out);
void svg_text(struct buf *out, double x, double y, enum svg_anchor anchor, int size,
              const char *text);
/* Draws the box, ticks with their numbers, and the names of the axes. */
void svg_axes(struct buf *out, const struct svg_plot *p, const char *x_name, const char *y_name);
void svg_line(struct buf *out, const struct svg_plot *p, const struct svg_line *line);
/* Draws a small cross, where a run ended. */
void svg_cross(struct buf *out, const struct svg_plot *p, double x, double y, const char *colour);
/* Draws a piece of a line for a legend, in pixels. */
void svg_sample(struct buf *out, double x, double y, const char *colour, const char *dash);

/* Returns the distance of ticks such that there are about five between two values: 1, 2 or 5 times
 * a power of ten. */
double svg_step(double from, double to);
/* Returns the first tick at or above `value`, where an axis may end. */
double svg_above(double from, double value);
