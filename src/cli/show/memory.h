/* show_memory.h - what a crawl held in memory, by kind: the key `memory` (crawl/memory.h), for
 * brood stats. Nothing is written where a crawl has none. */
#pragma once

#include "base/json.h"
#include "store/read/query.h"

void show_memory_json(struct query *q, struct json *j);
void show_memory_text(struct query *q, struct buf *out);
