/* quiet.h - hours of the day in which nobody is asked for anything: "22:00-06:00", in local
 * time (TZ). Windows may go over midnight; from and to may not be the same. */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

struct quiet {
    int from, to; /* minutes since midnight; equal: no quiet hours */
};

enum status quiet_parse(struct str text, struct quiet *ret) MUST_USE;

/* When the quiet hours end that `now` lies in; 0: it lies in none. */
int64_t quiet_until(const struct quiet *q, int64_t now);
