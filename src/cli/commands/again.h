/* again.h - options of commands that go on with a crawl: the user gives the secrets
 * again, since the directory does not store them (crawl/start/credentials.h). */
#pragma once

#include "crawl/start/credentials.h"

struct again {
    struct text_list header;
    char *proxy;
    bool without;
};

#define AGAIN_WITHOUT "go on without the secrets that you do not give again"

/* Rows of a table of options, for a field `again` of its struct. */
#define AGAIN_ROWS(of)                                                                         \
    {.name = "header",                                                                         \
     .type = OPTION_LIST,                                                                      \
     .metavar = "'[HOST ]NAME: VALUE'",                                                        \
     .group = "secrets",                                                                       \
     .help = "a secret header of the crawl, given again; VALUE may be @FILE; may be repeated", \
     .secret = SECRET_HEADER,                                                                  \
     .offset = offsetof(of, again.header)},                                                    \
        {.name = "proxy",                                                                      \
         .type = OPTION_TEXT,                                                                  \
         .metavar = "URL",                                                                     \
         .help = "the proxy of the crawl, with its password again",                            \
         .secret = SECRET_URL,                                                                 \
         .offset = offsetof(of, again.proxy)},                                                 \
    {                                                                                          \
        .name = "without-secrets", .type = OPTION_FLAG, .help = AGAIN_WITHOUT,                 \
        .offset = offsetof(of, again.without)                                                  \
    }

/* The options of a crawl, read back, with its secrets. */
static inline enum status again_fill(struct crawl_options *o, const struct again *a)
{
    return credentials_again(o, &a->header, a->proxy, a->without);
}
