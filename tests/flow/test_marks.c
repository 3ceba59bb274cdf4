/* Marks over the control socket: a running crawl's model learns from pages that the user
 * called relevant or not, a resumed one learns them again, and the topic of a later one
 * takes them as its examples. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* One command, one answer; NULL: nobody listens. */
static json_t *ask(const char *dir, const char *command)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const char *line = text("%s\n", command);
    char got[4096];
    size_t have = 0;
    ssize_t n;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true((size_t)snprintf(at.sun_path, sizeof at.sun_path, "%s/control", dir) <
                sizeof at.sun_path);
    if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0) {
        (void)close(fd);
        return NULL;
    }
    assert_int_equal(send(fd, line, strlen(line), MSG_NOSIGNAL), strlen(line));
    while (have + 1 < sizeof got && (have == 0 || got[have - 1] != '\n') &&
           (n = recv(fd, got + have, sizeof got - 1 - have, 0)) > 0)
        have += (size_t)n;
    (void)close(fd);
    got[have] = '\0';
    return json_of(text("%s", got));
}

/* Is the mark the model's? */
static bool mark(const char *dir, const char *url, const char *relevant)
{
    json_t *j = ask(dir, text("{\"do\":\"mark\",\"url\":\"%s\",\"relevant\":%s}", url, relevant));

    assert_non_null(j);
    assert_true(json_is_true(json_at(j, "ok")));
    return json_is_true(json_at(j, "taught"));
}

static bool has_committed(const char *dir, int64_t pages)
{
    json_t *j = ask(dir, "{\"do\":\"status\"}");

    if (j && int_at(j, "committed") >= pages)
        return true;
    if (j) /* a mark hurries the next checkpoint; this one is of no page */
        (void)mark(dir, "http://nowhere.example/", "null");
    return false;
}

/* Three pages of one topic as positive examples, two of each of four others as negative. */
static const char *topic_of(const char *w)
{
    const char *lines = text("%s\n", world_words(w, 0));

    for (size_t i = 0; i < 3; i++)
        lines = text("%s+ %s\n", lines, world_seed(w, 0, i));
    for (size_t t = 1; t <= 4; t++)
        lines = text("%s- %s\n- %s\n", lines, world_seed(w, t, 0), world_seed(w, t, 1));
    return file_with("marks.topic", lines);
}

static const char *page_url(const char *dir, int n)
{
    return crawl_text(dir, text("SELECT url FROM page WHERE NOT hidden ORDER BY id LIMIT 1"
                                " OFFSET %d",
                                n));
}

static int64_t figure(const char *dir, const char *name)
{
    return int_at(json_of(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'model.figures'")),
                  name);
}

static const char *w, *dir;
static struct server *server;

/* Without marks it would be trained once: `retrain` is far away. */
static void a_running_crawl_learns_from_marks(void **state)
{
    struct job *job;
    int64_t committed;

    (void)state;
    w = world("--pages", "1500", "--hosts", "30");
    dir = fresh("marked");
    server = serve(w);
    job = brood_job("crawl", "--topic", topic_of(w), "--out", dir, "--quiet", "--allow-private",
                    "--resolve", server->resolve, "--resolve", server->resolve_tls, "--seed",
                    world_seed(w, 0, 0), "--model", "classifier", "--set", "retrain=1000",
                    "--delay", "100ms", "--no-warc");
    await(has_committed(dir, 10));
    assert_non_null(ask(dir, "{\"do\":\"pause\"}"));
    for (int i = 0; i < 5; i++)
        assert_true(mark(dir, page_url(dir, i), i < 2 ? "true" : "false"));
    assert_true(mark(dir, page_url(dir, 5), "true"));
    assert_true(mark(dir, page_url(dir, 5), "null"));
    assert_false(mark(dir, "http://nowhere.example/", "true")); /* kept, but no page */
    assert_non_null(ask(dir, "{\"do\":\"continue\"}"));
    committed = int_at(ask(dir, "{\"do\":\"status\"}"), "committed");
    await(has_committed(dir, committed + 20));
    assert_non_null(ask(dir, "{\"do\":\"stop\"}"));
    assert_code(job_wait(job), 130);
    assert_int_equal(figure(dir, "marks"), 5);
    assert_true(figure(dir, "trainings") >= 2);
}

static void a_resumed_crawl_knows_its_marks(void **state)
{
    int64_t pages = crawl_pages(dir), trainings = figure(dir, "trainings");

    (void)state;
    assert_says(brood("mark", dir, "http://nowhere.example/", "neither").out,
                "has not met the URL");
    assert_code(brood("resume", dir, "--pages", text("%lld", (long long)pages + 20), "--quiet"), 0);
    assert_int_equal(crawl_pages(dir), pages + 20);
    assert_int_equal(figure(dir, "marks"), 5);
    assert_true(figure(dir, "trainings") > trainings);
    assert_says(file_text(text("%s/crawl.log", dir)), "5 marked pages are examples");
}

/* The server is gone: nothing is asked for. */
static void a_topic_takes_the_marks_of_a_crawl(void **state)
{
    const char *topic = file_with("later.topic", text("marks %s\n", dir));
    const char *page = file_with("page.html", "<p>anything");
    struct ran r;

    (void)state;
    server_stop(server);
    r = brood("topic", "test", topic, page);
    assert_code(r, 0);
    assert_says(r.out, "no words, only examples; measured by a classifier (logistic) from "
                       "2 positive and 3 negative examples");
    topic = file_with("none.topic", "sun\n\nmarks nowhere\n");
    r = brood("topic", "test", topic, page);
    assert_refused(r, 1, text("%s:3: ", topic));
}

static void a_topic_of_unmarked_crawls_says_so(void **state)
{
    const char *topic = file_with("world.topic", text("sun\nmarks %s\n", w));

    (void)state;
    assert_refused(brood("topic", "test", topic, file_with("page.html", "<p>anything")), 2,
                   "no page is marked as relevant or not");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_running_crawl_learns_from_marks),
        cmocka_unit_test(a_resumed_crawl_knows_its_marks),
        cmocka_unit_test(a_topic_takes_the_marks_of_a_crawl),
        cmocka_unit_test(a_topic_of_unmarked_crawls_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
