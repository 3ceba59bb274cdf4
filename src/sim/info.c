/* info.c - `brood world info`: measures the properties of a world.
 *
 * In: a world. Out: struct world_info. Seeds of a topic are pages on it whose
 * links lead on into it, front pages first, on different hosts if there are enough: pages from
 * which a person would start, not the best ones.
 *
 * Workload: once a call; 10^5 links take some 0.1 s.
 * SPDX-License-Identifier: MIT
 */
#include "sim/info.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "sim/archived.h"
#include "sim/graph_measure.h"

#include <math.h>
#include <stdlib.h>

/* ---- a world that moves -------------------------------------------------- */

#define DAY ((double)US_PER_S * 86400)

/* What is known of a page so far; versions are read in order of time. */
struct page_life {
    uint32_t versions; /* of the whole world */
    uint32_t seen;     /* of them */
    uint32_t changes;
    uint64_t last; /* bare hash of the last one seen */
    int64_t since; /* since when it exists; INT64_MIN: it does not */
};

struct watcher {
    const struct world *world;
    struct archived answer;
    struct buf bare;
    struct arena memory;
    struct page_life *lives; /* by page */
    const struct world_end *ends;
    uint32_t nends, next_end;
    struct info_time *t;
};

/* The hash of a version's payload without stamps; 0 where it cannot be read. */
static uint64_t bare_hash(struct watcher *w, uint32_t version)
{
    struct str payload;

    arena_reset(&w->memory);
    if (archived_read(&w->answer, version, &w->memory) != ST_OK ||
        !archived_decode(&w->answer, &payload))
        return 0;
    return archived_bare_hash(payload, &w->bare);
}

static int64_t inside(const struct info_time *t, int64_t at)
{
    return at < t->begin ? t->begin : at > t->end ? t->end : at;
}

static void stop_life(struct watcher *w, struct page_life *l, int64_t at)
{
    if (l->since != INT64_MIN)
        w->t->page_days += (double)(inside(w->t, at) - inside(w->t, l->since)) / DAY;
    l->since = INT64_MIN;
}

/* Ends up to a moment. */
static void pass_ends(struct watcher *w, int64_t until)
{
    for (; w->next_end < w->nends && w->ends[w->next_end].at <= until; w->next_end++) {
        const struct world_end *e = &w->ends[w->next_end];

        if (e->entry >= world_pages(w->world))
            continue;
        w->t->gone += w->lives[e->entry].since != INT64_MIN && e->at > w->t->begin;
        stop_life(w, &w->lives[e->entry], e->at);
    }
}

static void see(struct watcher *w, uint32_t version)
{
    const struct world_version *v = world_version(w->world, version);
    struct page_life *l = &w->lives[v->entry];
    uint64_t hash = l->versions > 1 ? bare_hash(w, version) : 0;

    pass_ends(w, v->at - 1);
    w->t->versions++;
    w->t->born += l->seen == 0 && v->at > w->t->begin;
    w->t->modified += l->seen > 0;
    l->changes += l->seen > 0 && hash != l->last;
    l->since = l->since == INT64_MIN ? v->at : l->since;
    l->last = hash;
    l->seen++;
}

static void sum_up(struct watcher *w)
{
    struct info_time *t = w->t;
    uint32_t pages = world_pages(w->world), still = 0;

    pass_ends(w, INT64_MAX);
    for (uint32_t i = 0; i < pages; i++) {
        stop_life(w, &w->lives[i], t->end);
        t->changes += w->lives[i].changes;
        still += w->lives[i].changes == 0;
    }
    t->changes_a_day = t->page_days > 0 ? t->changes / t->page_days : NAN;
    t->never_changing = pages ? (double)still / pages : NAN;
}

/* Reads every version of pages that have several. */
static enum status info_time(const struct world *world, struct info_time *ret)
{
    struct info_time t = {.moves = false};
    struct watcher w = {.world = world, .t = &t};

    t.moves = world_moves(world, &t.begin, &t.end);
    *ret = (struct info_time){.moves = false};
    if (!t.moves)
        return ST_OK;
    archived_init(&w.answer, world);
    w.bare = BUF_INIT(LIMIT_DECODED);
    arena_init(&w.memory, MIB(1));
    w.lives = mem_zero((size_t)world_pages(world) + 1, sizeof *w.lives);
    w.ends = world_ends(world, &w.nends);
    for (uint32_t i = 0; i < world_pages(world); i++)
        w.lives[i].since = INT64_MIN;
    for (uint32_t v = 0; v < world_versions(world) && world_version(world, v)->page; v++)
        w.lives[world_version(world, v)->entry].versions++;
    for (uint32_t v = 0; v < world_versions(world) && world_version(world, v)->page; v++)
        see(&w, v);
    sum_up(&w);
    archived_clear(&w.answer);
    buf_free(&w.bare);
    arena_free(&w.memory);
    free(w.lives);
    *ret = t;
    return ST_OK;
}

