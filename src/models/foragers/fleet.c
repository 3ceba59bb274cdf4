/* fleet.c - "wlrl:8,wl:8" to numbers.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/fleet.h"

#include "base/str.h"
#include "models/foragers/foragers_int.h"

static const char *const names[KINDS] = {[KIND_WL] = "wl", [KIND_RL] = "rl", [KIND_WLRL] = "wlrl"};

const char *fleet_kind(enum forager_kind kind)
{
    return names[kind];
}

enum forager_kind fleet_find(struct str name)
{
    int kind = 0;

    while (kind < KINDS && !str_eq(name, str_of(names[kind])))
        kind++;
    return (enum forager_kind)kind;
}

static enum status refuse(const char *text)
{
    return status_fail(ST_USAGE,
                       "kind=%s: wanted is wl, rl or wlrl; or a mixed fleet such as wlrl:8,wl:8, "
                       "each kind once, with 1 to %d foragers",
                       text, FORAGERS_MAX);
}

/* "wlrl:8": false where it is none, or the kind is there already. */
static bool read_part(struct str part, struct fleet *ret)
{
    size_t colon = str_find_char(part, ':', 0);
    enum forager_kind kind = fleet_find(str_sub(part, 0, colon));
    uint64_t most = 0;

    if (colon == SIZE_MAX || kind == KINDS || ret->most[kind] ||
        !str_to_u64(str_sub(part, colon + 1, part.len), &most) || most == 0 || most > FORAGERS_MAX)
        return false;
    ret->most[kind] = (uint32_t)most;
    ret->all_most += (uint32_t)most;
    return true;
}

static void share_least(struct fleet *f, uint32_t least)
{
    uint32_t kinds = 0;

    for (int k = 0; k < KINDS; k++)
        kinds += f->most[k] > 0;
    for (int k = 0; k < KINDS; k++) {
        uint32_t share = least / kinds > 1 ? least / kinds : 1;

        f->least[k] = share < f->most[k] ? share : f->most[k];
        f->all_least += f->least[k];
    }
}

enum status fleet_read(const char *text, uint32_t least, uint32_t most, struct fleet *ret)
{
    struct str rest = str_of(text);
    enum forager_kind only = fleet_find(rest);

    *ret = (struct fleet){.all_least = least, .all_most = most};
    if (only != KINDS) {
        ret->least[only] = least;
        ret->most[only] = most;
        return ST_OK;
    }
    ret->all_least = ret->all_most = 0;
    for (;;) {
        size_t comma = str_find_char(rest, ',', 0);

        if (!read_part(str_trim(str_sub(rest, 0, comma)), ret) || ret->all_most > FORAGERS_MAX)
            return refuse(text);
        if (comma == SIZE_MAX)
            break;
        rest = str_sub(rest, comma + 1, rest.len);
    }
    share_least(ret, least);
    return ST_OK;
}
