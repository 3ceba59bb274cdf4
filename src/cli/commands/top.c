/* top.c - brood top and brood search: ranked pages.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/several.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "store/read/as_json.h"
#include "store/read/query.h"
#include "store/read/snippet.h"
#include "store/store.h"

#include <unistd.h>

#define INDENT     12 /* columns of `rank` and `sure` */
#define TITLE      42 /* columns of a title beside its URL */

/* The answer to a search that found nothing. */
#define WORDS_MOST 8    /* that are looked at */
#define PAGES_MOST 1000 /* that are counted */

struct top_options {
    struct bus_options bus;
    int64_t n;
    bool json;
    bool all_text;
    char *topic; /* NULL: all topics of the crawl */
};

#define AT(field) .offset = offsetof(struct top_options, field)

#define COMMON_OPTIONS                                                          \
    {INT_OPTION("n", n, "N", "20", 1, 1e9), .letter = 'n', .help = "how many"}, \
    {                                                                           \
        FLAG_OPTION("json", json), .help = "as JSON"                            \
    }

static const struct option top_option_table[] = {
    COMMON_OPTIONS,
    {TEXT_OPTION("topic", topic, "NAME"),
     .help = "of a crawl with several topics: rank the pages by this one"},
    BUS_OPTIONS,
    {.name = NULL},
};

static const struct option search_option_table[] = {
    COMMON_OPTIONS,
    {FLAG_OPTION("all-text", all_text), .help = "search menus, notices and footers too"},
    BUS_OPTIONS,
    {.name = NULL},
};

struct top_table {
    const struct top_options *options;
    struct query *query;
    struct buf words; /* that were searched for, or the topic's */
    bool search;
    struct buf out;
    struct json json;
    int64_t rank;
    int64_t unread;      /* rows whose texts are lost */
    enum status trouble; /* with a row */
};

/* Reads the snippet, with the words searched for in brackets. A page whose text is lost has no
 * snippet. */
static void read_snippet(struct top_table *t, const struct query_page *p, struct buf *some,
                         struct buf *why)
{
    enum status st = query_snippet(t->query, p, buf_str(&t->words), some, why);

    if (st != ST_OK)
        buf_clear(some);
    if (st == ST_CORRUPT)
        t->unread++;
    else if (st != ST_OK && st != ST_MISSING)
        t->trouble = st;
    for (size_t i = 0; i < some->len; i++)
        if (some->data[i] == SNIPPET_FROM || some->data[i] == SNIPPET_TO)
            some->data[i] = some->data[i] == SNIPPET_FROM ? '[' : ']';
}

static void row_json(struct top_table *t, const struct query_page *p)
{
    static const enum page_member shown[] = {
        PAGE_URL,    PAGE_TITLE, PAGE_MIME, PAGE_RELEVANCE,  PAGE_P,  PAGE_AGENT,
        PAGE_NUMBER, PAGE_HOST,  PAGE_DATE, PAGE_FETCHED_AT, PAGE_END};
    LOCAL_BUF some = BUF_INIT(KIB(4)), why = BUF_INIT(KIB(4));

    read_snippet(t, p, &some, &why);
    json_open_object(&t->json, NULL);
    json_put_int(&t->json, "rank", t->rank);
    json_put_int(&t->json, "sure", page_sure(p));
    page_put(&t->json, p, shown);
    if (t->search)
        json_put_num(&t->json, "score", p->score);
    if (t->trouble == ST_OK)
        t->trouble = page_topics_put(&t->json, t->query, p->id);
    json_put_str(&t->json, "why", buf_str(&why));
    json_put_str(&t->json, "snippet", buf_str(&some));
    json_close(&t->json);
}

/* Words in lines of `width` columns, each under the title. */
static void add_snippet(struct buf *out, struct str text, size_t width)
{
    LOCAL_BUF clean = BUF_INIT(1 << 16);
    struct str rest, word;
    size_t column = 0;

    report_text(&clean, text, 4 * width);
    rest = buf_str(&clean);
    while (str_cut(&rest, ' ', &word)) {
        size_t wide = utf8_columns(word);

        if (column == 0 || column + 1 + wide > width) {
            buf_addf(out, "\n%*s", INDENT, "");
            column = 0;
        } else {
            buf_add_char(out, ' ');
            column++;
        }
        buf_add_str(out, word);
        column += wide;
    }
}

