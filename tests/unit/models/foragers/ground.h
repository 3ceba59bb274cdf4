/* ground.h - foragers on webs of a few pages that change as a test likes; every visit takes a
 * second. The one ground there is: `g`. SPDX-License-Identifier: MIT */
#pragma once

#include "support/support.h"

#include "models/foragers/foragers_int.h"
#include "base/os/clock.h"

#define PAGES  220
#define LINKS  8
#define SECOND ((int64_t)US_PER_S)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

struct ground_page {
    uint32_t links[LINKS]; /* 0 ends them */
    float relevance;
    int64_t date;     /* 0: when it is first seen */
    uint32_t version; /* counted from 0 */
    uint32_t moved;   /* a visit ends there */
    bool gone;
    uint32_t words; /* its only term; 0: none */
    enum page_kind kind;
    /* the engine's */
    bool visited;
    uint32_t stored; /* version */
    int64_t first_at;
};

struct ground {
    struct model_ctx ctx;
    struct model *model;
    struct ground_page pages[PAGES + 1];
    char cause[20];
    char said[100], performative[20];
    uint32_t deaths, births, messages;
};

extern struct ground g;

/* Clears the web too: draw it afterwards. */
void ground_open(const char *settings, uint32_t seed);
void ground_close(void);
/* Another model, or another population, in the place of this one: for checkpoints. */
struct model *ground_model(const char *settings);
struct population *ground_population(void);

bool ask(struct choice *c);
void answer(struct choice c);
/* The next `n` visits, one after the other: "1 2 2 1". */
const char *visits(int n);
struct forager *forager(uint32_t id);

#define LINK(from, ...) \
    memcpy(g.pages[from].links, (const uint32_t[LINKS]){__VA_ARGS__}, sizeof g.pages[0].links)
#define ALONE "min_foragers=1 learn=0 recheck=0 "
