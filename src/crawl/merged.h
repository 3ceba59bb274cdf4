/* merged.h - several directories as one crawl, to be kept or for one answer.
 *
 *     merge (store/write/merge.h) -> judge all pages together -> index the full text
 *
 * A directory that is kept is made as NAME.part and gets its name when it is complete: a merge that
 * is killed leaves nothing that looks like a crawl, and the next one removes what it left.
 *
 * What is made for one answer lies among the temporary files and is removed afterwards. It is the
 * same merge, so the answer is the same; only the archive's files are left out.
 */
#pragma once

#include "base/option.h"
#include "crawl/crawl.h"
#include "store/write/merge.h"

struct merged_wish {
    enum merge_archive archive;
    bool judge; /* the pages once more, over all directories */
    bool index; /* their full text */
};

/* Makes the directory `out`. `progress` may be NULL. */
enum status merged_make(const struct text_list *dirs, const char *out,
                        const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                        struct merge_result *ret) MUST_USE;

/* A temporary one, in `parent`; *ret_dir: its name, to be removed by merged_remove(). */
enum status merged_for_now(const struct text_list *dirs, const char *parent,
                           const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                           char **ret_dir) MUST_USE;
/* Removes it and frees its name; NULL is fine. */
void merged_remove(char *dir);
