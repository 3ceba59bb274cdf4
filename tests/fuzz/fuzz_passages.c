/* fuzz_passages.c - any bytes as the places of a main text, and any text as a search's hit.
 *
 * The first byte says how long the text is, in steps of 16. Passages must stay inside it, and
 * what is read must be written again to the same passages. SPDX-License-Identifier: MIT */
#include "store/passages.h"
#include "store/read/snippet.h"
#include "store/tokens.h"

#include <assert.h>

#define MOST 1000

static void check_again(struct passage *all, uint32_t count, size_t total)
{
    struct page page = {.main = all, .nmain = count};
    struct buf packed = BUF_INIT(1 << 20);
    struct passages p;
    struct passage m;
    uint32_t n = 0;

    passages_write(&page, &packed);
    p = passages_of(buf_str(&packed), total);
    while (passages_next(&p, &m)) {
        while (n < count && all[n].len == 0)
            n++;
        assert(n < count && m.off == all[n].off && m.len == all[n].len && m.kind == all[n].kind);
        n++;
    }
    while (n < count && all[n].len == 0)
        n++;
    assert(n == count);
    buf_free(&packed);
}

/* The first 40 bytes are searched for in all of them, also as a phrase. */
static void show(struct str text, struct buf *out)
{
    struct str lang = text.len % 2 ? STR("de") : STR("");
    struct snippet *s = NULL;
    sqlite3 *db = NULL;

    assert(sqlite3_open(":memory:", &db) == SQLITE_OK && tokens_join(db) == ST_OK);
    assert(snippet_new(db, str_sub(text, 0, 40), &s) == ST_OK);
    (void)snippet_make(s, text, lang, out);
    snippet_why(s, text, lang, out);
    snippet_free(s);
    (void)sqlite3_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str packed = {(const char *)data + 1, size ? size - 1 : 0};
    static struct passage all[MOST];
    struct buf out = BUF_INIT(1 << 20);
    struct passages p;
    size_t total, end = 0;
    uint32_t n = 0;

    if (size == 0)
        return 0;
    total = (size_t)data[0] * 16;
    p = passages_of(packed, total);
    for (; n < MOST && passages_next(&p, &all[n]); n++) {
        assert(all[n].off >= end && all[n].kind < PASSAGE_KINDS);
        end = all[n].off + all[n].len;
        assert(end <= total);
    }
    check_again(all, n, total);
    show(packed, &out);
    assert(out.len <= 4 * size + 100);
    buf_free(&out);
    return 0;
}
