/* archived.c - reads the archived answers of a world one by one.
 *
 * In: versions of a world. Out: the replies as a crawler would have received them. Workload: 10^5
 * answers of some 10 KB, by each worker of load.c.
 * SPDX-License-Identifier: MIT */
#include "sim/archived.h"

#include "base/hash.h"
#include "base/limits.h"
#include "parse/http/decode.h"
#include "parse/http/head.h"
#include "text/shingle.h"

void archived_init(struct archived *a, const struct world *w)
{
    *a = (struct archived){.world = w,
                           .reader = world_reader_new(w),
                           .head = BUF_INIT(LIMIT_HEADER_BYTES * 2),
                           .body = BUF_INIT(LIMIT_BODY * 2),
                           .decoded = BUF_INIT(LIMIT_DECODED)};
}

void archived_clear(struct archived *a)
{
    world_reader_free(a->reader);
    buf_free(&a->head);
    buf_free(&a->body);
    buf_free(&a->decoded);
}

enum status archived_read(struct archived *a, uint32_t version, struct arena *memory)
{
    struct head_facts facts;

    buf_clear(&a->head);
    buf_clear(&a->body);
    a->version = version;
    TRY(world_reader_read(a->reader, version, &a->head, &a->body));
    a->reply = (struct reply){.head = buf_str(&a->head)};
    head_read(&a->reply, memory, &facts);
    return ST_OK;
}

bool archived_decode(struct archived *a, struct str *ret_payload)
{
    bool cut = false;

    buf_clear(&a->decoded);
    return decode_body(buf_str(&a->body), a->reply.content_encoding, &a->decoded, ret_payload,
                       &cut) == DROP_NONE;
}

struct page_input archived_input(const struct archived *a, struct str payload)
{
    const struct world_version *v = world_version(a->world, a->version);

    return (struct page_input){.payload = payload,
                               .url = world_entry(a->world, v->entry)->url,
                               .content_type = a->reply.content_type,
                               .content_language = a->reply.content_language,
                               .last_modified = a->reply.last_modified,
                               .link_header = a->reply.link,
                               .now = v->at + v->latency};
}

uint64_t archived_bare_hash(struct str text, struct buf *scratch)
{
    size_t from = 0, at = str_find_char(text, '$', 0), word;

    if (at == SIZE_MAX)
        return hash_str(text);
    buf_clear(scratch);
    while (at != SIZE_MAX) {
        size_t end = stamp_end(text, at, &word);

        if (end) {
            buf_add_str(scratch, str_sub(text, from, word));
            from = end;
        }
        at = str_find_char(text, '$', end ? end : at + 1);
    }
    buf_add_str(scratch, str_sub(text, from, text.len));
    return hash_str(buf_str(scratch));
}
