/* The dashboard's form: every mistake is said at once, where it is, in the words of the
 * command line; what is right becomes a crawl or a watch. SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/os/clock.h"
#include "base/os/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *w, *root;
static struct server *server;
static struct board *b;

static int set_up(void **state)
{
    (void)state;
    (void)unsetenv("BROOD_CONTACT");
    w = world("--pages", "200", "--hosts", "4", "--topics", "3");
    server = serve(w);
    root = fresh("crawls");
    assert_int_equal(mkdir(root, 0755), 0);
    b = board("--root", root);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    board_stop(b);
    return 0;
}

static json_t *post(const char *body, int status)
{
    struct answer a = board_post(b, "/api/crawls", body);

    if (a.status != status)
        fail_msg("%d, not %d: %s\n%s", a.status, status, body, a.body);
    return json_of(a.body);
}

/* What is said of a field; NULL: nothing is. */
static const char *said_of(json_t *answer, const char *field)
{
    json_t *all = json_at(answer, "mistakes"), *one;
    size_t i;

    json_array_foreach(all, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "field"));

        if (name && strcmp(name, field) == 0)
            return text_at(one, "error");
    }
    return NULL;
}

#define GOOD "\"topic\":\"reefs\",\"seeds\":[\"http://127.0.0.1:2/\"]"

