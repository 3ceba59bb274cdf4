/* stats.c - brood stats: the figures of a crawl and why URLs were dropped.
 * SPDX-License-Identifier: MIT */
#include "agent/outlook.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/os/usage.h"
#include "base/units.h"
#include "cli/commands/commands.h"
#include "cli/several.h"
#include "store/read/query.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what a crawl held in memory, by kind --------------------------------
 *
 * The key `memory` (crawl/memory.h). Nothing is written where a crawl has none. */

#define VALUE_MAX 65536

static const struct {
    const char *name, *shown;
} levels[] = {
    {"tight", "70 %: fewer requests at once"},
    {"scarce", "80 %: caches dropped"},
    {"full", "95 %: stopped"},
};

static json_t *memory_of(struct query *q)
{
    LOCAL_BUF text = BUF_INIT(VALUE_MAX);
    json_t *all = NULL;

    if (query_key(q, "memory", &text) == ST_OK)
        all = json_loadb(text.data ? text.data : "", text.len, 0, NULL);
    return all;
}

static int64_t figure(json_t *all, const char *kind, const char *which)
{
    return json_integer_value(json_object_get(json_object_get(all, kind), which));
}

static bool is_reached(json_t *all, const char *level)
{
    return json_is_string(json_object_get(json_object_get(all, "reached"), level));
}

static void put_kind(struct json *j, json_t *all, const char *kind)
{
    json_open_object(j, kind);
    json_put_int(j, "now", figure(all, kind, "now"));
    json_put_int(j, "peak", figure(all, kind, "peak"));
    json_close(j);
}

static void show_memory_json(struct query *q, struct json *j)
{
    json_t *all = memory_of(q);

    if (all == NULL)
        return;
    json_open_object(j, "memory");
    json_put_int(j, "ceiling", json_integer_value(json_object_get(all, "ceiling")));
    put_kind(j, all, "resident");
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        put_kind(j, all, usage_name(k));
    json_open_array(j, "reached");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (is_reached(all, levels[i].name))
            json_put_z(j, NULL, levels[i].name);
    json_close(j);
    json_close(j);
    json_decref(all);
}

static void show_memory_text(struct query *q, struct buf *out)
{
    json_t *all = memory_of(q);
    char now[UNITS_TEXT], peak[UNITS_TEXT], most[UNITS_TEXT];

    if (all == NULL)
        return;
    buf_addf(out, "memory      %s, at most %s of %s\n           ",
             units_show_size((uint64_t)figure(all, "resident", "now"), now),
             units_show_size((uint64_t)figure(all, "resident", "peak"), peak),
             units_show_size((uint64_t)json_integer_value(json_object_get(all, "ceiling")), most));
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        buf_addf(out, "%s %s %s", k ? "," : "", usage_name(k),
                 units_show_size((uint64_t)figure(all, usage_name(k), "peak"), peak));
    buf_add_z(out, " at most\n");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (is_reached(all, levels[i].name))
            buf_addf(out, "            reached %s\n", levels[i].shown);
    json_decref(all);
}

/* ---- the command --------------------------------------------------------- */

struct stats_options {
    struct bus_options bus;
    bool json;
};

#define AT(field) .offset = offsetof(struct stats_options, field)

static const struct option stats_option_table[] = {
    {FLAG_OPTION("json", json), .help = "as JSON"},
    BUS_OPTIONS,
    {.name = NULL},
};

static enum status count_json(void *ctx, struct str name, uint64_t n)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    json_put_int(ctx, text, (int64_t)n);
    return ST_OK;
}

static enum status drop_text(void *ctx, struct str name, uint64_t n)
{
    buf_addf(ctx, "  %-11.*s %10llu  %s\n", STR_ARG(name), (unsigned long long)n,
             drop_sentence(drop_of_name(name)));
    return ST_OK;
}

static enum status drops_text(struct query *q, struct buf *out)
{
    enum status st;
    size_t before;

    buf_add_z(out, "URLs not taken, and why:\n");
    before = out->len;
    st = query_drops(q, drop_text, out);
    if (out->len == before)
        buf_add_z(out, "  none\n");
    return st;
}

/* The accounts of energy: living + dead + pages + cut = given + earned - burnt, and on several
 * machines + came - left - lost. */
static const struct account_name {
    const char *key, *name, *shown;
} account_names[] = {
    {"energy.living", "living", "of the living"},
    {"energy.dead", "dead", "of the dead"},
    {"energy.pages", "pages", "on pages"},
    {"energy.cut", "cut", "cut at the cap"},
    {"energy.given", "given", "given"},
    {"energy.earned", "earned", "earned"},
    {"energy.burnt", "burnt", "burnt"},
    {"energy.came", "came", "that came from other nodes"},
    {"energy.left", "left", "that left for them"},
    {"energy.lost", "lost", "lost on the way"},
};

static bool account_read(struct query *q, const struct account_name *a, double *ret)
{
    LOCAL_BUF value = BUF_INIT(100);
    bool there = query_key(q, a->key, &value) == ST_OK && value.len > 0;

    if (there)
        *ret = strtod(value.data, NULL);
    return there;
}

