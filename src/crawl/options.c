/* options.c - the table of a crawl's options. SPDX-License-Identifier: MIT */
#include "crawl/options.h"

#include <stdlib.h>

#define AT(field) .offset = offsetof(struct crawl_options, field)
#define ANY 1e15

const struct option crawl_option_table[] = {
    {.name = "seed", .type = OPTION_LIST, .metavar = "URL", .group = "where to start",
     .help = "a place to start: a page, a feed or a sitemap; may be repeated", AT(seed)},
    {.name = "seeds", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "a file of places to start, one URL a line, # for comments; - is standard input",
     AT(seeds)},
    {.name = "seeds-from", .type = OPTION_TEXT, .metavar = "DIR",
     .help = "start at the relevant pages of an earlier crawl", AT(seeds_from)},
    {.name = "search", .type = OPTION_TEXT, .metavar = "URL",
     .help = "start at a search engine's results (JSON, RSS or Atom); {} stands for the topic",
     AT(search)},
    {.name = "topic", .type = OPTION_TEXT, .metavar = "FILE", .group = "what to look for",
     .help = "a topic file: weights, phrases, -words, examples, patterns (docs/topic.md)",
     AT(topic)},
    {.name = "idf", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "document frequencies made by 'brood topic idf' (otherwise learned as it goes)",
     AT(idf)},
    {.name = "relevant", .type = OPTION_REAL, .metavar = "R", .fallback = "0.1", .min = 0,
     .max = 1, .help = "from this relevance on a page counts as relevant in figures",
     AT(relevant)},
    {.name = "model", .type = OPTION_TEXT, .metavar = "NAME", .fallback = "best-first",
     .help = "who decides which link is next ('brood models' lists them)", AT(model)},
    {.name = "set", .type = OPTION_LIST, .metavar = "KEY=VALUE",
     .help = "an option of the model; may be repeated", AT(set)},
    {.name = "rng", .type = OPTION_INT, .metavar = "N", .fallback = "1", .min = 0, .max = ANY,
     .help = "seed of the random numbers", AT(rng)},
    {.name = "out", .type = OPTION_TEXT, .metavar = "DIR", .group = "output",
     .help = "directory for the results (otherwise made from the topic and the time)", AT(out)},
    {.name = "config", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "options from a YAML file; the command line wins", AT(config)},
    {.name = "json", .type = OPTION_FLAG,
     .help = "each stored page as a JSON line on standard output, a summary at the end", AT(json)},
    {.name = "quiet", .type = OPTION_FLAG, .help = "no progress, only errors", AT(quiet)},
    {.name = "pages", .type = OPTION_INT, .metavar = "N", .fallback = "1000", .min = 0, .max = 4e9,
     .group = "limits", .help = "stop after exactly this many pages (0: no limit)", AT(pages)},
    {.name = "for", .type = OPTION_DURATION, .metavar = "TIME", .min = 0, .max = 1e9,
     .help = "stop after this time (10s, 5m, 2h)", AT(duration)},
    {.name = "bytes", .type = OPTION_SIZE, .metavar = "SIZE",
     .help = "stop after downloading this much (500M, 2Gi)", AT(bytes)},
    {.name = "max-depth", .type = OPTION_INT, .metavar = "N", .fallback = "-1", .min = -1,
     .max = 65000, .help = "links followed from a seed at most (-1: any)", AT(max_depth)},
    {.name = "pages-per-host", .type = OPTION_INT, .metavar = "N", .fallback = "0", .min = 0,
     .max = 4e9, .help = "pages of one host at most (0: any)", AT(pages_per_host)},
    {.name = "rate", .type = OPTION_SIZE, .metavar = "SIZE",
     .help = "bytes a second at most, over all connections (10M)", AT(rate)},
    {.name = "memory", .type = OPTION_SIZE, .metavar = "SIZE",
     .help = "stop cleanly before the process grows beyond this (2Gi)", AT(memory)},
    {.name = "scope", .type = OPTION_LIST, .metavar = "RULE", .group = "scope",
     .help = "same-host, same-site or a pattern (*.example.org/docs/*); may be repeated",
     AT(scope)},
    {.name = "exclude", .type = OPTION_LIST, .metavar = "PATTERN",
     .help = "URLs never to fetch; may be repeated", AT(exclude)},
    {.name = "exclude-hosts", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "hosts never to visit, one a line, with their subdomains", AT(exclude_hosts)},
    {.name = "lang", .type = OPTION_TEXT, .metavar = "en,de",
     .help = "keep only pages declared in these languages (or not declared at all)", AT(lang)},
    {.name = "threads", .type = OPTION_INT, .metavar = "N", .fallback = "1", .min = 1, .max = 64,
     .group = "network", .help = "fetching threads; each also parses what it fetched",
     AT(threads)},
    {.name = "connections", .type = OPTION_INT, .metavar = "N", .fallback = "64", .min = 1,
     .max = 4096, .help = "requests under way at most", AT(connections)},
    {.name = "per-host", .type = OPTION_INT, .metavar = "N", .fallback = "1", .min = 1, .max = 64,
     .help = "requests under way at one host or address", AT(per_host)},
    {.name = "delay", .type = OPTION_DURATION, .metavar = "TIME", .fallback = "1s", .min = 0,
     .max = 86400, .help = "least time between two requests to one host or address", AT(delay)},
    {.name = "timeout", .type = OPTION_DURATION, .metavar = "TIME", .fallback = "30s",
     .min = 0.001, .max = 86400, .help = "for a whole request, first to last byte", AT(timeout)},
    {.name = "retries", .type = OPTION_INT, .metavar = "N", .fallback = "2", .min = 0, .max = 20,
     .help = "further attempts after a failure that may pass", AT(retries)},
    {.name = "proxy", .type = OPTION_TEXT, .metavar = "URL", .help = "fetch through this proxy",
     AT(proxy)},
    {.name = "header", .type = OPTION_LIST, .metavar = "'NAME: VALUE'",
     .help = "an extra header of every request; may be repeated", AT(header)},
    {.name = "cookies", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "cookies to start with (Netscape format)", AT(cookies)},
    {.name = "ca-file", .type = OPTION_TEXT, .metavar = "FILE",
     .help = "certificate authorities to trust instead of the system's", AT(ca_file)},
    {.name = "contact", .type = OPTION_TEXT, .metavar = "MAIL|URL", .group = "manners",
     .help = "who runs this crawl; needed for public hosts (or set BROOD_CONTACT)", AT(contact)},
    {.name = "no-robots", .type = OPTION_FLAG, .help = "do not ask for robots.txt (your own sites only)",
     AT(no_robots)},
    {.name = "allow-private", .type = OPTION_FLAG,
     .help = "allow private, loopback and other special addresses", AT(allow_private)},
    {.name = "resolve", .type = OPTION_LIST, .metavar = "HOST:PORT:ADDR[/BITS][:PORT]",
     .help = "where a host is to be found; * for every host; may be repeated", AT(resolve)},
    {.name = "no-warc", .type = OPTION_FLAG, .help = "keep no archive of what was received",
     AT(no_warc)},
    {.name = NULL},
};

void crawl_options_init(struct crawl_options *o)
{
    *o = (struct crawl_options){0};
    options_init(crawl_option_table, o);
}

void crawl_options_init_empty(struct crawl_options *o)
{
    *o = (struct crawl_options){0};
}

void crawl_options_free(struct crawl_options *o)
{
    options_free(crawl_option_table, o);
    free(o->words);
    free(o->topic_text);
    o->words = o->topic_text = NULL;
}

void crawl_option_text(const struct option *op, const struct crawl_options *from, struct buf *out)
{
    const struct text_list *list;

    if (op->type != OPTION_LIST) {
        option_show(op, from, out);
        return;
    }
    list = (const void *)((const char *)from + op->offset);
    for (size_t i = 0; i < list->count; i++)
        (void)buf_addf(out, "%s%s", i ? "\n" : "", list->items[i]);
}

enum status crawl_option_restore(const struct option *op, struct crawl_options *into,
                                 struct str text)
{
    enum status st = ST_OK;
    struct str line;

    if (text.len == 0)
        return ST_OK;
    if (op->type != OPTION_LIST)
        return option_set(op, into, text);
    while (st == ST_OK && str_cut(&text, '\n', &line))
        st = option_set(op, into, line);
    return st;
}
