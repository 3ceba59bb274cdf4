/* stored.c - the stored copy of a page. See stored.h. SPDX-License-Identifier: MIT */
#include "dash/api/stored.h"

#include "base/limits.h"
#include "parse/http/decode.h"
#include "parse/http/head.h"
#include "parse/charset.h"
#include "parse/mime.h"
#include "store/archive.h"

/* The type under which a payload of this Content-Type is sent. */
static const char *stored_type(struct str content_type)
{
    return mime_parse(content_type).kind == MIME_HTML ? "text/html; charset=utf-8"
                                                      : "text/plain; charset=utf-8";
}

/* No policy stops <link rel=preconnect> from opening a connection, and <meta> can ask for
 * more of that kind; neither shows anything. Their tags become comments wherever their
 * names stand, so that no two ways of reading HTML can differ on where that is. */
static void add_quiet(struct str html, struct buf *out)
{
    size_t from = 0;

    for (size_t at = str_find_char(html, '<', 0); at != SIZE_MAX && !out->full;
         at = str_find_char(html, '<', at + 1)) {
        struct str rest = str_sub(html, at + 1, html.len);

        if (!str_starts_i(rest, STR("link")) && !str_starts_i(rest, STR("meta")))
            continue;
        buf_add_str(out, str_sub(html, from, at + 1));
        buf_add_char(out, '!');
        from = at + 1;
    }
    buf_add_str(out, str_sub(html, from, html.len));
}

/* As UTF-8, whatever it was: our header then says the truth, and a declaration inside the
 * document means nothing. */
static enum status add_text(struct str payload, struct str content_type, struct buf *out)
{
    struct charset_reader *reader = charset_reader_new();
    struct mime mime = mime_parse(content_type);
    size_t bom = 0;
    const struct charset *charset = charset_decide(reader, payload, mime.charset, &bom);
    struct str text = charset_decode(reader, charset, str_sub(payload, bom, payload.len));

    if (mime.kind == MIME_HTML)
        add_quiet(text, out);
    else
        buf_add_str(out, text);
    charset_reader_free(reader);
    return buf_check(out);
}

static enum status add_payload(struct str head, struct str payload, struct buf *out,
                               struct stored *ret)
{
    struct buf decoded = BUF_INIT(LIMIT_DECODED);
    struct reply fields = {.head = head};
    struct head_facts facts;
    struct arena memory;
    struct str plain = payload;
    enum status st;
    bool cut;

    arena_init(&memory, MIB(4));
    head_read(&fields, &memory, &facts);
    ret->type = stored_type(fields.content_type);
    if (decode_body(payload, fields.content_encoding, &decoded, &plain, &cut) != DROP_NONE)
        st = status_fail(ST_CORRUPT, "the stored copy cannot be decoded");
    else
        st = add_text(plain, fields.content_type, out);
    arena_free(&memory);
    buf_free(&decoded);
    return st;
}

enum status stored_read(struct query *q, uint32_t page, struct buf *out, struct stored *ret)
{
    struct str head, payload = {"", 0};
    struct warc_record record;
    enum status st = query_payload(q, page, &record);
    int status;

    if (st != ST_OK)
        return st;
    if (warc_http(&record, &status, &head, &payload))
        st = add_payload(head, payload, out, ret);
    else
        st = status_fail(ST_CORRUPT, "the stored copy is no HTTP reply");
    warc_record_free(&record);
    return st;
}
