/* A crawl on several machines is asked while it runs. Skipped by name where there is no
 * nats-server. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Speaks to the server itself: sends a question to the crawl "asked" and hears what comes until
 * `last` has come `times` times. */
static const char *ask_raw(const char *answer_to, const char *question, size_t len,
                           const char *last, int times)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    static char heard[1 << 16];
    size_t have = 0;
    ssize_t n = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *line;

    to.sin_port = htons((uint16_t)atoi(strrchr(bus_url, ':') + 1));
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    line = fdopen(dup(fd), "web");
    assert_non_null(line);
    (void)fprintf(line,
                  "CONNECT {\"verbose\":false}\r\nSUB _INBOX.answers 1\r\n"
                  "PUB brood.asked.ask %s %zu\r\n",
                  answer_to, len);
    (void)fwrite(question, 1, len, line);
    (void)fputs("\r\nPING\r\n", line);
    assert_int_equal(fclose(line), 0);
    while (times > 0 && (n = read(fd, heard + have, sizeof heard - 1 - have)) > 0) {
        int seen = 0;

        have += (size_t)n;
        heard[have] = '\0';
        for (const char *at = heard; (at = strstr(at, last)) != NULL; at++)
            seen++;
        if (seen >= times)
            break;
    }
    assert_true(n > 0);
    (void)close(fd);
    return heard;
}

/* Who may only ask says that the answer belongs into the book. */
static void ask_for_the_book(void)
{
    static const char question[26] = {[0] = 2, [10] = 10}; /* top -n 10 */

    (void)ask_raw("$KV.brood-asked.book", question, sizeof question, "PONG", 1);
}

/* The value of an option that takes none is not another directory to read from. */
static void ask_for_another_directory(void)
{
    const char *more = text("alive=%s\n", dir_of("asked", 1));
    char question[1000] = {[0] = 2, [1] = 3}; /* tree */

    question[22] = (char)strlen(more);
    memcpy(question + 26, more, strlen(more));
    assert_true(strlen(more) < 128);
    assert_says(ask_raw("_INBOX.answers", question, 26 + strlen(more), "\"error\"", 2), "alive");
}

/* A crawl that waits for its hosts is there to be asked, however long that takes. */
static void nodes_that_run_answer_together(void **state)
{
    const char *bus_options[] = {"--nats", bus_url, "--crawl", "asked"};
    struct job *jobs[2];
    struct server *s;
    json_t *stats, *top, *page;
    const char *url;

#define ASK(...) brood(__VA_ARGS__, bus_options[0], bus_options[1], bus_options[2], bus_options[3])
    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    delay = "6s";
    start_nodes(s, "asked", "0", "20s", 2, jobs);
    for (int i = 0; i < 2; i++)
        await(crawl_int_yet(dir_of("asked", i), "SELECT count(*) FROM page") > 0);
    stats = json_of(ASK("stats", "--json").out);
    assert_true(int_at(stats, "pages") >= 2);
    assert_int_equal(int_at(stats, "agents.alive"), 2);
    top = json_of(ASK("top", "-n", "1000", "--json").out);
    assert_true(json_array_size(top) >= 2);
    assert_int_equal(int_at(top, "1.rank"), 2);
    url = text_at(top, "1.url");
    assert_says(ASK("explain", url).out, "taken: it is page");
    assert_says(ASK("show", url).out, url);
    page = json_of(ASK("show", url, "--text", "--json").out);
    assert_true(strlen(text_at(page, "text")) > 0);
    page = json_of(ASK("show", url, "--main", "--json").out);
    assert_true(strlen(text_at(page, "main")) > 0);
    assert_says(ASK("show", url, "--markdown").out, "# "); /* its heading */
    assert_says(ASK("tree").out, "best-first");
    assert_says(ASK("tree", "--depth", "1", "--alive").out, "best-first");
    assert_says(ASK("tree", "--paths").out, "http://");
    assert_refused(ASK("tree", "--paths", "--alive"), 2, "--paths shows pages");
    assert_says(ASK("search", "the", "--all-text").out, "http://");
    assert_refused(ASK("show", "--lattice"), 2, "needs an agent");
    assert_refused(ASK("show", "--conversation"), 1, "no agent of this crawl spoke");
    assert_refused(ASK("show", "--conversation", "5009"), 2, "no node has a conversation");
    assert_says(ASK("search", "the").out, "http://");
    assert_refused(ASK("top", "somewhere"), 2, "takes no directory");
    ask_for_the_book();
    ask_for_another_directory();
    assert_says(ASK("top").out, "http://"); /* it is answered after that one */
    assert_code(brood("nodes", "--nats", bus_url, "--crawl", "asked", "--stop"), 0);
    for (int i = 0; i < 2; i++)
        (void)job_wait(jobs[i]);
    server_stop(s);
    assert_refused(ASK("top"), 1, "no node of this crawl is there");
#undef ASK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_run_answer_together),
    };

    return cmocka_run_group_tests(tests, bus_open, bus_close);
}
