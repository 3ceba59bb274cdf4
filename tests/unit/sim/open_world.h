/* open_world.h - worlds that must open. */
#pragma once

#include "support/support.h"

#include "sim/world.h"

static inline struct world *opened(const char *dir)
{
    struct world *w = NULL;

    if (world_open(dir, &w) != ST_OK)
        fail_msg("%s", status_text());
    return w;
}
