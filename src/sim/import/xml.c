/* xml.c - `brood world import --from xml`: the family tree that `brood export --as xml` wrote.
 *
 * Unlike the other sources it has no documents: what comes of it is a crawl directory whose
 * tree, list and paths can be shown and exported again, and that nobody can crawl.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/os/dir.h"
#include "base/os/file.h"
#include "sim/import/import_int.h"
#include "store/write/tree.h"

enum status import_xml(const char *source, const char *dir, const char *software,
                       struct import_report *ret)
{
    struct buf xml = BUF_INIT(LIMIT_IMPORT_XML);
    struct tree_counts counts = {0};
    char *part = NULL;
    enum status st = file_read(source, &xml);

    if (st == ST_OK)
        st = part_begin(dir, &part);
    if (st == ST_OK) {
        st = tree_write(buf_str(&xml), part, software, &counts);
        if (st == ST_INVALID)
            st = status_prefix(st, "%s", source);
        st = part_end(part, dir, st);
    }
    buf_free(&xml);
    ret->pages = ret->versions = counts.pages;
    ret->left_out = counts.hidden;
    ret->hosts = counts.hosts;
    ret->agents = counts.agents;
    ret->visits = counts.visits;
    ret->made = st == ST_OK;
    return st;
}
