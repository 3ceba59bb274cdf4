/* agent_row.h - an agent as the API gives it: a node of the tree, the head of its card. */
#pragma once

#include "base/json.h"
#include "dash/crawls.h"

/* Members of an open object. The crawl is entered. */
void agent_row_put(struct json *j, struct dash_crawl *c, const struct query_agent *a);
