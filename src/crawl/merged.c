/* merged.c - several directories as one crawl. See merged.h. SPDX-License-Identifier: MIT */
#include "crawl/merged.h"

#include "base/mem.h"
#include "base/os/dir.h"
#include "crawl/judge/appraise.h"
#include "crawl/crawl_int.h"
#include "crawl/start/topic.h"
#include "store/read/query.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

struct making {
    const char *dir;
    crawl_index_fn *progress;
    void *ctx;
};

static bool on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    const struct making *m = ctx;

    return m->progress == NULL || m->progress(m->ctx, what, done, total);
}

static void on_index(void *ctx, uint64_t done, uint64_t total)
{
    (void)on_progress(ctx, "indexing the full text", done, total);
}

static enum status keep_verdicts(void *ctx, struct str topic, const struct page_verdict *rows,
                                 size_t count)
{
    const struct making *m = ctx;

    return merge_judged(m->dir, topic, rows, count);
}

/* A generated world has no topic. */
static enum status judge(struct making *m)
{
    struct crawl_options o;
    struct topic *topic = NULL;
    struct query *q = NULL;
    enum status st = query_open(m->dir, &q);

    crawl_options_init(&o);
    if (st == ST_OK)
        st = options_recall(m->dir, q, &o);
    query_close(q);
    if (st == ST_OK && o.topic_text == NULL)
        st = ST_USAGE;
    if (st == ST_OK)
        st = topic_read(&o, &topic);
    if (st == ST_OK) {
        struct appraise_config config = {.dir = m->dir,
                                         .topic = topic,
                                         .seeds_teach = o.seeds_are == 0,
                                         .sink = keep_verdicts,
                                         .sink_ctx = m};

        st = appraise_directory(&config, on_progress, m);
    }
    topic_free(topic);
    crawl_options_free(&o);
    return st == ST_USAGE ? ST_OK : st;
}

static enum status fill(const struct text_list *dirs, struct making *m,
                        const struct merged_wish *wish, struct merge_result *ret)
{
    struct merge_options options = {.archive = wish->archive};
    LOCAL_FD lock = -1;

    TRY(dir_open(m->dir, &lock));
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) /* for part_clear() of others */
        return status_fail(ST_BUSY, "%s is in use by another brood", m->dir);
    TRY(merge_run(dirs, m->dir, &options, on_progress, m, ret));
    if (wish->judge)
        TRY(judge(m));
    fd_drop(&lock); /* store_index() takes it again */
    return wish->index ? store_index(m->dir, on_index, m) : ST_OK;
}

static enum status make_dir(const char *dir)
{
    if (mkdir(dir, 0700) != 0)
        return status_fail(ST_IO, "%s cannot be made: %s", dir, strerror(errno));
    return ST_OK;
}

enum status merged_make(const struct text_list *dirs, const char *out,
                        const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                        struct merge_result *ret)
{
    struct making m = {.progress = progress, .ctx = ctx};
    char *part = NULL;
    enum status st = part_clear(out);

    if (st == ST_OK)
        st = part_begin(out, &part);
    if (st != ST_OK)
        return st;
    m.dir = part;
    st = make_dir(part);
    if (st == ST_OK)
        st = fill(dirs, &m, wish, ret);
    return part_end(part, out, st);
}

enum status merged_for_now(const struct text_list *dirs, const char *parent,
                           const struct merged_wish *wish, crawl_index_fn *progress, void *ctx,
                           char **ret_dir)
{
    struct making m = {.progress = progress, .ctx = ctx};
    struct merge_result result;
    struct buf name = BUF_INIT(1 << 16);
    char *dir;
    enum status st;

    buf_addf(&name, "%s/brood-merged-XXXXXX", parent);
    dir = buf_take(&name, NULL);
    if (mkdtemp(dir) == NULL) {
        st = status_fail(ST_IO, "there is no room for temporary files in %s: %s", parent,
                         strerror(errno));
        free(dir);
        return st;
    }
    m.dir = dir;
    st = fill(dirs, &m, wish, &result);
    if (st == ST_OK)
        *ret_dir = dir;
    else
        merged_remove(dir);
    return st;
}

void merged_remove(char *dir)
{
    if (dir)
        dir_remove_all(dir);
    free(dir);
}
