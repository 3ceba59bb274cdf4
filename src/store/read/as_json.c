/* as_json.c - rows of the read side as JSON: tables of members, and one function that writes
 * them. SPDX-License-Identifier: MIT */
#include "store/read/as_json.h"

#include <stddef.h>

enum form {
    FORM_COUNT, /* uint64_t */
    FORM_SMALL, /* uint32_t */
    FORM_REF,   /* uint32_t; 0: null */
    FORM_INT,   /* int */
    FORM_REAL,
    FORM_TEXT,  /* empty: null */
    FORM_WORDS, /* a text that may be empty */
    FORM_TIME,
    FORM_FLAG,
};

struct json_member {
    const char *name;
    enum form form;
    size_t offset;
};

static void put(struct json *j, const struct json_member *m, const void *row)
{
    const char *at = (const char *)row + m->offset;

    switch (m->form) {
    case FORM_COUNT:
        json_put_int(j, m->name, *(const int64_t *)at);
        break;
    case FORM_SMALL:
        json_put_int(j, m->name, *(const uint32_t *)at);
        break;
    case FORM_REF:
        json_put_ref(j, m->name, *(const uint32_t *)at);
        break;
    case FORM_INT:
        json_put_int(j, m->name, *(const int *)at);
        break;
    case FORM_REAL:
        json_put_num(j, m->name, *(const double *)at);
        break;
    case FORM_TEXT:
        json_put_text(j, m->name, *(const struct str *)at);
        break;
    case FORM_WORDS:
        json_put_str(j, m->name, *(const struct str *)at);
        break;
    case FORM_TIME:
        json_put_time(j, m->name, *(const int64_t *)at);
        break;
    case FORM_FLAG:
        json_put_bool(j, m->name, *(const bool *)at);
        break;
    }
}

/* ---- pages --------------------------------------------------------------- */

#define OF(field) offsetof(struct query_page, field)

static const struct json_member page_members[] = {
    [PAGE_ID] = {"id", FORM_SMALL, OF(id)},
    [PAGE_NUMBER] = {"page", FORM_SMALL, OF(id)},
    [PAGE_URL] = {"url", FORM_WORDS, OF(url)},
    [PAGE_HOST] = {"host", FORM_WORDS, OF(host)},
    [PAGE_TITLE] = {"title", FORM_TEXT, OF(title)},
    [PAGE_RELEVANCE] = {"relevance", FORM_REAL, OF(relevance)},
    [PAGE_P] = {"p", FORM_REAL, OF(p)},
    [PAGE_SIMILARITY] = {"similarity", FORM_REAL, OF(similarity)},
    [PAGE_STATUS] = {"status", FORM_INT, OF(status)},
    [PAGE_MIME] = {"mime", FORM_TEXT, OF(mime)},
    [PAGE_CHARSET] = {"charset", FORM_TEXT, OF(charset)},
    [PAGE_LANG] = {"lang", FORM_TEXT, OF(lang)},
    [PAGE_DECLARED] = {"lang_declared", FORM_TEXT, OF(declared)},
    [PAGE_FETCHED_AT] = {"fetched_at", FORM_TIME, OF(fetched_at)},
    [PAGE_DATE] = {"date", FORM_TIME, OF(date)},
    [PAGE_LATENCY] = {"latency_ms", FORM_REAL, OF(latency_ms)},
    [PAGE_BYTES] = {"bytes", FORM_COUNT, OF(bytes)},
    [PAGE_DEPTH] = {"depth", FORM_SMALL, OF(depth)},
    [PAGE_AGENT] = {"agent", FORM_REF, OF(agent)},
    [PAGE_ENERGY] = {"energy", FORM_REAL, OF(energy)},
    [PAGE_DUP_OF] = {"dup_of", FORM_REF, OF(dup_of)},
    [PAGE_VERSION_OF] = {"version_of", FORM_REF, OF(version_of)},
    [PAGE_HIDDEN] = {"hidden", FORM_FLAG, OF(hidden)},
    [PAGE_TRUNCATED] = {"truncated", FORM_FLAG, OF(truncated)},
    [PAGE_DIGEST] = {"digest", FORM_TEXT, OF(digest)},
    [PAGE_WARC_FILE] = {"warc_file", FORM_TEXT, OF(warc_file)},
    [PAGE_WARC_OFFSET] = {"warc_offset", FORM_COUNT, OF(warc_offset)},
    [PAGE_SCORE] = {"score", FORM_REAL, OF(score)},
};
#undef OF

