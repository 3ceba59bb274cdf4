/* csv.h - texts in CSV (RFC 4180), for spreadsheets. */
#pragma once

#include "base/buf.h"

/* A quoted cell. A text that a spreadsheet would take for a formula (it begins with
 * = + - @, a tab or a return) gets an apostrophe in front, as its user would type it. */
void csv_add(struct buf *out, struct str text);
