/* bench_large.c - one crawl that knows millions of URLs, without a network.
 *
 *     bench_large DIR PAGES [MODEL [HOSTS [CHILDREN]]]    crawls PAGES pages of 120 words
 *     bench_large --resume DIR                            goes on for 200 pages more
 *
 * The web is a tree: each page links to ten new pages, or CHILDREN, so that ten times as many URLs
 * are known as pages are fetched, and to four that are known. It is computed from the number in the
 * URL, by a `struct fetch_ops` that stands in for fetch/web.c; everything behind it is the crawl
 * as it is: digestion, frontier, model, store, archive, index.
 *
 * Prints a row for each hundredth of the pages, tab separated (see columns[]); then, or after
 * --resume, lines of a name and a figure. A pause is the time between two calls of take(): what the
 * mind does meanwhile is handing out requests, hearing of pages, and making checkpoints.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/usage.h"
#include "crawl/crawl.h"
#include "fetch/fetch.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define KNOWN      4 /* links to URLs that are known */
#define WORDS      120
#define VOCABULARY 300000
#define SLOTS      64
#define ROWS       100
#define MORE       200 /* pages after a resume */

static uint32_t hosts = 20000, children = 10;

/* ---- the web --------------------------------------------------------------- */

static uint64_t parent(uint64_t n)
{
    return (n + children - 2) / children;
}

/* Three of four pages are on the host of the page that names them. */
static uint32_t host_of(uint64_t n)
{
    while (n > 1 && hash_u64(n) % 4 != 0)
        n = parent(n);
    return (uint32_t)(hash_u64(n ^ 0x5eed) % hosts);
}

/* A word by its rank, of two to six letters. */
static void put_word(struct buf *out, uint64_t rank)
{
    static const char consonants[] = "bcdfghklmnprstvz", vowels[] = "aeiou";

    do {
        buf_add_char(out, consonants[rank % 16]);
        buf_add_char(out, vowels[rank / 16 % 5]);
        rank /= 80;
    } while (rank > 0);
}

/* Ranks are as rare as they are high: Zipf's law. */
static uint64_t word_of(uint64_t n, uint64_t i)
{
    double u = (double)(hash_u64(n * 1000 + i) >> 11) * 0x1p-53;

    return (uint64_t)exp(u * log(VOCABULARY));
}

static void put_url(struct buf *out, uint64_t n)
{
    buf_addf(out, "http://h%05u.example/", host_of(n));
    put_word(out, word_of(n, 1001));
    buf_add_char(out, '/');
    put_word(out, word_of(n, 1002));
    buf_add_char(out, '-');
    put_word(out, word_of(n, 1003));
    buf_addf(out, "-%llu.html", (unsigned long long)n);
}

static void put_link(struct buf *out, uint64_t n)
{
    buf_add_z(out, "<li><a href=\"");
    put_url(out, n);
    buf_add_z(out, "\">");
    put_word(out, word_of(n, 0));
    buf_add_char(out, ' ');
    put_word(out, word_of(n, 1));
    buf_add_z(out, "</a>\n");
}

static void put_page(struct buf *out, uint64_t n)
{
    buf_add_z(out, "<!DOCTYPE html><html lang=en><head><title>");
    put_word(out, word_of(n, 0));
    buf_addf(out, " %llu</title></head><body><p>", (unsigned long long)n);
    for (uint64_t i = 0; i < WORDS; i++) {
        put_word(out, word_of(n, i));
        buf_add_z(out, i % 40 == 39 ? ".</p>\n<p>" : " ");
    }
    if (hash_u64(host_of(n)) % 8 == 0 || hash_u64(n) % 50 == 0)
        buf_add_z(out, "Coral reefs are built by corals, and reef fishes live there.");
    buf_add_z(out, "</p><ul>\n");
    for (uint64_t i = 0; i < children; i++)
        put_link(out, (n - 1) * children + 2 + i);
    put_link(out, parent(n) ? parent(n) : 1);
    for (uint64_t i = 1; i < KNOWN; i++)
        put_link(out, 1 + hash_u64(n * KNOWN + i) % n);
    buf_add_z(out, "</ul></body></html>\n");
}

/* ---- struct fetch_ops, in place of fetch/web.c ------------------------------- */

static struct stub {
    struct fetch_config config;
    struct request *open[SLOTS];
    unsigned count;
    struct fetch_counts counts;
    int64_t left_at, left_cpu;    /* when take() returned */
    int64_t pause, pause_cpu;     /* the longest, us, since the last row */
    int64_t longest, longest_cpu; /* since the start */
    uint64_t beyond;              /* pauses of more than 100 ms of CPU */
    int64_t stub_cpu;             /* us spent on making the pages */
} stub;

