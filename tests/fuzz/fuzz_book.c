/* fuzz_book.c - the book of a crawl, as it lies on the bus: what is taken makes sense, and comes
 * back as it was. SPDX-License-Identifier: MIT */
#include "cluster/branch.h"

#include <stdlib.h>
#include <string.h>

/* Two branches that begin with it: what they say together makes sense, too. */
static void branch(struct book *b)
{
    struct buf out = BUF_INIT(1 << 20);
    struct book other;

    book_init(&other);
    book_copy(&other, b);
    if (branch_compare(&other, b) != BRANCH_SAME)
        abort();
    book_stamp(&other, 7);
    book_leave(&other, b->nodes[b->count - 1].id, 1, (const uint64_t[PARTITIONS]){3});
    book_stamp(b, 8);
    (void)book_take(b, b->nodes[0].id, 1);
    branch_join(b, &other);
    book_save(b, &out);
    if (book_load(&other, buf_str(&out)) != ST_OK)
        abort();
    book_clear(&other);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(1 << 20);
    struct book b;

    book_init(&b);
    if (book_load(&b, (struct str){(const char *)data, size}) == ST_OK) {
        size_t owned = book_free_parts(&b);

        for (size_t i = 0; i < b.count; i++)
            owned += book_owned(&b, b.nodes[i].id);
        if (owned != PARTITIONS)
            abort();
        book_save(&b, &out);
        if (data[0] == (uint8_t)out.data[0] && out.len != size) /* an older version is shorter */
            abort();
        if (b.count && b.nodes[0].alive)
            branch(&b);
        if (b.count)
            book_keep(&b, 0), book_leave(&b, b.nodes[0].id, 1, (const uint64_t[PARTITIONS]){3});
    }
    book_clear(&b);
    buf_free(&out);
    return 0;
}
