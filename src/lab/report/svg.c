/* svg.c - lines in a box with axes, as SVG. SPDX-License-Identifier: MIT */
#include "lab/report/svg.h"

#include "base/utf8.h"

#include <math.h>

#define TICKS 5
#define FONT  "font-family=\"sans-serif\""

/* ---- text ---- */

static void add_escaped(struct buf *out, const char *text)
{
    struct str s = str_of(text);

    for (size_t at = 0; at < s.len;) {
        uint32_t cp = utf8_next(s, &at);
        char bytes[4];

        if (cp == '<')
            buf_add_z(out, "&lt;");
        else if (cp == '>')
            buf_add_z(out, "&gt;");
        else if (cp == '&')
            buf_add_z(out, "&amp;");
        else if (cp == '"')
            buf_add_z(out, "&quot;");
        else if (utf8_is_control(cp) || cp == 0xfffe || cp == 0xffff)
            buf_add_char(out, '?');
        else
            buf_add(out, bytes, utf8_put(cp, bytes));
    }
}

/* Tenths of a pixel; no "-0". */
static void add_number(struct buf *out, double v)
{
    double tenths = rint(v * 10);

    buf_addf(out, "%.10g", fabs(tenths) < 0.5 ? 0 : tenths / 10);
}

static void add_point(struct buf *out, char command, double x, double y)
{
    buf_add_char(out, command);
    add_number(out, x);
    buf_add_char(out, ' ');
    add_number(out, y);
}

void svg_text(struct buf *out, double x, double y, enum svg_anchor anchor, int size,
              const char *text)
{
    static const char *const names[] = {"start", "middle", "end"};

    buf_add_z(out, "<text x=\"");
    add_number(out, x);
    buf_add_z(out, "\" y=\"");
    add_number(out, y);
    buf_addf(out, "\" font-size=\"%d\" text-anchor=\"%s\">", size, names[anchor]);
    add_escaped(out, text);
    buf_add_z(out, "</text>\n");
}

void svg_open(struct buf *out, double width, double height, const char *title, const char *about)
{
    buf_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
             "viewBox=\"0 0 %g %g\" " FONT " fill=\"#222\" role=\"img\">\n<title>",
             width, height, width, height);
    add_escaped(out, title);
    buf_add_z(out, "</title>\n<desc>");
    add_escaped(out, about);
    buf_addf(out, "</desc>\n<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", width, height);
}

void svg_close(struct buf *out)
{
    buf_add_z(out, "</svg>\n");
}

/* ---- axes ---- */

double svg_step(double from, double to)
{
    double rough = (to - from) / TICKS, unit;

    if (!(rough > 0) || !isfinite(rough))
        return 1;
    unit = pow(10, floor(log10(rough)));
    return unit * (rough < 1.5 * unit ? 1 : rough < 3.5 * unit ? 2 : rough < 7.5 * unit ? 5 : 10);
}

double svg_above(double from, double value)
{
    double step = svg_step(from, value);

    return from + step * ceil((value - from) / step - 1e-9);
}

static double at_x(const struct svg_plot *p, double x)
{
    return p->left + (x - p->x0) / (p->x1 - p->x0) * p->width;
}

static double at_y(const struct svg_plot *p, double y)
{
    return p->top + p->height - (y - p->y0) / (p->y1 - p->y0) * p->height;
}

static void add_tick(struct buf *out, const struct svg_plot *p, double v, bool is_x)
{
    LOCAL_BUF text = BUF_INIT(64);
    double x = is_x ? at_x(p, v) : p->left, y = is_x ? p->top + p->height : at_y(p, v);

    buf_addf(&text, "%.10g", v);
    buf_add_z(out, "<path stroke=\"#ddd\" d=\"");
    add_point(out, 'M', x, y);
    add_point(out, 'L', is_x ? x : p->left + p->width, is_x ? p->top : y);
    buf_add_z(out, "\"/>\n");
    svg_text(out, is_x ? x : x - 6, is_x ? y + 15 : y + 4, is_x ? SVG_MIDDLE : SVG_END, 11,
             text.data);
}

static void add_ticks(struct buf *out, const struct svg_plot *p, double from, double to, bool is_x)
{
    double step = svg_step(from, to), first = ceil(from / step - 1e-9);

    for (double k = first; k * step <= to + step * 1e-9; k++)
        add_tick(out, p, fabs(k) < 0.5 ? 0 : k * step, is_x);
}

