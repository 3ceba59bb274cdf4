/* usage.c - one account of the memory that a crawl holds, by kind.
 * SPDX-License-Identifier: MIT */
#include "base/os/usage.h"

#include "base/buf.h"
#include "base/os/file.h"
#include "base/limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define CGROUPS "/sys/fs/cgroup"

const char *usage_name(enum usage_kind kind)
{
    static const char *const names[] = {
        [USAGE_BODIES] = "bodies", [USAGE_ROBOTS] = "robots", [USAGE_URLS] = "urls",
        [USAGE_HOSTS] = "hosts",   [USAGE_QUEUES] = "queues", [USAGE_CACHES] = "caches",
    };

    return names[kind];
}

static void peak_raise(struct usage *a, enum usage_kind kind, int64_t now)
{
    int64_t peak = atomic_load_explicit(&a->peak[kind], memory_order_relaxed);

    while (now > peak &&
           !atomic_compare_exchange_weak_explicit(&a->peak[kind], &peak, now, memory_order_relaxed,
                                                  memory_order_relaxed))
        ; /* peak is read again */
}

void usage_add(struct usage *a, enum usage_kind kind, int64_t bytes)
{
    if (a == NULL || bytes == 0)
        return;
    peak_raise(a, kind,
               atomic_fetch_add_explicit(&a->now[kind], bytes, memory_order_relaxed) + bytes);
}

void usage_set(struct usage *a, enum usage_kind kind, uint64_t bytes)
{
    atomic_store_explicit(&a->now[kind], (int64_t)bytes, memory_order_relaxed);
    peak_raise(a, kind, (int64_t)bytes);
}

/* ---- what the kernel says -------------------------------------------------- */

int usage_open(void)
{
    return open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

uint64_t usage_resident(int statm)
{
    unsigned long total, resident = 0;
    char text[200] = "";

    if (pread(statm, text, sizeof text - 1, 0) <= 0 ||
        sscanf(text, "%lu %lu", &total, &resident) != 2)
        return 0;
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t usage_resident_peak(void)
{
    struct rusage used;

    return getrusage(RUSAGE_SELF, &used) == 0 ? (uint64_t)used.ru_maxrss * 1024 : 0;
}

/* Returns the lesser of `least` and the number in a file. "max", or no file, means no limit. */
static uint64_t limit_of(const char *path, uint64_t least)
{
    struct buf text = BUF_INIT(100);
    uint64_t value;

    if (file_read(path, &text) == ST_OK && str_to_u64(str_trim(buf_str(&text)), &value) &&
        value > 0 && value < least)
        least = value;
    buf_free(&text);
    return least;
}

/* The limits of our control group and of all above it (version 2). */
static uint64_t limit_of_groups(uint64_t least)
{
    struct buf text = BUF_INIT(KIB(16));
    char path[sizeof CGROUPS + 4096 + 16];
    struct str rest, line;

    if (file_read("/proc/self/cgroup", &text) != ST_OK)
        buf_clear(&text);
    for (rest = buf_str(&text); str_cut(&rest, '\n', &line);) {
        if (!str_starts(line, STR("0::/")) || line.len > 4096)
            continue;
        for (line = str_sub(line, 3, line.len); line.len > 1;) {
            (void)snprintf(path, sizeof path, CGROUPS "%.*s/memory.max", STR_ARG(line));
            least = limit_of(path, least);
            while (line.len > 1 && line.ptr[line.len - 1] != '/')
                line.len--;
            line.len -= line.len > 1;
        }
    }
    buf_free(&text);
    return least;
}

uint64_t usage_machine(void)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), least;

    least = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    least = limit_of_groups(least);
    least = limit_of(CGROUPS "/memory.max", least);
    return limit_of(CGROUPS "/memory/memory.limit_in_bytes", least); /* version 1 */
}
