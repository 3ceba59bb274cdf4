/* merged.h - several directories as one crawl, to be kept or for one answer.
 *
 *     merge (store/write/merge.h) -> judge all pages together -> index the full text
 *
 * A directory that is kept is made as NAME.part and renamed when it is complete: a merge that is
 * killed leaves nothing that looks like a crawl, and the next merge removes its remains.
 *
 * A directory that is made for one answer is among the temporary files and is removed afterwards.
 * The merge is the same, and so is the answer; only the files of the archive are left out.
 */
#pragma once

#include "base/option.h"
#include "crawl/crawl.h"
#include "store/write/merge.h"

struct merged_wish {
    enum merge_archive archive;
    bool judge; /* judge the pages again, over all directories */
    bool index; /* index their full text */
};

/* Makes the directory `out`. `progress` may be NULL. */
enum status merged_make(const struct text_list *dirs, const char *out,
                        const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                        struct merge_result *ret) MUST_USE;

/* Makes a temporary one in `parent`. *ret_dir is its name, for merged_remove(). */
enum status merged_for_now(const struct text_list *dirs, const char *parent,
                           const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                           char **ret_dir) MUST_USE;
/* Removes it and frees its name; NULL is fine. */
void merged_remove(char *dir);
