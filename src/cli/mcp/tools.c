/* tools.c - the tools that a language model may call. See tools.h. SPDX-License-Identifier: MIT */
#include "cli/mcp/tools.h"

#include "base/limits.h"
#include "base/mem.h"

enum arg_type { ARG_TEXT, ARG_INT, ARG_CHOICE, ARG_LIST };

struct tool_arg {
    const char *name;
    enum arg_type type;
    bool required;
    const char *option;   /* of the command; NULL: an argument; "": the server's own business */
    const char *unit;     /* behind a number: "s" */
    int64_t min, max;     /* of a number */
    int64_t fallback;     /* a number's, where none is given; -1: the command's own */
    const char *choices;  /* "markdown|facts" */
    const char *spelling; /* the same as options: "--markdown|--json"; NULL: as they are */
    const char *help;
};

struct tool {
    const char *name, *title, *help;
    enum tool_kind kind;
    const char *command;
    const char *fixed; /* an option that is always given; NULL: none */
    struct tool_arg args[8];
};

/* How a tool begins, and its arguments that are whole numbers. */
#define TOOL(name_, title_, kind_, command_, fixed_) \
    .name = name_, .title = title_, .kind = kind_, .command = command_, .fixed = fixed_
#define INT_ARG(name_, option_, min_, max_, fallback_)                           \
    .name = name_, .type = ARG_INT, .option = option_, .min = min_, .max = max_, \
    .fallback = fallback_

#define CRAWL_ARG                                                                           \
    {                                                                                       \
        .name = "crawl", .option = "",                                                      \
        .help = "the name of the crawl, as the tool 'crawls' lists it; may be left out if " \
                "there is only one"                                                         \
    }
#define SCOPE_ARG                                                                      \
    {                                                                                  \
        .name = "scope", .type = ARG_LIST, .option = "scope",                          \
        .help = "hosts to stay in: example.org, *.example.org; default: the whole web" \
    }

