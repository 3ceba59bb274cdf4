/* Plans: what is read, what is multiplied out, and what every mistake is told.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "lab/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct plan *parsed(const char *text)
{
    struct plan *p = NULL;

    if (plan_parse(str_of(text), "some/dir/p.plan", &p) != ST_OK)
        fail_msg("%s", status_text());
    return p;
}

static const char small[] = "worlds: [w]\n"
                            "topics: labels\n"
                            "models: [breadth-first]\n"
                            "pages: 20%\n";

static void a_small_plan_has_the_defaults(void **state)
{
    struct plan *p = parsed(small);

    (void)state;
    assert_string_equal(p->name, "p");
    assert_null(p->about);
    assert_int_equal(p->nworlds, 1);
    assert_string_equal(p->worlds[0].name, "w");
    assert_string_equal(p->worlds[0].dir, "w");
    assert_true(p->label_topics);
    assert_int_equal(p->label_min, 20);
    assert_true(p->label_max == 0.25);
    assert_int_equal(p->seed_rule, SEEDS_ON_TOPIC);
    assert_int_equal(p->seed_count, 3);
    assert_int_equal(p->positive, 0);
    assert_int_equal(p->repeats, 1);
    assert_int_equal(p->rng, 1);
    assert_int_equal(p->connections, 1);
    assert_int_equal(p->delay, 0);
    assert_true(p->robots);
    assert_true(p->relevant == 0.1);
    assert_int_equal(p->nat, 1); /* the end */
    assert_int_equal(p->at[0].kind, QUANTITY_SHARE);
    assert_true(p->at[0].value == 0.2);
    assert_int_equal(p->sample.kind, QUANTITY_SHARE);
    assert_true(p->sample.value == 0.01);
    assert_int_equal(p->metrics.count, 0);
    assert_string_equal(buf_str(&p->text).ptr, small);
    plan_free(p);
}

