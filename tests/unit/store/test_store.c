/* The crawl directory: events in, rows and records out, crashes survived.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/parts.h"
#include "made.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/rng.h"
#include "store/archive.h"
#include "store/read/query.h"
#include "store/write/tally.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *sub(const char *dir, const char *name)
{
    static char path[512];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void a_page_becomes_rows_links_and_text(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    made_post(s, &(struct made_page){.id = 1,
                                     .title = "Vines",
                                     .text = "vines grow on slopes",
                                     .nlinks = 10,
                                     .relevance = 0.75F});
    made_checkpoint(s, 1);
    made_close(s);
    assert_string_equal(made_text(dir, "SELECT url FROM page WHERE id = 1"), "http://a.test/1");
    assert_string_equal(made_text(dir, "SELECT host FROM page"), "a.test");
    assert_string_equal(made_text(dir, "SELECT mime FROM page"), "text/html");
    assert_string_equal(made_text(dir, "SELECT title FROM page"), "Vines");
    assert_string_equal(made_text(dir, "SELECT relevance FROM page"), "0.75");
    assert_string_equal(made_text(dir, "SELECT latency_ms FROM page"), "1.5");
    assert_int_equal(made_int(dir, "SELECT count(*) FROM link WHERE from_page = 1"), 10);
    assert_string_equal(made_text(dir, "SELECT to_url FROM link WHERE pos = 3"),
                        "http://a.test/1/3");
    assert_string_equal(made_text(dir, "SELECT anchor FROM link WHERE pos = 3"), "vines grow");
    assert_int_equal(made_int(dir, "SELECT score IS NULL FROM link WHERE pos = 0"), 1);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM url"), 11);
    assert_int_equal(made_int(dir, "SELECT depth FROM url WHERE id = 1003"), 2);
    assert_int_equal(made_int(dir, "SELECT from_page FROM url WHERE id = 1003"), 1);
    assert_int_equal(made_int(dir, "SELECT page FROM url WHERE id = 1"), 1);
    assert_int_equal(made_int(dir, "SELECT n FROM drop_count WHERE reason = 'scope'"), 2);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM dropped WHERE reason = 'scope'"), 2);
    assert_int_equal(made_int(dir, "SELECT rowid FROM page_text('slopes')"), 1);
    assert_int_equal(made_int(dir, "SELECT rowid FROM page_text('title:vines')"), 1);
    assert_string_equal(made_text(dir, "PRAGMA integrity_check"), "ok");
}

static enum status note_part(void *ctx, uint32_t part, uint64_t number, int64_t at,
                             struct str bytes)
{
    (void)number, (void)at, (void)bytes;
    buf_put_u8(ctx, (uint8_t)part);
    return ST_OK;
}

/* Else others could hear that a page was visited, and never of the links on it. */
static void batches_come_back_in_the_order_in_which_they_were_closed(void **state)
{
    static const uint8_t parts[] = {5, 1, 9, 5, 1};
    struct store_config config = {0};
    struct buf read = BUF_INIT(100);
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    for (uint32_t i = 0; i < sizeof parts; i++)
        store_post(s, &(struct event){.kind = EVENT_BATCH,
                                      .batch = {parts[i], i + 1, 1000 + i, STR("bytes")}});
    store_post(s, &(struct event){.kind = EVENT_BATCH, .batch = {9, 3, 0, STR("")}});
    made_checkpoint(s, 0);
    made_close(s);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_read_batches(s, note_part, &read), ST_OK);
    assert_true(str_eq(buf_str(&read), (struct str){"\5\1\5\1", 4}));
    made_close(s);
    buf_free(&read);
}

