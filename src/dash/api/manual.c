/* manual.c - docs/api.md, from the table of routes. SPDX-License-Identifier: MIT */
#include "dash/call.h"
#include "dash/dash.h"

static const char *const preface =
    "# The dashboard's API\n"
    "\n"
    "Made from the table of routes (`brood manual --api`); do not edit.\n"
    "\n"
    "`brood serve` and `brood crawl --dashboard` answer HTTP on 127.0.0.1 and print a URL, "
    "`http://127.0.0.1:PORT/#token=T`. Answers are JSON; an error is `{\"error\": \"sentence\"}` "
    "with "
    "400 (a wrong question), 403 (not allowed), 404 (not there), 405 (not this method), 409 (not "
    "in this state), 413 (too much), 415 (not JSON) or 503 (it would take too long). Times are "
    "texts (`2026-11-15T10:00:00.123Z`) unless said otherwise. What is unknown or not there is "
    "`null`: a time, a page, an agent, a title. An unknown parameter is an error.\n"
    "\n"
    "**Who may ask.** The `Host` header has to be 127.0.0.1, localhost, [::1] or what `--bind` "
    "named. "
    "Everything that changes something (POST) needs the header `X-Brood-Token: T`, a body of type "
    "`application/json`, and where a browser sends `Origin`, our own.\n"
    "\n"
    "**Why it is slow.** `waiting` of the overview, and the curves `wait.*`: `politeness` choices "
    "whose "
    "host wants to be left alone, `patience` hosts left idle because their links promise too "
    "little, `dns` names being looked up, `robots` robots.txt files and "
    "`server` "
    "pages under way; `cpu` the share of the time in which the mind was busy, `store` the share of "
    "its "
    "turns in which the writer had no room.\n"
    "\n"
    "**Marks.** A mark is kept at once, as a label of the URL (table `label`). A model "
    "that learns from examples (`classifier`) takes it as one of them, `taught` says so, and is "
    "trained with it when the next page comes, at most every five seconds; `resume` tells it all "
    "marks again. The crawl's relevance stays as it is: pages of one crawl are comparable. For a "
    "later crawl the line `marks DIR` of a topic file ([topic.md](topic.md)) makes examples of "
    "all marked pages, without asking for them.\n"
    "\n"
    "**Pause.** A paused crawl makes no request; what is under way arrives, timers and messages go "
    "on, and "
    "the time of `--for` too. Crawls that were started from the page go on when `brood serve` "
    "ends.\n";

static void add_params(struct buf *out, const struct option *o)
{
    if (o == NULL)
        return;
    buf_add_z(out, "\n| parameter | default | meaning |\n|---|---|---|\n");
    for (; o->name; o++) {
        struct buf range = BUF_INIT(400);

        option_range(o, &range);
        buf_addf(out, "| `%s` | %s | %s%s%.*s%s |\n", o->name, o->fallback ? o->fallback : "",
                 o->help, range.len ? " (" : "", (int)range.len, range.len ? range.data : "",
                 range.len ? ")" : "");
        buf_free(&range);
    }
}

void dash_manual(struct buf *out)
{
    buf_add_z(out, preface);
    for (const struct route *r = route_table; r->path; r++) {
        buf_addf(out, "\n## %s %s\n\n%s.\n", r->method, r->path, r->summary);
        if (r->body)
            buf_addf(out, "\nBody: `%s`\n", r->body);
        if (r->answer)
            buf_addf(out, "\nAnswer: `%s`\n", r->answer);
        add_params(out, r->params);
    }
}
