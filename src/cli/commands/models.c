/* models.c - brood models: when to use which, their options, their papers.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "crawl/options.h"
#include "models/models.h"

struct models_options {
    bool all, json;
};

#define AT(field) .offset = offsetof(struct models_options, field)

static const struct option models_option_table[] = {
    {FLAG_OPTION("all", all),
     .help = "with NAME: show every option, and where its value comes from"},
    {FLAG_OPTION("json", json), .help = "as JSON, with every option"},
    {.name = NULL},
};

static void add_option(struct buf *out, const struct option *o, bool whole)
{
    LOCAL_BUF range = BUF_INIT(400);

    option_range(o, &range);
    buf_addf(out, "\n  --set %s=%s", o->name, o->fallback ? o->fallback : "");
    if (range.len)
        buf_addf(out, "   (%.*s)", STR_ARG(buf_str(&range)));
    buf_addf(out, "\n      %s\n", o->help);
    if (o->source && whole)
        buf_addf(out, "      source: %s%s\n", o->source, o->unverified ? " [not verified]" : "");
}

/* Appends the options that users change most, in order; with `all` also the others. Returns how
 * many were left out. */
static size_t add_options(struct buf *out, const struct model_ops *m, bool all)
{
    size_t left = 0;

    for (struct str rest = str_of(m->common), name; str_cut(&rest, ' ', &name);)
        add_option(out, option_find(m->options, name), all);
    for (const struct option *o = m->options; o && o->name; o++) {
        if (model_option_is_common(m, o))
            continue;
        left += !all;
        if (all)
            add_option(out, o, all);
    }
    return left;
}

static void model_whole(struct buf *out, const struct model_ops *m, bool all)
{
    size_t left;

    buf_addf(out, "%s: %s%s\n%s\nsource: %s\n", m->name, m->summary,
             m->lab_only ? " (lab only)" : "", m->advice, m->source);
    left = add_options(out, m, all);
    if (left > 0) {
        buf_add_char(out, '\n');
        report_count(out, left, "more option");
        buf_addf(out, ": brood models %s --all\n", m->name);
    }
    buf_addf(out, "\nHow it works: docs/models/%s.md\n",
             m->lab_only ? "oracle" : m->name); /* both are on one page */
}

static void model_line(struct buf *out, const struct model_ops *m)
{
    buf_addf(out, "%-14s %s%s\n%-14s %s\n", m->name, m->summary, m->lab_only ? " (lab only)" : "",
             "", m->advice);
}

static int models_command(struct invocation *in)
{
    const struct models_options *o = in->options;
    const struct model_ops *const *all = model_registry(), *wanted = NULL;
    struct buf out = BUF_INIT(1 << 20);
    struct json j;
    enum status st;

    if (in->args.count > 0) {
        st = model_need(str_of(in->args.items[0]), &wanted);
        if (st != ST_OK)
            return report_failure(st);
    }
    json_init(&j, &out);
    if (o->json)
        json_open_array(&j, NULL);
    for (size_t i = 0; all[i]; i++) {
        if (wanted && all[i] != wanted)
            continue;
        if (o->json)
            model_put(&j, all[i]);
        else if (wanted)
            model_whole(&out, all[i], o->all);
        else
            model_line(&out, all[i]);
    }
    if (o->json) {
        json_close(&j);
        buf_add_char(&out, '\n');
    } else if (wanted == NULL) {
        buf_addf(&out,
                 "\nWithout --model a crawl uses '%s'. Options of a model: brood models NAME.\n"
                 "How much each model finds: docs/models/README.md\n",
                 option_find(crawl_option_table, STR("model"))->fallback);
    }
    return report_out(&out);
}

const struct command command_models = {
    .name = "models",
    TAKES("[NAME]", 0, 1),
    .summary = "list the models, with advice on when to use which",
    .example = "brood models\n  brood models best-first --all",
    OPTIONS(models_option_table, struct models_options),
    .run = models_command,
};
