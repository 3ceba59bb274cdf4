/* bench_log.c - writes the log of a crawl on several machines as other nodes would have: so many URLs,
 * a fifth of them visited (bench/cluster rebuild).
 *
 *     bench_log NATS-URL CRAWL URLS HOSTS
 *
 * Hosts are h0.example and so on; with 0 hosts all URLs are of one domain, and so of one partition.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/batch.h"
#include "cluster/line.h"
#include "parse/url_norm.h"

#include <stdio.h>
#include <stdlib.h>

#define SENDER  77
#define FLIGHT  64
#define VISITED 5 /* one of so many */

static struct line *line;
static struct batch open[PARTITIONS];
static uint64_t numbers[PARTITIONS];
static struct line_letter flight[FLIGHT];
static struct buf bytes[FLIGHT];
static size_t flying;

/* Waits until the bus has all of them. */
static void fly(void)
{
    while (flying > 0) {
        size_t left = 0;

        line_send_all(line, flight, flying);
        for (size_t i = 0; i < flying; i++)
            if (flight[i].number == 0)
                flight[left++] = flight[i];
        flying = left;
    }
    for (size_t i = 0; i < FLIGHT; i++)
        buf_clear(&bytes[i]);
}

static void send(uint32_t part)
{
    if (open[part].count == 0)
        return;
    batch_take(&open[part], SENDER, ++numbers[part], &bytes[flying]);
    flight[flying] = (struct line_letter){
        .part = part, .bytes = buf_str(&bytes[flying]), .behind = LINE_ANYWHERE};
    if (++flying == FLIGHT)
        fly();
}

static void add(uint32_t part, const struct batch_item *item)
{
    batch_add(&open[part], item);
    if (batch_is_full(&open[part]))
        send(part);
}

static void add_url(unsigned long i, unsigned long hosts)
{
    char host[32], url[100];
    struct batch_item link = {.kind = BATCH_LINK,
                              .link = LINK_A,
                              .depth = 3,
                              .relevance = (float)(i % 100) / 100,
                              .words = STR("some twelve words of the text that stands around the "
                                           "link on its page"),
                              .anchor = {5, 8}};
    uint32_t part;

    if (hosts)
        (void)snprintf(host, sizeof host, "h%lu.example", i % hosts);
    else
        (void)snprintf(host, sizeof host, "h%lu.one-domain.example", i % 100);
    (void)snprintf(url, sizeof url, "http://%s/articles/of-some-length-%lu.html", host, i);
    part = partition_of(str_of(host));
    link.url = str_of(url);
    add(part, &link);
    if (i % VISITED == 0)
        add(part, &(struct batch_item){.kind = BATCH_OUTCOME, .key = url_key(link.url)});
}

int main(int argc, char **argv)
{
    unsigned long urls, hosts;

    if (argc != 5 || line_open(argv[1], NULL, argv[2], &line) != ST_OK ||
        line_find(line) != ST_OK) {
        (void)fprintf(stderr, "usage: bench_log NATS-URL CRAWL URLS HOSTS: %s\n", status_text());
        return 2;
    }
    urls = strtoul(argv[3], NULL, 10);
    hosts = strtoul(argv[4], NULL, 10);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_init(&open[p]);
    for (size_t i = 0; i < FLIGHT; i++)
        bytes[i] = BUF_INIT(2 * LIMIT_BATCH);
    for (unsigned long i = 0; i < urls; i++)
        add_url(i, hosts);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        send(p);
        batch_clear(&open[p]);
    }
    fly();
    for (size_t i = 0; i < FLIGHT; i++)
        buf_free(&bytes[i]);
    line_close(line);
    return 0;
}