static const struct tool tools[] = {
    {TOOL("crawls", "List crawls", TOOL_NAMES, NULL, NULL),
     .help = "The names of the crawls, and which of them are running."},
    {TOOL("search", "Search a crawl", TOOL_READ, "search", "--json"),
     .help = "Full-text search in the pages of a crawl. Words are joined by AND; \"a phrase\", OR, "
             "NOT and prefix* work too. Gives title, URL, relevance and a snippet of each page.",
     .args = {CRAWL_ARG,
              {.name = "words", .required = true, .help = "what to search for"},
              {INT_ARG("n", "n", 1, 100, 10), .help = "pages at most"}}},
    {TOOL("top", "Best pages", TOOL_READ, "top", "--json"),
     .help = "The pages of a crawl that fit its topic best, ranked.",
     .args = {CRAWL_ARG, {INT_ARG("n", "n", 1, 100, 20), .help = "pages at most"}}},
    {TOOL("show", "Show a page", TOOL_READ, "show", NULL),
     .help = "The main text of a page as Markdown, or all that is known of a page or an agent.",
     .args = {CRAWL_ARG,
              {.name = "what",
               .required = true,
               .help = "the URL of a page, or (as 'facts') the name or number of an agent"},
              {.name = "as",
               .type = ARG_CHOICE,
               .choices = "markdown|facts",
               .spelling = "--markdown|--json",
               .help = "markdown: the main text of the page; facts: relevance, visits, links, as "
                       "JSON"},
              {INT_ARG("n", "n", 1, 200, 20), .help = "links, visits, children at most"}}},
    {TOOL("explain", "Explain a link", TOOL_READ, "explain", "--json"),
     .help = "Why the crawl fetched a URL, or why not.",
     .args = {CRAWL_ARG, {.name = "url", .required = true, .help = "the URL"}}},
    {TOOL("stats", "Figures of a crawl", TOOL_READ, "stats", "--json"),
     .help = "Pages, relevance, hosts, agents, failures, and why URLs were dropped. Also shows the "
             "progress of a running crawl.",
     .args = {CRAWL_ARG}},
    {TOOL("tree", "Family tree of agents", TOOL_READ, "tree", "--json"),
     .help = "The agents of a crawl with their children: energy, pages, best find, death.",
     .args = {CRAWL_ARG,
              {INT_ARG("n", "n", 1, 50, 5), .help = "children of an agent at most"},
              {INT_ARG("depth", "depth", 1, 40, 4), .help = "generations at most"}}},
    {TOOL("crawl", "Crawl the web for a topic", TOOL_CRAWL, "crawl", "--json"),
     .help = "Starts a crawl from a few places, politely, within limits. Answers when it ends, or "
             "after 'wait' seconds while it goes on; then 'stats' tells how far it is, and 'stop' "
             "ends it.",
     .args = {{.name = "topic", .required = true, .help = "words that describe what to look for"},
              {.name = "seeds",
               .type = ARG_LIST,
               .required = true,
               .option = "seed",
               .help = "URLs to start from"},
              SCOPE_ARG,
              {INT_ARG("pages", "pages", 1, 1000000, 100), .help = "the most pages to fetch"},
              {INT_ARG("seconds", "for", 1, 86400, 600), .unit = "s",
               .help = "the longest time in seconds"},
              {.name = "name",
               .option = "",
               .help = "of the new crawl: letters, digits, - and _; default: made from the topic"},
              {INT_ARG("wait", "", 0, 86400, 45),
               .help = "seconds after which the answer comes, even if the crawl still runs"}}},
    {TOOL("watch", "Look for news on a topic", TOOL_WATCH, "watch", "--once"),
     .help = "Looks once at known places and answers with the documents on the topic that are new "
             "since the last look, a JSON object on each line. Call it again with the same name "
             "to look again. A first look at a site finds recent documents only.",
     .args = {{.name = "name",
               .option = "",
               .help = "of a watch that exists, to look again; or of a new one: letters, digits, - "
                       "and _; default: made from the topic"},
              {.name = "topic", .help = "of a new watch: words that describe what to look for"},
              {.name = "seeds",
               .type = ARG_LIST,
               .option = "seed",
               .help = "of a new watch: URLs of pages and feeds where news appears"},
              SCOPE_ARG,
              {INT_ARG("pages", "pages", 1, 1000000, 100),
               .help = "the most pages to store in this look"},
              {INT_ARG("seconds", "for", 1, 3600, 45), .unit = "s",
               .help = "the longest time of this look in seconds"}}},
    {TOOL("stop", "Stop a crawl", TOOL_WRITE, "stop", NULL),
     .help = "Ends a running crawl cleanly: everything is kept, and it can go on later.",
     .args = {CRAWL_ARG}},
    {TOOL("mark", "Mark a page", TOOL_WRITE, "mark", NULL),
     .help = "Says whether a page is about the topic. Models that learn take it as an example.",
     .args = {CRAWL_ARG,
              {.name = "url", .required = true, .help = "the page"},
              {.name = "relevant",
               .type = ARG_CHOICE,
               .required = true,
               .choices = "yes|no|neither",
               .help = "neither takes an earlier mark back"}}},
};

