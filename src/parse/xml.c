/* xml.c - XML as a stream of calls, by libxml2's SAX interface.
 *
 * In: a payload. Out: calls of a struct xml_handler. libxml2 gets a handler table
 * with five entries and no others, so it builds no tree and keeps no declared
 * entity; its entity lookup is answered by HTML's names.
 *
 * Workload: one document in some hundred pages, a few KB to some MB.
 * SPDX-License-Identifier: MIT
 */
#include "parse/xml.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/entities.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

struct xml_reader {
    const struct xml_handler *handler;
    void *user;
    xmlParserCtxtPtr ctxt;
    int depth;        /* open elements */
    bool seen;        /* an element was opened */
    bool stopped;     /* a handler ended the parse */
    xmlEntity entity; /* the last one that was looked up */
    xmlChar value[ENTITY_VALUE_MAX + 1];
};

struct str xml_attr(const struct xml_attrs *attrs, const char *prefix, const char *name)
{
    for (int i = 0; i < attrs->count; i++) {
        const unsigned char **a = attrs->raw + 5 * i; /* name, prefix, URI, value, its end */
        const char *its = a[1] ? (const char *)a[1] : "";

        if (strcmp((const char *)a[0], name) == 0 && strcmp(its, prefix) == 0)
            return (struct str){(const char *)a[3], (size_t)(a[4] - a[3])};
    }
    return (struct str){NULL, 0};
}

/* ---- libxml2's calls ------------------------------------------------------------- */

static void reader_heed(struct xml_reader *r, bool go_on)
{
    /* libxml2 drops references once it has seen an error; we want them. */
    r->ctxt->wellFormed = 1;
    if (go_on || r->stopped)
        return;
    r->stopped = true;
    xmlStopParser(r->ctxt);
}

static int deepest(const struct xml_reader *r)
{
    return r->handler->nesting ? r->handler->nesting : LIMIT_XML_NESTING;
}

static void tell_damage(struct xml_reader *r)
{
    if (r->handler->damaged && !r->stopped)
        r->handler->damaged(r->user);
}

static void on_open(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri,
                    int nspaces, const xmlChar **spaces, int nattrs, int ndefaulted,
                    const xmlChar **attrs)
{
    struct xml_reader *r = user;
    struct xml_attrs a = {attrs, nattrs};
    struct xml_name name = {str_of((const char *)local),
                            str_of((const char *)(uri ? uri : prefix))};

    (void)nspaces, (void)spaces, (void)ndefaulted;
    r->seen = true;
    if (++r->depth > deepest(r))
        tell_damage(r);
    else if (!r->stopped)
        reader_heed(r, r->handler->open(r->user, &name, &a));
}

static void on_close(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    struct xml_reader *r = user;

    (void)local, (void)prefix, (void)uri;
    if (r->depth-- <= deepest(r) && !r->stopped)
        reader_heed(r, r->handler->close(r->user));
}

static void on_text(void *user, const xmlChar *text, int len)
{
    struct xml_reader *r = user;

    if (!r->stopped && len > 0)
        reader_heed(r, r->handler->text(r->user, (struct str){(const char *)text, (size_t)len}));
}

/* Gives HTML's names as entities that libxml2 takes for predefined ones. In attributes it would use
 * only the first byte of the value, so there are none there. */
static xmlEntityPtr on_entity(void *user, const xmlChar *name)
{
    struct xml_reader *r = user;
    struct str s = str_of((const char *)name);
    char text[40];
    size_t used, len;

    if (s.len + 2 > sizeof text || r->ctxt->instate == XML_PARSER_ATTRIBUTE_VALUE)
        return NULL;
    memcpy(text, s.ptr, s.len);
    text[s.len] = ';';
    used = entity_decode(text, text + s.len + 1, false, (char *)r->value, &len);
    if (used != s.len + 1)
        return NULL;
    r->value[len] = '\0';
    r->entity = (xmlEntity){.type = XML_ENTITY_DECL,
                            .name = name,
                            .content = r->value,
                            .orig = r->value,
                            .length = (int)len,
                            .etype = XML_INTERNAL_PREDEFINED_ENTITY};
    r->ctxt->wellFormed = 1;
    return &r->entity;
}

static void on_error(void *user, xmlErrorPtr error)
{
    if (user && error->level > XML_ERR_WARNING)
        tell_damage(user); /* broken XML is normal: we read what can be read */
}

/* ---- the whole -------------------------------------------------------------------- */

static bool has_bom(struct str s)
{
    return str_starts(s, STR("\xef\xbb\xbf")) || str_starts(s, STR("\xff\xfe")) ||
           str_starts(s, STR("\xfe\xff"));
}

/* Uses the header's charset if libxml2 knows it. */
static bool use_charset(xmlParserCtxtPtr ctxt, struct str charset)
{
    char name[64];
    xmlCharEncodingHandlerPtr handler;

    if (charset.len == 0 || charset.len >= sizeof name)
        return false;
    memcpy(name, charset.ptr, charset.len);
    name[charset.len] = '\0';
    handler = xmlFindCharEncodingHandler(name);
    return handler != NULL && xmlSwitchToEncoding(ctxt, handler) == 0;
}

/* Skips white space before the declaration, which XML forbids and servers send. */
static struct str without_lead(struct str s)
{
    while (s.len && ascii_is_space(s.ptr[0]))
        s = str_sub(s, 1, s.len);
    return s;
}

/* Runs the parser once. Returns true if there was an element. */
static bool run(struct xml_reader *r, struct str payload, struct str charset)
{
    int options = XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR |
                  XML_PARSE_NOWARNING;

    r->ctxt = xmlCreateMemoryParserCtxt(payload.ptr, (int)payload.len);
    if (r->ctxt == NULL)
        return false;
    *r->ctxt->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                    .startElementNs = on_open,
                                    .endElementNs = on_close,
                                    .characters = on_text,
                                    .cdataBlock = on_text,
                                    .getEntity = on_entity,
                                    .serror = on_error};
    r->ctxt->userData = r;
    if (!has_bom(payload) && use_charset(r->ctxt, charset))
        options |= XML_PARSE_IGNORE_ENC;
    (void)xmlCtxtUseOptions(r->ctxt, options);
    (void)xmlParseDocument(r->ctxt);
    xmlFreeDoc(r->ctxt->myDoc); /* made for declared entities, which we do not need */
    r->ctxt->myDoc = NULL;
    xmlFreeParserCtxt(r->ctxt);
    return r->seen;
}

/* If libxml2 gets no memory, it takes half a document for a whole one. So it uses base/mem.h, where
 * only large allocations can be refused. */
static void *alloc(size_t size)
{
    return mem_try(NULL, size);
}

static char *copy(const char *z)
{
    return str_dup(str_of(z));
}

static void begin(void)
{
    (void)xmlMemSetup(free, alloc, mem_try, copy);
    xmlInitParser();
}

enum status xml_parse(struct str payload, struct str charset, const struct xml_handler *handler,
                      void *user)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct xml_reader r = {.handler = handler, .user = user};

    (void)pthread_once(&once, begin);
    payload = without_lead(payload);
    if (payload.len == 0 || payload.len > INT_MAX)
        return status_fail(ST_INVALID, "no XML");
    xmlSetStructuredErrorFunc(NULL, on_error); /* of this thread */
    /* an unknown declared encoding ends the first run at once */
    if (run(&r, payload, charset) || run(&r, payload, STR("utf-8")))
        return ST_OK;
    return status_fail(ST_INVALID, "no XML");
}
