/* tree_xml.c - reads what `brood export --as xml` writes. See tree_xml.h.
 *
 * Workload: one document, up to some hundred MB; an element at a time.
 * SPDX-License-Identifier: MIT */
#include "store/tree_xml.h"

#include "base/limits.h"
#include "parse/date.h"
#include "parse/xml.h"

#include <math.h>

#define NESTING 250 /* libxml2 refuses 256; the writer begins at the top again after 200 */

struct tree_reading {
    const struct tree_handler *handler;
    void *user;
    const struct xml_attrs *attrs; /* of the element under way … */
    struct str element;            /* … and its name */
    uint32_t owner;                /* agent whose path is open */
    uint32_t page;                 /* the last one */
    int depth;                     /* open elements */
    bool closed;                   /* the root was closed */
    bool damaged;
    enum status st;
};

/* ---- attributes ---------------------------------------------------------- */

static struct str text(const struct tree_reading *r, const char *name)
{
    struct str s = xml_attr(r->attrs, "", name);

    return s.ptr ? s : STR("");
}

static void refuse(struct tree_reading *r, const char *name, struct str value, const char *wanted)
{
    if (r->st == ST_OK)
        r->st = status_fail(ST_INVALID, "<%.*s>: %s='%.*s' is no %s", STR_ARG(r->element), name,
                            STR_ARG(str_sub(value, 0, 100)), wanted);
}

static uint64_t whole(struct tree_reading *r, const char *name, uint64_t most)
{
    struct str s = text(r, name);
    uint64_t n = 0;

    if (s.len && (!str_to_u64(s, &n) || n > most))
        refuse(r, name, s, "number that it may be");
    return n;
}

static uint32_t number(struct tree_reading *r, const char *name, uint32_t most)
{
    return (uint32_t)whole(r, name, most);
}

/* Returns a number that must be present. */
static uint32_t own_number(struct tree_reading *r, const char *name, uint32_t most)
{
    uint32_t n = number(r, name, most);

    if (n == 0)
        refuse(r, name, text(r, name), "number of its own");
    return n;
}

static double real(struct tree_reading *r, const char *name)
{
    struct str s = text(r, name);
    double x = NAN;

    if (s.len && (!str_to_double(s, &x) || !isfinite(x)))
        refuse(r, name, s, "number");
    return x;
}

static int64_t moment(struct tree_reading *r, const char *name)
{
    struct str s = text(r, name);
    int64_t at = 0;

    if (s.len && !date_iso(s, &at))
        refuse(r, name, s, "time");
    return at;
}

static bool is_yes(const struct tree_reading *r, const char *name)
{
    return str_eq(text(r, name), STR("yes"));
}

/* ---- elements ------------------------------------------------------------ */

static enum status on_root(struct tree_reading *r)
{
    struct tree_head head = {.topic = text(r, "topic"), .model = text(r, "model")};

    if (!str_eq(r->element, STR("brood")))
        return status_fail(ST_INVALID, "it begins with <%.*s>, not with <brood>",
                           STR_ARG(str_sub(r->element, 0, 100)));
    if (!str_eq(text(r, "version"), STR("1")))
        return status_fail(ST_INVALID, "version '%.*s' of the format is not known",
                           STR_ARG(str_sub(text(r, "version"), 0, 100)));
    return r->handler->head ? r->handler->head(r->user, &head) : ST_OK;
}

static enum status on_agent(struct tree_reading *r)
{
    struct tree_agent a = {
        .id = own_number(r, "id", LIMIT_AGENTS),
        .parent = number(r, "parent", LIMIT_AGENTS),
        .generation = number(r, "generation", LIMIT_AGENTS),
        .born_page = number(r, "born-page", LIMIT_VIEW_PAGES),
        .name = text(r, "name"),
        .kind = text(r, "kind"),
        .death = text(r, "death"),
        .born_url = text(r, "born-url"),
        .energy = real(r, "energy"),
        .pages = whole(r, "pages", LIMIT_VIEW_PAGES),
        .born_at = moment(r, "born"),
        .died_at = moment(r, "died"),
    };