static void every_kind_of_event_has_its_rows(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    store_post(s, &(struct event){.kind = EVENT_BORN,
                                  .at = 5,
                                  .born = {1, 0, STR("Ada"), STR("spider"), 0, 2.5}});
    store_post(s, &(struct event){.kind = EVENT_BORN,
                                  .at = 6,
                                  .born = {2, 1, STR("Bob"), STR("spider"), 1, 1.0}});
    made_post(s, &(struct made_page){.id = 1});
    store_post(
        s, &(struct event){.kind = EVENT_VISIT, .at = 7, .visit = {1, 1, true, 2.5, -0.5, 2.0}});
    store_post(s, &(struct event){.kind = EVENT_DIED, .at = 8, .died = {2, STR("starved"), 0.25}});
    store_post(s, &(struct event){.kind = EVENT_MESSAGE,
                                  .at = 9,
                                  .message = {STR("c1"), STR("cfp"), STR("Ada"), STR("Bob"),
                                              STR("hello"), 77}});
    store_post(s,
               &(struct event){.kind = EVENT_SAMPLE, .at = 10, .sample = {STR("population"), 2}});
    store_post(s, &(struct event){
                      .kind = EVENT_HOST, .at = 11, .host = {3, STR("a.test"), STR("st\0te")}});
    store_post(s, &(struct event){
                      .kind = EVENT_DROP, .at = 12, .drop = {STR("ftp://x/"), 0, DROP_SCHEME}});
    made_url(s, 2, "http://a.test/missing");
    made_outcome(s, 2, "http://a.test/missing", 404, DROP_STATUS, 0, true);
    made_url(s, 3, "http://a.test/moved");
    made_outcome(s, 3, "http://a.test/moved", 301, DROP_NONE, 1, true);
    made_robots(s, "http://a.test/robots.txt", "User-agent: *\n");
    made_key(s, "model", "breadth-first");
    assert_int_equal(store_label(s, STR("http://a.test/1"), STR("Science.Birds")), ST_OK);
    made_checkpoint(s, 1);
    made_close(s);
    assert_string_equal(
        made_text(dir, "SELECT name||kind||generation||energy||pages FROM agent WHERE id=1"),
        "Adaspider02.01");
    assert_string_equal(
        made_text(dir,
                  "SELECT parent_id||generation||died_at||death||energy FROM agent WHERE id=2"),
        "118starved0.25");
    assert_string_equal(
        made_text(
            dir,
            "SELECT agent_id||page_id||at||first||energy_before||delta||energy_after FROM visit"),
        "11712.5-0.52.0");
    assert_string_equal(made_text(dir, "SELECT energy FROM page"), "2.0");
    assert_string_equal(
        made_text(dir, "SELECT at||conversation||performative||sender||receiver||reply_by||content "
                       "FROM message"),
        "9c1cfpAdaBob77hello");
    assert_string_equal(made_text(dir, "SELECT metric||value FROM sample"), "population2.0");
    assert_int_equal(made_int(dir, "SELECT length(state) FROM host WHERE id=3"), 5);
    assert_string_equal(made_text(dir, "SELECT reason FROM dropped WHERE url='ftp://x/'"),
                        "scheme");
    assert_string_equal(
        made_text(dir, "SELECT reason FROM dropped WHERE url='http://a.test/missing'"), "status");
    assert_string_equal(made_text(dir, "SELECT status||reason FROM outcome WHERE url_id=2"),
                        "404status");
    assert_string_equal(made_text(dir, "SELECT redirect_to FROM outcome WHERE url_id=3"),
                        "http://a.test/1");
    assert_string_equal(made_text(dir, "SELECT url FROM resource"), "http://a.test/robots.txt");
    assert_string_equal(made_text(dir, "SELECT value FROM crawl WHERE key='model'"),
                        "breadth-first");
    assert_string_equal(made_text(dir, "SELECT label FROM label"), "Science.Birds");
    assert_int_equal(made_int(dir, "SELECT n FROM drop_count WHERE reason='status'"), 1);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM outcome WHERE warc_file IS NOT NULL"), 2);
}

static void hidden_pages_keep_their_links_and_nothing_else(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    made_post(s, &(struct made_page){
                     .id = 1, .title = "Secret", .text = "hush hush", .nlinks = 3, .hidden = true});
    made_post(s, &(struct made_page){.id = 2, .text = "not kept", .robots = ROBOTS_NOARCHIVE});
    made_checkpoint(s, 2);
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM link"), 3);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page WHERE warc_file IS NOT NULL"), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('hush')"), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('kept')"), 1);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page WHERE title = 'Secret'"), 0);
}

/* ---- going on ---- */

static enum status gather_url(void *ctx, uint32_t id, struct str href, uint32_t from_page,
                              uint16_t depth, uint8_t st, enum drop drop, uint32_t page)
{
    struct buf *out = ctx;

    buf_addf(out, "%u %.*s %u %u %u %s %u\n", id, STR_ARG(href), from_page, depth, st,
             drop_name(drop), page);
    return buf_check(out);
}

