/* page_date.c - when a page was published or changed.
 *
 * In: dates as pages write them, in many places. Out: page->date and where it
 * comes from. The first date of each rank is kept; the best rank whose date is
 * not in the future wins.
 *
 * We differ from what a tree would allow: JSON-LD is searched for two keys, not
 * parsed. SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/os/clock.h"
#include "parse/date.h"
#include "parse/url_norm.h"

#define JSON_BYTES KIB(64)            /* searched of one script */
#define SLACK      (86400 * US_PER_S) /* a date up to a day ahead is a time zone's */

void page_date_add(struct page_dates *d, enum date_rank rank, struct str text)
{
    int64_t at;

    if (d->found[rank] == 0 && date_any(str_trim(text), &at))
        d->found[rank] = at;
}

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.len && ascii_is_space(s.ptr[at]))
        at++;
    return at;
}

/* The string value behind the first `key` of the script that has one. */
static struct str json_value(struct str script, struct str key)
{
    size_t at = 0, end;

    while ((at = str_find(script, key, at)) != SIZE_MAX) {
        at = skip_space(script, at + key.len);
        if (at == script.len || script.ptr[at] != ':')
            continue;
        at = skip_space(script, at + 1);
        if (at == script.len || script.ptr[at] != '"')
            continue;
        end = str_find_char(script, '"', at + 1);
        return str_sub(script, at + 1, end == SIZE_MAX ? at + 1 : end);
    }
    return (struct str){NULL, 0};
}

void page_date_json(struct page_dates *d, struct str script)
{
    script = str_sub(script, 0, JSON_BYTES);
    page_date_add(d, RANK_PUBLISHED, json_value(script, STR("\"datePublished\"")));
    page_date_add(d, RANK_CHANGED, json_value(script, STR("\"dateModified\"")));
}

void page_date_choose(struct page_dates *d, const struct page_input *in, struct page *page)
{
    static const enum date_source source_of[RANK_COUNT] = {
        [RANK_PUBLISHED] = DATE_META,  [RANK_TIME_PUBLISHED] = DATE_META,
        [RANK_PLAIN] = DATE_META,      [RANK_CHANGED] = DATE_META,
        [RANK_URL] = DATE_URL,         [RANK_TIME] = DATE_TIME,
        [RANK_HEADER] = DATE_MODIFIED,
    };
    struct str path = in->url;
    size_t at = str_find(path, STR("://"), 0);

    at = at == SIZE_MAX ? SIZE_MAX : str_find_char(path, '/', at + 3);
    if (at != SIZE_MAX && !date_in_url(str_sub(path, at, path.len), &d->found[RANK_URL]))
        d->found[RANK_URL] = 0;
    if (!date_http(str_trim(in->last_modified), &d->found[RANK_HEADER]))
        d->found[RANK_HEADER] = 0;
    for (unsigned rank = 0; rank < RANK_COUNT; rank++) {
        int64_t found = d->found[rank];

        if (found <= 0 || (in->now > 0 && found > in->now + SLACK))
            continue;
        page->date = found;
        page->date_source = source_of[rank];
        return;
    }
}