static enum status stub_start(const struct fetch_config *config, void **ret_self)
{
    stub = (struct stub){.config = *config};
    *ret_self = &stub;
    return ST_OK;
}

static unsigned stub_slots(void *self)
{
    (void)self;
    return SLOTS - stub.count;
}

static bool stub_submit(void *self, struct request *r)
{
    (void)self;
    if (stub.count == SLOTS)
        return false;
    stub.open[stub.count++] = r;
    return true;
}

static void answer_page(struct arrival *a)
{
    struct str href = a->request->href;
    const char *number = href.ptr + href.len;
    int64_t begin = clock_cpu_thread();

    while (number > href.ptr && number[-1] != '-')
        number--;
    a->reply.status = 200;
    a->reply.sent = arena_str(&a->memory, STR("GET / HTTP/1.1\r\nHost: h.example\r\n\r\n"));
    a->reply.head = arena_str(
        &a->memory, STR("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"));
    a->reply.content_type = STR("text/html; charset=utf-8");
    put_page(&a->reply.body, strtoull(number, NULL, 10));
    stub.counts.bytes += a->reply.body.len;
    stub.stub_cpu += clock_cpu_thread() - begin;
}

static struct arrival *answer(struct request *r)
{
    struct arrival *a = arrival_new(r);
    uint64_t host = hash_str(r->host);

    a->usage = stub.config.usage;
    a->reply.started_at = a->reply.sent_at = a->reply.first_byte_at = clock_now();
    a->reply.peer = r->address;
    if (r->kind == REQUEST_RESOLVE) {
        a->reply.peer = (struct address){.family = 4, .bytes = {10}};
        memcpy(a->reply.peer.bytes + 1, &host, 3);
    } else if (r->kind == REQUEST_ROBOTS) {
        a->reply.status = 404;
    } else {
        answer_page(a);
        stub.config.digest(stub.config.digest_ctx, 0, a);
    }
    arrival_count(a);
    a->reply.done_at = clock_now();
    stub.counts.requests++;
    return a;
}

static void more(int64_t *most, int64_t value)
{
    *most = value > *most ? value : *most;
}

static void note_pause(void)
{
    int64_t pause = clock_now() - stub.left_at, cpu = clock_cpu_thread() - stub.left_cpu;

    if (stub.left_at == 0)
        return;
    more(&stub.pause, pause);
    more(&stub.pause_cpu, cpu);
    more(&stub.longest, pause);
    more(&stub.longest_cpu, cpu);
    stub.beyond += cpu > 100 * US_PER_MS;
}

static size_t stub_take(void *self, struct arrival **ret, size_t max, int64_t wait_us)
{
    size_t n = stub.count < max ? stub.count : max;

    (void)self;
    note_pause();
    for (size_t i = 0; i < n; i++)
        ret[i] = answer(stub.open[i]);
    memmove(stub.open, stub.open + n, (stub.count - n) * sizeof *stub.open);
    stub.count -= (unsigned)n;
    if (n == 0 && wait_us > 0)
        clock_sleep(wait_us < US_PER_MS ? wait_us : US_PER_MS);
    stub.left_at = clock_now();
    stub.left_cpu = clock_cpu_thread();
    return n;
}

static void stub_wake(void *self)
{
    (void)self; /* it never waits long */
}

static int64_t stub_now(void *self)
{
    (void)self;
    return clock_now();
}

static struct fetch_counts stub_counts(void *self)
{
    (void)self;
    stub.counts.in_flight = stub.count;
    return stub.counts;
}

static void stub_stop(void *self)
{
    (void)self;
    for (unsigned i = 0; i < stub.count; i++)
        free(stub.open[i]);
    stub.count = 0;
}

const struct fetch_ops fetch_web = {
    .name = "large",
    .start = stub_start,
    .submit = stub_submit,
    .slots = stub_slots,
    .take = stub_take,
    .wake = stub_wake,
    .now = stub_now,
    .counts = stub_counts,
    .stop = stub_stop,
};

/* ---- rows -------------------------------------------------------------------- */

static const char *const columns[] = {"pages",    "urls",         "rss_mb",
                                      "cpu_s",    "mind_cpu_s",   "stub_cpu_s",
                                      "pause_ms", "pause_cpu_ms", "wall_s"};

struct rows {
    uint64_t step, next;
    int statm;
    int64_t begun;
};