#define SEED_LINKS 4 /* links into its own topic that a good seed has */

/* The labels of pages: rows of labels, and which page and label the i-th is. */
struct labelling {
    struct graph_labels rows;
    const struct world_label *all;
    uint32_t count;
};

static bool has_label(const struct graph_labels *l, uint32_t page, uint32_t label)
{
    for (uint64_t i = l->off[page]; i < l->off[page + 1]; i++)
        if (l->label[i] == label)
            return true;
    return false;
}

static uint32_t links_inside(const struct graph_rows *g, const struct graph_labels *l,
                             uint32_t page, uint32_t label)
{
    uint32_t n = 0;

    for (uint64_t at = g->off[page]; at < g->off[page + 1]; at++)
        n += has_label(l, g->to[at], label);
    return n;
}

static bool host_taken(const struct info_topic *t, const struct world *w, uint32_t page)
{
    for (uint32_t s = 0; s < t->nseeds; s++)
        if (str_find(t->seeds[s], world_entry(w, page)->host, 0) != SIZE_MAX)
            return true;
    return false;
}

/* The conditions for a page to be taken as a seed. */
struct seed_wish {
    uint32_t links;   /* into its own topic, at least */
    bool front;       /* the front page of its host */
    bool other_hosts; /* on a host that no seed is on */
};

static bool is_front(struct str url)
{
    return str_ends(url, STR("/")) && str_find_char(url, '/', sizeof "https://" - 1) == url.len - 1;
}

static void take_seeds(struct world_info *i, const struct world *w, const struct graph_rows *g,
                       const struct labelling *l, const struct seed_wish *rule)
{
    for (uint32_t n = 0; n < l->count; n++) {
        uint32_t page = l->all[n].entry;
        struct info_topic *t = &i->topics[l->all[n].topic];
        struct str url = world_entry(w, page)->url;
        bool known = false;

        if (page >= g->pages || t->nseeds == INFO_SEEDS || (rule->front && !is_front(url)) ||
            (rule->other_hosts && host_taken(t, w, page)) ||
            links_inside(g, &l->rows, page, l->all[n].topic) < rule->links)
            continue;
        for (uint32_t s = 0; s < t->nseeds; s++)
            known = known || str_eq(t->seeds[s], url);
        if (!known)
            t->seeds[t->nseeds++] = url;
    }
}

static void fill_topics(struct world_info *i, const struct world *w, const struct graph_rows *g,
                        const struct labelling *l)
{
    static const struct seed_wish rules[] = {
        {SEED_LINKS, true, true}, {SEED_LINKS, false, true}, {1, false, false}, {0, false, false}};

    i->ntopics = world_topics(w);
    i->topics = mem_zero(i->ntopics + 1, sizeof *i->topics);
    for (uint32_t t = 0; t < i->ntopics; t++)
        i->topics[t] =
            (struct info_topic){.name = world_topic(w, t)->name, .words = world_topic(w, t)->words};
    for (uint32_t n = 0; n < l->count; n++)
        i->topics[l->all[n].topic].pages += l->all[n].entry < g->pages;
    for (size_t r = 0; r < ARRAY_LEN(rules); r++)
        take_seeds(i, w, g, l, &rules[r]);
}

/* How many pages have degree 0, 1, 2 to 3, 4 to 7 … */
static void count_degrees(const uint32_t *degrees, uint32_t count, uint32_t ret[INFO_DEGREES])
{
    for (uint32_t n = 0; n < count; n++)
        ret[degrees[n] ? 32 - __builtin_clz(degrees[n]) : 0]++;
}

static void measure(struct world_info *i, const struct graph_rows *g, const struct graph_labels *l)
{
    uint32_t *degrees = mem_zero(g->pages + 1, sizeof *degrees);

    graph_out_degrees(g, degrees);
    i->out_exponent = graph_exponent(degrees, g->pages, &i->out_cutoff);
    count_degrees(degrees, g->pages, i->out_degrees);
    graph_in_degrees(g, degrees);
    count_degrees(degrees, g->pages, i->in_degrees);
    i->in_exponent = graph_exponent(degrees, g->pages, &i->in_cutoff);
    free(degrees);
    i->clustering = graph_clustering(g);
    i->mean_distance = graph_distance(g);
    i->locality = graph_label_locality(g, l);
}

