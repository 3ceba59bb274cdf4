/* make_report.c - a report made from the showcase, for the browser test: the page as a file,
 * the tables of the terminal on standard output.
 *
 *   make_report FILE.html
 *
 * SPDX-License-Identifier: MIT */
#include "made.h"

#include "lab/report/report.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct buf command = BUF_INIT(4096), text = BUF_INIT(1 << 22);
    struct results *r;
    enum status st;

    if (argc != 2)
        return 2;
    r = made_showcase();
    report_command(r, &command);
    st = report_html(r, command.data, argv[1]);
    if (st != ST_OK)
        fprintf(stderr, "make_report: %s\n", status_text());
    report_terminal(r, &text);
    fputs(text.data, stdout);
    buf_free(&text);
    buf_free(&command);
    made_free(r);
    return st != ST_OK;
}