static double cpu_of_process(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void row(void *ctx, const struct crawl_status *s)
{
    struct rows *r = ctx;

    if (s->pages < r->next)
        return;
    r->next = s->pages - s->pages % r->step + r->step;
    (void)printf("%llu\t%u\t%.1f\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t%.1f\n",
                 (unsigned long long)s->pages, s->urls, (double)usage_resident(r->statm) / 1e6,
                 cpu_of_process(), (double)clock_cpu_thread() / 1e6, (double)stub.stub_cpu / 1e6,
                 (double)stub.pause / 1e3, (double)stub.pause_cpu / 1e3,
                 (double)(clock_now() - r->begun) / 1e6);
    (void)fflush(stdout);
    stub.pause = stub.pause_cpu = 0;
}

static void figure(const char *name, double value)
{
    (void)printf("# %s\t%.3f\n", name, value);
    (void)fflush(stdout);
}

/* The memory that the crawl reports, by kind, and the memory that the allocator gave. */
static void figures_of_memory(void)
{
    struct mallinfo2 m = mallinfo2();

    for (enum usage_kind k = 0; k < USAGE_KINDS; k++) {
        char name[40];

        (void)snprintf(name, sizeof name, "%s_mb", usage_name(k));
        figure(name, (double)usage_now(stub.config.usage, k) / 1e6);
    }
    figure("allocated_mb", (double)(m.uordblks + m.hblkhd) / 1e6);
    figure("allocator_keeps_mb", (double)m.fordblks / 1e6);
}

static enum status run(struct crawl *c, uint64_t pages)
{
    struct rows r = {
        .step = pages / ROWS ? pages / ROWS : 1, .statm = usage_open(), .begun = clock_now()};
    struct crawl_status s;
    enum status st;
    int64_t end;
    double cpu;

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        (void)printf("%s%s", i ? "\t" : "", columns[i]);
    (void)printf("\n");
    st = crawl_run(c, row, &r);
    crawl_status(c, &s);
    r.next = 0;
    row(&r, &s);
    figures_of_memory();
    end = clock_now();
    cpu = cpu_of_process();
    if (crawl_close(c, NULL, NULL) != ST_OK && st == ST_OK)
        st = ST_IO;
    figure("longest_pause_ms", (double)stub.longest / 1e3);
    figure("longest_pause_cpu_ms", (double)stub.longest_cpu / 1e3);
    figure("pauses_beyond_100_ms", (double)stub.beyond);
    figure("close_s", (double)(clock_now() - end) / 1e6);
    figure("close_cpu_s", cpu_of_process() - cpu);
    figure("peak_rss_mb", (double)usage_resident_peak() / 1e6);
    return st;
}

static enum status begin(char **argv, int argc, struct crawl_options *o)
{
    struct buf seed = BUF_INIT(LIMIT_URL);
    struct crawl *c;
    enum status st;

    o->out = str_dup(str_of(argv[1]));
    o->pages = strtoll(argv[2], NULL, 10);
    if (argc > 3) {
        free(o->model);
        o->model = str_dup(str_of(argv[3]));
    }
    o->words = str_dup(STR("coral reefs"));
    o->contact = str_dup(STR("bench@example.org")); /* there is no terminal to ask */
    o->delay = o->host_budget = o->host_urls = 0;
    o->per_host = o->connections = SLOTS;
    o->allow_private = true;
    put_url(&seed, 1);
    text_list_add(&o->seed, buf_str(&seed));
    buf_free(&seed);
    st = crawl_new(o, &c);
    return st == ST_OK ? run(c, (uint64_t)o->pages) : st;
}

static enum status resume(const char *dir, struct crawl_options *o)
{
    int64_t begun = clock_now();
    double cpu = cpu_of_process();
    struct crawl_status s;
    struct crawl *c;
    enum status st = crawl_options_read(dir, true, NULL, o);

    if (st != ST_OK)
        return st;
    o->pages += MORE;
    st = crawl_resume(dir, o, &c);
    if (st != ST_OK)
        return st;
    figure("resume_s", (double)(clock_now() - begun) / 1e6);
    figure("resume_cpu_s", cpu_of_process() - cpu);
    crawl_status(c, &s);
    figure("resume_urls", s.urls);
    return run(c, MORE);
}

int main(int argc, char **argv)
{
    struct crawl_options o;
    enum status st;

    if (argc < 3) {
        (void)fprintf(stderr,
                      "usage: bench_large DIR PAGES [MODEL [HOSTS [CHILDREN]]] | --resume DIR\n");
        return 2;
    }
    if (argc > 4)
        hosts = (uint32_t)strtoul(argv[4], NULL, 10);
    if (argc > 5)
        children = (uint32_t)strtoul(argv[5], NULL, 10);
    (void)mallopt(M_ARENA_MAX, 1); /* as the program itself does (cli/main.c) */
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
    (void)mallopt(M_MMAP_THRESHOLD, 8 << 20);
    (void)mallopt(M_TOP_PAD, 1 << 20);
    crawl_options_init(&o);
    st = strcmp(argv[1], "--resume") == 0 ? resume(argv[2], &o) : begin(argv, argc, &o);
    crawl_options_free(&o);
    if (st != ST_OK)
        (void)fprintf(stderr, "bench_large: %s\n", status_text());
    return st != ST_OK;
}
