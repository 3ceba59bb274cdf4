/* info.c - `brood world info`: what a world is like, measured.
 *
 * In: a world. Out: struct world_info. Seeds of a topic are pages on it whose
 * links lead on into it, front pages first, on different hosts where there are
 * enough: places a person would start from, not the best ones there are.
 *
 * Workload: once a call; 10^5 links take some 0.1 s.
 * SPDX-License-Identifier: MIT
 */
#include "sim/info.h"

#include "base/json.h"
#include "base/mem.h"
#include "sim/graph_measure.h"

#include <math.h>
#include <stdlib.h>

#define SEED_LINKS 4 /* links into its own topic that a good seed has */

static uint32_t links_inside(const struct graph_rows *g, const uint32_t *topic, uint32_t page)
{
    uint32_t n = 0;

    for (uint64_t l = g->off[page]; l < g->off[page + 1]; l++)
        n += topic[g->to[l]] == topic[page];
    return n;
}

static bool host_taken(const struct info_topic *t, const struct world *w, uint32_t page)
{
    for (uint32_t s = 0; s < t->nseeds; s++)
        if (str_find(t->seeds[s], world_entry(w, page)->host, 0) != SIZE_MAX)
            return true;
    return false;
}

/* What a page must be to be taken as a seed. */
struct seed_rule {
    uint32_t links;   /* into its own topic, at least */
    bool front;       /* the front page of its host */
    bool other_hosts; /* on a host that no seed is on */
};

static bool is_front(struct str url)
{
    return str_ends(url, STR("/")) && str_find_char(url, '/', sizeof "https://" - 1) == url.len - 1;
}

static void take_seeds(struct world_info *i, const struct world *w, const struct graph_rows *g,
                       const uint32_t *topic, const struct seed_rule *rule)
{
    for (uint32_t page = 0; page < g->pages; page++) {
        struct info_topic *t = topic[page] == WORLD_NONE ? NULL : &i->topics[topic[page]];
        struct str url = world_entry(w, page)->url;
        bool known = false;

        if (t == NULL || t->nseeds == INFO_SEEDS || (rule->front && !is_front(url)) ||
            (rule->other_hosts && host_taken(t, w, page)) ||
            links_inside(g, topic, page) < rule->links)
            continue;
        for (uint32_t s = 0; s < t->nseeds; s++)
            known = known || str_eq(t->seeds[s], url);
        if (!known)
            t->seeds[t->nseeds++] = url;
    }
}

static void fill_topics(struct world_info *i, const struct world *w, const struct graph_rows *g,
                        const uint32_t *topic)
{
    static const struct seed_rule rules[] = {
        {SEED_LINKS, true, true}, {SEED_LINKS, false, true}, {1, false, false}, {0, false, false}};

    i->ntopics = world_topics(w);
    i->topics = mem_zero(i->ntopics + 1, sizeof *i->topics);
    for (uint32_t t = 0; t < i->ntopics; t++) {
        const struct world_topic *from = world_topic(w, t);

        i->topics[t] =
            (struct info_topic){.name = from->name, .words = from->words, .pages = from->pages};
    }
    for (size_t r = 0; r < ARRAY_LEN(rules); r++)
        take_seeds(i, w, g, topic, &rules[r]);
}

static void measure(struct world_info *i, const struct graph_rows *g, const uint32_t *topic)
{
    uint32_t *degrees = mem_zero(g->pages + 1, sizeof *degrees);

    graph_out_degrees(g, degrees);
    i->out_exponent = graph_exponent(degrees, g->pages);
    graph_in_degrees(g, degrees);
    i->in_exponent = graph_exponent(degrees, g->pages);
    free(degrees);
    i->clustering = graph_clustering(g);
    i->mean_distance = graph_distance(g);
    i->locality = graph_locality(g, topic);
}

enum status world_info(struct world *w, struct world_info *ret)
{
    struct world_info i = {.pages = world_pages(w), .hosts = world_hosts(w)};
    uint64_t *off = NULL;
    uint32_t *to = NULL;
    enum status st = world_links(w, &off, &to, &i.links);

    if (st != ST_OK)
        return st;
    uint32_t *topic = mem_zero(i.pages + 1, sizeof *topic);
    for (uint32_t page = 0; page < i.pages; page++)
        topic[page] = world_entry(w, page)->topic;
    struct graph_rows g = {i.pages, off, to};
    measure(&i, &g, topic);
    fill_topics(&i, w, &g, topic);
    free(topic);
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
    json_put_num(j, "in_exponent", i->in_exponent);
    json_put_num(j, "clustering", i->clustering);
    json_put_num(j, "mean_distance", i->mean_distance);
    json_put_num(j, "locality", i->locality);
    json_close(j);
}
