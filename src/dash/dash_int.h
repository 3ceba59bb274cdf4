/* dash_int.h - the parts of a dashboard. Inside dash/ only. */
#pragma once

#include "dash/children.h"
#include "dash/connections.h"
#include "dash/crawls.h"
#include "dash/dash.h"
#include "dash/events.h"
#include "dash/indexer.h"
#include "dash/call.h"
#include "store/read/as_json.h"

#define DASH_TOKEN 32 /* hex digits */

struct MHD_Daemon;

struct dash {
    struct crawls crawls;
    struct connections connections;
    struct events events;
    struct children children;
    struct indexer indexer;
    struct text_list labs;
    char *root, *program, *page, *bind;                                /* as in the configuration */
    void (*check)(const struct text_list *argv, struct mistakes *ret); /* may be NULL */
    uint16_t port;
    char token[DASH_TOKEN + 1];
    char *url;
    struct MHD_Daemon *daemon;
    int listener;
    pthread_t ticker; /* events, ended children */
    pthread_t keeper; /* slow connections: nothing that a crawl does holds it up */
    bool ticking, keeping;
    int stopping;  /* atomic */
    size_t held;   /* atomic: bytes of answers that were not read yet */
    int downloads; /* atomic: that are being made */
};

/* server.c */
enum status server_start(struct dash *d, int port) MUST_USE;
void server_stop(struct dash *d);

/* The overview's members, in an open object; `all`: also those that never change. The
 * crawl is entered. */
void overview_put(struct json *j, struct dash_crawl *c, bool all);
/* All of them, an array. */
void crawls_put(struct json *j, struct dash *d);

/* A page of a list, an agent as a node of the tree or the head of its card: members of an
 * open object. The crawl is entered. */
void page_row_put(struct json *j, struct dash_crawl *c, const struct query_page *p);
void agent_row_put(struct json *j, struct dash_crawl *c, const struct query_agent *a);
