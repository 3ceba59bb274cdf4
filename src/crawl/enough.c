/* enough.c - when enough of the topic is found. See enough.h. SPDX-License-Identifier: MIT */
#include "crawl/enough.h"

#include "base/str.h"
#include "crawl/crawl_int.h"

#define LOOK_EVERY 16 /* pages at least, and that part of the pages so far */

/* Reads the share; 0 if none was asked for. Returns false if it is not a share. */
static bool share_of(const char *text, double *ret)
{
    struct str t = str_of(text ? text : "");
    bool percent = t.len > 0 && t.ptr[t.len - 1] == '%';

    *ret = 0;
    if (t.len == 0)
        return true;
    if (!str_to_double(str_sub(t, 0, t.len - percent), ret))
        return false;
    *ret /= percent ? 100 : 1;
    return *ret > 0 && *ret < 1;
}

enum status enough_check(const struct crawl_options *o)
{
    const struct model_ops *ops;
    double share;

    if (!share_of(o->until, &share))
        return status_fail(
            ST_USAGE, "--until %s: write a share above 0 and below 100%%, such as 90%%", o->until);
    if (!(share > 0))
        return ST_OK;
    TRY(wire_find_model(o->model, true, &ops));
    if (ops->judges == NULL)
        return status_fail(ST_USAGE,
                           "--until %s: the model '%s' cannot tell how much of the topic is found "
                           "(the model brood can)",
                           o->until, o->model);
    return ST_OK;
}

void enough_look(struct crawl *c)
{
    if (c->model->ops->judges == NULL || c->pages < c->outlook_at)
        return;
    c->outlook = outlook_of(c->model, c->pages);
    c->outlook_at =
        c->pages + (c->pages / LOOK_EVERY > LOOK_EVERY ? c->pages / LOOK_EVERY : LOOK_EVERY);
}

bool enough_is_found(const struct crawl *c)
{
    double share;

    return c->outlook.is_known && c->options->until && share_of(c->options->until, &share) &&
           c->outlook.share >= share;
}

/* If no link is left that may be followed, nothing more can be expected. */
void enough_close(struct crawl *c)
{
    c->outlook_at = 0;
    enough_look(c);
    if (c->end == CRAWL_COMPLETE && c->outlook.is_known) {
        c->outlook.more = c->outlook.least = c->outlook.most = 0;
        c->outlook.share = 1;
    }
}
