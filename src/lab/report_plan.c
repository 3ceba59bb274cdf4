/* report_plan.c - claims, and every parameter of the experiment, in HTML.
 * SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "agent/model.h"
#include "base/mem.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

/* ---- claims ---- */

static void claim_where(struct buf *out, const struct results *r, const struct claim_result *c,
                        size_t i)
{
    const struct comparison *w = &c->where[i];
    struct buf p = BUF_INIT(32);

    markup_wrap(out, "<tr class=\"sub\"><td></td><td>", str_of(r->plan->worlds[w->world].name),
                "</td><td>");
    (void)buf_add_z(out, finding_name(c->finding[i]));
    (void)buf_add_z(out, "</td>");
    markup_number(out, w->mean_a);
    markup_number(out, w->mean_b);
    (void)buf_add_z(out, "<td class=\"num\">");
    say_signed(out, w->difference);
    (void)buf_add_z(out, "</td><td class=\"num\">");
    say_interval(out, w);
    say_p(&p, c->finding[i] == CLAIM_TOO_FEW ? NAN : comparison_p(w));
    markup_wrap(out, "</td><td class=\"num\">", buf_str(&p), "</td>");
    (void)buf_addf(out, "<td class=\"num\">%zu</td></tr>\n", w->topics);
    buf_free(&p);
}

static void claim_row(struct buf *out, const struct results *r, const struct claim_result *c)
{
    static const char *const classes[] = {[CLAIM_REPRODUCED] = "yes",
                                          [CLAIM_NOT_REPRODUCED] = "no",
                                          [CLAIM_MIXED] = "mixed",
                                          [CLAIM_UNTESTED] = "untested"};
    struct buf asks = BUF_INIT(1 << 16);

    markup_wrap(out, "<tr class=\"claim\"><th>", str_of(c->claim->id), "</th><td colspan=\"6\">");
    if (c->claim->says)
        markup_wrap(out, "<strong>", str_of(c->claim->says), "</strong><br>");
    say_claim(&asks, c->claim);
    markup_wrap(out, "<span class=\"note\">", buf_str(&asks), "</span>");
    if (c->claim->source)
        markup_wrap(out, "<br><span class=\"note\">source: ", str_of(c->claim->source), "</span>");
    (void)buf_addf(out, "</td><td colspan=\"2\"><span class=\"verdict %s\">%s</span>",
                   classes[c->verdict], verdict_name(c->verdict));
    if (c->note)
        markup_wrap(out, "<br><span class=\"note\">", str_of(c->note), "</span>");
    (void)buf_add_z(out, "</td></tr>\n");
    for (size_t i = 0; i < c->count; i++)
        claim_where(out, r, c, i);
    buf_free(&asks);
}

