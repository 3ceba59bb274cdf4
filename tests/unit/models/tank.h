/* tank.h - an engine for models, small enough to compute by hand.
 *
 * A web is a table: page i has URL i. Models are asked and answered one visit at a
 * time, or as a test likes; a URL counts as taken when it was chosen. Include
 * support.h first. */
#pragma once

#include "agent/model.h"

#define TANK_PAGES 40
#define TANK_LINKS 12

/* A link; what its anchor and the words around it are worth. */
struct tank_link {
    uint32_t to; /* 0 ends the links */
    float anchor, window;
};

struct tank_page {
    float similarity, relevance;
    const char *url; /* for models that look at hosts */
    int64_t latency; /* us */
    uint32_t moved;  /* a visit ends at this page instead */
    bool truth;      /* what ctx->truth says */
    struct tank_link links[TANK_LINKS];
};

struct tank {
    struct model_ctx ctx;
    struct model *model;
    const struct tank_page *web; /* TANK_PAGES + 1 of them */
    bool no_base;                /* pages do not say their own URL */
    uint32_t now_on;             /* the page that is being perceived */
    bool taken[TANK_PAGES + 1];
    uint32_t dropped[100];
    size_t ndropped;
    float scores[TANK_LINKS];   /* marks of the page perceived last */
    char order[TANK_PAGES + 2]; /* room for tank_order() */
    double worth;               /* told with the last visit of a new page; NAN: nobody said */
};

/* Settings are separated by blanks: "depth=2 width=1". Starts at `seeds` (ends
 * with 0) unless it is NULL. */
void tank_open(struct tank *t, const struct tank_page *web, const char *model, const char *settings,
               const uint32_t *seeds);
void tank_close(struct tank *t);

bool tank_next(struct tank *t, struct choice *ret); /* and the URL is taken */
void tank_answer(struct tank *t, struct choice c);
void tank_fail(struct tank *t, struct choice c);
void tank_adopt(struct tank *t, const uint32_t *urls); /* pages of an earlier crawl; ends with 0 */

/* Visits until nothing is left, or `most`; page 1 is '1', page 10 'a'. */
const char *tank_order(struct tank *t, size_t most);

/* The same, through a saved and loaded model. */
void tank_resume(struct tank *t, const char *model, const char *settings);

#define SEED(...) ((const uint32_t[]){__VA_ARGS__, 0})
