/* host_settings.h - what the user sets for single hosts.
 *
 *     docs.example.org delay=5s pages=200
 *     *.example.net connections=4 depth=3
 *
 * The first word is a host or a pattern of hosts (str_match()), with a port if only that port is
 * meant. Case does not matter. Then come settings:
 *
 *     delay=TIME        least time between two requests, in place of the crawl's
 *     connections=N     requests under way
 *     depth=N           links followed from a seed
 *     pages=N           pages at most; the host need not earn them (0: any)
 *
 * If several patterns match a host, the first one counts. The settings do not change
 * during a crawl.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct host_setting {
    char *pattern; /* in lower case */
    int64_t delay; /* us; -1: as for the crawl; the same below */
    int64_t connections, depth, pages;
};

struct host_settings {
    struct host_setting *items;
    size_t count, cap;
};

/* Adds a line. Returns ST_USAGE, with a sentence, if it is not valid. */
enum status host_settings_add(struct host_settings *s, struct str line) MUST_USE;
void host_settings_free(struct host_settings *s);

/* The settings of a host, whose name includes the port if one is written; NULL if
 * there are none. */
const struct host_setting *host_settings_find(const struct host_settings *s, struct str name);

/* Is a delay above 0 set for some host? */
bool host_settings_delay(const struct host_settings *s);