static enum status gather_page(void *ctx, uint32_t page, uint64_t payload, uint64_t simhash,
                               uint32_t words)
{
    buf_addf(ctx, "%u %d %llu %u\n", page, payload != 0, (unsigned long long)simhash, words);
    return buf_check(ctx);
}

static enum status gather_host(void *ctx, uint32_t id, struct str name, struct str st)
{
    buf_addf(ctx, "%u %.*s %zu\n", id, STR_ARG(name), st.len);
    return buf_check(ctx);
}

static enum status gather_part(void *ctx, uint32_t number, struct str bytes)
{
    buf_addf(ctx, "%u %.*s\n", number, STR_ARG(bytes));
    return ST_OK;
}

static void a_stopped_crawl_gives_back_what_it_was_told(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = made_store(dir);
    struct buf urls = BUF_INIT(10000), f = BUF_INIT(100), m = BUF_INIT(100), e = BUF_INIT(100);
    struct buf pages = BUF_INIT(1000), hosts = BUF_INIT(1000), v = BUF_INIT(99);
    struct buf parts = BUF_INIT(1000), kept = BUF_INIT(1000);

    (void)state;
    parts_put(&parts, 7, STR("seven"));
    parts_put(&parts, 2, STR("two"));
    parts_put(&parts, 7, STR("another"));
    parts_put(&parts, 5, STR("five"));
    parts_put(&parts, 5, STR("")); /* it is empty now */
    made_post(s, &(struct made_page){.id = 1, .nlinks = 5});
    made_url(s, 2, "http://a.test/gone");
    made_outcome(s, 2, "http://a.test/gone", 404, DROP_STATUS, 0, true);
    store_post(s, &(struct event){.kind = EVENT_HOST, .host = {1, STR("a.test"), STR("xyz")}});
    store_post(s, &(struct event){.kind = EVENT_CHECKPOINT,
                                  .checkpoint = {STR("fr\0nt"), STR("mo"), STR(""), STR("words"),
                                                 buf_str(&parts), .memory = &parts, .pages = 1}});
    assert_null(parts.data); /* it was taken, not copied */
    made_close(s);

    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_committed(s), 1);
    assert_int_equal(store_read_urls(s, gather_url, &urls), ST_OK);
    assert_string_equal(urls.data, "1 http://a.test/1 0 0 2 none 1\n"
                                   "2 http://a.test/gone 0 0 3 status 0\n"
                                   "1000 http://a.test/1/0 1 2 0 none 0\n"
                                   "1001 http://a.test/1/1 1 2 0 none 0\n"
                                   "1002 http://a.test/1/2 1 2 0 none 0\n"
                                   "1003 http://a.test/1/3 1 2 0 none 0\n"
                                   "1004 http://a.test/1/4 1 2 0 scope 0\n");
    assert_int_equal(store_read_pages(s, gather_page, &pages), ST_OK);
    assert_string_equal(pages.data, "1 1 1 2\n");
    assert_int_equal(store_read_hosts(s, gather_host, &hosts), ST_OK);
    assert_string_equal(hosts.data, "1 a.test 3\n");
    assert_int_equal(store_read_state(s, &f, &m, &e, &v), ST_OK);
    assert_int_equal(f.len, 5);
    assert_str(buf_str(&m), "mo");
    assert_str(buf_str(&v), "words");
    assert_int_equal(store_read_parts(s, gather_part, &kept), ST_OK);
    assert_string_equal(kept.data, "2 two\n7 another\n");
    assert_string_equal(made_text(dir, "SELECT value FROM crawl WHERE key = 'pages'"), "1");
    made_post(s, &(struct made_page){.id = 2, .url = 1000, .text = "a second one"});
    made_checkpoint(s, 2);
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 2);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM warc"), 1);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('second')"), 1);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM sqlite_schema WHERE name='url_by_text'"),
                     1);
    buf_free(&urls), buf_free(&f), buf_free(&m), buf_free(&e), buf_free(&pages), buf_free(&hosts);
    buf_free(&v), buf_free(&parts), buf_free(&kept);
}

