/* reports.c - reports of the lab, from the directories that were given.
 *
 * A report is a page with a script of its own: it is shown in a frame that has neither our
 * origin nor the network (REPLY_REPORT). SPDX-License-Identifier: MIT */
#include "base/os/file.h"
#include "dash/dash_int.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct str name_of(const char *dir)
{
    struct str s = str_of(dir), rest, part, last = {NULL, 0};

    for (rest = s; str_cut(&rest, '/', &part);)
        if (part.len)
            last = part;
    return last;
}

/* Gets the name of the i-th report: if two directories have the same name, the second is NAME-2. */
static void name_at(const struct text_list *labs, size_t i, struct buf *ret)
{
    struct str name = name_of(labs->items[i]);
    size_t before = 0;

    for (size_t k = 0; k < i; k++)
        before += str_eq(name_of(labs->items[k]), name);
    buf_clear(ret);
    buf_addf(ret, "%.*s", STR_ARG(name));
    if (before)
        buf_addf(ret, "-%zu", before + 1);
}

/* Only a file, not a link, whose target was chosen by the maker of the directory. */
static bool path_of(const char *dir, char *ret, size_t size)
{
    struct stat info;

    return snprintf(ret, size, "%s/report.html", dir) < (int)size && lstat(ret, &info) == 0 &&
           S_ISREG(info.st_mode) && access(ret, R_OK) == 0;
}

static enum status api_reports(struct call *r)
{
    struct buf name = BUF_INIT(4096);
    char path[4096];
    struct json j;

    json_init(&j, &r->out);
    json_open_array(&j, NULL);
    for (size_t i = 0; i < r->dash->labs.count; i++) {
        const char *dir = r->dash->labs.items[i];

        json_open_object(&j, NULL);
        name_at(&r->dash->labs, i, &name);
        json_put_str(&j, "name", buf_str(&name));
        json_put_z(&j, "dir", dir);
        json_put_bool(&j, "report", path_of(dir, path, sizeof path));
        json_close(&j);
    }
    json_close(&j);
    buf_free(&name);
    return ST_OK;
}

static enum status api_report(struct call *r)
{
    struct buf name = BUF_INIT(4096);
    bool found = false;
    char path[4096];

    for (size_t i = 0; i < r->dash->labs.count && !found; i++) {
        name_at(&r->dash->labs, i, &name);
        found = str_eq(buf_str(&name), str_of(r->name)) &&
                path_of(r->dash->labs.items[i], path, sizeof path);
    }
    buf_free(&name);
    if (found)
        return file_read(path, &r->out);
    return status_fail(ST_MISSING, "there is no report '%.100s'", r->name);
}

const struct route reports_routes[] = {
    {ROUTE_GET("/api/reports", "reports of the lab (--lab)", api_reports),
     .answer = "[{name, dir, report: bool}]"},
    {ROUTE_GET("/reports/NAME", "one of them, for a sandboxed frame", api_report),
     .kind = REPLY_REPORT, .type = "text/html; charset=utf-8", .answer = "HTML"},
    {.path = NULL},
};
