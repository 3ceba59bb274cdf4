/* show_lattice.c - the lattice of a crawl or an agent, for brood show.
 * SPDX-License-Identifier: MIT */
#include "cli/show/lattice.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/show/lattice_of.h"
#include "models/crew/lattice_write.h"

#include <stdlib.h>

#define TEXT_CONCEPTS 20
#define DOT_CONCEPTS  100

static void head_text(const struct lattice_of *l, struct buf *out)
{
    char at[CLOCK_TEXT];

    buf_add_z(out, "lattice of ");
    report_text(out, l->agent.len ? l->agent : STR("the crawl"), 100);
    buf_add_z(out, l->kind.len ? ", " : "");
    report_text(out, l->kind, 100);
    buf_add_z(out, ": ");
    report_count(out, lattice_objects(l->lattice), "page");
    buf_add_z(out, ", ");
    report_count(out, lattice_attributes(l->lattice), "keyword");
    buf_add_z(out, ", ");
    report_count(out, lattice_count(l->lattice), "concept");
    buf_add_z(out, " of at least ");
    report_count(out, lattice_min_extent(l->lattice), "page");
    clock_format(l->at, 0, at);
    if (l->kept)
        buf_addf(out, "; as of %s", at);
    buf_add_char(out, '\n');
}

static void intent_text(const struct lattice_of *l, uint64_t intent, struct buf *out)
{
    for (unsigned i = 0; i < lattice_attributes(l->lattice); i++)
        if (intent >> i & 1) {
            buf_add_char(out, ' ');
            report_text(out, l->names[i], 40);
        }
}

static void as_text(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    uint32_t *largest = mem_zero((size_t)lattice_count(l->lattice) + 1, sizeof *largest);
    uint32_t count = lattice_largest(l->lattice, n ? n : TEXT_CONCEPTS, false, largest);

    head_text(l, out);
    for (uint32_t i = 0; i < count; i++) {
        struct concept c = lattice_concept(l->lattice, largest[i]);

        buf_addf(out, "%s%7u ", i == 0 ? "  pages  which all have\n" : "", c.extent);
        intent_text(l, c.intent, out);
        buf_add_char(out, '\n');
    }
    free(largest);
}

static void as_json(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    char at[CLOCK_TEXT];
    struct json j;

    clock_format(l->at, 3, at);
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
    lattice_write_json(l->lattice, l->names, n, &j, "lattice");
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
        st = lattice_write_dot(l.lattice, l.names, n ? n : DOT_CONCEPTS, out);
    else if (form == LATTICE_JSON)
        as_json(&l, n, out);
    else
        as_text(&l, n, out);
    lattice_of_clear(&l);
    return st;
}