static void a_part_beyond_32_bits_is_refused(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct buf kept = BUF_INIT(100);
    struct store *s = made_store(dir);

    (void)state;
    made_post(s, &(struct made_page){.id = 1});
    made_checkpoint(s, 1);
    made_close(s);
    (void)made_int(dir, "INSERT INTO state_part VALUES(4294967303, 'seven') RETURNING 1");
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_read_parts(s, gather_part, &kept), ST_CORRUPT);
    assert_int_equal(kept.len, 0);
    made_close(s);
    buf_free(&kept);
}

static void a_tally_that_cannot_be_is_none(void **state)
{
    static const char *const none[] = {"",
                                       "1 2 3",
                                       "-1 0 0 0 0 0 0",
                                       "99999999999999999999999 0 0 0 0 0 0",
                                       "1 0 0 0 0 9223372036854775808 0",
                                       "1 2 0 0 0 5 5",
                                       "2 1 0 0 0 5 6"};
    struct tally t;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        assert_false(tally_read(none[i], &t));
    assert_true(tally_read("2 1 0 700 3 5 4", &t));
    assert_int_equal(t.bytes, 700);
    assert_int_equal(t.untried, 4);
}

static struct query_stats stats_of(const char *dir)
{
    struct query_stats stats = {0};
    struct query *q = NULL;

    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(query_stats(q, &stats), ST_OK);
    query_close(q);
    return stats;
}

/* What the writer counted is what is there, over a resume too. */
static void rows_are_counted_as_they_are_written(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = made_store(dir);
    struct query_stats counted, there;

    (void)state;
    made_post(s, &(struct made_page){.id = 1, .nlinks = 5, .relevance = 0.7f});
    made_post(s, &(struct made_page){.id = 2, .url = 1000, .dup_of = 1, .text = "a second one"});
    made_url(s, 2, "http://a.test/gone");
    made_url(s, 2, "http://a.test/gone"); /* known already */
    made_outcome(s, 2, "http://a.test/gone", 404, DROP_STATUS, 0, true);
    made_outcome(s, 2, "http://a.test/gone", 404, DROP_STATUS, 0, true);
    made_checkpoint(s, 2);
    made_close(s);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    made_post(s, &(struct made_page){.id = 3, .url = 1001, .nlinks = 3, .hidden = true});
    made_checkpoint(s, 3);
    made_close(s);
    counted = stats_of(dir);
    assert_int_equal(made_int(dir, "DELETE FROM crawl WHERE key = 'total.rows' RETURNING 1"), 1);
    there = stats_of(dir);
    assert_int_equal(counted.pages, 3);
    assert_true(counted.untried > 0 && counted.links == 8);
    assert_true(counted.hosts == 1 && counted.relevant == 1 && counted.outcomes == 2);
    assert_memory_equal(&counted, &there, sizeof counted);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    made_checkpoint(s, 3); /* it does not know what there was */
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM crawl WHERE key = 'total.rows'"), 0);
}

static struct tally tally_of(const char *dir)
{
    struct tally t = {0};

    assert_true(tally_read(made_text(dir, "SELECT value FROM crawl WHERE key = 'total.rows'"), &t));
    return t;
}

/* An earlier version counted rows, and nothing of pages; and a page may get another version. */
static void figures_of_pages_are_made_up_for(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = made_store(dir);
    struct tally before, after;

    (void)state;
    made_post(s, &(struct made_page){.id = 1, .relevance = 0.75f});
    made_post(s, &(struct made_page){.id = 2, .url = 1, .relevance = 0.3f, .text = "anew"});
    made_post(s, &(struct made_page){.id = 3, .href = "http://b.test/", .hidden = true});
    made_url(s, 9, "http://a.test/gone");
    made_outcome(s, 9, "http://a.test/gone", 404, DROP_STATUS, 0, true);
    made_checkpoint(s, 3);
    made_close(s);
    before = tally_of(dir);
    assert_true(before.is_whole);
    assert_int_equal(before.shown, 1);
    assert_int_equal(before.hosts, 2);
    assert_int_equal(before.bins[37], 1);
    assert_int_equal(made_int(dir, "UPDATE crawl SET value = '3 1 0 900 0 3 0' WHERE key ="
                                   " 'total.rows' RETURNING 1"),
                     1);
    assert_false(tally_of(dir).is_whole);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    made_checkpoint(s, 3);
    made_close(s);
    after = tally_of(dir);
    assert_true(after.is_whole);
    assert_int_equal(after.bytes, 900);
    after.bytes = before.bytes;
    assert_memory_equal(&after, &before, sizeof after);
}

