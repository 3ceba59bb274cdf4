/* topic_describe.c - one line for people: which words, which measure, how sure.
 * SPDX-License-Identifier: MIT */
#include "text/topic_int.h"

#include <math.h>

#define SHOWN 12 /* words written out; the others are counted */

static void describe_item(const struct topic_item *item, struct buf *out)
{
    double weight = fabs(item->weight);

    buf_add_z(out, item->weight < 0 ? "not " : "");
    buf_add_z(out, item->nwords > 1 ? "\"" : "");
    topic_item_words(item, out);
    buf_add_z(out, item->nwords > 1 ? "\"" : "");
    if (weight != 1)
        buf_addf(out, " (%g)", weight);
}

static void describe_words(const struct topic *t, struct buf *out)
{
    for (size_t i = 0; i < t->nitems && i < SHOWN; i++) {
        buf_add_z(out, i ? ", " : "");
        describe_item(&t->items[i], out);
    }
    if (t->nitems > SHOWN)
        buf_addf(out, " and %zu more", t->nitems - SHOWN);
    if (t->nitems == 0)
        buf_add_z(out, "no words, only examples");
}

static void describe_examples(const struct topic *t, struct buf *out)
{
    size_t plus = 0, minus;

    for (size_t i = 0; i < t->nsamples; i++)
        plus += t->samples[i].is_positive;
    minus = t->nsamples - plus;
    if (t->classifier) {
        buf_addf(out,
                 "; measured by a classifier (%s) from %zu positive and %zu negative example%s, ",
                 learner_name(classify_learner(t->classifier)), plus, minus, minus == 1 ? "" : "s");
        estimate_describe(classify_estimate(t->classifier), out);
        return;
    }
    if (t->nsamples > 0)
        buf_addf(out,
                 "; measured by tf-idf cosine with a query moved by %zu positive and %zu negative "
                 "example%s (Rocchio)",
                 plus, minus, minus == 1 ? "" : "s");
    else if (t->nexamples > 0)
        buf_addf(out, "; %zu example%s not read", t->nexamples, t->nexamples == 1 ? "" : "s");
    if (plus > 0 && plus == t->nsamples)
        buf_add_z(out, "; a classifier needs negative examples too (lines '- FILE|URL')");
    else if (t->nsamples > 0 && plus == 0)
        buf_add_z(out, "; a classifier needs positive examples too (lines '+ FILE|URL')");
}

static void describe_measure(const struct topic *t, struct buf *out)
{
    describe_examples(t, out);
    if (t->nmatch > 0)
        buf_add_z(out, "; 0 where no match pattern matches");
    if (t->nreject > 0)
        buf_add_z(out, "; without pages that a reject pattern matches");
}

static void describe_doubt(const struct topic *t, struct buf *out)
{
    if (t->classifier && classify_table(t->classifier) == NULL)
        buf_add_z(out, "; document frequencies of the examples");
    else if (t->idf_file.len > 0)
        buf_addf(out, "; document frequencies from %.*s", STR_ARG(t->idf_file));
    else if (t->classifier)
        buf_add_z(out, "; document frequencies from a table");
    if (t->classifier) {
        buf_add_z(out, "; ");
        estimate_doubt(classify_estimate(t->classifier), out);
    } else if (t->keeps_stops) {
        buf_add_z(out, "; very unsure: these are stop words, which nearly every page has");
    } else if (t->nterms == 1 && t->nsamples == 0) {
        buf_add_z(out,
                  "; unsure: a single word may have several meanings, so add words that say which");
    }
}

static void describe_parts(const struct topic *t, struct buf *out)
{
    buf_addf(out, "%zu topic%s: ", t->nparts, t->nparts == 1 ? "" : "s");
    for (size_t i = 0; i < t->nparts; i++) {
        buf_addf(out, "%s%.*s (", i ? ", " : "", STR_ARG(t->parts[i]->name));
        describe_words(t->parts[i], out);
        describe_measure(t->parts[i], out);
        buf_add_z(out, ")");
    }
    buf_add_z(out, "; a page counts for the topic that it fits best");
    if (t->idf_file.len > 0)
        buf_addf(out, "; document frequencies from %.*s", STR_ARG(t->idf_file));
}

void topic_describe(const struct topic *t, struct buf *out)
{
    if (t->nparts > 0) {
        describe_parts(t, out);
        return;
    }
    describe_words(t, out);
    describe_measure(t, out);
    describe_doubt(t, out);
}
