/* inspect.c - brood inspect: a page, a URL or a robots.txt as brood sees it.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/start/get.h"
#include "crawl/identity.h"
#include "parse/page/page.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "text/profile.h"

#include <unistd.h>

struct inspect_options {
    char *as_url, *base, *robots, *agent, *url, *topic, *type;
    bool json, allow_private;
    struct text_list resolve;
    char *ca_file;
};

#define AT(field) .offset = offsetof(struct inspect_options, field)

static const struct option inspect_option_table[] = {
    {TEXT_OPTION("url", url, "BASE"),
     .help = "the URL a file is to be read as (links are resolved against it)"},
    {TEXT_OPTION("type", type, "TYPE"), .help = "the Content-Type a file is to be read as"},
    {TEXT_OPTION("topic", topic, "WORDS"), .help = "show its relevance to this topic"},
    {TEXT_OPTION("as-url", as_url, "URL"),
     .help = "parse, resolve and normalise a URL (exit 1 where it is none)"},
    {TEXT_OPTION("base", base, "BASE"), .help = "with --as-url: resolve against this"},
    {TEXT_OPTION("robots", robots, "FILE"),
     .help = "which of the given URLs this robots.txt allows, and by which line"},
    {TEXT_OPTION("agent", agent, "TOKEN"), .fallback = BROOD_TOKEN,
     .help = "with --robots: for this crawler"},
    {FLAG_OPTION("allow-private", allow_private), .help = "allow private and loopback addresses"},
    {LIST_OPTION("resolve", resolve, "HOST:PORT:ADDR[/BITS][:PORT]"),
     .help = "where a host is to be found; may be repeated"},
    {TEXT_OPTION("ca-file", ca_file, "FILE"), .help = "certificate authorities to trust"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {.name = NULL},
};

/* ---- --as-url ------------------------------------------------------------ */

static enum status parse_with_base(const struct inspect_options *o, struct arena *arena,
                                   struct url *ret)
{
    struct url base;

    if (o->base == NULL)
        return url_parse(str_of(o->as_url), NULL, arena, ret);
    if (url_parse(str_of(o->base), NULL, arena, &base) != ST_OK)
        return status_fail(ST_USAGE, "--base '%s' is not an http or https URL", o->base);
    return url_parse(str_of(o->as_url), &base, arena, ret);
}

static int inspect_url(const struct inspect_options *o)
{
    struct buf out = BUF_INIT(1 << 20);
    struct arena arena;
    struct json j;
    struct url u;
    enum status st;

    arena_init(&arena, MIB(1));
    st = parse_with_base(o, &arena, &u);
    if (st != ST_OK) {
        arena_free(&arena);
        if (st == ST_USAGE)
            return report_failure(st);
        (void)report_failure(
            status_fail(ST_INVALID, "'%s' is not an http or https URL", o->as_url));
        return EXIT_FAILED;
    }
    json_begin(&j, &out);
    json_put_str(&j, "href", u.href);
    json_put_str(&j, "scheme", u.scheme);
    json_put_str(&j, "host", u.host);
    json_put_int(&j, "port", u.port);
    json_put_str(&j, "path", u.path);
    json_put_str(&j, "query", u.query);
    json_put_str(&j, "key", url_norm(&u, &arena));
    json_end(&j);
    arena_free(&arena);
    return report_out(&out);
}

/* ---- --robots ------------------------------------------------------------ */

static void robots_line(struct buf *out, struct json *j, bool as_json, const char *text,
                        bool allowed, unsigned line)
{
    if (as_json) {
        json_open_object(j, NULL);
        json_put_z(j, "url", text);
        json_put_bool(j, "allowed", allowed);
        if (line)
            json_put_int(j, "line", line);
        else
            json_put_null(j, "line");
        json_close(j);
    } else if (line) {
        buf_addf(out, "%-8s line %-5u %s\n", allowed ? "allowed" : "denied", line, text);
    } else {
        buf_addf(out, "%-8s no rule    %s\n", allowed ? "allowed" : "denied", text);
    }
}

static enum status robots_check(const struct robots *r, const char *text, bool *ret_allowed,
                                unsigned *ret_line)
{
    LOCAL_BUF path = BUF_INIT(LIMIT_URL * 2);
    LOCAL_ARENA arena = ARENA_INIT(MIB(1));
    struct url u;
    enum status st;

    st = url_parse(str_of(text), NULL, &arena, &u);
    if (st == ST_OK) {
        buf_add_str(&path, u.path);
        if (u.has_query)
            buf_addf(&path, "?%.*s", STR_ARG(u.query));
        *ret_allowed = robots_allows(r, buf_str(&path), ret_line);
    } else {
        st = status_fail(ST_USAGE, "'%s' is not an http or https URL", text);
    }
    return st;
}