static void every_key_is_read(void **state)
{
    struct plan *p = parsed(
        "name: all\n"
        "about: every key there is\n"
        "worlds:\n"
        "  - worlds/one\n"
        "  - {name: hard, dir: worlds/one, exclude: [\"*/index/*\", \"b.example\"]}\n"
        "  - {name: made, make: {kind: topical, pages: 300, hosts: 7, rng: 9}}\n"
        "topics: {labels: {min: 30, max: 10%, most: 12}}\n"
        "seeds: {distance: 2, count: 5}\n"
        "examples: {positive: 4, negative: 8}\n"
        "models: [breadth-first, best-first]\n"
        "pages: 1500\n"
        "time: 2h\n"
        "repeats: 3\n"
        "rng: 77\n"
        "relevant: 0.2\n"
        "network: {connections: 8, per-host: 2, delay: 500ms, latency: 3s, robots: no, "
        "host-budget: 50}\n"
        "sample: 90s\n"
        "at: [5%, 100, 1h]\n"
        "metrics: [recall, age]\n"
        "claims:\n"
        "  - {id: C1, says: it is so, source: a paper, metric: recall, at: 100, world: hard,\n"
        "     better: best-first, than: breadth-first, by: 0.02}\n"
        "  - {id: C2, metric: recall, better: best-first, value: 0.5, within: 0.1,\n"
        "     since: 1a2b3c4, was: it was otherwise}\n"
        "figures:\n"
        "  - {id: F, says: how, source: a paper, metric: recall, world: hard, x: time, to: 1h,\n"
        "     models: [best-first], low: 0.1, high: 0.9, runs: 7}\n");

    (void)state;
    assert_string_equal(p->name, "all");
    assert_string_equal(p->about, "every key there is");
    assert_int_equal(p->nworlds, 3);
    assert_string_equal(p->worlds[0].name, "one");
    assert_int_equal(p->worlds[1].exclude.count, 2);
    assert_string_equal(p->worlds[1].exclude.items[0], "*/index/*");
    assert_int_equal(p->worlds[1].line, 5);
    assert_int_equal(p->worlds[2].make->graph.pages, 300);
    assert_int_equal(p->worlds[2].make->graph.hosts, 7);
    assert_int_equal(p->worlds[2].made_of.count, 4);
    assert_string_equal(p->worlds[2].made_of.items[1], "pages=300");
    assert_int_equal(p->label_min, 30);
    assert_true(p->label_max == 0.1);
    assert_int_equal(p->label_most, 12);
    assert_int_equal(p->seed_rule, SEEDS_DISTANCE);
    assert_int_equal(p->seed_distance, 2);
    assert_int_equal(p->seed_count, 5);
    assert_int_equal(p->positive, 4);
    assert_int_equal(p->negative, 8);
    assert_int_equal(p->pages.kind, QUANTITY_PAGES);
    assert_true(p->time.value == 7200e6);
    assert_int_equal(p->repeats, 3);
    assert_int_equal(p->rng, 77);
    assert_true(p->relevant == 0.2);
    assert_int_equal(p->connections, 8);
    assert_int_equal(p->per_host, 2);
    assert_int_equal(p->delay, 500000);
    assert_int_equal(p->latency, 3000000);
    assert_false(p->robots);
    assert_int_equal(p->host_budget, 50);
    assert_int_equal(p->sample.kind, QUANTITY_TIME);
    assert_int_equal(p->nat, 3);
    assert_int_equal(p->at[2].kind, QUANTITY_TIME);
    assert_int_equal(p->metrics.count, 2);
    assert_int_equal(p->nclaims, 2);
    assert_string_equal(p->claims[0].source, "a paper");
    assert_true(p->claims[0].by == 0.02);
    assert_null(p->claims[1].than);
    assert_true(p->claims[1].value == 0.5);
    assert_int_equal(p->claims[1].at.kind, QUANTITY_TIME); /* the last place */
    assert_string_equal(p->claims[1].since, "1a2b3c4");
    assert_string_equal(p->claims[1].was, "it was otherwise");
    assert_null(p->claims[0].was);
    assert_int_equal(p->nfigures, 1);
    assert_string_equal(p->figures[0].world, "hard");
    assert_int_equal(p->figures[0].x, QUANTITY_TIME);
    assert_true(p->figures[0].to.value == 3600e6);
    assert_string_equal(p->figures[0].models.items[0], "best-first");
    assert_int_equal(p->figures[0].runs, 7);
    assert_true(p->figures[0].low == 0.1 && p->figures[0].high == 0.9);
    plan_free(p);
}

static void sweeps_are_multiplied_out_in_order(void **state)
{
    static const char *const labels[] = {
        "breadth-first",
        "best-first",
        "best-first parents=mean",
        "best-first n=256",
        "best-first n=256 parents=mean",
        "best-first context=0.5",
    };
    struct plan *p = parsed("worlds: [w]\ntopics: labels\npages: 10\nmodels:\n"
                            "  - breadth-first\n"
                            "  - {name: best-first, set: {n: [1, 256], parents: [max, mean]}}\n"
                            "  - {name: best-first, set: {context: 0.50}}\n");

    (void)state;
    assert_int_equal(p->nmodels, 6);
    for (size_t i = 0; i < p->nmodels; i++)
        assert_string_equal(p->models[i].label, labels[i]);
    assert_int_equal(p->models[4].settings.count, 2);
    assert_string_equal(p->models[4].settings.items[0], "n=256");
    assert_string_equal(p->models[4].settings.items[1], "parents=mean");
    assert_int_equal(p->models[4].line, 6);
    plan_free(p);
}

static void topics_may_be_words(void **state)
{
    struct plan *p = parsed("worlds: [w]\ntopics: [solar energy, heat pumps]\npages: 10\n"
                            "models: [best-first]\n");

    (void)state;
    assert_false(p->label_topics);
    assert_int_equal(p->topics.count, 2);
    assert_string_equal(p->topics.items[1], "heat pumps");
    plan_free(p);
}

/* A plan with one line changed or added, and the sentence that follows. */
struct wrong_plan {
    const char *text, *sentence;
};

#define HEAD "worlds: [w]\ntopics: labels\nmodels: [breadth-first]\n" /* lines 1 to 3 */
#define BODY HEAD "pages: 20%\n"                                      /* line 4 */

