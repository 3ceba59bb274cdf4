/* models.c - brood models: the models, their options, their papers.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "models/models.h"
#include "base/json.h"

struct models_options {
    bool json;
};

static const struct option models_option_table[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "as JSON",
     .offset = offsetof(struct models_options, json)},
    {.name = NULL},
};

static void model_text(struct buf *out, const struct model_ops *m, bool whole)
{
    buf_addf(out, "%-15s %s%s\n", m->name, m->summary, m->lab_only ? " (lab only)" : "");
    if (!whole)
        return;
    buf_addf(out, "source: %s\n", m->source);
    for (const struct option *o = m->options; o && o->name; o++) {
        struct buf range = BUF_INIT(400);

        option_range(o, &range);
        buf_addf(out, "\n  --set %s=%s", o->name, o->fallback ? o->fallback : "");
        if (range.len)
            buf_addf(out, "   (%.*s)", STR_ARG(buf_str(&range)));
        buf_addf(out, "\n      %s\n", o->help);
        if (o->source)
            buf_addf(out, "      source: %s%s\n", o->source,
                     o->unverified ? " [not verified]" : "");
        buf_free(&range);
    }
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
        else
            model_text(&out, all[i], wanted != NULL);
    }
    if (o->json) {
        json_close(&j);
        buf_add_char(&out, '\n');
    }
    return report_out(&out);
}

const struct command command_models = {
    .name = "models",
    .args = "[NAME]",
    .summary = "the models, their options, their papers",
    .example = "brood models\n  brood models best-first",
    .options = models_option_table,
    .options_size = sizeof(struct models_options),
    .max_args = 1,
    .run = models_command,
};
