/* api_start.c - a crawl or a watch from the form: what the command would refuse is told
 * here, all of it and by the command's own reading; the rest becomes a process of the same
 * binary. There is no shell. SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/limits.h"
#include "dash/dash_int.h"
#include "dash/order.h"

/* A directory of its own below the root: the topic's first letters and the time. */
static void make_dir(struct buf *dir, const char *root, const char *topic)
{
    char at[CLOCK_TEXT];
    size_t begin;

    clock_format(clock_now(), 3, at);
    (void)buf_addf(dir, "%s/", root);
    begin = dir->len;
    for (size_t i = 0; topic && topic[i] && dir->len - begin < 40; i++)
        if (ascii_is_alpha(topic[i]) || ascii_is_digit(topic[i]))
            (void)buf_add_char(dir, ascii_lower(topic[i]));
        else if (dir->len > begin && dir->data[dir->len - 1] != '-')
            (void)buf_add_char(dir, '-');
    if (dir->len > begin && dir->data[dir->len - 1] != '-')
        (void)buf_add_char(dir, '-');
    (void)buf_addf(dir, "%s%.4s%.2s%.2s-%.2s%.2s%.2s%.3s", dir->len > begin ? "" : "crawl-", at,
                   at + 5, at + 8, at + 11, at + 14, at + 17, at + 20);
}

/* The whole command line. */
static void make_argv(struct text_list *ret, const struct dash *d, const struct order *o,
                      const char *dir)
{
    struct buf out = BUF_INIT(5000);

    text_list_add(ret, str_of(d->program));
    text_list_add(ret, str_of(o->command));
    for (size_t i = 0; i < o->argv.count; i++)
        text_list_add(ret, str_of(o->argv.items[i]));
    text_list_add(ret, STR("--quiet"));
    (void)buf_addf(&out, "--out=%s", dir);
    text_list_add(ret, buf_str(&out));
    if (o->words) {
        text_list_add(ret, STR("--"));
        text_list_add(ret, str_of(o->words));
    }
    buf_free(&out);
}

/* {"error", "field"} of the first, and all of them. */
static enum status refuse(struct call *r, const struct mistakes *f)
{
    struct json j;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_put_z(&j, "error", f->items[0].sentence);
    put_text(&j, "field", str_of(f->items[0].name));
    json_open_array(&j, "mistakes");
    for (size_t i = 0; i < f->count; i++) {
        json_open_object(&j, NULL);
        put_text(&j, "field", str_of(f->items[i].name));
        json_put_z(&j, "error", f->items[i].sentence);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    r->told = true;
    return ST_USAGE;
}

static enum status start(struct call *r, const struct text_list *argv, const char *dir)
{
    struct buf log = BUF_INIT(5000);
    struct dash_crawl *crawl = crawls_add(&r->dash->crawls, dir);
    enum status st = crawl ? ST_OK : status_fail(ST_LIMIT, "there are too many crawls");
    struct json j;

    (void)buf_addf(&log, "%s.log", dir);
    if (st == ST_OK)
        st = children_start(&r->dash->children, argv, log.data, crawl);
    if (st == ST_OK) {
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_z(&j, "id", crawl->id);
        json_put_z(&j, "dir", crawl->dir);
        json_put_z(&j, "log", log.data);
        json_close(&j);
    }
    buf_free(&log);
    return st;
}

enum status api_start(struct call *r)
{
    struct buf dir = BUF_INIT(4000);
    struct text_list argv = {0};
    struct mistakes said = {0};
    struct order o = {0};
    enum status st;

    if (r->dash->root == NULL || r->dash->program == NULL)
        return status_fail(ST_REFUSED, "crawls are started from 'brood serve'");
    order_read(&o, r->body);
    make_dir(&dir, r->dash->root, o.words);
    make_argv(&argv, r->dash, &o, dir.data);
    if (r->dash->check)
        r->dash->check(&argv, &said);
    order_blame(&o, &said);
    if (dir.full)
        st = status_fail(ST_LIMIT, "the name of the directory is too long");
    else
        st = o.mistakes.count ? refuse(r, &o.mistakes) : start(r, &argv, dir.data);
    mistakes_clear(&said);
    text_list_free(&argv);
    buf_free(&dir);
    order_clear(&o);
    return st;
}
