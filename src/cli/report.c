/* report.c - how commands speak: errors, tables, widths.
 * SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

int report_failure(enum status st)
{
    fprintf(stderr, "brood: %s\n", *status_text() ? status_text() : status_name(st));
    if (st == ST_USAGE || st == ST_EXISTS)
        return EXIT_USAGE;
    return st == ST_STARVED ? EXIT_STARVED : st == ST_STOPPED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

int report_out(struct buf *out)
{
    bool ok = fwrite(out->data ? out->data : "", 1, out->len, stdout) == out->len;

    ok = fflush(stdout) == 0 && ok;
    if (!ok && errno != EPIPE)
        fprintf(stderr, "brood: the output cannot be written: %s\n", strerror(errno));
    buf_free(out);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

/* Everything here came from the web: no control character may reach a
 * terminal. Limit: every other character counts as one column. */
void report_text(struct buf *out, struct str text, size_t width)
{
    size_t columns = 0;

    for (size_t at = 0; at < text.len && columns < width; columns++) {
        size_t from = at;
        uint32_t cp = utf8_next(text, &at);
        bool bidi = (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);

        if (columns + 1 == width && at < text.len)
            (void)buf_add_z(out, "\xe2\x80\xa6"); /* an ellipsis */
        else if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || bidi || cp == UTF8_BAD)
            (void)buf_add_char(out, cp == '\n' || cp == '\t' ? ' ' : '?');
        else
            (void)buf_add(out, text.ptr + from, at - from);
    }
}

double report_zero(double value, int decimals)
{
    return value <= 0 && -value * pow(10, decimals) < 0.5 ? 0 : value;
}

void report_count(struct buf *out, uint64_t n, const char *one)
{
    (void)buf_addf(out, "%llu %s%s", (unsigned long long)n, one, n == 1 ? "" : "s");
}

size_t report_width(int fd)
{
    struct winsize w;

    if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40)
        return w.ws_col;
    return 100;
}
