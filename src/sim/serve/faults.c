/* faults.c - the faults that are switched on, and their answers piece by piece.
 *
 * In: a host and a path. Out: pieces of bytes. The faults themselves are rows
 * of faults_wire.c, faults_code.c and faults_page.c; the front page, the good
 * page and robots.txt of every faulty host are made here.
 *
 * A connection can only be refused before its host is known, so that fault depends on the address:
 * a request for the front page arms it for the address that was asked, and the next connection to
 * that address is reset.
 * SPDX-License-Identifier: MIT */
#include "sim/serve/faults.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

#define PIECE    KIB(64)
#define ARMED    64     /* addresses that wait to refuse; the oldest gives way */
#define FINE     "fine" /* a host beside the faulty ones */
#define PAGE_MAX KIB(64)

struct faults {
    bool *on; /* by number */
    uint32_t armed[ARMED];
    unsigned narmed;
};

enum stage { STAGE_RAW, STAGE_UNITS, STAGE_TAIL, STAGE_OVER };

const struct fault *fault_at(size_t n)
{
    if (n < faults_wire_count)
        return &faults_wire[n];
    n -= faults_wire_count;
    if (n < faults_code_count)
        return &faults_code[n];
    n -= faults_code_count;
    return n < faults_page_count ? &faults_page[n] : NULL;
}

static size_t fault_find(struct str name)
{
    const struct fault *f;

    for (size_t n = 0; (f = fault_at(n)) != NULL; n++)
        if (str_eq_i(str_of(f->name), name))
            return n;
    return SIZE_MAX;
}

/* ---- choosing ------------------------------------------------------------ */

enum status faults_new(const char *list, struct faults **ret)
{
    size_t count = faults_wire_count + faults_code_count + faults_page_count;
    struct faults *f = MEM_NEW(struct faults);
    struct str rest = str_of(list), name;

    f->on = mem_zero(count, sizeof *f->on);
    while (str_cut(&rest, ',', &name)) {
        size_t n;

        name = str_trim(name);
        if (name.len == 0)
            continue;
        n = fault_find(name);
        if (n != SIZE_MAX) {
            f->on[n] = true;
        } else if (str_eq(name, STR("all"))) {
            memset(f->on, true, count);
        } else {
            faults_free(f);
            return status_fail(ST_USAGE, "there is no fault '%.*s' ('--faults list' shows them)",
                               STR_ARG(name));
        }
    }
    *ret = f;
    return ST_OK;
}

void faults_free(struct faults *f)
{
    if (f == NULL)
        return;
    free(f->on);
    free(f);
}

/* ---- the pages every faulty host has ------------------------------------- */

static void add_page(struct buf *out, int status, const char *type, struct str body)
{
    buf_addf(out,
             "HTTP/1.1 %d %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
             "Connection: close\r\n\r\n",
             status, status == 200 ? "OK" : "Not Found", type, body.len);
    buf_add_str(out, body);
}

static void add_front(struct buf *out, const struct fault *f)
{
    LOCAL_BUF body = BUF_INIT(PAGE_MAX);

    buf_addf(&body, "<!DOCTYPE html>\n<title>%s</title>\n<p>%s.\n", f->name, f->help);
    for (size_t i = 0; i < f->npages; i++) {
        const char *link = f->pages[i].link ? f->pages[i].link : f->pages[i].path;

        if (*link)
            buf_addf(&body, "<a href='%s'>%zu</a>\n", link, i + 1);
    }
    buf_addf(&body, "<a href='%s'>good</a>\n", f->good ? f->good : "/good");
    add_page(out, 200, "text/html", buf_str(&body));
}

static void add_good(struct buf *out, const char *name)
{
    LOCAL_BUF body = BUF_INIT(PAGE_MAX);

    buf_addf(&body, "<!DOCTYPE html>\n<title>good: %s</title>\n<p>Behind %s all is well.\n", name,
             name);
    add_page(out, 200, "text/html", buf_str(&body));
}

/* ---- an answer ----------------------------------------------------------- */

static bool path_fits(const char *pattern, struct str path)
{
    struct str p = str_of(pattern);

    if (str_ends(p, STR("*")))
        return str_starts(path, str_sub(p, 0, p.len - 1));
    return str_eq(path, p);
}

