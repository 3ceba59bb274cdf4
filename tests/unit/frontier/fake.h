/* fake.h - a frontier with a clock of its own and a web that answers as told. */
#pragma once

#include "support/support.h"

#include "base/os/clock.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"

#define FAKE_MAX 4096

struct fake {
    struct frontier *f;
    struct frontier_config config;
    int64_t now;
    struct request *due[FAKE_MAX]; /* released, oldest first, not yet answered */
    size_t ndue;
    struct choice dropped[FAKE_MAX];
    enum drop why[FAKE_MAX];
    size_t ndropped;
    struct arrival *last; /* of the last reply */
};

/* What the server says; zero: 200 with an empty body, at once. */
struct answer {
    enum fetch_error error;
    int status;
    const char *body, *location, *retry_after;
    int64_t latency;
    bool broke_off; /* the status came, then the error */
    uint8_t ip;     /* REQUEST_RESOLVE: 10.0.0.ip, by default one a host */
};

/* Delay 1 s, one request a host, robots and addresses asked for. */
struct frontier_config fake_config(void);
void fake_init(struct fake *k, const struct frontier_config *config);
void fake_free(struct fake *k);

/* Meets a URL; its number. The verdict in *ret_why (may be NULL). */
uint32_t fake_meet(struct fake *k, const char *url, uint16_t depth, enum drop *ret_why);
/* Meets and adds it. */
enum drop fake_add(struct fake *k, const char *url, float score);
/* Lets time pass to the next due moment and releases; number of requests. */
size_t fake_release(struct fake *k);
size_t fake_step(struct fake *k);
/* Takes the oldest request out of k->due and answers it. */
struct reply_verdict fake_answer(struct fake *k, struct answer what);
/* Answers address and robots.txt requests until a page (or nothing) is first
 * in k->due; `robots` is the text served. The page's request, or NULL. */
struct request *fake_page(struct fake *k, const char *robots);
/* The reason why `url` was dropped by a release; DROP_NONE: it was not. */
enum drop fake_dropped(const struct fake *k, uint32_t url);
