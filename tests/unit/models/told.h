/* told.h - what a model tells of an agent, as text. Include support.h first. */
#pragma once

#include "agent/model.h"

/* Lent until the next call. */
static inline const char *told(const struct model *m, uint32_t agent)
{
    static char text[16384];
    struct buf out = BUF_INIT(sizeof text - 1);
    struct json j;

    json_init(&j, &out);
    json_open_object(&j, NULL);
    m->ops->tells->tell(m, agent, &j);
    json_close(&j);
    assert_false(out.full);
    memcpy(text, out.data, out.len);
    text[out.len] = '\0';
    buf_free(&out);
    return text;
}
