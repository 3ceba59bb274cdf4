/* learn.c - trains and measures the model of the main text.
 *
 *     learn eval PAGES SEGMENTS     five-fold cross-validation, for three ways to deal the pages
 *     learn train PAGES SEGMENTS    src/parse/main/weights.c on standard output
 *
 * PAGES is a folder of HTML files, SEGMENTS a file of JSON lines: `file`, `with` (texts that
 * belong to the main text) and `without` (texts that do not). A block that has a `with` text
 * in it is an example of main text, one with a `without` text is an example of the rest; all
 * other blocks are not used. If a text is in several blocks, each counts its share.
 *
 * The measure: over all segments, a `with` text found in the output is a true positive, else
 * a false negative; a `without` text found is a false positive.
 *
 * The first model is trained by logistic regression. The second one needs scores of pages
 * that the first was not trained on: so it is trained on those of an inner cross-validation.
 * No clock and no chance: the same input gives the same weights.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "parse/main/main_int.h"
#include "parse/page/page.h"
#include "parse/page/page_int.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FOLDS       5
#define DEALS       3     /* of the pages to folds */
#define SEGMENTS    32    /* of one page, at most */
#define FIRST_LOSS  160.0 /* strength of the L2 penalty */
#define SECOND_LOSS 40.0
#define EPOCHS      60

struct segment {
    const char *text;
    bool with;
};

struct sample {
    struct main_text main;
    const struct page *page;
    struct segment segments[SEGMENTS];
    unsigned nsegments;
    unsigned fold;
    float *first; /* scores of the inner cross-validation */
};

/* A block that a segment speaks of. */
struct example {
    uint32_t sample, block;
    float label, weight;
};

struct task {
    struct sample *samples;
    size_t count, cap;
    struct example *examples;
    size_t nexamples, examples_cap;
    const char *pages;
};

/* ---- reading ---- */

static void add_examples(struct task *t, uint32_t at)
{
    struct sample *s = &t->samples[at];

    for (unsigned k = 0; k < s->nsegments; k++) {
        struct str want = str_of(s->segments[k].text);
        size_t begin = t->nexamples;

        for (uint32_t i = 0; i < s->main.count; i++) {
            const struct block *b = &s->main.blocks[i];

            if (str_find(str_sub(s->page->text, b->off, b->end), want, 0) == SIZE_MAX)
                continue;
            if (t->nexamples == t->examples_cap)
                MEM_GROW(t->examples, t->nexamples, &t->examples_cap);
            t->examples[t->nexamples++] =
                (struct example){at, i, s->segments[k].with ? 1.0f : 0.0f, 1};
        }
        for (size_t i = begin; i < t->nexamples; i++)
            t->examples[i].weight = 1.0f / (float)(t->nexamples - begin);
    }
}

static void add_segments(struct sample *s, json_t *list, bool with)
{
    size_t i;
    json_t *item;

    json_array_foreach(list, i, item)
    {
        if (s->nsegments < SEGMENTS && json_is_string(item))
            s->segments[s->nsegments++] = (struct segment){json_string_value(item), with};
    }
}

static void add_sample(struct task *t, struct page_parser *p, json_t *line)
{
    char path[4096];
    struct buf file;
    struct arena arena;
    struct page_input in = {.content_type = STR("text/html"), .url = STR("http://a.example/")};
    const struct page *page;
    struct sample *s;

    snprintf(path, sizeof path, "%s/%s", t->pages,
             json_string_value(json_object_get(line, "file")));
    buf_init(&file, MIB(64));
    if (file_read(path, &file) != ST_OK) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    in.payload = buf_str(&file);
    arena_init(&arena, MIB(256)); /* stays: the sample's strings are in it */
    if (page_parse(p, &in, &arena, &page) != DROP_NONE) {
        fprintf(stderr, "no page: %s\n", path);
        return;
    }
    if (t->count == t->cap)
        MEM_GROW(t->samples, t->count, &t->cap);
    s = &t->samples[t->count];
    *s = (struct sample){.main = p->main, .page = page};
    main_text_init(&p->main);
    add_segments(s, json_object_get(line, "with"), true);
    add_segments(s, json_object_get(line, "without"), false);
    s->first = mem_resize(NULL, s->main.count + 1, sizeof *s->first);
    if (s->main.count)
        main_sum(&s->main, page);
    add_examples(t, (uint32_t)t->count++);
}

