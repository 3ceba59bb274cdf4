/* resume_changes.c - see resume_changes.h. SPDX-License-Identifier: MIT */
#include "cli/commands/resume_changes.h"

#include "base/mem.h"
#include "crawl/enough.h"
#include "crawl/start/check.h"

#include <stdlib.h>
#include <string.h>

#define SCORED  "the pages that are stored were scored by it"
#define LEARNED "the model goes on with the state that it saved"
#define BEGUN   "the crawl has begun already; --seed adds places to start"

const char *resume_fixed(const char *option)
{
    static const char *const fixed[][2] = {
        {"words", SCORED},         {"topic", SCORED},      {"idf", SCORED},
        {"relevant", SCORED},      {"model", LEARNED},     {"set", LEARNED},
        {"seeds-are", LEARNED},    {"rng", LEARNED},       {"search", BEGUN},
        {"seeds-from", BEGUN},     {"base-from", BEGUN},   {"out", "the crawl is where it is"},
        {"seeds-from-cdx", BEGUN}, {"seeds-only", BEGUN},  {"seeds-most", BEGUN},
        {"search-queries", BEGUN}, {"search-hits", BEGUN},
    };

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (strcmp(option, fixed[i][0]) == 0)
            return fixed[i][1];
    return NULL;
}

static bool is_given(const struct text_list *given, const char *option)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->items[i], option) == 0)
            return true;
    return false;
}

/* Other options are given for each run, or are secrets (credentials_again()). */
static bool is_kept(const char *option)
{
    static const char *const others[] = {"quiet",   "json",   "dashboard", "no-confine",
                                         "no-wait", "config", "proxy",     "header"};

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (strcmp(option, others[i]) == 0)
            return false;
    return true;
}

static enum status change(const char *dir, const struct option *op, struct str now, struct str then,
                          struct crawl_options *o)
{
    const char *why = resume_fixed(op->name);

    if (str_eq(now, then))
        return ST_OK;
    if (why)
        return status_fail(ST_USAGE,
                           "--%s cannot change, because %s: another crawl needs another "
                           "directory (--seeds-from %s starts at the best pages of this one)",
                           op->name, why, dir);
    if (op->type == OPTION_LIST && strcmp(op->name, "seed") != 0)
        text_list_free((struct text_list *)((char *)o + op->offset));
    return crawl_option_restore(op, o, now);
}

enum status resume_changes(const char *dir, const struct text_list *given,
                           const struct crawl_options *said, struct crawl_options *o)
{
    struct crawl_options none;
    enum status st = ST_OK;

    crawl_options_init_empty(&none);
    for (const struct option *op = crawl_option_table; st == ST_OK && op->name; op++) {
        struct buf now = BUF_INIT(1 << 20), then = BUF_INIT(1 << 20), unsaid = BUF_INIT(100);

        crawl_option_text(op, said, &now);
        crawl_option_text(op, o, &then);
        crawl_option_text(op, &none, &unsaid);
        if (is_kept(op->name) &&
            (is_given(given, op->name) || !str_eq(buf_str(&now), buf_str(&unsaid))))
            st = change(dir, op, buf_str(&now), buf_str(&then), o);
        buf_free(&now);
        buf_free(&then);
        buf_free(&unsaid);
    }
    if (st == ST_OK)
        st = memory_check(o);
    return st == ST_OK ? enough_check(o) : st;
}