static const struct wrong_plan mistakes[] = {
    {"", "p.plan:1: the plan has no 'worlds'; write worlds: [DIR], or [{make: {kind: topical, "
         "pages: 20000}}]"},
    {"- a\n- b\n", "p.plan:1: a plan is wanted here; write 'key: value' lines"},
    {"\n\nworlds: [w\n", NULL}, /* libyaml's own words */
    {"worlds: [w]\nmodels: [best-first]\npages: 9\n",
     "p.plan:1: the plan has no 'topics'; write topics: labels, or [solar energy, heat pumps]"},
    {HEAD, "p.plan:1: the plan has no budget; write pages: 20% (or 1500), or time: 60m"},
    {BODY "speed: 3\n",
     "p.plan:5: a plan has no 'speed'; there are: name, about, worlds, topics, seeds, examples, "
     "models, pages, time, repeats, rng, relevant, idf, network, sample, at, metrics, claims, "
     "figures"},
    {BODY "rng: 1\n# again\nrng: 2\n", "p.plan:7: 'rng' is given twice (first in line 5)"},
    {BODY "name: a/b\n", "p.plan:5: 'a/b' cannot be a name: it names a folder"},
    {BODY "about: ''\n", "p.plan:5: about: nothing is written here"},
    {BODY "rng: *x\n", NULL},
    {BODY "x: &a 3\nrng: *a\n", NULL},
    /* worlds */
    {"worlds: []\n", "p.plan:1: worlds: the list is empty"},
    {"worlds: w\n", "p.plan:1: worlds: a list of worlds is wanted here; write [DIR, {make: {…}}]"},
    {"worlds:\n  - w\n  - x/w\n", "p.plan:3: there are two worlds 'w' (the other in line 2): give "
                                  "one a name, {name: …, dir: …}"},
    {"worlds:\n  - {name: a}\n",
     "p.plan:2: a world has a 'dir', or a 'make' that says how to make it"},
    {"worlds:\n  - {dir: a, make: {}}\n",
     "p.plan:2: a world has a 'dir', or a 'make' that says how to make it, not both"},
    {"worlds:\n  - w\n  - {dir: a, size: 3}\n",
     "p.plan:3: a world has no 'size'; there are: name, dir, make, exclude, main"},
    {"worlds:\n  - {name: .., make: {}}\n",
     "p.plan:2: '..' cannot be a name: it names a folder (1 to 100 bytes, no '.' or '-' in front)"},
    {"worlds:\n  - make:\n      pages: 10\n      hosts: 0\n",
     "p.plan:4: hosts: '0' will not do: write a whole number, 1 to 1000000"},
    {"worlds:\n  - make:\n      pagez: 10\n", NULL},
    {"worlds:\n  - {dir: a, exclude: []}\n", "p.plan:2: exclude: the list is empty"},
    /* models */
    {"models: []\n", "p.plan:1: models: the list is empty"},
    {"models:\n  - breadth-first\n  - best-frist\n", NULL},
    {"models:\n  - {set: {n: 3}}\n", "p.plan:2: a model needs a 'name'"},
    {"models:\n  - {name: best-first, sets: {n: 3}}\n",
     "p.plan:2: a model has no 'sets'; there are: name, set"},
    {"models:\n  - name: best-first\n    set:\n      n: 3\n      m: 4\n", NULL},
    {"models:\n  - name: best-first\n    set:\n      n: [1,\n          0]\n",
     "p.plan:5: n: '0' will not do: write a whole number, 1 to 100000"},
    {"models:\n  - {name: best-first, set: {parents: [max, most]}}\n", NULL},
    {"models:\n  - {name: best-first, set: {n: []}}\n", "p.plan:2: n: the list is empty"},
    {"models:\n  - best-first\n  - {name: best-first, set: {n: 1}}\n",
     "p.plan:3: the model 'best-first' is here twice (first in line 2)"},
    {"models:\n  - {name: best-first, set: {n: {a: b}}}\n",
     "p.plan:2: n: one value is wanted here; write 1"},
    /* topics, seeds, examples */
    {"topics: []\n", "p.plan:1: topics: the list is empty"},
    {"topics: [a b, a b]\n", "p.plan:1: the topic 'a b' is here twice"},
    {"topics: {label: {}}\n", "p.plan:1: 'topics' has no 'label'; there are: labels"},
    {"topics: {labels: {min: 0}}\n",
     "p.plan:1: min: '0' will not do: write a whole number, 1 to 1000000000"},
    {"topics: {labels: {max: 0%}}\n",
     "p.plan:1: max: '0%' will not do: a share is above 0% and at most 100%"},
    {"topics: {labels: {max: 5}}\n",
     "p.plan:1: max: '5' will not do: write a share of the pages, 25%"},
    {"topics: {labels: {middle: 5}}\n",
     "p.plan:1: 'labels' has no 'middle'; there are: min, max, most"},
    {"seeds: off-topic\n",
     "p.plan:1: seeds: write on-topic, {on-topic: 3}, {on-topic: 2, off-topic: 1}, {distance: 2, "
     "count: 3} or {apart: 5}"},
    {"seeds: {distance: 0}\n",
     "p.plan:1: distance: '0' will not do: write a whole number, 1 to 100"},
    {"seeds: {on-topic: 0}\n",
     "p.plan:1: on-topic: '0' will not do: write a whole number, 1 to 10000"},
    {"seeds: {apart: 5, count: 2}\n",
     "p.plan:1: seeds: write on-topic, {on-topic: 3}, {on-topic: 2, off-topic: 1}, {distance: 2, "
     "count: 3} or {apart: 5}"},
    {"seeds: {on-topic: 3, distance: 2}\n",
     "p.plan:1: seeds: write on-topic, {on-topic: 3}, {on-topic: 2, off-topic: 1}, {distance: 2, "
     "count: 3} or {apart: 5}"},
    {"examples: 10\n",
     "p.plan:1: examples: a mapping is wanted here; write {positive: 10, negative: 40}"},
    {"examples: {positives: 10}\n",
     "p.plan:1: 'examples' has no 'positives'; there are: positive, negative"},
    {BODY "examples: {positive: 17}\n",
     "p.plan:2: a label with 20 pages is left without one to find: 20 are given as seeds and "
     "examples; write {labels: {min: 21}} or more"},
    /* budgets, places, numbers */
    {HEAD "pages: 0\n", "p.plan:4: pages: '0' will not do: it must be above 0"},
    {HEAD "pages: 120%\n",
     "p.plan:4: pages: '120%' will not do: a share is above 0% and at most 100%"},
    {HEAD "pages: many\n",
     "p.plan:4: pages: 'many' will not do: write a share of the pages that can be reached (20%), a "
     "number of pages (1500) or a time (60m)"},
    {HEAD "pages: 3h\n", "p.plan:4: pages: '3h' is a time; write 20%, 1500, or 'time: 3h'"},
    {HEAD "time: 60\n", "p.plan:4: time: '60' is no time; write it with a unit: 60m, 90s, 3h"},
    {BODY "repeats: 0\n", "p.plan:5: repeats: '0' will not do: write a whole number, 1 to 10000"},
    {BODY "repeats: [1, 2]\n", "p.plan:5: repeats: one value is wanted here; write 1"},
    {BODY "rng: -1\n", "p.plan:5: rng: '-1' will not do: write a whole number, 0 or more"},
    {BODY "at: [5%,\n     30%]\n", "p.plan:6: at: 30 % is beyond the budget, which is 20 %"},
    {BODY "time: 1h\nat: 2h\n", "p.plan:6: at: 2 h is beyond the budget, which is 1 h"},
    {BODY "at: []\n", "p.plan:5: at: the list is empty"},
    {BODY "at: [5%, 5%]\n", "p.plan:5: at: '5%' is here twice"},
    {BODY "at: 1%\nsample: 2%\n",
     "p.plan:5: at: this is before the first sample; make 'sample' finer"},
    {BODY "sample: 50%\n", "p.plan:5: sample: 50 % is beyond the budget, which is 20 %"},
    {BODY "sample: 0.0001%\n",
     "p.plan:5: sample: more than 100000 points along one crawl; make it coarser"},
    {BODY "time: 1h\nsample: 1ms\n",
     "p.plan:6: sample: more than 100000 points along one crawl; make it coarser"},
    {BODY "network: {connections: 0}\n",
     "p.plan:5: connections: '0' will not do: write a whole number, 1 to 100000"},
    {BODY "network: {delay: soon}\n",
     "p.plan:5: delay: 'soon' is no duration (write 10s, 5m, 1.5h, 250ms)"},
    {BODY "network: {tls: yes}\n", "p.plan:5: 'network' has no 'tls'; there are: connections, "
                                   "per-host, delay, patience, latency, measured, slow, "
                                   "slow-latency, robots, host-budget"},
    {BODY "relevant: 2\n", "p.plan:5: relevant: '2' will not do: write a number, 0 to 1"},
    {"worlds: [w]\ntopics: labels\nmodels:\n  - {name: balanced, set: {history: few}}\npages: 5\n",
     "p.plan:4: history 'few' is none of all, last:N and decay:H"},
    /* metrics and claims */
    {BODY "metrics: [recall,\n  speed]\n",
     "p.plan:6: there is no metric 'speed'; there are: recall, precision, …"},
    {BODY "metrics: [recall, recall]\n", "p.plan:5: the metric 'recall' is here twice"},
    {"worlds: [w]\ntopics: [sun]\nmodels: [breadth-first]\npages: 5\nmetrics: [d-recall]\n",
     "p.plan:5: the metric 'd-recall' needs labels; write 'topics: labels'"},
    {"worlds: [w]\n\ttopics: labels\n", "p.plan:2: a tab: YAML is indented by spaces"},
    {"pages: %20\n", "p.plan:1: nothing begins with %: write it behind the number, 20%"},
    {"name: x\nworlds: [w,\n  v\nmodels: [breadth-first]\n",
     "p.plan:4: a ',' is missing, or the '[' of line 2 is not closed"},
    {"worlds: {a: b\nmodels: 1}\n",
     "p.plan:2: a ',' is missing, or the '{' of line 1 is not closed"},
    {"worlds: [w]\ntopics: ['', the]\n", "p.plan:2: nothing is written here"},
    {BODY "claims: []\n", "p.plan:5: claims: the list is empty"},
    {BODY "claims:\n  - {metric: recall}\n", "p.plan:6: the claim here needs an 'id'"},
    {BODY "claims:\n  - {id: A, metric: recall}\n",
     "p.plan:6: the claim A needs 'better', the model it is about"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first}\n",
     "p.plan:6: the claim A needs 'than', the model it is compared with, or a 'value'"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, than: b, value: 3}\n",
     "p.plan:6: the claim A needs either 'than' or 'value', not both"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, than: best-first}\n",
     "p.plan:6: the claim A is about 'best-first', which the plan does not have; it has: "
     "'breadth-first'"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, than: breadth-first}\n",
     "p.plan:6: the claim A compares 'breadth-first' with itself"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, value: x}\n",
     "p.plan:6: value: 'x' is no number"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, value: 1, at: 30%}\n",
     "p.plan:6: at: 30 % is beyond the budget, which is 20 %"},
    {BODY "claims:\n  - {id: A, metric: recall, better: breadth-first, value: 1, world: v}\n",
     "p.plan:6: the claim A is about the world 'v'; there are: 'w'"},
    {BODY "metrics: [age]\nclaims:\n  - {id: A, metric: recall, better: breadth-first, value: 1}\n",
     "p.plan:7: the claim A needs 'recall', which is not among the plan's metrics"},
    {BODY "claims:\n"
          "  - {id: A, metric: recall, better: breadth-first, value: 1}\n"
          "  - {id: A, metric: recall, better: breadth-first, value: 2}\n",
     "p.plan:7: there are two claims A (the other in line 6)"},
    /* figures */
    {BODY "figures: []\n", "p.plan:5: figures: the list is empty"},
    {BODY "figures:\n  - {id: A}\n", "p.plan:6: a figure needs an 'id' and a 'metric'"},
    {BODY "figures:\n  - {id: A, metric: recall, x: miles}\n",
     "p.plan:6: x: 'miles' will not do: write pages, share or time"},
    {BODY "figures:\n  - {id: A, metric: recall, x: pages, to: 3h}\n",
     "p.plan:6: the figure A: 'to' is no quantity of its axis 'x'"},
    {BODY "figures:\n  - {id: A, metric: recall, runs: 1.5}\n",
     "p.plan:6: runs: '1.5' will not do: a whole number up to 100"},
    {BODY "figures:\n  - {id: A, metric: recall, low: 1, high: 1}\n",
     "p.plan:6: the figure A: 'low' must be below 'high'"},
    {BODY "figures:\n  - {id: A, metric: recall, models: [fish]}\n",
     "p.plan:6: the figure A is about 'fish', which the plan does not have; it has: "
     "'breadth-first'"},
};