static void read_task(struct task *t, const char *segments)
{
    struct page_parser *p = page_parser_new();
    FILE *in = fopen(segments, "r");
    char *line = NULL;
    size_t cap = 0;

    if (in == NULL) {
        perror(segments);
        exit(1);
    }
    while (getline(&line, &cap, in) > 0) {
        json_t *object = json_loads(line, 0, NULL);

        if (object != NULL)
            add_sample(t, p, object); /* keeps its strings */
    }
    free(line);
    fclose(in);
    page_parser_free(p);
}

/* ---- learning ---- */

/* A row: the numbers of weights, and their factors. */
struct row {
    uint16_t index[MAIN_ACTIVE];
    float value[MAIN_ACTIVE];
    unsigned count;
    float label, weight;
};

/* Logistic regression by Adagrad over all rows in turn, in a fixed order that mixes pages. */
static void learn(const struct row *rows, size_t nrows, float *weights, unsigned nweights,
                  double penalty)
{
    double *grads = mem_resize(NULL, nweights, sizeof *grads);
    double *means = mem_resize(NULL, nweights, sizeof *means);

    for (unsigned i = 0; i < nweights; i++) {
        weights[i] = 0;
        grads[i] = 1;
        means[i] = 0;
    }
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
        for (size_t n = 0; n < nrows; n++) {
            const struct row *r = &rows[n * 7919 % nrows];
            double sum = 0, error;

            for (unsigned k = 0; k < r->count; k++)
                sum += weights[r->index[k]] * r->value[k];
            error = (1 / (1 + exp(-sum)) - r->label) * r->weight;
            for (unsigned k = 0; k < r->count; k++) {
                float *w = &weights[r->index[k]];
                double g = error * r->value[k] + penalty * *w / (double)nrows;

                grads[r->index[k]] += g * g;
                *w -= (float)(0.3 * g / sqrt(grads[r->index[k]]));
            }
        }
        if (epoch >= EPOCHS / 2)
            for (unsigned i = 0; i < nweights; i++)
                means[i] += weights[i];
    }
    for (unsigned i = 0; i < nweights; i++)
        weights[i] = (float)(means[i] / (EPOCHS - EPOCHS / 2));
    free(grads);
    free(means);
}

static bool is_in(const struct task *t, const struct example *e, unsigned without1,
                  unsigned without2)
{
    unsigned fold = t->samples[e->sample].fold;

    return fold != without1 && fold != without2;
}

static void learn_first(const struct task *t, unsigned without1, unsigned without2,
                        struct main_model *model)
{
    struct row *rows = mem_resize(NULL, t->nexamples, sizeof *rows);
    float weights[MAIN_FEATURES];
    size_t n = 0;

    for (size_t i = 0; i < t->nexamples; i++) {
        const struct example *e = &t->examples[i];

        if (!is_in(t, e, without1, without2))
            continue;
        rows[n].count = main_features(&t->samples[e->sample].main, e->block, rows[n].index);
        for (unsigned k = 0; k < rows[n].count; k++)
            rows[n].value[k] = 1;
        rows[n].label = e->label;
        rows[n++].weight = e->weight;
    }
    learn(rows, n, weights, MAIN_FEATURES, FIRST_LOSS);
    for (unsigned i = 0; i < MAIN_FEATURES; i++)
        model->first[i] = (int16_t)lrintf(1000 * weights[i]);
    free(rows);
}

static void learn_second(const struct task *t, unsigned without, struct main_model *model)
{
    struct row *rows = mem_resize(NULL, t->nexamples, sizeof *rows);
    size_t n = 0;
    uint32_t last = UINT32_MAX;

    for (size_t i = 0; i < t->nexamples; i++) {
        const struct example *e = &t->examples[i];
        struct main_text *m = &t->samples[e->sample].main;
        unsigned class;

        if (!is_in(t, e, without, without))
            continue;
        if (e->sample != last) {
            last = e->sample;
            for (size_t b = 0; b < m->count; b++)
                m->work[b].first = t->samples[last].first[b];
            main_spread(m);
        }
        class = main_second(m, e->block, rows[n].value);
        rows[n].count = MAIN_SECOND;
        for (unsigned k = 0; k < MAIN_SECOND; k++)
            rows[n].index[k] = (uint16_t)(class * MAIN_SECOND + k);
        rows[n].label = e->label;
        rows[n++].weight = e->weight;
    }
    learn(rows, n, &model->second[0][0], MAIN_CLASSES * MAIN_SECOND, SECOND_LOSS);
    free(rows);
}

