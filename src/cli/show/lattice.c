/* show_lattice.c - the lattice of a crawl or an agent, for brood show.
 * SPDX-License-Identifier: MIT */
#include "cli/show/lattice.h"

#include "base/os/clock.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/show/lattice_of.h"

#include <stdlib.h>

#define TEXT_CONCEPTS 20
#define DOT_CONCEPTS  100

static void head_text(const struct lattice_of *l, struct buf *out)
{
    struct lattice_figures f = lattice_view_figures(&l->view);
    char at[CLOCK_TEXT];

    buf_add_z(out, "lattice of ");
    report_text(out, l->agent.len ? l->agent : STR("the crawl"), 100);
    buf_add_z(out, l->kind.len ? ", " : "");
    report_text(out, l->kind, 100);
    buf_add_z(out, ": ");
    report_count(out, f.pages, "page");
    buf_add_z(out, ", ");
    report_count(out, f.keywords, "keyword");
    buf_add_z(out, ", ");
    report_count(out, f.concepts, "concept");
    buf_add_z(out, " of at least ");
    report_count(out, f.least, "page");
    clock_format(l->view.at, 0, at);
    if (l->kept)
        buf_addf(out, "; as of %s", at);
    buf_add_char(out, '\n');
}

static void intent_text(const struct lattice_of *l, uint64_t intent, struct buf *out)
{
    for (uint64_t rest = intent; rest; rest &= rest - 1) {
        buf_add_char(out, ' ');
        report_text(out, l->view.names[__builtin_ctzll(rest)], 40);
    }
}

static void as_text(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    struct concept *largest;
    uint32_t count = lattice_view_largest(&l->view, n ? n : TEXT_CONCEPTS, &largest);

    head_text(l, out);
    for (uint32_t i = 0; i < count; i++) {
        buf_addf(out, "%s%7u ", i == 0 ? "  pages  which all have\n" : "", largest[i].extent);
        intent_text(l, largest[i].intent, out);
        buf_add_char(out, '\n');
    }
    free(largest);
}

static void as_json(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    char at[CLOCK_TEXT];
    struct json j;

    clock_format(l->view.at, 3, at);
    json_init(&j, out);
    json_open_object(&j, NULL);
    if (l->agent.len)
        json_put_str(&j, "agent", l->agent);
    else
        json_put_null(&j, "agent");
    if (l->kind.len)
        json_put_str(&j, "kind", l->kind);
    else
        json_put_null(&j, "kind");
    json_put_z(&j, "at", l->kept ? at : NULL);
    lattice_view_json(&l->view, n, &j, "lattice");
    json_close(&j);
    buf_add_char(out, '\n');
}

enum status show_lattice(struct query *q, struct str agent, enum lattice_form form, uint32_t n,
                         struct buf *out)
{
    struct lattice_of l;
    enum status st;

    interrupt_catch();
    st = lattice_of(q, agent, interrupt_flag(), &l);
    if (st != ST_OK)
        return st;
    if (form == LATTICE_DOT)
        st = lattice_view_dot(&l.view, n ? n : DOT_CONCEPTS, out);
    else if (form == LATTICE_JSON)
        as_json(&l, n, out);
    else
        as_text(&l, n, out);
    lattice_of_clear(&l);
    return st;
}