/* What was said; "…" at the end of what is expected stands for anything. */
static void assert_sentence(const char *expected)
{
    struct str all = str_of(expected), rest = STR("…");

    if (!str_ends(all, rest))
        assert_string_equal(status_text(), expected);
    else
        assert_memory_equal(status_text(), expected, all.len - rest.len);
}

static void every_mistake_names_its_line_and_what_is_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct wrong_plan *m = &mistakes[i];
        struct plan *p = NULL;

        assert_int_equal(plan_parse(str_of(m->text), "p.plan", &p), ST_USAGE);
        assert_null(p);
        assert_sentence(m->sentence ? m->sentence : "p.plan:…");
    }
}

/* Lists that grow with the program are looked at by their beginning. */
static void unknown_names_list_those_there_are(void **state)
{
    static const struct wrong_plan begins[] = {
        {"models:\n  - breadth-first\n  - best-frist\n",
         "p.plan:3: there is no model 'best-frist'; there are: brood, breadth-first, best-first"},
        {"models:\n  - name: best-first\n    set:\n      n: 3\n      m: 4\n",
         "p.plan:5: the model best-first has no 'm'; there are: n, context, similarity, parents"},
        {"models:\n  - name: best-first\n    set:\n      parents: [max, most]\n",
         "p.plan:4: parents: 'most' will not do: write max, "},
        {"worlds:\n  - make:\n      pagez: 10\n",
         "p.plan:3: 'make' has no 'pagez'; there are: kind, pages, hosts, topics, rng"},
        {"\n\nworlds: [w\n", "p.plan:4: "},
        {BODY "x: &a 3\nrng: *a\n", "p.plan:6: aliases are not supported: write it out"},
    };
    struct plan *p = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        assert_int_equal(plan_parse(str_of(begins[i].text), "p.plan", &p), ST_USAGE);
        if (!str_starts(str_of(status_text()), str_of(begins[i].sentence)))
            fail_msg("%s", status_text());
    }
}

