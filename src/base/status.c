/* status.c - the thread-local error text. SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/str.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 1024

static _Thread_local char text[TEXT_MAX];

static const char *const names[] = {
    [ST_OK] = "ok",           [ST_USAGE] = "usage",       [ST_INVALID] = "invalid",
    [ST_LIMIT] = "limit",     [ST_MISSING] = "missing",   [ST_EXISTS] = "exists",
    [ST_IO] = "io",           [ST_NET] = "net",           [ST_REFUSED] = "refused",
    [ST_BUSY] = "busy",       [ST_CORRUPT] = "corrupt",   [ST_STARVED] = "starved",
    [ST_STOPPED] = "stopped", [ST_INTERNAL] = "internal",
};

const char *status_name(enum status st)
{
    return (size_t)st < sizeof names / sizeof *names ? names[st] : "unknown";
}

enum status status_fail(enum status st, const char *fmt, ...)
{
    char fresh[TEXT_MAX]; /* the old text may be one of the arguments */
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(fresh, sizeof fresh, fmt, args);
    va_end(args);
    memcpy(text, fresh, sizeof text);
    return st;
}

enum status status_prefix(enum status st, const char *fmt, ...)
{
    char old[TEXT_MAX];
    va_list args;
    int used;

    memcpy(old, text, sizeof old);
    va_start(args, fmt);
    used = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (used >= 0 && (size_t)used + 2 < sizeof text)
        (void)snprintf(text + used, sizeof text - (size_t)used, ": %.*s",
                       (int)(sizeof text - (size_t)used - 3), old);
    return st;
}

const char *status_text(void)
{
    return text;
}

/* ---- everything that is wrong, not only the first thing ---- */

void mistakes_note(struct mistakes *f, const char *name, enum status st)
{
    if (st == ST_OK || f->count == MISTAKES_MOST)
        return;
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->items[i].name, name) == 0)
            return;
    f->items[f->count++] = (struct mistake){
        .name = str_dup(str_of(name)),
        .sentence = str_dup(str_of(status_text())),
        .status = st,
    };
}

enum status mistakes_status(const struct mistakes *f)
{
    return f->count ? status_fail(f->items[0].status, "%s", f->items[0].sentence) : ST_OK;
}

void mistakes_clear(struct mistakes *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->items[i].name);
        free(f->items[i].sentence);
    }
    f->count = 0;
}
