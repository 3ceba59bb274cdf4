/* pattern.c - `match` and `reject` lines of a topic. SPDX-License-Identifier: MIT */
#include "text/pattern.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/limits.h"
#include "text/words/unicode.h"

static bool has_wildcard(struct str s)
{
    return str_find_char(s, '*', 0) != SIZE_MAX || str_find_char(s, '?', 0) != SIZE_MAX;
}

enum status pattern_parse(struct str text, struct arena *arena, struct pattern *ret)
{
    struct buf lower = BUF_INIT(4 * LIMIT_PATTERN);
    struct pattern p = {0};
    struct str inner;

    text = str_trim(text);
    if (text.len == 0 || text.len > LIMIT_PATTERN)
        return status_fail(ST_USAGE, "a pattern needs 1 to %d bytes", LIMIT_PATTERN);
    if (unicode_lower_text(text, &lower) == ST_OK)
        p.glob = arena_str(arena, buf_str(&lower));
    buf_free(&lower);
    if (p.glob.ptr == NULL)
        return status_fail(ST_LIMIT, "the topic is too large");
    inner = p.glob;
    if (has_wildcard(inner)) {
        while (inner.len > 0 && inner.ptr[0] == '*')
            inner = str_sub(inner, 1, inner.len);
        while (inner.len > 0 && inner.ptr[inner.len - 1] == '*')
            inner.len--;
        p.is_plain =
            p.glob.ptr[0] == '*' && p.glob.ptr[p.glob.len - 1] == '*' && !has_wildcard(inner);
    } else {
        p.is_plain = true;
    }
    p.plain = inner;
    *ret = p;
    return ST_OK;
}

bool pattern_in_line(const struct pattern *p, struct str line)
{
    if (p->is_plain)
        return str_find(line, p->plain, 0) != SIZE_MAX;
    return str_match(p->glob, line);
}

bool pattern_in_url(const struct pattern *p, struct str url)
{
    size_t scheme = str_find(url, STR("://"), 0);

    return pattern_in_line(p, url) ||
           (scheme != SIZE_MAX && pattern_in_line(p, str_sub(url, scheme + 3, url.len)));
}

bool pattern_in_text(const struct pattern *p, struct str text)
{
    struct str line;

    if (p->is_plain)
        return pattern_in_line(p, str_sub(text, 0, LIMIT_PATTERN_TEXT));
    text = str_sub(text, 0, LIMIT_PATTERN_GLOB);
    while (str_cut(&text, '\n', &line))
        if (str_match(p->glob, line))
            return true;
    return false;
}
