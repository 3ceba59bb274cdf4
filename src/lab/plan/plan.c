/* plan.c - the description of an experiment. Text -> tree (value.c) -> struct plan.
 *
 * A key of the plan is a row of a table with its reader; plain numbers are rows
 * of option tables, whose ranges are checked as everywhere. Checks that need the whole plan are in
 * check.c. SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/file.h"
#include "crawl/options.h"

#include <math.h>
#include <stdlib.h>

#define AT(field) .offset = offsetof(struct plan, field)

/* ---- plain numbers ------------------------------------------------------- */

static const struct option number_table[] = {
    {U32_OPTION("repeats", repeats, NULL, "1", 1, 10000),
     .help = "draws of seeds and random numbers a topic"},
    {INT_OPTION("rng", rng, NULL, "1", 0, 9007199254740992.0), .help = "the seed of all draws"},
    {REAL_OPTION("relevant", relevant, NULL, "0.1", 0, 1),
     .help = "a page of this relevance is a hit"},
    {CHOICE_OPTION("idf", idf, "world|learned", "world"),
     .help = "the document frequencies of the whole world, or, as in a real crawl, of the pages "
             "that came"},
    {.name = NULL},
};

static const struct option label_table[] = {
    {U32_OPTION("min", label_min, NULL, "20", 1, 1e9), .help = "pages a label must have"},
    {U32_OPTION("most", label_most, NULL, "0", 0, 1e6),
     .help = "topics taken at most, evenly spread; 0: all"},
    {.name = NULL},
};

static const struct option seed_table[] = {
    {U32_OPTION("on-topic", seed_count, NULL, "3", 1, 10000),
     .help = "pages of the topic to begin with"},
    {U32_OPTION("off-topic", seeds_off, NULL, "0", 0, 10000),
     .help = "pages of other topics to begin with, beside those"},
    {U32_OPTION("count", seed_count, NULL, "3", 1, 10000), .help = "pages to begin with"},
    {U32_OPTION("apart", seed_count, NULL, "3", 1, 10000),
     .help = "pages on as many hosts to begin with, of the topic or not"},
    {U32_OPTION("distance", seed_distance, NULL, "1", 1, 100),
     .help = "links from the topic's pages"},
    {.name = NULL},
};

static const struct option example_table[] = {
    {U32_OPTION("positive", positive, NULL, "0", 0, 100000),
     .help = "pages of the topic, for models that learn from examples"},
    {U32_OPTION("negative", negative, NULL, "0", 0, 100000), .help = "other pages"},
    {.name = NULL},
};

static const struct option network_table[] = {
    {U32_OPTION("connections", connections, NULL, "1", 1, 100000),
     .help = "requests under way at once"},
    {U32_OPTION("per-host", per_host, NULL, "1", 1, 1000), .help = "requests to one host at once"},
    {DURATION_OPTION("delay", delay, NULL, "0", 0, 86400), .help = "between requests to one host"},
    {REAL_OPTION("patience", patience, NULL, CRAWL_PATIENCE, 0, 1),
     .help = "as --patience of a crawl"},
    {DURATION_OPTION("latency", latency, NULL, "0", 0, 86400),
     .help = "that every download takes; 0: as the world says, host by host"},
    {FLAG_OPTION("measured", measured), .fallback = "no",
     .help = "downloads take as long as on the real web, drawn from `rng`, host and URL"},
    {REAL_OPTION("slow", slow, NULL, "0", 0, 1),
     .help = "share of the hosts, drawn from `rng`, whose downloads take `slow-latency`"},
    {DURATION_OPTION("slow-latency", slow_latency, NULL, "30s", 0, 86400),
     .help = "that a download of a slow host takes"},
    {FLAG_OPTION("robots", robots), .fallback = "yes", .help = "obey robots.txt"},
    {U32_OPTION("host-budget", host_budget, NULL, "0", 0, 1e9),
     .help = "pages of one host without a seed; 0: any number"},
    {.name = NULL},
};

/* ---- keys ---------------------------------------------------------------- */

static enum status read_name(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    enum status st = plan_text(r, t, &p->name);

    return st == ST_OK ? plan_name(r, t->line, p->name) : st;
}

static enum status read_number(struct plan_reader *r, const struct tree *t, void *plan)
{
    return plan_option(r, t, option_find(number_table, str_of(t->key)), plan);
}

static enum status label_number(struct plan_reader *r, const struct tree *t, void *plan)
{
    return plan_option(r, t, option_find(label_table, str_of(t->key)), plan);
}

static enum status label_share(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct quantity q;
    enum status st = plan_quantity(r, t, &q);

    if (st == ST_OK && q.kind != QUANTITY_SHARE)
        return plan_wrong(r, t->line, "max: '%s' will not do: write a share of the pages, 25%%",
                          t->text);
    if (st == ST_OK)
        ((struct plan *)plan)->label_max = q.value;
    return st;
}

