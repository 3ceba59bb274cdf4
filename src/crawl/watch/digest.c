/* digest.c - see digest.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/digest.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "crawl/watch/pass.h"

#include <time.h>

enum status digest_parse(struct str text, int *ret)
{
    if (time_of_day(text, ret))
        return ST_OK;
    return status_fail(ST_USAGE, "'%.*s' is no time of the day: write it like 07:30",
                       STR_ARG(str_sub(text, 0, 100)));
}

bool digest_is_due(int minute, int64_t last, int64_t now)
{
    time_t seconds = (time_t)(now / US_PER_S);
    struct tm local;
    int64_t at;

    if (localtime_r(&seconds, &local) == NULL)
        return false;
    if (local.tm_hour * 60 + local.tm_min < minute)
        local.tm_mday--;
    local.tm_hour = minute / 60;
    local.tm_min = minute % 60;
    local.tm_sec = 0;
    local.tm_isdst = -1;
    at = (int64_t)mktime(&local) * US_PER_S;
    return last < at;
}

/* ---- the mail ------------------------------------------------------------ */

struct digest_writer {
    struct query *query;
    struct buf *out;
    uint32_t last, count, written;
};

/* One line, without what could begin another. */
static void add_line(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out,
                     (unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f ? ' ' : text.ptr[i]);
    buf_add_char(out, '\n');
}

static enum status count_row(void *ctx, const struct query_news *row)
{
    struct digest_writer *w = ctx;

    w->count += row->id <= w->last;
    return ST_OK;
}

static enum status write_row(void *ctx, const struct query_news *row)
{
    struct digest_writer *w = ctx;
    LOCAL_BUF summary = BUF_INIT(KIB(4));
    struct news_item item = news_of_row(w->query, row, &summary);
    char text[CLOCK_TEXT];

    if (row->id <= w->last && !w->out->full) {
        clock_format(item.date ? item.date : item.at, 0, text);
        buf_add_char(w->out, '\n');
        add_line(w->out, item.title.len ? item.title : item.url);
        add_line(w->out, item.url);
        buf_addf(w->out, "%.10s%s\n", text, item.version_of ? ", changed" : "");
        w->written = row->id;
    }
    return ST_OK;
}

enum status digest_mail(struct query *q, uint32_t after, uint32_t last, struct str topic,
                        struct buf *out, uint32_t *ret_last)
{
    struct digest_writer w = {.query = q, .out = out, .last = last};
    enum status st = query_news(q, after, LIMIT_DIGEST, count_row, &w);

    if (st == ST_OK && w.count == 0)
        return ST_MISSING;
    buf_addf(out,
             "Subject: %u new document%s (brood watch)\n"
             "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
             "Content-Transfer-Encoding: 8bit\nAuto-Submitted: auto-generated\n\nNew on ",
             w.count, w.count == 1 ? "" : "s");
    add_line(out, str_sub(topic, 0, 200));
    if (st == ST_OK)
        st = query_news(q, after, LIMIT_DIGEST, write_row, &w);
    if (st == ST_OK)
        *ret_last = w.written;
    return st == ST_OK && w.written == 0 ? ST_MISSING : st;
}
