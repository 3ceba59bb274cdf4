/* narrate.h - what happens in a crawl, a sentence at a time: births, deaths, finds.
 *
 * Listens on the bus (the mind's thread) and keeps the newest sentence of each kind for the
 * progress line, which shows the kinds in turn: there are many more finds than births.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

#define NARRATE_NAMES 4096 /* agents whose names are remembered; a newer one takes the place */
#define NARRATE_NAME  24   /* bytes of a name */

enum narrate_kind { NARRATE_BIRTH, NARRATE_DEATH, NARRATE_FIND, NARRATE_KINDS };

struct narrator {
    double relevant;                /* from here on a page is a find */
    struct buf said[NARRATE_KINDS]; /* the newest sentence */
    bool fresh[NARRATE_KINDS];      /* it was not shown yet */
    enum narrate_kind last;         /* shown */
    struct {
        uint32_t id;
        char name[NARRATE_NAME];
    } names[NARRATE_NAMES];
};

struct narrator *narrator_new(double relevant);
void narrator_free(struct narrator *n);
void narrator_hear(void *narrator, const struct event *e); /* a listener of the bus */

/* The next sentence, without a full stop; empty: nothing to tell yet. */
struct str narrator_say(struct narrator *n);
