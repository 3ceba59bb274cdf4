/* show_memory.h - what a crawl held in memory, by kind: the key `memory` (crawl/memory.h), for
 * brood stats. Nothing is written where a crawl has none. */
#ifndef CLI_SHOW_MEMORY_H
#define CLI_SHOW_MEMORY_H

#include "base/json.h"
#include "store/read/query.h"

void show_memory_json(struct query *q, struct json *j);
void show_memory_text(struct query *q, struct buf *out);

#endif