static void books_json(struct query *q, struct json *j)
{
    double value;

    if (!account_read(q, &account_names[0], &value))
        return;
    json_open_object(j, "energy");
    for (size_t i = 0; i < ARRAY_LEN(account_names); i++)
        if (account_read(q, &account_names[i], &value))
            json_put_num(j, account_names[i].name, value);
    json_close(j);
}

static void books_text(struct query *q, struct buf *out)
{
    double value;

    for (size_t i = 0; i < ARRAY_LEN(account_names); i++)
        if (account_read(q, &account_names[i], &value))
            buf_addf(out, "%s%.2f %s",
                     i == 0             ? "energy      "
                     : i == 4           ? "\n            = "
                     : i == 7           ? "\n            + "
                     : i == 6 || i == 8 ? " - "
                                        : " + ",
                     value, account_names[i].shown);
    if (account_read(q, &account_names[0], &value))
        buf_add_char(out, '\n');
}

/* Reads how much of the topic is found, if the crawl has an estimate. */
static struct outlook outlook_read(struct query *q)
{
    struct outlook o = {0};

    o.is_known =
        query_total(q, "outlook.found", &o.found) && query_total(q, "outlook.more", &o.more) &&
        query_total(q, "outlook.least", &o.least) && query_total(q, "outlook.most", &o.most) &&
        query_total(q, "outlook.share", &o.share);
    return o;
}

static void outlook_text(struct query *q, struct buf *out)
{
    struct outlook o = outlook_read(q);

    if (!outlook_is_firm(&o))
        return;
    buf_add_z(out, "outlook     ");
    outlook_say(&o, out);
    buf_add_char(out, '\n');
}

/* Writes the numbers of messages between agents, if there are any. */
static enum status messages_json(struct query *q, struct json *j)
{
    struct query_talks t;
    enum status st = query_talks(q, &t);

    if (st != ST_OK || t.messages == 0)
        return st;
    json_put_int(j, "conversations", (int64_t)t.conversations);
    json_put_int(j, "contracts", (int64_t)t.contracts);
    json_open_object(j, "messages");
    st = query_performatives(q, count_json, j);
    json_close(j);
    return st;
}

struct count_list {
    struct buf *out;
    size_t n;
};

static enum status performative_text(void *ctx, struct str name, uint64_t n)
{
    struct count_list *c = ctx;

    buf_add_z(c->out, c->n++ ? ", " : "            ");
    report_text(c->out, name, 40);
    buf_addf(c->out, " %llu", (unsigned long long)n);
    return ST_OK;
}

static enum status messages_text(struct query *q, struct buf *out)
{
    struct count_list c = {.out = out};
    struct query_talks t;
    enum status st = query_talks(q, &t);

    if (st != ST_OK || t.messages == 0)
        return st;
    buf_addf(out, "messages    %llu in ", (unsigned long long)t.messages);
    report_count(out, t.conversations, "conversation");
    buf_add_z(out, ", of them ");
    report_count(out, t.contracts, "contract");
    buf_add_char(out, '\n');
    st = query_performatives(q, performative_text, &c);
    buf_add_char(out, '\n');
    return st;
}

static void key_json(struct query *q, struct json *j, const char *key)
{
    LOCAL_BUF value = BUF_INIT(1 << 20);

    if (query_key(q, key, &value) == ST_OK)
        json_put_str(j, key, buf_str(&value));
}

static enum status topic_total_json(void *ctx, const struct query_topic_total *t)
{
    json_open_object(ctx, NULL);
    json_put_str(ctx, "topic", t->name);
    json_put_int(ctx, "relevant", (int64_t)t->relevant);
    json_put_num(ctx, "mean_relevance", t->mean_relevance);
    json_close(ctx);
    return ST_OK;
}

static enum status topic_total_text(void *ctx, const struct query_topic_total *t)
{
    buf_addf(ctx, "            %.*s: %llu relevant; mean relevance %.4f\n", STR_ARG(t->name),
             (unsigned long long)t->relevant, t->mean_relevance);
    return ST_OK;
}

static enum status stats_json(struct query *q, const struct query_stats *s, struct buf *out)
{
    struct outlook outlook = outlook_read(q);
    double idle = NAN;
    struct json j;
    enum status st;

