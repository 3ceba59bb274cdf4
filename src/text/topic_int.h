/* topic_int.h - the inside of a topic, for topic.c, lens.c and profile.c. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "text/classify.h"
#include "text/pattern.h"
#include "text/topic.h"

/* A word, or a phrase of several. */
struct topic_item {
    struct str *words; /* as written, in lower case; one is empty where a page has no term
                        * (text/words/unspaced.h), never the first or the last */
    uint32_t nwords;
    double weight; /* negative: it counts against a page */
};

struct topic_term {
    struct str stem;
    uint32_t id;
    double weight;
};

/* A line `+ FILE`, `- FILE` or `marks DIR`. */
struct topic_example {
    struct str path;
    size_t line; /* of the file */
    bool is_positive;
};

/* A term of an example, as the example spells it. */
struct spelled_term {
    uint32_t id;
    struct str word;
};

struct topic {
    struct arena memory;  /* all strings and term arrays */
    struct str source;    /* what it was made from */
    struct str name;      /* of one of several topics */
    struct topic **parts; /* the topics that this one joins (topics.c); owned */
    size_t nparts;
    size_t line;          /* the line that is being read */
    int lang;             /* number of its language (text/words/stem.h) */
    bool keeps_stops;     /* it has nothing but stop words */
    bool has_stop_phrase; /* it has a phrase of nothing but stop words */
    struct topic_item *items;
    size_t nitems, items_cap;
    struct topic_term *terms; /* of positive items, distinct, as written */
    size_t nterms, terms_cap;
    struct topic_term *against; /* of negative items of one word, stem empty */
    size_t nagainst, against_cap;
    struct pattern *match, *reject;
    size_t nmatch, match_cap, nreject, reject_cap;
    struct topic_example *examples;
    size_t nexamples, examples_cap;
    struct topic_example *marks; /* directories */
    size_t nmarks, marks_cap;
    struct classify_example *samples; /* made from the example texts */
    size_t nsamples, samples_cap;
    struct classifier *classifier; /* trained on them; NULL: relevance is a cosine */
    struct str idf_file;
    struct map spelling; /* term -> place in `spelled` */
    struct spelled_term *spelled;
    size_t nspelled, spelled_cap;
};

/* topic.c, for topics.c. They make an empty topic, make one from the lines of a file from number
 * `line` on, and collect the terms of its items when all are added. */
struct topic *topic_new(struct str source, struct str lang);
enum status topic_from_lines(struct str text, size_t line, const char *name, struct str lang,
                             struct topic **ret) MUST_USE;
enum status topic_collect(struct topic *t) MUST_USE;
/* topics.c, for topic_train(): adds the examples of its parts to a joint topic. */
void topic_join_samples(struct topic *t);
/* Appends the words of an item, with spaces between them if the language uses spaces. */
void topic_item_words(const struct topic_item *item, struct buf *out);
