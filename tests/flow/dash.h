/* dash.h - a dashboard under test, and a client that can be as rude as it likes. */
#pragma once

#include "flow.h"

struct board {
    struct job *job;
    int port;
    const char *token;
};

/* brood serve with these arguments, on a free port. */
struct board *board_argv(const char *const options[]);
#define board(...) board_argv((const char *const[]){__VA_ARGS__, NULL})
void board_stop(struct board *b);

struct answer {
    int status; /* 0: no answer */
    const char *head, *body;
};

/* A connection to it; -1: refused. */
int board_connect(const struct board *b);
/* Bytes as they are, and all that comes back before the other side closes. */
struct answer board_raw(const struct board *b, const char *bytes, size_t len);
struct answer board_get(const struct board *b, const char *path);
/* GET that gives up after so long: the dashboard may have no place for us. */
struct answer board_try(const struct board *b, const char *path, int ms);
struct answer board_post(const struct board *b, const char *path, const char *json);
/* GET that has to be answered with 200, as JSON. */
json_t *board_json(const struct board *b, const char *path);
/* The id of the crawl in a directory of this name; NULL: it is not shown. And: it has to be, some
 * time. */
const char *board_find(const struct board *b, const char *name);
const char *board_id(const struct board *b, const char *name);
/* Is a crawl "running", "paused", …? And: it has to be, some time. */
bool board_is(const struct board *b, const char *id, const char *state);
void board_await(const struct board *b, const char *id, const char *state);