const struct tool *tool_find(const char *name)
{
    for (size_t i = 0; name && i < ARRAY_LEN(tools); i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

enum tool_kind tool_kind(const struct tool *t)
{
    return t->kind;
}

bool tool_changes(const struct tool *t)
{
    return t->kind == TOOL_WRITE || tool_fetches(t);
}

bool tool_fetches(const struct tool *t)
{
    return t->kind == TOOL_CRAWL || t->kind == TOOL_WATCH;
}

/* Does it belong to one crawl, which the argument `crawl` names? */
static bool has_crawl(const struct tool *t)
{
    return t->kind == TOOL_READ || t->kind == TOOL_WRITE;
}

/* ---- the list ------------------------------------------------------------ */

static void put_choices(struct json *j, const char *choices)
{
    struct str rest = str_of(choices), choice;

    json_put_z(j, "type", "string");
    json_open_array(j, "enum");
    while (str_cut(&rest, '|', &choice))
        json_put_str(j, NULL, choice);
    json_close(j);
}

static void put_arg(struct json *j, const struct tool_arg *a)
{
    json_open_object(j, a->name);
    if (a->type == ARG_CHOICE) {
        put_choices(j, a->choices);
    } else if (a->type == ARG_INT) {
        json_put_z(j, "type", "integer");
        json_put_int(j, "minimum", a->min);
        json_put_int(j, "maximum", a->max);
        json_put_int(j, "default", a->fallback);
    } else if (a->type == ARG_LIST) {
        json_put_z(j, "type", "array");
        json_put_int(j, "maxItems", LIMIT_MCP_SEEDS);
        json_open_object(j, "items");
        json_put_z(j, "type", "string");
        json_close(j);
    } else {
        json_put_z(j, "type", "string");
    }
    json_put_z(j, "description", a->help);
    json_close(j);
}

static void put_schema(struct json *j, const struct tool *t)
{
    json_open_object(j, "inputSchema");
    json_put_z(j, "type", "object");
    json_open_object(j, "properties");
    for (const struct tool_arg *a = t->args; a->name; a++)
        put_arg(j, a);
    json_close(j);
    json_open_array(j, "required");
    for (const struct tool_arg *a = t->args; a->name; a++)
        if (a->required)
            json_put_z(j, NULL, a->name);
    json_close(j);
    json_put_bool(j, "additionalProperties", false);
    json_close(j);
}

void tools_put(struct json *j, bool changes)
{
    for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
        const struct tool *t = &tools[i];

        if (tool_changes(t) && !changes)
            continue;
        json_open_object(j, NULL);
        json_put_z(j, "name", t->name);
        json_put_z(j, "title", t->title);
        json_put_z(j, "description", t->help);
        put_schema(j, t);
        json_open_object(j, "annotations");
        json_put_bool(j, "readOnlyHint", !tool_changes(t));
        json_put_bool(j, "destructiveHint", false);
        json_put_bool(j, "openWorldHint", tool_fetches(t));
        json_close(j);
        json_close(j);
    }
}

/* ---- a call -------------------------------------------------------------- */

static const struct tool_arg *find_arg(const struct tool *t, const char *name)
{
    for (const struct tool_arg *a = t->args; a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

static enum status check_names(const struct tool *t, const json_t *args)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)args, name, value)
    {
        if (find_arg(t, name) == NULL)
            return status_fail(ST_USAGE, "%s has no argument '%.100s'", t->name, name);
    }
    for (const struct tool_arg *a = t->args; a->name; a++)
        if (a->required && json_object_get(args, a->name) == NULL)
            return status_fail(ST_USAGE, "%s: %s is missing", t->name, a->name);
    return ST_OK;
}

static enum status text_of(const struct tool_arg *a, const json_t *value, const char **ret)
{
    if (!json_is_string(value) || json_string_length(value) == 0)
        return status_fail(ST_USAGE, "%s must be a string", a->name);
    if (json_string_length(value) > LIMIT_URL)
        return status_fail(ST_USAGE, "%s may have at most %d bytes", a->name, LIMIT_URL);
    *ret = json_string_value(value);
    return ST_OK;
}

static enum status number_of(const struct tool_arg *a, const json_t *value, int64_t *ret)
{
    *ret = value ? json_integer_value(value) : a->fallback;
    if (value && (!json_is_integer(value) || *ret < a->min || *ret > a->max))
        return status_fail(ST_USAGE, "%s must be a whole number, %lld to %lld", a->name,
                           (long long)a->min, (long long)a->max);
    return ST_OK;
}

/* Adds "--option=value", or only the value if it is not an option. */
static void add_value(struct text_list *to, const struct tool_arg *a, const char *value)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL + 100);

    if (a->option)
        buf_addf(&text, "--%s=", a->option);
    buf_add_z(&text, value);
    text_list_add(to, buf_str(&text));
}

static enum status add_number(struct text_list *to, const struct tool_arg *a, const json_t *value)
{
    char text[32];
    int64_t n;
    enum status st = number_of(a, value, &n);

