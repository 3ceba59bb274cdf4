/* dashboard.c - the dashboard inside a crawling process. SPDX-License-Identifier: MIT */
#include "cli/dashboard.h"

#include "base/str.h"
#include "dash/dash.h"

#include <stdio.h>

#ifdef BROOD_DASH
enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    struct dash_config config = {.port = -1};
    uint64_t number;
    enum status st;

    *ret = NULL;
    if (port == NULL)
        return ST_OK;
    if (strcmp(port, "auto") != 0) {
        if (!str_to_u64(str_of(port), &number) || number > 65535)
            return status_fail(ST_USAGE, "--dashboard=%s: this is no port", port);
        config.port = (int)number;
    }
    text_list_add(&config.dirs, str_of(dir));
    st = dash_new(&config, ret);
    text_list_free(&config.dirs);
    if (st != ST_OK)
        return status_prefix(st, "--dashboard");
    fprintf(stderr, "dashboard: %s\n", dash_url(*ret));
    return ST_OK;
}

void dashboard_stop(struct dash *d)
{
    dash_free(d);
}
#else
enum status dashboard_start(const char *dir, const char *port, struct dash **ret)
{
    (void)dir;
    *ret = NULL;
    return port ? status_fail(ST_USAGE, "this brood was built without its dashboard: "
                                        "libmicrohttpd was missing")
                : ST_OK;
}

void dashboard_stop(struct dash *d)
{
    (void)d;
}
#endif
