/* wire.h - makes the running parts from the options. Only wire.c names implementations. */
#pragma once

#include "crawl/start/credentials.h"
#include "crawl/options.h"
#include "fetch/fetch.h"

struct model_ops;
struct scope;
struct host_settings;

/* A fetch_config made of the user's options, and the strings it points to. */
struct wire_fetch {
    struct fetch_config config;
    struct buf user_agent;
    struct credentials own;
    struct identity *identity; /* NULL: requests are not signed */
};

const struct fetch_ops *wire_fetch_ops(void);
enum status wire_fetch_config(struct wire_fetch *w, const struct crawl_options *o) MUST_USE;
void wire_fetch_config_clear(struct wire_fetch *w);

/* Finds the model of this name. ST_USAGE if there is none, or if it is only for the lab. */
enum status wire_find_model(const char *name, bool in_lab, const struct model_ops **ret) MUST_USE;
/* These fill empty rules of scope, and empty settings of single hosts. */
enum status wire_make_scope(const struct crawl_options *o, struct scope *ret) MUST_USE;
enum status wire_make_hosts(const struct crawl_options *o, struct host_settings *into) MUST_USE;