/* Labels come by entry, pages first. */
static struct labelling labels_of(const struct world *w, uint32_t pages)
{
    struct labelling l = {.count = 0};
    uint64_t *off = mem_zero((size_t)pages + 2, sizeof *off);
    uint32_t *label;

    l.all = world_labels(w, &l.count);
    label = mem_zero((size_t)l.count + 1, sizeof *label);
    for (uint32_t n = 0; n < l.count; n++) {
        label[n] = l.all[n].topic;
        if (l.all[n].entry < pages)
            off[l.all[n].entry + 1]++;
    }
    for (uint32_t i = 0; i < pages; i++)
        off[i + 1] += off[i];
    l.rows = (struct graph_labels){off, label};
    return l;
}

enum status world_info(struct world *w, struct world_info *ret)
{
    struct world_info i = {.pages = world_pages(w), .hosts = world_hosts(w)};
    uint64_t *off = NULL;
    uint32_t *to = NULL;

    TRY(info_time(w, &i.time));
    TRY(world_links(w, &off, &to, &i.links));
    struct graph_rows g = {i.pages, off, to};
    struct labelling l = labels_of(w, i.pages);
    measure(&i, &g, &l.rows);
    fill_topics(&i, w, &g, &l);
    free((void *)(uintptr_t)l.rows.off);
    free((void *)(uintptr_t)l.rows.label);
    free(off);
    free(to);
    *ret = i;
    return ST_OK;
}

void world_info_clear(struct world_info *i)
{
    free(i->topics);
    *i = (struct world_info){.pages = 0};
}

static void topic_json(const struct info_topic *t, struct json *j)
{
    struct str rest = t->words, word;

    json_open_object(j, NULL);
    json_put_str(j, "name", t->name);
    json_open_array(j, "words");
    while (str_cut(&rest, ' ', &word))
        if (word.len)
            json_put_str(j, NULL, word);
    json_close(j);
    json_put_int(j, "pages", t->pages);
    json_open_array(j, "seeds");
    for (uint32_t s = 0; s < t->nseeds; s++)
        json_put_str(j, NULL, t->seeds[s]);
    json_close(j);
    json_close(j);
}

static void time_json(const struct info_time *t, struct json *j)
{
    char begin[CLOCK_TEXT], end[CLOCK_TEXT];

    if (!t->moves)
        return;
    clock_format(t->begin, 0, begin);
    clock_format(t->end, 0, end);
    json_open_object(j, "time");
    json_put_z(j, "begin", begin);
    json_put_z(j, "end", end);
    json_put_int(j, "versions", t->versions);
    json_put_int(j, "modified", t->modified);
    json_put_int(j, "changes", t->changes);
    json_put_int(j, "born", t->born);
    json_put_int(j, "gone", t->gone);
    json_put_num(j, "page_days", t->page_days);
    json_put_num(j, "changes_a_day", t->changes_a_day);
    json_put_num(j, "never_changing", t->never_changing);
    json_close(j);
}

/* The zeros at the end are left out. */
static void degrees_json(struct json *j, const char *name, const uint32_t degrees[INFO_DEGREES])
{
    int count = INFO_DEGREES;

    while (count > 0 && degrees[count - 1] == 0)
        count--;
    json_open_array(j, name);
    for (int n = 0; n < count; n++)
        json_put_int(j, NULL, degrees[n]);
    json_close(j);
}

void world_info_json(const struct world_info *i, struct json *j)
{
    json_open_object(j, NULL);
    json_put_int(j, "pages", i->pages);
    json_put_int(j, "hosts", i->hosts);
    json_put_int(j, "links", (int64_t)i->links);
    json_open_array(j, "topics");
    for (uint32_t t = 0; t < i->ntopics; t++)
        topic_json(&i->topics[t], j);
    json_close(j);
    json_put_num(j, "out_exponent", i->out_exponent);
    json_put_int(j, "out_cutoff", i->out_cutoff);
    json_put_num(j, "in_exponent", i->in_exponent);
    json_put_int(j, "in_cutoff", i->in_cutoff);
    degrees_json(j, "out_degrees", i->out_degrees);
    degrees_json(j, "in_degrees", i->in_degrees);
    json_put_num(j, "clustering", i->clustering);
    json_put_num(j, "mean_distance", i->mean_distance);
    json_put_num(j, "locality", i->locality);
    time_json(&i->time, j);
    if (i->digest.len)
        json_put_str(j, "digest", i->digest);
    json_close(j);
}