    (void)snprintf(text, sizeof text, "%lld%s", (long long)n, a->unit ? a->unit : "");
    if (st == ST_OK && *a->option)
        add_value(to, a, text);
    return st;
}

static enum status add_list(struct text_list *to, const struct tool_arg *a, const json_t *value)
{
    enum status st = ST_OK;
    const char *text = NULL;
    const json_t *item;
    size_t i;

    if (value == NULL)
        return ST_OK;
    if (!json_is_array(value) || json_array_size(value) > LIMIT_MCP_SEEDS)
        return status_fail(ST_USAGE, "%s must be a list of at most %d strings", a->name,
                           LIMIT_MCP_SEEDS);
    json_array_foreach(value, i, item)
    {
        st = text_of(a, item, &text);
        if (st != ST_OK)
            return st;
        add_value(to, a, text);
    }
    return ST_OK;
}

/* The i-th word of "a|b|c". */
static struct str nth_word(const char *words, size_t i)
{
    struct str rest = str_of(words), word = STR("");

    for (size_t at = 0; at <= i; at++)
        (void)str_cut(&rest, '|', &word);
    return word;
}

/* Adds a choice; without one, the first that is spelled as an option. */
static enum status add_choice(struct text_list *options, struct text_list *words,
                              const struct tool_arg *a, const json_t *value)
{
    struct str rest = str_of(a->choices), choice, given = str_of(json_string_value(value));

    if (value && !json_is_string(value))
        given = STR("");
    for (size_t i = 0; str_cut(&rest, '|', &choice); i++)
        if (value == NULL || str_eq(choice, given)) {
            text_list_add(a->spelling ? options : words,
                          a->spelling ? nth_word(a->spelling, i) : choice);
            return ST_OK;
        }
    return status_fail(ST_USAGE, "%s must be one of %s", a->name, a->choices);
}

static enum status add_text(struct text_list *options, struct text_list *words,
                            const struct tool_arg *a, const json_t *value)
{
    const char *text = NULL;
    enum status st = value ? text_of(a, value, &text) : ST_OK;

    if (st == ST_OK && value && !(a->option && *a->option == '\0'))
        add_value(a->option ? options : words, a, text);
    return st;
}

static enum status add_arg(struct text_list *options, struct text_list *words,
                           const struct tool_arg *a, const json_t *value)
{
    switch (a->type) {
    case ARG_INT:
        return add_number(options, a, value);
    case ARG_LIST:
        return add_list(options, a, value);
    case ARG_CHOICE:
        return add_choice(options, words, a, value);
    default:
        return add_text(options, words, a, value);
    }
}

static void add_all(struct text_list *to, const struct text_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        text_list_add(to, str_of(from->items[i]));
}

enum status tool_argv(const struct tool *t, const json_t *args, const char *dir,
                      struct text_list *ret)
{
    LOCAL_LIST options = {0}, words = {0};
    LOCAL_BUF out = BUF_INIT(5000);
    enum status st = check_names(t, args);

    for (const struct tool_arg *a = t->args; a->name && st == ST_OK; a++)
        st = add_arg(&options, &words, a, json_object_get(args, a->name));
    if (st == ST_OK && t->command) {
        text_list_add(ret, str_of(t->command));
        if (t->fixed)
            text_list_add(ret, str_of(t->fixed));
        add_all(ret, &options);
        if (tool_fetches(t)) {
            buf_addf(&out, "--out=%s", dir);
            text_list_add(ret, STR("--quiet"));
            text_list_add(ret, buf_str(&out));
        }
        text_list_add(ret, STR("--"));
        if (has_crawl(t))
            text_list_add(ret, str_of(dir));
        add_all(ret, &words);
    }
    return st;
}

int64_t tool_number(const struct tool *t, const json_t *args, const char *name)
{
    const struct tool_arg *a = find_arg(t, name);
    int64_t n = 0;

    return a && number_of(a, json_object_get(args, name), &n) == ST_OK ? n : 0;
}
