/* trust.c - is a crawl directory the user's own? See trust.h, and docs/adr/0015.
 * SPDX-License-Identifier: MIT */
#include "crawl/start/trust.h"

#include "base/os/dir.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/options.h"
#include "crawl/watch/webhook.h"
#include "store/read/query.h"
#include "text/topic.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_BYTES 32
#define SHOWN     200 /* bytes of a value in the message */

/* Of a crawl, then of a watch. */
static const char *const guards[] = {
    "allow-private", "no-robots", "proxy", "ca-file",  "cookies",  "resolve", "header", "idf",
    "exclude-hosts", "base-from", "delay", "per-host", "identity", "hosts",   "nats",   "creds",
};
static const char *const watch_guards[] = {"feed",     "webhook", "webhook-secret-file",
                                           "callback", "mail",    "webhook-private"};

bool trust_is_guard(const char *option)
{
    for (size_t i = 0; i < ARRAY_LEN(guards); i++)
        if (strcmp(option, guards[i]) == 0)
            return true;
    return false;
}

void trust_add(struct buf *what, const char *option, struct str value)
{
    buf_put_str(what, str_of(option));
    buf_put_str(what, value);
}

/* ---- the user's secret --------------------------------------------------- */

/* Makes every folder of a path. */
static void make_folders(char *path)
{
    for (char *c = path + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(path, 0700);
            *c = '/';
        }
}

/* A missing home directory is not made: some users have none on purpose. */
static bool key_path(char ret[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;

    if (state && state[0] == '/')
        n = snprintf(ret, PATH_MAX, "%s/brood/key", state);
    else if (home && home[0] == '/' && access(home, X_OK) == 0)
        n = snprintf(ret, PATH_MAX, "%s/.local/state/brood/key", home);
    return n > 0 && n < PATH_MAX;
}

/* Two processes may make it at the same time: the first wins, the other reads its key. */
static void key_make(const char *path)
{
    unsigned char fresh[KEY_BYTES];
    char other[PATH_MAX + 32];
    int fd = -1;

    (void)snprintf(other, sizeof other, "%s-%ld", path, (long)getpid());
    if (getrandom(fresh, sizeof fresh, 0) != sizeof fresh ||
        dir_file_of(other, O_WRONLY | O_CREAT | O_EXCL, &fd) != ST_OK)
        return;
    if (write(fd, fresh, sizeof fresh) == sizeof fresh && fsync(fd) == 0)
        (void)!link(other, path); /* it fails if there is a key already, which then counts */
    (void)close(fd);
    (void)unlink(other);
}

static unsigned char key[KEY_BYTES];
static bool key_is_there;

static void key_get(void)
{
    char path[PATH_MAX];

    for (int turn = 0; turn < 2 && !key_is_there && key_path(path); turn++) {
        int fd = -1;

        if (turn) {
            make_folders(path);
            key_make(path);
        }
        key_is_there =
            dir_file_of(path, O_RDONLY, &fd) == ST_OK && read(fd, key, KEY_BYTES) == KEY_BYTES;
        if (fd >= 0)
            (void)close(fd);
    }
}

bool trust_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, key_get);
    return key_is_there;
}

void trust_sign(const char *dir, struct str what, struct buf *ret)
{
    char path[PATH_MAX], text[WEBHOOK_SIGNATURE];
    LOCAL_BUF all = BUF_INIT(MIB(16));
    struct stat file;

    if (snprintf(path, sizeof path, "%s/crawl.db", dir) < (int)sizeof path &&
        stat(path, &file) == 0 && trust_ready()) {
        buf_put_u64(&all, (uint64_t)file.st_ino);
        buf_add_str(&all, what);
        if (!all.full) {
            webhook_sign((struct str){(const char *)key, sizeof key}, buf_str(&all), text);
            buf_add_z(ret, text);
        }
    }
}

/* ---- what a directory says ----------------------------------------------- */

static bool is_said(const struct text_list *said, const char *option)
{
    for (size_t i = 0; said && i < said->count; i++)
        if (strcmp(said->items[i], option) == 0)
            return true;
    return false;
}

