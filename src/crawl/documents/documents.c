/* documents.c - see documents.h. SPDX-License-Identifier: MIT */
#include "crawl/documents/documents.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/documents/reader.h"
#include "parse/http/decode.h"
#include "parse/mime.h"
#include "parse/page/page.h"

#include <stdlib.h>

#define BIT(kind) (1u << (kind))
/* Feeds and sitemaps lead to pages: they are always read, whichever types are wanted. */
#define ALWAYS \
    (BIT(MIME_NONE) | BIT(MIME_XML) | BIT(MIME_FEED) | BIT(MIME_SITEMAP) | BIT(MIME_GZIP))
#define BY_READER (BIT(MIME_PDF) | BIT(MIME_OFFICE))

struct documents {
    unsigned kinds; /* that are read, a bit each */
    const char *lack;
    struct reader *reader; /* NULL: no type needs it */
};

static const struct {
    struct str name;
    enum mime_kind kind;
} types_of[] = {
    {STR("html"), MIME_HTML},
    {STR("text"), MIME_TEXT},
    {STR("pdf"), MIME_PDF},
    {STR("office"), MIME_OFFICE},
};

static enum status read_types(const char *types, unsigned *ret_kinds)
{
    struct str rest = str_of(types), one;
    unsigned kinds = 0;

    while (str_cut(&rest, ',', &one)) {
        size_t i = 0;

        one = str_trim(one);
        while (i < ARRAY_LEN(types_of) && !str_eq_i(one, types_of[i].name))
            i++;
        if (i == ARRAY_LEN(types_of))
            return status_fail(ST_USAGE, "--types: '%.*s' is none of " DOCUMENT_TYPES,
                               STR_ARG(one));
        kinds |= BIT(types_of[i].kind);
    }
    *ret_kinds = ALWAYS | kinds;
    return ST_OK;
}

enum status documents_new(const char *types, struct documents **ret)
{
    struct documents *d;
    unsigned kinds = 0;

    TRY(read_types(types ? types : DOCUMENT_TYPES, &kinds));
    d = MEM_NEW(struct documents);
    d->kinds = kinds;
    if (d->kinds & BIT(MIME_PDF) && !reader_has_pdf()) {
        d->kinds &= ~BIT(MIME_PDF);
        d->lack =
            "PDFs are not read: pdftotext and pdfinfo are not in /usr (install poppler-utils)";
    }
    if (d->kinds & BY_READER && reader_start(&d->reader) != ST_OK) {
        d->kinds &= ~BY_READER;
        d->lack =
            "PDF and office documents are not read: the process that reads them did not start";
    }
    *ret = d;
    return ST_OK;
}

void documents_free(struct documents *d)
{
    if (d == NULL)
        return;
    reader_stop(d->reader);
    free(d);
}

const char *documents_lack(const struct documents *d)
{
    return d ? d->lack : NULL;
}

bool documents_text(const struct documents *d)
{
    return d == NULL || d->kinds & BIT(MIME_TEXT);
}

bool documents_want(void *ctx, struct str content_type)
{
    return page_wants_kinds(content_type, ((const struct documents *)ctx)->kinds);
}

static bool is_for_reader(const struct documents *d, enum mime_kind kind)
{
    return BY_READER & d->kinds & BIT(kind);
}

bool documents_slow(void *ctx, const struct arrival *a)
{
    const struct reply *r = &a->reply;

    return a->request->kind == REQUEST_PAGE && r->error == FETCH_OK && r->status >= 200 &&
           r->status <= 299 && !r->skipped && r->body.len &&
           is_for_reader(ctx, mime_decide(r->content_type, buf_str(&r->body)));
}

void documents_convert(void *ctx, struct arrival *a, const atomic_bool *stop)
{
    struct documents *d = ctx;
    LOCAL_BUF decoded = BUF_INIT(LIMIT_DECODED);
    struct str payload;
    enum mime_kind kind;

    a->why = decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &decoded, &payload,
                         &a->cut);
    kind = a->why == DROP_NONE ? mime_decide(a->reply.content_type, payload) : MIME_OTHER;
    if (is_for_reader(d, kind)) { /* else the server sent an error page in its place */
        a->payload_hash = hash_str(payload);
        a->why = reader_read(d->reader, kind == MIME_PDF ? DOCUMENT_PDF : DOCUMENT_OFFICE, payload,
                             stop, &a->html);
    }
}