void svg_axes(struct buf *out, const struct svg_plot *p, const char *x_name, const char *y_name)
{
    double middle = p->top + p->height / 2;

    add_ticks(out, p, p->x0, p->x1, true);
    add_ticks(out, p, p->y0, p->y1, false);
    buf_addf(out,
             "<clipPath id=\"box%u\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>"
             "</clipPath>\n<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
             "stroke=\"#888\"/>\n",
             p->number, p->left, p->top, p->width, p->height, p->left, p->top, p->width, p->height);
    svg_text(out, p->left + p->width / 2, p->top + p->height + 32, SVG_MIDDLE, 12, x_name);
    buf_addf(out, "<g transform=\"rotate(-90 %g %g)\">", p->left - 44, middle);
    svg_text(out, p->left - 44, middle, SVG_MIDDLE, 12, y_name);
    buf_add_z(out, "</g>\n");
}

/* ---- lines ---- */

static bool is_point(const struct svg_line *l, size_t i)
{
    return i < l->n && isfinite(l->x[i]) && isfinite(l->y[i]);
}

/* The points from *at on up to the next gap: [*at, end). False: there are none left. */
static bool next_piece(const struct svg_line *l, size_t *at, size_t *ret_end)
{
    while (*at < l->n && !is_point(l, *at))
        ++*at;
    for (*ret_end = *at; is_point(l, *ret_end);)
        ++*ret_end;
    return *at < l->n;
}

static double half_of(const struct svg_line *l, size_t i)
{
    return isfinite(l->half[i]) ? l->half[i] : 0;
}

static void add_band(struct buf *out, const struct svg_plot *p, const struct svg_line *l)
{
    buf_addf(out, "<path clip-path=\"url(#box%u)\" fill=\"%s\" fill-opacity=\".15\" d=\"",
             p->number, l->colour);
    for (size_t at = 0, end; next_piece(l, &at, &end); at = end) {
        for (size_t i = at; i < end; i++)
            add_point(out, i == at ? 'M' : 'L', at_x(p, l->x[i]), at_y(p, l->y[i] + half_of(l, i)));
        for (size_t i = end; i-- > at;)
            add_point(out, 'L', at_x(p, l->x[i]), at_y(p, l->y[i] - half_of(l, i)));
        buf_add_char(out, 'Z');
    }
    buf_add_z(out, "\"/>\n");
}

static void add_stroke(struct buf *out, const char *colour, const char *dash, bool thin)
{
    buf_addf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"", colour, thin ? ".7" : "2");
    if (thin)
        buf_add_z(out, " stroke-opacity=\".45\"");
    if (dash)
        buf_addf(out, " stroke-dasharray=\"%s\"", dash);
}

void svg_line(struct buf *out, const struct svg_plot *p, const struct svg_line *l)
{
    size_t at = 0, end;

    if (!next_piece(l, &at, &end))
        return;
    if (l->half)
        add_band(out, p, l);
    buf_addf(out, "<path clip-path=\"url(#box%u)\"", p->number);
    add_stroke(out, l->colour, l->dash, l->thin);
    buf_add_z(out, " d=\"");
    for (; next_piece(l, &at, &end); at = end)
        for (size_t i = at; i < end; i++)
            add_point(out, i == at ? 'M' : 'L', at_x(p, l->x[i]), at_y(p, l->y[i]));
    buf_add_z(out, "\"/>\n");
}

void svg_cross(struct buf *out, const struct svg_plot *p, double x, double y, const char *colour)
{
    double px = at_x(p, x), py = at_y(p, y);

    buf_addf(out, "<path clip-path=\"url(#box%u)\" stroke=\"%s\" d=\"", p->number, colour);
    add_point(out, 'M', px - 3, py - 3);
    add_point(out, 'L', px + 3, py + 3);
    add_point(out, 'M', px - 3, py + 3);
    add_point(out, 'L', px + 3, py - 3);
    buf_add_z(out, "\"/>\n");
}

void svg_sample(struct buf *out, double x, double y, const char *colour, const char *dash)
{
    buf_add_z(out, "<path");
    add_stroke(out, colour, dash, false);
    buf_add_z(out, " d=\"");
    add_point(out, 'M', x, y);
    add_point(out, 'L', x + 28, y);
    buf_add_z(out, "\"/>\n");
}