/* Appends the type of a document that is not a web page, before its title. */
static size_t add_type(struct buf *out, struct str mime)
{
    static const struct {
        struct str type;
        const char *tag;
    } tags[] = {
        {STR("application/pdf"), "[pdf] "},
        {STR("application/epub+zip"), "[epub] "},
        {STR("application/vnd.oasis.opendocument.text"), "[odt] "},
        {STR("application/vnd.openxmlformats-officedocument.wordprocessingml.document"), "[docx] "},
    };

    for (size_t i = 0; i < ARRAY_LEN(tags); i++)
        if (str_eq_i(mime, tags[i].type)) {
            buf_add_z(out, tags[i].tag);
            return strlen(tags[i].tag);
        }
    return 0;
}

/* Appends the host, the date of the document, and the words that it has. */
static void add_facts(struct buf *out, const struct query_page *p, struct str why, size_t width)
{
    LOCAL_BUF line = BUF_INIT(KIB(8));
    char date[CLOCK_TEXT];

    buf_add_str(&line, p->host);
    if (p->date) {
        clock_format(p->date, 0, date);
        buf_addf(&line, ", %.10s", date);
    }
    if (why.len)
        buf_addf(&line, ": %.*s", STR_ARG(why));
    add_snippet(out, buf_str(&line), width);
}

/* URLs are never cut, because users copy them. */
static void row_tall(struct top_table *t, const struct query_page *p)
{
    size_t width = report_width(STDOUT_FILENO) - INDENT - 1;
    LOCAL_BUF some = BUF_INIT(KIB(4)), why = BUF_INIT(KIB(4));

    read_snippet(t, p, &some, &why);
    report_title(&t->out, p->title, p->url, width - add_type(&t->out, p->mime));
    buf_addf(&t->out, "\n%*s", INDENT, "");
    report_text(&t->out, p->url, LIMIT_URL);
    add_facts(&t->out, p, buf_str(&why), width);
    add_snippet(&t->out, buf_str(&some), width);
}

static void row_flat(struct top_table *t, const struct query_page *p)
{
    size_t from = t->out.len, used;

    report_title(&t->out, p->title, p->url, TITLE - add_type(&t->out, p->mime));
    used = utf8_columns(str_sub(buf_str(&t->out), from, t->out.len));
    buf_addf(&t->out, "%*s", (int)(TITLE - used + 1), "");
    report_text(&t->out, p->url, LIMIT_URL);
}

/* A terminal gets some lines for each page, and so does a search; a file or a pipe gets one. */
static void row_text(struct top_table *t, const struct query_page *p)
{
    bool tall = t->search || isatty(STDOUT_FILENO) == 1;

    if (t->rank == 1 && !tall)
        buf_addf(&t->out, "rank  sure  %-*s %s\n", TITLE, "title", "url");
    else if (t->rank == 1)
        buf_add_z(&t->out,
                  "rank  sure  title, url, host and date: its words   (sure: from 0 to 100)\n");
    buf_addf(&t->out, "%4lld  %4d  ", (long long)t->rank, page_sure(p));
    (tall ? row_tall : row_flat)(t, p);
    buf_add_char(&t->out, '\n');
}

static enum status on_row(void *ctx, const struct query_page *p)
{
    struct top_table *t = ctx;

    t->rank++;
    (t->options->json ? row_json : row_text)(t, p);
    return t->trouble;
}

static void on_index(void *ctx, uint64_t done, uint64_t total)
{
    progress_count(ctx, "indexing the full text", done, total);
}

/* `indexed`: the index should be complete by now. */
static enum status open_again(const char *dir, bool indexed, struct query **ret)
{
    uint64_t missing = 0;
    enum status st = query_open(dir, ret);

    if (st != ST_OK || !indexed)
        return st;
    st = query_unindexed(*ret, &missing);
    if (st != ST_OK)
        query_close(*ret);
    else if (missing > 0)
        report_say("brood: the index cannot be read, pages are looked at one by one\n");
    return st;
}

/* A crawl may have left text unindexed (--no-index, or a quick stop). If it cannot be indexed now,
 * because the crawl runs, the search scans the rest itself. */
