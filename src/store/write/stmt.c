/* stmt.c - the writer's statements. The order of parameters is the order of
 * the columns. SPDX-License-Identifier: MIT */
#include "store/write/stmt.h"

#include "store/db.h"

static const char *const sql[STMT_COUNT] = {
    /* The first spelling of a URL is the one that stays. */
    [STMT_URL] = "INSERT OR IGNORE INTO url_row(id, url, depth, from_page, reason)"
                 " VALUES(?,?,?,?,?)",
    [STMT_FATE] = "INSERT OR REPLACE INTO fate(url, state, reason, page) VALUES(?,?,?,?)",
    /* A page that was stored stays the URL's, though it cannot be had any more. */
    [STMT_FATE_LATER] =
        "INSERT INTO fate(url, state, reason, page) VALUES(?,?,?,?) ON CONFLICT(url)"
        " DO UPDATE SET state = excluded.state, reason = excluded.reason"
        " WHERE fate.page = 0",
    [STMT_PAGE] = "INSERT INTO page_row VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,?,?,?,?,"
                  "?,?,?,?,?,?,?)",
    [STMT_BODY] = "INSERT INTO body(id, text) VALUES(?,?)",
    /* OR FAIL: what came before need not be undone alone, so no journal is kept. */
    [STMT_LINKS] = "INSERT OR FAIL INTO link_row(page, pos, url, anchor, score)"
                   " SELECT page, pos, url, anchor, score FROM new_link",
    [STMT_OUTCOME] = "INSERT INTO outcome_row VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [STMT_RESOURCE] = "INSERT INTO resource_row VALUES(?,?,?,?,?,?,?,?,?)",
    [STMT_HOST] = "INSERT OR REPLACE INTO host(id, name, state) VALUES(?,?,?)",
    [STMT_DROP] = "INSERT OR REPLACE INTO drop_row(id, url, url_id, reason, at) VALUES(?,?,?,?,?)",
    [STMT_DROP_COUNT] = "INSERT OR REPLACE INTO drop_count(reason, n) VALUES(?,?)",
    [STMT_BORN] = "INSERT OR REPLACE INTO agent(id, name, kind, parent_id, generation, born_at,"
                  " born_page, energy, pages) VALUES(?,?,?,?,?,?,?,?,0)",
    [STMT_DIED] = "UPDATE agent SET died_at = ?2, death = ?3 WHERE id = ?1",
    [STMT_AGENT] = "UPDATE agent SET energy = ?2, pages = ?3 WHERE id = ?1",
    [STMT_VISIT] = "INSERT INTO visit(agent_id, page_id, at, first, energy_before, delta,"
                   " energy_after) VALUES(?,?,?,?,?,?,?)",
    [STMT_ENERGY] = "UPDATE page_row SET energy = ?2 WHERE id = ?1",
    [STMT_MESSAGE] = "INSERT INTO message(at, conversation, performative, sender, receiver,"
                     " reply_by, content) VALUES(?,?,?,?,?,?,?)",
    [STMT_SAMPLE] = "INSERT INTO sample(at, metric, value) VALUES(?,?,?)",
    [STMT_NEWS] = "INSERT INTO news_row(id, page, at) VALUES(?,?,?)",
    [STMT_TOLD] = "INSERT OR REPLACE INTO nature(agent_id, at, told) VALUES(?,?,?)",
    [STMT_KEY] = "INSERT OR REPLACE INTO crawl(key, value) VALUES(?,?)",
    [STMT_STATE] = "INSERT OR REPLACE INTO state(id, name, value) VALUES(?,?,?)",
    [STMT_LABEL] = "INSERT OR IGNORE INTO label(url, label) VALUES(?,?)",
    [STMT_UNMARK] = "DELETE FROM label WHERE url = ? AND label IN ('relevant', 'irrelevant')",
    [STMT_WARC] = "INSERT OR REPLACE INTO warc(id, name, length) VALUES(?,?,?)",
    [STMT_VIA] = "SELECT v.url FROM url_row u JOIN page_row p ON p.id = u.from_page"
                 " JOIN url_row v ON v.id = p.url WHERE u.id = ?",
    [STMT_ORIGINAL] = "SELECT u.url, p.fetched_at, p.id, p.digest, p.hash FROM page_row p"
                      " JOIN url_row u ON u.id = p.url WHERE p.id = ? AND p.warc IS NOT NULL",
    [STMT_LATEST] = "SELECT page FROM fate WHERE url = ?",
};

enum status stmt_prepare_all(sqlite3 *db, sqlite3_stmt *ret[STMT_COUNT])
{
    enum status st = ST_OK;

    for (int i = 0; i < STMT_COUNT && st == ST_OK; i++)
        st = db_prepare(db, sql[i], &ret[i]);
    return st;
}

void stmt_finalize_all(sqlite3_stmt *all[STMT_COUNT])
{
    for (int i = 0; i < STMT_COUNT; i++) {
        (void)sqlite3_finalize(all[i]);
        all[i] = NULL;
    }
}
