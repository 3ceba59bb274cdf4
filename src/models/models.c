/* models.c - the registry of models, made from the list in meson.build.
 * SPDX-License-Identifier: MIT */
#include "models/models.h"

#include "base/str.h"

#define MODEL(name) extern const struct model_ops model_##name;
#include "model_registry.h"
#undef MODEL

static const struct model_ops *const registry[] = {
#define MODEL(name) &model_##name,
#include "model_registry.h"
#undef MODEL
    NULL,
};

const struct model_ops *const *model_registry(void)
{
    return registry;
}

const struct model_ops *model_find(struct str name)
{
    for (size_t i = 0; registry[i]; i++)
        if (str_eq(name, str_of(registry[i]->name)))
            return registry[i];
    return NULL;
}

static const char *nth_live(const void *ctx, size_t i)
{
    (void)ctx;
    return registry[i] && !registry[i]->lab_only ? registry[i]->name : NULL; /* they come last */
}

enum status model_need(struct str name, const struct model_ops **ret)
{
    const char *near;

    *ret = model_find(name);
    if (*ret)
        return ST_OK;
    near = str_nearest(name, nth_live, NULL);
    if (near)
        return status_fail(ST_USAGE, "there is no model '%.*s'; did you mean '%s'?",
                           STR_ARG(str_sub(name, 0, 100)), near);
    return status_fail(ST_USAGE, "there is no model '%.*s' ('brood models' lists them)",
                       STR_ARG(str_sub(name, 0, 100)));
}

bool model_option_is_common(const struct model_ops *m, const struct option *o)
{
    for (struct str rest = str_of(m->common), name; str_cut(&rest, ' ', &name);)
        if (str_eq(name, str_of(o->name)))
            return true;
    return false;
}

static void option_json(struct json *j, const struct model_ops *m, const struct option *o)
{
    static const char *const types[] = {
        [OPTION_FLAG] = "flag",   [OPTION_INT] = "integer",   [OPTION_U32] = "integer",
        [OPTION_REAL] = "number", [OPTION_TEXT] = "text",     [OPTION_DURATION] = "duration",
        [OPTION_SIZE] = "size",   [OPTION_CHOICE] = "choice", [OPTION_LIST] = "list",
    };
    struct str rest = str_of(o->choices), one;
    struct buf range = BUF_INIT(1000);

    json_open_object(j, NULL);
    json_put_z(j, "name", o->name);
    json_put_z(j, "type", types[o->type]);
    json_put_z(j, "default", o->fallback);
    if (o->min != 0 || o->max != 0) {
        json_put_num(j, "min", o->min);
        json_put_num(j, "max", o->max);
    } else {
        json_put_null(j, "min");
        json_put_null(j, "max");
    }
    if (o->type == OPTION_CHOICE) {
        json_open_array(j, "choices");
        while (str_cut(&rest, '|', &one))
            json_put_str(j, NULL, one);
        json_close(j);
    }
    option_range(o, &range);
    json_put_text(j, "range", buf_str(&range));
    buf_free(&range);
    json_put_z(j, "help", o->help);
    json_put_z(j, "source", o->source);
    json_put_bool(j, "verified", !o->unverified);
    json_put_bool(j, "common", model_option_is_common(m, o));
    json_close(j);
}

void model_put(struct json *j, const struct model_ops *m)
{
    json_open_object(j, NULL);
    json_put_z(j, "name", m->name);
    json_put_z(j, "summary", m->summary);
    json_put_z(j, "advice", m->advice);
    json_put_z(j, "source", m->source);
    json_put_bool(j, "lab_only", m->lab_only);
    json_put_bool(j, "revisits", model_watches(m));
    json_open_array(j, "options");
    for (const struct option *o = m->options; o && o->name; o++)
        option_json(j, m, o);
    json_close(j);
    json_close(j);
}
