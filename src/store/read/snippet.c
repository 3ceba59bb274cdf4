/* snippet.c - some words of a stored page, with the words that were searched for.
 *
 * In: the text with marks around its hits. The passages of the main text are counted in the
 * text without marks: they are found again by counting them along. Among the passages with a
 * hit that with most hits wins, and of two the first.
 *
 * Workload: 20 texts of 9 KB a search. SPDX-License-Identifier: MIT
 */
#include "store/read/snippet.h"

#include "store/passages.h"

#define LEAD_WORDS 6 /* before the first hit */

static bool is_mark(char c)
{
    return c == SNIPPET_OPEN || c == SNIPPET_CLOSE;
}

/* The place in `marked` of a place in the text without marks, looked for from *at on. */
static size_t place_of(struct str marked, size_t want, size_t *at, size_t *plain)
{
    while (*at < marked.len && (*plain < want || is_mark(marked.ptr[*at]))) {
        if (*plain == want && marked.ptr[*at] == SNIPPET_OPEN)
            break;
        *plain += !is_mark(marked.ptr[*at]);
        ++*at;
    }
    return *at;
}

static unsigned count_hits(struct str s)
{
    unsigned n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == SNIPPET_OPEN;
    return n;
}

/* The passage with most hits; empty where none has one. */
static struct str find_best(struct str marked, struct str packed)
{
    size_t total = marked.len, at = 0, plain = 0;
    struct passages p;
    struct passage m;
    struct str best = {NULL, 0};
    unsigned most = 0;

    for (size_t i = 0; i < marked.len; i++)
        total -= is_mark(marked.ptr[i]);
    p = passages_of(packed, total);
    while (passages_next(&p, &m)) {
        size_t from = place_of(marked, m.off, &at, &plain);
        struct str s = str_sub(marked, from, place_of(marked, m.off + m.len, &at, &plain));
        unsigned hits = count_hits(s);

        if (hits > most) {
            most = hits;
            best = s;
        }
    }
    return best;
}

/* Where the snippet begins: LEAD_WORDS before the first hit. */
static size_t begin_of(struct str s)
{
    size_t at = str_find_char(s, SNIPPET_OPEN, 0);

    if (at == SIZE_MAX)
        return 0;
    for (unsigned words = 0; at > 0; at--)
        if (ascii_is_space(s.ptr[at - 1]) && ++words > LEAD_WORDS)
            break;
    return at;
}

void snippet_add(struct str marked, struct str packed, struct buf *out)
{
    struct str s = find_best(marked, packed);
    unsigned words = 0;
    size_t i, from;

    if (s.len == 0)
        s = marked;
    from = begin_of(s);
    if (from > 0)
        buf_add_z(out, "…");
    for (i = from; i < s.len && words < SNIPPET_WORDS; i++) {
        words += ascii_is_space(s.ptr[i]);
        if (words == SNIPPET_WORDS)
            break;
        buf_add_char(out, s.ptr[i] == SNIPPET_OPEN    ? '['
                          : s.ptr[i] == SNIPPET_CLOSE ? ']'
                                                      : s.ptr[i]);
    }
    if (i < s.len)
        buf_add_z(out, "…");
}
