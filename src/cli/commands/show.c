/* show.c - brood show: all that is known of a page, an agent, a conversation, a lattice.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/several.h"

#include "base/os/clock.h"
#include "cli/show/agent.h"
#include "cli/show/conversation.h"
#include "cli/show/lattice.h"
#include "store/read/as_json.h"
#include "store/read/as_markdown.h"

#include <math.h>
#include <unistd.h>

#define SHOWN      20
#define SHOWN_JSON 1000000
#define BEGINNING  300 /* bytes of the main text */

struct show_options {
    struct bus_options bus;
    int64_t n;
    int as;
    bool json, text, main, markdown, all;
    bool conversation, lattice;
};

#define AT(field) .offset = offsetof(struct show_options, field)

static const struct option show_option_table[] = {
    {INT_OPTION("n", n, "N", "0", 0, 1e9), .letter = 'n',
     .help = "links, visits, pages, children, conversations, concepts: at most so many (0: 20, as "
             "JSON all)"},
    {FLAG_OPTION("text", text), .help = "also the stored text of the page"},
    {FLAG_OPTION("main", main), .help = "also its main text: without menus, footers and the like"},
    {FLAG_OPTION("markdown", markdown), .help = "only its main text, as Markdown"},
    {FLAG_OPTION("conversation", conversation),
     .help = "what agents said to each other: the conversation with the number ID as a sequence "
             "diagram, or without an ID a list of contracts"},
    {FLAG_OPTION("all", all), .help = "with --conversation: list those that are no contracts too"},
    {FLAG_OPTION("lattice", lattice),
     .help = "the concept lattice of what AGENT has read, or without one of all stored pages"},
    {CHOICE_OPTION("as", as, "text|dot|json", "text"),
     .help = "with --lattice: a list of concepts, a diagram for Graphviz, or JSON"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    BUS_OPTIONS,
    {.name = NULL},
};

struct shower {
    const struct show_options *options;
    struct query *query;
    struct buf out;
    struct json json;
    uint32_t page; /* newest version */
    bool outward;  /* links are shown by their targets */
};

static enum status page_json(struct shower *s, const struct query_page *p, struct str use)
{
    struct json *j = &s->json;
    enum status st;
    static const enum page_member shown[] = {
        PAGE_ID,        PAGE_URL,         PAGE_HOST,       PAGE_STATUS,     PAGE_TITLE,
        PAGE_RELEVANCE, PAGE_P,           PAGE_SIMILARITY, PAGE_MIME,       PAGE_LANG,
        PAGE_DECLARED,  PAGE_FETCHED_AT,  PAGE_DATE,       PAGE_LATENCY,    PAGE_BYTES,
        PAGE_DEPTH,     PAGE_AGENT,       PAGE_DUP_OF,     PAGE_VERSION_OF, PAGE_DIGEST,
        PAGE_WARC_FILE, PAGE_WARC_OFFSET, PAGE_END,
    };

    json_open_object(j, NULL);
    page_put(j, p, shown);
    json_put_str(j, "use", use);
    st = page_topics_put(j, s->query, p->id);
    json_close(j);
    return st;
}

static enum status topic_text(void *ctx, const struct query_topic *t)
{
    struct query_page page = {.relevance = t->relevance, .p = t->p};

    buf_addf(ctx, "           %d %% that it is about %.*s (relevance %.4f)\n", page_sure(&page),
             STR_ARG(t->name), t->relevance);
    return ST_OK;
}

static enum status page_text(struct shower *s, const struct query_page *p, struct str use)
{
    struct buf *out = &s->out;
    enum status st;
    char at[CLOCK_TEXT], date[CLOCK_TEXT];

    clock_format(p->fetched_at, 0, at);
    clock_format(p->date, 0, date);
    buf_addf(out, "page       %u  ", p->id);
    report_title(out, p->title, p->url, 200);
    buf_add_z(out, "\nurl        ");
    report_text(out, p->url, 2000);
    buf_addf(out, "\nsure       %d %% that it is about the topic (relevance %.4f)\n", page_sure(p),
             p->relevance);
    st = query_topics(s->query, p->id, topic_text, out);
    buf_addf(out, "fetched    %s, status %d, %.0f ms, %llu bytes, depth %u, by agent %u\n", at,
             p->status, p->latency_ms, (unsigned long long)p->bytes, p->depth, p->agent);
    buf_add_z(out, "document   ");
    report_text(out, p->mime, 200);
    buf_add_z(out, p->lang.len ? ", language " : "");
    report_text(out, p->lang, 100);
    if (p->declared.len && !str_eq(p->declared, p->lang)) {
        buf_add_z(out, " (declared: ");
        report_text(out, p->declared, 100);
        buf_add_char(out, ')');
    }
    buf_addf(out, "%s%s\n", p->date ? ", dated " : "", p->date ? date : "");
    if (use.len)
        buf_addf(out, "use        %.*s, says its owner\n", STR_ARG(use));
    if (p->version_of)
        buf_addf(out, "version    of page %u\n", p->version_of);
    if (p->dup_of)
        buf_addf(out, "duplicate  of page %u%s\n", p->dup_of, p->exact_dup ? ", to the byte" : "");
    if (p->warc_file.len)
        buf_addf(out, "archived   warc/%.*s at %llu\n", STR_ARG(p->warc_file),
                 (unsigned long long)p->warc_offset);
    return st;
}

static enum status on_version(void *ctx, const struct query_page *p)
{
    struct shower *s = ctx;
    LOCAL_BUF use = BUF_INIT(1 << 12);
    enum status st = query_use(s->query, p->id, &use);

    s->page = p->id;
    if (st == ST_OK)
        st = (s->options->json ? page_json : page_text)(s, p, buf_str(&use));
    return st;
}

static enum status on_link(void *ctx, const struct query_link *l)
{
    struct shower *s = ctx;
    struct str other = s->outward ? l->to_url : l->from_url;

    if (s->options->json) {
        json_open_object(&s->json, NULL);
        json_put_int(&s->json, "from_page", l->from_page);
        json_put_str(&s->json, s->outward ? "to" : "from", other);
        json_put_str(&s->json, "anchor", l->anchor);
        json_put_num(&s->json, "score", l->score);
        json_close(&s->json);
        return ST_OK;
    }
    if (isnan(l->score))
        buf_add_z(&s->out, "    -     ");
    else
        buf_addf(&s->out, "    %.3f ", l->score);
    report_text(&s->out, other, 2000);
    buf_add_z(&s->out, "  ");
    report_text(&s->out, l->anchor, 60);
    buf_add_char(&s->out, '\n');
    return ST_OK;
}

static enum status on_outcome(void *ctx, const struct query_outcome *o)
{
    struct shower *s = ctx;
    char at[CLOCK_TEXT];

    clock_format(o->at, 3, at);
    if (s->options->json) {
        json_open_object(&s->json, NULL);
        json_put_z(&s->json, "at", at);
        json_put_int(&s->json, "status", o->status);
        json_put_str(&s->json, "error", o->error);
        json_put_z(&s->json, "why", drop_name(o->why));
        json_put_str(&s->json, "redirect_to", o->redirect_to);
        json_put_bool(&s->json, "final", o->is_final);
        json_close(&s->json);
        return ST_OK;
    }
    buf_addf(&s->out, "tried      %s: status %d%s", at, o->status, o->error.len ? ", " : "");
    report_text(&s->out, o->error, 500);
    buf_add_z(&s->out, o->redirect_to.len ? ", leads to " : "");
    report_text(&s->out, o->redirect_to, 2000);
    buf_add_z(&s->out, o->is_final ? "\n" : " (tried again later)\n");
    return ST_OK;
}

static void heading(struct shower *s, const char *name, const char *shown)
{
    if (s->options->json)
        json_open_array(&s->json, name);
    else if (shown)
        buf_addf(&s->out, "%s\n", shown);
}

static void heading_end(struct shower *s)
{
    if (s->options->json)
        json_close(&s->json);
}

static void text_lines(struct buf *out, const char *name, struct str text)
{
    struct str line;

    buf_addf(out, "%s\n", name);
    while (str_cut(&text, '\n', &line)) {
        report_text(out, line, SIZE_MAX);
        buf_add_char(out, '\n');
    }
}

typedef enum status text_fn(struct query *q, uint32_t page, struct buf *ret);

static void show_stored_text(struct shower *s, const char *name, text_fn *read)
{
    LOCAL_BUF text = BUF_INIT(256 << 20);

    if (s->page && read(s->query, s->page, &text) == ST_OK) {
        if (s->options->json)
            json_put_str(&s->json, name, buf_str(&text));
        else
            text_lines(&s->out, name, buf_str(&text));
    }
}

/* Shows the beginning of the page in one line. */
static void show_beginning(struct shower *s)
{
    LOCAL_BUF text = BUF_INIT(256 << 20);

    if (s->page && query_main(s->query, s->page, &text) == ST_OK && text.len) {
        buf_add_z(&s->out, "begins     ");
        report_text(&s->out, buf_str(&text), BEGINNING);
        buf_add_char(&s->out, '\n');
    }
}

static enum status add_markdown(void *ctx, const struct query_page *p)
{
    struct shower *s = ctx;
    struct as_markdown *m = as_markdown_new(s->query);
    enum status st;

    buf_clear(&s->out); /* of versions the newest */
    st = as_markdown_add(m, p, &s->out);
    as_markdown_free(m);
    return st;
}

static uint32_t most_of(const struct shower *s)
{
    if (s->options->n)
        return (uint32_t)s->options->n;
    return s->options->json ? SHOWN_JSON : SHOWN;
}

static enum status show_url(struct shower *s, uint32_t url)
{
    uint32_t most = most_of(s);
    enum status st;

    if (s->options->markdown)
        return query_versions(s->query, url, add_markdown, s);
    if (s->options->json)
        json_open_object(&s->json, NULL);
    heading(s, "pages", NULL);
    st = query_versions(s->query, url, on_version, s);
    heading_end(s);
    if (!s->options->json)
        show_beginning(s);
    heading(s, "outcomes", NULL);
    if (st == ST_OK)
        st = query_outcomes(s->query, url, on_outcome, s);
    heading_end(s);
    heading(s, "links_in", "linked from");
    if (st == ST_OK)
        st = query_links_to(s->query, url, most, on_link, s);
    heading_end(s);
    s->outward = true;
    heading(s, "links_out", s->page ? "links to" : NULL);
    if (st == ST_OK && s->page)
        st = query_links_from(s->query, s->page, most, on_link, s);
    heading_end(s);
    if (s->options->main)
        show_stored_text(s, "main", query_main);
    if (s->options->text)
        show_stored_text(s, "text", query_text);
    if (s->options->json)
        json_close(&s->json);
    return st;
}

/* May it be an agent? Names and numbers have none of the characters that every URL has. */
static bool may_be_agent(struct str what)
{
    return str_find_char(what, '.', 0) == SIZE_MAX && str_find_char(what, '/', 0) == SIZE_MAX &&
           str_find_char(what, ':', 0) == SIZE_MAX;
}

static enum status show_any(struct shower *s, struct str what)
{
    enum status st = ST_MISSING;
    uint32_t url;

    if (may_be_agent(what))
        st = show_agent(s->query, what, most_of(s), s->options->json, &s->out);
    if (st != ST_MISSING || query_find(s->query, what, &url) != ST_OK)
        return st;
    st = show_url(s, url);
    if (st == ST_OK && s->options->json)
        buf_add_char(&s->out, '\n');
    return st;
}

static enum status show_known(struct shower *s, const char *dir, struct str what)
{
    enum status st = show_any(s, what);

    if (st == ST_MISSING)
        st = status_fail(ST_MISSING,
                         "%s knows no URL and no agent '%.*s' ('brood tree' lists agents, 'brood "
                         "explain' says why a "
                         "URL was dropped)",
                         dir, STR_ARG(what));
    return st;
}

/* Shows one of the four kinds; `what` is empty if nothing was named. */
static enum status show_asked(struct shower *s, const char *dir, struct str what)
{
    const struct show_options *o = s->options;
    enum lattice_form form = o->json ? LATTICE_JSON : (enum lattice_form)o->as;

    if (o->lattice)
        return show_lattice(s->query, what, form, (uint32_t)o->n, &s->out);
    if (o->conversation && what.len)
        return show_conversation(s->query, what, report_width(STDOUT_FILENO), o->json, &s->out);
    if (o->conversation)
        return show_conversations(s->query, most_of(s), o->all, o->json, &s->out);
    return show_known(s, dir, what);
}

static enum status check_options(const struct show_options *o, size_t args)
{
    if (o->conversation && o->lattice)
        return status_fail(ST_USAGE,
                           "--conversation and --lattice exclude each other: give one of them");
    if (o->as && !o->lattice)
        return status_fail(ST_USAGE, "--as is for --lattice ('--json' is for all)");
    if (o->markdown && o->json)
        return status_fail(ST_USAGE, "--markdown and --json exclude each other: give one of them");
    if (o->all && !o->conversation)
        return status_fail(ST_USAGE, "--all is for --conversation");
    if (args < 2 && !o->conversation && !o->lattice)
        return status_fail(ST_USAGE, "URL|AGENT is missing: brood show DIR URL|AGENT");
    return ST_OK;
}

static int show_command(struct invocation *in)
{
    struct shower s = {.options = in->options, .out = BUF_INIT(1 << 30)};
    struct str what = str_of(in->args.count > 1 ? in->args.items[1] : "");
    enum status st = check_options(s.options, in->args.count);

    if (st == ST_OK)
        st = query_open(in->args.items[0], &s.query);
    if (st != ST_OK)
        return report_failure(st);
    json_init(&s.json, &s.out);
    st = show_asked(&s, in->args.items[0], what);
    query_close(s.query);
    if (st == ST_OK && s.out.full)
        st = status_fail(ST_LIMIT, "there is too much to be shown: -n");
    return report_end(st, &s.out);
}

const struct command command_show = {
    .name = "show",
    TAKES("DIR… [URL|AGENT|ID]", 1, 2),
    .summary = "show all that is known of a page, an agent or a conversation",
    .details =
        "An agent is named by its name or its number ('brood tree' lists both): where it was "
        "born, its children, its best pages, its path with the energy it had, and how it "
        "died.\n\n"
        "A conversation has a number; --conversation without one lists contracts. --lattice shows "
        "which keywords pages have together.",
    .example = "brood show solar http://example.org/ --text\n"
               "  brood show solar Kadera\n"
               "  brood show bees --conversation 12\n"
               "  brood show bees --lattice Kadera --as dot | dot -Tsvg > kadera.svg",
    OPTIONS(show_option_table, struct show_options),
    .reads_dir = true,
    .several = true,
    .run = show_command,
};