static void wrong_directories_get_a_sentence(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = made_store(dir), *other = NULL;

    (void)state;
    assert_int_equal(store_open(dir, &config, &other), ST_BUSY);
    assert_non_null(strstr(status_text(), "in use"));
    assert_false(store_is_unbegun(dir)); /* it may begin at any moment */
    made_checkpoint(s, 0);
    made_close(s);
    assert_false(store_is_unbegun(dir));
    assert_int_equal(store_create(dir, &config, &other), ST_EXISTS);
    assert_non_null(strstr(status_text(), "brood resume"));
    dir = test_dir();
    assert_int_equal(store_open(dir, &config, &other), ST_MISSING);
    assert_non_null(strstr(status_text(), "not a crawl"));
    assert_int_equal(file_write(sub(dir, "x"), STR("y")), ST_OK);
    assert_int_equal(store_create(dir, &config, &other), ST_EXISTS);
    assert_int_equal(store_open(sub(dir, "x"), &config, &other), ST_CORRUPT);
    assert_int_equal(store_open(sub(dir, "nowhere"), &config, &other), ST_MISSING);
    assert_int_equal(file_write(sub(dir, "crawl.db"), STR("this is no database, it only looks so")),
                     ST_OK);
    assert_int_equal(store_open(dir, &config, &other), ST_CORRUPT);
    assert_int_equal(store_create(sub(dir, "a/b/c"), &config, &s), ST_OK);
    made_close(s);
    assert_int_equal(access(sub(dir, "a/b/c/crawl.db"), R_OK), 0);
}

/* ---- crashes ---- */

static void what_was_killed_before_its_first_commit_begins_again(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s;

    (void)state;
    made_close(made_store(dir)); /* tables, and nothing in them */
    assert_true(store_is_unbegun(dir));
    s = made_store(dir);
    made_post(s, &(struct made_page){.id = 1});
    made_checkpoint(s, 1);
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 1);
    assert_int_equal(store_create(dir, &config, &s), ST_EXISTS);

    dir = test_dir(); /* with the door for other processes, which nobody answers any more */
    made_close(made_store(dir));
    assert_int_equal(mkfifo(sub(dir, "control"), 0600), 0);
    made_close(made_store(dir));
    assert_int_equal(access(sub(dir, "control"), F_OK), -1);

    dir = test_dir(); /* not even tables; and what others put there stays */
    assert_int_equal(file_write(sub(dir, "crawl.db"), STR("")), ST_OK);
    assert_true(store_is_unbegun(dir));
    assert_int_equal(file_write(sub(dir, "x"), STR("y")), ST_OK);
    assert_int_equal(store_create(dir, &config, &s), ST_EXISTS);
    assert_int_equal(access(sub(dir, "x"), R_OK), 0);
    assert_true(store_is_unbegun(dir)); /* nothing was removed: it can begin without that file */
    assert_int_equal(unlink(sub(dir, "x")), 0);
    made_close(made_store(dir));
    assert_int_equal(file_write(sub(dir, "warc/x"), STR("y")), ST_OK);
    assert_int_equal(store_create(dir, &config, &s), ST_EXISTS);
    assert_true(store_is_unbegun(dir));
    assert_int_equal(unlink(sub(dir, "warc/x")), 0);
    made_close(made_store(dir));

    dir = test_dir(); /* another program's database */
    (void)made_int(dir, "CREATE TABLE other(x)");
    assert_false(store_is_unbegun(dir));
    assert_int_equal(store_create(dir, &config, &s), ST_EXISTS);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM sqlite_schema"), 1);
}

