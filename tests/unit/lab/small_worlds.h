/* small_worlds.h - small worlds for the tests of the lab, and a plan for one of them. */
#pragma once

#include "lab/plan/plan.h"
#include "sim/web/web.h"

#define WORLD "worlds: [{name: small, make: {pages: 300, hosts: 8, topics: 5, rng: 3}}]\n"
#define REST                                                \
    "name: t\n"                                             \
    "topics: {labels: {min: 15, max: 50%}}\n"               \
    "pages: 40%\nsample: 10%\nat: [20%, 40%]\nrepeats: 2\n" \
    "examples: {positive: 3, negative: 6}\n"
#define MODELS "models: [breadth-first, {name: best-first, set: {n: [1, 16]}}, classifier]\n"

struct plan *parsed(const char *text);

/* A world that was made, of 300 pages. */
struct web *small_web(void);

/* Three files below http://s.example/: index.html leads to open.html and to secret/one.html, which
 * robots.txt forbids. */
void site_world(const char *dir);

struct world_file {
    const char *name, *text;
};

/* A history below http://s.example/: a file events.tsv, and the texts that it names. The last file
 * has no name. */
void history_world(const struct world_file *files, const char *dir);
struct web *history_web(const struct world_file *files); /* the same, loaded */

/* From 100 s to 700 s. index.html leads to a.html; from 600 s on to b.html too, which appears
 * then. */
extern const struct world_file growing[];