static void nesting_has_an_end(void **state)
{
    struct buf text = BUF_INIT(10000);
    struct plan *p = NULL;

    (void)state;
    for (int i = 0; i < 5000; i++)
        buf_add_char(&text, '[');
    assert_int_equal(plan_parse(buf_str(&text), "p.plan", &p), ST_USAGE);
    assert_string_equal(status_text(), "p.plan:1: nested too deep");
    buf_free(&text);
}

static void worlds_are_looked_for_beside_the_plan(void **state)
{
    struct plan *p = parsed(small);
    struct buf dir = BUF_INIT(1000);

    (void)state;
    assert_int_equal(plan_world_dir(p, &p->worlds[0], &dir), ST_OK);
    assert_string_equal(dir.data, "some/dir/w");
    assert_int_equal(plan_find_worlds(p), ST_USAGE);
    assert_string_equal(
        status_text(), "some/dir/p.plan:1: there is no world some/dir/w: make it with 'brood world "
                       "make' or 'brood world import', or write {make: {…}} here");
    buf_free(&dir);
    plan_free(p);
}

static void variables_of_the_environment_are_expanded(void **state)
{
    struct plan *p = parsed("worlds:\n  - a\n  - ${LAB_TEST_DIR}/w${LAB_TEST_N}\n"
                            "topics: labels\nmodels: [breadth-first]\npages: 5\n");
    struct buf dir = BUF_INIT(1000);

    (void)state;
    assert_string_equal(p->worlds[1].name, "w${LAB_TEST_N}");
    (void)setenv("LAB_TEST_DIR", "/some/where", 1);
    (void)setenv("LAB_TEST_N", "7", 1);
    assert_int_equal(plan_world_dir(p, &p->worlds[1], &dir), ST_OK);
    assert_string_equal(dir.data, "/some/where/w7");
    (void)unsetenv("LAB_TEST_DIR");
    assert_int_equal(plan_world_dir(p, &p->worlds[1], &dir), ST_USAGE);
    assert_string_equal(status_text(),
                        "some/dir/p.plan:3: the world 'w${LAB_TEST_N}' is in "
                        "${LAB_TEST_DIR}/w${LAB_TEST_N}, but the environment variable LAB_TEST_DIR "
                        "is not set: set it to a directory");
    buf_free(&dir);
    plan_free(p);
}