static void a_directory_that_vanishes_is_noticed(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    char text[512], command[512];
    enum status st = ST_OK;

    (void)state;
    made_post(s, &(struct made_page){.id = 1});
    made_checkpoint(s, 1);
    assert_int_equal(store_settle(s), ST_OK);
    (void)snprintf(command, sizeof command, "rm -r '%s'", dir);
    assert_int_equal(system(command), 0);
    made_post(s, &(struct made_page){.id = 2});
    made_checkpoint(s, 2);
    assert_int_equal(store_settle(s), ST_IO);
    st = store_health(s, text, sizeof text);
    assert_int_equal(st, ST_MISSING);
    assert_non_null(strstr(text, "vanished"));
    assert_int_equal(store_close(s, NULL, NULL), ST_MISSING);
}

/* Posts pages for ever, a checkpoint after every tenth, until killed. */
/* Writes a byte to `ready` when something is committed. */
static void write_until_killed(const char *dir, bool fresh, int ready)
{
    struct store_config config = made_config();
    struct store *s = NULL;
    uint32_t id;

    config.warc_size = 20000;
    if ((fresh ? store_create(dir, &config, &s) : store_open(dir, &config, &s)) != ST_OK)
        _exit(1);
    id = (uint32_t)store_committed(s);
    for (;;) {
        made_post(s, &(struct made_page){.id = ++id, .nlinks = 20, .text = "words to be stored"});
        if (id % 10 == 0)
            made_checkpoint(s, id);
        if (ready >= 0 && store_committed(s) > 0) {
            if (write(ready, "", 1) != 1)
                _exit(1);
            ready = -1;
        }
    }
}

static void count_records(const char *dir, uint64_t *ret_pages)
{
    sqlite3 *db;
    sqlite3_stmt *st = NULL;
    char path[512];

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT name, length FROM warc", -1, &st, NULL),
                     SQLITE_OK);
    *ret_pages = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        struct warc_reader *r = NULL;
        struct warc_record rec;
        struct stat info;
        enum status status;

        (void)snprintf(path, sizeof path, "%s/warc/%s", dir,
                       (const char *)sqlite3_column_text(st, 0));
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_size, sqlite3_column_int64(st, 1));
        assert_int_equal(warc_open(path, &r), ST_OK);
        while ((status = warc_next(r, &rec)) == ST_OK) {
            *ret_pages += str_eq(rec.type, STR("response"));
            warc_record_free(&rec);
        }
        assert_int_equal(status, ST_MISSING);
        warc_close(r);
    }
    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
}

static void a_killed_crawl_stands_at_its_last_checkpoint(void **state)
{
    const char *dir = sub(test_dir(), "crawl");
    struct store_config config = made_config();
    char *name = str_dup(str_of(dir));
    uint64_t before = 0, records;

    (void)state;
    for (int round = 0; round < 6 || before == 0; round++) { /* a busy machine needs more */
        struct store *s = NULL;
        uint64_t pages;
        int how, ready[2];
        char byte;
        pid_t child;

        assert_int_equal(pipe(ready), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0)
            write_until_killed(name, round == 0, ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
        (void)close(ready[0]);
        (void)close(ready[1]);
        clock_sleep(150000 + round * 37000);
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how));
        if (store_open(name, &config, &s) != ST_OK)
            fail_msg("round %d: %s", round, status_text());
        pages = store_committed(s);
        assert_true(pages >= before);
        assert_int_equal(pages % 10, 0);
        made_close(s);
        assert_int_equal(made_int(name, "SELECT count(*) FROM page"), (int64_t)pages);
        assert_int_equal(made_int(name, "SELECT count(*) FROM link"), (int64_t)pages * 20);
        assert_string_equal(made_text(name, "PRAGMA integrity_check"), "ok");
        count_records(name, &records);
        assert_int_equal(records, pages);
        assert_int_equal(made_int(name, "SELECT count(*) FROM page_text('stored')"),
                         (int64_t)pages);
        before = pages;
    }
    free(name);
}

/* A limit on the size of files stands for the full disk: the archive reaches it
 * first, because its payloads cannot be compressed. */
static void a_full_disk_pauses_the_writer_and_loses_nothing(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct rlimit old, small;
    static char noise[100000];
    char text[200] = "";
    struct rng r;
    uint64_t records;

    (void)state;
    rng_init(&r, 1);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)rng_u64(&r);
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){600000, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (uint32_t i = 1; i <= 20; i++)
        made_post(s, &(struct made_page){.id = i, .body = noise, .body_len = sizeof noise - i});
    made_checkpoint(s, 20);
    while (store_health(s, text, sizeof text) == ST_OK)
        clock_sleep(1000);
    assert_true(strlen(text) > 10);
    assert_int_equal(store_committed(s), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    while (store_committed(s) < 20)
        clock_sleep(1000);
    assert_int_equal(store_health(s, NULL, 0), ST_OK);
    made_close(s);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 20);
    count_records(dir, &records);
    assert_int_equal(records, 20);
}

