/* place.c - the crawls in the working directory. See place.h. SPDX-License-Identifier: MIT */
#include "cli/mcp/place.h"

#include "base/limits.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define NAME_MAX_NEW 64
#define SCHEME       "brood:///"
#define MIDDLE       "/page?url="

static mode_t kind_of(const char *dir, const char *file)
{
    char path[600];
    struct stat info;

    if (snprintf(path, sizeof path, "%s/%s", dir, file) >= (int)sizeof path ||
        lstat(path, &info) != 0)
        return 0;
    return info.st_mode & S_IFMT;
}

bool place_has(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           kind_of(name, "crawl.db") == S_IFREG;
}

bool place_runs(const char *dir)
{
    return kind_of(dir, "control") == S_IFSOCK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void place_list(struct text_list *ret)
{
    DIR *d = opendir(".");

    if (d == NULL)
        return;
    for (struct dirent *e; (e = readdir(d)) != NULL && ret->count < LIMIT_MCP_CRAWLS;)
        if (place_has(e->d_name))
            text_list_add(ret, str_of(e->d_name));
    (void)closedir(d);
    if (ret->count > 1)
        qsort(ret->items, ret->count, sizeof *ret->items, by_name);
}

static bool is_plain(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || c == '_';
}

static enum status check_new(const char *name)
{
    struct stat info;

    for (size_t i = 0; name[i]; i++)
        if (!is_plain(name[i]) || i == NAME_MAX_NEW)
            return status_fail(ST_USAGE, "name may have at most %d letters, digits, - and _",
                               NAME_MAX_NEW);
    if (lstat(name, &info) == 0)
        return status_fail(ST_EXISTS, "a crawl or a file '%s' exists already", name);
    return ST_OK;
}

/* "Coral reefs!" becomes coral-reefs. */
static void add_words(struct buf *out, const char *topic)
{
    for (; *topic && out->len < NAME_MAX_NEW / 2; topic++)
        if (ascii_is_alpha(*topic) || ascii_is_digit(*topic))
            buf_add_char(out, ascii_lower(*topic));
        else if (out->len > 0 && out->data[out->len - 1] != '-')
            buf_add_char(out, '-');
    while (out->len > 0 && out->data[out->len - 1] == '-')
        out->data[--out->len] = '\0';
    if (out->len == 0)
        buf_add_z(out, "crawl");
}

enum status place_new(const char *wanted, const char *topic, struct buf *ret)
{
    enum status st;

    if (wanted) {
        buf_add_z(ret, wanted);
        return check_new(wanted);
    }
    for (int i = 1; i < 10000; i++) {
        buf_clear(ret);
        add_words(ret, topic);
        if (i > 1)
            buf_addf(ret, "-%d", i);
        st = check_new(ret->data);
        if (st != ST_EXISTS)
            return st;
    }
    return status_fail(ST_EXISTS,
                       "there are too many crawls with names made from this topic: give a name");
}

/* ---- pages as resources -------------------------------------------------- */

static void add_encoded(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_plain(text.ptr[i]) || text.ptr[i] == '.')
            buf_add_char(out, text.ptr[i]);
        else
            buf_addf(out, "%%%02X", (unsigned char)text.ptr[i]);
}

static void add_decoded(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        int high = i + 2 < text.len && text.ptr[i] == '%' ? ascii_hex(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? ascii_hex(text.ptr[i + 2]) : -1;

        if (low >= 0 && (high || low)) { /* no zero byte */
            buf_add_char(out, (char)(high * 16 + low));
            i += 2;
        } else {
            buf_add_char(out, text.ptr[i]);
        }
    }
}

void place_uri(struct buf *out, const char *name, struct str url)
{
    buf_add_z(out, SCHEME);
    add_encoded(out, str_of(name));
    buf_add_z(out, MIDDLE);
    add_encoded(out, url);
}

enum status place_read_uri(struct str uri, struct buf *ret_name, struct buf *ret_url)
{
    size_t from = strlen(SCHEME), middle = str_find(uri, STR(MIDDLE), 0);

    if (!str_starts(uri, STR(SCHEME)) || middle == SIZE_MAX || middle <= from ||
        middle + strlen(MIDDLE) == uri.len)
        return status_fail(ST_INVALID, "the URI of a page must be " SCHEME "CRAWL" MIDDLE "URL");
    add_decoded(ret_name, str_sub(uri, from, middle));
    add_decoded(ret_url, str_sub(uri, middle + strlen(MIDDLE), uri.len));
    return buf_check(ret_url);
}