static const struct fault_page *page_find(const struct fault *f, struct str path)
{
    for (size_t i = 0; i < f->npages; i++)
        if (path_fits(f->pages[i].path, path))
            return &f->pages[i];
    return NULL;
}

static void arm(struct faults *f, uint32_t address)
{
    if (f->narmed == ARMED)
        memmove(f->armed, f->armed + 1, --f->narmed * sizeof *f->armed);
    f->armed[f->narmed++] = address;
}

bool faults_refuse(struct faults *f, uint32_t address)
{
    for (unsigned i = 0; f && i < f->narmed; i++)
        if (f->armed[i] == address) {
            f->armed[i] = f->armed[--f->narmed];
            return true;
        }
    return false;
}

/* A page of our own making: one piece, then closed. */
static void answer_own(struct faults *f, struct fault_reply *r, const struct fault *fault,
                       struct str path, uint32_t address)
{
    static const struct fault_page own = {.path = ""};

    r->page = &own;
    if (str_eq(path, STR("/"))) {
        add_front(&r->raw, fault);
        if (fault->refuses)
            arm(f, address);
    } else if (str_eq(path, STR("/good"))) {
        add_good(&r->raw, fault->name);
    } else {
        add_page(&r->raw, 404, "text/plain", STR("nothing is here\n"));
    }
}

static int status_of(struct str raw)
{
    uint64_t n = 0;

    if (!str_starts(raw, STR("HTTP/1.")) || raw.len < 12)
        return 0;
    return str_to_u64(str_sub(raw, 9, 12), &n) ? (int)n : 0;
}

/* The fault's name in "NAME.faults.example:80"; empty where it is no such host. */
static struct str host_name(struct str host)
{
    host = str_sub(host, 0, str_find_char(host, ':', 0));
    if (!str_ends_i(host, STR(FAULTS_DOMAIN)))
        return (struct str){"", 0};
    return str_sub(host, 0, host.len - (sizeof FAULTS_DOMAIN - 1));
}

struct fault_reply *faults_answer(struct faults *f, struct str host, struct str path,
                                  uint32_t address)
{
    static const struct fault fine = {.name = FINE, .help = "Nothing is wrong here"};
    struct str name = host_name(host);
    size_t n = f && name.len ? fault_find(name) : SIZE_MAX;
    const struct fault *fault = n == SIZE_MAX ? NULL : fault_at(n);
    struct fault_reply *r;

    if (f && str_eq_i(name, STR(FINE)))
        fault = &fine;
    else if (fault == NULL || !f->on[n])
        return NULL;
    r = MEM_NEW(struct fault_reply);
    r->raw = BUF_INIT(LIMIT_BODY);
    r->page = page_find(fault, path);
    if (r->page == NULL)
        answer_own(f, r, fault, path, address);
    else if (r->page->raw_fn)
        r->page->raw_fn(path, &r->raw);
    else
        buf_add_str(&r->raw, r->page->raw);
    r->status = status_of(buf_str(&r->raw));
    return r;
}

void fault_reply_free(struct fault_reply *r)
{
    if (r == NULL)
        return;
    buf_free(&r->raw);
    free(r);
}

static void add_units(struct fault_reply *r, struct buf *out)
{
    const struct fault_page *p = r->page;
    size_t most = p->piece ? p->piece : PIECE, from = out->len;

    while (r->number < p->times && out->len - from < most) {
        if (p->unit_fn)
            p->unit_fn(r->number, out);
        else
            buf_add_str(out, p->unit);
        r->number++;
    }
}

bool fault_reply_next(struct fault_reply *r, struct buf *out)
{
    size_t from = out->len;

    while (out->len == from && r->stage != STAGE_OVER) {
        if (r->stage == STAGE_RAW) {
            buf_add_str(out, str_sub(buf_str(&r->raw), r->sent, r->sent + PIECE));
            r->sent += PIECE;
            if (r->sent >= r->raw.len)
                r->stage = STAGE_UNITS;
        } else if (r->stage == STAGE_UNITS) {
            add_units(r, out);
            if (r->number >= r->page->times)
                r->stage = STAGE_TAIL;
        } else {
            buf_add_str(out, r->page->tail);
            r->stage = STAGE_OVER;
        }
    }
    return out->len > from;
}
