"""chart.py - a small SVG chart for figures that are not curves along a crawl (those: `brood lab figure`).

    draw(path, title, x_name, y_name, lines, log=False)     lines: [(name, [(x, y), ...], dashed)]

Both axes are linear, from 0 on the vertical one, or with log=True logarithmic. Same lines, same bytes.
SPDX-License-Identifier: MIT
"""
import html
import math

COLOURS = ('#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#222222')
LEFT, TOP, WIDTH, HEIGHT, ROW = 70, 44, 400, 250, 18


def ticks(low, high, log):
    if log:
        return [10.0 ** e for e in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]
    rough = (high - low) / 6
    step = min((f * 10 ** math.floor(math.log10(rough)) for f in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    return [n * step for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def span(values, log, from_zero):
    low, high = min(values), max(values)
    if log:
        return 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))
    low = 0 if from_zero else low
    last = ticks(low, high, False)
    step = last[1] - last[0]
    return low, high if high - last[-1] < step / 1e6 or not from_zero else last[-1] + step


def text(x, y, size, words, anchor='start', turn=''):
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>'


def scale(low, high, log):
    """From a value to a share of the axis."""
    f = math.log10 if log else float
    return lambda v: (f(v) - f(low)) / (f(high) - f(low))


def draw(path, title, x_name, y_name, lines, log=False):
    points = [p for _, line, _ in lines for p in line]
    (x0, x1), (y0, y1) = span([x for x, _ in points], log, False), span([y for _, y in points], log, True)
    along, up = scale(x0, x1, log), scale(y0, y1, log)
    at = lambda x, y: (LEFT + WIDTH * along(x), TOP + HEIGHT * (1 - up(y)))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {TOP + HEIGHT + 56 + ROW * len(lines)}" '
           f'font-family="sans-serif"><title>{html.escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>',
           text(20, 22, 14, title)]
    for x in ticks(x0, x1, log):
        px, _ = at(x, y0)
        out += [f'<path d="M{px:.1f} {TOP}V{TOP + HEIGHT}" stroke="#ddd"/>', text(round(px, 1), TOP + HEIGHT + 16, 11, f'{x:g}', 'middle')]
    for y in ticks(y0, y1, log):
        _, py = at(x0, y)
        out += [f'<path d="M{LEFT} {py:.1f}H{LEFT + WIDTH}" stroke="#ddd"/>', text(LEFT - 6, round(py + 4, 1), 11, f'{y:g}', 'end')]
    out += [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
            text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, 12, x_name, 'middle'),
            text(16, TOP + HEIGHT / 2, 12, y_name, 'middle', f' transform="rotate(-90 16 {TOP + HEIGHT / 2:g})"')]
    for n, (name, line, dashed) in enumerate(lines):
        look = f'fill="none" stroke="{COLOURS[n % len(COLOURS)]}" stroke-width="2"' + (' stroke-dasharray="6 3"' if dashed else '')
        y = TOP + HEIGHT + 52 + ROW * n
        out += [f'<path d="M{"L".join("%.1f %.1f" % at(*p) for p in line)}" {look}/>',
                f'<path d="M{LEFT} {y}h26" {look}/>', text(LEFT + 36, y + 4, 12, name)]
    with open(path, 'w', encoding='utf-8') as f:
        f.write('\n'.join(out + ['</svg>', '']))
