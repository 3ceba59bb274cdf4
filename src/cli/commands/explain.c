/* explain.c - brood explain: why a link was (not) taken.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/several.h"

#include "base/json.h"
#include "frontier/frontier.h"
#include "store/read/query.h"

#include <math.h>

struct explain_options {
    struct bus_options bus;
    bool json;
};

#define AT(field) .offset = offsetof(struct explain_options, field)

static const struct option explain_option_table[] = {
    {FLAG_OPTION("json", json), .help = "as JSON"},
    BUS_OPTIONS,
    {.name = NULL},
};

/* The data that is shown, gathered before it is written as text or JSON. */
struct story {
    struct query *query;
    struct buf url;
    uint8_t state;
    enum drop drop;
    uint16_t depth;
    uint32_t from_page, page;
    int sure;        /* how sure it is that its page is on the topic, 0 to 100 */
    uint32_t dup_of; /* the page that has the same text; 0: none */
    bool exact;
    double best; /* highest score a parent gave; NAN: none */
    uint64_t parents;
    struct buf via;  /* URL of the first page that named it */
    struct buf use;  /* rules for its use */
    struct buf last; /* the last attempt, for people */
    bool again;      /* it will be tried again */
};

static enum status on_url(void *ctx, const struct query_url *u)
{
    struct story *s = ctx;

    buf_add_str(&s->url, u->url);
    s->state = u->state;
    s->drop = u->drop;
    s->depth = u->depth;
    s->from_page = u->from_page;
    s->page = u->page;
    return ST_OK;
}

static enum status on_parent(void *ctx, const struct query_link *l)
{
    struct story *s = ctx;

    s->parents++;
    if (!isnan(l->score) && (isnan(s->best) || l->score > s->best))
        s->best = l->score;
    if (s->via.len == 0 || l->from_page == s->from_page) {
        buf_clear(&s->via);
        buf_add_str(&s->via, l->from_url);
    }
    return ST_OK;
}

static enum status on_attempt(void *ctx, const struct query_outcome *o)
{
    struct story *s = ctx;

    buf_clear(&s->last);
    s->again = !o->is_final;
    if (o->redirect_to.len)
        buf_addf(&s->last, "it redirects to %.*s", STR_ARG(o->redirect_to));
    else if (o->status)
        buf_addf(&s->last, "the server answered %d", o->status);
    else
        buf_addf(&s->last, "no answer: %.*s", STR_ARG(o->error));
    if (s->drop == DROP_NONE && o->is_final)
        s->drop = o->why;
    return ST_OK;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct story *s = ctx;

    s->sure = page_sure(p);
    s->dup_of = p->dup_of;
    s->exact = p->exact_dup;
    return ST_OK;
}

static const char *const state_names[] = {"known", "waiting", "visited", "gone"};

/* One sentence that answers the question. */
static void verdict(const struct story *s, struct buf *out)
{
    if (s->page && s->dup_of)
        buf_addf(out, "taken: it is page %u, a duplicate of page %u%s", s->page, s->dup_of,
                 s->exact ? ", to the byte" : "");
    else if (s->page)
        buf_addf(out, "taken: it is page %u, and brood is %d %% sure that it is about the topic",
                 s->page, s->sure);
    else if (s->drop != DROP_NONE)
        buf_addf(out, "not taken (%s): %s", drop_name(s->drop), drop_sentence(s->drop));
    else if (s->again)
        buf_addf(out, "waits for another try: %.*s", STR_ARG(buf_str(&s->last)));
    else if (s->last.len)
        buf_addf(out, "visited, no page: %.*s", STR_ARG(buf_str(&s->last)));
    else if (s->state == URL_WAITING)
        buf_add_z(out, "chosen, but the crawl stopped before its host was due");
    else if (s->state == URL_VISITED)
        buf_add_z(out, "visited; it gave links but is no page of its own (a sitemap)");
    else if (isnan(s->best))
        buf_add_z(out, "not taken: it waited in the model's queue when the crawl stopped");
    else
        buf_addf(
            out,
            "not taken: it waited in the model's queue with a score of %.4f when the crawl stopped",
            s->best);
}