    json_begin(&j, out);
    key_json(q, &j, "topic");
    key_json(q, &j, "model");
    json_put_int(&j, "pages", (int64_t)s->pages);
    json_put_int(&j, "relevant", (int64_t)s->relevant);
    json_put_num(&j, "relevant_threshold", s->threshold);
    json_put_num(&j, "mean_relevance", s->mean_relevance);
    json_open_array(&j, "topics");
    st = query_topic_totals(q, topic_total_json, &j);
    json_close(&j);
    outlook_put(&outlook, &j);
    key_json(q, &j, "seeds.far");
    json_open_object(&j, "agents");
    json_put_int(&j, "alive", (int64_t)s->alive);
    json_put_int(&j, "born", (int64_t)s->born);
    json_put_int(&j, "died", (int64_t)s->died);
    json_close(&j);
    key_json(q, &j, "confined");
    books_json(q, &j);
    if (st == ST_OK)
        st = messages_json(q, &j);
    json_put_int(&j, "hosts", (int64_t)s->hosts);
    json_put_int(&j, "hosts_met", (int64_t)s->hosts_met);
    if (st == ST_OK)
        st = query_idle(q, &idle);
    json_put_num(&j, "hosts_idle", idle);
    json_put_int(&j, "failed", (int64_t)s->failed);
    json_put_int(&j, "urls", (int64_t)s->urls);
    json_put_int(&j, "untried", (int64_t)s->untried);
    json_put_int(&j, "links", (int64_t)s->links);
    json_put_int(&j, "bytes", (int64_t)s->bytes);
    json_put_int(&j, "received", (int64_t)s->received);
    json_put_num(&j, "seconds", s->seconds);
    show_memory_json(q, &j);
    json_put_int(&j, "duplicates", (int64_t)s->duplicates);
    json_put_int(&j, "hidden", (int64_t)s->hidden);
    json_put_int(&j, "indexed", (int64_t)s->indexed);
    json_open_object(&j, "drops");
    if (st == ST_OK)
        st = query_drops(q, count_json, &j);
    json_end(&j);
    return st;
}

static void add_key(struct query *q, struct buf *out, const char *key, const char *shown)
{
    LOCAL_BUF value = BUF_INIT(1 << 20);

    if (query_key(q, key, &value) == ST_OK && value.len > 0) {
        buf_addf(out, "%-11s ", shown);
        report_text(out, buf_str(&value), 200);
        buf_add_char(out, '\n');
    }
}

static enum status idle_text(struct query *q, struct buf *out)
{
    double idle = NAN;
    enum status st = query_idle(q, &idle);

    if (idle > 0)
        buf_addf(out,
                 "            %.1f stood idle on average: their links promised too little "
                 "(--patience)\n",
                 idle);
    return st;
}

static enum status stats_text(struct query *q, const struct query_stats *s, struct buf *out)
{
    char size[UNITS_TEXT], time[UNITS_TEXT], pages[UNITS_TEXT];
    enum status st;

    add_key(q, out, "topic", "topic");
    add_key(q, out, "model", "model");
    add_key(q, out, "confined", "confined");
    buf_addf(out, "pages       %llu (%llu relevant, from %.2f on; mean relevance %.4f)\n",
             (unsigned long long)s->pages, (unsigned long long)s->relevant, s->threshold,
             s->mean_relevance);
    st = query_topic_totals(q, topic_total_text, out);
    buf_add_z(out, "            ");
    report_count(out, s->duplicates, "duplicate");
    buf_addf(out, ", %llu hidden by noindex, %llu in the full-text index, %llu failed\n",
             (unsigned long long)s->hidden, (unsigned long long)s->indexed,
             (unsigned long long)s->failed);
    outlook_text(q, out);
    add_key(q, out, "seeds.far", "far seeds");
    buf_addf(out, "known URLs  %llu (%llu not tried yet), ", (unsigned long long)s->urls,
             (unsigned long long)s->untried);
    report_count(out, s->links, "link");
    buf_add_char(out, '\n');
    buf_addf(out, "hosts       %llu with pages, %llu met\n", (unsigned long long)s->hosts,
             (unsigned long long)s->hosts_met);
    if (st == ST_OK)
        st = idle_text(q, out);
    buf_addf(out, "agents      %llu alive, %llu born, %llu died\n", (unsigned long long)s->alive,
             (unsigned long long)s->born, (unsigned long long)s->died);
    books_text(q, out);
    if (st == ST_OK)
        st = messages_text(q, out);
    buf_addf(out, "received    %s in %s, pages %s\n", units_show_size(s->received, size),
             units_show_duration((int64_t)(s->seconds * 1e6), time),
             units_show_size(s->bytes, pages));
    show_memory_text(q, out);
    return st == ST_OK ? drops_text(q, out) : st;
}

static int stats_command(struct invocation *in)
{
    const struct stats_options *o = in->options;
    struct buf out = BUF_INIT(16 << 20);
    struct query_stats s;
    LOCAL_QUERY *q = NULL;
    enum status st = query_open(in->args.items[0], &q);

    if (st != ST_OK)
        return report_failure(st);
    st = query_stats(q, &s);
    if (st == ST_OK)
        st = o->json ? stats_json(q, &s, &out) : stats_text(q, &s, &out);
    return report_end(st, &out);
}

const struct command command_stats = {
    .name = "stats",
    TAKES("DIR…", 1, 1),
    .summary = "show the figures of a crawl, and why URLs were dropped",
    OPTIONS(stats_option_table, struct stats_options),
    .reads_dir = true,
    .several = true,
    .run = stats_command,
};
