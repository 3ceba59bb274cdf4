/* pond.h - an engine for populations of agents: pages of real HTML, parsed and
 * profiled as ever, small enough to compute by hand.
 *
 * Page i has the URL http://w.example/i and the number i; a link is <a href=i>. A
 * page that was visited can be looked up. Include support.h first. */
#pragma once

#include "agent/model.h"
#include "agent/population.h"
#include "parse/page/page.h"
#include "text/profile.h"

#define POND_PAGES 40

struct pond_page {
    const char *html; /* NULL: it is not there, a visit fails */
    int64_t latency;  /* us */
    uint32_t moved;   /* a visit ends at this page instead */
};

/* A page read: everything in one arena. */
struct pond_read {
    struct arena memory;
    const struct page *page;
    struct profile profile;
    struct link_mark *marks;
};

struct pond {
    struct model_ctx ctx;
    struct model *model;
    struct topic *topic;
    struct profiler *profiler;
    struct page_parser *parser;
    const struct pond_page *web; /* POND_PAGES + 1 of them */
    bool taken[POND_PAGES + 1], visited[POND_PAGES + 1];
    bool forgets;           /* nothing can be looked up */
    struct pond_read shown; /* what was looked up last */
    uint32_t dropped[100];
    size_t ndropped;
    uint32_t born, died, visits, looks;
    struct event last_visit, last_born;
    char cause[40];                 /* of the last death */
    float scores[20];               /* marks of the page perceived last */
    char order[POND_PAGES * 4 + 2]; /* room for pond_order() */
};

/* Settings are separated by blanks. Starts at `seeds` (ends with 0) unless NULL. */
void pond_open(struct pond *p, const struct pond_page *web, const char *words, const char *model,
               const char *settings, const uint32_t *seeds);
void pond_close(struct pond *p);

bool pond_next(struct pond *p, struct choice *ret); /* and the URL is taken */
void pond_answer(struct pond *p, struct choice c);  /* a page, or a failure */
void pond_fail(struct pond *p, struct choice c, enum drop why);

/* Visits until nothing is left, or `most`; page 1 is '1', page 10 'a'. */
const char *pond_order(struct pond *p, size_t most);

/* The model and its population, saved, loaded, and saved again: all the same. */
void pond_resume(struct pond *p, const char *model, const char *settings);

/* A page by itself. */
void pond_read(struct pond *p, uint32_t url, struct pond_read *ret);
void pond_unread(struct pond_read *r);

#define SEED(...) ((const uint32_t[]){__VA_ARGS__, 0})