void markup_claims(struct buf *out, const struct results *r, const struct claim_result *claims)
{
    (void)buf_add_z(
        out,
        "<section id=\"claims\"><h2>Claims</h2>\n<div class=\"scroll\"><table class=\"claims\">"
        "<thead><tr><th>claim</th><th>world</th><th>finding</th><th class=\"num\">mean</th>"
        "<th class=\"num\">against</th><th class=\"num\">difference</th>"
        "<th class=\"num\">95 % interval</th><th class=\"num\">p</th>"
        "<th class=\"num\">topics</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->plan->nclaims; i++)
        claim_row(out, r, &claims[i]);
    (void)buf_add_z(
        out,
        "</tbody></table></div>\n<p class=\"note\">A claim holds on a world where the difference "
        "has the claimed direction and size and its 95 % interval excludes zero; it fails where "
        "the interval lies below the claimed size or on the other side; else it is undecided. "
        "Equality within a tolerance holds where the whole interval lies inside it. Reproduced: "
        "it holds on every world tested. Not reproduced: it fails on every one. Mixed: "
        "anything else. Intervals alone decide; p is that of the two tests, corrected over all "
        "pairs. Below 6 topics a claim is not tested.</p></section>\n");
}

/* ---- models ---- */

static void option_row(struct buf *out, const struct option *o, const void *values,
                       const void *defaults)
{
    struct buf value = BUF_INIT(4096), usual = BUF_INIT(4096);

    option_show(o, values, &value);
    option_show(o, defaults, &usual);
    (void)buf_addf(out, "<tr%s><td>",
                   str_eq(buf_str(&value), buf_str(&usual)) ? "" : " class=\"set\"");
    markup_text(out, str_of(o->name));
    markup_wrap(out, "</td><td class=\"num\">", buf_str(&value), "</td>");
    markup_wrap(out, "<td class=\"num\">", buf_str(&usual), "</td>");
    markup_wrap(out, "<td>", str_of(o->help), "</td></tr>\n");
    buf_free(&value);
    buf_free(&usual);
}

/* The options as the runs had them: defaults, then the plan's settings. */
static void option_rows(struct buf *out, const struct model_ops *ops, const struct plan_model *m)
{
    void *values = mem_zero(1, ops->options_size + 1);
    void *defaults = mem_zero(1, ops->options_size + 1);

    options_init(ops->options, values);
    options_init(ops->options, defaults);
    for (size_t i = 0; i < m->settings.count; i++) {
        struct str value = str_of(m->settings.items[i]), name;
        const struct option *o;

        (void)str_cut(&value, '=', &name);
        o = option_find(ops->options, name);
        if (o && option_set(o, values, value) != ST_OK)
            continue; /* the plan was checked: its runs had this setting */
    }
    for (const struct option *o = ops->options; o->name; o++)
        option_row(out, o, values, defaults);
    options_free(ops->options, values);
    options_free(ops->options, defaults);
    free(values);
    free(defaults);
}

static void models(struct buf *out, const struct results *r)
{
    (void)buf_add_z(out, "<h3>Models</h3>\n");
    for (uint32_t i = 0; i < r->plan->nmodels; i++) {
        const struct plan_model *m = &r->plan->models[i];
        const struct model_ops *ops = model_find(str_of(m->name));

        (void)buf_add_z(out, "<details><summary>");
        markup_model(out, r, i);
        (void)buf_add_z(out, "</summary>\n");
        if (ops) {
            markup_wrap(out, "<p>", str_of(ops->summary), ".");
            markup_wrap(out, " <span class=\"note\">", str_of(ops->source), "</span></p>\n");
        }
        if (ops && ops->options && ops->options->name) {
            (void)buf_add_z(out, "<div class=\"scroll\"><table><thead><tr><th>option</th>"
                                 "<th class=\"num\">value</th><th class=\"num\">default</th>"
                                 "<th>meaning</th></tr></thead><tbody>\n");
            option_rows(out, ops, m);
            (void)buf_add_z(out, "</tbody></table></div>\n");
        } else {
            (void)buf_add_z(out, "<p class=\"note\">It has no options.</p>\n");
        }
        (void)buf_add_z(out, "</details>\n");
    }
}

/* ---- settings of the plan, defaults included ---- */

static void setting(struct buf *out, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void setting(struct buf *out, const char *name, const char *fmt, ...)
{
    struct buf text = BUF_INIT(1 << 16);
    va_list args;

    va_start(args, fmt);
    (void)buf_addv(&text, fmt, args);
    va_end(args);
    (void)buf_addf(out, "<tr><th>%s</th><td>", name);
    markup_wrap(out, "", buf_str(&text), "</td></tr>\n");
    buf_free(&text);
}

static void quantity_setting(struct buf *out, const char *name, const struct quantity *q, size_t n)
{
    struct buf text = BUF_INIT(4096);

    for (size_t i = 0; i < n; i++) {
        (void)buf_add_z(&text, i ? ", " : "");
        quantity_show(q[i], &text);
    }
    if (n > 0 && q[0].kind != QUANTITY_NONE)
        setting(out, name, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static void list_setting(struct buf *out, const char *name, const struct text_list *l,
                         const char *empty)
{
    struct buf text = BUF_INIT(1 << 16);

    for (size_t i = 0; i < l->count; i++)
        (void)buf_addf(&text, "%s%s", i ? ", " : "", l->items[i]);
    if (l->count || empty)
        setting(out, name, "%s", l->count ? text.data : empty);
    buf_free(&text);
}

static void topic_settings(struct buf *out, const struct plan *p)
{
    if (p->label_topics)
        setting(out, "topics", "labels with at least %u targets and at most %g %% of the pages%s",
                p->label_min, p->label_max * 100, p->label_most ? ", spread evenly" : "");
    else
        list_setting(out, "topics", &p->topics, "none");
    if (p->label_topics && p->label_most)
        setting(out, "topics at most", "%u", p->label_most);
    if (p->seed_rule == SEEDS_DISTANCE)
        setting(out, "seeds", "%u, %u links back from targets", p->seed_count, p->seed_distance);
    else
        setting(out, "seeds", "%u on the topic", p->seed_count);
    if (p->positive || p->negative)
        setting(out, "examples", "%u on the topic, %u off it", p->positive, p->negative);
    if (!p->label_topics)
        setting(out, "relevant from", "%g", p->relevant);
}

static void world_settings(struct buf *out, const struct plan_world *w)
{
    markup_wrap(out, "<tr><th>world ", str_of(w->name), "</th><td>");
    if (w->dir)
        markup_wrap(out, "directory ", str_of(w->dir), "");
    else
        (void)buf_add_z(out, "made:");
    for (size_t i = 0; i < w->made_of.count; i++)
        markup_wrap(out, " ", str_of(w->made_of.items[i]), "");
    for (size_t i = 0; i < w->exclude.count; i++)
        markup_wrap(out, i ? ", " : "; without ", str_of(w->exclude.items[i]), "");
    (void)buf_add_z(out, "</td></tr>\n");
}

static void settings(struct buf *out, const struct plan *p)
{
    char delay[UNITS_TEXT];

    (void)buf_add_z(out,
                    "<h3>Settings</h3>\n<div class=\"scroll\"><table class=\"settings\"><tbody>\n");
    for (size_t w = 0; w < p->nworlds; w++)
        world_settings(out, &p->worlds[w]);
    topic_settings(out, p);
    quantity_setting(out, "pages a run", &p->pages, 1);
    quantity_setting(out, "simulated time a run", &p->time, 1);
    setting(out, "repeats", "%u", p->repeats);
    setting(out, "rng", "%llu", (unsigned long long)p->rng);
    setting(out, "connections", "%u", p->connections);
    setting(out, "connections a host", "%u", p->per_host);
    setting(out, "delay", "%s", units_show_duration(p->delay, delay));
    setting(out, "a download takes", "%s",
            p->latency ? units_show_duration(p->latency, delay) : "as the world says");
    setting(out, "robots.txt", "%s", p->robots ? "obeyed" : "not looked at");
    setting(out, "pages a host", p->host_budget ? "%u" : "any number", p->host_budget);
    quantity_setting(out, "sampled every", &p->sample, 1);
    quantity_setting(out, "looked at", p->at, p->nat);
    list_setting(out, "metrics", &p->metrics, "all that apply");
    setting(out, "brood", "%s", BROOD_VERSION);
    (void)buf_add_z(out, "</tbody></table></div>\n");
}

void markup_plan(struct buf *out, const struct results *r)
{
    (void)buf_add_z(out, "<section id=\"parameters\"><h2>Every parameter</h2>\n");
    settings(out, r->plan);
    models(out, r);
    (void)buf_add_z(out, "<h3>The plan as written</h3>\n");
    markup_wrap(out, "<pre class=\"plan\">", buf_str(&r->plan->text), "</pre>\n</section>\n");
}
