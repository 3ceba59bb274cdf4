/* views.h - the views of a crawl on several machines, and how each is gathered. */
#pragma once

#include "dash/far/far_int.h"

struct far_view {
    const char *path; /* of the route */
    enum status (*fn)(struct far *f, struct call *r);
    bool is_kept; /* its answers are kept; the overview can also be given without the nodes */
};

/* Returns a view; NULL if there is no such view over the bus. */
const struct far_view *far_view_find(const char *path);