const enum page_member page_named[] = {PAGE_NUMBER, PAGE_URL, PAGE_TITLE, PAGE_RELEVANCE, PAGE_END};

const enum page_member page_node[] = {PAGE_ID, PAGE_URL, PAGE_TITLE, PAGE_RELEVANCE, PAGE_END};

void page_put(struct json *j, const struct query_page *p, const enum page_member *which)
{
    for (; *which != PAGE_END; which++)
        if (*which == PAGE_WARC_OFFSET && p->warc_file.len == 0)
            json_put_null(j, "warc_offset");
        else
            put(j, &page_members[*which], p);
}

/* ---- agents -------------------------------------------------------------- */

#define OF(field) offsetof(struct query_agent, field)

static const struct json_member agent_members[] = {
    [AGENT_ID] = {"id", FORM_SMALL, OF(id)},
    [AGENT_CALLED] = {"name", FORM_WORDS, OF(name)},
    [AGENT_KIND] = {"kind", FORM_WORDS, OF(kind)},
    [AGENT_PARENT] = {"parent", FORM_REF, OF(parent)},
    [AGENT_GENERATION] = {"generation", FORM_SMALL, OF(generation)},
    [AGENT_ENERGY] = {"energy", FORM_REAL, OF(energy)},
    [AGENT_PAGES] = {"pages", FORM_COUNT, OF(pages)},
    [AGENT_BORN_AT] = {"born_at", FORM_TIME, OF(born_at)},
    [AGENT_BORN_PAGE] = {"born_page", FORM_REF, OF(born_page)},
    [AGENT_DIED_AT] = {"died_at", FORM_TIME, OF(died_at)},
    [AGENT_DEATH] = {"death", FORM_TEXT, OF(death)},
};
#undef OF

const enum agent_member agent_row[] = {AGENT_ID,     AGENT_CALLED, AGENT_KIND,    AGENT_GENERATION,
                                       AGENT_ENERGY, AGENT_PAGES,  AGENT_BORN_AT, AGENT_DIED_AT,
                                       AGENT_DEATH,  AGENT_END};

void agent_put(struct json *j, const struct query_agent *a, const enum agent_member *which)
{
    for (; *which != AGENT_END; which++)
        put(j, &agent_members[*which], a);
}

/* ---- visits -------------------------------------------------------------- */

#define OF(field) offsetof(struct query_visit, field)

static const struct json_member visit_members[] = {
    [VISIT_AGENT] = {"agent", FORM_SMALL, OF(agent)},
    [VISIT_PAGE] = {"page", FORM_REF, OF(page)},
    [VISIT_URL] = {"url", FORM_TEXT, OF(url)},
    [VISIT_TITLE] = {"title", FORM_TEXT, OF(title)},
    [VISIT_RELEVANCE] = {"relevance", FORM_REAL, OF(relevance)},
    [VISIT_AT] = {"at", FORM_TIME, OF(at)},
    [VISIT_FIRST] = {"first", FORM_FLAG, OF(first)},
    [VISIT_BEFORE] = {"before", FORM_REAL, OF(before)},
    [VISIT_DELTA] = {"delta", FORM_REAL, OF(delta)},
    [VISIT_AFTER] = {"after", FORM_REAL, OF(after)},
};
#undef OF

void visit_put(struct json *j, const struct query_visit *v, const enum visit_member *which)
{
    for (; *which != VISIT_END; which++)
        put(j, &visit_members[*which], v);
}

void life_put(struct json *j, const struct query_life *l)
{
    json_put_int(j, "visits", (int64_t)l->visits);
    json_put_int(j, "found", (int64_t)l->found);
    json_put_num(j, "gained", l->gained);
    json_put_num(j, "paid", l->paid);
}