static int inspect_robots(const struct inspect_options *o, const struct text_list *urls)
{
    LOCAL_BUF text = BUF_INIT(MIB(64));
    struct buf out = BUF_INIT(64 << 20);
    struct robots *r = NULL;
    enum status st = file_read(o->robots, &text);
    struct json j;

    if (st == ST_OK && urls->count == 0)
        st = status_fail(ST_USAGE, "which URLs? brood inspect --robots FILE --agent TOKEN URL...");
    if (st == ST_OK)
        r = robots_parse(buf_str(&text), str_of(o->agent));
    json_init(&j, &out);
    if (o->json)
        json_open_array(&j, NULL);
    for (size_t i = 0; st == ST_OK && i < urls->count; i++) {
        unsigned line = 0;
        bool allowed = false;

        st = robots_check(r, urls->items[i], &allowed, &line);
        if (st == ST_OK)
            robots_line(&out, &j, o->json, urls->items[i], allowed, line);
    }
    if (o->json) {
        json_close(&j);
        buf_add_char(&out, '\n');
    } else if (r && robots_is_widened(r)) {
        buf_add_z(&out,
                  "The file has too many patterns with '*'. Of those beyond the limit, an Allow is"
                  " ignored and a Disallow forbids more than it says.\n");
    }
    robots_free(r);
    return report_end(st, &out);
}

/* ---- a page -------------------------------------------------------------- */

static struct str span_text(const struct page *p, struct span s)
{
    if (s.from >= s.to || s.to > p->nwords)
        return STR("");
    return str_sub(p->text, p->words[s.from].off, p->words[s.to - 1].off + p->words[s.to - 1].len);
}

static const char *const kind_names[] = {"html", "text", "feed", "sitemap"};
static const char *const link_kinds[] = {"a",    "frame", "refresh", "canonical", "alternate",
                                         "next", "feed",  "sitemap", "redirect",  "seed"};

static void page_json(struct buf *out, const struct page *p, const struct profile *profile)
{
    char at[CLOCK_TEXT];
    struct json j;

    json_begin(&j, out);
    json_put_z(&j, "kind", kind_names[p->kind]);
    json_put_str(&j, "charset", p->charset);
    json_put_str(&j, "lang", p->lang);
    json_put_str(&j, "title", p->title);
    clock_format(p->date, 0, at);
    json_put_z(&j, "date", p->date_source ? at : NULL);
    json_put_str(&j, "canonical", p->canonical);
    json_put_str(&j, "base", p->base);
    json_put_bool(&j, "noindex", p->robots & ROBOTS_NOINDEX);
    json_put_bool(&j, "nofollow", p->robots & ROBOTS_NOFOLLOW);
    json_put_bool(&j, "noarchive", p->robots & ROBOTS_NOARCHIVE);
    if (profile) {
        json_put_num(&j, "relevance", (double)profile->relevance);
        json_put_num(&j, "similarity", (double)profile->similarity);
    }
    json_put_int(&j, "words", p->nwords);
    json_put_str(&j, "text", p->text);
    json_open_array(&j, "links");
    for (uint32_t i = 0; i < p->nlinks; i++) {
        const struct link *l = &p->links[i];

        json_open_object(&j, NULL);
        json_put_str(&j, "url", l->url);
        json_put_z(&j, "kind", link_kinds[l->kind]);
        json_put_str(&j, "anchor", span_text(p, l->anchor));
        json_put_str(&j, "window", span_text(p, l->window));
        json_put_str(&j, "node", span_text(p, l->node));
        json_put_str(&j, "path", l->tag_path < p->ntag_paths ? p->tag_paths[l->tag_path] : STR(""));
        json_put_bool(&j, "nofollow", l->rel & REL_NOFOLLOW);
        json_close(&j);
    }
    json_end(&j);
}

