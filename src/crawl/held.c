/* held.c - confines the process of a crawl. The reader of the options has added the files that they
 * name; the directory and that of --base-from are added here. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/os/confine.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "store/store.h"

enum status held_files(struct crawl *c)
{
    struct confine *confine = c->options->confine;

    if (confine == NULL)
        return ST_OK;
    TRY(store_make_dir(c->dir));
    store_scratch(c->dir);
    confine_write(confine, c->dir);
    if (c->options->base_from) /* SQLite writes files beside those that it reads */
        confine_write(confine, c->options->base_from);
    confine_files(confine);
    return ST_OK;
}

/* Reported once: in the log, and for `brood stats`. */
void held_calls(struct crawl *c)
{
    struct confine *confine = c->options->confine;
    char text[CONFINE_TEXT] = "no (--no-confine)";
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {STR("confined"), STR("")}};

    if (confine) {
        confine_calls(confine);
        (void)confine_said(confine, text);
    } else if (!c->options->no_confine) {
        return;
    }
    e.key.value = str_of(text);
    bus_post(c->bus, &e);
    log_line(c->log, LOG_INFO, c->now, "confined: %s", text);
}