static void a_missing_file_is_wrong_usage(void **state)
{
    struct plan *p = NULL;

    (void)state;
    assert_int_equal(plan_read("no/such.plan", &p), ST_USAGE);
    assert_null(p);
}

static void quantities_are_shown_as_written(void **state)
{
    static const struct {
        struct quantity q;
        const char *text;
    } table[] = {
        {{QUANTITY_PAGES, 1500}, "1500"},   {{QUANTITY_SHARE, 0.1}, "10 %"},
        {{QUANTITY_SHARE, 0.07}, "7 %"},    {{QUANTITY_TIME, 7200e6}, "2 h"},
        {{QUANTITY_TIME, 5400e6}, "90 m"},  {{QUANTITY_TIME, 86400e6}, "1 d"},
        {{QUANTITY_TIME, 250e3}, "250 ms"}, {{QUANTITY_SHARE, 0.125}, "12.5 %"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct buf b = BUF_INIT(100);

        quantity_show(table[i].q, &b);
        assert_string_equal(b.data, table[i].text);
        buf_free(&b);
    }
}

/* The k-th point of a grid and the same share written out are one page. */
static void shares_meet_the_grid(void **state)
{
    struct quantity one = {QUANTITY_SHARE, 0.01};

    (void)state;
    for (uint32_t reachable = 1; reachable < 6000; reachable += 7)
        for (int k = 1; k <= 100; k++)
            assert_int_equal(
                quantity_pages(one, k, reachable),
                quantity_pages((struct quantity){QUANTITY_SHARE, k / 100.0}, 1, reachable));
    /* 5 % of 5,462 pages are 273.1 */
    assert_int_equal(quantity_pages((struct quantity){QUANTITY_SHARE, 0.05}, 1, 5462), 273);
    assert_int_equal(quantity_pages((struct quantity){QUANTITY_SHARE, 0.05}, 1, 3), 1);
}

static void what_is_no_text_is_no_plan(void **state)
{
    struct plan *p = NULL;

    (void)state;
    assert_int_equal(plan_parse(STR("\x89PNG\r\n\x1a\n"), "r.png", &p), ST_USAGE);
    assert_true(
        str_starts(str_of(status_text()), STR("r.png: this is no YAML file: it is no text (")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_plan_has_the_defaults),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(sweeps_are_multiplied_out_in_order),
        cmocka_unit_test(topics_may_be_words),
        cmocka_unit_test(every_mistake_names_its_line_and_what_is_right),
        cmocka_unit_test(unknown_names_list_those_there_are),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(worlds_are_looked_for_beside_the_plan),
        cmocka_unit_test(variables_of_the_environment_are_expanded),
        cmocka_unit_test(a_missing_file_is_wrong_usage),
        cmocka_unit_test(quantities_are_shown_as_written),
        cmocka_unit_test(shares_meet_the_grid),
        cmocka_unit_test(what_is_no_text_is_no_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