/* Gets a stored value of the directory. Returns false, with an empty text, if it has none. */
static bool stored(struct query *q, const char *kind, const char *option, struct buf *ret)
{
    char name[64];

    (void)snprintf(name, sizeof name, "%s.%s", kind, option);
    buf_clear(ret);
    return query_key(q, name, ret) == ST_OK;
}

static bool is_own(const char *dir, struct query *q)
{
    LOCAL_BUF what = BUF_INIT(MIB(16)), value = BUF_INIT(MIB(1)), now = BUF_INIT(100),
              then = BUF_INIT(1000);

    for (const struct option *op = crawl_option_table; op->name; op++)
        if (trust_is_guard(op->name) && stored(q, "option", op->name, &value))
            trust_add(&what, op->name, buf_str(&value)); /* an older brood had fewer options */
    trust_sign(dir, buf_str(&what), &now);
    return now.len > 0 && query_key(q, TRUST_KEY, &then) == ST_OK &&
           str_eq(buf_str(&now), buf_str(&then));
}

/* Does the topic name files or pages as examples? */
static bool has_examples(struct query *q)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOPIC_FILE);
    struct topic *t = NULL;
    bool has = query_key(q, "topic", &text) == ST_OK && text.len > 0 &&
               topic_from_text(buf_str(&text), "the stored topic", STR(""), &t) == ST_OK &&
               topic_examples(t) + topic_marks(t) > 0;

    topic_free(t);
    return has;
}

/* " --NAME VALUE", on one line; lists have a line for each. */
static void name_one(struct buf *out, const char *option, struct str value)
{
    buf_addf(out, " --%s", option);
    if (value.len > 0)
        buf_add_char(out, ' ');
    for (size_t i = 0; i < value.len && i < SHOWN; i++)
        buf_add_char(out, value.ptr[i] == '\n' ? ' ' : value.ptr[i]);
}

static void name_crawl_guards(struct query *q, const struct text_list *said, struct buf *out)
{
    LOCAL_BUF value = BUF_INIT(MIB(1)), usual = BUF_INIT(MIB(1));
    struct crawl_options defaults;

    crawl_options_init(&defaults);
    for (const struct option *op = crawl_option_table; op->name; op++) {
        if (!trust_is_guard(op->name) || is_said(said, op->name))
            continue;
        (void)stored(q, "option", op->name, &value);
        buf_clear(&usual);
        crawl_option_text(op, &defaults, &usual);
        if (value.len == 0 || str_eq(buf_str(&value), buf_str(&usual)))
            continue;
        name_one(out, op->name, op->type == OPTION_FLAG ? STR("") : buf_str(&value));
    }
    crawl_options_free(&defaults);
}

static void name_watch_guards(struct query *q, const struct text_list *said, struct buf *out)
{
    LOCAL_BUF value = BUF_INIT(MIB(1));

    for (size_t i = 0; i < ARRAY_LEN(watch_guards); i++) {
        (void)stored(q, "watch", watch_guards[i], &value);
        if (value.len > 0 && !str_eq(buf_str(&value), STR("no")) && !is_said(said, watch_guards[i]))
            name_one(out, watch_guards[i], buf_str(&value));
    }
}

enum status trust_check(const char *dir, struct query *q, const struct text_list *said)
{
    LOCAL_BUF found = BUF_INIT(KIB(16));
    enum status st = ST_OK;

    if (is_own(dir, q))
        return ST_OK;
    name_crawl_guards(q, said, &found);
    name_watch_guards(q, said, &found);
    if (has_examples(q))
        buf_add_z(&found, " (a topic with files as examples)");
    if (found.len > 0)
        st = status_fail(
            ST_USAGE,
            "%s %s, and its stored options lower a guard:%.*s; add --trust if you accept them", dir,
            trust_ready() ? "is a copy, or was not made by you on this machine"
                          : "may not be yours (without a home directory brood has no "
                            "key to check that)",
            STR_ARG(buf_str(&found)));
    return st;
}
