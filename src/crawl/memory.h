/* memory.h - what a crawl does as its memory fills: --memory is a ceiling, not a wish.
 *
 *   from      what happens then
 *   70 %      fewer requests at once: as many as MEMORY_REQUEST bytes each leave room for
 *   80 %      visited pages kept for models and the rules of idle hosts are dropped, and what
 *             the allocator keeps for later is given back
 *   95 %      a clean stop: all that was fetched is kept, and `brood resume` goes on
 *
 * Shares of the ceiling:
 *
 *   bodies               a quarter. Only as many are requested at once as fit in it, if they are
 *                        as large as the last complete ones were. While they use more than three
 *                        quarters of it, transfers beyond a megabyte are given up, even if
 *                        nothing arrives any more, so that small pages always pass. They are
 *                        requested again later, LIMIT_BUSY_RETRIES times at most, and their
 *                        host waits longer each time.
 *   known URLs, hosts    a half; then new ones are dropped (queue-full)
 *   robots.txt rules     an eighth
 *   kept pages           an eighth
 *
 * The ceiling is half of what the machine or the control group has, unless --memory says
 * otherwise; a simulated crawl has none by default.
 *
 * The memory in use is what the kernel reports every MEMORY_STEP, plus the growth of bodies since
 * then. Each level is reported once, in the log and in the key `memory`. Thread: the mind.
 */
#pragma once

#include "flow.h"

struct crawl;

enum memory_level { MEMORY_EASY, MEMORY_TIGHT, MEMORY_SCARCE, MEMORY_FULL, MEMORY_LEVELS };

struct memory {
    struct usage usage;
    int statm;           /* the kernel's figures, kept open (usage_open()); 0: not open */
    uint64_t ceiling;    /* bytes; 0: none */
    uint64_t resident;   /* at the last measurement */
    int64_t bodies;      /* counted at that moment */
    int64_t look_at;     /* when the next measurement is due */
    int64_t relieved_at; /* when caches were dropped last */
    double expected;     /* bytes of a reply: the average of the last ones */
    enum memory_level level;
    int64_t reached[MEMORY_LEVELS]; /* when it was first reached; 0: never */
};

/* Sets the ceiling; to be called before the parts are made and before the process is confined.
 * Without this call, as in a simulation, there is none. */
void memory_begin(struct crawl *c);
void memory_end(struct crawl *c);

/* Measures and reacts; to be called once a turn. */
void memory_watch(struct crawl *c);

/* A reply has arrived: the next ones are expected to be as large, unless it broke off or was given
 * up. */
void memory_arrived(struct memory *m, const struct arrival *a);

/* Returns how many of these requests may start now: at least one if none is under way, so that the
 * crawl always goes on. */
uint32_t memory_slots(const struct crawl *c, uint32_t slots);

/* The rules behind these functions, for tests: the level of memory use, and how many requests may
 * start. */
enum memory_level memory_level(const struct memory *m);
uint32_t memory_requests(const struct memory *m, uint32_t under_way, uint32_t slots);

/* Returns a share of the ceiling in bytes: 1/parts of it, at most `most`; `most` if there is no
 * ceiling. */
uint64_t memory_share(const struct crawl *c, unsigned parts, uint64_t most);

/* Posts crawl(key,value) "memory", JSON, with each checkpoint. */
void memory_post(struct crawl *c);