static uint64_t unindexed(const char *dir)
{
    struct query *q = NULL;
    uint64_t n = 0;

    if (query_open(dir, &q) != ST_OK || query_unindexed(q, &n) != ST_OK)
        fail_msg("%s", status_text());
    query_close(q);
    return n;
}

static void an_unfinished_index_is_finished_later(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    for (uint32_t i = 1; i <= 30; i++)
        made_post(s, &(struct made_page){.id = i, .text = "needle in hay"});
    made_checkpoint(s, 30);
    store_hurry(s);
    made_close(s);
    /* Some may be in it already: the index is written on the way. */
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('needle')"),
                     30 - unindexed(dir));
    assert_int_equal(store_index(dir, NULL, NULL), ST_OK);
    assert_int_equal(unindexed(dir), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('needle')"), 30);
    assert_int_equal(store_index(dir, NULL, NULL), ST_OK);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('needle')"), 30);
}

static void a_reader_sees_the_last_checkpoint_of_a_running_crawl(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    (void)state;
    made_post(s, &(struct made_page){.id = 1});
    made_checkpoint(s, 1);
    while (store_committed(s) < 1)
        clock_sleep(1000);
    made_post(s, &(struct made_page){.id = 2});
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 1);
    made_checkpoint(s, 2);
    while (store_committed(s) < 2)
        clock_sleep(1000);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 2);
    assert_int_equal(store_health(s, NULL, 0), ST_OK);
    assert_true(store_room(s) > 0);
    made_close(s);
}

/* Somebody reads while it ends: crawl.db is whole without its log all the same. */
static void a_crawl_that_is_read_ends_in_one_file(void **state)
{
    char dir[400], copy[400], command[1300];
    struct query *q = NULL;
    struct store *s;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/read", test_dir());
    (void)snprintf(copy, sizeof copy, "%s/copied", test_dir());
    s = made_store(dir);
    made_post(s, &(struct made_page){.id = 1});
    made_checkpoint(s, 1);
    while (store_committed(s) < 1)
        clock_sleep(1000);
    assert_int_equal(query_open(dir, &q), ST_OK);
    made_post(s, &(struct made_page){.id = 2});
    made_checkpoint(s, 2);
    made_close(s);
    (void)snprintf(command, sizeof command, "mkdir '%s' && cp '%s/crawl.db' '%s'", copy, dir, copy);
    assert_int_equal(system(command), 0);
    assert_int_equal(made_int(copy, "SELECT count(*) FROM page"), 2);
    query_close(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_becomes_rows_links_and_text),
        cmocka_unit_test(batches_come_back_in_the_order_in_which_they_were_closed),
        cmocka_unit_test(every_kind_of_event_has_its_rows),
        cmocka_unit_test(hidden_pages_keep_their_links_and_nothing_else),
        cmocka_unit_test(a_stopped_crawl_gives_back_what_it_was_told),
        cmocka_unit_test(a_part_beyond_32_bits_is_refused),
        cmocka_unit_test(rows_are_counted_as_they_are_written),
        cmocka_unit_test(figures_of_pages_are_made_up_for),
        cmocka_unit_test(a_tally_that_cannot_be_is_none),
        cmocka_unit_test(wrong_directories_get_a_sentence),
        cmocka_unit_test(what_was_killed_before_its_first_commit_begins_again),
        cmocka_unit_test(a_directory_that_vanishes_is_noticed),
        cmocka_unit_test(a_killed_crawl_stands_at_its_last_checkpoint),
        cmocka_unit_test(a_full_disk_pauses_the_writer_and_loses_nothing),
        cmocka_unit_test(an_unfinished_index_is_finished_later),
        cmocka_unit_test(a_reader_sees_the_last_checkpoint_of_a_running_crawl),
        cmocka_unit_test(a_crawl_that_is_read_ends_in_one_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