static enum status open_indexed(const char *dir, struct query **ret)
{
    struct progress progress;
    uint64_t missing = 0;
    enum status st = query_open(dir, ret), made = ST_OK;

    if (st != ST_OK)
        return st;
    st = query_unindexed(*ret, &missing);
    query_close(*ret);
    if (st == ST_OK && missing > 0) {
        progress_init(&progress, false);
        made = store_index(dir, on_index, &progress);
        progress_clear(&progress);
        if (made != ST_OK && missing > LIMIT_SEARCH_REST)
            report_say("brood: %llu pages are not searched, because they have no index: %s\n",
                       (unsigned long long)(missing - LIMIT_SEARCH_REST), status_text());
        else if (made != ST_OK && made != ST_BUSY)
            report_say("brood: this search has no index: %s\n", status_text());
    }
    return st == ST_OK ? open_again(dir, made == ST_OK, ret) : st;
}

/* The words for which pages are listed: those searched for, or the topic's. */
static enum status read_words(struct top_table *t, const char *searched)
{
    enum status st;

    buf_init(&t->words, LIMIT_TOPIC_FILE);
    if (searched) {
        buf_add_z(&t->words, searched);
        return ST_OK;
    }
    st = query_topic_words(t->query, t->options->topic, &t->words);
    return st == ST_MISSING ? ST_OK : st;
}

static enum status find_pages(struct top_table *t, const char *dir, const char *searched)
{
    uint32_t n = (uint32_t)t->options->n;
    enum status st;

    if (searched) {
        st = query_search(t->query, str_of(searched), t->options->all_text, n, on_row, t);
        if (st == ST_CORRUPT)
            st = status_prefix(st, "'brood check %s --mend' rebuilds a damaged full-text index",
                               dir);
        return st;
    }
    if (t->options->topic)
        return query_top_of(t->query, str_of(t->options->topic), n, on_row, t);
    return query_top(t->query, n, on_row, t);
}

/* ---- nothing found ------------------------------------------------------- */

struct near_list {
    struct buf *out;
    bool any;
};

static enum status add_near(void *ctx, struct str word, uint64_t pages)
{
    struct near_list *l = ctx;

    buf_add_z(l->out, l->any ? ", " : "; near it: ");
    report_text(l->out, word, 60);
    buf_add_z(l->out, " (");
    report_count(l->out, pages, "page");
    buf_add_char(l->out, ')');
    l->any = true;
    return ST_OK;
}

/* Returns the word without the syntax of an expression. */
static struct str bare(struct str word)
{
    while (word.len > 0 && strchr("\"(*^:", word.ptr[0]))
        word = str_sub(word, 1, word.len);
    while (word.len > 0 && strchr("\")*:", word.ptr[word.len - 1]))
        word.len--;
    return word;
}

/* For a search that found nothing: if no page has this word, says so, and names words like it that
 * pages do have. */
static enum status look_at(struct query *q, struct str word, struct buf *out, size_t *absent)
{
    struct near_list near = {.out = out};
    uint64_t pages = 0;
    enum status st = query_pages_with(q, word, &pages);

    if (st != ST_OK || pages > 0)
        return st;
    ++*absent;
    buf_add_z(out, "no page has '");
    report_text(out, word, 60);
    buf_add_char(out, '\'');
    st = query_near(q, word, add_near, &near);
    buf_add_char(out, '\n');
    return st;
}

static enum status count_page(void *ctx, const struct query_page *page)
{
    (void)page;
    ++*(uint64_t *)ctx;
    return ST_OK;
}

/* Counts the pages that have it in a menu or a footer. */
static enum status look_elsewhere(struct query *q, struct str words, struct buf *out, bool *ret)
{
    uint64_t pages = 0;
    enum status st = query_search(q, words, true, PAGES_MOST, count_page, &pages);

    *ret = pages > 0;
    if (pages == 0)
        return st;
    report_count(out, pages, "page");
    buf_addf(out, "%s %s it in menus, notices or footers: add --all-text\n",
             pages == PAGES_MOST ? " or more" : "", pages == 1 ? "has" : "have");
    return st;
}

