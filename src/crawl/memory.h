/* memory.h - what a crawl does as its memory fills: --memory is a ceiling, not a wish.
 *
 *   from      what happens then
 *   70 %      fewer requests at once: as many as MEMORY_REQUEST bytes each leave room for
 *   80 %      visited pages kept for models and the rules of idle hosts are dropped, and what
 *             the allocator keeps for later is given back
 *   95 %      a clean stop: all that was fetched is kept, and `brood resume` goes on
 *
 * Of the ceiling, bodies may have a quarter: no more are asked for at once than fit in it, as
 * large as the last ones were, none while they hold half of it, and while they hold more
 * those beyond a megabyte are given up, to be asked for again later; known
 * URLs and hosts a half, then new ones are dropped (queue-full); rules of robots.txt and
 * kept pages an eighth each. The ceiling is half of what the machine or the control group
 * has unless --memory says otherwise; a simulated crawl has none by itself.
 *
 * How full it is: what the kernel says every MEMORY_STEP, and between two looks what bodies
 * have gained since. A level is told once, in the log and in the key `memory`.
 * Thread: the mind.
 */
#ifndef CRAWL_MEMORY_H
#define CRAWL_MEMORY_H

#include "flow.h"

struct crawl;

enum memory_level { MEMORY_EASY, MEMORY_TIGHT, MEMORY_SCARCE, MEMORY_FULL, MEMORY_LEVELS };

struct memory {
    struct usage usage;
    int statm;           /* what the kernel says, kept open (usage_open()); 0: not open */
    uint64_t ceiling;    /* bytes; 0: none */
    uint64_t resident;   /* at the last look */
    int64_t bodies;      /* counted then */
    int64_t look_at;     /* when the next look is due */
    int64_t relieved_at; /* when caches were dropped last */
    double expected;     /* bytes of a reply, by the last ones */
    enum memory_level level;
    int64_t reached[MEMORY_LEVELS]; /* when first; 0: never */
};

/* Before the parts are made, and before the process is confined: the ceiling. */
void memory_begin(struct crawl *c);
void memory_end(struct crawl *c);

/* Once a turn. */
void memory_watch(struct crawl *c);

/* What it brought is what the next ones are expected to bring. */
void memory_arrived(struct memory *m, const struct arrival *a);

/* How many of so many requests may start now: one at least where none is under way, so that
 * it always goes on. */
uint32_t memory_slots(const struct crawl *c, uint32_t slots);

/* The rules behind these, for tests: how full it is, and how many may start. */
enum memory_level memory_level(const struct memory *m);
uint32_t memory_requests(const struct memory *m, uint32_t under_way, uint32_t slots);

/* A share of the ceiling in bytes: 1/parts of it, at most `most`; `most` where there is
 * no ceiling. */
uint64_t memory_share(const struct crawl *c, unsigned parts, uint64_t most);

/* crawl(key,value): "memory", JSON, with each checkpoint. */
void memory_post(struct crawl *c);

#endif
