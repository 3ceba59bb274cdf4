/* stmt.h - the writer's statements, prepared once. Inside store/ only. */
#pragma once

#include "base/status.h"

#include <sqlite3.h>

enum stmt {
    STMT_URL,
    STMT_FATE,
    STMT_FATE_LATER,
    STMT_PAGE,
    STMT_BODY,
    STMT_LINKS,
    STMT_OUTCOME,
    STMT_RESOURCE,
    STMT_HOST,
    STMT_DROP,
    STMT_DROP_COUNT,
    STMT_BORN,
    STMT_DIED,
    STMT_AGENT,
    STMT_VISIT,
    STMT_ENERGY,
    STMT_MESSAGE,
    STMT_SAMPLE,
    STMT_NEWS,
    STMT_TOLD,
    STMT_KEY,
    STMT_STATE,
    STMT_LABEL,
    STMT_UNMARK,
    STMT_WARC,
    STMT_VIA,
    STMT_ORIGINAL,
    STMT_LATEST,
    STMT_COUNT
};

enum status stmt_prepare_all(sqlite3 *db, sqlite3_stmt *ret[STMT_COUNT]) MUST_USE;
void stmt_finalize_all(sqlite3_stmt *all[STMT_COUNT]);
