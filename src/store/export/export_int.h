/* export_int.h - what the files of the export share. Inside store/ only. */
#pragma once

#include "store/export/export.h"
#include "store/read/query_int.h"

enum status export_put(FILE *out, struct str s) MUST_USE;
/* Text for XML 1.0: escapes, and no characters it forbids. */
void export_xml_str(struct buf *out, struct str s);
enum status export_cdxj(struct query *q, FILE *out) MUST_USE;
enum status export_xml(struct query *q, FILE *out) MUST_USE;