/* Reports how many pages have each word; `indexed`: how many pages were searched. */
static enum status look_at_words(struct query *q, struct str words, uint64_t indexed,
                                 struct buf *out)
{
    size_t absent = 0, seen = 0;
    struct str word;
    enum status st = ST_OK;

    while (st == ST_OK && indexed > 0 && str_cut(&words, ' ', &word)) {
        word = bare(str_trim(word));
        if (word.len > 0 && !query_is_operator(word) && ++seen <= WORDS_MOST)
            st = look_at(q, word, out, &absent);
    }
    if (st == ST_OK && absent == 0 && seen > 1)
        buf_add_z(out,
                  "every word is on some page, but no page has them all: try OR between them\n");
    return st;
}

/* Reports what was searched, and which words are similar. */
static enum status nothing_found(struct query *q, struct str words, bool all_text, struct buf *out)
{
    struct query_stats s;
    bool elsewhere = false;

    TRY(query_stats(q, &s));
    buf_addf(out, "nothing found in title and %stext of ", all_text ? "" : "main ");
    report_count(out, s.indexed, "page");
    buf_add_char(out, '\n');
    if (!all_text)
        TRY(look_elsewhere(q, words, out, &elsewhere));
    return !elsewhere ? look_at_words(q, words, s.indexed, out) : ST_OK;
}

/* ---- the commands -------------------------------------------------------- */

/* Reports that there are no rows. */
static enum status say_nothing(struct top_table *t, const char *searched)
{
    if (t->rank > 0 || t->options->json)
        return ST_OK;
    if (searched)
        return nothing_found(t->query, str_of(searched), t->options->all_text, &t->out);
    buf_add_z(&t->out, "no pages\n");
    return ST_OK;
}

static enum status fill(struct top_table *t, const char *dir, const char *searched)
{
    enum status st = read_words(t, searched);

    json_init(&t->json, &t->out);
    if (t->options->json)
        json_open_array(&t->json, NULL);
    if (st == ST_OK)
        st = find_pages(t, dir, searched);
    if (st == ST_OK)
        st = say_nothing(t, searched);
    if (t->options->json) {
        json_close(&t->json);
        buf_add_char(&t->out, '\n');
    }
    return st;
}

/* `searched`: NULL for the ranked list. */
static int list_pages(struct invocation *in, const char *searched)
{
    struct top_table t = {
        .options = in->options, .search = searched != NULL, .out = BUF_INIT(1 << 30)};
    const char *dir = in->args.items[0];
    enum status st = (searched ? open_indexed : query_open)(dir, &t.query);

    if (st != ST_OK)
        return report_failure(st);
    st = fill(&t, dir, searched);
    query_close(t.query);
    buf_free(&t.words);
    if (t.unread)
        report_say("brood: the texts of %lld of these pages cannot be read ('brood check %s')\n",
                   (long long)t.unread, dir);
    return report_end(st, &t.out);
}

static int top_command(struct invocation *in)
{
    return list_pages(in, NULL);
}

static int search_command(struct invocation *in)
{
    return list_pages(in, in->args.items[1]);
}

const struct command command_top = {
    .name = "top",
    TAKES("DIR…", 1, 1),
    .summary = "list the best pages of a crawl",
    .details =
        "`sure` says how sure brood is that a page is about the topic, from 0 to 100 "
        "(docs/relevance.md). Duplicates and older versions are left out; lists of links and feeds "
        "come after documents. If a crawl has several topics, --topic NAME ranks the pages by one "
        "of them.",
    .example = "brood top solar -n 50",
    OPTIONS(top_option_table, struct top_options),
    .reads_dir = true,
    .several = true,
    .run = top_command,
};

const struct command command_search = {
    .name = "search",
    TAKES("DIR… \"WORDS\"", 2, 2),
    .summary = "search the text of a crawl's pages",
    .details = "Titles and the main texts of pages are searched, without menus and footers. Words "
               "are joined by AND; \"a phrase\", OR, NOT and prefix* work as in SQLite's FTS5. A "
               "word also finds its other forms (reef finds reefs); words in quotes are exact.",
    .example = "brood search solar '\"heat pump\" OR geothermal'",
    OPTIONS(search_option_table, struct top_options),
    .reads_dir = true,
    .several = true,
    .run = search_command,
};