static void page_text(struct buf *out, const struct page *p, const struct profile *profile)
{
    size_t width = report_width(STDOUT_FILENO);
    char at[CLOCK_TEXT];

    buf_add_z(out, "title      ");
    report_text(out, p->title, width - 12);
    buf_addf(out, "\nkind       %s, ", kind_names[p->kind]);
    report_text(out, p->charset, 100);
    buf_add_z(out, p->lang.len ? ", language " : "");
    report_text(out, p->lang, 100);
    buf_addf(out, ", %u words, %u links%s\n", p->nwords, p->nlinks,
             p->cut ? ", cut at a ceiling" : "");
    if (p->date_source) {
        clock_format(p->date, 0, at);
        buf_addf(out, "date       %s\n", at);
    }
    if (p->robots)
        buf_addf(out, "robots    %s%s%s%s%s\n", p->robots & ROBOTS_NOINDEX ? " noindex" : "",
                 p->robots & ROBOTS_NOFOLLOW ? " nofollow" : "",
                 p->robots & ROBOTS_NOARCHIVE ? " noarchive" : "",
                 p->robots & ROBOTS_NOAI ? " noai" : "",
                 p->robots & ROBOTS_NOIMAGEAI ? " noimageai" : "");
    if (p->use.len)
        buf_addf(out, "use        %.*s\n", STR_ARG(p->use));
    if (profile)
        buf_addf(out, "relevance  %.4f (raw similarity %.4f)\n", (double)profile->relevance,
                 (double)profile->similarity);
    buf_add_z(out, "text       ");
    report_text(out, p->text, 3 * width);
    buf_add_z(out, "\nlinks\n");
    for (uint32_t i = 0; i < p->nlinks; i++) {
        buf_addf(out, "  %-9s ", link_kinds[p->links[i].kind]);
        report_text(out, p->links[i].url, width / 2);
        buf_add_z(out, "  ");
        report_text(out, span_text(p, p->links[i].anchor), width / 2 - 14);
        buf_add_char(out, '\n');
    }
}

static enum status load(const struct inspect_options *o, const char *what, struct buf *payload,
                        char **ret_url, char **ret_type)
{
    struct crawl_options fetch;
    struct getter *g;
    enum status st;

    if (!str_starts_i(str_of(what), STR("http://")) &&
        !str_starts_i(str_of(what), STR("https://"))) {
        *ret_url = str_dup(str_of(o->url ? o->url : "http://localhost/"));
        *ret_type = str_dup(str_of(o->type));
        return file_read(what, payload);
    }
    crawl_options_init(&fetch);
    fetch.allow_private = o->allow_private;
    fetch.contact = str_dup(STR("brood inspect"));
    for (size_t i = 0; i < o->resolve.count; i++)
        text_list_add(&fetch.resolve, str_of(o->resolve.items[i]));
    fetch.ca_file = o->ca_file ? str_dup(str_of(o->ca_file)) : NULL;
    st = getter_new(&fetch, &g);
    if (st == ST_OK) {
        st = getter_text(g, str_of(what), payload, ret_url, ret_type);
        getter_free(g);
    }
    crawl_options_free(&fetch);
    return st;
}

static enum status profile_of(const char *words, const struct page *page, struct str url,
                              struct arena *arena, struct profile *ret)
{
    struct topic *topic;
    struct profiler *p;

    TRY(topic_from_words(str_of(words), STR("en"), &topic));
    p = profiler_new(topic);
    (void)profile_page(p, page, url, NULL, arena, ret);
    profiler_free(p);
    topic_free(topic);
    return ST_OK;
}

static int inspect_page(const struct inspect_options *o, const char *what)
{
    LOCAL_BUF payload = BUF_INIT(LIMIT_DECODED);
    struct buf out = BUF_INIT(256 << 20);
    struct page_parser *parser = page_parser_new();
    LOCAL_HEAP char *url = NULL, *type = NULL;
    struct profile profile, *shown = NULL;
    const struct page *page;
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);
    enum status st = load(o, what, &payload, &url, &type);

    if (st == ST_OK) {
        struct page_input in = {.payload = buf_str(&payload),
                                .url = str_of(url),
                                .content_type = str_of(type),
                                .now = clock_now()};

        if (page_parse(parser, &in, &arena, &page) != DROP_NONE)
            st = status_fail(ST_INVALID, "%s: %s", what, drop_sentence(DROP_TYPE));
    }
    if (st == ST_OK && o->topic) {
        st = profile_of(o->topic, page, str_of(url), &arena, &profile);
        shown = &profile;
    }
    if (st == ST_OK)
        (o->json ? page_json : page_text)(&out, page, shown);
    page_parser_free(parser);
    return report_end(st, &out);
}

static int inspect_command(struct invocation *in)
{
    const struct inspect_options *o = in->options;

    if (o->as_url)
        return inspect_url(o);
    if (o->robots)
        return inspect_robots(o, &in->args);
    if (in->args.count != 1)
        return report_failure(status_fail(
            ST_USAGE, "which page? brood inspect FILE|URL, --as-url URL, or --robots FILE URL..."));
    return inspect_page(o, in->args.items[0]);
}

const struct command command_inspect = {
    .name = "inspect",
    TAKES("FILE|URL", 0, SIZE_MAX),
    .summary = "show a page, a URL or a robots.txt as brood sees it",
    .example = "brood inspect page.html --url http://example.org/ --json\n"
               "  brood inspect --as-url '../a?b' --base http://example.org/x/y\n"
               "  brood inspect --robots robots.txt --agent brood http://example.org/private",
    OPTIONS(inspect_option_table, struct inspect_options),
    .run = inspect_command,
};