static const struct plan_key label_keys[] = {
    {"min", label_number, 0},
    {"max", label_share, 0},
    {"most", label_number, 0},
    {NULL, NULL, 0},
};

static enum status topic_labels(struct plan_reader *r, const struct tree *t, void *plan)
{
    enum status st = plan_expect(r, t, TREE_MAP, "a mapping", "{min: 20, max: 25%, most: 30}");

    ((struct plan *)plan)->label_topics = true;
    return st == ST_OK ? plan_map(r, t, label_keys, "'labels'", plan) : st;
}

static const struct plan_key topic_keys[] = {{"labels", topic_labels, 0}, {NULL, NULL, 0}};

static enum status check_topics(struct plan_reader *r, const struct tree *t, const struct plan *p)
{
    for (size_t i = 0; i < p->topics.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(p->topics.items[i], p->topics.items[k]) == 0)
                return plan_wrong(r, t->kind == TREE_LIST ? t->items[i]->line : t->line,
                                  "the topic '%s' is here twice", p->topics.items[i]);
    return ST_OK;
}

static enum status read_topics(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;

    p->topics_line = t->key_line;
    if (t->kind == TREE_TEXT && strcmp(t->text, "labels") == 0) {
        p->label_topics = true;
        return ST_OK;
    }
    if (t->kind == TREE_MAP && t->count == 0)
        return plan_wrong(r, t->line, "topics: the mapping is empty; write 'labels' or a list");
    if (t->kind == TREE_MAP)
        return plan_map(r, t, topic_keys, "'topics'", plan);
    TRY(plan_texts(r, t, &p->topics));
    return check_topics(r, t, p);
}

static enum status read_seeds(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    const struct tree *on_topic = tree_get(t, "on-topic"), *distance = tree_get(t, "distance"),
                      *apart = tree_get(t, "apart");
    size_t known = on_topic && tree_get(t, "off-topic") ? 2 : 1;

    if (t->kind == TREE_TEXT && strcmp(t->text, "on-topic") == 0)
        return ST_OK;
    if (t->kind != TREE_MAP || !on_topic + !distance + !apart != 2 ||
        (!distance && t->count > known))
        return plan_wrong(r, t->line,
                          "seeds: write on-topic, {on-topic: 3}, {on-topic: 2, off-topic: 1}, "
                          "{distance: 2, count: 3} or {apart: 5}");
    p->seed_rule = distance ? SEEDS_DISTANCE : apart ? SEEDS_APART : SEEDS_ON_TOPIC;
    return plan_options(r, t, seed_table, "'seeds'", plan);
}

static enum status read_examples(struct plan_reader *r, const struct tree *t, void *plan)
{
    TRY(plan_expect(r, t, TREE_MAP, "a mapping", "{positive: 10, negative: 40}"));
    return plan_options(r, t, example_table, "'examples'", plan);
}

static enum status read_network(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    bool polite = t->kind == TREE_TEXT && strcmp(t->text, "polite") == 0;

    if (polite) { /* as a crawl has it by default */
        p->connections = 64;
        p->delay = US_PER_S;
        p->measured = true;
    }
    if (polite || (t->kind == TREE_TEXT && strcmp(t->text, "serial") == 0))
        return ST_OK;
    TRY(plan_expect(r, t, TREE_MAP, "serial, polite or a mapping", "{connections: 8, delay: 1s}"));
    return plan_options(r, t, network_table, "'network'", plan);
}

static enum status read_pages(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    enum status st = plan_quantity(r, t, &p->pages);

    if (st == ST_OK && p->pages.kind == QUANTITY_TIME)
        st = plan_wrong(r, t->line, "pages: '%s' is a time; write 20%%, 1500, or 'time: %s'",
                        t->text, t->text);
    return st;
}

static enum status read_time(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    enum status st = plan_quantity(r, t, &p->time);

    if (st == ST_OK && p->time.kind != QUANTITY_TIME)
        st = plan_wrong(r, t->line, "time: '%s' is no time; write it with a unit: 60m, 90s, 3h",
                        t->text);
    return st;
}

static enum status read_at(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    size_t n = t->kind == TREE_LIST ? t->count : 1;
    enum status st = ST_OK;

    if (n == 0)
        return plan_wrong(r, t->line, "at: the list is empty");
    p->at = mem_zero(n, sizeof *p->at);
    while (st == ST_OK && p->nat < n) {
        const struct tree *one = t->kind == TREE_LIST ? t->items[p->nat] : t;

        st = plan_quantity(r, one, &p->at[p->nat]);
        for (size_t k = 0; st == ST_OK && k < p->nat; k++)
            if (p->at[k].kind == p->at[p->nat].kind && p->at[k].value == p->at[p->nat].value)
                st = plan_wrong(r, one->line, "at: '%s' is here twice", one->text);
        p->nat += st == ST_OK;
    }
    return st;
}

