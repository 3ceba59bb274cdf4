/* inject.c - which call fails. SPDX-License-Identifier: MIT */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 64
#define DEEP  64 /* frames looked at */

extern char __executable_start, etext;

struct shared {
    struct site sites[SITES_MOST];
    size_t order[SITES_MOST]; /* places of sites in the order they were met */
    size_t count;
    bool fired[SLOTS];
};

static struct shared *shared;
static size_t slot;

/* Of this process. */
static bool armed;
static uint32_t scene;
static uint64_t target;
static unsigned target_nth, hits;
static int target_error;
static __thread bool inside;
static __thread int outside; /* frames of the main thread that are ours, not the program's */

/* libseccomp crashes without memory, and takes no other functions for it. */
static char *spared, *spared_end;

static int find_spared(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size, (void)ctx;
    for (int i = 0; strstr(info->dlpi_name, "/libseccomp.so") && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            spared = (char *)info->dlpi_addr + part->p_vaddr;
            spared_end = spared + part->p_memsz;
        }
    }
    return 0;
}

void inject_init(void)
{
    void *warm[4];

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    (void)dl_iterate_phdr(find_spared, NULL);
    (void)backtrace(warm, 4); /* loads what it needs now */
}

void inject_slot(size_t n)
{
    slot = n % SLOTS;
}

void inject_arm(uint32_t of, uint64_t key, unsigned nth, int error)
{
    void *all[DEEP];

    outside = backtrace(all, DEEP) - 1;
    scene = of;
    target = key;
    target_nth = nth;
    target_error = error;
    shared->fired[slot] = false;
    __atomic_store_n(&armed, true, __ATOMIC_SEQ_CST);
}

void inject_disarm(void)
{
    __atomic_store_n(&armed, false, __ATOMIC_SEQ_CST);
}

bool inject_fired(void)
{
    return shared->fired[slot];
}

size_t inject_sites(struct site **ret)
{
    static struct site all[SITES_MOST];
    size_t n = __atomic_load_n(&shared->count, __ATOMIC_SEQ_CST);

    for (size_t i = 0; i < n; i++)
        all[i] = shared->sites[shared->order[i]];
    *ret = all;
    return n;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

bool inject_is_ours(const void *address)
{
    return (const char *)address >= &__executable_start && (const char *)address < &etext;
}

/* False: none of the frames is ours. It is a thread's beginning or end, in libc or ASan. */
static bool name_stack(struct site *s, void *const *frames, int n)
{
    int own = 0;

    s->key = s->own = mix(mix(s->scene + 1, s->kind), (uintptr_t)s->name);
    for (int i = 0; i < n; i++) {
        char *at = frames[i];

        if (i < FRAMES)
            s->key = mix(s->key, (uintptr_t)(s->frames[s->nframes++] = at));
        if (inject_is_ours(at) && own++ < OWN)
            s->own = mix(s->own, (uintptr_t)at);
    }
    s->key |= 1;
    return own > 0;
}

/* The place of a site in the table; made where it is new. SITES_MOST: no room. */
static size_t place(const struct site *s)
{
    for (size_t i = 0; i < SITES_MOST; i++) {
        size_t at = (s->key + i) % SITES_MOST;
        uint64_t is = 0;

        if (__atomic_compare_exchange_n(&shared->sites[at].key, &is, s->key, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            memcpy((char *)&shared->sites[at] + sizeof s->key, (const char *)s + sizeof s->key,
                   sizeof *s - sizeof s->key);
            shared->order[__atomic_fetch_add(&shared->count, 1, __ATOMIC_SEQ_CST)] = at;
            return at;
        }
        if (is == s->key)
            return at;
    }
    return SITES_MOST;
}

static int decide(enum kind kind, const char *name, const int *errors, void *caller)
{
    struct site s = {.scene = scene, .kind = kind, .name = name, .errors = errors};
    void *all[DEEP];
    int n = backtrace(all, DEEP) - outside, first = 0;
    size_t at;

    while (first < n && all[first] != caller)
        first++;
    if (!name_stack(&s, all + first, n - first))
        return 0;
    at = place(&s);
    if (at == SITES_MOST)
        return 0;
    if (target == 0)
        __atomic_add_fetch(&shared->sites[at].calls, 1, __ATOMIC_RELAXED);
    if ((s.key != target && s.own != target) ||
        __atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED) != target_nth)
        return 0;
    shared->fired[slot] = true;
    return target_error;
}

int inject(enum kind kind, const char *name, const int *errors, void *caller)
{
    int saved, error;

    if (!__atomic_load_n(&armed, __ATOMIC_RELAXED) || inside)
        return 0;
    if (kind == KIND_MEMORY && (char *)caller >= spared && (char *)caller < spared_end)
        return 0;
    saved = errno;
    inside = true;
    error = decide(kind, name, errors, caller);
    inside = false;
    if (error == KILLED)
        _exit(KILLED_CODE);
    errno = saved;
    return error;
}

bool inject_pause(bool pause)
{
    bool before = inside;

    inside = pause;
    return before;
}

bool inject_within(const char *library, void *caller)
{
    Dl_info info;

    return armed && dladdr(caller, &info) && strstr(info.dli_fname, library);
}
