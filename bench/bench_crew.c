/* bench_crew.c - the cost of judging abilities for a crew in a live crawl.
 *
 *     bench_crew DIR PORT SECONDS SEED... [KEY=VALUE...]
 *
 * Crawls a served world (127.0.0.0/8, PORT) with model crew for so many seconds into DIR,
 * a connection for each of ten crawlers. Prints pages, CPU time of the process (all
 * threads, user and system, during crawl_run()), and the CPU time within crew_judge() (S,
 * two lattices, their likeness, what is kept of them for readers) and crew_sim() (how near
 * a page is). Both are wrapped by the linker, so that the model itself reads no clock;
 * where no call was seen (link-time optimisation can undo the wrapping), it fails.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"
#include "base/os/clock.h"
#include "crawl/crawl.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define CRAWLERS 10

static struct spent {
    uint64_t calls;
    int64_t cpu; /* us */
} judging, nearness;

/* NOLINTBEGIN(bugprone-reserved-identifier): the names that ld --wrap asks for */
void __real_crew_judge(struct model *m, struct desk *d);
void __wrap_crew_judge(struct model *m, struct desk *d);
double __real_crew_sim(struct model *m, const struct percept *p);
double __wrap_crew_sim(struct model *m, const struct percept *p);

void __wrap_crew_judge(struct model *m, struct desk *d)
{
    int64_t begin = clock_cpu_thread();

    __real_crew_judge(m, d);
    judging.cpu += clock_cpu_thread() - begin;
    judging.calls++;
}

double __wrap_crew_sim(struct model *m, const struct percept *p)
{
    int64_t begin = clock_cpu_thread();
    double ret = __real_crew_sim(m, p);

    nearness.cpu += clock_cpu_thread() - begin;
    nearness.calls++;
    return ret;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double cpu_of_process(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
}

static void options_of(char **argv, int argc, struct crawl_options *o)
{
    char resolve[64];

    crawl_options_init(o);
    free(o->model);
    o->model = str_dup(STR("crew"));
    o->out = str_dup(str_of(argv[1]));
    o->words = str_dup(STR("coral reefs"));
    o->duration = strtoll(argv[3], NULL, 10) * US_PER_S;
    o->pages = 0;
    o->connections = CRAWLERS;
    o->per_host = CRAWLERS;
    o->delay = 0;
    o->allow_private = o->no_index = true;
    (void)snprintf(resolve, sizeof resolve, "*:80:127.0.0.0/8:%s", argv[2]);
    text_list_add(&o->resolve, str_of(resolve));
    (void)snprintf(resolve, sizeof resolve, "crawlers=%d", CRAWLERS);
    text_list_add(&o->set, str_of(resolve));
    for (int i = 4; i < argc; i++)
        text_list_add(str_starts(str_of(argv[i]), STR("http")) ? &o->seed : &o->set,
                      str_of(argv[i]));
}

static int print(const struct crawl_status *s, double cpu)
{
    double judged = (double)judging.cpu / 1e6, near = (double)nearness.cpu / 1e6;

    if (judging.calls == 0 || nearness.calls == 0 || s->pages == 0) {
        (void)fprintf(stderr,
                      "bench_crew: nothing was measured: %llu pages, %llu judgements "
                      "(a build with link-time optimisation?)\n",
                      (unsigned long long)s->pages, (unsigned long long)judging.calls);
        return 1;
    }
    (void)printf("%llu pages in %.0f s, %.1f a second; %.2f s of CPU, %.0f us a page\n",
                 (unsigned long long)s->pages, (double)s->elapsed / 1e6,
                 (double)s->pages * 1e6 / (double)s->elapsed, cpu, cpu * 1e6 / (double)s->pages);
    (void)printf("abilities judged %llu times: %.3f s, %.1f ms each: %.2f %% of the CPU time\n",
                 (unsigned long long)judging.calls, judged, judged * 1e3 / (double)judging.calls,
                 100 * judged / cpu);
    (void)printf("nearness of pages: %.3f s, %.1f us each: %.2f %%\n", near,
                 near * 1e6 / (double)nearness.calls, 100 * near / cpu);
    return 0;
}

int main(int argc, char **argv)
{
    struct crawl_options o;
    struct crawl_status s = {0};
    struct crawl *c = NULL;
    double before, cpu = 0;
    enum status st;

    if (argc < 5) {
        (void)fprintf(stderr, "usage: bench_crew DIR PORT SECONDS SEED... [KEY=VALUE...]\n");
        return 2;
    }
    options_of(argv, argc, &o);
    st = crawl_new(&o, &c);
    if (st == ST_OK) {
        before = cpu_of_process();
        st = crawl_run(c, NULL, NULL);
        cpu = cpu_of_process() - before;
        crawl_status(c, &s);
        if (crawl_close(c, NULL, NULL) != ST_OK && st == ST_OK)
            st = ST_IO;
    }
    crawl_options_free(&o);
    if (st != ST_OK) {
        (void)fprintf(stderr, "bench_crew: %s\n", status_text());
        return 1;
    }
    return print(&s, cpu);
}