#define KEY(member, read) PLAN_KEY(struct plan, member, read)

static const struct plan_key plan_keys[] = {
    {"name", read_name, 0},
    KEY(about, plan_text),
    {"worlds", plan_read_worlds, 0},
    {"topics", read_topics, 0},
    {"seeds", read_seeds, 0},
    {"examples", read_examples, 0},
    {"models", plan_read_models, 0},
    {"pages", read_pages, 0},
    {"time", read_time, 0},
    {"repeats", read_number, 0},
    {"rng", read_number, 0},
    {"relevant", read_number, 0},
    {"idf", read_number, 0},
    {"network", read_network, 0},
    KEY(sample, plan_quantity),
    {"at", read_at, 0},
    KEY(metrics, plan_texts),
    {"claims", plan_read_claims, 0},
    {"figures", plan_read_figures, 0},
    {NULL, NULL, 0},
};

/* ---- the whole ----------------------------------------------------------- */

/* experiments/baselines.plan -> baselines */
static char *name_of_file(const char *file)
{
    const char *slash = strrchr(file, '/');
    struct str s = str_of(slash ? slash + 1 : file);
    size_t dot = s.len;

    while (dot > 0 && s.ptr[dot - 1] != '.')
        dot--;
    return str_dup(dot > 1 ? str_sub(s, 0, dot - 1) : s);
}

static struct plan *plan_new(struct str text, const char *file)
{
    struct plan *p = MEM_NEW(struct plan);

    options_init(number_table, p);
    options_init(label_table, p);
    options_init(seed_table, p);
    options_init(example_table, p);
    options_init(network_table, p);
    p->seed_distance = 0;
    p->label_max = 0.25;
    p->file = str_dup(str_of(file));
    p->text = BUF_INIT(LIMIT_PLAN_FILE);
    buf_add_str(&p->text, text);
    return p;
}

static enum status read_tree(struct plan_reader *r)
{
    TRY(plan_expect(r, r->root, TREE_MAP, "a plan", "'key: value' lines"));
    TRY(plan_map(r, r->root, plan_keys, "a plan", r->plan));
    if (r->plan->name == NULL) {
        r->plan->name = name_of_file(r->file);
        TRY(plan_name(r, 1, r->plan->name));
    }
    return plan_check(r);
}

enum status plan_parse(struct str text, const char *file, struct plan **ret)
{
    struct plan_reader r = {.file = file};
    struct tree *tree;
    enum status st = text.len > LIMIT_PLAN_FILE
                         ? status_fail(ST_USAGE, "%s: larger than %zu bytes", file, LIMIT_PLAN_FILE)
                         : tree_parse(text, file, &tree);

    if (st != ST_OK)
        return st;
    r.root = tree;
    r.plan = plan_new(text, file);
    st = read_tree(&r);
    tree_free(tree);
    if (st == ST_OK)
        *ret = r.plan;
    else
        plan_free(r.plan);
    return st;
}

enum status plan_load(const char *file, struct plan **ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_PLAN_FILE);
    enum status st = file_read(file, &text);

    if (st != ST_OK)
        st = status_fail(ST_USAGE, "%s", status_text());
    else
        st = plan_parse(buf_str(&text), file, ret);
    return st;
}

enum status plan_read(const char *file, struct plan **ret)
{
    struct plan *p = NULL;
    enum status st = plan_load(file, &p);

    if (st == ST_OK)
        st = plan_find_worlds(p);
    if (st == ST_OK)
        *ret = p;
    else
        plan_free(p);
    return st;
}

static void world_clear(struct plan_world *w)
{
    free(w->name);
    free(w->dir);
    if (w->make)
        options_free(make_option_table, w->make);
    free(w->make);
    text_list_free(&w->made_of);
    text_list_free(&w->exclude);
    text_list_free(&w->main);
}

void plan_free(struct plan *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->nworlds; i++)
        world_clear(&p->worlds[i]);
    for (size_t i = 0; i < p->nmodels; i++) {
        free(p->models[i].label);
        free(p->models[i].name);
        text_list_free(&p->models[i].settings);
    }
    for (size_t i = 0; i < p->nclaims; i++)
        plan_claim_clear(&p->claims[i]);
    for (size_t i = 0; i < p->nfigures; i++)
        plan_figure_clear(&p->figures[i]);
    free(p->worlds);
    free(p->models);
    free(p->claims);
    free(p->figures);
    free(p->at);
    free(p->name);
    free(p->about);
    free(p->file);
    buf_free(&p->text);
    text_list_free(&p->topics);
    text_list_free(&p->metrics);
    free(p);
}
