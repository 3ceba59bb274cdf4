/* What an agent is made of, on its card: asked of the running crawl, kept when it is
 * killed, told again when it goes on, and there when it has ended.
 * SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/os/clock.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *w, *dir, *id;
static struct server *server;
static struct board *b;

static json_t *card(int64_t agent)
{
    return board_json(b, text("/api/crawls/%s/agent/%lld?n=5", id, (long long)agent));
}

static void steer(const char *what)
{
    assert_int_equal(board_post(b, text("/api/crawls/%s/%s", id, what), "{}").status, 200);
}

static bool has_word(json_t *words, const char *word)
{
    json_t *k;
    size_t i;

    json_array_foreach(words, i, k)
    {
        if (strcmp(text_at(k, "word"), word) == 0)
            return true;
    }
    return false;
}

/* The topic's words, and those that its line took from pages, as these spell them. */
static void assert_words(json_t *words)
{
    json_t *k;
    size_t i;

    assert_true(has_word(words, "hive") && has_word(words, "honey"));
    json_array_foreach(words, i, k)
    {
        const char *word = text_at(k, "word");

        assert_true(num_at(k, "weight") > -2 && num_at(k, "weight") < 2);
        assert_int_not_equal(word[0], '#');
        if (strcmp(word, "hive") != 0 && strcmp(word, "honey") != 0)
            assert_true(crawl_int(dir, text("SELECT count(*) FROM page_content WHERE"
                                            " instr(lower(title || ' ' || text), '%s')",
                                            word)) > 0);
    }
}

static void await_born(int64_t wanted)
{
    await(int_at(board_json(b, text("/api/crawls/%s", id)), "agents.born") >= wanted);
}

static json_t *kept_of(int64_t agent)
{
    return json_of(crawl_text(dir, text("SELECT coalesce(nullif(max(told), ''), '{}') FROM nature"
                                        " WHERE agent_id = %lld",
                                        (long long)agent)));
}

/* Is what the crawl says of it now what was kept of it? So it is after the next checkpoint, once
 * what was under way has come. */
static bool tells_what_is_kept(int64_t agent)
{
    json_t *kept = kept_of(agent), *told = card(agent);

    return json_is_true(json_at(told, "told_live")) && json_equal(json_at(told, "told"), kept);
}

static int64_t newest_child(void)
{
    return crawl_int(dir, "SELECT coalesce(max(id), 1) FROM agent WHERE generation > 0 AND"
                          " died_at IS NULL");
}

static void begin(struct job **ret)
{
    const char *parent = fresh("crawls");

    dir = text("%s/spiders", parent);
    (void)mkdir(parent, 0777);
    b = board("--root", parent);
    *ret = brood_job("crawl", "hive honey", "--seed", world_seed(w, 1, 0), "--seed",
                     world_seed(w, 1, 1), "--out", dir, "--quiet", "--allow-private", "--resolve",
                     server->resolve, "--delay", "100ms", "--model", "infospiders", "--set",
                     "theta=0.05", "--pages", "350");
    id = board_id(b, "spiders");
    board_await(b, id, "running");
}

static void the_words_of_an_agent_are_on_its_card_at_any_time(void **state)
{
    json_t *again, *shown;
    int64_t child, dead;
    struct job *job;
    size_t words;

    (void)state;
    begin(&job);
    await_born(14); /* four children */
    steer("pause");
    board_await(b, id, "paused");
    await(tells_what_is_kept(child = newest_child()));
    assert_words(json_at(card(child), "told.keywords"));
    assert_true(json_array_size(json_at(card(child), "told.keywords")) > 2);

    (void)kill(job_pid(job), SIGKILL);
    (void)job_wait(job);
    board_await(b, id, "dead");
    again = card(child);
    assert_true(json_is_false(json_at(again, "told_live")));
    assert_true(json_equal(json_at(again, "told"), kept_of(child)));
    words = json_array_size(json_at(again, "told.keywords"));
    assert_int_equal(strncmp(text_at(again, "told_at"), "20", 2), 0);

    job = brood_job("resume", dir, "--quiet");
    board_await(b, id, "running");
    steer("pause");
    await(json_is_true(json_at(again = card(child), "told_live")) ||
          !json_is_null(json_at(again, "died_at")));
    if (json_is_null(json_at(again, "died_at")))
        assert_int_equal(json_array_size(json_at(again, "told.keywords")), words);
    assert_words(json_at(again, "told.keywords"));
    steer("continue");
    assert_code(job_wait(job), 0);

    board_await(b, id, "finished");
    again = card(child);
    shown = json_of(brood("show", dir, text("%lld", (long long)child), "--json").out);
    assert_true(json_is_false(json_at(again, "told_live")));
    assert_words(json_at(again, "told.keywords"));
    assert_true(json_equal(json_at(again, "told"), json_at(shown, "told")));
    assert_string_equal(text_at(again, "told_at"), text_at(shown, "told_at"));
    assert_says(brood("show", dir, text("%lld", (long long)child)).out,
                "words      what the word beside a link adds");

    /* all of them, the dead as they died */
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM agent a LEFT JOIN nature n ON n.agent_id"
                                    " = a.id WHERE n.told IS NULL"),
                     0);
    dead = crawl_int(dir, "SELECT coalesce(min(id), 0) FROM agent WHERE died_at > 0");
    if (dead)
        assert_int_equal(crawl_int(dir, text("SELECT a.died_at - n.at FROM agent a JOIN nature n"
                                             " ON n.agent_id = a.id WHERE a.id = %lld",
                                             (long long)dead)),
                         0);
    board_stop(b);
}

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "400", "--hosts", "6", "--topics", "3");
    server = serve(w);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_of_an_agent_are_on_its_card_at_any_time),
    };

    return cmocka_run_group_tests_name("flow dash agent", tests, set_up, NULL);
}
