/* dashboard.c - the dashboard inside a crawling process. SPDX-License-Identifier: MIT */
#include "cli/dashboard.h"

#include "cli/command.h"

#include "base/str.h"
#include "dash/dash.h"

#include <stdio.h>

#ifdef BROOD_DASH
/* -1: any that is free, -2: this is no port. */
static int port_of(const char *text)
{
    uint64_t number;

    if (strcmp(text, "auto") == 0)
        return -1;
    return str_to_u64(str_of(text), &number) && number <= 65535 ? (int)number : -2;
}

enum status dashboard_check(const char *port)
{
    if (port && port_of(port) == -2)
        return status_fail(ST_USAGE, "--dashboard=%s: this is no port", port);
    return ST_OK;
}

enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    struct dash_config config = {0};
    enum status st;

    *ret = NULL;
    if (port == NULL)
        return ST_OK;
    config.port = port_of(port);
    text_list_add(&config.dirs, str_of(dir));
    st = dash_new(&config, ret);
    text_list_free(&config.dirs);
    if (st != ST_OK)
        return status_prefix(st, "--dashboard");
    report_say("dashboard: %s\n", dash_url(*ret));
    return ST_OK;
}

void dashboard_stop(struct dash *d)
{
    dash_free(d);
}
#else
enum status dashboard_check(const char *port)
{
    return port ? status_fail(ST_USAGE, "this brood was built without its dashboard: "
                                        "libmicrohttpd was missing")
                : ST_OK;
}

enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    (void)dir;
    (void)port;
    *ret = NULL;
    return ST_OK;
}

void dashboard_stop(struct dash *d)
{
    (void)d;
}
#endif
