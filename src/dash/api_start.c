/* api_start.c - a crawl or a watch from the form: checked fields become the arguments of a
 * process of the same binary. There is no shell, and no argument that begins as an option
 * comes from outside. SPDX-License-Identifier: MIT */
#include "agent/model.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "dash/dash_int.h"
#include "store/query_view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIELD_MAX KIB(16) /* a topic, an option's value */
#define SEEDS_MAX 1000

struct order {
    struct text_list argv;
    struct buf dir;
    enum status status; /* of the first field that was wrong */
};

/* A text of the body; NULL where it is not given. */
static const char *text_of(struct order *o, const json_t *from, const char *name)
{
    const json_t *value = json_object_get(from, name);

    if (value == NULL || json_is_null(value))
        return NULL;
    if (!json_is_string(value) || json_string_length(value) > FIELD_MAX ||
        strlen(json_string_value(value)) != json_string_length(value)) {
        o->status = status_fail(ST_USAGE, "%s: a text of at most %zu bytes", name, FIELD_MAX);
        return NULL;
    }
    return *json_string_value(value) ? json_string_value(value) : NULL;
}

/* "--name=value": one argument, whatever the value is. */
static void add(struct order *o, const char *name, const char *value)
{
    struct buf text = BUF_INIT(FIELD_MAX + 200);

    if (value == NULL)
        return;
    (void)buf_addf(&text, "--%s=%s", name, value);
    text_list_add(&o->argv, buf_str(&text));
    buf_free(&text);
}

static void add_field(struct order *o, const json_t *from, const char *field, const char *name)
{
    const json_t *value = json_object_get(from, field);
    char number[32];

    if (json_is_integer(value)) {
        (void)snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        add(o, name, number);
    } else {
        add(o, name, text_of(o, from, field));
    }
}

static void add_seeds(struct order *o, const json_t *seeds)
{
    if (!json_is_array(seeds) || json_array_size(seeds) == 0 ||
        json_array_size(seeds) > SEEDS_MAX) {
        o->status = status_fail(ST_USAGE, "seeds: a list of 1 to %d URLs", SEEDS_MAX);
        return;
    }
    for (size_t i = 0; i < json_array_size(seeds) && o->status == ST_OK; i++) {
        const char *url = json_string_value(json_array_get(seeds, i));

        if (url == NULL || strlen(url) > LIMIT_URL || *url == '\0')
            o->status = status_fail(ST_USAGE, "seeds: every one is a URL");
        else
            add(o, "seed", url);
    }
}

/* The model and its options, against the model's own table: a mistake is told here, not in
 * a log. */
static void add_model(struct order *o, const json_t *body)
{
    const char *name = text_of(o, body, "model"), *key;
    const struct model_ops *model = name ? model_find(str_of(name)) : NULL;
    json_t *set = json_object_get(body, "set"), *value;

    if (o->status != ST_OK || (name == NULL && json_object_size(set) == 0))
        return;
    if (model == NULL || model->lab_only) {
        o->status = status_fail(ST_USAGE, "model: there is no model '%.40s'", name ? name : "");
        return;
    }
    add(o, "model", name);
    json_object_foreach(set, key, value)
    {
        struct buf text = BUF_INIT(FIELD_MAX);
        const char *string = json_string_value(value);
        char number[40];

        if (json_is_number(value))
            (void)snprintf(number, sizeof number, "%.17g", json_number_value(value));
        if (json_is_boolean(value))
            (void)snprintf(number, sizeof number, "%s", json_is_true(value) ? "yes" : "no");
        if (model->options == NULL || option_find(model->options, str_of(key)) == NULL ||
            (string == NULL && !json_is_number(value) && !json_is_boolean(value))) {
            o->status = status_fail(ST_USAGE, "set: '%.40s' is no option of %s", key, model->name);
            return;
        }
        (void)buf_addf(&text, "%s=%s", key, string ? string : number);
        add(o, "set", text.data);
        buf_free(&text);
    }
}

