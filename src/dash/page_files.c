/* page_files.c - the page: files built in, or, for those who change them, files of a
 * directory. Only these four names are ever read. SPDX-License-Identifier: MIT */
#include "dash/page_files.h"

#include "base/os/file.h"
#include "dash/dash_int.h"

#include <stdio.h>

static enum status give(struct call *r, const char *name, const char *data, size_t len)
{
    char path[4096];

    if (r->dash->page) {
        if (snprintf(path, sizeof path, "%s/%s", r->dash->page, name) >= (int)sizeof path)
            return status_fail(ST_USAGE, "the name of the directory is too long");
        return file_read(path, &r->out);
    }
    if (len == 0)
        return status_fail(ST_MISSING, "this brood was built without the page; its API is under "
                                       "/api (docs/api.md)");
    buf_add(&r->out, data, len);
    return buf_check(&r->out);
}

enum status page_index(struct call *r)
{
    return give(r, "index.html", ui_index_html, ui_index_html_len);
}

enum status page_script(struct call *r)
{
    return give(r, "app.js", ui_app_js, ui_app_js_len);
}

enum status page_style(struct call *r)
{
    return give(r, "app.css", ui_app_css, ui_app_css_len);
}

enum status page_icon(struct call *r)
{
    return give(r, "favicon.svg", ui_favicon_svg, ui_favicon_svg_len);
}
