/* show_told.h - what a model tells of an agent, for brood show: the same as on its card. */
#pragma once

#include "base/json.h"
#include "store/read/query.h"

/* Lines for people; none where nothing was kept. `alive`: it still changes. */
void show_told_text(struct query *q, uint32_t agent, bool alive, struct buf *out);
/* "told" and "told_at", members of an open object. */
void show_told_json(struct query *q, uint32_t agent, struct json *j);
