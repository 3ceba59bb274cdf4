/* memory.c - what a crawl does as its memory fills. SPDX-License-Identifier: MIT */
#include "crawl/memory.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/units.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/look_up.h"
#include "frontier/frontier.h"

#include <malloc.h>
#include <unistd.h>

#define MEMORY_STEP     (50 * US_PER_MS) /* between two measurements */
#define MEMORY_REQUEST  MIB(4)           /* a request's body and page, generously */
#define MEMORY_ARRIVALS 16               /* replies, over which their size is averaged */
#define RELIEVE_STEP    US_PER_S /* caches need time to fill before they are worth dropping */
#define BODIES_LEAST    MIB(48)  /* a page of any size must fit */
#define KEY_MAX         4096

static const struct {
    unsigned percent;
    const char *name, *sentence;
} levels[] = {
    [MEMORY_EASY] = {0, "easy", "there is room"},
    [MEMORY_TIGHT] = {70, "tight", "fewer requests at once"},
    [MEMORY_SCARCE] = {80, "scarce", "caches are dropped"},
    [MEMORY_FULL] = {95, "full", "the crawl stops; everything is kept"},
};

uint64_t memory_share(const struct crawl *c, unsigned parts, uint64_t most)
{
    uint64_t share = c->memory.ceiling / parts;

    return c->memory.ceiling && share < most ? share : most;
}

void memory_begin(struct crawl *c)
{
    struct memory *m = &c->memory;

    m->statm = usage_open();
    m->ceiling = c->options->memory;
    if (m->ceiling == 0)
        m->ceiling = usage_machine() / 2;
    if (m->ceiling > 0)
        m->usage.bodies_most =
            (int64_t)(m->ceiling / 4 > BODIES_LEAST ? m->ceiling / 4 : BODIES_LEAST);
}

void memory_end(struct crawl *c)
{
    if (c->memory.statm > 0)
        (void)close(c->memory.statm);
    c->memory.statm = 0;
}

/* ---- how full ------------------------------------------------------------ */

static uint64_t used_now(const struct memory *m)
{
    int64_t more = usage_now(&m->usage, USAGE_BODIES) - m->bodies;

    return more > 0 ? m->resident + (uint64_t)more : m->resident;
}

static void look(struct crawl *c)
{
    struct memory *m = &c->memory;
    struct frontier_counts f = frontier_counts(c->frontier);

    usage_set(&m->usage, USAGE_ROBOTS, f.bytes_robots);
    usage_set(&m->usage, USAGE_URLS, f.bytes_urls);
    usage_set(&m->usage, USAGE_HOSTS, f.bytes_hosts);
    usage_set(&m->usage, USAGE_QUEUES, f.bytes_queues + post_bytes(c->messages));
    usage_set(&m->usage, USAGE_CACHES, look_up_bytes(c));
    m->bodies = usage_now(&m->usage, USAGE_BODIES);
    m->resident = usage_resident(m->statm);
}

enum memory_level memory_level(const struct memory *m)
{
    uint64_t used = used_now(m);
    enum memory_level level = MEMORY_FULL;

    while (level > MEMORY_EASY && used < m->ceiling / 100 * levels[level].percent)
        level--;
    return level;
}

/* ---- what then ----------------------------------------------------------- */

static void relieve(struct crawl *c)
{
    c->memory.relieved_at = c->now;
    look_up_spare(c);
    frontier_spare(c->frontier);
    (void)malloc_trim(0);
}

static void report(struct crawl *c, enum memory_level level)
{
    struct memory *m = &c->memory;
    char used[UNITS_TEXT], most[UNITS_TEXT];

    if (level == MEMORY_EASY || m->reached[level])
        return;
    m->reached[level] = c->now;
    log_line(c->log, LOG_WARN, c->now, "memory is %s: %s of %s (--memory), %s", levels[level].name,
             units_show_size(used_now(m), used), units_show_size(m->ceiling, most),
             levels[level].sentence);
}

void memory_watch(struct crawl *c)
{
    struct memory *m = &c->memory;

    if (m->ceiling == 0)
        return;
    if (c->now >= m->look_at) {
        m->look_at = c->now + MEMORY_STEP;
        look(c);
    }
    m->level = memory_level(m);
    if (m->level >= MEMORY_SCARCE &&
        (m->level == MEMORY_FULL || c->now - m->relieved_at >= RELIEVE_STEP)) {
        relieve(c);
        look(c);
        report(c, MEMORY_SCARCE);
        m->level = memory_level(m); /* without caches it may not be full */
    }
    report(c, m->level);
}

void memory_arrived(struct memory *m, const struct arrival *a)
{
    if (a->reply.error == FETCH_OK)
        m->expected += ((double)a->counted - m->expected) / MEMORY_ARRIVALS;
}

/* How many more bodies of the expected size fit into the share of bodies? */
static uint32_t bodies_that_fit(const struct memory *m)
{
    int64_t left = m->usage.bodies_most - usage_now(&m->usage, USAGE_BODIES);
    double fit = left > 0 ? (double)left / (m->expected > 1 ? m->expected : 1) : 0;

    return fit < UINT32_MAX ? (uint32_t)fit : UINT32_MAX;
}

/* The bodies of the next requests must fit below the last level. */
static uint32_t requests_that_fit(const struct memory *m)
{
    uint64_t line = m->ceiling / 100 * levels[MEMORY_FULL].percent, used = used_now(m);

    return used < line ? (uint32_t)((line - used) / MEMORY_REQUEST) : 0;
}

/* How many requests may be under way at once. */
static uint32_t requests_most(const struct memory *m)
{
    uint32_t most = bodies_that_fit(m), fit = requests_that_fit(m);

    return m->level >= MEMORY_TIGHT && fit < most ? fit : most;
}

uint32_t memory_requests(const struct memory *m, uint32_t under_way, uint32_t slots)
{
    uint32_t most = m->ceiling ? requests_most(m) : UINT32_MAX, more;

    if (under_way == 0 && most == 0)
        most = 1; /* otherwise the crawl would stand still */
    more = most > under_way ? most - under_way : 0;
    return more < slots ? more : slots;
}

uint32_t memory_slots(const struct crawl *c, uint32_t slots)
{
    return memory_requests(&c->memory, frontier_in_flight(c->frontier), slots);
}

/* ---- telling ------------------------------------------------------------- */

static void put_kind(struct json *j, const char *name, uint64_t now, uint64_t peak)
{
    json_open_object(j, name);
    json_put_int(j, "now", (int64_t)now);
    json_put_int(j, "peak", (int64_t)peak);
    json_close(j);
}

void memory_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {.name = STR("memory")}};
    LOCAL_BUF text = BUF_INIT(KEY_MAX);
    struct memory *m = &c->memory;
    uint64_t peak = usage_resident_peak();
    struct json j;

    look(c);
    json_begin(&j, &text);
    json_put_int(&j, "ceiling", (int64_t)m->ceiling);
    put_kind(&j, "resident", m->resident, peak > m->resident ? peak : m->resident);
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        put_kind(&j, usage_name(k), (uint64_t)usage_now(&m->usage, k),
                 (uint64_t)atomic_load(&m->usage.peak[k]));
    json_open_object(&j, "reached");
    for (enum memory_level l = MEMORY_TIGHT; l < MEMORY_LEVELS; l++)
        json_put_time(&j, levels[l].name, m->reached[l]);
    json_close(&j);
    json_close(&j);
    e.key.value = buf_str(&text);
    bus_post(c->bus, &e);
}