/* A member that is wrong: it is named, and the sentence is that of the command. */
static void every_field_says_what_is_wrong_with_it(void **state)
{
    static const struct {
        const char *body, *field, *says;
    } cases[] = {
        {"{}", "topic", "what is it to look for?"},
        {"{\"topic\":7}", "topic", "a text"},
        {"{\"topic\":\" .,; \"}", "topic", "the topic has no words"},
        {"{\"topic\":\"x\"}", "seeds", "where is it to start?"},
        {"{\"topic\":\"x\",\"search\":\"http://127.0.0.1:2/?q={}\",\"search_hits\":0}",
         "search_hits", "0"},
        {"{\"topic\":\"x\",\"seeds\":[1]}", "seeds", "has to be a text"},
        {"{\"topic\":\"x\",\"seeds\":[\"http://[bad/\"]}", "seeds",
         "'http://[bad/' is not an http"},
        {"{\"topic\":\"x\",\"seeds\":[\"127.0.0.1:1\",\"hppt://a.example\"]}", "seeds",
         "did you mean http://a.example?"},
        {"{\"topic\":\"x\",\"seeds\":[\"a b\",\"127.0.0.1:1\",\"x:y\",\"mailto:a\"]}", "seeds",
         "'a b' is not an http or https URL (and 2 more)"},
        {"{\"topic\":\"x\",\"seeds\":[\"http://public.example/\"]}", "contact",
         "a crawl of public hosts needs --contact"},
        {"{" GOOD ",\"contact\":\"me\"}", "contact", "'me' is neither a mail address nor a URL"},
        {"{\"topic_file\":\"/nowhere/t\",\"seeds\":[\"127.0.0.1:1\"]}", "topic_file",
         "/nowhere/t: No such file"},
        {"{" GOOD ",\"kind\":\"rm\"}", "kind", "crawl or watch"},
        {"{" GOOD ",\"model\":\"balansed\"}", "model", "did you mean 'balanced'?"},
        {"{" GOOD ",\"model\":\"oracle\"}", "model", "for the lab only"},
        {"{" GOOD ",\"kind\":\"watch\",\"model\":\"best-first\"}", "model",
         "looks at no page twice; those that do: foragers"},
        {"{" GOOD ",\"model\":\"best-first\",\"set\":{\"--out\":\"/tmp\"}}", "set.--out",
         "has no option '--out'"},
        {"{" GOOD ",\"model\":\"best-first\",\"set\":{\"n\":0}}", "set.n",
         "'0' will not do: write a whole number, 1 to 100000"},
        {"{" GOOD ",\"model\":\"best-first\",\"set\":{\"n\":[]}}", "set.n", "a text or a number"},
        {"{" GOOD ",\"model\":\"best-first\",\"set\":3}", "set", "an object"},
        {"{" GOOD ",\"model\":\"balanced\",\"set\":{\"LB\":50,\"UB\":20}}", "set",
         "LB=50 is above UB=20"},
        {"{" GOOD ",\"limits\":{\"pages\":-1}}", "limits.pages", "0 to 4000000000"},
        {"{" GOOD ",\"limits\":{\"pages\":\"many\"}}", "limits.pages", "a whole number"},
        {"{" GOOD ",\"limits\":{\"for\":\"soon\"}}", "limits.for", "'soon' is no duration"},
        {"{" GOOD ",\"limits\":{\"bytes\":\"2Q\"}}", "limits.bytes", "'2Q' is no size"},
        {"{" GOOD ",\"limits\":{\"page\":1}}", "limits.page", "there is no field"},
        {"{" GOOD ",\"limits\":1}", "limits", "an object"},
        {"{" GOOD ",\"delay\":\"2 days\"}", "delay", "is no duration"},
        {"{" GOOD ",\"delay\":\"2d\"}", "delay", "'2d' will not do"},
        {"{" GOOD ",\"relevant\":2}", "relevant", "0 to 1"},
        {"{" GOOD ",\"scope\":\"x.example/*\"}", "scope", "no place to start lies inside"},
        {"{" GOOD ",\"resolve\":[\"nonsense\"]}", "resolve", "'nonsense' is not HOST:PORT:ADDR"},
        {"{" GOOD ",\"allow_private\":\"yes\"}", "allow_private", "true or false"},
        {"{" GOOD ",\"max_age\":\"1d\"}", "max_age", "only a watch"},
        {"{" GOOD ",\"kind\":\"watch\",\"max_age\":\"old\"}", "max_age", "'old' is no duration"},
        {"{" GOOD ",\"kind\":\"watch\",\"changes\":\"few\"}", "changes", "none, dated or all"},
        {"{" GOOD ",\"kind\":\"watch\",\"quiet_hours\":\"night\"}", "quiet_hours", "night"},
        {"{" GOOD ",\"out\":\"/tmp/x\"}", "out", "there is no field"},
        {"{" GOOD ",\"config\":\"/etc/passwd\"}", "config", "there is no field"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *answer = post(cases[i].body, 400);
        const char *said = said_of(answer, cases[i].field);

        if (said == NULL || strstr(said, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].body, json_dumps(answer, 0));
        assert_true(strlen(text_at(answer, "error")) > 0);
    }
    assert_string_equal(run("ls", "-A", root).out, ""); /* nothing was started */
}

/* The first is `error` and `field`; nothing is said twice, and nothing that is right. */
static void all_mistakes_are_said_at_once(void **state)
{
    json_t *a = post("{\"topic\":\"reefs\",\"seeds\":[\"htp:/x\"],\"model\":\"balanced\",\"set\":"
                     "{\"LB\":\"few\",\"UB\":20},\"limits\":{\"for\":\"soon\",\"pages\":5},"
                     "\"contact\":\"me\",\"resolve\":\"x\"}",
                     400);
    static const char *const wrong[] = {"seeds", "set.LB", "limits.for", "contact", "resolve"};

    (void)state;
    assert_int_equal(json_array_size(json_at(a, "mistakes")), 5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_non_null(said_of(a, wrong[i]));
    assert_string_equal(text_at(a, "error"), said_of(a, text_at(a, "field")));
}

/* The same is told without a start; and the command line, as a shell would take it. */
static void a_form_can_be_asked_about(void **state)
{
    struct answer a =
        board_post(b, "/api/crawls/check",
                   "{\"topic\":\"it's a reef\",\"seeds\":[\"127.0.0.1:2/a?b=c&d\"],\"model\":"
                   "\"best-first\",\"set\":{\"n\":\"8\"},\"limits\":{\"for\":\"10m\"},"
                   "\"allow_private\":true}");
    struct answer bad = board_post(b, "/api/crawls/check", "{\"topic\":\"-x y\"}");

    (void)state;
    assert_int_equal(a.status, 200);
    assert_int_equal(json_array_size(json_at(json_of(a.body), "mistakes")), 0);
    assert_string_equal(text_at(json_of(a.body), "command"),
                        "brood crawl 'it'\\''s a reef' --seed '127.0.0.1:2/a?b=c&d' --model "
                        "best-first --set n=8 --for 10m --allow-private");
    assert_int_equal(bad.status, 200);
    assert_non_null(said_of(json_of(bad.body), "seeds"));
    assert_string_equal(text_at(json_of(bad.body), "command"), "brood crawl -- '-x y'");
    assert_string_equal(run("ls", "-A", root).out, "");
}

static const char *form(const char *more)
{
    return text("{\"topic\":\"%s\",\"seeds\":[\"%s\"],\"delay\":0,\"allow_private\":true,"
                "\"resolve\":[\"%s\"],%s}",
                world_words(w, 0), world_seed(w, 0, 0), server->resolve, more);
}

static void what_is_right_is_started_with_its_options(void **state)
{
    json_t *a =
        post(form("\"model\":\"best-first\",\"set\":{\"n\":7},\"limits\":{\"pages\":\"20\"},"
                  "\"scope\":[\"same-site\",\"*\"],\"relevant\":0.125"),
             200);
    const char *id = text_at(a, "id");
    json_t *o;

    (void)state;
    board_await(b, id, "finished");
    o = board_json(b, text("/api/crawls/%s", id));
    assert_int_equal(int_at(o, "pages"), 20);
    assert_string_equal(text_at(o, "kind"), "crawl");
    assert_string_equal(text_at(o, "options.set"), "n=7");
    assert_string_equal(text_at(o, "options.scope"), "same-site\n*");
    assert_string_equal(text_at(o, "options.relevant"), "0.125");
    assert_true(json_is_null(json_at(o, "trouble")));
}

static void what_has_ended_goes_on(void **state)
{
    json_t *a = post(text("{\"topic\":\"%s\",\"seeds\":[\"%s\"],\"limits\":{\"pages\":10},"
                          "\"delay\":\"0\",\"allow_private\":true,\"resolve\":\"%s\"}",
                          world_words(w, 0), world_seed(w, 0, 0), server->resolve),
                     200);
    const char *id = text_at(a, "id"), *path = text("/api/crawls/%s/resume", id);

    (void)state;
    board_await(b, id, "finished");
    assert_int_equal(board_post(b, path, "{\"pages\":-1}").status, 400);
    assert_int_equal(board_post(b, path, "{\"pages\":\"many\"}").status, 400);
    assert_int_equal(crawl_pages(text_at(a, "dir")), 10);
    assert_int_equal(board_post(b, path, "{\"pages\":30}").status, 200);
    await(crawl_pages(text_at(a, "dir")) >= 30);
    board_await(b, id, "finished");
    assert_int_equal(crawl_pages(text_at(a, "dir")), 30);
}

/* A file that has the name of the log loses nothing, and no link is followed. */
static void a_log_that_is_there_is_gone_on_with(void **state)
{
    const char *id, *path, *log, *elsewhere = file_with("elsewhere", "mine\n");
    json_t *a = post(form("\"limits\":{\"pages\":5}"), 200);

    (void)state;
    id = text_at(a, "id");
    log = text_at(a, "log");
    path = text("/api/crawls/%s/resume", id);
    board_await(b, id, "finished");
    assert_int_equal(file_write(log, STR("first\nbrood: an old trouble\n")), ST_OK);
    assert_int_equal(board_post(b, path, "{\"pages\":10}").status, 200);
    await(crawl_pages(text_at(a, "dir")) >= 10);
    board_await(b, id, "finished");
    assert_int_equal(strncmp(file_text(log), "first\nbrood: an old trouble\n==== ", 31), 0);
    assert_true(json_is_null(json_at(board_json(b, text("/api/crawls/%s", id)), "trouble")));

    assert_int_equal(unlink(log), 0);
    assert_int_equal(symlink(elsewhere, log), 0);
    assert_int_not_equal(board_post(b, path, "{\"pages\":15}").status, 200);
    assert_string_equal(file_text(elsewhere), "mine\n");
    assert_int_equal(unlink(log), 0);
    assert_int_equal(mkfifo(log, 0600), 0); /* without a reader: nothing must wait for one */
    assert_int_not_equal(board_post(b, path, "{\"pages\":15}").status, 200);
    assert_int_equal(crawl_pages(text_at(a, "dir")), 10);
}

static void a_watch_is_started(void **state)
{
    json_t *a = post(form("\"kind\":\"watch\",\"max_age\":\"7d\",\"limits\":{\"pages\":10}"), 200);
    const char *id = text_at(a, "id");
    json_t *o;

    (void)state;
    board_await(b, id, "finished");
    o = board_json(b, text("/api/crawls/%s", id));
    assert_string_equal(text_at(o, "kind"), "watch");
    assert_string_equal(text_at(o, "model"), "foragers");
}

/* The row of a crawl in the list. */
static json_t *row_of(const char *id)
{
    json_t *all = board_json(b, "/api/crawls"), *one;
    size_t i;

    json_array_foreach(all, i, one) if (strcmp(text_at(one, "id"), id) == 0) return one;
    fail_msg("%s is not in the list", id);
    return NULL;
}

/* What no check can know: an example that is a URL, which nobody answers. */
static void a_child_that_dies_says_why(void **state)
{
    const char *file = file_with("reefs.topic", "reefs\n+ http://127.0.0.1:2/example\n");
    const char *id;
    json_t *a, *row;

    (void)state;
    a = post(text("{\"topic_file\":\"%s\",\"seeds\":[\"http://127.0.0.1:2/\"],\"allow_private\":"
                  "true}",
                  file),
             200);
    id = text_at(a, "id");
    await(strcmp(text_at(row_of(id), "state"), "starting") != 0);
    row = row_of(id);
    assert_string_equal(text_at(row, "state"), "dead");
    assert_says(text_at(row, "trouble"), "reefs.topic:2: ");
    assert_says(text_at(row, "trouble"), "127.0.0.1:2");
    assert_int_equal(board_get(b, text("/api/crawls/%s", id)).status, 404);
    assert_says(board_get(b, text("/api/crawls/%s", id)).body, "reefs.topic:2: ");
}

/* It began, and had nothing to eat. */
static void a_crawl_that_starves_says_why(void **state)
{
    json_t *a = post("{" GOOD "}", 200);
    const char *id = text_at(a, "id");
    json_t *o = NULL;

    (void)state;
    board_await(b, id, "finished");
    /* it says why when its database is closed */
    await(json_is_string(json_at(o = board_json(b, text("/api/crawls/%s", id)), "trouble")));
    assert_int_equal(int_at(o, "pages"), 0);
    assert_says(text_at(o, "trouble"), "nothing could be fetched. http://127.0.0.1:2/");
    assert_says(text_at(o, "trouble"), "--allow-private");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_says_what_is_wrong_with_it),
        cmocka_unit_test(all_mistakes_are_said_at_once),
        cmocka_unit_test(a_form_can_be_asked_about),
        cmocka_unit_test(what_is_right_is_started_with_its_options),
        cmocka_unit_test(what_has_ended_goes_on),
        cmocka_unit_test(a_log_that_is_there_is_gone_on_with),
        cmocka_unit_test(a_watch_is_started),
        cmocka_unit_test(a_child_that_dies_says_why),
        cmocka_unit_test(a_crawl_that_starves_says_why),
    };

    return cmocka_run_group_tests_name("flow dash start", tests, set_up, tear_down);
}
