/* log.c - JSON lines, one event a line. SPDX-License-Identifier: MIT */
#include "base/os/log.h"

#include "base/os/clock.h"
#include "base/os/dir.h"
#include "base/json.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT_MAX       4096                 /* bytes of a sentence; the rest is cut */
#define LINE_MAX_BYTES (6 * WHAT_MAX + 128) /* an escaped byte takes at most six */

struct log {
    FILE *file; /* NULL: every line is discarded */
    enum log_level least;
    pthread_mutex_t lock;
};

static const char *const level_names[] = {"debug", "info", "warn", "error"};

enum status log_open(const char *path, enum log_level least, struct log **ret)
{
    struct log *l = MEM_NEW(struct log);

    l->least = least;
    pthread_mutex_init(&l->lock, NULL);
    if (path) {
        int fd = -1;
        enum status st = dir_file_of(path, O_WRONLY | O_APPEND | O_CREAT, &fd);

        l->file = st == ST_OK ? fdopen(fd, "a") : NULL;
        if (l->file == NULL) {
            log_close(l);
            return st != ST_OK ? st : status_fail(ST_IO, "%s: %s", path, strerror(errno));
        }
    }
    *ret = l;
    return ST_OK;
}

void log_close(struct log *l)
{
    if (l == NULL)
        return;
    if (l->file)
        (void)fclose(l->file);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void log_line(struct log *l, enum log_level level, int64_t now, const char *fmt, ...)
{
    struct buf line = BUF_INIT(LINE_MAX_BYTES);
    char at[CLOCK_TEXT], what[WHAT_MAX];
    struct json j;
    va_list args;

    if (l == NULL || l->file == NULL || level < l->least)
        return;
    va_start(args, fmt);
    (void)vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    clock_format(now, 3, at);
    json_init(&j, &line);
    json_open_object(&j, NULL);
    json_put_z(&j, "at", at);
    json_put_z(&j, "level", level_names[level]);
    json_put_z(&j, "what", what);
    json_close(&j);
    pthread_mutex_lock(&l->lock);
    fprintf(l->file, "%.*s\n", STR_ARG(buf_str(&line)));
    (void)fflush(l->file);
    pthread_mutex_unlock(&l->lock);
    buf_free(&line);
}