    return r->st == ST_OK && r->handler->agent ? r->handler->agent(r->user, &a) : r->st;
}

static enum status on_page(struct tree_reading *r)
{
    struct tree_page p = {
        .id = own_number(r, "id", LIMIT_VIEW_PAGES),
        .agent = number(r, "agent", LIMIT_AGENTS),
        .depth = number(r, "depth", UINT16_MAX),
        .relevance = real(r, "relevance"),
        .p = real(r, "p"),
        .fetched_at = moment(r, "fetched"),
        .url = text(r, "url"),
        .title = text(r, "title"),
        .lang = text(r, "lang"),
        .declared = text(r, "lang-declared"),
    };

    r->page = p.id;
    if (p.depth == 0 && !is_yes(r, "seed")) /* written before there was a depth */
        p.depth = 1;
    return r->st == ST_OK && r->handler->page ? r->handler->page(r->user, &p) : r->st;
}

static enum status on_topic(struct tree_reading *r)
{
    struct tree_topic t = {.page = r->page,
                           .name = text(r, "name"),
                           .relevance = real(r, "relevance"),
                           .p = real(r, "p")};

    if (r->page == 0)
        refuse(r, "name", t.name, "topic of any page");
    return r->st == ST_OK && r->handler->topic ? r->handler->topic(r->user, &t) : r->st;
}

static enum status on_path(struct tree_reading *r)
{
    r->owner = own_number(r, "agent", LIMIT_AGENTS);
    return r->st;
}

static enum status on_visit(struct tree_reading *r)
{
    struct tree_visit v = {
        .agent = r->owner,
        .page = own_number(r, "page", LIMIT_VIEW_PAGES),
        .at = moment(r, "at"),
        .first = is_yes(r, "first"),
        .before = real(r, "before"),
        .delta = real(r, "delta"),
        .after = real(r, "after"),
        .url = text(r, "url"),
    };

    if (r->owner == 0)
        refuse(r, "page", text(r, "page"), "visit of any agent");
    return r->st == ST_OK && r->handler->visit ? r->handler->visit(r->user, &v) : r->st;
}

/* ---- the document -------------------------------------------------------- */

static const struct {
    const char *name;
    enum status (*on)(struct tree_reading *r);
} elements[] = {
    {"agent", on_agent}, {"page", on_page},   {"topic", on_topic},
    {"path", on_path},   {"visit", on_visit},
};

static bool on_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct tree_reading *r = user;

    r->attrs = attrs;
    r->element = name->local;
    if (r->depth++ == 0) {
        r->st = on_root(r);
        return r->st == ST_OK;
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (str_eq(name->local, str_of(elements[i].name)))
            r->st = elements[i].on(r);
    return r->st == ST_OK;
}

static bool on_close(void *user)
{
    struct tree_reading *r = user;

    r->closed = --r->depth == 0;
    return true;
}

static bool on_text(void *user, struct str text_)
{
    (void)user, (void)text_;
    return true;
}

static void on_damage(void *user)
{
    ((struct tree_reading *)user)->damaged = true;
}

enum status tree_xml_read(struct str bytes, const struct tree_handler *handler, void *user)
{
    static const struct xml_handler calls = {.open = on_open,
                                             .close = on_close,
                                             .text = on_text,
                                             .damaged = on_damage,
                                             .nesting = NESTING};
    struct tree_reading r = {.handler = handler, .user = user};
    enum status st = xml_parse(bytes, STR("utf-8"), &calls, &r);

    if (st != ST_OK || r.st != ST_OK)
        return r.st != ST_OK ? r.st : st;
    if (r.damaged || !r.closed)
        return status_fail(ST_INVALID, "the XML is damaged, or ends early");
    return ST_OK;
}
