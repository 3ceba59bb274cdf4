/* watch_hubs.c - hubs that say when a feed changed (crawl/watch/push.h), and the server that they
 * reach. SPDX-License-Identifier: MIT */
#include "cli/commands/watch_outlets.h"

#include "base/limits.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "cli/command.h"
#include "crawl/watch/prompt.h"
#include "dash/callback.h"

#ifdef BROOD_DASH
enum status outlets_open_hubs(struct outlets *x)
{
    const struct watch_options *o = x->options;
    enum status st = push_new(o->callback, &o->crawl, false, &x->push);

    if (st == ST_OK)
        st = callback_open(o->callback_listen, x->push, &x->callback);
    if (st != ST_OK)
        return st;
    bus_join(crawl_bus(x->crawl), push_event, x->push);
    if (!o->crawl.quiet)
        report_say("waiting for hubs at port %d\n", callback_port(x->callback));
    return ST_OK;
}

void outlets_close_hubs(struct outlets *x)
{
    callback_close(x->callback); /* first: it uses x->push */
    x->callback = NULL;
}

static void sweep_callback(struct outlets *x)
{
    callback_sweep(x->callback);
}
#else
enum status outlets_open_hubs(struct outlets *x)
{
    (void)x;
    return status_fail(ST_USAGE, "--callback: this brood was built without a server: "
                                 "libmicrohttpd was missing");
}

void outlets_close_hubs(struct outlets *x)
{
    (void)x;
}

static void sweep_callback(struct outlets *x)
{
    (void)x;
}
#endif

/* In quiet hours nobody is asked for anything; what a hub says waits. */
void outlets_hear_hubs(struct outlets *x, int64_t now)
{
    struct buf url = BUF_INIT(LIMIT_URL + 1);

    if (x->push == NULL || x->quiet_now)
        return;
    sweep_callback(x);
    push_pump(x->push, now);
    while (push_take(x->push, now, &url)) {
        if (prompts_look(x->crawl, buf_str(&url)))
            log_line(crawl_log(x->crawl), LOG_INFO, now, "a hub says that %.*s changed",
                     STR_ARG(buf_str(&url)));
        buf_clear(&url);
    }
    buf_free(&url);
}
