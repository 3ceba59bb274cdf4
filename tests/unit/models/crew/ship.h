/* ship.h - an engine for the crew: pages of a few words, and messages in the test's hand.
 *
 * The topic is "bees", there is no WordNet, idf is 1. So Sim of a page of n different
 * words, bees among them, is 1 / sqrt(n), and a link's score is Sim where its
 * anchor says bees, and Sim / 1000 where not. Include support.h first. */
#pragma once

#include "models/crew/crew_int.h"

struct topic;

struct ship_letter {
    struct message msg; /* its strings are the ship's */
    char *performative, *content;
};

struct ship {
    struct model_ctx ctx;
    struct tell_calls tell;
    struct model *model;
    struct topic *topic;
    struct ship_letter *post; /* sent, not delivered */
    size_t nposted, post_cap;
    struct buf log; /* "F cfp> A1: …": all that was sent; emptied by the test */
    uint32_t pages, dropped, said;
    char words[400]; /* what was said last */
    struct buf kept; /* "name=value\n": the last */
};

struct ship_link {
    uint32_t to; /* 0 ends the links */
    const char *anchor;
};

#define SHIP_LINKS 12
#define SECOND     1000000
#define ROUND      (120 * (int64_t)SECOND)

/* Settings are separated by blanks. Seeds are the URLs 1 .. seeds. */
void ship_open(struct ship *s, const char *settings, uint32_t seeds);
void ship_close(struct ship *s);

/* Delivers what was sent before, then time passes: one turn of the wheel. */
void ship_turn(struct ship *s);
void ship_settle(struct ship *s);           /* until nobody says anything */
void ship_pass(struct ship *s, int64_t us); /* time; and settles */

/* One letter, out of the post: delivered; or lost. */
void ship_deliver(struct ship *s, size_t i);
void ship_lose(struct ship *s, size_t i);
/* The first one with this performative, SIZE_MAX: none. */
size_t ship_find(const struct ship *s, const char *performative);

/* The next choice, after everybody was asked. False: none. */
bool ship_next(struct ship *s, struct choice *ret);
/* The visit brought a page of these words. */
void ship_page(struct ship *s, struct choice c, const char *words, const struct ship_link *links);

static inline struct crew *ship_crew(const struct ship *s)
{
    return crew_of(s->model);
}

static inline struct desk *ship_desk(const struct ship *s, uint32_t i)
{
    return &crew_of(s->model)->desks[i];
}

/* A desk gets a link from nowhere; or URLs from a number on. */
void ship_give(struct ship *s, uint32_t desk, uint32_t url, double score);
void ship_give_all(struct ship *s, uint32_t desk, uint32_t from, uint32_t count, double score);

/* Is it in the log? */
bool ship_said(const struct ship *s, const char *line);
void ship_assert_said(const struct ship *s, const char *line);

/* The same crew, through a saved and loaded model; the bytes must be the same. */
void ship_reload(struct ship *s);