/* Trains on all folds but `without`; FOLDS: on all. */
static void learn_all(const struct task *t, unsigned without, struct main_model *model)
{
    for (unsigned inner = 0; inner < FOLDS; inner++) {
        if (inner == without)
            continue;
        learn_first(t, without, inner, model);
        for (size_t i = 0; i < t->count; i++) {
            struct sample *s = &t->samples[i];

            if (s->fold != inner)
                continue;
            main_first(&s->main, model);
            for (size_t b = 0; b < s->main.count; b++)
                s->first[b] = s->main.work[b].first;
        }
    }
    learn_second(t, without, model);
    learn_first(t, without, without, model);
}

/* ---- measuring ---- */

struct tally {
    unsigned tp, fn, fp, tn;
};

static bool is_found(const struct sample *s, const char *text)
{
    for (size_t i = 0; i < s->main.count; i++) {
        const struct block *b = &s->main.blocks[i];

        if (b->is_main &&
            str_find(str_sub(s->page->text, b->off, b->end), str_of(text), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

static void count(const struct sample *s, struct tally *c)
{
    for (unsigned k = 0; k < s->nsegments; k++) {
        bool found = is_found(s, s->segments[k].text);

        if (s->segments[k].with)
            *(found ? &c->tp : &c->fn) += 1;
        else
            *(found ? &c->fp : &c->tn) += 1;
    }
}

static void print(const char *name, const struct tally *c)
{
    double p = (double)c->tp / (c->tp + c->fp), r = (double)c->tp / (c->tp + c->fn);

    printf("%-10s precision %.3f  recall %.3f  F1 %.3f   (TP %u FN %u FP %u TN %u)\n", name, p, r,
           2 * p * r / (p + r), c->tp, c->fn, c->fp, c->tn);
}

static void add(struct tally *to, const struct tally *c)
{
    to->tp += c->tp;
    to->fn += c->fn;
    to->fp += c->fp;
    to->tn += c->tn;
}

/* Pages are dealt to the folds in turn the first time, then by `seed`. */
static void deal(struct task *t, unsigned seed)
{
    for (size_t i = 0; i < t->count; i++)
        t->samples[i].fold = (unsigned)((seed ? hash_u64(i * 31 + seed) : i) % FOLDS);
}

static void eval_once(struct task *t, struct tally *all)
{
    struct main_model model;

    for (unsigned f = 0; f < FOLDS; f++) {
        learn_all(t, f, &model);
        for (size_t i = 0; i < t->count; i++) {
            struct sample *s = &t->samples[i];

            if (s->fold != f)
                continue;
            main_choose_by(&s->main, &model, s->page);
            count(s, all);
        }
    }
}

static void eval(struct task *t)
{
    struct tally total = {0};

    for (unsigned seed = 0; seed < DEALS; seed++) {
        struct tally all = {0};
        char name[32];

        deal(t, seed);
        eval_once(t, &all);
        snprintf(name, sizeof name, "deal %u", seed + 1);
        print(name, &all);
        add(&total, &all);
    }
    print("all", &total);
}

/* ---- writing ---- */

static void train(struct task *t)
{
    struct main_model model;

    deal(t, 0);
    learn_all(t, FOLDS, &model);
    printf(
        "/* weights.c - the weights of the models of the main text.\n"
        " *\n"
        " * Made by tools/maintext-eval train from %zu pages with %zu marked blocks: pages of the\n"
        " * evaluation of trafilatura (Apache-2.0), in a dozen languages. Do not edit.\n"
        " * SPDX-License-Identifier: MIT\n */\n"
        "#include \"parse/main/main_int.h\"\n\n"
        "/* clang-format off */\n"
        "const struct main_model main_model = {\n    .first = {",
        t->count, t->nexamples);
    for (unsigned i = 0; i < MAIN_FEATURES; i++)
        printf("%s%d,", i % 16 ? " " : "\n        ", model.first[i]);
    printf("\n    },\n    .second = {\n");
    for (unsigned c = 0; c < MAIN_CLASSES; c++) {
        printf("        {");
        for (unsigned k = 0; k < MAIN_SECOND; k++)
            printf("%s%.4ff",
                   k == 0  ? ""
                   : k % 8 ? ", "
                           : ",\n         ",
                   (double)model.second[c][k]);
        printf("},\n");
    }
    printf("    },\n};\n/* clang-format on */\n");
}

int main(int argc, char **argv)
{
    struct task task = {0};

    if (argc < 4) {
        fprintf(stderr, "usage: learn eval|train PAGES SEGMENTS\n");
        return 2;
    }
    task.pages = argv[2];
    read_task(&task, argv[3]);
    fprintf(stderr, "%zu pages, %zu examples, %d features\n", task.count, task.nexamples,
            MAIN_FEATURES);
    if (strcmp(argv[1], "eval") == 0)
        eval(&task);
    else
        train(&task);
    return 0;
}
