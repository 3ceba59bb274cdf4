/* pack.c - compresses and digests replies for the archive.
 *
 * A deflater needs its input in one piece, so a reply is copied once, after its header block.
 * SPDX-License-Identifier: MIT */
#include "store/pack.h"

#include "base/limits.h"
#include "base/mem.h"
#include "store/deflate.h"
#include "store/sha1.h"

#include <libdeflate.h>
#include <stdlib.h>

struct packer {
    struct deflater *deflater;
    struct sha1 *digest;
    struct buf head, block, out; /* used again for every record */
};

#define LARGE MIB(1) /* the buffer of one giant reply is not kept */

struct packer *packer_new(int level)
{
    struct deflater *deflater = deflater_new(level);
    struct packer *p;

    if (deflater == NULL)
        return NULL;
    p = MEM_NEW(struct packer);
    *p = (struct packer){.deflater = deflater,
                         .digest = sha1_new(),
                         .head = BUF_INIT(LIMIT_HEADER_BYTES * 2),
                         .block = BUF_INIT(LIMIT_WARC_RECORD),
                         .out = BUF_INIT(LIMIT_WARC_RECORD * 2)};
    return p;
}

void packer_free(struct packer *p)
{
    if (p == NULL)
        return;
    deflater_free(p->deflater);
    sha1_free(p->digest);
    buf_free(&p->head);
    buf_free(&p->block);
    buf_free(&p->out);
    free(p);
}

struct sha1 *packer_sha1(const struct packer *p)
{
    return p->digest;
}

/* ---- the header block ---- */

static void put_line(struct buf *out, struct str line)
{
    if (str_starts_i(line, STR("transfer-encoding:")))
        buf_add_z(out, "X-Archive-Orig-");
    buf_add_str(out, line);
    buf_add_z(out, "\r\n");
}

static struct str without_end(struct str head)
{
    while (head.len && (head.ptr[head.len - 1] == '\n' || head.ptr[head.len - 1] == '\r'))
        head.len--;
    return head;
}

struct str packer_head(struct packer *p, const struct reply *reply)
{
    struct str rest = without_end(reply->head), line;
    struct buf *head = &p->head;
    bool first = true;

    buf_clear(head);
    while (str_cut(&rest, '\n', &line)) {
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        if (first && (reply->h2 || !str_starts_i(line, STR("HTTP/"))))
            buf_addf(head, "HTTP/1.1 %d \r\n", reply->status);
        else
            put_line(head, line);
        first = false;
    }
    if (first)
        buf_addf(head, "HTTP/1.1 %d \r\n", reply->status);
    buf_add_z(head, "\r\n");
    return buf_str(head);
}

/* ---- packing ---- */

/* Deflates p->block, of which the last four bytes end the record. */
static struct packed *deflate_block(struct packer *p)
{
    size_t bound = deflater_bound(p->deflater, p->block.len), n = 0;
    struct packed *ret;
    char *room;

    buf_clear(&p->out);
    room = buf_room(&p->out, bound);
    if (room && !p->block.full)
        n = deflater_run(p->deflater, buf_str(&p->block), room, bound);
    p->out.full = p->block.full = false;
    if (n == 0)
        return NULL;
    ret = mem_alloc(sizeof *ret + n);
    *ret = (struct packed){.crc = libdeflate_crc32(0, p->block.data, p->block.len),
                           .length = p->block.len - 4,
                           .size = n};
    memcpy(ret->bytes, room, n);
    return ret;
}

/* Packs a block of two parts, with the digest of the second. */
static struct packed *pack(struct packer *p, struct str before, struct str payload)
{
    struct packed *ret;

    buf_clear(&p->block);
    (void)buf_room(&p->block, before.len + payload.len + 4);
    buf_add_str(&p->block, before);
    buf_add_str(&p->block, payload);
    buf_add_z(&p->block, "\r\n\r\n");
    ret = deflate_block(p);
    if (ret)
        sha1_base32(p->digest, &payload, 1, ret->digest);
    if (p->block.cap > LARGE) {
        buf_free(&p->block);
        buf_free(&p->out);
    }
    return ret;
}

struct packed *packer_reply(struct packer *p, const struct reply *reply)
{
    return pack(p, packer_head(p, reply), buf_str(&reply->body));
}

struct packed *packer_text(struct packer *p, struct str text)
{
    return pack(p, STR(""), text);
}

void packer_arrival(struct packer *p, struct arrival *a)
{
    bool kept = a->reply.status != 0 && a->reply.status != 304 && a->why == DROP_NONE &&
                !(a->robots & (ROBOTS_NOARCHIVE | ROBOTS_NOINDEX));

    if (!kept || a->packed)
        return;
    a->packed = packer_reply(p, &a->reply);
    if (a->html.len)
        a->packed_html = packer_text(p, buf_str(&a->html));
}