/* A directory of its own below the root: the topic's first letters and the time. */
static void make_dir(struct order *o, const char *root, const char *topic)
{
    char at[CLOCK_TEXT];
    size_t begin;

    clock_format(clock_now(), 3, at);
    (void)buf_addf(&o->dir, "%s/", root);
    begin = o->dir.len;
    for (size_t i = 0; topic && topic[i] && o->dir.len - begin < 40; i++)
        if (ascii_is_alpha(topic[i]) || ascii_is_digit(topic[i]))
            (void)buf_add_char(&o->dir, ascii_lower(topic[i]));
        else if (o->dir.len > begin && o->dir.data[o->dir.len - 1] != '-')
            (void)buf_add_char(&o->dir, '-');
    (void)buf_addf(&o->dir, "%s%.4s%.2s%.2s-%.2s%.2s%.2s%.3s", o->dir.len > begin ? "-" : "crawl-",
                   at, at + 5, at + 8, at + 11, at + 14, at + 17, at + 20);
}

static void order_read(struct order *o, const struct dash *d, const json_t *body)
{
    const json_t *limits = json_object_get(body, "limits");
    const char *kind = text_of(o, body, "kind"), *topic = text_of(o, body, "topic");
    bool watch = kind && strcmp(kind, "watch") == 0;

    if (o->status == ST_OK && topic == NULL)
        o->status = status_fail(ST_USAGE, "topic: what is the crawl about?");
    if (o->status == ST_OK && kind && !watch && strcmp(kind, "crawl") != 0)
        o->status = status_fail(ST_USAGE, "kind: crawl or watch");
    if (o->status != ST_OK)
        return;
    text_list_add(&o->argv, str_of(d->program));
    text_list_add(&o->argv, watch ? STR("watch") : STR("crawl"));
    add_seeds(o, json_object_get(body, "seeds"));
    add_model(o, body);
    add_field(o, limits, "pages", "pages");
    add_field(o, limits, "for", "for");
    add_field(o, limits, "bytes", "bytes");
    add_field(o, body, "delay", "delay");
    add_field(o, body, "scope", "scope");
    add_field(o, body, "contact", "contact");
    add_field(o, body, "resolve", "resolve");
    if (json_is_true(json_object_get(body, "allow_private")))
        text_list_add(&o->argv, STR("--allow-private"));
    text_list_add(&o->argv, STR("--quiet"));
    make_dir(o, d->root, topic);
    add(o, "out", o->dir.data);
    text_list_add(&o->argv, STR("--"));
    text_list_add(&o->argv, str_of(topic));
}

enum status api_start(struct call *r)
{
    struct order o = {.dir = BUF_INIT(4000)};
    struct buf log = BUF_INIT(4096);
    struct dash_crawl *crawl = NULL;
    struct json j;

    if (r->dash->root == NULL || r->dash->program == NULL)
        return status_fail(ST_REFUSED, "crawls are started from 'brood serve'");
    order_read(&o, r->dash, r->body);
    if (o.status == ST_OK && o.dir.full)
        o.status = status_fail(ST_LIMIT, "the name of the directory is too long");
    if (o.status == ST_OK) {
        (void)buf_addf(&log, "%s.log", o.dir.data);
        crawl = crawls_add(&r->dash->crawls, o.dir.data);
        if (crawl == NULL)
            o.status = status_fail(ST_LIMIT, "there are too many crawls");
    }
    if (o.status == ST_OK)
        o.status = children_start(&r->dash->children, &o.argv, log.data, crawl);
    if (o.status == ST_OK) {
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_z(&j, "id", crawl->id);
        json_put_z(&j, "dir", crawl->dir);
        json_put_z(&j, "log", log.data);
        json_close(&j);
    }
    text_list_free(&o.argv);
    buf_free(&o.dir);
    buf_free(&log);
    return o.status;
}
