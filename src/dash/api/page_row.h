/* page_row.h - a page as the API gives it wherever pages are listed. */
#pragma once

#include "base/json.h"
#include "dash/crawls.h"

/* Members of an open object. The crawl is entered. */
void page_row_put(struct json *j, struct dash_crawl *c, const struct query_page *p);