static void story_json(const struct story *s, struct str said, struct buf *out)
{
    struct json j;

    json_begin(&j, out);
    json_put_str(&j, "url", buf_str(&s->url));
    json_put_z(&j, "state", s->state < 4 ? state_names[s->state] : "unknown");
    json_put_str(&j, "verdict", said);
    json_put_z(&j, "reason", s->drop != DROP_NONE ? drop_name(s->drop) : NULL);
    json_put_int(&j, "depth", s->depth);
    json_put_int(&j, "page", s->page);
    if (s->dup_of)
        json_put_int(&j, "dup_of", s->dup_of);
    json_put_int(&j, "from_page", s->from_page);
    json_put_str(&j, "from", buf_str(&s->via));
    json_put_int(&j, "parents", (int64_t)s->parents);
    json_put_num(&j, "score", s->best);
    json_put_str(&j, "last_attempt", buf_str(&s->last));
    json_put_str(&j, "use", buf_str(&s->use));
    json_end(&j);
}

static void story_text(const struct story *s, struct str said, struct buf *out)
{
    report_text(out, buf_str(&s->url), 2000);
    buf_add_char(out, '\n');
    report_text(out, said, 2000);
    if (s->depth == 0)
        buf_add_z(out, "\na seed");
    else
        buf_addf(out, "\n%u link%s from a seed", s->depth, s->depth == 1 ? "" : "s");
    if (s->via.len) {
        buf_addf(out, "; named on %llu page%s, first on ", (unsigned long long)s->parents,
                 s->parents == 1 ? "" : "s");
        report_text(out, buf_str(&s->via), 500);
    }
    if (!isnan(s->best))
        buf_addf(out, "; best score %.4f", s->best);
    if (s->last.len) {
        buf_add_z(out, "\nlast attempt: ");
        report_text(out, buf_str(&s->last), 500);
    }
    if (s->use.len)
        buf_addf(out, "\nits owner says of its use: %.*s", STR_ARG(buf_str(&s->use)));
    buf_add_char(out, '\n');
}

/* Explains a URL without a number, which may have been dropped when it was met. */
static int explain_unknown(struct story *s, struct str text, bool as_json)
{
    struct buf out = BUF_INIT(1 << 20), said = BUF_INIT(4096);
    int64_t at;
    enum status st = query_dropped(s->query, text, &s->drop, &at);

    if (st != ST_OK && st != ST_MISSING)
        return report_failure(st);
    buf_add_str(&s->url, text);
    s->state = UINT8_MAX;
    if (s->drop == DROP_NONE)
        buf_add_z(&said, "never met: no page of this crawl links to it");
    else
        verdict(s, &said);
    if (as_json)
        story_json(s, buf_str(&said), &out);
    else
        buf_addf(&out, "%.*s\n%s\n", STR_ARG(text), said.data);
    st = s->drop == DROP_NONE ? ST_MISSING : ST_OK;
    buf_free(&said);
    (void)report_out(&out);
    return st == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

static int explain_command(struct invocation *in)
{
    const struct explain_options *o = in->options;
    struct story s = {.url = BUF_INIT(1 << 16),
                      .via = BUF_INIT(1 << 16),
                      .last = BUF_INIT(1 << 16),
                      .use = BUF_INIT(1 << 12),
                      .best = NAN};
    LOCAL_BUF out = BUF_INIT(1 << 20), said = BUF_INIT(1 << 16);
    uint32_t url;
    int code;
    enum status st = query_open(in->args.items[0], &s.query);

    if (st != ST_OK)
        return report_failure(st);
    if (query_find(s.query, str_of(in->args.items[1]), &url) != ST_OK) {
        code = explain_unknown(&s, str_of(in->args.items[1]), o->json);
    } else {
        st = query_url(s.query, url, on_url, &s);
        if (st == ST_OK)
            st = query_links_to(s.query, url, UINT32_MAX, on_parent, &s);
        if (st == ST_OK)
            st = query_outcomes(s.query, url, on_attempt, &s);
        if (st == ST_OK && s.page)
            st = query_page(s.query, s.page, on_page, &s);
        if (st == ST_OK && s.page)
            st = query_use(s.query, s.page, &s.use);
        verdict(&s, &said);
        (o->json ? story_json : story_text)(&s, buf_str(&said), &out);
        code = st == ST_OK ? report_out(&out) : report_failure(st);
    }
    query_close(s.query);
    buf_free(&s.url);
    buf_free(&s.via);
    buf_free(&s.last);
    buf_free(&s.use);
    return code;
}

const struct command command_explain = {
    .name = "explain",
    TAKES("DIR… URL", 2, 2),
    .summary = "say why a link was taken, or why not",
    .example = "brood explain solar http://example.org/login",
    OPTIONS(explain_option_table, struct explain_options),
    .reads_dir = true,
    .several = true,
    .run = explain_command,
};
